import jax, jax.numpy as jnp


def cross_entropy(logits, labels):
    chosen = jnp.take_along_axis(logits, labels[:, None], 1)[:, 0]
    return jnp.mean(jax.nn.logsumexp(logits, 1) - chosen)


def dense(*args):
    *layers, x, labels = args
    weights, biases = layers[::2], layers[1::2]
    for w, b in zip(weights[:-1], biases[:-1]):
        x = jax.nn.relu(x @ w + b)
    return cross_entropy(x @ weights[-1] + biases[-1], labels)


def convolutional(k1, b1, k2, b2, w, b, x, labels):
    for k, bias in ((k1, b1), (k2, b2)):
        x = jax.lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = jax.nn.relu(x + bias)
        x = jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
    return cross_entropy(x.reshape(x.shape[0], -1) @ w + b, labels)


def convolved(stride):
    def f(x, k):
        y = jax.lax.conv_general_dilated(x, k, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        return jnp.mean(y * y)
    return f


FAMILIES = {
    "xent": {"f": cross_entropy},
    "digits": {"f": dense, "wrt": -2},
    "mlp": {"f": dense, "wrt": -2},
    "conv": {"f": convolutional, "wrt": -2},
    "conv_layer": {"f": convolved(1), "wrt": (0, 1)},
    "conv_stride": {"f": convolved(2), "wrt": (0, 1)},
}
