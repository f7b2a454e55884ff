//! Devices and memories.

use super::{PJRT_Extension_Base, PJRT_NamedValue, opaque, structs};
use std::ffi::c_void;

opaque! {
    /// Where programs run.
    PJRT_Device
    /// What is known of a device without one.
    PJRT_DeviceDescription
    /// What backs the attributes of a device.
    PJRT_Device_Attributes
}

/// Where arrays lie; what stands behind the table of functions is ours.
#[repr(C)]
pub(crate) struct PJRT_Memory {
    pub(crate) vtable: *const PJRT_Memory_FunctionTable,
}

/// Frees the data of a user.
pub(crate) type Destructor = unsafe extern "C" fn(*mut c_void);

/// How callers keep data of their own with a memory, since 0.105.
#[repr(C)]
pub(crate) struct PJRT_Memory_FunctionTable {
    pub(crate) struct_size: usize,
    pub(crate) extension_start: *mut PJRT_Extension_Base,
    pub(crate) instance_struct_size: usize,
    pub(crate) get_user_data: unsafe extern "C" fn(*mut PJRT_Memory, *const c_void) -> *mut c_void,
    pub(crate) set_user_data:
        unsafe extern "C" fn(*mut PJRT_Memory, *const c_void, *mut c_void, Option<Destructor>),
}
const _: () = assert!(size_of::<PJRT_Memory_FunctionTable>() == 40);

// SAFETY: a table is constant.
unsafe impl Sync for PJRT_Memory_FunctionTable {}

structs! {
    PJRT_DeviceDescription_Id_Args, 28 {
        device_description: *mut PJRT_DeviceDescription,
        id: i32,
    }
    PJRT_DeviceDescription_ProcessIndex_Args, 28 {
        device_description: *mut PJRT_DeviceDescription,
        process_index: i32,
    }
    PJRT_DeviceDescription_Attributes_Args, 40 {
        device_description: *mut PJRT_DeviceDescription,
        num_attributes: usize,
        attributes: *const PJRT_NamedValue,
    }
    PJRT_DeviceDescription_Kind_Args, 40 {
        device_description: *mut PJRT_DeviceDescription,
        device_kind: *const u8,
        device_kind_size: usize,
    }
    PJRT_DeviceDescription_DebugString_Args, 40 {
        device_description: *mut PJRT_DeviceDescription,
        debug_string: *const u8,
        debug_string_size: usize,
    }
    PJRT_DeviceDescription_ToString_Args, 40 {
        device_description: *mut PJRT_DeviceDescription,
        to_string: *const u8,
        to_string_size: usize,
    }
    PJRT_Device_GetDescription_Args, 32 {
        device: *mut PJRT_Device,
        device_description: *mut PJRT_DeviceDescription,
    }
    PJRT_Device_IsAddressable_Args, 25 {
        device: *mut PJRT_Device,
        is_addressable: u8,
    }
    PJRT_Device_LocalHardwareId_Args, 28 {
        device: *mut PJRT_Device,
        local_hardware_id: i32,
    }
    PJRT_Device_AddressableMemories_Args, 40 {
        device: *mut PJRT_Device,
        memories: *const *mut PJRT_Memory,
        num_memories: usize,
    }
    PJRT_Device_DefaultMemory_Args, 32 {
        device: *mut PJRT_Device,
        memory: *mut PJRT_Memory,
    }
    PJRT_Device_MemoryStats_Args, 201 since 153 {
        device: *mut PJRT_Device,
        bytes_in_use: i64,
        peak_bytes_in_use: i64,
        peak_bytes_in_use_is_set: u8,
        num_allocs: i64,
        num_allocs_is_set: u8,
        largest_alloc_size: i64,
        largest_alloc_size_is_set: u8,
        bytes_limit: i64,
        bytes_limit_is_set: u8,
        bytes_reserved: i64,
        bytes_reserved_is_set: u8,
        peak_bytes_reserved: i64,
        peak_bytes_reserved_is_set: u8,
        bytes_reservable_limit: i64,
        bytes_reservable_limit_is_set: u8,
        largest_free_block_bytes: i64,
        largest_free_block_bytes_is_set: u8,
        pool_bytes: i64,
        pool_bytes_is_set: u8,
        peak_pool_bytes: i64,
        peak_pool_bytes_is_set: u8,
        peak_allocated_bytes: i64,
        peak_allocated_bytes_is_set: u8,
    }
    PJRT_Device_ClearMemoryStats_Args, 24 {
        device: *mut PJRT_Device,
    }
    PJRT_Device_GetAttributes_Args, 56 {
        device: *mut PJRT_Device,
        attributes: *const PJRT_NamedValue,
        num_attributes: usize,
        device_attributes: *mut PJRT_Device_Attributes,
        attributes_deleter: Option<unsafe extern "C" fn(*mut PJRT_Device_Attributes)>,
    }
    PJRT_Memory_Id_Args, 28 {
        memory: *mut PJRT_Memory,
        id: i32,
    }
    PJRT_Memory_Kind_Args, 40 {
        memory: *mut PJRT_Memory,
        kind: *const u8,
        kind_size: usize,
    }
    PJRT_Memory_Kind_Id_Args, 28 {
        memory: *mut PJRT_Memory,
        kind_id: i32,
    }
    PJRT_Memory_DebugString_Args, 40 {
        memory: *mut PJRT_Memory,
        debug_string: *const u8,
        debug_string_size: usize,
    }
    PJRT_Memory_ToString_Args, 40 {
        memory: *mut PJRT_Memory,
        to_string: *const u8,
        to_string_size: usize,
    }
    PJRT_Memory_AddressableByDevices_Args, 40 {
        memory: *mut PJRT_Memory,
        devices: *const *mut PJRT_Device,
        num_devices: usize,
    }
}
