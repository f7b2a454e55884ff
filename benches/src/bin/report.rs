//! Measures all workloads, with us and with the peers that are installed:
//! `cargo run --release -p wengert-benches --bin report`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a report is printed")]

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use wengert_benches::measure::Effort;
use wengert_benches::plot::{Line, Peer, draw, lines};
use wengert_benches::record::{Record, Row};
use wengert_benches::regression::{Baseline, MARGIN};
use wengert_benches::workloads::{Case, LENGTHS, SIZES, all, check_tolerance};
use wengert_benches::{run, table};

const HELP: &str = "\
Measures us, JAX and C on all workloads, one process each; prints Markdown tables and writes pictures, the records and
the tables to target/bench.

Usage: cargo run --release -p wengert-benches --bin report -- [OPTIONS] [NAME ...]

  NAME         workloads whose names contain this (default: all)
  --quick      short measurements
  --no-peers   only ours
  --save       keep this run's ratios in benches/baseline.json
  --check      fail if a ratio to JAX or C is worse than there by more than a quarter
  --json       JSON lines in place of the tables
  --list       the names of the workloads
  --profile N  only calls workload N, compiled, on one thread for five seconds: for a profiler
  --profile-compile N  only compiles it
  --text N     prints workload N's program, for `wengert bench --profile` and `wengert explain`
  --limit N    at most N seconds for an implementation of a workload (default: 300)
  --help       this text

JAX is measured where `python3` (or $PYTHON) has it, C where there is a `cc` (or $CC): once with -O3 -march=native
-fno-math-errno and once with -O3 -march=native -ffast-math. $WENGERT_ADBENCH may name ADBench's data folder.

Float modes: `compiled` is our default (a multiply may contract into an add, division by a constant may become a
product, large matrix products read subnormal numbers as zeros). XLA:CPU does the first two and takes all subnormal
numbers for zeros; C contracts. `relaxed` and `C fast` may reorder sums too. Eager calls round every operation.
`JAX tuned`, where inputs are large, is JAX with a malloc that keeps its memory and uses huge pages.";

/// What a profiler is to see.
enum Phase {
    Call,
    Compile,
}

struct Options {
    names: Vec<String>,
    effort: Effort,
    peers: bool,
    json: bool,
    save: bool,
    check: bool,
    limit: Duration,
    /// Measures this one with us, in this process.
    one: Option<String>,
    /// Calls or compiles this one and does nothing else.
    profile: Option<(String, Phase)>,
}

/// Prints a line; nobody reads it if the reader of a pipe has gone.
fn say(line: &str) {
    let _ = writeln!(std::io::stdout(), "{line}");
}

fn main() -> ExitCode {
    match options().and_then(|o| o.map_or(Ok(true), |o| report(&o))) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}

/// What the command line asks for; nothing if it has its answer.
fn options() -> Result<Option<Options>, Box<dyn Error>> {
    let mut options = Options {
        names: vec![],
        effort: Effort::FULL,
        peers: true,
        json: false,
        save: false,
        check: false,
        limit: Duration::from_secs(300),
        one: None,
        profile: None,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} needs a value"));
        match arg.as_str() {
            "--quick" => options.effort = Effort::QUICK,
            "--no-peers" => options.peers = false,
            "--json" => options.json = true,
            "--save" => options.save = true,
            "--check" => options.check = true,
            "--limit" => options.limit = Duration::from_secs(value()?.parse()?),
            "--one" => options.one = Some(value()?),
            "--profile" => options.profile = Some((value()?, Phase::Call)),
            "--profile-compile" => options.profile = Some((value()?, Phase::Compile)),
            "--text" => {
                say(&(named(&value()?)?.text)());
                return Ok(None);
            }
            "--list" => {
                all().iter().for_each(|w| say(&w.name));
                return Ok(None);
            }
            "--help" | "-h" => {
                say(HELP);
                return Ok(None);
            }
            _ if arg.starts_with('-') => {
                return Err(format!("{arg} is not an option; --help lists them").into());
            }
            _ => options.names.push(arg),
        }
    }
    Ok(Some(options))
}

/// The workload of this name.
fn named(name: &str) -> Result<Case, String> {
    let workload = all().into_iter().find(|w| w.name == name);
    Ok(workload.ok_or(format!("no workload is called {name}; --list lists them"))?.case())
}

/// False if something got slower.
fn report(options: &Options) -> Result<bool, Box<dyn Error>> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = here.join("../target/bench");
    std::fs::create_dir_all(&folder)?;
    let folder = folder.canonicalize()?;
    let most = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut threads = vec![1, most];
    threads.dedup();
    if let Some(name) = &options.one {
        let mut print = |r: Record| say(&serde_json::to_string(&r).expect("plain data"));
        run::ours(name, options.effort, &threads, &folder.join("inputs"), &mut print)?;
        return Ok(true);
    }
    if let Some((name, phase)) = &options.profile {
        let mut case = named(name)?;
        wengert_cpu::set_threads(1);
        let work = match phase {
            Phase::Call => &mut case.compiled,
            Phase::Compile => &mut case.compile,
        };
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(5) {
            work();
        }
        return Ok(true);
    }
    let chosen =
        |name: &str| options.names.is_empty() || options.names.iter().any(|n| name.contains(n.as_str()));
    let names: Vec<String> = all().into_iter().map(|w| w.name).filter(|n| chosen(n)).collect();
    if names.is_empty() {
        return Err("no workload has such a name".into());
    }
    let peers = Peers::find(options, here, &folder);
    let mut rows: Vec<(String, Row)> = Vec::new();
    for (k, name) in names.iter().enumerate() {
        eprintln!("{}/{}: {name}", k + 1, names.len());
        let row = measure(name, options, &peers, &threads, &folder)?;
        for (peer, check, ours) in row.disagreements(check_tolerance(name)) {
            eprintln!("warning: {name}: {peer} gives {check}, we {ours}");
        }
        for r in row.records() {
            if let Some(why) = &r.failed {
                eprintln!("warning: {name}: {} fails on {} thread(s): {why}", r.peer, r.threads);
            }
        }
        rows.push((name.clone(), row));
        // Those that differ in the last part only have the same inputs.
        let base = |n: &str| n.rsplit_once('.').map(|(base, _)| base.to_owned());
        if names.get(k + 1).and_then(|n| base(n)) != base(name) {
            let _ = std::fs::remove_dir_all(folder.join("inputs"));
        }
    }
    let records: Vec<String> = rows
        .iter()
        .flat_map(|(_, row)| row.records())
        .map(serde_json::to_string)
        .collect::<Result<_, _>>()?;
    std::fs::write(folder.join("report.jsonl"), records.join("\n") + "\n")?;
    let tables = tables(&rows, most);
    std::fs::write(folder.join("report.md"), &tables)?;
    say(&if options.json { records.join("\n") } else { tables });
    pictures(&folder, &rows, most)?;
    eprintln!("records, tables and pictures: {}", folder.display());
    compare(options, &here.join("baseline.json"), Baseline::of(&rows, machine(most)))
}

/// Compares with the baseline and replaces it, as the options say. False if something got slower.
fn compare(options: &Options, path: &Path, now: Baseline) -> Result<bool, Box<dyn Error>> {
    let mut kept = match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?,
        Err(e) if options.check => {
            return Err(format!("nothing to compare with: {}: {e}", path.display()).into());
        }
        Err(_) => Baseline::default(),
    };
    let worse = if options.check { kept.worse(&now) } else { vec![] };
    for line in &worse {
        eprintln!("slower: {line}");
    }
    if options.check && worse.is_empty() {
        eprintln!("no ratio is worse than in {} by more than {:.0} %", path.display(), MARGIN * 100.0);
    }
    if options.save {
        kept.update(now);
        std::fs::write(path, serde_json::to_string_pretty(&kept)? + "\n")?;
    }
    Ok(worse.is_empty())
}

/// The other implementations that are here.
struct Peers {
    python: Option<PathBuf>,
    script: PathBuf,
    c: Vec<(&'static str, PathBuf)>,
}

impl Peers {
    fn find(options: &Options, here: &Path, folder: &Path) -> Self {
        let script = here.join("peers/jax_workloads.py");
        if !options.peers {
            return Self { python: None, script, c: vec![] };
        }
        let python = PathBuf::from(std::env::var_os("PYTHON").unwrap_or("python3".into()));
        let has_jax =
            Command::new(&python).args(["-c", "import jax"]).output().is_ok_and(|o| o.status.success());
        let c = run::compile_c(&here.join("peers/loops.c"), folder);
        if !has_jax {
            eprintln!("no JAX: {} cannot import it", python.display());
        }
        if c.is_empty() {
            eprintln!("no C compiler");
        }
        Self { python: has_jax.then_some(python), script, c }
    }
}

/// All implementations of a workload, one after the other.
fn measure(
    name: &str,
    options: &Options,
    peers: &Peers,
    threads: &[usize],
    folder: &Path,
) -> Result<Row, Box<dyn Error>> {
    let quick = (options.effort.enough < Effort::FULL.enough).then_some("--quick");
    let inputs = folder.join("inputs");
    let mut row = Row::default();
    let mut add = |command: &mut Command, peer: &str, threads: usize| {
        let records = run::records(command, options.limit, name, peer, threads);
        records.into_iter().for_each(|r| row.insert(r));
    };
    add(Command::new(std::env::current_exe()?).args(["--one", name]).args(quick), "compiled", threads[0]);
    if let Some(python) = &peers.python {
        for &threads in threads {
            let mut command = Command::new(python);
            command.arg(&peers.script).arg("--inputs").arg(&inputs).args(["--threads", &threads.to_string()]);
            command.args(quick).args((threads == 1).then_some("--eager")).arg(name);
            add(&mut command, "jax", threads);
        }
        if bytes_of_inputs(name, &inputs) > LARGE {
            let mut command = Command::new(python);
            command.env("GLIBC_TUNABLES", KEEP_MEMORY).arg(&peers.script).arg("--inputs").arg(&inputs);
            add(
                command.args(["--threads", "1", "--peer", "jax tuned"]).args(quick).arg(name),
                "jax tuned",
                1,
            );
        }
    }
    for (peer, program) in &peers.c {
        let mut command = Command::new(program);
        add(command.args([*peer, name]).arg(&inputs).args(quick), peer, 1);
    }
    Ok(row)
}

/// From this many bytes of inputs on JAX is measured a second time with a tuned `malloc`.
const LARGE: u64 = 4 << 20;

/// glibc neither gives memory back nor maps each large block anew, and asks for huge pages: results of many megabytes
/// then cost no page faults. Our own memory is kept in any case.
const KEEP_MEMORY: &str = "glibc.malloc.mmap_threshold=17179869184:glibc.malloc.trim_threshold=34359738368:\
                           glibc.malloc.top_pad=268435456:glibc.malloc.hugetlb=1";

fn bytes_of_inputs(name: &str, inputs: &Path) -> u64 {
    let base = name.rsplit_once('.').map_or(name, |(base, _)| base);
    let files = std::fs::read_dir(inputs.join(base)).into_iter().flatten().flatten();
    files.filter_map(|f| f.metadata().ok()).map(|m| m.len()).sum()
}

fn machine(most: usize) -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model =
        info.lines().find_map(|l| l.strip_prefix("model name")).map(|m| m.trim_matches([' ', '\t', ':']));
    format!("{}, {most} threads", model.unwrap_or(std::env::consts::ARCH))
}

fn tables(rows: &[(String, Row)], most: usize) -> String {
    let (elements, others): (Vec<_>, Vec<_>) =
        rows.iter().cloned().partition(|(n, _)| n.starts_with("elementwise"));
    let mut out = format!(
        "{}. Medians, in brackets half the distance between the quartiles; one thread where none is named.\n\n{}\n\
         Growth of memory is from before the first call to its peak, compilation included.\n\n{}",
        machine(most),
        table::times(&others, most),
        table::costs(&others)
    );
    if let Some(line) = table::bandwidth(&others, most) {
        out += &format!("\n{line}");
    }
    if !elements.is_empty() {
        out += &format!("\nNanoseconds per element, one thread.\n\n{}", table::elements(&elements));
    }
    out
}

fn pictures(folder: &Path, rows: &[(String, Row)], most: usize) -> Result<(), Box<dyn Error>> {
    let named = ["elementwise", "sweep", "straight"];
    let main: Vec<&(String, Row)> =
        rows.iter().filter(|(n, _)| !named.iter().any(|p| n.starts_with(p))).collect();
    let peers = [
        ("compiled", "compiled", 1),
        ("compiled, all threads", "compiled", most),
        ("eager", "eager", 1),
        ("JAX", "jax", 1),
        ("JAX, all threads", "jax", most),
        ("JAX eager", "jax eager", 1),
        ("C", "c", 1),
        ("C fast", "c fast", 1),
    ];
    let peers: Vec<Peer> = peers
        .into_iter()
        .map(|(name, peer, t)| Peer {
            name,
            micros: main.iter().map(|(_, row)| row.micros(peer, t)).collect(),
        })
        .filter(|p| p.micros.iter().any(Option::is_some))
        .collect();
    let names: Vec<String> = main.iter().map(|(n, _)| n.clone()).collect();
    draw(&folder.join("report.svg"), &names, &peers)?;

    let find = |name: &str| rows.iter().find(|(n, _)| n == name).map(|(_, row)| row);
    let both = |title: &str,
                name: &dyn Fn(usize) -> String,
                sizes: &[usize],
                value: &dyn Fn(&Record, usize) -> Option<f64>| {
        let line = |(label, peer): (&str, &str)| Line {
            name: format!("{label}{title}"),
            points: sizes
                .iter()
                .filter_map(|&n| Some((n as f64, value(find(&name(n))?.get(peer, 1)?, n)?)))
                .collect(),
        };
        [("compiled", "compiled"), ("JAX", "jax")].map(line)
    };
    let per_element = both("", &|n| format!("sweep.{n}.f"), &SIZES, &|r, n| Some(r.us? * 1e3 / n as f64));
    let axes = ("elements", "nanoseconds per element");
    lines(&folder.join("sweep.svg"), "An elementwise chain, by size", axes, &per_element)?;
    let compile = both("", &|n| format!("sweep.{n}.f"), &SIZES, &|r, _| r.compile_ms);
    let axes = ("elements", "milliseconds to compile");
    lines(&folder.join("sweep_compile.svg"), "Compiling an elementwise chain, by size", axes, &compile)?;
    let mut straight = Vec::new();
    for what in ["f", "vg"] {
        let title = if what == "f" { "" } else { ", with gradient" };
        straight.extend(both(title, &|n| format!("straight.{n}.{what}"), &LENGTHS, &|r, _| r.compile_ms));
    }
    let axes = ("operations", "milliseconds to compile");
    lines(&folder.join("compile.svg"), "Compiling straight-line programs, by length", axes, &straight)
}
