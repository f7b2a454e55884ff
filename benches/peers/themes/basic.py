import jax.numpy as jnp


def scalar(x):
    return jnp.sin(x * x) + jnp.exp(-x) * x


def rosenbrock(x):
    a, b = x[:-1], x[1:]
    return jnp.sum(100.0 * (b - a**2) ** 2 + (1.0 - a) ** 2)


def fused(x, a, b):
    return jnp.mean(jnp.tanh(a * x + b) * jnp.exp(-x * x) + jnp.log1p(x * x))


FAMILIES = {
    "call": {"f": lambda *xs: sum(xs, 1.0)},
    "scalar": {"f": scalar},
    "rosenbrock": {"f": rosenbrock},
    "fused": {"f": fused},
    "axpy": {"f": lambda a, x, y: a * x + y * y},
    "matmul": {"f": lambda a, b: a @ b},
    "layer": {"f": lambda x, w: x @ w.T},
    "quantized": {"f": lambda x, w: (x.astype("int32") - 3) @ w.astype("int32")},
}
