"""Tracking of manoeuvring targets."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import program, randn64, unif64


def _bearings(s, r):
    targets, steps, sensors = s
    start = np.concatenate([randn64(r, targets, 2, scale=0.5), 0.3 + randn64(r, targets, 2, scale=0.1), randn64(r, targets, 1, scale=0.05)], axis=1)
    station = 6 * np.stack([np.cos(np.arange(sensors) * 2.4), np.sin(np.arange(sensors) * 2.4)], axis=1)
    t = np.arange(1, steps + 1)[None, :, None]
    true = start[:, None, :2] + 0.2 * t * start[:, None, 2:4]
    d = true[:, :, None, :] - station
    bearing = np.arctan2(d[..., 1], d[..., 0]) + 0.03 * r.standard_normal((targets, steps, sensors))
    log_noise = np.array([-3.0, -4.0, -3.0]) + 0.1 * randn64(r, 3)
    return start, log_noise, station, bearing, unif64(r, steps, lo=0.15, hi=0.25)


@program(_bearings, [(1, 2, 2), (4, 10, 3), (32, 40, 3)], diff=(0, 1, 2), x64=True)
def unscented_bearings_nll(start, log_noise, station, bearing, dt):
    """An unscented Kalman filter with coordinated turns and bearings from several stations: sigma points by Cholesky, angles wrapped, likelihood."""
    n = 5
    spread = 1.0
    weight = jnp.concatenate([jnp.array([spread / (n + spread)]), jnp.full(2 * n, 0.5 / (n + spread))])
    process, turn, noise = jnp.exp(log_noise)
    wrap = lambda a: jnp.arctan2(jnp.sin(a), jnp.cos(a))

    def move(x, dt):
        px, py, vx, vy, w = x
        wd = w * dt
        small = jnp.abs(wd) < 1e-4
        safe = jnp.where(small, 1.0, wd)
        a = jnp.where(small, 1.0 - wd**2 / 6, jnp.sin(safe) / safe)
        b = jnp.where(small, 0.5 * wd, (1 - jnp.cos(safe)) / safe)
        c, s = jnp.cos(wd), jnp.sin(wd)
        return jnp.array([px + dt * (a * vx - b * vy), py + dt * (b * vx + a * vy), c * vx - s * vy, s * vx + c * vy, w])

    def see(x):
        d = x[:2] - station
        return jnp.arctan2(d[:, 1], d[:, 0])

    def sigma(m, p):
        root = jnp.linalg.cholesky(0.5 * (p + p.T) + 1e-9 * jnp.eye(n)) * jnp.sqrt(n + spread)
        return jnp.concatenate([m[None], m + root.T, m - root.T])

    def one(m, seen):
        def step(carry, z):
            m, p = carry
            dt, y = z
            noise_in = jnp.diag(jnp.array([dt**3 / 3, dt**3 / 3, dt, dt, 0.0]) * process + jnp.array([0.0, 0, 0, 0, 1]) * dt * turn)
            x = jax.vmap(move, (0, None))(sigma(m, p), dt)
            m = weight @ x
            d = x - m
            p = jnp.einsum("s,si,sj->ij", weight, d, d) + noise_in
            x = sigma(m, p)
            h = jax.vmap(see)(x)
            centre = h[0] + weight @ wrap(h - h[0])
            e = wrap(h - centre)
            s = jnp.einsum("s,si,sj->ij", weight, e, e) + noise**2 * jnp.eye(y.shape[0]) * 4
            cross = jnp.einsum("s,si,sj->ij", weight, x - m, e)
            gap = wrap(y - centre)
            root = jnp.linalg.cholesky(s)
            gain = jax.scipy.linalg.cho_solve((root, True), cross.T).T
            white = jax.scipy.linalg.solve_triangular(root, gap, lower=True)
            nll = 0.5 * white @ white + jnp.sum(jnp.log(jnp.diag(root)))
            return (m + gain @ gap, p - gain @ s @ gain.T), nll

        first = jnp.diag(jnp.array([0.3, 0.3, 0.1, 0.1, 0.02]))
        _, nll = lax.scan(step, (m, first), (dt, seen))
        return jnp.mean(nll)

    return jnp.mean(jax.vmap(one)(start, bearing))
