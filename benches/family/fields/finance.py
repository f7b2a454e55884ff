"""Finance: option pricing and Greeks, path simulation, trees, curves, risk."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.stats import norm

from registry import program, randn, randn64, unif, unif64


def black_scholes(s, k, t, r, sigma):
    d1 = (jnp.log(s / k) + (r + 0.5 * sigma**2) * t) / (sigma * jnp.sqrt(t))
    d2 = d1 - sigma * jnp.sqrt(t)
    return s * norm.cdf(d1) - k * jnp.exp(-r * t) * norm.cdf(d2)


def _bs(n, r):
    return (unif64(r, n, lo=80, hi=120), unif64(r, n, lo=80, hi=120), unif64(r, n, lo=0.1, hi=2),
            unif64(r, n, lo=0.1, hi=0.5), unif64(r, n, lo=0.3, hi=0.9))


@program(_bs, [32, 6000, 100000], diff=(0, 3), x64=True)
def black_scholes_greeks(spot, strike, tau, vol, target_delta):
    """Price, delta, gamma and vega of a book by vmap of nested jax.grad, with a delta-hedging objective."""
    price = lambda s, v, k, t: black_scholes(s, k, t, 0.03, v)
    p = jax.vmap(price)(spot, vol, strike, tau)
    delta = jax.vmap(jax.grad(price, 0))(spot, vol, strike, tau)
    gamma = jax.vmap(jax.grad(jax.grad(price, 0), 0))(spot, vol, strike, tau)
    vega = jax.vmap(jax.grad(price, 1))(spot, vol, strike, tau)
    return jnp.mean((delta - target_delta) ** 2 + 1e-4 * vega**2 + gamma**2) + 1e-3 * p.mean()


def _hes(s, r):
    steps, n = s
    p = {"v0": 0.04, "kappa": 1.5, "theta": 0.05, "xi": 0.4, "rho": -0.6}
    return {k: np.float32(v) for k, v in p.items()}, unif(r, 5, lo=90, hi=110), randn(r, steps, 2, n)


@program(_hes, [(4, 32), (50, 2000), (100, 10000)])
def heston_full_truncation(params, strikes, z):
    """European calls under Heston by full-truncation Euler with antithetic variates; pathwise sensitivities."""
    dt = 1.0 / z.shape[0]
    z = jnp.concatenate([z, -z], axis=-1)

    def step(carry, zt):
        x, v = carry
        z1 = zt[0]
        z2 = params["rho"] * z1 + jnp.sqrt(1 - params["rho"] ** 2) * zt[1]
        vp = jnp.maximum(v, 1e-6)
        x = x - 0.5 * vp * dt + jnp.sqrt(vp * dt) * z1
        v = v + params["kappa"] * (params["theta"] - vp) * dt + params["xi"] * jnp.sqrt(vp * dt) * z2
        return (x, v), None

    n = z.shape[-1]
    (x, _), _ = lax.scan(step, (jnp.full(n, jnp.log(100.0)), jnp.full(n, params["v0"])), z)
    payoff = jnp.maximum(jnp.exp(x)[None, :] - strikes[:, None], 0.0)
    return jnp.sum(payoff.mean(axis=1))


@program(lambda s, r: (unif64(r, s[0], lo=90, hi=110), unif64(r, s[0], lo=0.15, hi=0.4), np.arange(s[1] + 1.0)),
         [(1, 8), (4, 100), (12, 400)], diff=(0, 1), x64=True)
def crr_american_put(spot, sigma, nodes):
    """Cox-Ross-Rubinstein tree for American puts, backward in a scan over a padded price vector, vmapped over quotes."""
    n = nodes.shape[0] - 1
    strike, rate, t = 100.0, 0.05, 1.0

    def price(s0, vol):
        dt = t / n
        u = jnp.exp(vol * jnp.sqrt(dt))
        p = (jnp.exp(rate * dt) - 1 / u) / (u - 1 / u)
        disc = jnp.exp(-rate * dt)

        def back(v, level):
            s = s0 * u ** (2 * nodes - level)
            cont = disc * (p * jnp.roll(v, -1) + (1 - p) * v)
            return jnp.maximum(cont, strike - s), None

        v = jnp.maximum(strike - s0 * u ** (2 * nodes - n), 0.0)
        v, _ = lax.scan(back, v, jnp.arange(n - 1, -1, -1))
        return v[0]

    return jax.vmap(price)(spot, sigma).sum()


@program(lambda s, r: (np.float64(100.0), np.float64(0.25), randn64(r, *s)), [(4, 32), (12, 2000), (25, 20000)],
         diff=(0, 1), x64=True)
def longstaff_schwartz_put(spot, sigma, z):
    """Longstaff-Schwartz for a Bermudan put: cubic regression of continuation values by normal equations."""
    m, strike, r = z.shape[0], 100.0, 0.06
    dt = 1.0 / m
    logs = jnp.log(spot) + jnp.cumsum((r - 0.5 * sigma**2) * dt + sigma * jnp.sqrt(dt) * z, axis=0)
    s = jnp.exp(logs)
    disc = jnp.exp(-r * dt)

    def step(cash, st):
        cash = disc * cash
        x = st / strike
        basis = jnp.stack([jnp.ones_like(x), x, x**2, x**3], axis=1)
        itm = (st < strike).astype(st.dtype)
        a = (basis * itm[:, None]).T @ basis + 1e-6 * jnp.eye(4)
        coef = jnp.linalg.solve(a, (basis * itm[:, None]).T @ cash)
        exercise = lax.stop_gradient((strike - st > basis @ coef) & (itm > 0))
        return jnp.where(exercise, strike - st, cash), None

    cash, _ = lax.scan(step, jnp.maximum(strike - s[-1], 0.0), s[:-1], reverse=True)
    return disc * cash.mean()


def _ns(s, r):
    n, m = s
    mat = unif64(r, n, lo=1, hi=30)
    coup = unif64(r, n, lo=0.01, hi=0.06)
    return np.array([0.04, -0.02, 0.01, 2.0]), mat, coup, unif64(r, n, lo=85, hi=115), (np.arange(m) + 1) / 2.0


@program(_ns, [(8, 10), (6000, 60), (120000, 60)], diff=(0,), x64=True)
def nelson_siegel_bond_fit(theta, maturity, coupon, market, grid):
    """Weighted pricing error of coupon bonds against a Nelson-Siegel discount curve, plus a roughness penalty."""
    b0, b1, b2, tau = theta

    def zero_rate(t):
        x = t / tau
        load = -jnp.expm1(-x) / x
        return b0 + b1 * load + b2 * (load - jnp.exp(-x))

    def price(mat, c):
        alive = grid <= mat
        df = jnp.exp(-zero_rate(grid) * grid)
        coupons = jnp.sum(jnp.where(alive, 100 * c / 2 * df, 0.0))
        duration = jnp.sum(jnp.where(alive, grid * df, 0.0)) / grid.shape[0]
        return coupons + 100 * jnp.exp(-zero_rate(mat) * mat), 1.0 / (1.0 + duration)

    model, weight = jax.vmap(price)(maturity, coupon)
    fwd = jnp.diff(zero_rate(grid) * grid) / jnp.diff(grid)
    return jnp.mean(weight * (model - market) ** 2) + 10.0 * jnp.sum(jnp.diff(fwd) ** 2)


@program(lambda s, r: (randn(r, s[1]), 0.0005 + randn(r, *s, scale=0.01)), [(64, 4), (2000, 20), (40000, 60)])
def portfolio_cvar(logits, returns):
    """Minimises 95% conditional value at risk of softmax weights over scenarios, found by sorting losses."""
    w = jax.nn.softmax(logits)
    losses = -(returns @ w)
    ordered = jnp.sort(losses)[::-1]
    k = max(1, int(0.05 * losses.shape[0]))
    cvar = ordered[:k].mean()
    mean = -losses.mean()
    hhi = jnp.sum(w**2)
    return cvar - 0.5 * mean + 0.01 * hhi
