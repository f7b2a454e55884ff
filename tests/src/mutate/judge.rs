//! What a compiler may do with a mutant: refuse it with an error, or compute what the reference interpreter computes.
//!
//! Under [`LIMITS`] the mutant is read, specialized for its arguments, interpreted, and compiled and called as the command
//! `run` does. What the interpreter gives within [`SHORT`] is then compared as for random programs
//! ([`crate::random::check`]): optimized, and under the modes that round otherwise, and in one other way that the seed
//! chooses. Programs with roundings that are not defined are held to a bound if their results hardly change when their
//! arguments hardly do ([`super::rounding`]).

use super::{Mutant, rounding};
use crate::random::check::{Failure, Outcome, Ways, check, loose_mode};
use crate::random::{Flavor, Program, Rounding, values};
use std::panic::{AssertUnwindSafe, catch_unwind};
use wengert::stages::{Limits, Traced};
use wengert::{Tensor, TensorType};
use wengert_ir::array::Array;
use wengert_ir::func::{Func, Module};
use wengert_ir::interp;
use wengert_ir::op::Op;
use wengert_ir::testing::Random;
use wengert_ir::types::{DYNAMIC, FloatMode};

/// What a mutant may use.
pub const LIMITS: Limits =
    Limits { max_memory: Some(256 << 20), max_steps: Some(200_000), max_instructions: None };

/// What is run in every other way too, which have no limits.
pub const SHORT: interp::Limits =
    interp::Limits { max_memory: Some(8 << 20), max_steps: Some(20_000), max_instructions: None };

/// Bytes that derivatives may use: a branch that is not taken gives zeros for all that the other one keeps for it.
const DERIVATIVE: u64 = 1 << 30;

/// Bytes of arguments.
const ARGUMENTS: usize = 4 << 20;

/// What came of a mutant.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// It is not a program, or refuses its arguments: an error said so.
    Refused,
    /// It was compiled, or refused by a later stage with an error; the interpreter gives nothing to compare with.
    Unrun,
    /// All ways agree, as far as its results are defined.
    Agrees(Rounding),
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
    let mut within = Within::Limits;
    let verdict = guarded("run", &mut || {
        within = limited(mutant.seed, &traced, &args);
        if mutant.seed.is_multiple_of(4) {
            let _ = traced.optimize().map(|t| t.text(false));
        }
        Verdict::Unrun
    });
    if matches!(verdict, Verdict::Fails(_)) {
        return verdict;
    }
    guarded("compare", &mut || compare(mutant.seed, &traced, &args, within))
}

/// What of [`LIMITS`] compiled code keeps to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    /// All, or it is refused for another reason.
    Limits,
    /// The memory; a loop that floats decide on does not end soon where they may be rounded otherwise than they are written.
    FewerSteps,
    /// It needs more, were it only for a branch that is not taken.
    LessMemory,
}

/// Runs a program as the command `run` does: errors are answers. What ends by an equality of floats may end in one mode and
/// not in another, so a program with a loop is also run in the mode that it is compared in.
fn limited(seed: u64, traced: &Traced, args: &[Array]) -> Within {
    let tensors: Vec<Tensor> = args.iter().cloned().map(Tensor::from).collect();
    let (module, func) = traced.module();
    let mut loose = module.clone();
    loose.mode = loose_mode(seed);
    let loops = module.funcs.values().any(|f| f.insts.values().any(|i| matches!(i.op, Op::While(_))));
    let mut ways = vec![traced.clone()];
    if loops && loose.mode != module.mode {
        ways.push(Traced::new(loose, func).within(LIMITS));
    }
    let mut within = Within::Limits;
    for way in ways {
        match way.lower().and_then(|l| l.compile()).and_then(|c| c.call(&tensors)) {
            Err(e) if e.message().contains("--max-memory") => within = Within::LessMemory,
            Err(e) if e.message().contains("--max-steps") && loops_by_floats(module) => {
                within = Within::FewerSteps;
            }
            Ok(_) | Err(_) => {}
        }
    }
    within
}

/// Whether a value has more than so many bytes: what is made of it may have too, which code takes memory for though the branch
/// that makes it is not taken.
fn has_large(module: &Module, most: u64) -> bool {
    let large = |t: &TensorType| t.is_static() && t.checked_bytes().is_none_or(|n| n as u64 > most);
    module.funcs.values().any(|f| f.values.keys().any(|v| f.ty(v).as_tensor().is_some_and(large)))
}

/// Whether there is a branch that may not be taken.
fn has_branches(module: &Module) -> bool {
    module.funcs.values().any(|f| f.insts.values().any(|i| matches!(i.op, Op::Case(_))))
}

/// Whether a loop may end by what is made of floats, be it before the loop: a comparison, a conversion.
fn loops_by_floats(module: &Module) -> bool {
    let decides = |f: &Func| {
        let floats = |v| f.ty(v).as_tensor().is_some_and(|t| t.dtype.is_float());
        let mut insts = f.insts.values();
        insts.any(|i| i.operands.iter().any(|&v| floats(v)) && !i.results.iter().any(|&v| floats(v)))
    };
    let mut insts = module.funcs.values().flat_map(|f| f.insts.values());
    insts.any(|i| matches!(i.op, Op::While(_))) && module.funcs.values().any(|f| decides(f))
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
fn compare(seed: u64, traced: &Traced, args: &[Array], within: Within) -> Verdict {
    let (module, func) = traced.module();
    let mut module = module.clone();
    module.mode = FloatMode::Exact;
    let Some(rounding) = rounding::of(&module, func, args) else { return Verdict::Unrun };
    let (flavor, memory) = (Flavor::Wild, Some(DERIVATIVE));
    let program = Program { seed, module, func, flavor, rounding, memory, args: args.to_vec() };
    const OTHERS: &[&str] = &["text", "passes", "unoptimized", "kernels", "eager", "derivatives"];
    let other = OTHERS[(seed / 4) as usize % OTHERS.len()];
    let also = [Some("batches"), Some("sparsity"), None][(seed % 3) as usize];
    for stage in ["optimized", "modes", other].into_iter().chain(also) {
        // Rounded as it is written, a program ends where the interpreter does.
        if stage == "modes" && within == Within::FewerSteps {
            continue;
        }
        if let Outcome::Fails(failure) = check(&program, Ways::Only(stage)) {
            // Memory is asked for what is not run too: for branches that are not taken, and, where an operation with regions
            // is run by itself, for what is dead in them. To be refused it is an answer.
            let told = [
                "out of memory",
                "more than this machine has",
                "more bytes than can be counted",
                "more bytes than have addresses",
            ];
            let large = match stage {
                // Derivatives keep more than the program has, and code that nobody optimized has what is never run.
                "derivatives" | "unoptimized" => has_large(&program.module, DERIVATIVE),
                // Branches that are not taken have memory too: more than any machine has, nobody can give.
                "optimized" | "modes" | "kernels" => {
                    has_branches(&program.module) && has_large(&program.module, 1 << 48)
                }
                // Batches are of three examples, and run branches that no example of one takes.
                "batches" => has_large(&program.module, DERIVATIVE / 4) || has_branches(&program.module),
                _ => false,
            };
            let refused =
                (within == Within::LessMemory || large) && told.iter().any(|t| failure.detail.contains(t));
            if refused || stage == "eager" && failure.detail.contains("--max-memory") {
                continue;
            }
            return Verdict::Fails(Box::new(Fault { failure, program: Some(program) }));
        }
    }
    Verdict::Agrees(rounding)
}
