//! Medians of wall-clock times.

use std::time::{Duration, Instant};

/// How long to measure.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// At least this long, and three samples.
    pub enough: Duration,
    /// A sample is at least this long: shorter calls are repeated within it.
    pub sample: Duration,
}

impl Effort {
    /// For numbers to publish.
    pub const FULL: Self = Self { enough: Duration::from_millis(400), sample: Duration::from_micros(50) };
    /// For a look, or a test.
    pub const QUICK: Self = Self { enough: Duration::from_millis(20), sample: Duration::from_micros(20) };
}

/// Median seconds per call of `f`, after a call to warm up.
pub fn median_seconds(effort: Effort, f: &mut dyn FnMut()) -> f64 {
    f();
    let mut repeats = 1u32;
    let mut first = time(repeats, f);
    while first < effort.sample.as_secs_f64() && repeats < 1 << 24 {
        repeats *= 2;
        first = time(repeats, f);
    }
    let mut samples = vec![first / repeats as f64];
    let start = Instant::now();
    while samples.len() < 3 || start.elapsed() < effort.enough {
        samples.push(time(repeats, f) / repeats as f64);
    }
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

fn time(repeats: u32, f: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        f();
    }
    start.elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_per_call() {
        let mut calls = 0u64;
        let seconds = median_seconds(Effort::QUICK, &mut || {
            calls += 1;
            std::thread::sleep(Duration::from_micros(100));
        });
        assert!(calls > 3 && (100e-6..0.1).contains(&seconds), "{seconds}");
    }
}
