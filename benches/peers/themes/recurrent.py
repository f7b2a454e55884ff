import jax, jax.numpy as jnp


def lstm(w, u, x):
    n = u.shape[1]

    def step(state, x):
        h, c = state
        i, f, g, o = jnp.split(w @ x + u @ h, 4)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zeros = jnp.zeros(n, jnp.float32)
    return jnp.sum(jax.lax.scan(step, (zeros, zeros), x)[1] ** 2)


def gru(w, u, x):
    def step(h, x):
        a, b = jnp.split(x @ w, 3, 1), jnp.split(h @ u, 3, 1)
        r, z = jax.nn.sigmoid(a[0] + b[0]), jax.nn.sigmoid(a[1] + b[1])
        h = (1 - z) * jnp.tanh(a[2] + r * b[2]) + z * h
        return h, h

    return jnp.sum(jax.lax.scan(step, jnp.zeros((x.shape[1], u.shape[0]), jnp.float32), x)[1] ** 2)


def neural_ode(w, v, y):
    def slope(y):
        return v @ jnp.tanh(w @ y)

    def step(y, _):
        middle = y + slope(y) * jnp.float32(0.01)
        return y + slope(middle) * jnp.float32(0.02), None

    return jnp.sum(jax.lax.scan(step, y, None, length=50)[0] ** 2)


FAMILIES = {
    "lstm_cell": {"f": lstm, "wrt": (0, 1)},
    "gru": {"f": gru, "wrt": (0, 1)},
    "neural_ode": {"f": neural_ode, "wrt": (0, 1)},
}
