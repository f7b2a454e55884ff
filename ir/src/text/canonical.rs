//! Equality of modules up to what text does not hold.
//!
//! Text shows a region inside its operation and captured values under their outer names, so it does not
//! hold in which order the operation lists its captures, which of them nobody reads, or that one is listed
//! twice. [`canonical`] brings captures into the order that the parser gives them: that of their first use.

use crate::array::Literal;
use crate::entity::{Entity, EntityVec};
use crate::func::{Def, Func, FuncId, FuncKind, Inst, Module, Value, ValueData};
use crate::op::{Constant, Op};
use std::collections::HashSet;
use std::ops::Range;

/// Whether two modules say the same: the same public functions by name, and the same instructions in them
/// and in all they reach. Names of other functions and of parameters, locations, ids of values and functions,
/// functions' order and captures' order do not count, and zeros that count as linear equal plain ones.
pub fn same(a: &Module, b: &Module) -> bool {
    let public = |m: &Module| {
        let all = m.funcs.iter().filter(|(_, f)| f.kind == FuncKind::Public);
        let mut out: Vec<(String, FuncId)> = all.map(|(id, f)| (f.name.clone(), id)).collect();
        out.sort();
        out
    };
    let (a, b) = (canonical(a), canonical(b));
    let (x, y) = (public(&a), public(&b));
    if a.name != b.name || a.mode != b.mode || x.len() != y.len() {
        return false;
    }
    let mut work = Vec::new();
    for (x, y) in x.into_iter().zip(y) {
        if x.0 != y.0 {
            return false;
        }
        work.push((x.1, y.1));
    }
    let mut seen = HashSet::new();
    while let Some((x, y)) = work.pop() {
        if seen.insert((x, y)) && !same_func(&a.funcs[x], &b.funcs[y], &mut work) {
            return false;
        }
    }
    true
}

/// The module with the captures of every region in the order of their first use in the text, each once.
/// Ids of functions stay; regions are added at the end.
pub fn canonical(module: &Module) -> Module {
    let mut out = module.clone();
    for id in callees_first(module) {
        if module.funcs[id].insts.values().all(|i| captures(i).is_none()) {
            continue;
        }
        let mut func = Func::clone(&out.funcs[id]);
        for inst in func.insts.values_mut() {
            if let Some(captures) = captures(inst) {
                order_captures(&mut out, inst, captures);
            }
        }
        out.funcs[id] = func.into();
    }
    out
}

/// Every function after those it refers to; without recursion.
fn callees_first(module: &Module) -> Vec<FuncId> {
    let mut seen = EntityVec::<FuncId, bool>::filled(false, module.funcs.len());
    let mut out = Vec::new();
    let mut stack = Vec::new();
    for root in module.funcs.keys() {
        stack.push((root, false));
        while let Some((id, leaving)) = stack.pop() {
            if leaving {
                out.push(id);
            } else if !std::mem::replace(&mut seen[id], true) {
                stack.push((id, true));
                let callees = module.funcs[id].insts.values().flat_map(|i| i.op.callees());
                stack.extend(callees.filter(|&c| !seen[c]).map(|c| (c, false)));
            }
        }
    }
    out
}

/// Which operands are captures of regions that the text shows in place, if it shows any.
fn captures(inst: &Inst) -> Option<Range<usize>> {
    inst.op.captures(inst.operands.len()).filter(|_| !inst.op.callees().is_empty())
}

/// The operands in the order in which the text reads them, regions included.
fn in_text(inst: &Inst) -> Vec<Value> {
    let x = &inst.operands;
    match &inst.op {
        Op::While(_) => {
            let (carry, consts) = inst.taken_and_captured();
            carry.iter().chain(consts).copied().collect()
        }
        Op::Reduce(r) => {
            let n = r.inputs.min(x.len() / 2);
            let pairs = (0..n).flat_map(|k| [x[k], x[n + k]]);
            pairs.chain(x[2 * n..].iter().copied()).collect()
        }
        _ => x.to_vec(),
    }
}

/// Gives the instruction regions of its own whose captures are in order.
fn order_captures(module: &mut Module, inst: &mut Inst, captures: Range<usize>) {
    let old: Vec<Value> = inst.operands[captures.clone()].to_vec();
    let mut new: Vec<Value> = Vec::new();
    for region in inst.op.callees() {
        let func = module.get(region);
        let mut number: EntityVec<Value, Option<usize>> = EntityVec::filled(None, func.values.len());
        for (k, &p) in func.params.iter().enumerate().take(old.len()) {
            number[p] = Some(k);
        }
        let operands = func.insts.values().flat_map(in_text);
        for k in operands.chain(func.results.iter().copied()).filter_map(|v| number[v]) {
            if !new.contains(&old[k]) {
                new.push(old[k]);
            }
        }
    }
    let place: Vec<Option<usize>> = old.iter().map(|v| new.iter().position(|n| n == v)).collect();
    let mut changed = Vec::new();
    for region in inst.op.callees() {
        let func = reordered(&module.get(region), &place, &new, &old);
        changed.push(module.add(func));
    }
    let mut changed = changed.into_iter();
    inst.op.map_callees(&mut |c| changed.next().unwrap_or(c));
    if let Op::While(w) = &mut inst.op {
        w.consts = new.len();
    }
    let before = inst.operands[..captures.start].iter().copied();
    let after = inst.operands[captures.end..].iter().copied();
    inst.operands = before.chain(new).chain(after).collect();
}

/// The region with parameters for the captures `new` in place of those for `old`; `place` says where in
/// `new` each of `old` is.
fn reordered(func: &Func, place: &[Option<usize>], new: &[Value], old: &[Value]) -> Func {
    let mut out = Func::new(func.name.clone(), func.kind);
    let mut map: EntityVec<Value, Value> = EntityVec::filled(Value::from_index(0), func.values.len());
    let captured = old.len().min(func.params.len());
    for value in new {
        let k = old.iter().position(|o| o == value).unwrap_or(0);
        out.param(func.ty(func.params[k]).clone());
    }
    for (k, place) in place.iter().enumerate().take(captured) {
        if let Some(place) = place {
            map[func.params[k]] = out.params[*place];
        }
    }
    for &p in &func.params[captured..] {
        map[p] = out.param(func.ty(p).clone());
    }
    for (id, inst) in func.insts.iter() {
        let mut inst = inst.clone();
        inst.operands.iter_mut().for_each(|v| *v = map[*v]);
        for (k, r) in (0u32..).zip(&mut inst.results) {
            let value = out.values.push(ValueData { ty: func.ty(*r).clone(), def: Def::Inst(id, k) });
            map[*r] = value;
            *r = value;
        }
        out.insts.push(inst);
    }
    out.results = func.results.iter().map(|&v| map[v]).collect();
    out
}

/// The operation with its functions and its kind of zero taken out.
fn stripped(op: &Op) -> Op {
    if let Op::Zero(zero) = op
        && zero.ty.is_static()
    {
        return Constant { value: Literal::zeros(zero.ty.clone()) }.into();
    }
    let mut op = op.clone();
    op.map_callees(&mut |_| FuncId::from_index(0));
    op
}

/// Whether two functions say the same if the pairs of functions that are added to `work` do.
fn same_func(f: &Func, g: &Func, work: &mut Vec<(FuncId, FuncId)>) -> bool {
    if f.params.len() != g.params.len() || f.insts.len() != g.insts.len() {
        return false;
    }
    // The value of `g` that corresponds to each value of `f`.
    let mut map: EntityVec<Value, Option<Value>> = EntityVec::filled(None, f.values.len());
    let mut pair = |x: Value, y: Value| {
        map[x] = Some(y);
        f.ty(x) == g.ty(y)
    };
    if !f.params.iter().zip(&g.params).all(|(&x, &y)| pair(x, y)) {
        return false;
    }
    for (i, j) in f.insts.values().zip(g.insts.values()) {
        let fits = i.results.len() == j.results.len();
        if !fits || !i.results.iter().zip(&j.results).all(|(&x, &y)| pair(x, y)) {
            return false;
        }
    }
    let related = |xs: &[Value], ys: &[Value]| {
        xs.len() == ys.len() && xs.iter().zip(ys).all(|(&x, &y)| map[x] == Some(y))
    };
    related(&f.results, &g.results)
        && f.insts.values().zip(g.insts.values()).all(|(i, j)| {
            let (x, y) = (i.op.callees(), j.op.callees());
            let fits = x.len() == y.len();
            work.extend(x.into_iter().zip(y));
            fits && stripped(&i.op) == stripped(&j.op) && related(&i.operands, &j.operands)
        })
}
