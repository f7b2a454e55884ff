//! The corpus and its gradients, before and after, in each float mode.

use super::rows::same_bits;
use crate::egraph::{Options, optimize};
use crate::{ad, inline};
use std::path::Path;
use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::interp::{Limits, run};
use wengert_ir::op::{BinaryOp, Op};
use wengert_ir::types::{DType, FloatMode};
use wengert_ir::verify::verify;
use wengert_ir::{npy, testing, text};

/// A program with its inputs: as it is, and its first scalar result with gradients where there is one.
pub(super) fn programs() -> Vec<(String, Module, FuncId, Vec<Array>)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus");
    let mut dirs: Vec<_> = std::fs::read_dir(corpus).unwrap().map(|d| d.unwrap().path()).collect();
    dirs.sort();
    let mut out = Vec::new();
    for dir in dirs {
        let name = dir.file_name().unwrap().to_string_lossy().into_owned();
        let Ok(source) = std::fs::read_to_string(dir.join("program.mlir")) else { continue };
        let Ok(mut module) = text::parse(&source) else { continue };
        let main = module.find("main").unwrap();
        let main = inline::inline_calls(&mut module, main);
        let f = module.get(main);
        let array = |k: usize| npy::parse(&std::fs::read(dir.join(format!("in{k}.npy"))).ok()?).ok();
        let Some(args) = (0..f.params.len()).map(array).collect::<Option<Vec<Array>>>() else { continue };
        if args.iter().zip(f.param_types()).any(|(a, t)| a.ty() != t.tensor()) {
            continue;
        }
        let wrt: Vec<bool> = args.iter().map(|a| a.dtype().is_float()).collect();
        let differentiable =
            f.result_types()[0].as_tensor().is_some_and(|t| t.rank() == 0 && t.dtype.is_float());
        if differentiable && let Ok(grad) = ad::value_and_grad(&mut module, main, &wrt, 0) {
            out.push((format!("{name} gradient"), module.clone(), grad, args.clone()));
        }
        out.push((name, module, main, args));
    }
    out
}

/// Whether arrays agree as far as their type can be trusted.
fn near(a: &Array, b: &Array, relative: f64) -> bool {
    if !matches!(a.dtype(), DType::F32 | DType::F64) {
        return a == b;
    }
    let (x, y) = (testing::floats(a), testing::floats(b));
    let scale = x.iter().filter(|v| v.is_finite()).fold(1.0f64, |m, v| m.max(v.abs()));
    x.iter().zip(&y).all(|(x, y)| x == y || (x.is_nan() && y.is_nan()) || (x - y).abs() <= relative * scale)
}

#[test]
fn corpus_programs_and_gradients_keep_their_values() {
    let limits = Limits { max_memory: Some(1 << 31), max_steps: Some(10_000_000), ..Limits::default() };
    let mut ran = 0;
    for (name, module, main, args) in programs() {
        let Ok(before) = run(&module, main, &args, &limits) else { continue };
        ran += 1;
        for mode in [FloatMode::Exact, FloatMode::Default, FloatMode::Relaxed] {
            let mut module = module.clone();
            module.mode = mode;
            let out = optimize(&mut module, main, &Options::default());
            verify(&module.reachable(&[out.func]).0).unwrap_or_else(|e| panic!("{name}: {e:?}"));
            let after = run(&module, out.func, &args, &limits).unwrap();
            for (k, (x, y)) in before.iter().zip(&after).enumerate() {
                let agree = match (mode, x.dtype()) {
                    (FloatMode::Exact, _) => same_bits(x, y),
                    // An identity of real numbers may change what is not a real number.
                    (FloatMode::Relaxed, _) if name.starts_with("edge_") => true,
                    (_, DType::F32) => near(x, y, 2e-5),
                    _ => near(x, y, 1e-12),
                };
                assert!(agree, "{name}, {mode:?}, result {k}:\n{x:?}\n{y:?}");
            }
        }
    }
    assert!(ran > 60, "{ran} programs ran");
}

/// Printed, never asserted: time by program.
#[test]
fn timing_of_the_corpus() {
    let mut total = (0, 0, 0.0);
    for (name, module, main, _) in programs() {
        let mut best = f64::MAX;
        let mut report = None;
        for _ in 0..3 {
            let mut module = module.clone();
            let start = std::time::Instant::now();
            report = Some(optimize(&mut module, main, &Options::default()).report);
            best = best.min(start.elapsed().as_secs_f64() * 1e3);
        }
        let r = report.unwrap();
        total = (total.0 + r.insts_before, total.1 + r.insts_after, total.2 + best);
        if r.insts_before > 60 {
            eprintln!(
                "timing: {best:.3} ms, {name}: insts {} -> {}, cost {} -> {}, {} funcs, {} pieces, {} iterations, {} limited",
                r.insts_before,
                r.insts_after,
                r.cost_before,
                r.cost_after,
                r.funcs,
                r.pieces,
                r.iterations,
                r.limited
            );
        }
    }
    eprintln!("timing: corpus {} -> {} insts, {:.2} ms", total.0, total.1, total.2);
}

/// Printed, never asserted: time of long programs, copies of a transformer's gradient at different weights.
#[test]
fn timing_of_long_programs() {
    let name = "nn_transformer_block_loss_f64 gradient";
    let (_, module, main, _) = programs().into_iter().find(|p| p.0 == name).unwrap();
    let one = module.get(main);
    for copies in [3usize, 34] {
        let mut long = Func::new("long", FuncKind::Public);
        let params: Vec<Value> = one.params.iter().map(|&p| long.param(one.ty(p).clone())).collect();
        for k in 0..copies {
            let mut args = params.clone();
            let scale = Op::splat(long.tensor(params[0]).clone(), 1.5 + k as f64);
            let scale = long.push(&module, scale, &[], Loc::Unknown).unwrap()[0];
            args[0] =
                long.push(&module, BinaryOp::Multiply.into(), &[params[0], scale], Loc::Unknown).unwrap()[0];
            args[8] = long.results.get(10).copied().unwrap_or(args[8]);
            long.results = long.inline(&one, &args);
        }
        let mut best = f64::MAX;
        let mut report = None;
        for _ in 0..5 {
            let mut module = module.clone();
            let id = module.add(long.clone());
            let start = std::time::Instant::now();
            report = Some(optimize(&mut module, id, &Options::default()).report);
            best = best.min(start.elapsed().as_secs_f64() * 1e3);
        }
        let r = report.unwrap();
        eprintln!(
            "timing: {best:.2} ms, {copies} copies: insts {} -> {}, cost {} -> {}, {} pieces, {} iterations, {} limited",
            r.insts_before, r.insts_after, r.cost_before, r.cost_after, r.pieces, r.iterations, r.limited
        );
    }
}
