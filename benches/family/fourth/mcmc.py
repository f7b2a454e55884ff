"""Markov chains for latent Gaussian models."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

from registry import program, randn, unif


def _probit(s, r):
    chains, n, steps = s
    x = unif(r, n, 2, lo=-2, hi=2)
    label = (x[:, 0] * x[:, 1] + 0.3 * randn(r, n) > 0).astype(np.float32) * 2 - 1
    return x, label, randn(r, chains, n, scale=0.1), unif(r, 2, lo=0.8, hi=1.2), r.integers(0, 2**32, (steps, 2), dtype=np.uint32)


@program(_probit, [(1, 6, 2), (4, 24, 10), (16, 64, 40)], diff=())
def elliptical_slice_probit(x, label, start, length, keys):
    """Elliptical slice sampling of a Gaussian-process classifier: brackets shrunk in a while loop, several chains; posterior mean and its mixing."""
    n = x.shape[0]
    d = (x[:, None] - x[None]) / length
    root = jnp.linalg.cholesky(2.0 * jnp.exp(-0.5 * jnp.sum(d * d, axis=-1)) + 1e-3 * jnp.eye(n))

    def loglik(f):
        return jnp.sum(jax.scipy.stats.norm.logcdf(label * f))

    def sweep(state, rng):
        def chain(f, rng):
            k1, k2, k3, k4 = random.split(rng, 4)
            nu = root @ random.normal(k1, (n,))
            level = loglik(f) + jnp.log(random.uniform(k2, minval=1e-6))
            theta = random.uniform(k3, maxval=2 * jnp.pi)
            point = lambda t: f * jnp.cos(t) + nu * jnp.sin(t)

            def below(s):
                theta, _, _, _, tries = s
                return (loglik(point(theta)) <= level) & (tries < 50)

            def shrink(s):
                theta, low, high, rng, tries = s
                low = jnp.where(theta < 0, theta, low)
                high = jnp.where(theta < 0, high, theta)
                rng, sub = random.split(rng)
                return random.uniform(sub, minval=low, maxval=high), low, high, rng, tries + 1

            theta, _, _, _, tries = lax.while_loop(below, shrink, (theta, theta - 2 * jnp.pi, theta, k4, jnp.int32(0)))
            return point(theta), tries

        f, tries = jax.vmap(chain)(state, random.split(rng, start.shape[0]))
        return f, (f, tries, jax.vmap(loglik)(f))

    _, (draws, tries, ll) = lax.scan(sweep, start, keys)
    mean = jnp.mean(draws, axis=(0, 1))
    within = jnp.mean(jnp.var(draws, axis=0), axis=0)
    between = jnp.var(jnp.mean(draws, axis=0), axis=0)
    return mean, jax.scipy.special.ndtr(mean), jnp.sqrt(1 + between / within), tries, ll
