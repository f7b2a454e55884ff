//! Bytes that a caller gets together with a function that frees them.

use crate::error::Done;
use crate::handles::{self, objects};
use std::sync::Arc;

objects! { Blob as Backing = 7 "list of bytes"; }

/// What a caller holds of one, whatever the header calls it.
pub(crate) struct Backing;

/// The bytes.
struct Blob(#[allow(dead_code, reason = "callers read it")] Vec<u8>);

/// Where they lie, how many they are, and what [`delete`] is to be given once.
pub(crate) fn give<T>(bytes: Vec<u8>) -> Done<(*const u8, usize, *mut T)> {
    let (start, length) = (bytes.as_ptr(), bytes.len());
    Ok((start, length, handles::insert(Arc::new(Blob(bytes)))?.cast()))
}

/// Frees the bytes.
pub(crate) extern "C" fn delete<T>(backing: *mut T) {
    // What is no handle, or was deleted before, is left alone: there is nobody to tell.
    let _ = handles::destroy::<Blob>(backing.cast());
}
