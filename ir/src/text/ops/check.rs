//! The `check` dialect of StableHLO's tests: two tensors must agree. Read in all its forms (with a value or a
//! constant, pretty or generic, or as a `custom_call`), printed in one. `check.guard` is ours, and read like them.

use crate::array::Literal;
use crate::func::{Inst, Loc};
use crate::op::{Check, CheckKind, Constant, FloatAttr};
use crate::text::attr::{Dict, Value as Attr};
use crate::text::lexer::Tok;
use crate::text::names::Scope;
use crate::text::parser::{Instr, Parser, Res, Uses};
use crate::text::printer::Printer;
use crate::types::Type;
use std::fmt::Write;

/// The tolerance of `check.expect_almost_eq` where none is written.
const TOLERANCE: f64 = 1e-4;
/// The tolerance of the custom call of that name.
const CUSTOM_TOLERANCE: f64 = 1e-3;
/// The steps of the custom call `check.expect_close`.
const CUSTOM_ULP: usize = 3;

/// The check that is written without numbers.
fn plain(kind: CheckKind) -> Check {
    with_numbers(kind, TOLERANCE, 1)
}

/// A check with the numbers that its kind has.
fn with_numbers(kind: CheckKind, tolerance: f64, max_ulp: usize) -> Check {
    let tolerance = FloatAttr::new(if kind == CheckKind::AlmostEq { tolerance } else { 0.0 });
    Check { kind, tolerance, min_ulp: 0, max_ulp: if kind == CheckKind::Close { max_ulp } else { 0 } }
}

/// What a check is called, and whether the expected value is an attribute.
fn kind_of(name: &str) -> Option<(CheckKind, bool)> {
    match name.strip_suffix("_const") {
        Some("check.expect_close") => None,
        Some(base) => CheckKind::parse(base).map(|k| (k, true)),
        None => CheckKind::parse(name).map(|k| (k, false)),
    }
}

impl<'s> Parser<'s> {
    /// `%a, %b, tolerance = 0.1 : T` and its kin.
    pub(in crate::text) fn check_pretty(&mut self, name: &str, at: usize) -> Res<Instr> {
        let Some((kind, constant)) = kind_of(name) else { return self.unknown(name, at) };
        let mut operands = Uses::from_slice(&[self.operand()?]);
        self.punct(b',')?;
        let mut check = plain(kind);
        if constant {
            let place = self.start();
            let value = self.dense(false)?;
            self.number_fields(&mut check)?;
            let dict = self.optional_dict()?;
            self.check_numbers(&mut check, &dict)?;
            operands.push((self.literal_value(value), place));
        } else {
            operands.push(self.operand()?);
            self.number_fields(&mut check)?;
            let dict = self.optional_dict()?;
            self.check_numbers(&mut check, &dict)?;
            self.punct(b':')?;
            let dict = self.optional_dict()?;
            self.check_numbers(&mut check, &dict)?;
            let place = self.start();
            let types = self.type_list()?;
            let both = match &types[..] {
                [one] => [one.clone(), one.clone()],
                [a, b] => [a.clone(), b.clone()],
                _ => return self.fail_at(place, "expected one type or two"),
            };
            self.check_operands(&operands, &both, place)?;
        }
        Ok(Instr::new(check, &operands, Vec::new()))
    }

    /// The operation whose quoted name, attributes and operands were read.
    pub(in crate::text) fn check_generic(
        &mut self,
        name: &str,
        attrs: &Dict<'s>,
        mut operands: Uses,
        at: usize,
    ) -> Res<Instr> {
        let Some((kind, constant)) = kind_of(name) else { return self.unknown(name, at) };
        let mut check = plain(kind);
        self.check_numbers(&mut check, attrs)?;
        if constant {
            match attrs.get("value") {
                Some((Attr::Dense(value), place)) => {
                    let value = self.literal_value(value.clone());
                    operands.push((value, place));
                }
                _ => return self.fail_at(at, "`value` is missing or not `dense<...>`"),
            }
        }
        Ok(Instr::new(check, &operands, Vec::new()))
    }

    /// A custom call that is a check, if `target` names one.
    pub(in crate::text) fn check_call(
        &mut self,
        target: &str,
        operands: &Uses,
        results: &[Type],
    ) -> Res<Option<Instr>> {
        let kind = match target {
            "check.eq" => CheckKind::Eq,
            _ => match CheckKind::parse(target) {
                Some(kind) => kind,
                None => return Ok(None),
            },
        };
        if !results.is_empty() {
            return Ok(None); // somebody else's comparison
        }
        let check = with_numbers(kind, CUSTOM_TOLERANCE, CUSTOM_ULP);
        Ok(Some(Instr::new(check, operands, Vec::new())))
    }

    /// A constant before the instruction that is read.
    fn literal_value(&mut self, value: Literal) -> crate::func::Value {
        let ty: Type = value.ty().clone().into();
        self.frame().func.push_typed(Constant { value }.into(), &[], [ty], Loc::Unknown)[0]
    }

    /// `, tolerance = 0.1`, `, max_ulp_difference = 3`.
    fn number_fields(&mut self, check: &mut Check) -> Res<()> {
        while self.eat(b',') {
            let at = self.start();
            let Tok::Ident(name) = self.tok() else {
                return self.expected("`tolerance` or `max_ulp_difference`");
            };
            self.bump();
            self.punct(b'=')?;
            let Tok::Number(text) = self.tok() else { return self.expected("a number") };
            let value = crate::text::attr::number(text);
            self.bump();
            // A colon may start the type of the number or that of the operands.
            let mut ahead = self.lexer.clone();
            if ahead.tok == Tok::Punct(b':') {
                ahead.advance();
                if let Tok::Ident("f64" | "f32" | "ui64" | "i64") = ahead.tok {
                    ahead.advance();
                    self.lexer = ahead;
                }
            }
            self.check_number(check, name, value.as_ref(), at)?;
        }
        Ok(())
    }

    fn check_numbers(&self, check: &mut Check, attrs: &Dict<'s>) -> Res<()> {
        for name in ["tolerance", "min_ulp_difference", "max_ulp_difference"] {
            if let Some((value, at)) = attrs.get(name) {
                self.check_number(check, name, Some(value), at)?;
            }
        }
        Ok(())
    }

    fn check_number(&self, check: &mut Check, name: &str, value: Option<&Attr<'s>>, at: usize) -> Res<()> {
        match (name, value) {
            ("tolerance", Some(&Attr::Float(v))) if v >= 0.0 => check.tolerance = FloatAttr::new(v),
            ("tolerance", Some(&Attr::Int(v))) if v >= 0 => check.tolerance = FloatAttr::new(v as f64),
            ("min_ulp_difference", Some(&Attr::Int(v))) => check.min_ulp = v as usize,
            ("max_ulp_difference", Some(&Attr::Int(v))) => check.max_ulp = v as usize,
            _ => {
                return self.fail_at(
                    at,
                    "expected `tolerance`, `min_ulp_difference` or `max_ulp_difference` and a number",
                );
            }
        }
        Ok(())
    }
}

impl Printer<'_> {
    pub(in crate::text) fn check(&mut self, scope: &Scope<'_>, inst: &Inst, check: &Check) {
        let _ = write!(self.out, "{} ", check.kind.name());
        self.names(scope, &inst.operands);
        match check.kind {
            CheckKind::Eq | CheckKind::Guard => {}
            CheckKind::AlmostEq => {
                let _ = write!(self.out, ", tolerance = {:?}", check.tolerance.get());
            }
            CheckKind::Close => {
                let _ = write!(self.out, ", max_ulp_difference = {}", check.max_ulp as u64);
                if check.min_ulp != 0 {
                    let _ = write!(self.out, ", min_ulp_difference = {}", check.min_ulp as u64);
                }
            }
        }
        self.out.push_str(" : ");
        let types = if check.kind == CheckKind::Close { 2 } else { 1 };
        self.types(scope, inst.operands.get(..types).unwrap_or(&inst.operands));
    }
}
