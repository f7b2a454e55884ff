//! Lines of users.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

/// Where the user wrote what became an instruction.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Loc {
    /// Not known.
    #[default]
    Unknown,
    /// A line of Rust, from `#[track_caller]`.
    Rust(&'static Location<'static>),
    /// The text of an MLIR `loc(...)`, without the word and the parentheses.
    Text(Arc<str>),
}

impl fmt::Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Loc::Unknown => f.write_str("unknown"),
            Loc::Rust(l) => write!(f, "\"{}\":{}:{}", l.file(), l.line(), l.column()),
            Loc::Text(t) => f.write_str(t),
        }
    }
}
