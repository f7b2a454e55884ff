import jax, jax.numpy as jnp
from .basic import rosenbrock
from .batched import eliminated


def example_loss(w1, w2, x, label):
    logits = jnp.tanh(x @ w1) @ w2
    return jax.nn.logsumexp(logits) - logits[label]


def solved(a, b):
    return jnp.sum(jnp.linalg.solve(a, b) ** 2)


def lorenz_norms(state):
    def slope(s):
        x, y, z = s[0], s[1], s[2]
        return jnp.stack([(y - x) * 10.0, x * (28.0 - z) - y, x * y - z * (8.0 / 3.0)])

    def step(s, _):
        h = 0.01
        k1 = slope(s)
        k2 = slope(s + k1 * (h / 2))
        k3 = slope(s + k2 * (h / 2))
        k4 = slope(s + k3 * h)
        return s + (k1 + k2 * 2.0 + k3 * 2.0 + k4) * (h / 6), None

    return jax.lax.scan(step, state, None, length=500)[0] ** 2


def lorenz(start):
    return jnp.sum(lorenz_norms(start))


def root(a):
    off = lambda x: jnp.abs(x**3 - a)
    return jax.lax.while_loop(lambda x: off(x) > a * 1e-12, lambda x: x * (2 / 3) + a / (x**2 * 3.0), jnp.ones_like(a))


def roots_by_hand(a):
    left = lambda x: jnp.abs(x**3 - a) > a * 1e-12
    step = lambda x: jnp.where(left(x), x * (2 / 3) + a / (x**2 * 3.0), x)
    return jax.lax.while_loop(lambda x: jnp.any(left(x)), step, jnp.ones_like(a))


def distance(a, b):
    return jnp.sqrt(jnp.sum((a - b) ** 2) + 1e-6)


def errors_of_smoothing(series, rate):
    def step(level, x):
        error = x - level
        return level + rate * error, error**2

    return jax.lax.scan(step, series[0], series)[1]


def smoothed(series, rate):
    return jnp.sum(errors_of_smoothing(series, rate))


def tracked(track):
    moves = jnp.eye(4).at[0, 2].set(0.1).at[1, 3].set(0.1)
    sees = jnp.eye(4)[:2]
    drift, noise = jnp.eye(4) * 0.01, jnp.eye(2) * 0.1

    def step(state, z):
        m, p = state
        m = moves @ m
        p = moves @ p @ moves.T + drift
        error = z - sees @ m
        s = sees @ p @ sees.T + noise
        det = s[0, 0] * s[1, 1] - s[0, 1] * s[1, 0]
        inverse = jnp.array([[s[1, 1], -s[0, 1]], [-s[1, 0], s[0, 0]]]) / det
        gain = p @ sees.T @ inverse
        return (m + gain @ error, p - gain @ sees @ p), jnp.sum(error * (inverse @ error)) + jnp.log(det)

    return jnp.sum(jax.lax.scan(step, (jnp.zeros(4), jnp.eye(4)), track)[1])


def heat(u):
    n = int(u.size**0.5)
    u = u.reshape(n, n)
    k = 1.0 + u**2
    right = (k[:, 1:] + k[:, :-1]) * (u[:, 1:] - u[:, :-1]) * 0.5
    down = (k[1:] + k[:-1]) * (u[1:] - u[:-1]) * 0.5
    across = jnp.pad(right, ((0, 0), (0, 1))) - jnp.pad(right, ((0, 0), (1, 0)))
    along = jnp.pad(down, ((0, 1), (0, 0))) - jnp.pad(down, ((1, 0), (0, 0)))
    return (u + (across + along) * 0.1).ravel()


def energy(u):
    n = int(u.size**0.5)
    u = u.reshape(n, n)
    right, down = u[:, 1:] - u[:, :-1], u[1:] - u[:-1]
    return jnp.sum(jnp.log(1.0 + right**2)) + jnp.sum(jnp.log(1.0 + down**2)) + jnp.sum(u**4)


grads = jax.vmap(jax.grad(example_loss, (0, 1)), (None, None, 0, 0))
FAMILIES = {
    "vmap_mlp_grads": {"f": grads, "hand": grads},
    "vmap_eliminate": {"f": jax.vmap(eliminated), "vg": jax.vmap(jax.value_and_grad(eliminated, (0, 1)))},
    "vmap_solve": {
        "vg": jax.vmap(jax.value_and_grad(solved, (0, 1))),
        "hand": jax.value_and_grad(lambda a, b: solved(a, b[:, :, None]), (0, 1)),
    },
    "vmap_lorenz": {
        "f": jax.vmap(lorenz),
        "vg": jax.vmap(jax.value_and_grad(lorenz)),
        "hand": jax.value_and_grad(lambda s: jnp.sum(lorenz_norms(s.T))),
    },
    "vmap_newton": {"f": jax.vmap(root), "hand": roots_by_hand},
    "vmap_distances": {
        "f": jax.vmap(jax.vmap(distance, (None, 0)), (0, None)),
        "hand": lambda a, b: jnp.sqrt(jnp.sum((a[:, None] - b[None]) ** 2, -1) + 1e-6),
    },
    "vmap_take": {
        "f": jax.vmap(lambda x, at: jnp.sum(x[at] ** 2)),
        "hand": lambda x, at: jnp.sum(jnp.take_along_axis(x, at, 1) ** 2, -1),
    },
    "vmap_sort": {
        "f": jax.vmap(lambda x, _: jnp.cumsum(jnp.sort(x))),
        "hand": lambda x, _: jnp.cumsum(jnp.sort(x, 1), 1),
    },
    "vmap_hessian": {"f": jax.vmap(jax.hessian(rosenbrock))},
    "vmap_filter": {
        "vg": jax.vmap(jax.value_and_grad(smoothed, 1)),
        "hand": jax.value_and_grad(lambda x, r: jnp.sum(errors_of_smoothing(x.T, r)), 1),
    },
    "vmap_kalman": {"f": jax.vmap(tracked), "vg": jax.vmap(jax.value_and_grad(tracked))},
    "heat": {"f": heat, "dense": jax.jacfwd(heat)},
    "energy": {"f": energy},
}
