//! Elementwise operations.

use super::Form;
use crate::func::Inst;
use crate::op::*;
use crate::text::frame::Signature;
use crate::text::generic::Raw;
use crate::text::lexer::Tok;
use crate::text::names::Scope;
use crate::text::parser::{Instr, Parser, Res};
use crate::text::printer::Printer;
use crate::types::Type;
use std::fmt::Write;

/// Those of one or two operands that have nothing else are in the lists of [`UnaryOp`] and [`BinaryOp`].
pub(super) const FORMS: &[Form] = &[
    Form::new("stablehlo.compare", |p, _| p.compare(), |p, raw| p.generic_compare(raw)),
    Form::new(
        "stablehlo.select",
        |p, at| p.select(at),
        |p, raw| {
            p.count(&raw, 3)?;
            Ok(raw.is(Select {}))
        },
    ),
    Form::new(
        "stablehlo.clamp",
        |p, at| p.elementwise(Clamp {}.into(), 3, at),
        |p, raw| {
            p.count(&raw, 3)?;
            Ok(raw.is(Clamp {}))
        },
    ),
    Form::new(
        "stablehlo.convert",
        |p, at| p.convert(at),
        |p, raw| {
            p.count(&raw, 1)?;
            let dtype = p.one_tensor(&raw.results, raw.at)?.dtype;
            Ok(raw.is(Convert { dtype }))
        },
    ),
    Form::new(
        "stablehlo.bitcast_convert",
        |p, at| p.bitcast_convert(at),
        |p, raw| {
            p.count(&raw, 1)?;
            let ty = p.one_tensor(&raw.results, raw.at)?;
            Ok(raw.is(BitcastConvert { ty }))
        },
    ),
    Form::new(
        "stablehlo.reduce_precision",
        |p, at| p.reduce_precision(at),
        |p, raw| {
            let exponent_bits = p.need_size(&raw, "exponent_bits")?;
            let mantissa_bits = p.need_size(&raw, "mantissa_bits")?;
            Ok(raw.is(ReducePrecision { exponent_bits, mantissa_bits }))
        },
    ),
];

/// The elementwise operation of one operand called so. CHLO's tangent is StableHLO's.
pub(super) fn unary_named(name: &str) -> Option<UnaryOp> {
    if name == "chlo.tan" { Some(UnaryOp::Tan) } else { UnaryOp::parse(name) }
}

impl<'s> Parser<'s> {
    pub(super) fn elementwise(&mut self, op: Op, n: usize, at: usize) -> Res<Instr> {
        let operands = self.some_operands(n, at)?;
        self.optional_dict()?;
        let results = self.typed(&operands)?;
        Ok(Instr::new(op, &operands, results))
    }

    /// Of the operands and the result the short form names the type of the result.
    pub(super) fn complex(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(2, at)?;
        self.optional_dict()?;
        let at = self.start();
        let results = match self.signature()? {
            Signature::Bare(types) if types.len() == 1 => {
                let result = self.one_tensor(&types, at)?;
                let part = Type::Tensor(result.with_dtype(result.dtype.part()));
                self.check_operands(&operands, &[part.clone(), part], at)?;
                types
            }
            Signature::Function(types, results) | Signature::Arrow(types, results) => {
                self.check_operands(&operands, &types, at)?;
                results
            }
            Signature::Bare(_) => return self.fail_at(at, "expected the type of the result"),
        };
        Ok(Instr::new(BinaryOp::Complex, &operands, results))
    }

    fn compare(&mut self) -> Res<Instr> {
        let direction = match self.tok() {
            Tok::Ident(word) => Direction::parse(word),
            _ => None,
        };
        let Some(direction) = direction else { return self.expected("EQ, NE, GE, GT, LE or LT") };
        self.bump();
        self.punct(b',')?;
        let at = self.start();
        let operands = self.some_operands(2, at)?;
        let mut kind = None;
        if self.eat(b',') {
            kind = match self.tok() {
                Tok::Ident("NOTYPE") => None,
                Tok::Ident(word) => match CompareType::parse(word) {
                    Some(kind) => Some(kind),
                    None => return self.expected("FLOAT, TOTALORDER, SIGNED or UNSIGNED"),
                },
                _ => return self.expected("FLOAT, TOTALORDER, SIGNED or UNSIGNED"),
            };
            self.bump();
        }
        let ty = self.result(&operands)?;
        let kind = match (kind, self.value_type(operands[0].0)) {
            (Some(kind), _) => kind,
            (None, Type::Tensor(t)) => CompareType::natural(t.dtype),
            (None, Type::Token | Type::Foreign(_)) => {
                return self.fail_at(at, "only tensors can be compared");
            }
        };
        Ok(Instr::new(Compare { direction, kind }, &operands, vec![ty.into()]))
    }

    fn generic_compare(&mut self, raw: Raw<'s>) -> Res<Instr> {
        self.count(&raw, 2)?;
        let Some(direction) = self.enum_word(&raw, "comparison_direction")?.and_then(Direction::parse) else {
            return self.fail_at(raw.at, "`comparison_direction` is missing or unknown");
        };
        let natural = match self.value_type(raw.operands[0].0) {
            Type::Tensor(t) => CompareType::natural(t.dtype),
            Type::Token | Type::Foreign(_) => {
                return self.fail_at(raw.at, "only tensors can be compared");
            }
        };
        let kind = self.enum_word(&raw, "compare_type")?.and_then(CompareType::parse);
        Ok(raw.is(Compare { direction, kind: kind.unwrap_or(natural) }))
    }

    fn select(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(3, at)?;
        self.optional_dict()?;
        let at = self.start();
        match self.signature()? {
            Signature::Bare(t) if t.len() == 2 => {
                let types = [t[0].clone(), t[1].clone(), t[1].clone()];
                self.check_operands(&operands, &types, at)?;
                Ok(Instr::new(Select {}, &operands, vec![t[1].clone()]))
            }
            Signature::Function(types, results) => {
                self.check_operands(&operands, &types, at)?;
                Ok(Instr::new(Select {}, &operands, results))
            }
            Signature::Bare(_) | Signature::Arrow(..) => {
                self.fail_at(at, "expected the type of the predicate and that of the values")
            }
        }
    }

    fn convert(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(1, at)?;
        let ty = self.result(&operands)?;
        Ok(Instr::new(Convert { dtype: ty.dtype }, &operands, vec![ty.into()]))
    }

    fn bitcast_convert(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(1, at)?;
        let ty = self.result(&operands)?;
        Ok(Instr::new(BitcastConvert { ty: ty.clone() }, &operands, vec![ty.into()]))
    }

    fn reduce_precision(&mut self, at: usize) -> Res<Instr> {
        let operands = self.some_operands(1, at)?;
        self.name_of("format")?;
        let bits = match self.tok() {
            Tok::Ident(word) => word
                .strip_prefix('e')
                .and_then(|w| w.split_once('m'))
                .and_then(|(e, m)| Some((e.parse::<u16>().ok()?, m.parse::<u16>().ok()?))),
            _ => None,
        };
        let Some((e, m)) = bits else { return self.expected("a format, `e5m10`") };
        self.bump();
        let ty = self.result(&operands)?;
        let op = ReducePrecision { exponent_bits: e as usize, mantissa_bits: m as usize };
        Ok(Instr::new(op, &operands, vec![ty.into()]))
    }
}

impl Printer<'_> {
    pub(super) fn elementwise(&mut self, scope: &Scope<'_>, inst: &Inst) {
        let x = &inst.operands[..];
        if let Op::Compare(Compare { direction, kind }) = &inst.op {
            let _ = write!(self.out, "stablehlo.compare {}, ", direction.name());
            self.names(scope, x);
            let _ = write!(self.out, ", {}", kind.name());
            return self.signature(scope, x, &inst.results);
        }
        self.name_and_operands(scope, inst);
        match &inst.op {
            Op::Binary(BinaryOp::Complex) => {
                self.out.push_str(" : ");
                self.types(scope, &inst.results);
            }
            Op::Unary(_) | Op::Binary(_) if inst.op.name().starts_with("chlo.") => {
                self.out.push_str(" : ");
                self.types(scope, x);
                self.out.push_str(" -> ");
                self.types(scope, &inst.results);
            }
            Op::Unary(_) | Op::Binary(_) | Op::Clamp(_) | Op::Convert(_) => self.short_signature(scope, inst),
            Op::Select(_) => {
                self.out.push_str(" : ");
                self.types(scope, x.get(..2).unwrap_or(x));
            }
            Op::BitcastConvert(_) => self.signature(scope, x, &inst.results),
            Op::ReducePrecision(r) => {
                let _ = write!(self.out, ", format = e{}m{}", r.exponent_bits, r.mantissa_bits);
                self.short_signature(scope, inst);
            }
            op => unreachable!("{} is not elementwise, or ours", op.name()),
        }
    }
}
