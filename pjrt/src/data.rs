//! What buffers hold: bytes that are ours or a caller's, there now or once a program has run.

use crate::error::{Done, Failure};
use crate::event::Completion;
use std::ffi::c_void;
use std::ops::Deref;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use wengert_ir::array::Bytes;

/// Bytes of an array, in row-major order.
pub(crate) enum Data {
    /// Ours.
    Owned(Counted),
    /// A caller's, which we may read until this is dropped.
    Host(HostMemory),
    /// A caller's, who is told when this is dropped.
    View(ForeignView),
}

impl Data {
    pub(crate) fn owned(bytes: Bytes) -> Self {
        Data::Owned(Counted::new(bytes))
    }
}

impl Deref for Data {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Data::Owned(counted) => &counted.bytes,
            Data::Host(host) => host.memory.bytes(),
            Data::View(view) => view.memory.bytes(),
        }
    }
}

/// Memory that the plugin has taken, for statistics: bytes, their greatest number, the largest piece, and how many pieces ever.
pub(crate) static IN_USE: AtomicI64 = AtomicI64::new(0);
pub(crate) static PEAK: AtomicI64 = AtomicI64::new(0);
pub(crate) static LARGEST: AtomicI64 = AtomicI64::new(0);
pub(crate) static COUNT: AtomicI64 = AtomicI64::new(0);

/// Bytes that are counted as long as they are held.
pub(crate) struct Counted {
    bytes: Bytes,
    counted: i64,
}

impl Counted {
    fn new(bytes: Bytes) -> Self {
        let counted = bytes.len() as i64;
        let now = IN_USE.fetch_add(counted, Relaxed) + counted;
        PEAK.fetch_max(now, Relaxed);
        LARGEST.fetch_max(counted, Relaxed);
        COUNT.fetch_add(1, Relaxed);
        Self { bytes, counted }
    }

    /// The bytes, to be written.
    pub(crate) fn take(mut self) -> Bytes {
        std::mem::replace(&mut self.bytes, Bytes::with_capacity(0))
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        IN_USE.fetch_sub(self.counted, Relaxed);
    }
}

/// Memory of a caller.
struct Foreign {
    start: *const u8,
    length: usize,
}

// SAFETY: nobody writes there as long as we hold it, which its maker was promised.
unsafe impl Send for Foreign {}
// SAFETY: as above.
unsafe impl Sync for Foreign {}

impl Foreign {
    fn bytes(&self) -> &[u8] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: the contract of who made it.
        unsafe { std::slice::from_raw_parts(self.start, self.length) }
    }
}

/// Memory of a caller that is read in place; its event is ready when the last reader is gone.
pub(crate) struct HostMemory {
    memory: Foreign,
    released: Arc<Completion>,
}

impl HostMemory {
    /// # Safety
    /// `length` bytes lie at `start`, and nobody writes them until `released` is set.
    pub(crate) unsafe fn new(start: *const u8, length: usize, released: Arc<Completion>) -> Self {
        Self { memory: Foreign { start, length }, released }
    }
}

impl Drop for HostMemory {
    fn drop(&mut self) {
        self.released.set(Ok(()));
    }
}

/// Is told that memory is not needed any more, with its own argument.
pub(crate) type OnDelete = unsafe extern "C" fn(*mut c_void, *mut c_void);

/// Memory that belongs to another library.
pub(crate) struct ForeignView {
    memory: Foreign,
    on_delete: Option<OnDelete>,
    argument: *mut c_void,
}

// SAFETY: the header lets any thread call the function with its argument.
unsafe impl Send for ForeignView {}
// SAFETY: it is read only until it is dropped.
unsafe impl Sync for ForeignView {}

impl ForeignView {
    /// # Safety
    /// `length` bytes lie at `start`, and nobody writes them until `on_delete` is called, which any thread may do.
    pub(crate) unsafe fn new(
        start: *const u8,
        length: usize,
        on_delete: Option<OnDelete>,
        argument: *mut c_void,
    ) -> Self {
        Self { memory: Foreign { start, length }, on_delete, argument }
    }
}

impl Drop for ForeignView {
    fn drop(&mut self) {
        if let Some(on_delete) = self.on_delete {
            // SAFETY: the contract of `new`.
            unsafe { on_delete(self.memory.start.cast_mut().cast(), self.argument) }
        }
    }
}

/// Where data is, or will be, or why there is none. Buffers that share it share the data.
pub(crate) struct Cell {
    completion: Arc<Completion>,
    data: OnceLock<Data>,
}

impl Cell {
    /// Data that is there.
    pub(crate) fn ready(data: Data) -> Arc<Self> {
        Arc::new(Self { completion: Completion::done(), data: data.into() })
    }

    /// Data to come: [`Cell::fill`] or [`Cell::fail`] will be called.
    pub(crate) fn pending() -> Arc<Self> {
        Arc::new(Self { completion: Arc::default(), data: OnceLock::new() })
    }

    /// No data, and why.
    pub(crate) fn failed(failure: Failure) -> Arc<Self> {
        Arc::new(Self { completion: Completion::failed(failure), data: OnceLock::new() })
    }

    pub(crate) fn completion(&self) -> &Arc<Completion> {
        &self.completion
    }

    /// Whether the data is there, or there will be none.
    pub(crate) fn is_settled(&self) -> bool {
        self.completion.outcome().is_some()
    }

    /// The data is there. Who waits for it, and is started by this, may be the only one to hold the cell.
    pub(crate) fn fill(self: Arc<Self>, data: Data) {
        if self.data.set(data).is_ok() {
            let completion = self.completion.clone();
            drop(self);
            completion.set(Ok(()));
        }
    }

    pub(crate) fn fail(&self, failure: Failure) {
        self.completion.set(Err(failure));
    }

    /// The data, waited for.
    pub(crate) fn wait(&self) -> Done<&Data> {
        if let Some(data) = self.data.get() {
            return Ok(data);
        }
        self.completion.wait().clone()?;
        self.data.get().ok_or_else(|| Failure::internal("data that is ready and is not there"))
    }

    /// The data, if it is ours and nobody else holds it.
    pub(crate) fn take(self: Arc<Self>) -> Result<Bytes, Arc<Self>> {
        if !matches!(self.data.get(), Some(Data::Owned(_))) {
            return Err(self);
        }
        match Arc::try_unwrap(self)?.data.into_inner() {
            Some(Data::Owned(counted)) => Ok(counted.take()),
            _ => unreachable!("just seen"),
        }
    }
}
