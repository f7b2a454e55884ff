//! [`Bytes`]: 64-byte aligned memory for elements, kept for reuse.
//!
//! Fresh memory costs a page fault every 4 kB, ten times what writing it costs; a large buffer that is dropped
//! therefore waits in a list of the process, up to a limit, for the next one that fits it well, and a small one, for which
//! `malloc` would search, in a list of its thread. Very large ones are asked of the system in huge pages: programs that walk
//! through matrices by columns spend their time looking up small ones.

use aligned_vec::{AVec, ConstAlign};
use memmap2::MmapMut;
use std::cell::RefCell;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Mutex;

/// Alignment of the first byte.
pub const ALIGN: usize = 64;
/// Buffers of at least this many bytes wait in the list of the process.
const SHARED_FROM: usize = 32 << 10;
/// Most bytes that wait there.
const KEEP_BYTES: usize = 2 << 30;
/// Most buffers that wait there; the list is searched from its end.
const KEEP_COUNT: usize = 256;
/// Most small buffers that wait in the list of a thread.
const KEEP_SMALL: usize = 16;
/// Buffers of at least this many bytes are mapped, in huge pages where the system has them.
const MAPPED_FROM: usize = 4 << 20;

static FREE: Mutex<Free> = Mutex::new(Free { buffers: Vec::new(), bytes: 0 });

thread_local! {
    static SMALL: RefCell<Vec<Storage>> = const { RefCell::new(Vec::new()) };
}

struct Free {
    buffers: Vec<Storage>,
    bytes: usize,
}

/// Memory of the allocator, or the first bytes of memory of the system.
enum Storage {
    Allocated(AVec<u8, ConstAlign<ALIGN>>),
    Mapped(MmapMut, usize),
}

impl Storage {
    /// `len` zeros, or `None` if the machine has no more memory.
    fn fresh(len: usize) -> Option<Self> {
        if len >= MAPPED_FROM {
            let map = MmapMut::map_anon(len).ok()?;
            // Without huge pages it is only slower.
            #[cfg(target_os = "linux")]
            let _ = map.advise(memmap2::Advice::HugePage);
            return Some(Self::Mapped(map, len));
        }
        let mut bytes = AVec::new(ALIGN);
        bytes.try_reserve_exact(len).ok()?;
        bytes.resize(len, 0);
        Some(Self::Allocated(bytes))
    }

    fn capacity(&self) -> usize {
        match self {
            Self::Allocated(bytes) => bytes.capacity(),
            Self::Mapped(map, _) => map.len(),
        }
    }

    /// The same memory for `len` bytes, which fit.
    fn resized(mut self, len: usize) -> Self {
        match &mut self {
            Self::Allocated(bytes) => bytes.resize(len, 0),
            Self::Mapped(_, used) => *used = len,
        }
        self
    }
}

/// Owned bytes, 64-byte aligned.
pub struct Bytes {
    /// There until it is dropped.
    storage: Option<Storage>,
}

impl Bytes {
    /// `len` bytes with any content: of a buffer that was dropped, or zeros. Panics if there is no memory.
    pub fn take(len: usize) -> Self {
        Self::try_take(len).unwrap_or_else(|| panic!("no memory for {len} bytes"))
    }

    /// The same, or `None` if the machine has no more memory.
    pub fn try_take(len: usize) -> Option<Self> {
        let kept = if len >= SHARED_FROM { reuse(len) } else { reuse_small(len) };
        let storage = match kept {
            Some(storage) => storage.resized(len),
            None => Storage::fresh(len)?,
        };
        Some(Self { storage: Some(storage) })
    }

    /// Whether the machine has memory for `len` bytes; what is small counts as available. Nothing is taken.
    pub fn is_available(len: usize) -> bool {
        len < MAPPED_FROM || len <= isize::MAX as usize && MmapMut::map_anon(len).is_ok()
    }

    /// `len` zeros.
    pub fn zeroed(len: usize) -> Self {
        let mut bytes = Self::take(len);
        bytes.fill(0);
        bytes
    }

    /// No bytes, with room for `capacity`.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { storage: Some(Storage::Allocated(AVec::with_capacity(ALIGN, capacity))) }
    }

    /// Appends bytes.
    pub fn extend_from_slice(&mut self, bytes: &[u8]) {
        self.growing().extend_from_slice(bytes);
    }

    /// Appends one byte.
    pub fn push(&mut self, byte: u8) {
        self.growing().push(byte);
    }

    /// The bytes as what can grow: mapped ones are copied once.
    fn growing(&mut self) -> &mut AVec<u8, ConstAlign<ALIGN>> {
        if let Some(Storage::Mapped(..)) = self.storage {
            self.storage = Some(Storage::Allocated(AVec::from_slice(ALIGN, self)));
        }
        match &mut self.storage {
            Some(Storage::Allocated(bytes)) => bytes,
            Some(Storage::Mapped(..)) | None => unreachable!("just replaced"),
        }
    }

    /// A copy of `bytes`.
    pub fn from_slice(bytes: &[u8]) -> Self {
        let mut out = Self::take(bytes.len());
        out.copy_from_slice(bytes);
        out
    }
}

/// The kept buffer that was dropped last among those at most a quarter too large.
fn reuse(len: usize) -> Option<Storage> {
    let mut free = FREE.lock().unwrap_or_else(|e| e.into_inner());
    let fits = |s: &Storage| s.capacity() >= len && s.capacity() - len <= len / 4;
    let at = free.buffers.iter().rposition(fits)?;
    let storage = free.buffers.remove(at);
    free.bytes -= storage.capacity();
    Some(storage)
}

/// The small kept buffer that was dropped last among those not much too large.
fn reuse_small(len: usize) -> Option<Storage> {
    let fits = |s: &Storage| s.capacity() >= len && s.capacity() <= 2 * len + 2 * ALIGN;
    let take = |kept: &RefCell<Vec<Storage>>| {
        let mut kept = kept.borrow_mut();
        let at = kept.iter().rposition(fits)?;
        Some(kept.swap_remove(at))
    };
    // A thread that ends has no list any more.
    SMALL.try_with(take).ok().flatten()
}

impl Drop for Bytes {
    fn drop(&mut self) {
        let Some(storage) = self.storage.take() else { return };
        let capacity = storage.capacity();
        if capacity >= SHARED_FROM {
            let mut free = FREE.lock().unwrap_or_else(|e| e.into_inner());
            if free.buffers.len() < KEEP_COUNT && free.bytes + capacity <= KEEP_BYTES {
                free.bytes += capacity;
                free.buffers.push(storage);
            }
        } else if capacity > 0 {
            let _ = SMALL.try_with(|kept| {
                let mut kept = kept.borrow_mut();
                if kept.len() < KEEP_SMALL {
                    kept.push(storage);
                }
            });
        }
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

impl Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match &self.storage {
            Some(Storage::Allocated(bytes)) => bytes,
            Some(Storage::Mapped(map, len)) => &map[..*len],
            None => &[],
        }
    }
}

impl DerefMut for Bytes {
    fn deref_mut(&mut self) -> &mut [u8] {
        match &mut self.storage {
            Some(Storage::Allocated(bytes)) => bytes,
            Some(Storage::Mapped(map, len)) => &mut map[..*len],
            None => &mut [],
        }
    }
}
