"""Geostatistics and interpolation by splines."""
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn, unif


def _krig(s, r):
    n, m = s
    return (np.array([0.1, -1.0, -2.0, 0.2], np.float32), unif(r, n, 2), randn(r, n), unif(r, m, 2), randn(r, m))


@program(_krig, [(8, 4), (40, 16), (400, 200)])
def ordinary_kriging_nll(params, sites, z, targets, truth):
    """Ordinary kriging with an anisotropic spherical-exponential covariance: bordered system, predictions, variances, NLL."""
    sill, length, nugget = jnp.exp(params[0]), jnp.exp(params[1]), jnp.exp(params[2])
    rot = jnp.stack([jnp.stack([jnp.cos(params[3]), jnp.sin(params[3])]), 2 * jnp.stack([-jnp.sin(params[3]), jnp.cos(params[3])])])

    def cov(p, q):
        d = (p[:, None, :] - q[None, :, :]) @ rot.T
        h = jnp.sqrt(jnp.sum(d**2, -1) + 1e-8) / length
        sph = jnp.where(h < 1, 1 - 1.5 * h + 0.5 * h**3, 0.0)
        return sill * (0.5 * sph + 0.5 * jnp.exp(-3 * h))

    n, m = sites.shape[0], targets.shape[0]
    K = cov(sites, sites) + nugget * jnp.eye(n)
    ones = jnp.ones((n, 1))
    system = jnp.block([[K, ones], [ones.T, jnp.zeros((1, 1))]])
    k0 = jnp.concatenate([cov(sites, targets), jnp.ones((1, m))])
    w = jnp.linalg.solve(system, k0)
    mean = w[:n].T @ z
    var = sill + nugget - jnp.sum(w * k0, axis=0)
    return 0.5 * jnp.mean((truth - mean) ** 2 / var + jnp.log(var))


def _spl(s, r):
    n, m, c = s
    t = np.cumsum(r.uniform(0.5, 1.5, n)).astype(np.float32)
    return randn(r, n, c), t, np.sort(unif(r, m, lo=t[0], hi=t[-1])), randn(r, m, c)


@program(_spl, [(6, 8, 1), (80, 400, 3), (500, 20000, 8)])
def natural_cubic_spline_fit(values, knots, at, observed):
    """Natural cubic spline through free knot values: tridiagonal solve by two scans, evaluation by searchsorted, bending energy."""
    h = jnp.diff(knots)
    slope = jnp.diff(values, axis=0) / h[:, None]
    rhs = 6 * jnp.diff(slope, axis=0)
    diag = 2 * (h[:-1] + h[1:])
    off = h[1:-1]

    def down(c, x):
        cp, dp = c
        b, a, up, d = x
        den = b - a * cp
        new = (up / den, (d - a * dp) / den)
        return new, new

    lower = jnp.concatenate([jnp.zeros(1), off])
    upper = jnp.concatenate([off, jnp.zeros(1)])
    zero = jnp.zeros(values.shape[1])
    _, (cp, dp) = lax.scan(down, (jnp.float32(0.0), zero), (diag, lower, upper, rhs))

    def up(x, cd):
        x = cd[1] - cd[0] * x
        return x, x

    _, inner = lax.scan(up, zero, (cp, dp), reverse=True)
    m2 = jnp.pad(inner, ((1, 1), (0, 0)))
    i = jnp.clip(jnp.searchsorted(knots, at, side="right") - 1, 0, h.shape[0] - 1)
    u, v, w = (knots[i + 1] - at)[:, None], (at - knots[i])[:, None], h[i][:, None]
    y = (m2[i] * u**3 + m2[i + 1] * v**3) / (6 * w) + (values[i] / w - m2[i] * w / 6) * u + (values[i + 1] / w - m2[i + 1] * w / 6) * v
    bending = jnp.sum(h[:, None] * (m2[:-1] ** 2 + m2[:-1] * m2[1:] + m2[1:] ** 2)) / 3
    return jnp.mean((y - observed) ** 2) + 1e-3 * bending
