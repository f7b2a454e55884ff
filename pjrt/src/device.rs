//! Devices: the machine's processor, once or several times under different numbers.

use crate::data::{COUNT, IN_USE, LARGEST, PEAK};
use crate::error::Done;
use crate::ffi::*;
use crate::handles::{self, objects};
use crate::memory::{KINDS, Memory};
use crate::stream::Stream;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, OnceLock};

objects! {
    Device as PJRT_Device = 3 "device";
    Description as PJRT_DeviceDescription = 4 "device description";
}

/// A device of a client.
pub(crate) struct Device {
    pub(crate) id: i32,
    /// Runs programs that take long.
    pub(crate) stream: Stream,
    description: *mut PJRT_DeviceDescription,
    /// Set as soon as they exist; they refer to its handle.
    own: OnceLock<Own>,
}

struct Own {
    handle: *mut PJRT_Device,
    memories: Vec<*mut PJRT_Memory>,
    /// The same, by kind.
    by_kind: Vec<&'static Memory>,
}

// SAFETY: handles are numbers, and memories live for ever.
unsafe impl Send for Device {}
// SAFETY: as above.
unsafe impl Sync for Device {}

impl Device {
    /// A device with its memories, which a caller may hold until [`handles::destroy`].
    pub(crate) fn new(id: i32, description: *mut PJRT_DeviceDescription) -> Done<Arc<Self>> {
        let device = Arc::new(Self { id, stream: Stream::default(), description, own: OnceLock::new() });
        let handle = handles::insert(device.clone())?;
        let memory = |kind: usize| Memory::new(id * KINDS.len() as i32 + kind as i32, kind, handle);
        let memories: Vec<&'static Memory> = (0..KINDS.len()).map(memory).collect();
        let pointers = memories.iter().map(|m| m.pointer()).collect();
        device.own.get_or_init(|| Own { handle, memories: pointers, by_kind: memories });
        Ok(device)
    }

    fn own(&self) -> &Own {
        self.own.get().expect("set when it was made")
    }

    /// What callers hold of it.
    pub(crate) fn handle(&self) -> *mut PJRT_Device {
        self.own().handle
    }

    /// Where its arrays lie.
    pub(crate) fn default_memory(&self) -> &'static Memory {
        self.memory_of_kind(0)
    }

    /// Its memory of a kind, one of [`KINDS`].
    pub(crate) fn memory_of_kind(&self, kind: usize) -> &'static Memory {
        self.own().by_kind[kind]
    }

    /// What callers hold of its memories.
    pub(crate) fn memories(&self) -> &[*mut PJRT_Memory] {
        &self.own().memories
    }
}

/// What is known of a device without one.
pub(crate) struct Description {
    id: i32,
    kind: String,
    text: String,
}

impl Description {
    pub(crate) fn new(id: i32) -> Self {
        Self { id, kind: "cpu".to_owned(), text: format!("WengertDevice(id={id})") }
    }
}

/// `PJRT_DeviceDescription_Id`.
pub(crate) fn description_id(a: &mut PJRT_DeviceDescription_Id_Args) -> Done {
    a.id = handles::get::<Description>(a.device_description)?.id;
    Ok(())
}

/// `PJRT_DeviceDescription_ProcessIndex`: there is one process.
pub(crate) fn process_index(a: &mut PJRT_DeviceDescription_ProcessIndex_Args) -> Done {
    handles::get::<Description>(a.device_description)?;
    a.process_index = 0;
    Ok(())
}

/// `PJRT_DeviceDescription_Attributes`: there are none.
pub(crate) fn description_attributes(a: &mut PJRT_DeviceDescription_Attributes_Args) -> Done {
    handles::get::<Description>(a.device_description)?;
    (a.attributes, a.num_attributes) = (std::ptr::null(), 0);
    Ok(())
}

/// `PJRT_DeviceDescription_Kind`.
pub(crate) fn kind(a: &mut PJRT_DeviceDescription_Kind_Args) -> Done {
    let description = handles::get::<Description>(a.device_description)?;
    (a.device_kind, a.device_kind_size) = (description.kind.as_ptr(), description.kind.len());
    Ok(())
}

/// `PJRT_DeviceDescription_DebugString`.
pub(crate) fn debug_string(a: &mut PJRT_DeviceDescription_DebugString_Args) -> Done {
    let description = handles::get::<Description>(a.device_description)?;
    (a.debug_string, a.debug_string_size) = (description.text.as_ptr(), description.text.len());
    Ok(())
}

/// `PJRT_DeviceDescription_ToString`.
pub(crate) fn to_string(a: &mut PJRT_DeviceDescription_ToString_Args) -> Done {
    let description = handles::get::<Description>(a.device_description)?;
    (a.to_string, a.to_string_size) = (description.text.as_ptr(), description.text.len());
    Ok(())
}

/// `PJRT_Device_GetDescription`.
pub(crate) fn description(a: &mut PJRT_Device_GetDescription_Args) -> Done {
    a.device_description = handles::get::<Device>(a.device)?.description;
    Ok(())
}

/// `PJRT_Device_IsAddressable`: every device is of this process.
pub(crate) fn is_addressable(a: &mut PJRT_Device_IsAddressable_Args) -> Done {
    handles::get::<Device>(a.device)?;
    a.is_addressable = 1;
    Ok(())
}

/// `PJRT_Device_LocalHardwareId`.
pub(crate) fn local_hardware_id(a: &mut PJRT_Device_LocalHardwareId_Args) -> Done {
    a.local_hardware_id = handles::get::<Device>(a.device)?.id;
    Ok(())
}

/// `PJRT_Device_AddressableMemories`.
pub(crate) fn memories(a: &mut PJRT_Device_AddressableMemories_Args) -> Done {
    let device = handles::get::<Device>(a.device)?;
    (a.memories, a.num_memories) = (device.memories().as_ptr(), device.memories().len());
    Ok(())
}

/// `PJRT_Device_DefaultMemory`.
pub(crate) fn default_memory(a: &mut PJRT_Device_DefaultMemory_Args) -> Done {
    a.memory = handles::get::<Device>(a.device)?.default_memory().pointer();
    Ok(())
}

/// `PJRT_Device_MemoryStats`: what buffers hold that the plugin has taken memory for; devices share it.
pub(crate) fn memory_stats(a: &mut PJRT_Device_MemoryStats_Args) -> Done {
    handles::get::<Device>(a.device)?;
    *a = PJRT_Device_MemoryStats_Args {
        struct_size: a.struct_size,
        extension_start: a.extension_start,
        device: a.device,
        bytes_in_use: IN_USE.load(Relaxed),
        peak_bytes_in_use: PEAK.load(Relaxed),
        peak_bytes_in_use_is_set: 1,
        num_allocs: COUNT.load(Relaxed),
        num_allocs_is_set: 1,
        largest_alloc_size: LARGEST.load(Relaxed),
        largest_alloc_size_is_set: 1,
        bytes_limit: 0,
        bytes_limit_is_set: 0,
        bytes_reserved: 0,
        bytes_reserved_is_set: 0,
        peak_bytes_reserved: 0,
        peak_bytes_reserved_is_set: 0,
        bytes_reservable_limit: 0,
        bytes_reservable_limit_is_set: 0,
        largest_free_block_bytes: 0,
        largest_free_block_bytes_is_set: 0,
        pool_bytes: 0,
        pool_bytes_is_set: 0,
        peak_pool_bytes: 0,
        peak_pool_bytes_is_set: 0,
        peak_allocated_bytes: PEAK.load(Relaxed),
        peak_allocated_bytes_is_set: 1,
    };
    Ok(())
}

/// `PJRT_Device_ClearMemoryStats`.
pub(crate) fn clear_memory_stats(a: &mut PJRT_Device_ClearMemoryStats_Args) -> Done {
    handles::get::<Device>(a.device)?;
    PEAK.store(IN_USE.load(Relaxed), Relaxed);
    LARGEST.store(0, Relaxed);
    COUNT.store(0, Relaxed);
    Ok(())
}

/// `PJRT_Device_GetAttributes`: there are none.
pub(crate) fn attributes(a: &mut PJRT_Device_GetAttributes_Args) -> Done {
    extern "C" fn nothing(_: *mut PJRT_Device_Attributes) {}
    handles::get::<Device>(a.device)?;
    (a.attributes, a.num_attributes) = (std::ptr::null(), 0);
    a.device_attributes = std::ptr::null_mut();
    a.attributes_deleter = Some(nothing);
    Ok(())
}

impl Memory {
    /// Its device, as long as its client lives.
    pub(crate) fn device(&self) -> Done<Arc<Device>> {
        handles::get::<Device>(self.device[0])
    }
}
