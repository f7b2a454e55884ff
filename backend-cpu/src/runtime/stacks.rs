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

#[cfg(test)]
mod tests {
    use super::*;

    /// A stack that is pushed to the end of its budget moves a few times, not once a row.
    #[test]
    fn the_limit_is_reached_in_few_steps() {
        let (mut stack, mut budget) = (Stack::new(8), 1_000_000u64);
        let (mut moves, mut rows) = (0, 0i64);
        loop {
            rows += 1;
            if rows <= stack.capacity {
                continue;
            }
            match stack.grow(rows, &mut budget) {
                Status::Ok => moves += 1,
                _ => break,
            }
        }
        assert!(rows > 124_990, "all but a few bytes of the budget are used: {rows} rows");
        assert!(moves < 60, "{moves} moves");
    }
}
