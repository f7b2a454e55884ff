"""Topic models."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, random

from registry import ints, key, program, unif


def _lda(s, r):
    tokens, docs, vocab, topics = s
    d = np.sort(r.integers(0, docs, tokens)).astype(np.int32)
    return (key(r), (vocab * r.random(tokens) ** 2).astype(np.int32), d, ints(r, topics, tokens), unif(r, topics, lo=0.1, hi=0.5),
            unif(r, vocab, lo=0.01, hi=0.05), np.bincount(d, minlength=docs).astype(np.int32))


@program(_lda, [(2, 2, 5, 3), (80, 8, 40, 6), (3000, 60, 500, 20)], diff=())
def lda_collapsed_gibbs(rng_key, words, docs, z, alpha, beta, doc_length):
    """One sweep of collapsed Gibbs sampling for latent Dirichlet allocation: counts updated token by token; perplexity at the end."""
    topics, vocab, n_docs = alpha.shape[0], beta.shape[0], doc_length.shape[0]
    ndk = jnp.zeros((n_docs, topics), jnp.int32).at[docs, z].add(1)
    nkw = jnp.zeros((topics, vocab), jnp.int32).at[z, words].add(1)
    nk = jnp.bincount(z, length=topics)
    beta_sum = beta.sum()

    def resample(counts, inp):
        ndk, nkw, nk = counts
        w, d, old, k = inp
        ndk, nkw, nk = ndk.at[d, old].add(-1), nkw.at[old, w].add(-1), nk.at[old].add(-1)
        logits = jnp.log(ndk[d] + alpha) + jnp.log(nkw[:, w] + beta[w]) - jnp.log(nk + beta_sum)
        new = random.categorical(k, logits)
        return (ndk.at[d, new].add(1), nkw.at[new, w].add(1), nk.at[new].add(1)), new

    (ndk, nkw, nk), z = lax.scan(resample, (ndk, nkw, nk), (words, docs, z, random.split(rng_key, words.shape[0])))
    theta = (ndk + alpha) / (doc_length[:, None] + alpha.sum())
    phi = (nkw + beta) / (nk[:, None] + beta_sum)
    logp = jnp.log(jnp.sum(theta[docs] * phi[:, words].T, axis=1))
    return z, ndk, nk, jnp.exp(-logp.mean())
