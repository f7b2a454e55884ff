"""Log densities of Bayesian models, as samplers call them."""
import jax.numpy as jnp
import jax.scipy.stats as jss
from jax.scipy.special import gammaln

from registry import ints, program, randn, unif


def _radon(s, r):
    n, j = s
    p = {"mu": randn(r, 2), "log_tau": randn(r, 2, scale=0.3), "rho": randn(r, scale=0.5), "z": randn(r, j, 2),
         "log_sigma": randn(r, scale=0.2), "gamma": randn(r)}
    p = {k: v if getattr(v, "shape", ()) else v.astype("float32") for k, v in p.items()}
    return p, ints(r, j, n), ints(r, 2, n).astype("float32"), randn(r, j), randn(r, n)


@program(_radon, [(40, 5), (5000, 85), (200000, 3000)])
def radon_varying_slopes_logp(params, county, floor, uranium, y):
    """Radon model: correlated varying intercepts and slopes by county (non-centred), group predictor, Student-t noise."""
    tau = jnp.exp(params["log_tau"])
    rho = jnp.tanh(params["rho"])
    chol = jnp.array([[1.0, 0.0], [0.0, 0.0]]).at[1, 0].set(rho).at[1, 1].set(jnp.sqrt(1 - rho**2))
    effects = params["mu"] + params["z"] @ (tau[:, None] * chol).T
    effects = effects.at[:, 0].add(params["gamma"] * uranium)
    mean = effects[county, 0] + effects[county, 1] * floor
    sigma = jnp.exp(params["log_sigma"])
    lp = jss.t.logpdf(y, 4.0, mean, sigma).sum()
    lp += jss.norm.logpdf(params["z"]).sum() + jss.norm.logpdf(params["mu"], 0.0, 2.0).sum()
    lp += (params["log_tau"] - 0.5 * tau**2).sum() + jss.norm.logpdf(params["gamma"])
    return lp + jnp.log1p(-(rho**2)) + params["log_sigma"] - sigma


def _cap(s, r):
    n, t = s
    seen = r.random((n, t)) < 0.35
    seen[seen.sum(1) == 0, 0] = True
    return randn(r, t, scale=0.5), randn(r, t - 1, scale=0.5), seen, unif(r, n, lo=-1.0)


@program(_cap, [(12, 4), (1500, 10), (20000, 24)], diff=(0, 1))
def cormack_jolly_seber_nll(logit_p, logit_phi, seen, mass):
    """Mark-recapture likelihood: survival with a body-mass slope, capture by occasion, and the chance of not being seen again."""
    T = seen.shape[1]
    occ = jnp.arange(T)
    first = jnp.argmax(seen, axis=1)
    last = T - 1 - jnp.argmax(seen[:, ::-1], axis=1)
    p = 1 / (1 + jnp.exp(-logit_p))
    phi = 1 / (1 + jnp.exp(-(logit_phi[None, :] + 0.3 * mass[:, None])))
    chi = [jnp.ones(seen.shape[0])]
    for t in range(T - 2, -1, -1):
        chi.append(1 - phi[:, t] + phi[:, t] * (1 - p[t + 1]) * chi[-1])
    chi = jnp.stack(chi[::-1], axis=1)
    alive = (occ[None, 1:] > first[:, None]) & (occ[None, 1:] <= last[:, None])
    obs = jnp.where(seen[:, 1:], jnp.log(p[1:]), jnp.log1p(-p[1:]))
    ll = jnp.where(alive, jnp.log(phi) + obs, 0.0).sum(axis=1)
    ll += jnp.log(jnp.take_along_axis(chi, last[:, None], axis=1)[:, 0])
    prior = (logit_p**2).sum() / 4.5 + (logit_phi**2).sum() / 4.5 + 0.01 * p[0]
    return prior - ll.sum() + gammaln(seen.shape[0] + 1.0) / seen.shape[0]
