//! What the corpus, the workloads and single operations compile to, in figures: a row each in `snapshots`. Results do not depend on what is
//! fused, shared, hoisted, kept in registers or stored; these figures do, so a choice that changes without a word is seen in a diff.
//!
//! Whoever changes a choice on purpose reads the rows that moved, and takes them over: `INSTA_UPDATE=always cargo test -p
//! wengert-benches --test ledger`.

mod large;
mod rules;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use wengert::object::{Calls, ObjectOptions};
use wengert::{Lowered, Traced};
use wengert_benches::workloads;
use wengert_ir::kernel::{KOp, Library, LoopKind, Place, Program};
use wengert_passes::cost_report;

/// What a kernel program is made of, by name; what there is none of is left out.
fn parts(program: &Program) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    let mut add = |name, n| *counts.entry(name).or_insert(0) += n;
    for kernel in program.kernels.values() {
        add("kernels", 1);
        kernel.body.visit(&mut |inst| {
            add("instructions", 1);
            match &inst.op {
                KOp::For(l) => match &l.kind {
                    LoopKind::Sequential => add("loops", 1),
                    LoopKind::Vector => add("vector loops", 1),
                    LoopKind::Lanes(_) => add("reductions", 1),
                },
                KOp::While(_) => add("while loops", 1),
                KOp::Switch(_) => add("switches", 1),
                KOp::Load(_) => add("loads", 1),
                KOp::Store(_) => add("stores", 1),
                KOp::Math(_) | KOp::Math2(_) => add("functions", 1),
                KOp::Call { .. } => add("calls", 1),
                KOp::Parallel { .. } => add("parallel", 1),
                KOp::Launch { .. } => add("launches", 1),
                KOp::Barrier => add("barriers", 1),
                KOp::Library(library) => match &**library {
                    Library::Gemm { .. } => add("products", 1),
                    Library::Tile { .. } | Library::Tile2 { .. } => add("tiles", 1),
                    Library::Reference { .. } => add("library", 1),
                    Library::Section(_) => {}
                },
                KOp::Const(_)
                | KOp::Unary(_)
                | KOp::Binary(_)
                | KOp::Compare(..)
                | KOp::Select
                | KOp::Fma
                | KOp::Cast(_)
                | KOp::ThreadId(_)
                | KOp::BlockId(_)
                | KOp::Shuffle(_)
                | KOp::Reserve(_)
                | KOp::Steps(_) => {}
            }
        });
    }
    let constants = program.mems.values().filter(|m| matches!(m.place, Place::Constant(_)));
    add("constant bytes", constants.map(|m| m.bytes()).sum());
    add("scratch bytes", program.scratch);
    counts.retain(|_, n| *n > 0);
    counts
}

fn listed(parts: &BTreeMap<&str, usize>) -> String {
    parts.iter().map(|(name, n)| format!("{name} {n}")).collect::<Vec<_>>().join(", ")
}

/// The rows of a program: its tensor form, its loops, those of a GPU, its object.
fn rows(out: &mut String, name: &str, traced: &Traced) {
    let lowered: Lowered = match traced.lower() {
        Ok(lowered) => lowered,
        Err(e) => {
            let _ = writeln!(out, "{name}\n  refused: {}", e.to_string().lines().next().unwrap_or_default());
            return;
        }
    };
    let (module, func) = lowered.optimized().module();
    let report = cost_report::of_func(module, func);
    let (reached, _) = module.reachable(&[func]);
    let insts: usize = reached.funcs.values().map(|f| f.insts.len()).sum();
    let _ = writeln!(
        out,
        "{name}\n  tensors  {insts} operations, {} read, {} written, {} flops, cost {}",
        report.read, report.written, report.flops, report.cost
    );
    let _ = writeln!(out, "  loops    {}", listed(&parts(lowered.program())));
    match lowered.gpu() {
        Ok(program) => _ = writeln!(out, "  gpu      {}", listed(&parts(&program))),
        Err(e) => _ = writeln!(out, "  gpu      {}", e.to_string().lines().next().unwrap_or_default()),
    }
    // Objects of another architecture need its code generator.
    let mut options = ObjectOptions::new("f");
    options.triple = "x86_64-unknown-linux-gnu".parse().expect("a triple");
    options.calls = Calls::Runtime;
    match lowered.object(&options) {
        Ok(object) => {
            let (bytes, stack) = (object.bytes().len(), object.stack_bytes());
            let _ = writeln!(out, "  object   {bytes} bytes, {stack} of stack");
        }
        Err(e) => _ = writeln!(out, "  object   {}", e.to_string().lines().next().unwrap_or_default()),
    }
}

/// Bytes of text of the largest workload that is looked at.
const LONGEST: usize = 200_000;

/// The figures are of x86-64 with a fused multiply-add; a machine that is another says that it was not looked at.
fn is_measured() -> bool {
    let is = cfg!(target_arch = "x86_64") && wengert_cpu::fuses();
    if !is {
        wengert_ir::testing::skip("fma", "the ledger is of x86-64 with a fused multiply-add");
    }
    is
}

/// The programs of the corpus, and their derivatives where they have some.
fn corpus_programs() -> Vec<(String, Traced)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus");
    let mut cases: Vec<_> =
        std::fs::read_dir(folder).expect("a corpus").map(|e| e.expect("an entry").path()).collect();
    cases.sort();
    let mut out = Vec::new();
    for case in cases.iter().filter(|p| p.is_dir()) {
        let read = |name: &str| std::fs::read_to_string(case.join(name));
        let meta: serde_json::Value =
            serde_json::from_str(&read("meta.json").expect("a file")).expect("JSON");
        let text = read("program.mlir").expect("a program");
        let traced = Traced::parse(&text, None).or_else(|e| match read("program_hlo.mlir") {
            Ok(text) => Traced::parse(text, None),
            Err(_) => Err(e),
        });
        let traced = traced.unwrap_or_else(|e| panic!("{}: {e}", case.display()));
        let name = case.file_name().and_then(|n| n.to_str()).expect("a name");
        let numbers = |key: &str| -> Vec<usize> {
            let list = meta[key].as_array().into_iter().flatten();
            list.map(|n| n.as_u64().expect("a number") as usize).collect()
        };
        let has = |mode: &str| meta["modes"].as_array().is_some_and(|m| m.iter().any(|v| v == mode));
        let derivative = if has("grad") {
            Some(("vg", traced.value_and_grad(&numbers("wrt"))))
        } else {
            has("vjp").then(|| ("vjp", traced.vjp(&numbers("wrt"), &numbers("cotangent_outputs"))))
        };
        out.push((name.to_owned(), traced));
        if let Some((kind, derivative)) = derivative {
            out.push((format!("{name}.{kind}"), derivative.unwrap_or_else(|e| panic!("{name}: {e}"))));
        }
    }
    out
}

/// The workloads of the report but those that measure how long very large programs take to compile, and say nothing else.
fn workload_programs() -> Vec<(String, Traced)> {
    let mut out = Vec::new();
    for workload in workloads::all() {
        let text = (workload.case().text)();
        if text.len() <= LONGEST {
            let traced = Traced::parse(text, None).unwrap_or_else(|e| panic!("{}: {e}", workload.name));
            out.push((workload.name, traced));
        }
    }
    out
}

/// The rows of these programs.
fn ledger(programs: impl IntoIterator<Item = (String, Traced)>) -> String {
    let mut out = String::new();
    programs.into_iter().for_each(|(name, traced)| rows(&mut out, &name, &traced));
    out
}

#[test]
fn corpus() {
    if is_measured() {
        insta::assert_snapshot!(ledger(corpus_programs()));
    }
}

#[test]
fn workloads_of_the_report() {
    if is_measured() {
        insta::assert_snapshot!(ledger(workload_programs()));
    }
}

#[test]
fn operations_at_large_sizes() {
    if is_measured() {
        insta::assert_snapshot!(ledger(large::programs()));
    }
}

/// What is in the ledger computes what its operations do one by one; the corpus and the workloads have such tests elsewhere.
#[test]
fn operations_at_large_sizes_are_right() {
    large::programs().for_each(|(name, traced)| large::check(&name, &traced));
}
