//! Stacks of rows that grow while a program runs: residuals of loops whose length is known only then.

use super::buffer::{self, Buffer};
use super::context::{Context, Status};
use super::guarded;

/// A stack. Generated code reads its first two fields.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Stack {
    /// The first row.
    pub(crate) rows: *mut u8,
    /// How many rows there is room for.
    pub(crate) capacity: i64,
    row_bytes: usize,
    buffer: Option<Buffer>,
}

impl Stack {
    /// An empty stack of rows of this many bytes.
    pub(crate) fn new(row_bytes: usize) -> Self {
        Self {
            rows: std::ptr::NonNull::<u128>::dangling().as_ptr().cast(),
            capacity: 0,
            row_bytes,
            buffer: None,
        }
    }

    fn grow(&mut self, rows: i64, budget: &mut u64) -> Status {
        let Ok(rows) = usize::try_from(rows) else { return Status::Ok };
        let old = self.capacity as usize * self.row_bytes;
        let doubled = rows.max(2 * self.capacity as usize).max(16);
        let bytes = |rows: usize| rows.checked_mul(self.row_bytes).filter(|&n| n <= isize::MAX as usize);
        // At the limit take what is needed rather than twice as much.
        let fits = |n: &usize| (*n - old) as u64 <= *budget;
        let Some((rows, bytes)) =
            [doubled, rows].into_iter().find_map(|r| bytes(r).filter(fits).map(|n| (r, n)))
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

/// Makes room for `rows` rows in stack `number`; called by generated code.
///
/// # Safety
/// `context` is that of a call in progress of a program that has such a stack.
pub(crate) unsafe extern "C" fn grow(context: *mut Context, number: usize, rows: i64) -> i32 {
    guarded(|| {
        // SAFETY: by the contract the context and the stack exist, and the calling code holds no reference to them.
        let (context, stack) = unsafe { (&mut *context, &mut *(*context).stacks.add(number)) };
        stack.grow(rows, &mut context.memory)
    })
}
