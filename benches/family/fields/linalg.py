"""Linear algebra in use: least squares, Cholesky, whitening, small batched solves, exponentials, low rank."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.linalg import expm, solve_triangular

from registry import program, randn, randn64


@program(lambda s, r: (randn64(r, *s), randn64(r, s[0])), [(8, 3), (400, 16), (1200, 48)], diff=(0, 1), x64=True)
def least_squares_qr(a, b):
    """Least squares by a reduced QR factorisation, with the condition of R and the residual as objective."""
    q, r = jnp.linalg.qr(a)
    x = solve_triangular(r, q.T @ b)
    resid = b - a @ x
    d = jnp.abs(jnp.diag(r))
    return resid @ resid / a.shape[0] + x @ x + 1e-2 * jnp.log(d.max() / d.min())


def _mvn(s, r):
    b, d = s
    return randn(r, b, d), randn(r, b, d), np.tril(randn(r, b, d, d, scale=0.2)) + np.eye(d, dtype=np.float32)


@program(_mvn, [(2, 3), (200, 5), (12000, 8)], diff=(0, 1, 2))
def batched_mvn_logpdf(x, mean, factor):
    """Log-density of many multivariate normals with covariances A A^T + eI, by batched Cholesky and triangular solve."""
    d = x.shape[-1]
    cov = factor @ factor.mT + 0.1 * jnp.eye(d)
    L = jnp.linalg.cholesky(cov)
    z = solve_triangular(L, (x - mean)[..., None], lower=True)[..., 0]
    logdet = jnp.log(jnp.diagonal(L, axis1=-2, axis2=-1)).sum(-1)
    return jnp.mean(0.5 * jnp.sum(z**2, -1) + logdet + 0.5 * d * jnp.log(2 * jnp.pi))


@program(lambda s, r: (randn(r, *s) @ np.diag(np.linspace(0.5, 2, s[1])).astype(np.float32), randn(r, s[1], s[1])),
         [(10, 4), (400, 40), (1500, 96)], diff=(0, 1))
def zca_whitening_loss(x, target):
    """ZCA whitening through eigh of the covariance, as in whitening losses of self-supervised learning."""
    xc = x - x.mean(axis=0)
    cov = xc.T @ xc / x.shape[0] + 1e-3 * jnp.eye(x.shape[1])
    w, v = jnp.linalg.eigh(cov)
    zca = (v * lax.rsqrt(w)) @ v.T
    white = xc @ zca
    moved = white[:, ::-1] * white
    return jnp.mean((zca - target) ** 2) + jnp.mean(jnp.abs(moved))


@program(lambda s, r: (randn(r, s, 3, 3) + 3 * np.eye(3, dtype=np.float32), randn(r, s, 3)), [16, 5000, 120000], diff=(0, 1))
def adjugate_solve_3x3(a, b):
    """Millions-of-points style batched 3x3 solves by cross products (the adjugate), as in cage and MLS deformation."""
    r0, r1, r2 = a[:, 0], a[:, 1], a[:, 2]
    c0, c1, c2 = jnp.cross(r1, r2), jnp.cross(r2, r0), jnp.cross(r0, r1)
    det = jnp.sum(r0 * c0, axis=-1, keepdims=True)
    safe = jnp.where(jnp.abs(det) < 1e-2, 1e-2, det)
    x = (c0 * b[:, :1] + c1 * b[:, 1:2] + c2 * b[:, 2:]) / safe
    return jnp.mean(jnp.log1p(jnp.sum(x**2, axis=-1))) + 1e-3 * jnp.mean(jnp.log(jnp.abs(safe)))


def _rate(s, r):
    return randn64(r, s[0], s[1], s[1], scale=0.5), r.dirichlet(np.ones(s[1]), s[0])


@program(_rate, [(1, 3), (24, 10), (12, 32)], diff=(0, 1), x64=True)
def markov_rate_matrix_expm(logits, p0):
    """Continuous-time Markov chains: rate matrices from logits, jax.scipy's expm, cross-entropy of what comes out."""
    n = logits.shape[-1]

    def chain(l, p):
        rates = jnp.exp(l) * (1 - jnp.eye(n))
        q = rates - jnp.diag(rates.sum(axis=1))
        return p @ expm(0.5 * q / n, max_squarings=6)

    pt = jax.vmap(chain)(logits, p0)
    return -jnp.mean(jnp.sum(p0[:, ::-1] * jnp.log(pt + 1e-9), axis=-1))


@program(lambda s, r: (randn(r, s[0], s[2]) @ randn(r, s[2], s[1]) + randn(r, s[0], s[1], scale=1.0), randn(r, s[1], s[2])),
         [(8, 6, 2), (300, 200, 8), (1000, 800, 16)], diff=(0,))
def randomized_range_finder(a, sketch):
    """Halko's randomised low-rank approximation: sketch, one power iteration, QR, small SVD, energy kept."""
    y = a @ sketch
    y = a @ (a.T @ (y / jnp.linalg.norm(y)))
    q, _ = jnp.linalg.qr(y)
    b = q.T @ a
    s = jnp.linalg.svd(b, compute_uv=False)
    return 1.0 - jnp.sum(s**2) / jnp.sum(a**2) + 1e-3 * s[0] / s.sum()


@program(lambda s, r: ((lambda m: (m + m.T) / 2)(randn64(r, s[0], s[0], scale=s[0] ** -0.5)), randn64(r, s[0]), np.zeros(s[1])),
         [(8, 2), (240, 16), (1000, 40)], diff=(), x64=True)
def lanczos_tridiagonal(a, v0, steps):
    """Lanczos with full reorthogonalisation into a preallocated basis, Ritz values from the tridiagonal matrix."""
    m, n = steps.shape[0], a.shape[0]
    basis = jnp.zeros((m + 1, n)).at[0].set(v0 / jnp.linalg.norm(v0))

    def step(i, c):
        V, alpha, beta = c
        w = a @ V[i]
        alpha = alpha.at[i].set(V[i] @ w)
        w = w - V.T @ (V @ w)
        w = w - V.T @ (V @ w)
        b = jnp.linalg.norm(w)
        return V.at[i + 1].set(w / b), alpha, beta.at[i].set(b)

    V, alpha, beta = lax.fori_loop(0, m, step, (basis, steps, steps))
    T = jnp.diag(alpha) + jnp.diag(beta[:-1], 1) + jnp.diag(beta[:-1], -1)
    return jnp.linalg.eigvalsh(T), beta
