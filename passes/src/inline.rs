//! Replaces calls by what they call, in regions too.
//!
//! After it a function refers to other functions only as regions of its instructions. Functions are
//! processed callees first, on a stack of our own, so that a long chain of calls cannot overflow it.

use crate::rewrite::{copy_inst, like, mapped};
use rustc_hash::FxHashMap;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::op::{Call, Op};

/// `func` without calls. It is `func` itself if there are none.
pub fn inline_calls(m: &mut Module, func: FuncId) -> FuncId {
    let mut done: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    let mut stack = vec![(func, false)];
    while let Some((f, ready)) = stack.pop() {
        if done.contains_key(&f) {
            continue;
        }
        if ready {
            let new = inline_one(m, f, &done);
            done.insert(f, new);
        } else {
            stack.push((f, true));
            let callees = m.funcs[f].insts.values().flat_map(|i| i.op.callees());
            stack.extend(callees.filter(|c| !done.contains_key(c)).map(|c| (c, false)));
        }
    }
    done[&func]
}

/// One function, its callees being done.
fn inline_one(m: &mut Module, func: FuncId, done: &FxHashMap<FuncId, FuncId>) -> FuncId {
    let f = m.get(func);
    let changes =
        f.insts.values().any(|i| matches!(i.op, Op::Call(_)) || i.op.callees().iter().any(|c| done[c] != *c));
    if !changes {
        return func;
    }
    let (mut out, mut env) = like(&f);
    for inst in f.insts.values() {
        if let Op::Call(Call { callee }) = inst.op {
            let args = mapped(&env, &inst.operands);
            let results = out.inline(&m.get(done[&callee]), &args);
            for (&old, new) in inst.results.iter().zip(results) {
                env[old] = Some(new);
            }
        } else {
            let mut copy = inst.clone();
            copy.op.map_callees(&mut |c| done[&c]);
            copy_inst(&mut out, &f, &copy, &mut env);
        }
    }
    out.results = mapped(&env, &f.results).to_vec();
    m.add(out)
}
