"""Household finance and macroeconomics."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import ints, program, unif64


def _egm(s, r):
    na, nz, ages, households = s
    trans = r.dirichlet(np.ones(nz) * 0.6, nz) * 0.4 + 0.6 * np.eye(nz)
    deep = {"beta_logit": np.array(3.0), "log_gamma": np.array(0.6), "rate": np.array(0.03)}
    t = np.linspace(0, 1, ages)
    return (deep, 20 * np.linspace(0, 1, na) ** 2, np.exp(np.linspace(-0.5, 0.5, nz)), trans, 0.6 + 1.2 * t - t**2, ints(r, nz, ages, households),
            unif64(r, households, lo=0.1, hi=2), 1.0 + 2 * t)


@program(_egm, [(6, 2, 2, 3), (30, 3, 8, 24), (120, 6, 45, 300)], x64=True)
def life_cycle_endogenous_grid(deep, assets, income, trans, profile, paths, start, target):
    """Life-cycle savings by the endogenous grid method, backward over ages, then a simulated panel; misfit of mean wealth by age."""
    beta, gamma, gross = jax.nn.sigmoid(deep["beta_logit"]), jnp.exp(deep["log_gamma"]), 1.0 + deep["rate"]

    def older(nxt, prof):
        m_next, c_next = nxt
        cash = gross * assets[None, :] + prof * income[:, None]
        c_prime = jax.vmap(jnp.interp)(cash, m_next, c_next)
        emu = trans @ c_prime ** (-gamma)
        c = (beta * gross * emu) ** (-1.0 / gamma)
        first = jnp.full((income.shape[0], 1), 1e-6)
        m = jnp.concatenate([first, assets[None, :] + c], axis=1)
        c = jnp.concatenate([first, c], axis=1)
        return (m, c), (m, c)

    last = jnp.concatenate([jnp.full(1, 1e-6), assets + 1e-3])
    last = jnp.tile(last, (income.shape[0], 1))
    _, (ms, cs) = lax.scan(older, (last, last), profile, reverse=True)

    def live(wealth, inp):
        m_grid, c_grid, z, prof = inp
        cash = gross * wealth + prof * income[z]
        c = jax.vmap(lambda x, k: jnp.interp(x, m_grid[k], c_grid[k]))(cash, z)
        saved = jnp.maximum(cash - c, 0.0)
        return saved, saved.mean()

    _, mean_wealth = lax.scan(live, start, (ms, cs, paths, profile))
    return jnp.mean((mean_wealth - target) ** 2)
