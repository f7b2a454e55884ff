//! Equality of modules up to what text does not hold.

use crate::array::Literal;
use crate::entity::{Entity, EntityVec};
use crate::func::{Func, FuncId, FuncKind, Module, Value};
use crate::op::{Constant, Op};
use std::collections::HashSet;

/// Whether two modules say the same: the same public functions by name, and the same instructions in them
/// and in all they reach. Names of other functions and of parameters, locations, ids of values and functions
/// and functions' order do not count, and zeros that count as linear equal plain ones.
pub fn same(a: &Module, b: &Module) -> bool {
    let public = |m: &Module| {
        let all = m.funcs.iter().filter(|(_, f)| f.kind == FuncKind::Public);
        let mut out: Vec<(String, FuncId)> = all.map(|(id, f)| (f.name.clone(), id)).collect();
        out.sort();
        out
    };
    let (x, y) = (public(a), public(b));
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

/// The operation with its functions and its kind of zero taken out.
fn stripped(op: &Op) -> Op {
    if let Op::Zero(zero) = op
        && zero.ty.is_static()
    {
        let value = Literal::splat_bytes(zero.ty.clone(), &vec![0; zero.ty.dtype.size()]);
        return Constant { value }.into();
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
