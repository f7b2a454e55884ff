//! The GPU backend: kernel IR to PTX and to WGSL, and what runs them.
//!
//! Kernels are printed as text for a driver ([`ptx`]); the program around them runs on the host. What a GPU would be
//! given can be run without one: [`ptx::interp`] reads that text.

pub mod device;
pub mod drivers;
pub mod expand;
mod host;
pub mod launches;
pub mod ptx;
#[doc(hidden)]
pub mod testing;
pub mod wgsl;

pub use device::{Counts, Device, Error, Memory};
pub use host::Executable;
