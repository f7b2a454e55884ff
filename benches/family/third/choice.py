"""Discrete choice."""
import jax
import jax.numpy as jnp

from registry import ints, program, randn, unif


def _mixl(s, r):
    people, occasions, alts, k, draws = s
    p = {"mean": randn(r, k, scale=0.5), "chol": randn(r, k, k, scale=0.3), "asc": randn(r, alts - 1, scale=0.3)}
    return (p, randn(r, people, occasions, alts, k), r.random((people, occasions, alts)) < 0.9,
            ints(r, alts, people, occasions), randn(r, people, draws, k))


@program(_mixl, [(2, 2, 3, 2, 4), (24, 6, 4, 3, 40), (250, 8, 5, 5, 150)])
def mixed_logit_panel_nll(params, x, available, chosen, z):
    """Mixed logit with correlated coefficients on a panel: simulated likelihood, alternatives that are missing, log-sum-exp over draws."""
    chol = jnp.tril(params["chol"], -1) + jnp.diag(jax.nn.softplus(jnp.diag(params["chol"])))
    beta = params["mean"] + jnp.einsum("kl,nrl->nrk", chol, z)
    beta = beta.at[..., 0].set(-jnp.exp(beta[..., 0]))  # the price coefficient is log-normal
    asc = jnp.concatenate([jnp.zeros(1), params["asc"]])
    u = jnp.einsum("ntjk,nrk->nrtj", x, beta) + asc
    is_chosen = jax.nn.one_hot(chosen, x.shape[2], dtype=bool)
    u = jnp.where((available | is_chosen)[:, None], u, -1e9)
    logp = jax.nn.log_softmax(u, axis=-1)
    picked = jnp.take_along_axis(logp, chosen[:, None, :, None], axis=-1)[..., 0]
    person = jax.scipy.special.logsumexp(picked.sum(axis=2), axis=1) - jnp.log(z.shape[1])
    return -person.mean()
