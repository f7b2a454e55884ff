//! Determinants, from LU decompositions.
//!
//! `d det(a) = tr(adj(a) da)`, where the adjugate is computed without dividing by the last pivot, so that the gradient of a
//! singular matrix is right. With `P a = L U`, `s` the parity of `P` and `p` the product of all pivots but the last,
//! `x = adj(a) g` solves `U x = det(a) L^-1 P g`, whose last row is `s p (L^-1 P g)_n`.

use super::factor::Decomposition;
use super::{At, block, sizes, squares};
use crate::trace::apply_at;
use crate::{Ix, Tensor, concatenate, custom_jvp};
use std::panic::Location;
use wengert_ir::op::{TransposeA, TriangularSolve};
use wengert_ir::types::DType;

/// The determinant.
///
/// ```
/// use wengert::{Tensor, grad, linalg};
/// let a = Tensor::from([[1.0f64, 2.0], [3.0, 4.0]]);
/// assert_eq!(linalg::det(&a).item::<f64>(), -2.0);
/// assert_eq!(grad(|a: Tensor| linalg::det(&a))(a).to_vec::<f64>(), [4.0, -3.0, -2.0, 1.0]);
/// ```
///
/// Fails unless the matrices are square.
#[track_caller]
pub fn det(a: &Tensor) -> Tensor {
    let at = Location::caller();
    let a = squares("det", a, at);
    let e = |i: usize, j: usize| a.get((Ix::Rest, i, j));
    match sizes(&a).0 {
        0 => Tensor::ones(super::batch(&a), a.dtype()),
        1 => e(0, 0),
        2 => e(0, 0) * e(1, 1) - e(0, 1) * e(1, 0),
        3 => {
            let minor = |i: usize, j: usize| e(1, i) * e(2, j) - e(1, j) * e(2, i);
            e(0, 0) * minor(1, 2) - e(0, 1) * minor(0, 2) + e(0, 2) * minor(0, 1)
        }
        _ => custom_jvp(
            move |a: Tensor| product(&Decomposition::of(&a, at)),
            move |(a,), (da,)| {
                let factors = Decomposition::of(&a, at);
                let tangent = cofactor_sum(&a, &da, &factors, at);
                (product(&factors), tangent)
            },
        )(a),
    }
}

/// The pivots with their sign.
fn product(factors: &Decomposition) -> Tensor {
    super::diagonal(&factors.lu, 0).prod_axes(&[-1]) * factors.parity()
}

/// Whether a pivot other than the last is 0, per matrix.
fn stuck(factors: &Decomposition) -> Tensor {
    let n = sizes(&factors.lu).0 as isize;
    super::diagonal(&factors.lu, 0).get((Ix::Rest, 0..n - 1)).equal(0.0).any_axes(&[-1])
}

/// `tr(adj(a) g)`.
///
/// A pivot of 0 before the last does not mean that the adjugate is 0. There a reflection in general position mixes the columns
/// of `a`: `adj(a) g` has the trace of `-adj(a h) g h`, and of `a h` only the last pivot is 0, unless two are.
fn cofactor_sum(a: &Tensor, g: &Tensor, factors: &Decomposition, at: At) -> Tensor {
    let mix = stuck(factors).expand_dims(-1).expand_dims(-1);
    let mixed = |x: &Tensor, sign: f64| mix.select(&(reflected(x) * sign), x);
    let (a, g) = (mixed(a, 1.0), mixed(g, -1.0));
    let factors = Decomposition::of(&a, at);
    let (n, last) = (sizes(&a).0, sizes(&a).0 - 1);
    let vanishes = stuck(&factors);
    let pivots = super::diagonal(&factors.lu, 0);
    let but_last = pivots.get((Ix::Rest, 0..last)).prod_axes(&[-1]) * factors.parity();
    let det = &but_last * pivots.get((Ix::Rest, last));
    let wide = |x: &Tensor| x.expand_dims(-1).expand_dims(-1);
    // Where the adjugate is 0 anything without a division by 0 will do.
    let lu = wide(&vanishes).select(Tensor::eye(n, a.dtype()), &factors.lu);
    let y = factors.below(&g, at);
    let bottom = block(&y, last..n, 0..n) * wide(&but_last);
    let rest = block(&y, 0..last, 0..n) * wide(&det) - block(&lu, 0..last, last..n).matmul(&bottom);
    let upper =
        TriangularSolve { left_side: true, lower: false, unit_diagonal: false, transpose_a: TransposeA::No };
    let top = apply_at(upper.into(), &[&block(&lu, 0..last, 0..last), &rest], at).remove(0);
    let sum = super::trace(&concatenate(&[top, bottom], -2), 0);
    vanishes.select(sum.zeros_like(), &sum)
}

/// The columns reflected at a plane in general position: `x (1 - 2 v v^T)`.
fn reflected(x: &Tensor) -> Tensor {
    let n = sizes(x).1;
    // Multiples of the golden ratio, modulo 1, have no pattern.
    let t = Tensor::arange(n, DType::F64) * 0.618_033_988_749_894_9;
    let v = &t - t.floor() + 0.5;
    let v = (&v / v.square().sum().sqrt()).astype(x.dtype());
    x - x.matmul(&v).expand_dims(-1) * v * 2.0
}

/// Sign and logarithm of the absolute value of the determinant, as `numpy.linalg.slogdet`: `det = sign e^logdet`. The sign of
/// a complex determinant is its phase. 0 and -inf where a matrix is singular.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let (sign, log) = linalg::slogdet(&Tensor::from([[0.0f64, 1.0], [1.0, 0.0]]));
/// assert_eq!((sign.item::<f64>(), log.item::<f64>()), (-1.0, 0.0));
/// ```
///
/// Fails unless the matrices are square.
#[track_caller]
pub fn slogdet(a: &Tensor) -> (Tensor, Tensor) {
    let at = Location::caller();
    let a = squares("slogdet", a, at);
    let factors = Decomposition::of(&a, at);
    let pivots = super::diagonal(&factors.lu, 0);
    let logdet = pivots.abs().log().sum_axis(-1);
    let sign = if a.is_complex() {
        let singular = pivots.equal(0.0).any_axes(&[-1]);
        let phases = (&pivots / pivots.abs().astype(a.dtype())).prod_axes(&[-1]);
        singular.select(phases.zeros_like(), &phases)
    } else {
        pivots.sign().prod_axes(&[-1])
    };
    (sign * factors.parity(), logdet)
}
