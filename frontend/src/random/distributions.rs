//! Distributions made of uniform numbers, as `jax.random` makes them: the same uniform numbers for the same key,
//! so results agree up to the accuracy of the functions applied to them; integers agree exactly.

use super::{At, count, random_bits, uniform_at, unsupported};
use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::promote::broadcast;
use crate::ops::reduce::axes;
use crate::ops::sorting::sort_together;
use crate::{Side, random};
use half::{bf16, f16};
use std::panic::Location;
use wengert_ir::op::BinaryOp;
use wengert_ir::types::DType;

/// Spacing of numbers at 1, and the smallest normal number.
pub(super) fn limits(name: &str, dtype: DType, at: At) -> (f64, f64) {
    match dtype {
        DType::F64 => (f64::EPSILON, f64::MIN_POSITIVE),
        DType::F32 => (f64::from(f32::EPSILON), f64::from(f32::MIN_POSITIVE)),
        DType::F16 => (f16::EPSILON.to_f64(), f16::MIN_POSITIVE.to_f64()),
        DType::BF16 => (bf16::EPSILON.to_f64(), bf16::MIN_POSITIVE.to_f64()),
        _ => unsupported(name, dtype, "f64, f32, f16 and bf16", at),
    }
}

/// Fails for other types than `f32` and `f64`: what takes steps until it accepts a number is not made for fewer digits.
pub(super) fn single_or_double(name: &str, dtype: DType, at: At) {
    if !matches!(dtype, DType::F32 | DType::F64) {
        unsupported(name, dtype, "f32 and f64", at)
    }
}

/// Exponential numbers with mean 1, of `f64`, `f32`, `f16` or `bf16`.
#[track_caller]
pub fn exponential(key: &Tensor, shape: &[usize], dtype: DType) -> Tensor {
    -(-uniform_at(key, shape, dtype, 0.0, 1.0, Location::caller())).log1p()
}

/// Gumbel numbers, of `f64`, `f32`, `f16` or `bf16`.
#[track_caller]
pub fn gumbel(key: &Tensor, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    let (_, tiny) = limits("gumbel", dtype, at);
    -(-uniform_at(key, shape, dtype, tiny, 1.0, at).log()).log()
}

/// Laplace numbers with mean 0 and scale 1, of `f64`, `f32`, `f16` or `bf16`.
#[track_caller]
pub fn laplace(key: &Tensor, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    let (eps, _) = limits("laplace", dtype, at);
    let u = uniform_at(key, shape, dtype, -1.0 + eps / 2.0, 1.0, at);
    u.sign() * (-u.abs()).log1p()
}

/// Logistic numbers with mean 0 and scale 1, of `f64`, `f32`, `f16` or `bf16`.
#[track_caller]
pub fn logistic(key: &Tensor, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    let (_, tiny) = limits("logistic", dtype, at);
    let u = uniform_at(key, shape, dtype, tiny, 1.0, at);
    u.log() - (-u).log1p()
}

/// Cauchy numbers, of `f64`, `f32`, `f16` or `bf16`.
#[track_caller]
pub fn cauchy(key: &Tensor, shape: &[usize], dtype: DType) -> Tensor {
    let at = Location::caller();
    let (eps, _) = limits("cauchy", dtype, at);
    ((uniform_at(key, shape, dtype, eps, 1.0, at) - 0.5) * std::f64::consts::PI).tan()
}

/// -1 or 1, of any number type. Types of 64 bits are drawn with 64 bits, as JAX does where it has them.
#[track_caller]
pub fn rademacher(key: &Tensor, shape: &[usize], dtype: DType) -> Tensor {
    let half = if dtype.bits() == 64 { Tensor::from(0.5f64) } else { Tensor::from(0.5f32) };
    random::bernoulli(key, half, shape).astype(dtype) * 2 - 1
}

/// Normal numbers with mean 0 and variance 1 that lie between `lower` and `upper`, of `f64`, `f32`, `f16` or `bf16`.
#[track_caller]
pub fn truncated_normal(key: &Tensor, shape: &[usize], dtype: DType, lower: f64, upper: f64) -> Tensor {
    let at = Location::caller();
    limits("truncated_normal", dtype, at);
    let scalar = |v: f64| Tensor::full(&[], v, dtype);
    let root = scalar(std::f64::consts::SQRT_2);
    let (lo, hi) = (scalar(lower), scalar(upper));
    let (a, b) = ((&lo / &root).erf(), (&hi / &root).erf());
    let u = uniform_at(key, shape, dtype, 0.0, 1.0, at);
    let u = (u * (&b - &a) + &a).maximum(&a);
    let x = u.erf_inv() * root;
    // The open interval: rounding may have reached its ends.
    let next = |x: &Tensor, to: f64| crate::ops::promote::binary(BinaryOp::NextAfter, x, &scalar(to), at);
    x.clip(next(&lo, f64::INFINITY), next(&hi, f64::NEG_INFINITY))
}

/// Positions (`i32`) along an axis, drawn with probabilities proportional to `e^logits`.
#[track_caller]
pub fn categorical(key: &Tensor, logits: &Tensor, axis: isize) -> Tensor {
    (gumbel(key, logits.shape(), logits.dtype()) + logits).argmax(axis)
}

/// Several draws of [`categorical`] for each of the distributions along an axis: shape `draws`, then the other dimensions of `logits`.
/// Without replacement no two draws of one distribution are equal.
///
/// ```
/// use wengert::{Tensor, random, random::Replace};
/// let logits = Tensor::zeros(&[2, 3], wengert::DType::F32);
/// let x = random::categorical_many(&random::key(0), &logits, -1, &[3], Replace::No);
/// assert_eq!((x.shape(), x.sort(0).to_vec::<i32>()), (&[3, 2][..], vec![0, 0, 1, 1, 2, 2]));
/// ```
///
/// Fails if there is no such axis, or if more are to be drawn without replacement than there are.
#[track_caller]
pub fn categorical_many(
    key: &Tensor,
    logits: &Tensor,
    axis: isize,
    draws: &[usize],
    replace: Replace,
) -> Tensor {
    let at = Location::caller();
    let d = axes("random::categorical_many", logits, &[axis], at)[0];
    if replace == Replace::Yes {
        let shape = [draws, logits.shape()].concat();
        return (gumbel(key, &shape, logits.dtype()) + logits).argmax((draws.len() + d) as isize);
    }
    let (count, n) = (count("random::categorical_many", draws, at), logits.shape()[d]);
    if count > n {
        fail(Error::new(format!("random::categorical_many: {count} of {n} without replacement"), Some(at)))
    }
    let scores = gumbel(key, logits.shape(), logits.dtype()) + logits;
    let found = scores.moveaxis(&[axis], &[-1]).top_k(count).1.moveaxis(&[-1], &[0]);
    let outer = &found.shape()[1..];
    found.reshape_to([draws, outer].concat()[..].into(), at)
}

/// The rows of `x` in random order.
///
/// ```
/// use wengert::{Tensor, random};
/// let x = random::permutation(&random::key(0), &Tensor::from([1, 2, 3, 4]));
/// assert_eq!(x.sort(0).to_vec::<i32>(), [1, 2, 3, 4]);
/// ```
///
/// Fails for a scalar.
#[track_caller]
pub fn permutation(key: &Tensor, x: &Tensor) -> Tensor {
    let at = Location::caller();
    let Some(&n) = x.shape().first() else {
        fail(Error::new("random::permutation: a scalar has no rows", Some(at)))
    };
    if x.rank() == 1 {
        return shuffle(key, x.clone(), at);
    }
    x.rows(&shuffle(key, Tensor::arange(n, DType::I32), at), 0, at)
}

/// Sorts a vector by random words, as often as makes it likely that no two elements had equal words each time.
fn shuffle(key: &Tensor, mut x: Tensor, at: At) -> Tensor {
    let n = x.len().max(1) as f64;
    let rounds = (3.0 * n.ln() / f64::from(u32::MAX).ln()).ceil() as usize;
    let mut key = key.clone();
    for _ in 0..rounds {
        let keys = random::split(&key, 2);
        let words = random_bits(&keys[1], x.shape(), DType::U32, at);
        x = sort_together(&[&words, &x], 0, at).remove(1);
        key = keys[0].clone();
    }
    x
}

/// Whether an element may be drawn more than once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replace {
    /// It may.
    Yes,
    /// It may not.
    No,
}

/// Positions (`i32`) below `n`, uniform, or with probabilities `p` (a float vector).
///
/// Fails if more are to be drawn than there are, without replacement, or if `p` has another length.
#[track_caller]
pub fn choice(key: &Tensor, n: usize, shape: &[usize], replace: Replace, p: Option<&Tensor>) -> Tensor {
    let at = Location::caller();
    let count = count("random::choice", shape, at);
    if replace == Replace::No && count > n || n == 0 && count > 0 {
        fail(Error::new(format!("random::choice: {count} of {n}"), Some(at)))
    }
    let drawn = match (p, replace) {
        (None, Replace::Yes) => random::randint(key, shape, 0, n as i64, DType::I32),
        (None, Replace::No) => shuffle(key, Tensor::arange(n, DType::I32), at).get(..count as isize),
        (Some(p), _) if p.shape() != [n] || !p.dtype().is_float() => {
            fail(Error::new(format!("random::choice: probabilities {} for {n}", p.ty()), Some(at)))
        }
        (Some(p), Replace::Yes) => {
            let (i, j) = (Tensor::iota(&[n, n], 0, DType::I32), Tensor::iota(&[n, n], 1, DType::I32));
            let all = broadcast(p, &[n, n], at);
            let sums = j.less_equal(&i).select(&all, all.zeros_like()).sum_axis(1);
            let u = uniform_at(key, shape, p.dtype(), 0.0, 1.0, at);
            sums.searchsorted((1.0 - u) * sums.get(n as isize - 1), Side::Left)
        }
        (Some(p), Replace::No) => (gumbel(key, &[n], p.dtype()) + p.log()).top_k(count).1,
    };
    drawn.reshape_to(shape.into(), at)
}
