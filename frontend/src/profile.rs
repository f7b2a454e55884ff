//! Where the time of a compiled program goes: [`Lowered::kernels`] says what to expect without running it, [`Lowered::profile`]
//! measures. A kernel here is a section of the compiled program: a loop nest, a product, a call of the library, or what of a
//! loop is too short for a clock.

use crate::compile;
use crate::deep;
use crate::error::Error;
use crate::program::Lowered;
use crate::stages::check_args;
use crate::tensor::Tensor;
use std::fmt::{self, Write};
use std::time::{Duration, Instant};
use wengert_cpu::{Bound, Executable, Form, Options, Surveyed};
use wengert_ir::array::Array;
use wengert_ir::func::{InstId, Loc};
use wengert_ir::kernel::sections::{SectionKind, Work};
use wengert_passes::lower::Origin;

/// A part of a compiled program.
#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    /// What it is, in words: `loop`, `shared loop`, `product`, `interpreter`, and so on.
    pub kind: &'static str,
    /// How many loops and branches it lies in that are opened for the parts in them.
    pub depth: usize,
    /// The operations that it computes, with how many there are of each.
    pub operations: Vec<(String, usize)>,
    /// Where the program says them.
    pub places: Vec<String>,
    /// Bytes and arithmetic, each time it runs.
    pub work: Work,
    /// What limits it, by estimate.
    pub bound: &'static str,
    /// How long it takes each time it runs, by estimate.
    pub estimate: Duration,
    /// The forms of its innermost loops, such as `512-bit`, best last.
    pub forms: Vec<Form>,
    /// Why the loop in it that takes longest is in no longer vectors.
    pub refusal: Option<String>,
    /// Operations that the reference interpreter computes in it.
    pub interpreted: Vec<String>,
    /// What was measured, if anything was.
    pub measured: Option<Measured>,
}

/// What was measured of a kernel in a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Measured {
    /// Time in all.
    pub time: Duration,
    /// How often it ran.
    pub times: u64,
}

/// The kernels of a program, and what was measured. Its `Display` is a table, the slowest first.
#[derive(Clone, PartialEq, Debug)]
pub struct Profile {
    /// The kernels, in the order of the program; the first is what lies between the others.
    pub kernels: Vec<Kernel>,
    /// Time of a call whose kernels are not measured, if it was.
    pub call: Option<Duration>,
    /// How many calls were measured.
    pub calls: usize,
}

impl Lowered {
    /// The kernels of this program and what to expect of each, without running it: bytes, arithmetic, how its loops are compiled
    /// and why not better, what the reference interpreter computes, and an estimate of its time, for one thread of a current
    /// x86-64 machine.
    ///
    /// ```
    /// # use wengert::stages::Traced;
    /// let program = "func.func @main(%x: tensor<4096xf32>) -> tensor<4096xf32> {
    ///   %y = stablehlo.exponential %x : tensor<4096xf32>
    ///   return %y : tensor<4096xf32>
    /// }";
    /// let profile = Traced::parse(program, None)?.lower()?.kernels()?;
    /// assert_eq!(profile.kernels[1].operations, [("exponential".to_owned(), 1)]);
    /// assert_eq!(profile.kernels[1].work.written, 4 * 4096);
    /// # Ok::<(), wengert::Error>(())
    /// ```
    pub fn kernels(&self) -> Result<Profile, Error> {
        deep::run(&self.optimized, || Ok(self.surveyed().1))
    }

    /// Runs the program again and again for about so many seconds, with a clock between its kernels, and gives the least time
    /// of each. The clock's own time is taken off; kernels of some ten nanoseconds are measured inexactly.
    ///
    /// Fails as a call does, and if an argument has another type than its parameter.
    pub fn profile(&self, args: &[Tensor], seconds: f64) -> Result<Profile, Error> {
        check_args(&self.program.params, args)?;
        deep::run(&self.optimized, || {
            let (marked, mut profile) = self.surveyed();
            let compile = |program| {
                Executable::compile(program, &Options::default()).map_err(|e| Error::new(e.to_string(), None))
            };
            let (plain, clocked) = (compile(&self.program)?, compile(&marked)?);
            let bytes: Vec<&[u8]> = args.iter().map(|t| t.bytes().expect("concrete")).collect();
            let mut results: Vec<Array> = marked.results.iter().map(|ty| Array::zeros(ty.clone())).collect();
            let mut results: Vec<&mut [u8]> = results.iter_mut().map(Array::bytes_mut).collect();
            let failed = |e: wengert_cpu::RunError| Error::new(e.to_string(), None);
            let sections = profile.kernels.len();
            let mut best: Vec<Measured> = Vec::new();
            let (mut call, mut calls, begin) = (Duration::MAX, 0, Instant::now());
            while calls < 3 || begin.elapsed().as_secs_f64() < seconds {
                let start = Instant::now();
                plain.call(&bytes, &mut results).map_err(failed)?;
                call = call.min(start.elapsed());
                let spent = clocked.call_measured(&bytes, &mut results, sections).map_err(failed)?;
                let spent = spent.into_iter().map(|s| Measured { time: s.time, times: s.times });
                if best.is_empty() {
                    best = spent.collect();
                } else {
                    for (best, new) in best.iter_mut().zip(spent) {
                        best.time = best.time.min(new.time);
                    }
                }
                calls += 1;
            }
            for (kernel, measured) in profile.kernels.iter_mut().zip(best) {
                kernel.measured = Some(measured);
            }
            Ok(Profile { call: Some(call), calls, ..profile })
        })
    }

    /// The program with its kernels marked, and what is known of them.
    fn surveyed(&self) -> (wengert_ir::kernel::Program, Profile) {
        let (marked, surveyed) = wengert_cpu::survey(&self.program, &Options::default());
        let places: Vec<Option<usize>> = surveyed.iter().map(|s| s.section.place).collect();
        let (module, _) = self.optimized.module();
        let origins = compile::origins(self, &places);
        let kernel = |(surveyed, origin): (Surveyed, Option<Origin>)| {
            let (mut names, mut lines) = (Vec::<(String, usize)>::new(), Vec::new());
            if let Some(origin) = &origin {
                let func = &module.funcs[origin.func];
                origin.insts.iter().for_each(|&id| of_inst(func, id, &mut names, &mut lines));
            }
            kernel(surveyed, names, lines)
        };
        let kernels = surveyed.into_iter().zip(origins).map(kernel).collect();
        (marked, Profile { kernels, call: None, calls: 0 })
    }
}

/// Adds an instruction to the operations and places of a kernel.
fn of_inst(
    func: &wengert_ir::func::Func,
    id: InstId,
    names: &mut Vec<(String, usize)>,
    lines: &mut Vec<String>,
) {
    let inst = &func.insts[id];
    let name = inst.op.name();
    let name = name.strip_prefix("stablehlo.").unwrap_or(name);
    match names.iter_mut().find(|(known, _)| known == name) {
        Some((_, count)) => *count += 1,
        None => names.push((name.to_owned(), 1)),
    }
    if !matches!(inst.loc, Loc::Unknown) {
        let line = inst.loc.place().to_string();
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
}

fn kernel(surveyed: Surveyed, operations: Vec<(String, usize)>, places: Vec<String>) -> Kernel {
    let kind = match surveyed.section.kind {
        SectionKind::Between => "between",
        SectionKind::Inside => "loop, between",
        SectionKind::Loop => "loop",
        SectionKind::Parallel => "shared loop",
        SectionKind::Branch => "branch",
        SectionKind::Product => "product",
        SectionKind::Call => "call",
        SectionKind::Interpreter => "interpreter",
    };
    let bound = match surveyed.bound() {
        Bound::Bytes => "bytes",
        Bound::Arithmetic => "flops",
        Bound::Calls => "calls",
    };
    let mut forms: Vec<Form> = surveyed.loops.iter().map(|l| l.form).collect();
    forms.sort_unstable();
    forms.dedup();
    Kernel {
        kind,
        depth: surveyed.section.depth,
        operations,
        places,
        work: surveyed.section.work,
        bound,
        estimate: Duration::from_secs_f64(surveyed.estimate() * 1e-9),
        forms,
        refusal: surveyed.scalar().and_then(|l| l.refusal.as_ref()).map(ToString::to_string),
        interpreted: surveyed.section.interpreted.clone(),
        measured: None,
    }
}

impl Kernel {
    /// The time of all its runs in a call: measured, or estimated as if it ran once.
    pub fn time(&self) -> Duration {
        self.measured.map_or(self.estimate, |m| m.time)
    }

    /// The estimated time of all its runs in a call.
    pub fn estimated(&self) -> Duration {
        self.estimate.mul_f64(self.measured.map_or(1.0, |m| m.times as f64))
    }

    /// What it computes, in a line.
    pub fn what(&self) -> String {
        let mut ops: Vec<&(String, usize)> = self.operations.iter().collect();
        let total = ops.len();
        ops.truncate(6);
        let mut text: Vec<String> = ops
            .into_iter()
            .map(|(name, count)| if *count == 1 { name.clone() } else { format!("{count} {name}") })
            .collect();
        if total > 6 {
            text.push(format!("{} more", total - 6));
        }
        let mut text = text.join(", ");
        if let [first, rest @ ..] = &self.places[..] {
            let _ = write!(text, " at {first}");
            if !rest.is_empty() {
                let _ = write!(text, " and {} more", rest.len());
            }
        }
        text
    }

    /// How it is compiled, in a line.
    pub fn how(&self) -> String {
        let mut text = self.forms.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        if let Some(refusal) = &self.refusal {
            let _ = write!(text, " ({refusal})");
        }
        if !self.interpreted.is_empty() {
            let comma = if text.is_empty() { "" } else { "; " };
            let _ = write!(text, "{comma}the interpreter runs {}", self.interpreted.join(", "));
        }
        text
    }
}

/// A number in four characters or so: `999`, `1.5k`, `20M`.
fn brief(n: f64) -> String {
    let (mut value, mut unit) = (n, 0);
    const UNITS: [&str; 7] = ["", "k", "M", "G", "T", "P", "E"];
    while value >= 999.5 && unit < 6 {
        value /= 1000.0;
        unit += 1;
    }
    match value {
        v if v >= 9.95 || unit == 0 => format!("{v:.0}{}", UNITS[unit]),
        v => format!("{v:.1}{}", UNITS[unit]),
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total: Duration = self.kernels.iter().map(Kernel::time).sum();
        let whole = total.as_secs_f64().max(1e-12);
        if let Some(call) = self.call {
            let us = |d: Duration| d.as_secs_f64() * 1e6;
            writeln!(
                f,
                "call {:.1} us; kernels together {:.1} us; least of {} calls",
                us(call),
                us(total),
                self.calls
            )?;
        }
        let measured = self.kernels.iter().any(|k| k.measured.is_some());
        let time = if measured { "time us" } else { "est. us" };
        write!(f, "{time:>10} {:>6}", "share")?;
        if measured {
            write!(f, " {:>10} {:>7}", "est. us", "runs")?;
        }
        writeln!(f, " {:>6} {:>6} {:>6} {:>6} {:>7}  what", "bytes", "GB/s", "flops", "GF/s", "bound")?;
        let mut order: Vec<&Kernel> = self.kernels.iter().collect();
        order.sort_by_key(|k| std::cmp::Reverse(k.time()));
        let mut hidden = (0, Duration::ZERO);
        for kernel in order {
            let seconds = kernel.time().as_secs_f64();
            if seconds < whole * 0.002 && kernel.interpreted.is_empty() {
                hidden = (hidden.0 + 1, hidden.1 + kernel.time());
                continue;
            }
            let runs = kernel.measured.map_or(1, |m| m.times) as f64;
            let bytes = (kernel.work.read + kernel.work.written) as f64;
            let flops = kernel.work.flops as f64;
            let rate = |n: f64| if seconds > 0.0 { n * runs / seconds / 1e9 } else { 0.0 };
            write!(f, "{:>10.2} {:>5.1}%", seconds * 1e6, 100.0 * seconds / whole)?;
            if measured {
                write!(f, " {:>10.2} {:>7}", kernel.estimated().as_secs_f64() * 1e6, brief(runs))?;
            }
            let least = if kernel.work.at_least { ">" } else { "" };
            writeln!(
                f,
                " {:>6} {:>6.1} {:>6} {:>6.1} {:>7}  {}{}: {}",
                format!("{least}{}", brief(bytes)),
                rate(bytes),
                format!("{least}{}", brief(flops)),
                rate(flops),
                kernel.bound,
                "  ".repeat(kernel.depth),
                kernel.kind,
                kernel.what()
            )?;
            let how = kernel.how();
            if !how.is_empty() {
                writeln!(f, "{:w$}{how}", "", w = if measured { 73 } else { 54 })?;
            }
        }
        if hidden.0 > 0 {
            writeln!(f, "{:>10.2}         {} more", hidden.1.as_secs_f64() * 1e6, hidden.0)?;
        }
        Ok(())
    }
}
