"""Monte Carlo: walks, Markov chains, importance sampling, quasi-random integration."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

from registry import dense, key, program, randn, randn64, unif64


@program(lambda s, r: (key(r), np.zeros(s, np.float32)), [(8, 16), (100, 100), (1000, 1000)], diff=())
def random_walk_statistics(rng_key, buffer):
    """Many 2-D random walks at once: end-to-end distance, maximum excursion and share of walks that come back."""
    n_walkers, n_steps = buffer.shape
    angles = random.uniform(rng_key, (n_walkers, n_steps), minval=0.0, maxval=2 * jnp.pi)
    steps = jnp.stack([jnp.cos(angles), jnp.sin(angles)], axis=-1)
    paths = jnp.cumsum(steps, axis=1) + buffer[..., None]
    r = jnp.linalg.norm(paths, axis=-1)
    returned = jnp.any(r[:, 5:] < 1.0, axis=1)
    return jnp.mean(r[:, -1] ** 2), r.max(axis=1).mean(), returned.mean(), jnp.mean(r, axis=0)


def _mh(s, r):
    chains, steps, d = s
    return key(r), randn(r, chains, d), np.zeros(steps, np.int32)


@program(_mh, [(2, 4, 2), (16, 40, 4), (256, 120, 8)], diff=())
def metropolis_hastings_banana(rng_key, x0, trace):
    """Random-walk Metropolis on a banana density with vmapped chains; the tutorial's kernel with split keys."""

    def logp(x):
        return -0.5 * (x[0] ** 2 / 4.0 + (x[1] - 0.5 * x[0] ** 2) ** 2 + jnp.sum(x[2:] ** 2))

    def kernel(state, k):
        x, lp, acc = state
        k1, k2 = random.split(k)
        prop = x + 0.8 * random.normal(k1, x.shape)
        lp_prop = logp(prop)
        accept = jnp.log(random.uniform(k2)) < lp_prop - lp
        x = jnp.where(accept, prop, x)
        return (x, jnp.where(accept, lp_prop, lp), acc + accept), x

    def chain(k, x):
        (x, lp, acc), xs = lax.scan(kernel, (x, logp(x), 0), random.split(k, trace.shape[0]))
        return xs.mean(0), xs.var(0), acc / trace.shape[0]

    return jax.vmap(chain)(random.split(rng_key, x0.shape[0]), x0)


def _hmc(s, r):
    c, n, d = s
    x = randn(r, n, d)
    return key(r), randn(r, c, d, scale=0.3), x, (r.random(n) < 0.5).astype(np.float32)


@program(_hmc, [(1, 8, 3), (8, 400, 8), (24, 4000, 16)], diff=())
def hmc_logistic_transition(rng_key, theta, x, y):
    """One Hamiltonian Monte Carlo transition for Bayesian logistic regression: leapfrog with jax.grad, then accept."""

    def potential(q):
        logits = x @ q
        return jnp.sum(jnp.logaddexp(0.0, logits) - y * logits) + 0.5 * jnp.sum(q**2)

    grad_u = jax.grad(potential)

    def transition(k, q):
        kp, ka = random.split(k)
        p = random.normal(kp, q.shape)
        eps = 0.5 / jnp.sqrt(1.0 + x.shape[0])

        def leapfrog(_, qp):
            q, p = qp
            p = p - 0.5 * eps * grad_u(q)
            q = q + eps * p
            return q, p - 0.5 * eps * grad_u(q)

        q1, p1 = lax.fori_loop(0, 8, leapfrog, (q, p))
        dh = potential(q) + 0.5 * p @ p - potential(q1) - 0.5 * p1 @ p1
        ok = random.uniform(ka) < jnp.exp(jnp.minimum(dh, 0.0))
        return jnp.where(ok, q1, q), dh

    return jax.vmap(transition)(random.split(rng_key, theta.shape[0]), theta)


def _iw(s, r):
    k, b, d, z = s
    return ({"enc": dense(r, d, 2 * z), "dec": dense(r, z, d)}, (r.random((b, d)) < 0.4).astype(np.float32),
            randn(r, k, b, z))


@program(_iw, [(2, 2, 8, 2), (8, 32, 128, 8), (32, 64, 512, 16)])
def importance_weighted_elbo(params, x, eps):
    """The importance-weighted autoencoder's bound with Bernoulli pixels and reparameterised samples."""
    mu, raw = jnp.split(x @ params["enc"]["w"] + params["enc"]["b"], 2, axis=-1)
    sigma = jax.nn.softplus(raw) + 1e-3
    z = mu + sigma * eps
    logits = z @ params["dec"]["w"] + params["dec"]["b"]
    log_px = jnp.sum(x * jax.nn.log_sigmoid(logits) + (1 - x) * jax.nn.log_sigmoid(-logits), -1)
    log_pz = -0.5 * jnp.sum(z**2, -1)
    log_q = -0.5 * jnp.sum(eps**2, -1) - jnp.log(sigma).sum(-1)
    return -jnp.mean(jax.nn.logsumexp(log_px + log_pz - log_q, axis=0) - jnp.log(x.shape[0]))


@program(lambda s, r: (unif64(r, 4, lo=0.5, hi=2), unif64(r, 4), np.arange(1, s + 1, dtype=np.uint32)),
         [64, 8000, 150000], diff=(0, 1), x64=True)
def halton_genz_integral(a, u, index):
    """Quasi-Monte Carlo estimate of Genz's oscillatory and product-peak integrals on a scrambled Halton sequence."""

    def radical_inverse(i, base, digits):
        def step(c, _):
            i, f, r = c
            f = f / base
            return (i // base, f, r + f * (i % base)), None

        (_, _, out), _ = lax.scan(step, (i, 1.0, 0.0), None, length=digits)
        return out

    pts = jnp.stack([jax.vmap(lambda i, b=b, k=k: radical_inverse(i, b, k))(index)
                     for b, k in [(2, 18), (3, 12), (5, 8), (7, 7)]], -1)
    pts = (pts + u) % 1.0
    osc = jnp.cos(2 * jnp.pi * u[0] + pts @ a)
    peak = jnp.prod(1.0 / (a**-2 + (pts - 0.5) ** 2), axis=-1)
    return jnp.mean(osc) + jnp.mean(peak)


@program(lambda s, r: (key(r), randn64(r, s[0], 2), randn64(r, s[1], 2, scale=2.0), unif64(r, s[1], lo=0.5, hi=1.5)),
         [(4, 2), (400, 5), (10000, 8)], diff=(1, 2, 3), x64=True)
def langevin_mixture_sampler(rng_key, x, centers, widths):
    """Unadjusted Langevin dynamics on a Gaussian mixture, scored by the mean energy of the particles it ends with."""

    def energy(p):
        d2 = jnp.sum((p - centers) ** 2, -1)
        return -jax.scipy.special.logsumexp(-0.5 * d2 / widths**2 - 2 * jnp.log(widths))

    def step(carry, _):
        k, x = carry
        k, sub = random.split(k)
        g = jax.vmap(jax.grad(energy))(x)
        return (k, x - 0.05 * g + jnp.sqrt(0.1) * random.normal(sub, x.shape)), None

    (_, x), _ = lax.scan(step, (rng_key, x), None, length=6)
    return jax.vmap(energy)(x).mean()
