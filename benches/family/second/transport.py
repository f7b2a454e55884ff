"""Optimal transport in one dimension and along slices."""
import jax
import jax.numpy as jnp

from registry import program, randn


@program(lambda s, r: (randn(r, s[0], s[2]), randn(r, s[1], s[2]) + 0.5, randn(r, s[3], s[2])),
         [(8, 6, 2, 3), (100, 80, 3, 8), (1500, 1200, 16, 32)], diff=(0, 1))
def sliced_wasserstein_quantile(x, y, directions):
    """Sliced Wasserstein distance between clouds of unequal sizes: projections, sorting, interpolated quantile functions."""
    theta = directions / jnp.linalg.norm(directions, axis=1, keepdims=True)
    qx = (jnp.arange(x.shape[0]) + 0.5) / x.shape[0]
    qy = (jnp.arange(y.shape[0]) + 0.5) / y.shape[0]

    def slice_cost(d):
        a, b = jnp.sort(x @ d), jnp.sort(y @ d)
        return jnp.mean((a - jnp.interp(qx, qy, b)) ** 2)

    return jnp.sqrt(jax.vmap(slice_cost)(theta).mean())
