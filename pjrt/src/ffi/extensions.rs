//! The extensions that the plugin has: layouts and shardings.

use super::{
    PJRT_Buffer, PJRT_Buffer_Type, PJRT_Client, PJRT_Executable, PJRT_Extension_Base,
    PJRT_TopologyDescription, opaque, structs,
};
use crate::entry::Function;

opaque! {
    /// A layout.
    PJRT_Layouts_MemoryLayout
    /// What backs the bytes of a layout.
    PJRT_Layouts_SerializedLayout
}

/// Types of extensions.
pub(crate) mod extension_type {
    pub(crate) const LAYOUTS: i32 = 4;
    pub(crate) const SHARDINGS: i32 = 19;
}

/// A base and functions, which [`crate::layouts`] and [`crate::shardings`] fill.
#[repr(C)]
pub(crate) struct Extension<const N: usize> {
    pub(crate) base: PJRT_Extension_Base,
    pub(crate) functions: [Function; N],
}

// SAFETY: extensions are constant.
unsafe impl<const N: usize> Sync for Extension<N> {}

structs! {
    PJRT_Layouts_MemoryLayout_Destroy_Args, 24 {
        layout: *mut PJRT_Layouts_MemoryLayout,
    }
    PJRT_Layouts_MemoryLayout_Serialize_Args, 56 {
        layout: *mut PJRT_Layouts_MemoryLayout,
        serialized_bytes: *const u8,
        serialized_bytes_size: usize,
        serialized_layout: *mut PJRT_Layouts_SerializedLayout,
        serialized_layout_deleter: Option<unsafe extern "C" fn(*mut PJRT_Layouts_SerializedLayout)>,
    }
    PJRT_Layouts_PJRT_Buffer_MemoryLayout_Args, 32 {
        buffer: *mut PJRT_Buffer,
        layout: *mut PJRT_Layouts_MemoryLayout,
    }
    PJRT_Layouts_PJRT_Client_GetDefaultLayout_Args, 56 {
        client: *mut PJRT_Client,
        type_: PJRT_Buffer_Type,
        dims: *const i64,
        num_dims: usize,
        layout: *mut PJRT_Layouts_MemoryLayout,
    }
    PJRT_Layouts_PJRT_Topology_GetDefaultLayout_Args, 56 {
        topology_description: *mut PJRT_TopologyDescription,
        type_: PJRT_Buffer_Type,
        dims: *const i64,
        num_dims: usize,
        layout: *mut PJRT_Layouts_MemoryLayout,
    }
    PJRT_Layouts_PJRT_Executable_GetOutputLayouts_Args, 40 {
        executable: *mut PJRT_Executable,
        num_outputs: usize,
        layouts: *mut *mut PJRT_Layouts_MemoryLayout,
    }
    PJRT_Layouts_PJRT_Executable_GetParameterLayouts_Args, 40 {
        executable: *mut PJRT_Executable,
        num_parameters: usize,
        layouts: *mut *mut PJRT_Layouts_MemoryLayout,
    }
    PJRT_Shardings_PJRT_Executable_ParameterShardings_Args, 48 {
        executable: *mut PJRT_Executable,
        num_parameters: usize,
        shardings: *const *const u8,
        sharding_sizes: *const usize,
    }
    PJRT_Shardings_PJRT_Executable_OutputShardings_Args, 48 {
        executable: *mut PJRT_Executable,
        num_outputs: usize,
        shardings: *const *const u8,
        sharding_sizes: *const usize,
    }
}
