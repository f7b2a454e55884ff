//! Runs the corpus, random programs and a few large arrays on a device, and writes one Markdown report and one table of raw
//! numbers: `cargo run --release -p wengert-tests --features wengert-gpu/cuda --bin device -- --device gpu:0 --out FOLDER`.
//! `bash .ci/gpu` runs it after the operations' tests on that device.
//!
//! It fails if a result is wrong; programs that a device refuses are named in the report.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command prints")]

use std::path::PathBuf;
use std::process::ExitCode;
use wengert_gpu::testing::DEVICE;
use wengert_tests::device_report::{Row, Verdict, entries, large, markdown, random, raw, row};

const HELP: &str = "\
Runs the corpus, random programs and large arrays on a device, and writes report.md and raw.tsv.

Usage: cargo run --release -p wengert-tests --features wengert-gpu/cuda --bin device -- [OPTIONS]

  --device D     gpu:0, wgpu:0, or reference, the interpreter of PTX text (default: what WENGERT_TEST_DEVICE names, or reference)
  --out FOLDER   where to write (default: target/device)
  --random N     how many random programs (default: 10000)
  --elements N   elements of large arrays (default: 67108864; for reference 65536)
  --only TEXT    only programs of the corpus whose name has this
";

struct Options {
    device: String,
    out: PathBuf,
    random: u64,
    elements: Option<usize>,
    only: String,
}

fn options() -> Result<Option<Options>, String> {
    let device = std::env::var(DEVICE).unwrap_or_else(|_| "reference".into());
    let mut o =
        Options { device, out: "target/device".into(), random: 10_000, elements: None, only: String::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if word == "--help" || word == "-h" {
            return Ok(None);
        }
        let value = words.next().ok_or_else(|| format!("{word} wants a value; --help lists options"))?;
        let number = || value.parse::<u64>().map_err(|_| format!("{word} wants a number, not `{value}`"));
        match word.as_str() {
            "--device" => o.device = value,
            "--out" => o.out = value.into(),
            "--random" => o.random = number()?,
            "--elements" => o.elements = Some(number()? as usize),
            "--only" => o.only = value,
            _ => return Err(format!("{word} is not an option; --help lists them")),
        }
    }
    Ok(Some(o))
}

fn main() -> ExitCode {
    let done = options().and_then(|o| match o {
        Some(o) => run(&o),
        None => {
            println!("{HELP}");
            Ok(true)
        }
    });
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(wrong) => {
            eprintln!("device: {wrong}");
            ExitCode::FAILURE
        }
    }
}

/// Whether nothing was wrong.
fn run(o: &Options) -> Result<bool, String> {
    let device = wengert_gpu::drivers::open(&o.device).map_err(|e| e.to_string())?;
    println!("{}: {}", device.name(), device.description());
    let corpus: Vec<Row> = entries()
        .iter()
        .filter(|entry| entry.name.contains(&o.only))
        .map(|entry| row(&device, entry, true))
        .collect();
    println!("{} programs of the corpus", corpus.len());
    let reference = o.device == "reference";
    let elements = o.elements.unwrap_or(if reference { 1 << 16 } else { 1 << 26 });
    // The interpreters take minutes for what a device does in a millisecond: counted and compared where it is small.
    let arrays: Vec<Row> =
        large(elements.min(1 << 16)).iter().map(|entry| row(&device, entry, true)).collect();
    let timed: Vec<Row> = if elements > 1 << 16 {
        large(elements).iter().map(|entry| row(&device, entry, false)).collect()
    } else {
        Vec::new()
    };
    println!("{} programs over large arrays", arrays.len() + timed.len());
    let (fine, failed) = random(&device, o.random);
    println!("{} random programs", o.random);
    let mut report = format!("# {}: {}\n\n", device.name(), device.description());
    report += "Written by `bash .ci/gpu`. Times are medians of 5 calls with arguments and results on the device, wall time with a wait \
               at the end. Bytes and instructions are counted by the interpreter of PTX text, registers by `ptxas` for `sm_90`.\n\n";
    report += &markdown("The corpus and its gradients", &corpus);
    report += &markdown("Larger arrays, compared", &arrays);
    if !timed.is_empty() {
        report += &markdown("Large arrays, timed and not compared", &timed);
    }
    report += &format!("## Random programs\n\n{} run, {fine} agree, {} do not.\n\n", o.random, failed.len());
    failed.iter().for_each(|f| report += &format!("- {}\n", f.replace('\n', " ")));
    std::fs::create_dir_all(&o.out).map_err(|e| format!("{}: {e}", o.out.display()))?;
    let all: Vec<Row> = corpus.into_iter().chain(arrays).chain(timed).collect();
    for (name, text) in [("report.md", &report), ("raw.tsv", &raw(&all))] {
        let path = o.out.join(name);
        std::fs::write(&path, text).map_err(|e| format!("{}: {e}", path.display()))?;
        println!("{}", path.display());
    }
    let wrong = all.iter().filter(|r| matches!(r.verdict, Verdict::Wrong(_))).count();
    println!("{wrong} wrong, {} random programs disagree", failed.len());
    Ok(wrong == 0 && failed.is_empty())
}
