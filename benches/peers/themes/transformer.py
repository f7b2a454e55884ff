import jax, jax.numpy as jnp

HEADS = 4


def norm(x, scale, shift):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-5) * scale + shift


def block(x, g1, b1, wqkv, bqkv, wo, bo, g2, b2, w1, c1, w2, c2):
    batch, time, d = x.shape
    heads = lambda t: t.reshape(batch, time, HEADS, d // HEADS).transpose(0, 2, 1, 3)
    q, k, v = map(heads, jnp.split(norm(x, g1, b1) @ wqkv + bqkv, 3, -1))
    scores = q @ k.transpose(0, 1, 3, 2) / (d // HEADS) ** 0.5
    weights = jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((time, time), bool)), scores, -1e9), -1)
    x = x + (weights @ v).transpose(0, 2, 1, 3).reshape(batch, time, d) @ wo + bo
    return x + jax.nn.gelu(norm(x, g2, b2) @ w1 + c1) @ w2 + c2


def unrolled(*args):
    *leaves, x = args
    for k in range(0, len(leaves), 12):
        x = block(x, *leaves[k : k + 12])
    return jnp.mean(x**2)


def scanned(*args):
    *leaves, x = args
    return jnp.mean(jax.lax.scan(lambda x, leaves: (block(x, *leaves), None), x, leaves)[0] ** 2)


FAMILIES = {
    "transformer": {"f": unrolled, "wrt": -1},
    "layers_unrolled": {"f": unrolled, "wrt": -1},
    "layers_scanned": {"f": scanned, "wrt": -1},
}
