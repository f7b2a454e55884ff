//! The elements of a tensor that live on a device; read once they are asked for.

use super::Device;
use wengert_ir::array::Array;
use wengert_ir::types::TensorType;

#[cfg(feature = "gpu")]
pub(crate) use there::Resident;

/// Nothing: this build has no devices but the CPU.
#[cfg(not(feature = "gpu"))]
#[derive(Clone)]
pub(crate) enum Resident {}

#[cfg(not(feature = "gpu"))]
impl Resident {
    pub(crate) fn ty(&self) -> &TensorType {
        match *self {}
    }
    pub(crate) fn array(&self) -> &Array {
        match *self {}
    }
    pub(crate) fn is_same(&self, _: &Self) -> bool {
        match *self {}
    }
    pub(crate) fn device(&self) -> Device {
        match *self {}
    }
}

#[cfg(feature = "gpu")]
mod there {
    use super::{Array, Device, TensorType};
    use crate::device::At;
    use crate::error::{Error, fail};
    use std::sync::{Arc, OnceLock};
    use wengert_gpu::Memory;

    /// Memory of a device. A cheap handle.
    #[derive(Clone)]
    pub(crate) struct Resident(Arc<Inner>);

    struct Inner {
        memory: Memory,
        ty: TensorType,
        /// The same on the host, once somebody has read it.
        host: OnceLock<Array>,
    }

    impl Resident {
        pub(crate) fn new(memory: Memory, ty: TensorType) -> Self {
            Self(Arc::new(Inner { memory, ty, host: OnceLock::new() }))
        }

        /// The same with its elements on the host.
        pub(crate) fn known(memory: Memory, array: Array) -> Self {
            let ty = array.ty().clone();
            Self(Arc::new(Inner { memory, ty, host: OnceLock::from(array) }))
        }

        pub(crate) fn memory(&self) -> &Memory {
            &self.0.memory
        }

        pub(crate) fn ty(&self) -> &TensorType {
            &self.0.ty
        }

        /// Reads it; fails if the device is lost.
        pub(crate) fn array(&self) -> &Array {
            self.0.host.get_or_init(|| {
                let mut array = Array::zeros(self.0.ty.clone());
                match self.0.memory.read(array.bytes_mut()) {
                    Ok(()) => array,
                    Err(e) => fail(Error::new(e.to_string(), None)),
                }
            })
        }

        pub(crate) fn is_same(&self, other: &Self) -> bool {
            Arc::ptr_eq(&self.0, &other.0)
        }

        pub(crate) fn device(&self) -> Device {
            Device { at: At::Gpu(self.0.memory.device().clone()) }
        }
    }
}
