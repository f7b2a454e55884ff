//! Scatters into what they are added to: `scatter(0, i, u) + x` becomes `scatter(0 + x, i, u)`, one pass over memory less.
//! The reverse mode of a gather makes the first form.
//!
//! Exact where no two updates meet: `(0 + u) + x` and `(0 + x) + u` round alike, and `0 + x` does to a zero's sign
//! what `0 + x` did before. Where updates may meet, the order of the sum would change, and the scatter stays.

use crate::rewrite;
use rustc_hash::FxHashMap;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, InstId, Module, Value};
use wengert_ir::op::{BinaryOp, Op, Reducer, Scatter};

/// The function with such scatters moved.
pub(crate) fn accumulate(m: &mut Module, id: FuncId) -> FuncId {
    let func = m.get(id);
    let mut uses: EntityVec<Value, u32> = EntityVec::filled(0, func.values.len());
    let operands = func.insts.values().flat_map(|inst| &inst.operands);
    operands.chain(&func.results).for_each(|&v| uses[v] += 1);
    // Additions by what they are made of: the scatter, and the other operand.
    let mut found: FxHashMap<InstId, (InstId, Value)> = FxHashMap::default();
    for (add, inst) in func.insts.iter() {
        let Op::Binary(BinaryOp::Add) = inst.op else { continue };
        let (a, b) = (inst.operands[0], inst.operands[1]);
        for (scattered, other) in [(a, b), (b, a)] {
            if uses[scattered] == 1
                && let Some((scatter, inst)) = func.def(scattered)
                && is_movable(&func, inst)
            {
                found.insert(add, (scatter, other));
                break;
            }
        }
    }
    if found.is_empty() {
        return id;
    }
    let mut moved: EntityVec<InstId, bool> = EntityVec::filled(false, func.insts.len());
    found.values().for_each(|&(scatter, _)| moved[scatter] = true);
    let (mut out, mut env) = rewrite::like(&func);
    for (k, inst) in func.insts.iter() {
        if moved[k] {
            continue;
        }
        let Some(&(scatter, other)) = found.get(&k) else {
            rewrite::copy_inst(&mut out, &func, inst, &mut env);
            continue;
        };
        let (scatter, ty) = (&func.insts[scatter], func.ty(inst.results[0]).clone());
        let parts =
            rewrite::mapped(&env, &[scatter.operands[0], other, scatter.operands[1], scatter.operands[2]]);
        let sum = out.push_typed(inst.op.clone(), &parts[..2], [ty.clone()], inst.loc.clone());
        let operands = [sum[0], parts[2], parts[3]];
        let result = out.push_typed(scatter.op.clone(), &operands, [ty], scatter.loc.clone());
        env[inst.results[0]] = Some(result[0]);
    }
    out.results = rewrite::mapped(&env, &func.results).to_vec();
    m.add(out)
}

/// Whether an instruction adds updates, no two of which meet, to zeros.
fn is_movable(func: &Func, inst: &Inst) -> bool {
    let Op::Scatter(s) = &inst.op else { return false };
    let adds = s.inputs == 1 && s.reducer == Reducer::Op(BinaryOp::Add) && inst.operands.len() == 3;
    adds && is_zero(func, inst.operands[0]) && is_unique(func, inst, s)
}

/// Whether a value is positive zeros: `-0 + u` would keep the sign of a zero `u`.
fn is_zero(func: &Func, v: Value) -> bool {
    match func.def(v).map(|(_, inst)| &inst.op) {
        Some(Op::Zero(_)) => true,
        Some(Op::Constant(c)) => c.value.as_splat().is_some_and(|bytes| bytes.iter().all(|&b| b == 0)),
        _ => false,
    }
}

/// Whether no element is updated twice: by promise, or because there is one window per batch.
fn is_unique(func: &Func, inst: &Inst, s: &Scatter) -> bool {
    let indices = &func.tensor(inst.operands[1]).shape;
    let batching = |d: &usize| s.scatter_indices_batching_dims.contains(d) || *d == s.index_vector_dim;
    s.unique_indices || (0..indices.len()).filter(|d| !batching(d)).all(|d| indices[d] == 1)
}
