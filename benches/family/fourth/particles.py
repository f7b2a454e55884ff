"""Smoothed-particle hydrodynamics."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn, unif


def _dam(s, r):
    nx, ny, steps = s
    gx, gy = np.meshgrid((np.arange(nx) + 0.5) / nx, (np.arange(ny) + 0.5) / nx)
    pos = np.stack([gx.ravel(), gy.ravel()], axis=1) + 0.05 / nx * r.standard_normal((nx * ny, 2))
    pull = np.stack([0.3 * r.standard_normal(steps), -1 + 0.1 * r.standard_normal(steps)], axis=1)
    return pos.astype(np.float32), randn(r, nx * ny, 2, scale=0.05), pull.astype(np.float32), unif(r, lo=0.02, hi=0.05)


@program(_dam, [(3, 3, 2), (6, 10, 5), (14, 22, 6)], diff=(1, 2, 3))
def sph_dam_break(position, velocity, pull, viscosity):
    """A collapsing column of weakly compressible fluid in a shaken tank: all pairs with a cubic spline kernel; the front's smooth reach and energy."""
    n = position.shape[0]
    spacing = jnp.sqrt(1.0 / n)
    h = 1.3 * spacing
    mass = 1.0 / n
    norm = 10.0 / (7.0 * np.pi * h * h)
    dt = 0.05 * spacing
    sound = 10.0

    def kernel(q):
        return norm * jnp.where(q < 1, 1 - 1.5 * q**2 + 0.75 * q**3, jnp.where(q < 2, 0.25 * (2 - q) ** 3, 0.0))

    def slope(q):  # derivative in q, over q
        return norm * jnp.where(q < 1, -3 + 2.25 * q, jnp.where(q < 2, -0.75 * (2 - q) ** 2 / jnp.maximum(q, 1.0), 0.0))

    def step(state, pull):
        x, v = state
        d = x[:, None, :] - x[None, :, :]
        r2 = jnp.sum(d * d, axis=-1)
        q = jnp.sqrt(r2 + 1e-12) / h
        density = mass * jnp.sum(kernel(q), axis=1)
        pressure = sound**2 / 7.0 * (density**7 - 1.0)
        pressure = jax.nn.relu(pressure)
        term = pressure / density**2
        approach = jnp.minimum(jnp.sum((v[:, None] - v[None]) * d, axis=-1), 0.0)
        mu = h * approach / (r2 + 0.01 * h * h)
        mix = 0.5 * (density[:, None] + density[None, :])
        push = term[:, None] + term[None, :] - viscosity * sound * mu / mix
        accel = -mass / (h * h) * jnp.einsum("ij,ijk->ik", push * slope(q), d) + pull
        v = v + dt * accel
        x = x + dt * v
        # Walls at the left, the bottom and the right.
        low = x < 0.0
        far = jnp.stack([x[:, 0] > 2.0, jnp.zeros(n, bool)], axis=1)
        v = jnp.where(low | far, -0.3 * v, v)
        x = jnp.where(low, -x, x)
        return (x, v), jnp.sum(v * v) * mass

    (x, v), energy = lax.scan(step, (position, velocity), pull)
    reach = jax.nn.logsumexp(20.0 * x[:, 0]) / 20.0
    return (reach - 1.2) ** 2 + jnp.mean(energy) + jnp.mean(jnp.square(x[:, 1] - 0.4))
