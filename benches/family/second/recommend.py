"""Recommenders: click models, ranking losses for search results."""
import jax
import jax.numpy as jnp

from registry import dense, ints, program, randn


def _fm(s, r):
    n, f, v, k = s
    p = {"bias": randn(r, 1), "w": randn(r, v, scale=0.1), "v": randn(r, v, k, scale=0.2), "field": randn(r, f)}
    return p, ints(r, v, n, f), (r.random((n, f)) + 0.5).astype("float32"), ints(r, 2, n)


@program(_fm, [(4, 3, 20, 4), (128, 12, 2000, 8), (4096, 24, 50000, 16)])
def factorization_machine_ctr(params, index, value, click):
    """Factorization machine for click-through: embeddings by take, pairwise interactions by the square trick, L2 on what was used."""
    x = value * jax.nn.sigmoid(params["field"])
    emb = jnp.take(params["v"], index, axis=0)
    weighted = emb * x[..., None]
    pair = 0.5 * (weighted.sum(1) ** 2 - (weighted**2).sum(1)).sum(-1)
    first = jnp.sum(jnp.take(params["w"], index, axis=0) * x, axis=1)
    logit = params["bias"][0] + first + pair
    y = click.astype(jnp.float32)
    loss = jnp.maximum(logit, 0) - logit * y + jnp.log1p(jnp.exp(-jnp.abs(logit)))
    return loss.mean() + 1e-3 * (emb**2).sum((1, 2)).mean()


def _ndcg(s, r):
    q, d, f, h = s
    return ({"l1": dense(r, f, h), "out": randn(r, h, scale=h**-0.5)}, randn(r, q, d, f), ints(r, 5, q, d), ints(r, d + 1, q, lo=2))


@program(_ndcg, [(2, 4, 3, 8), (8, 24, 10, 16), (64, 100, 40, 64)])
def approx_ndcg_loss(params, features, grades, lengths):
    """ApproxNDCG for lists of unequal lengths: scores of a small net, smooth ranks by pairwise sigmoids, ideal gains by sorting."""
    h = jax.nn.relu(features @ params["l1"]["w"] + params["l1"]["b"])
    score = h @ params["out"]
    D = score.shape[1]
    mask = jnp.arange(D)[None, :] < lengths[:, None]

    def one(s, g, m):
        pair = jax.nn.sigmoid((s[None, :] - s[:, None]) / 0.1)
        pair = jnp.where(m[None, :] & ~jnp.eye(D, dtype=bool), pair, 0.0)
        rank = 1.0 + pair.sum(axis=1)
        gain = jnp.where(m, 2.0**g - 1.0, 0.0)
        ideal = -jnp.sort(-gain)
        idcg = jnp.sum(ideal / jnp.log2(jnp.arange(D) + 2.0))
        return jnp.where(idcg > 0, jnp.sum(gain / jnp.log2(1.0 + rank)) / jnp.maximum(idcg, 1e-6), 0.0)

    return 1.0 - jax.vmap(one)(score, grades, mask).mean()
