//! Events.

use super::{PJRT_Error, PJRT_Error_Code, opaque, structs};
use std::ffi::c_void;

opaque! {
    /// Something that will have happened.
    PJRT_Event
}

/// Takes over the error, which is null if all is well, and its own argument.
pub(crate) type PJRT_Event_OnReadyCallback = unsafe extern "C" fn(*mut PJRT_Error, *mut c_void);

structs! {
    PJRT_Event_Destroy_Args, 24 {
        event: *mut PJRT_Event,
    }
    PJRT_Event_IsReady_Args, 25 {
        event: *mut PJRT_Event,
        is_ready: u8,
    }
    PJRT_Event_Error_Args, 24 {
        event: *mut PJRT_Event,
    }
    PJRT_Event_Await_Args, 24 {
        event: *mut PJRT_Event,
    }
    PJRT_Event_OnReady_Args, 40 {
        event: *mut PJRT_Event,
        callback: Option<PJRT_Event_OnReadyCallback>,
        user_arg: *mut c_void,
    }
    PJRT_Event_Create_Args, 24 {
        event: *mut PJRT_Event,
    }
    PJRT_Event_Set_Args, 48 {
        event: *mut PJRT_Event,
        error_code: PJRT_Error_Code,
        error_message: *const u8,
        error_message_size: usize,
    }
}
