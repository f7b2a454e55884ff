"""Data assimilation."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

from registry import key, program, randn


def _enkf(s, r):
    members, d, cycles = s
    truth = r.normal(2, 3, d)
    where = np.sort(r.choice(d, d // 2, replace=False)).astype(np.int32)
    return (np.float32(8.0), np.float32(0.1), (truth + r.normal(0, 1, (members, d))).astype(np.float32),
            (truth[where] + r.normal(0, 2, (cycles, d // 2))).astype(np.float32), where, key(r))


@program(_enkf, [(4, 6, 1), (16, 20, 4), (40, 60, 24)], diff=(0, 1, 2))
def enkf_lorenz96(forcing, log_inflation, ensemble, obs, where, rng_key):
    """Stochastic ensemble Kalman filter on Lorenz-96: RK4 forecasts, inflation, Gaspari-Cohn localisation, likelihood of innovations."""
    n, d = ensemble.shape
    m = obs.shape[1]
    gap = jnp.abs(jnp.arange(d)[:, None] - where[None, :])
    x = jnp.minimum(gap, d - gap) / (0.15 * d)
    near = 1 - 5 / 3 * x**2 + 5 / 8 * x**3 + x**4 / 2 - x**5 / 4
    xs = jnp.maximum(x, 1.0)
    far = 4 - 5 * xs + 5 / 3 * xs**2 + 5 / 8 * xs**3 - xs**4 / 2 + xs**5 / 12 - 2 / (3 * xs)
    taper = jnp.where(x < 1, near, jnp.where(x < 2, far, 0.0))

    def rhs(u):
        return (jnp.roll(u, -1, -1) - jnp.roll(u, 2, -1)) * jnp.roll(u, 1, -1) - u + forcing

    def rk4(u, _):
        h = 0.025
        k1 = rhs(u)
        k2 = rhs(u + h / 2 * k1)
        k3 = rhs(u + h / 2 * k2)
        k4 = rhs(u + h * k3)
        return u + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

    def cycle(carry, y):
        ens, k = carry
        k, sub = random.split(k)
        ens, _ = lax.scan(rk4, ens, None, length=2)
        mean = ens.mean(0)
        ens = mean + jnp.exp(log_inflation) * (ens - mean)
        anom = (ens - mean) / jnp.sqrt(n - 1.0)
        pxy = taper * (anom.T @ anom[:, where])
        s = pxy[where] + jnp.eye(m)
        innov = y + random.normal(sub, (n, m)) - ens[:, where]
        ens = ens + (pxy @ jnp.linalg.solve(s, innov.T)).T
        miss = y - mean[where]
        chol = jnp.linalg.cholesky(0.5 * (s + s.T) + 0.1 * jnp.eye(m))
        white = jax.scipy.linalg.solve_triangular(chol, miss, lower=True)
        return (ens, k), 0.5 * jnp.sum(white**2) + jnp.sum(jnp.log(jnp.diag(chol)))

    _, nll = lax.scan(cycle, (ensemble, rng_key), obs)
    return nll.mean() / m
