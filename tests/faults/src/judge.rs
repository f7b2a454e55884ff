//! Which tests reach a fault, and whether one of them fails with it. Each test runs in a process of its own, so that what it reaches is
//! its own; those that take least come first.

use crate::plant::cargo;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// A test: its program, the folder it runs in, its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Test {
    pub program: PathBuf,
    pub folder: PathBuf,
    pub name: String,
}

/// How a test ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    Passed,
    Failed,
    TooLong,
}

impl Test {
    /// The crate and the test.
    pub fn label(&self) -> String {
        let program = self.program.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        let program = program.rsplit_once('-').map_or(program, |(name, _)| name);
        format!("{program}::{}", self.name)
    }

    /// Runs it, at most `limit`.
    pub fn run(&self, set: &[(&str, String)], limit: Duration) -> (End, Duration) {
        let start = Instant::now();
        let mut command = Command::new("setsid");
        command.arg(&self.program).args(["--exact", &self.name, "--test-threads=1"]).current_dir(&self.folder);
        command.envs(set.iter().cloned()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.env("CARGO_MANIFEST_DIR", &self.folder).env("INSTA_UPDATE", "no").env("RUST_BACKTRACE", "0");
        let mut child = command.spawn().expect("a test starts");
        loop {
            if let Some(status) = child.try_wait().expect("a child") {
                return (if status.success() { End::Passed } else { End::Failed }, start.elapsed());
            }
            if start.elapsed() > limit {
                // The whole session: a test's own children too.
                let _ = Command::new("kill").args(["-9", &format!("-{}", child.id())]).status();
                let _ = child.kill();
                let _ = child.wait();
                return (End::TooLong, start.elapsed());
            }
            std::thread::sleep(Duration::from_millis(if start.elapsed().as_millis() < 200 { 2 } else { 20 }));
        }
    }
}

/// Builds all tests of the copy and lists them. Those that build the project again are left out.
pub fn tests(copy: &Path) -> Vec<Test> {
    let args = ["test", "--workspace", "--no-run", "--message-format=json", "--exclude", "wengert-fault"];
    let out = cargo(copy, &args).stderr(Stdio::inherit()).output().expect("cargo");
    assert!(out.status.success(), "the copy's tests do not build");
    let mut all = Vec::new();
    for line in String::from_utf8_lossy(&out.stdout).lines() {
        let Ok(json) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let (Some(program), true) = (json["executable"].as_str(), json["profile"]["test"] == true) else { continue };
        let manifest = PathBuf::from(json["manifest_path"].as_str().unwrap_or_default());
        let folder = manifest.parent().expect("a folder").to_owned();
        let list = Command::new(program).args(["--list", "--format", "terse"]).current_dir(&folder).output();
        for line in String::from_utf8_lossy(&list.expect("a list of tests").stdout).lines() {
            if let Some(name) = line.strip_suffix(": test") {
                all.push(Test { program: program.into(), folder: folder.clone(), name: name.to_owned() });
            }
        }
    }
    all.retain(|t| !["guide-", "guides-", "tidy-", "ui-"].iter().any(|p| t.label().starts_with(&p.replace('-', "::"))));
    all.sort();
    all
}

/// Runs `work` for all numbers below `count` on `jobs` threads.
fn on_threads(jobs: usize, count: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let k = next.fetch_add(1, Relaxed);
                    if k >= count {
                        return;
                    }
                    work(k);
                }
            });
        }
    });
}

/// What each test reaches and how long it takes, without a fault; tests that fail then are left out.
pub fn reach(tests: &[Test], folder: &Path, jobs: usize) -> Vec<(Test, Duration, BTreeSet<usize>)> {
    let all = Mutex::new(Vec::new());
    on_threads(jobs, tests.len(), |k| {
        let seen = folder.join(format!("seen.{k}"));
        let _ = std::fs::remove_file(&seen);
        let set = [("WENGERT_FAULT_SEEN", seen.display().to_string())];
        let (end, took) = tests[k].run(&set, Duration::from_secs(900));
        if end != End::Passed {
            println!("without a fault {end:?}: {}", tests[k].label());
            return;
        }
        let ids = std::fs::read_to_string(&seen).unwrap_or_default();
        let ids: BTreeSet<usize> = ids.lines().filter_map(|l| l.parse().ok()).collect();
        all.lock().expect("no panic").push((tests[k].clone(), took, ids));
        let _ = std::fs::remove_file(&seen);
    });
    let mut all = all.into_inner().expect("no panic");
    all.sort_by_key(|(test, took, _)| (*took, test.clone()));
    all
}

/// Judges each fault; writes a line for each to `report` as it is known.
pub fn judge(
    ids: &[usize],
    what: &dyn Fn(usize) -> String,
    reached: &[(Test, Duration, BTreeSet<usize>)],
    report: &Path,
    jobs: usize,
    limit: Duration,
) {
    let file = std::fs::OpenOptions::new().create(true).append(true).open(report).expect("a report");
    let file = Mutex::new(file);
    let counts = Mutex::new(BTreeMap::<&str, usize>::new());
    let lines: Vec<String> = ids.iter().map(|id| what(*id)).collect();
    on_threads(jobs, ids.len(), |k| {
        let id = ids[k];
        let those: Vec<_> = reached.iter().filter(|(_, _, seen)| seen.contains(&id)).collect();
        let start = Instant::now();
        let mut verdict = if those.is_empty() { "unreached" } else { "survived" };
        let mut by = String::new();
        let mut ran = 0;
        for (test, took, _) in &those {
            if start.elapsed() > limit {
                verdict = "survived so far";
                break;
            }
            ran += 1;
            let (end, _) = test.run(&[("WENGERT_FAULT", id.to_string())], *took * 10 + Duration::from_secs(10));
            if end != End::Passed {
                verdict = "killed";
                by = format!("{} ({end:?})", test.label());
                break;
            }
        }
        let line = format!(
            "{verdict}\t{id}\t{}\t{ran} of {} tests, {:.0} s\t{by}",
            lines[k],
            those.len(),
            start.elapsed().as_secs_f32()
        );
        println!("{line}");
        writeln!(file.lock().expect("no panic"), "{line}").expect("a report");
        *counts.lock().expect("no panic").entry(verdict).or_default() += 1;
    });
    println!("{:?}", counts.into_inner().expect("no panic"));
}
