"""Exoplanets."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import ints, program, randn64, unif64


@jax.custom_jvp
def eccentric_anomaly(mean, ecc):
    """Solves Kepler's equation by Newton's method until every entry has converged."""

    def body(state):
        E, _, it = state
        step = (E - ecc * jnp.sin(E) - mean) / (1 - ecc * jnp.cos(E))
        return E - step, jnp.max(jnp.abs(step)), it + 1

    E, _, _ = lax.while_loop(lambda st: (st[1] > 1e-10) & (st[2] < 30), body, (mean + ecc * jnp.sin(mean), jnp.inf, 0))
    return E


@eccentric_anomaly.defjvp
def _eccentric_jvp(primals, tangents):
    mean, ecc = primals
    dm, de = tangents
    E = eccentric_anomaly(mean, ecc)
    return E, (dm + jnp.sin(E) * de) / (1 - ecc * jnp.cos(E))


def _rv(s, r):
    n, planets = s
    p = {"log_period": r.uniform(1.0, 5.0, planets), "h": randn64(r, planets, scale=0.25), "k": randn64(r, planets, scale=0.25),
         "log_amp": unif64(r, planets, lo=0.5, hi=2), "phase": unif64(r, planets, hi=6), "offset": randn64(r, 3), "log_jitter": randn64(r, 3) * 0.2}
    return p, np.sort(unif64(r, n, hi=800)), randn64(r, n, scale=4), unif64(r, n, lo=0.5, hi=1.5), ints(r, 3, n)


@program(_rv, [(12, 1), (250, 3), (8000, 5)], x64=True)
def kepler_radial_velocity_logp(params, t, rv, err, instrument):
    """Radial velocities of several planets: Kepler's equation with its own derivative, offsets and jitters by instrument, priors."""
    ecc2 = params["h"] ** 2 + params["k"] ** 2
    ecc = 0.9 * jnp.tanh(jnp.sqrt(ecc2 + 1e-12))
    omega = jnp.arctan2(params["h"], params["k"])

    def planet(log_p, e, w, log_k, phase):
        mean = jnp.mod(2 * jnp.pi * t / jnp.exp(log_p) + phase, 2 * jnp.pi)
        E = eccentric_anomaly(mean, e)
        nu = 2 * jnp.arctan2(jnp.sqrt(1 + e) * jnp.sin(E / 2), jnp.sqrt(1 - e) * jnp.cos(E / 2))
        return jnp.exp(log_k) * (jnp.cos(nu + w) + e * jnp.cos(w))

    model = jax.vmap(planet)(params["log_period"], ecc, omega, params["log_amp"], params["phase"]).sum(0)
    var = err**2 + jnp.exp(2 * params["log_jitter"])[instrument]
    resid = rv - model - params["offset"][instrument]
    logl = -0.5 * jnp.sum(resid**2 / var + jnp.log(2 * jnp.pi * var))
    prior = -0.5 * jnp.sum((ecc / 0.3) ** 2) - 0.5 * jnp.sum(params["offset"] ** 2) / 100 - 0.5 * jnp.sum(params["log_amp"] ** 2)
    return -(logl + prior) / t.shape[0]
