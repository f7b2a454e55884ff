//! Why bytes could not be read as a program, or a program not be written.

use std::fmt;

/// Why bytecode could not be read or written: where, and what is wrong. Displays on one line, or with the operation in
/// generic form on lines below.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// What is wrong.
    pub message: String,
    /// The byte of the file, if it is the file that is wrong and not the program in it.
    pub byte: Option<usize>,
    /// The operation in generic form, with a mark; and where the user wrote it.
    pub operation: Option<String>,
}

impl Error {
    /// A fault of the program, not of the file.
    pub(super) fn new(message: impl Into<String>) -> Self {
        Error { message: message.into(), byte: None, operation: None }
    }

    /// A fault at a byte of the file.
    pub(super) fn at(byte: usize, message: impl Into<String>) -> Self {
        Error { byte: Some(byte), ..Error::new(message) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(byte) = self.byte {
            write!(f, "byte {byte}: ")?;
        }
        f.write_str(&self.message)?;
        match &self.operation {
            Some(operation) => write!(f, "\n{operation}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
