"""Decoding of language models."""
import jax
import jax.numpy as jnp
from jax import random

from registry import ints, key, program, randn, unif


def _speculate(s, r):
    batch, draft, vocab, history = s
    target = randn(r, batch, draft + 1, vocab, scale=2.0)
    guess = target[:, :-1] + randn(r, batch, draft, vocab, scale=0.7)
    return guess, target, ints(r, vocab, batch, history), unif(r, batch, lo=0.6, hi=1.2), unif(r, batch, lo=0.7, hi=0.95), key(r)


@program(_speculate, [(1, 1, 16, 4), (2, 3, 150, 32), (4, 4, 2000, 128)], diff=())
def speculative_nucleus_sampling(draft_logits, target_logits, history, temperature, top_p, rng):
    """A round of speculative decoding: repetition penalty, nucleus filter by a sort, drafted tokens accepted or resampled from what is left over."""
    batch, draft, vocab = draft_logits.shape

    def nucleus(logits, seen, temperature, top_p):
        used = jnp.zeros(vocab, bool).at[seen].set(True)
        logits = jnp.where(used, jnp.where(logits > 0, logits / 1.3, logits * 1.3), logits) / temperature
        order = jnp.argsort(-logits)
        p = jax.nn.softmax(logits[order])
        keep_sorted = jnp.cumsum(p) - p < top_p
        keep = jnp.zeros(vocab, bool).at[order].set(keep_sorted)
        return jnp.where(keep, logits, -jnp.inf), jnp.sum(keep)

    def row(guess, target, seen, temperature, top_p, rng):
        draw, accept, fix = random.split(rng, 3)
        many = jax.vmap(nucleus, (0, None, None, None))
        q_logits, _ = many(guess, seen, temperature, top_p)
        p_logits, kept = many(target, seen, temperature, top_p)
        token = random.categorical(draw, q_logits, axis=-1)
        q, p = jax.nn.softmax(q_logits), jax.nn.softmax(p_logits)
        at = jnp.arange(draft)
        good = random.uniform(accept, (draft,)) * q[at, token] < p[at, token]
        count = jnp.sum(jnp.cumprod(good.astype(jnp.int32)))
        left = jnp.maximum(p[:-1] - q, 0.0)
        left = jnp.concatenate([left, p[-1:]])[count]
        last = random.categorical(fix, jnp.log(left / jnp.maximum(jnp.sum(left), 1e-9)))
        out = jnp.where(at < count, token, -1)
        out = jnp.concatenate([out, jnp.array([-1])]).at[count].set(last)
        return out, count, kept

    return jax.vmap(row)(draft_logits, target_logits, history, temperature, top_p, random.split(rng, batch))
