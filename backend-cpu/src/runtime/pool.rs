//! Threads.

use super::context::Context;

/// Sets how many threads calls may use, the caller's included.
pub fn set_threads(_threads: usize) {}

/// How many threads calls may use.
pub fn threads() -> usize {
    1
}

/// A piece of a kernel: `(context, low, high, payload) -> status`.
pub(crate) type Piece = unsafe extern "C" fn(*mut Context, i64, i64, *const u64) -> i32;

/// Runs a piece function over `0..extent`; called by generated code.
///
/// # Safety
/// `piece` is generated code for this payload, and its pieces are independent.
pub(crate) unsafe extern "C" fn parallel(
    context: *mut Context,
    piece: Piece,
    extent: i64,
    _grain: i64,
    payload: *const u64,
) -> i32 {
    // SAFETY: the contract of this function.
    unsafe { piece(context, 0, extent, payload) }
}
