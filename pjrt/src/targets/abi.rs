//! The structs of `xla/ffi/api/c_api.h`, version 0.5, under the names that they have there.
//!
//! A handler is other people's machine code, compiled against this version or one before. Before 0.3 `XLA_FFI_State_Set_Args` and
//! `XLA_FFI_State_Get_Args` have no stage, and 0.1 has no `XLA_FFI_TypeInfo`; later ones add to the ends of structs (a code to
//! what is asked of an error, functions to the table, a stage for GPUs to handlers). What a handler was compiled against it says when it is
//! asked ([`Metadata`]). Enums are numbers here, as anything may be written into them.

use std::ffi::{c_char, c_void};

/// The version of the header, and the oldest that is served.
pub(super) const MAJOR: i32 = 0;
pub(super) const MINOR: i32 = 5;
pub(super) const OLDEST_MINOR: i32 = 1;

/// The type of an extension of a call frame that asks for a handler's [`Metadata`].
pub(super) const METADATA: i32 = 1;

/// The stages at which a handler may be called (`XLA_FFI_ExecutionStage`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub(super) enum Stage {
    Instantiate = 0,
    Prepare = 1,
    Initialize = 2,
    Execute = 3,
}

/// Types of arguments, results and attributes.
pub(super) const BUFFER: i32 = 1;
pub(super) mod attribute_type {
    pub(in super::super) const ARRAY: i32 = 1;
    pub(in super::super) const DICTIONARY: i32 = 2;
    pub(in super::super) const SCALAR: i32 = 3;
    pub(in super::super) const STRING: i32 = 4;
}

/// An error, which is ours: [`super::errors`].
#[repr(C)]
pub struct Error {
    _opaque: [u8; 0],
}

/// A result that comes later, which is ours: [`super::futures`].
#[repr(C)]
pub(super) struct Future {
    _opaque: [u8; 0],
}

/// What a call belongs to, which is ours: [`super::context`].
#[repr(C)]
pub(super) struct Context {
    _opaque: [u8; 0],
}

/// `XLA_FFI_Extension_Base`.
#[repr(C)]
pub(super) struct Extension {
    pub(super) struct_size: usize,
    pub(super) type_: i32,
    pub(super) next: *mut Extension,
}

/// `XLA_FFI_Api_Version`.
#[repr(C)]
pub(super) struct Version {
    pub(super) struct_size: usize,
    pub(super) extension: *mut Extension,
    pub(super) major: i32,
    pub(super) minor: i32,
}

/// `XLA_FFI_Metadata`.
#[repr(C)]
pub(super) struct Metadata {
    pub(super) struct_size: usize,
    pub(super) version: Version,
    pub(super) traits: u32,
    pub(super) state_type: i64,
}

/// `XLA_FFI_Metadata_Extension`.
#[repr(C)]
pub(super) struct MetadataExtension {
    pub(super) base: Extension,
    pub(super) metadata: *mut Metadata,
}

/// `XLA_FFI_TypeInfo`.
#[repr(C)]
pub struct TypeInfo {
    pub(super) struct_size: usize,
    pub(super) extension: *mut c_void,
    pub(super) deleter: Option<Deleter>,
}

/// Frees an object of a handler's.
pub(super) type Deleter = unsafe extern "C" fn(*mut c_void);

/// `XLA_FFI_ByteSpan`.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) start: *const c_char,
    pub(super) length: usize,
}

/// `XLA_FFI_Scalar`.
#[repr(C)]
pub(super) struct Scalar {
    pub(super) dtype: i32,
    pub(super) value: *mut c_void,
}

/// `XLA_FFI_Array`.
#[repr(C)]
pub(super) struct List {
    pub(super) dtype: i32,
    pub(super) size: usize,
    pub(super) data: *mut c_void,
}

/// `XLA_FFI_Buffer`.
#[repr(C)]
pub(super) struct Buffer {
    pub(super) struct_size: usize,
    pub(super) extension: *mut Extension,
    pub(super) dtype: i32,
    pub(super) data: *mut c_void,
    pub(super) rank: i64,
    pub(super) dims: *mut i64,
}

/// `XLA_FFI_Args` and `XLA_FFI_Rets`.
#[repr(C)]
pub(super) struct Buffers {
    pub(super) struct_size: usize,
    pub(super) extension: *mut Extension,
    pub(super) size: i64,
    pub(super) types: *mut i32,
    pub(super) items: *mut *mut c_void,
}

/// `XLA_FFI_Attrs`: sorted by name.
#[repr(C)]
pub(super) struct Attributes {
    pub(super) struct_size: usize,
    pub(super) extension: *mut Extension,
    pub(super) size: i64,
    pub(super) types: *mut i32,
    pub(super) names: *mut *mut Span,
    pub(super) items: *mut *mut c_void,
}

impl Attributes {
    /// None.
    pub(super) const NONE: Attributes = Attributes {
        struct_size: size_of::<Attributes>(),
        extension: std::ptr::null_mut(),
        size: 0,
        types: std::ptr::null_mut(),
        names: std::ptr::null_mut(),
        items: std::ptr::null_mut(),
    };
}

/// `XLA_FFI_CallFrame`.
#[repr(C)]
pub struct CallFrame {
    pub(super) struct_size: usize,
    pub(super) extension: *mut Extension,
    pub(super) api: *const Api,
    pub(super) context: *mut Context,
    pub(super) stage: i32,
    pub(super) args: Buffers,
    pub(super) rets: Buffers,
    pub(super) attrs: Attributes,
    pub(super) future: *mut Future,
}

/// The size that a call frame says: its end without what a handler gives.
pub(super) const CALL_FRAME: usize = std::mem::offset_of!(CallFrame, future);

/// A function that a program may call.
pub(super) type Handler = unsafe extern "C" fn(*mut CallFrame) -> *mut Error;

/// A task for another thread.
pub(super) type Task = unsafe extern "C" fn(*mut c_void);

/// Declares the structs of the functions' arguments, behind the two fields that each begins with.
macro_rules! arguments {
    ($($name:ident { $($field:ident: $ty:ty,)* })*) => { $(
        #[doc = concat!("`XLA_FFI_", stringify!($name), "`.")]
        #[repr(C)]
        #[allow(non_camel_case_types, reason = "the names of the C header")]
        pub(super) struct $name {
            pub(super) struct_size: usize,
            #[allow(dead_code, reason = "nobody extends arguments yet")]
            pub(super) extension: *mut Extension,
            $(pub(super) $field: $ty,)*
        }
    )* };
}

arguments! {
    Error_Create_Args { message: *const c_char, code: i32, }
    Error_GetDetails_Args { error: *mut Error, message: *const c_char, code: i32, }
    Error_Destroy_Args { error: *mut Error, }
    Handler_Register_Args { name: Span, platform: Span, bundle: Bundle, }
    Type_Register_Args { name: Span, type_id: *mut i64, info: *const TypeInfo, }
    ExecutionContext_Get_Args { context: *mut Context, type_id: *mut i64, data: *mut c_void, }
    State_Set_Args { context: *mut Context, stage: i32, type_id: *mut i64, state: *mut c_void, }
    State_Get_Args { context: *mut Context, stage: i32, type_id: *mut i64, state: *mut c_void, }
    Stream_Get_Args { context: *mut Context, stream: *mut c_void, }
    DeviceMemory_Allocate_Args { context: *mut Context, size: usize, alignment: usize, data: *mut c_void, }
    DeviceMemory_Free_Args { context: *mut Context, size: usize, data: *mut c_void, }
    ThreadPool_Schedule_Args { context: *mut Context, task: Option<Task>, data: *mut c_void, }
    ThreadPool_NumThreads_Args { context: *mut Context, threads: *mut i64, }
    Future_Create_Args { future: *mut Future, }
    Future_SetAvailable_Args { future: *mut Future, }
    Future_SetError_Args { future: *mut Future, error: *mut Error, }
    RunId_Get_Args { context: *mut Context, run_id: i64, }
    DeviceOrdinal_Get_Args { context: *mut Context, ordinal: i32, }
}

/// `XLA_FFI_InvokeContext_FindExtension_Args`.
#[repr(C)]
pub(super) struct FindExtensionArgs {
    pub(super) struct_size: usize,
    pub(super) context: *mut Context,
    pub(super) kind: i64,
    pub(super) extension: *const c_void,
}

/// `XLA_FFI_CustomOptions_Get_Args`.
#[repr(C)]
pub(super) struct CustomOptionsArgs {
    pub(super) struct_size: usize,
    pub(super) context: *mut Context,
    pub(super) attributes: *const Attributes,
}

/// `XLA_FFI_State_Set_Args` of versions 0.1 and 0.2; the last field is of 0.1 alone.
#[repr(C)]
pub(super) struct OldStateSetArgs {
    pub(super) struct_size: usize,
    pub(super) extension: *mut Extension,
    pub(super) context: *mut Context,
    pub(super) type_id: *mut i64,
    pub(super) state: *mut c_void,
    pub(super) deleter: Option<Deleter>,
}

/// `XLA_FFI_State_Get_Args` of versions 0.1 and 0.2.
#[repr(C)]
pub(super) struct OldStateGetArgs {
    pub(super) struct_size: usize,
    pub(super) extension: *mut Extension,
    pub(super) context: *mut Context,
    pub(super) type_id: *mut i64,
    pub(super) state: *mut c_void,
}

/// `XLA_FFI_Handler_Bundle`: the handlers of the stages, of which the last is there. (A fifth is for GPUs.)
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Bundle {
    pub(super) instantiate: Option<Handler>,
    pub(super) prepare: Option<Handler>,
    pub(super) initialize: Option<Handler>,
    pub(super) execute: Option<Handler>,
}

/// Declares the table of functions in the header's order.
macro_rules! api {
    ($($field:ident: $args:ty $(=> $plain:tt)?,)*) => {
        /// `XLA_FFI_Api`: what a handler may call.
        #[repr(C)]
        pub(super) struct Api {
            pub(super) struct_size: usize,
            pub(super) extension: *mut Extension,
            pub(super) version: Version,
            pub(super) internal: *const c_void,
            $(pub(super) $field: api!(@ $args $(, $plain)?),)*
        }
    };
    (@ $args:ty) => { unsafe extern "C" fn(*mut $args) -> *mut Error };
    (@ $args:ty, ()) => { unsafe extern "C" fn(*mut $args) };
}

api! {
    error_create: Error_Create_Args,
    error_details: Error_GetDetails_Args => (),
    error_destroy: Error_Destroy_Args => (),
    handler_register: Handler_Register_Args,
    stream_get: Stream_Get_Args,
    type_register: Type_Register_Args,
    context_get: ExecutionContext_Get_Args,
    state_set: State_Set_Args,
    state_get: State_Get_Args,
    memory_allocate: DeviceMemory_Allocate_Args,
    memory_free: DeviceMemory_Free_Args,
    schedule: ThreadPool_Schedule_Args,
    threads: ThreadPool_NumThreads_Args,
    future_create: Future_Create_Args,
    future_available: Future_SetAvailable_Args,
    future_error: Future_SetError_Args,
    run_id: RunId_Get_Args,
    ordinal: DeviceOrdinal_Get_Args,
    find_extension: FindExtensionArgs,
    custom_options: CustomOptionsArgs,
}

// SAFETY: the table is constant.
unsafe impl Sync for Api {}

const _: () = {
    assert!(size_of::<Version>() == 24 && size_of::<Metadata>() == 48);
    assert!(size_of::<Buffer>() == 48 && size_of::<Buffers>() == 40 && size_of::<Attributes>() == 48);
    assert!(CALL_FRAME == 168 && size_of::<Api>() == 48 + 20 * 8);
    assert!(size_of::<State_Set_Args>() == 48 && size_of::<State_Get_Args>() == 48);
    assert!(size_of::<DeviceOrdinal_Get_Args>() == 32 && size_of::<Error_GetDetails_Args>() == 40);
};
