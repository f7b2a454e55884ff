//! What generated code calls and runs on: memory, stacks, threads, matrix products, routines without instructions.

pub(crate) mod block;
pub(crate) mod buffer;
pub(crate) mod clock;
pub(crate) mod context;
pub(crate) mod data;
mod deep;
pub(crate) mod direct;
pub(crate) mod entry;
pub(crate) mod gemm;
pub(crate) mod panels;
pub(crate) mod pool;
pub(crate) mod product;
pub(crate) mod reference;
pub(crate) mod small;
pub(crate) mod stacks;
pub(crate) mod status;
pub(crate) mod thin;
mod vector;

pub use context::Context;
pub use status::Status;

/// Runs a routine of the runtime so that a panic becomes a status: nothing may unwind into generated code.
pub(crate) fn guarded(f: impl FnOnce() -> Status) -> i32 {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).unwrap_or(Status::Panic) as i32
}

/// Lets the allocator of the C library keep what is freed, up to some megabytes. The crates that multiply and factorize matrices take
/// and free 100 kB or more at every call; returned to the system each time, it costs a page fault per 4 kB at the next call:
/// measured, 84 µs in place of 19 for a product of 100 x 100 matrices. The GNU library raises its thresholds by itself to the
/// largest block that was ever mapped and freed (`M_MMAP_THRESHOLD` in mallopt(3)); no page of this one is touched. Elsewhere it
/// is nothing.
pub(crate) fn keep_freed_memory() {
    /// Below the 32 MB up to which the library does so.
    const KEPT: usize = 8 << 20;
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| drop(std::hint::black_box(Vec::<u8>::with_capacity(KEPT))));
}
