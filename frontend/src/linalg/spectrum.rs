//! Eigenvalues, singular values and Schur forms.

use super::{At, Factors, matrices, squares, symmetrized};
use crate::Tensor;
use crate::ops::promote::convert;
use crate::tensor::Tensors;
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{CallForm, Eig, Eigh, Schur, Svd, SvdDriver, SvdMode};
use wengert_ir::types::DType;

fn hermitian(name: &str, a: &Tensor, vectors: bool, at: At) -> Tensors {
    let a = squares(name, a, at);
    let op = Eigh { lower: true, vectors, form: CallForm::Lapack, sort: true };
    apply_at(op.into(), &[&symmetrized(&a)], at)
}

/// Ascending eigenvalues (real) and eigenvectors, columns of the second result, of Hermitian matrices. As in JAX
/// `(a + a^H) / 2` is decomposed, and the gradient is symmetric.
///
/// Vectors of an eigenvalue that occurs twice have no derivative: it is infinite or NaN.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let (w, v) = linalg::eigh(&Tensor::from([[2.0f64, 0.0], [0.0, 1.0]]));
/// assert_eq!((w.to_vec::<f64>(), v.abs().to_vec::<f64>()), (vec![1.0, 2.0], vec![0.0, 1.0, 1.0, 0.0]));
/// ```
///
/// Fails unless the matrices are square.
#[track_caller]
pub fn eigh(a: &Tensor) -> (Tensor, Tensor) {
    let mut out = hermitian("eigh", a, true, Location::caller());
    let values = out.remove(1);
    (values, out.remove(0))
}

/// The eigenvalues that [`eigh`] gives. They have a gradient also where they occur twice, of their sum at least.
///
/// Fails unless the matrices are square.
#[track_caller]
pub fn eigvalsh(a: &Tensor) -> Tensor {
    hermitian("eigvalsh", a, false, Location::caller()).remove(1)
}

fn general(name: &str, a: &Tensor, right: bool, at: At) -> (Tensor, Tensor) {
    let a = squares(name, a, at);
    let mut out = apply_at(Eig { left: false, right }.into(), &[&a], at);
    let vectors = out.remove(out.len() - 2);
    let values = if a.is_complex() { out.remove(0) } else { Tensor::complex(&out[0], &out[1]) };
    (values, vectors)
}

/// Eigenvalues and eigenvectors, columns of the second result, of any square matrices; both complex, in no order. Vectors
/// have length 1 and their largest component is real.
///
/// Their derivative keeps that convention; JAX has it behind an option. There is none where an eigenvalue occurs twice.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let (w, _) = linalg::eig(&Tensor::from([[0.0f64, -1.0], [1.0, 0.0]]));
/// assert!((w.imag().square() - 1.0).abs().max().item::<f64>() < 1e-15);
/// ```
///
/// Fails unless the matrices are square.
#[track_caller]
pub fn eig(a: &Tensor) -> (Tensor, Tensor) {
    general("eig", a, true, Location::caller())
}

/// The eigenvalues that [`eig`] gives.
///
/// Fails unless the matrices are square.
#[track_caller]
pub fn eigvals(a: &Tensor) -> Tensor {
    general("eigvals", a, false, Location::caller()).0
}

fn singular(name: &str, a: &Tensor, mode: SvdMode, at: At) -> Tensors {
    let a = matrices(name, a, at);
    apply_at(Svd { mode, driver: SvdDriver::Gesdd }.into(), &[&a], at)
}

/// `(U, s, V^H)` with `a = U diag(s) V^H`: orthonormal columns of `U` and rows of `V^H`, and descending singular values (real).
///
/// Vectors have no derivative where singular values are equal or 0. Vectors that complete those of a matrix that is not
/// square are one choice of many, and only what does not depend on the choice has a derivative.
///
/// ```
/// use wengert::{Tensor, linalg, linalg::Factors};
/// let (u, s, vh) = linalg::svd(&Tensor::from([[0.0f64, 2.0], [1.0, 0.0], [0.0, 0.0]]), Factors::Complete);
/// assert_eq!((u.shape(), s.to_vec::<f64>(), vh.shape()), (&[3, 3][..], vec![2.0, 1.0], &[2, 2][..]));
/// ```
///
/// Fails for fewer than two dimensions.
#[track_caller]
pub fn svd(a: &Tensor, factors: Factors) -> (Tensor, Tensor, Tensor) {
    let mode = match factors {
        Factors::Reduced => SvdMode::Thin,
        Factors::Complete => SvdMode::All,
    };
    decomposed("svd", a, mode, Location::caller())
}

fn decomposed(name: &str, a: &Tensor, mode: SvdMode, at: At) -> (Tensor, Tensor, Tensor) {
    let out = singular(name, a, mode, at);
    (out[2].clone(), out[1].clone(), out[3].clone())
}

/// The reduced form for another function of this module.
pub(super) fn thin_svd(name: &str, a: &Tensor, at: At) -> (Tensor, Tensor, Tensor) {
    decomposed(name, a, SvdMode::Thin, at)
}

/// The singular values, descending.
///
/// Fails for fewer than two dimensions.
#[track_caller]
pub fn svdvals(a: &Tensor) -> Tensor {
    values_of("svdvals", a, Location::caller())
}

pub(super) fn values_of(name: &str, a: &Tensor, at: At) -> Tensor {
    singular(name, a, SvdMode::Values, at).remove(1)
}

/// The complex Schur form `(T, Z)` with `a = Z T Z^H`, `T` upper triangular, `Z` unitary. Real matrices become complex ones,
/// as with `output="complex"` in `jax.scipy.linalg.schur`.
///
/// It has no derivative, as in JAX.
///
/// Fails unless the matrices are square.
#[track_caller]
pub fn schur(a: &Tensor) -> (Tensor, Tensor) {
    let at = Location::caller();
    let a = squares("schur", a, at);
    let complex = match a.dtype() {
        DType::F64 | DType::C128 => DType::C128,
        _ => DType::C64,
    };
    let mut out = apply_at(Schur { vectors: true }.into(), &[&convert(&a, complex, at)], at);
    let vectors = out.remove(1);
    (out.remove(0), vectors)
}
