//! Why a text could not be read, with the line and a mark.

use std::fmt;

/// Most characters of the offending line that a message shows.
const SHOWN: usize = 120;

/// Why a text could not be read.
///
/// Displays as `line:column: message` followed by the line and a caret, ready to be put after
/// `file:`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was expected, or what is wrong.
    pub message: String,
    /// The line, or the part of a long one around the column.
    pub source_line: String,
    /// Where the caret stands under [`Self::source_line`], in characters from 0.
    caret: usize,
}

impl ParseError {
    /// The error at byte `at` of `source`.
    pub fn new(source: &str, at: usize, message: impl Into<String>) -> Self {
        let mut at = at.min(source.len());
        while !source.is_char_boundary(at) {
            at -= 1;
        }
        let before = &source[..at];
        let start = before.rfind('\n').map_or(0, |n| n + 1);
        let end = source[at..].find('\n').map_or(source.len(), |n| at + n);
        // A window around the column, so that a line of a million digits stays readable.
        let mut from = start;
        let mut cut = "";
        if at - start > SHOWN / 2 && end - start > SHOWN {
            from = at - SHOWN / 2;
            while !source.is_char_boundary(from) {
                from -= 1;
            }
            cut = "...";
        }
        let mut to = end.min(from + SHOWN);
        while !source.is_char_boundary(to) {
            to -= 1;
        }
        let shown: String = source[from..to].chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        Self {
            line: before.bytes().filter(|&b| b == b'\n').count() + 1,
            column: source[start..at].chars().count() + 1,
            message: message.into(),
            source_line: format!("{cut}{}{}", shown, if to < end { "..." } else { "" }),
            caret: cut.len() + source[from..at].chars().count(),
        }
    }
}

impl ParseError {
    /// The line with a caret under it.
    pub(crate) fn marked(&self) -> String {
        format!("  {}\n  {:>width$}", self.source_line, '^', width = self.caret + 1)
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}\n{}", self.line, self.column, self.message, self.marked())
    }
}

impl std::error::Error for ParseError {}
