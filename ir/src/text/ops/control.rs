//! `while`, `case`, and `optimization_barrier`, which orders.

use super::Form;
use crate::func::{FuncId, Inst};
use crate::op::*;
use crate::text::attr::Dict;
use crate::text::captures::Captures;
use crate::text::frame::Signature;
use crate::text::generic::Raw;
use crate::text::lexer::Tok;
use crate::text::names::{Name, Scope, Word};
use crate::text::parser::{Instr, Parser, Res, Uses};
use crate::text::printer::Printer;
use crate::types::Type;
use std::fmt::Write;

pub(super) const FORMS: &[Form] = &[
    Form::new(
        "stablehlo.while",
        |p, _| p.while_loop(),
        |p, raw| {
            let mut ids = Vec::new();
            for region in raw.regions {
                ids.push(p.add_region(&raw.captures, region)?);
            }
            Ok(p.while_instr(ids[0], ids[1], &raw.captures, &raw.operands, raw.results))
        },
    )
    .regions(2),
    Form::generic("stablehlo.case", |p, raw| p.case(raw)).some_regions(),
    Form::new(
        "stablehlo.optimization_barrier",
        |p, _| p.barrier(),
        |p, raw| {
            let region = p.barrier_region(&raw.attrs)?;
            Ok(raw.is(OptimizationBarrier { region }))
        },
    ),
];

impl<'s> Parser<'s> {
    /// `(%iterArg = %a, ...) : T, U cond { ... } do { ... }`.
    fn while_loop(&mut self) -> Res<Instr> {
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
    fn while_instr(
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

    fn case(&mut self, raw: Raw<'s>) -> Res<Instr> {
        let operands = self.with_captures(&raw.operands, &raw.captures).into();
        let mut branches = Vec::new();
        for region in raw.regions {
            branches.push(self.add_region(&raw.captures, region)?);
        }
        Ok(Instr { operands, ..Instr::new(Case { branches }, &raw.operands, raw.results) })
    }

    fn barrier(&mut self) -> Res<Instr> {
        let mut dict: Dict<'s> = self.optional_dict()?;
        let operands = if self.eat(b'(') {
            self.punct(b')')?;
            Uses::new()
        } else {
            self.operands()?
        };
        dict.extend(self.optional_dict()?);
        let region = self.barrier_region(&dict)?;
        let mut results = Vec::new();
        if !operands.is_empty() {
            let at = self.start();
            results = match self.signature()? {
                Signature::Bare(types) => types,
                Signature::Function(_, results) => results,
                Signature::Arrow(..) => return self.fail_at(at, "expected the types of the operands"),
            };
            self.check_operands(&operands, &results, at)?;
        }
        Ok(Instr::new(OptimizationBarrier { region }, &operands, results))
    }

    /// The number of the rematerialised region of a barrier.
    fn barrier_region(&self, attrs: &Dict<'s>) -> Res<usize> {
        Ok(self.size_of(attrs, "wengert.region")?.unwrap_or(0))
    }
}

impl Printer<'_> {
    pub(super) fn while_loop(&mut self, scope: &Scope<'_>, inst: &Inst, w: &While) {
        let (carry, consts) = inst.taken_and_captured();
        let mut counters = scope.counters;
        let args: Vec<Name> = carry.iter().map(|_| counters.word(Word::IterArg)).collect();
        self.out.push_str("stablehlo.while(");
        for (k, (name, &v)) in args.iter().zip(carry).enumerate() {
            self.comma(k);
            let _ = write!(self.out, "{name} = {}", scope.name(v));
        }
        self.out.push(')');
        if !carry.is_empty() {
            self.out.push_str(" : ");
            self.types(scope, carry);
        }
        self.out.push('\n');
        self.spaces(scope.indent);
        self.out.push_str("cond {\n");
        self.region(scope, w.cond, consts, &args, counters);
        self.out.push_str(" do {\n");
        self.region(scope, w.body, consts, &args, counters);
    }

    pub(super) fn case(&mut self, scope: &Scope<'_>, inst: &Inst, case: &Case) {
        let (index, captures) = inst.taken_and_captured();
        self.generic(scope, "stablehlo.case", index);
        self.out.push_str(" (");
        for (k, &branch) in case.branches.iter().enumerate() {
            self.comma(k);
            self.out.push_str("{\n");
            self.region(scope, branch, captures, &[], scope.counters);
        }
        self.out.push(')');
        self.signature(scope, index, &inst.results);
    }

    pub(super) fn barrier(&mut self, scope: &Scope<'_>, inst: &Inst, barrier: &OptimizationBarrier) {
        self.out.push_str("stablehlo.optimization_barrier");
        let region = barrier.region;
        if region != 0 {
            let _ = write!(self.out, " {{wengert.region = {region} : i64}}");
        }
        if inst.operands.is_empty() {
            return self.out.push_str("()");
        }
        self.out.push(' ');
        self.names(scope, &inst.operands);
        self.out.push_str(" : ");
        self.types(scope, &inst.operands);
    }
}
