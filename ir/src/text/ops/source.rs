//! Constants and `iota`.

use super::Form;
use crate::array::Literal;
use crate::op::*;
use crate::text::attr::Value as Attr;
use crate::text::generic::Raw;
use crate::text::parser::{Instr, Parser, Res, Uses};
use crate::text::printer::Printer;
use crate::text::write_literal;
use std::fmt::Write;

pub(super) const FORMS: &[Form] = &[
    Form::new("stablehlo.constant", |p, _| p.constant(), |p, raw| p.generic_constant(raw)),
    Form::new("chlo.constant", |p, _| p.constant(), |p, raw| p.generic_constant(raw)),
    Form::new(
        "chlo.constant_like",
        |p, at| p.constant_like(at),
        |p, raw| p.constant_of(&raw.attrs, &raw.results, raw.at),
    ),
    Form::new(
        "stablehlo.iota",
        |p, _| p.iota(),
        |p, raw| {
            let ty = p.one_tensor(&raw.results, raw.at)?;
            let dim = p.need_size(&raw, "iota_dimension")?;
            Ok(raw.is(Iota { ty, dim }))
        },
    ),
];

impl<'s> Parser<'s> {
    pub(super) fn constant(&mut self) -> Res<Instr> {
        self.optional_dict()?;
        let value = self.dense(false)?;
        let ty = value.ty().clone();
        Ok(Instr::new(Constant { value }, &Uses::new(), vec![ty.into()]))
    }

    fn iota(&mut self) -> Res<Instr> {
        let dim = self.named_size("dim")?;
        let ty = self.result(&Uses::new())?;
        Ok(Instr::new(Iota { ty: ty.clone(), dim }, &Uses::new(), vec![ty.into()]))
    }

    fn generic_constant(&mut self, raw: Raw<'s>) -> Res<Instr> {
        let value = self.literal(&raw)?;
        Ok(raw.is(Constant { value }))
    }

    fn literal(&self, raw: &Raw<'s>) -> Res<Literal> {
        match raw.attrs.get("value") {
            Some((Attr::Dense(literal), _)) => Ok(literal.clone()),
            _ => self.fail_at(raw.at, "`value` is missing or not `dense<...>`"),
        }
    }
}

impl Printer<'_> {
    pub(super) fn constant(&mut self, value: &Literal) {
        self.out.push_str("stablehlo.constant ");
        write_literal::write(&mut self.out, value);
        let _ = write!(self.out, " : {}", value.ty());
    }

    /// A constant, a splat of zeros as a constant, or `iota`.
    pub(super) fn source(&mut self, op: &Op) {
        match op {
            Op::Constant(Constant { value }) => self.constant(value),
            Op::Zero(Zero { ty }) => {
                let zeros = vec![0; ty.dtype.size()];
                self.constant(&Literal::splat_bytes(ty.clone(), &zeros));
            }
            Op::Iota(iota) => {
                let _ = write!(self.out, "stablehlo.iota dim = {} : {}", iota.dim, iota.ty);
            }
            op => unreachable!("{} is no source", op.name()),
        }
    }
}
