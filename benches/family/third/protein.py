"""Protein structure."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn, unif


def _fold(s, r):
    batch, n = s
    tors = np.stack([r.normal(-1.1, 0.3, (batch, n)), r.normal(-0.8, 0.3, (batch, n)), r.normal(np.pi, 0.1, (batch, n))], -1)
    target = np.abs(np.arange(n)[:, None] - np.arange(n)) ** 0.6 * 3.8
    return (tors.astype(np.float32), np.array([1.33, 1.46, 1.52], np.float32), np.array([2.12, 2.05, 1.94], np.float32),
            target.astype(np.float32), unif(r, n, n, lo=0, hi=1))


@program(_fold, [(1, 3), (4, 24), (8, 260)], diff=(0, 1))
def backbone_torsion_fold(torsions, lengths, angles, target, confidence):
    """Backbone atoms laid down one by one from torsions (the NeRF construction), then a distogram loss and clashes between C-alphas."""

    def unit(v):
        return v / jnp.sqrt(jnp.sum(v**2) + 1e-8)

    def place(frame, inp):
        a, b, c = frame
        length, angle, phi = inp
        bc = unit(c - b)
        n = unit(jnp.cross(b - a, bc))
        basis = jnp.stack([bc, jnp.cross(n, bc), n], axis=1)
        local = length * jnp.stack([-jnp.cos(angle), jnp.sin(angle) * jnp.cos(phi), jnp.sin(angle) * jnp.sin(phi)])
        d = c + basis @ local
        return (b, c, d), d

    def fold(tors):
        n = tors.shape[0]
        start = (jnp.array([0.0, 1.4, 0.0]), jnp.array([0.0, 0.0, 0.0]), jnp.array([1.45, 0.0, 0.0]))
        _, xyz = lax.scan(place, start, (jnp.tile(lengths, n), jnp.tile(angles, n), tors.reshape(-1)))
        return xyz.reshape(n, 3, 3)[:, 1]

    def loss(tors):
        ca = fold(tors)
        n = ca.shape[0]
        sep = jnp.abs(jnp.arange(n)[:, None] - jnp.arange(n)[None, :])
        d = jnp.sqrt(jnp.sum((ca[:, None] - ca[None, :]) ** 2, axis=-1) + 1e-6)
        miss = jnp.sqrt(1.0 + (d - target) ** 2) - 1.0
        clash = jnp.where(sep > 2, jax.nn.relu(4.0 - d) ** 2, 0.0)
        return jnp.sum(jnp.where(sep > 0, confidence * miss, 0.0)) / n**2 + 0.1 * clash.mean()

    return jax.vmap(loss)(torsions).mean()
