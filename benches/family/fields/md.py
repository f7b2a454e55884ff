"""Molecular dynamics and particles: Lennard-Jones, Ewald, force fields, gravity."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.ops import segment_sum

from registry import ints, program, randn, randn64, unif, unif64


def _lattice(r, m, jitter=0.08):
    g = np.stack(np.meshgrid(*[np.arange(m)] * 3, indexing="ij"), -1).reshape(-1, 3)
    return (g + 0.5) * 1.2 + r.uniform(-jitter, jitter, (m**3, 3)), 1.2 * m


def _lj(m, r):
    pos, box = _lattice(r, m)
    k, rows = min(48, len(pos) - 1), []
    for at in range(0, len(pos), 64):
        d = pos[at : at + 64, None] - pos[None]
        d -= box * np.round(d / box)
        d2 = (d**2).sum(-1)
        rows.append(np.argsort(d2, 1)[:, 1 : k + 1])  # the nearest is the atom itself
    return pos.astype(np.float32), np.concatenate(rows).astype(np.int32), np.float32(box)


@program(_lj, [2, 8, 20])
def lennard_jones_neighbor_list(pos, neighbors, box):
    """Shifted Lennard-Jones energy over a padded neighbour list under periodic boundaries, as in JAX MD."""
    cutoff = 2.5
    dr = pos[:, None, :] - pos[neighbors]
    dr = dr - box * jnp.round(dr / box)
    r2 = jnp.sum(dr**2, -1)
    mask = (r2 < cutoff**2) & (neighbors < pos.shape[0])
    inv6 = jnp.where(mask, 1.0 / jnp.where(mask, r2, 1.0), 0.0) ** 3
    shift = cutoff**-12 - cutoff**-6
    e = jnp.where(mask, 4.0 * (inv6**2 - inv6 - shift), 0.0)
    return 0.5 * e.sum() / pos.shape[0]


def _verlet(s, r):
    m, t = s
    pos, box = _lattice(r, m)
    return pos, randn64(r, m**3, 3, scale=0.2), np.float64(1.0), np.float64(box), np.zeros(t)


@program(_verlet, [(2, 1), (3, 6), (6, 10)], diff=(0, 2), x64=True)
def velocity_verlet_soft_spheres(pos, vel, sigma, box, steps):
    """Velocity Verlet for all-pairs soft spheres in a periodic box, forces by jax.grad; the final virial-like energy."""
    dt = 0.01

    def energy(x):
        d = x[:, None] - x[None]
        d = d - box * jnp.round(d / box)
        r = jnp.sqrt(jnp.sum(d**2, -1) + jnp.eye(x.shape[0]) * 1e4)
        return 2.0 * jnp.sum(jnp.maximum(1.5 - r / sigma, 0.0) ** 2)

    force = lambda x: -jax.grad(energy)(x)

    def step(state, _):
        x, v, f = state
        v = v + 0.5 * dt * f
        x = jnp.mod(x + dt * v, box)
        f = force(x)
        return (x, v + 0.5 * dt * f, f), None

    (x, v, _), _ = lax.scan(step, (pos, vel, force(pos)), steps)
    return energy(x) + 0.5 * jnp.sum(v**2)


def _ewald(s, r):
    n, kmax = s
    k = np.array([(a, b, c) for a in range(-kmax, kmax + 1) for b in range(-kmax, kmax + 1) for c in range(kmax + 1)
                  if (a, b, c) != (0, 0, 0)], float)
    q = randn64(r, n)
    return unif64(r, n, 3, hi=10.0), q - q.mean(), 2 * np.pi / 10.0 * k


@program(_ewald, [(6, 1), (60, 3), (600, 5)], diff=(0, 1), x64=True)
def ewald_reciprocal_energy(pos, charge, kvecs):
    """Reciprocal part of the Ewald sum by structure factors, with the self-energy correction."""
    alpha, volume = 0.5, 1000.0
    phase = pos @ kvecs.T
    s_re = charge @ jnp.cos(phase)
    s_im = charge @ jnp.sin(phase)
    k2 = jnp.sum(kvecs**2, axis=1)
    green = jnp.exp(-k2 / (4 * alpha**2)) / k2
    weight = jnp.where(kvecs[:, 2] > 0, 2.0, 1.0)
    recip = 2 * jnp.pi / volume * jnp.sum(weight * green * (s_re**2 + s_im**2))
    return recip - alpha / jnp.sqrt(jnp.pi) * jnp.sum(charge**2)


@program(lambda s, r: (randn(r, s[0], 3), randn(r, s[0], 3, scale=0.3), unif(r, s[0], lo=0.5, hi=1.5), np.zeros(s[1])),
         [(8, 1), (64, 8), (384, 16)], diff=(0, 1, 2))
def nbody_leapfrog(x, v, mass, steps):
    """Softened gravitational N-body problem, kick-drift-kick leapfrog, energy drift and spread at the end."""
    g, eps2, dt = 1.0 / x.shape[0], 0.05, 0.02

    def acc(x):
        dx = x[None, :, :] - x[:, None, :]
        inv_r3 = (jnp.sum(dx**2, axis=2) + eps2) ** -1.5
        return g * jnp.einsum("ij,ijk,j->ik", inv_r3, dx, mass)

    def kdk(s, _):
        x, v, a = s
        v = v + 0.5 * dt * a
        x = x + dt * v
        a = acc(x)
        return (x, v + 0.5 * dt * a, a), jnp.sum(mass[:, None] * v**2)

    (x, v, _), kinetic = lax.scan(kdk, (x, v, acc(x)), steps)
    return jnp.mean(kinetic) / x.shape[0] + jnp.mean(jnp.sum(x**2, 1))


@program(lambda s, r: (unif(r, s[0], 3, hi=float(s[1])), np.zeros((s[1] ** 3, s[2]), np.int32)),
         [(32, 2, 12), (4000, 8, 24), (100000, 20, 40)], diff=())
def cell_list_binning(pos, table):
    """Builds a cell list: hash positions to cells, sort, rank inside each cell, scatter ids to a padded table."""
    n, (cells, cap) = pos.shape[0], table.shape
    side = round(cells ** (1 / 3))
    ijk = jnp.clip(pos.astype(jnp.int32), 0, side - 1)
    h = (ijk[:, 0] * side + ijk[:, 1]) * side + ijk[:, 2]
    order = jnp.argsort(h, stable=True)
    hs = h[order]
    start = jnp.searchsorted(hs, jnp.arange(cells))
    rank = jnp.arange(n) - start[hs]
    flat = jnp.where(rank < cap, hs * cap + rank, cells * cap)
    out = (table - 1).ravel().at[flat].set(order.astype(jnp.int32), mode="drop").reshape(cells, cap)
    return out, segment_sum(jnp.ones(n, jnp.int32), h, cells), jnp.any(rank >= cap)


def _ff(n, r):
    strands = n // 12
    zigzag = np.stack([np.arange(12), np.arange(12) % 2, np.arange(12) // 2 % 2], 1) * 0.7
    pos = zigzag + r.normal(0, 0.08, (strands, 12, 3)) + r.uniform(0, 30, (strands, 1, 3))
    pos = pos.reshape(-1, 3).astype(np.float32)
    i = np.arange(12 * strands, dtype=np.int32).reshape(strands, 12)
    run = lambda k: np.stack([i[:, j : 12 - k + 1 + j] for j in range(k)], -1).reshape(-1, k)
    p = {"kb": unif(r, 4, lo=100, hi=300), "b0": unif(r, 4, lo=0.9, hi=1.2), "ka": np.float32(20.0),
         "kd": randn(r, 3)}
    return p, pos, run(2), run(3), run(4), ints(r, 4, len(run(2)))


@program(_ff, [12, 3000, 60000], diff=(0, 1))
def bonded_force_field(params, pos, bonds, angles, dihedrals, bond_type):
    """Bonds, angles and dihedrals of a classical force field, gathered by index lists from the topology."""
    b = jnp.linalg.norm(pos[bonds[:, 1]] - pos[bonds[:, 0]], axis=1)
    e_bond = jnp.sum(params["kb"][bond_type] * (b - params["b0"][bond_type]) ** 2)

    a, o, c = (pos[angles[:, k]] for k in range(3))
    u, w = a - o, c - o
    cos = jnp.sum(u * w, 1) / (jnp.linalg.norm(u, axis=1) * jnp.linalg.norm(w, axis=1))
    e_angle = params["ka"] * jnp.sum((cos + 0.5) ** 2)

    p = pos[dihedrals]
    b1, b2, b3 = p[:, 1] - p[:, 0], p[:, 2] - p[:, 1], p[:, 3] - p[:, 2]
    n1, n2 = jnp.cross(b1, b2), jnp.cross(b2, b3)
    y = jnp.sum(jnp.cross(n1, n2) * b2, 1) / jnp.linalg.norm(b2, axis=1)
    phi = jnp.arctan2(y, jnp.sum(n1 * n2, axis=1))
    e_dih = sum(jnp.sum(params["kd"][m - 1] * (1 + jnp.cos(m * phi))) for m in (1, 2, 3))
    return (e_bond + e_angle + e_dih) / pos.shape[0]
