"""Searching of genomes."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program

STRIDE = 4


def _index(s, r):
    n, reads, length = s
    text = np.concatenate([r.integers(1, 5, n - 1), [0]]).astype(np.uint8)
    raw = text.tobytes()
    suffix = np.array(sorted(range(n), key=lambda i: raw[i:]), np.int32)
    at = r.integers(0, n - length - 1, reads)
    pattern = text[at[:, None] + np.arange(length)].astype(np.int32)
    wrong = r.random((reads, length)) < 0.3 / length
    pattern = np.where(wrong, r.integers(1, 5, (reads, length)), pattern).astype(np.int32)
    sampled = np.where(suffix % STRIDE == 0, suffix, -1).astype(np.int32)
    return text[suffix - 1].astype(np.int32), sampled, pattern


@program(_index, [(16, 2, 3), (400, 200, 12), (4000, 16000, 40)], diff=())
def fm_index_locate(bwt, sampled, patterns):
    """An FM index: rank tables from the Burrows-Wheeler string, backward search of many reads, hits located by walking to a sampled suffix."""
    n = bwt.shape[0]
    letter = jax.nn.one_hot(bwt, 5, dtype=jnp.int32)
    rank = jnp.concatenate([jnp.zeros((1, 5), jnp.int32), jnp.cumsum(letter, axis=0)])
    before = jnp.concatenate([jnp.zeros(1, jnp.int32), jnp.cumsum(rank[-1])[:-1]])

    def find(pattern):
        def narrow(bounds, c):
            low, high = bounds
            return (before[c] + rank[low, c], before[c] + rank[high, c]), high - low

        (low, high), widths = lax.scan(narrow, (jnp.int32(0), jnp.int32(n)), pattern, reverse=True)

        def walk(state):
            row, steps = state
            c = bwt[row]
            return before[c] + rank[row, c], steps + 1

        row, steps = lax.while_loop(lambda s: sampled[s[0]] < 0, walk, (jnp.minimum(low, n - 1), jnp.int32(0)))
        hits = jnp.maximum(high - low, 0)
        return hits, jnp.where(hits > 0, (sampled[row] + steps) % n, -1), jnp.sum(widths > 0)

    hits, place, matched = jax.vmap(find)(patterns)
    coverage = jnp.zeros(n, jnp.int32).at[jnp.where(hits == 1, place, n)].add(1, mode="drop")
    depth = jnp.cumsum(coverage) - jnp.concatenate([jnp.zeros(patterns.shape[1], jnp.int32), jnp.cumsum(coverage)])[:n]
    return hits, place, matched, depth, jnp.bincount(jnp.clip(hits, 0, 7), length=8)
