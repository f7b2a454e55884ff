//! Factorizations by their textbook algorithms, with LAPACK's conventions for signs, packing and `info`.
//!
//! G. Golub, C. Van Loan, *Matrix Computations*, 4th edition, chapters 3 to 5. Matrices lie row by row, so loops run along
//! rows; large ones are worked on in blocks, where almost all that is done are products of matrices.

use super::scalar::{Mat, Scalar};
use crate::op::TransposeA;
use std::ops::Range;

/// Rows and columns of a block.
const BLOCK: usize = 48;
/// Matrices up to this order are not cut into blocks.
const WHOLE: usize = 64;

/// Overwrites one triangle of a Hermitian matrix by its Cholesky factor. Gives 0, or `k` if the minor of
/// order `k` is not positive; then only the first `k - 1` columns are done.
pub(super) fn potrf<T: Scalar>(a: &mut Mat<T>, lower: bool) -> i32 {
    if !lower {
        // U = L^H, so its rows are the columns of L.
        let mut l = a.adjoint();
        let info = potrf(&mut l, true);
        let done = if info == 0 { a.rows } else { info as usize - 1 };
        for i in 0..done {
            for j in i..a.cols {
                a[(i, j)] = l[(j, i)].conj();
            }
        }
        return info;
    }
    let n = a.rows;
    let block = if n <= WHOLE { n.max(1) } else { BLOCK };
    for first in (0..n).step_by(block) {
        let end = (first + block).min(n);
        if first > 0 {
            let rows = a.block(first..n, 0..first);
            let columns = rows.block(0..end - first, 0..first).adjoint();
            let kept = a.block(first..end, first..end);
            a.subtract_product((first, first), &rows, &columns);
            // The other triangle is not ours.
            for i in 0..kept.rows {
                for j in i + 1..kept.cols {
                    a[(first + i, first + j)] = kept[(i, j)];
                }
            }
        }
        for j in first..end {
            let square: f64 = a.row(j)[first..j].iter().map(|x| x.re() * x.re() + x.im() * x.im()).sum();
            let d = a[(j, j)].re() - square;
            if d.is_nan() || d <= 0.0 {
                return j as i32 + 1;
            }
            let d = d.sqrt();
            a[(j, j)] = T::real(d);
            for i in j + 1..n {
                let (above, row) = a.two_rows(j, i);
                let sum =
                    row[first..j].iter().zip(&above[first..j]).fold(row[j], |s, (&x, y)| s - x * y.conj());
                row[j] = sum / T::real(d);
            }
        }
    }
    0
}

/// How a triangular matrix is read.
#[derive(Clone, Copy)]
pub(super) struct Triangle {
    pub(super) lower: bool,
    pub(super) unit: bool,
    pub(super) op: TransposeA,
}

/// Solves `op(a) x = b` in place of `b`, or `x op(a) = b` unless `left`.
pub(super) fn trsm<T: Scalar>(a: &Mat<T>, b: &mut Mat<T>, left: bool, how: Triangle) {
    let at = |i: usize, j: usize| {
        if i == j && how.unit {
            return T::ONE;
        }
        match how.op {
            TransposeA::No => a[(i, j)],
            TransposeA::Transpose => a[(j, i)],
            TransposeA::Adjoint => a[(j, i)].conj(),
        }
    };
    let lower = how.lower == (how.op == TransposeA::No);
    let n = a.rows;
    let block = if n <= WHOLE { n.max(1) } else { BLOCK };
    // The part of op(a) that joins what is solved for and what has been.
    let part = |rows: Range<usize>, cols: Range<usize>| {
        let (first, left) = (rows.start, cols.start);
        Mat::from_fn(rows.len(), cols.len(), |i, j| at(first + i, left + j))
    };
    let forward = if left { lower } else { !lower };
    for number in 0..n.div_ceil(block) {
        let (here, done) = if forward {
            let first = number * block;
            (first..(first + block).min(n), 0..first)
        } else {
            let end = n - number * block;
            (end.saturating_sub(block)..end, end..n)
        };
        if !done.is_empty() {
            if left {
                let (part, solved) = (part(here.clone(), done.clone()), b.block(done.clone(), 0..b.cols));
                b.subtract_product((here.start, 0), &part, &solved);
            } else {
                let (solved, part) = (b.block(0..b.rows, done.clone()), part(done.clone(), here.clone()));
                b.subtract_product((0, here.start), &solved, &part);
            }
        }
        for step in 0..here.len() {
            let i = if forward { here.start + step } else { here.end - 1 - step };
            let before = if forward { here.start..i } else { i + 1..here.end };
            let pivot = at(i, i);
            if left {
                for k in before {
                    let factor = at(i, k);
                    let (solved, row) = b.two_rows(k, i);
                    row.iter_mut().zip(solved).for_each(|(x, &y)| *x = *x - factor * y);
                }
                if !how.unit {
                    let cols = b.cols;
                    b.data[i * cols..(i + 1) * cols].iter_mut().for_each(|x| *x = *x / pivot);
                }
            } else {
                let column: Vec<T> = before.clone().map(|k| at(k, i)).collect();
                for row in b.data.chunks_exact_mut(b.cols) {
                    let solved = row[before.clone()].iter().zip(&column);
                    let sum = solved.fold(row[i], |s, (&x, &y)| s - x * y);
                    row[i] = if how.unit { sum } else { sum / pivot };
                }
            }
        }
    }
}

/// LU decomposition in place. Gives the row that each step exchanged its own with, from 0, and `info`: 0, or
/// the first step (from 1) with a pivot of exactly 0.
pub(super) fn getrf<T: Scalar>(a: &mut Mat<T>) -> (Vec<usize>, i32) {
    let (m, n) = (a.rows, a.cols);
    let (mut pivots, mut info) = (Vec::new(), 0);
    let least = m.min(n);
    let block = if least <= WHOLE { least.max(1) } else { BLOCK };
    for first in (0..least).step_by(block) {
        let end = (first + block).min(least);
        // Columns beyond the block follow at once; one block has all of them.
        let last = if end == least && first == 0 { n } else { end };
        for j in first..end {
            let mut p = j;
            for i in j + 1..m {
                if a[(i, j)].abs1() > a[(p, j)].abs1() {
                    p = i;
                }
            }
            pivots.push(p);
            if a[(p, j)] == T::ZERO {
                if info == 0 {
                    info = j as i32 + 1;
                }
                continue;
            }
            if p != j {
                a.swap_rows(p, j);
            }
            let pivot = a[(j, j)];
            for i in j + 1..m {
                let (above, row) = a.two_rows(j, i);
                let factor = row[j] / pivot;
                row[j] = factor;
                let rest = row[j + 1..last].iter_mut().zip(&above[j + 1..last]);
                rest.for_each(|(x, &y)| *x = *x - factor * y);
            }
        }
        if last < n {
            for j in first..end {
                for i in j + 1..end {
                    let (above, row) = a.two_rows(j, i);
                    let factor = row[j];
                    let rest = row[end..].iter_mut().zip(&above[end..]);
                    rest.for_each(|(x, &y)| *x = *x - factor * y);
                }
            }
            let (below, right) = (a.block(end..m, first..end), a.block(first..end, end..n));
            a.subtract_product((end, end), &below, &right);
        }
    }
    (pivots, info)
}

/// The permutation of `m` rows that exchanges make.
pub(super) fn permutation(pivots: &[usize], m: usize) -> Vec<usize> {
    let mut out: Vec<usize> = (0..m).collect();
    for (i, &p) in pivots.iter().enumerate() {
        out.swap(i, p);
    }
    out
}

/// Householder vector for a column `alpha, x...`: `(beta, tau)` with `(1 - tau v v^H)^H (alpha, x) = (beta, 0)`, where
/// `v = (1, x)` once `x` is scaled, which this does.
pub(super) fn larfg<T: Scalar>(alpha: T, x: &mut [&mut T]) -> (T, T) {
    let largest = x.iter().fold(0.0f64, |m, v| m.max(v.abs()));
    let norm = if largest == 0.0 || !largest.is_finite() {
        largest
    } else {
        largest * x.iter().map(|v| (v.abs() / largest).powi(2)).sum::<f64>().sqrt()
    };
    if norm == 0.0 && alpha.im() == 0.0 {
        return (alpha, T::ZERO);
    }
    let length = alpha.re().hypot(alpha.im()).hypot(norm);
    let beta = if alpha.re().is_sign_negative() { length } else { -length };
    let tau = T::new((beta - alpha.re()) / beta, -alpha.im() / beta);
    let scale = T::ONE / (alpha - T::real(beta));
    for v in x.iter_mut() {
        **v = **v * scale;
    }
    (T::real(beta), tau)
}

/// Applies `1 - tau v v^H` from the left to rows `i..` of these columns, where `v` is 1 and `rest`.
pub(super) fn reflect<T: Scalar>(a: &mut Mat<T>, i: usize, columns: Range<usize>, tau: T, rest: &[T]) {
    let mut sums = a.row(i)[columns.clone()].to_vec();
    for (k, v) in rest.iter().enumerate() {
        let row = &a.row(i + 1 + k)[columns.clone()];
        sums.iter_mut().zip(row).for_each(|(s, &x)| *s = *s + v.conj() * x);
    }
    sums.iter_mut().for_each(|s| *s = tau * *s);
    let cols = a.cols;
    let mut subtract = |row: usize, factor: Option<T>| {
        let row = &mut a.data[row * cols..][columns.clone()];
        row.iter_mut().zip(&sums).for_each(|(x, &s)| *x = *x - factor.map_or(s, |v| v * s));
    };
    subtract(i, None);
    for (k, &v) in rest.iter().enumerate() {
        subtract(i + 1 + k, Some(v));
    }
}

/// The vectors of the reflectors `first..end` that lie below the diagonal of `a`, as columns from row `first` on, and the
/// triangle `T` with `H_first .. = 1 - V T V^H` (R. Schreiber, C. Van Loan, *A storage-efficient WY representation for
/// products of Householder transformations*, 1989).
fn accumulated<T: Scalar>(a: &Mat<T>, first: usize, end: usize, taus: &[T]) -> (Mat<T>, Mat<T>) {
    let count = end - first;
    let v = Mat::from_fn(a.rows - first, count, |i, j| match i.cmp(&j) {
        std::cmp::Ordering::Less => T::ZERO,
        std::cmp::Ordering::Equal => T::ONE,
        std::cmp::Ordering::Greater => a[(first + i, first + j)],
    });
    // -V^H V, of which the part above the diagonal is needed.
    let mut inner = Mat::zeros(count, count);
    inner.subtract_product((0, 0), &v.adjoint(), &v);
    let mut t = Mat::zeros(count, count);
    for j in 0..count {
        let tau = taus[first + j];
        t[(j, j)] = tau;
        for i in 0..j {
            let sum = (i..j).fold(T::ZERO, |s, k| s + t[(i, k)] * inner[(k, j)]);
            t[(i, j)] = sum * tau;
        }
    }
    (v, t)
}

/// Applies `1 - V t V^H` to rows `row..` of the columns from `col` on.
fn reflect_all<T: Scalar>(a: &mut Mat<T>, (row, col): (usize, usize), v: &Mat<T>, t: &Mat<T>) {
    let rest = a.block(row..a.rows, col..a.cols);
    let mut inner = Mat::zeros(v.cols, rest.cols);
    inner.subtract_product((0, 0), &v.adjoint(), &rest);
    // Minus twice is plus.
    let mut outer = Mat::zeros(v.cols, rest.cols);
    outer.subtract_product((0, 0), t, &inner);
    a.subtract_product((row, col), v, &outer);
}

/// The part of column `j` below row `i`.
fn below<T: Scalar>(a: &Mat<T>, i: usize, j: usize) -> Vec<T> {
    (i + 1..a.rows).map(|r| a[(r, j)]).collect()
}

/// QR decomposition in place: R with the Householder vectors below it. Gives the taus.
pub(super) fn geqrf<T: Scalar>(a: &mut Mat<T>) -> Vec<T> {
    let mut taus = Vec::new();
    let least = a.rows.min(a.cols);
    let block = if least <= WHOLE { least.max(1) } else { BLOCK };
    for first in (0..least).step_by(block) {
        let end = (first + block).min(least);
        let last = if end == least && first == 0 { a.cols } else { end };
        for j in first..end {
            taus.push(eliminate_column(a, j, last));
        }
        if last < a.cols {
            let (v, t) = accumulated(a, first, end, &taus);
            reflect_all(a, (first, end), &v, &t.adjoint());
        }
    }
    taus
}

/// Reflects what is below the diagonal of a column to zero, in the columns up to `last` too, and stores the reflector there.
/// Gives its tau.
fn eliminate_column<T: Scalar>(a: &mut Mat<T>, j: usize, last: usize) -> T {
    let mut v = below(a, j, j);
    let (beta, tau) = larfg(a[(j, j)], &mut v.iter_mut().collect::<Vec<_>>());
    reflect(a, j, j + 1..last, tau.conj(), &v);
    a[(j, j)] = beta;
    for (k, &v) in v.iter().enumerate() {
        a[(j + 1 + k, j)] = v;
    }
    tau
}

/// [`geqrf`] of the matrix with its columns permuted: those that `first` marks in front, then whichever has the largest
/// remainder. Gives the number (from 0) of each column, and the taus.
pub(super) fn geqp3<T: Scalar>(a: &mut Mat<T>, first: &[bool]) -> (Vec<usize>, Vec<T>) {
    let mut order: Vec<usize> = (0..a.cols).collect();
    let mut swap = |a: &mut Mat<T>, i: usize, j: usize| {
        (0..a.rows).for_each(|r| a.data.swap(r * a.cols + i, r * a.cols + j));
        order.swap(i, j);
    };
    let mut fixed = 0;
    for j in (0..a.cols).filter(|&j| first[j]) {
        swap(a, fixed, j);
        fixed += 1;
    }
    let mut taus = Vec::new();
    for j in 0..a.rows.min(a.cols) {
        if j >= fixed {
            let square = |c: usize| (j..a.rows).map(|r| a[(r, c)].abs().powi(2)).sum::<f64>();
            let mut best = (j, square(j));
            for c in j + 1..a.cols {
                let size = square(c);
                if size > best.1 {
                    best = (c, size);
                }
            }
            swap(a, j, best.0);
        }
        let cols = a.cols;
        taus.push(eliminate_column(a, j, cols));
    }
    (order, taus)
}

/// The first columns, as many as `v` has, of the product of its reflectors.
pub(super) fn orgqr<T: Scalar>(v: &Mat<T>, taus: &[T]) -> Mat<T> {
    let mut q = Mat::eye(v.rows, v.cols);
    if taus.len() > WHOLE {
        let blocks = taus.len().div_ceil(BLOCK);
        for first in (0..blocks).rev().map(|k| k * BLOCK) {
            let (v, t) = accumulated(v, first, (first + BLOCK).min(taus.len()), taus);
            reflect_all(&mut q, (first, first), &v, &t);
        }
        return q;
    }
    for (i, &tau) in taus.iter().enumerate().rev() {
        let columns = i..q.cols;
        reflect(&mut q, i, columns, tau, &below(v, i, i));
    }
    q
}

/// Reduces rows and columns `low..=high` (from 0) to Hessenberg form. Gives the taus.
pub(super) fn gehrd<T: Scalar>(a: &mut Mat<T>, low: usize, high: usize) -> Vec<T> {
    let n = a.rows;
    let mut taus = vec![T::ZERO; n.saturating_sub(1)];
    for j in low..high.min(n.saturating_sub(1)) {
        let mut v: Vec<T> = (j + 2..=high).map(|r| a[(r, j)]).collect();
        let (beta, tau) = larfg(a[(j + 1, j)], &mut v.iter_mut().collect::<Vec<_>>());
        // A := A H, then H^H A.
        for r in 0..=high {
            let mut sum = a[(r, j + 1)];
            for (k, &x) in v.iter().enumerate() {
                sum = sum + a[(r, j + 2 + k)] * x;
            }
            let sum = sum * tau;
            a[(r, j + 1)] = a[(r, j + 1)] - sum;
            for (k, x) in v.iter().enumerate() {
                a[(r, j + 2 + k)] = a[(r, j + 2 + k)] - sum * x.conj();
            }
        }
        reflect(a, j + 1, j + 1..a.cols, tau.conj(), &v);
        a[(j + 1, j)] = beta;
        for (k, &x) in v.iter().enumerate() {
            a[(j + 2 + k, j)] = x;
        }
        taus[j] = tau;
    }
    taus
}

/// The unitary matrix of a Hessenberg reduction.
pub(super) fn orghr<T: Scalar>(a: &Mat<T>, taus: &[T]) -> Mat<T> {
    let n = a.rows;
    let mut q = Mat::eye(n, n);
    for (j, &tau) in taus.iter().enumerate().rev() {
        reflect(&mut q, j + 1, j + 1..n, tau, &below(a, j + 1, j));
    }
    q
}

/// What [`sytrd`] gives besides the packed reflectors.
pub(super) struct Tridiagonal<T> {
    pub(super) diagonal: Vec<f64>,
    pub(super) off_diagonal: Vec<f64>,
    pub(super) taus: Vec<T>,
}

/// Tridiagonal form of a Hermitian matrix, of which the lower triangle is read, with reflectors below it.
pub(super) fn sytrd_lower<T: Scalar>(a: &mut Mat<T>) -> Tridiagonal<T> {
    let n = a.rows;
    let (mut off_diagonal, mut taus) = (Vec::new(), Vec::new());
    if n > 0 {
        a[(0, 0)] = T::real(a[(0, 0)].re());
    }
    for i in 0..n.saturating_sub(1) {
        let mut rest: Vec<T> = (i + 2..n).map(|r| a[(r, i)]).collect();
        let (beta, tau) = larfg(a[(i + 1, i)], &mut rest.iter_mut().collect::<Vec<_>>());
        off_diagonal.push(beta.re());
        let mut v = vec![T::ONE];
        v.extend(rest);
        let k = v.len();
        let at = |a: &Mat<T>, r: usize, c: usize| {
            if r >= c { a[(i + 1 + r, i + 1 + c)] } else { a[(i + 1 + c, i + 1 + r)].conj() }
        };
        // w = tau A v - (tau/2) (w^H v) v; A := A - v w^H - w v^H.
        let mut w: Vec<T> = (0..k)
            .map(|r| {
                (0..k).fold(T::ZERO, |s, c| {
                    s + if r == c { T::real(at(a, r, r).re()) } else { at(a, r, c) } * v[c]
                }) * tau
            })
            .collect();
        let dot = w.iter().zip(&v).fold(T::ZERO, |s, (w, &v)| s + w.conj() * v);
        let alpha = T::real(-0.5) * tau * dot;
        for (w, &v) in w.iter_mut().zip(&v) {
            *w = *w + alpha * v;
        }
        for r in 0..k {
            for c in 0..=r {
                let x = a[(i + 1 + r, i + 1 + c)] - v[r] * w[c].conj() - w[r] * v[c].conj();
                a[(i + 1 + r, i + 1 + c)] = if r == c { T::real(x.re()) } else { x };
            }
        }
        a[(i + 1, i)] = beta;
        for (r, &x) in v.iter().enumerate().skip(1) {
            a[(i + 1 + r, i)] = x;
        }
        taus.push(tau);
    }
    let diagonal = (0..n).map(|i| a[(i, i)].re()).collect();
    Tridiagonal { diagonal, off_diagonal, taus }
}

/// The diagonals of a tridiagonal matrix, of equal length as JAX has them.
pub(super) struct Diagonals<T> {
    pub(super) lower: Vec<T>,
    pub(super) main: Vec<T>,
    pub(super) upper: Vec<T>,
}

/// Solves a tridiagonal system in place of `b` by elimination with partial pivoting; the diagonals become those of U. Gives `info`.
pub(super) fn gtsv<T: Scalar>(t: &mut Diagonals<T>, b: &mut Mat<T>) -> i32 {
    let n = t.main.len();
    let (d, du) = (&mut t.main, &mut t.upper);
    // LAPACK's `dl` begins with the second row.
    let mut second = t.lower.split_off(1.min(t.lower.len()));
    let dl = &mut second;
    let info = eliminate(dl, d, du, b);
    if info == 0 && n > 0 {
        for c in 0..b.cols {
            b[(n - 1, c)] = b[(n - 1, c)] / d[n - 1];
            if n > 1 {
                b[(n - 2, c)] = (b[(n - 2, c)] - du[n - 2] * b[(n - 1, c)]) / d[n - 2];
            }
            for i in (0..n.saturating_sub(2)).rev() {
                b[(i, c)] = (b[(i, c)] - du[i] * b[(i + 1, c)] - dl[i] * b[(i + 2, c)]) / d[i];
            }
        }
    }
    t.lower.extend(second);
    info
}

fn eliminate<T: Scalar>(dl: &mut [T], d: &mut [T], du: &mut [T], b: &mut Mat<T>) -> i32 {
    let n = d.len();
    for i in 0..n.saturating_sub(1) {
        if d[i].abs1() >= dl[i].abs1() {
            if d[i] == T::ZERO {
                return i as i32 + 1;
            }
            let factor = dl[i] / d[i];
            d[i + 1] = d[i + 1] - factor * du[i];
            for c in 0..b.cols {
                b[(i + 1, c)] = b[(i + 1, c)] - factor * b[(i, c)];
            }
            dl[i] = T::ZERO;
        } else {
            let factor = d[i] / dl[i];
            d[i] = dl[i];
            let next = d[i + 1];
            d[i + 1] = du[i] - factor * next;
            if i + 2 < n {
                dl[i] = du[i + 1];
                du[i + 1] = -(factor * dl[i]);
            } else {
                dl[i] = T::ZERO;
            }
            du[i] = next;
            b.swap_rows(i, i + 1);
            for c in 0..b.cols {
                b[(i + 1, c)] = b[(i + 1, c)] - factor * b[(i, c)];
            }
        }
    }
    if n > 0 && d[n - 1] == T::ZERO { n as i32 } else { 0 }
}
