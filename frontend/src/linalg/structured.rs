//! Matrices of a pattern, diagonals and products of vectors.

use super::{At, wrong};
use crate::ops::promote::promote_types;
use crate::{Tensor, concatenate};
use std::panic::Location;

/// Diagonal `offset` of the last two dimensions. [`Tensor::diagonal`] takes any two.
///
/// Fails for fewer than two dimensions.
#[track_caller]
pub fn diagonal(x: &Tensor, offset: isize) -> Tensor {
    x.diagonal(offset, -2, -1)
}

/// Sum of diagonal `offset` of the last two dimensions. [`Tensor::trace`] takes the first two.
///
/// ```
/// use wengert::{DType, Tensor, linalg};
/// let x = Tensor::arange(8, DType::F64).reshape(&[2, 2, 2]);
/// assert_eq!(linalg::trace(&x, 0).to_vec::<f64>(), [3.0, 11.0]);
/// ```
///
/// Fails for fewer than two dimensions.
#[track_caller]
pub fn trace(x: &Tensor, offset: isize) -> Tensor {
    diagonal(x, offset).sum_axis(-1)
}

/// `sum(conj(a) b)` along an axis, as `numpy.vecdot`.
///
/// Fails if the shapes do not broadcast or the axis is out of range.
#[track_caller]
pub fn vecdot(a: &Tensor, b: &Tensor, axis: isize) -> Tensor {
    let products = a.conj() * b;
    products.sum_axis(axis).astype(products.dtype())
}

/// Matrices one after another along the diagonal, zeros elsewhere; scalars and vectors are single rows.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let x = linalg::block_diag(&[&Tensor::from([[1i32, 2]]), &Tensor::from(3i32)]);
/// assert_eq!((x.shape(), x.to_vec::<i32>()), (&[2, 3][..], vec![1, 2, 0, 0, 0, 3]));
/// ```
///
/// Fails for more than two dimensions, and for no operands.
#[track_caller]
pub fn block_diag(arrays: &[&Tensor]) -> Tensor {
    let at = Location::caller();
    if arrays.is_empty() || arrays.iter().any(|a| a.rank() > 2) {
        wrong("block_diag", "takes one or more tensors of at most two dimensions", arrays, at)
    }
    let dtype = arrays.iter().map(|a| a.dtype()).reduce(promote_types).unwrap_or(arrays[0].dtype());
    let rows: Vec<Tensor> = arrays.iter().map(|a| as_rows(a).astype(dtype)).collect();
    let total: usize = rows.iter().map(|a| a.shape()[1]).sum();
    let mut before = 0;
    let wide = rows.iter().map(|a| {
        let after = total - before - a.shape()[1];
        let out = a.pad(&[(0, 0), (before as i64, after as i64)], 0.0);
        before += a.shape()[1];
        out
    });
    concatenate(&wide.collect::<Vec<_>>(), 0)
}

fn as_rows(a: &Tensor) -> Tensor {
    let mut a = a.clone();
    while a.rank() < 2 {
        a = a.expand_dims(0);
    }
    a
}

/// Matrices with constant diagonals: the first column `c` and the first row `r`, whose first element is not read; the
/// conjugate of `c` if none is given. Vectors in the last dimension; leading dimensions must be equal.
///
/// ```
/// use wengert::{Tensor, linalg};
/// let x = linalg::toeplitz(&Tensor::from([1i32, 2, 3]), Some(&Tensor::from([0i32, 4])));
/// assert_eq!((x.shape(), x.to_vec::<i32>()), (&[3, 2][..], vec![1, 4, 2, 1, 3, 2]));
/// ```
///
/// Fails for scalars and if leading dimensions differ.
#[track_caller]
pub fn toeplitz(c: &Tensor, r: Option<&Tensor>) -> Tensor {
    let at: At = Location::caller();
    let r = r.map_or_else(|| c.conj(), Tensor::clone);
    let outer = |x: &Tensor| x.shape()[..x.rank().saturating_sub(1)].to_vec();
    if c.rank() == 0 || r.rank() == 0 || outer(c) != outer(&r) {
        wrong("toeplitz", "takes vectors with equal leading dimensions", &[c, &r], at)
    }
    let dtype = promote_types(c.dtype(), r.dtype());
    let (c, r) = (c.astype(dtype), r.astype(dtype));
    let (m, n) = (c.shape()[c.rank() - 1], r.shape()[r.rank() - 1]);
    if m == 0 || n == 0 {
        return Tensor::zeros(&[outer(&c), vec![m, n]].concat(), dtype);
    }
    // The last of the column up to the last of the row: element (i, j) is number m - 1 - i + j.
    let all = concatenate(&[c.flip(-1), r.get((crate::Ix::Rest, 1..n))], -1);
    let row = Tensor::iota(&[m, n], 0, wengert_ir::types::DType::I32);
    let column = Tensor::iota(&[m, n], 1, wengert_ir::types::DType::I32);
    all.rows(&(column - row + (m as i64 - 1)), all.rank() - 1, at)
}
