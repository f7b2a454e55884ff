//! Stacks of rows that grow while a program runs: residuals of loops whose length is known only then.

use super::buffer::{self, Buffer};
use super::status::Status;

/// A stack. Generated code reads its first two fields.
#[derive(Debug)]
#[repr(C)]
pub struct Stack {
    /// The first row.
    pub(crate) rows: *mut u8,
    /// How many rows there is room for.
    pub(crate) capacity: i64,
    row_bytes: usize,
    buffer: Option<Buffer>,
}

impl Stack {
    /// An empty stack of rows of this many bytes.
    pub fn new(row_bytes: usize) -> Self {
        Self {
            rows: std::ptr::NonNull::<u128>::dangling().as_ptr().cast(),
            capacity: 0,
            row_bytes,
            buffer: None,
        }
    }

    /// How many rows there is room for.
    pub fn capacity(&self) -> i64 {
        self.capacity
    }

    /// Makes room for at least `rows` rows; the bytes that it takes more are taken from `budget`, or it fails and nothing is taken.
    pub fn grow(&mut self, rows: i64, budget: &mut u64) -> Status {
        let wanted = usize::try_from(rows).ok().filter(|&rows| rows > self.capacity as usize);
        let Some(rows) = wanted else { return Status::Ok };
        let old = self.capacity as usize * self.row_bytes;
        // Rows of no bytes are never too many: their number stays one that code can compare.
        let doubled = rows.max((self.capacity as usize).saturating_mul(2)).clamp(16, i64::MAX as usize);
        let bytes = |rows: usize| rows.checked_mul(self.row_bytes).filter(|&n| n <= isize::MAX as usize);
        let fits = |n: &usize| (*n - old) as u64 <= *budget;
        // Near the limit take half of what is left, so that other stacks grow too: a row at a time, each with a copy of all
        // before, would take forever.
        let rest =
            usize::try_from(*budget / 2).unwrap_or(usize::MAX).saturating_add(old) / self.row_bytes.max(1);
        let sizes = [doubled, rest.clamp(rows, doubled.max(rows)), rows];
        let Some((rows, bytes)) = sizes.into_iter().find_map(|r| bytes(r).filter(fits).map(|n| (r, n)))
        else {
            return Status::Memory;
        };
        let Some(mut buffer) = buffer::take(bytes) else { return Status::Memory };
        *budget -= (bytes - old) as u64;
        if let Some(before) = &self.buffer {
            // SAFETY: both buffers hold at least `old` bytes and are distinct allocations.
            unsafe { std::ptr::copy_nonoverlapping(before.as_ptr(), buffer.as_mut_ptr(), old) };
        }
        self.rows = buffer.as_mut_ptr();
        self.capacity = rows as i64;
        self.buffer = Some(buffer);
        Status::Ok
    }
}
