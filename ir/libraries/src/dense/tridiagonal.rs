//! Tridiagonal systems.

use super::matrix::{Mat, Scalar};

/// The diagonals of a tridiagonal matrix, of equal length as JAX has them.
pub struct Diagonals<T> {
    /// Below the main one; the first is not used.
    pub lower: Vec<T>,
    /// The main one.
    pub main: Vec<T>,
    /// Above it; the last is not used.
    pub upper: Vec<T>,
}

/// Solves a tridiagonal system in place of `b` by elimination with partial pivoting; the diagonals become those of U. Gives `info`.
pub fn gtsv<T: Scalar>(t: &mut Diagonals<T>, b: &mut Mat<T>) -> i32 {
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
