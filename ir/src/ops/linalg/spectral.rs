//! Eigenvalues, singular values and Schur forms. Small matrices take the iterations of LAPACK, so that vectors have
//! its signs; large ones, and eigenvalues of general matrices, take faer's.

use super::bidiagonal_qr::{Full, gesdd};
use super::complex_schur::schur_complex;
use super::eigenvectors::geev;
use super::real_schur::{RealSchur, gees};
use super::scalar::{C, Mat, Scalar};
use super::tridiagonal_ql::syevd;
use wengert_libraries::Vectors;
use wengert_libraries::dense::{Operation, Triangle, getrf, permutation, trsm};

/// Up to here LAPACK iterates, beyond it divides and conquers.
const SMALL: usize = 25;

/// Up to here LAPACK's iteration on general matrices takes one pair of shifts at a time (`hseqr`).
const SMALL_GENERAL: usize = 75;

fn complex<T: Scalar>(a: &Mat<T>) -> Vec<C> {
    a.data.iter().map(|x| C::new(x.re(), x.im())).collect()
}
fn real<T: Scalar>(a: &Mat<T>) -> Vec<f64> {
    a.data.iter().map(|x| x.re()).collect()
}
fn from_complex<T: Scalar>(rows: usize, data: &[C]) -> Mat<T> {
    Mat { rows, cols: data.len() / rows, data: data.iter().map(|x| T::new(x.re, x.im)).collect() }
}
fn from_real<T: Scalar>(rows: usize, data: &[f64]) -> Mat<T> {
    Mat { rows, cols: data.len() / rows, data: data.iter().map(|&x| T::real(x)).collect() }
}

/// Ascending eigenvalues and vectors of a Hermitian matrix, of which one triangle is read. The first component of each
/// vector is real if that is the lower one, the last if it is the upper, as LAPACK's are. No vectors (no rows) unless
/// they are wanted.
pub(super) fn eigh<T: Scalar>(a: &Mat<T>, lower: bool, vectors: bool) -> Option<(Vec<f64>, Mat<T>)> {
    let n = a.rows;
    let is_read = |i: usize, j: usize| if lower { i >= j } else { i <= j };
    let a = Mat::from_fn(n, n, |i, j| match i == j {
        true => T::real(a[(i, i)].re()),
        false if is_read(i, j) => a[(i, j)],
        false => a[(j, i)].conj(),
    });
    if !a.is_finite() {
        return None;
    }
    if n <= SMALL {
        return syevd(&a, lower, vectors);
    }
    if !T::COMPLEX {
        let (values, vectors) = wengert_libraries::symmetric(n, &real(&a), vectors)?;
        return Some((values, from_real(n, &vectors)));
    }
    let (values, found) = wengert_libraries::hermitian(n, &complex(&a), vectors)?;
    if !vectors {
        return Some((values, Mat::zeros(0, n)));
    }
    let mut vectors = from_complex::<T>(n, &found);
    let row = if lower { 0 } else { n - 1 };
    for j in 0..n {
        let top = vectors[(row, j)];
        let length = top.abs();
        if length > 0.0 {
            let phase = T::new(top.re() / length, -top.im() / length);
            for i in 0..n {
                vectors[(i, j)] = vectors[(i, j)] * phase;
            }
            vectors[(row, j)] = T::real(length);
        }
    }
    Some((values, vectors))
}

/// Singular values, descending, with the vectors that are wanted.
pub(super) fn svd<T: Scalar>(a: &Mat<T>, vectors: Vectors) -> Option<Full<T>> {
    if !a.is_finite() {
        return None;
    }
    let least = a.rows.min(a.cols);
    if least <= SMALL {
        return gesdd(a, vectors);
    }
    let (rows, cols) = (a.rows, a.cols);
    if T::COMPLEX {
        let (u, s, v) = wengert_libraries::singular_complex(rows, cols, &complex(a), vectors)?;
        Some(Full { u: from_complex(rows, &u), s, vt: from_complex::<T>(cols, &v).adjoint() })
    } else {
        let (u, s, v) = wengert_libraries::singular_real(rows, cols, &real(a), vectors)?;
        Some(Full { u: from_real(rows, &u), s, vt: from_real::<T>(cols, &v).adjoint() })
    }
}

/// Eigenvalues and right vectors of any matrix; vectors have length 1 and their largest component is real.
pub(super) fn eig<T: Scalar>(a: &Mat<T>) -> Option<(Vec<C>, Mat<C>)> {
    if !a.is_finite() {
        return None;
    }
    let n = a.rows;
    let (values, mut vectors) = if n <= SMALL_GENERAL {
        geev(a)?
    } else {
        let (values, vectors) = match T::COMPLEX {
            true => wengert_libraries::eigen_complex(n, &complex(a))?,
            false => wengert_libraries::eigen_real(n, &real(a))?,
        };
        (values, from_complex(n, &vectors))
    };
    normalize(&mut vectors);
    Some((values, vectors))
}

fn normalize(v: &mut Mat<C>) {
    for j in 0..v.cols {
        let square = |z: C| z.re * z.re + z.im * z.im;
        let length = (0..v.rows).map(|i| square(v[(i, j)])).sum::<f64>().sqrt();
        let mut k = 0;
        for i in 1..v.rows {
            if square(v[(i, j)]) > square(v[(k, j)]) {
                k = i;
            }
        }
        let top = v[(k, j)];
        let is_real = (0..v.rows).all(|i| v[(i, j)].im == 0.0);
        let phase = if is_real { C::new(1.0, 0.0) } else { top.conj() / top.abs() };
        for i in 0..v.rows {
            v[(i, j)] = v[(i, j)] * phase / length;
        }
        if v.rows > 0 {
            v[(k, j)].im = 0.0;
        }
    }
}

/// The left vectors that belong to right ones: columns of the inverse of their adjoint, normalized alike.
pub(super) fn left_vectors(right: &Mat<C>) -> Mat<C> {
    let mut lu = right.adjoint();
    let (pivots, _) = getrf(&mut lu);
    let order = permutation(&pivots, lu.rows);
    let mut x = Mat::from_fn(lu.rows, lu.rows, |i, j| if order[i] == j { C::ONE } else { C::ZERO });
    trsm(&lu, &mut x, true, Triangle { lower: true, unit: true, op: Operation::No });
    trsm(&lu, &mut x, true, Triangle { lower: false, unit: false, op: Operation::No });
    normalize(&mut x);
    x
}

/// Schur form, vectors and eigenvalues. Of real matrices what is small by `epsilon` counts as zero.
pub(super) fn schur<T: Scalar>(a: &Mat<T>, epsilon: f64) -> Option<(Mat<T>, Mat<T>, Vec<C>)> {
    if !T::COMPLEX {
        let real = Mat::from_fn(a.rows, a.cols, |i, j| a[(i, j)].re());
        let RealSchur { t, z, values } = gees(&real, epsilon)?;
        let back = |x: &Mat<f64>| Mat::from_fn(x.rows, x.cols, |i, j| T::real(x[(i, j)]));
        return Some((back(&t), back(&z), values));
    }
    let wide = Mat::from_fn(a.rows, a.cols, |i, j| C::new(a[(i, j)].re(), a[(i, j)].im()));
    let (t, z) = schur_complex(&wide)?;
    let values = (0..a.rows).map(|i| t[(i, i)]).collect();
    let narrow = |x: &Mat<C>| Mat::from_fn(x.rows, x.cols, |i, j| T::new(x[(i, j)].re, x[(i, j)].im));
    Some((narrow(&t), narrow(&z), values))
}
