"""Compression of pictures and entropy coding."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

from registry import ints, key, program, randn, unif


def _jpeg(s, r):
    y, x = np.mgrid[:s, :s] / s
    img = np.stack([0.5 + 0.3 * np.sin(9 * x + 4 * y), 0.5 + 0.3 * np.cos(7 * y * x), 0.4 + 0.2 * x], -1) + r.normal(0, 0.04, (s, s, 3))
    table = np.log(np.add.outer(np.arange(8), np.arange(8)) * 3 + 8.0) + r.normal(0, 0.05, (8, 8))
    return table.astype(np.float32), (table + 0.3).astype(np.float32), img.astype(np.float32), key(r)


@program(_jpeg, [16, 48, 256], diff=(0, 1, 2))
def jpeg_rate_distortion(log_luma, log_chroma, image, rng_key):
    """A differentiable JPEG: YCbCr, chroma halved, 8x8 cosine transform, quantisation as uniform noise, bits against error."""
    ycc = jnp.array([[0.299, 0.587, 0.114], [-0.1687, -0.3313, 0.5], [0.5, -0.4187, -0.0813]])
    k = jnp.arange(8)
    dct = jnp.cos(jnp.pi * (k[None, :] + 0.5) * k[:, None] / 8) * jnp.where(k == 0, jnp.sqrt(1 / 8), 0.5)[:, None]

    def blocks(p):
        h, w = p.shape
        return p.reshape(h // 8, 8, w // 8, 8).transpose(0, 2, 1, 3).reshape(-1, 8, 8)

    def unblocks(b, h, w):
        return b.reshape(h // 8, w // 8, 8, 8).transpose(0, 2, 1, 3).reshape(h, w)

    def code(plane, log_table, k):
        coef = jnp.einsum("ui,bij,vj->buv", dct, blocks(plane), dct)
        step = jnp.exp(log_table)
        q = coef / step
        noisy = q + random.uniform(k, q.shape, minval=-0.5, maxval=0.5)
        bits = 0.5 * jnp.sum(jnp.log2(1.0 + noisy**2))
        return unblocks(jnp.einsum("ui,buv,vj->bij", dct, noisy * step, dct), *plane.shape), bits

    planes = jnp.einsum("cd,hwd->chw", ycc, 255.0 * image) - jnp.array([128.0, 0.0, 0.0])[:, None, None]
    keys = random.split(rng_key, 3)
    luma, bits = code(planes[0], log_luma, keys[0])
    h, w = luma.shape
    small = planes[1:].reshape(2, h // 2, 2, w // 2, 2).mean(axis=(2, 4))
    chroma, cbits = jax.vmap(code, in_axes=(0, None, 0))(small, log_chroma, keys[1:])
    full = jnp.concatenate([luma[None], jnp.repeat(jnp.repeat(chroma, 2, axis=1), 2, axis=2)])
    back = jnp.einsum("dc,chw->hwd", jnp.linalg.inv(ycc), full + jnp.array([128.0, 0.0, 0.0])[:, None, None])
    mse = jnp.mean((jnp.clip(back, 0, 255) - 255.0 * image) ** 2)
    return 0.01 * mse + (bits + cbits.sum()) / (h * w)


def _rans(s, r):
    lanes, n, alphabet = s
    p = r.dirichlet(np.ones(alphabet))
    freq = np.maximum(1, np.floor(p * (4096 - alphabet))).astype(np.int64)
    freq[np.argmax(freq)] += 4096 - freq.sum()
    return r.choice(alphabet, (lanes, n), p=p).astype(np.uint8), freq.astype(np.uint32)


@program(_rans, [(2, 6, 8), (8, 80, 32), (64, 2000, 256)], diff=())
def rans_round_trip(symbols, freq):
    """Interleaved range asymmetric numeral systems: 32-bit states, 16-bit words, encoding in reverse, then decoding through a slot table."""
    n = symbols.shape[1]
    cum = jnp.cumsum(freq) - freq
    slot = jnp.searchsorted(jnp.cumsum(freq), jnp.arange(4096, dtype=jnp.uint32), side="right").astype(jnp.int32)

    def encode(syms):
        def put(carry, sym):
            x, buf, ptr = carry
            f, c = freq[sym], cum[sym]
            full = x >= (f << 20)
            buf = buf.at[ptr].set(jnp.where(full, (x & 0xFFFF).astype(jnp.uint16), buf[ptr]))
            x = jnp.where(full, x >> 16, x)
            return (((x // f) << 12) + x % f + c, buf, ptr + full.astype(jnp.int32)), None

        start = (jnp.uint32(1 << 16), jnp.zeros(n + 1, jnp.uint16), jnp.int32(0))
        return lax.scan(put, start, syms.astype(jnp.int32), reverse=True)[0]

    def decode(x, buf, ptr):
        def get(carry, _):
            x, ptr = carry
            low = x & 0xFFF
            sym = slot[low]
            x = freq[sym] * (x >> 12) + low - cum[sym]
            need = x < (1 << 16)
            x = jnp.where(need, (x << 16) | buf[jnp.maximum(ptr - 1, 0)].astype(jnp.uint32), x)
            return (x, ptr - need.astype(jnp.int32)), sym.astype(jnp.uint8)

        (x, _), out = lax.scan(get, (x, ptr), None, length=n)
        return x, out

    state, words, length = jax.vmap(encode)(symbols)
    end, decoded = jax.vmap(decode)(state, words, length)
    return state, words, length, decoded, jnp.all(decoded == symbols) & jnp.all(end == (1 << 16))
