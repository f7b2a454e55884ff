//! Derivatives within a memory budget: their values, what they take, and what they are planned to take.

mod common;

use common::{close, numbers};
use wengert::stages::Traced;
use wengert::{DType, ScanOptions, Tensor, grad, jit, scan_with};

/// Layers of a product and a sine, one after the other.
fn layers(n: usize) -> impl Fn(Tensor, Tensor) -> Tensor + Clone + Send + Sync + 'static {
    move |w: Tensor, x: Tensor| (0..n).fold(x, |x, _| x.matmul(&w).sin()).sum()
}

/// Bytes that a program takes when it is compiled.
fn taken(program: &Traced) -> u64 {
    program.lower().expect("lowers").program().memory()
}

#[test]
fn a_chain_of_layers() {
    let args = || (numbers(&[32, 32]) * 0.2, numbers(&[64, 32]));
    let f = layers(16);
    let plain = jit(grad(f.clone()));
    let unlimited = taken(&plain.trace(args()).expect("traces"));
    let want = plain(args().0, args().1);
    for part in [90, 70, 50] {
        let budget = unlimited * part / 100;
        let limited = grad(f.clone()).memory_budget(budget);
        let plan = limited.plan(args()).unwrap_or_else(|e| panic!("{part}: {e}"));
        println!("{plan}");
        let limited = jit(limited);
        let peak = taken(&limited.trace(args()).expect("traces"));
        assert!(peak <= budget, "{peak} of {budget}");
        assert!(peak.abs_diff(plan.peak()) * 10 <= peak, "{peak} and {}", plan.peak());
        close(&limited(args().0, args().1), &want, "gradient");
    }
}

#[test]
fn a_scan() {
    let f = |w: Tensor, x: Tensor| {
        let options = ScanOptions { length: Some(400), ..ScanOptions::default() };
        scan_with(|c: Tensor, ()| ((c * &w).sin(), ()), x, (), options).0.sum()
    };
    let args = || (numbers(&[100]), numbers(&[100]));
    let plain = jit(grad(f));
    let unlimited = taken(&plain.trace(args()).expect("traces"));
    let want = plain(args().0, args().1);
    for part in [60, 20, 15] {
        let budget = unlimited * part / 100;
        let limited = grad(f).memory_budget(budget);
        let plan = limited.plan(args()).unwrap_or_else(|e| panic!("{part}: {e}"));
        println!("{plan}");
        let limited = jit(limited);
        let peak = taken(&limited.trace(args()).expect("traces"));
        assert!(peak <= budget, "{peak} of {budget}");
        close(&limited(args().0, args().1), &want, "gradient");
    }
}

#[test]
fn too_small() {
    let args = || (numbers(&[32, 32]), numbers(&[64, 32]));
    let e = grad(layers(8)).memory_budget(1000).plan(args()).err().expect("too small").to_string();
    println!("{e}");
    assert!(e.contains("a memory budget of 1000 bytes is too small: the smallest that can be met is"), "{e}");
    let _ = DType::BF16;
}
