"""Gaussian processes: marginal likelihood, prediction, inducing points, random features."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.linalg import cho_solve, solve_triangular

from registry import program, randn, randn64, unif, unif64


def sqdist(a, b):
    return jnp.maximum(jnp.sum(a**2, 1)[:, None] + jnp.sum(b**2, 1)[None, :] - 2 * a @ b.T, 0.0)


@program(lambda s, r: (np.array([0.1, -0.3, -2.0]), unif64(r, *s, lo=-2, hi=2), randn64(r, s[0])),
         [(8, 1), (150, 2), (800, 4)], diff=(0,), x64=True)
def rbf_marginal_likelihood(log_params, x, y):
    """Negative log marginal likelihood of GP regression with an RBF kernel in double precision (Rasmussen, alg. 2.1)."""
    var, ell, noise = jnp.exp(log_params)
    k = var * jnp.exp(-0.5 * sqdist(x, x) / ell**2) + (noise + 1e-6) * jnp.eye(x.shape[0])
    chol = jnp.linalg.cholesky(k)
    alpha = cho_solve((chol, True), y)
    return 0.5 * y @ alpha + jnp.sum(jnp.log(jnp.diag(chol))) + 0.5 * y.shape[0] * jnp.log(2 * jnp.pi)


@program(lambda s, r: (np.float32([0.0, -0.7]), unif(r, s[0], 2, lo=-2, hi=2), randn(r, s[0]),
                       unif(r, s[1], 2, lo=-2, hi=2), randn(r, s[1])), [(8, 4), (160, 100), (600, 1000)], diff=(0, 2, 3))
def gp_predictive_nll(log_params, x, y, xs, ys):
    """Held-out Gaussian negative log predictive density of a GP posterior at test points."""
    ell, var = jnp.exp(log_params)
    kern = lambda a, b: var * jnp.exp(-0.5 * sqdist(a, b) / ell**2)
    L = jnp.linalg.cholesky(kern(x, x) + 0.1 * jnp.eye(x.shape[0]))
    ks = kern(x, xs)
    mean = ks.T @ cho_solve((L, True), y)
    v = solve_triangular(L, ks, lower=True)
    pred_var = var - jnp.sum(v**2, axis=0) + 0.1
    return 0.5 * jnp.mean((ys - mean) ** 2 / pred_var + jnp.log(2 * jnp.pi * pred_var))


def _svgp(s, r):
    n, m, d = s
    p = {"z": unif(r, m, d, lo=-2, hi=2), "mu": randn(r, m), "raw_l": randn(r, m, m, scale=0.1) + np.eye(m, dtype=np.float32),
         "log_ell": np.zeros(d, np.float32), "log_var": np.float32(0.0), "log_noise": np.float32(-1.0)}
    return p, unif(r, n, d, lo=-2, hi=2), randn(r, n)


@program(_svgp, [(8, 4, 1), (400, 60, 2), (4000, 200, 4)])
def svgp_minibatch_elbo(params, x, y):
    """Whitened stochastic variational GP: expected log-likelihood of a minibatch minus the KL, as in GPJax or GPflow."""
    ell, var, noise = jnp.exp(params["log_ell"]), jnp.exp(params["log_var"]), jnp.exp(params["log_noise"])
    z = params["z"]
    m = z.shape[0]
    kuu = var * jnp.exp(-0.5 * sqdist(z / ell, z / ell)) + 1e-3 * jnp.eye(m)
    kuf = var * jnp.exp(-0.5 * sqdist(z / ell, x / ell))
    luu = jnp.linalg.cholesky(kuu)
    a = solve_triangular(luu, kuf, lower=True)
    lq = jnp.tril(params["raw_l"])
    fmean = a.T @ params["mu"]
    fvar = var - jnp.sum(a**2, 0) + jnp.sum((lq.T @ a) ** 2, 0)
    ell_term = -0.5 * jnp.log(2 * jnp.pi * noise) - 0.5 * ((y - fmean) ** 2 + fvar) / noise
    kl = 0.5 * (jnp.sum(lq**2) + params["mu"] @ params["mu"] - m) - jnp.sum(jnp.log(jnp.abs(jnp.diag(lq))))
    return -(ell_term.mean() * 10.0 - kl / x.shape[0])


@program(lambda s, r: (np.float32(0.2), randn(r, s[2], s[1]), unif(r, s[1], hi=6.28), randn(r, s[0], s[2]), randn(r, s[0])),
         [(16, 8, 2), (600, 64, 4), (4000, 160, 8)], diff=(0, 1, 2))
def random_fourier_ridge(log_ell, omega, phase, x, y):
    """Rahimi and Recht's random Fourier features with ridge regression solved inside; evidence-like loss."""
    m = omega.shape[1]
    phi = jnp.sqrt(2.0 / m) * jnp.cos(x @ omega / jnp.exp(log_ell) + phase)
    a = phi.T @ phi + 0.5 * jnp.eye(m)
    w = jax.scipy.linalg.solve(a, phi.T @ y, assume_a="pos")
    resid = y - phi @ w
    return resid @ resid / x.shape[0] + 0.5 * (w @ w) / x.shape[0]


@program(lambda s, r: (np.zeros(s[1]), np.float64(-1.5), unif64(r, *s, lo=-1, hi=1), randn64(r, s[0])),
         [(6, 2), (100, 3), (450, 6)], diff=(0, 1), x64=True)
def matern_ard_leave_one_out(log_ell, log_noise, x, y):
    """Leave-one-out pseudo-likelihood of a Matern-5/2 ARD process, from the inverse of the kernel matrix."""

    def matern(a, b):
        r2 = jnp.sum(((a - b) / jnp.exp(log_ell)) ** 2)
        r = jnp.sqrt(5.0 * r2 + 1e-12)
        return (1 + r + r**2 / 3) * jnp.exp(-r)

    gram = jax.vmap(lambda a: jax.vmap(lambda b: matern(a, b))(x))(x)
    k_inv = jnp.linalg.inv(gram + jnp.exp(log_noise) * jnp.eye(x.shape[0]))
    d = jnp.diag(k_inv)
    mu = y - (k_inv @ y) / d
    return 0.5 * jnp.mean((y - mu) ** 2 * d - jnp.log(d) + jnp.log(2 * jnp.pi))
