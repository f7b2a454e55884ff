//! Effects before lowering: names of values are dropped, and assertions leave the way of the program that they do not stop.

use crate::inline::callees_first;
use crate::rewrite::{copy_inst, like, mapped, push};
use rustc_hash::FxHashMap;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::{BinaryOp, Case, Convert, Op, Reduce, Reducer};
use wengert_ir::types::{DType, Dims, TensorType};

/// `func` without the names of its values. It is `func` itself if there are none.
pub fn drop_names(m: &mut Module, func: FuncId) -> FuncId {
    let is_name = |op: &Op| matches!(op, Op::Sow(_));
    if !m.reaches(func, &is_name) {
        return func;
    }
    let mut done: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    for id in callees_first(m, func) {
        let f = m.get(id);
        let (mut out, mut env) = like(&f);
        for inst in f.insts.values() {
            if is_name(&inst.op) {
                env[inst.results[0]] = env[inst.operands[0]];
                continue;
            }
            let mut inst = inst.clone();
            inst.op.map_callees(&mut |c| done[&c]);
            copy_inst(&mut out, &f, &inst, &mut env);
        }
        out.results = mapped(&env, &f.results).to_vec();
        let new = if out == *f { id } else { m.add(out) };
        done.insert(id, new);
    }
    done[&func]
}

/// An assertion as a branch: code asks whether all holds, and calls the host only if it does not.
pub(crate) fn guard(m: &mut Module, to: &mut Func, op: Op, operands: &[Value], loc: &Loc) {
    let branch = |m: &mut Module, to: &Func, fails: bool| {
        let mut body = Func::new("", FuncKind::Region);
        let params: Vec<Value> = operands.iter().map(|&v| body.param(to.ty(v).clone())).collect();
        if fails {
            push(m, &mut body, op.clone(), &params, loc);
        }
        m.add(body)
    };
    let branches = vec![branch(m, to, true), branch(m, to, false)];
    let mut holds = operands[0];
    let rank = to.tensor(holds).rank();
    if rank > 0 {
        let yes = push(m, to, Op::splat(TensorType::scalar(DType::I1), 1.0), &[], loc)[0];
        let dims: Dims = (0..rank).collect();
        let all = Reduce { dims, inputs: 1, reducer: Reducer::Op(BinaryOp::And) };
        holds = push(m, to, all, &[holds, yes], loc)[0];
    }
    let mut all = vec![push(m, to, Convert { dtype: DType::I32 }, &[holds], loc)[0]];
    all.extend(operands);
    push(m, to, Case { branches }, &all, loc);
}
