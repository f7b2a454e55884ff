//! What a program prints: formats, and who hears it.

use std::cell::{Cell, RefCell};
use std::io::Write;

thread_local! {
    /// What is printed goes here if anybody listens, the innermost of them.
    static PRINTED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
    static LISTENERS: Cell<usize> = const { Cell::new(0) };
}

/// Runs `f` and gives what it printed on this thread, line by line; nothing of it goes to the standard output.
pub fn listening<R>(f: impl FnOnce() -> R) -> (R, Vec<String>) {
    struct Ends(usize);
    impl Drop for Ends {
        fn drop(&mut self) {
            LISTENERS.set(LISTENERS.get() - 1);
            PRINTED.with_borrow_mut(|lines| lines.truncate(self.0));
        }
    }
    LISTENERS.set(LISTENERS.get() + 1);
    let ends = Ends(PRINTED.with_borrow(Vec::len));
    let out = f();
    let lines = PRINTED.with_borrow_mut(|lines| lines.split_off(ends.0));
    (out, lines)
}

/// Prints a line to whoever listens on this thread, or to the standard output.
pub(crate) fn print(line: String) {
    if LISTENERS.get() > 0 {
        return PRINTED.with_borrow_mut(|lines| lines.push(line));
    }
    // A closed pipe is no fault of the program.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// How many values a format takes: `{}` stands for one, `{{` and `}}` for braces.
pub fn holes(format: &str) -> Result<usize, String> {
    let mut count = 0;
    pieces(format, &mut |piece| count += matches!(piece, Piece::Hole) as usize)?;
    Ok(count)
}

/// The format with these values in it; one that is missing is left out.
pub(crate) fn fill(format: &str, values: &[String]) -> String {
    let (mut out, mut values) = (String::new(), values.iter());
    let filled = pieces(format, &mut |piece| match piece {
        Piece::Char(c) => out.push(c),
        Piece::Hole => out.push_str(values.next().map_or("", String::as_str)),
    });
    if filled.is_err() { format.to_owned() } else { out }
}

enum Piece {
    Char(char),
    Hole,
}

fn pieces(format: &str, each: &mut dyn FnMut(Piece)) -> Result<(), String> {
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        if c == '{' && next == Some('}') {
            each(Piece::Hole);
            chars.next();
        } else if matches!(c, '{' | '}') && next == Some(c) {
            each(Piece::Char(c));
            chars.next();
        } else if matches!(c, '{' | '}') {
            return Err(format!(
                "the format {format:?} has a brace that is neither `{{}}` nor doubled: only `{{}}` stands for a value"
            ));
        } else {
            each(Piece::Char(c));
        }
    }
    Ok(())
}
