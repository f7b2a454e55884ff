"""Retrieval for recommendation."""
import jax
import jax.numpy as jnp
import numpy as np

from registry import dense, ints, program, randn, unif


def _towers(s, r):
    users, items, batch, entries, dim = s
    params = {
        "history": randn(r, items, dim, scale=0.3), "user": randn(r, users, dim, scale=0.3), "item": randn(r, items, dim, scale=0.3),
        "user1": dense(r, 2 * dim, 2 * dim), "user2": dense(r, 2 * dim, dim), "item1": dense(r, dim, 2 * dim), "item2": dense(r, 2 * dim, dim),
        "log_temperature": np.float32(-1.0),
    }
    popularity = r.dirichlet(np.full(items, 0.5)).astype(np.float32) + 1e-6
    bag = np.sort(r.integers(0, batch, entries)).astype(np.int32)
    return params, ints(r, users, batch), ints(r, items, entries), bag, unif(r, entries), ints(r, items, batch), popularity


@program(_towers, [(10, 12, 4, 9, 4), (200, 300, 64, 500, 16), (5000, 4000, 768, 16000, 64)])
def two_tower_embedding_bag(params, user, bag_item, bag_row, bag_age, target, popularity):
    """Two towers with weighted bags of embeddings by segment sums; in-batch softmax corrected for popularity, accidental hits masked."""
    batch = user.shape[0]
    decay = jnp.exp(-2.0 * bag_age)
    total = jax.ops.segment_sum(decay[:, None] * params["history"][bag_item], bag_row, num_segments=batch)
    count = jax.ops.segment_sum(decay, bag_row, num_segments=batch)
    bag = total / jnp.maximum(count, 1e-3)[:, None]
    linear = lambda p, x: x @ p["w"] + p["b"]
    unit = lambda v: v / jnp.sqrt(jnp.sum(v * v, axis=1, keepdims=True) + 1e-6)
    left = jnp.concatenate([params["user"][user], bag], axis=1)
    left = unit(linear(params["user2"], jax.nn.gelu(linear(params["user1"], left))))
    right = unit(linear(params["item2"], jax.nn.gelu(linear(params["item1"], params["item"][target]))))
    logits = left @ right.T * jnp.exp(-params["log_temperature"]) - jnp.log(popularity[target])[None, :]
    same = (target[:, None] == target[None, :]) & ~jnp.eye(batch, dtype=bool)
    logits = jnp.where(same, -jnp.inf, logits)
    loss = jax.nn.logsumexp(logits, axis=1) - jnp.diagonal(logits)
    heavy = jnp.mean(jnp.sum(params["user"][user] ** 2, axis=1))
    return jnp.mean(loss) + 1e-3 * heavy
