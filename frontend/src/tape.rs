//! Running a derivative without `jit`: operation by operation, reusing what was computed while recording.
//!
//! The primal part of a derivative repeats the recorded instructions. Each instruction is looked up, with its
//! operands resolved to recorded values, among the recorded ones; if it is there, so is its result, and the primal
//! never runs twice. What does more than compute is run, by a host that does nothing and gives what it gave then
//! ([`wengert_ir::host::replaying`]).

use crate::error::Error;
use crate::tensor::Tensor;
use crate::trace::Recorded;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::entity::{Entity, EntityVec};
use wengert_ir::func::{FuncId, Inst, Module, Value};
use wengert_ir::host::replaying;
use wengert_ir::op::{Effect, Op};

/// Runs `func`, derived from the recorded function, on `args` (which start with the recorded function's own).
pub(crate) fn run(
    module: &Module,
    func: FuncId,
    recorded: &Recorded,
    args: &[Tensor],
) -> Result<Vec<Tensor>, Error> {
    let run = || walk(module, func, recorded, args);
    if recorded.heard.is_empty() { run() } else { replaying(&recorded.heard, run) }
}

fn walk(module: &Module, func: FuncId, recorded: &Recorded, args: &[Tensor]) -> Result<Vec<Tensor>, Error> {
    let (func, tape) = (module.get(func), module.get(recorded.func));
    let acts = |inst: &Inst| module.effect(&inst.op) == Effect::Ordered;
    let mut known: FxHashMap<(&Op, SmallVec<[Value; 4]>), &[Value]> = FxHashMap::default();
    for inst in tape.insts.values().filter(|inst| !acts(inst)) {
        known.insert((&inst.op, inst.operands.clone()), &inst.results);
    }
    let mut env: EntityVec<Value, Option<Tensor>> = EntityVec::filled(None, func.values.len());
    // For values that equal a recorded one, which.
    let mut same: EntityVec<Value, Option<Value>> = EntityVec::filled(None, func.values.len());
    for (k, (&p, a)) in func.params.iter().zip(args).enumerate() {
        env[p] = Some(a.clone());
        same[p] = tape.params.get(k).copied();
    }
    for inst in func.insts.values() {
        let recorded_operands: Option<SmallVec<[Value; 4]>> =
            inst.operands.iter().map(|&v| same[v]).collect();
        if let Some(results) = recorded_operands.and_then(|o| known.get(&(&inst.op, o))) {
            let values: Option<Vec<Tensor>> =
                results.iter().map(|r| recorded.values.get(r.index()).cloned().flatten()).collect();
            if let Some(values) = values {
                for ((&v, &r), t) in inst.results.iter().zip(*results).zip(values) {
                    (same[v], env[v]) = (Some(r), Some(t));
                }
                continue;
            }
        }
        let operands: SmallVec<[&Tensor; 4]> =
            inst.operands.iter().map(|&v| env[v].as_ref().expect("topological order")).collect();
        let results = crate::eager::run(Some(module), &inst.op, &operands, inst.loc.clone())?;
        drop(operands);
        for (&v, t) in inst.results.iter().zip(results) {
            env[v] = Some(t);
        }
    }
    Ok(func.results.iter().map(|&r| env[r].clone().expect("defined")).collect())
}
