"""Factorizations of tensors."""
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn


def _cp(s, r):
    (i, j, k), rank, sweeps = s
    a, b, c = (r.standard_normal((n, rank)) for n in (i, j, k))
    x = np.einsum("ir,jr,kr->ijk", a, b, c) + 0.1 * r.standard_normal((i, j, k))
    return x.astype(np.float32), randn(r, j, rank), randn(r, k, rank), np.geomspace(1.0, 0.1, sweeps).astype(np.float32)


@program(_cp, [((4, 3, 3), 2, 1), ((14, 12, 10), 3, 6), ((60, 50, 40), 8, 20)], diff=())
def cp_alternating_least_squares(x, b0, c0, ridge):
    """CP decomposition by alternating ridge regressions: MTTKRP by einsum, Gram products, normalised columns, fit per sweep."""
    rank = b0.shape[1]
    a0 = jnp.zeros((x.shape[0], rank), x.dtype)
    norm = jnp.linalg.norm(x)

    def update(spec, u, v, lam):
        gram = (u.T @ u) * (v.T @ v) + lam * jnp.eye(rank)
        return jnp.linalg.solve(gram, jnp.einsum(spec, x, u, v).T).T

    def sweep(c, lam):
        _, b, cc = c
        a = update("ijk,jr,kr->ir", b, cc, lam)
        b = update("ijk,ir,kr->jr", a, cc, lam)
        b = b / jnp.linalg.norm(b, axis=0)
        a = update("ijk,jr,kr->ir", b, cc, lam)
        cc = update("ijk,ir,jr->kr", a, b, lam)
        rec = jnp.einsum("ir,jr,kr->ijk", a, b, cc)
        return (a, b, cc), 1 - jnp.linalg.norm(x - rec) / norm

    (a, b, c), fit = lax.scan(sweep, (a0, b0, c0), ridge)
    weight = jnp.linalg.norm(a, axis=0) * jnp.linalg.norm(c, axis=0)
    return fit, jnp.sort(weight), jnp.einsum("ir,jr,kr->ij", a, b, c)
