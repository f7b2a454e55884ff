//! Measures all workloads, with us and with the peers that are installed, and prints one Markdown table:
//! `cargo run --release -p wengert-benches --bin report`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a report is printed")]

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use wengert_benches::measure::{Effort, median_seconds};
use wengert_benches::plot::{Peer, draw};
use wengert_benches::workloads::{all, check_tolerance};

const HELP: &str = "\
Measures compiled, eager, JAX and C on all workloads; prints a Markdown table and writes target/bench/report.svg.

Usage: cargo run --release -p wengert-benches --bin report -- [OPTIONS] [NAME ...]

  NAME         workloads whose names contain this (default: all)
  --quick      short measurements
  --no-peers   only ours
  --json       JSON lines in place of the table
  --help       this text

JAX is measured where `python3` (or $PYTHON) has it, C where there is a gcc.";

struct Options {
    names: Vec<String>,
    effort: Effort,
    peers: bool,
    json: bool,
}

/// One line of measurement, by implementation: `compiled 1`, `eager`, `jax 2`...
#[derive(Default)]
struct Row {
    micros: BTreeMap<String, f64>,
    compile_ms: BTreeMap<String, f64>,
    checks: BTreeMap<String, f64>,
}

fn main() -> ExitCode {
    let mut options = Options { names: vec![], effort: Effort::FULL, peers: true, json: false };
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--quick" => options.effort = Effort::QUICK,
            "--no-peers" => options.peers = false,
            "--json" => options.json = true,
            "--help" | "-h" => {
                println!("{HELP}");
                return ExitCode::SUCCESS;
            }
            _ if arg.starts_with('-') => {
                eprintln!("error: {arg} is not an option; --help lists them");
                return ExitCode::FAILURE;
            }
            _ => options.names.push(arg),
        }
    }
    match report(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::FAILURE
        }
    }
}

fn report(options: &Options) -> Result<(), Box<dyn Error>> {
    let most = std::thread::available_parallelism().map_or(1, |n| n.get());
    let workloads: Vec<_> = all()
        .into_iter()
        .filter(|w| options.names.is_empty() || options.names.iter().any(|n| w.name.contains(n.as_str())))
        .collect();
    let names: Vec<String> = workloads.iter().map(|w| w.name.clone()).collect();
    if names.is_empty() {
        return Err("no workload has such a name".into());
    }
    let mut rows: BTreeMap<String, Row> = names.iter().map(|n| (n.clone(), Row::default())).collect();
    for workload in &workloads {
        eprintln!("{}", workload.name);
        let row = rows.get_mut(&workload.name).expect("a row per name");
        let mut case = workload.case();
        row.checks.insert("ours".into(), case.check);
        for threads in [1, most] {
            wengert_cpu::set_threads(threads);
            let micros = median_seconds(options.effort, &mut case.compiled) * 1e6;
            row.micros.insert(format!("compiled {threads}"), micros);
        }
        wengert_cpu::set_threads(1);
        if let Some(prepared) = &mut case.prepared {
            row.micros.insert("prepared 1".into(), median_seconds(options.effort, prepared) * 1e6);
        }
        row.micros.insert("eager 1".into(), median_seconds(options.effort, &mut case.eager) * 1e6);
        if (case.compile)() {
            let mut compile = || {
                (case.compile)();
            };
            row.compile_ms.insert("ours".into(), median_seconds(options.effort, &mut compile) * 1e3);
        }
        wengert_cpu::set_threads(most);
    }
    if options.peers {
        let quick = options.effort.enough < Effort::FULL.enough;
        let peers = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers");
        let mut counts = vec![1, most];
        counts.dedup();
        for threads in counts {
            eprintln!("JAX, {threads} thread(s)");
            let python = std::env::var_os("PYTHON").unwrap_or("python3".into());
            let mut command = Command::new(python);
            command.arg(peers.join("jax_workloads.py")).args(["--threads", &threads.to_string()]);
            if quick {
                command.arg("--quick");
            }
            collect(command.args(&names), &mut rows);
        }
        eprintln!("C");
        if let Some(program) = compile_c(&peers.join("loops.c")) {
            collect(Command::new(program).args(quick.then_some("--quick")), &mut rows);
        }
    }
    for (name, row) in &rows {
        let ours = row.checks.get("ours").copied().unwrap_or(0.0);
        for (peer, &check) in &row.checks {
            if (check - ours).abs() > check_tolerance(name) * ours.abs() {
                eprintln!("warning: {name}: {peer} gives {check}, we {ours}");
            }
        }
    }
    if options.json {
        for name in &names {
            let row = &rows[name];
            println!("{}", json!({"workload": name, "us": row.micros, "compile_ms": row.compile_ms}));
        }
    } else {
        println!("{}", table(&names, &rows, most));
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/bench");
    std::fs::create_dir_all(&folder)?;
    let picture = folder.canonicalize()?.join("report.svg");
    picture_of(&picture, &names, &rows, most)?;
    eprintln!("picture: {}", picture.display());
    Ok(())
}

/// Runs a peer, which prints a JSON object a line. A peer that is not there or fails adds nothing.
fn collect(command: &mut Command, rows: &mut BTreeMap<String, Row>) {
    let Ok(output) = command.stderr(Stdio::null()).output() else { return };
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
        let (Some(name), Some(peer)) = (line["workload"].as_str(), line["peer"].as_str()) else { continue };
        let Some(row) = rows.get_mut(name) else { continue };
        let key = format!("{peer} {}", line["threads"].as_u64().unwrap_or(1));
        if let Some(us) = line["us"].as_f64() {
            row.micros.insert(key, us);
        }
        if let Some(ms) = line["compile_ms"].as_f64() {
            row.compile_ms.insert(peer.into(), ms);
        }
        if let Some(check) = line["check"].as_f64() {
            row.checks.insert(peer.into(), check);
        }
    }
}

/// The C loops as a program, if there is a compiler.
fn compile_c(source: &Path) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/bench");
    std::fs::create_dir_all(&folder).ok()?;
    let program = folder.canonicalize().ok()?.join("loops");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O3", "-march=native", "-fno-math-errno", "-o"]).arg(&program).arg(source).arg("-lm");
    gcc.stderr(Stdio::null()).status().ok()?.success().then_some(program)
}

fn table(names: &[String], rows: &BTreeMap<String, Row>, most: usize) -> String {
    let both = most > 1;
    let mut head = vec!["workload".to_owned(), "compiled, 1 thread".into()];
    let mut keys = vec!["compiled 1".to_owned()];
    let mut column = |title: String, key: String| {
        head.push(title);
        keys.push(key);
    };
    if both {
        column(format!("{most} threads"), format!("compiled {most}"));
    }
    column("into memory given".into(), "prepared 1".into());
    column("eager".into(), "eager 1".into());
    column("JAX, 1 thread".into(), "jax 1".into());
    if both {
        column(format!("JAX, {most} threads"), format!("jax {most}"));
    }
    column("C".into(), "c 1".into());
    head.extend(["eager / compiled", "JAX / compiled", "compile", "JAX compile"].map(String::from));
    let mut out = format!("| {} |\n|---|{}\n", head.join(" | "), "---:|".repeat(head.len() - 1));
    for name in names {
        let row = &rows[name];
        let mut cells = vec![name.clone()];
        cells.extend(keys.iter().map(|k| row.micros.get(k).map_or(String::new(), |t| micros(*t))));
        let ratio = |a: &str, b: &str| match (row.micros.get(a), row.micros.get(b)) {
            (Some(a), Some(b)) => format!("{:.2}", a / b),
            _ => String::new(),
        };
        cells.push(ratio("eager 1", "compiled 1"));
        cells.push(ratio("jax 1", "compiled 1"));
        for peer in ["ours", "jax"] {
            cells.push(row.compile_ms.get(peer).map_or(String::new(), |t| micros(t * 1e3)));
        }
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    out
}

/// A time with three digits and its unit.
fn micros(t: f64) -> String {
    let (value, unit) = match t {
        t if t < 1.0 => (t * 1e3, "ns"),
        t if t < 1e3 => (t, "µs"),
        t if t < 1e6 => (t / 1e3, "ms"),
        t => (t / 1e6, "s"),
    };
    let digits = if value < 10.0 { 2 } else { (value < 100.0) as usize };
    format!("{value:.digits$} {unit}")
}

fn picture_of(
    path: &Path,
    names: &[String],
    rows: &BTreeMap<String, Row>,
    most: usize,
) -> Result<(), Box<dyn Error>> {
    let peers = [
        ("compiled, 1 thread", "compiled 1".to_owned()),
        ("compiled, all threads", format!("compiled {most}")),
        ("eager", "eager 1".into()),
        ("JAX, 1 thread", "jax 1".into()),
        ("JAX, all threads", format!("jax {most}")),
        ("C", "c 1".into()),
    ];
    let peers: Vec<Peer> = peers
        .into_iter()
        .map(|(name, key)| Peer {
            name,
            micros: names.iter().map(|n| rows[n].micros.get(&key).copied()).collect(),
        })
        .filter(|p| p.micros.iter().any(Option::is_some))
        .collect();
    draw(path, names, &peers)
}
