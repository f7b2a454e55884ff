"""Vision transformers."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import dense, ints, program, randn

WINDOW = 4
HEADS = 2
CLASSES = 10


def _block(r, dim):
    return {
        "qkv": dense(r, dim, 3 * dim), "out": dense(r, dim, dim), "up": dense(r, dim, 4 * dim), "down": dense(r, 4 * dim, dim),
        "norm1": {"g": 1 + randn(r, dim, scale=0.1), "b": randn(r, dim, scale=0.1)},
        "norm2": {"g": 1 + randn(r, dim, scale=0.1), "b": randn(r, dim, scale=0.1)},
        "bias": randn(r, (2 * WINDOW - 1) ** 2, HEADS, scale=0.2),
    }


def _swin(s, r):
    batch, side, dim = s
    params = {
        "patch": randn(r, 4, 4, 3, dim, scale=0.15), "plain": _block(r, dim), "shifted": _block(r, dim),
        "merge": dense(r, 4 * dim, 2 * dim), "head": dense(r, 2 * dim, CLASSES),
    }
    return params, randn(r, batch, 4 * side, 4 * side, 3), ints(r, CLASSES, batch)


def _norm(p, x):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    var = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) * lax.rsqrt(var + 1e-5) * p["g"] + p["b"]


def _linear(p, x):
    return x @ p["w"] + p["b"]


def _split(x):
    """[batch, h, w, c] to [batch, windows, tokens, c]."""
    b, h, w, c = x.shape
    x = x.reshape(b, h // WINDOW, WINDOW, w // WINDOW, WINDOW, c).transpose(0, 1, 3, 2, 4, 5)
    return x.reshape(b, -1, WINDOW * WINDOW, c)


def _join(x, h, w):
    b, c = x.shape[0], x.shape[-1]
    x = x.reshape(b, h // WINDOW, w // WINDOW, WINDOW, WINDOW, c).transpose(0, 1, 3, 2, 4, 5)
    return x.reshape(b, h, w, c)


@program(_swin, [(1, 4, 8), (1, 16, 16), (2, 32, 48)])
def shifted_window_attention(params, images, labels):
    """A Swin stage: patch embedding, attention in windows and in shifted, masked windows with relative biases, patch merging, cross entropy."""
    x = lax.conv_general_dilated(images, params["patch"], (4, 4), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    b, h, w, dim = x.shape
    coord = np.stack(np.meshgrid(np.arange(WINDOW), np.arange(WINDOW), indexing="ij")).reshape(2, -1)
    offset = coord[:, :, None] - coord[:, None, :] + WINDOW - 1
    relative = offset[0] * (2 * WINDOW - 1) + offset[1]
    shift = WINDOW // 2

    def regions(n):
        i = jnp.arange(n)
        return jnp.where(i < n - WINDOW, 0, jnp.where(i < n - shift, 1, 2))

    region = _split((3 * regions(h)[:, None] + regions(w)[None, :])[None, :, :, None])[0, :, :, 0]
    visible = region[:, :, None] == region[:, None, :]

    def block(p, x, rolled):
        y = _norm(p["norm1"], x)
        if rolled:
            y = jnp.roll(y, (-shift, -shift), axis=(1, 2))
        y = _split(y)
        qkv = _linear(p["qkv"], y).reshape(*y.shape[:3], 3, HEADS, dim // HEADS)
        q, k, v = jnp.moveaxis(qkv, 3, 0)
        score = jnp.einsum("bnqhd,bnkhd->bnhqk", q, k) / np.sqrt(dim // HEADS)
        score = score + p["bias"][relative].transpose(2, 0, 1)
        if rolled:
            score = jnp.where(visible[None, :, None], score, -1e9)
        y = jnp.einsum("bnhqk,bnkhd->bnqhd", jax.nn.softmax(score), v).reshape(y.shape)
        y = _join(_linear(p["out"], y), h, w)
        if rolled:
            y = jnp.roll(y, (shift, shift), axis=(1, 2))
        x = x + y
        return x + _linear(p["down"], jax.nn.gelu(_linear(p["up"], _norm(p["norm2"], x))))

    x = block(params["shifted"], block(params["plain"], x, False), True)
    merged = jnp.concatenate([x[:, i::2, j::2] for i in (0, 1) for j in (0, 1)], axis=-1)
    pooled = jnp.mean(_linear(params["merge"], merged), axis=(1, 2))
    logp = jax.nn.log_softmax(_linear(params["head"], pooled))
    return -jnp.mean(jnp.take_along_axis(logp, labels[:, None], axis=1))
