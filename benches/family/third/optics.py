"""Optics."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, unif


def _film(s, r):
    layers, waves, angles = s
    n = np.where(np.arange(layers) % 2, 1.46, 2.3) + r.normal(0, 0.02, layers)
    return (unif(r, layers, lo=0.05, hi=0.15), n.astype(np.float32), unif(r, layers, lo=0, hi=0.01), np.linspace(0.4, 0.8, waves).astype(np.float32),
            np.linspace(0, 0.9, angles).astype(np.float32), unif(r, waves))


@program(_film, [(2, 4, 1), (8, 20, 3), (20, 120, 10)], diff=(0, 1, 2))
def thin_film_stack_design(thickness, index, extinction, wavelength, angle, target):
    """Reflectance of an absorbing multilayer by characteristic matrices: complex 2x2 products over the layers, both polarisations."""
    lam = wavelength[:, None]
    sin0 = jnp.sin(angle)[None, :]

    def admittances(n):
        cos = jnp.sqrt(1.0 - (sin0 / n) ** 2 + 0j)
        return cos, jnp.stack([n * cos, n / cos])

    def layer(m, inp):
        d, n_inf, k = inp
        n = n_inf + 0.004 / lam**2 - 1j * k
        cos, eta = admittances(n)
        delta = (2 * jnp.pi * d / lam * n * cos)[None]
        c, s = jnp.cos(delta) + 0 * eta, jnp.sin(delta)
        mat = jnp.stack([jnp.stack([c, 1j * s / eta], -1), jnp.stack([1j * eta * s, c], -1)], -2)
        return m @ mat, None

    eye = jnp.broadcast_to(jnp.eye(2, dtype=jnp.complex64), (2, wavelength.shape[0], angle.shape[0], 2, 2))
    m, _ = lax.scan(layer, eye, (thickness, index, extinction))
    _, eta_in = admittances(jnp.ones_like(lam))
    _, eta_sub = admittances(1.52 * jnp.ones_like(lam))
    b = m[..., 0, 0] + m[..., 0, 1] * eta_sub
    c = m[..., 1, 0] + m[..., 1, 1] * eta_sub
    refl = jnp.abs((eta_in * b - c) / (eta_in * b + c)) ** 2
    return jnp.mean((refl.mean(axis=(0, 2)) - target) ** 2) + 1e-2 * jnp.sum(jax.nn.relu(0.06 - thickness) ** 2)
