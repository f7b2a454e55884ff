//! How many examples what is traced now will be run for at once: what derivatives cost depends on it.

use std::cell::Cell;

thread_local! {
    static EXAMPLES: Cell<usize> = const { Cell::new(1) };
}

/// How many examples what is traced now will be run for at once.
pub(crate) fn examples() -> usize {
    EXAMPLES.get()
}

/// What is traced while this lives is run for so many times as many examples at once.
pub(crate) struct Examples {
    outside: usize,
}

impl Examples {
    pub(crate) fn new(size: usize) -> Examples {
        let outside = EXAMPLES.get();
        EXAMPLES.set(outside.saturating_mul(size.max(1)));
        Examples { outside }
    }
}

impl Drop for Examples {
    fn drop(&mut self) {
        EXAMPLES.set(self.outside);
    }
}
