"""Sound: equalisers as recursive filters and the tracking of pitch."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn, unif


def _eq(s, r):
    n, sections, batch = s
    p = {"freq": unif(r, sections, lo=0.2, hi=2.4), "gain_db": randn(r, sections, scale=4), "log_q": randn(r, sections, scale=0.3)}
    return p, randn(r, batch, n), unif(r, n // 2 + 1, lo=0.2, hi=2.0)


@program(_eq, [(16, 1, 1), (400, 3, 4), (8192, 5, 32)])
def biquad_equalizer_match(params, x, target_mag):
    """Peaking equaliser as a cascade of biquads (transposed direct form II, scan over samples); match of log spectra."""
    amp = 10 ** (params["gain_db"] / 40)
    alpha = jnp.sin(params["freq"]) / (2 * jnp.exp(params["log_q"]))
    cosw = jnp.cos(params["freq"])
    a0 = 1 + alpha / amp
    b = jnp.stack([1 + alpha * amp, -2 * cosw, 1 - alpha * amp], -1) / a0[:, None]
    a = jnp.stack([-2 * cosw, 1 - alpha / amp], -1) / a0[:, None]

    def tick(state, sample):
        new = []
        for i in range(b.shape[0]):
            y = b[i, 0] * sample + state[i, 0]
            new.append(jnp.stack([b[i, 1] * sample - a[i, 0] * y + state[i, 1], b[i, 2] * sample - a[i, 1] * y]))
            sample = y
        return jnp.stack(new), sample

    _, y = lax.scan(tick, jnp.zeros((b.shape[0], 2, x.shape[0])), x.T)
    mag = jnp.abs(jnp.fft.rfft(y.T * jnp.hanning(x.shape[1]), axis=-1))
    want = target_mag * jnp.abs(jnp.fft.rfft(x * jnp.hanning(x.shape[1]), axis=-1))
    return jnp.mean((jnp.log(mag + 1e-2) - jnp.log(want + 1e-2)) ** 2)


def _yin(s, r):
    n, width, hop = s
    f = r.uniform(0.03, 0.06)
    t = np.arange(n)
    ph = 2 * np.pi * (f * t + 2 * np.sin(t / n * 6))
    x = np.sin(ph) + 0.5 * np.sin(2 * ph + 1) + 0.05 * r.standard_normal(n)
    return x.astype(np.float32), np.zeros((hop, width), bool) | (np.arange(width) >= 0), np.float32(0.2)


@program(_yin, [(256, 64, 32), (2048, 128, 64), (32768, 512, 128)], diff=())
def yin_pitch_frames(x, window, threshold):
    """YIN pitch tracker: difference function of frames by FFT, cumulative mean, first dip below a threshold, parabola."""
    hop, W = window.shape
    starts = jnp.arange(0, x.shape[0] - 2 * W + 1, hop)
    frames = x[starts[:, None] + jnp.arange(2 * W)[None, :]]
    left = jnp.where(window[0], frames[:, :W], 0.0)
    spec = jnp.fft.rfft(frames, 4 * W) * jnp.conj(jnp.fft.rfft(left, 4 * W))
    corr = jnp.fft.irfft(spec, 4 * W)[:, :W]
    power = jnp.cumsum(jnp.pad(frames**2, ((0, 0), (1, 0))), axis=1)
    energy = power[:, W : 2 * W] - power[:, :W]
    diff = jnp.maximum(energy[:, :1] + energy - 2 * corr, 0.0).at[:, 0].set(0.0)
    tau = jnp.arange(1, W)
    cmnd = jnp.concatenate([jnp.ones((diff.shape[0], 1)), diff[:, 1:] * tau / (jnp.cumsum(diff[:, 1:], axis=1) + 1e-9)], axis=1)
    dip = (cmnd[:, 1:-1] < threshold) & (cmnd[:, 1:-1] <= cmnd[:, 2:]) & (cmnd[:, 1:-1] < cmnd[:, :-2])
    lag = jnp.where(dip.any(1), jnp.argmax(dip, axis=1), jnp.argmin(cmnd[:, 1:-1], axis=1)) + 1
    pick = lambda o: jnp.take_along_axis(cmnd, (lag + o)[:, None], axis=1)[:, 0]
    lo, mid, hi = pick(-1), pick(0), pick(1)
    bend = lo - 2 * mid + hi
    shift = jnp.where(jnp.abs(bend) > 1e-6, 0.5 * (lo - hi) / jnp.where(jnp.abs(bend) > 1e-6, bend, 1.0), 0.0)
    f0 = 1.0 / (lag + jnp.clip(shift, -0.5, 0.5))
    return f0, mid < threshold, jax.nn.sigmoid(8 * (threshold - mid))
