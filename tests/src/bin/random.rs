//! Runs random programs in every way that must not matter: `cargo run --release -p wengert-tests --bin random`, with
//! `--seed FIRST --count N --threads N`; without them a hundred thousand programs on two threads.
//!
//! A program that disagrees with itself is made small and printed as StableHLO text, with its arguments; the command goes on,
//! and fails at the end.

#![allow(clippy::print_stdout, reason = "a command prints")]

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use wengert_tests::random::check::{Outcome, STAGES, check, printed};
use wengert_tests::random::generate;
use wengert_tests::random::shrink::shrink;

/// Failures after which nothing new is learned.
const ENOUGH: u64 = 30;

fn main() -> ExitCode {
    let (mut first, mut count, mut threads, mut only) = (0u64, 100_000u64, 2usize, None);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let value = words.next().unwrap_or_default();
        let number =
            || value.parse::<u64>().unwrap_or_else(|_| panic!("{word} wants a number, not `{value}`"));
        match word.as_str() {
            "--seed" => first = number(),
            "--count" => count = number(),
            "--threads" => threads = number() as usize,
            "--stage" => only = STAGES.iter().map(|s| s.name).find(|n| *n == value),
            _ => panic!("unknown option {word}; there are --seed, --count, --threads, --stage"),
        }
    }
    std::panic::set_hook(Box::new(|_| {}));
    let (next, failed, skipped) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let (output, start) = (Mutex::new(()), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let k = next.fetch_add(1, Ordering::Relaxed);
                    if k >= count || failed.load(Ordering::Relaxed) >= ENOUGH {
                        return;
                    }
                    let seed = first + k;
                    let program = match std::panic::catch_unwind(|| generate(seed)) {
                        Ok(program) => program,
                        Err(cause) => {
                            failed.fetch_add(1, Ordering::Relaxed);
                            println!("seed {seed} makes no program: {:?}", cause.downcast_ref::<String>());
                            continue;
                        }
                    };
                    match check(&program, only) {
                        Outcome::Agrees => {}
                        Outcome::Skipped(_) => {
                            skipped.fetch_add(1, Ordering::Relaxed);
                        }
                        Outcome::Fails(failure) => {
                            failed.fetch_add(1, Ordering::Relaxed);
                            let (small, failure) = shrink(&program, &failure);
                            let _lock = output.lock();
                            println!("seed {seed}: {}: {}", failure.stage, failure.detail);
                            println!("{}", printed(&small.module, small.func));
                            for (k, arg) in small.args.iter().enumerate() {
                                let text = format!("{arg:?}");
                                println!("// argument {k}: {}", text.chars().take(400).collect::<String>());
                            }
                        }
                    }
                    if (k + 1) % 5000 == 0 {
                        let _lock = output.lock();
                        println!("{} programs, {:.0} s", k + 1, start.elapsed().as_secs_f64());
                    }
                }
            });
        }
    });
    let (failed, skipped) = (failed.into_inner(), skipped.into_inner());
    println!("{failed} failed, {skipped} cannot be interpreted, {:.0} s", start.elapsed().as_secs_f64());
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
