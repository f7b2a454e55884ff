//! What a compiler may do with a mutant: refuse it with an error, or compute what the reference interpreter computes.
//!
//! Under [`LIMITS`] the mutant is read, specialized for its arguments, interpreted, and compiled and called as the command
//! `run` does. What the interpreter gives within [`SHORT`] is then compared as for random programs
//! ([`crate::random::check`]): optimized, and under the modes that round otherwise, and in one other way that the seed
//! chooses. Programs with roundings that are not defined are held to a bound if their results hardly change when their
//! arguments hardly do.

use super::Mutant;
use crate::random::check::{BOUND, Failure, Outcome, agree, check};
use crate::random::{Flavor, Program, Rounding, values};
use std::panic::{AssertUnwindSafe, catch_unwind};
use wengert::stages::{Limits, Traced};
use wengert::{Tensor, TensorType};
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::interp;
use wengert_ir::op::Op;
use wengert_ir::testing::{Random, floats, numbers};
use wengert_ir::types::{DType, DYNAMIC, FloatMode, Type};

/// What a mutant may use.
pub const LIMITS: Limits =
    Limits { max_memory: Some(256 << 20), max_steps: Some(200_000), max_instructions: None };

/// What is run in every other way too, which have no limits.
pub const SHORT: interp::Limits =
    interp::Limits { max_memory: Some(8 << 20), max_steps: Some(20_000), max_instructions: None };

/// Arguments whose products may overflow.
const LARGE: f64 = 1e6;

/// Bytes of arguments.
const ARGUMENTS: usize = 4 << 20;

/// What came of a mutant.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It is not a program, or refuses its arguments: an error said so.
    Refused,
    /// It was compiled, or refused by a later stage with an error; the interpreter gives nothing to compare with.
    Unrun,
    /// All ways agree.
    Agrees,
    /// Some do not, or something panicked.
    Fails(Box<Fault>),
}

/// What is wrong with the compiler.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Where it shows.
    pub failure: Failure,
    /// The program, to be made smaller, if it was compared with itself.
    pub program: Option<Program>,
}

/// Runs a mutant in every way that is for it.
pub fn judge(mutant: &Mutant) -> Verdict {
    let guarded = |stage: &'static str, f: &mut dyn FnMut() -> Verdict| {
        catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|cause| {
            let text = cause.downcast_ref::<String>().cloned();
            let text = text.or_else(|| cause.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            let detail = format!("panicked: {}", text.unwrap_or_default());
            Verdict::Fails(Box::new(Fault { failure: Failure { stage, detail }, program: None }))
        })
    };
    let mut read = None;
    let verdict = guarded("read", &mut || match program(mutant) {
        Some(found) => {
            read = Some(found);
            Verdict::Unrun
        }
        None => Verdict::Refused,
    });
    let Some((traced, args)) = read else { return verdict };
    let tensors: Vec<Tensor> = args.iter().cloned().map(Tensor::from).collect();
    let verdict = guarded("run", &mut || {
        // Errors are answers.
        let _ = traced.lower().and_then(|l| l.compile()).and_then(|c| c.call(&tensors));
        if mutant.seed.is_multiple_of(4) {
            let _ = traced.optimize().map(|t| t.text(false));
        }
        Verdict::Unrun
    });
    if let Verdict::Fails(_) = verdict {
        return verdict;
    }
    guarded("compare", &mut || compare(mutant.seed, &traced, &args))
}

/// The program that a mutant's text is, specialized, with arguments for it.
fn program(mutant: &Mutant) -> Option<(Traced, Vec<Array>)> {
    let traced = Traced::parse(&mutant.text, None).ok()?.within(LIMITS);
    let (module, func) = traced.module();
    let mut random = Random(mutant.seed ^ 0xa26);
    let types: Option<Vec<TensorType>> = module
        .get(func)
        .param_types()
        .iter()
        .map(|ty| {
            let mut ty = ty.as_tensor()?.clone();
            ty.shape.iter_mut().filter(|n| **n == DYNAMIC).for_each(|n| *n = random.below(5));
            Some(ty)
        })
        .collect();
    let types = types?;
    let bytes: Option<usize> = types
        .iter()
        .try_fold(0usize, |sum, t| sum.checked_add(t.checked_elements()?.checked_mul(t.dtype.size())?));
    if bytes.is_none_or(|n| n > ARGUMENTS) {
        // Without arguments it can still be compiled.
        let _ = traced.lower();
        return None;
    }
    let special = random.chance(40);
    let args = values::of_types(&types, &mut random, special);
    let tensors: Vec<Tensor> = args.iter().cloned().map(Tensor::from).collect();
    Some((traced.specialize(&tensors).ok()?, args))
}

/// Compares the ways of running a program that the interpreter can run.
fn compare(seed: u64, traced: &Traced, args: &[Array]) -> Verdict {
    let (module, func) = traced.module();
    let mut module = module.clone();
    module.mode = FloatMode::Exact;
    let Ok(want) = interp::run(&module, func, args, &SHORT) else { return Verdict::Unrun };
    let rounding = rounding(&module, func, args, &want);
    let program = Program { seed, module, func, flavor: Flavor::Wild, rounding, args: args.to_vec() };
    const OTHERS: &[&str] = &["text", "passes", "unoptimized", "kernels", "eager", "derivatives"];
    for stage in ["optimized", "modes", OTHERS[(seed / 4) as usize % OTHERS.len()]] {
        if let Outcome::Fails(failure) = check(&program, Some(stage)) {
            return Verdict::Fails(Box::new(Fault { failure, program: Some(program) }));
        }
    }
    Verdict::Agrees
}

/// How exactly results are defined: where a rounding is not, the arguments are moved a little to see what that does.
fn rounding(module: &Module, func: FuncId, args: &[Array], want: &[Array]) -> Rounding {
    let (alone, _) = module.reachable(&[func]);
    let rounds = |t: &Type| t.as_tensor().is_some_and(|t| t.dtype.is_differentiable());
    let free = |f: &wengert_ir::func::Func| {
        f.insts.values().any(|i| rounds_freely(&i.op) && i.results.iter().any(|&r| rounds(f.ty(r))))
    };
    if !alone.funcs.values().any(|f| free(f)) {
        return Rounding::Defined;
    }
    // Whether a sum of large products overflows depends on its order.
    let is_large = |x: f64| x.is_finite() && x.abs() > LARGE;
    let floats_of =
        |a: &Array| if matches!(a.dtype(), DType::F32 | DType::F64) { floats(a) } else { Vec::new() };
    if args.iter().flat_map(floats_of).any(is_large) {
        return Rounding::Unbounded;
    }
    for factor in [1.0 + 1e-6, 1.0 - 3e-6] {
        let moved: Vec<Array> = args
            .iter()
            .map(|a| match a.dtype() {
                DType::F32 | DType::F64 => numbers(a.ty(), floats(a).into_iter().map(|x| x * factor)),
                _ => a.clone(),
            })
            .collect();
        let Ok(got) = interp::run(module, func, &moved, &SHORT) else { return Rounding::Unbounded };
        if !got.iter().zip(want).all(|(g, w)| agree(g, w, Some(BOUND.map(|b| b.max(1e-4)))).is_ok()) {
            return Rounding::Unbounded;
        }
    }
    Rounding::Bounded
}

/// Whether the order of an operation's sums is not defined.
fn rounds_freely(op: &Op) -> bool {
    matches!(
        op,
        Op::DotGeneral(_)
            | Op::Convolution(_)
            | Op::Fft(_)
            | Op::Cholesky(_)
            | Op::TriangularSolve(_)
            | Op::Potrf(_)
            | Op::Lu(_)
            | Op::Qr(_)
            | Op::HouseholderProduct(_)
            | Op::Eigh(_)
            | Op::Svd(_)
            | Op::Eig(_)
            | Op::Schur(_)
            | Op::Hessenberg(_)
            | Op::Tridiagonalize(_)
            | Op::TridiagonalSolve(_)
    )
}
