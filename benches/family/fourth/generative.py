"""Generative models of images."""
import jax
import jax.numpy as jnp
from jax import lax

from registry import program, randn


def _vq(s, r):
    batch, side, ch, codes = s

    def conv(k, i, o):
        return {"w": randn(r, k, k, i, o, scale=(k * k * i) ** -0.5), "b": randn(r, o, scale=0.1)}

    params = {
        "down1": conv(4, 3, ch), "down2": conv(4, ch, ch), "res1": conv(3, ch, ch), "res2": conv(1, ch, ch),
        "in": conv(3, ch, ch), "up1": conv(4, ch, ch), "up2": conv(4, ch, 3),
    }
    return params, randn(r, codes, ch, scale=0.5), randn(r, batch, side, side, 3)


@program(_vq, [(1, 8, 4, 8), (2, 16, 16, 64), (8, 48, 32, 256)], diff=(0, 1))
def vector_quantized_autoencoder_loss(params, codebook, images):
    """A VQ-VAE: strided convolutions, nearest codes with a straight-through gradient, transposed convolutions; three losses and code usage."""
    nhwc = ("NHWC", "HWIO", "NHWC")

    def conv(p, x, stride=1):
        return lax.conv_general_dilated(x, p["w"], (stride, stride), "SAME", dimension_numbers=nhwc) + p["b"]

    def up(p, x):
        return lax.conv_transpose(x, p["w"], (2, 2), "SAME", dimension_numbers=nhwc) + p["b"]

    x = jax.nn.relu(conv(params["down1"], images, 2))
    x = jax.nn.relu(conv(params["down2"], x, 2))
    z = x + conv(params["res2"], jax.nn.relu(conv(params["res1"], x)))

    flat = z.reshape(-1, z.shape[-1])
    dist = jnp.sum(flat**2, axis=1, keepdims=True) - 2 * flat @ codebook.T + jnp.sum(codebook**2, axis=1)
    code = jnp.argmin(dist, axis=1)
    chosen = jnp.take(codebook, code, axis=0)
    codebook_loss = jnp.mean((chosen - lax.stop_gradient(flat)) ** 2)
    commitment = jnp.mean((lax.stop_gradient(chosen) - flat) ** 2)
    through = (flat + lax.stop_gradient(chosen - flat)).reshape(z.shape)

    y = jax.nn.relu(conv(params["in"], through))
    y = jnp.tanh(up(params["up2"], jax.nn.relu(up(params["up1"], y))))
    # Soft usage of the codes, to keep them from dying.
    usage = jnp.mean(jax.nn.softmax(-dist, axis=1), axis=0)
    entropy = -jnp.sum(usage * jnp.log(usage + 1e-8))
    return jnp.mean((y - images) ** 2) + codebook_loss + 0.25 * commitment - 0.01 * entropy
