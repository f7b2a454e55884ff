//! The device that is always there: the interpreter of PTX text, run on the text that a driver would be given.

use crate::device::{Buffer, Code, Device, Driver, Error, Launch};
use crate::ptx;
use crate::ptx::interp::{Counts, Launch as Words, Memory, run};
use std::sync::{Arc, Mutex};
use wengert_ir::kernel::Program;

/// A device whose buffers are apart from each other, so that what leaves one is an error.
#[derive(Default)]
pub struct Reference {
    memory: Memory,
    programs: Vec<Option<(ptx::interp::Code, ptx::Module)>>,
    counts: Arc<Mutex<Counts>>,
    /// Instructions of one launch at most, if it is not [`MOST`].
    most: Option<u64>,
}

/// Instructions of one launch at most: a kernel that runs so long does not end.
const MOST: u64 = 1 << 36;

/// Opens such a device; what its kernels did is added up in what is given with it.
pub fn device() -> (Device, Arc<Mutex<Counts>>) {
    opened(Reference::default())
}

/// The same for kernels that may have been made to run without end: a launch of more instructions is an error.
pub fn device_within(most: u64) -> (Device, Arc<Mutex<Counts>>) {
    opened(Reference { most: Some(most), ..Reference::default() })
}

fn opened(driver: Reference) -> (Device, Arc<Mutex<Counts>>) {
    let counts = driver.counts.clone();
    (Device::new("reference", "the interpreter of PTX text", Box::new(driver)), counts)
}

impl Driver for Reference {
    fn allocate(&mut self, bytes: usize) -> Result<Buffer, Error> {
        Ok(Buffer(self.memory.allocate(bytes)))
    }

    fn free(&mut self, buffer: Buffer) {
        self.memory.free(buffer.0);
    }

    fn write(&mut self, buffer: Buffer, offset: usize, bytes: &[u8]) -> Result<(), Error> {
        let to = self.memory.bytes(buffer.0 + offset as u64, bytes.len()).map_err(Error::Device)?;
        to.copy_from_slice(bytes);
        Ok(())
    }

    fn read(&mut self, buffer: Buffer, offset: usize, bytes: &mut [u8]) -> Result<(), Error> {
        let from = self.memory.bytes(buffer.0 + offset as u64, bytes.len()).map_err(Error::Device)?;
        bytes.copy_from_slice(from);
        Ok(())
    }

    fn copy(&mut self, from: Buffer, to: Buffer, bytes: usize) -> Result<(), Error> {
        let copied = self.memory.bytes(from.0, bytes).map_err(Error::Device)?.to_vec();
        self.write(to, 0, &copied)
    }

    fn load(&mut self, program: &Program) -> Result<Code, Error> {
        let module = ptx::module(program).map_err(Error::Refused)?;
        let code = ptx::interp::Code::parse(&module.text).map_err(Error::Device)?;
        self.programs.push(Some((code, module)));
        Ok(Code(self.programs.len() as u32 - 1))
    }

    fn unload(&mut self, code: Code) {
        self.programs[code.0 as usize] = None;
    }

    fn launch(&mut self, code: Code, launch: &Launch) -> Result<(), Error> {
        let (code, module) = self.programs[code.0 as usize].as_ref().expect("loaded");
        let named = module.entries.iter().find(|e| e.kernel == launch.kernel);
        let entry = named.and_then(|e| code.entry(&e.name)).expect("what is launched was printed");
        let mut params: Vec<u64> = launch.mems.iter().map(|(b, offset)| b.0 + *offset as u64).collect();
        params.extend(&launch.scalars);
        let words = Words { grid: launch.grid, block: launch.block, params };
        let counts =
            run(entry, &mut self.memory, &words, self.most.unwrap_or(MOST)).map_err(Error::Device)?;
        let mut sum = self.counts.lock().unwrap_or_else(|e| e.into_inner());
        sum.threads += counts.threads;
        sum.instructions += counts.instructions;
        sum.read += counts.read;
        sum.written += counts.written;
        Ok(())
    }

    fn wait(&mut self) -> Result<(), Error> {
        Ok(())
    }
}
