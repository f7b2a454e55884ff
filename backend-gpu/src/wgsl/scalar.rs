//! Scalar operations.

use super::print::{Printer, scalar_literal, type_of};
use wengert_ir::kernel::scalar::{truncate, width};
use wengert_ir::kernel::{KBinary, KCast, KUnary, Scalar};
use wengert_ir::op::{CompareType, Direction};

impl Printer<'_> {
    pub(super) fn constant(&mut self, ty: Scalar, word: u64) -> String {
        let word = truncate(ty, word);
        match ty {
            Scalar::I1 => (word != 0).to_string(),
            Scalar::I8 | Scalar::I16 | Scalar::I32 => format!("{word}u"),
            Scalar::I64 => scalar_literal(word as i64),
            Scalar::F32 => {
                let x = f32::from_bits(word as u32);
                // What is not normal comes from bits that the compiler does not see: text has no infinity, and a sum with zero is no sum to it.
                if x.is_normal() { format!("{x:e}f") } else { format!("bitcast<f32>({word}u | zero)") }
            }
            Scalar::F64 => {
                let x = f64::from_bits(word);
                if x.is_normal() { format!("{x:e}lf") } else { format!("bitcast<f64>({word}lu | u64(zero))") }
            }
        }
    }

    /// The bits of a float as an unsigned integer, and the same of an integer of 64 bits.
    fn bits(ty: Scalar, x: &str) -> String {
        match ty {
            Scalar::F32 => format!("bitcast<u32>({x})"),
            Scalar::F64 | Scalar::I64 => format!("bitcast<u64>({x})"),
            Scalar::I32 | Scalar::I16 | Scalar::I8 | Scalar::I1 => x.to_owned(),
        }
    }

    /// The value of bits.
    fn of_bits(ty: Scalar, x: &str) -> String {
        match ty {
            Scalar::F32 | Scalar::F64 | Scalar::I64 => format!("bitcast<{}>({x})", type_of(ty)),
            Scalar::I32 | Scalar::I16 | Scalar::I8 | Scalar::I1 => x.to_owned(),
        }
    }

    /// A float that compilers know nothing of: by an exclusive or with a zero that they do not see. They take `x + y - y` for `x`
    /// otherwise, and a product that is added for one with one rounding.
    pub(super) fn opaque(ty: Scalar, x: &str) -> String {
        match ty {
            Scalar::F64 => format!("bitcast<f64>(bitcast<u64>({x}) ^ zero64)"),
            _ => format!("bitcast<f32>(bitcast<u32>({x}) ^ zero)"),
        }
    }

    /// An integer's literal of bits.
    fn word(ty: Scalar, word: u64) -> String {
        if width(ty) == 64 { format!("{word}lu") } else { format!("{word}u") }
    }

    /// The low bits of a narrow integer alone.
    fn narrow(ty: Scalar, text: String) -> String {
        match ty {
            Scalar::I8 => format!("({text}) & 0xffu"),
            Scalar::I16 => format!("({text}) & 0xffffu"),
            Scalar::F64 | Scalar::F32 | Scalar::I64 | Scalar::I32 | Scalar::I1 => text,
        }
    }

    /// A signed integer.
    fn signed(ty: Scalar, x: &str) -> String {
        let spare = 32u32.saturating_sub(width(ty));
        match (ty, spare) {
            (Scalar::I64, _) => x.to_owned(),
            (_, 0) => format!("bitcast<i32>({x})"),
            _ => format!("((bitcast<i32>({x}) << {spare}u) >> {spare}u)"),
        }
    }

    /// What a signed integer is as a value.
    fn unsigned(ty: Scalar, text: String) -> String {
        if ty == Scalar::I64 { text } else { Self::narrow(ty, format!("bitcast<u32>({text})")) }
    }

    /// Whether a float is NaN, by its bits: compilers may take for granted that none is.
    fn is_nan(&mut self, ty: Scalar, x: &str) -> String {
        let (magnitude, infinity) = match ty {
            Scalar::F32 => (0x7fff_ffff, 0x7f80_0000),
            _ => (0x7fff_ffff_ffff_ffff, 0x7ff0_0000_0000_0000),
        };
        let (bits, magnitude, infinity) =
            (Self::bits(ty, x), Self::word(ty, magnitude), Self::word(ty, infinity));
        self.keep(format!("({bits} & {magnitude}) > {infinity}"))
    }

    pub(super) fn unary(&mut self, op: KUnary, ty: Scalar, x: &str) -> Result<String, String> {
        let sign = 1u64 << (width(ty) - 1);
        let bits = Self::bits(ty, x);
        Ok(match op {
            KUnary::Neg if ty.is_float() => Self::of_bits(ty, &format!("{bits} ^ {}", Self::word(ty, sign))),
            KUnary::Abs if ty.is_float() => {
                Self::of_bits(ty, &format!("{bits} & {}", Self::word(ty, sign - 1)))
            }
            KUnary::Neg if ty == Scalar::I64 => format!("0li - {x}"),
            KUnary::Neg => Self::narrow(ty, format!("0u - {x}")),
            KUnary::Abs if ty == Scalar::I64 => format!("max({x}, 0li - {x})"),
            KUnary::Abs => {
                let s = self.keep(Self::signed(ty, x));
                Self::unsigned(ty, format!("max({s}, 0i - {s})"))
            }
            KUnary::Sqrt => format!("sqrt({x})"),
            KUnary::Floor => format!("floor({x})"),
            KUnary::Ceil => format!("ceil({x})"),
            KUnary::Nearest => format!("round({x})"),
            KUnary::Not | KUnary::Clz if ty == Scalar::I1 => format!("!{x}"),
            KUnary::Popcnt if ty == Scalar::I1 => x.to_owned(),
            KUnary::Not => Self::narrow(ty, format!("~{x}")),
            KUnary::Popcnt if ty == Scalar::I64 => {
                let (low, high) = self.halves(x);
                format!("i64(countOneBits({low}) + countOneBits({high}))")
            }
            KUnary::Popcnt => format!("countOneBits({x})"),
            KUnary::Clz if ty == Scalar::I64 => {
                let (low, high) = self.halves(x);
                format!(
                    "i64(select(countLeadingZeros({high}), 32u + countLeadingZeros({low}), {high} == 0u))"
                )
            }
            KUnary::Clz => format!("countLeadingZeros({x}) - {}u", 32 - width(ty)),
        })
    }

    fn halves(&mut self, x: &str) -> (String, String) {
        let low = self.keep(format!("u32(bitcast<u64>({x}) & 0xfffffffflu)"));
        let high = self.keep(format!("u32(bitcast<u64>({x}) >> 32u)"));
        (low, high)
    }

    pub(super) fn binary(&mut self, op: KBinary, ty: Scalar, x: &str, y: &str) -> Result<String, String> {
        if ty.is_float() {
            return self.float_binary(op, ty, x, y);
        }
        let plain = |symbol: &str| Self::narrow(ty, format!("{x} {symbol} {y}"));
        if ty == Scalar::I1 {
            return Ok(match op {
                KBinary::And => format!("{x} && {y}"),
                KBinary::Or => format!("{x} || {y}"),
                KBinary::Xor => format!("{x} != {y}"),
                other => return Err(format!("{other:?} of truth values")),
            });
        }
        let is_wide = ty == Scalar::I64;
        Ok(match op {
            KBinary::Add => plain("+"),
            KBinary::Sub => plain("-"),
            KBinary::Mul => plain("*"),
            KBinary::And => plain("&"),
            KBinary::Or => plain("|"),
            KBinary::Xor => plain("^"),
            KBinary::Min | KBinary::Max => {
                let name = if op == KBinary::Min { "min" } else { "max" };
                Self::unsigned(ty, format!("{name}({}, {})", Self::signed(ty, x), Self::signed(ty, y)))
            }
            KBinary::MinU | KBinary::MaxU => {
                let name = if op == KBinary::MinU { "min" } else { "max" };
                Self::of_bits(ty, &format!("{name}({}, {})", Self::bits(ty, x), Self::bits(ty, y)))
            }
            KBinary::Div | KBinary::Rem => {
                let (a, b) = (self.keep(Self::signed(ty, x)), self.keep(Self::signed(ty, y)));
                let s = if is_wide { "li" } else { "i" };
                let divisor = self.keep(format!("select({b}, 1{s}, {b} == 0{s} || {b} == -1{s})"));
                let text = if op == KBinary::Div {
                    let q = self.keep(format!("{a} / {divisor}"));
                    let q = self.keep(format!("select({q}, 0{s} - {a}, {b} == -1{s})"));
                    format!("select({q}, -1{s}, {b} == 0{s})")
                } else {
                    format!("select({a} % {divisor}, {a}, {b} == 0{s})")
                };
                Self::unsigned(ty, text)
            }
            KBinary::DivU | KBinary::RemU => {
                let (a, b) = (self.keep(Self::bits(ty, x)), self.keep(Self::bits(ty, y)));
                let s = if is_wide { "lu" } else { "u" };
                let divisor = self.keep(format!("select({b}, 1{s}, {b} == 0{s})"));
                let all = Self::word(ty, truncate(ty, u64::MAX));
                let text = match op {
                    KBinary::DivU => format!("select({a} / {divisor}, {all}, {b} == 0{s})"),
                    _ => format!("select({a} % {divisor}, {a}, {b} == 0{s})"),
                };
                Self::of_bits(ty, &text)
            }
            KBinary::Shl | KBinary::Shr | KBinary::ShrU => {
                let bits = width(ty);
                let amount = self.keep(Self::bits(ty, y));
                let limit = Self::word(ty, u64::from(bits));
                let fits = self.keep(format!("{amount} < {limit}"));
                let most = Self::word(ty, u64::from(bits - 1));
                let shift = self.keep(format!("u32(select({most}, {amount}, {fits}))"));
                match op {
                    KBinary::Shl => {
                        let zero = Self::word(ty, 0);
                        let text = format!("select({zero}, {} << {shift}, {fits})", Self::bits(ty, x));
                        Self::of_bits(ty, &Self::narrow(ty, text))
                    }
                    KBinary::ShrU => {
                        let zero = Self::word(ty, 0);
                        Self::of_bits(
                            ty,
                            &format!("select({zero}, {} >> {shift}, {fits})", Self::bits(ty, x)),
                        )
                    }
                    _ => Self::unsigned(ty, format!("{} >> {shift}", Self::signed(ty, x))),
                }
            }
            KBinary::NextAfter => return Err("next_after of integers".into()),
        })
    }

    fn float_binary(&mut self, op: KBinary, ty: Scalar, x: &str, y: &str) -> Result<String, String> {
        Ok(match op {
            KBinary::Add => Self::opaque(ty, &format!("{x} + {y}")),
            KBinary::Sub => Self::opaque(ty, &format!("{x} - {y}")),
            KBinary::Mul => Self::opaque(ty, &format!("{x} * {y}")),
            KBinary::Div => Self::opaque(ty, &format!("{x} / {y}")),
            KBinary::Min | KBinary::Max => {
                let (p, q) = (self.is_nan(ty, x), self.is_nan(ty, y));
                let less = if op == KBinary::Min { format!("{x} < {y}") } else { format!("{x} > {y}") };
                let least = self.keep(format!("select({y}, {x}, {less})"));
                // Of equal numbers bits decide: of zeros the negative one is less.
                let symbol = if op == KBinary::Min { '|' } else { '&' };
                let bits = format!("{} {symbol} {}", Self::bits(ty, x), Self::bits(ty, y));
                let least = self.keep(format!("select({least}, {}, {x} == {y})", Self::of_bits(ty, &bits)));
                format!("select({least}, {x} + {y}, {p} || {q})")
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
        })
    }

    pub(super) fn compare(
        &mut self,
        direction: Direction,
        kind: CompareType,
        ty: Scalar,
        x: &str,
        y: &str,
    ) -> String {
        let symbol = match direction {
            Direction::Eq => "==",
            Direction::Ne => "!=",
            Direction::Ge => ">=",
            Direction::Gt => ">",
            Direction::Le => "<=",
            Direction::Lt => "<",
        };
        if ty == Scalar::I1 {
            return format!("u32({x}) {symbol} u32({y})");
        }
        match kind {
            CompareType::Float => {
                let (p, q) = (self.is_nan(ty, x), self.is_nan(ty, y));
                match direction {
                    Direction::Ne => format!("{p} || {q} || !({x} == {y})"),
                    _ => format!("!({p} || {q}) && ({x} {symbol} {y})"),
                }
            }
            CompareType::TotalOrder if ty.is_float() => {
                let [p, q] = [x, y].map(|v| self.key(ty, v));
                format!("{p} {symbol} {q}")
            }
            CompareType::TotalOrder | CompareType::Signed => {
                format!("{} {symbol} {}", Self::signed(ty, x), Self::signed(ty, y))
            }
            CompareType::Unsigned => format!("{} {symbol} {}", Self::bits(ty, x), Self::bits(ty, y)),
        }
    }

    /// The integer whose order is the total order of floats.
    fn key(&mut self, ty: Scalar, x: &str) -> String {
        let (int, shift, most) = match ty {
            Scalar::F32 => ("i32", "31u", "0x7fffffffi"),
            _ => ("i64", "63u", "0x7fffffffffffffffli"),
        };
        let s = self.keep(format!("bitcast<{int}>({x})"));
        self.keep(format!("{s} ^ (({s} >> {shift}) & {most})"))
    }

    pub(super) fn cast(&mut self, kind: KCast, from: Scalar, to: Scalar, x: &str) -> String {
        if from == to || (kind == KCast::Bits && !from.is_float() && !to.is_float()) {
            return x.to_owned();
        }
        if kind == KCast::Bits {
            return format!("bitcast<{}>({x})", type_of(to));
        }
        if to == Scalar::I1 {
            return match from {
                _ if from.is_float() => {
                    let zero = self.constant(from, 0);
                    self.compare(Direction::Ne, CompareType::Float, from, x, &zero)
                }
                Scalar::I64 => format!("{x} != 0li"),
                _ => format!("{x} != 0u"),
            };
        }
        if from == Scalar::I1 {
            let (one, zero) = match to {
                Scalar::F32 => ("1f", "0f"),
                Scalar::F64 => ("1lf", "0lf"),
                Scalar::I64 => ("1li", "0li"),
                _ => ("1u", "0u"),
            };
            return format!("select({zero}, {one}, {x})");
        }
        match (from.is_float(), to.is_float()) {
            (true, true) => format!("{}({x})", type_of(to)),
            (true, false) => self.integer_of(kind, from, to, x),
            (false, true) => match kind {
                KCast::Signed => format!("{}({})", type_of(to), Self::signed(from, x)),
                _ => format!("{}({})", type_of(to), Self::bits(from, x)),
            },
            (false, false) => match (from, to, kind) {
                (_, Scalar::I64, KCast::Signed) => format!("i64({})", Self::signed(from, x)),
                (_, Scalar::I64, _) => format!("bitcast<i64>(u64({x}))"),
                (Scalar::I64, ..) => Self::narrow(to, format!("u32(bitcast<u64>({x}) & 0xfffffffflu)")),
                (.., KCast::Signed) => Self::narrow(to, format!("bitcast<u32>({})", Self::signed(from, x))),
                _ => Self::narrow(to, x.to_owned()),
            },
        }
    }

    /// Towards zero; what is too large is the largest, NaN is zero. Nothing is converted that is out of range.
    fn integer_of(&mut self, kind: KCast, from: Scalar, to: Scalar, x: &str) -> String {
        let nan = self.is_nan(from, x);
        let bits = width(to);
        let (int, least, most, bound): (&str, u64, u64, f64) = match (kind, to) {
            (KCast::Signed, Scalar::I64) => ("i64", 1 << 63, (1 << 63) - 1, 2f64.powi(63)),
            (KCast::Signed, _) => ("i32", 1 << (bits - 1), (1 << (bits - 1)) - 1, 2f64.powi(bits as i32 - 1)),
            (_, Scalar::I64) => ("u64", 0, u64::MAX, 2f64.powi(64)),
            _ => ("u32", 0, u64::MAX >> (64 - bits), 2f64.powi(bits as i32)),
        };
        let suffix = if from == Scalar::F64 { "lf" } else { "f" };
        let high = self.keep(format!("{x} >= {bound:e}{suffix}"));
        let low = match kind {
            KCast::Signed => self.keep(format!("{x} < -{bound:e}{suffix}")),
            _ => self.keep(format!("{x} <= 0{suffix}")),
        };
        let safe = self.keep(format!("select({x}, 0{suffix}, {high} || {low} || {nan})"));
        let converted = format!("{int}({safe})");
        let word = match (kind, to) {
            (KCast::Signed, Scalar::I64) => converted,
            (KCast::Signed, _) => Self::narrow(to, format!("bitcast<u32>({converted})")),
            (_, Scalar::I64) => format!("bitcast<i64>({converted})"),
            _ => converted,
        };
        let [least, most] = [least, most].map(|w| self.constant(to, w));
        let zero = self.constant(to, 0);
        let v = self.keep(format!("select({word}, {most}, {high})"));
        let v = self.keep(format!("select({v}, {least}, {low})"));
        format!("select({v}, {zero}, {nan})")
    }
}
