"""Epidemiology."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import ints, program, randn


def _renewal(s, r):
    regions, weeks, window = s
    lag = np.arange(1, window + 1)
    interval = lag**2 * np.exp(-lag / 1.8)
    delay = lag * np.exp(-lag / 2.5)
    params = {
        "log_r": randn(r, regions, weeks, scale=0.1), "log_seed": 3 + randn(r, regions, scale=0.2), "weekday": randn(r, 7, scale=0.2),
        "log_overdispersion": np.float32(-1.0), "ascertain": randn(r, regions, scale=0.3),
    }
    return (params, (interval / interval.sum()).astype(np.float32), (delay / delay.sum()).astype(np.float32), ints(r, 60, regions, 7 * weeks),
            (2000 * np.exp(0.5 * r.standard_normal(regions))).astype(np.float32))


@program(_renewal, [(1, 2, 5), (6, 10, 14), (150, 40, 20)])
def renewal_reproduction_nll(params, interval, delay, cases, population):
    """Weekly reproduction numbers by a renewal process with depletion: a window carried over days, reporting delay, weekday effects, counts."""
    window = interval.shape[0]
    days = cases.shape[1]

    def region(log_r, log_seed, ascertain, people):
        r = jnp.exp(jnp.repeat(log_r, 7))

        def day(carry, r):
            past, susceptible = carry
            pressure = r * jnp.dot(past, interval)
            new = susceptible * -jnp.expm1(-pressure / people)
            past = jnp.concatenate([new[None], past[:-1]])
            return (past, susceptible - new), new

        seed = jnp.exp(log_seed) * jnp.exp(-0.05 * jnp.arange(window))
        _, infections = lax.scan(day, (seed, people), r)
        history = jnp.concatenate([seed[::-1], infections])
        reported = jnp.convolve(history, delay, mode="full")[window : window + days]
        return reported * jax.nn.sigmoid(ascertain)

    mean = jax.vmap(region)(params["log_r"], params["log_seed"], params["ascertain"], population)
    effect = 7 * jax.nn.softmax(params["weekday"])
    mean = mean * jnp.tile(effect, days // 7) + 0.5
    phi = jnp.exp(-params["log_overdispersion"])
    g = jax.scipy.special.gammaln
    logp = g(cases + phi) - g(phi) - g(cases + 1.0) + phi * jnp.log(phi / (phi + mean)) + cases * jnp.log(mean / (phi + mean))
    walk = jnp.sum(jnp.diff(params["log_r"], axis=1) ** 2) / 0.02
    prior = walk + jnp.sum(params["log_r"][:, 0] ** 2) + jnp.sum(params["weekday"] ** 2)
    return (0.5 * prior - jnp.sum(logp)) / cases.size
