"""What users of JAX do every day. Nothing in these programs knows of Wengert."""

import jax
import jax.numpy as jnp
import numpy as np

from . import bound, program


@program("lorenz gradient (RK4, 1000 steps)", x64=True)
def lorenz():
    def field(y, p):
        return jnp.array([p[0] * (y[1] - y[0]), y[0] * (p[1] - y[2]) - y[1], y[0] * y[1] - p[2] * y[2]])

    def step(y, p, h=0.01):
        a = field(y, p)
        b = field(y + h / 2 * a, p)
        c = field(y + h / 2 * b, p)
        d = field(y + h * c, p)
        return y + h / 6 * (a + 2 * b + 2 * c + d)

    def loss(p):
        y, ys = jax.lax.scan(lambda y, _: (step(y, p),) * 2, jnp.ones(3), None, length=1000)
        return jnp.sum(y**2) + jnp.mean(ys[:, 2])

    return bound(jax.value_and_grad(loss), jnp.array([10.0, 28.0, 8 / 3]))


@program("recurrent network, training step")
def recurrent():
    key = jax.random.key(0)
    keys = jax.random.split(key, 4)
    width, inputs, batch, length = 64, 16, 32, 100
    params = {
        "w": jax.random.normal(keys[0], (width, width)) / 8,
        "u": jax.random.normal(keys[1], (inputs, width)) / 4,
        "v": jax.random.normal(keys[2], (width, 1)) / 8,
    }
    xs = jax.random.normal(keys[3], (length, batch, inputs))
    ys = jnp.cumsum(xs.sum(-1), 0)[..., None] * 0.1

    def loss(p, xs, ys):
        def cell(h, x):
            h = jnp.tanh(h @ p["w"] + x @ p["u"])
            return h, h @ p["v"]

        _, out = jax.lax.scan(cell, jnp.zeros((batch, width)), xs)
        return jnp.mean((out - ys) ** 2)

    def step(p, xs, ys):
        value, grad = jax.value_and_grad(loss)(p, xs, ys)
        return jax.tree.map(lambda p, g: p - 0.01 * g, p, grad), value

    return bound(step, params, xs, ys)


@program("multilayer perceptron, training step with Adam")
def perceptron():
    sizes = [64, 256, 256, 10]
    keys = jax.random.split(jax.random.key(1), len(sizes))
    pairs = zip(keys, sizes[:-1], sizes[1:])
    params = [(jax.random.normal(k, (a, b)) / np.sqrt(a), jnp.zeros(b)) for k, a, b in pairs]
    x = jax.random.normal(keys[-1], (128, sizes[0]))
    y = jnp.argmax(x[:, :10], axis=1)

    def loss(p, x, y):
        for w, b in p[:-1]:
            x = jax.nn.gelu(x @ w + b)
        logits = x @ p[-1][0] + p[-1][1]
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), y[:, None], 1))

    def step(p, m, v, t, x, y):
        value, g = jax.value_and_grad(loss)(p, x, y)
        m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, m, g)
        v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, v, g)
        scale = jnp.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        p = jax.tree.map(lambda p, m, v: p - 1e-3 * scale * m / (jnp.sqrt(v) + 1e-8), p, m, v)
        return p, m, v, t + 1, value

    zeros = jax.tree.map(jnp.zeros_like, params)
    return bound(step, params, zeros, zeros, 1.0, x, y)


@program("attention block, gradient")
def attention():
    keys = jax.random.split(jax.random.key(2), 3)
    x = jax.random.normal(keys[0], (4, 64, 64))
    params = {"qkv": jax.random.normal(keys[1], (64, 192)) / 8, "out": jax.random.normal(keys[2], (64, 64)) / 8}

    def loss(p, x):
        q, k, v = jnp.split((x @ p["qkv"]).reshape(4, 64, 3 * 4, 16), 3, axis=2)
        weights = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q, k) / 4.0)
        mixed = jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(4, 64, 64)
        y = x + mixed @ p["out"]
        return jnp.mean((y - y.mean(-1, keepdims=True)) ** 2)

    return bound(jax.grad(loss), params, x)


@program("Hamiltonian Monte Carlo, 100 leapfrog steps of 200 data", x64=True)
def hamiltonian():
    data = np.random.RandomState(3)
    x = data.randn(200, 8)
    y = (data.rand(200) < 1 / (1 + np.exp(-x @ np.linspace(-1, 1, 8)))).astype(float)

    def energy(w, x, y):
        logits = x @ w
        return jnp.sum(jnp.logaddexp(0, logits) - y * logits) + 0.5 * jnp.sum(w**2)

    def trajectory(w, p, x, y):
        force = jax.grad(energy)

        def step(state, _):
            w, p = state
            p = p - 0.005 * force(w, x, y)
            w = w + 0.01 * p
            return (w, p - 0.005 * force(w, x, y)), None

        return jax.lax.scan(step, (w, p), None, length=100)[0]

    return bound(trajectory, jnp.zeros(8), jnp.ones(8) * 0.1, jnp.asarray(x), jnp.asarray(y))


@program("implicit heat equation, gradient through 50 solves", x64=True)
def heat():
    n = 64
    laplacian = -2 * np.eye(n) + np.eye(n, k=1) + np.eye(n, k=-1)

    def loss(conductivity, start):
        system = jnp.eye(n) - 0.1 * conductivity[:, None] * laplacian
        step = lambda u, _: (jnp.linalg.solve(system, u), None)
        end, _ = jax.lax.scan(step, start, None, length=50)
        return jnp.sum(end**2)

    return bound(jax.grad(loss), jnp.ones(n), jnp.asarray(np.sin(np.linspace(0, np.pi, n))))
