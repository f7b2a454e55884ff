//! Drops what nobody reads, through control flow: dead carries, ys and stacks, captures that no region
//! uses; a carry that never changes becomes a constant, and what is passed or stacked twice is passed or
//! stacked once.
//!
//! A loop whose results nobody reads goes even if it would never end: not to end is no effect, here as in XLA, and a program
//! may be compiled to one that ends more often, never to one that ends less often ([`crate::total`]). What a
//! loop *does* (a check, a call with a side effect) keeps it.
//!
//! Without it each order of derivative saves what only the primal of the order before wanted, and the
//! stacks grow 2.7-fold per order.

use crate::rewrite::{copy_inst, filter, like, mapped, reshape_func, used_params};
use crate::structure::{Loop, LoopKind, branches};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Def, Func, FuncId, Inst, Module, Value, Values};
use wengert_ir::op::{Case, Effect, Op};
use wengert_ir::types::Type;

/// `func` without dead values. It is `func` itself if there are none.
pub fn dce(m: &mut Module, func: FuncId) -> FuncId {
    let mut func = func;
    // What is merged outside a region may let more be merged inside: twice is nearly always enough.
    for _ in 0..ROUNDS {
        let f = m.get(func);
        let new = dce_func(m, &f);
        if new == *f {
            break;
        }
        func = m.add(new);
        if f.insts.values().all(|i| i.op.callees().is_empty()) {
            break;
        }
    }
    func
}

/// How often [`dce`] looks again.
const ROUNDS: usize = 8;

/// Where a result of a slimmed instruction comes from.
#[derive(Clone, Copy)]
enum Source {
    /// From this result of the new instruction.
    Result(usize),
    /// It is this operand: a carry that never changes.
    Operand(Value),
    /// Nobody reads it.
    Dead,
}

/// What is left of an instruction.
struct Slim {
    op: Op,
    operands: Values,
    types: Vec<Type>,
    results: Vec<Source>,
}

/// As [`dce`], on a function that need not be in the module. The parameters stay.
pub(crate) fn dce_func(m: &mut Module, f: &Func) -> Func {
    Dce { m, parts: FxHashMap::default() }.func(f)
}

/// The pass at work. A body is looked at once per set of its results that is read, so that nesting does not
/// multiply the work.
struct Dce<'m> {
    m: &'m mut Module,
    parts: FxHashMap<(FuncId, Vec<bool>), Arc<Func>>,
}

impl Dce<'_> {
    /// What of `func` gives the results marked in `on`.
    fn part(&mut self, func: FuncId, on: &[bool]) -> Arc<Func> {
        let key = (func, on.to_vec());
        if let Some(part) = self.parts.get(&key) {
            return part.clone();
        }
        let f = self.m.get(func);
        let part = Arc::new(self.func(&Func { results: filter(&f.results, on), ..Func::clone(&f) }));
        self.parts.insert(key, part.clone());
        part
    }

    fn func(&mut self, f: &Func) -> Func {
        let mut live = EntityVec::<Value, bool>::filled(false, f.values.len());
        for &r in &f.results {
            live[r] = true;
        }
        // Backwards; without what is left of it, an instruction is kept whole.
        let mut kept: Vec<(&Inst, Option<Box<Slim>>)> = Vec::with_capacity(f.insts.len());
        for inst in f.insts.values().rev() {
            let any = inst.results.iter().any(|&r| live[r]);
            let ordered = self.m.effect(&inst.op) == Effect::Ordered;
            if !ordered && !any {
                continue;
            }
            let used = || -> Vec<bool> { inst.results.iter().map(|&r| live[r]).collect() };
            let slim = match (&inst.op, Loop::of(&inst.op, inst.operands.len(), inst.results.len())) {
                _ if ordered => None,
                (_, Some(l)) => Some(Box::new(self.slim_loop(f, inst, &l, &used()))),
                (Op::Case(case), None) => Some(Box::new(self.slim_case(f, inst, case, &used()))),
                (_, None) => None,
            };
            for &v in slim.as_ref().map_or(&inst.operands, |s| &s.operands) {
                live[v] = true;
            }
            for source in slim.iter().flat_map(|s| &s.results) {
                if let Source::Operand(v) = source {
                    live[*v] = true;
                }
            }
            kept.push((inst, slim));
        }
        let (mut out, mut env) = like(f);
        for (inst, slim) in kept.into_iter().rev() {
            let Some(slim) = slim else {
                copy_inst(&mut out, f, inst, &mut env);
                continue;
            };
            let operands = mapped(&env, &slim.operands);
            let results = out.push_typed(slim.op, &operands, slim.types, inst.loc.clone());
            for (&old, source) in inst.results.iter().zip(slim.results) {
                env[old] = match source {
                    Source::Result(k) => Some(results[k]),
                    Source::Operand(v) => env[v],
                    Source::Dead => None,
                };
            }
        }
        out.results = mapped(&env, &f.results).to_vec();
        out
    }

    /// `new` in the module: the function it was made from if nothing changed.
    fn add(&mut self, old: FuncId, new: Func) -> FuncId {
        if *self.m.funcs[old] == new { old } else { self.m.add(new) }
    }

    /// A carry is live if its result is, or if a live result or the condition reads it: a fixpoint.
    fn slim_loop(&mut self, f: &Func, inst: &Inst, l: &Loop, used: &[bool]) -> Slim {
        let body = self.m.get(l.body);
        let (nc, nk) = (l.consts, l.carry);
        let cond = match l.kind {
            LoopKind::While { cond } => Some(self.part(cond, &[true])),
            LoopKind::Scan { .. } => None,
        };
        let mut on: Vec<bool> = (0..body.results.len()).map(|k| used[l.result_of(k)]).collect();
        let (slim, mut needed) = loop {
            reached(&body, nc..nc + nk, &mut on);
            let part = self.part(l.body, &on);
            let mut needed = used_params(&part);
            if let Some(cond) = &cond {
                for (n, u) in needed.iter_mut().zip(used_params(cond)) {
                    *n |= u;
                }
            }
            let grows: Vec<usize> = (0..nk).filter(|&k| needed[nc + k] && !on[k]).collect();
            if grows.is_empty() {
                break (part, needed);
            }
            for k in grows {
                on[k] = true;
            }
        };
        // A live carry keeps its parameter even if the body ignores what it was.
        needed[nc..nc + nk].copy_from_slice(&on[..nk]);
        // Number of each kept result among the results of `slim`.
        let kept: Vec<usize> = (0..on.len()).filter(|&k| on[k]).collect();
        let at = |k: usize| kept.binary_search(&k).expect("kept");
        let invariant: Vec<bool> =
            (0..nk).map(|k| on[k] && slim.results[at(k)] == slim.params[nc + k]).collect();

        let x = &inst.operands[l.first..];
        let mut operands: Values = inst.operands[..l.first].into();
        let mut types: Vec<Type> = Vec::new();
        let mut map = vec![usize::MAX; body.params.len()];
        // `from`: the first operand that this one may share a place with.
        let mut take = |k: usize, from: usize, operands: &mut Values| {
            let place = operands.iter().enumerate().skip(l.first + from).find(|(_, o)| **o == x[k]);
            map[k] = place.map(|(p, _)| p - l.first).unwrap_or_else(|| {
                operands.push(x[k]);
                types.push(body.ty(body.params[k]).clone());
                types.len() - 1
            });
        };
        // An invariant carry that only its own result reads is not even a constant.
        let mut reads = EntityVec::<Value, bool>::filled(false, slim.values.len());
        let changing =
            (0..on.len()).filter(|&k| on[k] && !(k < nk && invariant[k])).map(|k| slim.results[at(k)]);
        for v in slim.insts.values().flat_map(|i| i.operands.iter().copied()).chain(changing) {
            reads[v] = true;
        }
        let in_cond = cond.as_deref().map(used_params);
        let read = |k: usize| reads[slim.params[k]] || in_cond.as_ref().is_some_and(|c| c[k]);
        let invariants = (0..nk).filter(|&k| invariant[k]).map(|k| nc + k);
        for k in (0..nc).filter(|&k| needed[k]).chain(invariants).filter(|&k| read(k)) {
            take(k, 0, &mut operands);
        }
        let consts = operands.len() - l.first;
        let carried: Vec<usize> = (0..nk).filter(|&k| on[k] && !invariant[k]).collect();
        for &k in &carried {
            take(nc + k, body.params.len(), &mut operands); // shares with none
        }
        let before_xs = operands.len() - l.first;
        for k in (nc + nk..body.params.len()).filter(|&k| needed[k]) {
            take(k, before_xs, &mut operands);
        }

        let mut results: Vec<usize> = carried.iter().map(|&k| at(k)).collect();
        let mut sources = vec![Source::Dead; inst.results.len()];
        for (new, &k) in carried.iter().enumerate() {
            sources[k] = Source::Result(new);
        }
        for k in (0..nk).filter(|&k| invariant[k]) {
            sources[k] = Source::Operand(x[nc + k]);
        }
        let ys: Vec<usize> = (nk..on.len()).filter(|&k| on[k]).collect();
        let after = (l.after == 1 && (used[nk] || !ys.is_empty())) as usize;
        for &k in &ys {
            let same = results[carried.len()..].iter().position(|&r| slim.results[r] == slim.results[at(k)]);
            let new = same.map(|p| p + carried.len()).unwrap_or_else(|| {
                results.push(at(k));
                results.len() - 1
            });
            sources[l.result_of(k)] = Source::Result(new + after);
        }
        if after == 1 {
            sources[nk] = Source::Result(carried.len());
        }
        // Parameters that nobody reads go to place 0 of nothing: drop them first.
        let slim = drop_params(&slim, &map);
        let places: Vec<usize> = map.iter().copied().filter(|&p| p != usize::MAX).collect();
        let mut new = l.clone();
        new.body = self.add(l.body, reshape_func(&slim, &types, &places, &results));
        (new.consts, new.carry, new.xs) = (consts, carried.len(), types.len() - consts - carried.len());
        (new.after, new.ys) = (after, results.len() - carried.len());
        if let (LoopKind::While { cond: old }, Some(cond)) = (&l.kind, cond) {
            let map = &map[..nc + nk];
            let cond = drop_params(&cond, map);
            let places: Vec<usize> = map.iter().copied().filter(|&p| p != usize::MAX).collect();
            let cond = reshape_func(&cond, &types, &places, &[0]);
            new.kind = LoopKind::While { cond: self.add(*old, cond) };
        }
        let mut result_types: Vec<Option<Type>> = vec![None; results.len() + after];
        for (&r, source) in inst.results.iter().zip(&sources) {
            if let Source::Result(k) = source {
                result_types[*k] = Some(f.ty(r).clone());
            }
        }
        let types = result_types.into_iter().map(|t| t.expect("every result has a source")).collect();
        Slim { op: new.op(), operands, types, results: sources }
    }

    /// Drops results that nobody reads and captures that no branch uses; merges equal captures.
    fn slim_case(&mut self, f: &Func, inst: &Inst, case: &Case, used: &[bool]) -> Slim {
        let n = inst.operands.len() - 1;
        let mut needed = vec![false; n];
        let mut parts = Vec::new();
        for branch in branches(case) {
            let part = self.part(branch, used);
            for (n, u) in needed.iter_mut().zip(used_params(&part)) {
                *n |= u;
            }
            parts.push((branch, part));
        }
        let mut operands: Values = inst.operands[..1].into();
        let mut map = vec![usize::MAX; n];
        for k in (0..n).filter(|&k| needed[k]) {
            let x = inst.operands[1 + k];
            map[k] = operands[1..].iter().position(|&o| o == x).unwrap_or_else(|| {
                operands.push(x);
                operands.len() - 2
            });
        }
        let types: Vec<Type> = operands[1..].iter().map(|&v| f.ty(v).clone()).collect();
        let places: Vec<usize> = map.iter().copied().filter(|&p| p != usize::MAX).collect();
        let branches = parts
            .into_iter()
            .map(|(old, part)| {
                let all: Vec<usize> = (0..part.results.len()).collect();
                let part = drop_params(&part, &map);
                self.add(old, reshape_func(&part, &types, &places, &all))
            })
            .collect();
        let mut next = 0;
        let results = used
            .iter()
            .map(|&u| {
                if !u {
                    return Source::Dead;
                }
                next += 1;
                Source::Result(next - 1)
            })
            .collect();
        let types =
            inst.results.iter().zip(used).filter(|(_, u)| **u).map(|(&r, _)| f.ty(r).clone()).collect();
        Slim { op: Case { branches }.into(), operands, types, results }
    }
}

/// Marks the carries, which are the parameters in a range, that results which are on are made of by operations without regions: one
/// after the other, where a body's results are its parameters moved on by one, so that not each takes a look at the whole body.
fn reached(body: &Func, carries: Range<usize>, on: &mut [bool]) {
    let mut seen = EntityVec::<Value, bool>::filled(false, body.values.len());
    let mut work: Vec<Value> = filter(&body.results, on);
    while let Some(v) = work.pop() {
        if std::mem::replace(&mut seen[v], true) {
            continue;
        }
        match body.values[v].def {
            Def::Inst(inst, _) if body.insts[inst].op.callees().is_empty() => {
                work.extend_from_slice(&body.insts[inst].operands);
            }
            Def::Param(k) if carries.contains(&(k as usize)) => {
                let k = k as usize - carries.start;
                if !std::mem::replace(&mut on[k], true) {
                    work.push(body.results[k]);
                }
            }
            Def::Inst(..) | Def::Param(_) => {}
        }
    }
}

/// `func` without the parameters that have no place; nothing reads them.
fn drop_params(func: &Func, map: &[usize]) -> Func {
    let mut out = func.clone();
    let keep: Vec<bool> = map.iter().map(|&p| p != usize::MAX).collect();
    crate::rewrite::set_params(&mut out, filter(&func.params, &keep));
    out
}
