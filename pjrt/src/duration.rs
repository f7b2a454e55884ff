//! How long programs run, which decides who runs them.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use wengert_passes::cost_report::CostReport;

/// Nanoseconds from which on it pays to hand a program over.
const LONG: u64 = 50_000;

/// How long calls of a program take, as far as that is known.
#[derive(Default)]
pub(crate) struct Duration {
    /// Nanoseconds of the last call; 0 before the first.
    last: AtomicU64,
}

impl Duration {
    /// Whether the next call is to be handed over: by its estimated cost, in units of 10 picoseconds, or by the call before if the
    /// cost cannot be known.
    pub(crate) fn is_long(&self, cost: &CostReport) -> bool {
        if cost.cost / 100 >= LONG { true } else { cost.at_least && self.last.load(Relaxed) >= LONG }
    }

    /// A call took so long.
    pub(crate) fn was(&self, time: std::time::Duration) {
        self.last.store(time.as_nanos().try_into().unwrap_or(u64::MAX), Relaxed);
    }
}
