//! Topologies: which devices a client has, or would have.

use crate::blob;
use crate::device::Description;
use crate::entry;
use crate::error::{Done, Failure};
use crate::ffi::*;
use crate::handles::{self, objects};
use crate::options::Settings;
use std::sync::Arc;

objects! { Topology as PJRT_TopologyDescription = 5 "topology"; }

/// Which devices there are, and of what platform.
pub(crate) struct Topology {
    pub(crate) platform: String,
    pub(crate) version: String,
    descriptions: Vec<*mut PJRT_DeviceDescription>,
}

// SAFETY: handles are numbers.
unsafe impl Send for Topology {}
// SAFETY: as above.
unsafe impl Sync for Topology {}

/// What platform and version are called: the version tells programs of other versions of the compiler from ours.
fn version() -> String {
    format!("Wengert {} ({})", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH)
}

impl Topology {
    pub(crate) fn new(settings: &Settings) -> Done<Arc<Self>> {
        let describe = |id| handles::insert(Arc::new(Description::new(id as i32)));
        let descriptions = (0..settings.devices).map(describe).collect::<Done<Vec<_>>>()?;
        Ok(Arc::new(Self { platform: settings.platform.clone(), version: version(), descriptions }))
    }

    /// What callers hold of the devices' descriptions.
    pub(crate) fn descriptions(&self) -> &[*mut PJRT_DeviceDescription] {
        &self.descriptions
    }

    fn fingerprint(&self) -> u64 {
        let text = format!("{}\n{}\n{}", self.platform, self.version, self.descriptions.len());
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
    }
}

impl Drop for Topology {
    fn drop(&mut self) {
        for &description in &self.descriptions {
            // One that the caller destroyed is gone already.
            let _ = handles::destroy::<Description>(description);
        }
    }
}

/// `PJRT_TopologyDescription_Create`.
pub(crate) fn create(a: &mut PJRT_TopologyDescription_Create_Args) -> Done {
    // SAFETY: the header's contract.
    let options = unsafe { entry::list("create_options", a.create_options, a.num_options) }?;
    // SAFETY: as above.
    let settings = unsafe { Settings::new(options) }?;
    a.topology = handles::insert(Topology::new(&settings)?)?;
    Ok(())
}

/// `PJRT_TopologyDescription_Destroy`.
pub(crate) fn destroy(a: &mut PJRT_TopologyDescription_Destroy_Args) -> Done {
    handles::destroy::<Topology>(a.topology)
}

/// `PJRT_TopologyDescription_PlatformName`.
pub(crate) fn platform_name(a: &mut PJRT_TopologyDescription_PlatformName_Args) -> Done {
    let topology = handles::get::<Topology>(a.topology)?;
    (a.platform_name, a.platform_name_size) = (topology.platform.as_ptr(), topology.platform.len());
    Ok(())
}

/// `PJRT_TopologyDescription_PlatformVersion`.
pub(crate) fn platform_version(a: &mut PJRT_TopologyDescription_PlatformVersion_Args) -> Done {
    let topology = handles::get::<Topology>(a.topology)?;
    (a.platform_version, a.platform_version_size) = (topology.version.as_ptr(), topology.version.len());
    Ok(())
}

/// `PJRT_TopologyDescription_GetDeviceDescriptions`.
pub(crate) fn descriptions(a: &mut PJRT_TopologyDescription_GetDeviceDescriptions_Args) -> Done {
    let topology = handles::get::<Topology>(a.topology)?;
    (a.descriptions, a.num_descriptions) = (topology.descriptions.as_ptr(), topology.descriptions.len());
    Ok(())
}

/// `PJRT_TopologyDescription_Attributes`: there are none.
pub(crate) fn attributes(a: &mut PJRT_TopologyDescription_Attributes_Args) -> Done {
    handles::get::<Topology>(a.topology)?;
    (a.attributes, a.num_attributes) = (std::ptr::null(), 0);
    Ok(())
}

/// `PJRT_TopologyDescription_Fingerprint`.
pub(crate) fn fingerprint(a: &mut PJRT_TopologyDescription_Fingerprint_Args) -> Done {
    a.fingerprint = handles::get::<Topology>(a.topology)?.fingerprint();
    Ok(())
}

/// `PJRT_TopologyDescription_GetMemorySpaceKindIds`.
pub(crate) fn memory_kinds(a: &mut PJRT_TopologyDescription_GetMemorySpaceKindIds_Args) -> Done {
    static IDS: [i32; crate::memory::KINDS.len()] = [0, 1, 2];
    handles::get::<Topology>(a.topology)?;
    (a.memory_space_kind_ids, a.num_memory_space_kind_ids) = (IDS.as_ptr(), IDS.len());
    Ok(())
}

/// `PJRT_TopologyDescription_Serialize`: platform and number of devices, a line each.
pub(crate) fn serialize(a: &mut PJRT_TopologyDescription_Serialize_Args) -> Done {
    let topology = handles::get::<Topology>(a.topology)?;
    let text = format!("{MAGIC}{}\n{}\n", topology.platform, topology.descriptions.len());
    let (start, length, backing) = blob::give(text.into_bytes())?;
    (a.serialized_bytes, a.serialized_bytes_size, a.serialized_topology) = (start, length, backing);
    a.serialized_topology_deleter = Some(blob::delete);
    Ok(())
}

/// What a serialized topology begins with.
const MAGIC: &str = "wengert topology 1\n";

/// `PJRT_TopologyDescription_Deserialize`.
pub(crate) fn deserialize(a: &mut PJRT_TopologyDescription_Deserialize_Args) -> Done {
    // SAFETY: the header's contract.
    let text =
        unsafe { entry::text("serialized_topology", a.serialized_topology, a.serialized_topology_size) }?;
    let read = || {
        let mut lines = text.strip_prefix(MAGIC)?.lines();
        let (platform, devices) = (lines.next()?, lines.next()?.parse().ok()?);
        Some((platform.to_owned(), devices))
    };
    let Some((platform, devices)) = read() else {
        return Err(Failure::invalid("no topology that this plugin has serialized"));
    };
    let settings = Settings { platform, ..Settings::default() }.with_devices(devices)?;
    a.topology = handles::insert(Topology::new(&settings)?)?;
    Ok(())
}
