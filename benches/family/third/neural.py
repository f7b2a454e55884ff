"""Neural networks: a diffusion model, an equilibrium model, a physics-informed network."""
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

from registry import dense, ints, key, program, randn, unif


def _ddpm(s, r):
    batch, side, ch = s
    conv = lambda i, o: {"w": randn(r, 3, 3, i, o, scale=(9 * i) ** -0.5), "b": randn(r, o, scale=0.1)}
    block = lambda i, o: {"c1": conv(i, o), "c2": conv(o, o), "t": dense(r, 2 * ch, o), "g": np.ones(o, np.float32)}
    p = {"t1": dense(r, 2 * ch, 2 * ch), "in": conv(3, ch), "down": block(ch, ch), "mid": block(ch, 2 * ch), "up": block(3 * ch, ch),
         "out": conv(ch, 3)}
    return p, unif(r, batch, side, side, 3, lo=-1, hi=1), key(r)


@program(_ddpm, [(1, 4, 4), (2, 8, 8), (8, 32, 12)])
def ddpm_noise_prediction(params, images, rng_key):
    """The loss of a denoising diffusion model: random times, cosine schedule, a small U-Net with group norm and time embedding."""
    ch = params["in"]["b"].shape[0]
    k_t, k_eps = random.split(rng_key)
    t = random.uniform(k_t, (images.shape[0],))
    signal = jnp.cos(0.5 * jnp.pi * (0.008 + 0.98 * t))[:, None, None, None]
    eps = random.normal(k_eps, images.shape)
    noisy = signal * images + jnp.sqrt(1 - signal**2) * eps

    def conv(p, x):
        return lax.conv_general_dilated(x, p["w"], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")) + p["b"]

    def group_norm(x, g, groups=2):
        b, h, w, c = x.shape
        y = x.reshape(b, h, w, groups, c // groups)
        mean = y.mean(axis=(1, 2, 4), keepdims=True)
        var = y.var(axis=(1, 2, 4), keepdims=True)
        return ((y - mean) * lax.rsqrt(var + 1e-5)).reshape(x.shape) * g

    def block(p, x, emb):
        h = conv(p["c1"], x) + (emb @ p["t"]["w"] + p["t"]["b"])[:, None, None, :]
        return conv(p["c2"], jax.nn.silu(group_norm(h, p["g"])))

    freq = jnp.exp(-jnp.arange(ch) * (4.0 / ch))
    arg = 100.0 * t[:, None] * freq[None, :]
    emb = jnp.concatenate([jnp.sin(arg), jnp.cos(arg)], axis=-1)
    emb = jax.nn.silu(emb @ params["t1"]["w"] + params["t1"]["b"])
    x = conv(params["in"], noisy)
    skip = x + block(params["down"], x, emb)
    low = lax.reduce_window(skip, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
    low = block(params["mid"], low, emb)
    high = jax.image.resize(low, (low.shape[0], 2 * low.shape[1], 2 * low.shape[2], low.shape[3]), "bilinear")
    x = block(params["up"], jnp.concatenate([high, skip], axis=-1), emb)
    return jnp.mean((conv(params["out"], jax.nn.silu(x)) - eps) ** 2)


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def fixed_point(f, params, x):
    def body(state):
        _, z, it = state
        return z, f(params, x, z), it + 1

    z0 = f(params, x, jnp.zeros((x.shape[0], params["w"].shape[0])))
    _, z, _ = lax.while_loop(lambda st: (jnp.max(jnp.abs(st[0] - st[1])) > 1e-5) & (st[2] < 60), body, (jnp.full_like(z0, 9.0), z0, 0))
    return z


def _fixed_fwd(f, params, x):
    z = fixed_point(f, params, x)
    return z, (params, x, z)


def _fixed_bwd(f, res, g):
    params, x, z = res
    _, vjp_z = jax.vjp(lambda z: f(params, x, z), z)

    def body(state):
        _, u, it = state
        return u, g + vjp_z(u)[0], it + 1

    _, u, _ = lax.while_loop(lambda st: (jnp.linalg.norm(st[0] - st[1]) > 1e-6 * jnp.linalg.norm(g)) & (st[2] < 60), body, (jnp.zeros_like(g), g, 0))
    _, vjp = jax.vjp(lambda p, x: f(p, x, z), params, x)
    return vjp(u)


fixed_point.defvjp(_fixed_fwd, _fixed_bwd)


def _deq(s, r):
    batch, n_in, width, classes = s
    p = {"w": randn(r, width, width, scale=0.3 * width**-0.5), "u": dense(r, n_in, width), "head": dense(r, width, classes)}
    return p, randn(r, batch, n_in), ints(r, classes, batch)


@program(_deq, [(1, 3, 6, 3), (24, 16, 32, 5), (512, 96, 256, 10)])
def deep_equilibrium_loss(params, x, labels):
    """A deep equilibrium classifier: a layer iterated to its fixed point, with the gradient by the implicit function theorem."""

    def cell(p, x, z):
        return jnp.tanh(z @ p["w"] + x @ p["u"]["w"] + p["u"]["b"])

    z = fixed_point(cell, {"w": params["w"], "u": params["u"]}, x)
    logits = z @ params["head"]["w"] + params["head"]["b"]
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1)) + 1e-4 * jnp.sum(params["w"] ** 2)


def _pinn(s, r):
    inside, edge, width = s
    layers = [dense(r, 2, width), dense(r, width, width), dense(r, width, width), dense(r, width, 1)]
    return layers, np.float32(-4.0), unif(r, inside, 2, lo=-1, hi=1) * np.float32([0.5, 1]) + np.float32([0.5, 0]), unif(r, edge, lo=-1, hi=1)


@program(_pinn, [(2, 2, 4), (60, 20, 16), (5000, 500, 40)], diff=(0, 1))
def pinn_burgers_residual(layers, log_nu, collocation, edge):
    """A physics-informed network for Burgers' equation: first and second derivatives by nested grad, initial and boundary terms."""

    def u(t, x):
        h = jnp.stack([t, x])
        for p in layers[:-1]:
            h = jnp.tanh(h @ p["w"] + p["b"])
        return (h @ layers[-1]["w"] + layers[-1]["b"])[0]

    def residual(tx):
        t, x = tx
        u_t, u_x = jax.grad(u, argnums=(0, 1))(t, x)
        u_xx = jax.grad(jax.grad(u, argnums=1), argnums=1)(t, x)
        return u_t + u(t, x) * u_x - jnp.exp(log_nu) * u_xx

    inner = jnp.mean(jax.vmap(residual)(collocation) ** 2)
    start = jnp.mean((jax.vmap(u, in_axes=(None, 0))(0.0, edge) + jnp.sin(jnp.pi * edge)) ** 2)
    walls = jnp.mean(jax.vmap(lambda s: u(jnp.abs(s), -1.0) ** 2 + u(jnp.abs(s), 1.0) ** 2)(edge))
    return inner + 10.0 * start + walls
