//! A caller: calls by name, and what JAX does around them.

use crate::api::{FUNCTIONS, NAMES};
use crate::ffi::*;
use crate::layouts;
use std::ffi::c_void;

/// What a call gives: nothing, or code and message of the error, which is destroyed.
pub(super) type Outcome = Result<(), (i32, String)>;

/// The function of a name, in the main table or in that of layouts.
fn function(name: &str) -> crate::entry::Function {
    let all = NAMES.iter().zip(FUNCTIONS).chain(layouts::NAMES.iter().zip(layouts::FUNCTIONS));
    all.into_iter().find(|(n, _)| **n == name).unwrap_or_else(|| panic!("no function {name}")).1
}

/// Calls a function on any arguments.
pub(super) fn call_raw(name: &str, args: *mut c_void) -> Outcome {
    // SAFETY: tests give what the header asks for, or what any caller may be caught at.
    let error = unsafe { (function(name).fallible)(args) };
    outcome(error)
}

/// Calls a function.
pub(super) fn call<A: Struct>(name: &str, args: &mut A) -> Outcome {
    call_raw(name, std::ptr::from_mut(args).cast())
}

/// Arguments of zeros, with their size.
pub(super) fn args<A: Struct>() -> A {
    // SAFETY: any bytes are a valid value, and every struct begins with its size.
    unsafe {
        let mut args: A = std::mem::zeroed();
        (*std::ptr::from_mut(&mut args).cast::<Header>()).struct_size = A::END;
        args
    }
}

/// Reads an error and destroys it.
pub(super) fn outcome(error: *mut PJRT_Error) -> Outcome {
    if error.is_null() {
        return Ok(());
    }
    let mut message: PJRT_Error_Message_Args = args();
    message.error = error;
    let mut code: PJRT_Error_GetCode_Args = args();
    code.error = error;
    let mut destroy: PJRT_Error_Destroy_Args = args();
    destroy.error = error;
    // SAFETY: the error is the plugin's; the two functions that give nothing are called as such.
    let text = unsafe {
        (function("PJRT_Error_Message").plain)((&raw mut message).cast());
        assert!((function("PJRT_Error_GetCode").fallible)((&raw mut code).cast()).is_null());
        let text = std::slice::from_raw_parts(message.message, message.message_size).to_vec();
        // Newer callers read it through the table of functions.
        let (mut start, mut length) = (std::ptr::null(), 0);
        ((*(*error).vtable).message)(error, &mut start, &mut length);
        assert_eq!((start, length), (message.message, message.message_size));
        assert_eq!(((*(*error).vtable).get_code)(error), code.code);
        (function("PJRT_Error_Destroy").plain)((&raw mut destroy).cast());
        text
    };
    Err((code.code, String::from_utf8(text).expect("text")))
}

/// Fails if it is an error with this code and a message with this text.
#[track_caller]
pub(super) fn assert_error(outcome: Outcome, code: i32, text: &str) {
    match outcome {
        Err((c, message)) if c == code && message.contains(text) => {}
        other => panic!("an error {code} about {text:?} expected: {other:?}"),
    }
}

/// A number as an option.
pub(super) fn number_option(name: &'static str, value: i64) -> PJRT_NamedValue {
    let value = PJRT_NamedValue_Value { int64: value };
    PJRT_NamedValue { type_: named::INT64, value, value_size: 1, ..text_option(name, "") }
}

/// A text as an option.
pub(super) fn text_option(name: &'static str, value: &'static str) -> PJRT_NamedValue {
    PJRT_NamedValue {
        struct_size: size_of::<PJRT_NamedValue>(),
        extension_start: std::ptr::null_mut(),
        name: name.as_ptr(),
        name_size: name.len(),
        type_: named::STRING,
        value: PJRT_NamedValue_Value { string: value.as_ptr() },
        value_size: value.len(),
    }
}

/// A client with one device.
pub(super) struct Caller {
    pub(super) client: *mut PJRT_Client,
    pub(super) device: *mut PJRT_Device,
}

// SAFETY: handles are numbers.
unsafe impl Send for Caller {}
// SAFETY: as above.
unsafe impl Sync for Caller {}

impl Caller {
    pub(super) fn new() -> Self {
        Self::with(&[])
    }

    pub(super) fn with(options: &[PJRT_NamedValue]) -> Self {
        let mut a: PJRT_Client_Create_Args = args();
        (a.create_options, a.num_options) = (options.as_ptr(), options.len());
        call("PJRT_Client_Create", &mut a).expect("a client");
        let mut devices: PJRT_Client_Devices_Args = args();
        devices.client = a.client;
        call("PJRT_Client_Devices", &mut devices).expect("devices");
        // SAFETY: the list is the client's.
        Self { client: a.client, device: unsafe { *devices.devices } }
    }

    /// Compiles a text.
    pub(super) fn compile(&self, text: &str) -> Result<*mut PJRT_LoadedExecutable, (i32, String)> {
        self.compile_with(text.as_bytes(), "mlir", &[])
    }

    pub(super) fn compile_with(
        &self,
        code: &[u8],
        format: &str,
        options: &[u8],
    ) -> Result<*mut PJRT_LoadedExecutable, (i32, String)> {
        let mut program: PJRT_Program = args();
        (program.code, program.code_size) = (code.as_ptr().cast_mut(), code.len());
        (program.format, program.format_size) = (format.as_ptr(), format.len());
        let mut a: PJRT_Client_Compile_Args = args();
        (a.client, a.program) = (self.client, &program);
        (a.compile_options, a.compile_options_size) = (options.as_ptr(), options.len());
        call("PJRT_Client_Compile", &mut a)?;
        Ok(a.executable)
    }

    /// A buffer with a copy of numbers.
    pub(super) fn buffer(&self, dims: &[i64], numbers: &[f32]) -> *mut PJRT_Buffer {
        self.buffer_of(11, dims, numbers.as_ptr().cast(), &[], 0).0
    }

    /// A buffer, and the event of when its memory is not needed any more.
    pub(super) fn buffer_of(
        &self,
        ty: PJRT_Buffer_Type,
        dims: &[i64],
        data: *const c_void,
        strides: &[i64],
        semantics: i32,
    ) -> (*mut PJRT_Buffer, *mut PJRT_Event) {
        self.buffer_in(std::ptr::null_mut(), ty, dims, data, strides, semantics)
    }

    /// The same, which is to lie by a layout.
    pub(super) fn buffer_in(
        &self,
        layout: *mut PJRT_Buffer_MemoryLayout,
        ty: PJRT_Buffer_Type,
        dims: &[i64],
        data: *const c_void,
        strides: &[i64],
        semantics: i32,
    ) -> (*mut PJRT_Buffer, *mut PJRT_Event) {
        let mut a: PJRT_Client_BufferFromHostBuffer_Args = args();
        a.device_layout = layout;
        (a.client, a.device, a.type_, a.data) = (self.client, self.device, ty, data);
        (a.dims, a.num_dims) = (dims.as_ptr(), dims.len());
        (a.byte_strides, a.num_byte_strides) = (strides.as_ptr(), strides.len());
        a.host_buffer_semantics = semantics;
        call("PJRT_Client_BufferFromHostBuffer", &mut a).expect("a buffer");
        (a.buffer, a.done_with_host_buffer)
    }

    /// Runs a program of so many results.
    pub(super) fn execute(
        &self,
        executable: *mut PJRT_LoadedExecutable,
        arguments: &[*mut PJRT_Buffer],
        outputs: usize,
    ) -> Result<Vec<*mut PJRT_Buffer>, (i32, String)> {
        self.execute_keeping(executable, arguments, outputs, &[]).map(|(out, event)| {
            wait(event).expect("the program runs");
            destroy_event(event);
            out
        })
    }

    /// The same, with arguments that are not given away; and the event of when it has run.
    pub(super) fn execute_keeping(
        &self,
        executable: *mut PJRT_LoadedExecutable,
        arguments: &[*mut PJRT_Buffer],
        outputs: usize,
        kept: &[i64],
    ) -> Result<(Vec<*mut PJRT_Buffer>, *mut PJRT_Event), (i32, String)> {
        let mut options: PJRT_ExecuteOptions = args();
        (options.non_donatable_input_indices, options.num_non_donatable_input_indices) =
            (kept.as_ptr(), kept.len());
        let mut out = vec![std::ptr::null_mut(); outputs];
        let (lists, places) = ([arguments.as_ptr()], [out.as_mut_ptr()]);
        let mut event = [std::ptr::null_mut()];
        let mut a: PJRT_LoadedExecutable_Execute_Args = args();
        (a.executable, a.options, a.num_devices, a.num_args) = (executable, &mut options, 1, arguments.len());
        (a.argument_lists, a.output_lists) = (lists.as_ptr(), places.as_ptr());
        a.device_complete_events = event.as_mut_ptr();
        call("PJRT_LoadedExecutable_Execute", &mut a)?;
        Ok((out, event[0]))
    }
}

impl Drop for Caller {
    fn drop(&mut self) {
        let mut a: PJRT_Client_Destroy_Args = args();
        a.client = self.client;
        call("PJRT_Client_Destroy", &mut a).expect("once");
    }
}

/// A layout of dimensions from the innermost outwards, without tiles.
pub(super) fn tiled(innermost_first: &[i64]) -> PJRT_Buffer_MemoryLayout {
    let tiled = PJRT_Buffer_MemoryLayout_Tiled {
        struct_size: size_of::<PJRT_Buffer_MemoryLayout_Tiled>(),
        extension_start: std::ptr::null_mut(),
        minor_to_major: innermost_first.as_ptr(),
        minor_to_major_size: innermost_first.len(),
        tile_dims: std::ptr::null(),
        tile_dim_sizes: std::ptr::null(),
        num_tiles: 0,
    };
    PJRT_Buffer_MemoryLayout {
        struct_size: size_of::<PJRT_Buffer_MemoryLayout>(),
        extension_start: std::ptr::null_mut(),
        value: PJRT_Buffer_MemoryLayout_Value { tiled },
        type_: layout_type::TILED,
    }
}

/// The numbers of a buffer, as they lie.
pub(super) fn numbers(buffer: *mut PJRT_Buffer) -> Result<Vec<f32>, (i32, String)> {
    Ok(bytes(buffer)?
        .chunks_exact(4)
        .map(|b| f32::from_ne_bytes(b.try_into().expect("four bytes")))
        .collect())
}

/// The bytes of a buffer, as they lie.
pub(super) fn bytes(buffer: *mut PJRT_Buffer) -> Result<Vec<u8>, (i32, String)> {
    let mut a: PJRT_Buffer_ToHostBuffer_Args = args();
    a.src = buffer;
    call("PJRT_Buffer_ToHostBuffer", &mut a)?;
    let mut out = vec![0u8; a.dst_size.max(1)];
    a.dst = out.as_mut_ptr().cast();
    call("PJRT_Buffer_ToHostBuffer", &mut a)?;
    wait(a.event)?;
    destroy_event(a.event);
    out.truncate(a.dst_size);
    Ok(out)
}

/// Waits for an event.
pub(super) fn wait(event: *mut PJRT_Event) -> Outcome {
    let mut a: PJRT_Event_Await_Args = args();
    a.event = event;
    call("PJRT_Event_Await", &mut a)
}

pub(super) fn is_ready(event: *mut PJRT_Event) -> bool {
    let mut a: PJRT_Event_IsReady_Args = args();
    a.event = event;
    call("PJRT_Event_IsReady", &mut a).expect("an event");
    a.is_ready != 0
}

pub(super) fn destroy_event(event: *mut PJRT_Event) {
    let mut a: PJRT_Event_Destroy_Args = args();
    a.event = event;
    call("PJRT_Event_Destroy", &mut a).expect("once");
}

pub(super) fn destroy_buffer(buffer: *mut PJRT_Buffer) -> Outcome {
    let mut a: PJRT_Buffer_Destroy_Args = args();
    a.buffer = buffer;
    call("PJRT_Buffer_Destroy", &mut a)
}

pub(super) fn is_deleted(buffer: *mut PJRT_Buffer) -> bool {
    let mut a: PJRT_Buffer_IsDeleted_Args = args();
    a.buffer = buffer;
    call("PJRT_Buffer_IsDeleted", &mut a).expect("a buffer");
    a.is_deleted != 0
}

/// Where a buffer's elements lie.
pub(super) fn address(buffer: *mut PJRT_Buffer) -> usize {
    let mut a: PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args = args();
    a.buffer = buffer;
    call("PJRT_Buffer_OpaqueDeviceMemoryDataPointer", &mut a).expect("a buffer");
    a.device_memory_ptr.addr()
}

pub(super) fn destroy_executable(executable: *mut PJRT_LoadedExecutable) -> Outcome {
    let mut a: PJRT_LoadedExecutable_Destroy_Args = args();
    a.executable = executable;
    call("PJRT_LoadedExecutable_Destroy", &mut a)
}

/// The executable of a loaded one.
pub(super) fn executable_of(loaded: *mut PJRT_LoadedExecutable) -> *mut PJRT_Executable {
    let mut a: PJRT_LoadedExecutable_GetExecutable_Args = args();
    a.loaded_executable = loaded;
    call("PJRT_LoadedExecutable_GetExecutable", &mut a).expect("an executable");
    a.executable
}
