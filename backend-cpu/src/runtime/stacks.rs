//! Stacks of rows that grow while a program runs: residuals of loops whose length is known only then.

use super::buffer::{self, Buffer};
use super::status::Status;

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

    pub(super) fn grow(&mut self, rows: i64, budget: &mut u64) -> Status {
        let Ok(rows) = usize::try_from(rows) else { return Status::Ok };
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
            assert_eq!(budget + 8 * stack.capacity as u64, 1_000_000, "what it has is paid for");
        }
        assert!(rows > 124_990, "all but a few bytes of the budget are used: {rows} rows");
        assert!(moves < 60, "{moves} moves");
    }

    /// Stacks pay for what they hold, and never more of it than there is, whatever their rows are and in whatever order they grow.
    #[test]
    fn stacks_of_one_call_share_a_budget() {
        for all in [&[1usize][..], &[8, 8], &[4, 24, 1000], &[40_000, 1, 16], &[0, 12]] {
            for total in [0u64, 100, 5_000, 300_000] {
                let mut stacks: Vec<Stack> = all.iter().map(|&bytes| Stack::new(bytes)).collect();
                let (mut budget, mut refused) = (total, vec![false; all.len()]);
                let mut random = wengert_ir::testing::Random(total + all.len() as u64);
                for _ in 0..400 {
                    let k = random.below(all.len());
                    let rows = stacks[k].capacity.saturating_add(1 + random.below(3) as i64);
                    let (before, capacity) = (budget, stacks[k].capacity);
                    let held = |stacks: &[Stack]| -> u64 {
                        stacks.iter().map(|s| s.capacity as u64 * s.row_bytes as u64).sum()
                    };
                    if stacks[k].grow(rows, &mut budget) == Status::Ok {
                        assert!(stacks[k].capacity >= rows, "room for what was asked");
                    } else {
                        refused[k] = true;
                        assert_eq!((stacks[k].capacity, budget), (capacity, before), "nothing is taken");
                        assert!((rows - capacity) as u64 * all[k] as u64 > budget, "it would have fitted");
                    }
                    assert_eq!(held(&stacks) + budget, total, "rows of {all:?} bytes in {total}");
                }
                // Rows of nothing are free.
                for (&bytes, refused) in all.iter().zip(refused) {
                    assert_eq!(refused, bytes > 0, "rows of {bytes} bytes of {all:?} end with {total}");
                }
            }
        }
    }
}
