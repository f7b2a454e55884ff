//! Numbers of at most 8 bits as binary32 and back, in arithmetic that vectors have: [`wengert_ir::minifloat`] for whole loops.

use super::Lowerer;
use wengert_ir::kernel::{KBinary, KCast, KOp, KValue, Scalar};
use wengert_ir::minifloat::{Format, Special};

/// The bits of a quiet NaN of binary32, and of infinity.
const NAN: u64 = 0x7fc0_0000;
const INFINITY: u64 = 0x7f80_0000;

/// The bits of 2^n in binary32, of which it is a normal number.
fn power(n: i32) -> u64 {
    ((127 + n) as u64) << 23
}

impl<'m> Lowerer<'m> {
    fn bits(&mut self, word: u64) -> KValue {
        self.b.bits(word, Scalar::I32)
    }

    /// The number of a code. Exponents are larger by a constant; without one, a number is so many times the smallest.
    pub(super) fn widened_minifloat(&mut self, f: Format, code: KValue) -> KValue {
        let word = self.b.pure(KOp::Cast(KCast::Unsigned), &[code], Scalar::I32);
        if f.special == Special::Powers {
            return self.widened_power(word);
        }
        let (m, largest) = (f.mantissa as i32, u64::from(f.max_finite()));
        let size = self.word(KBinary::And, word, u64::from(f.sign()) - 1);
        let sign = self.word(KBinary::And, word, f.sign().into());
        let sign = self.word(KBinary::Shl, sign, (32 - f.bits).into());
        let moved = self.word(KBinary::Shl, size, (23 - m) as u64);
        let normal = self.word(KBinary::Add, moved, ((127 - f.bias) as u64) << 23);
        let unit = self.b.bits(power(1 - f.bias - m), Scalar::F32);
        let count = self.b.pure(KOp::Cast(KCast::Signed), &[size], Scalar::F32);
        let small = self.b.binary(KBinary::Mul, count, unit);
        let small = self.bits_of(small);
        let is_normal = self.exceeds(size, (1 << m) - 1);
        let mut value = self.chosen(is_normal, normal, small);
        let nan = self.bits(NAN);
        match f.special {
            Special::Ieee => {
                let infinity = self.bits(INFINITY);
                let [beyond, is_nan] = [largest, largest + 1].map(|bound| self.exceeds(size, bound));
                value = self.chosen(beyond, infinity, value);
                value = self.chosen(is_nan, nan, value);
            }
            Special::FiniteNan => {
                let is_nan = self.exceeds(size, largest);
                value = self.chosen(is_nan, nan, value);
            }
            Special::NegativeZeroNan => {
                // Its code is that of the sign alone.
                let others = self.word(KBinary::Xor, word, f.sign().into());
                let is_other = self.exceeds(others, 0);
                value = self.chosen(is_other, value, nan);
            }
            Special::Finite | Special::Powers => {}
        }
        let word = self.b.binary(KBinary::Or, value, sign);
        self.float(word)
    }

    /// The power of two of an exponent.
    fn widened_power(&mut self, exponent: KValue) -> KValue {
        let moved = self.word(KBinary::Shl, exponent, 23);
        // 2^-127 has no exponent of its own.
        let (least, nan) = (self.bits(1 << 22), self.bits(NAN));
        let [is_more, is_nan] = [0, 0xfe].map(|bound| self.exceeds(exponent, bound));
        let word = self.chosen(is_more, moved, least);
        let word = self.chosen(is_nan, nan, word);
        self.float(word)
    }

    /// The code of the nearest number: of two the even one, of two powers the larger.
    pub(super) fn narrowed_minifloat(&mut self, f: Format, x: KValue) -> KValue {
        let word = self.bits_of(x);
        let size = self.word(KBinary::And, word, 0x7fff_ffff);
        let code = match f.special {
            Special::Powers => self.narrowed_power(word, size),
            Special::Ieee | Special::FiniteNan | Special::NegativeZeroNan | Special::Finite => {
                self.narrowed_signed(f, word, size)
            }
        };
        self.b.pure(KOp::Cast(KCast::Signed), &[code], Scalar::I8)
    }

    fn narrowed_signed(&mut self, f: Format, word: KValue, size: KValue) -> KValue {
        let (m, largest) = (f.mantissa as i32, u64::from(f.max_finite()));
        let sign = self.word(KBinary::ShrU, word, (32 - f.bits).into());
        let sign = self.word(KBinary::And, sign, f.sign().into());
        // As many units in the last place of the format as there are, with its exponent above them.
        let shift = (23 - m) as u64;
        let high = self.word(KBinary::ShrU, size, shift);
        let odd = self.word(KBinary::And, high, 1);
        let half = self.word(KBinary::Add, size, (1 << (shift - 1)) - 1);
        let sum = self.b.binary(KBinary::Add, half, odd);
        let sum = self.word(KBinary::ShrU, sum, shift);
        let normal = self.word(KBinary::Sub, sum, ((127 - f.bias) as u64) << m);
        // Below the least normal number there are as many units as the machine rounds to beside this.
        let beside = power(24 - f.bias - m);
        let anchor = self.b.bits(beside, Scalar::F32);
        let plain = self.float(size);
        let rounded = self.b.binary(KBinary::Add, plain, anchor);
        let rounded = self.bits_of(rounded);
        let small = self.word(KBinary::Sub, rounded, beside);
        let is_normal = self.exceeds(size, power(1 - f.bias) - 1);
        let code = self.chosen(is_normal, normal, small);
        let is_beyond = self.exceeds(code, largest);
        let is_nan = self.exceeds(size, INFINITY);
        match f.special {
            Special::Ieee | Special::FiniteNan => {
                // A NaN has all bits set but the sign, which it keeps; so has what is beyond the largest where there is no infinity.
                let nan = self.bits(u64::from(f.sign()) - 1);
                let beyond = if f.special == Special::Ieee { self.bits(largest + 1) } else { nan };
                let code = self.chosen(is_beyond, beyond, code);
                let code = self.chosen(is_nan, nan, code);
                self.b.binary(KBinary::Or, code, sign)
            }
            Special::NegativeZeroNan => {
                let nan = self.bits(f.sign().into());
                let signed = self.b.binary(KBinary::Or, code, sign);
                let is_some = self.exceeds(code, 0);
                // There is no negative zero.
                let code = self.chosen(is_some, signed, code);
                let code = self.chosen(is_beyond, nan, code);
                self.chosen(is_nan, nan, code)
            }
            Special::Finite | Special::Powers => {
                let (most, nan) = (self.bits(largest), self.bits(f.sign().into()));
                let code = self.chosen(is_beyond, most, code);
                let code = self.b.binary(KBinary::Or, code, sign);
                self.chosen(is_nan, nan, code)
            }
        }
    }

    /// The exponent of the nearest power of two, the larger one of two; what is not positive has none.
    fn narrowed_power(&mut self, word: KValue, size: KValue) -> KValue {
        let sum = self.word(KBinary::Add, size, 1 << 22);
        let near = self.word(KBinary::ShrU, sum, 23);
        // Below 2^-126 there is 2^-127, and half way to it from there.
        let (zero, one, nan) = (self.bits(0), self.bits(1), self.bits(0xff));
        let is_second = self.exceeds(size, 0x005f_ffff);
        let small = self.chosen(is_second, one, zero);
        let is_normal = self.exceeds(size, 0x007f_ffff);
        let code = self.chosen(is_normal, near, small);
        let is_beyond = self.exceeds(code, 0xfe);
        let code = self.chosen(is_beyond, nan, code);
        // Negative numbers, zeros and NaN: as unsigned words these are 0 and what is above infinity.
        let less = self.word(KBinary::Sub, word, 1);
        let is_none = self.exceeds(less, INFINITY - 1);
        self.chosen(is_none, nan, code)
    }
}
