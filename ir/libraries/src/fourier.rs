//! Fourier transforms of any length.

use num_complex::{Complex32, Complex64};
use rustfft::{Fft, FftDirection, FftNum, FftPlanner};
use std::fmt;
use std::sync::{Arc, Mutex};

/// The plans that were made last: making one costs more than using it. They never change what is computed.
type Kept<T> = Mutex<Vec<Arc<dyn Fft<T>>>>;

/// How many plans are kept of each precision.
const KEPT: usize = 32;
/// Longer plans are made anew: they take memory, and making one is less of what they are used for.
const LONGEST: usize = 1 << 20;

static DOUBLE: Kept<f64> = Mutex::new(Vec::new());
static SINGLE: Kept<f32> = Mutex::new(Vec::new());

fn plan<T: FftNum>(kept: &Kept<T>, n: usize, inverse: bool) -> Arc<dyn Fft<T>> {
    let direction = if inverse { FftDirection::Inverse } else { FftDirection::Forward };
    let plans = || kept.lock().unwrap_or_else(|e| e.into_inner());
    let known = plans().iter().find(|p| p.len() == n && p.fft_direction() == direction).cloned();
    if let Some(known) = known {
        return known;
    }
    let plan = FftPlanner::new().plan_fft(n, direction);
    if n <= LONGEST {
        let mut plans = plans();
        if plans.len() == KEPT {
            plans.remove(0);
        }
        plans.push(plan.clone());
    }
    plan
}

/// How lines of one length are transformed.
pub struct Plan(Arc<dyn Fft<f64>>);

impl Plan {
    /// A plan for lines of `n` numbers, forward (`exp(-2 pi i j k / n)`) or inverse without its factor `1 / n`.
    pub fn new(n: usize, inverse: bool) -> Self {
        Self(plan(&DOUBLE, n, inverse))
    }

    /// Transforms lines that lie one after another.
    ///
    /// Panics if they are not lines of the plan's length.
    pub fn run(&self, lines: &mut [Complex64]) {
        self.0.process(lines);
    }
}

/// The same in single precision.
pub struct SinglePlan(Arc<dyn Fft<f32>>);

impl SinglePlan {
    /// As [`Plan::new`].
    pub fn new(n: usize, inverse: bool) -> Self {
        Self(plan(&SINGLE, n, inverse))
    }

    /// As [`Plan::run`].
    pub fn run(&self, lines: &mut [Complex32]) {
        self.0.process(lines);
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Plan({}, {:?})", self.0.len(), self.0.fft_direction())
    }
}

impl fmt::Debug for SinglePlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SinglePlan({}, {:?})", self.0.len(), self.0.fft_direction())
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
                let mut single: Vec<Complex32> =
                    line.iter().map(|z| Complex32::new(z.re as f32, z.im as f32)).collect();
                SinglePlan::new(n, inverse).run(&mut single);
                let near =
                    |(a, b): (&Complex32, &Complex64)| (a.re as f64 - b.re).hypot(a.im as f64 - b.im) < 1e-4;
                assert!(single.iter().zip(&found).all(near), "{n} {inverse}: {single:?}");
                for (j, z) in found.iter().enumerate() {
                    let turn =
                        |k: usize| sign * 2.0 * std::f64::consts::PI * ((j % n * k) % n) as f64 / n as f64;
                    let want: Complex64 = (0..n).map(|k| line[k] * Complex64::from_polar(1.0, turn(k))).sum();
                    assert!((z - want).norm() < 1e-11 * n as f64, "{n} {inverse} {j}: {z} {want}");
                }
            }
        }
    }

    /// Plans that are kept, plans that were dropped and plans of many threads are all the same.
    #[test]
    fn plans_are_as_good_as_new() {
        let line = |n: usize| (0..n).map(|k| Complex64::new(1.0, k as f64)).collect::<Vec<_>>();
        let transform = |n: usize| {
            let mut all = line(n);
            Plan::new(n, false).run(&mut all);
            all
        };
        let first: Vec<_> = (1..2 * KEPT).map(transform).collect();
        std::thread::scope(|s| {
            for _ in 0..3 {
                s.spawn(|| (1..2 * KEPT).for_each(|n| assert_eq!(transform(n), first[n - 1])));
            }
        });
        assert!(DOUBLE.lock().expect("no panic").len() <= KEPT);
    }
}
