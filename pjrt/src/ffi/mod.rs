//! The structs of `xla/pjrt/c/pjrt_c_api.h`, minor version 114, under the names that they have there.
//!
//! Written by hand, so that nobody needs libclang to build this crate. Every argument struct states the number that the header
//! calls `.._STRUCT_SIZE`, and a constant asserts that ours ends there too. `bool`s are bytes and enums are numbers here, because a
//! caller may write anything into them; any bytes are therefore a valid value of each struct.
//!
//! Objects are opaque to callers, all but [`PJRT_Error`] and [`PJRT_Memory`], whose first field is a table of functions. What
//! callers hold of the others is no address at all: see [`crate::handles`].

#![allow(non_camel_case_types, reason = "the names of the C header")]

mod buffers;
mod clients;
mod devices;
mod errors;
mod events;
mod executables;
mod extensions;
mod topologies;

pub(crate) use buffers::*;
pub(crate) use clients::*;
pub(crate) use devices::*;
pub(crate) use errors::*;
pub(crate) use events::*;
pub(crate) use executables::*;
pub(crate) use extensions::*;
pub(crate) use topologies::*;

/// The version of the header.
pub(crate) const PJRT_API_MAJOR: i32 = 0;
/// New fields come at the ends of structs only, so callers of older and newer minor versions are served.
pub(crate) const PJRT_API_MINOR: i32 = 114;

/// The first two fields of every argument struct.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Header {
    pub(crate) struct_size: usize,
    pub(crate) extension_start: *mut PJRT_Extension_Base,
}

/// A struct that a caller fills and that we answer in.
///
/// # Safety
/// `repr(C)`, begins with a [`Header`], has no padding that matters, and any bytes are a valid value.
pub(crate) unsafe trait Struct {
    /// Its name in the header.
    const NAME: &'static str;
    /// The end of its last field.
    const END: usize;
    /// The end of the last field that it had in the oldest version that JAX supports (0.29).
    const LEAST: usize;
}

/// Declares argument structs: name, the header's `STRUCT_SIZE`, the oldest one if it has grown since, and fields behind those
/// of [`Header`].
macro_rules! structs {
    ($($name:ident, $end:literal $(since $least:literal)? { $($field:ident: $ty:ty,)* })*) => { $(
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub(crate) struct $name {
            pub(crate) struct_size: usize,
            #[allow(dead_code, reason = "extensions of arguments are for profilers")]
            pub(crate) extension_start: *mut $crate::ffi::PJRT_Extension_Base,
            $(#[allow(dead_code, reason = "the layout is the header's, whether we read a field or not")]
            pub(crate) $field: $ty,)*
        }

        const _: () = {
            let end = size_of::<$crate::ffi::Header>();
            $(
                let _before = end;
                let end = std::mem::offset_of!($name, $field) + size_of::<$ty>();
            )*
            assert!(end == $end, "the size that the header says");
            assert!(size_of::<$name>() == end.next_multiple_of(align_of::<$name>()));
        };

        // SAFETY: `repr(C)`, the header's fields first; pointers, numbers and optional functions take any bytes.
        unsafe impl $crate::ffi::Struct for $name {
            const NAME: &'static str = stringify!($name);
            const END: usize = $end;
            const LEAST: usize = $crate::ffi::least(&[$end $(, $least)?]);
        }
    )* };
}
pub(crate) use structs;

/// The last of the sizes: that which a struct had first, if it has grown.
const fn least(sizes: &[usize]) -> usize {
    sizes[sizes.len() - 1]
}

/// Declares objects that are opaque to callers.
macro_rules! opaque {
    ($($(#[$doc:meta])* $name:ident)*) => { $(
        $(#[$doc])*
        #[repr(C)]
        pub(crate) struct $name {
            _opaque: [u8; 0],
        }
    )* };
}
pub(crate) use opaque;

/// What an extension begins with.
#[repr(C)]
pub(crate) struct PJRT_Extension_Base {
    pub(crate) struct_size: usize,
    pub(crate) type_: i32,
    pub(crate) next: *mut PJRT_Extension_Base,
}

/// A named value, as options come and attributes go.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct PJRT_NamedValue {
    pub(crate) struct_size: usize,
    pub(crate) extension_start: *mut PJRT_Extension_Base,
    pub(crate) name: *const u8,
    pub(crate) name_size: usize,
    pub(crate) type_: i32,
    pub(crate) value: PJRT_NamedValue_Value,
    pub(crate) value_size: usize,
}
const _: () = assert!(size_of::<PJRT_NamedValue>() == 56);

/// The value of a [`PJRT_NamedValue`], by its type.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) union PJRT_NamedValue_Value {
    pub(crate) string: *const u8,
    pub(crate) int64: i64,
    pub(crate) int64_list: *const i64,
    pub(crate) float: f32,
    pub(crate) boolean: u8,
}

/// Types of a [`PJRT_NamedValue`].
pub(crate) mod named {
    pub(crate) const STRING: i32 = 0;
    pub(crate) const INT64: i32 = 1;
    pub(crate) const INT64_LIST: i32 = 2;
    pub(crate) const FLOAT: i32 = 3;
    pub(crate) const BOOL: i32 = 4;
}
