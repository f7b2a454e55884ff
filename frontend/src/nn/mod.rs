//! Functions for neural networks, with the names and the conventions of `jax.nn` and `optax`.
//!
//! All of them are ordinary functions of tensors: they promote integers to `f32`, work at once and under every
//! transform, and their derivatives at kinks and infinities are JAX's (that of [`relu`] at 0 is 0).
//! Axes may be negative and count from the end.

mod attention;
pub mod initializers;
mod losses;
mod normalize;

pub use attention::{Attention, dot_product_attention};
pub use losses::{
    cosine_similarity, huber_loss, kl_divergence, l2_loss, log_cosh, mean_squared_error,
    sigmoid_binary_cross_entropy, smooth_labels, softmax_cross_entropy,
    softmax_cross_entropy_with_integer_labels, squared_error,
};
pub use normalize::{dropout, layer_norm, log_softmax, logsumexp, rms_norm, softmax, standardize};

use crate::Tensor;
use crate::ops::promote::floating;
use std::f64::consts::{FRAC_1_SQRT_2, PI};
use wengert_ir::types::DType;

/// max(x, 0), with derivative 0 at 0.
///
/// ```
/// use wengert::{Tensor, grad, nn};
/// assert_eq!(nn::relu(&Tensor::from([-1.0f64, 2.0])).to_vec::<f64>(), [0.0, 2.0]);
/// assert_eq!(grad(|x: Tensor| nn::relu(&x))(Tensor::from(0.0f64)).item::<f64>(), 0.0);
/// ```
#[track_caller]
pub fn relu(x: &Tensor) -> Tensor {
    x.relu()
}

/// min(max(x, 0), 6), with derivative 0 at 0 and at 6.
#[track_caller]
pub fn relu6(x: &Tensor) -> Tensor {
    let x = floating(x);
    let inside = x.greater(0.0).logical_and(x.less(6.0));
    inside.select(&x, crate::stop_gradient(&x.maximum(0.0).minimum(6.0)))
}

/// `x` where it is not negative, `slope * x` elsewhere. JAX's default slope is 0.01.
#[track_caller]
pub fn leaky_relu(x: &Tensor, slope: f64) -> Tensor {
    let x = floating(x);
    x.greater_equal(0.0).select(&x, &(&x * slope))
}

/// `x` where it is positive, `alpha * (e^x - 1)` elsewhere.
#[track_caller]
pub fn elu(x: &Tensor, alpha: f64) -> Tensor {
    let x = floating(x);
    let positive = x.greater(0.0);
    // Where x is positive its exponential is neither needed nor finite.
    let negative = positive.select(x.zeros_like(), &x).expm1() * alpha;
    positive.select(&x, &negative)
}

/// The scaled [`elu`] that keeps mean 0 and variance 1 (Klambauer et al., "Self-normalizing neural networks", 2017).
#[track_caller]
pub fn selu(x: &Tensor) -> Tensor {
    elu(x, 1.6732632423543772) * 1.0507009873554805
}

/// max(x, 0) + alpha * (e^(min(x, 0) / alpha) - 1): an [`elu`] whose derivative is continuous.
#[track_caller]
pub fn celu(x: &Tensor, alpha: f64) -> Tensor {
    let x = floating(x);
    x.maximum(0.0) + (x.minimum(0.0) / alpha).expm1() * alpha
}

/// The two forms of [`gelu`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Gelu {
    /// By a hyperbolic tangent. JAX's default.
    #[default]
    Approximate,
    /// By the error function.
    Exact,
}

/// x times the probability that a normal variable is below it (Hendrycks, Gimpel, 2016).
#[track_caller]
pub fn gelu(x: &Tensor, form: Gelu) -> Tensor {
    let x = floating(x);
    match form {
        Gelu::Approximate => {
            let cubed = &x * &x * &x;
            let inner = (&x + cubed * 0.044715) * (2.0 / PI).sqrt();
            &x * ((inner.tanh() + 1.0) * 0.5)
        }
        Gelu::Exact => &x * 0.5 * (-&x * FRAC_1_SQRT_2).erfc(),
    }
}

/// 1 / (1 + e^-x).
#[track_caller]
pub fn sigmoid(x: &Tensor) -> Tensor {
    x.sigmoid()
}

/// x * sigmoid(x).
#[track_caller]
pub fn silu(x: &Tensor) -> Tensor {
    let x = floating(x);
    &x * x.sigmoid()
}

/// [`silu`] by its other name.
#[track_caller]
pub fn swish(x: &Tensor) -> Tensor {
    silu(x)
}

/// Hyperbolic tangent.
#[track_caller]
pub fn tanh(x: &Tensor) -> Tensor {
    x.tanh()
}

/// log(1 + e^x), without overflow.
#[track_caller]
pub fn softplus(x: &Tensor) -> Tensor {
    floating(x).softplus()
}

/// log(sigmoid(x)), without underflow.
#[track_caller]
pub fn log_sigmoid(x: &Tensor) -> Tensor {
    -(-floating(x)).softplus()
}

/// x / (1 + |x|).
#[track_caller]
pub fn soft_sign(x: &Tensor) -> Tensor {
    let x = floating(x);
    &x / (x.abs() + 1.0)
}

/// x * tanh(softplus(x)).
#[track_caller]
pub fn mish(x: &Tensor) -> Tensor {
    let x = floating(x);
    &x * x.softplus().tanh()
}

/// x between -1 and 1, those elsewhere; the derivative at the corners is 1.
#[track_caller]
pub fn hard_tanh(x: &Tensor) -> Tensor {
    let x = floating(x);
    let low = x.less(-1.0).select(x.full_like(-1.0), &x);
    x.greater(1.0).select(x.ones_like(), &low)
}

/// relu6(x + 3) / 6.
#[track_caller]
pub fn hard_sigmoid(x: &Tensor) -> Tensor {
    relu6(&(floating(x) + 3.0)) / 6.0
}

/// x * hard_sigmoid(x).
#[track_caller]
pub fn hard_silu(x: &Tensor) -> Tensor {
    let x = floating(x);
    &x * hard_sigmoid(&x)
}

/// [`hard_silu`] by its other name.
#[track_caller]
pub fn hard_swish(x: &Tensor) -> Tensor {
    hard_silu(x)
}

/// (x + sqrt(x^2 + b)) / 2. JAX's default for `b` is 4.
#[track_caller]
pub fn squareplus(x: &Tensor, b: f64) -> Tensor {
    let x = floating(x);
    (&x + (x.square() + b).sqrt()) / 2.0
}

/// 0 up to -1, x from 1 on, a parabola between.
#[track_caller]
pub fn sparse_plus(x: &Tensor) -> Tensor {
    let x = floating(x);
    let middle = (&x + 1.0).square() / 4.0;
    let high = x.greater_equal(1.0).select(&x, &middle);
    x.less_equal(-1.0).select(x.zeros_like(), &high)
}

/// The gated linear unit: half of an axis times the sigmoid of the other half.
///
/// Fails if the dimension is odd.
#[track_caller]
pub fn glu(x: &Tensor, axis: isize) -> Tensor {
    let parts = floating(x).split(2, axis);
    &parts[0] * parts[1].sigmoid()
}

/// Zeros with a one at each integer of `x`, along a new last dimension of size `classes`; all zeros for an integer out of
/// range.
///
/// ```
/// use wengert::{DType, Tensor, nn};
/// let rows = nn::one_hot(&Tensor::from([1i32, -1]), 3, DType::F32);
/// assert_eq!(rows.to_vec::<f32>(), [0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
/// ```
#[track_caller]
pub fn one_hot(x: &Tensor, classes: usize, dtype: DType) -> Tensor {
    x.one_hot(classes, dtype)
}
