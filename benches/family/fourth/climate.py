"""Climate models of low order."""
import jax
import jax.numpy as jnp
from jax import lax

from registry import program, randn64, unif64


def _balance(s, r):
    members, bands, months = s
    params = {
        "diffusion": unif64(r, members, lo=0.4, hi=0.6), "offset": unif64(r, members, lo=200, hi=206), "slope": unif64(r, members, lo=1.8, hi=2.2),
        "freeze": unif64(r, members, lo=-12, hi=-8), "heat": unif64(r, members, lo=2, hi=4),
    }
    return params, unif64(r, months, hi=4.0), 14 - 25 * unif64(r, bands), randn64(r, members, scale=0.1)


@program(_balance, [(1, 8, 3), (4, 36, 24), (12, 90, 120)], diff=(0, 1), x64=True)
def energy_balance_ice_albedo(params, forcing, observed, weight):
    """A Budyko-Sellers energy balance: implicit diffusion over sine latitude by tridiagonal solves, seasons, ice albedo, ensemble misfit."""
    n, months = observed.shape[0], forcing.shape[0]
    edge = jnp.linspace(-1.0, 1.0, n + 1)
    x = 0.5 * (edge[1:] + edge[:-1])
    dx = 2.0 / n
    flux = (1 - edge**2) / dx**2
    lat = jnp.arcsin(x)

    def insolation(month):
        decl = 0.409 * jnp.sin(2 * jnp.pi * (month - 2.7) / 12)
        arg = jnp.clip(-jnp.tan(lat) * jnp.tan(decl), -0.999999, 0.999999)
        half = jnp.arccos(arg)
        return 1361 / jnp.pi * (half * jnp.sin(lat) * jnp.sin(decl) + jnp.cos(lat) * jnp.cos(decl) * jnp.sin(half))

    sun = jax.vmap(insolation)(jnp.arange(months, dtype=x.dtype))

    def member(p):
        rate = 1.0 / (p["heat"] * 12)
        lower = -rate * p["diffusion"] * flux[:-1]
        upper = -rate * p["diffusion"] * flux[1:]
        diag = 1 + rate * p["slope"] - lower - upper

        def month(temp, z):
            sun, extra = z
            ice = 0.5 * (1 + jnp.tanh((p["freeze"] - temp) / 3.0))
            absorbed = sun * (1 - (0.3 + 0.1 * x**2) * (1 - ice) - 0.62 * ice)
            rhs = temp + rate * (absorbed - p["offset"] + extra)
            new = lax.linalg.tridiagonal_solve(lower, diag, upper, rhs[:, None])[:, 0]
            return new, (new, jnp.mean(ice))

        _, (temp, ice) = lax.scan(month, 14 - 40 * x**2, (sun, forcing))
        return jnp.mean(temp[months // 2 :], axis=0), jnp.mean(ice)

    temp, ice = jax.vmap(member)(params)
    mixed = jax.nn.softmax(weight) @ temp
    return jnp.mean((mixed - observed) ** 2) / 25.0 + jnp.mean((temp - observed) ** 2) / 100.0 + 10.0 * jnp.var(ice)
