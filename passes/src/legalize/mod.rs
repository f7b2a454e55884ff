//! Rewrites what kernels do not hold into what they hold, tensor IR to tensor IR, before simplification:
//! operations without kernel code of their own are replaced by their expansion
//! ([`OpDef::expand`](wengert_ir::rules::OpDef::expand); convolutions by [`crate::convolution`], assertions by [`crate::effects`]), in regions too.
//!
//! Products of small integers become products of floats that hold them exactly ([`narrow_products`]).
//!
//! Then types that kernels do not compute with become types that they do ([`types`]).
//!
//! What is left over, the lowering hands to the reference interpreter, operation by operation.

mod complex;
mod narrow_products;
mod small;
mod types;
mod values;

use crate::convolution::contraction;
use crate::inline::callees_first;
use crate::rewrite::{like, mapped};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use wengert_ir::array::Literal;
use wengert_ir::func::{Func, FuncId, Loc, Module, Value, Values};
use wengert_ir::op::Op;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::TensorType;

/// `func` with every expansion made, on native types. It is `func` itself if there is nothing to do.
pub fn legalize(m: &mut Module, func: FuncId) -> FuncId {
    let mut done: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    for f in callees_first(m, func) {
        let new = legalize_one(m, f, &done);
        done.insert(f, new);
    }
    types::legalize_types(m, done[&func])
}

/// One function, what it refers to being done.
fn legalize_one(m: &mut Module, id: FuncId, done: &FxHashMap<FuncId, FuncId>) -> FuncId {
    let f = m.get(id);
    let (func, mut env) = like(&f);
    let mut e = Expander { module: m, func, loc: Loc::Unknown };
    for inst in f.insts.values() {
        let mut op = inst.op.clone();
        op.map_callees(&mut |c| done[&c]);
        e.loc = inst.loc.clone();
        let operands = mapped(&env, &inst.operands);
        for (&old, new) in inst.results.iter().zip(e.place(op, &operands)) {
            env[old] = Some(new);
        }
    }
    let mut new = e.func;
    new.results = mapped(&env, &f.results).to_vec();
    if new == *f { id } else { m.add(new) }
}

/// Appends instructions to one function, expanded as they come.
struct Expander<'m> {
    module: &'m mut Module,
    func: Func,
    loc: Loc,
}

impl Expander<'_> {
    fn place(&mut self, op: Op, operands: &[Value]) -> Values {
        let terms: SmallVec<[Term; 4]> = operands.iter().map(|&v| Term::Known(v)).collect();
        self.emit(op, &terms).into_iter().map(value).collect()
    }
}

fn value(term: Term) -> Value {
    match term {
        Term::Known(v) | Term::Linear(v) => v,
    }
}

impl Emit for Expander<'_> {
    fn emit(&mut self, op: Op, operands: &[Term]) -> SmallVec<[Term; 2]> {
        if let Some(result) = narrow_products::through_floats(self, &op, operands) {
            return smallvec![result];
        }
        let expanded = if let Op::Convolution(c) = &op {
            contraction(c, self, operands[0], operands[1]).map(|out| smallvec![out])
        } else {
            op.def().expand(self, operands)
        };
        if let Some(results) = expanded {
            return results;
        }
        let values: Values = operands.iter().map(|&t| value(t)).collect();
        if let Op::Assert(_) = &op {
            crate::effects::guard(self.module, &mut self.func, op, &values, &self.loc);
            return SmallVec::new();
        }
        let placed = crate::rewrite::push(self.module, &mut self.func, op, &values, &self.loc);
        placed.into_iter().map(Term::Known).collect()
    }
    fn ty(&self, term: Term) -> TensorType {
        self.func.tensor(value(term)).clone()
    }
    fn module(&mut self) -> &mut Module {
        self.module
    }
    fn constant(&self, term: Term) -> Option<Literal> {
        self.func.scalar_constant(value(term))
    }
}
