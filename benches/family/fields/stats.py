"""Statistics: generalised linear models, mixtures, resampling, survival, components, quantiles, clustering."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random
from jax.scipy.special import logsumexp

from registry import key, program, randn, randn64, unif


def _irls(s, r):
    x = randn64(r, *s, scale=0.5)
    return x, r.poisson(np.exp(0.5 * x[:, 0])).astype(np.float64), np.float64(0.1)


@program(_irls, [(16, 2), (1500, 8), (10000, 24)], diff=(0, 2), x64=True)
def poisson_irls_deviance(x, y, ridge):
    """Poisson regression by six iterations of reweighted least squares, deviance of the fit (statsmodels' GLM)."""
    n, d = x.shape

    def irls(beta, _):
        eta = jnp.clip(x @ beta, -5, 5)
        mu = jnp.exp(eta)
        z = eta + (y - mu) / mu
        xtw = x.T * mu
        beta = jax.scipy.linalg.solve(xtw @ x + ridge * jnp.eye(d), xtw @ z, assume_a="pos")
        return beta, jnp.linalg.norm(beta)

    beta, norms = lax.scan(irls, jnp.zeros(d), None, length=6)
    mu = jnp.exp(x @ beta)
    dev = 2 * jnp.sum(jnp.where(y > 0, y * jnp.log(jnp.maximum(y, 1) / mu), 0.0) - (y - mu))
    return dev / n + 0.01 * norms[-1]


@program(lambda s, r: (randn(r, s[0], s[1]), randn(r, s[2], s[1]), np.zeros(s[3])), [(12, 1, 2, 1), (300, 2, 4, 8), (4000, 4, 8, 20)], diff=())
def gaussian_mixture_em(x, means, iters):
    """Expectation maximisation for a full-covariance Gaussian mixture: log densities by Cholesky, scan of EM steps."""
    n, d = x.shape
    k = means.shape[0]

    def logpdf(mu, cov):
        L = jnp.linalg.cholesky(cov)
        z = lax.linalg.triangular_solve(L, (x - mu).T, left_side=True, lower=True)
        return -0.5 * jnp.sum(z**2, 0) - jnp.sum(jnp.log(jnp.diag(L))) - 0.5 * d * jnp.log(2 * jnp.pi)

    def em(params, _):
        pi, mu, cov = params
        lp = jnp.log(pi)[:, None] + jax.vmap(logpdf)(mu, cov)
        norm = logsumexp(lp, axis=0)
        r = jnp.exp(lp - norm)
        nk = r.sum(1) + 1e-6
        mu = (r @ x) / nk[:, None]
        dx = x[None] - mu[:, None]
        cov = jnp.einsum("kn,kni,knj->kij", r, dx, dx) / nk[:, None, None] + 1e-3 * jnp.eye(d)
        return (nk / nk.sum(), mu, cov), norm.mean()

    init = (jnp.ones(k) / k, means, jnp.tile(jnp.eye(d), (k, 1, 1)))
    return lax.scan(em, init, iters)


@program(lambda s, r: (key(r), randn(r, s[0]), np.zeros(s[1], np.float32)), [(12, 4), (200, 50), (1500, 300)], diff=())
def bootstrap_confidence_interval(rng_key, x, draws):
    """Bootstrap of the trimmed mean and the median with a percentile interval; keys split for every replicate."""

    def replicate(k):
        idx = random.randint(k, x.shape, 0, x.shape[0])
        s = jnp.sort(x[idx])
        cut = x.shape[0] // 10
        return s[cut : x.shape[0] - cut].mean(), s[x.shape[0] // 2]

    tm, med = jax.vmap(replicate)(random.split(rng_key, draws.shape[0]))
    tm = tm + draws
    q = jnp.array([0.025, 0.5, 0.975])
    return jnp.quantile(tm, q), jnp.percentile(med, 100 * q), tm.std(ddof=1)


@program(lambda s, r: (randn(r, s[1], scale=0.3), randn(r, *s), unif(r, s[0], hi=10), (r.random(s[0]) < 0.6).astype(np.float32)),
         [(12, 2), (1000, 8), (30000, 20)], diff=(0,))
def cox_partial_likelihood(beta, x, time, event):
    """Cox proportional hazards: risk sets by sorting on descending time and a cumulative log-sum-exp."""
    order = jnp.argsort(-time)
    x, event = x[order], event[order]
    eta = x @ beta
    log_risk = lax.cumlogsumexp(eta)
    pll = jnp.sum(event * (eta - log_risk)) / jnp.maximum(event.sum(), 1)
    return -pll + 0.01 * jnp.sum(beta**2)


@program(lambda s, r: (randn(r, *s), randn(r, s[0])), [(10, 4), (200, 24), (2000, 100)], diff=(0, 1))
def pca_regression(x, y):
    """Principal component regression: standardise, eigh of the covariance, scores of three components, R squared."""
    xc = (x - x.mean(0)) / (x.std(0) + 1e-6)
    evals, evecs = jnp.linalg.eigh(xc.T @ xc / (x.shape[0] - 1))
    scores = xc @ evecs[:, -3:]
    coef = (scores.T @ (y - y.mean())) / (evals[-3:] * (x.shape[0] - 1))
    resid = y - y.mean() - scores @ coef
    r2 = 1.0 - jnp.sum(resid**2) / jnp.sum((y - y.mean()) ** 2)
    return r2 + 0.01 * evals[-1] / evals.sum()


@program(lambda s, r: (randn(r, 3, s[1]), np.zeros(3, np.float32), randn(r, *s), randn(r, s[0])),
         [(16, 2), (10000, 8), (100000, 24)], diff=(0, 1))
def quantile_regression_pinball(w, b, x, y):
    """Joint regression of three quantiles with the pinball loss, a crossing penalty and a CRPS-like average."""
    taus = jnp.array([0.1, 0.5, 0.9])
    pred = x @ w.T + b
    diff = y[:, None] - pred
    pinball = jnp.maximum(taus * diff, (taus - 1.0) * diff)
    crossing = jax.nn.relu(pred[:, :-1] - pred[:, 1:])
    return pinball.mean() + 0.5 * crossing.mean()


@program(lambda s, r: (randn(r, s[0], s[1]), randn(r, s[2], s[1]), np.zeros(s[3])), [(16, 2, 3, 1), (500, 4, 8, 8), (8000, 16, 32, 10)], diff=())
def kmeans_lloyd(x, centers, iters):
    """Lloyd's k-means: distances, argmin, segment sums, empty clusters left in place; labels, centres, inertia."""

    def lloyd(c, _):
        d2 = jnp.sum(x**2, 1)[:, None] - 2 * x @ c.T + jnp.sum(c**2, 1)[None]
        lab = jnp.argmin(d2, 1)
        n = jax.ops.segment_sum(jnp.ones(x.shape[0]), lab, c.shape[0])
        tot = jax.ops.segment_sum(x, lab, c.shape[0])
        return jnp.where(n[:, None] > 0, tot / jnp.maximum(n, 1)[:, None], c), jnp.min(d2, 1).sum()

    c, inertia = lax.scan(lloyd, centers, iters)
    labels = jax.vmap(lambda p: jnp.argmin(jnp.linalg.norm(p - c, axis=1)))(x)
    return c, inertia, labels
