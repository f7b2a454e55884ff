"""Hash functions."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program


def _primes(count):
    found = []
    n = 2
    while len(found) < count:
        if all(n % p for p in found):
            found.append(n)
        n += 1
    return found


def _fraction(n, power):
    """First 32 bits of the fractional part of a root, exactly."""
    scaled = n << (32 * power)
    low, high = 0, 1 << 40
    while high - low > 1:
        mid = (low + high) // 2
        low, high = (mid, high) if mid**power <= scaled else (low, mid)
    return low & 0xFFFFFFFF


ROUND = np.array([_fraction(p, 3) for p in _primes(64)], np.uint32)
START = np.array([_fraction(p, 2) for p in _primes(8)], np.uint32)


def _leaves(s, r):
    return (r.integers(0, 2**32, (s, 16), dtype=np.uint32),)


@program(_leaves, [1, 32, 2048], diff=())
def sha256_merkle_root(leaves):
    """A Merkle tree of SHA-256: each leaf of 64 bytes hashed with its padding block, then pairs of digests up to the root; leading zeros counted."""

    def rotate(x, k):
        return (x >> jnp.uint32(k)) | (x << jnp.uint32(32 - k))

    def compress(state, block):
        def extend(window, _):
            a, b = window[1], window[14]
            s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >> jnp.uint32(3))
            s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >> jnp.uint32(10))
            return jnp.concatenate([window[1:], (window[0] + s0 + window[9] + s1)[None]]), window[0]

        _, schedule = lax.scan(extend, block, None, length=64)

        def turn(s, z):
            k, w = z
            a, b, c, d, e, f, g, h = s
            s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
            t1 = h + s1 + ((e & f) ^ (~e & g)) + k + w
            s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
            t2 = s0 + ((a & b) ^ (a & c) ^ (b & c))
            return (t1 + t2, a, b, c, d + t1, e, f, g), None

        out, _ = lax.scan(turn, tuple(state), (jnp.asarray(ROUND), schedule))
        return state + jnp.stack(out)

    padding = jnp.zeros(16, jnp.uint32).at[0].set(1 << 31).at[15].set(512)

    def digest(block):
        state, _ = lax.scan(lambda s, b: (compress(s, b), None), jnp.asarray(START), jnp.stack([block, padding]))
        return state

    level = jax.vmap(digest)(leaves)
    hashes = level
    while level.shape[0] > 1:
        level = jax.vmap(digest)(level.reshape(-1, 16))
    return level[0], lax.clz(hashes[:, 0]), lax.reduce(hashes, np.uint32(0), lax.bitwise_xor, (0,))
