//! Stacks of rows: they grow in few steps, and within the memory that there is.

use wengert_cpu::Status;
use wengert_cpu::testing::Stack;
use wengert_ir::testing::Random;

/// A stack that is pushed to the end of its budget moves a few times, not once a row.
#[test]
fn the_limit_is_reached_in_few_steps() {
    let (mut stack, mut budget) = (Stack::new(8), 1_000_000u64);
    let (mut moves, mut rows) = (0, 0i64);
    loop {
        rows += 1;
        if rows <= stack.capacity() {
            continue;
        }
        match stack.grow(rows, &mut budget) {
            Status::Ok => moves += 1,
            _ => break,
        }
        assert_eq!(budget + 8 * stack.capacity() as u64, 1_000_000, "what it has is paid for");
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
            let mut random = Random(total + all.len() as u64);
            for _ in 0..400 {
                let k = random.below(all.len());
                let rows = stacks[k].capacity().saturating_add(1 + random.below(3) as i64);
                let (before, capacity) = (budget, stacks[k].capacity());
                let held = |stacks: &[Stack]| -> u64 {
                    stacks.iter().zip(all).map(|(s, &bytes)| s.capacity() as u64 * bytes as u64).sum()
                };
                if stacks[k].grow(rows, &mut budget) == Status::Ok {
                    assert!(stacks[k].capacity() >= rows, "room for what was asked");
                } else {
                    refused[k] = true;
                    assert_eq!((stacks[k].capacity(), budget), (capacity, before), "nothing is taken");
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
