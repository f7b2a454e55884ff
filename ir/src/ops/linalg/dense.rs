//! Factorizations by their textbook algorithms, with LAPACK's conventions for signs, packing and `info`.
//!
//! G. Golub, C. Van Loan, *Matrix Computations*, 4th edition, chapters 3 to 5.

use super::scalar::{Mat, Scalar};
use crate::op::TransposeA;

/// Overwrites one triangle of a Hermitian matrix by its Cholesky factor. Gives 0, or `k` if the minor of
/// order `k` is not positive; then only the first `k - 1` columns are done.
pub(super) fn potrf<T: Scalar>(a: &mut Mat<T>, lower: bool) -> i32 {
    // Element (i, j) of L, i >= j, is stored there or, conjugated, at (j, i) of U = L^H.
    let n = a.rows;
    let at = |a: &Mat<T>, i, j| if lower { a[(i, j)] } else { a[(j, i)].conj() };
    for j in 0..n {
        let square: f64 = (0..j).map(|k| at(a, j, k)).map(|x| x.re() * x.re() + x.im() * x.im()).sum();
        let d = a[(j, j)].re() - square;
        if d.is_nan() || d <= 0.0 {
            return j as i32 + 1;
        }
        let d = d.sqrt();
        a[(j, j)] = T::real(d);
        for i in j + 1..n {
            let sum = (0..j).fold(at(a, i, j), |s, k| s - at(a, i, k) * at(a, j, k).conj());
            let x = sum / T::real(d);
            if lower { a[(i, j)] = x } else { a[(j, i)] = x.conj() }
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
    for step in 0..n {
        if left {
            let i = if lower { step } else { n - 1 - step };
            let done = if lower { 0..i } else { i + 1..n };
            for c in 0..b.cols {
                let sum = done.clone().fold(b[(i, c)], |s, k| s - at(i, k) * b[(k, c)]);
                b[(i, c)] = if how.unit { sum } else { sum / at(i, i) };
            }
        } else {
            let j = if lower { n - 1 - step } else { step };
            let done = if lower { j + 1..n } else { 0..j };
            for r in 0..b.rows {
                let sum = done.clone().fold(b[(r, j)], |s, k| s - b[(r, k)] * at(k, j));
                b[(r, j)] = if how.unit { sum } else { sum / at(j, j) };
            }
        }
    }
}

/// LU decomposition in place. Gives the row that each step exchanged its own with, from 0, and `info`: 0, or
/// the first step (from 1) with a pivot of exactly 0.
pub(super) fn getrf<T: Scalar>(a: &mut Mat<T>) -> (Vec<usize>, i32) {
    let (m, n) = (a.rows, a.cols);
    let (mut pivots, mut info) = (Vec::new(), 0);
    for j in 0..m.min(n) {
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
            let factor = a[(i, j)] / pivot;
            a[(i, j)] = factor;
            for k in j + 1..n {
                a[(i, k)] = a[(i, k)] - factor * a[(j, k)];
            }
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

/// Applies `1 - tau v v^H` from the left to rows `i..` of the columns `from..`, where `v` is 1 and `rest`.
pub(super) fn reflect<T: Scalar>(a: &mut Mat<T>, i: usize, from: usize, tau: T, rest: &[T]) {
    for j in from..a.cols {
        let mut sum = a[(i, j)];
        for (k, v) in rest.iter().enumerate() {
            sum = sum + v.conj() * a[(i + 1 + k, j)];
        }
        let sum = tau * sum;
        a[(i, j)] = a[(i, j)] - sum;
        for (k, &v) in rest.iter().enumerate() {
            a[(i + 1 + k, j)] = a[(i + 1 + k, j)] - v * sum;
        }
    }
}

/// The part of column `j` below row `i`.
fn below<T: Scalar>(a: &Mat<T>, i: usize, j: usize) -> Vec<T> {
    (i + 1..a.rows).map(|r| a[(r, j)]).collect()
}

/// QR decomposition in place: R with the Householder vectors below it. Gives the taus.
pub(super) fn geqrf<T: Scalar>(a: &mut Mat<T>) -> Vec<T> {
    let mut taus = Vec::new();
    for j in 0..a.rows.min(a.cols) {
        taus.push(eliminate_column(a, j));
    }
    taus
}

/// Reflects what is below the diagonal of a column to zero, and stores the reflector there. Gives its tau.
fn eliminate_column<T: Scalar>(a: &mut Mat<T>, j: usize) -> T {
    let mut v = below(a, j, j);
    let (beta, tau) = larfg(a[(j, j)], &mut v.iter_mut().collect::<Vec<_>>());
    reflect(a, j, j + 1, tau.conj(), &v);
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
        taus.push(eliminate_column(a, j));
    }
    (order, taus)
}

/// The first columns, as many as `v` has, of the product of its reflectors.
pub(super) fn orgqr<T: Scalar>(v: &Mat<T>, taus: &[T]) -> Mat<T> {
    let mut q = Mat::eye(v.rows, v.cols);
    for (i, &tau) in taus.iter().enumerate().rev() {
        reflect(&mut q, i, i, tau, &below(v, i, i));
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
        reflect(a, j + 1, j + 1, tau.conj(), &v);
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
        reflect(&mut q, j + 1, j + 1, tau, &below(a, j + 1, j));
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
