//! Buffers that are kept for reuse: fresh memory costs a page fault every 4 kB, a kept buffer nothing.
//!
//! Buffers are 64-byte aligned. Free ones wait in a list of the thread (small ones) or of the process (large ones), up
//! to a limit; their content is whatever was there. Very large ones are asked of the system in huge pages: programs that
//! walk through matrices by columns spend their time looking up small ones.

use memmap2::MmapMut;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::cell::RefCell;
use std::ptr::NonNull;
use std::sync::Mutex;

/// Alignment of every buffer.
pub const ALIGN: usize = 64;
/// Buffers of at least this many bytes wait in the list of the process.
const LARGE: usize = 1 << 20;
/// Buffers of at least this many bytes are mapped, in huge pages where the system has them.
const HUGE: usize = 4 << 20;
/// Most bytes that wait in the list of the process.
const KEPT: usize = 4 << 30;
/// Most small buffers that wait in the list of one thread.
const KEPT_SMALL: usize = 16;

/// Owned bytes, 64-byte aligned and initialised.
#[derive(Debug)]
pub struct Buffer {
    bytes: NonNull<u8>,
    capacity: usize,
    /// What the bytes are part of, if they are not the allocator's.
    mapped: Option<MmapMut>,
}

// SAFETY: a buffer owns its bytes, like a `Vec<u8>`.
unsafe impl Send for Buffer {}
// SAFETY: shared access only reads.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// A buffer of at least `len` bytes with any content, or `None` if the machine has no more memory.
    pub fn take(len: usize) -> Option<Buffer> {
        if len >= LARGE {
            let mut kept = LARGE_FREE.lock().unwrap_or_else(|e| e.into_inner());
            if let Some(buffer) = fitting(&mut kept, len) {
                return Some(buffer);
            }
        } else if let Ok(Some(buffer)) = SMALL_FREE.try_with(|kept| fitting(&mut kept.borrow_mut(), len)) {
            return Some(buffer);
        }
        Self::fresh(len)
    }

    fn fresh(len: usize) -> Option<Buffer> {
        let capacity = len.checked_next_multiple_of(ALIGN)?.max(ALIGN);
        if capacity >= HUGE {
            return Self::mapped(capacity);
        }
        let layout = Layout::from_size_align(capacity, ALIGN).ok()?;
        // SAFETY: the layout has a size of at least 64.
        let bytes = NonNull::new(unsafe { alloc_zeroed(layout) })?;
        Some(Buffer { bytes, capacity, mapped: None })
    }

    /// Memory of the system, zeros that nobody has touched. Pages are aligned to more than [`ALIGN`].
    fn mapped(capacity: usize) -> Option<Buffer> {
        let mut map = MmapMut::map_anon(capacity).ok()?;
        // Without huge pages it is only slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        let bytes = NonNull::new(map.as_mut_ptr())?;
        Some(Buffer { bytes, capacity, mapped: Some(map) })
    }

    /// How many bytes it has.
    pub fn capacity(&self) -> usize {
        self.capacity
    }

    /// The first byte.
    pub fn as_ptr(&self) -> *const u8 {
        self.bytes.as_ptr()
    }

    /// The first byte.
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.bytes.as_ptr()
    }

    /// All bytes.
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: the allocation has this many initialised bytes and lives as long as `self`.
        unsafe { std::slice::from_raw_parts(self.bytes.as_ptr(), self.capacity) }
    }

    /// All bytes.
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as in `as_slice`, and `self` is borrowed for writing.
        unsafe { std::slice::from_raw_parts_mut(self.bytes.as_ptr(), self.capacity) }
    }

    fn free(&mut self) {
        if self.mapped.take().is_some() {
            return;
        }
        let layout = Layout::from_size_align(self.capacity, ALIGN).expect("the layout it was allocated with");
        // SAFETY: allocated in `fresh` with this layout, and freed once: by the one owner that is going.
        unsafe { dealloc(self.bytes.as_ptr(), layout) }
    }
}

/// Keeps the memory for the next buffer.
impl Drop for Buffer {
    fn drop(&mut self) {
        let copy = Buffer { bytes: self.bytes, capacity: self.capacity, mapped: self.mapped.take() };
        let refused = if self.capacity >= LARGE {
            let mut kept = LARGE_FREE.lock().unwrap_or_else(|e| e.into_inner());
            let total: usize = kept.iter().map(|b| b.capacity).sum();
            if total + self.capacity <= KEPT {
                kept.push(copy);
                None
            } else {
                Some(copy)
            }
        } else {
            let mut copy = Some(copy);
            let _ = SMALL_FREE.try_with(|kept| {
                let mut kept = kept.borrow_mut();
                if kept.len() < KEPT_SMALL {
                    kept.extend(copy.take());
                }
            });
            copy
        };
        if let Some(buffer) = refused {
            std::mem::ManuallyDrop::new(buffer).free();
        }
    }
}

static LARGE_FREE: Mutex<Vec<Buffer>> = Mutex::new(Vec::new());

thread_local! {
    static SMALL_FREE: RefCell<Small> = const { RefCell::new(Small(Vec::new())) };
}

/// The small buffers of a thread; freed for good when it ends.
struct Small(Vec<Buffer>);

impl std::ops::Deref for Small {
    type Target = Vec<Buffer>;
    fn deref(&self) -> &Vec<Buffer> {
        &self.0
    }
}

impl std::ops::DerefMut for Small {
    fn deref_mut(&mut self) -> &mut Vec<Buffer> {
        &mut self.0
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        release(&mut self.0);
    }
}

fn release(kept: &mut Vec<Buffer>) {
    for buffer in kept.drain(..) {
        std::mem::ManuallyDrop::new(buffer).free();
    }
}

/// The smallest kept buffer that is large enough and not more than twice as large.
fn fitting(kept: &mut Vec<Buffer>, len: usize) -> Option<Buffer> {
    let most = len.saturating_mul(2).max(4096);
    let (at, _) = kept
        .iter()
        .enumerate()
        .filter(|(_, b)| b.capacity >= len && b.capacity <= most)
        .min_by_key(|(_, b)| b.capacity)?;
    Some(kept.swap_remove(at))
}

/// Gives all waiting buffers of the process, and of this thread, back to the system.
pub fn trim() {
    release(&mut LARGE_FREE.lock().unwrap_or_else(|e| e.into_inner()));
    let _ = SMALL_FREE.try_with(|kept| release(&mut kept.borrow_mut()));
}
