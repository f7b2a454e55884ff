"""Writes nn.txt: activations of jax.nn with two derivatives, and other functions of jax.nn with gradients. ../nn.rs has the same ones."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import nn

jax.config.update("jax_enable_x64", True)
points = jnp.array([-np.inf, -800.0, -7.0, -3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 3.0, 6.0, 7.0, 800.0, np.inf, np.nan])
activations = {
    "relu": nn.relu,
    "relu6": nn.relu6,
    "leaky_relu": lambda x: nn.leaky_relu(x, 0.1),
    "elu": lambda x: nn.elu(x, 1.5),
    "selu": nn.selu,
    "celu": lambda x: nn.celu(x, 1.5),
    "gelu_approximate": lambda x: nn.gelu(x, True),
    "gelu_exact": lambda x: nn.gelu(x, False),
    "sigmoid": nn.sigmoid,
    "silu": nn.silu,
    "softplus": nn.softplus,
    "log_sigmoid": nn.log_sigmoid,
    "soft_sign": nn.soft_sign,
    "mish": nn.mish,
    "hard_tanh": nn.hard_tanh,
    "hard_sigmoid": nn.hard_sigmoid,
    "hard_silu": nn.hard_silu,
    "squareplus": nn.squareplus,
    "sparse_plus": nn.sparse_plus,
}

x = jnp.sin(jnp.arange(24.0)).reshape(2, 3, 4)
q = jnp.sin(jnp.arange(2 * 3 * 4 * 2.0)).reshape(2, 3, 4, 2)
k = jnp.cos(jnp.arange(2 * 5 * 2 * 2.0)).reshape(2, 5, 2, 2)
v = jnp.sin(0.5 * jnp.arange(2 * 5 * 2 * 2.0)).reshape(2, 5, 2, 2)
mask = (jnp.arange(15) % 4 != 1).reshape(1, 1, 3, 5)
bias = jnp.cos(jnp.arange(60.0)).reshape(1, 4, 3, 5)
labels = jnp.array([[0, 3, 1], [2, -1, 0]])


def integer_cross_entropy(logits):
    picked = jnp.take_along_axis(logits, labels[..., None], -1)[..., 0]
    return nn.logsumexp(logits, -1) - picked


def huber(p):
    e = jnp.abs(p - 0.25)
    s = jnp.minimum(e, 0.6)
    return 0.5 * s**2 + 0.6 * (e - s)


functions = {
    "softmax": (x, lambda x: nn.softmax(x, 1)),
    "log_softmax": (x, lambda x: nn.log_softmax(x, -1)),
    "logsumexp": (x, lambda x: nn.logsumexp(x, (0, 2))),
    "standardize": (x, lambda x: nn.standardize(x, (0, 2))),
    "layer_norm": (x, lambda x: nn.standardize(x) * jnp.arange(4.0) + 1),
    "rms_norm": (x, lambda x: x / jnp.sqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5) * jnp.arange(4.0)),
    "glu": (x, lambda x: nn.glu(x, -1)),
    "attention": (q, lambda q: nn.dot_product_attention(q, k, v, scale=0.9)),
    "attention_masked": (q, lambda q: nn.dot_product_attention(q, k, v, bias=bias, mask=mask)),
    "attention_causal": (k, lambda k: nn.dot_product_attention(q, k, v, is_causal=True)),
    "integer_cross_entropy": (x, integer_cross_entropy),
    "cross_entropy": (x, lambda x: -(nn.softmax(2 * jnp.cos(x + jnp.arange(4.0)), -1) * nn.log_softmax(x, -1)).sum(-1)),
    "binary_cross_entropy": (x, lambda x: -0.3 * nn.log_sigmoid(x) - 0.7 * nn.log_sigmoid(-x)),
    "huber": (x, huber),
    "log_cosh": (x, lambda x: jnp.logaddexp(x - 0.1, 0.1 - x) - jnp.log(2.0)),
}


def numbers(a):
    return " ".join(repr(float(v)) for v in np.asarray(a).ravel())


with open("nn.txt", "w") as out:
    for name, f in activations.items():
        d = jax.vmap(jax.grad(f))
        dd = jax.vmap(jax.grad(jax.grad(f)))
        print(f"{name} | {numbers(f(points))} | {numbers(d(points))} | {numbers(dd(points))}", file=out)
    for name, (at, f) in functions.items():
        weighted = lambda a: (f(a) * jnp.cos(jnp.arange(f(a).size)).reshape(f(a).shape)).sum()
        print(f"{name} | {numbers(f(at))} | {numbers(jax.grad(weighted)(at))}", file=out)
    for name in ["glorot_uniform", "glorot_normal", "lecun_uniform", "lecun_normal", "he_uniform", "he_normal"]:
        init = getattr(nn.initializers, name)()
        print(f"{name} | {numbers(init(jax.random.PRNGKey(7), (2, 3, 4), jnp.float32))} | ", file=out)
