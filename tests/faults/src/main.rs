//! Puts faults into a copy of the code, all in one build, and names those that no test notices. `README.md` has the commands.

mod judge;
mod plant;
mod sites;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

const HELP: &str = "\
faults [--count N] [--seed N] [--judge N | --only ID,ID] [--jobs N] [--limit SECONDS] [--out FOLDER] [--tree FOLDER]

Draws N lines of the library and puts a fault on each, into a copy of the tree; builds all tests of the copy once; sees which
tests reach which fault, and lists those that none reaches in FOLDER/unreached.tsv. Then turns faults on one after the other and
runs the tests that reach it, the quickest first, until one fails. FOLDER/report.tsv has a line for each.

  --count N    faults (40); with a large N, unreached.tsv names the lines without a test
  --seed N     which (1)
  --judge N    turns on the first N of them alone (all)
  --only IDS   turns on these alone
  --jobs N     at a time (2)
  --limit S    seconds of tests for a fault after which it counts as survived so far (600)
  --out F      where (target/faults)
  --tree F     whose code (.)";

fn main() {
    let mut args = std::env::args().skip(1);
    let (mut count, mut seed, mut jobs, mut limit) = (40, 1, 2, 600);
    let (mut out, mut tree) = (PathBuf::from("target/faults"), PathBuf::from("."));
    let (mut only, mut first): (Option<String>, _) = (None, usize::MAX);
    while let Some(arg) = args.next() {
        let mut value = || args.next().unwrap_or_else(|| panic!("{arg} takes a value\n{HELP}"));
        let number = |v: String| v.parse().unwrap_or_else(|_| panic!("{v} is no number\n{HELP}"));
        match arg.as_str() {
            "--count" => count = number(value()) as usize,
            "--seed" => seed = number(value()),
            "--jobs" => jobs = number(value()) as usize,
            "--limit" => limit = number(value()),
            "--out" => out = value().into(),
            "--tree" => tree = value().into(),
            "--only" => only = Some(value()),
            "--judge" => first = number(value()) as usize,
            _ => {
                println!("{HELP}");
                return;
            }
        }
    }
    std::fs::create_dir_all(&out).expect("a folder for the copy");
    let (out, tree) = (out.canonicalize().expect("a folder"), tree.canonicalize().expect("a folder"));
    let copy = out.join("tree");
    let sites = plant::sample(&tree, count, seed);
    let alive = plant::plant(&tree, &copy, &sites);
    println!("{} faults of {} that were drawn compile", alive.len(), sites.len());
    let tests = judge::tests(&copy);
    println!("{} tests", tests.len());
    let reached = judge::reach(&tests, &out, jobs);
    let what = |id: usize| sites[id - 1].to_string();
    let seen: BTreeSet<usize> = reached.iter().flat_map(|(_, _, ids)| ids).copied().collect();
    let mut lines: Vec<String> = alive.difference(&seen).map(|id| format!("{}\t{id}", what(*id))).collect();
    lines.sort();
    println!("{} of {} are reached by no test", lines.len(), alive.len());
    std::fs::write(out.join("unreached.tsv"), lines.join("\n") + "\n").expect("a report");
    let ids: Vec<usize> = match only {
        Some(only) => only.split(',').filter_map(|id| id.parse().ok()).filter(|id| alive.contains(id)).collect(),
        None => alive.into_iter().take(first).collect(),
    };
    judge::judge(&ids, &what, &reached, &out.join("report.tsv"), jobs, Duration::from_secs(limit));
}
