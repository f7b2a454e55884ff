//! What runs kernels.

pub mod reference;
#[cfg(feature = "wgpu")]
pub mod wgpu;
#[cfg(feature = "cuda")]
pub mod cuda;
