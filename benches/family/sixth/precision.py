"""Programs in 16-bit floats. Inputs that are bfloat16 come as their bits."""
from functools import partial

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
from jax import lax

from registry import given

f32 = np.float32

#: XLA keeps more digits between operations on 16 bits than these have: a unit in their last place is 2^-8.
narrow = partial(given, tol=2e-2)


def bits(a):
    return np.asarray(a, np.float32).astype(ml_dtypes.bfloat16).view(np.uint16)


def as_bf16(u):
    return lax.bitcast_convert_type(u, jnp.bfloat16)


def to_f32(tree):
    return jax.tree.map(lambda a: a.astype(jnp.float32), tree)


def _in_adam(r):
    s = (192, 256)
    return [(r.standard_normal(s) * 0.05).astype(f32), (r.standard_normal(256) * 0.05).astype(f32),
            bits(r.standard_normal(s) * 0.02), bits(r.standard_normal(256) * 0.02),
            bits(r.standard_normal(s) * 0.01), bits(r.standard_normal(256) * 0.01),
            (r.standard_normal(s) ** 2 * 1e-4).astype(f32), (r.standard_normal(256) ** 2 * 1e-4).astype(f32),
            np.int32(37)]


@narrow(_in_adam)
def adam_mixed_step(w, b, gw, gb, mw, mb, vw, vb, step):
    """AdamW step: f32 master weights, bf16 gradients and first moment, global-norm clip (192x256 + bias)."""
    lr, b1, b2, eps, wd = 1e-3, 0.9, 0.999, 1e-8, 0.01
    params = {"w": w, "b": b}
    grads = {"w": as_bf16(gw), "b": as_bf16(gb)}
    m = {"w": as_bf16(mw), "b": as_bf16(mb)}
    v = {"w": vw, "b": vb}
    gnorm = jnp.sqrt(sum(jnp.sum(jnp.square(g.astype(jnp.float32))) for g in jax.tree.leaves(grads)))
    clip = jnp.minimum(1.0, 1.0 / (gnorm + 1e-6))
    t = (step + 1).astype(jnp.float32)
    c1, c2 = 1 - b1 ** t, 1 - b2 ** t

    def upd(p, g, m, v):
        g = g.astype(jnp.float32) * clip
        m = (b1 * m.astype(jnp.float32) + (1 - b1) * g).astype(jnp.bfloat16)
        v = b2 * v + (1 - b2) * g * g
        p = p - lr * (m.astype(jnp.float32) / c1 / (jnp.sqrt(v / c2) + eps) + wd * p)
        return p, m, v, p.astype(jnp.bfloat16)

    out = jax.tree.map(upd, params, grads, m, v)
    return to_f32(out), gnorm


def _in_attn(r):
    d = 64
    return [(r.standard_normal((d, 3 * d)) / np.sqrt(d)).astype(f32),
            (r.standard_normal((d, d)) / np.sqrt(d)).astype(f32),
            bits(r.standard_normal((2, 48, d))), bits(r.standard_normal((2, 48, d)))]


@narrow(_in_attn)
def causal_attention_grad(w_qkv, w_out, x, target):
    """Causal 4-head self-attention in bf16 (2x48x64) with f32 softmax and f32 master weights: value_and_grad."""
    x, target = as_bf16(x), as_bf16(target)
    B, T, D = x.shape
    H = 4

    def loss(p):
        w_qkv, w_out = (a.astype(jnp.bfloat16) for a in p)
        q, k, v = jnp.split((x @ w_qkv).reshape(B, T, H, -1), 3, axis=-1)
        s = jnp.einsum("bqhd,bkhd->bhqk", q, k, preferred_element_type=jnp.float32)
        s = s * (q.shape[-1] ** -0.5)
        mask = jnp.tril(jnp.ones((T, T), bool))
        a = jax.nn.softmax(jnp.where(mask, s, -1e9), axis=-1).astype(jnp.bfloat16)
        o = jnp.einsum("bhqk,bkhd->bqhd", a, v).reshape(B, T, D)
        y = x + o @ w_out
        return jnp.mean((y.astype(jnp.float32) - target.astype(jnp.float32)) ** 2)

    return jax.value_and_grad(loss)((w_qkv, w_out))


def _in_mlp(r):
    d, h = 64, 256
    return [(r.standard_normal((d, h)) / np.sqrt(d)).astype(f32), (0.1 * r.standard_normal(h)).astype(f32),
            (r.standard_normal((h, d)) / np.sqrt(h)).astype(f32), (0.1 * r.standard_normal(d)).astype(f32),
            r.standard_normal((32, d)).astype(f32), r.standard_normal((32, d)).astype(f32)]


@narrow(_in_mlp)
def dense_gelu_mlp(w1, b1, w2, b2, x, y):
    """GELU MLP 64-256-64 in bf16 with f32 master weights, batch 32: value_and_grad plus gradient norm."""
    def loss(params):
        w1, b1, w2, b2 = jax.tree.map(lambda a: a.astype(jnp.bfloat16), params)
        h = jax.nn.gelu(x.astype(jnp.bfloat16) @ w1 + b1)
        out = h @ w2 + b2
        err = out.astype(jnp.float32) - y
        return 0.5 * jnp.mean(jnp.sum(err * err, axis=-1))

    val, g = jax.value_and_grad(loss)((w1, b1, w2, b2))
    gn = jnp.sqrt(sum(jnp.vdot(a, a) for a in g))
    return val, g, gn


def _in_embed(r):
    ids = r.integers(1, 2000, (32, 24)).astype(np.int32)
    lens = r.integers(4, 25, 32)
    ids[np.arange(24)[None] >= lens[:, None]] = 0
    return [ids, bits(r.standard_normal((2000, 64)) * 0.5),
            bits(r.standard_normal((64, 32)) / 8)]


@narrow(_in_embed)
def embedding_pool(ids, table, proj):
    """bf16 embedding lookup (2000x64), masked mean pooling, projection, cosine similarities of 32 sentences."""
    table, proj = as_bf16(table), as_bf16(proj)
    mask = (ids != 0).astype(jnp.bfloat16)
    e = jnp.take(table, ids, axis=0) * mask[..., None]
    pooled = e.sum(axis=1) / jnp.maximum(mask.sum(axis=1, keepdims=True), 1)
    z = jnp.tanh(pooled @ proj).astype(jnp.float32)
    z = z * lax.rsqrt(jnp.sum(z * z, axis=-1, keepdims=True) + 1e-6)
    sim = z.astype(jnp.bfloat16) @ z.astype(jnp.bfloat16).T
    return to_f32((pooled, z, sim))


@narrow(lambda r: [bits(r.standard_normal((1000, 1000))), bits(r.standard_normal((1000, 1000))),
                     bits(1 + 0.1 * r.standard_normal(1000)), bits(0.1 * r.standard_normal(1000))])
def gated_chain_1m(x, gate, scale, bias):
    """Elementwise bf16 chain over one million elements: SiLU gate, scale/bias, clip, residual."""
    x, gate, scale, bias = map(as_bf16, (x, gate, scale, bias))
    h = jax.nn.silu(gate) * x
    h = h * scale + bias
    h = jnp.clip(h, -3, 3)
    h = x + 0.5 * h * jnp.abs(h)
    return h.astype(jnp.float32)


def _in_image(r):
    img = (r.uniform(0, 255, (8, 8, 8, 3)).repeat(8, 1).repeat(8, 2) * 0.8
           + r.uniform(0, 50, (8, 64, 64, 3)))
    return [np.clip(img, 0, 255).astype(np.uint8),
            r.uniform(-0.1, 0.1, 8).astype(np.float16), r.uniform(0.8, 1.2, 8).astype(np.float16),
            r.integers(0, 2, 8).astype(np.int32)]


@narrow(_in_image)
def image_norm_f16(images, brightness, contrast, flip):
    """float16 image pipeline: uint8 8x64x64x3, jitter, flip, mean/std normalise, 2x2 average pool to NCHW."""
    mean = jnp.array([0.485, 0.456, 0.406], jnp.float16)
    std = jnp.array([0.229, 0.224, 0.225], jnp.float16)
    x = images.astype(jnp.float16) / 255
    grey = x.mean(axis=(1, 2, 3), keepdims=True)
    x = (x - grey) * contrast[:, None, None, None] + grey + brightness[:, None, None, None]
    x = jnp.clip(x, 0, 1)
    x = jnp.where(flip[:, None, None, None] == 1, x[:, :, ::-1], x)
    x = (x - mean) / std
    small = lax.reduce_window(x, np.float16(0), lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") * 0.25
    return to_f32((small.transpose(0, 3, 1, 2), x.mean(axis=(1, 2)), x.std(axis=(1, 2))))


@narrow(lambda r: [bits(0.3 + 1.5 * r.standard_normal((16, 64))),
                     (1 + 0.1 * r.standard_normal(64)).astype(f32), (0.1 * r.standard_normal(64)).astype(f32),
                     bits(r.standard_normal((16, 64)))])
def layernorm_small(x, gamma, beta, target):
    """LayerNorm on a bf16 16x64 activation with f32 statistics: Huber loss value_and_grad for x, gamma, beta."""
    def layer_norm(x, gamma, beta, eps=1e-5):
        xf = x.astype(jnp.float32)
        mu = xf.mean(-1, keepdims=True)
        var = jnp.square(xf - mu).mean(-1, keepdims=True)
        y = ((xf - mu) * lax.rsqrt(var + eps)).astype(x.dtype)
        return y * gamma.astype(x.dtype) + beta.astype(x.dtype)

    def loss(x, gamma, beta):
        d = (layer_norm(x, gamma, beta) - as_bf16(target)).astype(jnp.float32)
        return jnp.mean(jnp.sqrt(1 + d * d) - 1)

    val, g = jax.value_and_grad(loss, argnums=(0, 1, 2))(as_bf16(x), gamma, beta)
    return to_f32((val, g))


def _in_lscale(r):
    return [(r.standard_normal((48, 128)) / 7).astype(f32), (r.standard_normal((128, 10)) / 11).astype(f32),
            r.standard_normal((32, 48)).astype(np.float16), r.standard_normal((32, 10)).astype(np.float16),
            f32(1024.0), np.int32(1999)]


@narrow(_in_lscale)
def loss_scaling_f16(w1, w2, x, y, loss_scale, good_steps):
    """float16 two-layer regression with dynamic loss scaling: scaled grad, finite check, guarded update."""
    def scaled_loss(params):
        w1, w2 = (p.astype(jnp.float16) for p in params)
        h = jax.nn.softplus(x @ w1)
        pred = h @ w2
        mse = jnp.mean(jnp.square((pred - y).astype(jnp.float32)))
        return mse * loss_scale, mse

    params = (w1, w2)
    (_, mse), grads = jax.value_and_grad(scaled_loss, has_aux=True)(params)
    grads = jax.tree.map(lambda g: g / loss_scale, grads)
    finite = jnp.all(jnp.array([jnp.all(jnp.isfinite(g)) for g in grads]))
    new = jax.tree.map(lambda p, g: jnp.where(finite, p - 0.05 * g, p), params, grads)
    grow = finite & (good_steps + 1 >= 2000)
    new_scale = jnp.where(finite, jnp.where(grow, loss_scale * 2, loss_scale), loss_scale / 2)
    steps = jnp.where(finite & ~grow, good_steps + 1, 0)
    return mse, new, grads, new_scale, loss_scale * (1 + steps.astype(jnp.float32))


@narrow(lambda r: [bits(r.standard_normal((32, 256))),
                     bits(r.standard_normal((256, 128)) * np.exp(0.5 * r.standard_normal(128)) / 16)])
def quant_dequant(x, w):
    """Dynamic int8 quantisation of bf16 activations and per-channel weights, int32 matmul, dequantise, error."""
    x, w = as_bf16(x), as_bf16(w)

    def quantize(a, axis):
        af = a.astype(jnp.float32)
        scale = jnp.maximum(jnp.max(jnp.abs(af), axis=axis, keepdims=True), 1e-6) / 127.0
        q = jnp.clip(jnp.round(af / scale), -127, 127).astype(jnp.int8)
        return q, scale

    xq, xs = quantize(x, 1)
    wq, ws = quantize(w, 0)
    acc = lax.dot_general(xq, wq, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32)
    y = (acc.astype(jnp.float32) * xs * ws).astype(jnp.bfloat16)
    w_dq = (wq.astype(jnp.float32) * ws).astype(jnp.bfloat16)
    rms = jnp.sqrt(jnp.mean(jnp.square((w_dq - w).astype(jnp.float32)), axis=0))
    return to_f32((y, w_dq, rms))


def _in_resconv(r):
    c = 16
    return [(r.standard_normal((3, 3, c, c)) / 12).astype(f32), (r.standard_normal((3, 3, c, c)) / 12).astype(f32),
            (1 + 0.1 * r.standard_normal((2, c))).astype(f32),
            bits(r.standard_normal((2, 12, 12, c))), bits(r.standard_normal((2, 12, 12, c)))]


@narrow(_in_resconv)
def residual_conv_block(k1, k2, gamma, x, target):
    """Pre-activation residual block (GroupNorm, SiLU, two 3x3 convs) in bf16 on 2x12x12x16: value_and_grad."""
    x, target = as_bf16(x), as_bf16(target)

    def group_norm(h, scale, groups=4):
        n, hh, ww, c = h.shape
        g = h.astype(jnp.float32).reshape(n, hh, ww, groups, c // groups)
        mu = g.mean((1, 2, 4), keepdims=True)
        var = g.var((1, 2, 4), keepdims=True)
        g = ((g - mu) * lax.rsqrt(var + 1e-5)).reshape(h.shape)
        return (g * scale).astype(h.dtype)

    def conv(h, k):
        return lax.conv_general_dilated(h, k.astype(h.dtype), (1, 1), "SAME",
                                        dimension_numbers=("NHWC", "HWIO", "NHWC"))

    def loss(p):
        k1, k2, gamma = p
        h = conv(jax.nn.silu(group_norm(x, gamma[0])), k1)
        h = conv(jax.nn.silu(group_norm(h, gamma[1])), k2)
        d = (x + h - target).astype(jnp.float32)
        return jnp.mean(d * d)

    return jax.value_and_grad(loss)((k1, k2, gamma))


def _in_rope(r):
    d = 128
    pos = np.arange(64)[None] + np.array([[0], [17]])
    return [bits(r.standard_normal((2, 64, d))), (1 + 0.1 * r.standard_normal(d)).astype(f32),
            bits(r.standard_normal((d, 2 * d)) / np.sqrt(d)), pos.astype(np.int32)]


@narrow(_in_rope)
def rmsnorm_rope(x, scale, w_qk, positions):
    """RMSNorm, bf16 Q/K projection and rotary embedding for 2x64 tokens, 4 heads of 32."""
    x, w_qk = as_bf16(x), as_bf16(w_qk)
    B, T, D = x.shape
    H, hd = 4, D // 4
    xf = x.astype(jnp.float32)
    h = (xf * lax.rsqrt(jnp.mean(xf * xf, -1, keepdims=True) + 1e-6) * scale).astype(jnp.bfloat16)
    q, k = jnp.split(h @ w_qk, 2, axis=-1)

    inv = 10000.0 ** (-jnp.arange(0, hd, 2, dtype=jnp.float32) / hd)
    ang = positions[..., None].astype(jnp.float32) * inv                # [B, T, hd/2]
    cos = jnp.cos(ang).astype(jnp.bfloat16)[:, :, None, :]
    sin = jnp.sin(ang).astype(jnp.bfloat16)[:, :, None, :]

    def rope(t):
        t1, t2 = jnp.split(t.reshape(B, T, H, hd), 2, axis=-1)
        return jnp.concatenate([t1 * cos - t2 * sin, t2 * cos + t1 * sin], axis=-1)

    return to_f32((rope(q), rope(k)))


def _in_xent(r):
    return [bits(r.standard_normal((64, 256)) / 8), bits(0.01 * r.standard_normal(256)),
            (0.01 * r.standard_normal((64, 256))).astype(f32), (0.01 * r.standard_normal(256)).astype(f32),
            bits(r.standard_normal((64, 64))), r.integers(0, 256, 64).astype(np.int32)]


@narrow(_in_xent)
def xent_sgd_bf16(w, b, mom_w, mom_b, h, labels):
    """Softmax cross-entropy (64x256 bf16 logits, label smoothing, z-loss) gradient and momentum SGD on bf16 weights."""
    h = as_bf16(h)

    def loss(p):
        w, b = p
        logits = (h @ w + b).astype(jnp.float32)
        lse = jax.nn.logsumexp(logits, axis=-1)
        logp = logits - lse[:, None]
        nll = -jnp.take_along_axis(logp, labels[:, None], axis=-1)[:, 0]
        smooth = -jnp.mean(logp, axis=-1)
        return jnp.mean(0.9 * nll + 0.1 * smooth + 1e-3 * lse ** 2)

    params = (as_bf16(w), as_bf16(b))
    val, g = jax.value_and_grad(loss)(params)
    mom = jax.tree.map(lambda m, gi: 0.9 * m + gi.astype(jnp.float32), (mom_w, mom_b), g)
    new = jax.tree.map(lambda p, m: (p.astype(jnp.float32) - 0.5 * m).astype(jnp.bfloat16), params, mom)
    return to_f32((val, g, new, mom))
