//! Functions with effects as functions of other effects: named values become results
//! ([`reap()`]) or arguments ([`plant()`]), assertions an error value
//! ([`checked`]); what was heard already is not heard again ([`silence`]). Before lowering the names of values are dropped, and
//! assertions leave the way of the program that they do not stop.

mod automatic;
mod checked;
mod custom;
mod plant;
mod reap;

pub use automatic::Automatic;
pub use checked::{Checked, Site, checked};
pub use plant::plant;
pub use reap::{Asked, Reaped, reap, sown};

use crate::error::TransformError;
use crate::inline::callees_first;
use crate::rewrite::{Env, copy_inst, like, mapped, push};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use wengert_ir::func::{Func, FuncId, FuncKind, Inst, Loc, Module, Value};
use wengert_ir::op::{BinaryOp, Case, Convert, Effect, Op, Reduce, Reducer};
use wengert_ir::types::{DType, Dims, TensorType};

/// `func` without the names of its values. It is `func` itself if there are none.
pub fn drop_names(m: &mut Module, func: FuncId) -> FuncId {
    let is_name = |op: &Op| matches!(op, Op::Sow(_));
    if !m.reaches(func, &is_name) {
        return func;
    }
    each(m, func, true, &mut |inst, env| {
        let drops = is_name(&inst.op);
        if drops {
            env[inst.results[0]] = env[inst.operands[0]];
        }
        drops
    })
}

/// `func` without what it does besides giving results, which has been done. What the reverse pass of a function with a rule of its
/// own does has not, and stays. Fails where it needs what the host gave then.
pub fn silence(m: &mut Module, func: FuncId) -> Result<FuncId, TransformError> {
    for id in forward(m, func) {
        let f = m.get(id);
        let gives = |inst: &&Inst| inst.op.effect() == Effect::Ordered && !inst.results.is_empty();
        if let Some(inst) = f.insts.values().find(|inst| gives(inst) && !matches!(inst.op, Op::Sow(_))) {
            let message = "it was called when the function was recorded, and cannot be called again here: differentiate \
                 inside of the traced function";
            return Err(TransformError::at(&f, inst, message));
        }
    }
    Ok(quiet(m, func))
}

/// `func` without what it does besides giving results, but for what gives it values: that is asked for again. For the function of an
/// equation, of which derivatives know only the solution, and for a function that is turned around and not run itself.
pub fn quiet(m: &mut Module, func: FuncId) -> FuncId {
    each(m, func, false, &mut |inst, _| {
        inst.op.effect() == Effect::Ordered && inst.op.callees().is_empty() && inst.results.is_empty()
    })
}

/// What runs where `func` does: its functions, but not those of its reverse pass.
fn forward(m: &Module, func: FuncId) -> BTreeSet<FuncId> {
    let (mut seen, mut work) = (BTreeSet::new(), vec![func]);
    while let Some(id) = work.pop() {
        if seen.insert(id) {
            for inst in m.get(id).insts.values() {
                match &inst.op {
                    Op::CustomVjp(custom) => work.extend([custom.body, custom.forward]),
                    op => work.extend(op.callees()),
                }
            }
        }
    }
    seen
}

/// An operation that has been run, run again: its functions do nothing but compute. Fails where they ask the host for values.
pub(crate) fn again(m: &mut Module, op: &Op) -> Result<Op, TransformError> {
    let mut quiet = op.clone();
    let mut failed = None;
    if m.effect(op) == Effect::Ordered {
        quiet.map_callees(&mut |callee| {
            silence(m, callee).unwrap_or_else(|e| {
                failed = Some(e);
                callee
            })
        });
    }
    match failed {
        None => Ok(quiet),
        Some(e) => Err(TransformError {
            message: "the reverse pass would call it again: it is in a loop whose number of trips is not known, inside of another \
                 loop or of a checkpoint. Give the loop a number of trips, or leave the call out of it"
                .into(),
            ..e
        }),
    }
}

/// `func` without the instructions for which `drop` holds, which says what their results have become; those of the reverse pass of
/// a function with a rule of its own only if `reverse`.
fn each(
    m: &mut Module,
    func: FuncId,
    reverse: bool,
    drop: &mut dyn FnMut(&Inst, &mut Env) -> bool,
) -> FuncId {
    let mut done: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    for id in callees_first(m, func) {
        let f = m.get(id);
        let (mut out, mut env) = like(&f);
        for inst in f.insts.values() {
            if drop(inst, &mut env) {
                continue;
            }
            let mut inst = inst.clone();
            let before = inst.op.clone();
            inst.op.map_callees(&mut |c| done[&c]);
            if let (Op::CustomVjp(custom), Op::CustomVjp(before), false) = (&mut inst.op, before, reverse) {
                custom.backward = before.backward;
            }
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
