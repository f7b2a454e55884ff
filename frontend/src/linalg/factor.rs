//! Factorizations without iteration: Cholesky, LU, QR.
//!
//! LU has the derivative of its operation. That of QR is written with its factors (J. Townsend, *Differentiating the QR
//! decomposition*, 2018), so that it exists wherever R is invertible.

use super::{
    At, Factors, Trans, Triangle, adjoint, batch, block, matrices, sizes, squares, stretched, symmetrized,
};
use crate::ops::promote::convert;
use crate::trace::apply_at;
use crate::{Tensor, concatenate, custom_jvp, scan};
use std::panic::Location;
use wengert_ir::op::{CallForm, Cholesky, Gather, HouseholderProduct, Lu, Qr, TransposeA, TriangularSolve};
use wengert_ir::types::{DType, Dims};

/// The lower factor `L` of Hermitian positive definite matrices, `a = L L^H`. NaN where a matrix is not positive definite.
/// As in JAX `(a + a^H) / 2` is factored, and the gradient is symmetric.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let l = linalg::cholesky(&Tensor::from([[4.0f64, 2.0], [2.0, 5.0]]));
/// assert_eq!(l.to_vec::<f64>(), [2.0, 0.0, 1.0, 2.0]);
/// ```
///
/// Fails unless the matrices are square.
#[track_caller]
pub fn cholesky(a: &Tensor) -> Tensor {
    let at = Location::caller();
    let a = squares("cholesky", a, at);
    apply_at(Cholesky { lower: true }.into(), &[&symmetrized(&a)], at).remove(0)
}

/// A Cholesky factor and which triangle it is, for [`super::cho_solve`]. One triangle of `a` is read, and has the gradient.
///
/// ```
/// use wengert::{Tensor, linalg, linalg::Triangle};
/// let factor = linalg::cho_factor(&Tensor::from([[4.0f64, 2.0], [2.0, 5.0]]), Triangle::Upper);
/// assert_eq!(factor.0.to_vec::<f64>(), [2.0, 1.0, 0.0, 2.0]);
/// let x = linalg::cho_solve(&factor, &Tensor::from([8.0f64, 12.0]));
/// assert_eq!(x.to_vec::<f64>(), [1.0, 2.0]);
/// ```
///
/// Fails unless the matrices are square.
#[track_caller]
pub fn cho_factor(a: &Tensor, triangle: Triangle) -> (Tensor, Triangle) {
    let at = Location::caller();
    let a = squares("cho_factor", a, at);
    let lower = triangle == Triangle::Lower;
    (apply_at(Cholesky { lower }.into(), &[&a], at).remove(0), triangle)
}

/// `L - 1 + U` and the exchanges of rows (`i32`, from 0) of an LU decomposition with partial pivoting, for
/// [`super::lu_solve`].
///
/// Fails for fewer than two dimensions.
#[track_caller]
pub fn lu_factor(a: &Tensor) -> (Tensor, Tensor) {
    let at = Location::caller();
    decomposed(&matrices("lu_factor", a, at), at)
}

fn decomposed(a: &Tensor, at: At) -> (Tensor, Tensor) {
    let mut out = apply_at(Lu { form: CallForm::Lapack }.into(), &[a], at);
    // LAPACK counts from 1.
    let pivots = &out[1] - 1;
    (out.swap_remove(0), pivots)
}

/// An LU decomposition in use.
pub(super) struct Decomposition {
    /// `L - 1 + U`.
    pub(super) lu: Tensor,
    /// What was exchanged.
    pub(super) pivots: Tensor,
    /// Row `i` of `P^T a` is row `order[i]` of `a`.
    pub(super) order: Tensor,
}

impl Decomposition {
    pub(super) fn of(a: &Tensor, at: At) -> Decomposition {
        let (lu, pivots) = decomposed(a, at);
        Self::from_pivots(&lu, &pivots)
    }

    pub(super) fn from_pivots(lu: &Tensor, pivots: &Tensor) -> Decomposition {
        let order = permutation(pivots, sizes(lu).0);
        Decomposition { lu: lu.clone(), pivots: pivots.clone(), order }
    }

    /// `op(a)^-1 b`, where `b` has at least the batch of `a`.
    pub(super) fn solve(&self, b: &Tensor, trans: Trans, at: At) -> Tensor {
        match trans.into() {
            TransposeA::No => self.triangle(false, TransposeA::No, &self.below(b, at), at),
            turned => {
                let y = self.triangle(true, turned, &self.triangle(false, turned, b, at), at);
                let order = stretched(&self.order.argsort(-1), batch(b), 1, at);
                rows_at(&y, &order, at)
            }
        }
    }

    /// `L^-1 P^T b`.
    pub(super) fn below(&self, b: &Tensor, at: At) -> Tensor {
        let order = stretched(&self.order, batch(b), 1, at);
        self.triangle(true, TransposeA::No, &rows_at(b, &order, at), at)
    }

    fn triangle(&self, lower: bool, transpose_a: TransposeA, b: &Tensor, at: At) -> Tensor {
        let lu = stretched(&self.lu, batch(b), 2, at);
        let op = TriangularSolve { left_side: true, lower, unit_diagonal: lower, transpose_a };
        apply_at(op.into(), &[&lu, b], at).remove(0)
    }

    /// 1 or -1: the determinant of the permutation, per matrix.
    pub(super) fn parity(&self) -> Tensor {
        let own = Tensor::iota(self.pivots.shape(), self.pivots.rank() - 1, DType::I32);
        let exchanges = self.pivots.not_equal(&own).astype(DType::I32).sum_axis(-1);
        (1 - 2 * (exchanges % 2)).astype(self.lu.dtype())
    }
}

/// The order of `rows` rows after these exchanges.
fn permutation(pivots: &Tensor, rows: usize) -> Tensor {
    let mut shape = pivots.shape().to_vec();
    let steps = shape.pop().unwrap_or(0);
    shape.push(rows);
    let index = Tensor::iota(&shape, shape.len() - 1, DType::I32);
    if steps == 0 || index.is_empty() {
        return index;
    }
    let exchange = |order: Tensor, (i, j): (Tensor, Tensor)| {
        let (at_i, at_j) = (index.equal(&i), index.equal(j.expand_dims(-1)));
        let zero = order.zeros_like();
        let picked = |mask: &Tensor| mask.select(&order, &zero).sum_keep(&[-1]);
        let (of_i, of_j) = (picked(&at_i), picked(&at_j));
        (at_i.select(&of_j, at_j.select(&of_i, &order)), ())
    };
    scan(exchange, index.clone(), (Tensor::arange(steps, DType::I32), pivots.moveaxis(&[-1], &[0]))).0
}

/// The rows of matrices in another order.
fn rows_at(x: &Tensor, order: &Tensor, at: At) -> Tensor {
    if x.is_empty() {
        return x.clone();
    }
    let (rank, outer) = (x.rank(), x.rank() - 2);
    let mut slice_sizes = Dims::from_elem(1, rank);
    slice_sizes[rank - 1] = x.shape()[rank - 1];
    let gather = Gather {
        offset_dims: Dims::from_slice(&[rank - 1]),
        collapsed_slice_dims: Dims::from_slice(&[rank - 2]),
        operand_batching_dims: (0..outer).collect(),
        start_indices_batching_dims: (0..outer).collect(),
        start_index_map: Dims::from_slice(&[rank - 2]),
        index_vector_dim: rank - 1,
        slice_sizes,
        indices_are_sorted: false,
    };
    apply_at(gather.into(), &[x, &order.expand_dims(-1)], at).remove(0)
}

/// `(P, L, U)` with `a = P L U`: a permutation matrix (real), `L` lower triangular with ones on the diagonal, `U` upper
/// triangular; for `m` rows and `n` columns `[m, m]`, `[m, k]` and `[k, n]`, `k` the smaller.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let (p, l, u) = linalg::lu(&Tensor::from([[1.0f64, 3.0], [2.0, 4.0]]));
/// assert_eq!(p.to_vec::<f64>(), [0.0, 1.0, 1.0, 0.0]);
/// assert_eq!(l.to_vec::<f64>(), [1.0, 0.0, 0.5, 1.0]);
/// assert_eq!(u.to_vec::<f64>(), [2.0, 4.0, 0.0, 1.0]);
/// ```
///
/// Fails for fewer than two dimensions.
#[track_caller]
pub fn lu(a: &Tensor) -> (Tensor, Tensor, Tensor) {
    let at = Location::caller();
    let a = matrices("lu", a, at);
    let found = Decomposition::of(&a, at);
    let (m, n) = sizes(&a);
    let k = m.min(n);
    let shape = [batch(&a), &[m, m]].concat();
    let rows = Tensor::iota(&shape, shape.len() - 2, DType::I32);
    let p = found.order.expand_dims(-2).equal(rows).astype(super::real_dtype(&a));
    let l = block(&found.lu, 0..m, 0..k).tril(-1) + Tensor::eye_offset(m, k, 0, a.dtype());
    (p, l, block(&found.lu, 0..k, 0..n).triu(0))
}

/// `(Q, R)` with `a = Q R`: orthonormal columns, and an upper triangle. Signs are LAPACK's.
///
/// The derivative of the reduced form exists where the first columns of `a` are independent. That of the complete form of
/// more rows than columns is the derivative of the reflections: the columns beyond are one choice of many.
///
/// ```
/// use wengert::{Tensor, linalg, linalg::Factors};
/// let (q, r) = linalg::qr(&Tensor::from([[3.0f64], [4.0]]), Factors::Reduced);
/// assert_eq!(r.item::<f64>(), -5.0);
/// assert!(q.allclose(Tensor::from([[-0.6f64], [-0.8]]), 1e-14, 1e-14).item::<bool>());
/// ```
///
/// Fails for fewer than two dimensions.
#[track_caller]
pub fn qr(a: &Tensor, factors: Factors) -> (Tensor, Tensor) {
    let at = Location::caller();
    let a = matrices("qr", a, at);
    let (m, n) = sizes(&a);
    if factors == Factors::Complete && m > n {
        return reflected(&a, m, at);
    }
    differentiable_qr(a, ORDERS, at)
}

/// To this order derivatives follow from the factors; higher ones from the reflections.
const ORDERS: usize = 2;

fn differentiable_qr(a: Tensor, orders: usize, at: At) -> (Tensor, Tensor) {
    let (m, n) = sizes(&a);
    let k = m.min(n);
    if orders == 0 || a.is_empty() {
        return reflected(&a, k, at);
    }
    custom_jvp(
        move |a: Tensor| reflected(&a, k, at),
        move |(a,), (da,)| {
            let (q, r) = differentiable_qr(a.clone(), orders - 1, at);
            let part = |x: &Tensor, from: usize, to: usize| block(x, 0..m, from..to);
            let (dq, dr) = thin_tangent(&q, &block(&r, 0..k, 0..k), &part(&da, 0, k), at);
            if n <= m {
                return ((q, r), (dq, dr));
            }
            // The columns beyond are Q^H a.
            let beyond = adjoint(&dq).matmul(&part(&a, k, n)) + adjoint(&q).matmul(&part(&da, k, n));
            ((q, r), (dq, concatenate(&[dr, beyond], -1)))
        },
    )(a)
}

/// With `X = da R^-1`, `Y = Q^H X` and `O` the skew-Hermitian matrix with the lower triangle of `Y`:
/// `dQ = Q (O - Y) + X` and `dR = (Y - O) R`.
fn thin_tangent(q: &Tensor, r: &Tensor, da: &Tensor, at: At) -> (Tensor, Tensor) {
    let by_r =
        TriangularSolve { left_side: false, lower: false, unit_diagonal: false, transpose_a: TransposeA::No };
    let x = apply_at(by_r.into(), &[r, da], at).remove(0);
    let y = adjoint(q).matmul(&x);
    let below = y.tril(-1);
    let mut skew = &below - adjoint(&below);
    if y.is_complex() {
        // The imaginary diagonal keeps that of R real.
        let imaginary = &y - convert(&y.real(), y.dtype(), at);
        skew += imaginary.tril(0).triu(0);
    }
    let turn = skew - y;
    let dr = (-&turn).matmul(r).triu(0);
    (q.matmul(&turn) + x, dr)
}

/// QR by reflections, `columns` columns of Q.
fn reflected(a: &Tensor, columns: usize, at: At) -> (Tensor, Tensor) {
    let (m, n) = sizes(a);
    let outer = batch(a);
    if m == 0 || n == 0 {
        let q = Tensor::eye_offset(m, columns, 0, a.dtype());
        return (stretched(&q, outer, 2, at), Tensor::zeros(&[outer, &[columns, n]].concat(), a.dtype()));
    }
    let form = CallForm::Lapack;
    let out = apply_at(Qr { form }.into(), &[a], at);
    let mut vectors = block(&out[0], 0..m, 0..columns.min(n));
    if columns > n {
        let mut width = vec![(0, 0); a.rank()];
        width[a.rank() - 1].1 = (columns - n) as i64;
        vectors = vectors.pad(&width, 0.0);
    }
    let q = apply_at(HouseholderProduct { form }.into(), &[&vectors, &out[1]], at).remove(0);
    (q, block(&out[0], 0..columns, 0..n).triu(0))
}
