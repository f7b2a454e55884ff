"""Solid mechanics."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn64


def _j2(s, r):
    steps, points = s
    walk = np.cumsum(r.normal(0, 1.5e-3, (steps, points, 3, 3)), axis=0)
    strain = 0.5 * (walk + np.swapaxes(walk, -1, -2))
    return np.array([200.0, 0.3, 0.25, 10.0, 5.0]), strain, randn64(r, steps, points, scale=0.2) + 0.2


@program(_j2, [(2, 2), (16, 16), (80, 500)], diff=(0, 1), x64=True)
def j2_plasticity_calibration(material, strain, observed):
    """Small-strain J2 plasticity with linear isotropic and kinematic hardening: radial return at every point, fit to measured stress."""
    young, poisson, yield0, iso, kin = material
    mu = young / (2 * (1 + poisson))
    lam = young * poisson / ((1 + poisson) * (1 - 2 * poisson))
    eye = jnp.eye(3)

    def dev(t):
        return t - jnp.trace(t) / 3 * eye

    def update(state, eps):
        eps_p, back, eqps = state
        elastic = eps - eps_p
        sigma = lam * jnp.trace(elastic) * eye + 2 * mu * elastic
        xi = dev(sigma) - back
        norm = jnp.sqrt(jnp.sum(xi**2) + 1e-20)
        over = norm - jnp.sqrt(2 / 3) * (yield0 + iso * eqps)

        def plastic(_):
            dgamma = over / (2 * mu + 2 / 3 * (iso + kin))
            n = xi / norm
            return sigma - 2 * mu * dgamma * n, eps_p + dgamma * n, back + 2 / 3 * kin * dgamma * n, eqps + jnp.sqrt(2 / 3) * dgamma

        stress, eps_p, back, eqps = lax.cond(over > 0, plastic, lambda _: (sigma, eps_p, back, eqps), None)
        mises = jnp.sqrt(1.5 * jnp.sum(dev(stress) ** 2) + 1e-20)
        return (eps_p, back, eqps), mises

    def point(path):
        zero = jnp.zeros((3, 3), path.dtype)
        return lax.scan(update, (zero, zero, jnp.zeros((), path.dtype)), path)[1]

    mises = jax.vmap(point, in_axes=1, out_axes=1)(strain)
    return jnp.mean((mises - observed) ** 2)
