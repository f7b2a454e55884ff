"""Geometry: registration, ray casting, signed distances, meshes, contours."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn, randn64, unif


@program(lambda s, r: (randn64(r, s[0], 3), randn64(r, s[1], 3)), [(12, 12), (150, 160), (900, 900)], diff=(0, 1), x64=True)
def icp_point_cloud_step(source, target):
    """One step of iterative closest point: nearest neighbours, Kabsch alignment by a 3x3 SVD, residual after it."""
    d2 = jnp.sum((source[:, None] - target[None]) ** 2, -1)
    matched = target[jnp.argmin(d2, axis=1)]
    ps, pt = source.mean(0), matched.mean(0)
    H = (source - ps).T @ (matched - pt)
    U, _, Vt = jnp.linalg.svd(H)
    sign = jnp.sign(jnp.linalg.det(Vt.T @ U.T))
    R = Vt.T @ jnp.diag(jnp.array([1.0, 1.0, 1.0]).at[2].set(sign)) @ U.T
    moved = (source - ps) @ R.T + pt
    return jnp.mean(jnp.sum((moved - matched) ** 2, axis=1))


@program(lambda s, r: (unif(r, s[1], 3, lo=-0.8, hi=0.8), unif(r, s[1], lo=0.2, hi=0.4), unif(r, s[0], s[0])),
         [(6, 2), (32, 4), (160, 8)], diff=(0, 1))
def sdf_sphere_tracing(centers, radii, target):
    """Differentiable renderer: sphere tracing of a smooth union of balls, Lambert shading with jax.grad normals."""
    n = target.shape[0]

    def sdf(p):
        d = jnp.sqrt(jnp.sum((p - centers) ** 2, -1) + 1e-6) - radii
        return -0.1 * jax.nn.logsumexp(-d / 0.1)

    def pixel(uv):
        ro = jnp.array([0.0, 0.0, -3.0])
        rd = jnp.array([uv[0], uv[1], 1.8])
        rd = rd / jnp.linalg.norm(rd)
        t = lax.fori_loop(0, 12, lambda _, t: t + jnp.minimum(sdf(ro + t * rd), 0.5), 0.0)
        p = ro + t * rd
        normal = jax.grad(sdf)(p)
        light = jax.nn.relu(normal @ jnp.array([0.57, 0.57, -0.57]))
        hit = jax.nn.sigmoid(-20.0 * (sdf(p) - 0.05))
        return hit * (0.1 + light)

    axis = jnp.linspace(-1, 1, n)
    uv = jnp.stack(jnp.meshgrid(axis, axis), -1).reshape(-1, 2)
    img = jax.vmap(pixel)(uv).reshape(n, n)
    return jnp.mean((img - target) ** 2)


@program(lambda s, r: (randn(r, s[1], 3, 3, scale=0.6) + np.float32([0, 0, 3]), randn(r, s[0], 3, scale=0.1)),
         [(8, 4), (600, 40), (2000, 200)], diff=(0, 1))
def ray_triangle_depth(tri, origins):
    """Möller-Trumbore intersection of every ray with every triangle, softened to the nearest depth per ray."""
    n = origins.shape[0]
    ang = jnp.linspace(0, 6.0, n)
    dirs = jnp.stack([0.2 * jnp.cos(ang), 0.2 * jnp.sin(ang), jnp.ones(n)], -1)

    def hit(o, d, t):
        e1, e2 = t[1] - t[0], t[2] - t[0]
        h = jnp.cross(d, e2)
        a = e1 @ h
        ok = jnp.abs(a) > 1e-4
        f = 1.0 / jnp.where(ok, a, 1.0)
        s = o - t[0]
        u = f * (s @ h)
        q = jnp.cross(s, e1)
        v = f * (d @ q)
        dist = f * (e2 @ q)
        inside = ok & (u >= 0) & (v >= 0) & (u + v <= 1) & (dist > 1e-3)
        return jnp.where(inside, dist, 100.0)

    depth = jax.vmap(lambda o, d: jax.vmap(lambda t: hit(o, d, t))(tri))(origins, dirs)
    nearest = jnp.min(depth, axis=1)
    return jnp.mean(jnp.where(nearest < 100.0, jnp.log1p(nearest), 0.0)) + 1e-3 * jnp.mean(tri**2) + 1e-3 * jnp.mean(origins**2)


def _mesh(n, r):
    y, x = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    v = np.stack([x, y, r.normal(0, 0.2, (n, n))], -1).reshape(-1, 3).astype(np.float32)
    a = (np.arange(n - 1)[:, None] * n + np.arange(n - 1)[None]).ravel()
    f = np.concatenate([np.stack([a, a + 1, a + n], 1), np.stack([a + 1, a + n + 1, a + n], 1)]).astype(np.int32)
    return v, f, v + randn(r, n * n, 3, scale=0.05)


@program(_mesh, [4, 40, 180], diff=(0,))
def mesh_normal_smoothness(verts, faces, target):
    """Mesh fitting with area-weighted vertex normals and uniform Laplacian smoothing (PyTorch3D's losses, ported)."""
    tri = verts[faces]
    fn = jnp.cross(tri[:, 1] - tri[:, 0], tri[:, 2] - tri[:, 0])
    vn = jnp.zeros_like(verts)
    for k in range(3):
        vn = vn.at[faces[:, k]].add(fn)
    vn = vn / (jnp.linalg.norm(vn, axis=-1, keepdims=True) + 1e-8)
    src = faces[:, [0, 1, 2]].ravel()
    dst = faces[:, [1, 2, 0]].ravel()
    deg = jnp.zeros(verts.shape[0]).at[src].add(1.0)
    lap = jnp.zeros_like(verts).at[src].add(verts[dst]) / jnp.maximum(deg, 1.0)[:, None] - verts
    edge_cos = jnp.sum(vn[src] * vn[dst], -1)
    return jnp.mean((verts - target) ** 2) + 0.1 * jnp.mean(lap**2) + 0.01 * jnp.mean(1 - edge_cos)


@program(lambda s, r: (randn(r, *s, 3), randn(r, *s, 3)), [(1, 12), (2, 300), (4, 1200)], diff=(0, 1))
def chamfer_distance(a, b):
    """Symmetric Chamfer distance between batches of point clouds, as in point-cloud autoencoders."""

    def one(p, q):
        d = jnp.sum(p**2, -1)[:, None] + jnp.sum(q**2, -1)[None, :] - 2.0 * p @ q.T
        d = jnp.maximum(d, 1e-12)
        return jnp.sqrt(d.min(1)).mean() + jnp.sqrt(d.min(0)).mean()

    return jnp.mean(jax.vmap(one)(a, b))


@program(lambda s, r: (randn64(r, s, s), np.float64(0.1)), [6, 128, 600], diff=(0, 1), x64=True)
def marching_squares_length(field, level):
    """Total contour length by marching squares: case codes, a small edge table, linear interpolation on cell edges."""
    table = jnp.array([[-1, -1], [3, 0], [0, 1], [3, 1], [1, 2], [3, 2], [0, 2], [3, 2], [2, 3], [0, 2], [0, 1], [1, 2],
                       [1, 3], [0, 1], [0, 3], [-1, -1]])
    f = field - level
    v = jnp.stack([f[:-1, :-1], f[:-1, 1:], f[1:, 1:], f[1:, :-1]], axis=-1)
    code = jnp.sum((v > 0) * jnp.array([1, 2, 4, 8]), axis=-1)
    w = jnp.roll(v, -1, axis=-1)
    den = v - w
    t = jnp.clip(v / jnp.where(jnp.abs(den) < 1e-3, 1e-3, den), 0.0, 1.0)
    corner = jnp.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    step = jnp.roll(corner, -1, axis=0) - corner
    pts = corner + t[..., None] * step
    e = table[code]
    p, q = (jnp.take_along_axis(pts, jnp.maximum(e[..., k], 0)[..., None, None], axis=2)[..., 0, :] for k in (0, 1))
    length = jnp.sqrt(jnp.sum((p - q) ** 2, axis=-1) + 1e-12)
    return jnp.sum(jnp.where(e[..., 0] >= 0, length, 0.0)) / f.size
