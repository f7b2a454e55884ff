//! Linear algebra: factorizations, triangular and tridiagonal solves, eigenvalues, singular values.
//!
//! StableHLO has two of these operations, `cholesky` and `triangular_solve`. The others are custom calls in text, those that
//! JAX emits (`lapack_dgetrf_ffi`, `Qr`); here they are operations with rules like all others. All
//! work on the last two dimensions; what comes before is a batch. Failures are LAPACK's: an
//! `info` that is not 0, NaN where there is no result.
//!
//! A derivative is written with triangular solves and products, so that it has a transpose and a derivative itself.

mod balance;
mod bidiagonal_qr;
mod cholesky;
mod complex_schur;
mod eig;
mod eigenvectors;
mod eigh;
mod lu;
mod perturbed;
pub(crate) mod qr;
mod real_schur;
mod rules;
mod scalar;
mod spectral;
mod svd;
mod triangular;
mod tridiagonal_ql;
mod tridiagonal_solve;
mod written;

use crate::array::Array;
use crate::ensure;
use crate::rules::{EvalError, TypeError, Types};
use crate::types::{DType, Dims, TensorType, Type};
use scalar::{Mat, Scalar};

/// Runs generic code for the real or the complex form of an element type.
macro_rules! by_dtype {
    ($dtype:expr, $T:ident => $body:expr) => {
        if $dtype.is_complex() {
            type $T = $crate::ops::linalg::scalar::C;
            $body
        } else {
            type $T = f64;
            $body
        }
    };
}
use by_dtype;

/// A batch of matrices of floats or complex numbers.
fn matrix(operands: &[Type], k: usize) -> Result<&TensorType, TypeError> {
    let Some(x) = operands.get(k) else {
        return Err(TypeError::new("I0", format!("operand {k} is missing")));
    };
    let Some(x) = x.as_tensor() else { return Err(TypeError::new("I1", format!("operand {k} is a token"))) };
    ensure!(x.dtype.is_inexact(), "I1", "operand {k} must be float or complex, not {}", x.dtype);
    ensure!(x.rank() >= 2, "C2", "operand {k} must have rank 2 or more, not {}", x.rank());
    Ok(x)
}

/// The only operand, square.
fn square(operands: &[Type]) -> Result<&TensorType, TypeError> {
    ensure!(operands.len() == 1, "I0", "takes 1 operand, got {}", operands.len());
    let x = matrix(operands, 0)?;
    let (m, n) = scalar::sizes(&x.shape);
    ensure!(m == n, "C3", "matrices of {m} rows and {n} columns are not square");
    Ok(x)
}

/// The type of this many elements (per matrix) beside the batch of `x`.
fn beside(x: &TensorType, dtype: DType, last: &[usize]) -> Type {
    let mut shape = Dims::from_slice(&x.shape[..x.rank() - 2]);
    shape.extend_from_slice(last);
    TensorType { dtype, shape }.into()
}

/// The types that `infer` gives for the operands of an evaluation.
fn result_types(op: &dyn crate::rules::OpDef, operands: &[Array]) -> Result<Vec<TensorType>, EvalError> {
    let operands: Vec<Type> = operands.iter().map(|a| a.ty().clone().into()).collect();
    let types: Types = op
        .infer(&crate::func::Module::new(""), &operands)
        .map_err(|e| EvalError::Unsupported(e.to_string()))?;
    Ok(types.iter().map(|t| t.tensor().clone()).collect())
}

/// The elements of matrices one after another.
fn joined<T: Scalar>(mut all: Vec<Mat<T>>) -> Vec<T> {
    if all.len() == 1 { all.remove(0).data } else { all.into_iter().flat_map(|m| m.data).collect() }
}

/// An array of `i32`.
fn integers(ty: &TensorType, elements: &[i32]) -> Array {
    Array::new(&ty.shape, elements)
}

/// The elements of a float or complex array as complex numbers.
pub(super) fn complex_parts(x: &Array) -> Result<Vec<scalar::C>, EvalError> {
    if x.dtype().is_complex() {
        scalar::load(x)
    } else {
        Ok(scalar::load::<f64>(x)?.into_iter().map(|re| scalar::C::new(re, 0.0)).collect())
    }
}
