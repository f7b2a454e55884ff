//! Errors.

use super::PJRT_Extension_Base;
use super::structs;
use std::ffi::c_void;

/// A status code, as of `absl::Status`.
pub(crate) type PJRT_Error_Code = i32;

/// An error; what stands behind the table of functions is ours.
#[repr(C)]
pub(crate) struct PJRT_Error {
    pub(crate) vtable: *const PJRT_Error_FunctionTable,
}

/// Is called with key and value, and their lengths.
pub(crate) type PJRT_Error_PayloadVisitor =
    unsafe extern "C" fn(*const u8, usize, *const u8, usize, *mut c_void);

/// How callers read errors since 0.107.
#[repr(C)]
pub(crate) struct PJRT_Error_FunctionTable {
    pub(crate) struct_size: usize,
    pub(crate) instance_size: usize,
    pub(crate) extension_start: *mut PJRT_Extension_Base,
    pub(crate) destroy: unsafe extern "C" fn(*mut PJRT_Error),
    pub(crate) message: unsafe extern "C" fn(*const PJRT_Error, *mut *const u8, *mut usize),
    pub(crate) get_code: unsafe extern "C" fn(*const PJRT_Error) -> PJRT_Error_Code,
    pub(crate) for_each_payload:
        unsafe extern "C" fn(*const PJRT_Error, Option<PJRT_Error_PayloadVisitor>, *mut c_void),
}
const _: () = assert!(size_of::<PJRT_Error_FunctionTable>() == 56);

// SAFETY: a table is constant.
unsafe impl Sync for PJRT_Error_FunctionTable {}

structs! {
    PJRT_Error_Destroy_Args, 24 {
        error: *mut PJRT_Error,
    }
    PJRT_Error_Message_Args, 40 {
        error: *const PJRT_Error,
        message: *const u8,
        message_size: usize,
    }
    PJRT_Error_GetCode_Args, 28 {
        error: *const PJRT_Error,
        code: PJRT_Error_Code,
    }
    PJRT_Error_ForEachPayload_Args, 40 {
        error: *const PJRT_Error,
        visitor: Option<PJRT_Error_PayloadVisitor>,
        user_arg: *mut c_void,
    }
}
