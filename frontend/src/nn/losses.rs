//! Losses, with the names of `optax`. Each gives a loss per example, except where it says otherwise.

use super::floating;
use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::promote::promote_types;
use std::panic::Location;
use wengert_ir::types::DType;

/// `-sum(labels * log_softmax(logits))` over the last axis: cross-entropy with a distribution.
#[track_caller]
pub fn softmax_cross_entropy(logits: &Tensor, labels: &Tensor) -> Tensor {
    -(labels * floating(logits).log_softmax(-1)).sum_axis(-1)
}

/// `-log_softmax(logits)[label]` over the last axis: cross-entropy with classes. Negative labels count from the end; the
/// loss of a label out of range is NaN. A class with logit -inf does no harm to the others.
///
/// ```
/// use wengert::{Tensor, nn};
/// let logits = Tensor::from([[0.0f64, 0.0], [0.0, f64::NEG_INFINITY]]);
/// let loss = nn::softmax_cross_entropy_with_integer_labels(&logits, &Tensor::from([0i32, 0]));
/// assert_eq!(loss.to_vec::<f64>(), [2f64.ln(), 0.0]);
/// ```
///
/// Fails unless labels are integers with the shape of the logits without their last dimension.
#[track_caller]
pub fn softmax_cross_entropy_with_integer_labels(logits: &Tensor, labels: &Tensor) -> Tensor {
    let at = Location::caller();
    let logits = floating(logits);
    let fits = logits.shape().split_last().is_some_and(|(_, shape)| shape == labels.shape());
    if !fits || !labels.dtype().is_integer() {
        let message = format!(
            "softmax_cross_entropy_with_integer_labels: labels must be integers, one per row of logits; operands: {}, {}",
            logits.ty(),
            labels.ty()
        );
        fail(Error::new(message, Some(at)))
    }
    let classes = logits.shape().last().copied().unwrap_or(0);
    let count = classes as i64;
    // Wide enough for the number of classes whatever the labels' type.
    let labels = labels.astype(promote_types(labels.dtype(), DType::I32));
    let negative = labels.less(0i64);
    let labels = negative.select(&(&labels + count), &labels);
    let known = labels.greater_equal(0i64).logical_and(labels.less(count));
    let logits = &logits - crate::stop_gradient(&logits.max_keep(&[-1]));
    let chosen = labels.one_hot(classes, DType::I1).select(&logits, logits.zeros_like()).sum_axis(-1);
    let loss = logits.exp().sum_axis(-1).log() - chosen;
    known.select(&loss, loss.full_like(f64::NAN))
}

/// `-labels * log(p) - (1 - labels) * log(1 - p)` for `p = sigmoid(logits)`, elementwise.
#[track_caller]
pub fn sigmoid_binary_cross_entropy(logits: &Tensor, labels: &Tensor) -> Tensor {
    let (positive, negative) = (super::log_sigmoid(logits), super::log_sigmoid(&-floating(logits)));
    -(labels * positive) - (1.0 - labels) * negative
}

/// `(predictions - targets)^2`, elementwise.
#[track_caller]
pub fn squared_error(predictions: &Tensor, targets: &Tensor) -> Tensor {
    (floating(predictions) - targets).square()
}

/// Half of [`squared_error`].
#[track_caller]
pub fn l2_loss(predictions: &Tensor, targets: &Tensor) -> Tensor {
    squared_error(predictions, targets) * 0.5
}

/// The mean of [`squared_error`] over all elements: one number.
#[track_caller]
pub fn mean_squared_error(predictions: &Tensor, targets: &Tensor) -> Tensor {
    squared_error(predictions, targets).mean()
}

/// Half the square of the error up to `delta`, linear beyond it, elementwise (Huber, 1964).
#[track_caller]
pub fn huber_loss(predictions: &Tensor, targets: &Tensor, delta: f64) -> Tensor {
    let error = (floating(predictions) - targets).abs();
    let quadratic = error.minimum(delta);
    let linear = &error - &quadratic;
    quadratic.square() * 0.5 + linear * delta
}

/// log(cosh(error)), elementwise, without overflow.
#[track_caller]
pub fn log_cosh(predictions: &Tensor, targets: &Tensor) -> Tensor {
    let error = floating(predictions) - targets;
    error.logaddexp(-&error) - 2f64.ln()
}

/// Cosine of the angle between vectors in the last dimension, whose lengths count as at least `epsilon`.
#[track_caller]
pub fn cosine_similarity(predictions: &Tensor, targets: &Tensor, epsilon: f64) -> Tensor {
    let unit = |x: &Tensor| {
        let square = floating(x).square().sum_keep(&[-1]);
        let short = square.less_equal(epsilon * epsilon);
        // The root has no derivative at 0, so it is not taken there.
        let length = short.select(square.ones_like(), &square).sqrt();
        x / short.select(length.full_like(epsilon), &length)
    };
    // With `epsilon` 0 a vector of zeros gives NaN, as in optax.
    (unit(predictions) * unit(targets)).sum_axis(-1)
}

/// `sum(targets * (log(targets) - log_predictions))` over the last axis; a target of 0 counts nothing.
#[track_caller]
pub fn kl_divergence(log_predictions: &Tensor, targets: &Tensor) -> Tensor {
    let targets = floating(targets);
    let zero = targets.equal(0.0);
    let safe = zero.select(targets.ones_like(), &targets);
    let log = zero.select(targets.zeros_like(), safe.log());
    (&targets * (log - log_predictions)).sum_axis(-1)
}

/// Distributions mixed with the uniform one: `(1 - alpha) * labels + alpha / classes`.
#[track_caller]
pub fn smooth_labels(labels: &Tensor, alpha: f64) -> Tensor {
    let classes = labels.shape().last().copied().unwrap_or(1) as f64;
    floating(labels) * (1.0 - alpha) + alpha / classes
}
