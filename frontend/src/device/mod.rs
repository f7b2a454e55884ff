//! [`Device`]: where programs run and tensors live. What is there of a tensor is in [`resident`], which tensors are where in
//! [`placement`], and what runs there in `run`.
//!
//! Without the features `cuda` and `wgpu` there is the CPU, and the others say how to get them.

pub(crate) mod placement;
pub(crate) mod resident;
#[cfg(feature = "gpu")]
pub(crate) mod run;

use crate::error::Error;
use std::fmt;
#[cfg(feature = "gpu")]
use std::sync::Mutex;

/// Where programs run and tensors live: the CPU, or a GPU. A cheap handle.
///
/// ```
/// use wengert::{Device, Tensor, jit};
/// let device = Device::cpu();
/// let f = jit(|x: Tensor| x.sin().sum()).on(&device);
/// assert_eq!(f(Tensor::from([0.0f32])).item::<f32>(), 0.0);
/// // What is not there says so in one line.
/// let why = Device::named("gpu:99").unwrap_err();
/// assert!(why.message().starts_with("no device gpu:99"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Device {
    at: At,
}

#[derive(Clone, PartialEq, Eq)]
enum At {
    Cpu,
    #[cfg(feature = "gpu")]
    Gpu(wengert_gpu::Device),
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kind of device that there may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listed {
    /// Its name: `gpu:0`.
    pub name: String,
    /// What it is, or why it is not there.
    pub found: Result<String, String>,
}

impl Device {
    /// The CPU.
    pub fn cpu() -> Self {
        Self { at: At::Cpu }
    }

    /// An NVIDIA GPU by number. Needs the feature `cuda`.
    ///
    /// Fails, in one line, where there is no driver or no such device.
    pub fn gpu(index: usize) -> Result<Self, Error> {
        Self::named(&format!("gpu:{index}"))
    }

    /// A GPU by number, through Vulkan, Metal or Direct3D 12. Needs the feature `wgpu`.
    ///
    /// Fails, in one line, where there is no driver or no such adapter.
    pub fn wgpu(index: usize) -> Result<Self, Error> {
        Self::named(&format!("wgpu:{index}"))
    }

    /// The device of that name: `cpu`, `gpu:0`, `wgpu:0`; with the features also `reference`, the interpreter of what a GPU would
    /// be given, which is slow.
    ///
    /// Fails as [`Self::gpu`] does, and where there are no devices of that name.
    pub fn named(name: &str) -> Result<Self, Error> {
        let (kind, number) = name.split_once(':').map_or((name, None), |(kind, n)| (kind, Some(n)));
        if kind == "cpu" && matches!(number, None | Some("0")) {
            return Ok(Self::cpu());
        }
        let is_gpu = matches!(kind, "gpu" | "wgpu");
        if is_gpu && number.is_some_and(|n| n.parse::<usize>().is_ok()) || name == "reference" {
            return opened(name);
        }
        let why = match is_gpu {
            true => format!("give a number, such as `{kind}:0`"),
            false => "there are `cpu`, `gpu:0` and `wgpu:0`, and others by number".to_owned(),
        };
        Err(Error::new(format!("`{name}` is no device: {why}"), None))
    }

    /// The devices that there are, the CPU first; `reference` is none of them.
    pub fn all() -> Vec<Self> {
        let there = Self::list().into_iter().filter(|l| l.found.is_ok() && l.name != "reference");
        there.filter_map(|l| Self::named(&l.name).ok()).collect()
    }

    /// The devices that there are, and the kinds of which there is none, and why.
    pub fn list() -> Vec<Listed> {
        let threads = wengert_cpu::threads();
        let cpu = Listed { name: "cpu".into(), found: Ok(format!("{threads} threads")) };
        std::iter::once(cpu).chain(others()).collect()
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match &self.at {
            At::Cpu => "cpu",
            #[cfg(feature = "gpu")]
            At::Gpu(device) => device.name(),
        }
    }

    /// Whether it is the CPU.
    pub fn is_cpu(&self) -> bool {
        self.at == At::Cpu
    }

    /// What it has done since it was opened: launches, copies, elements that the host read. Nothing is counted of the CPU.
    #[cfg(feature = "gpu")]
    pub fn counts(&self) -> wengert_gpu::Counts {
        match &self.at {
            At::Cpu => wengert_gpu::Counts::default(),
            At::Gpu(device) => device.counts(),
        }
    }
}

#[cfg(not(feature = "gpu"))]
fn opened(name: &str) -> Result<Device, Error> {
    let message =
        format!("no device {name}: this build runs on the CPU only, build with `--features cuda` or `wgpu`");
    Err(Error::new(message, None))
}

#[cfg(not(feature = "gpu"))]
fn others() -> Vec<Listed> {
    [("gpu", "cuda"), ("wgpu", "wgpu")]
        .map(|(name, feature)| Listed {
            name: name.into(),
            found: Err(format!("this build runs on the CPU only, build with `--features {feature}`")),
        })
        .into()
}

#[cfg(feature = "gpu")]
fn opened(name: &str) -> Result<Device, Error> {
    let device = wengert_gpu::drivers::open(name).map_err(|e| Error::new(e.to_string(), None))?;
    Ok(Device { at: At::Gpu(device) })
}

/// A device that is not that of the name `reference`, nor any other's.
#[cfg(feature = "gpu")]
pub fn another_reference() -> Device {
    Device { at: At::Gpu(wengert_gpu::drivers::reference::device().0) }
}

#[cfg(feature = "gpu")]
fn others() -> Vec<Listed> {
    wengert_gpu::drivers::list().into_iter().map(|(name, found)| Listed { name, found }).collect()
}

/// The device that the process runs on where nothing says another.
#[cfg(feature = "gpu")]
static DEFAULT: Mutex<Option<Device>> = Mutex::new(None);

/// Lets programs and operations whose operands are on no device run on this one. Without a call the environment variable
/// `WENGERT_DEVICE` says which, and without it the CPU.
pub fn set_default_device(device: &Device) {
    #[cfg(feature = "gpu")]
    {
        *DEFAULT.lock().unwrap_or_else(|e| e.into_inner()) = Some(device.clone());
    }
    #[cfg(not(feature = "gpu"))]
    let _ = device;
}

#[cfg(feature = "gpu")]
fn default_device() -> Result<Device, Error> {
    let mut slot = DEFAULT.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(device) = &*slot {
        return Ok(device.clone());
    }
    let device = match std::env::var("WENGERT_DEVICE") {
        Ok(name) if !name.is_empty() => {
            Device::named(&name).map_err(|e| Error::new(format!("WENGERT_DEVICE: {}", e.message()), None))?
        }
        Ok(_) | Err(_) => Device::cpu(),
    };
    Ok(slot.insert(device).clone())
}
