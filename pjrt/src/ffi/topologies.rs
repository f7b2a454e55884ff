//! Topologies: which devices there are, without them.

use super::{PJRT_DeviceDescription, PJRT_NamedValue, opaque, structs};

opaque! {
    /// Which devices there are.
    PJRT_TopologyDescription
    /// What backs the bytes of a topology.
    PJRT_SerializedTopology
}

structs! {
    PJRT_TopologyDescription_Create_Args, 56 {
        topology_name: *const u8,
        topology_name_size: usize,
        create_options: *const PJRT_NamedValue,
        num_options: usize,
        topology: *mut PJRT_TopologyDescription,
    }
    PJRT_TopologyDescription_Destroy_Args, 24 {
        topology: *mut PJRT_TopologyDescription,
    }
    PJRT_TopologyDescription_PlatformVersion_Args, 40 {
        topology: *mut PJRT_TopologyDescription,
        platform_version: *const u8,
        platform_version_size: usize,
    }
    PJRT_TopologyDescription_PlatformName_Args, 40 {
        topology: *const PJRT_TopologyDescription,
        platform_name: *const u8,
        platform_name_size: usize,
    }
    PJRT_TopologyDescription_GetDeviceDescriptions_Args, 40 {
        topology: *const PJRT_TopologyDescription,
        descriptions: *const *mut PJRT_DeviceDescription,
        num_descriptions: usize,
    }
    PJRT_TopologyDescription_Serialize_Args, 56 {
        topology: *mut PJRT_TopologyDescription,
        serialized_bytes: *const u8,
        serialized_bytes_size: usize,
        serialized_topology: *mut PJRT_SerializedTopology,
        serialized_topology_deleter: Option<unsafe extern "C" fn(*mut PJRT_SerializedTopology)>,
    }
    PJRT_TopologyDescription_Deserialize_Args, 40 {
        serialized_topology: *const u8,
        serialized_topology_size: usize,
        topology: *mut PJRT_TopologyDescription,
    }
    PJRT_TopologyDescription_Attributes_Args, 40 {
        topology: *mut PJRT_TopologyDescription,
        attributes: *const PJRT_NamedValue,
        num_attributes: usize,
    }
    PJRT_TopologyDescription_Fingerprint_Args, 32 {
        topology: *const PJRT_TopologyDescription,
        fingerprint: u64,
    }
    PJRT_TopologyDescription_GetMemorySpaceKindIds_Args, 40 {
        topology: *const PJRT_TopologyDescription,
        memory_space_kind_ids: *const i32,
        num_memory_space_kind_ids: usize,
    }
}
