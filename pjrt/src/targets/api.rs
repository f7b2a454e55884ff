//! The functions that handlers may call (`XLA_FFI_Api`).
//!
//! A handler is code that the user has chosen to run in this process: its arguments are looked at for null and for what cannot be
//! meant, and otherwise trusted.

use super::abi::*;
use super::context::{self, Call};
use super::errors::{FAILED_PRECONDITION, Failed, INVALID_ARGUMENT, NOT_FOUND, UNIMPLEMENTED};
use super::futures;
use super::pool;

/// The table for handlers of a version of the header: types of states have come to say how they are freed, and nothing in the
/// arguments tells whether they do.
pub(super) fn api(minor: i32) -> &'static Api {
    if minor == 1 { &OLDEST } else { &API }
}

static OLDEST: Api = Api { type_register: type_register::<false>, ..API };

const API: Api = Api {
    struct_size: size_of::<Api>(),
    extension: std::ptr::null_mut(),
    version: Version {
        struct_size: size_of::<Version>(),
        extension: std::ptr::null_mut(),
        major: MAJOR,
        minor: MINOR,
    },
    internal: std::ptr::null(),
    error_create,
    error_details,
    error_destroy,
    handler_register,
    stream_get,
    type_register: type_register::<true>,
    context_get,
    state_set,
    state_get,
    memory_allocate,
    memory_free,
    schedule,
    threads,
    future_create,
    future_available,
    future_error,
    run_id,
    ordinal,
    find_extension,
    custom_options,
};

fn outcome(result: Result<(), Failed>) -> *mut Error {
    result.err().map_or(std::ptr::null_mut(), Failed::give)
}

/// Runs a function on its arguments.
///
/// # Safety
/// They are null or point to a struct that nobody else has.
unsafe fn with<A>(args: *mut A, f: impl FnOnce(&mut A) -> Result<(), Failed>) -> *mut Error {
    // SAFETY: the contract of this function.
    match unsafe { args.as_mut() } {
        Some(args) => outcome(f(args)),
        None => outcome(Err(Failed::new(INVALID_ARGUMENT, "no arguments"))),
    }
}

/// The bytes of a span as text.
///
/// # Safety
/// There are as many as it says.
pub(super) unsafe fn text<'a>(span: Span) -> Result<&'a str, Failed> {
    if span.start.is_null() {
        return Ok("");
    }
    // SAFETY: the contract of this function.
    let bytes = unsafe { std::slice::from_raw_parts(span.start.cast::<u8>(), span.length) };
    std::str::from_utf8(bytes).map_err(|e| Failed::new(INVALID_ARGUMENT, &e.to_string()))
}

/// A number of a type that a handler points to.
///
/// # Safety
/// It is null or points to one.
unsafe fn type_id(place: *const i64) -> Result<i64, Failed> {
    // SAFETY: the contract of this function.
    unsafe { place.as_ref() }.copied().ok_or_else(|| Failed::new(INVALID_ARGUMENT, "no type"))
}

unsafe extern "C" fn error_create(args: *mut Error_Create_Args) -> *mut Error {
    // SAFETY: the header's contract.
    let Some(args) = (unsafe { args.as_ref() }) else { return std::ptr::null_mut() };
    let message = match args.message.is_null() {
        true => String::new(),
        // SAFETY: a text that ends with zero, by the header.
        false => unsafe { std::ffi::CStr::from_ptr(args.message) }.to_string_lossy().into_owned(),
    };
    Failed::new(args.code, &message).give()
}

unsafe extern "C" fn error_details(args: *mut Error_GetDetails_Args) {
    // SAFETY: the header's contract.
    if let Some(args) = unsafe { args.as_mut() } {
        // SAFETY: the error is one of ours, and the text is read as long as it lives.
        let (message, code) = unsafe { Failed::details(args.error) };
        args.message = message.as_ptr();
        // Before version 0.4 it was not asked for.
        if args.struct_size > std::mem::offset_of!(Error_GetDetails_Args, code) {
            args.code = code;
        }
    }
}

unsafe extern "C" fn error_destroy(args: *mut Error_Destroy_Args) {
    // SAFETY: the header's contract: the error is one of ours, which the handler gives back.
    if let Some(args) = unsafe { args.as_mut() } {
        // SAFETY: as above.
        let _ = unsafe { Failed::take(args.error) };
    }
}

/// What C++'s `XLA_FFI_REGISTER_HANDLER` calls.
unsafe extern "C" fn handler_register(args: *mut Handler_Register_Args) -> *mut Error {
    // SAFETY: the header's contract.
    unsafe { with(args, |args| super::register(text(args.name)?, args.bundle)) }
}

unsafe extern "C" fn stream_get(args: *mut Stream_Get_Args) -> *mut Error {
    // SAFETY: the header's contract.
    unsafe { with(args, |_| Err(Failed::new(UNIMPLEMENTED, "a CPU has no streams"))) }
}

unsafe extern "C" fn type_register<const HAS_INFO: bool>(args: *mut Type_Register_Args) -> *mut Error {
    let registered = |args: &mut Type_Register_Args| {
        // SAFETY: the header's contract; version 0.1 has no `info`. (What later ones say of their size ends before it.)
        let info = if HAS_INFO { unsafe { args.info.as_ref() } } else { None };
        let deleter = info.and_then(|info| info.deleter);
        // SAFETY: the header's contract.
        unsafe { *args.type_id = context::register_type(text(args.name)?, type_id(args.type_id)?, deleter)? };
        Ok(())
    };
    // SAFETY: the header's contract.
    unsafe { with(args, registered) }
}

unsafe extern "C" fn context_get(args: *mut ExecutionContext_Get_Args) -> *mut Error {
    // SAFETY: the header's contract.
    unsafe { with(args, |_| Err(Failed::new(NOT_FOUND, "nobody has given this execution data of its own"))) }
}

unsafe extern "C" fn state_set(args: *mut State_Set_Args) -> *mut Error {
    let set = |args: &mut State_Set_Args| {
        // SAFETY: the header's contract. What follows the context depends on the version.
        unsafe {
            let call = Call::of(args.context)?;
            if call.minor >= 3 {
                return call.set(args.stage, type_id(args.type_id)?, args.state, None);
            }
            let old = &*std::ptr::from_mut(args).cast::<OldStateSetArgs>();
            let deleter = if call.minor == 1 { old.deleter } else { None };
            call.set(Stage::Instantiate as i32, type_id(old.type_id)?, old.state, deleter)
        }
    };
    // SAFETY: the header's contract.
    unsafe { with(args, set) }
}

unsafe extern "C" fn state_get(args: *mut State_Get_Args) -> *mut Error {
    let get = |args: &mut State_Get_Args| {
        // SAFETY: the header's contract. What follows the context depends on the version.
        unsafe {
            let call = Call::of(args.context)?;
            if call.minor >= 3 {
                args.state = call.get(args.stage, type_id(args.type_id)?)?;
                return Ok(());
            }
            let old = &mut *std::ptr::from_mut(args).cast::<OldStateGetArgs>();
            old.state = call.get(Stage::Instantiate as i32, type_id(old.type_id)?)?;
        }
        Ok(())
    };
    // SAFETY: the header's contract.
    unsafe { with(args, get) }
}

unsafe extern "C" fn memory_allocate(args: *mut DeviceMemory_Allocate_Args) -> *mut Error {
    // SAFETY: the header's contract.
    unsafe {
        with(args, |args| {
            args.data = Call::of(args.context)?.allocate(args.size, args.alignment)?;
            Ok(())
        })
    }
}

unsafe extern "C" fn memory_free(args: *mut DeviceMemory_Free_Args) -> *mut Error {
    // SAFETY: the header's contract.
    unsafe { with(args, |args| Call::of(args.context)?.free(args.data)) }
}

/// The data of a task: whoever gave it says that another thread may have it.
struct Data(*mut std::ffi::c_void);
// SAFETY: the header's contract of tasks.
unsafe impl Send for Data {}

unsafe extern "C" fn schedule(args: *mut ThreadPool_Schedule_Args) -> *mut Error {
    let scheduled = |args: &mut ThreadPool_Schedule_Args| {
        let task = args.task.ok_or_else(|| Failed::new(INVALID_ARGUMENT, "no task"))?;
        let data = Data(args.data);
        pool::schedule(Box::new(move || {
            let data = data;
            // SAFETY: the header's contract of tasks.
            unsafe { task(data.0) }
        }));
        Ok(())
    };
    // SAFETY: the header's contract.
    unsafe { with(args, scheduled) }
}

unsafe extern "C" fn threads(args: *mut ThreadPool_NumThreads_Args) -> *mut Error {
    let number = |args: &mut ThreadPool_NumThreads_Args| {
        // SAFETY: the header's contract: null, or a place for a number.
        let place = unsafe { args.threads.as_mut() };
        *place.ok_or_else(|| Failed::new(INVALID_ARGUMENT, "no place for a number"))? =
            pool::threads() as i64;
        Ok(())
    };
    // SAFETY: the header's contract.
    unsafe { with(args, number) }
}

unsafe extern "C" fn future_create(args: *mut Future_Create_Args) -> *mut Error {
    let create = |args: &mut Future_Create_Args| {
        args.future = futures::create();
        Ok(())
    };
    // SAFETY: the header's contract.
    unsafe { with(args, create) }
}

unsafe extern "C" fn future_available(args: *mut Future_SetAvailable_Args) -> *mut Error {
    let fulfil = |args: &mut Future_SetAvailable_Args| {
        // SAFETY: the header's contract: a future of ours that has no result.
        unsafe { futures::fulfil(args.future, Ok(())) };
        Ok(())
    };
    // SAFETY: the header's contract.
    unsafe { with(args, fulfil) }
}

unsafe extern "C" fn future_error(args: *mut Future_SetError_Args) -> *mut Error {
    let fulfil = |args: &mut Future_SetError_Args| {
        // SAFETY: the header's contract: an error of ours, which is ours again, and a future that has no result.
        unsafe {
            let error = Failed::take(args.error);
            futures::fulfil(args.future, error);
        }
        Ok(())
    };
    // SAFETY: the header's contract.
    unsafe { with(args, fulfil) }
}

unsafe extern "C" fn run_id(args: *mut RunId_Get_Args) -> *mut Error {
    let get = |args: &mut RunId_Get_Args| {
        // SAFETY: the header's contract.
        args.run_id = unsafe { Call::of(args.context) }?.run;
        Ok(())
    };
    // SAFETY: the header's contract.
    unsafe { with(args, get) }
}

unsafe extern "C" fn ordinal(args: *mut DeviceOrdinal_Get_Args) -> *mut Error {
    let get = |args: &mut DeviceOrdinal_Get_Args| {
        // SAFETY: the header's contract.
        let call = unsafe { Call::of(args.context) };
        call.map_err(|_| Failed::new(FAILED_PRECONDITION, "no execution context"))?;
        args.ordinal = 0;
        Ok(())
    };
    // SAFETY: the header's contract.
    unsafe { with(args, get) }
}

unsafe extern "C" fn find_extension(args: *mut FindExtensionArgs) -> *mut Error {
    let find = |args: &mut FindExtensionArgs| {
        args.extension = std::ptr::null();
        Ok(())
    };
    // SAFETY: the header's contract.
    unsafe { with(args, find) }
}

unsafe extern "C" fn custom_options(args: *mut CustomOptionsArgs) -> *mut Error {
    /// No options.
    struct Nothing(Attributes);
    // SAFETY: the addresses are null.
    unsafe impl Sync for Nothing {}
    static NOTHING: Nothing = Nothing(Attributes::NONE);
    let get = |args: &mut CustomOptionsArgs| {
        args.attributes = &raw const NOTHING.0;
        Ok(())
    };
    // SAFETY: the header's contract.
    unsafe { with(args, get) }
}
