//! Memory that comes back. The one test of its binary: what is resident belongs to the whole process, and
//! a test beside it that holds large tensors would be counted as a leak.

use wengert::{Tensor, jit};

/// Resident memory in bytes, where the system tells.
fn resident() -> Option<usize> {
    let statm = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(statm.split_whitespace().nth(1)?.parse::<usize>().ok()? * 4096)
}

#[test]
fn compiled_functions_give_their_memory_back() {
    // A short form of the hundred thousand in `cargo run --release -p wengert-tests --bin churn`.
    let make = |k: usize| {
        jit(move |x: Tensor| &x * (k as f64) + (k as f64).sqrt())(Tensor::from(2.0f64)).item::<f64>()
    };
    (0..1500).for_each(|k| assert!(make(k).is_finite()));
    let before = resident();
    (1500..3500).for_each(|k| assert!(make(k).is_finite()));
    if let (Some(before), Some(after)) = (before, resident()) {
        assert!(after < before + (16 << 20), "grew from {before} to {after} bytes");
    }
}
