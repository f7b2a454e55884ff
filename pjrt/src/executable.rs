//! Executables: compiled programs as callers hold them.

use crate::blob;
use crate::client::Client;
use crate::device::Device;
use crate::duration::Duration;
use crate::entry;
use crate::error::{Code, Done, Failure};
use crate::ffi::*;
use crate::handles::{self, objects};
use crate::layout::{self, Layout, Order};
use crate::lists::{KindNames, Texts};
use crate::options::{self, CompileOptions, Settings};
use crate::program::Program;
use crate::serialize::{self, Parts};
use crate::shards::Shards;
use crate::topology::Topology;
use crate::types::{self, Slot, TOKEN};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

objects! {
    Executable as PJRT_Executable = 8 "executable";
    Loaded as PJRT_LoadedExecutable = 9 "loaded executable";
}

/// A compiled program and what callers ask about it.
pub(crate) struct Executable {
    pub(crate) program: Program,
    pub(crate) options: CompileOptions,
    /// What it was made of.
    parts: Parts,
    fingerprint: String,
    optimized: OnceLock<Done<String>>,
    output_types: Vec<PJRT_Buffer_Type>,
    output_dims: Vec<i64>,
    output_ranks: Vec<usize>,
    input_kinds: KindNames,
    output_kinds: KindNames,
    input_shardings: Texts,
    output_shardings: Texts,
    input_layouts: Vec<*mut PJRT_Layouts_MemoryLayout>,
    output_layouts: Vec<*mut PJRT_Layouts_MemoryLayout>,
    costs: Vec<PJRT_NamedValue>,
}

// SAFETY: pointers are handles, or to constants, or to what is its own.
unsafe impl Send for Executable {}
// SAFETY: as above.
unsafe impl Sync for Executable {}

impl Executable {
    /// Compiles a program.
    fn compile(mut parts: Parts, settings: &Settings) -> Done<Arc<Self>> {
        let options = CompileOptions::read(&parts.options)?;
        parts.mode = options.mode.unwrap_or(parts.mode);
        let program = Program::compile(
            &parts.code,
            &parts.format,
            options.partitions,
            parts.mode,
            options.max_memory.or(settings.max_memory),
        )?
        .on_threads(options.threads);
        // What each device has.
        let dims = |(slot, shards): (&Slot, &Option<Shards>)| match (slot, shards) {
            (_, Some(shards)) => shards.part.shape.iter().map(|&d| d as i64).collect(),
            (Slot::Tensor(ty), None) => ty.shape.iter().map(|&d| d as i64).collect(),
            (Slot::Token, None) => Vec::new(),
        };
        let dims: Vec<Vec<i64>> = program.outputs.iter().zip(&program.output_shards).map(dims).collect();
        let layouts = |orders: &[Order]| orders.iter().map(layout::give).collect::<Done<Vec<_>>>();
        Ok(Arc::new(Self {
            fingerprint: parts.fingerprint(),
            output_types: program
                .outputs
                .iter()
                .map(|slot| match slot {
                    Slot::Tensor(ty) => types::number(ty.dtype),
                    Slot::Token => TOKEN,
                })
                .collect(),
            output_ranks: dims.iter().map(Vec::len).collect(),
            output_dims: dims.concat(),
            input_kinds: KindNames::of(&program.input_kinds),
            output_kinds: KindNames::of(&program.output_kinds),
            input_shardings: Texts::of(&program.input_shards),
            output_shardings: Texts::of(&program.output_shards),
            input_layouts: layouts(&program.orders.inputs)?,
            output_layouts: layouts(&program.orders.outputs)?,
            costs: costs(&program),
            optimized: OnceLock::new(),
            program,
            options,
            parts,
        }))
    }

    fn optimized(&self) -> Done<&str> {
        match self.optimized.get_or_init(|| self.program.optimized_text()) {
            Ok(text) => Ok(text),
            Err(e) => Err(e.clone()),
        }
    }

    /// How many arguments there are, and the shardings of each; nothing where the program is for one device.
    pub(crate) fn input_shardings(&self) -> Option<(usize, *const *const u8, *const usize)> {
        (self.options.partitions > 1).then(|| self.input_shardings.pointers())
    }

    /// The same of results.
    pub(crate) fn output_shardings(&self) -> Option<(usize, *const *const u8, *const usize)> {
        (self.options.partitions > 1).then(|| self.output_shardings.pointers())
    }

    pub(crate) fn input_layouts(&self) -> &[*mut PJRT_Layouts_MemoryLayout] {
        &self.input_layouts
    }

    pub(crate) fn output_layouts(&self) -> &[*mut PJRT_Layouts_MemoryLayout] {
        &self.output_layouts
    }
}

impl Drop for Executable {
    fn drop(&mut self) {
        for &layout in self.input_layouts.iter().chain(&self.output_layouts) {
            let _ = handles::destroy::<Layout>(layout);
        }
    }
}

/// What XLA's cost analysis calls them.
fn costs(program: &Program) -> Vec<PJRT_NamedValue> {
    let value = |name: &'static str, value: u64| PJRT_NamedValue {
        struct_size: size_of::<PJRT_NamedValue>(),
        extension_start: std::ptr::null_mut(),
        name: name.as_ptr(),
        name_size: name.len(),
        type_: named::FLOAT,
        value: PJRT_NamedValue_Value { float: value as f32 },
        value_size: 1,
    };
    let cost = &program.cost;
    vec![value("flops", cost.flops), value("bytes accessed", cost.read.saturating_add(cost.written))]
}

/// A compiled program on its devices.
pub(crate) struct Loaded {
    pub(crate) executable: Arc<Executable>,
    /// One for each part of the program, in order; none if every call says on which.
    pub(crate) on: Vec<Arc<Device>>,
    pub(crate) is_deleted: AtomicBool,
    pub(crate) synchronous: bool,
    pub(crate) duration: Duration,
    devices: Vec<*mut PJRT_Device>,
    logical: Vec<PJRT_LogicalDeviceIds>,
    assignment: Vec<u8>,
}

// SAFETY: handles are numbers.
unsafe impl Send for Loaded {}
// SAFETY: as above.
unsafe impl Sync for Loaded {}

impl Loaded {
    fn new(executable: Arc<Executable>, client: &Client) -> Done<Arc<Self>> {
        let options = &executable.options;
        let first = [0];
        let numbers: &[i64] = match &options.devices[..] {
            _ if options.portable && options.partitions == 1 => &[],
            [] => &first,
            devices => &devices[..options.partitions],
        };
        let on = numbers.iter().map(|&d| client.device(d).cloned()).collect::<Done<Vec<_>>>()?;
        let ids: Vec<usize> = on.iter().map(|d| d.id as usize).collect();
        if ids.iter().enumerate().any(|(k, id)| ids[..k].contains(id)) {
            return Err(Failure::invalid(format!("a program for several devices is given {ids:?}")));
        }
        let part = |partition| PJRT_LogicalDeviceIds { replica: 0, partition };
        Ok(Arc::new(Self {
            devices: on.iter().map(|d| d.handle()).collect(),
            logical: (0..on.len() as i32).map(part).collect(),
            assignment: if on.is_empty() { Vec::new() } else { options::assignment(&ids) },
            on,
            executable,
            is_deleted: AtomicBool::new(false),
            synchronous: client.settings.synchronous,
            duration: Duration::default(),
        }))
    }
}

fn get(executable: *const PJRT_Executable) -> Done<Arc<Executable>> {
    handles::get::<Executable>(executable)
}

fn loaded(executable: *const PJRT_LoadedExecutable) -> Done<Arc<Loaded>> {
    handles::get::<Loaded>(executable)
}

/// What a caller gives to be compiled.
///
/// # Safety
/// As the header describes it.
unsafe fn parts(
    program: *const PJRT_Program,
    options: *const u8,
    size: usize,
    settings: &Settings,
) -> Done<Parts> {
    // SAFETY: the contract of this function.
    unsafe {
        let program = entry::read(program)?;
        Ok(Parts {
            code: entry::list("code", program.code.cast_const(), program.code_size)?.to_vec(),
            format: entry::text("format", program.format, program.format_size)?.to_owned(),
            options: entry::list("compile_options", options, size)?.to_vec(),
            mode: settings.mode,
        })
    }
}

/// `PJRT_Client_Compile`.
pub(crate) fn compile_and_load(a: &mut PJRT_Client_Compile_Args) -> Done {
    let client = handles::get::<Client>(a.client)?;
    // SAFETY: the header's contract.
    let parts = unsafe { parts(a.program, a.compile_options, a.compile_options_size, &client.settings) }?;
    let executable = Executable::compile(parts, &client.settings)?;
    a.executable = handles::insert(Loaded::new(executable, &client)?)?;
    Ok(())
}

/// `PJRT_Compile`: without a device.
pub(crate) fn compile(a: &mut PJRT_Compile_Args) -> Done {
    let topology = handles::get::<Topology>(a.topology)?;
    let settings = if a.client.is_null() {
        // SAFETY: there are no options.
        Settings { platform: topology.platform.clone(), ..unsafe { Settings::new(&[]) }? }
    } else {
        handles::get::<Client>(a.client)?.settings.clone()
    };
    // SAFETY: the header's contract.
    let parts = unsafe { parts(a.program, a.compile_options, a.compile_options_size, &settings) }?;
    a.executable = handles::insert(Executable::compile(parts, &settings)?)?;
    Ok(())
}

/// `PJRT_Client_Load`.
pub(crate) fn load(a: &mut PJRT_Client_Load_Args) -> Done {
    let client = handles::get::<Client>(a.client)?;
    a.loaded_executable = handles::insert(Loaded::new(get(a.executable)?, &client)?)?;
    Ok(())
}

/// `PJRT_Executable_Serialize`.
pub(crate) fn serialize(a: &mut PJRT_Executable_Serialize_Args) -> Done {
    let (start, length, backing) = blob::give(serialize::write(&get(a.executable)?.parts))?;
    (a.serialized_bytes, a.serialized_bytes_size, a.serialized_executable) = (start, length, backing);
    a.serialized_executable_deleter = Some(blob::delete);
    Ok(())
}

/// `PJRT_Executable_DeserializeAndLoad`.
pub(crate) fn deserialize_and_load(a: &mut PJRT_Executable_DeserializeAndLoad_Args) -> Done {
    let client = handles::get::<Client>(a.client)?;
    // SAFETY: the header's contract.
    let (bytes, overriding) = unsafe {
        (
            entry::list("serialized_executable", a.serialized_executable, a.serialized_executable_size)?,
            entry::list(
                "overridden_serialized_compile_options",
                a.overridden_serialized_compile_options,
                a.overridden_serialized_compile_options_size,
            )?,
        )
    };
    let mut parts = serialize::read(bytes)?;
    if !a.overridden_serialized_compile_options.is_null() {
        parts.options = overriding.to_vec();
    }
    let executable = Executable::compile(parts, &client.settings)?;
    a.loaded_executable = handles::insert(Loaded::new(executable, &client)?)?;
    Ok(())
}

/// `PJRT_Executable_Destroy`.
pub(crate) fn destroy(a: &mut PJRT_Executable_Destroy_Args) -> Done {
    handles::destroy::<Executable>(a.executable)
}

/// `PJRT_LoadedExecutable_Destroy`.
pub(crate) fn destroy_loaded(a: &mut PJRT_LoadedExecutable_Destroy_Args) -> Done {
    handles::destroy::<Loaded>(a.executable)
}

/// `PJRT_LoadedExecutable_GetExecutable`; the caller destroys it.
pub(crate) fn executable_of(a: &mut PJRT_LoadedExecutable_GetExecutable_Args) -> Done {
    a.executable = handles::insert(loaded(a.loaded_executable)?.executable.clone())?;
    Ok(())
}

/// `PJRT_LoadedExecutable_AddressableDevices`.
pub(crate) fn devices(a: &mut PJRT_LoadedExecutable_AddressableDevices_Args) -> Done {
    let loaded = loaded(a.executable)?;
    (a.addressable_devices, a.num_addressable_devices) = (loaded.devices.as_ptr(), loaded.devices.len());
    Ok(())
}

/// `PJRT_LoadedExecutable_AddressableDeviceLogicalIds`: the parts of the only copy.
pub(crate) fn logical_ids(a: &mut PJRT_LoadedExecutable_AddressableDeviceLogicalIds_Args) -> Done {
    let loaded = loaded(a.executable)?;
    a.addressable_device_logical_ids = loaded.logical.as_ptr().cast_mut();
    a.num_addressable_device_logical_ids = loaded.logical.len();
    Ok(())
}

/// `PJRT_LoadedExecutable_GetDeviceAssignment`; the bytes are the executable's, none if it is for any device.
pub(crate) fn device_assignment(a: &mut PJRT_LoadedExecutable_GetDeviceAssignment_Args) -> Done {
    extern "C" fn nothing(_: *mut PJRT_DeviceAssignmentSerialized) {}
    let loaded = loaded(a.executable)?;
    (a.serialized_bytes, a.serialized_bytes_size) = (loaded.assignment.as_ptr(), loaded.assignment.len());
    a.serialized_device_assignment = std::ptr::null_mut();
    a.serialized_device_assignment_deleter = Some(nothing);
    Ok(())
}

/// `PJRT_LoadedExecutable_Delete`.
pub(crate) fn delete(a: &mut PJRT_LoadedExecutable_Delete_Args) -> Done {
    loaded(a.executable)?.is_deleted.store(true, Relaxed);
    Ok(())
}

/// `PJRT_LoadedExecutable_IsDeleted`.
pub(crate) fn is_deleted(a: &mut PJRT_LoadedExecutable_IsDeleted_Args) -> Done {
    a.is_deleted = loaded(a.executable)?.is_deleted.load(Relaxed).into();
    Ok(())
}

/// `PJRT_LoadedExecutable_Fingerprint`.
pub(crate) fn loaded_fingerprint(a: &mut PJRT_LoadedExecutable_Fingerprint_Args) -> Done {
    let loaded = loaded(a.executable)?;
    let text = &loaded.executable.fingerprint;
    (a.executable_fingerprint, a.executable_fingerprint_size) = (text.as_ptr(), text.len());
    Ok(())
}

/// `PJRT_Executable_Fingerprint`.
pub(crate) fn fingerprint(a: &mut PJRT_Executable_Fingerprint_Args) -> Done {
    let executable = get(a.executable)?;
    let text = &executable.fingerprint;
    (a.executable_fingerprint, a.executable_fingerprint_size) = (text.as_ptr(), text.len());
    Ok(())
}

/// `PJRT_Executable_Name`.
pub(crate) fn name(a: &mut PJRT_Executable_Name_Args) -> Done {
    let executable = get(a.executable)?;
    let name = &executable.program.name;
    (a.executable_name, a.executable_name_size) = (name.as_ptr(), name.len());
    Ok(())
}

/// `PJRT_Executable_NumReplicas`.
pub(crate) fn replicas(a: &mut PJRT_Executable_NumReplicas_Args) -> Done {
    get(a.executable)?;
    a.num_replicas = 1;
    Ok(())
}

/// `PJRT_Executable_NumPartitions`.
pub(crate) fn partitions(a: &mut PJRT_Executable_NumPartitions_Args) -> Done {
    a.num_partitions = get(a.executable)?.options.partitions;
    Ok(())
}

/// `PJRT_Executable_NumOutputs`.
pub(crate) fn outputs(a: &mut PJRT_Executable_NumOutputs_Args) -> Done {
    a.num_outputs = get(a.executable)?.program.outputs.len();
    Ok(())
}

/// `PJRT_Executable_SizeOfGeneratedCodeInBytes`.
pub(crate) fn code_size(a: &mut PJRT_Executable_SizeOfGeneratedCodeInBytes_Args) -> Done {
    a.size_in_bytes = get(a.executable)?.program.code_size() as i64;
    Ok(())
}

/// `PJRT_Executable_GetCostAnalysis`; the list is the executable's.
pub(crate) fn cost_analysis(a: &mut PJRT_Executable_GetCostAnalysis_Args) -> Done {
    let executable = get(a.executable)?;
    (a.properties, a.num_properties) = (executable.costs.as_ptr(), executable.costs.len());
    Ok(())
}

/// `PJRT_Executable_GetCompiledMemoryStats`.
pub(crate) fn memory_stats(a: &mut PJRT_Executable_GetCompiledMemoryStats_Args) -> Done {
    let executable = get(a.executable)?;
    let program = &executable.program;
    let inputs: usize = program.tensor_inputs().map(|ty| ty.bytes()).sum();
    let outputs: usize = program.tensor_outputs().map(|ty| ty.bytes()).sum();
    // Arguments that are given away and whose memory becomes a result's.
    let tensor_place = |donor: usize| program.inputs[..donor].iter().filter(|s| **s != Slot::Token).count();
    let given: Vec<usize> = program.donors.iter().map(|&d| tensor_place(d)).collect();
    let sizes: Vec<usize> = program.tensor_inputs().map(|ty| ty.bytes()).collect();
    let reused: usize = (program.donations().iter())
        .filter(|(argument, _)| given.contains(&(*argument as usize)))
        .map(|(argument, _)| sizes[*argument as usize])
        .sum();
    let (code, scratch) = (program.code_size(), program.scratch());
    let peak = inputs.saturating_add(outputs).saturating_add(scratch).saturating_sub(reused);
    a.generated_code_size_in_bytes = code as i64;
    a.argument_size_in_bytes = inputs as i64;
    a.output_size_in_bytes = outputs as i64;
    a.alias_size_in_bytes = reused as i64;
    a.temp_size_in_bytes = scratch as i64;
    a.host_generated_code_size_in_bytes = 0;
    a.host_argument_size_in_bytes = 0;
    a.host_output_size_in_bytes = 0;
    a.host_alias_size_in_bytes = 0;
    a.host_temp_size_in_bytes = 0;
    a.peak_memory_in_bytes = peak as i64;
    a.total_size_in_bytes = peak.saturating_add(code) as i64;
    a.total_allocation_bytes = 0;
    a.indefinite_allocations = 0;
    a.peak_unpadded_heap_bytes = peak as i64;
    Ok(())
}

/// `PJRT_Executable_OutputElementTypes`; the list is the executable's.
pub(crate) fn output_types(a: &mut PJRT_Executable_OutputElementTypes_Args) -> Done {
    let executable = get(a.executable)?;
    a.output_types = executable.output_types.as_ptr().cast_mut();
    a.num_output_types = executable.output_types.len();
    Ok(())
}

/// `PJRT_Executable_OutputDimensions`; the lists are the executable's.
pub(crate) fn output_dimensions(a: &mut PJRT_Executable_OutputDimensions_Args) -> Done {
    let executable = get(a.executable)?;
    a.num_outputs = executable.output_ranks.len();
    (a.dims, a.dim_sizes) = (executable.output_dims.as_ptr(), executable.output_ranks.as_ptr());
    Ok(())
}

/// `PJRT_Executable_ParameterMemoryKinds`.
pub(crate) fn input_kinds(a: &mut PJRT_Executable_ParameterMemoryKinds_Args) -> Done {
    let executable = get(a.executable)?;
    a.num_parameters = executable.program.inputs.len();
    (a.memory_kinds, a.memory_kind_sizes) = executable.input_kinds.pointers();
    Ok(())
}

/// `PJRT_Executable_OutputMemoryKinds`.
pub(crate) fn output_kinds(a: &mut PJRT_Executable_OutputMemoryKinds_Args) -> Done {
    let executable = get(a.executable)?;
    a.num_outputs = executable.program.outputs.len();
    (a.memory_kinds, a.memory_kind_sizes) = executable.output_kinds.pointers();
    Ok(())
}

/// `PJRT_Executable_OptimizedProgram`: how long the text is, and the text itself if there is room for it.
pub(crate) fn optimized_program(a: &mut PJRT_Executable_OptimizedProgram_Args) -> Done {
    let executable = get(a.executable)?;
    let text = executable.optimized()?;
    // SAFETY: the header's contract.
    let program = unsafe { entry::borrow(a.program) }?;
    (program.format, program.format_size) = ("mlir".as_ptr(), "mlir".len());
    if program.code.is_null() {
        program.code_size = text.len();
        return Ok(());
    }
    if program.code_size < text.len() {
        let message = format!("room for {} bytes, {} are needed", program.code_size, text.len());
        return Err(Failure::new(Code::FailedPrecondition, message));
    }
    // SAFETY: the caller has room for so many bytes.
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), program.code, text.len()) };
    program.code_size = text.len();
    Ok(())
}

/// `PJRT_Executable_GetCompileOptions`.
pub(crate) fn compile_options(a: &mut PJRT_Executable_GetCompileOptions_Args) -> Done {
    let (start, length, backing) = blob::give(get(a.executable)?.parts.options.clone())?;
    (a.serialized_bytes, a.serialized_bytes_size, a.serialized_compile_options) = (start, length, backing);
    a.serialized_compile_options_deleter = Some(blob::delete);
    Ok(())
}
