//! Fourier transforms of any length.

use num_complex::Complex64;
use rustfft::{Fft, FftPlanner};
use std::fmt;
use std::sync::Arc;

/// How lines of one length are transformed.
pub struct Plan(Arc<dyn Fft<f64>>);

impl Plan {
    /// A plan for lines of `n` numbers, forward (`exp(-2 pi i j k / n)`) or inverse without its factor `1 / n`.
    pub fn new(n: usize, inverse: bool) -> Self {
        let mut planner = FftPlanner::new();
        Self(if inverse { planner.plan_fft_inverse(n) } else { planner.plan_fft_forward(n) })
    }

    /// Transforms lines that lie one after another.
    ///
    /// Panics if they are not lines of the plan's length.
    pub fn run(&self, lines: &mut [Complex64]) {
        self.0.process(lines);
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plan({}, {:?})", self.0.len(), self.0.fft_direction())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, at a length that is a power of two, one with odd factors and a prime.
    #[test]
    fn lines_are_transformed_as_defined() {
        for n in [1, 8, 15, 31] {
            let line: Vec<Complex64> =
                (0..n).map(|k| Complex64::new(k as f64, 1.0 - 0.5 * k as f64)).collect();
            for (inverse, sign) in [(false, -1.0), (true, 1.0)] {
                let mut found = [&line[..], &line[..]].concat();
                Plan::new(n, inverse).run(&mut found);
                for (j, z) in found.iter().enumerate() {
                    let turn =
                        |k: usize| sign * 2.0 * std::f64::consts::PI * ((j % n * k) % n) as f64 / n as f64;
                    let want: Complex64 = (0..n).map(|k| line[k] * Complex64::from_polar(1.0, turn(k))).sum();
                    assert!((z - want).norm() < 1e-11 * n as f64, "{n} {inverse} {j}: {z} {want}");
                }
            }
        }
    }
}
