//! Errors of the user's making: [`Error`], and how they travel.
//!
//! There is one API and no `try_` twin of every method. The first error unwinds at once. At the boundary of a
//! transform ([`crate::Jit::trace`], [`crate::Jit::try_call`]...) it becomes a `Result`; at a plain call it
//! becomes a panic with the same text.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};

/// What was wrong, in words a person can act on: the operation, the operand types, the rule that was broken,
/// the user's line, and the transforms it happened in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    /// The user's line.
    location: Option<&'static Location<'static>>,
    /// Innermost first: `jit` at..., `grad` at...
    context: Vec<String>,
}

impl Error {
    /// An error with the line of whoever called the function that is `#[track_caller]`.
    pub(crate) fn new(message: impl Into<String>, location: Option<&'static Location<'static>>) -> Self {
        Self { message: message.into(), location, context: Vec::new() }
    }

    /// Notes the transform the error passed through.
    pub(crate) fn within(mut self, context: String) -> Self {
        self.context.push(context);
        self
    }

    /// The text without the line and the transforms.
    pub fn message(&self) -> &str {
        &self.message
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

impl From<wengert_ir::rules::TypeError> for Error {
    fn from(e: wengert_ir::rules::TypeError) -> Self {
        let location = match e.loc {
            wengert_ir::func::Loc::Rust(l) => Some(l),
            _ => None,
        };
        Error::new(wengert_ir::rules::TypeError { loc: Default::default(), ..e }.to_string(), location)
    }
}

/// Fails with `error`: unwinds to the innermost [`boundary`], or panics where there is none.
#[track_caller]
pub(crate) fn fail(error: Error) -> ! {
    if crate::trace::is_tracing() {
        resume_unwind(Box::new(error))
    }
    panic!("{error}")
}

/// Runs `f`; an [`Error`] it fails with becomes `Err`, any other panic goes on.
pub(crate) fn boundary<R>(f: impl FnOnce() -> R) -> Result<R, Error> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload: Box<dyn Any + Send>| {
        match payload.downcast::<Error>() {
            Ok(error) => *error,
            Err(other) => resume_unwind(other),
        }
    })
}
