//! Normalizations over axes, and dropout.

use super::floating;
use crate::error::{Error, fail};
use crate::{Tensor, random};
use std::panic::Location;

/// log(sum(e^x)) over axes, without overflow; -inf where all elements are, inf where one is.
#[track_caller]
pub fn logsumexp(x: &Tensor, over: &[isize]) -> Tensor {
    floating(x).logsumexp(over)
}

/// e^x / sum(e^x) along an axis.
#[track_caller]
pub fn softmax(x: &Tensor, axis: isize) -> Tensor {
    floating(x).softmax(axis)
}

/// log(softmax(x)) along an axis.
#[track_caller]
pub fn log_softmax(x: &Tensor, axis: isize) -> Tensor {
    floating(x).log_softmax(axis)
}

/// Mean 0 and variance 1 over axes: `(x - mean) / sqrt(variance + epsilon)`. JAX's default for `epsilon` is 1e-5. The
/// variance is the mean squared distance from the mean, which is accurate where the difference of squares is not.
#[track_caller]
pub fn standardize(x: &Tensor, over: &[isize], epsilon: f64) -> Tensor {
    let x = floating(x);
    let centered = &x - x.mean_keep(over);
    let variance = centered.square().mean_keep(over);
    centered * (variance + epsilon).rsqrt()
}

/// [`standardize`] over the last axis, then scaled and shifted by vectors of its size, where given (Ba, Kiros, Hinton,
/// "Layer normalization", 2016).
#[track_caller]
pub fn layer_norm(x: &Tensor, scale: Option<&Tensor>, bias: Option<&Tensor>, epsilon: f64) -> Tensor {
    let mut y = standardize(x, &[-1], epsilon);
    if let Some(scale) = scale {
        y *= scale;
    }
    if let Some(bias) = bias {
        y += bias;
    }
    y
}

/// x divided by the root of its mean square over the last axis, then scaled, where a scale is given (Zhang, Sennrich,
/// "Root mean square layer normalization", 2019).
#[track_caller]
pub fn rms_norm(x: &Tensor, scale: Option<&Tensor>, epsilon: f64) -> Tensor {
    let x = floating(x);
    let y = &x * (x.square().mean_keep(&[-1]) + epsilon).rsqrt();
    match scale {
        Some(scale) => y * scale,
        None => y,
    }
}

/// Each element zero with probability `rate`, else divided by `1 - rate`, so that the mean stays.
///
/// ```
/// use wengert::{DType, Tensor, nn, random};
/// let x = nn::dropout(&random::key(0), &Tensor::ones(&[100], DType::F32), 0.25);
/// assert!(x.to_vec::<f32>().iter().all(|&v| v == 0.0 || v == 1.0 / 0.75));
/// ```
///
/// Fails for another rate than one from 0 to 1.
#[track_caller]
pub fn dropout(key: &Tensor, x: &Tensor, rate: f64) -> Tensor {
    if !(0.0..=1.0).contains(&rate) {
        let message = format!("nn::dropout: a rate is from 0 to 1, here it is {rate}");
        fail(Error::new(message, Some(Location::caller())))
    }
    let x = floating(x);
    if rate == 0.0 {
        return x;
    }
    if rate == 1.0 {
        return x.zeros_like();
    }
    let keep = 1.0 - rate;
    random::bernoulli(key, keep, x.shape()).select(&(&x / keep), x.zeros_like())
}
