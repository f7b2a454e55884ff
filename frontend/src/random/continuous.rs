//! Distributions that are functions of uniform and normal numbers, and matrices and vectors of normal numbers, with the
//! keys of `jax.random`. Parameters are numbers or tensors that broadcast to the shape, and have derivatives.

use super::{exponential, normal, parameter, rademacher, single_or_double, split, uniform, wrong};
use crate::linalg::{self, Factors};
use crate::ops::promote::{Operand, broadcast_shapes};
use crate::{Tensor, stop_gradient};
use std::panic::Location;
use wengert_ir::types::DType;

/// Pareto numbers with exponent `b`, from 1, of `f32` or `f64`.
///
/// Fails for other types, and if `b` does not broadcast to `shape`.
#[track_caller]
pub fn pareto(key: &Tensor, b: impl Operand, shape: &[usize], dtype: DType) -> Tensor {
    single_or_double("pareto", dtype, Location::caller());
    let b = parameter("pareto", b, shape, dtype, Location::caller());
    (exponential(key, shape, dtype) / b).exp()
}

/// Rayleigh numbers with this scale, of `f32` or `f64`.
///
/// Fails for other types, and if the scale does not broadcast to `shape`.
#[track_caller]
pub fn rayleigh(key: &Tensor, scale: impl Operand, shape: &[usize], dtype: DType) -> Tensor {
    single_or_double("rayleigh", dtype, Location::caller());
    let scale = parameter("rayleigh", scale, shape, dtype, Location::caller());
    scale * (uniform(key, shape, dtype, 0.0, 1.0).log() * -2.0).sqrt()
}

/// Numbers with a triangular density from `left` to `right` with its top at `mode`, of `f32` or `f64`.
///
/// Fails for other types, and if the parameters do not broadcast to `shape`.
#[track_caller]
pub fn triangular(
    key: &Tensor,
    left: impl Operand,
    mode: impl Operand,
    right: impl Operand,
    shape: &[usize],
    dtype: DType,
) -> Tensor {
    single_or_double("triangular", dtype, Location::caller());
    let at = Location::caller();
    let left = parameter("triangular", left, shape, dtype, at);
    let mode = parameter("triangular", mode, shape, dtype, at);
    let right = parameter("triangular", right, shape, dtype, at);
    let u = uniform(key, shape, dtype, 0.0, 1.0);
    let width = &right - &left;
    let rising = u.less((&mode - &left) / &width);
    let low = &left + (&u * &width * (&mode - &left)).sqrt();
    let high = &right - ((1.0 - &u) * &width * (&right - &mode)).sqrt();
    rising.select(&low, &high)
}

/// Wald (inverse Gaussian) numbers with this mean and scale 1, of `f32` or `f64`.
///
/// J. R. Michael, W. R. Schucany, R. W. Haas, *Generating random variates using transformations with multiple roots*, Amer.
/// Statist. 30 (1976).
///
/// Fails for other types, and if the mean does not broadcast to `shape`.
#[track_caller]
pub fn wald(key: &Tensor, mean: impl Operand, shape: &[usize], dtype: DType) -> Tensor {
    single_or_double("wald", dtype, Location::caller());
    let mean = parameter("wald", mean, shape, dtype, Location::caller());
    let keys = split(key, 2);
    let (v, z) = (normal(&keys[0], shape, dtype), uniform(&keys[1], shape, dtype, 0.0, 1.0));
    let (y, square) = (v.square(), mean.square());
    let root = (4.0 * &mean * &y + &square * y.square()).sqrt();
    let x = &mean + &square * &y / 2.0 - &mean / 2.0 * root;
    z.less_equal(&mean / (&mean + &x)).select(&x, &(square / &x))
}

/// Weibull numbers, of `f32` or `f64`.
///
/// Fails for other types, and if the parameters do not broadcast to `shape`.
#[track_caller]
pub fn weibull_min(
    key: &Tensor,
    scale: impl Operand,
    concentration: impl Operand,
    shape: &[usize],
    dtype: DType,
) -> Tensor {
    single_or_double("weibull_min", dtype, Location::caller());
    let at = Location::caller();
    let scale = parameter("weibull_min", scale, shape, dtype, at);
    let concentration = parameter("weibull_min", concentration, shape, dtype, at);
    (-(-uniform(key, shape, dtype, 0.0, 1.0)).log1p()).pow(1.0 / concentration) * scale
}

/// Maxwell numbers with scale 1: lengths of vectors of three normal numbers, of `f32` or `f64`.
///
/// Fails for other types.
#[track_caller]
pub fn maxwell(key: &Tensor, shape: &[usize], dtype: DType) -> Tensor {
    single_or_double("maxwell", dtype, Location::caller());
    linalg::vector_norm(&normal(key, &[shape, &[3]].concat(), dtype), 2.0, &[-1])
}

/// Maxwell numbers with random signs, of `f32` or `f64`.
///
/// Fails for other types, and if the parameters do not broadcast to `shape`.
#[track_caller]
pub fn double_sided_maxwell(
    key: &Tensor,
    loc: impl Operand,
    scale: impl Operand,
    shape: &[usize],
    dtype: DType,
) -> Tensor {
    single_or_double("double_sided_maxwell", dtype, Location::caller());
    let at = Location::caller();
    let loc = parameter("double_sided_maxwell", loc, shape, dtype, at);
    let scale = parameter("double_sided_maxwell", scale, shape, dtype, at);
    let keys = split(key, 2);
    rademacher(&keys[1], shape, dtype) * maxwell(&keys[0], shape, dtype) * scale + loc
}

/// Exponentials of normal numbers with deviation `sigma`, of `f32` or `f64`.
///
/// Fails for other types, and if `sigma` does not broadcast to `shape`.
#[track_caller]
pub fn lognormal(key: &Tensor, sigma: impl Operand, shape: &[usize], dtype: DType) -> Tensor {
    single_or_double("lognormal", dtype, Location::caller());
    let sigma = parameter("lognormal", sigma, shape, dtype, Location::caller());
    (normal(key, shape, dtype) * sigma).exp()
}

/// Normal vectors with this mean and covariance, by its Cholesky factor, of `f32` or `f64`: `mean` has them in its last dimension,
/// `cov` matrices in its last two. The result has `shape`, which the leading dimensions of both broadcast to, and the last
/// dimension of `mean`. NaN where a covariance is not positive definite.
///
/// ```
/// use wengert::{DType, Tensor, random};
/// let (mean, cov) = (Tensor::from([1.0f64, -1.0]), Tensor::from([[2.0f64, 1.0], [1.0, 2.0]]));
/// let x = random::multivariate_normal(&random::key(1), &mean, &cov, &[5], DType::F64);
/// assert_eq!(x.shape(), [5, 2]);
/// ```
///
/// Fails for other types and if shapes do not fit.
#[track_caller]
pub fn multivariate_normal(
    key: &Tensor,
    mean: &Tensor,
    cov: &Tensor,
    shape: &[usize],
    dtype: DType,
) -> Tensor {
    let at = Location::caller();
    single_or_double("multivariate_normal", dtype, at);
    let n = mean.shape().last().copied();
    let rank = cov.rank();
    let fits = |own: &[usize]| broadcast_shapes(own, shape).as_deref() == Some(shape);
    let (Some(n), true) = (n, rank >= 2) else {
        wrong("multivariate_normal", "takes vectors of means and matrices of covariances", at)
    };
    if cov.shape()[rank - 2..] != [n, n]
        || !fits(&cov.shape()[..rank - 2])
        || !fits(&mean.shape()[..mean.rank() - 1])
    {
        let why =
            format!("means {} and covariances {} do not fit each other and {shape:?}", mean.ty(), cov.ty());
        wrong("multivariate_normal", &why, at)
    }
    let factor = linalg::cholesky(&cov.astype(dtype));
    let z = normal(key, &[shape, &[n]].concat(), dtype);
    factor.matmul(&z.expand_dims(-1)).squeeze(&[-1]) + mean.astype(dtype)
}

/// Random orthogonal `n` x `n` matrices, `shape` of them, of `f32` or `f64`, evenly distributed (by Haar's measure).
///
/// F. Mezzadri, *How to generate random matrices from the classical compact groups*, Notices AMS 54 (2007).
///
/// Fails for other types.
#[track_caller]
pub fn orthogonal(key: &Tensor, n: usize, shape: &[usize], dtype: DType) -> Tensor {
    single_or_double("orthogonal", dtype, Location::caller());
    let z = normal(key, &[shape, &[n, n]].concat(), dtype);
    let (q, r) = linalg::qr(&stop_gradient(&z), Factors::Reduced);
    q * linalg::diagonal(&r, 0).sign().expand_dims(-2)
}
