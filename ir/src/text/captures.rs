//! Regions become closed functions.

use super::frame::Frame;
use crate::entity::{Entity, EntityVec};
use crate::func::{Def, Func, FuncKind, InstId, Value, ValueData};
use crate::op::{CompareType, Op, Reducer, Selector};
use crate::ops::reduce::is_monoid;
use crate::types::{TensorType, Type};
use std::collections::HashMap;

/// The values that the regions of one operation capture, in the order of their first use.
#[derive(Default)]
pub(super) struct Captures {
    pub(super) values: Vec<Value>,
    types: Vec<Type>,
    index: HashMap<Value, usize>,
}

impl Captures {
    /// Adds a value of the enclosing function unless it is there.
    pub(super) fn add(&mut self, value: Value, ty: &Type) {
        self.index.entry(value).or_insert_with(|| {
            self.values.push(value);
            self.types.push(ty.clone());
            self.values.len() - 1
        });
    }
}

/// A region that has been read; [`Region::close`] makes it a function once all captures are known.
pub(super) struct Region<'s> {
    frame: Frame<'s>,
}

impl<'s> Region<'s> {
    /// The region that a complete frame is.
    pub(super) fn of(frame: Frame<'s>) -> Self {
        Region { frame }
    }

    /// The function under construction.
    pub(super) fn func(&self) -> &Func {
        &self.frame.func
    }

    /// Moves the first parameters and results behind the others.
    pub(super) fn rotate(&mut self, params: usize, results: usize) {
        let func = &mut self.frame.func;
        func.params.rotate_left(params);
        func.results.rotate_left(results);
    }

    /// The closed function: parameters are the captures of the operation, then the block's arguments.
    /// Values are renumbered so that parameters come first.
    pub(super) fn close(self, captures: &Captures) -> (Func, Vec<(InstId, usize)>) {
        let (func, outer, deferred) = self.frame.finish();
        let mut out = Func { kind: FuncKind::Region, ..Func::default() };
        let mut map: EntityVec<Value, Value> = EntityVec::filled(Value::from_index(0), func.values.len());
        for (value, ty) in captures.values.iter().zip(&captures.types) {
            let new = out.param(ty.clone());
            if let Some(&old) = outer.get(value) {
                map[old] = new;
            }
        }
        for &p in &func.params {
            map[p] = out.param(func.ty(p).clone());
        }
        for (id, mut inst) in func.insts.iter().map(|(id, inst)| (id, inst.clone())) {
            for (k, r) in (0u32..).zip(&mut inst.results) {
                let new = out.values.push(ValueData { ty: func.ty(*r).clone(), def: Def::Inst(id, k) });
                map[*r] = new;
                *r = new;
            }
            inst.operands.iter_mut().for_each(|v| *v = map[*v]);
            out.insts.push(inst);
        }
        out.results = func.results.iter().map(|&v| map[v]).collect();
        (out, deferred)
    }

    /// The reducer that the region spells, if it is one of the monoids on two values or an assignment.
    pub(super) fn reducer(&self) -> Option<Reducer> {
        let f = self.func();
        if f.params.len() != 2 || f.values.len() != 2 + f.insts.len() {
            return None; // several tensors, captures, or operations of several results
        }
        let (lhs, rhs) = (f.params[0], f.params[1]);
        let mut insts = f.insts.values();
        match (insts.next(), insts.next()) {
            (None, _) if f.results[..] == [rhs] => Some(Reducer::Assign),
            (Some(inst), None) => {
                let Op::Binary(op) = inst.op else { return None };
                let fits = inst.operands[..] == [lhs, rhs] || inst.operands[..] == [rhs, lhs];
                (fits && inst.results[..] == f.results[..] && is_monoid(op)).then_some(Reducer::Op(op))
            }
            _ => None,
        }
    }
}

impl Region<'_> {
    /// Whether the region takes elements of an operand as they are. Types that are only read and printed pass.
    pub(super) fn takes(&self, operand: &Type) -> bool {
        let Type::Tensor(operand) = operand else { return true };
        let element = Type::Tensor(TensorType::scalar(operand.dtype));
        self.func().param_types().iter().all(|ty| *ty == element)
    }

    /// The comparison of its two arguments that the region spells, if it is one in their natural order.
    pub(super) fn selector(&self) -> Option<Selector> {
        let f = self.func();
        let (&[a, b], &[out], 1) = (&f.params[..], &f.results[..], f.insts.len()) else { return None };
        let inst = f.insts.values().next()?;
        let Op::Compare(compare) = &inst.op else { return None };
        let natural = compare.kind == CompareType::natural(f.ty(a).as_tensor()?.dtype);
        (f.values.len() == 3 && natural && inst.operands[..] == [a, b] && inst.results[0] == out)
            .then_some(Selector::Compare(compare.direction))
    }
}
