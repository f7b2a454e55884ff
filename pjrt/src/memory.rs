//! Memories: the kinds that JAX knows of, all of them the machine's one memory.
//!
//! A memory is never freed, so that its address may be compared with those that callers give; a client has three for each
//! device.

use crate::error::{Done, Failure};
use crate::ffi::*;
use std::collections::HashMap;
use std::ffi::c_void;
use std::sync::{LazyLock, Mutex, RwLock};

/// The kinds, the default first. Their numbers are their places here.
pub(crate) const KINDS: [&str; 3] = ["device", "pinned_host", "unpinned_host"];

/// A memory of a device.
#[repr(C)]
pub(crate) struct Memory {
    base: PJRT_Memory,
    id: i32,
    kind: usize,
    text: String,
    pub(crate) device: [*mut PJRT_Device; 1],
    user_data: Mutex<Vec<UserData>>,
}

// SAFETY: handles are numbers, and data of users is theirs to share.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

/// What a caller keeps with a memory: its key, the data and what frees it.
type UserData = (*const c_void, *mut c_void, Option<Destructor>);

static TABLE: PJRT_Memory_FunctionTable = PJRT_Memory_FunctionTable {
    struct_size: size_of::<PJRT_Memory_FunctionTable>(),
    extension_start: std::ptr::null_mut(),
    instance_struct_size: size_of::<PJRT_Memory>(),
    get_user_data,
    set_user_data,
};

/// All memories by their address.
static ALL: LazyLock<RwLock<HashMap<usize, &'static Memory>>> = LazyLock::new(RwLock::default);

impl Memory {
    /// A new memory of a device.
    pub(crate) fn new(id: i32, kind: usize, device: *mut PJRT_Device) -> &'static Self {
        let text = format!("WengertMemory(id={id}, kind={})", KINDS[kind]);
        let base = PJRT_Memory { vtable: &TABLE };
        let memory: &'static Memory = Box::leak(Box::new(Memory {
            base,
            id,
            kind,
            text,
            device: [device],
            user_data: Mutex::default(),
        }));
        let mut all = ALL.write().unwrap_or_else(|e| e.into_inner());
        all.insert(memory.pointer().addr(), memory);
        memory
    }

    /// What callers hold of it.
    pub(crate) fn pointer(&'static self) -> *mut PJRT_Memory {
        std::ptr::from_ref(&self.base).cast_mut()
    }

    /// The memory that a caller means.
    pub(crate) fn of_pointer(pointer: *const PJRT_Memory) -> Done<&'static Memory> {
        let all = ALL.read().unwrap_or_else(|e| e.into_inner());
        all.get(&pointer.addr()).copied().ok_or_else(|| Failure::invalid("no memory of this plugin"))
    }

    /// Frees what callers keep with it: its client has gone.
    pub(crate) fn release(&self) {
        let all = std::mem::take(&mut *self.user_data.lock().unwrap_or_else(|e| e.into_inner()));
        for (_, data, destructor) in all {
            if let Some(destructor) = destructor {
                // SAFETY: the caller gave both for this.
                unsafe { destructor(data) }
            }
        }
    }
}

extern "C" fn get_user_data(memory: *mut PJRT_Memory, key: *const c_void) -> *mut c_void {
    let Ok(memory) = Memory::of_pointer(memory) else { return std::ptr::null_mut() };
    let data = memory.user_data.lock().unwrap_or_else(|e| e.into_inner());
    data.iter().find(|(k, ..)| *k == key).map_or(std::ptr::null_mut(), |(_, data, _)| *data)
}

extern "C" fn set_user_data(
    memory: *mut PJRT_Memory,
    key: *const c_void,
    data: *mut c_void,
    destructor: Option<Destructor>,
) {
    let Ok(memory) = Memory::of_pointer(memory) else { return };
    let before = {
        let mut all = memory.user_data.lock().unwrap_or_else(|e| e.into_inner());
        match all.iter_mut().find(|(k, ..)| *k == key) {
            Some(entry) => Some(std::mem::replace(entry, (key, data, destructor))),
            None => {
                all.push((key, data, destructor));
                None
            }
        }
    };
    if let Some((_, data, Some(destructor))) = before {
        // SAFETY: the caller gave both for this.
        unsafe { destructor(data) }
    }
}

/// `PJRT_Memory_Id`.
pub(crate) fn id(a: &mut PJRT_Memory_Id_Args) -> Done {
    a.id = Memory::of_pointer(a.memory)?.id;
    Ok(())
}

/// `PJRT_Memory_Kind`.
pub(crate) fn kind(a: &mut PJRT_Memory_Kind_Args) -> Done {
    let kind = KINDS[Memory::of_pointer(a.memory)?.kind];
    (a.kind, a.kind_size) = (kind.as_ptr(), kind.len());
    Ok(())
}

/// `PJRT_Memory_Kind_Id`.
pub(crate) fn kind_id(a: &mut PJRT_Memory_Kind_Id_Args) -> Done {
    a.kind_id = Memory::of_pointer(a.memory)?.kind as i32;
    Ok(())
}

/// `PJRT_Memory_DebugString`.
pub(crate) fn debug_string(a: &mut PJRT_Memory_DebugString_Args) -> Done {
    let text = &Memory::of_pointer(a.memory)?.text;
    (a.debug_string, a.debug_string_size) = (text.as_ptr(), text.len());
    Ok(())
}

/// `PJRT_Memory_ToString`.
pub(crate) fn to_string(a: &mut PJRT_Memory_ToString_Args) -> Done {
    let text = &Memory::of_pointer(a.memory)?.text;
    (a.to_string, a.to_string_size) = (text.as_ptr(), text.len());
    Ok(())
}

/// `PJRT_Memory_AddressableByDevices`.
pub(crate) fn devices(a: &mut PJRT_Memory_AddressableByDevices_Args) -> Done {
    let memory = Memory::of_pointer(a.memory)?;
    (a.devices, a.num_devices) = (memory.device.as_ptr(), 1);
    Ok(())
}
