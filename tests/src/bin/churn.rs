//! Compiles and drops a hundred thousand functions and prints the memory in use on the way:
//! `cargo run --release -p wengert-tests --bin churn`.

#![allow(clippy::print_stdout, reason = "a command prints")]

use wengert::{Tensor, grad, jit};

fn main() {
    for k in 0..100_001 {
        let c = k as f64;
        let f = jit(grad(move |x: Tensor| (&x * c).sin()));
        assert!(f(Tensor::from(0.5f64)).item::<f64>().is_finite());
        if k % 10_000 == 0 {
            println!("{k:7} functions, resident {} MB", resident() >> 20);
        }
    }
}

/// Resident memory in bytes; 0 where the system does not tell.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split_whitespace().nth(1).and_then(|p| p.parse::<usize>().ok()).unwrap_or(0) * 4096
}
