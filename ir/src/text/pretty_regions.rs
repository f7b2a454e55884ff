//! Operations with regions in the form that MLIR prints for people.

use super::lexer::Tok;
use super::parser::{Instr, Parser, Res, Uses};
use super::region::Captures;
use crate::func::FuncId;
use crate::op::{BinaryOp, OptimizationBarrier, Reduce, Reducer, While};
use crate::types::{Dims, Type};

/// The dimensions of a reduction, which may be written in any order.
pub(super) fn ascending(mut dims: Dims) -> Dims {
    dims.sort_unstable();
    dims
}

impl<'s> Parser<'s> {
    /// `(%x init: %c)` groups, then `applies` an operation or a reducer region.
    pub(super) fn reduce(&mut self) -> Res<Instr> {
        let (mut operands, mut inits) = (Uses::new(), Uses::new());
        loop {
            self.punct(b'(')?;
            operands.push(self.operand()?);
            self.word("init")?;
            self.punct(b':')?;
            inits.push(self.operand()?);
            self.punct(b')')?;
            if !self.eat(b',') {
                break;
            }
        }
        let n = operands.len();
        operands.extend(inits);
        let mut reducer = None;
        if self.eat_word("applies") {
            let op = match self.tok() {
                Tok::Ident(name) => BinaryOp::parse(name).filter(|&op| super::region::is_monoid(op)),
                _ => None,
            };
            if op.is_none() || n != 1 {
                return self.expected("an associative operation on one tensor");
            }
            reducer = op.map(Reducer::Op);
            self.bump();
        }
        self.word("across")?;
        let dims = ascending(self.named_dims("dimensions")?);
        self.optional_dict()?;
        let results = self.typed(&operands)?;
        if let Some(reducer) = reducer {
            return Ok(Instr::new(Reduce { dims, inputs: n, reducer }, &operands, results));
        }
        self.word("reducer")?;
        // The groups are pairs (lhs_k, rhs_k); parameters are all lhs, then all rhs.
        self.captures.push(Captures::default());
        self.open_region();
        for k in 0..n {
            self.punct(b'(')?;
            self.parameter()?;
            self.location_text()?;
            self.punct(b',')?;
            self.parameter()?;
            self.location_text()?;
            if k + 1 < n {
                self.punct(b')')?;
                self.eat(b',');
            }
        }
        self.punct(b')')?;
        let params = std::mem::take(&mut self.frame().func.params);
        let ordered = params.iter().step_by(2).chain(params.iter().skip(1).step_by(2)).copied().collect();
        self.frame().func.params = ordered;
        self.punct(b'{')?;
        let region = self.region_body()?;
        let captures = self.captures.pop().unwrap_or_default();
        self.promote(&mut operands, 0..2 * n, &region, "C6")?;
        let mut instr = Instr::new(OptimizationBarrier { region: 0 }, &operands, results);
        let own = operands.first().map(|u| self.value_type(u.0));
        let spelled = region.reducer().filter(|_| own.is_none_or(|ty| region.takes(ty)));
        let reducer = match spelled {
            Some(reducer @ Reducer::Op(_)) => reducer,
            _ => {
                instr.operands = self.with_captures(&operands, &captures).into();
                Reducer::Func(self.add_region(&captures, region)?)
            }
        };
        instr.op = Reduce { dims, inputs: n, reducer }.into();
        Ok(instr)
    }

    /// `(%iterArg = %a, ...) : T, U cond { ... } do { ... }`.
    pub(super) fn while_loop(&mut self) -> Res<Instr> {
        let at = self.start();
        self.punct(b'(')?;
        let mut names = Vec::new();
        let mut operands = Uses::new();
        while self.tok() != Tok::Punct(b')') {
            let place = self.start();
            let Tok::Value(name, None) = self.tok() else {
                return self.expected("a name for what is carried");
            };
            names.push((name, place));
            self.bump();
            self.punct(b'=')?;
            operands.push(self.operand()?);
            if !self.eat(b',') {
                break;
            }
        }
        self.punct(b')')?;
        let mut types = Vec::new();
        if self.eat(b':') {
            types = self.type_list()?;
        }
        self.check_operands(&operands, &types, at)?;
        if self.eat_word("attributes") {
            self.dict()?;
        }
        self.captures.push(Captures::default());
        let mut regions = Vec::new();
        for word in ["cond", "do"] {
            self.word(word)?;
            self.punct(b'{')?;
            self.open_region();
            for (&(name, place), ty) in names.iter().zip(&types) {
                let value = self.frame().func.param(ty.clone());
                self.bind(name, 0, value, place)?;
            }
            regions.push(self.region_body()?);
        }
        let captures = self.captures.pop().unwrap_or_default();
        let mut ids = Vec::new();
        for region in regions {
            ids.push(self.add_region(&captures, region)?);
        }
        let (cond, body) = (ids[0], ids[1]);
        Ok(self.while_instr(cond, body, &captures, &operands, types))
    }

    /// A `while` of its parts: the captures come before what is carried.
    pub(super) fn while_instr(
        &self,
        cond: FuncId,
        body: FuncId,
        captures: &Captures,
        carry: &Uses,
        results: Vec<Type>,
    ) -> Instr {
        let consts = captures.values.len();
        let op = While { cond, body, consts, stacks: 0, counted: false };
        let operands = captures.values.iter().copied().chain(carry.iter().map(|u| u.0)).collect();
        Instr { operands, ..Instr::new(op, &Uses::new(), results) }
    }
}
