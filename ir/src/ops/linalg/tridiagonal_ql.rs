//! Eigenvalues and vectors of Hermitian matrices: tridiagonal form, then implicit QL or QR iteration.
//!
//! B. Parlett, *The Symmetric Eigenvalue Problem*, chapter 8. The choices that decide the signs of vectors (which end
//! the iteration starts from, the sign of a rotation) are those of LAPACK's `sytrd` and `steqr`, so that
//! vectors come out as they do there.

use super::scalar::{Mat, Scalar};
use wengert_libraries::dense::{orghr, sytrd_lower};

/// A rotation with `c f + s g = r` and `c g - s f = 0`: `(c, s, r)`.
pub(super) fn rotation(f: f64, g: f64) -> (f64, f64, f64) {
    if g == 0.0 {
        (1.0, 0.0, f)
    } else if f == 0.0 {
        (0.0, 1f64.copysign(g), g.abs())
    } else {
        let r = f.hypot(g).copysign(f);
        (f.abs() / r.abs(), g / r, r)
    }
}

/// Applies a rotation to columns `j` and `j + 1`.
pub(super) fn rotate_columns<T: Scalar>(z: &mut Mat<T>, j: usize, c: f64, s: f64) {
    let (c, s) = (T::real(c), T::real(s));
    for i in 0..z.rows {
        let (a, b) = (z[(i, j)], z[(i, j + 1)]);
        z[(i, j + 1)] = c * b - s * a;
        z[(i, j)] = s * b + c * a;
    }
}

/// Eigenvalues and the vector of the first of `((a, b), (b, c))`: `(larger in modulus, other, cos, sin)`.
fn two_by_two(a: f64, b: f64, c: f64) -> (f64, f64, f64, f64) {
    let (sum, difference, twice) = (a + c, a - c, b + b);
    let (large, small) = if a.abs() > c.abs() { (a, c) } else { (c, a) };
    let root = difference.abs().hypot(twice.abs());
    let (first, second, sign1) = if sum < 0.0 {
        let first = 0.5 * (sum - root);
        (first, (large / first) * small - (b / first) * b, -1)
    } else if sum > 0.0 {
        let first = 0.5 * (sum + root);
        (first, (large / first) * small - (b / first) * b, 1)
    } else {
        (0.5 * root, -0.5 * root, 1)
    };
    let (cs, sign2) = if difference >= 0.0 { (difference + root, 1) } else { (difference - root, -1) };
    let (mut cos, mut sin);
    if cs.abs() > twice.abs() {
        let ct = -twice / cs;
        sin = 1.0 / (1.0 + ct * ct).sqrt();
        cos = ct * sin;
    } else if twice == 0.0 {
        (cos, sin) = (1.0, 0.0);
    } else {
        let tn = -cs / twice;
        cos = 1.0 / (1.0 + tn * tn).sqrt();
        sin = tn * cos;
    }
    if sign1 == sign2 {
        (cos, sin) = (-sin, cos);
    }
    (first, second, cos, sin)
}

/// Diagonalizes a tridiagonal matrix and multiplies `z` by its vectors; ascending. `false` if it does not converge.
pub(super) fn steqr<T: Scalar>(d: &mut [f64], e: &mut [f64], z: &mut Mat<T>) -> bool {
    let n = d.len();
    let eps = f64::EPSILON / 2.0;
    let mut left = 30 * n;
    let mut next = 0;
    while next < n {
        if next > 0 {
            e[next - 1] = 0.0;
        }
        // A block ends where an off-diagonal element is negligible.
        let first = next;
        let mut last = n - 1;
        for m in first..n - 1 {
            if e[m].abs() <= d[m].abs().sqrt() * d[m + 1].abs().sqrt() * eps {
                e[m] = 0.0;
                last = m;
                break;
            }
        }
        next = last + 1;
        if last == first {
            continue;
        }
        let done = if d[last].abs() < d[first].abs() {
            qr(d, e, z, last, first, &mut left)
        } else {
            ql(d, e, z, first, last, &mut left)
        };
        if !done {
            return false;
        }
    }
    for i in 0..n {
        let mut k = i;
        for j in i + 1..n {
            if d[j] < d[k] {
                k = j;
            }
        }
        if k != i {
            d.swap(i, k);
            for r in 0..z.rows {
                z.data.swap(r * z.cols + i, r * z.cols + k);
            }
        }
    }
    true
}

fn negligible(e: f64, a: f64, b: f64) -> bool {
    let eps = f64::EPSILON / 2.0;
    e * e <= (eps * eps * a.abs()) * b.abs() + f64::MIN_POSITIVE
}

/// From the top: eigenvalue `l` is found first.
fn ql<T: Scalar>(
    d: &mut [f64],
    e: &mut [f64],
    z: &mut Mat<T>,
    first: usize,
    end: usize,
    left: &mut usize,
) -> bool {
    let mut l = first;
    while l <= end {
        let m = (l..end).find(|&m| negligible(e[m], d[m], d[m + 1])).unwrap_or(end);
        if m < end {
            e[m] = 0.0;
        }
        if m == l {
            l += 1;
            continue;
        }
        if m == l + 1 {
            let (one, two, c, s) = two_by_two(d[l], e[l], d[l + 1]);
            rotate_columns(z, l, c, s);
            (d[l], d[l + 1], e[l]) = (one, two, 0.0);
            l += 2;
            continue;
        }
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let mut g = (d[l + 1] - d[l]) / (2.0 * e[l]);
        g = d[m] - d[l] + e[l] / (g + g.hypot(1.0).copysign(g));
        let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
        let mut rotations = Vec::with_capacity(m - l);
        for i in (l..m).rev() {
            let (f, b) = (s * e[i], c * e[i]);
            let r;
            (c, s, r) = rotation(g, f);
            if i != m - 1 {
                e[i + 1] = r;
            }
            g = d[i + 1] - p;
            let r = (d[i] - g) * s + 2.0 * c * b;
            p = s * r;
            d[i + 1] = g + p;
            g = c * r - b;
            rotations.push((i, c, -s));
        }
        for (i, c, s) in rotations {
            rotate_columns(z, i, c, s);
        }
        d[l] -= p;
        e[l] = g;
    }
    true
}

/// From the bottom up: the mirror image of [`ql`].
fn qr<T: Scalar>(
    d: &mut [f64],
    e: &mut [f64],
    z: &mut Mat<T>,
    first: usize,
    end: usize,
    left: &mut usize,
) -> bool {
    let mut l = first;
    loop {
        let m = (end + 1..=l).rev().find(|&m| negligible(e[m - 1], d[m], d[m - 1])).unwrap_or(end);
        if m > end {
            e[m - 1] = 0.0;
        }
        let found = if m == l {
            1
        } else if m + 1 == l {
            let (one, two, c, s) = two_by_two(d[l - 1], e[l - 1], d[l]);
            rotate_columns(z, l - 1, c, s);
            (d[l - 1], d[l], e[l - 1]) = (one, two, 0.0);
            2
        } else {
            0
        };
        if found > 0 {
            if l < end + found {
                return true;
            }
            l -= found;
            continue;
        }
        if *left == 0 {
            return false;
        }
        *left -= 1;
        let mut g = (d[l - 1] - d[l]) / (2.0 * e[l - 1]);
        g = d[m] - d[l] + e[l - 1] / (g + g.hypot(1.0).copysign(g));
        let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
        for i in m..l {
            let (f, b) = (s * e[i], c * e[i]);
            let r;
            (c, s, r) = rotation(g, f);
            if i != m {
                e[i - 1] = r;
            }
            g = d[i] - p;
            let r = (d[i + 1] - g) * s + 2.0 * c * b;
            p = s * r;
            d[i] = g + p;
            g = c * r - b;
            rotate_columns(z, i, c, s);
        }
        d[l] -= p;
        e[l - 1] = g;
    }
}

/// Ascending eigenvalues and vectors of a Hermitian matrix. Both triangles are given; LAPACK reads one, and of the upper
/// one it takes the last row first: what the lower one of the matrix turned by half a turn gives, turned back. Vectors that are
/// not wanted are a matrix without rows, which rotations of columns leave alone; values are the same to the bit.
pub(super) fn syevd<T: Scalar>(a: &Mat<T>, lower: bool, vectors: bool) -> Option<(Vec<f64>, Mat<T>)> {
    let n = a.rows;
    // Squares of elements that are very large or small leave the range: the matrix is scaled, by a power of two, as LAPACK does.
    let norm = a.data.iter().map(|x| x.re().abs().max(x.im().abs())).fold(0.0, f64::max);
    if norm.is_finite() && norm > 0.0 && !(1e-120..=1e120).contains(&norm) {
        let exponent = (norm.log2() as i32).clamp(-1000, 1000);
        let (down, up) = (2f64.powi(-exponent), 2f64.powi(exponent));
        let scaled = Mat::from_fn(n, n, |i, j| T::new(a[(i, j)].re() * down, a[(i, j)].im() * down));
        let (values, vectors) = syevd(&scaled, lower, vectors)?;
        return Some((values.into_iter().map(|w| w * up).collect(), vectors));
    }
    let turned = |m: &Mat<T>| Mat::from_fn(n, n, |i, j| m[(n - 1 - i, n - 1 - j)]);
    let mut packed = if lower { a.clone() } else { turned(a) };
    let t = sytrd_lower(&mut packed);
    let mut z = if vectors { orghr(&packed, &t.taus) } else { Mat::zeros(0, n) };
    let (mut d, mut e) = (t.diagonal, t.off_diagonal);
    if !lower {
        if vectors {
            z = turned(&z);
        }
        d.reverse();
        e.reverse();
    }
    (d.iter().chain(&e).all(|x| x.is_finite()) && steqr(&mut d, &mut e, &mut z)).then_some((d, z))
}
