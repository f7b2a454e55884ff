import math
import jax, jax.numpy as jnp, numpy as np

# --- Gaussian mixtures


def triangular(factors, d):
    """The matrices [k, d, d]: diagonals by their logarithms, then lower triangles by columns."""
    rows = np.concatenate([np.arange(j + 1, d) for j in range(d)])
    columns = np.concatenate([np.full(d - j - 1, j) for j in range(d)])
    lower = jnp.zeros((factors.shape[0], d, d)).at[:, rows, columns].set(factors[:, d:])
    return lower + jax.vmap(jnp.diag)(jnp.exp(factors[:, :d]))


def finish(alphas, factors, scaled):
    n, k, d = scaled.shape
    normalizer = -0.5 * (d + 1) * d * math.log(2) - 0.25 * d * (d - 1) * math.log(math.pi)
    normalizer -= sum(math.lgamma(0.5 * (d + 2 - j)) for j in range(1, d + 1))
    exponents = alphas + jnp.sum(factors[:, :d], 1) - 0.5 * jnp.sum(scaled**2, 2)
    squares = jnp.sum(jnp.exp(factors[:, :d]) ** 2) + jnp.sum(factors[:, d:] ** 2)
    constant = -n * d * 0.5 * math.log(2 * math.pi) - k * normalizer
    return jnp.sum(jax.nn.logsumexp(exponents, 1)) - n * jax.nn.logsumexp(alphas) + 0.5 * squares + constant


def mixture(alphas, means, factors, x):
    (n, d), k = x.shape, alphas.size
    q = triangular(factors, d)
    scaled = (x @ q.reshape(k * d, d).T).reshape(n, k, d) - jnp.einsum("kij,kj->ki", q, means)
    return finish(alphas, factors, scaled)


def mixture_centred(alphas, means, factors, x):
    q = triangular(factors, x.shape[1])
    return finish(alphas, factors, jnp.einsum("kij,nkj->nki", q, x[:, None] - means))


# --- Long short-term memory


def lstm(main, extra, state, text):
    def step(state, io):
        x, following = io
        h, states = x * extra[0], []
        for i in range(main.shape[0]):
            (w, b), (hidden, cell) = main[i], state[i]
            forget, ingate, outgate = (
                jax.nn.sigmoid(h * w[0] + b[0]), jax.nn.sigmoid(hidden * w[1] + b[1]), jax.nn.sigmoid(h * w[2] + b[2])
            )
            cell = cell * forget + ingate * jnp.tanh(hidden * w[3] + b[3])
            h = outgate * jnp.tanh(cell)
            states.append(jnp.stack([h, cell]))
        predicted = h * extra[1] + extra[2]
        predicted = predicted - jnp.log(jnp.sum(jnp.exp(predicted)) + 2)
        return jnp.stack(states), jnp.dot(following, predicted)

    _, losses = jax.lax.scan(step, state, (text[:-1], text[1:]))
    return -jnp.sum(losses) / losses.size / text.shape[1]


# --- Bundle adjustment


def project(camera, point, weight, seen):
    rotation, centre, focal, principal, (k1, k2) = camera[:3], camera[3:6], camera[6], camera[7:9], camera[9:11]
    x = point - centre
    angle = jnp.sqrt(jnp.sum(rotation**2))
    axis, sin, cos = rotation / angle, jnp.sin(angle), jnp.cos(angle)
    turned = x * cos + jnp.cross(axis, x) * sin + axis * (jnp.dot(axis, x) * (1 - cos))
    flat = turned[:2] / turned[2]
    radius = jnp.sum(flat**2)
    return weight * (flat * (1 + k1 * radius + k2 * radius**2) * focal + principal - seen)


def bundle(cameras, points, weights, seen, camera, point):
    return jax.vmap(project)(cameras[camera], points[point], weights, seen), 1 - weights**2


def bundle_jacobian(cameras, points, weights, seen, camera, point):
    def twice(*args):
        errors = project(*args)
        return errors, errors

    args = cameras[camera], points[point], weights, seen
    rows, errors = jax.vmap(jax.jacrev(twice, (0, 1, 2), has_aux=True))(*args)
    return jnp.concatenate([rows[0], rows[1], rows[2][:, :, None]], 2), errors, -2 * weights


# --- Hand tracking

PARENTS = [-1] + [0 if b == 21 or b % 4 == 1 else b - 1 for b in range(1, 22)]


def vertices(angles, relative, inverse, skin, weights):
    bends = jnp.zeros((22, 3))
    for finger in range(5):
        bone, angle = 2 + 4 * finger, 6 + 4 * finger
        places = ([bone, bone, bone + 1, bone + 2], [0, 1, 0, 0])
        bends = bends.at[places].set(angles[angle : angle + 4])

    def rotation(z):
        (sx, sz, sy), (cx, cz, cy) = jnp.sin(z), jnp.cos(z)
        o, l = jnp.zeros_like(sx), jnp.ones_like(sx)
        rx = jnp.array([[l, o, o], [o, cx, -sx], [o, sx, cx]])
        ry = jnp.array([[cy, o, sy], [o, l, o], [-sy, o, cy]])
        rz = jnp.array([[cz, -sz, o], [sz, cz, o], [o, o, l]])
        return jnp.eye(4).at[:3, :3].set(rz @ ry @ rx)

    relative, absolute = relative @ jax.vmap(rotation)(bends), []
    for bone, parent in enumerate(PARENTS):
        absolute.append(relative[bone] if parent < 0 else absolute[parent] @ relative[bone])
    moves = (jnp.stack(absolute) @ inverse)[:, :3]
    placed = jnp.einsum("bij,vj,vb->vi", moves, skin, weights, optimize=[(0, 2), (0, 1)])
    angle = jnp.sqrt(jnp.sum(angles[:3] ** 2))
    (x, y, z), s, c = angles[:3] / angle, jnp.sin(angle), jnp.cos(angle)
    axis = jnp.stack([x, y, z])
    across = jnp.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]])
    return placed @ (c * jnp.eye(3) + s * across + (1 - c) * jnp.outer(axis, axis)).T + angles[3:6]


def simple(angles, points, *rest):
    *model, vertex = rest
    return points - vertices(angles, *model)[vertex]


def simple_jacobian(angles, *rest):
    errors, along = jax.linearize(lambda a: simple(a, *rest), angles)
    return errors, jax.vmap(along, out_axes=-1)(jnp.eye(angles.size))


def complicated(angles, within, points, *rest):
    *model, corners = rest
    skin, (u, v) = vertices(angles, *model), (within[:, :1], within[:, 1:])
    return points - (u * skin[corners[:, 0]] + v * skin[corners[:, 1]] + (1 - u - v) * skin[corners[:, 2]])


def complicated_jacobian(angles, within, *rest):
    along = lambda k: jax.jvp(
        lambda w: complicated(angles, w, *rest), (within,), (jnp.zeros_like(within).at[:, k].set(1.0),)
    )
    (errors, by_u), (_, by_v) = along(0), along(1)
    _, by_angles = jax.linearize(lambda a: complicated(a, within, *rest), angles)
    return errors, by_u, by_v, jax.vmap(by_angles, out_axes=-1)(jnp.eye(angles.size))


FAMILIES = {
    "gmm": {"f": mixture, "wrt": (0, 1, 2)},
    "gmm_centred": {"f": mixture_centred, "wrt": (0, 1, 2)},
    "lstm": {"f": lstm, "wrt": (0, 1)},
    "ba": {"f": bundle, "jacobian": bundle_jacobian},
    "hand_simple": {"f": simple, "jacobian": simple_jacobian},
    "hand_complicated": {"f": complicated, "jacobian": complicated_jacobian},
}
