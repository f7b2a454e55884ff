import jax, jax.numpy as jnp


def lorenz(s, p):
    h = 0.01

    def slope(s):
        x, y, z = s[0], s[1], s[2]
        return jnp.stack([p[0] * (y - x), x * (p[1] - z) - y, x * y - p[2] * z])

    def step(s, _):
        k1 = slope(s)
        k2 = slope(s + k1 * (h / 2))
        k3 = slope(s + k2 * (h / 2))
        k4 = slope(s + k3 * h)
        return s + (k1 + 2 * k2 + 2 * k3 + k4) * (h / 6), None

    s, _ = jax.lax.scan(step, s, None, length=1000)
    return jnp.sum(s**2)


STEP, SOFTENING = 0.005, 0.01


def nbody(axis, apart, strength):
    """Energy after 100 leapfrog steps; `axis` is that of the coordinates."""

    def f(x, v, m):
        def acceleration(x):
            d = apart(x)
            s = strength(m, jnp.sum(d * d, axis) + SOFTENING)
            return jnp.sum(jnp.expand_dims(s, axis) * d, 1 if axis == -1 else -1)

        def step(carry, _):
            x, v, a = carry
            v = v + STEP / 2 * a
            x = x + STEP * v
            a = acceleration(x)
            return (x, v + STEP / 2 * a, a), None

        (x, v, _), _ = jax.lax.scan(step, (x, v, acceleration(x)), None, length=100)
        d = apart(x)
        potential = m / jnp.sqrt(jnp.sum(d * d, axis) + SOFTENING) * (1 - jnp.eye(m.size))
        return 0.5 * jnp.sum(m * jnp.sum(v * v, axis)) - 0.5 * jnp.sum(m[:, None] * potential)

    return f


def by_root(m, r2):
    inverse = 1 / jnp.sqrt(r2)
    return m * inverse * inverse * inverse


FAMILIES = {
    "lorenz": {"f": lorenz, "wrt": (0, 1)},
    "nbody_power": {"f": nbody(-1, lambda x: x[None] - x[:, None], lambda m, r2: m * r2**-1.5), "wrt": (0, 1)},
    "nbody_root": {"f": nbody(0, lambda x: x[:, None, :] - x[:, :, None], by_root), "wrt": (0, 1)},
}
