import jax, jax.numpy as jnp


def lorenz_step(p, s):
    h = 0.01

    def slope(s):
        x, y, z = s[0], s[1], s[2]
        return jnp.stack([p[0] * (y - x), x * (p[1] - z) - y, x * y - p[2] * z])

    k1 = slope(s)
    k2 = slope(s + k1 * (h / 2))
    k3 = slope(s + k2 * (h / 2))
    k4 = slope(s + k3 * h)
    return s + (k1 + 2 * k2 + 2 * k3 + k4) * (h / 6)


def steps(n, s, step):
    return jax.lax.scan(lambda s, _: (step(s), None), s, None, length=n)[0]


def lorenz(s, p):
    return jnp.sum(steps(1000, s, lambda s: lorenz_step(p, s)) ** 2)


def lorenz_unrolled(n):
    def f(s, p):
        for _ in range(n):
            s = lorenz_step(p, s)
        return jnp.sum(s**2)

    return f


def coupled_step(w, s):
    return jnp.sin(s * w) + 0.5 * jnp.cos(jnp.roll(s, 1))


def coupled(n):
    return lambda s, w: jnp.sum(steps(n, s, lambda s: coupled_step(w, s)) ** 2)


def coupled_in_parts(s, w):
    part = jax.checkpoint(lambda s: steps(100, s, lambda s: coupled_step(w, s)))
    return jnp.sum(steps(100, s, part) ** 2)


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
    "lorenz_unrolled.10": {"f": lorenz_unrolled(10), "wrt": (0, 1)},
    "lorenz_unrolled.100": {"f": lorenz_unrolled(100), "wrt": (0, 1)},
    "long_scan.1000": {"f": coupled(1000)},
    "long_scan.10000": {"f": coupled(10_000)},
    "long_scan_checkpointed": {"f": coupled_in_parts},
    "nbody_power": {"f": nbody(-1, lambda x: x[None] - x[:, None], lambda m, r2: m * r2**-1.5), "wrt": (0, 1)},
    "nbody_root": {"f": nbody(0, lambda x: x[:, None, :] - x[:, :, None], by_root), "wrt": (0, 1)},
}
