//! The transforms that are tracing on this thread, from the outermost to the innermost: what an error says that it happened in.
//!
//! Each is there as long as its frame is; nobody but `trace` changes what is here. It stands apart from the frames because
//! errors are raised below them: reading a device fails in the words of whatever is traced around it.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::Location;

/// Which transform a function is traced for and where it was built; for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct What {
    pub(crate) name: &'static str,
    pub(crate) at: &'static Location<'static>,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` built at {}:{}:{}", self.name, self.at.file(), self.at.line(), self.at.column())
    }
}

thread_local! {
    static TRACING: RefCell<Vec<What>> = const { RefCell::new(Vec::new()) };
    /// How many there are, where a look costs nothing.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Whether a function is being traced on this thread.
#[inline]
pub(crate) fn is_tracing() -> bool {
    DEPTH.get() > 0
}

/// The transforms that are tracing on this thread, innermost first.
pub(crate) fn transforms() -> Vec<What> {
    TRACING.with_borrow(|all| all.iter().rev().copied().collect())
}

/// A transform begins to trace, inside those that do.
pub(crate) fn enter(what: What) {
    TRACING.with_borrow_mut(|all| {
        all.push(what);
        DEPTH.set(all.len());
    });
}

/// Transforms end, but for so many outermost ones.
pub(crate) fn leave(left: usize) {
    TRACING.with_borrow_mut(|all| {
        all.truncate(left);
        DEPTH.set(all.len());
    });
}

/// Other transforms in place of these, which are given back.
pub(crate) fn replace(by: Vec<What>) -> Vec<What> {
    DEPTH.set(by.len());
    TRACING.replace(by)
}
