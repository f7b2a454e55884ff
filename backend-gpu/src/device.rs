//! Devices: what a driver must do, memory that lives on a device, and what is counted.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use wengert_ir::kernel::{KernelId, Program};
use wengert_ir::rules::Raised;

/// What went wrong on a device.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// There is no device, or it cannot do what is asked; the message says what to do.
    Device(String),
    /// It has no room for so many bytes.
    Memory {
        /// Which device.
        device: String,
        /// How many.
        bytes: usize,
    },
    /// The program has something that the device does not run, and why.
    Refused(String),
    /// The program took more steps than allowed.
    Steps,
    /// The program stopped itself: an assertion, a check, or a function of the host that failed.
    Raised(Box<Raised>),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Device(message) => f.write_str(message),
            Error::Memory { device, bytes } => {
                write!(f, "{device} has no room for {bytes} bytes: free tensors there, or run on `cpu`")
            }
            Error::Refused(why) => f.write_str(why),
            Error::Steps => f.write_str("stopped: more steps than allowed (--max-steps)"),
            Error::Raised(raised) => raised.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

/// A buffer of a driver, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Buffer(pub u64);

/// Kernels of a program that a driver has loaded, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Code(pub u32);

/// A launch of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Launch {
    /// Which.
    pub kernel: KernelId,
    /// Blocks along x, y and z, none of them zero.
    pub grid: [u64; 3],
    /// Threads of a block along x, y and z.
    pub block: [u32; 3],
    /// For each of its memory parameters: a buffer, and where it begins there in bytes.
    pub mems: Vec<(Buffer, usize)>,
    /// Its scalar parameters.
    pub scalars: Vec<u64>,
}

/// What runs kernels. Commands are done in the order in which they are given; those that give something wait for it.
///
/// Who calls keeps to buffers and kernels of this driver and to bytes that they have: a [`Device`] does.
pub trait Driver: Send {
    /// A new buffer of undefined bytes. Sizes are multiples of 16.
    ///
    /// # Errors
    /// If there is no room.
    fn allocate(&mut self, bytes: usize) -> Result<Buffer, Error>;
    /// Frees a buffer, when what was launched before is done with it.
    fn free(&mut self, buffer: Buffer);
    /// Copies bytes to the device.
    ///
    /// # Errors
    /// If the device is lost.
    fn write(&mut self, buffer: Buffer, offset: usize, bytes: &[u8]) -> Result<(), Error>;
    /// Copies bytes from the device.
    ///
    /// # Errors
    /// If the device is lost, or something that was launched failed.
    fn read(&mut self, buffer: Buffer, offset: usize, bytes: &mut [u8]) -> Result<(), Error>;
    /// Copies so many bytes from one buffer to the beginning of another.
    ///
    /// # Errors
    /// If the device is lost.
    fn copy(&mut self, from: Buffer, to: Buffer, bytes: usize) -> Result<(), Error>;
    /// Prints and loads the kernels that a program launches.
    ///
    /// # Errors
    /// If the device does not take one of them, and why.
    fn load(&mut self, program: &Program) -> Result<Code, Error>;
    /// Forgets kernels.
    fn unload(&mut self, code: Code);
    /// Runs a kernel.
    ///
    /// # Errors
    /// If the device is lost, or refuses it.
    fn launch(&mut self, code: Code, launch: &Launch) -> Result<(), Error>;
    /// Waits for all that was launched.
    ///
    /// # Errors
    /// If some of it failed.
    fn wait(&mut self) -> Result<(), Error>;
}

/// What a device has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Launches of kernels.
    pub launches: u64,
    /// Copies of tensors to the device, and their bytes.
    pub copies_in: u64,
    /// Bytes of those.
    pub bytes_in: u64,
    /// Copies of tensors from the device.
    pub copies_out: u64,
    /// Bytes of those.
    pub bytes_out: u64,
    /// Elements that the host's part of a program read, each of which waits for the device.
    pub read_backs: u64,
    /// Elements that it wrote.
    pub writes: u64,
    /// Operations that ran on the host, with copies there and back.
    pub on_host: u64,
    /// Buffers that were asked of the driver; what the pool gives again is not counted.
    pub allocations: u64,
}

/// A device. A cheap handle: clones are the same device.
#[derive(Clone)]
pub struct Device {
    inner: Arc<Inner>,
}

struct Inner {
    /// As users write it: `gpu:0`.
    name: String,
    /// What the driver calls it.
    description: String,
    state: Mutex<State>,
}

pub(crate) struct State {
    pub(crate) driver: Box<dyn Driver>,
    pub(crate) counts: Counts,
    /// Buffers that nobody has, by size.
    free: BTreeMap<usize, Vec<Buffer>>,
    /// Bytes of those.
    kept: usize,
}

/// Bytes of unused buffers that a device keeps at most.
const MOST_KEPT: usize = 1 << 30;

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({}: {})", self.inner.name, self.inner.description)
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}
impl Eq for Device {}

impl Device {
    /// A device that this driver drives.
    pub fn new(name: &str, description: &str, driver: Box<dyn Driver>) -> Self {
        let state = State { driver, counts: Counts::default(), free: BTreeMap::new(), kept: 0 };
        let (name, description) = (name.to_owned(), description.to_owned());
        Self { inner: Arc::new(Inner { name, description, state: Mutex::new(state) }) }
    }

    /// Its name, `gpu:0`.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// What the driver says of it.
    pub fn description(&self) -> &str {
        &self.inner.description
    }

    /// What it has done since it was opened.
    pub fn counts(&self) -> Counts {
        self.state().counts
    }

    /// Waits for all that was launched.
    ///
    /// # Errors
    /// If some of it failed.
    pub fn wait(&self) -> Result<(), Error> {
        self.state().driver.wait()
    }

    /// Copies bytes to the device.
    ///
    /// # Errors
    /// If there is no room, or the device is lost.
    pub fn upload(&self, bytes: &[u8]) -> Result<Memory, Error> {
        let memory = self.allocate(bytes.len())?;
        let mut state = self.state();
        state.counts.copies_in += 1;
        state.counts.bytes_in += bytes.len() as u64;
        state.driver.write(memory.buffer, 0, bytes)?;
        drop(state);
        Ok(memory)
    }

    /// Memory of undefined bytes.
    ///
    /// # Errors
    /// If there is no room.
    pub fn allocate(&self, bytes: usize) -> Result<Memory, Error> {
        let size = bytes.max(1).next_multiple_of(256);
        let mut state = self.state();
        let pooled = state.free.get_mut(&size).and_then(Vec::pop);
        let buffer = match pooled {
            Some(buffer) => {
                state.kept -= size;
                buffer
            }
            None => {
                state.counts.allocations += 1;
                match state.driver.allocate(size) {
                    Ok(buffer) => buffer,
                    Err(_) if state.kept > 0 => {
                        state.give_back();
                        state.driver.allocate(size).map_err(|e| self.named(e))?
                    }
                    Err(e) => return Err(self.named(e)),
                }
            }
        };
        drop(state);
        Ok(Memory { device: self.clone(), buffer, bytes, size })
    }

    fn named(&self, error: Error) -> Error {
        match error {
            Error::Memory { bytes, .. } => Error::Memory { device: self.name().to_owned(), bytes },
            other => other,
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // A driver that panicked has not half done anything that others rely on.
        self.inner.state.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl State {
    /// Frees what the pool keeps.
    fn give_back(&mut self) {
        for buffer in std::mem::take(&mut self.free).into_values().flatten() {
            self.driver.free(buffer);
        }
        self.kept = 0;
    }
}

/// Memory on a device; it goes back to the device's pool when it is dropped.
pub struct Memory {
    device: Device,
    pub(crate) buffer: Buffer,
    bytes: usize,
    size: usize,
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes on {}", self.bytes, self.device.name())
    }
}

impl Memory {
    /// Where it is.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// How many bytes.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// Copies it to the host.
    ///
    /// # Errors
    /// If the device is lost, or something that was launched failed.
    ///
    /// # Panics
    /// If `out` has another length.
    pub fn read(&self, out: &mut [u8]) -> Result<(), Error> {
        assert_eq!(out.len(), self.bytes, "bytes of memory on a device");
        let mut state = self.device.state();
        state.counts.copies_out += 1;
        state.counts.bytes_out += out.len() as u64;
        if out.is_empty() { Ok(()) } else { state.driver.read(self.buffer, 0, out) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let mut state = self.device.state();
        if state.kept + self.size > MOST_KEPT {
            state.driver.free(self.buffer);
        } else {
            state.kept += self.size;
            let (size, buffer) = (self.size, self.buffer);
            state.free.entry(size).or_default().push(buffer);
        }
    }
}
