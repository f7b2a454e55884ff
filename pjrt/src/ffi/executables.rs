//! Programs, compiled and to be compiled.

use super::{
    PJRT_Buffer, PJRT_Buffer_Type, PJRT_Client, PJRT_Device, PJRT_Event, PJRT_NamedValue,
    PJRT_TopologyDescription, opaque, structs,
};
use std::ffi::c_void;

opaque! {
    /// A compiled program.
    PJRT_Executable
    /// A compiled program on its device.
    PJRT_LoadedExecutable
    /// What a caller gives with a call.
    PJRT_ExecuteContext
    /// What backs the bytes of a device assignment.
    PJRT_DeviceAssignmentSerialized
    /// What backs the bytes of an executable.
    PJRT_SerializedExecutable
    /// What backs the bytes of compile options.
    PJRT_SerializedCompileOptions
    /// How an executable is to be loaded.
    PJRT_LoadOptions
}

/// Which of the copies of a program a device runs.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct PJRT_LogicalDeviceIds {
    pub(crate) replica: i32,
    pub(crate) partition: i32,
}

structs! {
    PJRT_Program, 48 {
        code: *mut u8,
        code_size: usize,
        format: *const u8,
        format_size: usize,
    }
    PJRT_Client_Compile_Args, 56 {
        client: *mut PJRT_Client,
        program: *const PJRT_Program,
        compile_options: *const u8,
        compile_options_size: usize,
        executable: *mut PJRT_LoadedExecutable,
    }
    PJRT_Client_Load_Args, 56 {
        client: *mut PJRT_Client,
        executable: *mut PJRT_Executable,
        compile_options: *const u8,
        compile_options_size: usize,
        loaded_executable: *mut PJRT_LoadedExecutable,
    }
    PJRT_Compile_Args, 64 {
        topology: *const PJRT_TopologyDescription,
        program: *const PJRT_Program,
        compile_options: *const u8,
        compile_options_size: usize,
        client: *mut PJRT_Client,
        executable: *mut PJRT_Executable,
    }
    PJRT_Executable_Destroy_Args, 24 {
        executable: *mut PJRT_Executable,
    }
    PJRT_LoadedExecutable_Destroy_Args, 24 {
        executable: *mut PJRT_LoadedExecutable,
    }
    PJRT_LoadedExecutable_GetExecutable_Args, 32 {
        loaded_executable: *mut PJRT_LoadedExecutable,
        executable: *mut PJRT_Executable,
    }
    PJRT_LoadedExecutable_GetDeviceAssignment_Args, 56 {
        executable: *mut PJRT_LoadedExecutable,
        serialized_bytes: *const u8,
        serialized_bytes_size: usize,
        serialized_device_assignment: *mut PJRT_DeviceAssignmentSerialized,
        serialized_device_assignment_deleter: Option<unsafe extern "C" fn(*mut PJRT_DeviceAssignmentSerialized)>,
    }
    PJRT_Executable_Name_Args, 40 {
        executable: *mut PJRT_Executable,
        executable_name: *const u8,
        executable_name_size: usize,
    }
    PJRT_Executable_NumReplicas_Args, 32 {
        executable: *mut PJRT_Executable,
        num_replicas: usize,
    }
    PJRT_Executable_NumPartitions_Args, 32 {
        executable: *mut PJRT_Executable,
        num_partitions: usize,
    }
    PJRT_LoadedExecutable_AddressableDevices_Args, 40 {
        executable: *mut PJRT_LoadedExecutable,
        addressable_devices: *const *mut PJRT_Device,
        num_addressable_devices: usize,
    }
    PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args, 40 {
        executable: *mut PJRT_LoadedExecutable,
        addressable_device_logical_ids: *mut PJRT_LogicalDeviceIds,
        num_addressable_device_logical_ids: usize,
    }
    PJRT_Executable_OptimizedProgram_Args, 32 {
        executable: *mut PJRT_Executable,
        program: *mut PJRT_Program,
    }
    PJRT_LoadedExecutable_Delete_Args, 24 {
        executable: *mut PJRT_LoadedExecutable,
    }
    PJRT_LoadedExecutable_IsDeleted_Args, 25 {
        executable: *mut PJRT_LoadedExecutable,
        is_deleted: u8,
    }
    PJRT_ExecuteContext_Create_Args, 24 {
        context: *mut PJRT_ExecuteContext,
    }
    PJRT_ExecuteContext_Destroy_Args, 24 {
        context: *mut PJRT_ExecuteContext,
    }
    PJRT_ExecuteOptions, 144 since 72 {
        send_callbacks: *mut *mut c_void,
        recv_callbacks: *mut *mut c_void,
        num_send_ops: usize,
        num_recv_ops: usize,
        launch_id: i32,
        non_donatable_input_indices: *const i64,
        num_non_donatable_input_indices: usize,
        context: *mut PJRT_ExecuteContext,
        call_location: *const u8,
        num_tasks: usize,
        task_ids: *mut i32,
        incarnation_ids: *mut i64,
        multi_slice_config: *mut c_void,
        use_major_to_minor_data_layout_for_callbacks: u8,
        hlo_output_callbacks: *mut c_void,
        num_hlo_output_callbacks: usize,
    }
    PJRT_LoadedExecutable_Execute_Args, 80 {
        executable: *mut PJRT_LoadedExecutable,
        options: *mut PJRT_ExecuteOptions,
        argument_lists: *const *const *mut PJRT_Buffer,
        num_devices: usize,
        num_args: usize,
        output_lists: *const *mut *mut PJRT_Buffer,
        device_complete_events: *mut *mut PJRT_Event,
        execute_device: *mut PJRT_Device,
    }
    PJRT_Executable_NumOutputs_Args, 32 {
        executable: *mut PJRT_Executable,
        num_outputs: usize,
    }
    PJRT_Executable_SizeOfGeneratedCodeInBytes_Args, 32 {
        executable: *mut PJRT_Executable,
        size_in_bytes: i64,
    }
    PJRT_Executable_Fingerprint_Args, 40 {
        executable: *mut PJRT_Executable,
        executable_fingerprint: *const u8,
        executable_fingerprint_size: usize,
    }
    PJRT_Executable_GetCostAnalysis_Args, 40 {
        executable: *mut PJRT_Executable,
        num_properties: usize,
        properties: *const PJRT_NamedValue,
    }
    PJRT_Executable_GetCompiledMemoryStats_Args, 144 since 104 {
        executable: *mut PJRT_Executable,
        generated_code_size_in_bytes: i64,
        argument_size_in_bytes: i64,
        output_size_in_bytes: i64,
        alias_size_in_bytes: i64,
        temp_size_in_bytes: i64,
        host_generated_code_size_in_bytes: i64,
        host_argument_size_in_bytes: i64,
        host_output_size_in_bytes: i64,
        host_alias_size_in_bytes: i64,
        host_temp_size_in_bytes: i64,
        peak_memory_in_bytes: i64,
        total_size_in_bytes: i64,
        total_allocation_bytes: i64,
        indefinite_allocations: i64,
        peak_unpadded_heap_bytes: i64,
    }
    PJRT_Executable_OutputElementTypes_Args, 40 {
        executable: *mut PJRT_Executable,
        output_types: *mut PJRT_Buffer_Type,
        num_output_types: usize,
    }
    PJRT_Executable_OutputDimensions_Args, 48 {
        executable: *mut PJRT_Executable,
        num_outputs: usize,
        dims: *const i64,
        dim_sizes: *const usize,
    }
    PJRT_Executable_ParameterMemoryKinds_Args, 48 {
        executable: *mut PJRT_Executable,
        num_parameters: usize,
        memory_kinds: *const *const u8,
        memory_kind_sizes: *const usize,
    }
    PJRT_Executable_OutputMemoryKinds_Args, 48 {
        executable: *mut PJRT_Executable,
        num_outputs: usize,
        memory_kinds: *const *const u8,
        memory_kind_sizes: *const usize,
    }
    PJRT_Executable_Serialize_Args, 56 {
        executable: *const PJRT_Executable,
        serialized_bytes: *const u8,
        serialized_bytes_size: usize,
        serialized_executable: *mut PJRT_SerializedExecutable,
        serialized_executable_deleter: Option<unsafe extern "C" fn(*mut PJRT_SerializedExecutable)>,
    }
    PJRT_Executable_GetCompileOptions_Args, 56 {
        executable: *mut PJRT_Executable,
        serialized_bytes: *const u8,
        serialized_bytes_size: usize,
        serialized_compile_options: *mut PJRT_SerializedCompileOptions,
        serialized_compile_options_deleter: Option<unsafe extern "C" fn(*mut PJRT_SerializedCompileOptions)>,
    }
    PJRT_Executable_DeserializeAndLoad_Args, 72 since 48 {
        client: *mut PJRT_Client,
        serialized_executable: *const u8,
        serialized_executable_size: usize,
        loaded_executable: *mut PJRT_LoadedExecutable,
        overridden_serialized_compile_options: *const u8,
        overridden_serialized_compile_options_size: usize,
        load_options: *mut PJRT_LoadOptions,
    }
    PJRT_LoadedExecutable_Fingerprint_Args, 40 {
        executable: *mut PJRT_LoadedExecutable,
        executable_fingerprint: *const u8,
        executable_fingerprint_size: usize,
    }
}
