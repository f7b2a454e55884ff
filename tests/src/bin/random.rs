//! Runs random programs in every way that must not matter: `cargo run --release -p wengert-tests --bin random`, with
//! `--seed FIRST --count N --threads N`; without them a hundred thousand programs on two threads.
//!
//! A program that disagrees with itself is made small and printed as StableHLO text, with its arguments; the command goes on,
//! and fails at the end. What the reference interpreter itself does not determine is named and counted, and no failure.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints")]

use std::io::Write;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use wengert_tests::random::check::{Outcome, STAGES, Ways, check, printed};
use wengert_tests::random::shrink::shrink;
use wengert_tests::random::{Program, generate};

/// Failures after which nothing new is learned.
const ENOUGH: u64 = 30;

const HELP: &str = "\
Runs random programs in every way that must not matter, and fails if one disagrees with itself.

Usage: cargo run --release -p wengert-tests --bin random -- [OPTIONS]

  --seed N     the first program (default: 0)
  --count N    how many (default: 100000)
  --threads N  how many at a time (default: 2)
  --print      only print them, as StableHLO text with their arguments
  --share N    as jit compiles them, and in one in N of the other ways, by seed
  --stage S    only this way of running them: ";

struct Options {
    first: u64,
    count: u64,
    threads: usize,
    print: bool,
    ways: Ways,
}

/// What the command line asks for; `None` if it is help. An error says what is wrong.
fn options() -> Result<Option<Options>, String> {
    let mut options = Options { first: 0, count: 100_000, threads: 2, print: false, ways: Ways::All };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if word == "--help" || word == "-h" {
            return Ok(None);
        }
        if word == "--print" {
            options.print = true;
            continue;
        }
        let value = words.next().unwrap_or_default();
        let number = || value.parse::<u64>().map_err(|_| format!("{word} wants a number, not `{value}`"));
        match word.as_str() {
            "--seed" => options.first = number()?,
            "--count" => options.count = number()?,
            "--threads" => options.threads = number()? as usize,
            "--share" => options.ways = Ways::Share(number()?.max(1)),
            "--stage" => {
                let stage = STAGES.iter().map(|s| s.name).find(|n| *n == value);
                options.ways = Ways::Only(stage.ok_or_else(|| format!("no stage is called `{value}`"))?);
            }
            _ => return Err(format!("{word} is not an option; --help lists them")),
        }
    }
    Ok(Some(options))
}

/// Prints a program as StableHLO text, and its arguments as comments.
fn show(program: &Program) {
    say(&printed(&program.module, program.func).to_string());
    for (k, arg) in program.args.iter().enumerate() {
        say(&format!("// argument {k}: {}", format!("{arg:?}").chars().take(400).collect::<String>()));
    }
}

/// Prints a line; nobody reads it if the reader of a pipe has gone.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

fn main() -> ExitCode {
    let Options { first, count, threads, print, ways } = match options() {
        Ok(Some(options)) => options,
        Ok(None) => {
            let stages: Vec<&str> = STAGES.iter().map(|s| s.name).collect();
            say(&format!("{HELP}{}", stages.join(", ")));
            return ExitCode::SUCCESS;
        }
        Err(wrong) => {
            eprintln!("random: {wrong}");
            return ExitCode::FAILURE;
        }
    };
    if print {
        (first..first + count).for_each(|seed| show(&generate(seed)));
        return ExitCode::SUCCESS;
    }
    std::panic::set_hook(Box::new(|_| {}));
    let (next, failed, skipped) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let undecided = AtomicU64::new(0);
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
                            say(&format!(
                                "seed {seed} makes no program: {:?}",
                                cause.downcast_ref::<String>()
                            ));
                            continue;
                        }
                    };
                    match check(&program, ways) {
                        Outcome::Agrees => {}
                        Outcome::Skipped(_) => {
                            skipped.fetch_add(1, Ordering::Relaxed);
                        }
                        Outcome::IllConditioned(failure) => {
                            undecided.fetch_add(1, Ordering::Relaxed);
                            let _lock = output.lock();
                            say(&format!(
                                "seed {seed} is ill-conditioned: {}: {}",
                                failure.stage, failure.detail
                            ));
                        }
                        Outcome::Fails(failure) => {
                            failed.fetch_add(1, Ordering::Relaxed);
                            let (small, failure) = shrink(&program, &failure);
                            let _lock = output.lock();
                            say(&format!("seed {seed}: {}: {}", failure.stage, failure.detail));
                            show(&small);
                        }
                    }
                    if (k + 1) % 5000 == 0 {
                        let _lock = output.lock();
                        say(&format!("{} programs, {:.0} s", k + 1, start.elapsed().as_secs_f64()));
                    }
                }
            });
        }
    });
    let (failed, skipped, undecided) = (failed.into_inner(), skipped.into_inner(), undecided.into_inner());
    let seconds = start.elapsed().as_secs_f64();
    say(&format!(
        "{failed} failed, {undecided} are ill-conditioned, {skipped} cannot be interpreted, {seconds:.0} s"
    ));
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
