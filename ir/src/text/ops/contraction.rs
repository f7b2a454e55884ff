//! `dot_general`.

use super::Form;
use crate::func::Inst;
use crate::op::*;
use crate::text::attr::Value as Attr;
use crate::text::generic::Raw;
use crate::text::lexer::Tok;
use crate::text::names::Scope;
use crate::text::parser::{Instr, Parser, Res};
use crate::text::printer::Printer;
use crate::types::Dims;
use std::fmt::Write;

pub(super) const FORMS: &[Form] = &[Form::new(
    "stablehlo.dot_general",
    |p, _| p.dot_general(),
    |p, raw| {
        let op = p.generic_dot(&raw)?;
        Ok(raw.is(op))
    },
)];

impl<'s> Parser<'s> {
    fn dot_general(&mut self) -> Res<Instr> {
        let at = self.start();
        let operands = self.some_operands(2, at)?;
        let (mut lhs_batch, mut rhs_batch) = (Dims::new(), Dims::new());
        let (mut precision, mut algorithm) = ([Precision::Default; 2], None);
        self.eat(b',');
        if self.tok() == Tok::Ident("batching_dims") {
            self.name_of("batching_dims")?;
            lhs_batch = self.dims()?;
            self.word("x")?;
            rhs_batch = self.dims()?;
        }
        self.name_of("contracting_dims")?;
        let lhs_contract = self.dims()?;
        self.word("x")?;
        let rhs_contract = self.dims()?;
        while self.eat(b',') {
            if self.tok() == Tok::Ident("algorithm") {
                let place = self.start();
                self.name_of("algorithm")?;
                self.struct_fields("stablehlo.dot_algorithm")?;
                algorithm = Some(place);
                continue;
            }
            self.name_of("precision")?;
            precision = self.precision_words()?;
        }
        if let Some(place) = algorithm {
            self.check_plain(precision, place)?;
        }
        self.optional_dict()?;
        let results = self.typed(&operands)?;
        let op = DotGeneral {
            lhs_batching_dims: lhs_batch,
            rhs_batching_dims: rhs_batch,
            lhs_contracting_dims: lhs_contract,
            rhs_contracting_dims: rhs_contract,
            lhs_precision: precision[0],
            rhs_precision: precision[1],
            dtype: self.result_dtype(&results, at)?,
        };
        Ok(Instr::new(op, &operands, results))
    }

    /// `[DEFAULT, HIGHEST]`.
    pub(super) fn precision_words(&mut self) -> Res<[Precision; 2]> {
        let mut out = [Precision::Default; 2];
        self.punct(b'[')?;
        for (k, p) in out.iter_mut().enumerate() {
            if k > 0 && !self.eat(b',') {
                break;
            }
            let found = match self.tok() {
                Tok::Ident(word) => Precision::parse(word),
                _ => None,
            };
            let Some(found) = found else { return self.expected("DEFAULT, HIGH or HIGHEST") };
            *p = found;
            self.bump();
        }
        self.punct(b']')?;
        Ok(out)
    }

    fn generic_dot(&self, raw: &Raw<'s>) -> Res<DotGeneral> {
        let d = self.fields(raw, "dot_dimension_numbers", "stablehlo.dot")?;
        let precision = self.precisions(&raw.attrs, raw.name, "C11")?;
        if let Some((Attr::Struct(..), at)) = raw.attrs.get("algorithm") {
            self.check_plain(precision, at)?;
        }
        Ok(DotGeneral {
            lhs_batching_dims: self.list(d, "lhs_batching_dimensions")?,
            rhs_batching_dims: self.list(d, "rhs_batching_dimensions")?,
            lhs_contracting_dims: self.list(d, "lhs_contracting_dimensions")?,
            rhs_contracting_dims: self.list(d, "rhs_contracting_dimensions")?,
            lhs_precision: precision[0],
            rhs_precision: precision[1],
            dtype: self.result_dtype(&raw.results, raw.at)?,
        })
    }

    /// An algorithm stands alone. It asks for fewer bits than we compute with, so it is not kept.
    pub(super) fn check_plain(&self, precision: [Precision; 2], at: usize) -> Res<()> {
        if precision != [Precision::Default; 2] {
            let message = "stablehlo.dot_general: with an algorithm the precisions must be DEFAULT (C21)";
            return self.fail_at(at, message);
        }
        Ok(())
    }
}

impl Printer<'_> {
    pub(super) fn contraction(&mut self, scope: &Scope<'_>, inst: &Inst, d: &DotGeneral) {
        self.name_and_operands(scope, inst);
        if !d.lhs_batching_dims.is_empty() || !d.rhs_batching_dims.is_empty() {
            self.list(", batching_dims = ", &d.lhs_batching_dims);
            self.list(" x ", &d.rhs_batching_dims);
        }
        self.list(", contracting_dims = ", &d.lhs_contracting_dims);
        self.list(" x ", &d.rhs_contracting_dims);
        let (a, b) = (d.lhs_precision.name(), d.rhs_precision.name());
        let _ = write!(self.out, ", precision = [{a}, {b}]");
        self.signature(scope, &inst.operands, &inst.results);
    }
}
