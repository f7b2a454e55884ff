//! Norms, condition numbers, ranks.

use super::spectrum::values_of;
use super::{At, epsilon, matrices, real_dtype, sizes, squared, wrong};
use crate::Tensor;
use crate::ops::promote::floating;
use crate::ops::reduce::axes;
use std::panic::Location;

/// Which norm.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Norm {
    /// The root of the sum of squares: the 2-norm of vectors, the Frobenius norm of matrices.
    Euclidean,
    /// Of matrices: the sum of the singular values.
    Nuclear,
    /// Of vectors: the `p`th root of the sum of `p`th powers; the largest or smallest modulus for infinities, and
    /// for 0 how many elements are not 0. Of matrices: 1 and -1 are the largest and smallest sum of a column,
    /// infinities of a row, 2 and -2 the largest and smallest singular value.
    P(f64),
}

impl From<f64> for Norm {
    fn from(p: f64) -> Norm {
        Norm::P(p)
    }
}

/// A norm of vectors along one axis, or of matrices along two (rows, columns); without axes, of a tensor with one or two
/// dimensions, or with any number the Euclidean norm of all elements. The result is real.
///
/// As in JAX the gradient of a Euclidean norm at 0 is NaN.
///
/// ```
/// use wengert::{Tensor, linalg::{Norm, norm}};
/// let a = Tensor::from([[3.0f64, -4.0], [0.0, 1.0]]);
/// assert_eq!(norm(&a, Norm::Euclidean, Some(&[1])).to_vec::<f64>(), [5.0, 1.0]);
/// assert_eq!(norm(&a, f64::INFINITY, None).item::<f64>(), 7.0);
/// assert_eq!(norm(&a, 1.0, Some(&[0])).to_vec::<f64>(), [3.0, 5.0]);
/// ```
///
/// Fails if an axis is out of range, for a norm that matrices (or vectors) do not have, and for other numbers of axes.
#[track_caller]
pub fn norm(x: &Tensor, which: impl Into<Norm>, over: Option<&[isize]>) -> Tensor {
    let at = Location::caller();
    let (kept, dims) = kept(x, which.into(), over, at);
    kept.squeeze(&dims)
}

/// [`norm`] with its axes as dimensions of size 1.
#[track_caller]
pub fn norm_keep(x: &Tensor, which: impl Into<Norm>, over: Option<&[isize]>) -> Tensor {
    kept(x, which.into(), over, Location::caller()).0
}

/// The `p`-norm of vectors along axes, which are taken together; see [`Norm::P`].
///
/// Fails if an axis is out of range.
#[track_caller]
pub fn vector_norm(x: &Tensor, p: f64, over: &[isize]) -> Tensor {
    let at = Location::caller();
    axes("linalg::vector_norm", x, over, at);
    of_vectors(&floating(x), p, over).squeeze(over)
}

/// A norm of matrices, the last two dimensions; see [`Norm`].
///
/// Fails for fewer dimensions and for a norm that matrices do not have.
#[track_caller]
pub fn matrix_norm(x: &Tensor, which: impl Into<Norm>) -> Tensor {
    let at = Location::caller();
    let x = matrices("matrix_norm", x, at);
    of_matrices("matrix_norm", &x, which.into(), [-2, -1], at).squeeze(&[-2, -1])
}

fn kept(x: &Tensor, which: Norm, over: Option<&[isize]>, at: At) -> (Tensor, Vec<isize>) {
    let x = floating(x);
    let all: Vec<isize> = (0..x.rank() as isize).collect();
    let over = over.unwrap_or(&all).to_vec();
    axes("linalg::norm", &x, &over, at);
    let found = match (&over[..], which) {
        (&[rows, columns], which) => of_matrices("norm", &x, which, [rows, columns], at),
        ([_], Norm::P(p)) => of_vectors(&x, p, &over),
        (_, Norm::Euclidean) if over.len() == 1 || over == all => of_vectors(&x, 2.0, &over),
        ([_], which) => wrong("norm", &format!("vectors have no norm {which:?}"), &[&x], at),
        (over, _) => wrong("norm", &format!("takes one axis or two, not {over:?}"), &[&x], at),
    };
    (found, over)
}

/// The largest of numbers that are not negative, over axes that stay as dimensions of size 1; 0 of nothing.
#[track_caller]
fn largest(x: &Tensor, over: &[isize]) -> Tensor {
    let at = Location::caller();
    x.max_or_least(&axes("norm", x, over, at), at).maximum(0.0)
}

fn of_vectors(x: &Tensor, p: f64, over: &[isize]) -> Tensor {
    if p == 2.0 {
        return squared(x).sum_keep(over).sqrt();
    }
    let modulus = x.abs();
    if p == f64::INFINITY {
        return largest(&modulus, over);
    }
    if p == f64::NEG_INFINITY {
        return modulus.min_keep(over);
    }
    if p == 0.0 {
        return x.not_equal(0.0).astype(real_dtype(x)).sum_keep(over);
    }
    if p == 1.0 {
        return modulus.sum_keep(over);
    }
    modulus.pow(p).sum_keep(over).pow(1.0 / p)
}

fn of_matrices(name: &str, x: &Tensor, which: Norm, [rows, columns]: [isize; 2], at: At) -> Tensor {
    let sums = |over: isize| x.abs().sum_keep(&[over]);
    let singular = || {
        let s = values_of(name, &x.moveaxis(&[rows, columns], &[-2, -1]), at);
        // Back to where the matrices were.
        let s = s.expand_dims(-1);
        move |reduced: fn(&Tensor) -> Tensor| reduced(&s).moveaxis(&[-2, -1], &[rows, columns])
    };
    match which {
        Norm::Euclidean => of_vectors(x, 2.0, &[rows, columns]),
        Norm::Nuclear => singular()(|s| s.sum_keep(&[-2])),
        Norm::P(1.0) => largest(&sums(rows), &[columns]),
        Norm::P(-1.0) => sums(rows).min_keep(&[columns]),
        Norm::P(2.0) => singular()(|s| largest(s, &[-2])),
        Norm::P(-2.0) => singular()(|s| s.min_keep(&[-2])),
        Norm::P(f64::INFINITY) => largest(&sums(columns), &[rows]),
        Norm::P(f64::NEG_INFINITY) => sums(columns).min_keep(&[rows]),
        Norm::P(p) => wrong(name, &format!("matrices have no norm {p}"), &[x], at),
    }
}

/// The condition number: the product of the norms of a matrix and of its inverse. For 2 and -2, which need no square matrix, the
/// ratio of the largest and smallest singular value, or its inverse.
///
/// ```
/// use wengert::{Tensor, linalg::cond};
/// assert_eq!(cond(&Tensor::from([[4.0f64, 0.0], [0.0, 0.5]]), 2.0).item::<f64>(), 8.0);
/// ```
///
/// Infinite for singular matrices. Fails for empty matrices, and for other norms unless they are square.
#[track_caller]
pub fn cond(x: &Tensor, which: impl Into<Norm>) -> Tensor {
    let at = Location::caller();
    let x = matrices("cond", x, at);
    let (m, n) = sizes(&x);
    if m == 0 || n == 0 {
        wrong("cond", "empty matrices have no condition number", &[&x], at)
    }
    let which = which.into();
    let ends = || {
        let s = values_of("cond", &x, at);
        (s.get((crate::Ix::Rest, 0)), s.get((crate::Ix::Rest, -1)))
    };
    let found = match which {
        Norm::P(2.0) => {
            let (most, least) = ends();
            return most / least;
        }
        Norm::P(-2.0) => {
            let (most, least) = ends();
            least / most
        }
        _ => {
            let inverse = super::inv(&super::squares("cond", &x, at));
            let norm = |x: &Tensor| of_matrices("cond", x, which, [-2, -1], at).squeeze(&[-2, -1]);
            norm(&x) * norm(&inverse)
        }
    };
    let lost = found.is_nan().logical_and(x.is_nan().any_axes(&[-2, -1]).logical_not());
    lost.select(found.full_like(f64::INFINITY), &found)
}

/// The number (`i32`) of singular values greater than `rtol`, or than their largest times the greater size times the
/// spacing of numbers. As in JAX `rtol` is a bound as it stands, not a factor.
///
/// ```
/// use wengert::{Tensor, linalg::matrix_rank};
/// assert_eq!(matrix_rank(&Tensor::from([[1.0f64, 2.0], [2.0, 4.0]]), None).item::<i32>(), 1);
/// ```
///
/// Fails for fewer than two dimensions.
#[track_caller]
pub fn matrix_rank(x: &Tensor, rtol: Option<f64>) -> Tensor {
    let at = Location::caller();
    let x = matrices("matrix_rank", x, at);
    let s = values_of("matrix_rank", &x, at);
    let (m, n) = sizes(&x);
    let bound = match rtol {
        Some(bound) => s.max_keep(&[-1]).full_like(bound),
        None => s.max_keep(&[-1]) * (m.max(n) as f64 * epsilon(&x)),
    };
    s.greater(bound).astype(wengert_ir::types::DType::I32).sum_axis(-1)
}
