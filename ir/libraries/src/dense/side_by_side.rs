//! Batches of matrices. Small ones lie side by side, so that each step of a factorization is one of vectors that hold an element
//! of several matrices each; long ones are taken one after the other. Both give the same bits: steps are taken in the same order,
//! and what has a step of its own (a pivot of 0, a minor that is not positive) is taken apart from its neighbours.

use super::cholesky::SMALL;
use super::matrix::{Mat, Scalar};
use super::triangular::{Operation, Triangle, is_long_vector, trsm, trsv};
use super::{BLOCK, getrf, potrf, wide};

/// How many lie side by side: a 512-bit vector of doubles.
const SIDE: usize = 8;
/// Fewest matrices that are worth it.
const FEWEST: usize = 3;
/// Fewest columns of a right-hand side that are vectors themselves.
const COLUMNS: usize = 8;

/// One element of each matrix.
type Row<T> = [T; SIDE];

/// An element after the other, of matrices of `size` elements. What is missing at the end is filled with the first.
#[inline(always)]
fn gather<T: Scalar>(to: &mut [Row<T>], from: &[T], size: usize) {
    let count = from.len() / size;
    for l in 0..SIDE {
        let matrix = &from[if l < count { l } else { 0 } * size..][..size];
        for (row, &x) in to.iter_mut().zip(matrix) {
            row[l] = x;
        }
    }
}

#[inline(always)]
fn scatter<T: Scalar>(from: &[Row<T>], to: &mut [T], size: usize) {
    for (l, matrix) in to.chunks_exact_mut(size).enumerate() {
        for (x, row) in matrix.iter_mut().zip(from) {
            *x = row[l];
        }
    }
}

/// `x -= factor y`, of each matrix.
#[inline(always)]
fn subtract<T: Scalar>(x: &mut Row<T>, factor: &Row<T>, y: &Row<T>) {
    for l in 0..SIDE {
        x[l] = x[l] - factor[l] * y[l];
    }
}

#[inline(always)]
fn divide<T: Scalar>(x: &mut Row<T>, by: &Row<T>) {
    for l in 0..SIDE {
        x[l] = x[l] / by[l];
    }
}

/// LU decompositions in place, as [`getrf`] makes them: `found` is given the exchanges and `info` of each.
pub fn getrf_each<T: Scalar>(
    all: &mut [T],
    (rows, cols): (usize, usize),
    count: usize,
    mut found: impl FnMut(&[usize], i32),
) {
    let size = rows * cols;
    let mut one = Mat::zeros(rows, cols);
    let mut each = |part: &mut [T], found: &mut dyn FnMut(&[usize], i32)| {
        one.data.copy_from_slice(part);
        let (pivots, info) = getrf(&mut one);
        part.copy_from_slice(&one.data);
        found(&pivots, info);
    };
    if size == 0 {
        return (0..count).for_each(|_| each(&mut [], &mut found));
    }
    let small = rows.max(cols) <= BLOCK && count >= FEWEST;
    let least = rows.min(cols);
    let mut work = vec![[T::ZERO; SIDE]; if small { size } else { 0 }];
    let mut pivots = vec![[0usize; SIDE]; least];
    for group in all.chunks_mut(SIDE * size) {
        let together = small
            && wide(
                #[inline(always)]
                || {
                    gather(&mut work, group, size);
                    let done = lu(&mut work, (rows, cols), &mut pivots);
                    if done {
                        scatter(&work, group, size);
                    }
                    done
                },
            );
        for (l, part) in group.chunks_exact_mut(size).enumerate() {
            if together {
                let mut own = [0; BLOCK];
                own.iter_mut().zip(&pivots).for_each(|(own, all)| *own = all[l]);
                found(&own[..least], 0);
            } else {
                each(part, &mut found);
            }
        }
    }
}

/// False, with nothing promised, if a pivot is 0.
#[inline(always)]
fn lu<T: Scalar>(a: &mut [Row<T>], (rows, cols): (usize, usize), pivots: &mut [Row<usize>]) -> bool {
    for j in 0..rows.min(cols) {
        let mut largest = [0.0; SIDE];
        let mut p = [j; SIDE];
        for l in 0..SIDE {
            largest[l] = a[j * cols + j][l].abs1();
        }
        for i in j + 1..rows {
            for l in 0..SIDE {
                let size = a[i * cols + j][l].abs1();
                let larger = size > largest[l];
                largest[l] = if larger { size } else { largest[l] };
                p[l] = if larger { i } else { p[l] };
            }
        }
        for l in 0..SIDE {
            if p[l] != j {
                for c in 0..cols {
                    let (x, y) = (a[j * cols + c][l], a[p[l] * cols + c][l]);
                    a[j * cols + c][l] = y;
                    a[p[l] * cols + c][l] = x;
                }
            }
        }
        pivots[j] = p;
        let pivot = a[j * cols + j];
        let zero = pivot.iter().fold(false, |zero, &p| zero | (p == T::ZERO));
        if zero {
            return false;
        }
        for i in j + 1..rows {
            let (above, row) = a.split_at_mut(i * cols);
            let above = &above[j * cols..][..cols];
            let row = &mut row[..cols];
            divide(&mut row[j], &pivot);
            let factor = row[j];
            for c in j + 1..cols {
                subtract(&mut row[c], &factor, &above[c]);
            }
        }
    }
    true
}

/// Cholesky factors in place, as [`potrf`] makes them. Gives the `info` of each.
pub fn potrf_each<T: Scalar>(all: &mut [T], n: usize, count: usize, lower: bool) -> Vec<i32> {
    let size = n * n;
    if size == 0 {
        return vec![0; count];
    }
    // A block's products of complex numbers are rounded in another order than those of columns.
    let small = n <= if T::COMPLEX { SMALL } else { BLOCK } && count >= FEWEST;
    let mut work = vec![[T::ZERO; SIDE]; if small { size } else { 0 }];
    let mut one = Mat::zeros(n, n);
    let mut info = Vec::with_capacity(count);
    for group in all.chunks_mut(SIDE * size) {
        let together = small
            && wide(
                #[inline(always)]
                || {
                    gather(&mut work, group, size);
                    let done = cholesky(&mut work, n, lower);
                    if done {
                        scatter(&work, group, size);
                    }
                    done
                },
            );
        for part in group.chunks_exact_mut(size) {
            if together {
                info.push(0);
                continue;
            }
            one.data.copy_from_slice(part);
            info.push(potrf(&mut one, lower));
            part.copy_from_slice(&one.data);
        }
    }
    info
}

/// False, with nothing promised, if a minor is not positive. Only one triangle is read and written.
#[inline(always)]
fn cholesky<T: Scalar>(a: &mut [Row<T>], n: usize, lower: bool) -> bool {
    // An element of the lower factor, which is the adjoint of the upper one.
    let at = |i: usize, j: usize| if lower { i * n + j } else { j * n + i };
    for j in 0..n {
        let mut squares = [0.0; SIDE];
        for k in 0..j {
            for l in 0..SIDE {
                squares[l] += a[at(j, k)][l].square();
            }
        }
        let mut d = [T::ZERO; SIDE];
        let mut bad = false;
        for l in 0..SIDE {
            let x = a[at(j, j)][l].re() - squares[l];
            bad |= x.is_nan() | (x <= 0.0);
            d[l] = T::real(x.sqrt());
        }
        if bad {
            return false;
        }
        a[at(j, j)] = d;
        for i in j + 1..n {
            let mut sum = a[at(i, j)];
            for k in 0..j {
                let (x, y) = (a[at(i, k)], a[at(j, k)]);
                for l in 0..SIDE {
                    sum[l] = sum[l] - x[l] * y[l].conj();
                }
            }
            divide(&mut sum, &d);
            a[at(i, j)] = sum;
        }
    }
    true
}

/// Solves as [`trsm`] does with each matrix `a` of order `n`, in place of each `b` of so many rows and columns.
pub fn trsm_each<T: Scalar>(
    a: &[T],
    n: usize,
    b: &mut [T],
    (rows, cols): (usize, usize),
    left: bool,
    how: Triangle,
) {
    let (square, size) = (n * n, rows * cols);
    if square == 0 || size == 0 {
        return;
    }
    let others = if left { cols } else { rows };
    if is_long_vector::<T>(n, others) {
        return a.chunks_exact(square).zip(b.chunks_exact_mut(n)).for_each(|(a, x)| trsv(a, x, left, how));
    }
    let small = n <= BLOCK && others < COLUMNS && b.len() / size >= FEWEST;
    if !small {
        let (mut matrix, mut x) = (Mat::zeros(n, n), Mat::zeros(rows, cols));
        for (a, b) in a.chunks_exact(square).zip(b.chunks_exact_mut(size)) {
            matrix.data.copy_from_slice(a);
            x.data.copy_from_slice(b);
            trsm(&matrix, &mut x, left, how);
            b.copy_from_slice(&x.data);
        }
        return;
    }
    let mut work = vec![[T::ZERO; SIDE]; square];
    let mut x = vec![[T::ZERO; SIDE]; size];
    for (a, b) in a.chunks(SIDE * square).zip(b.chunks_mut(SIDE * size)) {
        wide(
            #[inline(always)]
            || {
                gather(&mut work, a, square);
                gather(&mut x, b, size);
                substitute(&work, n, &mut x, others, left, how);
                scatter(&x, b, size);
            },
        );
    }
}

#[inline(always)]
fn substitute<T: Scalar>(a: &[Row<T>], n: usize, x: &mut [Row<T>], others: usize, left: bool, how: Triangle) {
    // As a matrix on the left of columns.
    let transposed = (how.op != Operation::No) == left;
    let lower = how.lower != transposed;
    let of_a = |i: usize, k: usize| if transposed { k * n + i } else { i * n + k };
    let of_x = |i: usize, c: usize| if left { i * others + c } else { c * n + i };
    let conj = T::COMPLEX && how.op == Operation::Adjoint;
    for c in 0..others {
        for step in 0..n {
            let i = if lower { step } else { n - 1 - step };
            let mut sum = x[of_x(i, c)];
            for k in if lower { 0..i } else { i + 1..n } {
                let (mut factor, y) = (a[of_a(i, k)], x[of_x(k, c)]);
                if conj {
                    factor = factor.map(|x| x.conj());
                }
                subtract(&mut sum, &factor, &y);
            }
            if !how.unit {
                let mut by = a[of_a(i, i)];
                if conj {
                    by = by.map(|x| x.conj());
                }
                divide(&mut sum, &by);
            }
            x[of_x(i, c)] = sum;
        }
    }
}
