//! Hessenberg and tridiagonal forms.

use super::householder::{larfg, reflect};
use super::matrix::{Mat, Scalar};

/// The part of column `j` below row `i`.
fn below<T: Scalar>(a: &Mat<T>, i: usize, j: usize) -> Vec<T> {
    (i + 1..a.rows).map(|r| a[(r, j)]).collect()
}

/// Reduces rows and columns `low..=high` (from 0) to Hessenberg form. Gives the taus.
pub fn gehrd<T: Scalar>(a: &mut Mat<T>, low: usize, high: usize) -> Vec<T> {
    let n = a.rows;
    let mut taus = vec![T::ZERO; n.saturating_sub(1)];
    for j in low..high.min(n.saturating_sub(1)) {
        let mut v: Vec<T> = (j + 2..=high).map(|r| a[(r, j)]).collect();
        let (beta, tau) = larfg(a[(j + 1, j)], &mut v);
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
pub fn orghr<T: Scalar>(a: &Mat<T>, taus: &[T]) -> Mat<T> {
    let n = a.rows;
    let mut q = Mat::eye(n, n);
    for (j, &tau) in taus.iter().enumerate().rev() {
        reflect(&mut q, j + 1, j + 1..n, tau, &below(a, j + 1, j));
    }
    q
}

/// What [`sytrd_lower`] gives besides the packed reflectors.
pub struct Tridiagonal<T> {
    /// The real diagonal.
    pub diagonal: Vec<f64>,
    /// The real diagonal below it.
    pub off_diagonal: Vec<f64>,
    /// Of each reflector.
    pub taus: Vec<T>,
}

/// Tridiagonal form of a Hermitian matrix, of which the lower triangle is read, with reflectors below it.
pub fn sytrd_lower<T: Scalar>(a: &mut Mat<T>) -> Tridiagonal<T> {
    let n = a.rows;
    let (mut off_diagonal, mut taus) = (Vec::new(), Vec::new());
    if n > 0 {
        a[(0, 0)] = T::real(a[(0, 0)].re());
    }
    for i in 0..n.saturating_sub(1) {
        let mut rest: Vec<T> = (i + 2..n).map(|r| a[(r, i)]).collect();
        let (beta, tau) = larfg(a[(i + 1, i)], &mut rest);
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
