"""Economic time series: volatility and seasonal smoothing."""
import jax
import jax.numpy as jnp
from jax import lax
from jax.scipy.special import gammaln

from registry import program, randn


def _garch(s, r):
    t, n = s
    p = {"mu": randn(r, n, scale=0.05), "omega": randn(r, n, scale=0.2), "alpha": randn(r, n, scale=0.2), "lev": randn(r, n, scale=0.2),
         "beta": randn(r, n, scale=0.2), "nu": randn(r, n, scale=0.2)}
    return p, randn(r, t, n)


@program(_garch, [(8, 2), (200, 6), (2500, 100)])
def gjr_garch_student_nll(params, returns):
    """GJR-GARCH(1,1) with leverage and Student-t innovations for several assets: variance by a scan over days."""
    omega = jax.nn.softplus(params["omega"] - 2)
    parts = jax.nn.softmax(jnp.stack([params["alpha"], params["lev"], params["beta"] + 2, jnp.zeros_like(params["beta"])]), axis=0)
    alpha, lev, beta = parts[0], 2 * parts[1], parts[2]
    nu = 2.1 + jax.nn.softplus(params["nu"] + 3)
    e = returns - params["mu"]

    def day(h, eps):
        nxt = omega + (alpha + lev * (eps < 0)) * eps**2 + beta * h
        return nxt, h

    _, h = lax.scan(day, jnp.var(returns, axis=0), e)
    const = gammaln((nu + 1) / 2) - gammaln(nu / 2) - 0.5 * jnp.log(jnp.pi * (nu - 2))
    ll = const - 0.5 * jnp.log(h) - 0.5 * (nu + 1) * jnp.log1p(e**2 / (h * (nu - 2)))
    return -ll.sum(1).mean()
