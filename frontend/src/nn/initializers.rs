//! Initial values of parameters, with the names and the numbers of `jax.nn.initializers`.
//!
//! A shape ends with the dimensions of inputs and outputs; those before them (of a convolution's kernel, say) multiply
//! both counts.

use crate::error::{Error, fail};
use crate::{DType, Tensor, random};
use std::panic::Location;

/// Uniform over `[0, scale)`. JAX's default scale is 0.01.
#[track_caller]
pub fn uniform(key: &Tensor, shape: &[usize], dtype: DType, scale: f64) -> Tensor {
    random::uniform(key, shape, dtype, 0.0, 1.0) * scale
}

/// Normal with mean 0. JAX's default deviation is 0.01.
#[track_caller]
pub fn normal(key: &Tensor, shape: &[usize], dtype: DType, deviation: f64) -> Tensor {
    random::normal(key, shape, dtype) * deviation
}

/// Normal, drawn again beyond two deviations: by the inverse distribution, so that nothing is drawn twice.
#[track_caller]
pub fn truncated_normal(key: &Tensor, shape: &[usize], dtype: DType, deviation: f64) -> Tensor {
    random::truncated_normal(key, shape, dtype, -2.0, 2.0) * deviation
}

/// What [`variance_scaling`] divides by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fan {
    /// The number of inputs.
    In,
    /// The number of outputs.
    Out,
    /// Their mean.
    Average,
}

/// What [`variance_scaling`] draws from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distribution {
    /// The normal distribution.
    Normal,
    /// The normal distribution within two deviations.
    TruncatedNormal,
    /// A uniform distribution around 0.
    Uniform,
}

/// Values with mean 0 and variance `scale / fan`.
///
/// Fails for fewer than two dimensions, and for other element types than `f64`, `f32`, `f16` and `bf16`.
#[track_caller]
pub fn variance_scaling(
    key: &Tensor,
    shape: &[usize],
    dtype: DType,
    scale: f64,
    fan: Fan,
    distribution: Distribution,
) -> Tensor {
    let [outer @ .., inputs, outputs] = shape else {
        let message =
            format!("initializers: a shape of two dimensions or more is needed, here it is {shape:?}");
        fail(Error::new(message, Some(Location::caller())))
    };
    let field: f64 = outer.iter().map(|&n| n as f64).product();
    let (inputs, outputs) = (*inputs as f64 * field, *outputs as f64 * field);
    let denominator = match fan {
        Fan::In => inputs,
        Fan::Out => outputs,
        Fan::Average => (inputs + outputs) / 2.0,
    };
    // In the numbers' own arithmetic, so that the bits are JAX's.
    let variance = Tensor::from(scale / denominator).astype(dtype);
    match distribution {
        Distribution::Normal => random::normal(key, shape, dtype) * variance.sqrt(),
        // The deviation of a standard normal variable within two deviations.
        Distribution::TruncatedNormal => {
            truncated_normal(key, shape, dtype, 1.0) * (variance.sqrt() / 0.879_625_661_034_239_8)
        }
        Distribution::Uniform => random::uniform(key, shape, dtype, -1.0, 1.0) * (variance * 3.0).sqrt(),
    }
}

macro_rules! initializers {
    ($($(#[$doc:meta])* $name:ident $scale:literal $fan:ident $distribution:ident;)+) => { $(
        $(#[$doc])*
        ///
        /// Fails as [`variance_scaling`] does.
        #[track_caller]
        pub fn $name(key: &Tensor, shape: &[usize], dtype: DType) -> Tensor {
            variance_scaling(key, shape, dtype, $scale, Fan::$fan, Distribution::$distribution)
        }
    )+ };
}
initializers! {
    /// Uniform with variance 1 / mean of inputs and outputs (Glorot, Bengio, 2010).
    ///
    /// ```
    /// use wengert::{DType, nn::initializers::glorot_uniform, random};
    /// let w = glorot_uniform(&random::key(0), &[100, 200], DType::F32);
    /// assert!(w.abs().max().item::<f32>() < 0.15);
    /// ```
    glorot_uniform 1.0 Average Uniform;
    /// Truncated normal with variance 1 / mean of inputs and outputs (Glorot, Bengio, 2010).
    glorot_normal 1.0 Average TruncatedNormal;
    /// Uniform with variance 1 / inputs (LeCun et al., 1998).
    lecun_uniform 1.0 In Uniform;
    /// Truncated normal with variance 1 / inputs (LeCun et al., 1998).
    lecun_normal 1.0 In TruncatedNormal;
    /// Uniform with variance 2 / inputs (He et al., 2015).
    he_uniform 2.0 In Uniform;
    /// Truncated normal with variance 2 / inputs (He et al., 2015).
    he_normal 2.0 In TruncatedNormal;
}
