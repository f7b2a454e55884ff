"""Sparse linear algebra: CSR and COO products, assembly, conjugate gradients, relaxation."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import sparse
from jax.scipy.sparse.linalg import cg

from registry import ints, program, randn, randn64, unif64


def _csr(s, r):
    n, per = s
    counts = r.integers(0, 2 * per, n)
    indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return randn(r, indptr[-1]), ints(r, n, indptr[-1]), indptr, randn(r, n), randn(r, n)


@program(_csr, [(16, 4), (2000, 10), (40000, 16)], diff=(0, 3))
def csr_matvec_residual(data, indices, indptr, x, b):
    """CSR matrix-vector product with row ids recovered by searchsorted on indptr, and a least-squares residual."""
    rows = jnp.searchsorted(indptr, jnp.arange(data.shape[0]), side="right") - 1
    y = jax.ops.segment_sum(data * x[indices], rows, num_segments=x.shape[0], indices_are_sorted=True)
    return 0.5 * jnp.mean((y - b) ** 2)


def _fem(n, r):
    y, x = np.meshgrid(np.linspace(0, 1, n), np.linspace(0, 1, n), indexing="ij")
    v = np.stack([x, y], -1).reshape(-1, 2) + r.normal(0, 0.1 / n, (n * n, 2))
    a = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)[None]).ravel()
    t = np.concatenate([np.stack([a, a + 1, a + n], 1), np.stack([a + 1, a + n + 1, a + n], 1)])
    return unif64(r, len(t), lo=0.5, hi=2), randn64(r, n * n), v, t.astype(np.int32)


@program(_fem, [4, 40, 200], diff=(0, 1, 2), x64=True)
def fem_stiffness_energy(kappa, u, verts, tris):
    """P1 finite elements: element stiffness matrices, matrix-free scatter of the product, Dirichlet energy."""

    def element(p):
        j = jnp.stack([p[1] - p[0], p[2] - p[0]])
        det = j[0, 0] * j[1, 1] - j[0, 1] * j[1, 0]
        inv_t = jnp.array([[j[1, 1], -j[0, 1]], [-j[1, 0], j[0, 0]]]) / det
        g = inv_t @ jnp.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])
        return 0.5 * jnp.abs(det) * g.T @ g

    ke = kappa[:, None, None] * jax.vmap(element)(verts[tris])
    fe = jnp.einsum("tij,tj->ti", ke, u[tris])
    f = jnp.zeros_like(u).at[tris].add(fe)
    return 0.5 * u @ f / u.shape[0] + jnp.mean(f**2)


@program(lambda s, r: (unif64(r, s, s, lo=0.5, hi=2), randn64(r, s, s)), [6, 24, 160], diff=(0, 1), x64=True)
def cg_variable_diffusion(kappa, rhs):
    """Matrix-free conjugate gradients for a variable-coefficient diffusion operator, differentiated implicitly."""

    def apply(u):
        up = jnp.pad(u, 1)
        kx = 0.5 * (kappa[1:] + kappa[:-1])
        ky = 0.5 * (kappa[:, 1:] + kappa[:, :-1])
        fx = jnp.pad(kx * (up[2:-1, 1:-1] - up[1:-2, 1:-1]), ((1, 1), (0, 0)))
        fy = jnp.pad(ky * (up[1:-1, 2:-1] - up[1:-1, 1:-2]), ((0, 0), (1, 1)))
        return -(fx[1:] - fx[:-1]) - (fy[:, 1:] - fy[:, :-1]) + 0.1 * u

    u, _ = cg(apply, rhs, tol=1e-10, maxiter=400)
    return jnp.mean(u**2)


def _ell(s, r):
    n, k = s
    return ints(r, n, n, k), randn(r, n, k, scale=0.5 / k), randn(r, n), np.float32(0.8)


@program(_ell, [(16, 4), (2000, 8), (50000, 12)], diff=(1, 2, 3))
def ell_damped_jacobi(cols, vals, b, damping):
    """Damped Jacobi sweeps with an ELLPACK matrix (fixed entries a row) and a unit-plus-rowsum diagonal."""
    diag = 1.0 + jnp.sum(jnp.abs(vals), axis=1)

    def sweep(x, _):
        ax = jnp.sum(vals * x[cols], axis=1) + diag * x
        r = b - ax
        return x + damping * r / diag, jnp.vdot(r, r)

    x, res = lax.scan(sweep, jnp.zeros_like(b), None, length=10)
    return jnp.mean(x**2) + jnp.log(res[-1] / res[0] + 1e-2) * 0.01


def _bcoo(s, r):
    m, n, nnz, d = s
    return randn(r, nnz), np.stack([ints(r, m, nnz), ints(r, n, nnz)], 1), randn(r, n, d), randn(r, m, d)


@program(_bcoo, [(10, 8, 30, 4), (500, 400, 4000, 16), (8000, 6000, 80000, 32)], diff=(0, 2, 3))
def bcoo_factorization(values, index, right, left):
    """Matrix factorisation of a sparse ratings matrix with jax.experimental.sparse BCOO products and its entries."""
    mat = sparse.BCOO((values, index), shape=(left.shape[0], right.shape[0]))
    prod = mat @ right
    fit = jnp.sum(left[index[:, 0]] * right[index[:, 1]], axis=-1)
    mse = jnp.mean((fit - values) ** 2)
    reg = jnp.mean(left**2) + jnp.mean(right**2)
    return mse + 0.01 * reg - 1e-3 * jnp.mean(prod * left)
