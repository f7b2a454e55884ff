//! [`Bytes`]: 64-byte aligned memory for elements, kept for reuse.
//!
//! Fresh memory costs a page fault every 4 kB, ten times what writing it costs; a large buffer that is dropped
//! therefore waits in a list of the process, up to a limit, for the next one that fits it well.

use aligned_vec::{AVec, ConstAlign};
use std::ops::{Deref, DerefMut};
use std::sync::Mutex;

type Storage = AVec<u8, ConstAlign<64>>;

/// Buffers of at least this many bytes are kept; `malloc` is good at smaller ones.
const KEEP_FROM: usize = 32 << 10;
/// Most bytes that wait.
const KEEP_BYTES: usize = 2 << 30;
/// Most buffers that wait; the list is searched from its end.
const KEEP_COUNT: usize = 256;

static FREE: Mutex<Free> = Mutex::new(Free { buffers: Vec::new(), bytes: 0 });

struct Free {
    buffers: Vec<Storage>,
    bytes: usize,
}

/// Owned bytes, 64-byte aligned.
pub struct Bytes {
    storage: Storage,
}

impl Bytes {
    /// `len` bytes with any content: of a buffer that was dropped, or zeros.
    pub fn take(len: usize) -> Self {
        if len >= KEEP_FROM
            && let Some(storage) = reuse(len)
        {
            return Self { storage };
        }
        Self::fresh(len)
    }

    fn fresh(len: usize) -> Self {
        let mut storage = Storage::with_capacity(64, len);
        storage.resize(len, 0);
        Self { storage }
    }

    /// `len` zeros.
    pub fn zeroed(len: usize) -> Self {
        let mut bytes = Self::take(len);
        if len >= KEEP_FROM {
            bytes.fill(0);
        }
        bytes
    }

    /// No bytes, with room for `capacity`.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { storage: Storage::with_capacity(64, capacity) }
    }

    /// Appends bytes.
    pub fn extend_from_slice(&mut self, bytes: &[u8]) {
        self.storage.extend_from_slice(bytes);
    }

    /// Appends one byte.
    pub fn push(&mut self, byte: u8) {
        self.storage.push(byte);
    }

    /// A copy of `bytes`.
    pub fn from_slice(bytes: &[u8]) -> Self {
        if bytes.len() >= KEEP_FROM {
            let mut out = Self::take(bytes.len());
            out.copy_from_slice(bytes);
            return out;
        }
        Self { storage: Storage::from_slice(64, bytes) }
    }
}

/// The kept buffer that was dropped last among those at most a quarter too large.
fn reuse(len: usize) -> Option<Storage> {
    let mut free = FREE.lock().unwrap_or_else(|e| e.into_inner());
    let fits = |s: &Storage| s.capacity() >= len && s.capacity() - len <= len / 4;
    let at = free.buffers.iter().rposition(fits)?;
    let mut storage = free.buffers.remove(at);
    free.bytes -= storage.capacity();
    drop(free);
    storage.resize(len, 0);
    Some(storage)
}

impl Drop for Bytes {
    fn drop(&mut self) {
        if self.storage.capacity() < KEEP_FROM {
            return;
        }
        let storage = std::mem::replace(&mut self.storage, Storage::new(64));
        let mut free = FREE.lock().unwrap_or_else(|e| e.into_inner());
        if free.buffers.len() < KEEP_COUNT && free.bytes + storage.capacity() <= KEEP_BYTES {
            free.bytes += storage.capacity();
            free.buffers.push(storage);
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.storage
    }
}

impl DerefMut for Bytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.storage
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn large_buffers_come_back() {
        let mut a = Bytes::take(1_000_003);
        a[17] = 99;
        let at = a.as_ptr();
        drop(a);
        let b = Bytes::take(1_000_000);
        assert!(b.as_ptr() == at && b.len() == 1_000_000 && b.as_ptr().align_offset(64) == 0);
        drop(b);
        assert!(Bytes::zeroed(1_000_000).iter().all(|&b| b == 0));
    }
}
