//! Balancing of general matrices (LAPACK's `gebal` and `gebak`): a permutation that brings those rows and columns that
//! isolate an eigenvalue to the ends, and a diagonal similarity that makes rows and columns of the rest alike in norm.
//!
//! B. Parlett and C. Reinsch, *Balancing a matrix for calculation of eigenvalues and eigenvectors* (1969). Isolated
//! eigenvalues are elements of the diagonal and take no rounding at all.

use super::scalar::{Mat, Scalar};

/// What was done to a matrix.
pub(super) struct Balance {
    /// First row and column that still need work.
    pub(super) low: usize,
    /// The last.
    pub(super) high: usize,
    /// The exchanges made, of rows and of columns.
    swaps: Vec<(usize, usize)>,
    /// The factor of each column after them, a power of two.
    factors: Vec<f64>,
}

/// Permutes rows and columns alike so that those that isolate an eigenvalue come last or first.
pub(super) fn isolate<T: Scalar>(a: &mut Mat<T>) -> Balance {
    let factors = vec![1.0; a.rows];
    let (mut low, mut high) = (0, a.rows.saturating_sub(1));
    let mut swaps = Vec::new();
    let mut exchange = |a: &mut Mat<T>, j: usize, m: usize| {
        swaps.push((j, m));
        a.swap_rows(j, m);
        for i in 0..a.rows {
            a.data.swap(i * a.cols + j, i * a.cols + m);
        }
    };
    let mut found = a.rows > 0;
    while found {
        found = false;
        for j in (0..=high).rev() {
            if (0..=high).all(|i| i == j || a[(j, i)] == T::ZERO) {
                if high == 0 {
                    return Balance { low: 0, high: 0, swaps, factors };
                }
                exchange(a, j, high);
                high -= 1;
                found = true;
            }
        }
    }
    found = a.rows > 0;
    while found {
        found = false;
        let left = low..=high;
        for j in left {
            if (low..=high).all(|i| i == j || a[(i, j)] == T::ZERO) {
                exchange(a, j, low);
                low += 1;
                found = true;
            }
        }
    }
    Balance { low, high, swaps, factors }
}

impl Balance {
    /// Scales rows and columns of the rest by powers of two until no factor makes their norms together 5 % smaller.
    pub(super) fn scale<T: Scalar>(&mut self, a: &mut Mat<T>) {
        // Factors stay within this, and what they make of elements does too.
        const LARGE: f64 = 1e290;
        let (low, high, n) = (self.low, self.high, a.rows);
        let norm = |elements: &mut dyn Iterator<Item = T>| elements.fold(0.0f64, |s, x| s.hypot(x.abs()));
        let mut found = n > 0;
        while found {
            found = false;
            for i in low..=high {
                let column = norm(&mut (low..=high).map(|k| a[(k, i)]));
                let row = norm(&mut (low..=high).map(|k| a[(i, k)]));
                if column == 0.0 || row == 0.0 {
                    continue;
                }
                let most = (0..=high).fold(0.0f64, |m, k| m.max(a[(k, i)].abs()));
                let most_of_row = (low..n).fold(0.0f64, |m, k| m.max(a[(i, k)].abs()));
                let (mut c, mut r, mut f) = (column, row, 1.0f64);
                while c < r / 2.0 && f.max(c).max(most * f) < LARGE && r.min(most_of_row / f) > 1.0 / LARGE {
                    (f, c, r) = (f * 2.0, c * 2.0, r / 2.0);
                }
                while c / 2.0 >= r && r.max(most_of_row / f) < LARGE && f.min(c).min(most * f) > 1.0 / LARGE {
                    (f, c, r) = (f / 2.0, c / 2.0, r * 2.0);
                }
                let all = self.factors[i] * f;
                if c + r >= 0.95 * (column + row) || !(1.0 / LARGE..=LARGE).contains(&all) {
                    continue;
                }
                self.factors[i] = all;
                found = true;
                for k in low..n {
                    a[(i, k)] = a[(i, k)] * T::real(1.0 / f);
                }
                for k in 0..=high {
                    a[(k, i)] = a[(k, i)] * T::real(f);
                }
            }
        }
    }

    /// Vectors, in columns, of the balanced matrix become those of the matrix.
    pub(super) fn undo<T: Scalar>(&self, vectors: &mut Mat<T>) {
        for (i, &f) in self.factors.iter().enumerate().filter(|(_, f)| **f != 1.0) {
            for j in 0..vectors.cols {
                vectors[(i, j)] = vectors[(i, j)] * T::real(f);
            }
        }
        for &(a, b) in self.swaps.iter().rev() {
            vectors.swap_rows(a, b);
        }
    }
}
