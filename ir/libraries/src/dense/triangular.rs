//! Triangular systems.

use super::matrix::{Mat, Scalar, rows_from, rows_of, subtract_product};
use super::{BLOCK, dot, subtract_scaled, wide};
use faer::MatRef;

/// Columns that are solved for at a time: a block of them stays in the nearest cache.
const COLUMNS: usize = 128;

/// What a matrix is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// As it is.
    No,
    /// Its transpose.
    Transpose,
    /// Its conjugate transpose.
    Adjoint,
}

/// How a triangular matrix is read.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Which triangle of the matrix itself.
    pub lower: bool,
    /// Ones are taken for the diagonal.
    pub unit: bool,
    /// What is solved with.
    pub op: Operation,
}

/// Solves `op(a) x = b` in place of `b`, or `x op(a) = b` unless `left`.
pub fn trsm<T: Scalar>(a: &Mat<T>, b: &mut Mat<T>, left: bool, how: Triangle) {
    let others = if left { b.cols } else { b.rows };
    if is_long_vector::<T>(a.rows, others) {
        return trsv(&a.data, &mut b.data, left, how);
    }
    // Where `x op(a) = b` asks for the transpose of op(a).
    let transposed = (how.op != Operation::No) == left;
    let conjugate;
    let a = if how.op == Operation::Adjoint && T::COMPLEX {
        conjugate = Mat { data: a.data.iter().map(|x| x.conj()).collect(), ..*a };
        &conjugate
    } else {
        a
    };
    let system = System {
        a: if transposed { a.view().transpose() } else { a.view() },
        lower: how.lower != transposed,
        unit: how.unit,
    };
    if left {
        let cols = b.cols;
        system.solve(&mut b.data, cols, cols);
    } else {
        let mut x = b.transpose();
        system.solve(&mut x.data, b.rows, b.rows);
        *b = x.transpose();
    }
}

/// Rows whose sums are taken at a time, so that none waits for the one before.
const TOGETHER: usize = 4;

/// Whether [`trsv`] is for a matrix of order `n` and so many vectors.
pub(super) fn is_long_vector<T: Scalar>(n: usize, others: usize) -> bool {
    !T::COMPLEX && n > BLOCK && others == 1
}

/// As [`trsm`] for one vector, in place of it, and real numbers: each element of `a` is read once, where it lies and along memory.
pub(super) fn trsv<T: Scalar>(a: &[T], x: &mut [T], left: bool, how: Triangle) {
    let n = x.len();
    // Where `x op(a) = b` asks for the transpose of op(a).
    let transposed = (how.op != Operation::No) == left;
    let lower = how.lower != transposed;
    let row = |i: usize| &a[i * n..(i + 1) * n];
    wide(
        #[inline(always)]
        || {
            if transposed {
                // What a solved element takes part in, a row of the matrix itself, is taken from all others.
                for step in 0..n {
                    let j = if lower { step } else { n - 1 - step };
                    let (before, rest) = x.split_at_mut(j);
                    let (one, after) = rest.split_at_mut(1);
                    if !how.unit {
                        one[0] = one[0] / row(j)[j];
                    }
                    match lower {
                        true => subtract_scaled(after, one[0], &row(j)[j + 1..]),
                        false => subtract_scaled(before, one[0], &row(j)[..j]),
                    }
                }
                return;
            }
            for step in (0..n).step_by(TOGETHER) {
                let count = TOGETHER.min(n - step);
                let rows = if lower { step..step + count } else { n - step - count..n - step };
                let solved = if lower { 0..rows.start } else { rows.end..n };
                for i in rows.clone() {
                    let sum = dot(&row(i)[solved.clone()], &x[solved.clone()]);
                    x[i] = x[i] - sum;
                }
                for k in 0..count {
                    let i = if lower { rows.start + k } else { rows.end - 1 - k };
                    for j in if lower { rows.start..i } else { i + 1..rows.end } {
                        x[i] = x[i] - row(i)[j] * x[j];
                    }
                    if !how.unit {
                        x[i] = x[i] / row(i)[i];
                    }
                }
            }
        },
    );
}

/// What is solved.
#[derive(Clone, Copy)]
pub(super) struct System<'a, T> {
    pub(super) a: MatRef<'a, T>,
    pub(super) lower: bool,
    pub(super) unit: bool,
}

impl<T: Scalar> System<'_, T> {
    /// Overwrites the first columns of rows that are `stride` elements apart by the solution.
    pub(super) fn solve(self, b: &mut [T], cols: usize, stride: usize) {
        let n = self.a.nrows();
        if n == 0 || cols == 0 {
            return;
        }
        if n <= BLOCK {
            return self.substitute(b, cols, stride);
        }
        let half = (n / 2).next_multiple_of(BLOCK);
        let (aa, ab, ba, bb) = self.a.split_at(half, half);
        let (above, below) = b.split_at_mut(half * stride);
        if self.lower {
            System { a: aa, ..self }.solve(above, cols, stride);
            let solved = rows_from(above, half, cols, stride);
            subtract_product(rows_of(below, n - half, cols, stride), ba, solved);
            System { a: bb, ..self }.solve(below, cols, stride);
        } else {
            System { a: bb, ..self }.solve(below, cols, stride);
            let solved = rows_from(below, n - half, cols, stride);
            subtract_product(rows_of(above, half, cols, stride), ab, solved);
            System { a: aa, ..self }.solve(above, cols, stride);
        }
    }

    /// The same for a block, whose triangle is read once.
    fn substitute(self, b: &mut [T], cols: usize, stride: usize) {
        let n = self.a.nrows();
        let mut a = [[T::ZERO; BLOCK]; BLOCK];
        for (i, row) in a.iter_mut().enumerate().take(n) {
            for j in if self.lower { 0..i + 1 } else { i..n } {
                row[j] = self.a[(i, j)];
            }
        }
        wide(
            #[inline(always)]
            || {
                for first in (0..cols).step_by(COLUMNS) {
                    let width = COLUMNS.min(cols - first);
                    for step in 0..n {
                        let i = if self.lower { step } else { n - 1 - step };
                        let (above, rest) = b[first..].split_at_mut(i * stride);
                        let (row, below) = rest.split_at_mut(stride.min(rest.len()));
                        let row = &mut row[..width];
                        if self.lower {
                            for k in 0..i {
                                subtract_scaled(row, a[i][k], &above[k * stride..][..width]);
                            }
                        } else {
                            for k in i + 1..n {
                                subtract_scaled(row, a[i][k], &below[(k - i - 1) * stride..][..width]);
                            }
                        }
                        if !self.unit {
                            for x in row {
                                *x = *x / a[i][i];
                            }
                        }
                    }
                }
            },
        );
    }
}
