//! Updates of zeros into what they are added to. Gradients make them: `scatter(0, i, u) + x` for a gather, and
//! `dynamic_update_slice(0, u, i) + x` for a slice. With what is added in place of the zeros, a window costs what it touches.
//!
//! - `scatter(0, i, u) + x` becomes `scatter(0 + x, i, u)`, one pass over memory less. Exact where no two updates meet:
//!   `(0 + u) + x` and `(0 + x) + u` round alike, and `0 + x` does to a zero's sign what it did before. Where updates may meet,
//!   the order of the sum would change, and the scatter stays.
//! - Where no element of `x` is -0, `0 + x` is `x`, and `dynamic_update_slice(0, u, i) + x` becomes
//!   `dynamic_update_slice(x, u + dynamic_slice(x, i), i)`. What a loop carries is so if it begins so and every trip leaves it so:
//!   cotangents, which begin as zeros and are added to, are.

use crate::egraph::result_lacks_negative_zero;
use crate::inline::callees_first;
use crate::rewrite;
use crate::structure::Loop;
use rustc_hash::{FxHashMap, FxHashSet};
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, InstId, Module, Value};
use wengert_ir::op::{BinaryOp, DynamicSlice, Op, Reducer, Scatter};

/// How deep loops are looked into for zeros.
const DEPTH: usize = 4;

/// The function, and the loops it runs, with such updates moved.
pub(crate) fn accumulate(m: &mut Module, id: FuncId) -> FuncId {
    let mut wanted = FxHashSet::default();
    for f in callees_first(m, id) {
        let func = m.get(f);
        let loops = |inst: &Inst| loop_of(inst).is_some_and(|l| wanted.contains(&l.body));
        if func.insts.values().any(|inst| is_window(&func, inst) || loops(inst)) {
            wanted.insert(f);
        }
    }
    let nothing = vec![false; m.get(id).params.len()];
    Accumulate { wanted, done: FxHashMap::default() }.func(m, id, &nothing)
}

fn loop_of(inst: &Inst) -> Option<Loop> {
    Loop::of(&inst.op, inst.operands.len(), inst.results.len())
}

/// The pass at work.
struct Accumulate {
    /// Functions with updates of zeros, or with loops that have some.
    wanted: FxHashSet<FuncId>,
    /// What functions have become, by which of their parameters have no -0.
    done: FxHashMap<(FuncId, Vec<bool>), FuncId>,
}

/// An update of zeros that is added to something.
struct Found {
    update: InstId,
    /// What it is added to.
    other: Value,
    /// Whether the update is on the left.
    first: bool,
}

impl Accumulate {
    fn func(&mut self, m: &mut Module, id: FuncId, params: &[bool]) -> FuncId {
        if !self.wanted.contains(&id) {
            return id;
        }
        let key = (id, params.to_vec());
        if let Some(&known) = self.done.get(&key) {
            return known;
        }
        let func = m.get(id);
        let positive = without_negative_zeros(m, &func, params, DEPTH);
        // Loops with theirs moved.
        let mut bodies: FxHashMap<InstId, FuncId> = FxHashMap::default();
        for (k, inst) in func.insts.iter() {
            if let Some(l) = loop_of(inst).filter(|l| self.wanted.contains(&l.body)) {
                let params = of_body(m, &l, inst, &positive, DEPTH);
                let body = self.func(m, l.body, &params);
                if body != l.body {
                    bodies.insert(k, body);
                }
            }
        }
        let found = found(&func, &positive);
        let new = if found.is_empty() && bodies.is_empty() {
            id
        } else {
            m.add(moved(&func, &found, &bodies, &positive))
        };
        self.done.insert(key, new);
        new
    }
}

/// Additions of updates of zeros, which are read by nothing else.
fn found(func: &Func, positive: &EntityVec<Value, bool>) -> FxHashMap<InstId, Found> {
    let mut uses: EntityVec<Value, u32> = EntityVec::filled(0, func.values.len());
    let operands = func.insts.values().flat_map(|inst| &inst.operands);
    operands.chain(&func.results).for_each(|&v| uses[v] += 1);
    let mut found = FxHashMap::default();
    for (add, inst) in func.insts.iter() {
        let Op::Binary(BinaryOp::Add) = inst.op else { continue };
        let (a, b) = (inst.operands[0], inst.operands[1]);
        for (updated, other, first) in [(a, b, true), (b, a, false)] {
            if uses[updated] == 1
                && let Some((update, inst)) = func.def(updated)
                && (is_movable(func, inst) || is_slice_of_zeros(func, inst) && positive[other])
            {
                found.insert(add, Found { update, other, first });
                break;
            }
        }
    }
    found
}

/// A copy of a function with updates moved and with other bodies of loops.
fn moved(
    func: &Func,
    found: &FxHashMap<InstId, Found>,
    bodies: &FxHashMap<InstId, FuncId>,
    positive: &EntityVec<Value, bool>,
) -> Func {
    let mut gone: EntityVec<InstId, bool> = EntityVec::filled(false, func.insts.len());
    found.values().for_each(|f| gone[f.update] = true);
    let (mut out, mut env) = rewrite::like(func);
    for (k, inst) in func.insts.iter() {
        if gone[k] {
            continue;
        }
        if let Some(&body) = bodies.get(&k) {
            let l = loop_of(inst).expect("it has a body");
            let other = Inst { op: Loop { body, ..l }.op(), ..inst.clone() };
            rewrite::copy_inst(&mut out, func, &other, &mut env);
            continue;
        }
        let Some(f) = found.get(&k) else {
            rewrite::copy_inst(&mut out, func, inst, &mut env);
            continue;
        };
        let (update, ty) = (&func.insts[f.update], func.ty(inst.results[0]).clone());
        let operands = rewrite::mapped(&env, &update.operands);
        let other = rewrite::mapped(&env, &[f.other])[0];
        // The addition, of something in place of the update, as the operands were.
        let in_order = |new: Value, other: Value| if f.first { [new, other] } else { [other, new] };
        let operands = if let Op::DynamicUpdateSlice(_) = &update.op {
            let window = func.ty(update.operands[1]).clone();
            let at: Vec<Value> = [other].into_iter().chain(operands[2..].iter().copied()).collect();
            let slice = DynamicSlice { sizes: window.tensor().shape.clone() };
            let old = out.push_typed(slice.into(), &at, [window.clone()], update.loc.clone())[0];
            let sum = in_order(operands[1], old);
            let sum = out.push_typed(inst.op.clone(), &sum, [window], inst.loc.clone())[0];
            [other, sum].into_iter().chain(operands[2..].iter().copied()).collect::<Vec<_>>()
        } else {
            let sum = in_order(operands[0], other);
            let sum = match positive[f.other] {
                true => other,
                false => out.push_typed(inst.op.clone(), &sum, [ty.clone()], inst.loc.clone())[0],
            };
            vec![sum, operands[1], operands[2]]
        };
        let result = out.push_typed(update.op.clone(), &operands, [ty], update.loc.clone());
        env[inst.results[0]] = Some(result[0]);
    }
    out.results = rewrite::mapped(&env, &func.results).to_vec();
    out
}

/// Which parameters of the body of a loop have no -0, by what the loop is given.
fn of_body(m: &Module, l: &Loop, inst: &Inst, positive: &EntityVec<Value, bool>, depth: usize) -> Vec<bool> {
    let body = m.get(l.body);
    let mut params = vec![false; body.params.len()];
    if depth == 0 {
        return params;
    }
    for (p, &v) in params.iter_mut().zip(&inst.operands[l.first..]) {
        *p = positive[v];
    }
    // Of what is carried, those that a trip leaves so if it finds them so.
    loop {
        let inside = without_negative_zeros(m, &body, &params, depth - 1);
        let mut changed = false;
        for k in 0..l.carry {
            let p = &mut params[l.consts + k];
            changed |= *p && !inside[body.results[k]];
            *p &= inside[body.results[k]];
        }
        if !changed {
            return params;
        }
    }
}

/// Which values of a function have no element -0, if those of its parameters have none that are said to. No is always right.
fn without_negative_zeros(m: &Module, func: &Func, params: &[bool], depth: usize) -> EntityVec<Value, bool> {
    let mut out: EntityVec<Value, bool> = EntityVec::filled(false, func.values.len());
    for (&p, &is) in func.params.iter().zip(params) {
        out[p] = is;
    }
    for inst in func.insts.values() {
        if let Some(l) = loop_of(inst) {
            let params = of_body(m, &l, inst, &out, depth);
            for k in 0..l.carry {
                out[inst.results[l.result_of(k)]] = params[l.consts + k];
            }
        } else if let &[result] = &inst.results[..]
            && let Some(ty) = func.ty(result).as_tensor()
        {
            out[result] = !ty.dtype.is_float() && !ty.dtype.is_complex()
                || result_lacks_negative_zero(func, inst, &|v| out[v]);
        }
    }
    out
}

/// Whether an instruction puts something into zeros.
fn is_window(func: &Func, inst: &Inst) -> bool {
    is_movable(func, inst) || is_slice_of_zeros(func, inst)
}

/// Whether an instruction puts a window into zeros.
fn is_slice_of_zeros(func: &Func, inst: &Inst) -> bool {
    let float = |v: Value| func.ty(v).as_tensor().is_some_and(|ty| ty.dtype.is_float() && ty.is_static());
    matches!(inst.op, Op::DynamicUpdateSlice(_)) && float(inst.results[0]) && is_zero(func, inst.operands[0])
}

/// Whether an instruction adds updates, no two of which meet, to zeros.
fn is_movable(func: &Func, inst: &Inst) -> bool {
    let Op::Scatter(s) = &inst.op else { return false };
    let adds = s.inputs == 1 && s.reducer == Reducer::Op(BinaryOp::Add) && inst.operands.len() == 3;
    adds && is_zero(func, inst.operands[0]) && is_unique(func, inst, s)
}

/// Whether a value is positive zeros: `-0 + u` would keep the sign of a zero `u`.
fn is_zero(func: &Func, v: Value) -> bool {
    let Some((_, inst)) = func.def(v) else { return false };
    let splat = if let Op::Constant(c) = &inst.op { c.value.as_splat() } else { None };
    matches!(inst.op, Op::Zero(_)) || splat.is_some_and(|bytes| bytes.iter().all(|&b| b == 0))
}

/// Whether no element is updated twice: by promise, or because there is one window per batch.
fn is_unique(func: &Func, inst: &Inst, s: &Scatter) -> bool {
    let indices = &func.tensor(inst.operands[1]).shape;
    let batching = |d: &usize| s.scatter_indices_batching_dims.contains(d) || *d == s.index_vector_dim;
    s.unique_indices || (0..indices.len()).filter(|d| !batching(d)).all(|d| indices[d] == 1)
}
