"""Fourier transforms and complex numbers."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import given

f32 = np.float32


def _in_analytic(r):
    t = np.arange(4096) / 1000.0
    f0 = r.uniform(20, 80, (8, 1))
    am = 1 + 0.5 * np.sin(2 * np.pi * r.uniform(0.5, 3, (8, 1)) * t)
    x = am * np.cos(2 * np.pi * f0 * t + 3 * np.sin(2 * np.pi * 0.7 * t))
    return [(x + 0.05 * r.standard_normal(x.shape)).astype(f32)]


@given(_in_analytic)
def analytic_envelope(x):
    """Hilbert transform of 8x4096 signals: envelope, instantaneous frequency, AM depth."""
    n = x.shape[-1]
    h = np.zeros(n, np.float32)
    h[0] = h[n // 2] = 1.0
    h[1:n // 2] = 2.0
    z = jnp.fft.ifft(jnp.fft.fft(x, axis=-1) * h, axis=-1)
    env = jnp.abs(z)
    dphi = jnp.angle(z[:, 1:] * jnp.conj(z[:, :-1]))
    inst_freq = dphi * (1000.0 / (2 * jnp.pi))
    # envelope-weighted average frequency
    w = env[:, 1:]
    mean_freq = jnp.sum(w * inst_freq, -1) / jnp.sum(w, -1)
    depth = jnp.std(env, axis=-1) / jnp.mean(env, axis=-1)
    return env, inst_freq, mean_freq, depth


def _in_beamform(r):
    M, T, fs = 8, 512, 16000.0
    pos = np.stack([np.arange(M) * 0.04, 0.01 * r.standard_normal(M)], 1)
    t = np.arange(T) / fs
    src = np.deg2rad(37.0)
    tau = (pos @ np.array([np.cos(src), np.sin(src)])) / 343.0
    x = sum(np.sin(2 * np.pi * f * (t[None] - tau[:, None]) + p)
            for f, p in zip(r.uniform(500, 3500, 6), r.uniform(0, 6, 6)))
    x = x + 0.3 * r.standard_normal((M, T))
    ang = np.deg2rad(np.array([20.0, 35.0, 60.0, 110.0]))
    w = (np.hanning(M + 2)[1:-1] * np.exp(1j * 0.1 * r.standard_normal(M)))
    return [ang.astype(f32), w.astype(np.complex64), pos.astype(f32), x.astype(f32)]


@given(_in_beamform)
def beamform_doa_grad(angles, weights, mic_pos, x):
    """Wideband delay-and-sum beamformer (8 mics, 512 samples): value_and_grad over look angles and complex weights."""
    fs, c = 16000.0, 343.0
    X = jnp.fft.rfft(x * jnp.hanning(x.shape[1]), axis=-1)            # [M, F]
    freqs = jnp.fft.rfftfreq(x.shape[1], 1 / fs)

    def loss(params):
        angles, weights = params
        d = jnp.stack([jnp.cos(angles), jnp.sin(angles)], -1)          # [A, 2]
        tau = d @ mic_pos.T / c                                        # [A, M]
        steer = jnp.exp(2j * jnp.pi * freqs * tau[..., None])          # [A, M, F]
        y = jnp.einsum("m,amf,mf->af", jnp.conj(weights), steer, X)
        power = jnp.mean(jnp.real(y * jnp.conj(y)), axis=-1)
        norm = jnp.sum(jnp.abs(weights) ** 2)
        return -jnp.mean(jnp.log(power / norm + 1e-6)), power

    (val, power), g = jax.value_and_grad(loss, has_aux=True)((angles, weights))
    return val, power, g


def _gauss_psf_hat(shape, sigma):
    h, w = shape
    fy = jnp.fft.fftfreq(h)[:, None]
    fx = jnp.fft.rfftfreq(w)[None, :]
    return jnp.exp(-2 * (jnp.pi ** 2) * (sigma ** 2) * (fx ** 2 + fy ** 2))


def _in_wiener(r):
    n = 128
    yy, xx = np.mgrid[:n, :n]
    img = np.zeros((n, n))
    for _ in range(12):
        cy, cx, s = r.uniform(10, n - 10, 2).tolist() + [r.uniform(2, 8)]
        img += r.uniform(0.3, 1) * np.exp(-((yy - cy) ** 2 + (xx - cx) ** 2) / (2 * s * s))
    F = np.fft.fft2(img)
    k = np.fft.fftfreq(n)
    H = np.exp(-2 * np.pi ** 2 * 2.0 ** 2 * (k[:, None] ** 2 + k[None] ** 2))
    blur = np.fft.ifft2(F * H).real + 0.01 * r.standard_normal((n, n))
    return [f32(np.log(1.6)), f32(np.log(200.0)), blur.astype(f32), img.astype(f32)]


@given(_in_wiener)
def deconv_wiener_grad(log_sigma, log_snr, blurred, target):
    """Wiener deconvolution of a 128x128 image; value_and_grad over PSF width and SNR."""
    def restore(log_sigma, log_snr):
        H = _gauss_psf_hat(blurred.shape, jnp.exp(log_sigma)).astype(jnp.complex64)
        # half-pixel sensor shift makes the transfer function complex
        fx = jnp.fft.rfftfreq(blurred.shape[1])
        H = H * jnp.exp(-2j * jnp.pi * 0.05 * fx)
        G = jnp.conj(H) / (jnp.abs(H) ** 2 + jnp.exp(-log_snr))
        return jnp.fft.irfft2(jnp.fft.rfft2(blurred) * G, s=blurred.shape)

    def loss(p):
        x = restore(*p)
        dx = jnp.roll(x, -1, 1) - x
        dy = jnp.roll(x, -1, 0) - x
        tv = jnp.mean(jnp.sqrt(dx ** 2 + dy ** 2 + 1e-4))
        return 100.0 * jnp.mean((x - target) ** 2) + 0.1 * tv

    val, (gs, gn) = jax.value_and_grad(loss)((log_sigma, log_snr))
    x1 = restore(log_sigma - 0.05 * gs, log_snr - 0.05 * gn)
    return val, gs, gn, x1


def _in_fftconv(r):
    x = r.standard_normal((4, 8192))
    k = 0.05 * r.standard_normal(1025) * np.exp(-np.arange(1025) / 200.0)
    kt = 0.05 * r.standard_normal(1025) * np.exp(-np.arange(1025) / 150.0)
    y = np.stack([np.convolve(xi, kt)[:8192] for xi in x])
    return [k.astype(f32), x.astype(f32), y.astype(f32)]


@given(_in_fftconv)
def fftconv_filter_fit(kernel, x, y):
    """Fit a 1025-tap FIR filter by causal FFT convolution on 4x8192 audio; value_and_grad."""
    n = x.shape[-1]
    nfft = 2 * n
    Xf = jnp.fft.rfft(x, n=nfft)

    def loss(k):
        Kf = jnp.fft.rfft(k, n=nfft)
        yhat = jnp.fft.irfft(Xf * Kf, n=nfft)[..., :n]
        mse = jnp.mean((yhat - y) ** 2)
        smooth = jnp.mean(jnp.log1p(jnp.abs(Kf[1:-1]) ** 2))
        return mse + 1e-2 * smooth

    val, g = jax.value_and_grad(loss)(kernel)
    return val, g, kernel - 0.5 * g


def _in_gcc(r):
    s = r.standard_normal((8, 2300))
    d = r.integers(-60, 60, 8)
    a = np.stack([si[100:2148] for si in s])
    b = np.stack([si[100 - di:2148 - di] for si, di in zip(s, d)])
    a = a + 0.2 * r.standard_normal(a.shape)
    b = 0.8 * b + 0.2 * r.standard_normal(b.shape)
    return [a.astype(f32), b.astype(f32)]


@given(_in_gcc)
def gcc_phat(a, b):
    """GCC-PHAT cross-correlation of 8 sensor pairs of 2048 samples with soft-argmax delays."""
    n = 2 * a.shape[-1]
    max_lag = 128
    win = jnp.hanning(a.shape[-1])
    A = jnp.fft.rfft((a - a.mean(-1, keepdims=True)) * win, n=n)
    B = jnp.fft.rfft((b - b.mean(-1, keepdims=True)) * win, n=n)
    R = B * jnp.conj(A)
    R = R / (jnp.abs(R) + 1e-3)
    cc = jnp.fft.irfft(R, n=n)
    cc = jnp.concatenate([cc[:, -max_lag:], cc[:, :max_lag + 1]], axis=-1)
    lags = jnp.arange(-max_lag, max_lag + 1, dtype=jnp.float32)
    p = jax.nn.softmax(8.0 * cc, axis=-1)
    return cc, p @ lags, jnp.max(cc, axis=-1)


def _mel_bank(n_mels, n_bins, sr):
    def mel(f): return 2595 * np.log10(1 + f / 700)
    def imel(m): return 700 * (10 ** (m / 2595) - 1)
    edges = imel(np.linspace(mel(50), mel(sr / 2), n_mels + 2))
    f = np.linspace(0, sr / 2, n_bins)
    lo, c, hi = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    return np.maximum(0, np.minimum((f - lo) / (c - lo), (hi - f) / (hi - c))).T


def _in_logmel(r):
    t = np.arange(16000) / 16000.0
    x = sum(a * np.sin(2 * np.pi * f * t * (1 + 0.1 * t)) for a, f in
            zip(r.uniform(0.1, 0.5, 5), r.uniform(100, 5000, 5)))
    x = x + 0.05 * r.standard_normal(t.shape)
    return [x.astype(f32), _mel_bank(40, 257, 16000).astype(f32)]


@given(_in_logmel)
def logmel_spectrogram(audio, mel_fb):
    """Log-mel spectrogram of 1 s of 16 kHz audio (512-point Hann frames, hop 160) with CMVN."""
    n_fft, hop = 512, 160
    x = jnp.concatenate([audio[:1], audio[1:] - 0.97 * audio[:-1]])
    x = jnp.pad(x, (n_fft // 2, n_fft // 2), mode="reflect")
    n_frames = 1 + (x.shape[0] - n_fft) // hop
    idx = jnp.arange(n_fft)[None, :] + hop * jnp.arange(n_frames)[:, None]
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n_fft, dtype=np.float32) / n_fft)
    frames = x[idx] * window.astype(np.float32)
    spec = jnp.fft.rfft(frames, axis=-1)
    power = spec.real ** 2 + spec.imag ** 2
    logmel = 10.0 * jnp.log10(jnp.maximum(power @ mel_fb, 1e-8))
    logmel = jnp.maximum(logmel, logmel.max() - 80.0)
    mu = logmel.mean(0)
    sd = logmel.std(0)
    return (logmel - mu) / (sd + 1e-5), mu


@given(lambda r: [np.array([-0.60, 0.05], f32), f32(2.4)])
def mandelbrot_smooth(center, width):
    """Smooth-coloured Mandelbrot of a 64x96 window, 20 complex iterations with escape freeze."""
    h, w, n_iter = 64, 96, 20
    re = center[0] + width * (jnp.arange(w) / w - 0.5)
    im = center[1] + width * (h / w) * (jnp.arange(h) / h - 0.5)
    c = lax.complex(*jnp.broadcast_arrays(re[None, :], im[:, None]))

    def body(_, carry):
        z, count = carry
        alive = (z.real ** 2 + z.imag ** 2) < 16.0
        z = jnp.where(alive, z * z + c, z)
        return z, count + alive

    z0 = jnp.zeros_like(c)
    z, count = lax.fori_loop(0, n_iter, body, (z0, jnp.zeros(c.shape, jnp.int32)))
    r2 = jnp.real(z * jnp.conj(z))
    smooth = count + 1.0 - jnp.log2(jnp.maximum(0.5 * jnp.log(jnp.maximum(r2, 1.0 + 1e-3)), 1e-3))
    inside = r2 < 16.0
    img = jnp.where(inside, 0.0, smooth)
    return img, jnp.mean(inside.astype(jnp.float32)), jnp.sqrt(jnp.minimum(r2, 16.0))


def _in_ns(r):
    n = 64
    k = np.fft.fftfreq(n, 1 / n)
    kk = np.sqrt(k[:, None] ** 2 + k[None] ** 2)
    w = np.fft.ifft2(np.fft.fft2(r.standard_normal((n, n))) * np.exp(-(kk - 6) ** 2 / 8)).real
    return [w / w.std(), np.float64(1e-3), np.float64(5e-3)]


@given(_in_ns, x64=True)
def navier_stokes_f64(vort, nu, dt):
    """2-D Navier-Stokes vorticity step, 64x64 pseudo-spectral, Heun + integrating factor, f64/complex128."""
    n = vort.shape[0]
    kx = jnp.fft.rfftfreq(n, 1.0 / n)[None, :]
    ky = jnp.fft.fftfreq(n, 1.0 / n)[:, None]
    k2 = kx ** 2 + ky ** 2
    inv_k2 = jnp.where(k2 == 0, 0.0, 1.0 / jnp.where(k2 == 0, 1.0, k2))
    dealias = (jnp.abs(kx) < n / 3) & (jnp.abs(ky) < n / 3)

    def rhs(wh):
        psi = wh * inv_k2                              # Poisson solve for the stream function
        u = jnp.fft.irfft2(1j * ky * psi, s=(n, n))
        v = jnp.fft.irfft2(-1j * kx * psi, s=(n, n))
        wx = jnp.fft.irfft2(1j * kx * wh, s=(n, n))
        wy = jnp.fft.irfft2(1j * ky * wh, s=(n, n))
        adv = jnp.fft.rfft2(u * wx + v * wy)
        return jnp.where(dealias, -adv, 0.0)

    wh = jnp.fft.rfft2(vort)
    E = jnp.exp(-nu * k2 * dt)
    k1 = rhs(wh)
    k2_ = rhs(E * (wh + dt * k1))
    wh = E * wh + 0.5 * dt * (E * k1 + k2_)
    wnew = jnp.fft.irfft2(wh, s=(n, n))
    psi = jnp.fft.irfft2(wh * inv_k2, s=(n, n))
    return wnew, 0.5 * jnp.mean(psi * wnew), 0.5 * jnp.mean(wnew ** 2)


def _in_hio(r):
    n = 64
    obj = np.zeros((n, n))
    yy, xx = np.mgrid[:n, :n]
    for _ in range(6):
        cy, cx = r.uniform(22, 42, 2)
        obj += r.uniform(0.3, 1) * (((yy - cy) ** 2 + (xx - cx) ** 2) < r.uniform(3, 7) ** 2)
    mag = np.abs(np.fft.fft2(obj)) * (1 + 0.01 * r.standard_normal((n, n)))
    sup = ((yy > 12) & (yy < 52) & (xx > 12) & (xx < 52))
    g0 = obj + 0.3 * r.standard_normal((n, n)) * sup
    return [g0.astype(f32), np.abs(mag).astype(f32), sup.astype(f32)]


@given(_in_hio)
def phase_retrieval_hio(g, magnitude, support):
    """Phase retrieval on 64x64 diffraction data: three hybrid input-output steps and one error-reduction step."""
    beta = 0.9

    def project(g):
        G = jnp.fft.fft2(g)
        G = magnitude * G / (jnp.abs(G) + 1e-6)
        return jnp.fft.ifft2(G).real

    def hio(_, g):
        gp = project(g)
        ok = (support > 0.5) & (gp > 0)
        return jnp.where(ok, gp, g - beta * gp)

    g = lax.fori_loop(0, 3, hio, g)
    g = support * jnp.maximum(project(g), 0.0)
    G = jnp.fft.fftshift(jnp.fft.fft2(g))
    err = jnp.sum((jnp.abs(jnp.fft.fft2(g)) - magnitude) ** 2) / jnp.sum(magnitude ** 2)
    return g, G, err


@given(lambda r: [r.uniform(-1.5, 1.5, (2, 6, 2)).astype(f32),
                     r.uniform(0.5, 1.5, 6).astype(f32), f32(0.7)])
def quantum_vqe(theta, coupling, field):
    """Variational circuit on 6 qubits (RX/RZ layers, CZ ring): Ising energy value_and_grad."""
    n = 6

    def apply_1q(state, gate, q):
        return jnp.moveaxis(jnp.tensordot(gate, state, axes=[[1], [q]]), 0, q)

    def rx(t):
        c, s = jnp.cos(t / 2), -1j * jnp.sin(t / 2)
        return jnp.array([[c, s], [s, c]])

    def rz(t):
        return jnp.diag(jnp.exp(1j * t / 2 * jnp.array([-1.0, 1.0])))

    bit = (np.arange(2 ** n)[:, None] >> np.arange(n - 1, -1, -1)) & 1
    zz = (1 - 2 * bit) * np.roll(1 - 2 * bit, -1, axis=1)                   # [64, n]
    cz = np.prod(1 - 2 * (bit & np.roll(bit, -1, axis=1)), axis=1).reshape((2,) * n)

    def energy(theta):
        psi = jnp.zeros((2,) * n, jnp.complex64).at[(0,) * n].set(1.0)
        for layer in range(theta.shape[0]):
            for q in range(n):
                psi = apply_1q(psi, rz(theta[layer, q, 1]) @ rx(theta[layer, q, 0]), q)
            psi = psi * cz.astype(np.float32)
        probs = jnp.abs(psi.reshape(-1)) ** 2
        e_zz = -jnp.sum(coupling * (probs @ zz.astype(np.float32)))
        e_x = -field * sum(jnp.sum(jnp.real(jnp.conj(psi) * jnp.flip(psi, q))) for q in range(n))
        return e_zz + e_x, psi.reshape(-1)

    (e, psi), g = jax.value_and_grad(energy, has_aux=True)(theta)
    return e, g, psi


def _in_s4d(r):
    B, H, N, L = 2, 8, 8, 256
    return [np.log(r.uniform(1e-3, 1e-1, H)).astype(f32),
            np.log(0.5 * np.ones((H, N)) * r.uniform(0.8, 1.2, (H, N))).astype(f32),
            (np.pi * np.arange(N) * np.ones((H, 1)) + 0.01 * r.standard_normal((H, N))).astype(f32),
            (r.standard_normal((H, N)) + 1j * r.standard_normal((H, N))).astype(np.complex64),
            r.standard_normal(H).astype(f32),
            (r.standard_normal((H, H)) / np.sqrt(H)).astype(f32),
            r.standard_normal((B, H, L)).astype(f32),
            r.standard_normal((B, H, L)).astype(f32)]


@given(_in_s4d)
def s4d_layer(log_dt, log_A_real, A_imag, C, D, W, u, target):
    """S4D diagonal state-space layer (H=8, N=8, L=256) with FFT convolution: value_and_grad of all parameters."""
    L = u.shape[-1]

    def layer(p, u):
        log_dt, log_A_real, A_imag, C, D, W = p
        dt = jnp.exp(log_dt)
        A = -jnp.exp(log_A_real) + 1j * A_imag
        dtA = A * dt[:, None]
        K = dtA[..., None] * jnp.arange(L)
        Cd = C * (jnp.exp(dtA) - 1.0) / A
        k = 2 * jnp.einsum("hn,hnl->hl", Cd, jnp.exp(K)).real
        kf = jnp.fft.rfft(k, n=2 * L)
        uf = jnp.fft.rfft(u, n=2 * L)
        y = jnp.fft.irfft(uf * kf, n=2 * L)[..., :L]
        y = jax.nn.gelu(y + u * D[:, None])
        return jnp.einsum("gh,bhl->bgl", W, y)

    def loss(p):
        return jnp.mean((u + layer(p, u) - target) ** 2)

    return jax.value_and_grad(loss)((log_dt, log_A_real, A_imag, C, D, W))


def _welch(x, nperseg=256):
    step = nperseg // 2
    nseg = (x.shape[0] - nperseg) // step + 1
    idx = step * np.arange(nseg)[:, None] + np.arange(nperseg)[None, :]
    win = jnp.hanning(nperseg)
    seg = x[idx]
    seg = (seg - seg.mean(-1, keepdims=True)) * win
    P = jnp.abs(jnp.fft.rfft(seg, axis=-1)) ** 2
    P = P.at[:, 1:-1].multiply(2.0)
    return P.mean(0) / jnp.sum(win ** 2)


def _in_welch(r):
    n = 2048
    t = np.arange(n)
    y = sum(a * np.sin(2 * np.pi * f * t + p) for a, f, p in
            [(1.0, .051, .3), (.7, .132, 1.0), (.4, .287, 2.0)]) + 0.2 * r.standard_normal(n)
    return [np.array([.8, .8, .5]), np.array([.05, .13, .29]), np.array([0.1, .5, 1.5]),
            np.float64(-1.2), r.standard_normal(n), y]


@given(_in_welch, x64=True)
def welch_psd_fit_f64(amp, freq, phase, log_noise, noise, observed):
    """Fit three tones plus noise to a 2048-sample record by log Welch PSD distance: value_and_grad in f64."""
    t = jnp.arange(observed.shape[0], dtype=observed.dtype)
    target = jnp.log(_welch(observed) + 1e-8)

    def loss(p):
        amp, freq, phase, log_noise = p
        tones = amp[:, None] * jnp.sin(2 * jnp.pi * freq[:, None] * t + phase[:, None])
        model = tones.sum(0) + jnp.exp(log_noise) * noise
        return jnp.mean((jnp.log(_welch(model) + 1e-8) - target) ** 2)

    val, g = jax.value_and_grad(loss)((amp, freq, phase, log_noise))
    return val, g, target
