//! Standard output and standard error. Who reads the output may stop before the end, as `head` does: then the command ends,
//! quietly. What cannot be written otherwise is a failure, said on standard error if that can be written.

use std::io::{Error, ErrorKind, Write};
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
    if let Err(e) = std::io::stdout().write_fmt(text) {
        exit(unwritten(&e).into());
    }
}

/// Writes what is kept back of the last line; gives the exit status.
pub(crate) fn flush(status: u8) -> u8 {
    match std::io::stdout().flush() {
        Err(e) if status == 0 => unwritten(&e),
        Err(_) | Ok(()) => status,
    }
}

/// The exit status where standard output cannot be written.
pub(crate) fn unwritten(e: &Error) -> u8 {
    if e.kind() == ErrorKind::BrokenPipe {
        return 0;
    }
    fail(&format!("standard output: {e}"));
    1
}

/// Says why a command failed. If even that cannot be written, the exit status has to do.
pub(crate) fn fail(message: &str) {
    let _ = writeln!(std::io::stderr(), "wengert: {message}");
}

/// Says what a person may want to know beside the output.
pub(crate) fn note(text: &dyn std::fmt::Display) {
    let _ = writeln!(std::io::stderr(), "{text}");
}
