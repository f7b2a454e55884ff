"""Language models: attention, transformer blocks, embeddings, decoding, counting."""
import functools

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

from registry import dense, ints, program, randn, unif


def _attn(s, r):
    t, d, h = s
    w = lambda: randn(r, d, d, scale=d**-0.5)
    return {"q": w(), "k": w(), "v": w(), "o": w()}, randn(r, h, t, d)[0], np.zeros((h, d // h), np.float32)


@program(_attn, [(8, 16, 2), (128, 128, 4), (512, 384, 8)], diff=(0, 1, 2))
def causal_self_attention(params, x, head_bias):
    """Multi-head causal self-attention written with einsum, as in minimal GPT ports."""
    t, d = x.shape
    h = head_bias.shape[0]
    split = lambda y: y.reshape(t, h, d // h)
    q, k, v = (split(x @ params[n]) for n in "qkv")
    q = q + head_bias
    att = jnp.einsum("thd,shd->hts", q, k) / jnp.sqrt(d // h)
    mask = jnp.tril(jnp.ones((t, t), bool))
    att = jax.nn.softmax(jnp.where(mask, att, -1e9), axis=-1)
    y = jnp.einsum("hts,shd->thd", att, v).reshape(t, d)
    return jnp.mean(jnp.square(y @ params["o"] + x))


def _gpt(s, r):
    b, t, d, v = s
    p = {
        "wte": randn(r, v, d, scale=0.3), "wpe": randn(r, t, d, scale=0.1),
        "ln1": {"g": np.ones(d, np.float32), "b": np.zeros(d, np.float32)},
        "ln2": {"g": np.ones(d, np.float32), "b": np.zeros(d, np.float32)},
        "qkv": dense(r, d, 3 * d), "proj": dense(r, d, d), "fc": dense(r, d, 4 * d), "out": dense(r, 4 * d, d),
    }
    return p, ints(r, v, b, t + 1)


@program(_gpt, [(1, 6, 16, 20), (2, 32, 64, 256), (8, 128, 128, 1024)])
def gpt_block_loss(params, tokens):
    """picoGPT-style block with tied embeddings and next-token cross-entropy over a batch."""

    def linear(x, w, b):
        return x @ w + b

    def layer_norm(x, g, b, eps=1e-5):
        mean = jnp.mean(x, axis=-1, keepdims=True)
        variance = jnp.var(x, axis=-1, keepdims=True)
        return g * (x - mean) / jnp.sqrt(variance + eps) + b

    def forward(inputs):
        x = params["wte"][inputs] + params["wpe"]
        q, k, v = jnp.split(linear(layer_norm(x, **params["ln1"]), **params["qkv"]), 3, axis=-1)
        causal = (1 - jnp.tri(x.shape[0], dtype=x.dtype)) * -1e10
        a = jax.nn.softmax(q @ k.T / np.sqrt(q.shape[-1]) + causal)
        x = x + linear(a @ v, **params["proj"])
        x = x + linear(jax.nn.gelu(linear(layer_norm(x, **params["ln2"]), **params["fc"])), **params["out"])
        return x @ params["wte"].T

    logits = jax.vmap(forward)(tokens[:, :-1])
    logp = jax.nn.log_softmax(logits)
    return -jnp.take_along_axis(logp, tokens[:, 1:, None], axis=-1).mean()


def _gqa(s, r):
    t, hq, hk, d = s
    bf = ml_dtypes.bfloat16
    return (randn(r, t, hq, d).astype(bf), randn(r, t, hk, d).astype(bf), randn(r, t, hk, d).astype(bf),
            unif(r, d, lo=0.5, hi=1.5).astype(bf))


@program(_gqa, [(8, 2, 1, 8), (32, 4, 2, 16), (384, 8, 2, 64)], diff=(0, 1, 2, 3))
def rotary_grouped_query_attention(q, k, v, scale):
    """Llama-like attention: RMS norm on queries and keys, rotary embedding, grouped heads, bfloat16 storage."""

    def rms(x):
        x32 = x.astype(jnp.float32)
        return (x32 * jax.lax.rsqrt(jnp.mean(x32**2, -1, keepdims=True) + 1e-6)).astype(x.dtype) * scale

    def rope(x):
        t, _, d = x.shape
        inv = 1.0 / (10000.0 ** (jnp.arange(0, d, 2) / d))
        ang = jnp.outer(jnp.arange(t), inv)[:, None, :]
        x1, x2 = jnp.split(x.astype(jnp.float32), 2, axis=-1)
        y = jnp.concatenate([x1 * jnp.cos(ang) - x2 * jnp.sin(ang), x2 * jnp.cos(ang) + x1 * jnp.sin(ang)], -1)
        return y.astype(x.dtype)

    q, k = rope(rms(q)), rope(rms(k))
    t, hq, d = q.shape
    q = q.reshape(t, k.shape[1], -1, d)
    s = jnp.einsum("tkgd,skd->kgts", q, k, preferred_element_type=jnp.float32) * d**-0.5
    s = jnp.where(jnp.arange(t)[:, None] >= jnp.arange(t)[None, :], s, -jnp.inf)
    p = jax.nn.softmax(s, -1).astype(v.dtype)
    o = jnp.einsum("kgts,skd->tkgd", p, v)
    return jnp.sum(o.astype(jnp.float32) ** 2) / t


def _beam(s, r):
    b, k, v, t = s
    return randn(r, b, k, v), randn(r, b, k), ints(r, v, b, k, t), ints(r, 2, b, k).astype(bool)


@program(_beam, [(1, 2, 32, 4), (2, 4, 8000, 16), (4, 8, 50000, 32)], diff=())
def beam_search_step(logits, scores, seqs, done):
    """One expansion of beam search: accumulate log-probabilities, keep finished beams, top_k, regather sequences."""
    b, k, v = logits.shape
    logp = jax.nn.log_softmax(logits, -1)
    eos_only = jnp.full((v,), -1e9).at[0].set(0.0)
    logp = jnp.where(done[..., None], eos_only, logp)
    total = (scores[..., None] + logp).reshape(b, k * v)
    top, idx = jax.lax.top_k(total, k)
    parent, token = idx // v, idx % v
    seqs = jnp.take_along_axis(seqs, parent[..., None], axis=1)
    seqs = jnp.concatenate([seqs[..., 1:], token[..., None]], axis=-1)
    done = jnp.take_along_axis(done, parent, axis=1) | (token == 0)
    length_penalty = ((5.0 + seqs.shape[-1]) / 6.0) ** 0.6
    return top / length_penalty, seqs, done


def _sg(s, r):
    v, d, b, k = s
    return (randn(r, v, d, scale=0.3), randn(r, v, d, scale=0.3), ints(r, v, b), ints(r, v, b), ints(r, v, b, k))


@program(_sg, [(50, 8, 16, 3), (4000, 64, 1500, 6), (20000, 64, 8192, 8)], diff=(0, 1))
def skipgram_negative_sampling(emb_in, emb_out, center, context, negatives):
    """word2vec's skip-gram loss with negative sampling: rows gathered from two embedding tables."""
    c = jnp.take(emb_in, center, axis=0)
    pos = jnp.take(emb_out, context, axis=0)
    neg = jnp.take(emb_out, negatives, axis=0)
    pos_score = jax.nn.log_sigmoid((c * pos).sum(-1))
    neg_score = jax.nn.log_sigmoid(-jnp.einsum("bd,bkd->bk", c, neg)).sum(-1)
    return -(pos_score + neg_score).mean()


@program(lambda s, r: (ints(r, s[1], s[0]), np.zeros((s[1], s[1]), np.int32)),
         [(64, 8), (40000, 64), (600000, 512)], diff=())
def bigram_count_perplexity(tokens, counts):
    """Bigram counts by scatter-add, then add-one smoothing and the corpus perplexity (makemore's first lecture)."""
    counts = counts.at[tokens[:-1], tokens[1:]].add(1)
    probs = (counts + 1) / (counts + 1).sum(axis=1, keepdims=True)
    nll = -jnp.log(probs[tokens[:-1], tokens[1:]])
    unigram = jnp.bincount(tokens, length=counts.shape[0])
    return jnp.exp(nll.mean()), counts, unigram


def _clip(s, r):
    n, d = s
    return randn(r, n, d), randn(r, n, d), randn(r, 1)[0]


@program(_clip, [(8, 16), (160, 128), (1000, 256)], diff=(0, 1, 2))
def clip_contrastive_loss(image_emb, text_emb, log_temp):
    """CLIP's symmetric contrastive loss over a batch of paired embeddings with a learned temperature."""
    normalize = functools.partial(jnp.linalg.norm, axis=-1, keepdims=True)
    i = image_emb / normalize(image_emb)
    t = text_emb / normalize(text_emb)
    logits = jnp.exp(log_temp) * i @ t.T
    labels = jnp.arange(logits.shape[0])
    xent = lambda l: -jnp.mean(jax.nn.log_softmax(l, axis=-1)[labels, labels])
    return 0.5 * (xent(logits) + xent(logits.T))
