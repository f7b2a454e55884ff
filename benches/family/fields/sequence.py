"""Sequence models: LSTM, GRU, state-space layers, CTC."""
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import dense, ints, program, randn, unif


def _lstm(s, r):
    t, b, d, h = s
    return ({"wx": randn(r, d, 4 * h, scale=d**-0.5), "wh": randn(r, h, 4 * h, scale=h**-0.5),
             "b": randn(r, 4 * h, scale=0.1), "out": dense(r, h, 3)}, randn(r, t, b, d), ints(r, 3, b))


class LSTMState(NamedTuple):
    h: jax.Array
    c: jax.Array


@program(_lstm, [(4, 2, 4, 8), (40, 16, 32, 64), (64, 64, 64, 192)])
def lstm_classifier(params, xs, labels):
    """An LSTM over time-major input with the last state classified, in the manner of Haiku's recurrent core."""

    def cell(state, x):
        gates = x @ params["wx"] + state.h @ params["wh"] + params["b"]
        i, g, f, o = jnp.split(gates, 4, axis=-1)
        c = jax.nn.sigmoid(f + 1) * state.c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return LSTMState(h, c), h

    n = params["wh"].shape[0]
    init = LSTMState(jnp.zeros((xs.shape[1], n)), jnp.zeros((xs.shape[1], n)))
    last, _ = lax.scan(cell, init, xs)
    logits = last.h @ params["out"]["w"] + params["out"]["b"]
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1))


def _gru(s, r):
    b, t, d, h = s
    return ({"w": randn(r, 3, d, h, scale=d**-0.5), "u": randn(r, 3, h, h, scale=h**-0.5), "b": randn(r, 3, h),
             "o": randn(r, h)}, randn(r, b, t, d), randn(r, b, t))


@program(_gru, [(1, 4, 3, 8), (16, 40, 16, 48), (64, 100, 24, 128)])
def gru_forecaster(params, xs, ys):
    """A GRU for one-step forecasting, written for one series and vmapped over the batch (Equinox style)."""

    def series(x, y):
        def step(h, inp):
            (w, u, b) = params["w"], params["u"], params["b"]
            z = jax.nn.sigmoid(inp @ w[0] + h @ u[0] + b[0])
            r = jax.nn.sigmoid(inp @ w[1] + h @ u[1] + b[1])
            n = jnp.tanh(inp @ w[2] + r * (h @ u[2] + b[2]))
            h = (1 - z) * n + z * h
            return h, jnp.dot(h, params["o"])

        _, pred = lax.scan(step, jnp.zeros(params["o"].shape), x)
        return jnp.mean((pred - y) ** 2)

    return jax.vmap(series)(xs, ys).mean()


def _s4d(s, r):
    h, n, l = s
    return ({"log_dt": unif(r, h, lo=-5, hi=-3), "log_a_real": np.full((h, n), np.log(0.5), np.float32),
             "a_imag": np.tile(np.pi * np.arange(n, dtype=np.float32), (h, 1)),
             "c": (randn(r, h, n) + 1j * randn(r, h, n)).astype(np.complex64), "d": randn(r, h)}, randn(r, h, l))


@program(_s4d, [(1, 4, 16), (8, 16, 512), (16, 16, 2048)])
def s4d_convolution(params, u):
    """The diagonal state-space layer S4D: a Vandermonde kernel, applied as a causal convolution by FFT."""
    l = u.shape[-1]
    dt = jnp.exp(params["log_dt"])
    a = -jnp.exp(params["log_a_real"]) + 1j * params["a_imag"]
    dta = a * dt[:, None]
    c = params["c"] * (jnp.exp(dta) - 1.0) / a
    kernel = 2 * jnp.einsum("hn,hnl->hl", c, jnp.exp(dta[..., None] * jnp.arange(l))).real
    y = jnp.fft.irfft(jnp.fft.rfft(u, n=2 * l) * jnp.fft.rfft(kernel, n=2 * l), n=2 * l)[..., :l]
    y = jax.nn.gelu(y + params["d"][:, None] * u)
    return jnp.mean(y**2)


def _lru(s, r):
    t, d, n = s
    return ({"nu": unif(r, n, lo=-3, hi=-1), "theta": unif(r, n, lo=0, hi=1.5),
             "b": randn(r, 2, n, d, scale=d**-0.5), "c": randn(r, 2, d, n, scale=n**-0.5)}, randn(r, t, d))


@program(_lru, [(8, 4, 4), (256, 16, 32), (4096, 32, 64)], diff=(0, 1))
def lru_associative_scan(params, xs):
    """The linear recurrent unit: a complex diagonal recurrence evaluated with lax.associative_scan."""
    lam = jnp.exp(-jnp.exp(params["nu"]) + 1j * jnp.exp(params["theta"]))
    gamma = jnp.sqrt(1 - jnp.abs(lam) ** 2)
    b = (params["b"][0] + 1j * params["b"][1]) * gamma[:, None]
    c = params["c"][0] + 1j * params["c"][1]
    bu = jax.vmap(lambda x: b @ x)(xs)

    def combine(e1, e2):
        a1, b1 = e1
        a2, b2 = e2
        return a2 * a1, a2 * b1 + b2

    _, hs = lax.associative_scan(combine, (jnp.broadcast_to(lam, bu.shape), bu))
    ys = jax.vmap(lambda h: (c @ h).real)(hs)
    return jnp.mean(jnp.square(ys - xs))


def _ctc(s, r):
    b, t, v, n = s
    return randn(r, b, t, v), ints(r, v, b, n, lo=1), ints(r, t + 1, b, lo=max(2 * n, t // 2))


@program(_ctc, [(1, 8, 5, 2), (4, 80, 24, 16), (32, 200, 40, 40)])
def ctc_loss(logits, labels, lengths):
    """Connectionist temporal classification by the forward algorithm in log space, with padding in time."""
    neg = -1e5

    def one(lp, lab, length):
        n = lab.shape[0]
        ext = jnp.zeros(2 * n + 1, lab.dtype).at[1::2].set(lab)
        skip = (ext != 0) & (ext != jnp.roll(ext, 2)) & (jnp.arange(2 * n + 1) >= 2)
        alpha0 = jnp.full(2 * n + 1, neg).at[0].set(lp[0, 0]).at[1].set(lp[0, ext[1]])

        def step(alpha, inp):
            t, row = inp
            a1 = jnp.concatenate([jnp.array([neg]), alpha[:-1]])
            a2 = jnp.where(skip, jnp.concatenate([jnp.array([neg, neg]), alpha[:-2]]), neg)
            new = jnp.logaddexp(jnp.logaddexp(alpha, a1), a2) + row[ext]
            return jnp.where(t < length, new, alpha), None

        alpha, _ = lax.scan(step, alpha0, (jnp.arange(1, lp.shape[0]), lp[1:]))
        return -jnp.logaddexp(alpha[-1], alpha[-2])

    return jax.vmap(one)(jax.nn.log_softmax(logits), labels, lengths).mean()


def _mamba(s, r):
    t, d, n = s
    return ({"log_a": np.log(np.tile(np.arange(1, n + 1, dtype=np.float32), (d, 1))), "skip": randn(r, d),
             "proj": randn(r, d, 2 * n, scale=d**-0.5), "dt": dense(r, d, d)}, randn(r, t, d))


@program(_mamba, [(6, 4, 4), (128, 32, 16), (1024, 128, 16)], diff=(0, 1))
def mamba_selective_scan(params, x):
    """Mamba's selective scan in the sequential reference form: input-dependent step, B and C matrices."""
    n = params["log_a"].shape[1]
    bc = x @ params["proj"]
    delta = jax.nn.softplus(x @ params["dt"]["w"] + params["dt"]["b"])
    a = -jnp.exp(params["log_a"])

    def body(h, t):
        xt, dt, b, c = t
        h = jnp.exp(dt[:, None] * a) * h + (dt * xt)[:, None] * b[None, :]
        return h, h @ c

    _, y = lax.scan(body, jnp.zeros_like(a), (x, delta, bc[:, :n], bc[:, n:]))
    y = y + params["skip"] * x
    return (y**2).mean()
