//! Errors of handlers: made by the function that they are given for it, and read and freed here.

use super::abi::Error;
use std::ffi::{CStr, CString};

/// Names of the codes, from 0 on (`XLA_FFI_Error_Code`).
const CODES: [&str; 17] = [
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];

/// Codes that errors of ours have.
pub(super) const INVALID_ARGUMENT: i32 = 3;
pub(super) const NOT_FOUND: i32 = 5;
pub(super) const ALREADY_EXISTS: i32 = 6;
pub(super) const RESOURCE_EXHAUSTED: i32 = 8;
pub(super) const FAILED_PRECONDITION: i32 = 9;
pub(super) const UNIMPLEMENTED: i32 = 12;

/// Why a handler, or a function that it called, failed.
#[derive(Debug)]
pub(super) struct Failed {
    code: i32,
    message: CString,
}

impl Failed {
    pub(super) fn new(code: i32, message: &str) -> Failed {
        let text: Vec<u8> = message.bytes().filter(|&b| b != 0).collect();
        Failed { code, message: CString::new(text).unwrap_or_default() }
    }

    /// As a handler holds it.
    pub(super) fn give(self) -> *mut Error {
        Box::into_raw(Box::new(self)).cast()
    }

    /// What a handler gave: nothing, or an error, which is ours then.
    ///
    /// # Safety
    /// It is null, or comes of [`Failed::give`] and nobody else has it.
    pub(super) unsafe fn take(error: *mut Error) -> Result<(), Failed> {
        match error.is_null() {
            true => Ok(()),
            // SAFETY: the contract of this function.
            false => Err(*unsafe { Box::from_raw(error.cast::<Failed>()) }),
        }
    }

    /// # Safety
    /// It is null, or comes of [`Failed::give`] and lives as long as the text is read.
    pub(super) unsafe fn details<'a>(error: *const Error) -> (&'a CStr, i32) {
        // SAFETY: the contract of this function.
        unsafe { error.cast::<Failed>().as_ref() }.map_or((c"", 0), |failed| (&failed.message, failed.code))
    }
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let code = usize::try_from(self.code).ok().and_then(|k| CODES.get(k)).unwrap_or(&"UNKNOWN");
        write!(f, "{code}: {}", self.message.to_string_lossy())
    }
}
