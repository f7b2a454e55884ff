//! Schur forms of complex matrices, in the steps of LAPACK (`gees`, `hseqr`).

use super::balance::{Balance, isolate};
use super::scalar::{C, Mat, Scalar as _};
use wengert_libraries::dense::{gehrd, orghr};

/// Schur form of a complex matrix by shifted QR on its Hessenberg form: `a = z t z^H` with `t` upper triangular.
pub(super) fn schur_complex(a: &Mat<C>) -> Option<(Mat<C>, Mat<C>)> {
    if !a.is_finite() {
        return None;
    }
    let mut t = a.clone();
    let order = isolate(&mut t);
    let (t, mut z) = triangularize_complex(t, &order)?;
    order.undo(&mut z);
    Some((t, z))
}

/// The form of a matrix that [`isolate`] was applied to, before its permutation is undone.
pub(super) fn triangularize_complex(mut t: Mat<C>, order: &Balance) -> Option<(Mat<C>, Mat<C>)> {
    let n = t.rows;
    let taus = gehrd(&mut t, order.low, order.high);
    let mut z = orghr(&t, &taus);
    for i in 0..n {
        for j in 0..i.saturating_sub(1) {
            t[(i, j)] = C::ZERO;
        }
    }
    let small = |t: &Mat<C>, k: usize| {
        let around = t[(k, k)].abs1() + t[(k - 1, k - 1)].abs1();
        let around =
            if around == 0.0 { t.data.iter().fold(0.0, |m: f64, x| m.max(x.abs1())) } else { around };
        t[(k, k - 1)].abs1() <= f64::EPSILON * 0.5 * around
    };
    let (mut end, mut trips) = (n, 0);
    while end > 1 {
        let mut first = end - 1;
        while first > 0 && !small(&t, first) {
            first -= 1;
        }
        if first > 0 {
            t[(first, first - 1)] = C::ZERO;
        }
        if first == end - 1 {
            (end, trips) = (end - 1, 0);
            continue;
        }
        trips += 1;
        if trips > 60 {
            return None;
        }
        // Wilkinson's shift: the eigenvalue of the last two rows nearer to the corner.
        let (p, q, r, s) =
            (t[(end - 2, end - 2)], t[(end - 2, end - 1)], t[(end - 1, end - 2)], t[(end - 1, end - 1)]);
        let half = (p - s) * 0.5;
        let root = (half * half + q * r).sqrt();
        let root = if (half.conj() * root).re < 0.0 { -root } else { root };
        let below = half + root;
        let mut shift = if below == C::ZERO { s } else { s - q * r / below };
        if trips % 10 == 0 {
            shift = s + C::new(0.75 * r.abs1(), 0.0);
        }
        // Chase with rotations ((c, s), (-s^H, c)).
        let (mut x, mut y) = (t[(first, first)] - shift, t[(first + 1, first)]);
        for k in first..end - 1 {
            if k > first {
                (x, y) = (t[(k, k - 1)], t[(k + 1, k - 1)]);
            }
            let length = x.abs().hypot(y.abs());
            if length == 0.0 {
                continue;
            }
            let (c, s) = if x == C::ZERO {
                (0.0, y.conj() / y.abs())
            } else {
                (x.abs() / length, x / x.abs() * y.conj() / length)
            };
            for j in k.saturating_sub(1)..n {
                let (a, b) = (t[(k, j)], t[(k + 1, j)]);
                t[(k, j)] = a * c + s * b;
                t[(k + 1, j)] = b * c - s.conj() * a;
            }
            for i in 0..(k + 3).min(end) {
                let (a, b) = (t[(i, k)], t[(i, k + 1)]);
                t[(i, k)] = a * c + b * s.conj();
                t[(i, k + 1)] = b * c - a * s;
            }
            for i in 0..n {
                let (a, b) = (z[(i, k)], z[(i, k + 1)]);
                z[(i, k)] = a * c + b * s.conj();
                z[(i, k + 1)] = b * c - a * s;
            }
            if k > first {
                t[(k + 1, k - 1)] = C::ZERO;
            }
        }
    }
    for i in 0..n {
        for j in 0..i {
            t[(i, j)] = C::ZERO;
        }
    }
    Some((t, z))
}
