"""Speech recognition."""
import jax
import jax.numpy as jnp
from jax import lax

from registry import ints, program, randn


def _transducer(s, r):
    batch, frames, labels, dim, vocab = s
    return (randn(r, batch, frames, dim), randn(r, batch, labels + 1, dim), randn(r, dim, vocab, scale=dim**-0.5),
            ints(r, vocab, batch, labels, lo=1), ints(r, frames + 1, batch, lo=frames // 2 + 1), ints(r, labels + 1, batch, lo=labels // 2))


@program(_transducer, [(1, 5, 3, 4, 6), (2, 16, 6, 16, 20), (8, 80, 20, 48, 64)], diff=(0, 1, 2))
def rnn_transducer_loss(encoder, predictor, joint, labels, frame_count, label_count):
    """RNN-T loss: a joint network over frames and labels, then the lattice's forward recursion, a row at a time by a cumulative logsumexp."""

    def one(enc, pred, y, frames, count):
        hidden = jnp.tanh(enc[:, None, :] + pred[None, :, :])
        logp = jax.nn.log_softmax(jnp.einsum("tud,dv->tuv", hidden, joint), axis=-1)
        blank = logp[:, :, 0]
        emit = jnp.take_along_axis(logp[:, :-1, :], y[None, :, None], axis=2)[:, :, 0]
        # Within a row: a[u] = logaddexp(down[u], a[u - 1] + emit[u - 1]).
        path = jnp.pad(jnp.cumsum(emit, axis=1), ((0, 0), (1, 0)))

        def row(above, x):
            blank_above, path = x
            alpha = lax.cumlogsumexp(above + blank_above - path) + path
            return alpha, alpha

        first = path[0]
        _, rest = lax.scan(row, first, (blank[:-1], path[1:]))
        alpha = jnp.concatenate([first[None], rest])
        return -(alpha[frames - 1, count] + blank[frames - 1, count]) / (frames + count)

    return jnp.mean(jax.vmap(one)(encoder, predictor, labels, frame_count, label_count))
