"""Chemical and biological kinetics: stiff integration, stochastic simulation, epidemics with age groups."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.scipy.special import gammaln

from registry import key, program, unif, unif64


def _ros(s, r):
    n, t = s
    return np.log(np.array([2.0, 1.0, 0.05, 3.0])), unif64(r, n, 3, lo=0.2, hi=1.5), np.geomspace(1e-3, 0.2, t)


@program(_ros, [(1, 3), (4, 20), (64, 160)], x64=True)
def stiff_rosenbrock_kinetics(log_rates, y0, steps):
    """Stiff autocatalytic kinetics by the two-stage L-stable Rosenbrock method: Jacobian by jacfwd and a solve each step."""
    k1, k2, k3, k4 = jnp.exp(log_rates)
    g = 1.0 + 1.0 / np.sqrt(2.0)

    def rhs(y):
        a, b, c = y
        r1 = 20 * k1 * a * b
        r2 = 50 * k2 * b * b / (0.5 + c)
        r3 = k3 * c - k4 * a * c
        return jnp.stack([0.3 - r1 + r3, r1 - r2, r2 - r3 - 0.4 * c])

    def step(y, h):
        W = jnp.eye(3) - g * h * jax.jacfwd(rhs)(y)
        s1 = jnp.linalg.solve(W, rhs(y))
        s2 = jnp.linalg.solve(W, rhs(y + h * s1) - 2 * s1)
        y = y + 1.5 * h * s1 + 0.5 * h * s2
        return y, y

    end, path = jax.vmap(lambda y: lax.scan(step, y, steps))(y0)
    return jnp.mean((end.sum(1) - 1.0) ** 2) + jnp.var(path[..., 1])


def _gil(s, r):
    n, events = s
    return key(r), np.tile(np.array([5, 20], np.int32), (n, 1)), np.array([4.0, 0.3, 1.5, 0.1], np.float32), np.zeros(events, np.float32)


@program(_gil, [(2, 4), (48, 30), (512, 400)], diff=())
def gillespie_gene_expression(rng_key, counts, rates, offset):
    """Gillespie's direct method for mRNA and protein in many cells: exponential waiting times, reaction by cumulative propensity."""
    change = jnp.array([[1, 0], [-1, 0], [0, 1], [0, -1]], jnp.int32)
    u = jax.random.uniform(rng_key, (offset.shape[0], 2, counts.shape[0]), minval=1e-6)

    def react(c, xs):
        n, t, area = c
        (u1, u2), shift = xs
        m, p = n[:, 0], n[:, 1]
        a = rates * jnp.stack([jnp.ones_like(m), m, m, p], axis=1)
        total = a.sum(1)
        dt = -jnp.log(u1) / total + shift
        which = jnp.argmax(jnp.cumsum(a, axis=1) > (u2 * total)[:, None], axis=1)
        return (n + change[which], t + dt, area + p * dt), total

    zero = jnp.zeros(counts.shape[0])
    (n, t, area), total = lax.scan(react, (counts, zero, zero), (u, offset))
    return n, t, area / t, total.mean(0)


def _seir(s, r):
    a, days = s
    p = {"log_beta": np.float32(-0.7), "log_sigma": np.float32(-1.2), "log_gamma": np.float32(-1.0), "suscept": 0.1 * unif(r, a),
         "report": unif(r, a, lo=-1.5, hi=0.0)}
    c = unif(r, a, a, hi=1.0) + np.eye(a, dtype=np.float32)
    return p, (c + c.T) / (2 * a), unif(r, a, lo=800.0, hi=3000.0), r.poisson(12, (days, a)).astype(np.int32)


@program(_seir, [(2, 3), (8, 40), (24, 500)])
def seir_age_structured_nll(params, contact, population, cases):
    """SEIR with age groups and a contact matrix: RK4 with two steps a day, weekday reporting, negative-binomial likelihood."""
    beta, sigma, gamma = (jnp.exp(params[k]) for k in ("log_beta", "log_sigma", "log_gamma"))

    def rhs(y):
        s, e, i, _ = y
        foi = beta * jnp.exp(params["suscept"]) * (contact @ (i / population))
        return jnp.stack([-foi * s, foi * s - sigma * e, sigma * e - gamma * i, sigma * e])

    def rk4(_, y):
        h = 0.5
        a = rhs(y)
        b = rhs(y + 0.5 * h * a)
        c = rhs(y + 0.5 * h * b)
        d = rhs(y + h * c)
        return y + h / 6 * (a + 2 * b + 2 * c + d)

    def day(y, _):
        y = lax.fori_loop(0, 2, rk4, y)
        return y, y[3]

    seed = 0.01 * population
    y0 = jnp.stack([population - 2 * seed, seed, seed, jnp.zeros_like(seed)])
    _, cumulative = lax.scan(day, y0, cases)
    weekend = jnp.where(jnp.arange(cases.shape[0]) % 7 >= 5, 0.6, 1.0)
    daily = jnp.diff(cumulative, axis=0, prepend=jnp.zeros((1, population.shape[0])))
    mu = daily * jax.nn.sigmoid(params["report"]) * weekend[:, None] + 1e-3
    r = 5.0
    ll = gammaln(cases + r) - gammaln(r) - gammaln(cases + 1.0) + r * jnp.log(r / (r + mu)) + cases * jnp.log(mu / (r + mu))
    return -ll.mean()
