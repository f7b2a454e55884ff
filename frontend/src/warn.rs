//! Warnings: what a person must see, and what no program may fail for.

use std::io::Write;

/// Writes a line to standard error. If that is full or closed nobody hears of it.
pub(crate) fn warn(message: std::fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "warning: {message}");
}
