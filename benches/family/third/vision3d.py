"""Reconstruction from many views."""
import jax
import jax.numpy as jnp
import numpy as np

from registry import ints, program, randn64


def _ba(s, r):
    cams, points, obs = s
    cam = np.concatenate([r.normal(0, 0.2, (cams, 3)), r.normal(0, 0.3, (cams, 2)), r.normal(-6, 0.2, (cams, 1)), r.normal(500, 10, (cams, 1)),
                          r.normal(0, 0.02, (cams, 2))], 1)
    return cam, randn64(r, points, 3), ints(r, cams, obs), ints(r, points, obs), randn64(r, obs, 2, scale=60.0)


@program(_ba, [(2, 4, 8), (12, 200, 1500), (60, 4000, 40000)], diff=(0, 1), x64=True)
def bundle_adjustment_cost(cameras, points, cam_id, point_id, observed):
    """Bundle adjustment in the large: Rodrigues rotation, pinhole with two radial terms, Cauchy loss, a prior on the cameras."""

    def rotate(w, p):
        theta2 = jnp.sum(w**2)
        safe = jnp.where(theta2 > 1e-12, theta2, 1.0)
        theta = jnp.sqrt(safe)
        k = w / theta
        c, s = jnp.cos(theta), jnp.sin(theta)
        full = p * c + jnp.cross(k, p) * s + k * jnp.dot(k, p) * (1 - c)
        return jnp.where(theta2 > 1e-12, full, p + jnp.cross(w, p))

    def project(cam, p):
        q = rotate(cam[:3], p) + cam[3:6]
        u = -q[:2] / q[2]
        r2 = jnp.sum(u**2)
        return cam[6] * (1 + cam[7] * r2 + cam[8] * r2**2) * u

    err = jax.vmap(project)(cameras[cam_id], points[point_id]) - observed
    sq = jnp.sum(err**2, axis=1) / 100.0
    prior = jnp.sum(cameras[:, 7:] ** 2) + 1e-6 * jnp.sum((cameras[:, 6] - 500.0) ** 2)
    return jnp.mean(jnp.log1p(sq)) + prior / cameras.shape[0]
