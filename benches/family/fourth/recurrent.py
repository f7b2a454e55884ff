"""Linear recurrent language models."""
import jax
import jax.numpy as jnp
from jax import lax

from registry import ints, program, randn, unif

TAPS = 4


def _delta(s, r):
    batch, length, heads, width, vocab = s
    dim = heads * width
    params = {
        "embed": randn(r, vocab, dim, scale=0.5), "norm": 1 + randn(r, dim, scale=0.1),
        "qkv": randn(r, dim, 3 * dim, scale=dim**-0.5), "taps": randn(r, TAPS, 1, 3 * dim, scale=0.5),
        "beta": randn(r, dim, heads, scale=dim**-0.5), "decay": randn(r, dim, heads, scale=dim**-0.5), "rate": unif(r, heads, lo=-2, hi=0),
        "gate": randn(r, dim, dim, scale=dim**-0.5), "out": randn(r, dim, dim, scale=dim**-0.5),
    }
    return params, ints(r, vocab, batch, length + 1)


@program(_delta, [(1, 4, 1, 4, 11), (2, 24, 2, 8, 50), (4, 64, 4, 16, 256)])
def gated_delta_rule_loss(params, tokens):
    """Next-token loss of a gated delta-rule layer: a causal depthwise convolution, then a matrix state that is decayed and corrected at each step."""
    x = params["embed"][tokens[:, :-1]]
    batch, length, dim = x.shape
    heads = params["rate"].shape[0]
    rms = lambda v: v * lax.rsqrt(jnp.mean(v * v, axis=-1, keepdims=True) + 1e-6)
    unit = lambda v: v * lax.rsqrt(jnp.sum(v * v, axis=-1, keepdims=True) + 1e-6)
    h = rms(x) * params["norm"]
    qkv = lax.conv_general_dilated(h @ params["qkv"], params["taps"], (1,), [(TAPS - 1, 0)], dimension_numbers=("NWC", "WIO", "NWC"),
                                   feature_group_count=3 * dim)
    q, k, v = jnp.split(jax.nn.silu(qkv).reshape(batch, length, 3 * heads, dim // heads), 3, axis=2)
    beta = jax.nn.sigmoid(h @ params["beta"])
    decay = jnp.exp(-jnp.exp(params["rate"]) * jax.nn.softplus(h @ params["decay"]))

    def step(state, z):
        q, k, v, beta, decay = z
        state = state * decay[..., None, None]
        error = v - jnp.einsum("bhkv,bhk->bhv", state, k)
        state = state + jnp.einsum("bhk,bhv->bhkv", k, beta[..., None] * error)
        return state, jnp.einsum("bhkv,bhk->bhv", state, q)

    steps = jax.tree.map(lambda a: jnp.moveaxis(a, 1, 0), (unit(q), unit(k), v, beta, decay))
    _, y = lax.scan(step, jnp.zeros((batch, heads, dim // heads, dim // heads)), steps)
    y = rms(jnp.moveaxis(y, 0, 1)).reshape(batch, length, dim) * jax.nn.silu(h @ params["gate"])
    logits = rms(x + y @ params["out"]) @ params["embed"].T
    picked = jnp.take_along_axis(logits, tokens[:, 1:, None], axis=-1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(logits, axis=-1) - picked)
