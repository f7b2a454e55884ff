//! What runs kernels, and finding it.

#[cfg(feature = "cuda")]
pub mod cuda;
pub mod reference;
#[cfg(feature = "wgpu")]
pub mod wgpu;

use crate::device::{Device, Error};
use std::sync::Mutex;

/// Devices that are open: one is opened once.
static OPEN: Mutex<Vec<Device>> = Mutex::new(Vec::new());

/// The device of that name: `gpu:0` (NVIDIA), `wgpu:0` (Vulkan, Metal, Direct3D 12) or `reference`, the interpreter of PTX text.
///
/// # Errors
/// If there is none, in one line that says what to do.
pub fn open(name: &str) -> Result<Device, Error> {
    let mut open = OPEN.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(device) = open.iter().find(|d| d.name() == name) {
        return Ok(device.clone());
    }
    let number = |text: &str| {
        text.parse::<usize>().map_err(|_| Error::Device(format!("`{name}` is no device: a number is needed")))
    };
    let device = match name.split_once(':') {
        None if name == "reference" => reference::device().0,
        Some(("gpu", n)) => open_gpu(number(n)?)?,
        Some(("wgpu", n)) => open_wgpu(number(n)?)?,
        _ => return Err(Error::Device(format!("`{name}` is no device"))),
    };
    open.push(device.clone());
    Ok(device)
}

#[cfg(feature = "cuda")]
fn open_gpu(index: usize) -> Result<Device, Error> {
    cuda::open(index)
}

#[cfg(not(feature = "cuda"))]
fn open_gpu(index: usize) -> Result<Device, Error> {
    Err(Error::Device(format!("no device gpu:{index}: {NO_CUDA}")))
}

#[cfg(feature = "wgpu")]
fn open_wgpu(index: usize) -> Result<Device, Error> {
    wgpu::open(index)
}

#[cfg(not(feature = "wgpu"))]
fn open_wgpu(index: usize) -> Result<Device, Error> {
    Err(Error::Device(format!("no device wgpu:{index}: {NO_WGPU}")))
}

#[cfg(not(feature = "cuda"))]
const NO_CUDA: &str = "this build has no CUDA, build with `--features cuda`";
#[cfg(not(feature = "wgpu"))]
const NO_WGPU: &str = "this build has no WebGPU, build with `--features wgpu`";

/// The devices that there are with what they are, and the kinds of which there is none with why.
pub fn list() -> Vec<(String, Result<String, String>)> {
    let mut all = gpus();
    all.extend(adapters());
    all.push(("reference".into(), Ok("the interpreter of PTX text: slow, for checking".into())));
    all
}

#[cfg(feature = "cuda")]
fn gpus() -> Vec<(String, Result<String, String>)> {
    match cuda::list() {
        Ok(found) if found.is_empty() => vec![("gpu".into(), Err("NVIDIA's driver sees no GPU".into()))],
        Ok(found) => found.into_iter().enumerate().map(|(k, d)| (format!("gpu:{k}"), Ok(d))).collect(),
        Err(e) => vec![("gpu".into(), Err(e.to_string()))],
    }
}

#[cfg(not(feature = "cuda"))]
fn gpus() -> Vec<(String, Result<String, String>)> {
    vec![("gpu".into(), Err(NO_CUDA.into()))]
}

#[cfg(feature = "wgpu")]
fn adapters() -> Vec<(String, Result<String, String>)> {
    let found = wgpu::list();
    if found.is_empty() {
        return vec![("wgpu".into(), Err("no Vulkan, Metal or Direct3D 12 driver was found".into()))];
    }
    let described = |(k, found): (usize, wgpu::Found)| {
        let lacks = found.lacks.map_or(String::new(), |l| format!("; {l}"));
        (format!("wgpu:{k}"), Ok(found.description + &lacks))
    };
    found.into_iter().enumerate().map(described).collect()
}

#[cfg(not(feature = "wgpu"))]
fn adapters() -> Vec<(String, Result<String, String>)> {
    vec![("wgpu".into(), Err(NO_WGPU.into()))]
}
