"""Integrals by quadrature inside likelihoods."""
import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import logsumexp

from registry import ints, program, randn


def _glmm(s, r):
    n, g, p, q = s
    x, w = np.polynomial.hermite.hermgauss(q)
    return (randn(r, p, scale=0.5), np.float32(-0.2), randn(r, n, p), np.sort(ints(r, g, n)), ints(r, 2, n),
            x.astype(np.float32), w.astype(np.float32), np.zeros(g, np.float32) + 0.1)


@program(_glmm, [(20, 4, 2, 5), (400, 40, 5, 9), (20000, 1500, 12, 15)], diff=(0, 1))
def gauss_hermite_glmm_nll(beta, log_sd, x, group, y, nodes, weights, offset):
    """Random-intercept logistic regression: the intercept is integrated by Gauss-Hermite nodes, per group by segment sums."""
    intercept = jnp.sqrt(2.0) * jnp.exp(log_sd) * nodes
    eta = (x @ beta + offset[group])[:, None] + intercept[None, :]
    ll = jnp.where(y[:, None] == 1, jax.nn.log_sigmoid(eta), jax.nn.log_sigmoid(-eta))
    per_group = jax.ops.segment_sum(ll, group, num_segments=offset.shape[0])
    marginal = logsumexp(per_group + jnp.log(weights), axis=1) - 0.5 * jnp.log(jnp.pi)
    return -marginal.mean() + 0.01 * jnp.sum(beta**2)
