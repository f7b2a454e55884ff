"""Bayesian optimisation."""
import jax
import jax.numpy as jnp
from jax import lax

from registry import program, randn64, unif64


def _qei(s, r):
    restarts, q, n, dim, samples = s
    x = unif64(r, n, dim)
    y = ((x - 0.4) ** 2).sum(1) + 0.1 * randn64(r, n)
    hyper = {"length": randn64(r, dim, scale=0.2) - 0.5, "amplitude": randn64(r, scale=0.1), "noise": randn64(r, scale=0.1) - 4.0}
    return unif64(r, restarts, q, dim), hyper, x, (y - y.mean()) / y.std(), randn64(r, samples, q)


@program(_qei, [(1, 2, 5, 2, 4), (8, 4, 32, 3, 64), (32, 8, 160, 6, 256)], diff=(0, 1), x64=True)
def batch_expected_improvement(candidates, hyper, x, y, base):
    """Monte-Carlo expected improvement of batches of points under a Matern-5/2 Gaussian process, with reparameterised joint posterior samples."""

    def kernel(a, b):
        d = (a[:, None, :] - b[None, :, :]) * jnp.exp(-hyper["length"])
        r = jnp.sqrt(5.0 * jnp.sum(d * d, axis=-1) + 1e-12)
        return jnp.exp(2 * hyper["amplitude"]) * (1 + r + r * r / 3) * jnp.exp(-r)

    chol = jnp.linalg.cholesky(kernel(x, x) + jnp.exp(hyper["noise"]) * jnp.eye(x.shape[0]))
    white = lax.linalg.triangular_solve(chol, y[:, None], left_side=True, lower=True)
    best = jnp.min(y)

    def acquisition(points):
        half = jax.scipy.linalg.solve_triangular(chol, kernel(x, points), lower=True)
        mean = (half.T @ white)[:, 0]
        cov = kernel(points, points) - half.T @ half
        draws = mean + base @ jnp.linalg.cholesky(cov + 1e-6 * jnp.eye(points.shape[0])).T
        gain = 0.05 * jax.nn.softplus((best - draws) / 0.05)
        # The smooth greatest gain of a batch.
        most = jnp.sum(gain**8, axis=1) ** 0.125
        return jnp.log(jnp.mean(most))

    return -jnp.mean(jax.vmap(acquisition)(candidates))
