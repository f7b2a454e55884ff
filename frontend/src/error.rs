//! Errors of the user's making: [`Error`], and how they travel.
//!
//! There is one API and no `try_` twin of every method. The first error unwinds at once. At the boundary of a
//! transform ([`crate::Jit::trace`], [`crate::Jit::try_call`]...) it becomes a `Result`; where there is no such boundary
//! it is a panic with the same text.

use std::any::Any;
use std::cell::Cell;
use std::fmt;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use wengert_ir::func::Loc;
use wengert_ir::op::CheckKind;
use wengert_ir::rules::{EvalError, Failure, Raised, TypeError};
use wengert_passes::error::TransformError;

/// What was wrong, in words a person can act on: the operation, the operand types, the rule that was broken,
/// the user's line, and the transforms it happened in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    /// The user's line.
    location: Option<&'static Location<'static>>,
    /// Innermost first: `jit` at..., `grad` at...
    context: Vec<String>,
    /// Whether a guard of a tape did not hold.
    guard: bool,
    /// Whether something would pass a limit.
    exceeded: bool,
}

impl Error {
    /// An error with the line of whoever called the function that is `#[track_caller]`.
    pub(crate) fn new(message: impl Into<String>, location: Option<&'static Location<'static>>) -> Self {
        Self { message: message.into(), location, context: Vec::new(), guard: false, exceeded: false }
    }

    /// Notes the transform the error passed through. Transforms that are still tracing when it is raised are noted by
    /// [`fail`]; a transform whose frame is gone notes itself.
    pub(crate) fn within(mut self, context: impl fmt::Display) -> Self {
        let context = context.to_string();
        // The bodies of a loop or a branch are frames of one transform.
        if self.context.last() != Some(&context) {
            self.context.push(context);
        }
        self
    }

    /// The error with the user's line, if it has none yet.
    pub(crate) fn or_at(mut self, location: &'static Location<'static>) -> Self {
        self.location.get_or_insert(location);
        self
    }

    /// The text without the line and the transforms.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Whether it is a guard of a [`Tape`](crate::tape::Tape) that does not hold: the function would go, or might go, another way
    /// than the one recorded.
    pub fn is_guard(&self) -> bool {
        self.guard
    }

    /// Whether the program is well and would pass a limit: of memory or steps that [`Limits`](crate::stages::Limits) allow, of
    /// memory that there is, or of what the compiler does in reasonable time.
    pub fn is_exceeded(&self) -> bool {
        self.exceeded
    }

    /// The error as one of a limit.
    pub(crate) fn of_limit(self) -> Self {
        Self { exceeded: true, ..self }
    }

    /// The user's line, if it is known.
    pub fn location(&self) -> Option<&'static Location<'static>> {
        self.location
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(l) = self.location {
            write!(f, "\n  at {}:{}:{}", l.file(), l.line(), l.column())?;
        }
        for c in &self.context {
            write!(f, "\n  in {c}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

impl From<EvalError> for Error {
    fn from(e: EvalError) -> Self {
        match e {
            EvalError::Raised(raised) => (*raised).into(),
            EvalError::Check(failure) => (*failure).into(),
            EvalError::Unsupported(_) => Error::new(e.to_string(), None),
            EvalError::Steps(_) | EvalError::Memory(_) | EvalError::Unavailable(_) => {
                Error { exceeded: true, ..Error::new(e.to_string(), None) }
            }
        }
    }
}

/// A check knows its line as an instruction does.
impl From<Failure> for Error {
    fn from(mut failure: Failure) -> Self {
        let location = match failure.loc {
            Loc::Rust(l) => Some(l),
            Loc::Unknown | Loc::Text(_) => None,
        };
        if location.is_some() {
            failure.loc = Loc::Unknown;
        }
        let guard = failure.check.kind == CheckKind::Guard;
        Error { guard, ..Error::new(failure.to_string(), location) }
    }
}

impl From<wengert_ir::limits::Exceeded> for Error {
    fn from(e: wengert_ir::limits::Exceeded) -> Self {
        Error::new(e.to_string(), None).of_limit()
    }
}

/// Errors of the compiler that know the line of an instruction: if it is a Rust line, it is the location of the error.
macro_rules! located {
    ($($error:ty),+) => { $(impl From<$error> for Error {
        fn from(mut e: $error) -> Self {
            let location = match e.loc {
                Loc::Rust(l) => Some(l),
                _ => None,
            };
            if location.is_some() {
                e.loc = Loc::Unknown;
            }
            Error::new(e.to_string(), location)
        }
    })+ };
}
located!(TypeError, TransformError);

impl From<Raised> for Error {
    fn from(mut raised: Raised) -> Self {
        let location = match raised.loc {
            Loc::Rust(l) => Some(l),
            Loc::Unknown | Loc::Text(_) => None,
        };
        if location.is_some() {
            raised.loc = Loc::Unknown;
        }
        Error { guard: raised.guard, ..Error::new(raised.to_string(), location) }
    }
}

thread_local! {
    /// How many [`boundary`]s are open on this thread: who unwinds without a word must know that somebody listens.
    static BOUNDARIES: Cell<usize> = const { Cell::new(0) };
}

/// Fails with `error`, which happened in the transforms that are tracing: unwinds to the innermost [`boundary`], or panics
/// where there is none.
#[track_caller]
pub(crate) fn fail(mut error: Error) -> ! {
    for what in crate::context::transforms() {
        error = error.within(what);
    }
    if BOUNDARIES.get() > 0 {
        // Not a panic: the panic hook would print what becomes a `Result`.
        resume_unwind(Box::new(error))
    }
    panic!("{error}")
}

/// Runs `f`; an [`Error`] it fails with becomes `Err`, any other panic goes on.
pub(crate) fn boundary<R>(f: impl FnOnce() -> R) -> Result<R, Error> {
    BOUNDARIES.set(BOUNDARIES.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(f));
    BOUNDARIES.set(BOUNDARIES.get() - 1);
    result.map_err(|payload: Box<dyn Any + Send>| match payload.downcast::<Error>() {
        Ok(error) => *error,
        Err(other) => resume_unwind(other),
    })
}
