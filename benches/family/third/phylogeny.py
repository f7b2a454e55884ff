"""Likelihoods of phylogenetic trees."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import ints, program, randn64


def _tree(s, r):
    taxa, sites = s
    active, children = list(range(taxa)), []
    for k in range(taxa - 1):
        i, j = r.choice(len(active), 2, replace=False)
        children.append([active[i], active[j]])
        active = [a for m, a in enumerate(active) if m not in (i, j)] + [taxa + k]
    anc = r.integers(0, 4, sites)
    tips = np.where(r.random((taxa, sites)) < 0.25, r.integers(0, 5, (taxa, sites)), anc).astype(np.int32)
    return (randn64(r, 2 * taxa - 2, scale=0.5) - 2, randn64(r, 6, scale=0.5), randn64(r, 4, scale=0.2), np.array(children, np.int32), tips,
            ints(r, 9, sites, lo=1), np.array([0.14, 0.48, 1.0, 2.38]))


@program(_tree, [(3, 3), (14, 60), (40, 600)], diff=(0, 1, 2), x64=True)
def felsenstein_gtr_nll(log_branch, log_rates, freq_logits, children, tips, weights, gamma_rates):
    """Felsenstein's pruning for site patterns under GTR with discrete gamma rates: eigh of Q, a scan over nodes in postorder, rescaling."""
    taxa, sites = tips.shape
    pi = jax.nn.softmax(freq_logits)
    exch = jnp.zeros((4, 4)).at[jnp.triu_indices(4, 1)].set(jnp.exp(log_rates))
    q = (exch + exch.T) * pi[None, :]
    q = q - jnp.diag(q.sum(1))
    q = q / -jnp.sum(pi * jnp.diag(q))
    root_pi = jnp.sqrt(pi)
    lam, vec = jnp.linalg.eigh(root_pi[:, None] * q / root_pi[None, :])
    t = jnp.exp(log_branch)[:, None] * gamma_rates[None, :]
    p = jnp.einsum("ik,bck,jk->bcij", vec / root_pi[:, None], jnp.exp(t[..., None] * lam), vec * root_pi[:, None])

    leaf = jnp.where((tips == 4)[..., None], 1.0, jax.nn.one_hot(tips, 4, dtype=p.dtype))
    partial = jnp.zeros((2 * taxa - 1, sites, gamma_rates.shape[0], 4), p.dtype)
    partial = partial.at[:taxa].set(jnp.broadcast_to(leaf[:, :, None, :], (taxa,) + partial.shape[1:]))

    def prune(carry, inp):
        partial, logscale = carry
        (left, right), node = inp
        up = lambda c: jnp.einsum("cij,scj->sci", p[c], partial[c])
        here = up(left) * up(right)
        top = here.max(axis=(1, 2))
        return (partial.at[node].set(here / top[:, None, None]), logscale + jnp.log(top)), None

    (partial, logscale), _ = lax.scan(prune, (partial, jnp.zeros(sites, p.dtype)), (children, taxa + jnp.arange(taxa - 1)))
    site = jnp.log(jnp.mean(partial[-1] @ pi, axis=1)) + logscale
    return -jnp.sum(weights * site) / jnp.sum(weights)
