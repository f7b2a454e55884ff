"""Matching of metric spaces."""
import jax
import jax.numpy as jnp
from jax import lax

from registry import program, randn, unif


def _gromov(s, r):
    n, m, outer, inner = s
    return randn(r, n, 3), randn(r, m, 2), randn(r, n, scale=0.2), unif(r, outer, lo=0.05, hi=0.1), unif(r, inner, lo=0.9, hi=1.0)


@program(_gromov, [(5, 4, 2, 3), (24, 20, 4, 8), (128, 110, 8, 15)], diff=(0, 1, 2))
def gromov_wasserstein_entropic(x, y, logit, strength, damping):
    """Entropic Gromov-Wasserstein distance of two point clouds of different dimension: the plan by mirror steps, each a damped log-domain Sinkhorn."""
    distance = lambda a: jnp.sqrt(jnp.sum((a[:, None] - a[None]) ** 2, axis=-1) + 1e-6)
    cx, cy = distance(x), distance(y)
    cx, cy = cx / jnp.mean(cx), cy / jnp.mean(cy)
    log_p = jax.nn.log_softmax(logit)
    log_q = jnp.full(y.shape[0], -jnp.log(y.shape[0]))
    p, q = jnp.exp(log_p), jnp.exp(log_q)
    const = (cx**2 @ p)[:, None] + (cy**2 @ q)[None, :]
    tensor = lambda plan: const - 2.0 * cx @ plan @ cy.T

    def mirror(plan, strength):
        kernel = -tensor(plan) / strength

        def sweep(duals, damp):
            f, g = duals
            f = f + damp * (log_p - jax.nn.logsumexp(kernel + g[None, :], axis=1) - f)
            g = g + damp * (log_q - jax.nn.logsumexp(kernel + f[:, None], axis=0) - g)
            return (f, g), None

        (f, g), _ = lax.scan(sweep, (jnp.zeros_like(log_p), jnp.zeros_like(log_q)), damping)
        plan = jnp.exp(kernel + f[:, None] + g[None, :])
        return plan, jnp.sum(jnp.abs(jnp.sum(plan, axis=1) - p))

    plan, violation = lax.scan(mirror, p[:, None] * q[None, :], strength)
    entropy = -jnp.sum(plan * jnp.log(plan + 1e-12))
    return jnp.sum(tensor(plan) * plan) - 0.01 * entropy + 0.1 * jnp.mean(violation)
