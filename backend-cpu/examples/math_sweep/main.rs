//! Measures the math library, and fails if a function is worse than its bound:
//!
//!     cargo run --release -p wengert-cpu --example math_sweep -- --all          # all floats: minutes
//!     cargo run --release -p wengert-cpu --example math_sweep -- --step 997 exp # some, of one function
//!     cargo run --release -p wengert-cpu --example math_sweep -- --doubles DIR  # for reference.py
//!     cargo run --release -p wengert-cpu --example math_sweep -- --time         # ns per element
//!
//! Singles are compared with the double functions. Doubles are written to files with their arguments, which
//! `ir/tests/units/math/reference.py check DIR` compares with correctly rounded results. Pairs of arguments are drawn,
//! as many as there are floats.

#![allow(clippy::print_stdout, reason = "a program that reports")]
#![allow(unsafe_code, reason = "calls routines through the pointers that generated code uses")]

mod arguments;
mod sweep;

use std::time::Instant;
use sweep::{Random, Worst};
use wengert_ir::math::{Bound, MathFn, MathFn2};

/// Parts of the sweep, which threads take in turn.
const PARTS: u64 = 64;

/// The worst of all parts, on all cores.
fn parallel(part: impl Fn(u64) -> Worst + Sync) -> Worst {
    let next = std::sync::atomic::AtomicU64::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let work = || {
            let mut worst = Worst::NONE;
            loop {
                let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                if at >= PARTS {
                    return worst;
                }
                worst = worst.or(part(at));
            }
        };
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        handles.into_iter().map(|h| h.join().expect("no panic")).fold(Worst::NONE, Worst::or)
    })
}

fn report(name: &str, bound: &Bound, worst: Worst, binary: bool, start: Instant) -> bool {
    let at = if binary { format!("{:e}, {:e}", worst.x, worst.y) } else { format!("{:e}", worst.x) };
    let fails = worst.error > bound.ulp;
    println!(
        "| {name} | {} | {:.3} | {at} | {:.0} s |{}",
        bound.ulp,
        worst.error,
        start.elapsed().as_secs_f64(),
        if fails { " OVER THE BOUND" } else { "" }
    );
    fails
}

/// Nanoseconds per element in a buffer that stays in the first cache.
fn time(mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..30 {
        let start = Instant::now();
        for _ in 0..20 {
            run();
        }
        best = best.min(start.elapsed().as_nanos() as f64 / 20.0 / 1024.0);
    }
    best
}

fn times(wanted: impl Fn(&str) -> bool) {
    println!("| function | f32 | f64 |\n|---|---|---|");
    for &f in MathFn::ALL.iter().filter(|f| wanted(f.name())) {
        let (low, high) = arguments::usual(f);
        let mut random = Random(1);
        let x: Vec<f64> = (0..1024).map(|_| random.between(low, high)).collect();
        let narrow: Vec<f32> = x.iter().map(|&x| x as f32).collect();
        let (mut y, mut z) = (narrow.clone(), x.clone());
        let single = time(|| sweep::singles(f, &narrow, &mut y));
        let double = time(|| sweep::doubles(f, &x, &mut z));
        println!("| {} | {single:.2} | {double:.2} |", f.name());
    }
    for &f in MathFn2::ALL.iter().filter(|f| wanted(f.name())) {
        let mut random = Random(1);
        let [x, y] =
            std::array::from_fn(|_| (0..1024).map(|_| random.between(0.1, 4.0)).collect::<Vec<f64>>());
        let [a, b] = [&x, &y].map(|v| v.iter().map(|&x| x as f32).collect::<Vec<f32>>());
        let (mut p, mut q) = (a.clone(), x.clone());
        let single = time(|| sweep::singles2(f, &a, &b, &mut p));
        let double = time(|| sweep::doubles2(f, &x, &y, &mut q));
        println!("| {} | {single:.2} | {double:.2} |", f.name());
    }
}

fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |option: &str| {
        let at = arguments.iter().position(|a| a == option)?;
        arguments.get(at + 1).cloned()
    };
    let has = |option: &str| arguments.iter().any(|a| a == option);
    let step =
        if has("--all") { 1 } else { after("--step").and_then(|s| s.parse().ok()).unwrap_or(997).max(1) };
    let names: Vec<&String> = {
        let values = [after("--step"), after("--doubles"), after("--count")];
        arguments.iter().filter(|a| !a.starts_with("--") && !values.contains(&Some((*a).clone()))).collect()
    };
    let wanted = |name: &str| names.is_empty() || names.iter().any(|n| name.ends_with(&format!(".{n}")));
    if has("--time") {
        times(wanted);
        return std::process::ExitCode::SUCCESS;
    }
    if let Some(folder) = after("--doubles") {
        let count = after("--count").and_then(|s| s.parse().ok()).unwrap_or(100_000);
        arguments::write(std::path::Path::new(&folder), count, wanted).expect("the folder can be written");
        return std::process::ExitCode::SUCCESS;
    }
    println!("| function | bound | ULP | at | time |\n|---|---|---|---|---|");
    let mut failed = false;
    let count = (1u64 << 32).div_ceil(u64::from(step));
    let share = count.div_ceil(PARTS);
    for &f in MathFn::ALL.iter().filter(|f| wanted(f.name())) {
        let start = Instant::now();
        let worst = parallel(|part| {
            let first = (part * share).wrapping_mul(u64::from(step)) as u32;
            sweep::unary(f, first, step, share.min(count.saturating_sub(part * share)))
        });
        failed |= report(f.name(), &f.bound(), worst, false, start);
    }
    for &f in MathFn2::ALL.iter().filter(|f| wanted(f.name())) {
        let start = Instant::now();
        let worst = parallel(|part| sweep::binary(f, part, share));
        failed |= report(f.name(), &f.bound(), worst, true, start);
    }
    if failed { std::process::ExitCode::FAILURE } else { std::process::ExitCode::SUCCESS }
}
