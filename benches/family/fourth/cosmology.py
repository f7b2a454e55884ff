"""Structure formation."""
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn, unif


def _mesh(s, r):
    grid, side, steps = s
    q = (np.stack(np.meshgrid(*[np.arange(side)] * 3, indexing="ij"), -1).reshape(-1, 3) + 0.5) * grid / side
    pos = (q + 0.3 * r.standard_normal(q.shape)).astype(np.float32)
    return pos, randn(r, side**3, 3, scale=0.2), unif(r, steps, lo=0.08, hi=0.12), unif(r, grid, grid, grid, hi=2.0)


@program(_mesh, [(4, 2, 1), (8, 6, 2), (24, 18, 4)], diff=(0, 1, 2))
def particle_mesh_density_match(position, momentum, steps, target):
    """Particle-mesh gravity in a periodic box: cloud-in-cell deposit by scatter, forces in Fourier space, leapfrog; match of the smoothed density."""
    n = target.shape[0]
    k = [2 * jnp.pi * jnp.fft.fftfreq(n)] * 2 + [2 * jnp.pi * jnp.fft.rfftfreq(n)]
    kx, ky, kz = jnp.meshgrid(*k, indexing="ij")
    k2 = kx**2 + ky**2 + kz**2
    inverse = jnp.where(k2 > 0, 1.0 / jnp.where(k2 > 0, k2, 1.0), 0.0)
    corners = np.stack(np.meshgrid(*[[0, 1]] * 3, indexing="ij"), -1).reshape(-1, 3)

    def cloud(x):
        base = jnp.floor(x)
        frac = (x - base)[:, None, :]
        weight = jnp.prod(jnp.where(corners[None] == 1, frac, 1 - frac), axis=-1)
        cell = jnp.mod(base.astype(jnp.int32)[:, None, :] + corners[None], n)
        return weight, (cell[..., 0], cell[..., 1], cell[..., 2])

    def density(x):
        weight, cell = cloud(x)
        return jnp.zeros((n, n, n)).at[cell].add(weight) * (n**3 / x.shape[0])

    def force(x):
        potential = -inverse * jnp.fft.rfftn(density(x) - 1.0)
        field = jnp.stack([jnp.fft.irfftn(-1j * c * potential, s=(n, n, n)) for c in (kx, ky, kz)], axis=-1)
        weight, cell = cloud(x)
        return jnp.einsum("pc,pcd->pd", weight, field[cell])

    def leap(state, dt):
        x, v = state
        x = x + 0.5 * dt * v
        v = v + 1.5 * dt * force(x)
        return (x + 0.5 * dt * v, v), None

    (x, v), _ = lax.scan(leap, (position, momentum), steps)
    smooth = jnp.exp(-0.5 * k2)
    both = jnp.fft.irfftn(smooth * jnp.fft.rfftn(density(x) - target), s=(n, n, n))
    return jnp.mean(both**2) + 0.01 * jnp.mean(jnp.sum(v * v, axis=1))
