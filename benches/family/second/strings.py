"""Integer work: suffix arrays and error-correcting codes."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import ints, program


@program(lambda s, r: (ints(r, s[1], s[0]), np.arange(s[2], dtype=np.int32)), [(24, 3, 5), (400, 4, 9), (8192, 4, 13)], diff=())
def suffix_array_doubling(text, rounds):
    """Suffix array by prefix doubling: sorts pairs of ranks with doubled offsets, renumbers by changes, Burrows-Wheeler text."""
    n = text.shape[0]
    pos = jnp.arange(n)

    def double(rank, p):
        k = jnp.left_shift(1, p)
        second = jnp.where(pos + k < n, rank[jnp.minimum(pos + k, n - 1)] + 1, 0)
        order = jnp.lexsort((second, rank))
        a, b = rank[order], second[order]
        new = (a[1:] != a[:-1]) | (b[1:] != b[:-1])
        dense = jnp.concatenate([jnp.zeros(1, jnp.int32), jnp.cumsum(new.astype(jnp.int32))])
        return jnp.zeros_like(rank).at[order].set(dense), dense[-1] + 1

    rank, distinct = lax.scan(double, text, rounds)
    sa = jnp.zeros(n, jnp.int32).at[rank].set(pos.astype(jnp.int32))
    return sa, text[(sa - 1) % n], distinct


def _rs(s, r):
    batch, k, parity = s
    exp, log, v = np.zeros(512, np.int32), np.zeros(256, np.int32), 1
    for i in range(255):
        exp[i] = exp[i + 255] = v
        log[v] = i
        v = (v << 1) ^ (0x11D if v & 0x80 else 0)
    g = np.array([1])
    for i in range(parity):
        root = exp[i]
        mul = np.array([exp[log[c] + log[root]] if c else 0 for c in g])
        g = np.concatenate([g, [0]]) ^ np.concatenate([[0], mul])
    errors = np.where(r.random((batch, k + parity)) < 0.03, r.integers(1, 256, (batch, k + parity)), 0)
    return r.integers(0, 256, (batch, k), dtype=np.uint8), errors.astype(np.uint8), g[1:].astype(np.int32), exp, log


@program(_rs, [(2, 8, 4), (32, 48, 8), (512, 223, 32)], diff=())
def reed_solomon_syndromes(message, errors, generator, exp, log):
    """Reed-Solomon code over GF(256): systematic encoding by a shift register, then syndromes of the corrupted words by Horner."""

    def mul(a, b):
        return jnp.where((a == 0) | (b == 0), 0, exp[log[a] + log[b]])

    def clock(reg, byte):
        feedback = byte ^ reg[:, 0]
        shifted = jnp.concatenate([reg[:, 1:], jnp.zeros_like(reg[:, :1])], axis=1)
        return shifted ^ mul(feedback[:, None], generator[None, :]), None

    m = message.astype(jnp.int32)
    parity, _ = lax.scan(clock, jnp.zeros((m.shape[0], generator.shape[0]), jnp.int32), m.T)
    received = jnp.concatenate([m, parity], axis=1) ^ errors.astype(jnp.int32)
    roots = exp[: generator.shape[0]]

    def horner(acc, byte):
        return mul(acc, roots[None, :]) ^ byte[:, None], None

    syndromes, _ = lax.scan(horner, jnp.zeros_like(parity), received.T)
    damaged = jnp.any(syndromes != 0, axis=1)
    return parity.astype(jnp.uint8), syndromes, damaged, jnp.sum(jax.nn.one_hot(received % 16, 16, dtype=jnp.int32), axis=(0, 1))
