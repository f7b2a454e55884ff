import jax, jax.numpy as jnp


def layer(x, k):
    return jnp.tanh(jax.lax.conv_general_dilated(x, k, (1, 1), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW")))


def filtered(image, kernel):
    return jnp.sum(layer(image[None], kernel))


def filtered_by_hand(images, kernel):
    values, pullback = jax.vjp(lambda x: jnp.sum(layer(x, kernel), (1, 2, 3)), images)
    return values, pullback(jnp.ones_like(values))[0]


def histogram(labels, weights):
    return jnp.zeros(64, weights.dtype).at[labels].add(weights)


def histograms_by_hand(labels, weights):
    n = labels.shape[0]
    at = (labels + jnp.arange(n, dtype=labels.dtype)[:, None] * 64).ravel()
    return jnp.zeros(n * 64, weights.dtype).at[at].add(weights.ravel()).reshape(n, 64)


def power(x):
    z = jnp.fft.rfft(x)
    return z.real**2 + z.imag**2


def upper(a):
    return jnp.abs(jnp.linalg.qr(a)[1])


def branched(x):
    return jax.lax.cond(x > 0, lambda x: jnp.log(x + 1), lambda x: jnp.sin(x) * 0.5, x)


def branched_by_hand(x):
    return jnp.where(x > 0, jnp.log(jnp.where(x > 0, x, 0) + 1), jnp.sin(x) * 0.5)


def centred(row):
    return jnp.sum((row - jax.lax.pmean(row, "i")) ** 2)


def both(f):
    return {"f": jax.vmap(f), "hand": f}


FAMILIES = {
    "vmap_conv": {"vg": jax.vmap(jax.value_and_grad(filtered), (0, None)), "hand": filtered_by_hand},
    "vmap_scatter": {"f": jax.vmap(histogram), "hand": histograms_by_hand},
    "vmap_fft": both(power),
    "vmap_cholesky": both(jnp.linalg.cholesky),
    "vmap_qr": both(upper),
    "vmap_eigh": both(lambda a: jnp.linalg.eigh(a)[0]),
    "vmap_svd": both(lambda a: jnp.linalg.svd(a, full_matrices=False)[1]),
    "vmap_cond": {"f": jax.vmap(branched), "hand": branched_by_hand, "vg": jax.vmap(jax.grad(branched))},
    "vmap_random": {"f": jax.vmap(lambda seed: jnp.mean(jax.random.normal(jax.random.PRNGKey(seed), (64,), jnp.float32)))},
    "vmap_pmean": {
        "f": jax.vmap(centred, axis_name="i"),
        "hand": lambda x: jnp.sum((x - jnp.mean(x, 0)) ** 2, -1),
    },
}
