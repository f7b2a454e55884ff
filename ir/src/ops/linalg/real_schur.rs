//! Schur form of real matrices: `a = z t z^T`, `z` orthogonal, `t` upper triangular but for a 2x2 block per pair of
//! conjugate eigenvalues.
//!
//! The steps are those of LAPACK's `gees`, so that eigenvalues have its order and vectors its signs (up to the size where
//! LAPACK deflates early): a permutation that isolates eigenvalues, Hessenberg form, and J. Francis' double-shift QR
//! iteration (*The QR transformation*, 1961; Golub & Van Loan, 7.5) with the deflation test of M. Ahues and F. Tisseur
//! (LAPACK Working Note 122). A block is *standardised*: equal elements on its diagonal, the others of opposite sign.

use super::balance::{Balance, isolate};
use super::scalar::{C, Mat};
use wengert_libraries::dense::{gehrd, larfg, orghr};

/// The form, the vectors and the eigenvalues.
pub(super) struct RealSchur {
    pub(super) t: Mat<f64>,
    pub(super) z: Mat<f64>,
    pub(super) values: Vec<C>,
}

/// Largest elements beyond this, or nonzero ones all below its inverse, are scaled before products of them are taken.
const LARGE: f64 = 1e120;

/// Schur form, or `None` where an element is not finite or the iteration does not end. What is small beside its
/// neighbours by `epsilon`, that of the type that the matrix came in, counts as zero: so the eigenvalues of narrow types
/// too are found in the order in which LAPACK finds them.
pub(super) fn gees(a: &Mat<f64>, epsilon: f64) -> Option<RealSchur> {
    if !a.is_finite() {
        return None;
    }
    let n = a.rows;
    let mut t = a.clone();
    if n == 0 {
        return Some(RealSchur { z: t.clone(), t, values: Vec::new() });
    }
    let largest = a.data.iter().fold(0.0f64, |m, x| m.max(x.abs()));
    let scaled = largest > 0.0 && !(1.0 / LARGE..=LARGE).contains(&largest);
    if scaled {
        t.data.iter_mut().for_each(|x| *x /= largest);
    }
    let order = isolate(&mut t);
    let RealSchur { mut t, mut z, mut values } = triangularize(t, &order, epsilon)?;
    order.undo(&mut z);
    if scaled {
        t.data.iter_mut().for_each(|x| *x *= largest);
        values.iter_mut().for_each(|v| *v *= largest);
    }
    Some(RealSchur { t, z, values })
}

/// The form of a matrix that [`isolate`] was applied to, before its permutation is undone.
pub(super) fn triangularize(mut t: Mat<f64>, order: &Balance, epsilon: f64) -> Option<RealSchur> {
    let n = t.rows;
    let taus = gehrd(&mut t, order.low, order.high);
    let mut z = orghr(&t, &taus);
    for i in 0..n {
        for j in 0..i.saturating_sub(1) {
            t[(i, j)] = 0.0;
        }
    }
    let values = (0..n).map(|i| C::new(t[(i, i)], 0.0)).collect();
    let mut qr = Iteration { t, z: &mut z, values, epsilon };
    qr.run(order.low, order.high)?;
    let Iteration { t, values, .. } = qr;
    Some(RealSchur { t, z, values })
}

/// The iteration on a Hessenberg matrix, which accumulates vectors.
struct Iteration<'z> {
    t: Mat<f64>,
    z: &'z mut Mat<f64>,
    values: Vec<C>,
    epsilon: f64,
}

/// Two shifts: real and equal, or conjugate.
#[derive(Clone, Copy)]
struct Shifts {
    first: C,
    second: C,
}

/// Deflations are tried with an exceptional shift each time that this many trips found none.
const EXCEPTIONAL: usize = 10;

impl Iteration<'_> {
    fn run(&mut self, low: usize, high: usize) -> Option<()> {
        let trips = 30 * (high - low + 1).max(10);
        let tiny = f64::MIN_POSITIVE * ((high - low + 1) as f64 / self.epsilon);
        // One past the rows that are not done.
        let mut end = high + 1;
        while end > low {
            let i = end - 1;
            let mut found = None;
            for trip in 1..=trips + 1 {
                let l = self.split(low, i, tiny);
                if l > low {
                    self.t[(l, l - 1)] = 0.0;
                }
                if l + 1 >= i {
                    found = Some(l);
                    break;
                }
                let shifts = self.shifts(l, i, trip);
                self.sweep(l, i, shifts);
            }
            let l = found?;
            if l == i {
                self.values[i] = C::new(self.t[(i, i)], 0.0);
            } else {
                self.standardise(i - 1);
            }
            end = l;
        }
        Some(())
    }

    /// The first row of the last block that does not decouple.
    fn split(&self, low: usize, i: usize, tiny: f64) -> usize {
        let t = &self.t;
        for k in (low + 1..=i).rev() {
            let below = t[(k, k - 1)].abs();
            if below <= tiny {
                return k;
            }
            let (p, q) = (t[(k - 1, k - 1)], t[(k, k)]);
            let mut around = p.abs() + q.abs();
            if around == 0.0 {
                if k >= low + 2 {
                    around += t[(k - 1, k - 2)].abs();
                }
                if k < i {
                    around += t[(k + 1, k)].abs();
                }
            }
            if below <= self.epsilon * around {
                let above = t[(k - 1, k)].abs();
                let (most, least) = (below.max(above), below.min(above));
                let (aa, bb) = (q.abs().max((p - q).abs()), q.abs().min((p - q).abs()));
                let s = aa + most;
                if least * (most / s) <= tiny.max(self.epsilon * (bb * (aa / s))) {
                    return k;
                }
            }
        }
        low
    }

    /// Shifts of a trip on rows `l..=i`: the eigenvalues of the last 2x2 block; of two real ones the nearer to the corner, twice.
    fn shifts(&self, l: usize, i: usize, trip: usize) -> Shifts {
        let t = &self.t;
        let exceptional = |s: f64, corner: f64| [0.75 * s + corner, -0.4375 * s, s, 0.75 * s + corner];
        let [mut p, mut q, mut r, mut s] = if trip.is_multiple_of(2 * EXCEPTIONAL) {
            exceptional(t[(i, i - 1)].abs() + t[(i - 1, i - 2)].abs(), t[(i, i)])
        } else if trip.is_multiple_of(EXCEPTIONAL) {
            exceptional(t[(l + 1, l)].abs() + t[(l + 2, l + 1)].abs(), t[(l, l)])
        } else {
            [t[(i - 1, i - 1)], t[(i - 1, i)], t[(i, i - 1)], t[(i, i)]]
        };
        let size = p.abs() + q.abs() + r.abs() + s.abs();
        if size == 0.0 {
            return Shifts { first: C::new(0.0, 0.0), second: C::new(0.0, 0.0) };
        }
        for x in [&mut p, &mut q, &mut r, &mut s] {
            *x /= size;
        }
        let half = (p + s) / 2.0;
        let det = (p - half) * (s - half) - q * r;
        let root = det.abs().sqrt();
        if det >= 0.0 {
            let first = C::new(half * size, root * size);
            return Shifts { first, second: first.conj() };
        }
        let (above, below) = (half + root, half - root);
        let near = if (above - s).abs() <= (below - s).abs() { above } else { below };
        let near = C::new(near * size, 0.0);
        Shifts { first: near, second: near }
    }

    /// The start of a bulge in row `m`: the first column of `(t - first)(t - second)`, scaled.
    fn start(&self, m: usize, Shifts { first, second }: Shifts) -> [f64; 3] {
        let t = &self.t;
        let s = (t[(m, m)] - second.re).abs() + second.im.abs() + t[(m + 1, m)].abs();
        let below = t[(m + 1, m)] / s;
        let v = [
            below * t[(m, m + 1)] + (t[(m, m)] - first.re) * ((t[(m, m)] - second.re) / s)
                - first.im * (second.im / s),
            below * (t[(m, m)] + t[(m + 1, m + 1)] - first.re - second.re),
            below * t[(m + 2, m + 1)],
        ];
        let size = v[0].abs() + v[1].abs() + v[2].abs();
        v.map(|x| x / size)
    }

    /// A double-shift QR sweep over rows `l..=i`.
    fn sweep(&mut self, l: usize, i: usize, shifts: Shifts) {
        // Where two small subdiagonal elements follow each other the bulge may start below `l`.
        let mut m = i - 2;
        let mut v = self.start(m, shifts);
        while m > l {
            let t = &self.t;
            let around = t[(m - 1, m - 1)].abs() + t[(m, m)].abs() + t[(m + 1, m + 1)].abs();
            if t[(m, m - 1)].abs() * (v[1].abs() + v[2].abs()) <= self.epsilon * v[0].abs() * around {
                break;
            }
            m -= 1;
            v = self.start(m, shifts);
        }
        for k in m..i {
            let size = (i - k + 1).min(3);
            if k > m {
                for (r, x) in v[..size].iter_mut().enumerate() {
                    *x = self.t[(k + r, k - 1)];
                }
            }
            let [alpha, rest @ ..] = &mut v;
            let (beta, tau) = larfg(*alpha, &mut rest[..size - 1]);
            if k > m {
                self.t[(k, k - 1)] = beta;
                for r in 1..size {
                    self.t[(k + r, k - 1)] = 0.0;
                }
            } else if m > l {
                // Not -t: where the other elements of v underflowed there was no reflection.
                self.t[(k, k - 1)] *= 1.0 - tau;
            }
            let w = [1.0, v[1], if size == 3 { v[2] } else { 0.0 }];
            let w = &w[..size];
            for j in k..self.t.cols {
                let sum = tau * (0..size).map(|r| w[r] * self.t[(k + r, j)]).sum::<f64>();
                for (r, w) in w.iter().enumerate() {
                    self.t[(k + r, j)] -= sum * w;
                }
            }
            from_right(&mut self.t, (k + 3).min(i) + 1, k, tau, w);
            let n = self.z.rows;
            from_right(self.z, n, k, tau, w);
        }
    }

    /// Brings the block of rows `k` and `k + 1` to its standard form and notes its eigenvalues.
    fn standardise(&mut self, k: usize) {
        let t = &mut self.t;
        let n = t.cols;
        let block = standard([t[(k, k)], t[(k, k + 1)], t[(k + 1, k)], t[(k + 1, k + 1)]], self.epsilon);
        let (c, s) = (block.cos, block.sin);
        for j in k + 2..n {
            let (x, y) = (t[(k, j)], t[(k + 1, j)]);
            t[(k, j)] = c * x + s * y;
            t[(k + 1, j)] = c * y - s * x;
        }
        let turn = |m: &mut Mat<f64>, rows: usize| {
            for i in 0..rows {
                let (x, y) = (m[(i, k)], m[(i, k + 1)]);
                m[(i, k)] = c * x + s * y;
                m[(i, k + 1)] = c * y - s * x;
            }
        };
        turn(t, k);
        turn(self.z, n);
        let [p, q, r, s] = block.elements;
        (t[(k, k)], t[(k, k + 1)], t[(k + 1, k)], t[(k + 1, k + 1)]) = (p, q, r, s);
        let im = if r == 0.0 { 0.0 } else { q.abs().sqrt() * r.abs().sqrt() };
        (self.values[k], self.values[k + 1]) = (C::new(p, im), C::new(s, -im));
    }
}

/// Applies `1 - tau w w^T` from the right to the first `rows` rows, columns from `k`.
fn from_right(m: &mut Mat<f64>, rows: usize, k: usize, tau: f64, w: &[f64]) {
    for i in 0..rows {
        let sum = tau * w.iter().enumerate().map(|(r, w)| w * m[(i, k + r)]).sum::<f64>();
        for (r, w) in w.iter().enumerate() {
            m[(i, k + r)] -= sum * w;
        }
    }
}

/// A 2x2 block `(a, b; c, d)` after the rotation `(cos, sin; -sin, cos)`.
struct Block {
    elements: [f64; 4],
    cos: f64,
    sin: f64,
}

/// The standard form: `c = 0`, or `a = d` and `b c < 0` (what LAPACK's `lanv2` gives).
fn standard([a, b, c, d]: [f64; 4], epsilon: f64) -> Block {
    let done = |elements, cos, sin| Block { elements, cos, sin };
    if c == 0.0 {
        return done([a, b, c, d], 1.0, 0.0);
    }
    if b == 0.0 {
        return done([d, -c, 0.0, a], 0.0, 1.0);
    }
    if a == d && b.is_sign_negative() != c.is_sign_negative() {
        return done([a, b, c, d], 1.0, 0.0);
    }
    let difference = a - d;
    let p = difference / 2.0;
    let most = b.abs().max(c.abs());
    let least = b.abs().min(c.abs()) * b.signum() * c.signum();
    let scale = p.abs().max(most);
    let z = p / scale * p + most / scale * least;
    if z >= 4.0 * epsilon {
        // Real eigenvalues that lie apart.
        let z = p + (scale.sqrt() * z.sqrt()).copysign(p);
        let tau = c.hypot(z);
        return done([d + z, b - c, 0.0, d - most / z * least], z / tau, c / tau);
    }
    // Conjugate ones, or real ones nearly equal: make the diagonal equal.
    let sigma = b + c;
    let tau = sigma.hypot(difference);
    let mut cos = ((1.0 + sigma.abs() / tau) / 2.0).sqrt();
    let mut sin = -(p / (tau * cos)) * 1f64.copysign(sigma);
    let (aa, bb) = (a * cos + b * sin, b * cos - a * sin);
    let (cc, dd) = (c * cos + d * sin, d * cos - c * sin);
    let (a, b, c, d) = (aa * cos + cc * sin, bb * cos + dd * sin, cc * cos - aa * sin, dd * cos - bb * sin);
    let mid = (a + d) / 2.0;
    if c == 0.0 {
        return done([mid, b, c, mid], cos, sin);
    }
    if b == 0.0 {
        return done([mid, -c, 0.0, mid], -sin, cos);
    }
    if b.is_sign_negative() != c.is_sign_negative() {
        return done([mid, b, c, mid], cos, sin);
    }
    // Real after all.
    let (root_b, root_c) = (b.abs().sqrt(), c.abs().sqrt());
    let p = (root_b * root_c).copysign(c);
    let tau = 1.0 / (b + c).abs().sqrt();
    let (cos1, sin1) = (root_b * tau, root_c * tau);
    (cos, sin) = (cos * cos1 - sin * sin1, cos * sin1 + sin * cos1);
    done([mid + p, b - c, 0.0, mid - p], cos, sin)
}
