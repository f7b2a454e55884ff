//! What a device does with the whole corpus, with random programs and with a few large arrays, as one report.
//!
//! Every program runs on the device and in the kernel interpreter, which is the judge, and once more in the interpreter of PTX
//! text, which counts: bytes and instructions are the same on every device.

use crate::random::agreement::{BOUND, agree};
use crate::random::check::{Outcome, on_device};
use crate::random::generate;
use crate::{corpus, corpus_cases};
use std::fmt::Write;
use std::time::Instant;
use wengert::stages::Traced;
use wengert::{Limits, Tensor, TensorType};
use wengert_gpu::drivers::reference;
use wengert_gpu::testing::{assemble, ptxas};
use wengert_gpu::{Device, Executable, Memory, ptx};
use wengert_ir::array::Array;
use wengert_ir::kernel::{Program, interp};
use wengert_ir::npy;
use wengert_ir::testing::Random;
use wengert_ir::types::DType;

/// Runs of which a time is the median.
const RUNS: usize = 5;

/// A program, and arguments of it.
pub struct Entry {
    /// What it is called in reports.
    pub name: String,
    /// The program.
    pub traced: Traced,
    /// Its arguments.
    pub args: Vec<Tensor>,
}

/// The programs of the corpus, and the value and gradient of those that are losses.
pub fn entries() -> Vec<Entry> {
    let mut all = Vec::new();
    for case in corpus_cases() {
        let Ok(source) = std::fs::read_to_string(corpus(&case).join("program.mlir")) else { continue };
        let Ok(traced) = Traced::parse(&source, None) else { continue };
        let types = traced.param_types();
        let args: Option<Vec<Tensor>> = (0..types.len())
            .map(|k| {
                let bytes = std::fs::read(corpus(&case).join(format!("in{k}.npy"))).ok()?;
                Some(Tensor::from(npy::parse(&bytes).ok()?))
            })
            .collect();
        let Some(args) = args else { continue };
        let results = traced.result_types();
        let is_loss = matches!(&results[..], [ty] if ty.rank() == 0 && ty.dtype.is_float());
        let wrt: Vec<usize> = (0..types.len()).filter(|&k| types[k].dtype.is_float()).collect();
        if is_loss
            && !wrt.is_empty()
            && let Ok(gradient) = traced.value_and_grad(&wrt)
        {
            let name = format!("{case}, gradient");
            all.push(Entry { name, traced: gradient, args: args.clone() });
        }
        all.push(Entry { name: case, traced, args });
    }
    all
}

/// Programs over large arrays, of about so many elements each.
pub fn large(elements: usize) -> Vec<Entry> {
    let side = (elements as f64).sqrt() as usize;
    let [rows, columns] = [(elements / 1024).max(1), elements.min(1024)];
    let mut random = Random(1);
    let mut entry = |name: &str, shapes: &[[usize; 2]], f: fn(Vec<Tensor>) -> Vec<Tensor>| {
        let array = |s: &[usize; 2]| Tensor::from(random.array(&TensorType::new(DType::F32, s), -1.0, 1.0));
        let args: Vec<Tensor> = shapes.iter().map(array).collect();
        let traced = wengert::jit(f).trace((args.clone(),)).expect("it traces");
        let sizes: Vec<String> = shapes.iter().map(|[a, b]| format!("{a} x {b}")).collect();
        Entry { name: format!("{name}, {}", sizes.join(" and ")), traced, args }
    };
    vec![
        entry("chain of functions", &[[rows, columns]], |x| vec![(x[0].sin() * x[0].exp() + 3.0).log()]),
        entry("its gradient", &[[rows, columns]], |x| {
            let f = |x: Tensor| (x.sin() * x.exp() + 3.0).log().sum();
            vec![wengert::grad(f)(x[0].clone())]
        }),
        entry("sum of squares", &[[rows, columns]], |x| vec![(&x[0] * &x[0]).sum()]),
        entry("softmax loss and gradient", &[[rows, columns]], |x| {
            let loss = |x: Tensor| -(wengert::nn::log_softmax(&x, -1) * 0.5).mean();
            let (value, gradient) = wengert::value_and_grad(loss)(x[0].clone());
            vec![value, gradient]
        }),
        entry("transpose", &[[side, side]], |x| vec![x[0].t()]),
        entry("product", &[[side.min(4096); 2]; 2], |x| vec![x[0].matmul(&x[1])]),
    ]
}

/// What came of one program.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// All bits of the kernel interpreter, all NaN being one.
    Same,
    /// Within [`BOUND`].
    Near,
    /// It was not compared.
    Ran,
    /// Something else, and what.
    Wrong(String),
    /// It does not run there, and why.
    Refused(String),
}

/// One program on a device.
pub struct Row {
    /// Which.
    pub name: String,
    /// What came of it.
    pub verdict: Verdict,
    /// Launches, elements that the host read, operations that the host ran.
    pub counts: [u64; 3],
    /// Bytes that kernels read and wrote, and instructions of all threads.
    pub work: [u64; 3],
    /// Bytes of arguments and results: what must be moved at least.
    pub least: u64,
    /// Most registers of a thread, bytes of shared memory of a block, and bytes spilled, where there is an assembler.
    pub used: Option<[u32; 3]>,
    /// Milliseconds of making code for the device and of a call with arguments and results on it, the median.
    pub times: [f64; 2],
}

fn bytes(arrays: &[Array]) -> Vec<&[u8]> {
    arrays.iter().map(Array::bytes).collect()
}

fn used(program: &Program) -> Option<[u32; 3]> {
    let module = ptx::module(program).ok().filter(|m| !m.entries.is_empty())?;
    let all = assemble(&ptxas().ok()?, &module.text, "sm_90").ok()?;
    let most = |f: fn(&wengert_gpu::testing::Used) -> u32| all.iter().map(f).max().unwrap_or(0);
    Some([most(|u| u.registers), most(|u| u.shared), most(|u| u.spills)])
}

/// Runs a program there. If it is `judged`, the kernel interpreter runs it too and is compared with, and the interpreter of PTX
/// text counts; they take minutes for what a device does in a millisecond.
pub fn row(device: &Device, entry: &Entry, judged: bool) -> Row {
    let mut row = Row {
        name: entry.name.clone(),
        verdict: Verdict::Same,
        counts: [0; 3],
        work: [0; 3],
        least: 0,
        used: None,
        times: [0.0; 2],
    };
    if let Err(why) = fill(&mut row, device, entry, judged) {
        row.verdict = Verdict::Refused(why);
    }
    row
}

fn fill(row: &mut Row, device: &Device, entry: &Entry, judged: bool) -> Result<(), String> {
    let lowered = entry.traced.clone().within(Limits::default()).lower().and_then(|l| l.gpu());
    let program = lowered.map_err(|e| e.message().to_owned())?;
    let arrays: Vec<Array> = entry.args.iter().map(Tensor::to_array).collect();
    row.least = (program.params.iter().chain(&program.results)).map(|ty| ty.bytes() as u64).sum();
    row.used = used(&program);
    let start = Instant::now();
    let executable = Executable::load(device, &program).map_err(|e| e.to_string())?;
    row.times[0] = start.elapsed().as_secs_f64() * 1e3;
    let before = device.counts();
    let found = executable.call_bytes(&bytes(&arrays)).map_err(|e| e.to_string())?;
    let after = device.counts();
    row.counts = [
        after.launches - before.launches,
        after.read_backs - before.read_backs,
        after.on_host - before.on_host,
    ];
    let args: Result<Vec<Memory>, _> = arrays.iter().map(|a| device.upload(a.bytes())).collect();
    let args = args.map_err(|e| e.to_string())?;
    let args: Vec<&Memory> = args.iter().collect();
    let mut times = Vec::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        let results = executable.call(&args).and_then(|r| device.wait().map(|()| r));
        times.push(start.elapsed().as_secs_f64() * 1e3);
        results.map_err(|e| e.to_string())?;
    }
    times.sort_by(f64::total_cmp);
    row.times[1] = times[RUNS / 2];
    if !judged {
        row.verdict = Verdict::Ran;
        return Ok(());
    }
    let (counting, counts) = reference::device();
    let there = Executable::load(&counting, &program).map_err(|e| format!("counting: {e}"))?;
    there.call_bytes(&bytes(&arrays)).map_err(|e| format!("counting: {e}"))?;
    let counts = *counts.lock().unwrap_or_else(|e| e.into_inner());
    row.work = [counts.read, counts.written, counts.instructions];
    let want = interp::run(&program, &arrays).map_err(|e| format!("the kernel interpreter: {e}"))?;
    for (k, (bytes, want)) in found.iter().zip(&want).enumerate() {
        let found = Array::from_bytes(want.ty().clone(), bytes);
        if agree(&found, want, None).is_ok() {
            continue;
        }
        match agree(&found, want, Some(BOUND)) {
            Ok(()) => row.verdict = Verdict::Near,
            Err(e) => {
                row.verdict = Verdict::Wrong(format!("result {k}: {e}"));
                break;
            }
        }
    }
    Ok(())
}

/// Random programs there: how many agree, and those that do not, with how.
pub fn random(device: &Device, count: u64) -> (u64, Vec<String>) {
    let (mut fine, mut wrong) = (0, Vec::new());
    for seed in 0..count {
        match on_device(device, &generate(seed)) {
            Outcome::Agrees => fine += 1,
            Outcome::Skipped(_) | Outcome::IllConditioned(_) => {}
            Outcome::Fails(failure) => wrong.push(format!("seed {seed}: {}", failure.detail)),
        }
    }
    (fine, wrong)
}

/// The table of programs as Markdown, after a line that counts them.
pub fn markdown(title: &str, rows: &[Row]) -> String {
    let count = |f: fn(&Verdict) -> bool| rows.iter().filter(|r| f(&r.verdict)).count();
    let mut out = format!("## {title}\n\n");
    let _ = writeln!(
        out,
        "{} programs: {} have the bits of the kernel interpreter, {} are within {BOUND:?} (`f64`, `f32`), {} are wrong, {} are \
         refused. Launches: {}. Elements read back: {}. Operations on the host: {}.\n",
        rows.len(),
        count(|v| *v == Verdict::Same),
        count(|v| *v == Verdict::Near),
        count(|v| matches!(v, Verdict::Wrong(_))),
        count(|v| matches!(v, Verdict::Refused(_))),
        rows.iter().map(|r| r.counts[0]).sum::<u64>(),
        rows.iter().map(|r| r.counts[1]).sum::<u64>(),
        rows.iter().map(|r| r.counts[2]).sum::<u64>(),
    );
    out += "| program | result | launches | read back | on host | bytes moved / least | registers, shared, spilled | ms | GB/s of the least |\n";
    out += "|---|---|---|---|---|---|---|---|---|\n";
    for r in rows {
        let verdict = match &r.verdict {
            Verdict::Same => "same bits".to_owned(),
            Verdict::Near => "near".to_owned(),
            Verdict::Ran => "not compared".to_owned(),
            Verdict::Wrong(why) => format!("WRONG: {}", line(why)),
            Verdict::Refused(why) => format!("refused: {}", line(why)),
        };
        let moved = r.work[0] + r.work[1];
        let moved = if moved == 0 || r.least == 0 {
            String::new()
        } else {
            format!("{moved} / {} = {:.2}", r.least, moved as f64 / r.least as f64)
        };
        let used = r.used.map_or(String::new(), |[a, b, c]| format!("{a}, {b}, {c}"));
        let [a, b, c] = r.counts;
        let rate = if r.times[1] > 0.0 { r.least as f64 / r.times[1] / 1e6 } else { 0.0 };
        let _ = writeln!(
            out,
            "| {} | {verdict} | {a} | {b} | {c} | {moved} | {used} | {:.4} | {rate:.1} |",
            r.name, r.times[1]
        );
    }
    out + "\n"
}

/// Without what would end a cell of a table.
fn line(text: &str) -> String {
    text.replace(['\n', '|'], " ").chars().take(200).collect()
}

/// The raw numbers of the table, separated by tabs.
pub fn raw(rows: &[Row]) -> String {
    let mut out = String::from(
        "program\tverdict\tlaunches\tread_backs\ton_host\tread\twritten\tinstructions\tleast\tregisters\tshared\tspilled\tload_ms\tcall_ms\n",
    );
    for r in rows {
        let verdict = match r.verdict {
            Verdict::Same => "same",
            Verdict::Near => "near",
            Verdict::Ran => "ran",
            Verdict::Wrong(_) => "wrong",
            Verdict::Refused(_) => "refused",
        };
        let ([a, b, c], [d, e, f], [g, h, i]) = (r.counts, r.work, r.used.unwrap_or_default());
        let [load, call] = r.times;
        let _ = writeln!(
            out,
            "{}\t{verdict}\t{a}\t{b}\t{c}\t{d}\t{e}\t{f}\t{}\t{g}\t{h}\t{i}\t{load:.4}\t{call:.4}",
            r.name, r.least
        );
    }
    out
}
