//! Replaces calls, and composite operations, by what they call, in regions too.
//!
//! After it a function refers to other functions only as regions of its instructions. Only the function itself and regions are
//! built: what is called is copied straight to where it ends up, on a stack of our own, so that a chain of calls takes
//! time by the length of what comes out, and cannot overflow ours.

use crate::rewrite::{Env, copy_inst, env, like, mapped};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use wengert_ir::entity::Entity;
use wengert_ir::func::{Func, FuncId, InstId, Module, Values};
use wengert_ir::limits::Extent;
use wengert_ir::op::{Checkpoint, Op, OptimizationBarrier};
use wengert_ir::types::Type;

/// Programs that would become longer than this keep their calls, whatever
/// [limits](wengert_ir::limits::Limits::max_instructions) say: forty functions that each call the one before twice are a
/// small file. What needs them inlined says so with an error.
const MAX_INSTS: u64 = 1 << 22;

/// Around what checkpoints compute again. One number will do: equal computations behind it may be shared.
pub(crate) const FENCE: OptimizationBarrier = OptimizationBarrier { region: 1 };

/// Around a value that is to be in memory when it has been computed, not part of what reads it later.
pub(crate) const STORED: OptimizationBarrier = OptimizationBarrier { region: 2 };

/// Whether an operation is no more than the function that it runs.
fn is_plain(op: &Op) -> bool {
    matches!(op, Op::Call(_) | Op::Composite(_))
}

/// `func` without calls. It is `func` itself if there are none, or if inlining would pass all bounds.
///
/// Functions with derivatives of their own stay; see [`inline_custom`].
pub fn inline_calls(m: &mut Module, func: FuncId) -> FuncId {
    inline_where(m, func, &|op| op.body().filter(|_| is_plain(op)))
}

/// `func` with functions with derivatives of their own (`custom_jvp`, `custom_vjp`) and checkpoints replaced by their bodies:
/// once derivatives are taken, nothing is left to say. What a checkpoint computes again stays behind a barrier; what derivatives
/// were not to see (`stop_gradient`) is what it is.
pub fn inline_custom(m: &mut Module, func: FuncId) -> FuncId {
    let func = inline_where(m, func, &|op| op.body().filter(|_| !is_plain(op)));
    let stands_still = |op: &Op| matches!(op, Op::StopGradient(_));
    if !m.reaches(func, &stands_still) {
        return func;
    }
    rebuilt(m, func, |_, f| {
        f.insts.values().find(|inst| stands_still(&inst.op))?;
        let (mut out, mut env) = like(f);
        for inst in f.insts.values() {
            if stands_still(&inst.op) {
                env[inst.results[0]] = env[inst.operands[0]];
            } else {
                copy_inst(&mut out, f, inst, &mut env);
            }
        }
        out.results = mapped(&env, &f.results).to_vec();
        Some(out)
    })
}

/// What an operation is replaced by, if it is.
type Body<'a> = &'a dyn Fn(&Op) -> Option<FuncId>;

/// Replaces what `body` says to be a call by what it calls.
pub(crate) fn inline_where(m: &mut Module, func: FuncId, body: Body<'_>) -> FuncId {
    if Extent::of(m, func).instructions > MAX_INSTS {
        return func;
    }
    let order = callees_first(m, func);
    // What remains a function: this one and regions of what is reached.
    let mut stays: FxHashSet<FuncId> = FxHashSet::from_iter([func]);
    for inst in order.iter().flat_map(|&f| m.funcs[f].insts.values()).filter(|i| body(&i.op).is_none()) {
        stays.extend(inst.op.callees());
    }
    let mut done: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    for f in order.into_iter().filter(|f| stays.contains(f)) {
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

/// `func` and all that it reaches rebuilt, callees first: `rebuild` gives what replaces a function whose callees are done, or nothing.
/// It is `func` itself if nothing changes.
pub(crate) fn rebuilt(
    m: &mut Module,
    func: FuncId,
    mut rebuild: impl FnMut(&mut Module, &Func) -> Option<Func>,
) -> FuncId {
    let mut done: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    for id in callees_first(m, func) {
        let f = m.get(id);
        let mut new = Func::clone(&f);
        new.insts.values_mut().for_each(|i| i.op.map_callees(&mut |c| done[&c]));
        let new = rebuild(m, &new).unwrap_or(new);
        let new = if new == *f { id } else { m.add(new) };
        done.insert(id, new);
    }
    done[&func]
}

/// A function being copied.
struct Frame {
    func: Arc<Func>,
    env: Env,
    next: usize,
    /// The values of the caller that what it gives is for.
    results: Values,
}

/// One function, its regions and those of what it calls being done.
fn inline_one(m: &mut Module, func: FuncId, done: &FxHashMap<FuncId, FuncId>, body: Body<'_>) -> FuncId {
    let f = m.get(func);
    let changes =
        f.insts.values().any(|i| body(&i.op).is_some() || i.op.callees().iter().any(|c| done[c] != *c));
    if !changes {
        return func;
    }
    let (mut out, env_of_params) = like(&f);
    let mut frames = vec![Frame { func: f, env: env_of_params, next: 0, results: Values::new() }];
    while let Some(frame) = frames.last_mut() {
        let at = frame.next;
        frame.next += 1;
        if at < frame.func.insts.len() {
            let inst = &frame.func.insts[InstId::from_index(at)];
            let mut operands = mapped(&frame.env, &inst.operands);
            if let Some(callee) = body(&inst.op) {
                if matches!(inst.op, Op::Checkpoint(Checkpoint { again: true, .. })) && !operands.is_empty() {
                    let types: Vec<Type> = operands.iter().map(|&v| out.ty(v).clone()).collect();
                    operands = out.push_typed(FENCE.into(), &operands, types, inst.loc.clone());
                }
                let callee = m.get(callee);
                let mut env = env(&callee);
                callee.params.iter().zip(operands).for_each(|(&p, v)| env[p] = Some(v));
                let results = inst.results.clone();
                frames.push(Frame { func: callee, env, next: 0, results });
                continue;
            }
            let mut op = inst.op.clone();
            op.map_callees(&mut |c| done[&c]);
            let types = inst.results.iter().map(|&r| frame.func.ty(r).clone());
            let results = out.push_typed(op, &operands, types, inst.loc.clone());
            inst.results.iter().zip(results).for_each(|(&old, new)| frame.env[old] = Some(new));
            continue;
        }
        let given = mapped(&frame.env, &frame.func.results);
        let results = std::mem::take(&mut frame.results);
        frames.pop();
        match frames.last_mut() {
            Some(caller) => results.iter().zip(given).for_each(|(&old, new)| caller.env[old] = Some(new)),
            None => out.results = given.to_vec(),
        }
    }
    m.add(out)
}
