"""Normalizing flows."""
import jax
import jax.numpy as jnp

from registry import dense, program, randn


def _rqs(s, r):
    n, d, h, k = s
    layer = lambda: {"l1": dense(r, d // 2, h), "l2": dense(r, h, (d // 2) * (3 * k - 1))}
    return {"first": layer(), "second": layer(), "shift": randn(r, d, scale=0.1), "log_scale": randn(r, d, scale=0.1)}, randn(r, n, d)


def _spline(x, raw, bound=3.0):
    k = (raw.shape[-1] + 1) // 3
    w = 1e-3 + (1 - 1e-3 * k) * jax.nn.softmax(raw[..., :k])
    h = 1e-3 + (1 - 1e-3 * k) * jax.nn.softmax(raw[..., k : 2 * k])
    edge = [(0, 0)] * (raw.ndim - 1)
    d = jnp.pad(1e-3 + jax.nn.softplus(raw[..., 2 * k :] + 0.54), [*edge, (1, 1)], constant_values=1.0)
    xs = jnp.pad(2 * bound * jnp.cumsum(w, -1), [*edge, (1, 0)]) - bound
    ys = jnp.pad(2 * bound * jnp.cumsum(h, -1), [*edge, (1, 0)]) - bound
    inside = jnp.abs(x) < bound
    xc = jnp.where(inside, x, 0.0)
    b = jnp.clip(jnp.sum(xc[..., None] >= xs, axis=-1) - 1, 0, k - 1)[..., None]
    at = lambda a, o=0: jnp.take_along_axis(a, b + o, axis=-1)[..., 0]
    x0, y0, d0, d1 = at(xs), at(ys), at(d), at(d, 1)
    wid, hei = at(xs, 1) - x0, at(ys, 1) - y0
    s, t = hei / wid, (xc - x0) / wid
    den = s + (d1 + d0 - 2 * s) * t * (1 - t)
    y = y0 + hei * (s * t**2 + d0 * t * (1 - t)) / den
    logd = 2 * jnp.log(s) + jnp.log(d1 * t**2 + 2 * s * t * (1 - t) + d0 * (1 - t) ** 2) - 2 * jnp.log(den)
    return jnp.where(inside, y, x), jnp.where(inside, logd, 0.0)


@program(_rqs, [(3, 2, 8, 4), (64, 4, 16, 6), (2048, 8, 64, 8)])
def rational_quadratic_spline_nll(params, x):
    """Neural spline flow: two coupling layers of rational-quadratic splines on halves, an affine layer, Gaussian base; NLL."""
    half = x.shape[1] // 2

    def coupling(p, keep, move):
        h = jax.nn.relu(keep @ p["l1"]["w"] + p["l1"]["b"])
        raw = (h @ p["l2"]["w"] + p["l2"]["b"]).reshape(*move.shape, -1)
        return _spline(move, raw)

    a, b = x[:, :half], x[:, half:]
    b, ld1 = coupling(params["first"], a, b)
    a, ld2 = coupling(params["second"], b, a)
    z = jnp.concatenate([a, b], axis=1) * jnp.exp(params["log_scale"]) + params["shift"]
    logdet = ld1.sum(1) + ld2.sum(1) + params["log_scale"].sum()
    return -jnp.mean(-0.5 * (z**2).sum(1) - 0.5 * x.shape[1] * jnp.log(2 * jnp.pi) + logdet)
