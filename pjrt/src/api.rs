//! The table of all functions, in the order of the header: each is right, or says by its name that it is not implemented.

use crate::entry::{self, Function};
use crate::ffi::*;
use crate::{
    buffer, client, device, error, event, executable, execute, layouts, memory, shardings, topology, transfer,
};

/// The table that a caller gets.
#[repr(C)]
pub struct PjrtApi {
    struct_size: usize,
    extension_start: *const PJRT_Extension_Base,
    version: Version,
    functions: [Function; COUNT],
}

/// The version of the API that the table is of.
#[repr(C)]
struct Version {
    struct_size: usize,
    extension_start: *const PJRT_Extension_Base,
    major: i32,
    minor: i32,
}

/// How many functions there are.
const COUNT: usize = 138;

const _: () = assert!(size_of::<Version>() == 24 && size_of::<PjrtApi>() == 40 + 8 * COUNT);

// SAFETY: the table is constant.
unsafe impl Sync for PjrtApi {}
// SAFETY: as above.
unsafe impl Send for PjrtApi {}

static SHARDINGS: Extension<{ shardings::FUNCTIONS.len() }> = Extension {
    base: PJRT_Extension_Base {
        struct_size: size_of::<Extension<{ shardings::FUNCTIONS.len() }>>(),
        type_: extension_type::SHARDINGS,
        next: std::ptr::null_mut(),
    },
    functions: shardings::FUNCTIONS,
};

static LAYOUTS: Extension<{ layouts::FUNCTIONS.len() }> = Extension {
    base: PJRT_Extension_Base {
        struct_size: size_of::<Extension<{ layouts::FUNCTIONS.len() }>>(),
        type_: extension_type::LAYOUTS,
        next: (&raw const SHARDINGS.base).cast_mut(),
    },
    functions: layouts::FUNCTIONS,
};

/// The plugin.
pub(crate) static API: PjrtApi = PjrtApi {
    struct_size: size_of::<PjrtApi>(),
    extension_start: &raw const LAYOUTS.base,
    version: Version {
        struct_size: size_of::<Version>(),
        extension_start: std::ptr::null(),
        major: PJRT_API_MAJOR,
        minor: PJRT_API_MINOR,
    },
    functions: FUNCTIONS,
};

entry::functions! {
    pub(crate) const FUNCTIONS: [Function; COUNT] = [
        PJRT_Error_Destroy => error::destroy,
        PJRT_Error_Message => error::message,
        PJRT_Error_GetCode => error::code,
        PJRT_Plugin_Initialize => client::initialize,
        PJRT_Plugin_Attributes => client::plugin_attributes,
        PJRT_Event_Destroy => event::destroy,
        PJRT_Event_IsReady => event::is_ready,
        PJRT_Event_Error => event::error_of,
        PJRT_Event_Await => event::wait,
        PJRT_Event_OnReady => event::on_ready,
        PJRT_Client_Create => client::create,
        PJRT_Client_Destroy => client::destroy,
        PJRT_Client_PlatformName => client::platform_name,
        PJRT_Client_ProcessIndex => client::process_index,
        PJRT_Client_PlatformVersion => client::platform_version,
        PJRT_Client_Devices => client::devices,
        PJRT_Client_AddressableDevices => client::addressable_devices,
        PJRT_Client_LookupDevice => client::lookup_device,
        PJRT_Client_LookupAddressableDevice => client::lookup_addressable_device,
        PJRT_Client_AddressableMemories => client::memories,
        PJRT_Client_Compile => executable::compile_and_load,
        PJRT_Client_DefaultDeviceAssignment => client::default_assignment,
        PJRT_Client_BufferFromHostBuffer => transfer::from_host,
        PJRT_DeviceDescription_Id => device::description_id,
        PJRT_DeviceDescription_ProcessIndex => device::process_index,
        PJRT_DeviceDescription_Attributes => device::description_attributes,
        PJRT_DeviceDescription_Kind => device::kind,
        PJRT_DeviceDescription_DebugString => device::debug_string,
        PJRT_DeviceDescription_ToString => device::to_string,
        PJRT_Device_GetDescription => device::description,
        PJRT_Device_IsAddressable => device::is_addressable,
        PJRT_Device_LocalHardwareId => device::local_hardware_id,
        PJRT_Device_AddressableMemories => device::memories,
        PJRT_Device_DefaultMemory => device::default_memory,
        PJRT_Device_MemoryStats => device::memory_stats,
        PJRT_Memory_Id => memory::id,
        PJRT_Memory_Kind => memory::kind,
        PJRT_Memory_DebugString => memory::debug_string,
        PJRT_Memory_ToString => memory::to_string,
        PJRT_Memory_AddressableByDevices => memory::devices,
        PJRT_Executable_Destroy => executable::destroy,
        PJRT_Executable_Name => executable::name,
        PJRT_Executable_NumReplicas => executable::replicas,
        PJRT_Executable_NumPartitions => executable::partitions,
        PJRT_Executable_NumOutputs => executable::outputs,
        PJRT_Executable_SizeOfGeneratedCodeInBytes => executable::code_size,
        PJRT_Executable_GetCostAnalysis => executable::cost_analysis,
        PJRT_Executable_OutputMemoryKinds => executable::output_kinds,
        PJRT_Executable_OptimizedProgram => executable::optimized_program,
        PJRT_Executable_Serialize => executable::serialize,
        PJRT_LoadedExecutable_Destroy => executable::destroy_loaded,
        PJRT_LoadedExecutable_GetExecutable => executable::executable_of,
        PJRT_LoadedExecutable_AddressableDevices => executable::devices,
        PJRT_LoadedExecutable_Delete => executable::delete,
        PJRT_LoadedExecutable_IsDeleted => executable::is_deleted,
        PJRT_LoadedExecutable_Execute => execute::execute,
        PJRT_Executable_DeserializeAndLoad => executable::deserialize_and_load,
        PJRT_LoadedExecutable_Fingerprint => executable::loaded_fingerprint,
        PJRT_Buffer_Destroy => buffer::destroy,
        PJRT_Buffer_ElementType => buffer::element_type,
        PJRT_Buffer_Dimensions => buffer::dimensions,
        PJRT_Buffer_UnpaddedDimensions => buffer::unpadded_dimensions,
        PJRT_Buffer_DynamicDimensionIndices => buffer::dynamic_dimensions,
        PJRT_Buffer_GetMemoryLayout => buffer::memory_layout,
        PJRT_Buffer_OnDeviceSizeInBytes => buffer::size,
        PJRT_Buffer_Device => buffer::device,
        PJRT_Buffer_Memory => buffer::memory,
        PJRT_Buffer_Delete => buffer::delete,
        PJRT_Buffer_IsDeleted => buffer::is_deleted,
        PJRT_Buffer_CopyToDevice => buffer::copy_to_device,
        PJRT_Buffer_ToHostBuffer => transfer::to_host,
        PJRT_Buffer_IsOnCpu => buffer::is_on_cpu,
        PJRT_Buffer_ReadyEvent => buffer::ready_event,
        PJRT_Buffer_UnsafePointer => buffer::unsafe_pointer,
        PJRT_Buffer_IncreaseExternalReferenceCount => buffer::increase_references,
        PJRT_Buffer_DecreaseExternalReferenceCount => buffer::decrease_references,
        PJRT_Buffer_OpaqueDeviceMemoryDataPointer => buffer::data_pointer,
        PJRT_CopyToDeviceStream_Destroy,
        PJRT_CopyToDeviceStream_AddChunk,
        PJRT_CopyToDeviceStream_TotalBytes,
        PJRT_CopyToDeviceStream_GranuleSize,
        PJRT_CopyToDeviceStream_CurrentBytes,
        PJRT_TopologyDescription_Create => topology::create,
        PJRT_TopologyDescription_Destroy => topology::destroy,
        PJRT_TopologyDescription_PlatformName => topology::platform_name,
        PJRT_TopologyDescription_PlatformVersion => topology::platform_version,
        PJRT_TopologyDescription_GetDeviceDescriptions => topology::descriptions,
        PJRT_TopologyDescription_Serialize => topology::serialize,
        PJRT_TopologyDescription_Attributes => topology::attributes,
        PJRT_Compile => executable::compile,
        PJRT_Executable_OutputElementTypes => executable::output_types,
        PJRT_Executable_OutputDimensions => executable::output_dimensions,
        PJRT_Buffer_CopyToMemory => buffer::copy_to_memory,
        PJRT_Client_CreateViewOfDeviceBuffer => transfer::view,
        PJRT_Executable_Fingerprint => executable::fingerprint,
        PJRT_Client_TopologyDescription => client::topology,
        PJRT_Executable_GetCompiledMemoryStats => executable::memory_stats,
        PJRT_Memory_Kind_Id => memory::kind_id,
        PJRT_ExecuteContext_Create => execute::create_context,
        PJRT_ExecuteContext_Destroy => execute::destroy_context,
        PJRT_Buffer_CopyRawToHost => transfer::raw_to_host,
        PJRT_AsyncHostToDeviceTransferManager_Destroy,
        PJRT_AsyncHostToDeviceTransferManager_TransferData,
        PJRT_Client_CreateBuffersForAsyncHostToDevice,
        PJRT_AsyncHostToDeviceTransferManager_RetrieveBuffer,
        PJRT_AsyncHostToDeviceTransferManager_Device,
        PJRT_AsyncHostToDeviceTransferManager_BufferCount,
        PJRT_AsyncHostToDeviceTransferManager_BufferSize,
        PJRT_AsyncHostToDeviceTransferManager_SetBufferError,
        PJRT_AsyncHostToDeviceTransferManager_AddMetadata,
        PJRT_Client_DmaMap => transfer::dma_map,
        PJRT_Client_DmaUnmap => transfer::dma_unmap,
        PJRT_Client_CreateUninitializedBuffer => transfer::uninitialized,
        PJRT_Client_UpdateGlobalProcessInfo => client::update_processes,
        PJRT_TopologyDescription_Deserialize => topology::deserialize,
        PJRT_Client_CreateAliasBuffer,
        PJRT_Client_FulfillAliasBuffer,
        PJRT_LoadedExecutable_GetDeviceAssignment => executable::device_assignment,
        PJRT_Client_CreateErrorBuffer => buffer::create_error,
        PJRT_AsyncHostToDeviceTransferManager_TransferLiteral,
        PJRT_Buffer_CopyRawToHostFuture,
        PJRT_Device_PoisonExecution,
        PJRT_Device_CreateAsyncTrackingEvent,
        PJRT_AsyncTrackingEvent_Destroy,
        PJRT_Executable_GetCompileOptions => executable::compile_options,
        PJRT_Buffer_DonateWithControlDependency,
        PJRT_Event_Create => event::create,
        PJRT_Event_Set => event::set,
        PJRT_Device_GetAttributes => device::attributes,
        PJRT_Client_Load => executable::load,
        PJRT_LoadedExecutable_AddressableDeviceLogicalIds => executable::logical_ids,
        PJRT_Buffer_Bitcast,
        PJRT_Error_ForEachPayload => error::payloads,
        PJRT_TopologyDescription_Fingerprint => topology::fingerprint,
        PJRT_Executable_ParameterMemoryKinds => executable::input_kinds,
        PJRT_Device_ClearMemoryStats => device::clear_memory_stats,
        PJRT_TopologyDescription_MakeCanonicalShapeForMemorySpace,
        PJRT_TopologyDescription_GetMemorySpaceKindIds => topology::memory_kinds,
    ];
}
