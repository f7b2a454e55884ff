//! What went wrong, on our side a [`Failure`] and on the caller's a [`PJRT_Error`].
//!
//! A caller gets an error's address and owns it until it destroys it. Which errors live is written down, so that one that was
//! destroyed twice, or that is none of ours, is left alone.

use crate::ffi::*;
use std::collections::HashSet;
use std::ffi::c_void;
use std::fmt;
use std::sync::{LazyLock, Mutex};

/// The kinds of failure that the plugin has, by their numbers in `absl::StatusCode`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Code {
    InvalidArgument = 3,
    ResourceExhausted = 8,
    FailedPrecondition = 9,
    Unimplemented = 12,
    Internal = 13,
}

/// Why something could not be done, for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Failure {
    /// Number of the kind; those of callers may be any.
    pub(crate) code: PJRT_Error_Code,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code: code as PJRT_Error_Code, message: message.into() }
    }

    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::new(Code::InvalidArgument, message)
    }

    pub(crate) fn unimplemented(message: impl Into<String>) -> Self {
        Self::new(Code::Unimplemented, message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(Code::Internal, message)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// What functions of the API give.
pub(crate) type Done<T = ()> = Result<T, Failure>;

/// An error as a caller holds it.
#[repr(C)]
struct Error {
    base: PJRT_Error,
    failure: Failure,
}

static TABLE: PJRT_Error_FunctionTable = PJRT_Error_FunctionTable {
    struct_size: size_of::<PJRT_Error_FunctionTable>(),
    instance_size: size_of::<PJRT_Error>(),
    extension_start: std::ptr::null_mut(),
    destroy: destroy_raw,
    message: message_raw,
    get_code: code_raw,
    for_each_payload: payloads_raw,
};

/// Addresses of the errors that callers own.
static LIVING: LazyLock<Mutex<HashSet<usize>>> = LazyLock::new(Mutex::default);

fn living() -> std::sync::MutexGuard<'static, HashSet<usize>> {
    LIVING.lock().unwrap_or_else(|e| e.into_inner())
}

/// Gives a failure to a caller, who destroys it.
pub(crate) fn give(failure: Failure) -> *mut PJRT_Error {
    let error = Box::into_raw(Box::new(Error { base: PJRT_Error { vtable: &TABLE }, failure }));
    living().insert(error.addr());
    error.cast()
}

/// What an error of a caller says. `None` if it is none of ours, or destroyed.
fn read<R>(error: *const PJRT_Error, of: impl FnOnce(&Failure) -> R) -> Option<R> {
    let living = living();
    if !living.contains(&error.addr()) {
        return None;
    }
    // SAFETY: `give` made it, and it is not destroyed: who destroys it takes it out of the list first, which is locked.
    Some(of(unsafe { &(*error.cast::<Error>()).failure }))
}

/// Destroys an error that no caller gets.
pub(crate) fn discard(error: *mut PJRT_Error) {
    destroy_raw(error);
}

fn unknown() -> Failure {
    Failure::invalid("no error of this plugin, or one that was destroyed")
}

extern "C" fn destroy_raw(error: *mut PJRT_Error) {
    if living().remove(&error.addr()) {
        // SAFETY: `give` made it, and it is in the list no more, so nobody else destroys it.
        drop(unsafe { Box::from_raw(error.cast::<Error>()) });
    }
}

unsafe extern "C" fn message_raw(error: *const PJRT_Error, message: *mut *const u8, size: *mut usize) {
    let (text, length) =
        read(error, |f| (f.message.as_ptr(), f.message.len())).unwrap_or((c"".as_ptr().cast(), 0));
    if !message.is_null() && !size.is_null() {
        // SAFETY: callers give places for both.
        unsafe { (*message, *size) = (text, length) }
    }
}

extern "C" fn code_raw(error: *const PJRT_Error) -> PJRT_Error_Code {
    read(error, |f| f.code).unwrap_or(Code::InvalidArgument as PJRT_Error_Code)
}

/// There are no payloads.
extern "C" fn payloads_raw(_: *const PJRT_Error, _: Option<PJRT_Error_PayloadVisitor>, _: *mut c_void) {}

/// `PJRT_Error_Destroy`.
pub(crate) fn destroy(a: &mut PJRT_Error_Destroy_Args) -> Done {
    destroy_raw(a.error);
    Ok(())
}

/// `PJRT_Error_Message`.
pub(crate) fn message(a: &mut PJRT_Error_Message_Args) -> Done {
    (a.message, a.message_size) =
        read(a.error, |f| (f.message.as_ptr(), f.message.len())).unwrap_or((c"".as_ptr().cast(), 0));
    Ok(())
}

/// `PJRT_Error_GetCode`.
pub(crate) fn code(a: &mut PJRT_Error_GetCode_Args) -> Done {
    a.code = read(a.error, |f| f.code).ok_or_else(unknown)?;
    Ok(())
}

/// `PJRT_Error_ForEachPayload`: there are none.
pub(crate) fn payloads(a: &mut PJRT_Error_ForEachPayload_Args) -> Done {
    read(a.error, |_| ()).ok_or_else(unknown)
}
