//! Where the time of a call goes: a clock that generated code tells which section of the program begins.

use std::cell::RefCell;
use std::time::{Duration, Instant};

/// Time spent in a section, and how often it began.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// Time in all.
    pub time: Duration,
    /// How often it began.
    pub times: u64,
}

/// A call that is being measured.
struct Clock {
    spent: Vec<Spent>,
    now: usize,
    since: Instant,
}

thread_local! {
    /// That of the call that this thread measures.
    static CLOCK: RefCell<Option<Clock>> = const { RefCell::new(None) };
}

impl Clock {
    fn begin(&mut self, section: usize) {
        let now = Instant::now();
        if let Some(spent) = self.spent.get_mut(self.now) {
            spent.time += now - self.since;
        }
        if let Some(spent) = self.spent.get_mut(section) {
            spent.times += 1;
        }
        (self.now, self.since) = (section, now);
    }
}

/// Runs `f` with so many sections measured, from section 0 on.
pub(crate) fn measured<R>(sections: usize, f: impl FnOnce() -> R) -> (R, Vec<Spent>) {
    let clock = Clock { spent: vec![Spent::default(); sections], now: 0, since: Instant::now() };
    CLOCK.set(Some(clock));
    let out = f();
    let spent = CLOCK.take().map_or_else(Vec::new, |mut clock| {
        clock.begin(usize::MAX);
        clock.spent
    });
    (out, spent)
}

/// What one more beginning costs, the least of many.
pub(crate) fn overhead() -> Duration {
    let many = 1000u32;
    let once = || {
        let (_, spent) = measured(1, || (0..many).for_each(|_| section(0)));
        spent[0].time / many
    };
    (0..8).map(|_| once()).min().unwrap_or_default()
}

/// The time from here on belongs to a section; called by generated code.
pub(crate) extern "C" fn section(number: usize) {
    CLOCK.with_borrow_mut(|clock| {
        if let Some(clock) = clock {
            clock.begin(number);
        }
    });
}
