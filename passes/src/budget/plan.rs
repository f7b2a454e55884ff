//! What was chosen, for people to read.

use super::loops::Division;
use super::program::Program;
use super::schedule::{Schedule, Step};
use super::{Budget, Measured};
use std::collections::BTreeMap;
use std::fmt;
use wengert_ir::func::InstId;

/// A value that is kept, or computed again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The operation that makes it.
    pub op: &'static str,
    /// Its type.
    pub ty: String,
    /// The user's line, as far as it is known.
    pub line: String,
    /// Bytes that it takes while it is kept.
    pub bytes: u64,
    /// How often it is computed again.
    pub again: u64,
    /// What that costs, in units of about 10 picoseconds.
    pub cost: u64,
    /// Whether it is kept in the smaller type.
    pub compressed: bool,
}

/// What a derivative keeps, keeps in a smaller type and computes again to stay within its budget, and what that takes. Its
/// `Display` is a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryPlan {
    /// The bytes it may take.
    pub budget: u64,
    /// What the derivative takes that keeps what it needs.
    pub unlimited: Measured,
    /// What this one takes: arguments, results, constants and scratch memory.
    pub measured: Measured,
    /// What waits for the reverse pass, the largest first.
    pub kept: Vec<Entry>,
    /// What is computed again, the most expensive first.
    pub recomputed: Vec<Entry>,
    /// The scans that run in segments, in words.
    pub loops: Vec<String>,
}

impl MemoryPlan {
    /// How much longer it is predicted to take than the derivative without a budget: 1 if as long.
    pub fn time_ratio(&self) -> f64 {
        self.measured.time as f64 / self.unlimited.time.max(1) as f64
    }

    /// Bytes of arguments, results, constants and scratch memory of the compiled program.
    pub fn peak(&self) -> u64 {
        self.measured.peak
    }
}

pub(super) fn describe(
    budget: &Budget,
    unlimited: Measured,
    measured: Measured,
    program: &Program<'_>,
    schedule: &Schedule,
    divisions: &BTreeMap<InstId, Division>,
) -> MemoryPlan {
    let tasks = &program.problem.tasks;
    let mut times: Vec<u64> = vec![0; tasks.len()];
    let mut compressed = vec![false; tasks.len()];
    for step in &schedule.steps {
        match step {
            Step::Compute(t) => times[*t] += 1,
            Step::Compress(t) => compressed[*t] = true,
            Step::Expand(_) => {}
        }
    }
    let entry = |t: usize, compressed: bool| {
        let last = program.func.insts[*program.insts[t].last().expect("not empty")].clone();
        let small = tasks[t].small.filter(|_| compressed);
        Entry {
            op: last.op.name(),
            ty: last.results.first().map_or(String::new(), |&r| program.func.ty(r).to_string()),
            line: match last.loc.to_string() {
                unknown if unknown == "unknown" => String::new(),
                line => line.replace('"', ""),
            },
            bytes: small.unwrap_or(tasks[t].bytes),
            again: times[t].saturating_sub(1),
            cost: tasks[t].cost * times[t].saturating_sub(1),
            compressed,
        }
    };
    let mut kept: Vec<Entry> =
        schedule.waiting(&program.problem).into_iter().map(|(t, c)| entry(t, c)).collect();
    kept.retain(|e| e.bytes > 0);
    kept.sort_by_key(|e| std::cmp::Reverse(e.bytes));
    let mut recomputed: Vec<Entry> =
        (0..tasks.len()).filter(|&t| times[t] > 1).map(|t| entry(t, false)).collect();
    recomputed.sort_by_key(|e| std::cmp::Reverse(e.cost));
    let loops = divisions.values().filter(|d| **d != Division::default()).map(Division::words).collect();
    MemoryPlan { budget: budget.bytes, unlimited, measured, kept, recomputed, loops }
}

/// The task that needs most at one time, in words.
pub(super) fn largest(program: &Program<'_>) -> String {
    let tasks = &program.problem.tasks;
    let need = |t: usize| tasks[t].operands.iter().map(|&o| tasks[o].bytes).sum::<u64>() + tasks[t].bytes;
    let Some(t) = (0..tasks.len()).max_by_key(|&t| (need(t), std::cmp::Reverse(t))) else {
        return String::new();
    };
    let inst = &program.func.insts[*program.insts[t].last().expect("not empty")];
    let at = match inst.loc.place().to_string() {
        unknown if unknown == "unknown" => String::new(),
        line => format!(" at {}", line.replace('"', "")),
    };
    format!(", and {}{at} needs {} at a time for its operands and results", inst.op.name(), size(need(t)))
}

/// Bytes for people.
pub(super) fn size(bytes: u64) -> String {
    const UNITS: [(&str, u64); 3] = [("GB", 1 << 30), ("MB", 1 << 20), ("kB", 1 << 10)];
    match UNITS.iter().find(|u| bytes >= u.1) {
        Some((name, unit)) => format!("{:.1} {name} ({bytes} bytes)", bytes as f64 / *unit as f64),
        None => format!("{bytes} bytes"),
    }
}

/// Lines of a table before the rest is summed up.
const LINES: usize = 20;

impl fmt::Display for MemoryPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "memory budget {}", size(self.budget))?;
        writeln!(
            f,
            "peak          {}, without the budget {}",
            size(self.measured.peak),
            size(self.unlimited.peak)
        )?;
        writeln!(f, "fixed         {} of arguments, results and constants", size(self.measured.fixed))?;
        writeln!(f, "time          {:.2} of that without the budget, predicted", self.time_ratio())?;
        for line in &self.loops {
            writeln!(f, "loop          {line}")?;
        }
        let table = |f: &mut fmt::Formatter<'_>, title: &str, entries: &[Entry], kept: bool| {
            let sum: u64 = entries.iter().map(|e| e.bytes).sum();
            if kept {
                writeln!(f, "\n{title}: {} values, {}", entries.len(), size(sum))?;
            } else {
                writeln!(f, "\n{title}: {} values", entries.len())?;
            }
            for e in entries.iter().take(LINES) {
                let how = match (kept, e.compressed) {
                    (true, true) => format!("{:>12} bytes, in the smaller type", e.bytes),
                    (true, false) => format!("{:>12} bytes", e.bytes),
                    (false, _) => format!("{:>12} times", e.again),
                };
                writeln!(f, "  {:<28} {:<24} {how}  {}", e.op, e.ty, e.line)?;
            }
            if entries.len() > LINES {
                let rest: u64 = entries[LINES..].iter().map(|e| e.bytes).sum();
                writeln!(f, "  and {} more, {}", entries.len() - LINES, size(rest))?;
            }
            Ok(())
        };
        table(f, "kept for the reverse pass", &self.kept, true)?;
        table(f, "computed again", &self.recomputed, false)
    }
}
