//! Scaled dot-product attention.

use crate::error::{Error, fail};
use crate::ops::promote::promote_types;
use crate::{DType, Tensor, einsum};
use std::panic::Location;

/// How [`dot_product_attention`] weighs.
#[derive(Clone, Default)]
pub struct Attention {
    /// Added to the logits; broadcasts to `[batch, heads, queries, keys]`.
    pub bias: Option<Tensor>,
    /// Booleans, false where a query must not see a key; broadcasts to `[batch, heads, queries, keys]`.
    pub mask: Option<Tensor>,
    /// What logits are multiplied by; `1 / sqrt(size)` if not given.
    pub scale: Option<f64>,
    /// Whether a query sees only keys up to its own place.
    pub causal: bool,
}

/// `softmax(query key^T * scale) value`, as `jax.nn.dot_product_attention` (Vaswani et al., "Attention is all you need",
/// 2017).
///
/// The query is `[batch, queries, heads, size]`, key and value `[batch, keys, groups, size]`; without the batch all three
/// have rank 3, and so has the result. `heads` must be a multiple of `groups`: each group serves as many heads in a row.
/// The softmax is computed in `f32` at least.
///
/// ```
/// use wengert::{DType, Tensor, nn};
/// let x = Tensor::arange(12, DType::F32).sin().reshape(&[1, 3, 1, 4]);
/// let options = nn::Attention { causal: true, ..nn::Attention::default() };
/// let y = nn::dot_product_attention(&x, &x, &x, &options);
/// assert_eq!(y.get((0, 0)).to_vec::<f32>(), x.get((0, 0)).to_vec::<f32>()); // the first sees itself alone
/// ```
///
/// Fails if the shapes do not fit.
#[track_caller]
pub fn dot_product_attention(query: &Tensor, key: &Tensor, value: &Tensor, options: &Attention) -> Tensor {
    let at = Location::caller();
    let wrong = |why: &str| -> ! {
        let message =
            format!("dot_product_attention: {why}; operands: {}, {}, {}", query.ty(), key.ty(), value.ty());
        fail(Error::new(message, Some(at)))
    };
    let batched = query.rank() == 4;
    if ![3, 4].contains(&query.rank()) || key.rank() != query.rank() || value.rank() != query.rank() {
        wrong("query, key and value must all have rank 3 or all rank 4");
    }
    let full = |x: &Tensor| if batched { x.clone() } else { x.expand_dims(0) };
    let (q, k, v) = (full(query), full(key), full(value));
    let (&[b, t, heads, size], &[kb, s, groups, ksize]) = (q.shape(), k.shape()) else { wrong("rank") };
    let &[vb, vs, vgroups, vsize] = v.shape() else { wrong("rank") };
    if (kb, ksize) != (b, size) || (vb, vs, vgroups) != (b, s, groups) {
        wrong("batch, keys, groups or sizes differ");
    }
    if groups == 0 || heads % groups != 0 {
        wrong("the heads of the query must be a multiple of those of the key");
    }
    let per_group = heads / groups;
    let dims = |d: &[usize]| d.iter().map(|&n| n as isize).collect::<Vec<_>>();
    let q = q.reshape(&dims(&[b, t, groups, per_group, size]));
    // Logits by batch, group, head in the group, query, key.
    let scale = options.scale.unwrap_or(1.0 / (size as f64).sqrt());
    let wide = promote_types(q.dtype(), DType::F32);
    let mut logits = einsum("btkgh,bskh->bkgts", &[&q, &k]).astype(wide) * scale;
    let spread = |x: &Tensor| {
        let missing = 4usize.saturating_sub(x.rank());
        let x = x.reshape(&dims(&[&vec![1; missing][..], x.shape()].concat()));
        let &[xb, xh, xt, xs] = x.shape() else { wrong("a bias or mask has more than 4 dimensions") };
        match xh {
            1 => x.reshape(&dims(&[xb, 1, 1, xt, xs])),
            n if n == heads => x.reshape(&dims(&[xb, groups, per_group, xt, xs])),
            _ => wrong("a bias or mask has another number of heads"),
        }
    };
    if let Some(bias) = &options.bias {
        logits = (&logits + spread(bias)).astype(wide);
    }
    // Far below every logit, but finite, so that a query that sees nothing has no NaN.
    let hidden = logits.full_like(if wide == DType::F64 { f64::MIN * 0.7 } else { f32::MIN as f64 * 0.7 });
    if let Some(mask) = &options.mask {
        logits = spread(mask).select(&logits, &hidden);
    }
    if options.causal {
        logits = Tensor::tri(t, s, 0, DType::I1).select(&logits, &hidden);
    }
    let weights = logits.softmax(-1).astype(v.dtype());
    let out = einsum("bkgts,bskh->btkgh", &[&weights, &v]);
    let out = out.reshape(&dims(&[b, t, heads, vsize]));
    if batched { out } else { out.squeeze(&[0]) }
}
