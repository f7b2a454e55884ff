"""Neural potentials."""
import jax
import jax.numpy as jnp
import numpy as np

from registry import ints, program, randn

KINDS = 2
CUTOFF = 4.0


def _potential(s, r):
    frames, atoms, radial, angular, hidden = s
    features = KINDS * radial + angular
    side = int(np.ceil(atoms ** (1 / 3)))
    lattice = np.stack(np.meshgrid(*[np.arange(side)] * 3), -1).reshape(-1, 3)[:atoms]
    pos = 1.6 * lattice[None] + 0.2 * r.standard_normal((frames, atoms, 3))
    params = {
        "w1": randn(r, KINDS, features, hidden, scale=features**-0.5), "b1": randn(r, KINDS, hidden, scale=0.1),
        "w2": randn(r, KINDS, hidden, hidden, scale=hidden**-0.5), "b2": randn(r, KINDS, hidden, scale=0.1),
        "w3": randn(r, KINDS, hidden, scale=hidden**-0.5), "shift": randn(r, KINDS),
        "centre": np.linspace(0.8, 3.0, radial).astype(np.float32), "width": 2 + randn(r, radial, scale=0.1),
        "zeta": (1 + np.arange(angular) % 4).astype(np.float32),
    }
    return params, pos.astype(np.float32), ints(r, KINDS, atoms), randn(r, frames), randn(r, frames, atoms, 3, scale=0.3)


@program(_potential, [(1, 3, 2, 2, 4), (2, 8, 4, 4, 8), (6, 20, 8, 6, 16)])
def behler_parrinello_force_matching(params, positions, kind, energy, force):
    """Behler-Parrinello potential: radial and angular symmetry functions, a network for each element; energies and forces by a gradient in the loss."""
    n = positions.shape[1]
    other = ~jnp.eye(n, dtype=bool)
    triple = other[:, :, None] & other[:, None, :] & other[None, :, :]
    one_hot = jax.nn.one_hot(kind, KINDS)

    def total(x):
        d = x[None, :, :] - x[:, None, :]
        r = jnp.sqrt(jnp.where(other, jnp.sum(d * d, axis=-1), 1.0))
        cut = jnp.where(other & (r < CUTOFF), 0.5 * (1 + jnp.cos(jnp.pi * r / CUTOFF)), 0.0)
        shell = jnp.exp(-params["width"] * (r[..., None] - params["centre"]) ** 2) * cut[..., None]
        g2 = jnp.einsum("ijr,jk->ikr", shell, one_hot).reshape(n, -1)
        cosine = jnp.einsum("ijc,ikc->ijk", d, d) / (r[:, :, None] * r[:, None, :])
        fade = jnp.exp(-0.1 * (r[:, :, None] ** 2 + r[:, None, :] ** 2 + r[None, :, :] ** 2)) * cut[:, :, None] * cut[:, None, :] * cut[None, :, :]
        base = jnp.maximum(0.5 * (1 + cosine), 1e-6)[..., None] ** params["zeta"]
        g4 = jnp.sum(jnp.where(triple[..., None], base * fade[..., None], 0.0), axis=(1, 2))
        g = jnp.concatenate([g2, g4], axis=1)

        def atom(g, k):
            h = jnp.tanh(g @ params["w1"][k] + params["b1"][k])
            h = jnp.tanh(h @ params["w2"][k] + params["b2"][k])
            return h @ params["w3"][k] + params["shift"][k]

        return jnp.sum(jax.vmap(atom)(g, kind))

    e, slope = jax.vmap(jax.value_and_grad(total))(positions)
    return jnp.mean(((e - energy) / n) ** 2) + 0.1 * jnp.mean((slope + force) ** 2)
