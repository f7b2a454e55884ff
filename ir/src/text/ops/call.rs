//! Calls of functions, and composites of the user's.

use super::Form;
use crate::func::Inst;
use crate::op::*;
use crate::text::attr::Value as Attr;
use crate::text::generic::Raw;
use crate::text::lexer::{write_quoted, write_symbol};
use crate::text::names::Scope;
use crate::text::parser::{Instr, Parser, Res};
use crate::text::printer::Printer;
use std::fmt::Write;

pub(super) const FORMS: &[Form] = &[
    Form::new("call", |p, _| p.call(), |p, raw| p.unknown(raw.name, raw.at)),
    Form::new("func.call", |p, _| p.call(), |p, raw| p.generic_call(raw)),
    // Its regions mean nothing once it is its decomposition.
    Form::new("stablehlo.composite", |p, at| p.composite_pretty(at), |p, raw| p.composite_generic(raw))
        .any_regions(),
];

impl<'s> Parser<'s> {
    fn call(&mut self) -> Res<Instr> {
        let at = self.start();
        let name = self.symbol()?;
        self.punct(b'(')?;
        let operands = self.operands()?;
        self.punct(b')')?;
        self.optional_dict()?;
        let results = self.typed(&operands)?;
        let callee = self.symbol_id(&name, at);
        Ok(Instr { deferred: true, ..Instr::new(Call { callee }, &operands, results) })
    }

    fn generic_call(&mut self, raw: Raw<'s>) -> Res<Instr> {
        let Some((Attr::Symbol(name), place)) = raw.attrs.get("callee") else {
            return self.fail_at(raw.at, "`callee` is missing");
        };
        let callee = self.symbol_id(name, place);
        Ok(Instr { deferred: true, ..raw.is(Call { callee }) })
    }

    fn composite_generic(&mut self, raw: Raw<'s>) -> Res<Instr> {
        let Some((Attr::Str(name), _)) = raw.attrs.get("name") else {
            return self.fail_at(raw.at, "`name` is missing");
        };
        self.composite(name, &raw.attrs, &raw.operands, raw.results, raw.at)
    }
}

impl Printer<'_> {
    pub(super) fn call(&mut self, scope: &Scope<'_>, inst: &Inst, call: &Call) {
        self.out.push_str(if scope.is_region() { "func.call " } else { "call " });
        let symbol = self.symbols[call.callee].clone();
        write_symbol(&mut self.out, &symbol);
        self.out.push('(');
        self.names(scope, &inst.operands);
        self.out.push(')');
        self.signature(scope, &inst.operands, &inst.results);
    }

    pub(super) fn user_composite(&mut self, scope: &Scope<'_>, inst: &Inst, c: &Composite) {
        self.out.push_str("stablehlo.composite ");
        write_quoted(&mut self.out, &c.name);
        if !inst.operands.is_empty() {
            self.out.push(' ');
            self.names(scope, &inst.operands);
        }
        self.out.push_str(" {");
        if !c.attributes.is_empty() {
            let _ = write!(self.out, "composite_attributes = {}, ", c.attributes);
        }
        self.out.push_str("decomposition = ");
        let symbol = self.symbols[c.decomposition].clone();
        write_symbol(&mut self.out, &symbol);
        if c.version != 0 {
            let _ = write!(self.out, ", version = {} : i32", c.version);
        }
        self.out.push('}');
        self.signature(scope, &inst.operands, &inst.results);
    }
}
