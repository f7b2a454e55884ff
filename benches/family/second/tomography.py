"""Tomography: projections of an image along rotated rays."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.ndimage import map_coordinates

from registry import program, unif


def _radon(s, r):
    n, a = s
    return unif(r, n, n), np.linspace(0, np.pi, a, endpoint=False).astype(np.float32), unif(r, a, n, hi=0.5) * n


@program(_radon, [(6, 2), (24, 10), (96, 60)])
def parallel_beam_radon_loss(image, angles, sinogram):
    """Parallel-beam CT: rotated bilinear sampling summed along rays, Poisson-weighted misfit and total variation."""
    n = image.shape[0]
    c = jnp.arange(n) - (n - 1) / 2

    def project(t):
        s, u = jnp.meshgrid(c, c, indexing="ij")
        rows = s * jnp.cos(t) - u * jnp.sin(t) + (n - 1) / 2
        cols = s * jnp.sin(t) + u * jnp.cos(t) + (n - 1) / 2
        return map_coordinates(image, [rows, cols], order=1, mode="constant").sum(axis=1)

    sino = jax.vmap(project)(angles)
    weight = jnp.exp(-sinogram / n)
    misfit = jnp.mean(weight * (sino - sinogram) ** 2)
    dx, dy = jnp.diff(image, axis=0)[:, :-1], jnp.diff(image, axis=1)[:-1, :]
    return misfit + 0.1 * jnp.sum(jnp.sqrt(dx**2 + dy**2 + 1e-4)) / n
