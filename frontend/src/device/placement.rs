//! Where tensors live: which device operations on them run on, and how they get there.

#[cfg(feature = "gpu")]
use super::default_device;
#[cfg(feature = "gpu")]
use super::resident::Resident;
use super::{At, Device};
use crate::error::{Error, fail};
use crate::tensor::{Repr, Tensor};
use std::panic::Location;

/// The GPU that an operation on these runs on: where those are that are on one, or the default; `None` is the CPU.
///
/// Fails if they are on two.
#[cfg(feature = "gpu")]
pub(crate) fn of<'t>(operands: impl IntoIterator<Item = &'t Tensor>) -> Result<Option<Device>, Error> {
    let mut found: Option<Device> = None;
    for device in operands.into_iter().filter_map(resident_on) {
        match &found {
            Some(first) if *first != device => {
                return Err(Error::new(
                    format!(
                        "operands are on {first} and on {device}: call `.to(&device)` on one of them first"
                    ),
                    None,
                ));
            }
            None | Some(_) => found = Some(device),
        }
    }
    match found {
        Some(device) => Ok(Some(device)),
        None => Ok(Some(default_device()?).filter(|d| !d.is_cpu())),
    }
}

#[cfg(feature = "gpu")]
fn resident_on(t: &Tensor) -> Option<Device> {
    match t.repr() {
        Repr::Resident(r) => Some(r.device()),
        Repr::Scalar { .. } | Repr::Dense(_) | Repr::Traced { .. } => None,
    }
}

impl Tensor {
    /// The tensor on a device: what is computed with it then runs there, and stays there. Reading it ([`Self::to_vec`],
    /// [`Self::item`], printing it) copies.
    ///
    /// Fails if there is no room on the device, or if the tensor is traced: name the device of the function, by
    /// [`Jit::on`](crate::Jit::on).
    #[track_caller]
    pub fn to(&self, device: &Device) -> Tensor {
        let at = Location::caller();
        let Some(array) = self.array() else {
            let message =
                format!("`.to` of a tensor that is traced: call `jit(f).on(&device)` to run on {device}");
            fail(Error::new(message, Some(at)))
        };
        match &device.at {
            At::Cpu => Tensor::from_array(array),
            #[cfg(feature = "gpu")]
            At::Gpu(gpu) => {
                if resident_on(self).as_ref() == Some(device) {
                    return self.clone();
                }
                match gpu.upload(array.bytes()) {
                    Ok(memory) => Tensor::resident(Resident::known(memory, array)),
                    Err(e) => fail(Error::new(e.to_string(), Some(at))),
                }
            }
        }
    }

    /// Where the tensor lives; of a traced one, the CPU.
    pub fn device(&self) -> Device {
        match self.repr() {
            Repr::Resident(r) => r.device(),
            Repr::Scalar { .. } | Repr::Dense(_) | Repr::Traced { .. } => Device::cpu(),
        }
    }
}
