//! Reflectors, and what is made of them: QR decompositions and their Q.
//!
//! They work on the transpose, whose rows are the columns that are reflected.

use super::matrix::{Mat, Scalar, product, rows_from, rows_of, subtract_product};
use super::{dot, subtract_scaled, wide};
use std::ops::Range;

/// Reflectors that are applied together.
const TOGETHER: usize = 32;

/// Householder vector for a column `alpha, x...`: `(beta, tau)` with `(1 - tau v v^H)^H (alpha, x) = (beta, 0)`, where
/// `v = (1, x)` once `x` is scaled, which this does.
pub fn larfg<T: Scalar>(alpha: T, x: &mut [T]) -> (T, T) {
    wide(
        #[inline(always)]
        || reflector(alpha, x),
    )
}

#[inline(always)]
fn reflector<T: Scalar>(alpha: T, x: &mut [T]) -> (T, T) {
    let norm = length(x);
    if norm == 0.0 && alpha.im() == 0.0 {
        return (alpha, T::ZERO);
    }
    let length = alpha.re().hypot(alpha.im()).hypot(norm);
    let beta = if alpha.re().is_sign_negative() { length } else { -length };
    let tau = T::new((beta - alpha.re()) / beta, -alpha.im() / beta);
    let scale = T::ONE / (alpha - T::real(beta));
    for x in x {
        *x = *x * scale;
    }
    (T::real(beta), tau)
}

/// The Euclidean length. Squares that overflow, or of which those that count underflow, are taken of scaled numbers.
#[inline(always)]
fn length<T: Scalar>(x: &[T]) -> f64 {
    let sum = dot(x, x).re();
    if (1e-280..f64::MAX).contains(&sum) {
        return sum.sqrt();
    }
    let largest = x.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return if sum.is_nan() { sum } else { largest };
    }
    largest * x.iter().map(|v| (v.abs() / largest).powi(2)).sum::<f64>().sqrt()
}

/// Applies `1 - tau v v^H` from the left to rows `i..` of these columns, where `v` is 1 and `rest`.
pub fn reflect<T: Scalar>(a: &mut Mat<T>, i: usize, columns: Range<usize>, tau: T, rest: &[T]) {
    let cols = a.cols;
    wide(
        #[inline(always)]
        || {
            let mut sums = a.row(i)[columns.clone()].to_vec();
            for (v, row) in rest.iter().zip(a.data[(i + 1) * cols..].chunks_exact(cols)) {
                let v = v.conj();
                for (s, &x) in sums.iter_mut().zip(&row[columns.clone()]) {
                    *s = *s + v * x;
                }
            }
            for s in &mut sums {
                *s = tau * *s;
            }
            subtract_scaled(&mut a.row_mut(i)[columns.clone()], T::ONE, &sums);
            for (&v, row) in rest.iter().zip(a.data[(i + 1) * cols..].chunks_exact_mut(cols)) {
                subtract_scaled(&mut row[columns.clone()], v, &sums);
            }
        },
    );
}

/// Applies `1 - tau v v^H` to a column from row `i` on, where `v` is 1 and `rest`.
#[inline(always)]
fn reflect_column<T: Scalar>(column: &mut [T], tau: T, rest: &[T]) {
    let (first, below) = column.split_first_mut().expect("a row");
    let sum = tau * (*first + dot(rest, below));
    *first = *first - sum;
    subtract_scaled(below, sum, rest);
}

/// Reflects what is below the diagonal of column `j` to zero, in columns `next` too, and stores the reflector there. Gives its tau.
/// The matrix is given by its columns.
#[inline(always)]
fn eliminate_column<T: Scalar>(columns: &mut Mat<T>, j: usize, next: Range<usize>) -> T {
    let rows = columns.cols;
    let (done, rest) = columns.data.split_at_mut((j + 1) * rows);
    let (diagonal, below) = done[j * rows + j..].split_first_mut().expect("a diagonal");
    let (beta, tau) = reflector(*diagonal, below);
    *diagonal = beta;
    for column in rest.chunks_exact_mut(rows).take(next.end - j - 1) {
        reflect_column(&mut column[j..], tau.conj(), below);
    }
    tau
}

/// The vectors of the reflectors `all`, one in a row from its own diagonal's first on, and the
/// triangle `T` with `H_first .. = 1 - V T V^H` (R. Schreiber, C. Van Loan, *A storage-efficient WY representation for
/// products of Householder transformations*, 1989). The matrix is given by its columns.
fn accumulated<T: Scalar>(columns: &Mat<T>, all: Range<usize>, taus: &[T]) -> (Mat<T>, Mat<T>) {
    let mut v = columns.block(all.clone(), all.start..columns.cols);
    for j in 0..all.len() {
        let row = v.row_mut(j);
        row[..j].fill(T::ZERO);
        row[j] = T::ONE;
    }
    // conj(V^H V), of which the part below the diagonal is needed.
    let inner = product(v.view(), v.adjoint().view());
    let mut t = Mat::zeros(all.len(), all.len());
    for j in 0..all.len() {
        let tau = taus[all.start + j];
        t[(j, j)] = tau;
        for i in 0..j {
            let sum = (i..j).fold(T::ZERO, |s, k| s - t[(i, k)] * inner[(j, k)]);
            t[(i, j)] = sum * tau;
        }
    }
    (v, t)
}

/// Applies `1 - V t V^H` to columns that are rows of the given slice, `stride` apart, as long as those of `V`.
fn reflect_all<T: Scalar>(columns: &mut [T], count: usize, stride: usize, v: &Mat<T>, t: &Mat<T>) {
    if count == 0 {
        return;
    }
    let rest = rows_from(columns, count, v.cols, stride);
    // The transpose of V^H C, of t V^H C.
    let inner = product(rest, v.adjoint().view());
    let outer = product(inner.view(), t.view().transpose());
    subtract_product(rows_of(columns, count, v.cols, stride), outer.view(), v.view());
}

/// QR decomposition in place: R with the Householder vectors below it. Gives the taus.
pub fn geqrf<T: Scalar>(a: &mut Mat<T>) -> Vec<T> {
    let mut columns = a.transpose();
    let least = a.rows.min(a.cols);
    let mut taus = Vec::with_capacity(least);
    for first in (0..least).step_by(TOGETHER) {
        let end = (first + TOGETHER).min(least);
        wide(
            #[inline(always)]
            || {
                for j in first..end {
                    taus.push(eliminate_column(&mut columns, j, j + 1..end));
                }
            },
        );
        if end < a.cols {
            let (v, t) = accumulated(&columns, first..end, &taus);
            let rest = &mut columns.data[end * a.rows + first..];
            reflect_all(rest, a.cols - end, a.rows, &v, &t.adjoint());
        }
    }
    *a = columns.transpose();
    taus
}

/// [`geqrf`] of the matrix with its columns permuted: those that `first` marks in front, then whichever has the largest
/// remainder. Gives the number (from 0) of each column, and the taus.
pub fn geqp3<T: Scalar>(a: &mut Mat<T>, first: &[bool]) -> (Vec<usize>, Vec<T>) {
    let mut columns = a.transpose();
    let mut order: Vec<usize> = (0..a.cols).collect();
    let mut fixed = 0;
    for j in (0..a.cols).filter(|&j| first[j]) {
        columns.swap_rows(fixed, j);
        order.swap(fixed, j);
        fixed += 1;
    }
    let mut taus = Vec::new();
    for j in 0..a.rows.min(a.cols) {
        if j >= fixed {
            let square = |c: usize| columns.row(c)[j..].iter().map(|x| x.abs().powi(2)).sum::<f64>();
            let mut best = (j, square(j));
            for c in j + 1..a.cols {
                let size = square(c);
                if size > best.1 {
                    best = (c, size);
                }
            }
            columns.swap_rows(j, best.0);
            order.swap(j, best.0);
        }
        taus.push(wide(
            #[inline(always)]
            || eliminate_column(&mut columns, j, j + 1..a.cols),
        ));
    }
    *a = columns.transpose();
    (order, taus)
}

/// The first columns, as many as `v` has, of the product of its reflectors.
pub fn orgqr<T: Scalar>(v: &Mat<T>, taus: &[T]) -> Mat<T> {
    let (rows, cols) = (v.rows, v.cols);
    let vectors = v.transpose();
    let mut q = Mat::eye(cols, rows);
    let blocks = taus.len().div_ceil(TOGETHER);
    for first in (0..blocks).rev().map(|k| k * TOGETHER) {
        let end = (first + TOGETHER).min(taus.len());
        if end < cols {
            let (v, t) = accumulated(&vectors, first..end, taus);
            reflect_all(&mut q.data[end * rows + first..], cols - end, rows, &v, &t);
        }
        // Columns `first..end` are those of the identity; each becomes known with its reflector.
        wide(
            #[inline(always)]
            || {
                for i in (first..end).rev() {
                    let v = &vectors.row(i)[i + 1..];
                    for column in q.data[i * rows..end * rows].chunks_exact_mut(rows) {
                        reflect_column(&mut column[i..], taus[i], v);
                    }
                }
            },
        );
    }
    q.transpose()
}
