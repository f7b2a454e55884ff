//! The corpus and its gradients, before and after, in each float mode.

use super::rows::same_bits;
use std::path::Path;
use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::interp::{Limits, run};
use wengert_ir::op::{BinaryOp, Op};
use wengert_ir::types::{DType, FloatMode};
use wengert_ir::verify::verify;
use wengert_ir::{npy, testing, text};
use wengert_passes::egraph::{Options, optimize};
use wengert_passes::{ad, inline};

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

/// Searches of nearly all pieces end by themselves, and they pay: counts, because the clock decides no test.
#[test]
fn searches_of_the_corpus_are_few_and_pay() {
    let (mut insts, mut cost, mut programs) = ((0, 0), (0, 0), 0);
    let (mut searches, mut limited) = (0, Vec::new());
    for (name, mut module, main, _) in self::programs() {
        let r = optimize(&mut module, main, &Options::default()).report;
        assert!(r.cost_after <= r.cost_before, "{name}: {r:?}");
        // One more where sharing makes a program cheaper by more than the instruction that it takes.
        assert!(r.insts_after <= r.insts_before + 1, "{name}: {r:?}");
        insts = (insts.0 + r.insts_before, insts.1 + r.insts_after);
        cost = (cost.0 + r.cost_before, cost.1 + r.cost_after);
        searches += r.iterations;
        limited.extend((r.limited > 0).then_some(name));
        programs += 1;
    }
    assert!(programs > 60);
    assert!(limited.len() <= 3, "searches of {limited:?} were cut short");
    assert!(searches <= 4 * programs, "{searches} searches of {programs} programs");
    assert!(insts.1 * 100 <= insts.0 * 68 && cost.1 * 100 <= cost.0 * 92, "{insts:?} instructions, {cost:?}");
}

/// Work grows with the length of a program and no faster: copies of a transformer's gradient at different weights.
#[test]
fn long_programs_take_as_many_searches_as_they_have_pieces() {
    let name = "nn_transformer_block_loss_f64 gradient";
    let (_, module, main, _) = programs().into_iter().find(|p| p.0 == name).unwrap();
    let one = module.get(main);
    let report = |copies: usize| {
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
        let mut module = module.clone();
        let id = module.add(long);
        optimize(&mut module, id, &Options::default()).report
    };
    let (few, many) = (report(3), report(24));
    for r in [&few, &many] {
        assert!(r.pieces <= r.insts_before / 150 + 1, "{r:?}");
        assert!(r.insts_after * 100 <= r.insts_before * 46, "{r:?}");
    }
    // Eight times as long: where pieces are cut, a little is lost.
    assert!(
        many.insts_after <= 9 * few.insts_after && many.cost_after <= 9 * few.cost_after,
        "{few:?}\n{many:?}"
    );
}
