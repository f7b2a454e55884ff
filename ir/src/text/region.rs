//! Regions become closed functions.

use super::lexer::Tok;
use super::parser::{Frame, Parser, Res, Uses};
use crate::entity::{Entity, EntityVec};
use crate::func::{Def, Func, FuncKind, InstId, Value, ValueData};
use crate::op::{CompareType, Convert, Op, Reducer, Selector};
use crate::ops::reduce::is_monoid;
use crate::types::{DType, TensorType, Type};
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

/// Whether elements of a type may be reduced in the other: the same kind of number, not narrower.
fn is_promotable(from: DType, to: DType) -> bool {
    let kinds = [DType::is_float, DType::is_integer, DType::is_complex];
    kinds.iter().any(|kind| kind(from) && kind(to)) && from.bits() <= to.bits()
}

impl<'s> Parser<'s> {
    /// Opens the scope of a region of the current operation, for which `captures` were pushed.
    pub(super) fn open_region(&mut self) {
        self.frames.push(Frame::new("", FuncKind::Region));
    }

    /// Reads instructions up to the closing brace of the region opened last.
    pub(super) fn region_body(&mut self) -> Res<Region<'s>> {
        self.deeper(|p| {
            while !p.instruction()? {}
            if p.tok() != Tok::Punct(b'}') {
                return p.expected("`}` after the return");
            }
            p.bump();
            Ok(())
        })?;
        Ok(Region::of(self.pop_frame()))
    }

    /// `{ ^bb0(%a: T): ... }`.
    pub(super) fn block_region(&mut self) -> Res<Region<'s>> {
        self.punct(b'{')?;
        self.open_region();
        if let Tok::Caret(_) = self.tok() {
            self.bump();
            if self.eat(b'(') {
                while self.tok() != Tok::Punct(b')') {
                    self.parameter()?;
                    self.location_text()?;
                    if !self.eat(b',') {
                        break;
                    }
                }
                self.punct(b')')?;
            }
            self.punct(b':')?;
        }
        self.region_body()
    }

    /// `({ ... }, { ... })`: the regions of an operation in generic form and what they capture.
    pub(super) fn regions(&mut self) -> Res<(Vec<Region<'s>>, Captures)> {
        self.punct(b'(')?;
        self.captures.push(Captures::default());
        let mut out = Vec::new();
        loop {
            out.push(self.block_region()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b')')?;
        Ok((out, self.captures.pop().unwrap_or_default()))
    }

    /// Converts operands to the wider types of the values that a reducer's region takes, before the operation
    /// that is read: `is_promotable` of the specification.
    pub(super) fn promote(
        &mut self,
        operands: &mut Uses,
        which: impl IntoIterator<Item = usize>,
        region: &Region<'s>,
        label: &str,
    ) -> Res<()> {
        let params = &region.func().params;
        let wanted: Vec<Option<DType>> = params[..params.len() / 2]
            .iter()
            .map(|&p| region.func().ty(p).as_tensor().map(|t| t.dtype))
            .collect();
        let which: Vec<usize> = which.into_iter().collect();
        // Operands that must be of one type and are not break a rule of their own: not this one.
        let dtype = |i: usize| self.value_type(operands[i].0).as_tensor().map(|t| t.dtype);
        let slots = wanted.len().max(1);
        if which.iter().enumerate().any(|(k, &i)| dtype(i) != dtype(which[k % slots])) {
            return Ok(());
        }
        for (k, i) in which.into_iter().enumerate() {
            let (value, at) = operands[i];
            let Some(&Some(to)) = wanted.get(k % slots) else { continue };
            let Some(from) = self.value_type(value).as_tensor().map(|t| t.dtype) else { continue };
            if from == to {
                continue;
            }
            if !is_promotable(from, to) {
                return self
                    .fail_at(at, format!("the body takes {to}, which {from} does not promote to ({label})"));
            }
            operands[i].0 = self.emit(at, Convert { dtype: to }, &[value])?;
        }
        Ok(())
    }

    /// The captures followed by operands: the arguments of a closed region.
    pub(super) fn with_captures_first(&self, operands: &Uses, captures: &Captures) -> Vec<Value> {
        captures.values.iter().copied().chain(operands.iter().map(|u| u.0)).collect()
    }

    /// The operands followed by captures.
    pub(super) fn with_captures(&self, operands: &Uses, captures: &Captures) -> Vec<Value> {
        operands.iter().map(|u| u.0).chain(captures.values.iter().copied()).collect()
    }
}
