"""Graphics: splats and distance fields."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import ints, program, randn, unif


def _splats(s, r):
    n, side = s
    pos = np.concatenate([r.uniform(-1, 1, (n, 2)), r.uniform(2.5, 5, (n, 1))], 1).astype(np.float32)
    p = {"pos": pos, "log_scale": randn(r, n, 3, scale=0.3) - 1.6, "quat": randn(r, n, 4), "rgb": randn(r, n, 3), "opacity": randn(r, n)}
    return p, np.float32(1.1 * side), unif(r, 3), unif(r, side, side, 3)


@program(_splats, [(3, 4), (32, 16), (200, 64)])
def gaussian_splatting_loss(splats, focal, background, target):
    """3-D Gaussian splatting without tiles: projected covariances, sorting by depth, front-to-back compositing, rows under checkpoint."""
    side = target.shape[0]
    q = splats["quat"] / jnp.linalg.norm(splats["quat"], axis=1, keepdims=True)
    w, x, y, z = q.T
    rot = jnp.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                     2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                     2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1).reshape(-1, 3, 3)
    m = rot * jnp.exp(splats["log_scale"])[:, None, :]
    cov = m @ jnp.swapaxes(m, 1, 2)
    px, py, pz = splats["pos"].T
    zero = jnp.zeros_like(pz)
    jac = jnp.stack([jnp.stack([focal / pz, zero, -focal * px / pz**2], -1), jnp.stack([zero, focal / pz, -focal * py / pz**2], -1)], 1)
    cov2 = jnp.einsum("nij,njk,nlk->nil", jac, cov, jac) + 0.3 * jnp.eye(2)
    a, b, c = cov2[:, 0, 0], cov2[:, 0, 1], cov2[:, 1, 1]
    conic = jnp.stack([c, -b, a], -1) / (a * c - b * b)[:, None]
    center = focal * splats["pos"][:, :2] / pz[:, None] + side / 2
    order = jnp.argsort(pz)
    conic, center = conic[order], center[order]
    rgb, opacity = jax.nn.sigmoid(splats["rgb"][order]), jax.nn.sigmoid(splats["opacity"][order])

    def pixel(xy):
        d = xy - center
        power = -0.5 * (conic[:, 0] * d[:, 0] ** 2 + conic[:, 2] * d[:, 1] ** 2) - conic[:, 1] * d[:, 0] * d[:, 1]
        alpha = jnp.minimum(0.99, opacity * jnp.exp(power))
        alpha = jnp.where(alpha < 1 / 255, 0.0, alpha)
        through = jnp.cumprod(1.0 - alpha)
        before = jnp.concatenate([jnp.ones(1), through[:-1]])
        return (before * alpha) @ rgb + through[-1] * background

    @jax.checkpoint
    def row(yv):
        xs = jnp.arange(side) + 0.5
        return jax.vmap(pixel)(jnp.stack([xs, jnp.full_like(xs, yv)], -1))

    image = lax.map(row, jnp.arange(side) + 0.5)
    return jnp.mean(jnp.abs(image - target)) + 0.2 * jnp.mean((image - target) ** 2)


def _flood(s, r):
    n, k = s
    return ints(r, n, k, 2), (2 ** np.arange(int(np.ceil(np.log2(n))) - 1, -1, -1)).astype(np.int32), r.random((n, n)) < 0.1


@program(_flood, [(8, 3), (32, 10), (200, 150)], diff=())
def jump_flooding_voronoi(seeds, jumps, mask):
    """Voronoi labels and a squared distance field by jump flooding over nine shifted lookups; areas and border pixels by cell."""
    n, k = mask.shape[0], seeds.shape[0]
    yy, xx = jnp.meshgrid(jnp.arange(n), jnp.arange(n), indexing="ij")
    label = jnp.full((n, n), -1, jnp.int32).at[seeds[:, 0], seeds[:, 1]].max(jnp.arange(k, dtype=jnp.int32))

    def dist(lab):
        s = seeds[jnp.maximum(lab, 0)]
        return jnp.where(lab < 0, 2**30, (s[..., 0] - yy) ** 2 + (s[..., 1] - xx) ** 2)

    def flood(lab, step):
        best, where = dist(lab), lab
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                y, x = yy + dy * step, xx + dx * step
                inside = (y >= 0) & (y < n) & (x >= 0) & (x < n)
                cand = jnp.where(inside, lab[jnp.clip(y, 0, n - 1), jnp.clip(x, 0, n - 1)], -1)
                d = dist(cand)
                closer = (d < best) | ((d == best) & (cand > where))
                best, where = jnp.where(closer, d, best), jnp.where(closer, cand, where)
        return where, jnp.sum(where < 0)

    label, empty = lax.scan(flood, label, jumps)
    d2 = dist(label)
    border = jnp.zeros((n, n), bool).at[:-1].set(label[:-1] != label[1:]).at[:, :-1].max(label[:, :-1] != label[:, 1:])
    area = jax.ops.segment_sum((~mask).astype(jnp.int32).ravel(), label.ravel(), num_segments=k)
    edge = jax.ops.segment_sum(border.astype(jnp.int32).ravel(), label.ravel(), num_segments=k)
    return label, d2, empty, area, edge, jnp.sqrt(jax.ops.segment_max(d2.ravel(), label.ravel(), num_segments=k).astype(jnp.float32))
