"""Nucleic acids."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import ints, program


def _rna(s, r):
    batch, n = s
    pair = np.zeros((4, 4), np.int32)  # A C G U
    for (i, j), v in {(0, 3): 2, (1, 2): 3, (2, 3): 1}.items():
        pair[i, j] = pair[j, i] = v
    return ints(r, 4, batch, n), pair


@program(_rna, [(1, 8), (2, 36), (4, 110)], diff=())
def nussinov_fold(sequence, pair_score):
    """Nussinov folding of RNA: the table filled by spans with every split point, then a stack-driven trace of the pairs."""
    loop = 3

    def fold(seq):
        n = seq.shape[0]
        i, k = jnp.arange(n), jnp.arange(n)

        def span(d, table):
            j = jnp.minimum(i + d, n - 1)
            left = table  # table[i, k]
            right = table[jnp.minimum(k + 1, n - 1)[None, :], j[:, None]]  # table[k + 1, j]
            inside = (k[None, :] >= i[:, None]) & (k[None, :] < j[:, None])
            split = jnp.max(jnp.where(inside, left + right, 0), axis=1)
            inner = jnp.where(d > 1, table[jnp.minimum(i + 1, n - 1), jnp.maximum(j - 1, 0)], 0)
            score = pair_score[seq, seq[j]]
            closed = jnp.where((d > loop) & (score > 0), inner + score, 0)
            best = jnp.maximum(split, closed)
            return table.at[i, j].set(jnp.where(i + d < n, best, table[i, j]))

        table = lax.fori_loop(1, n, span, jnp.zeros((n, n), jnp.int32))

        def more(state):
            return state[1] > 0

        def trace(state):
            stack, top, partner = state
            a, b = stack[top - 1]
            top = top - 1
            value = table[a, b]
            inner = jnp.where(b - a > 1, table[a + 1, b - 1], 0)
            score = pair_score[seq[a], seq[b]]
            closes = (b - a > loop) & (score > 0) & (value == inner + score)
            right = table[jnp.minimum(k + 1, n - 1), b]
            ok = (k >= a) & (k < b) & (table[a] + right == value)
            cut = jnp.argmax(ok)
            partner = jnp.where(closes, partner.at[a].set(b).at[b].set(a), partner)
            first = jnp.where(closes, jnp.stack([a + 1, b - 1]), jnp.stack([a, cut]))
            second = jnp.stack([cut + 1, b])
            go = (b > a) & (value > 0)
            stack = stack.at[top].set(jnp.where(go, first, stack[top]))
            top = top + go
            both = go & ~closes
            stack = stack.at[top].set(jnp.where(both, second, stack[top]))
            return stack, top + both, partner

        stack = jnp.zeros((2 * n, 2), jnp.int32).at[0].set(jnp.array([0, n - 1]))
        _, _, partner = lax.while_loop(more, trace, (stack, jnp.int32(1), jnp.full(n, -1, jnp.int32)))
        return table[0, n - 1], partner

    score, partner = jax.vmap(fold)(sequence)
    return score, partner, jnp.sum(partner >= 0, axis=1) // 2
