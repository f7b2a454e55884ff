//! NVIDIA GPUs, through the driver's own interface, which is looked for when a device is asked for.
//!
//! Everything is done in the device's primary context, on its default stream, so commands are in order. None of this has been run
//! on hardware by those who wrote it (`docs/gpu.md` says what has been checked without).

#![allow(unsafe_code, reason = "the driver is a C library; every call says why it is sound")]

use crate::device::{Buffer, Code, Device, Driver, Error, Launch};
use crate::ptx;
use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys;
use std::collections::BTreeMap;
use std::ffi::{CString, c_void};
use wengert_ir::kernel::{KernelId, Program};

/// Compute capability that the text asks for: what `.target` says.
const LEAST: (i32, i32) = (7, 5);

/// Devices by number, or why there are none.
///
/// # Errors
/// If there is no driver, or it does not start.
pub fn list() -> Result<Vec<String>, Error> {
    let count = start()?;
    (0..count)
        .map(|k| {
            let device = result::device::get(k).map_err(|e| refused("cuDeviceGet", e))?;
            let (major, minor) = capability(device)?;
            let name = result::device::get_name(device).map_err(|e| refused("cuDeviceGetName", e))?;
            Ok(format!("{name} (compute capability {major}.{minor})"))
        })
        .collect()
}

/// Finds the driver and how many devices it has.
fn start() -> Result<i32, Error> {
    // SAFETY: looks for a library of that name and opens it; it is the system's driver.
    let present = unsafe { sys::is_culib_present() };
    if !present {
        return Err(Error::Device(
            "NVIDIA's driver (libcuda) was not found: install it, or run on `cpu`".into(),
        ));
    }
    result::init().map_err(|e| {
        let name = name_of(e);
        Error::Device(format!(
            "NVIDIA's driver does not start ({name}): is a GPU there, and does `nvidia-smi` see it?"
        ))
    })?;
    result::device::get_count().map_err(|e| refused("cuDeviceGetCount", e))
}

fn capability(device: sys::CUdevice) -> Result<(i32, i32), Error> {
    use sys::CUdevice_attribute_enum as A;
    let attribute = |which| {
        // SAFETY: the device was given by the driver.
        unsafe { result::device::get_attribute(device, which) }
            .map_err(|e| refused("cuDeviceGetAttribute", e))
    };
    Ok((
        attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
        attribute(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
    ))
}

fn name_of(e: DriverError) -> String {
    format!("{:?}", e.0)
}

fn refused(call: &str, e: DriverError) -> Error {
    Error::Device(format!("NVIDIA's driver: {call}: {}", name_of(e)))
}

/// Opens the device of that number.
///
/// # Errors
/// If there is no driver, no such device, or it is too old.
pub fn open(index: usize) -> Result<Device, Error> {
    let at = |e: Error| match e {
        Error::Device(why) => Error::Device(format!("no device gpu:{index}: {why}")),
        other => other,
    };
    let count = start().map_err(at)?;
    let Some(number) = i32::try_from(index).ok().filter(|&k| k < count) else {
        return Err(Error::Device(format!(
            "no device gpu:{index}: there are {count}, see `wengert devices`"
        )));
    };
    let device = result::device::get(number).map_err(|e| refused("cuDeviceGet", e))?;
    let (major, minor) = capability(device)?;
    if (major, minor) < LEAST {
        let (a, b) = LEAST;
        return Err(Error::Device(format!(
            "gpu:{index} has compute capability {major}.{minor}, kernels need {a}.{b}: run on `cpu` or `wgpu`"
        )));
    }
    let description = result::device::get_name(device).map_err(|e| refused("cuDeviceGetName", e))?;
    // SAFETY: the device was given by the driver; the driver is released when it is dropped.
    let context =
        unsafe { result::primary_ctx::retain(device) }.map_err(|e| refused("cuDevicePrimaryCtxRetain", e))?;
    let name = format!("gpu:{index}");
    let driver = Cuda { name: name.clone(), device, context, sizes: BTreeMap::new(), programs: Vec::new() };
    Ok(Device::new(&name, &description, Box::new(driver)))
}

struct Cuda {
    name: String,
    device: sys::CUdevice,
    context: sys::CUcontext,
    /// Bytes of each buffer, by address.
    sizes: BTreeMap<u64, usize>,
    programs: Vec<Option<Loaded>>,
}

struct Loaded {
    module: sys::CUmodule,
    functions: Vec<(KernelId, sys::CUfunction)>,
}

// SAFETY: handles of the driver may be used on any thread where the context is current, which every method makes so; a
// device's lock lets one thread in at a time.
unsafe impl Send for Cuda {}

impl Drop for Cuda {
    fn drop(&mut self) {
        if self.enter().is_err() {
            return;
        }
        for k in 0..self.programs.len() {
            self.unload(Code(k as u32));
        }
        let buffers: Vec<u64> = self.sizes.keys().copied().collect();
        buffers.into_iter().for_each(|b| self.free(Buffer(b)));
        // SAFETY: retained when the driver was opened, and released once.
        let _ = unsafe { result::primary_ctx::release(self.device) };
    }
}

impl Cuda {
    /// Makes the context that of this thread.
    fn enter(&self) -> Result<(), Error> {
        // SAFETY: the context is retained as long as `self` lives.
        unsafe { result::ctx::set_current(self.context) }.map_err(|e| self.failed("cuCtxSetCurrent", e))
    }

    fn failed(&self, call: &str, e: DriverError) -> Error {
        use sys::cudaError_enum as E;
        let name = &self.name;
        let what = match e.0 {
            E::CUDA_ERROR_OUT_OF_MEMORY => return Error::Memory { device: name.clone(), bytes: 0 },
            E::CUDA_ERROR_LAUNCH_TIMEOUT => {
                "a kernel ran longer than the display's driver allows: use a device without a display, or smaller arrays"
            }
            E::CUDA_ERROR_ILLEGAL_ADDRESS | E::CUDA_ERROR_MISALIGNED_ADDRESS => {
                "a kernel left its memory (this is a bug of ours); open the device in a new process"
            }
            E::CUDA_ERROR_NO_BINARY_FOR_GPU
            | E::CUDA_ERROR_INVALID_PTX
            | E::CUDA_ERROR_UNSUPPORTED_PTX_VERSION => "the driver does not take our PTX: update it",
            _ => "the device or its driver failed; its tensors are lost, `cpu` keeps working",
        };
        Error::Device(format!("{name}: {call}: {} ({what})", name_of(e)))
    }

    /// Panics where a driver is asked for what it does not have: [`Device`] does not.
    fn range(&self, buffer: Buffer, offset: usize, bytes: usize) -> u64 {
        let size = self.sizes.get(&buffer.0).copied().unwrap_or(0);
        assert!(offset.checked_add(bytes).is_some_and(|end| end <= size), "{offset}+{bytes} of {size} bytes");
        buffer.0 + offset as u64
    }
}

impl Driver for Cuda {
    fn allocate(&mut self, bytes: usize) -> Result<Buffer, Error> {
        self.enter()?;
        // SAFETY: memory of bytes, which have no invalid values; nobody reads them before they are written.
        let address =
            unsafe { result::malloc_sync(bytes) }.map_err(|e| match self.failed("cuMemAlloc", e) {
                Error::Memory { device, .. } => Error::Memory { device, bytes },
                other => other,
            })?;
        self.sizes.insert(address, bytes);
        Ok(Buffer(address))
    }

    fn free(&mut self, buffer: Buffer) {
        if self.sizes.remove(&buffer.0).is_some() && self.enter().is_ok() {
            // SAFETY: allocated by us and not freed before; freeing waits for what uses it.
            let _ = unsafe { result::free_sync(buffer.0) };
        }
    }

    fn write(&mut self, buffer: Buffer, offset: usize, bytes: &[u8]) -> Result<(), Error> {
        self.enter()?;
        let to = self.range(buffer, offset, bytes.len());
        // SAFETY: as many bytes of a buffer of ours (checked above).
        unsafe { result::memcpy_htod_sync(to, bytes) }.map_err(|e| self.failed("cuMemcpyHtoD", e))
    }

    fn read(&mut self, buffer: Buffer, offset: usize, bytes: &mut [u8]) -> Result<(), Error> {
        self.enter()?;
        let from = self.range(buffer, offset, bytes.len());
        // SAFETY: as many bytes of a buffer of ours (checked above); the call waits for launches before it.
        unsafe { result::memcpy_dtoh_sync(bytes, from) }.map_err(|e| self.failed("cuMemcpyDtoH", e))
    }

    fn copy(&mut self, from: Buffer, to: Buffer, bytes: usize) -> Result<(), Error> {
        self.enter()?;
        let (from, to) = (self.range(from, 0, bytes), self.range(to, 0, bytes));
        // SAFETY: as many bytes of two buffers of ours (checked above).
        unsafe { result::memcpy_dtod_sync(to, from, bytes) }.map_err(|e| self.failed("cuMemcpyDtoD", e))
    }

    fn load(&mut self, program: &Program) -> Result<Code, Error> {
        self.enter()?;
        let text = ptx::module(program).map_err(Error::Refused)?;
        let image = CString::new(text.text).expect("PTX has no zeros");
        // SAFETY: a string that ends with a zero, which is what the driver takes for PTX.
        let module = unsafe { result::module::load_data(image.as_ptr().cast::<c_void>()) }
            .map_err(|e| self.failed("cuModuleLoadData", e))?;
        let mut loaded = Loaded { module, functions: Vec::new() };
        for entry in text.entries {
            let name = CString::new(entry.name).expect("names have no zeros");
            // SAFETY: the module was loaded above and is not unloaded before `unload`.
            let function = unsafe { result::module::get_function(module, name) }
                .map_err(|e| self.failed("cuModuleGetFunction", e))?;
            loaded.functions.push((entry.kernel, function));
        }
        self.programs.push(Some(loaded));
        Ok(Code(self.programs.len() as u32 - 1))
    }

    fn unload(&mut self, code: Code) {
        let loaded = self.programs.get_mut(code.0 as usize).and_then(Option::take);
        if let Some(loaded) = loaded
            && self.wait().is_ok()
        {
            // SAFETY: loaded by us and unloaded once; nothing of it runs any more.
            let _ = unsafe { result::module::unload(loaded.module) };
        }
    }

    fn launch(&mut self, code: Code, launch: &Launch) -> Result<(), Error> {
        self.enter()?;
        let loaded = self.programs[code.0 as usize].as_ref().expect("loaded");
        let found = loaded.functions.iter().find(|f| f.0 == launch.kernel);
        let function = found.expect("what is launched was loaded").1;
        let mut words: Vec<u64> =
            launch.mems.iter().map(|&(buffer, offset)| self.range(buffer, offset, 0)).collect();
        words.extend(&launch.scalars);
        let mut params: Vec<*mut c_void> = words.iter_mut().map(|w| std::ptr::from_mut(w).cast()).collect();
        let [x, y, z] = launch.grid.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        let [i, j, k] = launch.block;
        // SAFETY: the function takes one word, or its low bytes, for each of these (`ptx::print` declares them in this order),
        // and copies them before the call returns. Kernels are verified to stay in the memories that they are given, which
        // have the lengths of the program's types and live until the stream is done with them (`free` waits).
        unsafe { result::launch_kernel(function, (x, y, z), (i, j, k), 0, std::ptr::null_mut(), &mut params) }
            .map_err(|e| self.failed("cuLaunchKernel", e))
    }

    fn wait(&mut self) -> Result<(), Error> {
        self.enter()?;
        result::ctx::synchronize().map_err(|e| self.failed("cuCtxSynchronize", e))
    }
}
