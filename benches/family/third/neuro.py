"""Spiking neurons."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from registry import dense, ints, program, randn


@jax.custom_vjp
def spike(v):
    return (v > 0).astype(v.dtype)


spike.defvjp(lambda v: (spike(v), v), lambda v, g: (g / (1.0 + 10.0 * jnp.abs(v)) ** 2,))


def _snn(s, r):
    steps, batch, n_in, hidden, classes = s
    p = {"in": randn(r, n_in, hidden, scale=1.6 * n_in**-0.5), "rec": randn(r, hidden, hidden, scale=0.5 * hidden**-0.5), "out": dense(r, hidden, classes),
         "tau": randn(r, hidden, scale=0.3) + 2}
    return p, (r.random((steps, batch, n_in)) < 0.3).astype(np.uint8), ints(r, classes, batch)


@program(_snn, [(5, 1, 6, 6, 2), (30, 8, 16, 24, 4), (120, 64, 96, 160, 10)])
def spiking_surrogate_loss(params, spikes, labels):
    """A recurrent network of adaptive integrate-and-fire cells trained with a surrogate gradient; leaky readout, rate regulariser."""
    decay = jax.nn.sigmoid(params["tau"])
    batch, hidden = spikes.shape[1], decay.shape[0]

    def tick(state, x):
        v, a, z, y = state
        current = x.astype(jnp.float32) @ params["in"] + z @ params["rec"]
        v = decay * v + (1 - decay) * 4.0 * current - z
        z = spike(v - 1.0 - 0.2 * a)
        a = 0.95 * a + z
        y = 0.9 * y + z @ params["out"]["w"] + params["out"]["b"]
        return (v, a, z, y), (z.mean(), y)

    zero = jnp.zeros((batch, hidden))
    _, (rate, ys) = lax.scan(tick, (zero, zero, zero, jnp.zeros((batch, params["out"]["b"].shape[0]))), spikes)
    logits = ys.max(axis=0)
    nll = -jnp.mean(jnp.sum(jax.nn.one_hot(labels, logits.shape[1]) * jax.nn.log_softmax(logits), axis=1))
    return nll + 2.0 * (rate.mean() - 0.1) ** 2
