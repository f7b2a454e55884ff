//! Updates of zeros into what they are added to. Gradients make them: `scatter(0, i, u) + x` for a gather, and
//! `dynamic_update_slice(0, u, i) + x` for a slice. With what is added in place of the zeros, a window costs what it touches.
//!
//! - `scatter(0, i, u) + x` becomes `scatter(0 + x, i, u)`, one pass over memory less. Exact where no two updates meet:
//!   `(0 + u) + x` and `(0 + x) + u` round alike, and `0 + x` does to a zero's sign what it did before. Where updates may meet,
//!   the order of the sum would change, and the scatter stays.
//! - Where no element of `x` is -0, `0 + x` is `x`, and `dynamic_update_slice(0, u, i) + x` becomes
//!   `dynamic_update_slice(x, u + dynamic_slice(x, i), i)`. What a loop carries is so if it begins so and every trip leaves it so:
//!   cotangents, which begin as zeros and are added to, are.
//! - What branches give, of which each is zeros or such an update, is added to in the branches: the derivative of a branch that
//!   reads a row, and of another that does not, costs a row.

use crate::egraph::result_lacks_negative_zero;
use crate::inline::callees_first;
use crate::rewrite::{self, uses};
use crate::structure::Loop;
use rustc_hash::{FxHashMap, FxHashSet};
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, InstId, Module, Value};
use wengert_ir::op::{BinaryOp, Case, DynamicSlice, Op, Reducer, Scatter};

/// How deep loops are looked into for zeros.
const DEPTH: usize = 4;

/// The function, and the loops it runs, with such updates moved.
pub(crate) fn accumulate(m: &mut Module, id: FuncId) -> FuncId {
    let mut wanted = FxHashSet::default();
    for f in callees_first(m, id) {
        let func = m.get(f);
        let runs = |inst: &Inst| parts(inst).iter().any(|part| wanted.contains(part));
        if func.insts.values().any(|inst| is_window(&func, inst) || runs(inst)) {
            wanted.insert(f);
        }
    }
    let nothing = vec![false; m.get(id).params.len()];
    Accumulate { wanted, done: FxHashMap::default() }.func(m, id, &nothing)
}

fn loop_of(inst: &Inst) -> Option<Loop> {
    Loop::of(&inst.op, inst.operands.len(), inst.results.len())
}

/// The body of a loop, or branches.
fn parts(inst: &Inst) -> Vec<FuncId> {
    if let Op::Case(case) = &inst.op {
        return case.branches.to_vec();
    }
    loop_of(inst).map(|l| l.body).into_iter().collect()
}

/// The pass at work.
struct Accumulate {
    /// Functions with updates of zeros, or with loops or branches that have some.
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
        let mut func = m.get(id);
        let mut positive = without_negative_zeros(m, &func, params, DEPTH);
        let inside = self.inside_branches(m, &func, &positive);
        let changed = inside.is_some();
        if let Some(inside) = inside {
            func = inside.into();
            positive = without_negative_zeros(m, &func, params, DEPTH);
        }
        // Loops and branches with theirs moved.
        let mut others: FxHashMap<InstId, Op> = FxHashMap::default();
        for (k, inst) in func.insts.iter() {
            if !parts(inst).iter().any(|part| self.wanted.contains(part)) {
                continue;
            }
            let op = if let Some(l) = loop_of(inst) {
                let params = of_body(m, &l, inst, &positive, DEPTH);
                Loop { body: self.func(m, l.body, &params), ..l }.op()
            } else {
                let params = of_branches(inst, &positive);
                let branches = parts(inst).into_iter().map(|b| self.func(m, b, &params)).collect();
                Case { branches }.into()
            };
            if op != inst.op {
                others.insert(k, op);
            }
        }
        let found = found(&func, &positive);
        let new = if found.is_empty() && others.is_empty() && !changed {
            id
        } else {
            m.add(moved(&func, &found, &others, &positive))
        };
        self.done.insert(key, new);
        new
    }
}

/// An addition to what branches give, none of which is more than an update of zeros.
struct Added {
    add: InstId,
    /// Which of the branches' results.
    result: usize,
    /// What is added.
    other: Value,
    /// Whether the result is on the left.
    first: bool,
}

/// Whether a value is zeros, or an update of zeros that nothing else reads, or what branches of that kind give.
fn is_spread(m: &Module, func: &Func, uses: &EntityVec<Value, u32>, v: Value, depth: usize) -> bool {
    let Some((_, inst)) = func.def(v) else { return false };
    let alone = uses[v] == 1;
    if let Op::Case(case) = &inst.op {
        let k = inst.results.iter().position(|&r| r == v).expect("its result");
        return alone && depth > 0 && case.branches.iter().all(|&b| gives_spread(m, b, k, depth - 1));
    }
    is_zero(func, v) || alone && is_window(func, inst)
}

fn gives_spread(m: &Module, branch: FuncId, k: usize, depth: usize) -> bool {
    let func = m.get(branch);
    is_spread(m, &func, &uses(&func), func.results[k], depth)
}

impl Accumulate {
    /// The function with additions to what branches give in the branches, where there are such; the new branches are wanted.
    fn inside_branches(
        &mut self,
        m: &mut Module,
        func: &Func,
        positive: &EntityVec<Value, bool>,
    ) -> Option<Func> {
        let found = added_to_branches(m, func, positive);
        if found.is_empty() {
            return None;
        }
        let (mut out, mut env) = rewrite::like(func);
        let moved: FxHashSet<InstId> = found.values().flatten().map(|a| a.add).collect();
        for (id, inst) in func.insts.iter() {
            if moved.contains(&id) {
                continue;
            }
            let (Some(all), Op::Case(case)) = (found.get(&id), &inst.op) else {
                rewrite::copy_inst(&mut out, func, inst, &mut env);
                continue;
            };
            let mut other = inst.clone();
            other.operands.extend(all.iter().map(|a| a.other));
            let branches = case.branches.iter().map(|&b| with_additions(m, func, b, all)).collect::<Vec<_>>();
            self.wanted.extend(&branches);
            other.op = Case { branches: branches.into_iter().collect() }.into();
            rewrite::copy_inst(&mut out, func, &other, &mut env);
            for a in all {
                env[func.insts[a.add].results[0]] = env[inst.results[a.result]];
            }
        }
        out.results = rewrite::mapped(&env, &func.results).to_vec();
        Some(out)
    }
}

/// Such additions, by the branches.
fn added_to_branches(
    m: &Module,
    func: &Func,
    positive: &EntityVec<Value, bool>,
) -> FxHashMap<InstId, Vec<Added>> {
    let uses = uses(func);
    let mut found: FxHashMap<InstId, Vec<Added>> = FxHashMap::default();
    for (add, inst) in func.insts.iter() {
        let Op::Binary(BinaryOp::Add) = inst.op else { continue };
        let (a, b) = (inst.operands[0], inst.operands[1]);
        for (given, other, first) in [(a, b, true), (b, a, false)] {
            // What is added must be there before.
            if let Some((case, branches)) = func.def(given)
                && matches!(branches.op, Op::Case(_))
                && func.def(other).is_none_or(|(before, _)| before < case)
                && positive[other]
                && is_spread(m, func, &uses, given, DEPTH)
            {
                let result = branches.results.iter().position(|&r| r == given).expect("its result");
                found.entry(case).or_default().push(Added { add, result, other, first });
                break;
            }
        }
    }
    found
}

/// A branch that takes what is added to its results, and gives the sums.
fn with_additions(m: &mut Module, func: &Func, branch: FuncId, all: &[Added]) -> FuncId {
    let mut out = (*m.get(branch)).clone();
    for a in all {
        let add = &func.insts[a.add];
        let (ty, given) = (func.ty(a.other).clone(), out.results[a.result]);
        let other = out.param(ty.clone());
        out.results[a.result] = if is_zero(&out, given) {
            other
        } else {
            let operands = if a.first { [given, other] } else { [other, given] };
            out.push_typed(add.op.clone(), &operands, [ty], add.loc.clone())[0]
        };
    }
    m.add(out)
}

/// Additions of updates of zeros, which are read by nothing else.
fn found(func: &Func, positive: &EntityVec<Value, bool>) -> FxHashMap<InstId, Found> {
    let uses = uses(func);
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

/// A copy of a function with updates moved, and with other loops and branches.
fn moved(
    func: &Func,
    found: &FxHashMap<InstId, Found>,
    others: &FxHashMap<InstId, Op>,
    positive: &EntityVec<Value, bool>,
) -> Func {
    let mut gone: EntityVec<InstId, bool> = EntityVec::filled(false, func.insts.len());
    found.values().for_each(|f| gone[f.update] = true);
    let (mut out, mut env) = rewrite::like(func);
    for (k, inst) in func.insts.iter() {
        if gone[k] {
            continue;
        }
        if let Some(op) = others.get(&k) {
            let other = Inst { op: op.clone(), ..inst.clone() };
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

/// Which parameters of branches have no -0.
fn of_branches(inst: &Inst, positive: &EntityVec<Value, bool>) -> Vec<bool> {
    inst.operands[1..].iter().map(|&v| positive[v]).collect()
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
        } else if let Op::Case(case) = &inst.op {
            if depth == 0 {
                continue;
            }
            let params = of_branches(inst, &out);
            inst.results.iter().for_each(|&r| out[r] = true);
            for &branch in &case.branches {
                let branch = m.get(branch);
                let inside = without_negative_zeros(m, &branch, &params, depth - 1);
                for (&r, &given) in inst.results.iter().zip(&branch.results) {
                    out[r] &= inside[given];
                }
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
pub(crate) fn is_zero(func: &Func, v: Value) -> bool {
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
