"""Special functions in losses: gamma and beta functions, Bessel functions, error functions."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy import special as sp

from registry import ints, program, randn, randn64, unif, unif64


@program(lambda s, r: (randn(r, s[1], scale=0.3), np.float32(0.5), randn(r, *s), r.poisson(3.0, s[0]).astype(np.float32)),
         [(24, 2), (5000, 6), (150000, 12)], diff=(0, 1))
def negative_binomial_regression(beta, log_disp, x, counts):
    """Negative binomial regression for over-dispersed counts (RNA-seq), log-likelihood by gammaln."""
    mu = jnp.exp(jnp.clip(x @ beta, -10, 10))
    r = jnp.exp(log_disp)
    ll = (sp.gammaln(counts + r) - sp.gammaln(r) - sp.gammaln(counts + 1)
          + r * jnp.log(r / (r + mu)) + counts * jnp.log(mu / (r + mu)))
    return -ll.mean()


@program(lambda s, r: (unif64(r, s[1], lo=-1, hi=1), r.poisson(2.0, s).astype(np.float64)), [(4, 3), (150, 10), (3000, 32)],
         x64=True)
def dirichlet_multinomial_nll(log_alpha, counts):
    """Dirichlet-multinomial likelihood of topic counts, with one of Minka's digamma updates unrolled beforehand."""
    alpha = jnp.exp(log_alpha)
    n = counts.sum(1)
    num = jnp.sum(sp.digamma(counts + alpha) - sp.digamma(alpha), axis=0)
    den = jnp.sum(sp.digamma(n + alpha.sum()) - sp.digamma(alpha.sum()))
    alpha = alpha * (num + 0.1) / (den + 0.1)
    a0 = alpha.sum()
    ll = sp.gammaln(a0) - sp.gammaln(n + a0) + jnp.sum(sp.gammaln(counts + alpha) - sp.gammaln(alpha), axis=1)
    return -jnp.mean(ll)


@program(lambda s, r: (randn(r, s[1], scale=2.0), unif(r, s[1], lo=-1, hi=2), randn(r, s[1]), unif(r, s[0], lo=-3, hi=3)),
         [(12, 2), (4000, 4), (60000, 8)], diff=(0, 1, 2))
def von_mises_mixture_nll(loc, log_kappa, logits, angles):
    """Mixture of von Mises distributions for torsion angles, normalised by the scaled Bessel function i0e."""
    kappa = jnp.exp(log_kappa)
    log_norm = jnp.log(2 * jnp.pi) + jnp.log(sp.i0e(kappa)) + kappa
    comp = kappa * jnp.cos(angles[:, None] - loc) - log_norm
    ll = sp.logsumexp(jax.nn.log_softmax(logits) + comp, axis=1)
    spread = 1.0 - sp.i1e(kappa) / sp.i0e(kappa)
    return -ll.mean() + 0.01 * spread.sum()


@program(lambda s, r: (np.float32([0.3, 0.8]), np.sort(unif(r, s, lo=0.02, hi=0.98))), [8, 200, 20000], diff=(1,))
def beta_cdf_goodness_of_fit(log_ab, u):
    """Cramer-von Mises distance of forecasts' PIT values to a beta distribution, through betainc."""
    a, b = jnp.exp(log_ab)
    n = u.shape[0]
    cdf = sp.betainc(a, b, u)
    ideal = (2 * jnp.arange(1, n + 1) - 1) / (2 * n)
    return 1 / (12 * n) + jnp.sum((cdf - ideal) ** 2) - 1e-3 * jnp.mean(sp.betaln(a, b) * jnp.log(u))


@program(lambda s, r: (randn64(r, s[1], scale=0.5), randn64(r, *s), ints(r, 4, s[0]), np.array([-1.0, 0.0, 0.5])),
         [(16, 2), (6000, 5), (100000, 8)], diff=(0, 3), x64=True)
def ordinal_probit_nll(beta, x, y, cuts):
    """Ordinal probit regression: differences of normal CDFs through erfc, with ordered thresholds by softplus."""
    t = jnp.concatenate([cuts[:1], cuts[:1] + jnp.cumsum(jax.nn.softplus(cuts[1:]))])
    lo = jnp.concatenate([jnp.array([-30.0]), t])[y]
    hi = jnp.concatenate([t, jnp.array([30.0])])[y]
    eta = x @ beta
    cdf = lambda z: 0.5 * sp.erfc(-z / jnp.sqrt(2.0))
    p = cdf(hi - eta) - cdf(lo - eta)
    prior = 0.5 * jnp.sum(sp.erf(beta) ** 2)
    return -jnp.mean(jnp.log(jnp.maximum(p, 1e-300))) + prior / x.shape[0] + 1e-3 * jnp.sum(sp.log_ndtr(cuts))


@program(lambda s, r: (unif(r, s, lo=0.5, hi=4), unif(r, s, lo=0.1, hi=6), (r.random(s) < 0.7).astype(np.float32)),
         [8, 600, 30000], diff=(1,))
def gamma_survival_censored(shape, time, event):
    """Gamma survival with right censoring: density for events, the upper incomplete gamma function for the rest."""
    logpdf = (shape - 1) * jnp.log(time) - time - sp.gammaln(shape)
    surv = sp.gammaincc(shape, time)
    ll = event * logpdf + (1 - event) * jnp.log(jnp.maximum(surv, 1e-20))
    return -ll.mean()


@program(lambda s, r: (unif64(r, s, lo=1.0, hi=30.0), unif64(r, 24, hi=1.0)), [16, 1500, 20000], diff=(0, 1), x64=True)
def spherical_bessel_series(x, coeff):
    """Mie-like series in spherical Bessel functions, by Miller's downward recurrence in a scan, normalised by the sum rule."""
    n_max = 24
    top = 60

    def down(carry, n):
        jp1, j = carry
        jm1 = (2.0 * n + 1.0) / x * j - jp1
        scale = jnp.where(jnp.abs(jm1) > 1e100, 1e-100, 1.0)
        return (j * scale, jm1 * scale), (jm1, scale)

    n = jnp.arange(top, 0, -1)
    _, (js, sc) = lax.scan(down, (jnp.zeros_like(x), jnp.full_like(x, 1e-30)), n)
    tail = lax.cumprod(sc, axis=0, reverse=True)
    js = (js * tail)[::-1][:n_max]
    norm = jnp.sqrt(jnp.sum((2 * jnp.arange(n_max)[:, None] + 1) * js**2, 0))
    return jnp.mean((coeff @ (js / norm)) ** 2) + jnp.mean(jnp.sinc(x / jnp.pi) ** 2)
