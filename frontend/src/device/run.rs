//! Programs that a device has loaded, called on tensors.

use super::resident::Resident;
use super::{At, Device};
use crate::error::Error;
use crate::tensor::Tensors;
use crate::tensor::{Repr, Tensor};
use wengert_gpu::{Executable, Memory};
use wengert_ir::kernel::Program;

/// A program on a device.
pub(crate) struct OnDevice {
    executable: Executable,
}

/// Loads a program that was lowered for a GPU; `None` if the device is the CPU.
pub(crate) fn load(device: &Device, program: &Program) -> Result<OnDevice, Error> {
    let At::Gpu(gpu) = &device.at else { unreachable!("the CPU compiles machine code") };
    Ok(OnDevice { executable: Executable::load(gpu, program).map_err(failed)? })
}

fn failed(e: wengert_gpu::Error) -> Error {
    let error = Error::new(e.to_string(), None);
    match e {
        wengert_gpu::Error::Raised(raised) => (*raised).into(),
        wengert_gpu::Error::Memory { .. } | wengert_gpu::Error::Steps => error.of_limit(),
        wengert_gpu::Error::Device(_) | wengert_gpu::Error::Refused(_) => error,
    }
}

/// Memory of an argument: its own, or a copy for this call.
enum Given<'t> {
    There(&'t Memory),
    Copied(Memory),
}

impl Given<'_> {
    fn memory(&self) -> &Memory {
        match self {
            Given::There(memory) => memory,
            Given::Copied(memory) => memory,
        }
    }
}

impl OnDevice {
    /// Runs it on concrete tensors of the parameters' types; those on the host are copied there. Results stay there.
    pub(crate) fn call(&self, args: &[&Tensor]) -> Result<Tensors, Error> {
        let device = self.executable.device();
        let mut given = Vec::with_capacity(args.len());
        for (k, t) in args.iter().enumerate() {
            given.push(match t.repr() {
                Repr::Resident(r) if r.memory().device() == device => Given::There(r.memory()),
                Repr::Resident(r) => {
                    let (here, there) = (r.device(), device.name());
                    return Err(Error::new(
                        format!("argument {k} is on {here}, the function runs on {there}: call `.to(&device)` on it first"),
                        None,
                    ));
                }
                Repr::Scalar { .. } | Repr::Dense(_) | Repr::Traced { .. } => {
                    Given::Copied(device.upload(t.bytes().expect("concrete")).map_err(failed)?)
                }
            });
        }
        let given: Vec<&Memory> = given.iter().map(Given::memory).collect();
        let results = self.executable.call(&given).map_err(failed)?;
        let types = &self.executable.program().results;
        Ok(results
            .into_iter()
            .zip(types)
            .map(|(memory, ty)| Tensor::resident(Resident::new(memory, ty.clone())))
            .collect())
    }

    /// Runs it on bytes.
    pub(crate) fn call_bytes(&self, args: &[&[u8]]) -> Result<Vec<Vec<u8>>, Error> {
        self.executable.call_bytes(args).map_err(failed)
    }

    /// What it runs.
    pub(crate) fn program(&self) -> &Program {
        self.executable.program()
    }
}
