"""Boosted trees."""
import jax
import jax.numpy as jnp
import numpy as np

from registry import ints, program, randn


def _boost(s, r):
    n, f, bins = s
    x = randn(r, n, f)
    edges = np.quantile(x, np.linspace(0, 1, bins + 1)[1:-1], axis=0).T.astype(np.float32)
    g = np.clip(np.round(8 * (np.sin(2 * x[:, 0]) + x[:, 1] * (x[:, f - 1] > 0)) + r.normal(0, 3, n)), -31, 31)
    return x, edges, g.astype(np.int8), ints(r, 8, n, lo=1, dtype=np.int8), np.float32(2.0)


@program(_boost, [(20, 2, 4), (400, 4, 12), (10000, 10, 48)], diff=())
def histogram_boosting_round(x, edges, grad, hess, ridge):
    """One tree of histogram gradient boosting with quantised gradients (LightGBM): binning, integer histograms, best splits by level."""
    n, f = x.shape
    bins = edges.shape[1] + 1
    binned = jax.vmap(lambda e, v: jnp.searchsorted(e, v, side="right"), in_axes=(0, 1), out_axes=1)(edges, x)
    gh = jnp.stack([grad, hess], axis=-1).astype(jnp.int32)
    node = jnp.zeros(n, jnp.int32)
    splits = []

    def score(s):
        s = s.astype(jnp.float32)
        return s[..., 0] ** 2 / (s[..., 1] + ridge)

    for level in range(3):
        nodes = 2**level

        def histogram(column):
            return jax.ops.segment_sum(gh, node * bins + column, num_segments=nodes * bins).reshape(nodes, bins, 2)

        hist = jax.vmap(histogram, in_axes=1, out_axes=1)(binned)
        left = jnp.cumsum(hist, axis=2)[:, :, :-1]
        total = hist[:, :1].sum(axis=2, keepdims=True)
        gain = score(left) + score(total - left) - score(total)
        gain = jnp.where((left[..., 1] >= 2) & ((total - left)[..., 1] >= 2), gain, -jnp.inf).reshape(nodes, -1)
        best = jnp.argmax(gain, axis=1)
        feature, threshold = best // (bins - 1), best % (bins - 1)
        go_right = jnp.take_along_axis(binned, feature[node][:, None], axis=1)[:, 0] > threshold[node]
        splits.append((feature, edges[feature, threshold], jnp.maximum(jnp.max(gain, axis=1), 0.0)))
        node = 2 * node + go_right.astype(jnp.int32)

    leaf = jax.ops.segment_sum(gh, node, num_segments=8)
    value = -leaf[:, 0] / (leaf[:, 1] + ridge)
    feature, threshold, gain = (jnp.concatenate(c) for c in zip(*splits))
    return feature, threshold, gain, value, 0.1 * value[node], leaf
