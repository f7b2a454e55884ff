"""Dynamic programming: Viterbi, edit distance, knapsack, time warping, alignment, shortest paths, CRF."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import ints, program, randn, randn64, unif


@program(lambda s, r: (randn(r, s[1]), randn(r, s[1], s[1]), randn(r, s[0], s[1])), [(5, 4), (100, 24), (800, 80)], diff=())
def viterbi_decode(log_init, log_trans, log_obs):
    """Most likely state path: max-product scan that keeps back-pointers, then a reverse scan to read the path."""

    def forward(score, obs):
        cand = score[:, None] + log_trans
        return cand.max(0) + obs, cand.argmax(0)

    score, back = lax.scan(forward, log_init + log_obs[0], log_obs[1:])
    last = jnp.argmax(score)
    _, path = lax.scan(lambda s, bp: (bp[s], s), last, back, reverse=True)
    first = back[0][path[0]]
    return score.max(), jnp.concatenate([first[None], path])


@program(lambda s, r: (ints(r, 4, s[0], s[1]), ints(r, 4, s[0], s[2])), [(1, 6, 8), (8, 60, 64), (32, 250, 256)], diff=())
def levenshtein_batch(a, b):
    """Edit distance of pairs of token strings, one row a step; insertions by a running minimum (lax.cummin)."""

    def one(x, y):
        m = y.shape[0]
        j = jnp.arange(m + 1)

        def row(prev, xi):
            sub = prev[:-1] + (y != xi)
            best = jnp.minimum(prev[1:] + 1, sub)
            best = jnp.concatenate([prev[:1] + 1, best])
            return lax.cummin(best - j) + j, None

        last, _ = lax.scan(row, j, x)
        return last[-1]

    return jax.vmap(one)(a, b)


@program(lambda s, r: (ints(r, 30, s[0], lo=1), ints(r, 100, s[0], lo=1), np.zeros(s[1] + 1, np.int32)),
         [(6, 40), (100, 3000), (300, 20000)], diff=())
def knapsack_zero_one(weights, values, table):
    """0/1 knapsack by a scan over items with a dynamic shift of the table, then the chosen items in reverse."""
    cap = table.shape[0] - 1
    c = jnp.arange(cap + 1)

    def item(best, wv):
        w, v = wv
        take = jnp.where(c >= w, best[jnp.maximum(c - w, 0)] + v, -1)
        return jnp.maximum(best, take), take > best

    best, took = lax.scan(item, table, (weights, values))

    def trace(left, inp):
        t, w = inp
        use = t[left]
        return left - jnp.where(use, w, 0), use

    _, chosen = lax.scan(trace, jnp.int32(cap), (took, weights), reverse=True)
    return best[-1], chosen


@program(lambda s, r: (randn64(r, s[0], s[1], 2), randn64(r, s[0], s[1], 2)), [(1, 5), (4, 40), (16, 200)], diff=(0, 1),
         x64=True)
def soft_dtw(x, y):
    """Soft dynamic time warping (Cuturi and Blondel) over anti-diagonals, averaged over pairs of series."""
    gamma, big = 0.5, 1e6

    def one(a, b):
        D = jnp.sum((a[:, None] - b[None]) ** 2, -1)
        n, m = D.shape
        i = jnp.arange(n)

        def diag(carry, k):
            p2, p1 = carry
            j = k - i
            ok = (j >= 0) & (j < m)
            d = D[i, jnp.clip(j, 0, m - 1)]
            up = jnp.concatenate([jnp.array([big]), p1[:-1]])
            corner = jnp.concatenate([jnp.array([big]), p2[:-1]])
            corner = jnp.where((i == 0) & (k == 0), 0.0, corner)
            soft = -gamma * jax.nn.logsumexp(-jnp.stack([up, p1, corner]) / gamma, axis=0)
            new = jnp.where(ok, d + soft, big)
            return (p1, new), None

        init = jnp.full(n, big)
        (_, last), _ = lax.scan(diag, (init, init), jnp.arange(n + m - 1))
        return last[-1] / n

    return jax.vmap(one)(x, y).mean()


@program(lambda s, r: (ints(r, 20, s[0]), ints(r, 20, s[1]), np.round(3 * r.standard_normal((20, 20))).astype(np.int32)),
         [(8, 8), (100, 120), (800, 900)], diff=())
def smith_waterman_score(a, b, matrix):
    """Local alignment score of two protein strings with linear gaps, vectorised over anti-diagonals."""
    n, m, gap = a.shape[0], b.shape[0], 4
    i = jnp.arange(n)

    def diag(carry, k):
        h2, h1, best = carry
        j = k - i
        ok = (j >= 0) & (j < m)
        s = matrix[a, b[jnp.clip(j, 0, m - 1)]]
        shift = lambda h: jnp.pad(h[:-1], (1, 0))
        h = jnp.maximum(jnp.maximum(shift(h2) + s, shift(h1) - gap), jnp.maximum(h1 - gap, 0))
        h = jnp.where(ok, h, 0)
        return (h1, h, jnp.maximum(best, h.max())), h.argmax()

    z = jnp.zeros(n, jnp.int32)
    (_, _, best), where = lax.scan(diag, (z, z, jnp.int32(0)), jnp.arange(n + m - 1))
    return best, where


@program(lambda s, r: (np.where(r.random((s, s)) < 0.4, unif(r, s, s, lo=1, hi=9), np.float32(1e4)),), [6, 96, 400])
def floyd_warshall_eccentricity(dist):
    """All-pairs shortest paths with fori_loop over the pivot; a soft eccentricity of the graph as objective."""
    n = dist.shape[0]
    dist = jnp.where(jnp.eye(n, dtype=bool), 0.0, dist)

    def pivot(k, d):
        return jnp.minimum(d, d[:, k, None] + d[None, k, :])

    d = lax.fori_loop(0, n, pivot, dist)
    return jnp.mean(jax.nn.logsumexp(jnp.minimum(d, 100.0), axis=1)) + jnp.mean(d) / n


@program(lambda s, r: (randn(r, *s), randn(r, s[2], s[2]), ints(r, s[2], s[0], s[1])), [(1, 4, 3), (16, 60, 16), (64, 150, 48)],
         diff=(0, 1))
def linear_chain_crf_nll(emissions, transitions, tags):
    """Linear-chain CRF for tagging: score of the given tags minus the log partition function."""

    def nll(e, y):
        score = jnp.take_along_axis(e, y[:, None], axis=1).sum() + transitions[y[:-1], y[1:]].sum()

        def step(alpha, et):
            return jax.nn.logsumexp(alpha[:, None] + transitions, axis=0) + et, None

        alpha, _ = lax.scan(step, e[0], e[1:])
        return jax.nn.logsumexp(alpha) - score

    return jnp.mean(jax.vmap(nll)(emissions, tags))
