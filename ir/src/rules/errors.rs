//! What is wrong with a program, or with what it is given: an operation that does not accept its operands, and why it stops when it runs.

use crate::func::loc::Loc;
use crate::op::{Check, CheckKind};
use crate::types::Type;
use std::fmt;

/// Why an operation does not accept its operands. `op`, `operands` and `loc` are filled in by
/// [`crate::func::Func::push`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeError {
    /// Name of the operation.
    pub op: &'static str,
    /// Label of the broken constraint as in the StableHLO specification (`C1`, `I2`), or ours.
    pub constraint: &'static str,
    /// The rule in words, with the offending sizes.
    pub message: String,
    /// Types of the operands.
    pub operands: Vec<Type>,
    /// The user's line.
    pub loc: Loc,
}

impl TypeError {
    /// An error for the constraint called `constraint`.
    pub fn new(constraint: &'static str, message: impl Into<String>) -> Self {
        Self { op: "", constraint, message: message.into(), operands: Vec::new(), loc: Loc::Unknown }
    }
}

/// The constraint that a result breaks that memory cannot hold.
pub const TOO_LARGE: &str = "size";

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.op, self.message, self.constraint)?;
        write_where(f, &self.operands, &self.loc)
    }
}
impl std::error::Error for TypeError {}

/// Writes how an error about an instruction ends: the types of its operands, and the user's line, where there are any.
pub fn write_where(f: &mut fmt::Formatter<'_>, operands: &[Type], loc: &Loc) -> fmt::Result {
    for (k, t) in operands.iter().enumerate() {
        write!(f, "{}{t}", if k > 0 { ", " } else { "; operands: " })?;
    }
    if *loc != Loc::Unknown {
        write!(f, "; at {}", loc.place())?;
    }
    Ok(())
}

/// `Err(TypeError)` unless the condition holds: `ensure!(cond, "C1", "message {}", args)`.
#[macro_export]
macro_rules! ensure {
    ($cond:expr, $label:literal, $($message:tt)+) => {
        if !($cond) { return Err($crate::rules::TypeError::new($label, format!($($message)+))); }
    };
}

/// Why the interpreter stopped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EvalError {
    /// The operation has no evaluation for this element type yet.
    Unsupported(String),
    /// The step limit was reached.
    Steps(u64),
    /// The memory limit would be passed.
    Memory(u64),
    /// The machine has no memory of so many bytes.
    Unavailable(u64),
    /// A `check` does not hold.
    Check(Box<Failure>),
    /// The program says itself what is wrong: an assertion, or a function of the host that failed.
    Raised(Box<Raised>),
}

/// What a program says that stops itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Raised {
    /// What is wrong.
    pub message: String,
    /// Where it is written.
    pub loc: Loc,
    /// Whether it is a guard of a tape ([`CheckKind::Guard`]) that does not hold.
    pub guard: bool,
}

impl fmt::Display for Raised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.loc == Loc::Unknown { Ok(()) } else { write!(f, "; at {}", self.loc.place()) }
    }
}

impl EvalError {
    /// An error that the program raises itself.
    pub(crate) fn raised(message: String) -> EvalError {
        EvalError::Raised(Box::new(Raised { message, loc: Loc::Unknown, guard: false }))
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Unsupported(what) => write!(f, "not executable: {what}"),
            EvalError::Steps(n) => write!(f, "stopped after {n} steps (--max-steps)"),
            EvalError::Memory(n) => write!(f, "needs more than {n} bytes (--max-memory)"),
            EvalError::Unavailable(u64::MAX) => f.write_str("needs more bytes than can be counted"),
            EvalError::Unavailable(n) => {
                write!(f, "needs {n} bytes, more than this machine has")
            }
            EvalError::Check(failure) => failure.fmt(f),
            EvalError::Raised(raised) => raised.fmt(f),
        }
    }
}
impl std::error::Error for EvalError {}

/// Why a check does not hold: the first element that differs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Which check.
    pub check: Check,
    /// Where the first wrong element is.
    pub index: Vec<usize>,
    /// What it is.
    pub got: String,
    /// What it should be.
    pub expected: String,
    /// How many elements are wrong, and how many there are.
    pub wrong: (usize, usize),
    /// Where the check is written.
    pub loc: Loc,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wrong, all) = self.wrong;
        if self.check.kind == CheckKind::Guard {
            return self.fmt_guard(f);
        }
        write!(
            f,
            "{} does not hold at {:?}: got {}, expected {}",
            self.check.kind.name(),
            self.index,
            self.got,
            self.expected
        )?;
        match self.check.kind {
            CheckKind::Eq | CheckKind::Guard => {}
            CheckKind::AlmostEq => write!(f, " within {:?}", self.check.tolerance.get())?,
            CheckKind::Close => write!(f, " within {} ULP", self.check.max_ulp as u64)?,
        }
        write!(f, " ({wrong} of {all} elements)")?;
        self.fmt_place(f, "check")
    }
}

impl Failure {
    fn fmt_guard(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { index, got, expected, .. } = self;
        f.write_str("a guard of the tape does not hold: the function ")?;
        write!(f, "read {expected} when it was recorded and would read {got} now")?;
        if !index.is_empty() {
            write!(f, " (element {index:?})")?;
        }
        f.write_str(", and may go another way; record it again for such arguments")?;
        self.fmt_place(f, "read")
    }

    fn fmt_place(&self, f: &mut fmt::Formatter<'_>, what: &str) -> fmt::Result {
        match &self.loc {
            Loc::Unknown => Ok(()),
            Loc::Text(text) => match text.strip_prefix("\"-\":") {
                Some(place) => write!(f, "; {what} at {place}"),
                None => write!(f, "; {what} at {}", self.loc.place()),
            },
            Loc::Rust(_) => write!(f, "; {what} at {}", self.loc),
        }
    }
}
