//! Linear algebra, with the names and conventions of `jax.numpy.linalg` and `jax.scipy.linalg`.
//!
//! Functions work on the last two dimensions; what comes before is a batch. Integers become the default float. Where
//! a matrix has no factors, the result is NaN rather than an error. All have derivatives in both modes and to any order,
//! unless they say otherwise.
//!
//! Products are methods of [`Tensor`]: `matmul`, `tensordot`, `inner`, `outer`, `vdot`, `kron`, `cross`.

mod determinant;
mod factor;
mod functions;
mod iterative;
mod norms;
mod solve;
mod spectrum;
mod structured;

pub use determinant::{det, slogdet};
pub use factor::{cho_factor, cholesky, lu, lu_factor, qr};
pub use functions::{expm, lstsq, matrix_power, multi_dot, pinv, polar};
pub use iterative::{Matvec, bicgstab, cg};
pub use norms::{Norm, cond, matrix_norm, matrix_rank, norm, norm_keep, vector_norm};
pub use solve::{
    TriangularOptions, cho_solve, inv, lu_solve, solve, solve_triangular, tensorinv, tensorsolve,
    tridiagonal_solve,
};
pub use spectrum::{eig, eigh, eigvals, eigvalsh, schur, svd, svdvals};
pub use structured::{block_diag, diagonal, toeplitz, trace, vecdot};

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::promote::{broadcast, convert, floating, promote_types};
use std::panic::Location;
use wengert_ir::types::DType;

type At = &'static Location<'static>;

/// Which triangle of a matrix is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Triangle {
    /// On and below the diagonal.
    Lower,
    /// On and above it.
    Upper,
}

/// What is done to a matrix before it is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Trans {
    /// Nothing.
    #[default]
    No,
    /// It is transposed.
    Transpose,
    /// It is transposed and conjugated.
    Adjoint,
}

/// How many columns orthogonal factors have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Factors {
    /// As many as the product needs: the smaller of rows and columns.
    Reduced,
    /// All: square matrices.
    Complete,
}

fn wrong(name: &str, why: &str, operands: &[&Tensor], at: At) -> ! {
    let types: Vec<String> = operands.iter().map(|t| t.ty().to_string()).collect();
    fail(Error::new(format!("linalg::{name}: {why}; operands: {}", types.join(", ")), Some(at)))
}

/// Rows and columns.
fn sizes(x: &Tensor) -> (usize, usize) {
    let shape = x.shape();
    (shape[shape.len() - 2], shape[shape.len() - 1])
}

/// What comes before the matrices.
fn batch(x: &Tensor) -> &[usize] {
    &x.shape()[..x.rank() - 2]
}

/// Matrices of floats or complex numbers.
fn matrices(name: &str, x: &Tensor, at: At) -> Tensor {
    if x.rank() < 2 {
        wrong(name, "takes matrices, of two dimensions or more", &[x], at)
    }
    floating(x)
}

/// Square ones.
fn squares(name: &str, x: &Tensor, at: At) -> Tensor {
    let x = matrices(name, x, at);
    let (m, n) = sizes(&x);
    if m != n {
        wrong(name, &format!("takes square matrices, these have {m} rows and {n} columns"), &[&x], at)
    }
    x
}

/// Two operands as floats or complex numbers of one type.
fn promoted(a: &Tensor, b: &Tensor, at: At) -> (Tensor, Tensor) {
    let (a, b) = (floating(a), floating(b));
    let dtype = promote_types(a.dtype(), b.dtype());
    (convert(&a, dtype, at), convert(&b, dtype, at))
}

/// The type of the absolute value of an element.
fn real_dtype(x: &Tensor) -> DType {
    match x.dtype() {
        DType::C64 => DType::F32,
        DType::C128 => DType::F64,
        real => real,
    }
}

/// Spacing of numbers at 1.
fn epsilon(x: &Tensor) -> f64 {
    match real_dtype(x) {
        DType::F64 => f64::EPSILON,
        DType::F16 => f64::from(half::f16::EPSILON),
        DType::BF16 => f64::from(half::bf16::EPSILON),
        _ => f64::from(f32::EPSILON),
    }
}

/// The conjugate transpose.
fn adjoint(x: &Tensor) -> Tensor {
    x.conj().t()
}

/// Half the sum of a matrix and its adjoint.
fn symmetrized(x: &Tensor) -> Tensor {
    (x + adjoint(x)) / 2.0
}

/// The squared modulus, real.
fn squared(x: &Tensor) -> Tensor {
    if x.is_complex() { (x * x.conj()).real() } else { x.square() }
}

/// The leading dimensions, all but the last `own`, stretched to `batch`.
fn stretched(x: &Tensor, batch: &[usize], own: usize, at: At) -> Tensor {
    let shape = [batch, &x.shape()[x.rank() - own..]].concat();
    broadcast(x, &shape, at)
}

/// The rows and columns in these ranges.
fn block(x: &Tensor, rows: std::ops::Range<usize>, cols: std::ops::Range<usize>) -> Tensor {
    x.get((crate::Ix::Rest, rows, cols))
}
