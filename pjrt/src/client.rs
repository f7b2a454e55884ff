//! The plugin and its clients: what a caller begins with.

use crate::device::Device;
use crate::entry;
use crate::error::{Done, Failure};
use crate::ffi::*;
use crate::handles::{self, objects};
use crate::memory::Memory;
use crate::options::Settings;
use crate::topology::Topology;
use std::sync::{Arc, LazyLock};

objects! { Client as PJRT_Client = 6 "client"; }

/// Devices and what belongs to them.
pub(crate) struct Client {
    topology: Arc<Topology>,
    topology_handle: *mut PJRT_TopologyDescription,
    devices: Vec<Arc<Device>>,
    device_handles: Vec<*mut PJRT_Device>,
    memories: Vec<*mut PJRT_Memory>,
    pub(crate) settings: Settings,
}

// SAFETY: handles are numbers, and memories live for ever.
unsafe impl Send for Client {}
// SAFETY: as above.
unsafe impl Sync for Client {}

impl Client {
    fn new(settings: Settings) -> Done<Self> {
        let topology = Topology::new(&settings)?;
        let make =
            |(id, &description): (usize, &*mut PJRT_DeviceDescription)| Device::new(id as i32, description);
        let devices = topology.descriptions().iter().enumerate().map(make).collect::<Done<Vec<_>>>()?;
        if let Some(threads) = settings.threads {
            wengert_cpu::set_threads(threads);
        }
        Ok(Self {
            topology_handle: handles::insert(topology.clone())?,
            device_handles: devices.iter().map(|d| d.handle()).collect(),
            memories: devices.iter().flat_map(|d| d.memories().to_vec()).collect(),
            topology,
            devices,
            settings,
        })
    }

    /// The devices, of which there is one at least; their numbers are their places.
    pub(crate) fn devices(&self) -> &[Arc<Device>] {
        &self.devices
    }

    /// The device of a number.
    pub(crate) fn device(&self, id: i64) -> Done<&Arc<Device>> {
        let found = usize::try_from(id).ok().and_then(|id| self.devices.get(id));
        found.ok_or_else(|| Failure::invalid(format!("no device {id}: there are {}", self.devices.len())))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = handles::destroy::<Topology>(self.topology_handle);
        for &device in &self.device_handles {
            let _ = handles::destroy::<Device>(device);
        }
        for memory in self.memories.iter().flat_map(|&memory| Memory::of_pointer(memory)) {
            memory.release();
        }
    }
}

fn get(client: *const PJRT_Client) -> Done<Arc<Client>> {
    handles::get::<Client>(client)
}

/// `PJRT_Plugin_Initialize`: there is nothing to do.
pub(crate) fn initialize(_: &mut PJRT_Plugin_Initialize_Args) -> Done {
    Ok(())
}

/// What the plugin says of itself.
struct Attributes([PJRT_NamedValue; 2]);

// SAFETY: they are constant.
unsafe impl Send for Attributes {}
// SAFETY: as above.
unsafe impl Sync for Attributes {}

/// The newest version of StableHLO whose bytecode is read; newer callers then send that.
const STABLEHLO_CURRENT: [i64; 3] = [1, 13, 7];
/// The oldest.
const STABLEHLO_MINIMUM: [i64; 3] = [1, 0, 0];

/// `PJRT_Plugin_Attributes`.
pub(crate) fn plugin_attributes(a: &mut PJRT_Plugin_Attributes_Args) -> Done {
    static ATTRIBUTES: LazyLock<Attributes> = LazyLock::new(|| {
        let version = |name: &'static str, version: &'static [i64; 3]| PJRT_NamedValue {
            struct_size: size_of::<PJRT_NamedValue>(),
            extension_start: std::ptr::null_mut(),
            name: name.as_ptr(),
            name_size: name.len(),
            type_: named::INT64_LIST,
            value: PJRT_NamedValue_Value { int64_list: version.as_ptr() },
            value_size: version.len(),
        };
        Attributes([
            version("stablehlo_current_version", &STABLEHLO_CURRENT),
            version("stablehlo_minimum_version", &STABLEHLO_MINIMUM),
        ])
    });
    (a.attributes, a.num_attributes) = (ATTRIBUTES.0.as_ptr(), ATTRIBUTES.0.len());
    Ok(())
}

/// `PJRT_Client_Create`.
pub(crate) fn create(a: &mut PJRT_Client_Create_Args) -> Done {
    // SAFETY: the header's contract.
    let options = unsafe { entry::list("create_options", a.create_options, a.num_options) }?;
    // SAFETY: as above.
    let settings = unsafe { Settings::new(options) }?;
    a.client = handles::insert(Arc::new(Client::new(settings)?))?;
    Ok(())
}

/// `PJRT_Client_Destroy`, when all that was started has run. Buffers and programs that live on keep what they need.
pub(crate) fn destroy(a: &mut PJRT_Client_Destroy_Args) -> Done {
    if a.client.is_null() {
        return Ok(());
    }
    let client = get(a.client)?;
    handles::destroy::<Client>(a.client)?;
    client.devices.iter().for_each(|device| device.stream.end());
    Ok(())
}

/// `PJRT_Client_PlatformName`.
pub(crate) fn platform_name(a: &mut PJRT_Client_PlatformName_Args) -> Done {
    let client = get(a.client)?;
    let name = &client.topology.platform;
    (a.platform_name, a.platform_name_size) = (name.as_ptr(), name.len());
    Ok(())
}

/// `PJRT_Client_PlatformVersion`.
pub(crate) fn platform_version(a: &mut PJRT_Client_PlatformVersion_Args) -> Done {
    let client = get(a.client)?;
    let version = &client.topology.version;
    (a.platform_version, a.platform_version_size) = (version.as_ptr(), version.len());
    Ok(())
}

/// `PJRT_Client_ProcessIndex`: there is one process.
pub(crate) fn process_index(a: &mut PJRT_Client_ProcessIndex_Args) -> Done {
    get(a.client)?;
    a.process_index = 0;
    Ok(())
}

/// `PJRT_Client_UpdateGlobalProcessInfo`: there are no others.
pub(crate) fn update_processes(a: &mut PJRT_Client_UpdateGlobalProcessInfo_Args) -> Done {
    get(a.client).map(drop)
}

/// `PJRT_Client_TopologyDescription`; it is the client's.
pub(crate) fn topology(a: &mut PJRT_Client_TopologyDescription_Args) -> Done {
    a.topology = get(a.client)?.topology_handle;
    Ok(())
}

/// `PJRT_Client_Devices`.
pub(crate) fn devices(a: &mut PJRT_Client_Devices_Args) -> Done {
    let client = get(a.client)?;
    (a.devices, a.num_devices) = (client.device_handles.as_ptr(), client.device_handles.len());
    Ok(())
}

/// `PJRT_Client_AddressableDevices`: all.
pub(crate) fn addressable_devices(a: &mut PJRT_Client_AddressableDevices_Args) -> Done {
    let client = get(a.client)?;
    (a.addressable_devices, a.num_addressable_devices) =
        (client.device_handles.as_ptr(), client.device_handles.len());
    Ok(())
}

/// `PJRT_Client_LookupDevice`.
pub(crate) fn lookup_device(a: &mut PJRT_Client_LookupDevice_Args) -> Done {
    a.device = get(a.client)?.device(a.id.into())?.handle();
    Ok(())
}

/// `PJRT_Client_LookupAddressableDevice`.
pub(crate) fn lookup_addressable_device(a: &mut PJRT_Client_LookupAddressableDevice_Args) -> Done {
    a.addressable_device = get(a.client)?.device(a.local_hardware_id.into())?.handle();
    Ok(())
}

/// `PJRT_Client_AddressableMemories`.
pub(crate) fn memories(a: &mut PJRT_Client_AddressableMemories_Args) -> Done {
    let client = get(a.client)?;
    (a.addressable_memories, a.num_addressable_memories) = (client.memories.as_ptr(), client.memories.len());
    Ok(())
}

/// `PJRT_Client_DefaultDeviceAssignment`: devices in order, all replicas of a partition before the next.
pub(crate) fn default_assignment(a: &mut PJRT_Client_DefaultDeviceAssignment_Args) -> Done {
    let client = get(a.client)?;
    let count = (|| {
        let (replicas, partitions) =
            (usize::try_from(a.num_replicas).ok()?, usize::try_from(a.num_partitions).ok()?);
        replicas.checked_mul(partitions)
    })();
    match count {
        Some(count) if count <= client.devices.len() && count <= a.default_assignment_size => {
            if a.default_assignment.is_null() || !a.default_assignment.is_aligned() {
                return Err(Failure::invalid("no memory for the assignment (a null or misaligned pointer)"));
            }
            for k in 0..count {
                // SAFETY: the header has the caller provide `default_assignment_size` places.
                unsafe { a.default_assignment.add(k).write(k as i32) };
            }
            Ok(())
        }
        _ => {
            let message = format!(
                "{} replicas of {} partitions on {} devices",
                a.num_replicas,
                a.num_partitions,
                client.devices.len()
            );
            Err(Failure::invalid(message))
        }
    }
}
