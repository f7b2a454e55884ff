//! Eigenvalues and right vectors of general matrices, in the steps of LAPACK's `geev`: balancing, Schur form, vectors of
//! the triangular matrix by back substitution (Golub & Van Loan, 7.6.4), so that eigenvalues have its order and those
//! that a permutation isolates are exact.

use super::balance::isolate;
use super::complex_schur::triangularize_complex;
use super::real_schur::{RealSchur, triangularize};
use super::scalar::{C, Mat, Scalar};

/// Beyond this a vector is scaled before it grows further.
const LARGE: f64 = 1e150;

/// Eigenvalues and vectors, not normalized. `None` if the iteration does not end.
pub(super) fn geev<T: Scalar>(a: &Mat<T>) -> Option<(Vec<C>, Mat<C>)> {
    let n = a.rows;
    if n == 0 {
        return Some((Vec::new(), Mat::zeros(0, 0)));
    }
    // Products of several elements, and their inverses, must be numbers.
    let largest = a.data.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let unit = if largest > 0.0 && !(1e-30..=1e30).contains(&largest) { largest } else { 1.0 };
    let mut a = Mat::from_fn(n, n, |i, j| a[(i, j)] / T::real(unit));
    let mut balance = isolate(&mut a);
    balance.scale(&mut a);
    let (mut values, mut vectors) = if T::COMPLEX {
        let wide = Mat::from_fn(n, n, |i, j| C::new(a[(i, j)].re(), a[(i, j)].im()));
        let (t, z) = triangularize_complex(wide, &balance)?;
        let columns: Vec<Vec<C>> = (0..n).map(|k| triangular_vector(&t, t[(k, k)], k)).collect();
        ((0..n).map(|k| t[(k, k)]).collect::<Vec<C>>(), product(&z, &columns))
    } else {
        let real = Mat::from_fn(n, n, |i, j| a[(i, j)].re());
        let RealSchur { t, z, values } = triangularize(real, &balance, f64::EPSILON)?;
        let mut columns: Vec<Vec<C>> = Vec::new();
        for k in 0..n {
            let column = if values[k].im < 0.0 {
                // The second of a pair has the conjugate vector of the first.
                columns[k - 1].iter().map(|x| x.conj()).collect()
            } else {
                let last = k + usize::from(values[k].im > 0.0);
                quasi_triangular_vector(&t, values[k], last)
            };
            columns.push(column);
        }
        let wide = Mat::from_fn(n, n, |i, j| C::new(z[(i, j)], 0.0));
        (values, product(&wide, &columns))
    };
    values.iter_mut().for_each(|v| *v *= unit);
    balance.undo(&mut vectors);
    Some((values, vectors))
}

/// `z` times the columns.
fn product(z: &Mat<C>, columns: &[Vec<C>]) -> Mat<C> {
    Mat::from_fn(z.rows, columns.len(), |i, j| {
        z.row(i).iter().zip(&columns[j]).fold(C::ZERO, |s, (&a, &b)| s + a * b)
    })
}

/// A divisor that is not zero: where eigenvalues coincide, the least that rounding cannot tell from it.
fn divisor(x: C, least: f64) -> C {
    if x.abs1() < least { C::new(least, 0.0) } else { x }
}

/// The least that counts beside the elements of a matrix. Of zeros it is small, but its square still a number.
fn least<T: Scalar>(t: &Mat<T>) -> f64 {
    t.data.iter().fold(1e-60, |m, x| m.max(x.abs1() * f64::EPSILON))
}

/// Makes a vector small that grew large.
fn keep_small(x: &mut [C]) {
    let largest = x.iter().fold(0.0f64, |m, x| m.max(x.abs1()));
    if largest > LARGE {
        x.iter_mut().for_each(|x| *x *= 1.0 / largest);
    }
}

/// The vector of the eigenvalue at `k` of an upper triangular matrix.
fn triangular_vector(t: &Mat<C>, value: C, k: usize) -> Vec<C> {
    let least = least(t);
    let mut x = vec![C::ZERO; t.rows];
    x[k] = C::ONE;
    for j in (0..k).rev() {
        let sum = (j + 1..=k).fold(C::ZERO, |s, m| s + t[(j, m)] * x[m]);
        x[j] = -sum / divisor(t[(j, j)] - value, least);
        keep_small(&mut x);
    }
    x
}

/// The vector of an eigenvalue whose block of a real Schur form ends at `last`; of a pair the one that has a positive
/// imaginary part.
fn quasi_triangular_vector(t: &Mat<f64>, value: C, last: usize) -> Vec<C> {
    let least = least(t);
    let mut x = vec![C::ZERO; t.rows];
    let mut end = last;
    if value.im == 0.0 {
        x[last] = C::ONE;
    } else {
        let (b, c) = (t[(last - 1, last)], t[(last, last - 1)]);
        if b.abs() >= c.abs() {
            (x[last - 1], x[last]) = (C::ONE, C::new(0.0, value.im / b));
        } else {
            (x[last - 1], x[last]) = (C::new(-value.im / c, 0.0), C::new(0.0, 1.0));
        }
        end -= 1;
    }
    let at = |i: usize, j: usize| C::new(t[(i, j)], 0.0);
    while end > 0 {
        let j = end - 1;
        let sum = |x: &[C], row: usize| (end..=last).fold(C::ZERO, |s, m| s - at(row, m) * x[m]);
        if j > 0 && t[(j, j - 1)] != 0.0 {
            // Two rows of a pair: Cramer's rule for ((p, q), (r, s)) y = (f, g).
            let (f, g) = (sum(&x, j - 1), sum(&x, j));
            let (p, q) = (at(j - 1, j - 1) - value, at(j - 1, j));
            let (r, s) = (at(j, j - 1), at(j, j) - value);
            let determinant = divisor(p * s - q * r, least * (p.abs1() + q.abs1() + r.abs1() + s.abs1()));
            x[j - 1] = (f * s - q * g) / determinant;
            x[j] = (p * g - f * r) / determinant;
            end -= 2;
        } else {
            x[j] = sum(&x, j) / divisor(at(j, j) - value, least);
            end -= 1;
        }
        keep_small(&mut x);
    }
    x
}
