//! The plugin and its clients.

use super::{PJRT_Device, PJRT_Memory, PJRT_NamedValue, PJRT_TopologyDescription, opaque, structs};
use std::ffi::c_void;

opaque! {
    /// What holds devices.
    PJRT_Client
    /// What processes of a cluster know of each other.
    PJRT_ProcessInfo
}

structs! {
    PJRT_Plugin_Initialize_Args, 16 {}
    PJRT_Plugin_Attributes_Args, 32 {
        attributes: *const PJRT_NamedValue,
        num_attributes: usize,
    }
    PJRT_Client_Create_Args, 88 since 72 {
        create_options: *const PJRT_NamedValue,
        num_options: usize,
        kv_get_callback: *mut c_void,
        kv_get_user_arg: *mut c_void,
        kv_put_callback: *mut c_void,
        kv_put_user_arg: *mut c_void,
        client: *mut PJRT_Client,
        kv_try_get_callback: *mut c_void,
        kv_try_get_user_arg: *mut c_void,
    }
    PJRT_Client_Destroy_Args, 24 {
        client: *mut PJRT_Client,
    }
    PJRT_Client_PlatformName_Args, 40 {
        client: *mut PJRT_Client,
        platform_name: *const u8,
        platform_name_size: usize,
    }
    PJRT_Client_ProcessIndex_Args, 28 {
        client: *mut PJRT_Client,
        process_index: i32,
    }
    PJRT_Client_PlatformVersion_Args, 40 {
        client: *mut PJRT_Client,
        platform_version: *const u8,
        platform_version_size: usize,
    }
    PJRT_Client_TopologyDescription_Args, 32 {
        client: *mut PJRT_Client,
        topology: *mut PJRT_TopologyDescription,
    }
    PJRT_Client_Devices_Args, 40 {
        client: *mut PJRT_Client,
        devices: *const *mut PJRT_Device,
        num_devices: usize,
    }
    PJRT_Client_AddressableDevices_Args, 40 {
        client: *mut PJRT_Client,
        addressable_devices: *const *mut PJRT_Device,
        num_addressable_devices: usize,
    }
    PJRT_Client_LookupDevice_Args, 40 {
        client: *mut PJRT_Client,
        id: i32,
        device: *mut PJRT_Device,
    }
    PJRT_Client_LookupAddressableDevice_Args, 40 {
        client: *mut PJRT_Client,
        local_hardware_id: i32,
        addressable_device: *mut PJRT_Device,
    }
    PJRT_Client_UpdateGlobalProcessInfo_Args, 40 {
        client: *mut PJRT_Client,
        process_infos: *mut PJRT_ProcessInfo,
        num_process_infos: usize,
    }
    PJRT_Client_AddressableMemories_Args, 40 {
        client: *mut PJRT_Client,
        addressable_memories: *const *mut PJRT_Memory,
        num_addressable_memories: usize,
    }
    PJRT_Client_DefaultDeviceAssignment_Args, 48 {
        client: *mut PJRT_Client,
        num_replicas: i32,
        num_partitions: i32,
        default_assignment_size: usize,
        default_assignment: *mut i32,
    }
    PJRT_Client_DmaMap_Args, 40 {
        client: *mut PJRT_Client,
        data: *mut c_void,
        size: usize,
    }
    PJRT_Client_DmaUnmap_Args, 32 {
        client: *mut PJRT_Client,
        data: *mut c_void,
    }
}
