//! Buffers: arrays on a device.

use super::{
    PJRT_Client, PJRT_Device, PJRT_Error_Code, PJRT_Event, PJRT_Extension_Base, PJRT_Memory, PJRT_NamedValue,
    opaque, structs,
};
use std::ffi::c_void;

opaque! {
    /// An array on a device.
    PJRT_Buffer
}

/// An element type: [`crate::types`] has the list.
pub(crate) type PJRT_Buffer_Type = i32;
/// How long the memory of a caller may be read: [`semantics`].
pub(crate) type PJRT_HostBufferSemantics = i32;

/// Values of [`PJRT_HostBufferSemantics`].
pub(crate) mod semantics {
    pub(crate) const IMMUTABLE_ZERO_COPY: i32 = 2;
    pub(crate) const MUTABLE_ZERO_COPY: i32 = 3;
}

/// Dimensions from the one whose elements are neighbours outwards, and tiles.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct PJRT_Buffer_MemoryLayout_Tiled {
    pub(crate) struct_size: usize,
    pub(crate) extension_start: *mut PJRT_Extension_Base,
    pub(crate) minor_to_major: *const i64,
    pub(crate) minor_to_major_size: usize,
    pub(crate) tile_dims: *const i64,
    pub(crate) tile_dim_sizes: *const usize,
    pub(crate) num_tiles: usize,
}
const _: () = assert!(size_of::<PJRT_Buffer_MemoryLayout_Tiled>() == 56);

/// Bytes between neighbours along each dimension.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct PJRT_Buffer_MemoryLayout_Strides {
    pub(crate) struct_size: usize,
    pub(crate) extension_start: *mut PJRT_Extension_Base,
    pub(crate) byte_strides: *const i64,
    pub(crate) num_byte_strides: usize,
}
const _: () = assert!(size_of::<PJRT_Buffer_MemoryLayout_Strides>() == 32);

/// One of the two, by the type of the layout.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) union PJRT_Buffer_MemoryLayout_Value {
    pub(crate) tiled: PJRT_Buffer_MemoryLayout_Tiled,
    pub(crate) strides: PJRT_Buffer_MemoryLayout_Strides,
}

/// Where elements lie.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct PJRT_Buffer_MemoryLayout {
    pub(crate) struct_size: usize,
    pub(crate) extension_start: *mut PJRT_Extension_Base,
    pub(crate) value: PJRT_Buffer_MemoryLayout_Value,
    pub(crate) type_: i32,
}
const _: () = assert!(std::mem::offset_of!(PJRT_Buffer_MemoryLayout, type_) == 72);

/// Types of a [`PJRT_Buffer_MemoryLayout`].
pub(crate) mod layout_type {
    pub(crate) const TILED: i32 = 0;
    pub(crate) const STRIDES: i32 = 1;
}

structs! {
    PJRT_Client_CreateUninitializedBuffer_Args, 80 {
        client: *mut PJRT_Client,
        shape_dims: *const i64,
        shape_num_dims: usize,
        shape_element_type: PJRT_Buffer_Type,
        shape_layout: *mut PJRT_Buffer_MemoryLayout,
        device: *mut PJRT_Device,
        memory: *mut PJRT_Memory,
        buffer: *mut PJRT_Buffer,
    }
    PJRT_Client_CreateErrorBuffer_Args, 112 since 96 {
        client: *mut PJRT_Client,
        error_code: PJRT_Error_Code,
        error_message: *const u8,
        error_message_size: usize,
        shape_dims: *const i64,
        shape_num_dims: usize,
        shape_element_type: PJRT_Buffer_Type,
        shape_layout: *mut PJRT_Buffer_MemoryLayout,
        memory: *mut PJRT_Memory,
        buffer: *mut PJRT_Buffer,
        payload: *const PJRT_NamedValue,
        num_payload: usize,
    }
    PJRT_Client_BufferFromHostBuffer_Args, 120 {
        client: *mut PJRT_Client,
        data: *const c_void,
        type_: PJRT_Buffer_Type,
        dims: *const i64,
        num_dims: usize,
        byte_strides: *const i64,
        num_byte_strides: usize,
        host_buffer_semantics: PJRT_HostBufferSemantics,
        device: *mut PJRT_Device,
        memory: *mut PJRT_Memory,
        device_layout: *mut PJRT_Buffer_MemoryLayout,
        done_with_host_buffer: *mut PJRT_Event,
        buffer: *mut PJRT_Buffer,
    }
    PJRT_Client_CreateViewOfDeviceBuffer_Args, 112 since 104 {
        client: *mut PJRT_Client,
        device_buffer_ptr: *mut c_void,
        dims: *const i64,
        num_dims: usize,
        element_type: PJRT_Buffer_Type,
        layout: *mut PJRT_Buffer_MemoryLayout,
        device: *mut PJRT_Device,
        on_delete_callback: Option<unsafe extern "C" fn(*mut c_void, *mut c_void)>,
        on_delete_callback_arg: *mut c_void,
        stream: isize,
        buffer: *mut PJRT_Buffer,
        memory: *mut PJRT_Memory,
    }
    PJRT_Buffer_Destroy_Args, 24 {
        buffer: *mut PJRT_Buffer,
    }
    PJRT_Buffer_ElementType_Args, 28 {
        buffer: *mut PJRT_Buffer,
        type_: PJRT_Buffer_Type,
    }
    PJRT_Buffer_Dimensions_Args, 40 {
        buffer: *mut PJRT_Buffer,
        dims: *const i64,
        num_dims: usize,
    }
    PJRT_Buffer_UnpaddedDimensions_Args, 40 {
        buffer: *mut PJRT_Buffer,
        unpadded_dims: *const i64,
        num_dims: usize,
    }
    PJRT_Buffer_DynamicDimensionIndices_Args, 40 {
        buffer: *mut PJRT_Buffer,
        dynamic_dim_indices: *const usize,
        num_dynamic_dims: usize,
    }
    PJRT_Buffer_GetMemoryLayout_Args, 104 {
        buffer: *mut PJRT_Buffer,
        layout: PJRT_Buffer_MemoryLayout,
    }
    PJRT_Buffer_ToHostBuffer_Args, 56 {
        src: *mut PJRT_Buffer,
        host_layout: *mut PJRT_Buffer_MemoryLayout,
        dst: *mut c_void,
        dst_size: usize,
        event: *mut PJRT_Event,
    }
    PJRT_Buffer_OnDeviceSizeInBytes_Args, 32 {
        buffer: *mut PJRT_Buffer,
        on_device_size_in_bytes: usize,
    }
    PJRT_Buffer_Delete_Args, 24 {
        buffer: *mut PJRT_Buffer,
    }
    PJRT_Buffer_IsDeleted_Args, 25 {
        buffer: *mut PJRT_Buffer,
        is_deleted: u8,
    }
    PJRT_Buffer_CopyRawToHost_Args, 56 {
        buffer: *mut PJRT_Buffer,
        dst: *mut c_void,
        offset: i64,
        transfer_size: i64,
        event: *mut PJRT_Event,
    }
    PJRT_Buffer_CopyToDevice_Args, 40 {
        buffer: *mut PJRT_Buffer,
        dst_device: *mut PJRT_Device,
        dst_buffer: *mut PJRT_Buffer,
    }
    PJRT_Buffer_CopyToMemory_Args, 40 {
        buffer: *mut PJRT_Buffer,
        dst_memory: *mut PJRT_Memory,
        dst_buffer: *mut PJRT_Buffer,
    }
    PJRT_Buffer_IsOnCpu_Args, 25 {
        buffer: *mut PJRT_Buffer,
        is_on_cpu: u8,
    }
    PJRT_Buffer_Device_Args, 32 {
        buffer: *mut PJRT_Buffer,
        device: *mut PJRT_Device,
    }
    PJRT_Buffer_Memory_Args, 32 {
        buffer: *mut PJRT_Buffer,
        memory: *mut PJRT_Memory,
    }
    PJRT_Buffer_ReadyEvent_Args, 32 {
        buffer: *mut PJRT_Buffer,
        event: *mut PJRT_Event,
    }
    PJRT_Buffer_UnsafePointer_Args, 32 {
        buffer: *mut PJRT_Buffer,
        buffer_pointer: usize,
    }
    PJRT_Buffer_IncreaseExternalReferenceCount_Args, 24 {
        buffer: *mut PJRT_Buffer,
    }
    PJRT_Buffer_DecreaseExternalReferenceCount_Args, 24 {
        buffer: *mut PJRT_Buffer,
    }
    PJRT_Buffer_OpaqueDeviceMemoryDataPointer_Args, 32 {
        buffer: *mut PJRT_Buffer,
        device_memory_ptr: *mut c_void,
    }
}
