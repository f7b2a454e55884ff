import jax, jax.numpy as jnp


def hamilton(p, q):
    s, t, u, v = p[0], q[0], p[1:], q[1:]
    return jnp.concatenate([(s * t - u @ v)[None], s * v + t * u + jnp.cross(u, v)])


def normalized(x):
    return x / jnp.linalg.norm(x)


def rotated(q, v):
    s, u = q[0], q[1:]
    return 2 * jnp.dot(u, v) * u + (s * s - jnp.dot(u, u)) * v + 2 * s * jnp.cross(u, v)


def rigid_body(x, q, v, w, force, torque, inertia, mass):
    h = 0.01

    def slope(state):
        x, q, v, w = state
        acceleration = rotated(q, force) / mass + jnp.array([0.0, 0.0, -9.81])
        spin = (torque - jnp.cross(w, inertia * w)) / inertia
        return v, 0.5 * hamilton(q, jnp.concatenate([jnp.zeros(1), w])), acceleration, spin

    plus = lambda s, k, h: tuple(a + h * b for a, b in zip(s, k))
    s = (x, q, v, w)
    k1 = slope(s)
    k2 = slope(plus(s, k1, h / 2))
    k3 = slope(plus(s, k2, h / 2))
    k4 = slope(plus(s, k3, h))
    x, q, v, w = (a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(s, k1, k2, k3, k4))
    return x, normalized(q), v, w


def three_bodies(x, v, m):
    h = 1e-3

    def acceleration(x):
        def pull(i, j):
            d = x[j] - x[i]
            return m[j] * d / (jnp.linalg.norm(d) ** 3 + 1e-3)

        return jnp.stack([pull(i, (i + 1) % 3) + pull(i, (i + 2) % 3) for i in range(3)])

    v = v + h / 2 * acceleration(x)
    x = x + h * v
    return x, v + h / 2 * acceleration(x)


def turned(q, velocity):
    speed = jnp.linalg.norm(velocity)
    half = speed * 0.005
    axis = velocity / (speed + 1e-12)
    return normalized(hamilton(q, jnp.concatenate([jnp.cos(half)[None], axis * jnp.sin(half)])))


def kalman(x, p, z, a, q, h, r):
    x, p = a @ x, a @ p @ a.T + q
    gain = jnp.linalg.solve(h @ p @ h.T + r, h @ p).T
    return x + gain @ (z - h @ x), (jnp.eye(6) - gain @ h) @ p


def root(a):
    return jax.lax.while_loop(lambda x: jnp.abs(x * x - a) > 1e-12, lambda x: 0.5 * (x + a / x), a)


FAMILIES = {
    "rigid_body": {"f": rigid_body},
    "three_bodies": {
        "f": three_bodies,
        "grad": jax.grad(lambda x, v, m: jnp.sum(three_bodies(x, v, m)[0] ** 2), (0, 1)),
    },
    "quaternion": {"f": turned},
    "kalman": {"f": kalman},
    "solve": {
        "f": jnp.linalg.solve,
        "grad": jax.grad(lambda a, b: jnp.sum(jnp.linalg.solve(a, b) ** 2), (0, 1)),
    },
    "newton": {"f": root},
}
