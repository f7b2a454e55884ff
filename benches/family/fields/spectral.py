"""Spectral methods: FFT solvers, KdV, power spectra, Chebyshev, phase retrieval."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn, randn64, unif, unif64


@program(lambda s, r: (randn64(r, s, s), randn64(r, s, s)), [12, 120, 512], diff=(0,), x64=True)
def fft_poisson_control(source, target):
    """Solves a periodic Poisson equation by FFT and compares the gradient of the potential with a target field."""
    n = source.shape[0]
    k = 2 * jnp.pi * jnp.fft.fftfreq(n, d=1.0 / n)
    k2 = k[:, None] ** 2 + k[None, :] ** 2
    rho_hat = jnp.fft.fft2(source - source.mean())
    phi_hat = jnp.where(k2 == 0, 0.0, rho_hat / jnp.where(k2 == 0, 1.0, k2))
    phi = jnp.fft.ifft2(phi_hat).real
    ex = jnp.fft.ifft2(-1j * k[:, None] * phi_hat).real
    return jnp.mean((phi - target) ** 2) + 0.5 * jnp.mean(ex**2)


@program(lambda s, r: (2 / np.cosh(np.linspace(-8, 8, s[0])) ** 2 + randn64(r, s[0], scale=1e-3), np.zeros(s[1])),
         [(16, 1), (128, 8), (2048, 120)], x64=True)
def kdv_integrating_factor(u0, steps):
    """Korteweg-de Vries with a Fourier integrating factor and RK4 (Trefethen's p27), momentum of the final wave."""
    n, L = u0.shape[0], 16.0
    k = 2 * jnp.pi / L * jnp.fft.fftfreq(n, 1.0 / n)
    dt = 0.2 * L / n / jnp.max(jnp.abs(k))
    E = jnp.exp(0.5j * dt * k**3)
    g = -3j * dt * k
    nl = lambda v: g * jnp.fft.fft(jnp.real(jnp.fft.ifft(v)) ** 2)

    def step(v, _):
        a = nl(v)
        b = nl(E * (v + a / 2))
        c = nl(E * v + b / 2)
        d = nl(E**2 * v + E * c)
        return E**2 * v + (E**2 * a + 2 * E * (b + c) + d) / 6, None

    v, _ = lax.scan(step, jnp.fft.fft(u0), steps)
    u = jnp.fft.ifft(v).real
    x = jnp.linspace(-L / 2, L / 2, n)
    return jnp.sum(x * u**2) / jnp.sum(u**2)


@program(lambda s, r: (randn(r, s[0]), np.hanning(s[1]).astype(np.float32)), [(64, 16), (16384, 256), (1000000, 1024)])
def welch_spectral_flatness(signal, window):
    """Welch's averaged periodogram with half-overlapping windows and the spectral flatness of the estimate."""
    n = window.shape[0]
    starts = jnp.arange(0, signal.shape[0] - n + 1, n // 2)
    frames = signal[starts[:, None] + jnp.arange(n)[None, :]]
    frames = (frames - frames.mean(-1, keepdims=True)) * window
    psd = jnp.mean(jnp.abs(jnp.fft.rfft(frames, axis=-1)) ** 2, axis=0) / jnp.sum(window**2)
    psd = psd[1:-1]
    return jnp.mean(jnp.log(psd + 1e-8)) - jnp.log(psd.mean())


def _mel(s, r):
    n, win, mels = s
    fb = np.maximum(0, 1 - np.abs(np.linspace(0, mels, win // 2 + 1)[None] - np.arange(mels)[:, None] - 0.5))
    return randn(r, n), randn(r, n), fb.astype(np.float32)


@program(_mel, [(128, 32, 4), (8192, 256, 32), (160000, 1024, 80)], diff=(0,))
def log_mel_spectrogram_loss(audio, reference, filterbank):
    """Multi-bin log-mel distance between generated and reference audio, the reconstruction loss of neural vocoders."""
    n_fft = (filterbank.shape[1] - 1) * 2
    hop = n_fft // 4
    window = 0.5 - 0.5 * jnp.cos(2 * jnp.pi * jnp.arange(n_fft) / n_fft)

    def log_mel(x):
        x = jnp.pad(x, (n_fft // 2, n_fft // 2), mode="reflect")
        n_frames = 1 + (x.shape[0] - n_fft) // hop
        frame = lambda i: lax.dynamic_slice(x, (i * hop,), (n_fft,))
        spec = jnp.fft.rfft(jax.vmap(frame)(jnp.arange(n_frames)) * window)
        mag = jnp.sqrt(spec.real**2 + spec.imag**2 + 1e-9)
        return jnp.log(jnp.maximum(mag @ filterbank.T, 1e-5))

    return jnp.mean(jnp.abs(log_mel(audio) - log_mel(reference)))


@program(lambda s, r: (unif64(r, s, lo=0.5, hi=1.5), randn64(r, s)), [8, 80, 160], diff=(0, 1), x64=True)
def chebyshev_boundary_value(coef, rhs):
    """Two-point boundary value problem by Chebyshev collocation with Trefethen's differentiation matrix."""
    n = coef.shape[0] - 1
    x = jnp.cos(jnp.pi * jnp.arange(n + 1) / n)
    c = jnp.ones(n + 1).at[0].set(2.0).at[-1].set(2.0) * (-1.0) ** jnp.arange(n + 1)
    dX = x[:, None] - x[None, :]
    D = jnp.outer(c, 1 / c) / (dX + jnp.eye(n + 1))
    D = D - jnp.diag(D.sum(axis=1))
    op = (D @ jnp.diag(coef) @ D - jnp.eye(n + 1))[1:-1, 1:-1]
    u = jnp.linalg.solve(op, rhs[1:-1])
    return jnp.sum(u**2) / n + 0.1 * jnp.max(jnp.abs(u))


def _phase(s, r):
    z = (r.standard_normal((s, s)) + 1j * r.standard_normal((s, s))).astype(np.complex64)
    return z, unif(r, s, s, hi=float(s)), (r.random((s, s)) < 0.5).astype(np.float32)


@program(_phase, [12, 160, 900], diff=(0,))
def phase_retrieval_loss(field, amplitude, support):
    """Coherent diffraction imaging: amplitude loss of a complex field's FFT plus a penalty outside of its support."""
    spectrum = jnp.fft.fftshift(jnp.fft.fft2(field * support))
    modulus = jnp.sqrt(jnp.abs(spectrum) ** 2 + 1e-6)
    data = jnp.mean((modulus - amplitude) ** 2)
    outside = jnp.mean(jnp.abs(field * (1 - support)) ** 2)
    phase_tv = jnp.mean(jnp.abs(jnp.diff(field, axis=0)) ** 2)
    return data + 0.1 * outside + 1e-2 * phase_tv
