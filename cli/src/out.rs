//! Standard output. Who reads it may stop before the end, as `head` does: then the command ends, quietly.

use std::io::{ErrorKind, Write};
use std::process::exit;

/// Prints as `print!` does.
macro_rules! out {
    ($($text:tt)*) => { $crate::out::put(format_args!($($text)*)) };
}

/// Prints as `println!` does.
macro_rules! outln {
    () => { $crate::out::put(format_args!("\n")) };
    ($($text:tt)*) => { $crate::out::put(format_args!("{}\n", format_args!($($text)*))) };
}

pub(crate) use {out, outln};

/// Writes to standard output; ends the process where that cannot be done.
pub(crate) fn put(text: std::fmt::Arguments<'_>) {
    match std::io::stdout().write_fmt(text) {
        Ok(()) => {}
        Err(e) if e.kind() == ErrorKind::BrokenPipe => exit(0),
        Err(e) => {
            eprintln!("wengert: standard output: {e}");
            exit(1)
        }
    }
}
