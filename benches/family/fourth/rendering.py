"""Neural radiance fields."""
import jax
import jax.numpy as jnp
import numpy as np

from registry import dense, program, randn, unif

PRIMES = np.array([1, 2654435761, 805459861], np.uint32)


def _field(s, r):
    rays, samples, levels, log_size, hidden = s
    params = {
        "table": randn(r, levels, 2**log_size, 2, scale=0.5), "body": dense(r, 2 * levels, hidden), "density": dense(r, hidden, 8),
        "colour1": dense(r, 8 + 9, hidden), "colour2": dense(r, hidden, 3),
    }
    direction = r.standard_normal((rays, 3)) + np.array([0, 0, 3.0])
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    return params, unif(r, rays, 3, lo=-0.3, hi=0.3), direction.astype(np.float32), unif(r, rays, samples), unif(r, rays, 3)


@program(_field, [(2, 4, 2, 4, 8), (24, 12, 4, 8, 16), (384, 24, 6, 12, 32)])
def hash_grid_radiance_loss(params, origin, direction, jitter, target):
    """A radiance field on a multi-resolution hash grid: hashed corners, trilinear features, two small networks, compositing along rays, photo loss."""
    rays, samples = jitter.shape
    levels, size, _ = params["table"].shape
    linear = lambda p, x: x @ p["w"] + p["b"]
    corners = np.stack(np.meshgrid(*[[0, 1]] * 3, indexing="ij"), -1).reshape(-1, 3)

    t = (jnp.arange(samples) + jitter) / samples * 2.0
    point = 0.5 + 0.25 * (origin[:, None] + t[..., None] * direction[:, None])
    point = jnp.clip(point, 0.0, 1.0).reshape(-1, 3)

    def level(table, resolution):
        x = point * resolution
        base = jnp.floor(x)
        frac = (x - base)[:, None, :]
        cell = (base.astype(jnp.uint32)[:, None, :] + corners.astype(np.uint32)) * PRIMES
        slot = (cell[..., 0] ^ cell[..., 1] ^ cell[..., 2]) & jnp.uint32(size - 1)
        weight = jnp.prod(jnp.where(corners == 1, frac, 1 - frac), axis=-1)
        return jnp.einsum("pc,pcf->pf", weight, table[slot])

    resolution = jnp.floor(4.0 * 1.6 ** jnp.arange(levels))
    feature = jax.vmap(level, out_axes=1)(params["table"], resolution).reshape(rays * samples, -1)
    h = linear(params["density"], jax.nn.silu(linear(params["body"], feature))).reshape(rays, samples, 8)
    sigma = jax.nn.softplus(h[..., 0] - 1.0)

    x, y, z = direction.T
    harmonics = jnp.stack([jnp.ones_like(x), y, z, x, x * y, y * z, 3 * z * z - 1, x * z, x * x - y * y], axis=1)
    wide = jnp.broadcast_to(harmonics[:, None], (rays, samples, 9))
    c = jax.nn.silu(linear(params["colour1"], jnp.concatenate([h, wide], axis=-1)))
    colour = jax.nn.sigmoid(linear(params["colour2"], c))

    step = jnp.diff(t, axis=1, append=jnp.full((rays, 1), 2.1))
    optical = sigma * step * 5.0
    through = jnp.exp(-(jnp.cumsum(optical, axis=1) - optical))
    weight = through * -jnp.expm1(-optical)
    image = jnp.sum(weight[..., None] * colour, axis=1) + (1 - jnp.sum(weight, axis=1, keepdims=True))
    spread = jnp.sum(weight * jnp.square(t - jnp.sum(weight * t, axis=1, keepdims=True)), axis=1)
    return jnp.mean((image - target) ** 2) + 0.01 * jnp.mean(spread)
