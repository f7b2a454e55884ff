"""Variants of attention."""
import jax
import jax.numpy as jnp

from registry import program, randn


def _win(s, r):
    h, t, d, w = s
    return randn(r, h, t, d), randn(r, h, t, d), randn(r, h, t, d), randn(r, h, t, d), randn(r, w, scale=0.1)


@program(_win, [(1, 8, 4, 4), (4, 256, 16, 16), (8, 1024, 64, 64)], diff=(0, 1, 2, 4))
def sliding_window_alibi(q, k, v, target, sink_bias):
    """Causal attention in blocks over a sliding window, with ALiBi slopes and a learned bias by position in the block."""
    H, T, D = q.shape
    W = sink_bias.shape[0]
    blocks = lambda x: x.reshape(H, T // W, W, D)
    before = lambda x: jnp.concatenate([jnp.pad(x, ((0, 0), (1, 0), (0, 0), (0, 0)))[:, :-1], x], axis=2)
    qb, kb, vb = blocks(q), before(blocks(k)), before(blocks(v))
    slope = 2.0 ** (-8.0 * jnp.arange(1, H + 1) / H)
    dist = jnp.arange(W)[:, None] + W - jnp.arange(2 * W)[None, :]
    real = (jnp.arange(T // W)[:, None] > 0) | (jnp.arange(2 * W)[None, :] >= W)
    ok = ((dist >= 0) & (dist < W))[None, :, :] & real[:, None, :]
    logits = jnp.einsum("hbqd,hbkd->hbqk", qb, kb) / jnp.sqrt(D)
    logits = logits - slope[:, None, None, None] * dist + jnp.tile(sink_bias, 2)
    p = jax.nn.softmax(jnp.where(ok[None], logits, -1e9), axis=-1)
    out = jnp.einsum("hbqk,hbkd->hbqd", p, vb).reshape(H, T, D)
    return jnp.mean((out - target) ** 2)
