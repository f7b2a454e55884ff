//! Singular values and vectors: bidiagonal form, then implicit zero-shift QR.
//!
//! J. Demmel, W. Kahan, *Accurate Singular Values of Bidiagonal Matrices*, SIAM J. Sci. Stat. Comput. 11 (1990). The
//! choices that decide signs are those of LAPACK's `gesdd` for small matrices.

use super::scalar::{Mat, Scalar};
use super::tridiagonal_ql::{rotate_columns, rotation};
use wengert_libraries::Vectors;
use wengert_libraries::dense::{geqrf, larfg, orgqr, reflect};

/// `U`, descending singular values and `V^H`, as many vectors as are wanted.
pub(super) struct Full<T> {
    pub(super) u: Mat<T>,
    pub(super) s: Vec<f64>,
    pub(super) vt: Mat<T>,
}

/// A matrix set in the corner of one that has ones on the rest of its diagonal.
fn bordered<T: Scalar>(a: &Mat<T>, rows: usize, cols: usize) -> Mat<T> {
    let mut out = Mat::eye(rows, cols);
    for i in 0..a.rows {
        out.row_mut(i)[..a.cols].copy_from_slice(a.row(i));
    }
    out
}

fn padded<T: Scalar>(a: &Mat<T>, cols: usize) -> Mat<T> {
    Mat::from_fn(a.rows, cols, |i, j| if j < a.cols { a[(i, j)] } else { T::ZERO })
}

/// Singular value decomposition; `None` if it does not converge.
pub(super) fn gesdd<T: Scalar>(a: &Mat<T>, vectors: Vectors) -> Option<Full<T>> {
    let (m, n) = (a.rows, a.cols);
    let (least, most) = (m.min(n), m.max(n));
    let much_longer = if T::COMPLEX { least * 17 / 9 } else { least * 11 / 6 };
    if most < much_longer || most == least {
        // A^H = Q B P^H gives A = P B^H Q^H with B^H lower bidiagonal.
        return if m >= n { tall(a, false, vectors) } else { tall(&a.adjoint(), true, vectors) };
    }
    // A = Q R first, or A^H.
    let mut packed = if m >= n { a.clone() } else { a.adjoint() };
    let taus = geqrf(&mut packed);
    let r = Mat::from_fn(least, least, |i, j| if i <= j { packed[(i, j)] } else { T::ZERO });
    let inner = tall(&if m >= n { r } else { r.adjoint() }, false, vectors)?;
    let q = match vectors {
        Vectors::Without => return Some(inner),
        Vectors::Thin => orgqr(&packed, &taus),
        Vectors::Square => orgqr(&padded(&packed, most), &taus),
    };
    Some(if m >= n {
        Full { u: q.times(&bordered(&inner.u, q.cols, q.cols)), ..inner }
    } else {
        Full { vt: bordered(&inner.vt, q.cols, q.cols).times(&q.adjoint()), ..inner }
    })
}

/// The decomposition of a matrix with no fewer rows than columns; `adjoint`: that of its adjoint instead.
fn tall<T: Scalar>(a: &Mat<T>, adjoint: bool, vectors: Vectors) -> Option<Full<T>> {
    let (m, n) = (a.rows, a.cols);
    let mut a = a.clone();
    let (mut d, mut e) = (Vec::new(), Vec::new());
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for i in 0..n {
        let mut v: Vec<T> = (i + 1..m).map(|r| a[(r, i)]).collect();
        let (beta, tau) = larfg(a[(i, i)], &mut v);
        d.push(beta.re());
        apply(&mut a, i, i + 1, tau.conj(), &v);
        left.push((tau, v));
        if i + 1 < n {
            let mut v: Vec<T> = (i + 2..n).map(|c| a[(i, c)].conj()).collect();
            let (beta, tau) = larfg(a[(i, i + 1)].conj(), &mut v);
            e.push(beta.re());
            // A := A G with G = 1 - tau v v^H.
            for r in i + 1..m {
                let (first, rest) = a.row_mut(r)[i + 1..].split_first_mut().expect("a column");
                let sum = rest.iter().zip(&v).fold(*first, |sum, (&a, &v)| sum + a * v) * tau;
                *first = *first - sum;
                rest.iter_mut().zip(&v).for_each(|(a, v)| *a = *a - sum * v.conj());
            }
            right.push((tau, v));
        }
    }
    if !d.iter().chain(&e).all(|x| x.is_finite()) {
        return None;
    }
    let (u, s, vt) = bidiagonal(d, e, adjoint, vectors != Vectors::Without)?;
    let of_q = match vectors {
        Vectors::Without => return Some(Full { u: Mat::zeros(0, 0), s, vt: Mat::zeros(0, 0) }),
        Vectors::Thin => n,
        Vectors::Square => m,
    };
    let lift =
        |x: &Mat<f64>, rows, cols| bordered(&Mat::from_fn(n, n, |i, j| T::real(x[(i, j)])), rows, cols);
    // Q = H_1 H_2 ..., P = G_1 G_2 ...
    let by_q = |mut x: Mat<T>| {
        left.iter().enumerate().rev().for_each(|(i, (tau, v))| apply(&mut x, i, 0, *tau, v));
        x
    };
    let by_p = |mut x: Mat<T>| {
        right.iter().enumerate().rev().for_each(|(i, (tau, v))| apply(&mut x, i + 1, 0, *tau, v));
        x
    };
    Some(if adjoint {
        // A^H = P (U S V^H) Q^H.
        Full { u: by_p(lift(&u, n, n)), s, vt: by_q(lift(&vt.adjoint(), m, of_q)).adjoint() }
    } else {
        Full { u: by_q(lift(&u, m, of_q)), s, vt: by_p(lift(&vt.adjoint(), n, n)).adjoint() }
    })
}

/// Applies `1 - tau v v^H` from the left to rows `i..` of the columns `from..`.
fn apply<T: Scalar>(a: &mut Mat<T>, i: usize, from: usize, tau: T, rest: &[T]) {
    let columns = from..a.cols;
    reflect(a, i, columns, tau, rest);
}

/// Applies a rotation to rows `i` and `i + 1`.
fn rotate_rows(a: &mut Mat<f64>, i: usize, c: f64, s: f64) {
    for j in 0..a.cols {
        let (x, y) = (a[(i, j)], a[(i + 1, j)]);
        a[(i + 1, j)] = c * y - s * x;
        a[(i, j)] = s * y + c * x;
    }
}

/// `U`, singular values, `V^T` of a bidiagonal matrix, upper or lower. Vectors that are not wanted are matrices without rows and
/// without columns, which rotations leave alone; values are the same to the bit.
fn bidiagonal(
    mut d: Vec<f64>,
    mut e: Vec<f64>,
    lower: bool,
    vectors: bool,
) -> Option<(Mat<f64>, Vec<f64>, Mat<f64>)> {
    let n = d.len();
    let known = if vectors { n } else { 0 };
    let (mut u, mut vt) = (Mat::eye(known, n), Mat::eye(n, known));
    let mut turned = Vec::new();
    if lower {
        for i in 0..n.saturating_sub(1) {
            let (c, s, r) = rotation(d[i], e[i]);
            d[i] = r;
            e[i] = s * d[i + 1];
            d[i + 1] *= c;
            turned.push((i, c, -s));
        }
    }
    if !bdsqr(&mut d, &mut e, &mut vt, &mut u) {
        return None;
    }
    if vectors {
        turned.into_iter().rev().for_each(|(i, c, s)| rotate_rows(&mut u, i, c, s));
    }
    Some((u, d, vt))
}

/// The smaller singular value of `((f, g), (0, h))`.
fn smaller(f: f64, g: f64, h: f64) -> f64 {
    let (f, g, h) = (f.abs(), g.abs(), h.abs());
    let (low, high) = (f.min(h), f.max(h));
    if low == 0.0 {
        return 0.0;
    }
    let (sum, difference) = (1.0 + low / high, (high - low) / high);
    if g < high {
        let u = (g / high).powi(2);
        low * (2.0 / ((sum * sum + u).sqrt() + (difference * difference + u).sqrt()))
    } else {
        let u = high / g;
        if u == 0.0 {
            return low * high / g;
        }
        let c = 1.0 / ((1.0 + (sum * u).powi(2)).sqrt() + (1.0 + (difference * u).powi(2)).sqrt());
        2.0 * (low * c * u)
    }
}

/// The decomposition of `((f, g), (0, h))`: `(smaller, larger, sin right, cos right, sin left, cos left)`, signed.
fn two_by_two(f: f64, g: f64, h: f64) -> (f64, f64, f64, f64, f64, f64) {
    let one = |x: f64| 1f64.copysign(x);
    let swap = h.abs() > f.abs();
    let (ft, ht) = if swap { (h, f) } else { (f, h) };
    let (fa, ha, ga) = (ft.abs(), ht.abs(), g.abs());
    let mut largest = if swap { 3 } else { 1 };
    let (small, large, clt, crt, slt, srt);
    if ga == 0.0 {
        (small, large, clt, crt, slt, srt) = (ha, fa, 1.0, 1.0, 0.0, 0.0);
    } else {
        if ga > fa {
            largest = 2;
        }
        if ga > fa && fa / ga < f64::EPSILON / 2.0 {
            large = ga;
            small = if ha > 1.0 { fa / (ga / ha) } else { fa / ga * ha };
            (clt, slt, srt, crt) = (1.0, ht / g, 1.0, ft / g);
        } else {
            let d = fa - ha;
            let l = if d == fa { 1.0 } else { d / fa };
            let m = g / ft;
            let t = 2.0 - l;
            let s = (t * t + m * m).sqrt();
            let r = if l == 0.0 { m.abs() } else { (l * l + m * m).sqrt() };
            let a = 0.5 * (s + r);
            (small, large) = (ha / a, fa * a);
            let t = if m * m == 0.0 {
                if l == 0.0 { 2f64.copysign(ft) * one(g) } else { g / d.copysign(ft) + m / t }
            } else {
                (m / (s + t) + m / (r + l)) * (1.0 + a)
            };
            let l = (t * t + 4.0).sqrt();
            crt = 2.0 / l;
            srt = t / l;
            clt = (crt + srt * m) / a;
            slt = (ht / ft) * srt / a;
        }
    }
    let (csl, snl, csr, snr) = if swap { (srt, crt, slt, clt) } else { (clt, slt, crt, srt) };
    let sign = match largest {
        1 => one(csr) * one(csl) * one(f),
        2 => one(snr) * one(csl) * one(g),
        _ => one(snr) * one(snl) * one(h),
    };
    (small.copysign(sign * one(f) * one(h)), large.copysign(sign), snr, csr, snl, csl)
}

/// Diagonalizes an upper bidiagonal matrix; `vt` is multiplied from the left and `u` from the right.
fn bdsqr(d: &mut [f64], e: &mut [f64], vt: &mut Mat<f64>, u: &mut Mat<f64>) -> bool {
    let n = d.len();
    let eps = f64::EPSILON / 2.0;
    let tol = eps.powf(-0.125).clamp(10.0, 100.0) * eps;
    let mut mu = d.first().map_or(0.0, |x| x.abs());
    let mut least = mu;
    for i in 1..n {
        if least == 0.0 {
            break;
        }
        mu = d[i].abs() * (mu / (mu + e[i - 1].abs()));
        least = least.min(mu);
    }
    let thresh = (tol * least / (n as f64).sqrt()).max(6.0 * (n * n) as f64 * f64::MIN_POSITIVE);
    let mut trips = 6 * n * n;
    // The block `first..=last` of the previous trip, and its direction.
    let mut previous: Option<(usize, usize)> = None;
    let mut down = true;
    let mut end = n; // everything from `end` on is done
    'block: while end > 1 {
        let last = end - 1;
        let mut largest = d[last].abs();
        let mut first = 0;
        for l in (0..last).rev() {
            if e[l].abs() <= thresh {
                e[l] = 0.0;
                if l + 1 == last {
                    end -= 1;
                    continue 'block;
                }
                first = l + 1;
                break;
            }
            largest = largest.max(d[l].abs()).max(e[l].abs());
        }
        if first + 1 == last {
            let (small, large, sr, cr, sl, cl) = two_by_two(d[first], e[first], d[last]);
            (d[first], d[last], e[first]) = (large, small, 0.0);
            rotate_rows(vt, first, cr, sr);
            rotate_columns(u, first, cl, sl);
            end -= 2;
            continue;
        }
        if trips == 0 {
            return false;
        }
        trips -= 1;
        if previous.is_none_or(|(f, l)| first > l || last < f) {
            down = d[first].abs() >= d[last].abs();
        }
        // Negligible elements, and a bound on the smallest singular value.
        let mut smallest;
        if down {
            if e[last - 1].abs() <= tol * d[last].abs() {
                e[last - 1] = 0.0;
                continue;
            }
            let mut mu = d[first].abs();
            smallest = mu;
            for l in first..last {
                if e[l].abs() <= tol * mu {
                    e[l] = 0.0;
                    continue 'block;
                }
                mu = d[l + 1].abs() * (mu / (mu + e[l].abs()));
                smallest = smallest.min(mu);
            }
        } else {
            if e[first].abs() <= tol * d[first].abs() {
                e[first] = 0.0;
                continue;
            }
            let mut mu = d[last].abs();
            smallest = mu;
            for l in (first..last).rev() {
                if e[l].abs() <= tol * mu {
                    e[l] = 0.0;
                    continue 'block;
                }
                mu = d[l].abs() * (mu / (mu + e[l].abs()));
                smallest = smallest.min(mu);
            }
        }
        previous = Some((first, last));
        let mut shift = 0.0;
        if n as f64 * tol * (smallest / largest) > eps.max(0.01 * tol) {
            let start = if down { d[first].abs() } else { d[last].abs() };
            shift = if down {
                smaller(d[last - 1], e[last - 1], d[last])
            } else {
                smaller(d[first], e[first], d[first + 1])
            };
            if start > 0.0 && (shift / start).powi(2) < eps {
                shift = 0.0;
            }
        }
        match (shift == 0.0, down) {
            (true, true) => zero_shift_down(d, e, vt, u, first, last),
            (true, false) => zero_shift_up(d, e, vt, u, first, last),
            (false, true) => shifted_down(d, e, vt, u, (first, last), shift),
            (false, false) => shifted_up(d, e, vt, u, (first, last), shift),
        }
        let tested = if down { last - 1 } else { first };
        if e[tested].abs() <= thresh {
            e[tested] = 0.0;
        }
    }
    for i in 0..n {
        if d[i].is_sign_negative() {
            d[i] = -d[i];
            for j in 0..vt.cols {
                vt[(i, j)] = -vt[(i, j)];
            }
        }
    }
    for end in (1..n).rev() {
        let mut k = 0;
        for j in 1..=end {
            if d[j] <= d[k] {
                k = j;
            }
        }
        if k != end {
            d.swap(k, end);
            vt.swap_rows(k, end);
            for r in 0..u.rows {
                u.data.swap(r * u.cols + k, r * u.cols + end);
            }
        }
    }
    true
}

fn zero_shift_down(
    d: &mut [f64],
    e: &mut [f64],
    vt: &mut Mat<f64>,
    u: &mut Mat<f64>,
    first: usize,
    last: usize,
) {
    let (mut c, mut old_c, mut old_s) = (1.0, 1.0, 0.0);
    for i in first..last {
        let (cos, s, r) = rotation(d[i] * c, e[i]);
        c = cos;
        if i > first {
            e[i - 1] = old_s * r;
        }
        (old_c, old_s, d[i]) = rotation(old_c * r, d[i + 1] * s);
        rotate_rows(vt, i, c, s);
        rotate_columns(u, i, old_c, old_s);
    }
    let h = d[last] * c;
    d[last] = h * old_c;
    e[last - 1] = h * old_s;
}

fn zero_shift_up(
    d: &mut [f64],
    e: &mut [f64],
    vt: &mut Mat<f64>,
    u: &mut Mat<f64>,
    first: usize,
    last: usize,
) {
    let (mut c, mut old_c, mut old_s) = (1.0, 1.0, 0.0);
    for i in (first + 1..=last).rev() {
        let (cos, s, r) = rotation(d[i] * c, e[i - 1]);
        c = cos;
        if i < last {
            e[i] = old_s * r;
        }
        (old_c, old_s, d[i]) = rotation(old_c * r, d[i - 1] * s);
        rotate_rows(vt, i - 1, old_c, -old_s);
        rotate_columns(u, i - 1, c, -s);
    }
    let h = d[first] * c;
    d[first] = h * old_c;
    e[first] = h * old_s;
}

type Block = (usize, usize);

fn shifted_down(
    d: &mut [f64],
    e: &mut [f64],
    vt: &mut Mat<f64>,
    u: &mut Mat<f64>,
    (first, last): Block,
    shift: f64,
) {
    let mut f = (d[first].abs() - shift) * (1f64.copysign(d[first]) + shift / d[first]);
    let mut g = e[first];
    for i in first..last {
        let (cr, sr, r) = rotation(f, g);
        if i > first {
            e[i - 1] = r;
        }
        f = cr * d[i] + sr * e[i];
        e[i] = cr * e[i] - sr * d[i];
        g = sr * d[i + 1];
        d[i + 1] *= cr;
        let (cl, sl, r) = rotation(f, g);
        d[i] = r;
        f = cl * e[i] + sl * d[i + 1];
        d[i + 1] = cl * d[i + 1] - sl * e[i];
        if i + 1 < last {
            g = sl * e[i + 1];
            e[i + 1] *= cl;
        }
        rotate_rows(vt, i, cr, sr);
        rotate_columns(u, i, cl, sl);
    }
    e[last - 1] = f;
}

fn shifted_up(
    d: &mut [f64],
    e: &mut [f64],
    vt: &mut Mat<f64>,
    u: &mut Mat<f64>,
    (first, last): Block,
    shift: f64,
) {
    let mut f = (d[last].abs() - shift) * (1f64.copysign(d[last]) + shift / d[last]);
    let mut g = e[last - 1];
    for i in (first + 1..=last).rev() {
        let (cr, sr, r) = rotation(f, g);
        if i < last {
            e[i] = r;
        }
        f = cr * d[i] + sr * e[i - 1];
        e[i - 1] = cr * e[i - 1] - sr * d[i];
        g = sr * d[i - 1];
        d[i - 1] *= cr;
        let (cl, sl, r) = rotation(f, g);
        d[i] = r;
        f = cl * e[i - 1] + sl * d[i - 1];
        d[i - 1] = cl * d[i - 1] - sl * e[i - 1];
        if i > first + 1 {
            g = sl * e[i - 2];
            e[i - 2] *= cl;
        }
        rotate_rows(vt, i - 1, cl, -sl);
        rotate_columns(u, i - 1, cr, -sr);
    }
    e[first] = f;
}
