//! Runs implementations, each in a process of its own: one that crashes, fills the memory or does not end takes nothing
//! with it, first calls are first, and memory is its own.

use crate::measure::{Effort, Memory, times};
use crate::record::Record;
use crate::workloads::{Case, find};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Measures a workload with us, compiled and not, and gives each record to `emit` as soon as there is one; writes the
/// workload's inputs under `inputs`. Panics where the compiler fails.
pub fn ours(
    name: &str,
    effort: Effort,
    threads: &[usize],
    inputs: &Path,
    emit: &mut dyn FnMut(Record),
) -> Result<(), Box<dyn Error>> {
    let (base, _) = name.rsplit_once('.').ok_or("a name has a part after a point")?;
    let mut case = find(name).case();
    write_inputs(&case, &inputs.join(base))?;
    let record = |peer: &str, threads: usize| Record {
        workload: name.into(),
        peer: peer.into(),
        threads,
        ..Record::default()
    };
    let timed = |peer: &str, threads: usize, f: &mut dyn FnMut()| {
        wengert_cpu::set_threads(threads);
        let t = times(effort, f);
        Record { us: Some(t.median), us_low: Some(t.low), us_high: Some(t.high), ..record(peer, threads) }
    };
    wengert_cpu::set_threads(threads[0]);
    let memory = Memory::watch();
    let start = Instant::now();
    (case.compiled)();
    let first_us = Some(start.elapsed().as_secs_f64() * 1e6);
    let measured: Vec<Record> = threads.iter().map(|&t| timed("compiled", t, &mut case.compiled)).collect();
    let peak_mb = memory.peak();
    let check = Some((case.check)());
    wengert_cpu::set_threads(1);
    let compile_ms = Some(times(effort, &mut case.compile).median / 1e3);
    for r in measured {
        emit(Record { first_us, compile_ms, peak_mb, check, ..r });
    }
    if let Some(prepared) = &mut (case.prepared)() {
        emit(timed("prepared", 1, prepared));
    }
    emit(timed("relaxed", 1, &mut case.relaxed));
    emit(timed("eager", 1, &mut case.eager));
    Ok(())
}

fn write_inputs(case: &Case, folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    for (k, tensor) in case.inputs.iter().enumerate() {
        std::fs::write(folder.join(format!("{k}.npy")), wengert_ir::npy::write(&tensor.to_array())?)?;
    }
    Ok(())
}

/// What a program prints. One that fails or takes longer than `limit` gives a record with the reason in the place of
/// what it did not print.
pub fn records(
    command: &mut Command,
    limit: Duration,
    name: &str,
    peer: &str,
    threads: usize,
) -> Vec<Record> {
    let (text, failed) = match output(command, limit) {
        Ok(done) => done,
        Err(e) => (String::new(), Some(e.to_string())),
    };
    let mut records: Vec<Record> = text.lines().filter_map(|l| serde_json::from_str(l).ok()).collect();
    if failed.is_some() && !records.iter().any(|r| r.peer == peer) {
        let record =
            Record { workload: name.into(), peer: peer.into(), threads, failed, ..Record::default() };
        records.push(record);
    }
    records
}

/// What a program writes, and why it failed if it did: the last line of its errors.
fn output(command: &mut Command, limit: Duration) -> std::io::Result<(String, Option<String>)> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // Threads drain the pipes, so that a full one does not stop the program.
    let read = |mut pipe: Box<dyn std::io::Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).into_owned()
        })
    };
    let out = read(Box::new(child.stdout.take().expect("piped")));
    let err = read(Box::new(child.stderr.take().expect("piped")));
    let start = Instant::now();
    let failed = loop {
        if let Some(status) = child.try_wait()? {
            break (!status.success()).then(|| status.to_string());
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break Some(format!("over {} s", limit.as_secs()));
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let (out, err) = (out.join().unwrap_or_default(), err.join().unwrap_or_default());
    // A panic's last line is a note on backtraces.
    let tells = |l: &&str| !l.is_empty() && !l.starts_with("note:");
    let reason = |status: String| match err.lines().map(str::trim).rfind(tells) {
        Some(line) if !status.starts_with("over") => line.to_owned(),
        _ => status,
    };
    Ok((out, failed.map(reason)))
}

/// The C loops as programs, if there is a compiler: as the language says but for `errno`, and with `-ffast-math`.
pub fn compile_c(source: &Path, folder: &Path) -> Vec<(&'static str, PathBuf)> {
    let builds = [("c", "-fno-math-errno", "loops"), ("c fast", "-ffast-math", "loops_fast")];
    let build = |(peer, option, name): (&'static str, &str, &str)| {
        let program = folder.join(name);
        let mut gcc = Command::new(std::env::var_os("CC").unwrap_or("cc".into()));
        gcc.args(["-O3", "-march=native", option, "-o"]).arg(&program).arg(source).arg("-lm");
        let done = gcc.stderr(Stdio::null()).status().is_ok_and(|s| s.success());
        done.then_some((peer, program))
    };
    builds.into_iter().filter_map(build).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: u64) -> Vec<Record> {
        let mut command = Command::new("sh");
        records(command.args(["-c", script]), Duration::from_millis(limit), "a.f", "x", 1)
    }

    #[test]
    fn a_program_that_fails_says_why() {
        let found = shell("echo 'first' >&2; echo 'last' >&2; echo 'note: more' >&2; exit 3", 10_000);
        assert_eq!(found[0].failed.as_deref(), Some("last"));
    }

    #[test]
    fn a_program_that_does_not_end_is_ended() {
        let found = shell("exec sleep 60", 50);
        assert_eq!(found[0].failed.as_deref(), Some("over 0 s"));
    }

    #[test]
    fn what_was_printed_before_a_failure_counts() {
        let found = shell(r#"echo '{"workload": "a.f", "peer": "x", "us": 1}'; exit 1"#, 10_000);
        assert_eq!((found.len(), found[0].us), (1, Some(1.0)));
    }
}
