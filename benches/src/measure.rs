//! Wall-clock times of calls, and the memory of this process.

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

/// Microseconds per call.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// The median of the samples.
    pub median: f64,
    /// A quarter of the samples are below.
    pub low: f64,
    /// A quarter of the samples are above.
    pub high: f64,
}

/// Times of `f`, after a call to warm up.
pub fn times(effort: Effort, f: &mut dyn FnMut()) -> Times {
    f();
    let mut repeats = 1u32;
    let mut first = micros(repeats, f);
    while first < effort.sample.as_secs_f64() * 1e6 && repeats < 1 << 24 {
        repeats *= 2;
        first = micros(repeats, f);
    }
    let mut samples = vec![first / repeats as f64];
    let start = Instant::now();
    while samples.len() < 3 || start.elapsed() < effort.enough {
        samples.push(micros(repeats, f) / repeats as f64);
    }
    samples.sort_by(f64::total_cmp);
    let n = samples.len();
    Times { median: samples[n / 2], low: samples[n / 4], high: samples[3 * n / 4] }
}

fn micros(repeats: u32, f: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        f();
    }
    start.elapsed().as_secs_f64() * 1e6
}

/// How the memory that this process uses grows; where Linux tells.
pub struct Memory {
    before: Option<f64>,
}

impl Memory {
    /// Counts from now.
    pub fn watch() -> Self {
        // "5" sets the peak back to what is used now.
        let reset = std::fs::write("/proc/self/clear_refs", "5");
        Self { before: reset.ok().and_then(|()| status("VmRSS:")) }
    }

    /// The peak since the start, in megabytes over what was used then.
    pub fn peak(&self) -> Option<f64> {
        Some(((status("VmHWM:")? - self.before?) / 1e3).max(0.0))
    }
}

/// Kilobytes of a line of the process's status.
fn status(field: &str) -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    text.lines().find_map(|l| l.strip_prefix(field))?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_per_call_and_between_the_quartiles() {
        let mut calls = 0u64;
        let times = times(Effort::QUICK, &mut || {
            calls += 1;
            std::thread::sleep(Duration::from_micros(100));
        });
        assert!(calls > 3 && (100.0..1e5).contains(&times.median), "{times:?}");
        assert!(times.low <= times.median && times.median <= times.high, "{times:?}");
    }

    #[test]
    fn a_peak_counts_memory_that_is_gone() {
        let memory = Memory::watch();
        drop(std::hint::black_box(vec![1u8; 64 << 20]));
        if let Some(peak) = memory.peak() {
            assert!(peak > 60.0, "{peak}");
        }
    }
}
