//! Moves out of `scan` and `while` what every trip computes anew from values that no trip changes.
//!
//! What moves becomes a captured constant of the loop. A loop may run no trip at all, so only total operations move
//! ([`crate::total`]). What an `optimization_barrier` holds apart stays, for recomputation
//! was asked for. What only moves elements (broadcasts, transposes, slices) stays with its reader, which takes it in as
//! indices, and so does cheap arithmetic that makes much out of little: it would be read from memory on every trip.

use crate::cost::Target;
use crate::inline::callees_first;
use crate::lower::plan::recomputation;
use crate::rewrite::{Env, copy_inst, env, like, mapped};
use crate::structure::{Loop, LoopKind};
use crate::total::Totality;
use rustc_hash::FxHashMap;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, InstId, Module, Value, Values};
use wengert_ir::op::{Effect, Op};

/// `func` with invariant work moved out of its loops, inner loops first. It is `func` itself if there is none.
pub(crate) fn hoist(m: &mut Module, func: FuncId) -> FuncId {
    let mut pass = Hoist { total: Totality::default(), done: FxHashMap::default() };
    for f in callees_first(m, func) {
        let new = pass.func(m, f);
        pass.done.insert(f, new);
    }
    pass.done[&func]
}

struct Hoist {
    total: Totality,
    done: FxHashMap<FuncId, FuncId>,
}

impl Hoist {
    fn func(&mut self, m: &mut Module, id: FuncId) -> FuncId {
        let f = m.get(id);
        if f.insts.values().all(|i| i.op.callees().is_empty()) {
            return id;
        }
        let (mut out, mut env) = like(&f);
        for inst in f.insts.values() {
            let mut inst = inst.clone();
            inst.op.map_callees(&mut |c| self.done[&c]);
            let looped = Loop::of(&inst.op, inst.operands.len(), inst.results.len());
            let slim = looped.and_then(|l| {
                let operands = mapped(&env, &inst.operands);
                self.slim(m, &mut out, l, operands)
            });
            match slim {
                None => copy_inst(&mut out, &f, &inst, &mut env),
                Some((op, operands)) => {
                    let types = inst.results.iter().map(|&r| f.ty(r).clone());
                    let results = out.push_typed(op, &operands, types, inst.loc.clone());
                    inst.results.iter().zip(results).for_each(|(&old, new)| env[old] = Some(new));
                }
            }
        }
        out.results = mapped(&env, &f.results).to_vec();
        if out == *f { id } else { m.add(out) }
    }

    /// The loop without what can move, which is appended to `out`. `None` if nothing can.
    fn slim(&mut self, m: &mut Module, out: &mut Func, l: Loop, operands: Values) -> Option<(Op, Values)> {
        let body = m.get(l.body);
        let invariant = invariant(m, &mut self.total, &body, l.consts, is_free_to_move);
        let moving = choose(&body, &invariant, l.consts);
        if moving.is_empty() {
            return None;
        }
        Some(with_outside(m, out, &body, l, &operands, &moving))
    }
}

/// A loop whose body is `body`, with the values `moving` of it computed before the loop, in `out`: the operation and its operands, `moving`
/// behind its constants.
pub(crate) fn with_outside(
    m: &mut Module,
    out: &mut Func,
    body: &Func,
    mut l: Loop,
    operands: &[Value],
    moving: &[Value],
) -> (Op, Values) {
    let outer = outside(out, body, &operands[l.first..][..l.consts], moving);
    let (before, after) = operands.split_at(l.first + l.consts);
    let mut args: Values = before.into();
    args.extend(mapped(&outer, moving));
    args.extend_from_slice(after);
    let new = with_consts(m, body, body, l.consts, moving);
    l.body = m.add(new);
    if let LoopKind::While { cond } = l.kind {
        let f = m.get(cond);
        let new = with_consts(m, &f, body, l.consts, moving);
        l.kind = LoopKind::While { cond: m.add(new) };
    }
    l.consts += moving.len();
    debug_assert_eq!(args.len(), operands.len() + moving.len());
    (l.op(), args)
}

/// Whether an operation may leave its place: a barrier is there to keep things where they are.
pub(crate) fn is_free_to_move(op: &Op) -> bool {
    !matches!(op, Op::OptimizationBarrier(_) | Op::StopGradient(_))
}

/// Which values of a body, the first `consts` of whose parameters no trip changes, no trip changes and may be computed
/// though no trip needs them. `moves`: which operations may leave the loop.
pub(crate) fn invariant(
    m: &Module,
    total: &mut Totality,
    body: &Func,
    consts: usize,
    moves: fn(&Op) -> bool,
) -> EntityVec<Value, bool> {
    let mut invariant = EntityVec::<Value, bool>::filled(false, body.values.len());
    body.params[..consts].iter().for_each(|&p| invariant[p] = true);
    for inst in body.insts.values() {
        let fixed = inst.operands.iter().all(|&v| invariant[v]) && moves(&inst.op);
        if fixed && total.is_total(m, body, inst) {
            inst.results.iter().for_each(|&r| invariant[r] = true);
        }
    }
    invariant
}

/// Appends to `out` what invariant values of a body are made from, its first parameters being `consts` there: gives what the
/// body's values are there.
pub(crate) fn outside(out: &mut Func, body: &Func, consts: &[Value], wanted: &[Value]) -> Env {
    let mut outer = env(body);
    body.params.iter().zip(consts).for_each(|(&p, &v)| outer[p] = Some(v));
    let mut needed = EntityVec::<InstId, bool>::filled(false, body.insts.len());
    let mut work: Vec<Value> = wanted.to_vec();
    while let Some(v) = work.pop() {
        if let Some((id, made)) = body.def(v)
            && !std::mem::replace(&mut needed[id], true)
        {
            work.extend(&made.operands);
        }
    }
    for (_, made) in body.insts.iter().filter(|(id, _)| needed[*id]) {
        copy_inst(out, body, made, &mut outer);
    }
    outer
}

/// Which invariant values become constants of the loop.
fn choose(body: &Func, invariant: &EntityVec<Value, bool>, consts: usize) -> Vec<Value> {
    let mut read = EntityVec::<Value, bool>::filled(false, body.values.len());
    let changing = body.insts.values().filter(|i| !i.results.iter().all(|&r| invariant[r]));
    for &v in changing.flat_map(|i| &i.operands).chain(&body.results) {
        read[v] = true;
    }
    let sources = sources(body, consts);
    let mut moves = EntityVec::<Value, bool>::filled(false, body.values.len());
    // From the readers backwards: what stays in the body reads its operands there.
    for inst in body.insts.values().rev() {
        for &r in &inst.results {
            if !invariant[r] || !read[r] {
                continue;
            }
            // Loops hold native types only, once programs are legalized.
            let native = body.ty(r).as_tensor().is_some_and(|t| t.dtype.is_native());
            if native && sources[r].is_some_and(|bytes| is_worth_moving(body, inst, r, bytes)) {
                moves[r] = true;
            } else {
                inst.operands.iter().for_each(|&v| read[v] = true);
            }
        }
    }
    moves.iter().filter(|(_, moves)| **moves).map(|(v, _)| v).collect()
}

/// How many bytes of the loop's constants each value is made from; `None` if from none: such a value folds where it is. Bytes
/// that are read twice count twice, which is near enough.
fn sources(body: &Func, consts: usize) -> EntityVec<Value, Option<u64>> {
    let mut sources = EntityVec::<Value, Option<u64>>::filled(None, body.values.len());
    for &p in &body.params[..consts] {
        sources[p] = Some(bytes(body, p));
    }
    for inst in body.insts.values() {
        let known = inst.operands.iter().filter_map(|&v| sources[v]);
        let sum = known.reduce(u64::saturating_add);
        inst.results.iter().for_each(|&r| sources[r] = sum);
    }
    sources
}

fn bytes(body: &Func, v: Value) -> u64 {
    let elements = body.ty(v).as_tensor().and_then(|t| t.checked_elements().map(|n| n * t.dtype.size()));
    elements.unwrap_or(usize::MAX) as u64
}

fn is_worth_moving(body: &Func, inst: &Inst, v: Value, sources: u64) -> bool {
    let size = bytes(body, v);
    if recomputation::is_repeatable(body, inst) && recomputation::work(body, inst) == 0 {
        return false;
    }
    !recomputation::is_cheap(body, inst) || size <= Target::CPU.sizes.hoisted || size <= sources
}

/// A function of `consts, moving, rest` for one of `consts, rest`: `func` is the body, or the condition, which knows only the
/// body's parameters.
fn with_consts(m: &Module, func: &Func, body: &Func, consts: usize, moving: &[Value]) -> Func {
    let mut out = Func::new(func.name.clone(), func.kind);
    let mut env = env(func);
    for &p in &func.params[..consts] {
        env[p] = Some(out.param(func.ty(p).clone()));
    }
    let moved: Vec<Value> = moving.iter().map(|&v| out.param(body.ty(v).clone())).collect();
    for &p in &func.params[consts..] {
        env[p] = Some(out.param(func.ty(p).clone()));
    }
    let is_body = std::ptr::eq(func, body);
    if is_body {
        moving.iter().zip(&moved).for_each(|(&v, &p)| env[v] = Some(p));
    }
    let live = live(m, func, if is_body { moving } else { &[] });
    for (id, inst) in func.insts.iter() {
        if !live[id] {
            continue;
        }
        let kept: Vec<(Value, Value)> = inst.results.iter().filter_map(|&r| Some((r, env[r]?))).collect();
        copy_inst(&mut out, func, inst, &mut env);
        // Of an instruction with several results some may have moved.
        kept.into_iter().for_each(|(r, p)| env[r] = Some(p));
    }
    out.results = mapped(&env, &func.results).to_vec();
    out
}

/// The instructions that are still needed when some values are given.
fn live(m: &Module, func: &Func, given: &[Value]) -> EntityVec<InstId, bool> {
    let mut used = EntityVec::<Value, bool>::filled(false, func.values.len());
    let mut is_given = used.clone();
    given.iter().for_each(|&v| is_given[v] = true);
    func.results.iter().for_each(|&v| used[v] = true);
    let mut live = EntityVec::<InstId, bool>::filled(false, func.insts.len());
    for (id, inst) in func.insts.iter().rev() {
        live[id] =
            m.effect(&inst.op) == Effect::Ordered || inst.results.iter().any(|&r| used[r] && !is_given[r]);
        if live[id] {
            inst.operands.iter().for_each(|&v| used[v] = true);
        }
    }
    live
}
