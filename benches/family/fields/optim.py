"""Optimisation loops: Newton, L-BFGS, unrolled gradient descent, projections, optimal transport."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.flatten_util import ravel_pytree

from registry import dense, ints, program, randn, randn64, unif, unif64


def _logreg(s, r):
    n, d = s
    x = randn64(r, n, d)
    y = (r.random(n) < 1 / (1 + np.exp(-x[:, 0]))).astype(np.float64)
    return np.float64(-1.0), x, y, randn64(r, n // 2, d), (r.random(n // 2) < 0.5).astype(np.float64)


@program(_logreg, [(8, 2), (500, 8), (12000, 24)], diff=(0, 1), x64=True)
def newton_logistic_hyperparameter(log_reg, x, y, xv, yv):
    """Validation loss after five Newton steps with jax.hessian, differentiated to its ridge penalty (bilevel)."""

    def loss(w, x, y, reg):
        z = x @ w
        return jnp.mean(jnp.logaddexp(0, z) - y * z) + 0.5 * reg * w @ w

    reg = jnp.exp(log_reg)

    def newton(_, w):
        g = jax.grad(loss)(w, x, y, reg)
        h = jax.hessian(loss)(w, x, y, reg)
        return w - jnp.linalg.solve(h, g)

    w = lax.fori_loop(0, 5, newton, jnp.zeros(x.shape[1]))
    return loss(w, xv, yv, 0.0)


@program(lambda s, r: (unif64(r, s[0], lo=-1, hi=0.5), np.zeros((s[1], s[0])), np.zeros(s[2])),
         [(4, 3, 3), (200, 6, 20), (20000, 8, 50)], diff=(), x64=True)
def lbfgs_rosenbrock(x, memory, steps):
    """L-BFGS two-loop recursion with rolled history and backtracking on the chained Rosenbrock function."""
    f = lambda x: jnp.mean(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)
    m = memory.shape[0]

    def direction(g, S, Y, rho):
        def down(q, i):
            a = rho[i] * (S[i] @ q)
            return q - a * Y[i], a

        q, alphas = lax.scan(down, g, jnp.arange(m - 1, -1, -1))
        gamma = jnp.where(rho[-1] > 0, 1.0 / (rho[-1] * (Y[-1] @ Y[-1]) + 1e-30), 1.0)
        up = lambda r, ia: (r + S[ia[0]] * (ia[1] - rho[ia[0]] * (Y[ia[0]] @ r)), None)
        r, _ = lax.scan(up, gamma * q, (jnp.arange(m), alphas[::-1]))
        return -r

    def step(c, _):
        x, g, S, Y, rho = c
        d = direction(g, S, Y, rho)
        slope, f0 = g @ d, f(x)
        t = lax.while_loop(lambda t: (f(x + t * d) > f0 + 1e-4 * t * slope) & (t > 1e-8), lambda t: 0.5 * t, 1.0)
        xn = x + t * d
        gn = jax.grad(f)(xn)
        s, y = xn - x, gn - g
        sy = s @ y
        push = lambda H, v: jnp.roll(H, -1, 0).at[-1].set(v)
        return (xn, gn, push(S, s), push(Y, y), push(rho, jnp.where(sy > 1e-12, 1 / sy, 0.0))), f0

    (x, g, *_), hist = lax.scan(step, (x, jax.grad(f)(x), memory, memory, jnp.zeros(m)), steps)
    return hist, jnp.linalg.norm(g)


def _meta(s, r):
    n, d, h, t = s
    return (np.float32([-1.5, 0.5]), {"l1": dense(r, d, h), "l2": dense(r, h, 1)}, randn(r, n, d), randn(r, n),
            np.zeros(t, np.int32))


@program(_meta, [(4, 2, 4, 2), (128, 8, 32, 12), (1024, 16, 96, 40)], diff=(0, 1))
def meta_learned_momentum(hyper, params, x, y, ticks):
    """Learns a step size and momentum by differentiating through an unrolled training loop of a small MLP."""
    lr, beta = jnp.exp(hyper[0]), jax.nn.sigmoid(hyper[1])

    def loss(p):
        h = jnp.tanh(x @ p["l1"]["w"] + p["l1"]["b"])
        return jnp.mean((h @ p["l2"]["w"] + p["l2"]["b"] - y[:, None]) ** 2)

    def step(carry, _):
        p, v = carry
        l, g = jax.value_and_grad(loss)(p)
        v = jax.tree.map(lambda v, g: beta * v - 0.2 * lr * g, v, g)
        p = jax.tree.map(jnp.add, p, v)
        return (p, v), l

    (p, _), losses = lax.scan(step, (params, jax.tree.map(jnp.zeros_like, params)), ticks)
    return loss(p) + 0.1 * losses.mean()


@program(lambda s, r: (randn(r, s[0], s[1]), np.abs(randn(r, s[1], s[2]))), [(1, 6, 4), (8, 60, 50), (24, 200, 200)],
         diff=(0, 1))
def simplex_projected_descent(targets, atoms):
    """Mixing proportions by projected gradient with the sort-based projection on the simplex, vmapped over targets."""

    def project(v):
        u = jnp.sort(v)[::-1]
        css = jnp.cumsum(u) - 1.0
        k = jnp.arange(1, v.shape[0] + 1)
        rho = jnp.sum(u - css / k > 0)
        theta = css[rho - 1] / rho
        return jnp.maximum(v - theta, 0.0)

    gram = atoms.T @ atoms
    lip = jnp.trace(gram)

    def solve(t):
        b = atoms.T @ t
        w0 = jnp.ones(atoms.shape[1]) / atoms.shape[1]
        w, _ = lax.scan(lambda w, _: (project(w - (gram @ w - b) / lip), None), w0, None, length=12)
        return 0.5 * jnp.mean((atoms @ w - t) ** 2)

    return jax.vmap(solve)(targets).mean()


@program(lambda s, r: (unif(r, s[0], 2), unif(r, s[1], 2), unif(r, s[0], lo=0.5, hi=1.5)),
         [(8, 6), (90, 80), (500, 480)], diff=(0, 2))
def sinkhorn_log_domain(x, y, a):
    """Entropic optimal transport between two point clouds by log-domain Sinkhorn iterations (OTT or POT style)."""
    eps = 0.05
    C = jnp.sum((x[:, None, :] - y[None, :, :]) ** 2, axis=-1)
    log_a = jax.nn.log_softmax(jnp.log(a))
    log_b = -jnp.log(y.shape[0]) * jnp.ones(y.shape[0])

    def body(i, fg):
        f, g = fg
        f = eps * (log_a - jax.nn.logsumexp((g[None, :] - C) / eps, axis=1))
        g = eps * (log_b - jax.nn.logsumexp((f[:, None] - C) / eps, axis=0))
        return f, g

    f, g = lax.fori_loop(0, 10, body, (jnp.zeros_like(log_a), jnp.zeros_like(log_b)))
    P = jnp.exp((f[:, None] + g[None, :] - C) / eps)
    return jnp.sum(P * C)


def _adam(s, r):
    k, b, d, h = s
    return {"l1": dense(r, d, h), "l2": dense(r, h, 10)}, randn(r, k, b, d), ints(r, 10, k, b)


@program(_adam, [(2, 4, 4, 8), (16, 64, 32, 48), (30, 128, 128, 192)], diff=())
def adam_train_epoch(params, xs, ys):
    """One epoch of Adam for a classifier: a scan over minibatches with the parameters flattened by ravel_pytree."""
    flat, unravel = ravel_pytree(params)

    def loss(w, x, y):
        p = unravel(w)
        h = jax.nn.relu(x @ p["l1"]["w"] + p["l1"]["b"])
        logits = h @ p["l2"]["w"] + p["l2"]["b"]
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], axis=1).mean()

    def step(state, batch):
        w, m, v, t = state
        l, g = jax.value_and_grad(loss)(w, *batch)
        t = t + 1
        m = 0.9 * m + 0.1 * g
        v = 0.999 * v + 0.001 * g**2
        w = w - 1e-3 * (m / (1 - 0.9**t)) / (jnp.sqrt(v / (1 - 0.999**t)) + 1e-8)
        return (w, m, v, t), l

    (flat, *_), losses = lax.scan(step, (flat, jnp.zeros_like(flat), jnp.zeros_like(flat), 0), (xs, ys))
    return unravel(flat), losses
