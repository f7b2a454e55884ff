//! Runs mutants of programs: `cargo run --release -p wengert-tests --bin mutate`, with `--seed FIRST --count N --threads N`;
//! without them fifty thousand mutants on two threads.
//!
//! Each batch runs in a process of its own, under a limit of memory; a mutant that crashes it, or takes longer than ten
//! seconds, is named, and the rest of the batch goes on in another. What fails is written to a folder (`--keep`), made small
//! where that can be done; the command fails at the end.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};
use wengert_tests::mutate::judge::{Fault, Verdict, judge};
use wengert_tests::mutate::mutant;
use wengert_tests::random::Rounding;
use wengert_tests::random::check::{Failure, printed};
use wengert_tests::random::shrink::shrink;

const HELP: &str = "\
Runs mutants of programs, each in every way that must not matter, and fails if one is wrong, crashes, hangs or takes too
much memory.

Usage: cargo run --release -p wengert-tests --bin mutate -- [OPTIONS]

  --seed N     the first mutant (default: 0)
  --count N    how many (default: 50000)
  --threads N  how many at a time (default: 2)
  --keep DIR   where to write what fails (default: target/mutants)
  --print      only print them";

/// Mutants of one process.
const BATCH: u64 = 400;

/// What one mutant may take.
const TIME: Duration = Duration::from_secs(10);

/// Address space of a process, in kB: a few times what a mutant may use.
const MEMORY: u64 = 6 << 20;

/// Failures after which nothing new is learned.
const ENOUGH: u64 = 200;

struct Options {
    first: u64,
    count: u64,
    threads: usize,
    keep: PathBuf,
    print: bool,
    /// Whether this is the process of a batch.
    batch: bool,
}

/// What the command line asks for; `None` if it is help. An error says what is wrong.
fn options() -> Result<Option<Options>, String> {
    let keep = PathBuf::from("target/mutants");
    let mut options = Options { first: 0, count: 50_000, threads: 2, keep, print: false, batch: false };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--help" | "-h" => return Ok(None),
            "--print" => options.print = true,
            "--batch" => options.batch = true,
            "--seed" | "--count" | "--threads" => {
                let value = words.next().unwrap_or_default();
                let number =
                    value.parse::<u64>().map_err(|_| format!("{word} wants a number, not `{value}`"))?;
                match word.as_str() {
                    "--seed" => options.first = number,
                    "--count" => options.count = number,
                    _ => options.threads = number.max(1) as usize,
                }
            }
            "--keep" => options.keep = words.next().ok_or("--keep wants a folder")?.into(),
            _ => return Err(format!("{word} is not an option; --help lists them")),
        }
    }
    Ok(Some(options))
}

/// Prints a line; nobody reads it if the reader of a pipe has gone.
fn say(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}");
    let _ = out.flush();
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(Some(options)) => options,
        Ok(None) => {
            say(HELP);
            return ExitCode::SUCCESS;
        }
        Err(wrong) => {
            eprintln!("mutate: {wrong}");
            return ExitCode::FAILURE;
        }
    };
    if options.print {
        (options.first..options.first + options.count).for_each(|seed| say(&mutant(seed).text));
        return ExitCode::SUCCESS;
    }
    if options.batch {
        std::panic::set_hook(Box::new(|_| {}));
        batch(&options);
        return ExitCode::SUCCESS;
    }
    if let Err(e) = std::fs::create_dir_all(&options.keep) {
        eprintln!("mutate: {}: {e}", options.keep.display());
        return ExitCode::FAILURE;
    }
    all(&options)
}

/// One batch, in this process: a line before and after each mutant.
fn batch(options: &Options) {
    for seed in options.first..options.first + options.count {
        say(&format!("> {seed}"));
        match judge(&mutant(seed)) {
            Verdict::Refused => say("refused"),
            Verdict::Unrun => say("unrun"),
            Verdict::Agrees(Rounding::Defined) => say("agree to the bit"),
            Verdict::Agrees(Rounding::Bounded | Rounding::Single) => say("agree within bounds"),
            Verdict::Agrees(Rounding::Unbounded) => say("agree in their types"),
            Verdict::Fails(fault) => {
                // Should it not get small in time, this is what is known.
                say(&format!("? {}", line_of(&fault.failure)));
                say(&format!("! {}", kept(seed, &fault, &options.keep)));
            }
        }
    }
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
    say(&format!("peak {}", peak.unwrap_or("0").trim()));
}

/// Writes a mutant that fails to the folder, made small if it can be; gives the failure in one line.
fn kept(seed: u64, fault: &Fault, folder: &Path) -> String {
    let mut failure = fault.failure.clone();
    let mut text = mutant(seed).text;
    if let Some(program) = &fault.program {
        let (small, smaller) = shrink(program, &failure);
        failure = smaller;
        text = printed(&small.module, small.func);
        for (k, arg) in small.args.iter().enumerate() {
            let shown = format!("{arg:?}");
            text += &format!("// argument {k}: {}\n", shown.chars().take(400).collect::<String>());
        }
    }
    let line = line_of(&failure);
    let _ = std::fs::write(folder.join(format!("{seed}.mlir")), format!("// {line}\n{text}"));
    line
}

fn line_of(failure: &Failure) -> String {
    format!("{}: {}", failure.stage, failure.detail).replace('\n', " ")
}

/// What became of all mutants.
#[derive(Default)]
struct Tally {
    counts: BTreeMap<String, u64>,
    failed: u64,
    peak: u64,
    done: u64,
}

fn all(options: &Options) -> ExitCode {
    let (next, start) = (AtomicU64::new(0), Instant::now());
    let tally = Mutex::new(Tally::default());
    let locked = || tally.lock().unwrap_or_else(|e| e.into_inner());
    std::thread::scope(|scope| {
        for _ in 0..options.threads {
            scope.spawn(|| {
                loop {
                    let first = next.fetch_add(BATCH, Ordering::Relaxed);
                    if first >= options.count || locked().failed >= ENOUGH {
                        return;
                    }
                    let end = options.first + (first + BATCH).min(options.count);
                    let mut at = options.first + first;
                    while at < end {
                        at = watched(options, at, end, &mut |event| {
                            let mut tally = locked();
                            match event {
                                Event::Peak(kb) => tally.peak = tally.peak.max(kb),
                                Event::Outcome(word) => *tally.counts.entry(word).or_default() += 1,
                                Event::Fails(seed, line) => {
                                    tally.failed += 1;
                                    say(&format!("mutant {seed}: {line}"));
                                }
                            }
                        });
                    }
                    let mut tally = locked();
                    tally.done += BATCH;
                    if tally.done % (25 * BATCH) == 0 {
                        say(&format!("{} mutants, {:.0} s", tally.done, start.elapsed().as_secs_f64()));
                    }
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap_or_else(|e| e.into_inner());
    let counts: Vec<String> = tally.counts.iter().map(|(word, n)| format!("{n} {word}")).collect();
    let (peak, seconds) = (tally.peak >> 10, start.elapsed().as_secs_f64());
    say(&format!("{} failed, {}; at most {peak} MB, {seconds:.0} s", tally.failed, counts.join(", ")));
    if tally.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What a process says.
enum Event {
    Outcome(String),
    Fails(u64, String),
    Peak(u64),
}

/// Runs the mutants from one to another in a process, until it ends, crashes or hangs; gives the first that is left.
fn watched(options: &Options, first: u64, end: u64, report: &mut dyn FnMut(Event)) -> u64 {
    let Some(mut child) = process(options, first, end - first, "--batch") else {
        report(Event::Fails(first, "no process can be started".into()));
        return end;
    };
    let (send, lines) = mpsc::channel();
    let output = child.stdout.take().map(BufReader::new);
    let reader = std::thread::spawn(move || {
        for line in output.into_iter().flat_map(BufRead::lines).map_while(Result::ok) {
            if send.send(line).is_err() {
                return;
            }
        }
    });
    let mut at = None;
    let mut known = None;
    let mut ended = false;
    let hangs = loop {
        // What fails is made small, which takes its time.
        match lines.recv_timeout(TIME) {
            Ok(line) => match line.split_once(' ') {
                Some((">", seed)) => (at, known) = (seed.parse::<u64>().ok(), None),
                Some(("?", line)) => known = Some(line.to_owned()),
                Some(("!", line)) => report(Event::Fails(at.take().unwrap_or(first), line.to_owned())),
                Some(("peak", kb)) => {
                    report(Event::Peak(kb.parse().unwrap_or(0)));
                    ended = true;
                }
                _ => {
                    at = None;
                    report(Event::Outcome(line));
                }
            },
            Err(mpsc::RecvTimeoutError::Timeout) => break true,
            Err(mpsc::RecvTimeoutError::Disconnected) => break false,
        }
    };
    if hangs {
        let _ = child.kill();
    }
    let status = child.wait();
    let _ = reader.join();
    if ended {
        return end;
    }
    let seed = at.unwrap_or(first);
    let how = known.unwrap_or_else(|| match (hangs, status) {
        (true, _) => format!("hangs for more than {} s", TIME.as_secs()),
        (false, Ok(status)) => format!("crashes: {status}"),
        (false, Err(e)) => format!("crashes: {e}"),
    });
    if let Some(printer) = process(options, seed, 1, "--print")
        && let Ok(out) = printer.wait_with_output()
    {
        let text = [format!("// {how}\n").as_bytes(), &out.stdout].concat();
        let _ = std::fs::write(options.keep.join(format!("{seed}.mlir")), text);
    }
    report(Event::Fails(seed, how));
    seed + 1
}

/// This command in a process of its own, under the limit of memory where there is a shell to set it.
fn process(options: &Options, first: u64, count: u64, what: &str) -> Option<Child> {
    let exe = std::env::current_exe().ok()?;
    let words = ["--seed".to_owned(), first.to_string(), "--count".to_owned(), count.to_string()];
    let mut command = if cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(format!("ulimit -v {MEMORY}; exec \"$0\" \"$@\"")).arg(&exe);
        shell
    } else {
        Command::new(&exe)
    };
    command.args(words).arg(what).arg("--keep").arg(&options.keep);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()
}
