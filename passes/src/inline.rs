//! Replaces calls, and composite operations, by what they call, in regions too.
//!
//! After it a function refers to other functions only as regions of its instructions. Functions are
//! processed callees first, on a stack of our own, so that a long chain of calls cannot overflow it.

use crate::rewrite::{copy_inst, like, mapped};
use rustc_hash::{FxHashMap, FxHashSet};
use wengert_ir::func::{FuncId, Module};
use wengert_ir::op::{Call, Composite, Op};

/// Programs that would become longer than this keep their calls: forty functions that each call the one
/// before twice are a small file. What needs them inlined says so with an error.
const MAX_INSTS: u64 = 1 << 22;

/// `func` without calls. It is `func` itself if there are none, or if inlining would pass all bounds.
///
/// Functions with derivatives of their own stay; see [`inline_custom`].
pub fn inline_calls(m: &mut Module, func: FuncId) -> FuncId {
    inline_where(m, func, |op| match op {
        Op::Call(Call { callee }) | Op::Composite(Composite { decomposition: callee, .. }) => Some(*callee),
        _ => None,
    })
}

/// `func` with functions with derivatives of their own (`custom_jvp`, `custom_vjp`) replaced by their bodies: once
/// derivatives are taken, nothing is left to say.
pub fn inline_custom(m: &mut Module, func: FuncId) -> FuncId {
    inline_where(m, func, |op| match op {
        Op::CustomJvp(custom) => Some(custom.body),
        Op::CustomVjp(custom) => Some(custom.body),
        _ => None,
    })
}

/// Replaces what `body` says to be a call by what it calls.
fn inline_where(m: &mut Module, func: FuncId, body: fn(&Op) -> Option<FuncId>) -> FuncId {
    let order = callees_first(m, func);
    let mut sizes: FxHashMap<FuncId, u64> = FxHashMap::default();
    for &f in &order {
        let each = m.funcs[f]
            .insts
            .values()
            .map(|i| i.op.callees().iter().fold(1, |n: u64, c| n.saturating_add(sizes[c])));
        let size = each.fold(0, u64::saturating_add);
        sizes.insert(f, size);
    }
    if sizes[&func] > MAX_INSTS {
        return func;
    }
    let mut done: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    for f in order {
        let new = inline_one(m, f, &done, body);
        done.insert(f, new);
    }
    done[&func]
}

/// Everything that `func` reaches, callees before callers; `func` comes last.
pub(crate) fn callees_first(m: &Module, func: FuncId) -> Vec<FuncId> {
    let mut seen: FxHashSet<FuncId> = FxHashSet::default();
    let mut order = Vec::new();
    let mut stack = vec![(func, false)];
    while let Some((f, ready)) = stack.pop() {
        if ready {
            order.push(f);
        } else if seen.insert(f) {
            stack.push((f, true));
            let callees = m.funcs[f].insts.values().flat_map(|i| i.op.callees());
            stack.extend(callees.filter(|c| !seen.contains(c)).map(|c| (c, false)));
        }
    }
    order
}

/// One function, its callees being done.
fn inline_one(
    m: &mut Module,
    func: FuncId,
    done: &FxHashMap<FuncId, FuncId>,
    body: fn(&Op) -> Option<FuncId>,
) -> FuncId {
    let f = m.get(func);
    let changes =
        f.insts.values().any(|i| body(&i.op).is_some() || i.op.callees().iter().any(|c| done[c] != *c));
    if !changes {
        return func;
    }
    let (mut out, mut env) = like(&f);
    for inst in f.insts.values() {
        if let Some(callee) = body(&inst.op) {
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
