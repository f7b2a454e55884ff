"""Integers and bits: hashes, population counts, shift registers, automata, checksums, space-filling curves."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import ints, program


def u32(r, *shape):
    return r.integers(0, 2**32, shape, dtype=np.uint32)


@program(lambda s, r: (u32(r, *s), u32(r, 1)[0]), [(16, 4), (16000, 8), (200000, 16)], diff=())
def murmur3_hash_buckets(words, seed):
    """MurmurHash3 (32 bit) of rows of words, then bucket loads, for feature hashing."""
    rotl = lambda x, r: (x << r) | (x >> (32 - r))

    def mix(h, k):
        k = k * jnp.uint32(0xCC9E2D51)
        k = rotl(k, 15) * jnp.uint32(0x1B873593)
        return rotl(h ^ k, 13) * jnp.uint32(5) + jnp.uint32(0xE6546B64), None

    def one(row):
        h, _ = lax.scan(mix, seed, row)
        h = h ^ jnp.uint32(4 * row.shape[0])
        h = (h ^ (h >> 16)) * jnp.uint32(0x85EBCA6B)
        h = (h ^ (h >> 13)) * jnp.uint32(0xC2B2AE35)
        return h ^ (h >> 16)

    h = jax.vmap(one)(words)
    return h, jnp.bincount((h % 256).astype(jnp.int32), length=256)


@program(lambda s, r: (u32(r, s[0], s[2]), u32(r, s[1], s[2])), [(4, 8, 2), (40, 200, 8), (200, 1200, 8)], diff=())
def hamming_nearest_codes(queries, codes):
    """Nearest binary descriptors (ORB style) by Hamming distance: xor, population count, best two with a ratio test."""
    d = jnp.sum(lax.population_count(queries[:, None, :] ^ codes[None, :, :]), axis=-1).astype(jnp.int32)
    neg, idx = lax.top_k(-d, 2)
    best, second = -neg[:, 0], -neg[:, 1]
    good = best * 10 < second * 9
    return idx[:, 0], best, good.sum()


@program(lambda s, r: (u32(r, s[0]) | np.uint32(1), np.zeros(s[1], np.uint32)), [(2, 4), (256, 256), (4096, 1024)], diff=())
def galois_lfsr_stream(state, ticks):
    """A bank of 32-bit Galois shift registers: keystream words, ones per lane and a byte histogram."""

    def clock(s, _):
        def bit(_, sw):
            s, w = sw
            lsb = s & 1
            s = (s >> 1) ^ (jnp.uint32(0) - lsb & jnp.uint32(0x80200003))
            return s, (w << 1) | lsb

        return lax.fori_loop(0, 8, bit, (s, jnp.zeros_like(s)))

    last, words = lax.scan(clock, state, ticks)
    hist = jnp.zeros(256, jnp.int32).at[words.ravel()].add(1)
    return last, lax.population_count(words).sum(axis=0), hist


@program(lambda s, r: ((r.random((s[0], s[0])) < 0.35).astype(np.uint8), np.zeros(s[1])), [(12, 2), (64, 20), (256, 200)],
         diff=())
def game_of_life(board, generations):
    """Conway's Game of Life on a torus with rolled neighbour counts; population through time."""

    def step(b, _):
        rows = b + jnp.roll(b, 1, 0) + jnp.roll(b, -1, 0)
        n = rows + jnp.roll(rows, 1, 1) + jnp.roll(rows, -1, 1) - b
        b = ((n == 3) | ((b == 1) & (n == 2))).astype(jnp.uint8)
        return b, b.sum(dtype=jnp.int32)

    return lax.scan(step, board, generations)


def _crc(s, r):
    t = np.arange(256, dtype=np.uint32)
    for _ in range(8):
        t = np.where(t & 1, (t >> 1) ^ np.uint32(0xEDB88320), t >> 1).astype(np.uint32)
    return r.integers(0, 256, s, dtype=np.uint8), t


@program(_crc, [(2, 8), (64, 1500), (1024, 8000)], diff=())
def crc32_packets(packets, table):
    """Table-driven CRC-32 of many packets: a scan over bytes with gathers from the table."""

    def step(crc, byte):
        idx = (crc ^ byte.astype(jnp.uint32)) & 0xFF
        return (crc >> 8) ^ table[idx], None

    crc, _ = lax.scan(step, jnp.full(packets.shape[0], 0xFFFFFFFF, jnp.uint32), packets.T)
    return crc ^ jnp.uint32(0xFFFFFFFF)


@program(lambda s, r: (ints(r, 1024, s, 3, dtype=np.uint32),), [24, 3000, 60000], diff=())
def morton_order_sort(ijk):
    """Interleaves three 10-bit coordinates to a Morton code and sorts points by it, for a linear BVH."""

    def spread(x):
        x = (x | (x << 16)) & 0x030000FF
        x = (x | (x << 8)) & 0x0300F00F
        x = (x | (x << 4)) & 0x030C30C3
        return (x | (x << 2)) & 0x09249249

    code = (spread(ijk[:, 0]) << 2) | (spread(ijk[:, 1]) << 1) | spread(ijk[:, 2])
    order = jnp.argsort(code)
    s = code[order]
    prefix = lax.clz(s[1:] ^ s[:-1])
    return s, order, prefix, ijk[order]
