//! What generated code calls and runs on: memory, stacks, threads, matrix products, routines without instructions.

pub(crate) mod buffer;
pub(crate) mod clock;
pub(crate) mod context;
pub(crate) mod data;
pub(crate) mod entry;
pub(crate) mod gemm;
pub(crate) mod pool;
pub(crate) mod reference;
pub(crate) mod small;
pub(crate) mod stacks;

pub use context::{Context, Status};

/// Runs a routine of the runtime so that a panic becomes a status: nothing may unwind into generated code.
pub(crate) fn guarded(f: impl FnOnce() -> Status) -> i32 {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).unwrap_or(Status::Panic) as i32
}
