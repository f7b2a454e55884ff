//! Equality of modules up to what text does not hold.

use crate::array::Literal;
use crate::entity::{Entity, EntityVec};
use crate::func::{Func, FuncId, FuncKind, Module, Value};
use crate::op::{Constant, Op};

/// Whether two modules say the same: the same functions by symbol, instruction by instruction, regions
/// compared where they stand. Names of regions and parameters, locations, ids of values and functions and
/// functions' order do not count, and zeros that count as linear equal plain ones.
pub fn same(a: &Module, b: &Module) -> bool {
    let symbols = |m: &Module| {
        let mut out: Vec<(String, FuncId)> = m
            .funcs
            .iter()
            .filter(|(_, f)| f.kind != FuncKind::Region)
            .map(|(id, f)| (f.name.clone(), id))
            .collect();
        out.sort();
        out
    };
    let (x, y) = (symbols(a), symbols(b));
    a.name == b.name
        && a.mode == b.mode
        && x.len() == y.len()
        && x.iter().zip(&y).all(|(x, y)| x.0 == y.0 && same_func(a, x.1, b, y.1))
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

fn same_func(a: &Module, fa: FuncId, b: &Module, fb: FuncId) -> bool {
    let (f, g): (&Func, &Func) = (&a.funcs[fa], &b.funcs[fb]);
    if f.kind != g.kind
        || f.params.len() != g.params.len()
        || f.insts.len() != g.insts.len()
        || f.results.len() != g.results.len()
    {
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
        if i.results.len() != j.results.len() || !i.results.iter().zip(&j.results).all(|(&x, &y)| pair(x, y))
        {
            return false;
        }
    }
    let related = |xs: &[Value], ys: &[Value]| {
        xs.len() == ys.len() && xs.iter().zip(ys).all(|(&x, &y)| map[x] == Some(y))
    };
    if !related(&f.results, &g.results) {
        return false;
    }
    f.insts.values().zip(g.insts.values()).all(|(i, j)| {
        let (ci, cj) = (i.op.callees(), j.op.callees());
        stripped(&i.op) == stripped(&j.op)
            && related(&i.operands, &j.operands)
            && ci.len() == cj.len()
            && ci.iter().zip(&cj).all(|(&x, &y)| {
                let (p, q) = (&a.funcs[x], &b.funcs[y]);
                match (p.kind, q.kind) {
                    (FuncKind::Region, FuncKind::Region) => same_func(a, x, b, y),
                    _ => p.name == q.name,
                }
            })
    })
}
