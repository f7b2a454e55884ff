"""Sorting and searching: routing by top_k, medians, lookups, unique counts, ranks, suppression."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import ints, program, randn, unif


@program(lambda s, r: (randn(r, s[0], s[1]), randn(r, s[0], s[2]), randn(r, s[1], s[2], s[2], scale=s[2]**-0.5)),
         [(8, 2, 4), (256, 8, 32), (4096, 16, 128)], diff=(0, 1, 2))
def topk_expert_routing(gate_logits, tokens, experts):
    """Switch-style mixture of experts: top-2 gating, capacity by a cumulative count, dispatch and combine einsums."""
    n, e = gate_logits.shape
    cap = 2 * n // e
    probs = jax.nn.softmax(gate_logits)
    gates, idx = lax.top_k(probs, 2)
    gates = gates / gates.sum(-1, keepdims=True)
    onehot = jax.nn.one_hot(idx, e, dtype=jnp.int32)
    position = jnp.cumsum(onehot.reshape(n * 2, e), axis=0).reshape(n, 2, e) * onehot - 1
    pos = position.max(-1)
    keep = (pos >= 0) & (pos < cap)
    slot = jnp.where(keep, idx * cap + pos, e * cap)
    buf = jnp.zeros((e * cap + 1, tokens.shape[1])).at[slot].add(tokens[:, None, :])[:-1]
    out = jax.nn.gelu(jnp.einsum("ecd,edf->ecf", buf.reshape(e, cap, -1), experts)).reshape(e * cap, -1)
    out = jnp.concatenate([out, jnp.zeros((1, out.shape[1]))])
    y = jnp.sum(gates[..., None] * out[slot], axis=1)
    balance = e * jnp.sum(probs.mean(0) * onehot.astype(jnp.float32).sum(1).mean(0))
    return jnp.mean(y**2) + 0.01 * balance


@program(lambda s, r: (randn(r, s[0]), np.zeros(s[1], np.int32)), [(32, 5), (1000, 9), (12000, 21)], diff=())
def sliding_median_hampel(x, window):
    """Hampel outlier filter: running median and median absolute deviation by sorting a window matrix."""
    w = window.shape[0]
    half = w // 2
    padded = jnp.pad(x, half, mode="edge")
    windows = jax.vmap(lambda i: lax.dynamic_slice_in_dim(padded, i, w))(jnp.arange(x.shape[0]))
    med = jnp.sort(windows, axis=1)[:, half]
    mad = 1.4826 * jnp.median(jnp.abs(windows - med[:, None]), axis=1)
    bad = jnp.abs(x - med) > 3.0 * mad + 1e-6
    return jnp.where(bad, med, x), bad.sum()


@program(lambda s, r: (((np.arange(s[0]) + 0.6 * r.random(s[0])) / s[0]).astype(np.float32), randn(r, s[0]), unif(r, s[1])), [(8, 32), (200, 15000), (4000, 250000)],
         diff=(1, 2))
def piecewise_linear_lookup(knots, values, query):
    """Table lookup with searchsorted and linear interpolation (own interp1d with extrapolation), smoothed loss."""
    i = jnp.clip(jnp.searchsorted(knots, query, side="right") - 1, 0, knots.shape[0] - 2)
    x0, x1 = knots[i], knots[i + 1]
    t = (query - x0) / jnp.maximum(x1 - x0, 1e-5)
    y = values[i] * (1 - t) + values[i + 1] * t
    return jnp.mean(jnp.tanh(y) ** 2) + 1e-3 * jnp.mean(jnp.diff(values) ** 2)


@program(lambda s, r: (ints(r, s[1], s[0]), np.zeros(s[1], np.int32)), [(64, 16), (5000, 500), (150000, 20000)], diff=())
def unique_run_lengths(ids, slots):
    """Unique ids with counts under jit: sort, mark run starts, compact by cumulative sum; most frequent ids last."""
    n, cap = ids.shape[0], slots.shape[0]
    s = jnp.sort(ids)
    new = jnp.concatenate([jnp.ones(1, bool), s[1:] != s[:-1]])
    group = jnp.cumsum(new) - 1
    uniq = (slots - 1).at[group].set(s, mode="drop")
    counts = slots.at[group].add(1, mode="drop")
    order = jnp.lexsort((uniq, counts))
    return uniq[order], counts[order], group[-1] + 1, jnp.bincount(counts, length=min(n, cap) + 1)


@program(lambda s, r: (np.round(randn(r, *s), 1), np.round(randn(r, *s), 1)), [(1, 24), (4, 500), (8, 6000)], diff=())
def spearman_rank_correlation(x, y):
    """Spearman's rho with average ranks for ties, by argsort and two searchsorted calls, vmapped over columns."""

    def rank(v):
        s = jnp.sort(v)
        lo = jnp.searchsorted(s, v, side="left")
        hi = jnp.searchsorted(s, v, side="right")
        return 0.5 * (lo + hi + 1.0)

    def rho(a, b):
        ra, rb = rank(a), rank(b)
        ra, rb = ra - ra.mean(), rb - rb.mean()
        return jnp.sum(ra * rb) / jnp.sqrt(jnp.sum(ra**2) * jnp.sum(rb**2)), jnp.argsort(jnp.argsort(a))

    return jax.vmap(rho)(x, y)


def _nms(n, r):
    c, wh = unif(r, n, 2), unif(r, n, 2, lo=0.05, hi=0.2)
    return np.hstack([c - wh / 2, c + wh / 2]), unif(r, n)


@program(_nms, [10, 300, 1500], diff=())
def greedy_nms(boxes, scores):
    """Greedy non-maximum suppression: sort by score, then keep a box if no kept one overlaps it by half."""
    order = jnp.argsort(-scores)
    b = boxes[order]
    area = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    lt = jnp.maximum(b[:, None, :2], b[None, :, :2])
    rb = jnp.minimum(b[:, None, 2:], b[None, :, 2:])
    inter = jnp.prod(jnp.maximum(rb - lt, 0.0), axis=-1)
    iou = inter / (area[:, None] + area[None, :] - inter)
    n = b.shape[0]

    def body(i, keep):
        suppressed = jnp.any((iou[i] > 0.5) & keep & (jnp.arange(n) < i))
        return keep.at[i].set(~suppressed)

    keep = lax.fori_loop(0, n, body, jnp.zeros(n, bool))
    return jnp.zeros(n, bool).at[order].set(keep), keep.sum()
