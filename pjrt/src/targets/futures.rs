//! Results of handlers that come later: a handler gives a future, and another thread of its own fulfils it.

use super::abi::Future;
use super::errors::Failed;
use std::sync::{Arc, Condvar, Mutex};

#[derive(Default)]
struct State {
    result: Mutex<Option<Result<(), Failed>>>,
    there: Condvar,
}

/// A future as handlers hold it: one who waits for it frees it.
pub(super) fn create() -> *mut Future {
    Arc::into_raw(Arc::new(State::default())).cast_mut().cast()
}

/// Fulfils a future.
///
/// # Safety
/// It is null, or comes of [`create`] and has not been fulfilled.
pub(super) unsafe fn fulfil(future: *mut Future, result: Result<(), Failed>) {
    if future.is_null() {
        return;
    }
    // SAFETY: who waits frees it no sooner than it is fulfilled, and from here on this thread holds it too.
    let state = unsafe {
        Arc::increment_strong_count(future.cast::<State>());
        Arc::from_raw(future.cast::<State>())
    };
    *state.result.lock().unwrap_or_else(|e| e.into_inner()) = Some(result);
    state.there.notify_all();
}

/// Waits until a future is fulfilled, and frees it.
///
/// # Safety
/// It is null, or comes of [`create`], and nobody else waits for it.
pub(super) unsafe fn wait(future: *mut Future) -> Result<(), Failed> {
    if future.is_null() {
        return Ok(());
    }
    // SAFETY: the contract of this function: this is the count that `create` gave away.
    let state = unsafe { Arc::from_raw(future.cast::<State>()) };
    let mut result = state.result.lock().unwrap_or_else(|e| e.into_inner());
    loop {
        match result.take() {
            Some(result) => return result,
            None => result = state.there.wait(result).unwrap_or_else(|e| e.into_inner()),
        }
    }
}
