//! Scalar operations.

use super::Class;
use super::print::{Printer, bits, class, float};
use wengert_ir::kernel::scalar::{truncate, width};
use wengert_ir::kernel::{KBinary, KUnary, KValue, Scalar};
use wengert_ir::op::{CompareType, Direction};

impl Printer<'_> {
    /// Numbers are written where they are read; truth values have a register.
    pub(super) fn constant(&mut self, result: KValue, word: u64) {
        let ty = self.ty(result);
        let word = truncate(ty, word);
        match ty {
            Scalar::I1 => {
                let d = self.define(result);
                self.line(format!("setp.ne.u32 {d}, {word}, 0;"));
            }
            _ => self.names[result] = Some(immediate(ty, word)),
        }
    }

    /// The low bits of a narrow integer alone.
    pub(super) fn narrow(&mut self, ty: Scalar, d: &str) {
        match ty {
            Scalar::I8 => self.line(format!("and.b32 {d}, {d}, 0xff;")),
            Scalar::I16 => self.line(format!("and.b32 {d}, {d}, 0xffff;")),
            Scalar::F64 | Scalar::F32 | Scalar::I64 | Scalar::I32 | Scalar::I1 => {}
        }
    }

    /// A narrow integer with its sign extended to 32 bits.
    pub(super) fn extended(&mut self, ty: Scalar, x: &str) -> String {
        if !matches!(ty, Scalar::I8 | Scalar::I16) {
            return x.to_owned();
        }
        let (d, shift) = (self.fresh(Class::Word), 32 - width(ty));
        self.line(format!("shl.b32 {d}, {x}, {shift};"));
        self.line(format!("shr.s32 {d}, {d}, {shift};"));
        d
    }

    /// A truth value as 0 or 1.
    pub(super) fn number(&mut self, x: &str) -> String {
        let d = self.fresh(Class::Word);
        self.line(format!("selp.b32 {d}, 1, 0, {x};"));
        d
    }

    pub(super) fn unary(&mut self, op: KUnary, ty: Scalar, d: &str, x: &str) {
        let (w, f) = (if ty == Scalar::I1 { 0 } else { bits(ty) }, float(ty));
        let text = match op {
            // Signs of NaN are kept so.
            KUnary::Neg if ty.is_float() => format!("xor.b{w} {d}, {x}, {};", sign(ty)),
            KUnary::Abs if ty.is_float() => format!("and.b{w} {d}, {x}, {};", sign(ty) - 1),
            KUnary::Neg => format!("neg.s{w} {d}, {x};"),
            KUnary::Abs => {
                let x = self.extended(ty, x);
                let negative = self.fresh(class(ty));
                self.line(format!("neg.s{w} {negative}, {x};"));
                format!("max.s{w} {d}, {x}, {negative};")
            }
            KUnary::Sqrt => format!("sqrt.rn.{f} {d}, {x};"),
            KUnary::Floor => format!("cvt.rmi.{f}.{f} {d}, {x};"),
            KUnary::Ceil => format!("cvt.rpi.{f}.{f} {d}, {x};"),
            KUnary::Nearest => format!("cvt.rni.{f}.{f} {d}, {x};"),
            KUnary::Not if ty == Scalar::I1 => format!("not.pred {d}, {x};"),
            KUnary::Not => format!("not.b{w} {d}, {x};"),
            KUnary::Popcnt if ty == Scalar::I1 => format!("mov.pred {d}, {x};"),
            KUnary::Clz if ty == Scalar::I1 => format!("not.pred {d}, {x};"),
            KUnary::Popcnt | KUnary::Clz => {
                let name = if op == KUnary::Popcnt { "popc" } else { "clz" };
                if ty == Scalar::I64 {
                    let count = self.fresh(Class::Word);
                    self.line(format!("{name}.b64 {count}, {x};"));
                    format!("cvt.u64.u32 {d}, {count};")
                } else {
                    self.line(format!("{name}.b32 {d}, {x};"));
                    let spare = 32 - width(ty);
                    if op == KUnary::Popcnt || spare == 0 {
                        return;
                    }
                    format!("sub.s32 {d}, {d}, {spare};")
                }
            }
        };
        self.line(text);
        if matches!(op, KUnary::Neg | KUnary::Abs | KUnary::Not) {
            self.narrow(ty, d);
        }
    }

    pub(super) fn binary(
        &mut self,
        op: KBinary,
        ty: Scalar,
        d: &str,
        x: &str,
        y: &str,
    ) -> Result<(), String> {
        if ty == Scalar::I1 {
            let name = logical(op).ok_or_else(|| format!("{op:?} of truth values"))?;
            self.line(format!("{name}.pred {d}, {x}, {y};"));
            return Ok(());
        }
        let w = bits(ty);
        if ty.is_float() {
            return self.float_binary(op, ty, d, x, y);
        }
        let text = match op {
            KBinary::Add => format!("add.s{w} {d}, {x}, {y};"),
            KBinary::Sub => format!("sub.s{w} {d}, {x}, {y};"),
            KBinary::Mul => format!("mul.lo.s{w} {d}, {x}, {y};"),
            KBinary::And | KBinary::Or | KBinary::Xor => {
                format!("{}.b{w} {d}, {x}, {y};", logical(op).expect("bitwise"))
            }
            KBinary::MinU => format!("min.u{w} {d}, {x}, {y};"),
            KBinary::MaxU => format!("max.u{w} {d}, {x}, {y};"),
            KBinary::Min | KBinary::Max => {
                let (x, y) = (self.extended(ty, x), self.extended(ty, y));
                let name = if op == KBinary::Min { "min" } else { "max" };
                format!("{name}.s{w} {d}, {x}, {y};")
            }
            KBinary::Div | KBinary::Rem => {
                let (x, y) = (self.extended(ty, x), self.extended(ty, y));
                self.signed_division(op, ty, d, &x, &y);
                self.narrow(ty, d);
                return Ok(());
            }
            KBinary::DivU | KBinary::RemU => {
                let (none, divisor) = (self.fresh(Class::Pred), self.fresh(class(ty)));
                self.line(format!("setp.eq.u{w} {none}, {y}, 0;"));
                self.line(format!("selp.b{w} {divisor}, 1, {y}, {none};"));
                let (name, otherwise) = match op {
                    KBinary::DivU => ("div", immediate(ty, truncate(ty, u64::MAX))),
                    _ => ("rem", x.to_owned()),
                };
                let quotient = self.fresh(class(ty));
                self.line(format!("{name}.u{w} {quotient}, {x}, {divisor};"));
                format!("selp.b{w} {d}, {otherwise}, {quotient}, {none};")
            }
            KBinary::Shl | KBinary::Shr | KBinary::ShrU => {
                // Amounts of PTX have 32 bits, and those too large are the width.
                let amount = match (ty, y.parse::<u64>()) {
                    (Scalar::I64, Ok(n)) => n.min(64).to_string(),
                    (Scalar::I64, Err(_)) => {
                        let (least, amount) = (self.fresh(Class::Quad), self.fresh(Class::Word));
                        self.line(format!("min.u64 {least}, {y}, 64;"));
                        self.line(format!("cvt.u32.u64 {amount}, {least};"));
                        amount
                    }
                    _ => y.to_owned(),
                };
                match op {
                    KBinary::Shl => format!("shl.b{w} {d}, {x}, {amount};"),
                    KBinary::ShrU => format!("shr.u{w} {d}, {x}, {amount};"),
                    _ => {
                        let x = self.extended(ty, x);
                        format!("shr.s{w} {d}, {x}, {amount};")
                    }
                }
            }
            KBinary::NextAfter => return Err("next_after of integers".into()),
        };
        self.line(text);
        self.narrow(ty, d);
        Ok(())
    }

    /// Division by zero gives -1 and the dividend, that of the least number by -1 wraps.
    fn signed_division(&mut self, op: KBinary, ty: Scalar, d: &str, x: &str, y: &str) {
        let (w, c) = (bits(ty), class(ty));
        let (none, minus, special) =
            (self.fresh(Class::Pred), self.fresh(Class::Pred), self.fresh(Class::Pred));
        let (divisor, quotient) = (self.fresh(c), self.fresh(c));
        self.line(format!("setp.eq.s{w} {none}, {y}, 0;"));
        self.line(format!("setp.eq.s{w} {minus}, {y}, -1;"));
        self.line(format!("or.pred {special}, {none}, {minus};"));
        self.line(format!("selp.b{w} {divisor}, 1, {y}, {special};"));
        if op == KBinary::Div {
            let negated = self.fresh(c);
            self.line(format!("div.s{w} {quotient}, {x}, {divisor};"));
            self.line(format!("neg.s{w} {negated}, {x};"));
            self.line(format!("selp.b{w} {quotient}, {negated}, {quotient}, {minus};"));
            self.line(format!("selp.b{w} {d}, -1, {quotient}, {none};"));
        } else {
            self.line(format!("rem.s{w} {quotient}, {x}, {divisor};"));
            self.line(format!("selp.b{w} {d}, {x}, {quotient}, {none};"));
        }
    }

    fn float_binary(&mut self, op: KBinary, ty: Scalar, d: &str, x: &str, y: &str) -> Result<(), String> {
        let (f, w) = (float(ty), bits(ty));
        let name = match op {
            KBinary::Add => "add.rn",
            KBinary::Sub => "sub.rn",
            KBinary::Mul => "mul.rn",
            KBinary::Div => "div.rn",
            KBinary::Min | KBinary::Max => {
                // PTX orders zeros as we do, but gives the other number for a NaN.
                let (nan, sum, least) =
                    (self.fresh(Class::Pred), self.fresh(class(ty)), self.fresh(class(ty)));
                let name = if op == KBinary::Min { "min" } else { "max" };
                self.line(format!("setp.nan.{f} {nan}, {x}, {y};"));
                self.line(format!("add.rn.{f} {sum}, {x}, {y};"));
                self.line(format!("{name}.{f} {least}, {x}, {y};"));
                self.line(format!("selp.b{w} {d}, {sum}, {least}, {nan};"));
                return Ok(());
            }
            KBinary::Rem
            | KBinary::NextAfter
            | KBinary::DivU
            | KBinary::RemU
            | KBinary::MinU
            | KBinary::MaxU
            | KBinary::And
            | KBinary::Or
            | KBinary::Xor
            | KBinary::Shl
            | KBinary::Shr
            | KBinary::ShrU => return Err(format!("{op:?} of floats")),
        };
        self.line(format!("{name}.{f} {d}, {x}, {y};"));
        Ok(())
    }

    pub(super) fn compare(
        &mut self,
        direction: Direction,
        kind: CompareType,
        ty: Scalar,
        d: &str,
        x: &str,
        y: &str,
    ) {
        let name = match direction {
            Direction::Eq => "eq",
            Direction::Ne => "ne",
            Direction::Ge => "ge",
            Direction::Gt => "gt",
            Direction::Le => "le",
            Direction::Lt => "lt",
        };
        if ty == Scalar::I1 {
            let (x, y) = (self.number(x), self.number(y));
            return self.line(format!("setp.{name}.u32 {d}, {x}, {y};"));
        }
        let w = bits(ty);
        match kind {
            CompareType::Float => {
                // Other than NaN, and other than anything, is unequal.
                let name = if direction == Direction::Ne { "neu" } else { name };
                self.line(format!("setp.{name}.{} {d}, {x}, {y};", float(ty)));
            }
            CompareType::TotalOrder if ty.is_float() => {
                let (x, y) = (self.key(ty, x), self.key(ty, y));
                self.line(format!("setp.{name}.s{w} {d}, {x}, {y};"));
            }
            CompareType::TotalOrder | CompareType::Signed => {
                let (x, y) = (self.extended(ty, x), self.extended(ty, y));
                self.line(format!("setp.{name}.s{w} {d}, {x}, {y};"));
            }
            CompareType::Unsigned => self.line(format!("setp.{name}.u{w} {d}, {x}, {y};")),
        }
    }

    /// The integer whose order is the total order of floats: magnitudes of negative numbers turned around.
    fn key(&mut self, ty: Scalar, x: &str) -> String {
        let (w, key) = (bits(ty), self.fresh(class(ty)));
        self.line(format!("shr.s{w} {key}, {x}, {};", w - 1));
        self.line(format!("and.b{w} {key}, {key}, {};", sign(ty) - 1));
        self.line(format!("xor.b{w} {key}, {key}, {x};"));
        key
    }

    pub(super) fn select(&mut self, ty: Scalar, d: &str, mask: &str, x: &str, y: &str) {
        if ty != Scalar::I1 {
            return self.line(format!("selp.b{} {d}, {x}, {y}, {mask};", bits(ty)));
        }
        let (first, not) = (self.fresh(Class::Pred), self.fresh(Class::Pred));
        self.line(format!("and.pred {first}, {mask}, {x};"));
        self.line(format!("not.pred {not}, {mask};"));
        self.line(format!("and.pred {not}, {not}, {y};"));
        self.line(format!("or.pred {d}, {first}, {not};"));
    }
}

fn logical(op: KBinary) -> Option<&'static str> {
    match op {
        KBinary::And => Some("and"),
        KBinary::Or => Some("or"),
        KBinary::Xor => Some("xor"),
        _ => None,
    }
}

/// The sign bit.
pub(super) fn sign(ty: Scalar) -> u64 {
    1 << (width(ty) - 1)
}

/// Bits of a number as PTX writes them: the same for the integer and the float.
pub(super) fn immediate(ty: Scalar, word: u64) -> String {
    match ty {
        Scalar::F32 => format!("0f{word:08X}"),
        Scalar::F64 => format!("0d{word:016X}"),
        // Signed numbers of 64 bits, so that none is larger than PTX's literals.
        Scalar::I64 => (word as i64).to_string(),
        Scalar::I32 | Scalar::I16 | Scalar::I8 | Scalar::I1 => word.to_string(),
    }
}
