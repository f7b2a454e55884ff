"""What users of JAX have complained about, by the number of the report in JAX's issue tracker.

Each has the shape of what was reported (the loop, the derivative, the types), written anew, in a size that JAX's CPU platform of today
finishes: most in a few seconds, those whose compilation was the complaint in up to two minutes.
"""

import jax
import jax.numpy as jnp
import numpy as np

from . import bound, program


@program("772: gradient of a scan with divisions")
def divisions():
    def loss(s):
        def step(carry, y):
            level, s = carry
            expected = jnp.clip((level + 2 * level**0.5) * s[0], min=0)
            level = y / s[0] + 0.5 * level
            return (level, y / level + 0.5 * s), expected

        return jax.lax.scan(step, (1.0, s), jnp.ones(80))[1].sum()

    return bound(jax.grad(loss), jnp.ones(2))


@program("810: rewards to go by a scan")
def rewards():
    def to_go(rewards, mask):
        def step(later, now):
            later = now + 0.99 * later
            return later, later

        return jax.lax.scan(step, jnp.zeros(16), (rewards * mask).T, reverse=True)[1].T

    data = np.random.RandomState(0)
    return bound(to_go, data.rand(16, 1000).astype("f4"), (data.rand(16, 1000) < 0.9).astype("f4"))


@program("1139: a hundred thousand solves of 3 x 3")
def small_solves():
    data = np.random.RandomState(1)
    a = (data.randn(100_000, 3, 3) + 3 * np.eye(3)).astype("f4")
    return bound(lambda a, b: jnp.linalg.solve(a, b[..., None])[..., 0], a, data.randn(100_000, 3).astype("f4"))


@program("1223: 60 steps of a sampler, each with updates of single elements, unrolled")
def unrolled_sampler():
    def sample(image, w, key):
        for k in range(60):
            row, column = k // 8, k % 8
            patch = jax.lax.dynamic_slice(jnp.pad(image, ((2, 2), (2, 2))), (row, column), (5, 5))
            mean = jnp.tanh(jnp.sum(patch * w) + 0.1 * k)
            key, here = jax.random.split(key)
            image = image.at[row, column].set(mean + 0.1 * jax.random.normal(here))
        return image

    w = np.random.RandomState(2).randn(5, 5).astype("f4") / 5
    return bound(sample, np.zeros((8, 8), "f4"), w, jax.random.PRNGKey(0))


@program("1606: gradients per sample of a small convolutional network", x64=True)
def per_sample():
    def energy(params, x):
        kernel, w = params
        h = jax.lax.conv_general_dilated(
            jnp.pad(x, ((0, 0), (0, 0), (0, 1), (0, 1)), mode="wrap"), kernel, (1, 1), "VALID"
        )
        return jnp.sum(jnp.log(jnp.cosh(h.reshape(-1) @ w)))

    data = np.random.RandomState(3)
    params = (data.randn(6, 1, 2, 2) / 2, data.randn(96, 8) / 10)
    gradients = jax.vmap(jax.grad(energy), (None, 0))
    return bound(gradients, params, np.sign(data.randn(400, 1, 1, 4, 4)))


@program("1832: gradient of a recurrence with updates in place, unrolled")
def recurrence():
    def loss(x):
        f = jnp.zeros_like(x).at[0].set(x[0])
        for k in range(1, 100):
            f = f.at[k].set(x[k] + f[k - 1])
        return jnp.sum(f * f)

    return bound(jax.grad(loss), jnp.linspace(0, 1, 100))


@program("2491: ten thousand tridiagonal systems by two scans", x64=True)
def tridiagonal():
    def solve(a, b, c, d):
        def down(last, row):
            a, b, c, d = row
            scale = 1.0 / (b - a * last[0])
            new = (c * scale, (d - a * last[1]) * scale)
            return new, new

        def up(x, row):
            x = row[1] - row[0] * x
            return x, x

        start = jnp.zeros(a.shape[0])
        _, rows = jax.lax.scan(down, (start, start), tuple(m.T for m in (a, b, c, d)))
        return jax.lax.scan(up, start, rows, reverse=True)[1].T

    data = np.random.RandomState(4)
    a, c, d = (data.rand(10_000, 100) for _ in range(3))
    return bound(solve, a, 3 + data.rand(10_000, 100), c, d)


@program("2609: gradient of a scan of normal quantiles", x64=True)
def quantiles():
    from jax.scipy.special import erfc, ndtri

    def loss(start, rho):
        def step(u, _):
            z = (ndtri(u) - rho * ndtri(0.9 * u)) / jnp.sqrt(1 - rho**2)
            return 0.02 + 0.96 * erfc(-z / np.sqrt(2)) / 2, None

        return jnp.sum(jax.lax.scan(step, start, None, length=5)[0])

    return bound(jax.grad(loss, (0, 1)), jnp.linspace(0.1, 0.9, 30), 0.8)


@program("2777: a loop of 60 steps, unrolled")
def unrolled():
    def run(x):
        for k in range(60):
            x = x + 0.01 * jnp.sin(jnp.roll(x, 1) * (1 + 0.1 * k)) - 0.02 * x * jnp.mean(x)
        return x

    return bound(run, jnp.linspace(0, 1, 16))


@program("4447: clipped gradients per sample of a convolutional network with pooling")
def private():
    def loss(params, image, label):
        kernel, w = params
        h = jax.nn.relu(jax.lax.conv_general_dilated(image[None], kernel, (2, 2), "SAME"))
        h = jax.lax.reduce_window(h, -jnp.inf, jax.lax.max, (1, 1, 2, 2), (1, 1, 1, 1), "VALID")
        return -jax.nn.log_softmax(h.reshape(-1) @ w)[label]

    def clipped(params, image, label):
        grads = jax.grad(loss)(params, image, label)
        norm = jnp.sqrt(sum(jnp.sum(g**2) for g in grads))
        return jax.tree.map(lambda g: g / jnp.maximum(norm, 1.0), grads)

    def step(params, images, labels):
        grads = jax.vmap(clipped, (None, 0, 0))(params, images, labels)
        return jax.tree.map(lambda p, g: p - 0.1 * g.mean(0), params, grads)

    data = np.random.RandomState(5)
    params = (data.randn(8, 1, 5, 5).astype("f4") / 5, data.randn(8 * 13 * 13, 10).astype("f4") / 40)
    return bound(step, params, data.rand(128, 1, 28, 28).astype("f4"), data.randint(0, 10, 128))


@program("4924: gradient of a binned likelihood with 20 systematic uncertainties", x64=True)
def likelihood():
    bins, processes, nuisances = 20, 5, 20
    data = np.random.RandomState(6)
    nominal = data.rand(processes, bins) * 50 + 5
    up = 1 + 0.1 * data.rand(nuisances, processes, bins)
    down = 1 - 0.1 * data.rand(nuisances, processes, bins)
    observed = data.poisson(nominal.sum(0)).astype(float)

    def loss(theta, mu):
        expected = 0.0
        for p in range(processes):
            shape = nominal[p] * (mu if p == 0 else 1.0)
            for k in range(nuisances):
                t = theta[k]
                # Interpolates between the variations: a polynomial within one standard deviation, exponentials outside.
                inner = 1 + t * (up[k, p] - down[k, p]) / 2 + t**2 * ((up[k, p] + down[k, p]) / 2 - 1)
                outer = jnp.where(t > 0, up[k, p], down[k, p]) ** jnp.abs(t)
                shape = shape * jnp.where(jnp.abs(t) < 1, inner, outer)
            expected = expected + shape
        return jnp.sum(expected - observed * jnp.log(expected)) + 0.5 * jnp.sum(theta**2)

    return bound(jax.value_and_grad(loss, (0, 1)), np.linspace(-1.5, 1.5, nuisances), 1.1)


@program("10197: gradient of products that a scan writes into a stack")
def stacked():
    n = 40

    def loss(first, second):
        stack = jnp.concatenate([first[None], second[None], jnp.zeros((n - 2, n, n))])

        def step(stack, k):
            x = stack[k - 1] @ stack[k - 2]
            return stack.at[k].set(x / x.sum(1, keepdims=True)), None

        return jax.lax.scan(step, stack, jnp.arange(2, n))[0][-1, 0, 0]

    data = np.random.RandomState(7)
    return bound(jax.grad(loss), data.rand(n, n).astype("f4"), data.rand(n, n).astype("f4"))


@program("17640: gradient of a scan that shifts parts of rows")
def shifts():
    rows, columns = 20, 50

    def loss(weights):
        def step(table, k):
            row, at = k % rows, (7 * k) % columns
            part = jax.lax.dynamic_slice(table, (row, at), (1, columns))
            table = jax.lax.dynamic_update_slice(table, part * weights[k % 10], (row, at + 1))
            return table.at[row, at].set(jnp.sin(table[row, at + 1])), None

        table = jnp.ones((rows, 2 * columns))
        return jnp.sum(jax.lax.scan(step, table, jnp.arange(2000))[0] ** 2)

    return bound(jax.grad(loss), jnp.linspace(0.5, 1.0, 10))


@program("18221: gradient of an associative scan of complex numbers")
def associative():
    def loss(params, x):
        def combine(a, b):
            return b[0], a[1] * b[0] + b[1]

        x = jax.lax.complex(x, -x)
        spread = jnp.broadcast_to(params.astype(jnp.complex64), x.shape)
        _, y = jax.lax.associative_scan(combine, (spread, x))
        return jnp.mean(jnp.abs(y) ** 2)

    x = np.random.RandomState(8).randn(5000, 32).astype("f4")
    return bound(jax.value_and_grad(loss), jnp.full(32, 0.3), x)


@program("24373: finite volumes with roll, one step of 512 x 512")
def fluid():
    def slopes(f):
        return [(jnp.roll(f, -1, axis) - jnp.roll(f, 1, axis)) / 2 for axis in (0, 1)]

    def flux(f, g, velocity, axis):
        left, right = f + g / 2, jnp.roll(f - g / 2, -1, axis)
        mean = 0.5 * (left + right)
        return mean * velocity + mean**2 / (0.1 + jnp.abs(mean)) - 0.5 * (right - left)

    def step(f, u, v):
        for _ in range(4):
            gx, gy = slopes(f)
            x, y = flux(f, gx, u, 0), flux(f, gy, v, 1)
            f = f - 0.1 * (x - jnp.roll(x, 1, 0) + y - jnp.roll(y, 1, 1))
        return f

    data = np.random.RandomState(9)
    return bound(step, *(data.rand(512, 512).astype("f4") for _ in range(3)))


@program("25190: a while loop of four million steps")
def counting():
    values = jnp.arange(2**22)

    def run(values, stop):
        def step(state):
            return jnp.maximum(state[0], values[state[1]]), state[1] + 1

        return jax.lax.while_loop(lambda state: state[0] < stop, step, (0, 0))[1]

    return bound(run, values, 2**22 - 1)


@program("26021: mass matrix of a robot of 35 joints", x64=True)
def mass_matrix():
    joints = 35

    def skew(v):
        return jnp.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])

    def mass(q, offsets, masses):
        rotation, position, axes, origins, inertia = jnp.eye(3), jnp.zeros(3), [], [], 0.0
        for k in range(joints):
            c, s = jnp.cos(q[k]), jnp.sin(q[k])
            zero, one = jnp.zeros(()), jnp.ones(())
            turn = jnp.array([[c, -s, zero], [s, c, zero], [zero, zero, one]])
            rotation = rotation @ turn
            position = position + rotation @ offsets[k]
            axes.append(rotation[:, k % 3])
            origins.append(position)
            arms = jnp.stack([skew(position - p) @ a for a, p in zip(axes, origins)], 1)
            arms = jnp.pad(arms, ((0, 0), (0, joints - k - 1)))
            inertia = inertia + masses[k] * arms.T @ arms
        return inertia

    data = np.random.RandomState(10)
    return bound(mass, data.randn(joints), data.randn(joints, 3) / 10, 1 + data.rand(joints))


@program("26145: gating variables of neurons, a scan of 1000 steps", x64=True)
def gates():
    def run(v, m, h, n):
        def rate(v, at, scale):
            return scale * (v + at) / (1 - jnp.exp(-(v + at) / 10) + 1e-9)

        def step(state, _):
            v, m, h, n = state
            am, bm = rate(v, 40.1, 0.1), 4 * jnp.exp(-(v + 65) / 18)
            ah, bh = 0.07 * jnp.exp(-(v + 65) / 20), 1 / (1 + jnp.exp(-(v + 35) / 10))
            an, bn = rate(v, 55.1, 0.01), 0.125 * jnp.exp(-(v + 65) / 80)
            m, h, n = (
                x + (1 - jnp.exp(-0.025 * (a + b))) * (a / (a + b) - x)
                for x, a, b in ((m, am, bm), (h, ah, bh), (n, an, bn))
            )
            current = 120 * m**3 * h * (v - 50) + 36 * n**4 * (v + 77) + 0.3 * (v + 54.4)
            return (v - 0.025 * (current - 10.0), m, h, n), v[0]

        return jax.lax.scan(step, (v, m, h, n), None, length=1000)

    gate = np.full(200, 0.3)
    return bound(run, np.linspace(-70, -60, 200), gate, gate + 0.2, gate)


@program("26616: random numbers and a loop within a loop")
def loops():
    def run(key):
        def outer(state):
            total, k = state
            y = jax.random.uniform(jax.random.fold_in(key, k), (1,))
            inner = jax.lax.while_loop(lambda s: s[1].squeeze() < 2, lambda s: (s[0] + 0.1, s[1] + 0.1), (0.0, y))
            return total + inner[0], k + 1

        return jax.lax.while_loop(lambda state: state[1] < 5000, outer, (0.0, 0))[0]

    return bound(run, jax.random.PRNGKey(1))


@program("31282: derivative of a scan that writes what it read elsewhere, in batches")
def checkpoints():
    def loop(start):
        def step(carry, _):
            k, xs = carry
            at = (k * 7919 + 13) % (k + 1)
            return (k + 1, xs.at[k].set(2 * jnp.tanh(xs[at]))), None

        return jax.lax.scan(step, (0, start), None, length=20_000)[0][1]

    def tangent(start):
        return jax.linearize(loop, start)[1](jnp.ones_like(start))

    return bound(jax.vmap(tangent), np.full((2, 20_000), 0.1, "f4"))


@program("36799: a scan that carries a matrix of 3 x 3 in double precision", x64=True)
def quasiseparable():
    def factor(d, p, q, a):
        def step(carry, row):
            d, p, q, a = row
            pivot = jnp.sqrt(d - p @ carry @ p)
            w = (q - a @ carry @ p) / pivot
            return a @ carry @ a.T + jnp.outer(w, w), (pivot, w)

        return jax.lax.scan(step, jnp.zeros((3, 3)), (d, p, q, a))[1]

    data = np.random.RandomState(11)
    n = 2000
    a = np.broadcast_to(0.3 * np.eye(3), (n, 3, 3)) + 0.02 * data.randn(n, 3, 3)
    return bound(factor, 2 + data.rand(n), 0.2 * data.randn(n, 3), 0.2 * data.randn(n, 3), a)


@program("37465: gradient of squared differences in three dimensions, 128^3")
def differences():
    def cost(x):
        return sum(jnp.sum(jnp.square(jnp.diff(x, axis=axis))) for axis in range(x.ndim))

    return bound(jax.grad(cost), np.random.RandomState(12).rand(128, 128, 128).astype("f4"))


@program("40150: gradient of a scan that carries 60 scalars")
def scalars():
    names = [f"x{k}" for k in range(60)]

    def loss(scale, inputs):
        def step(carry, u):
            new, before = {}, u
            for name in names:
                x = carry[name]
                mean = x + 0.1 * jnp.tanh(before * scale - x)
                precision = 1 / (1 + jnp.exp(-mean))
                new[name] = 0.1 + mean * precision + 0.5 * x * (1 - precision)
                before = new[name]
            return new, before

        return jnp.sum(jax.lax.scan(step, dict.fromkeys(names, 0.1), inputs)[1] ** 2)

    return bound(jax.value_and_grad(loss), 0.7, np.random.RandomState(13).randn(614).astype("f4"))
