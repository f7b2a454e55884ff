//! Operations on single scalars. None traps; the semantics are those of `KUnary`, `KBinary` and `KCast`.
//!
//! An `I1` is an 8-bit integer of 0 or 1, and stands for 0 or -1 where an operation is signed.

use super::clif::{bits, clif_type, float_condition, int_condition};
use super::function::Emitter;
use crate::runtime::entry::Routine;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::immediates::{Ieee32, Ieee64};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use wengert_ir::kernel::{KBinary, KCast, KUnary, Scalar};
use wengert_ir::math::{MathFn, MathFn2};
use wengert_ir::op::{CompareType, Direction};

impl Emitter<'_, '_> {
    /// The scalar with these bits.
    pub(crate) fn constant(&mut self, ty: Scalar, word: u64) -> Value {
        match ty {
            Scalar::F64 => self.b.ins().f64const(Ieee64::with_bits(word)),
            Scalar::F32 => self.b.ins().f32const(Ieee32::with_bits(word as u32)),
            Scalar::I64 => self.b.ins().iconst(types::I64, word as i64),
            Scalar::I32 => self.b.ins().iconst(types::I32, i64::from(word as u32)),
            Scalar::I16 => self.b.ins().iconst(types::I16, i64::from(word as u16)),
            Scalar::I8 => self.b.ins().iconst(types::I8, i64::from(word as u8)),
            Scalar::I1 => self.b.ins().iconst(types::I8, (word & 1) as i64),
        }
    }

    /// An operation of one scalar.
    pub(crate) fn unary(&mut self, op: KUnary, ty: Scalar, x: Value) -> Value {
        let b = self.b.ins();
        match op {
            KUnary::Neg if ty.is_float() => b.fneg(x),
            KUnary::Neg | KUnary::Abs if ty == Scalar::I1 => x,
            KUnary::Neg => b.ineg(x),
            KUnary::Abs if ty.is_float() => b.fabs(x),
            KUnary::Abs => b.iabs(x),
            KUnary::Sqrt => b.sqrt(x),
            KUnary::Floor => b.floor(x),
            KUnary::Ceil => b.ceil(x),
            KUnary::Nearest => b.nearest(x),
            KUnary::Not if ty == Scalar::I1 => b.bxor_imm_s(x, 1),
            KUnary::Not => b.bnot(x),
            KUnary::Popcnt => b.popcnt(x),
            // The byte of an `I1` has seven zeros in front of its one bit.
            KUnary::Clz if ty == Scalar::I1 => b.bxor_imm_s(x, 1),
            KUnary::Clz => b.clz(x),
        }
    }

    /// An operation of two scalars; `known` is the second one if it is a constant.
    pub(crate) fn binary(
        &mut self,
        op: KBinary,
        ty: Scalar,
        x: Value,
        y: Value,
        known: Option<u64>,
    ) -> Value {
        let float = ty.is_float();
        match op {
            KBinary::Add if float => self.b.ins().fadd(x, y),
            KBinary::Add if ty == Scalar::I1 => self.b.ins().bxor(x, y),
            KBinary::Add => self.b.ins().iadd(x, y),
            KBinary::Sub if float => self.b.ins().fsub(x, y),
            KBinary::Sub if ty == Scalar::I1 => self.b.ins().bxor(x, y),
            KBinary::Sub => self.b.ins().isub(x, y),
            KBinary::Mul if float => self.b.ins().fmul(x, y),
            KBinary::Mul => self.b.ins().imul(x, y),
            KBinary::Div if float => self.b.ins().fdiv(x, y),
            KBinary::Div | KBinary::DivU if ty == Scalar::I1 => {
                // x / 0 is all ones, x / 1 is x.
                let flipped = self.b.ins().bxor_imm_s(y, 1);
                self.b.ins().bor(x, flipped)
            }
            KBinary::Div => self.divide(ty, x, y, known),
            KBinary::DivU => self.divide_unsigned(ty, x, y, known),
            KBinary::Rem if float => self.call_routine(Routine::Remainder(ty), &[x, y]),
            KBinary::Rem | KBinary::RemU if ty == Scalar::I1 => {
                let flipped = self.b.ins().bxor_imm_s(y, 1);
                self.b.ins().band(x, flipped)
            }
            KBinary::Rem => self.remainder(ty, x, y, known),
            KBinary::RemU => self.remainder_unsigned(ty, x, y, known),
            KBinary::Min if float => self.b.ins().fmin(x, y),
            KBinary::Max if float => self.b.ins().fmax(x, y),
            KBinary::Min if ty == Scalar::I1 => self.b.ins().bor(x, y),
            KBinary::Max if ty == Scalar::I1 => self.b.ins().band(x, y),
            KBinary::Min => self.pick(IntCC::SignedLessThan, x, y),
            KBinary::Max => self.pick(IntCC::SignedGreaterThan, x, y),
            KBinary::MinU => self.pick(IntCC::UnsignedLessThan, x, y),
            KBinary::MaxU => self.pick(IntCC::UnsignedGreaterThan, x, y),
            KBinary::And => self.b.ins().band(x, y),
            KBinary::Or => self.b.ins().bor(x, y),
            KBinary::Xor => self.b.ins().bxor(x, y),
            KBinary::Shl | KBinary::Shr | KBinary::ShrU => self.shift(op, ty, x, y, known),
            KBinary::NextAfter => self.call_routine(Routine::NextAfter(ty), &[x, y]),
        }
    }

    fn pick(&mut self, condition: IntCC, x: Value, y: Value) -> Value {
        let first = self.b.ins().icmp(condition, x, y);
        self.b.ins().select(first, x, y)
    }

    /// Whether a constant divisor needs no guard.
    fn harmless(ty: Scalar, known: Option<u64>) -> bool {
        let ones = u64::MAX >> (64 - bits(ty));
        known.is_some_and(|k| k & ones != 0 && k & ones != ones)
    }

    /// The divisor, or 1 if it is 0 or -1; and whether it was -1; and whether it was 0.
    fn guard(&mut self, ty: Scalar, y: Value) -> (Value, Value, Value) {
        let clif = clif_type(ty);
        let one = self.b.ins().iconst(clif, 1);
        let zero = self.b.ins().icmp_imm_s(IntCC::Equal, y, 0);
        let minus = self.b.ins().icmp_imm_s(IntCC::Equal, y, -1);
        let either = self.b.ins().bor(zero, minus);
        (self.b.ins().select(either, one, y), minus, zero)
    }

    fn divide(&mut self, ty: Scalar, x: Value, y: Value, known: Option<u64>) -> Value {
        if Self::harmless(ty, known) {
            return self.b.ins().sdiv(x, y);
        }
        let (divisor, minus, zero) = self.guard(ty, y);
        let quotient = self.b.ins().sdiv(x, divisor);
        let negated = self.b.ins().ineg(x);
        let quotient = self.b.ins().select(minus, negated, quotient);
        let ones = self.b.ins().iconst(clif_type(ty), ones(ty));
        self.b.ins().select(zero, ones, quotient)
    }

    fn remainder(&mut self, ty: Scalar, x: Value, y: Value, known: Option<u64>) -> Value {
        if Self::harmless(ty, known) {
            return self.b.ins().srem(x, y);
        }
        let (divisor, _, zero) = self.guard(ty, y);
        let rest = self.b.ins().srem(x, divisor); // 0 for -1, as x % 1 is
        self.b.ins().select(zero, x, rest)
    }

    fn divide_unsigned(&mut self, ty: Scalar, x: Value, y: Value, known: Option<u64>) -> Value {
        if Self::harmless(ty, known) {
            return self.b.ins().udiv(x, y);
        }
        let zero = self.b.ins().icmp_imm_s(IntCC::Equal, y, 0);
        let one = self.b.ins().iconst(clif_type(ty), 1);
        let divisor = self.b.ins().select(zero, one, y);
        let quotient = self.b.ins().udiv(x, divisor);
        let ones = self.b.ins().iconst(clif_type(ty), ones(ty));
        self.b.ins().select(zero, ones, quotient)
    }

    fn remainder_unsigned(&mut self, ty: Scalar, x: Value, y: Value, known: Option<u64>) -> Value {
        if Self::harmless(ty, known) {
            return self.b.ins().urem(x, y);
        }
        let zero = self.b.ins().icmp_imm_s(IntCC::Equal, y, 0);
        let one = self.b.ins().iconst(clif_type(ty), 1);
        let divisor = self.b.ins().select(zero, one, y);
        let rest = self.b.ins().urem(x, divisor);
        self.b.ins().select(zero, x, rest)
    }

    fn shift(&mut self, op: KBinary, ty: Scalar, x: Value, y: Value, known: Option<u64>) -> Value {
        let (clif, width) = (clif_type(ty), if ty == Scalar::I1 { 1 } else { bits(ty) });
        let zero = self.b.ins().iconst(clif, 0);
        if op == KBinary::Shr {
            if ty == Scalar::I1 {
                return x; // one bit, which is its own sign
            }
            if known.is_some_and(|k| k < width as u64) {
                return self.b.ins().sshr(x, y);
            }
            let last = self.b.ins().iconst(clif, width - 1);
            let amount = self.pick(IntCC::UnsignedLessThan, y, last);
            return self.b.ins().sshr(x, amount);
        }
        let shifted = if op == KBinary::Shl { self.b.ins().ishl(x, y) } else { self.b.ins().ushr(x, y) };
        if known.is_some_and(|k| k < width as u64) {
            return shifted;
        }
        let fits = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, y, width);
        self.b.ins().select(fits, shifted, zero)
    }

    /// A comparison; gives an `I1`.
    pub(crate) fn compare(
        &mut self,
        direction: Direction,
        kind: CompareType,
        ty: Scalar,
        x: Value,
        y: Value,
    ) -> Value {
        match kind {
            CompareType::Float => self.b.ins().fcmp(float_condition(direction), x, y),
            CompareType::TotalOrder if ty.is_float() => {
                let (x, y) = (self.total_order_key(ty, x), self.total_order_key(ty, y));
                self.b.ins().icmp(int_condition(direction, true), x, y)
            }
            CompareType::Signed | CompareType::TotalOrder if ty == Scalar::I1 => {
                self.b.ins().icmp(int_condition(direction, false), y, x)
            }
            CompareType::Signed | CompareType::TotalOrder => {
                self.b.ins().icmp(int_condition(direction, true), x, y)
            }
            CompareType::Unsigned => self.b.ins().icmp(int_condition(direction, false), x, y),
        }
    }

    /// An integer that orders as the total order of floats does: magnitudes of negative ones are flipped.
    fn total_order_key(&mut self, ty: Scalar, x: Value) -> Value {
        let int = if ty == Scalar::F64 { types::I64 } else { types::I32 };
        let word = self.b.ins().bitcast(int, MemFlagsData::new(), x);
        let sign = self.b.ins().sshr_imm_u(word, bits(ty) - 1);
        let mask = self.b.ins().ushr_imm_u(sign, 1);
        self.b.ins().bxor(word, mask)
    }

    /// A conversion.
    pub(crate) fn cast(&mut self, cast: KCast, from: Scalar, to: Scalar, x: Value) -> Value {
        use Scalar::{F32, F64, I1, I8, I16, I32};
        let signed = cast == KCast::Signed;
        let target = clif_type(to);
        if from == to {
            return x;
        }
        if cast == KCast::Bits {
            return match (from.is_float(), to.is_float()) {
                (false, false) => x,
                _ => self.b.ins().bitcast(target, MemFlagsData::new(), x),
            };
        }
        if from == I1 && signed {
            let byte = self.b.ins().ineg(x);
            return self.cast(cast, I8, to, byte);
        }
        match (from, to) {
            (F32, F64) => self.b.ins().fpromote(target, x),
            (F64, F32) => self.b.ins().fdemote(target, x),
            (F32 | F64, I1) => {
                let zero = self.constant(from, 0);
                self.b.ins().fcmp(FloatCC::NotEqual, x, zero)
            }
            (F32 | F64, I8 | I16) => {
                let (low, high) = match (signed, to == I8) {
                    (true, true) => (-128, 127),
                    (true, false) => (-32768, 32767),
                    (false, true) => (0, 255),
                    (false, false) => (0, 65535),
                };
                let wide = self.b.ins().fcvt_to_sint_sat(types::I32, x);
                let (low, high) =
                    (self.b.ins().iconst(types::I32, low), self.b.ins().iconst(types::I32, high));
                let wide = self.pick(IntCC::SignedLessThan, wide, high);
                let wide = self.pick(IntCC::SignedGreaterThan, wide, low);
                self.b.ins().ireduce(target, wide)
            }
            (F32 | F64, _) if signed => self.b.ins().fcvt_to_sint_sat(target, x),
            (F32 | F64, _) => self.b.ins().fcvt_to_uint_sat(target, x),
            (I1 | I8 | I16, F32 | F64) => {
                let wide = if signed {
                    self.b.ins().sextend(types::I32, x)
                } else {
                    self.b.ins().uextend(types::I32, x)
                };
                self.b.ins().fcvt_from_sint(target, wide)
            }
            (_, F32 | F64) if signed => self.b.ins().fcvt_from_sint(target, x),
            (I32, F32 | F64) => {
                let wide = self.b.ins().uextend(types::I64, x);
                self.b.ins().fcvt_from_sint(target, wide)
            }
            (_, F32 | F64) => self.b.ins().fcvt_from_uint(target, x),
            (_, I1) => self.b.ins().icmp_imm_s(IntCC::NotEqual, x, 0),
            (_, _) if to.size() < from.size() => self.b.ins().ireduce(target, x),
            (_, _) if to.size() == from.size() => x,
            (_, _) if signed => self.b.ins().sextend(target, x),
            (_, _) => self.b.ins().uextend(target, x),
        }
    }

    /// A function of the math library.
    pub(crate) fn math(&mut self, f: MathFn, ty: Scalar, x: Value) -> Value {
        self.call_routine(Routine::Math(f, ty), &[x])
    }

    /// A function of two arguments of the math library.
    pub(crate) fn math2(&mut self, f: MathFn2, ty: Scalar, x: Value, y: Value) -> Value {
        self.call_routine(Routine::Math2(f, ty), &[x, y])
    }

    /// `x * y + z` rounded once; of integers, wrapping.
    pub(crate) fn fused(&mut self, ty: Scalar, x: Value, y: Value, z: Value) -> Value {
        if ty.is_float() {
            return self.b.ins().fma(x, y, z);
        }
        let product = self.b.ins().imul(x, y);
        self.b.ins().iadd(product, z)
    }
}

/// All ones, as an immediate of the type.
fn ones(ty: Scalar) -> i64 {
    match bits(ty) {
        64 => -1,
        n => (1 << n) - 1,
    }
}
