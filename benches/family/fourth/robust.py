"""Robust statistics."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

from registry import program, randn


def _contaminated(s, r):
    n, p, starts = s
    mix = randn(r, p, p, scale=0.5) + np.eye(p, dtype=np.float32)
    x = randn(r, n, p) @ mix
    bad = r.random(n) < 0.2
    return np.where(bad[:, None], x + 6.0, x).astype(np.float32), r.integers(0, 2**32, (starts, 2), dtype=np.uint32), np.float32(0.975)


@program(_contaminated, [(12, 2, 1), (80, 3, 6), (400, 6, 24)], diff=())
def fast_minimum_covariance_determinant(x, keys, level):
    """FAST-MCD: random subsets concentrated until the determinant stops falling, the best one kept, then reweighted; centre, scatter, outliers."""
    n, p = x.shape
    half = (n + p + 1) // 2

    def moments(weight):
        total = jnp.sum(weight)
        centre = weight @ x / total
        d = x - centre
        return centre, jnp.einsum("n,ni,nj->ij", weight, d, d) / (total - 1) + 1e-4 * jnp.eye(p)

    def distances(centre, scatter):
        d = x - centre
        return jnp.sum(d * jnp.linalg.solve(scatter, d.T).T, axis=1)

    def nearest(distance):
        _, index = lax.top_k(-distance, half)
        return jnp.zeros(n).at[index].set(1.0)

    def start(rng):
        chosen = random.permutation(rng, n)[: p + 2]
        weight = nearest(distances(*moments(jnp.zeros(n).at[chosen].set(1.0))))

        def falling(state):
            _, old, new, steps = state
            return (new < old - 1e-4) & (steps < 20)

        def concentrate(state):
            weight, _, new, steps = state
            weight = nearest(distances(*moments(weight)))
            return weight, new, jnp.linalg.slogdet(moments(weight)[1])[1], steps + 1

        first = (weight, jnp.float32(jnp.inf), jnp.linalg.slogdet(moments(weight)[1])[1], jnp.int32(0))
        weight, _, logdet, steps = lax.while_loop(falling, concentrate, first)
        return weight, logdet, steps

    weight, logdet, steps = jax.vmap(start)(keys)
    best = jnp.argmin(logdet)
    centre, scatter = moments(weight[best])
    distance = distances(centre, scatter)
    # Chi squared of p degrees by Wilson and Hilferty.
    normal = jax.scipy.special.ndtri(level)
    cutoff = p * (1 - 2 / (9 * p) + normal * jnp.sqrt(2 / (9 * p))) ** 3
    median = jnp.median(distance)
    middle = p * (1 - 2 / (9 * p)) ** 3
    kept = distance * middle / median <= cutoff
    centre, scatter = moments(kept.astype(jnp.float32))
    outlier = distances(centre, scatter) > cutoff
    values, _ = jnp.linalg.eigh(scatter)
    return centre, scatter, values, outlier, logdet, steps
