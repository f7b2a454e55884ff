"""Differentiable synthesis of sound."""
import jax
import jax.numpy as jnp
import numpy as np

from registry import program, randn, unif

RATE = 8000.0
HOP = 32


def _synth(s, r):
    frames, partials, bands = s
    controls = {
        "log_pitch": np.log(220.0) + randn(r, frames, scale=0.1), "loudness": randn(r, frames, scale=0.5),
        "partials": randn(r, frames, partials), "noise": randn(r, frames, bands) - 2,
    }
    n = frames * HOP
    return controls, unif(r, n, lo=-1, hi=1), randn(r, n, scale=0.2)


@program(_synth, [(4, 3, 5), (16, 8, 9), (240, 32, 17)])
def harmonic_noise_synthesis_loss(controls, noise, target):
    """DDSP: a bank of harmonic oscillators, noise filtered frame by frame with windowed responses and overlap-add; spectral loss at three scales."""
    frames = controls["loudness"].shape[0]
    n = frames * HOP

    def upsample(a):
        at = (jnp.arange(n) + 0.5) / HOP - 0.5
        grid = jnp.arange(frames, dtype=jnp.float32)
        return jax.vmap(lambda c: jnp.interp(at, grid, c), in_axes=1, out_axes=1)(a)

    pitch = upsample(jnp.exp(controls["log_pitch"])[:, None])[:, 0]
    partial = jnp.arange(1, controls["partials"].shape[1] + 1)
    share = jax.nn.softmax(controls["partials"], axis=1) * jax.nn.softplus(controls["loudness"])[:, None]
    below = pitch[:, None] * partial < RATE / 2
    amplitude = jnp.where(below, upsample(share), 0.0)
    turns = jnp.cumsum(pitch / RATE)
    phase = turns - jnp.floor(turns)
    tone = jnp.sum(amplitude * jnp.sin(2 * jnp.pi * phase[:, None] * partial), axis=1)

    response = jnp.fft.irfft(jax.nn.softplus(controls["noise"]), axis=1)
    taps = response.shape[1]
    response = jnp.roll(response, taps // 2, axis=1) * jnp.hanning(taps + 1)[:taps]
    size = HOP + taps
    spectrum = jnp.fft.rfft(noise.reshape(frames, HOP), size, axis=1) * jnp.fft.rfft(response, size, axis=1)
    pieces = jnp.fft.irfft(spectrum, size, axis=1)
    at = jnp.arange(frames)[:, None] * HOP + jnp.arange(size)[None, :]
    hiss = jnp.zeros(n + size).at[at].add(pieces)[taps // 2 : taps // 2 + n]
    sound = tone + 0.1 * hiss

    def magnitude(x, size):
        hop = size // 4
        index = jnp.arange(0, n - size + 1, hop)[:, None] + jnp.arange(size)[None, :]
        return jnp.abs(jnp.fft.rfft(x[index] * jnp.hanning(size), axis=1) + 1e-4)

    loss = 0.0
    for size in (16, 32, 64):
        a, b = magnitude(sound, size), magnitude(target, size)
        loss = loss + jnp.mean(jnp.abs(a - b)) + jnp.mean(jnp.abs(jnp.log(a + 1e-3) - jnp.log(b + 1e-3)))
    return loss
