//! Walking a function: what each of its instructions is done by is the caller's.

use crate::error::Error;
use crate::tensor::{Tensor, Tensors};
use smallvec::SmallVec;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, Loc, Value};
use wengert_ir::op::Op;

/// Does one instruction of a function that is walked.
pub(crate) type Step<'a> = dyn FnMut(&Op, &[&Tensor], &Loc) -> Result<Tensors, Error> + 'a;

/// Walks a function with a `step` that does each instruction.
pub(crate) fn replay_with(func: &Func, args: &[Tensor], step: &mut Step<'_>) -> Result<Vec<Tensor>, Error> {
    assert_eq!(func.params.len(), args.len(), "arguments of a replayed function");
    let mut env: EntityVec<Value, Option<Tensor>> = EntityVec::filled(None, func.values.len());
    for (&p, a) in func.params.iter().zip(args) {
        env[p] = Some(a.clone());
    }
    for inst in func.insts.values() {
        // The order of effects is the order in which they are done here.
        if matches!(&inst.op, Op::Foreign(foreign) if foreign.is_token()) {
            continue;
        }
        // Tokens are no tensors: what still takes one is refused by its step.
        let is_refused = matches!(inst.op, Op::Foreign(_));
        let tensors = inst.operands.iter().filter(|&&v| !is_refused || env[v].is_some());
        let operands: SmallVec<[&Tensor; 4]> =
            tensors.map(|&v| env[v].as_ref().expect("topological order")).collect();
        let results = step(&inst.op, &operands, &inst.loc)?;
        drop(operands);
        for (&v, t) in inst.results.iter().zip(results) {
            env[v] = Some(t);
        }
    }
    Ok(func.results.iter().map(|&r| env[r].clone().expect("defined")).collect())
}
