"""Quantum circuits and quantum chemistry."""
import math

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn, unif


@program(lambda s, r: (randn(r, s[1], s[0], 2), unif(r, s[0]), unif(r, s[0])), [(3, 1), (7, 3), (12, 12)], diff=(0, 1, 2))
def vqe_transverse_ising(theta, coupling, field):
    """A state-vector simulator: layers of RY, RZ and a ring of CZ on a hardware-efficient ansatz; energy of a disordered Ising ring."""
    n = theta.shape[1]
    bits = (jnp.arange(2**n)[:, None] >> jnp.arange(n - 1, -1, -1)[None, :]) & 1
    nxt = jnp.roll(bits, -1, axis=1)
    cz = jnp.where(jnp.sum(bits * nxt, axis=1) % 2, -1.0, 1.0)
    spin = 1.0 - 2.0 * bits

    def apply(psi, gate, q):
        return jnp.moveaxis(jnp.tensordot(gate, psi, axes=[[1], [q]]), 0, q)

    def layer(psi, angles):
        for q in range(n):
            c, s = jnp.cos(angles[q, 0] / 2), jnp.sin(angles[q, 0] / 2)
            ry = jnp.array([[c, -s], [s, c]]).astype(jnp.complex64)
            phase = jnp.exp(0.5j * angles[q, 1])
            rz = jnp.diag(jnp.array([jnp.conj(phase), phase]))
            psi = apply(psi, rz @ ry, q)
        return (psi.reshape(-1) * cz).reshape((2,) * n), None

    psi = jnp.zeros(2**n, jnp.complex64).at[0].set(1.0).reshape((2,) * n)
    psi, _ = lax.scan(layer, psi, theta)
    prob = jnp.abs(psi.reshape(-1)) ** 2
    zz = jnp.sum(coupling * (prob @ (spin * jnp.roll(spin, -1, axis=1))))
    flip = jnp.stack([jnp.real(jnp.vdot(psi, jnp.flip(psi, axis=q))) for q in range(n)])
    return -zz - jnp.sum(field * flip)


def _hydrogen(s, r):
    """Integrals of s-type Gaussians, two on every atom of a hydrogen chain with noise."""
    atoms = s
    R = np.stack([1.5 * np.arange(atoms), r.normal(0, 0.2, atoms), r.normal(0, 0.2, atoms)], 1)
    a = np.tile([0.25, 1.3], atoms)
    C = np.repeat(R, 2, axis=0)
    n = len(a)
    norm = (2 * a / np.pi) ** 0.75
    f0 = np.vectorize(lambda t: 1.0 - t / 3 if t < 1e-8 else 0.5 * math.sqrt(math.pi / t) * math.erf(math.sqrt(t)))
    p = a[:, None] + a
    mu = a[:, None] * a / p
    d2 = ((C[:, None] - C) ** 2).sum(-1)
    K = np.exp(-mu * d2) * norm[:, None] * norm
    P = (a[:, None, None] * C[:, None] + a[None, :, None] * C[None]) / p[..., None]
    S = K * (np.pi / p) ** 1.5
    T = mu * (3 - 2 * mu * d2) * S
    V = -sum(2 * np.pi / p * K * f0(p * ((P - Z) ** 2).sum(-1)) for Z in R)
    i, j = np.triu_indices(n)
    pp, PP, KK = p[i, j], P[i, j], K[i, j]
    red = pp[:, None] * pp / (pp[:, None] + pp)
    g = 2 * np.pi**2.5 / (pp[:, None] * pp * np.sqrt(pp[:, None] + pp)) * KK[:, None] * KK * f0(red * ((PP[:, None] - PP) ** 2).sum(-1))
    at = np.zeros((n, n), int)
    at[i, j] = at[j, i] = np.arange(len(i))
    eri = g[at[:, :, None, None], at[None, None]]
    occ = np.where(np.arange(n) < atoms // 2, 2.0, 0.0)
    return T + V, S, eri, occ, np.float64(1e-8)


@program(_hydrogen, [2, 4, 12], diff=(), x64=True)
def hartree_fock_scf(hcore, overlap, eri, occ, tol):
    """Restricted Hartree-Fock: symmetric orthogonalisation, Fock matrices by einsum, damped self-consistency in a while loop."""
    s, u = jnp.linalg.eigh(overlap)
    x = (u / jnp.sqrt(s)) @ u.T

    def fock(d):
        return hcore + jnp.einsum("pqrs,rs->pq", eri, d) - 0.5 * jnp.einsum("prqs,rs->pq", eri, d)

    def density(f):
        e, c = jnp.linalg.eigh(x.T @ f @ x)
        c = x @ c
        return jnp.einsum("pi,i,qi->pq", c, occ, c), e

    def body(state):
        d, _, it = state
        new, _ = density(fock(d))
        return 0.3 * d + 0.7 * new, jnp.max(jnp.abs(new - d)), it + 1

    d0, _ = density(hcore)
    d, _, _ = lax.while_loop(lambda st: (st[1] > tol) & (st[2] < 200), body, (d0, jnp.inf, 0))
    f = fock(d)
    _, levels = density(f)
    charges = jnp.sum(d * overlap, axis=1)
    return 0.5 * jnp.sum(d * (hcore + f)), levels, d, charges
