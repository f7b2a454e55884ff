"""Life and survival tables: mortality models and non-parametric survival curves."""
import jax
import jax.numpy as jnp
from jax.scipy.special import gammaln

from registry import ints, program, randn, unif


def _apc(s, r):
    ages, years = s
    return ({"a": randn(r, ages, scale=0.3) - 4, "b": randn(r, ages, scale=0.2), "k": randn(r, years, scale=0.4),
             "g": randn(r, ages + years - 1, scale=0.1)},
            r.poisson(20, (ages, years)).astype("int32"), unif(r, ages, years, lo=500.0, hi=2000.0))


@program(_apc, [(6, 5), (60, 40), (400, 600)])
def lee_carter_cohort_nll(params, deaths, exposure):
    """Lee-Carter mortality with cohort effects (Renshaw-Haberman): Poisson deaths, identified by centring, smoothed periods."""
    ages, years = deaths.shape
    b = jax.nn.softmax(params["b"])
    k = params["k"] - params["k"].mean()
    cohort = jnp.arange(years)[None, :] - jnp.arange(ages)[:, None] + ages - 1
    log_m = params["a"][:, None] + ages * b[:, None] * k[None, :] + params["g"][cohort]
    mu = exposure * jnp.exp(log_m)
    nll = (mu - deaths * jnp.log(mu) + gammaln(deaths + 1.0)).mean()
    drift = jnp.diff(k)
    rough = jnp.sum((drift - drift.mean()) ** 2) + jnp.sum(jnp.diff(params["g"], n=2) ** 2)
    survival = jnp.exp(-jnp.cumsum(jnp.exp(log_m), axis=0))
    return nll + 0.05 * rough + 1e-3 * jnp.mean((survival.sum(0) - 0.7 * ages) ** 2)


@program(lambda n, r: (unif(r, n, hi=10.0), r.random(n) < 0.7, ints(r, 2, n), unif(r, 16, hi=9.0)), [40, 2000, 120000], diff=())
def kaplan_meier_logrank(time, event, group, landmarks):
    """Kaplan-Meier curves of two groups with Greenwood's variance at landmarks, restricted mean, and the log-rank statistic."""
    order = jnp.argsort(time)
    t, d, g = time[order], event[order].astype(jnp.float32), group[order]
    onehot = jax.nn.one_hot(g, 2, axis=0)
    risk = jnp.flip(jnp.cumsum(jnp.flip(onehot, 1), axis=1), 1)
    dead = onehot * d
    frac = jnp.where(risk > 0, dead / jnp.maximum(risk, 1), 0.0)
    surv = jnp.cumprod(1 - frac, axis=1)
    green = jnp.cumsum(jnp.where(risk > dead, dead / jnp.maximum(risk * (risk - dead), 1), 0.0), axis=1)
    at = jnp.searchsorted(t, landmarks, side="right")
    pad = lambda x, v: jnp.concatenate([jnp.full((2, 1), v), x], axis=1)
    s_at = pad(surv, 1.0)[:, at]
    var = s_at**2 * pad(green, 0.0)[:, at]
    width = jnp.diff(t, prepend=0.0)
    rmst = jnp.sum(pad(surv, 1.0)[:, :-1] * width, axis=1)
    total = risk.sum(0)
    share = risk[1] / total
    z = jnp.sum(dead[1] - d * share)
    chi2 = z**2 / jnp.sum(d * share * (1 - share))
    return s_at, var, rmst, chi2
