//! Numbers of at most 8 bits as binary32 and back, in arithmetic that vectors have: [`wengert_ir::minifloat`] for whole loops.

use super::sink::{Code, Sink};
use wengert_ir::kernel::{KBinary, KCast, Scalar};
use wengert_ir::minifloat::{Format, Special};

/// The bits of a quiet NaN of binary32, and of infinity.
const NAN: u64 = 0x7fc0_0000;
const INFINITY: u64 = 0x7f80_0000;

/// The bits of 2^n in binary32, of which it is a normal number.
fn power(n: i32) -> u64 {
    ((127 + n) as u64) << 23
}

impl<S: Sink> Code<'_, S> {
    /// The number of a code. Exponents are larger by a constant; without one, a number is so many times the smallest.
    pub(super) fn widened_minifloat(&mut self, f: Format, code: S::Value) -> S::Value {
        let word = self.cast(KCast::Unsigned, code, Scalar::I32);
        if f.special == Special::Powers {
            return self.widened_power(word);
        }
        let (m, largest) = (f.mantissa as i32, u64::from(f.max_finite()));
        let size = self.by(KBinary::And, word, u64::from(f.sign()) - 1);
        let sign = self.by(KBinary::And, word, f.sign().into());
        let sign = self.by(KBinary::Shl, sign, (32 - f.bits).into());
        let moved = self.by(KBinary::Shl, size, (23 - m) as u64);
        let normal = self.by(KBinary::Add, moved, ((127 - f.bias) as u64) << 23);
        let unit = self.0.constant(power(1 - f.bias - m), Scalar::F32);
        let count = self.cast(KCast::Signed, size, Scalar::F32);
        let small = self.bin(KBinary::Mul, count, unit, Scalar::F32);
        let small = self.as_word(small);
        let is_normal = self.exceeds(size, (1 << m) - 1);
        let mut value = self.chosen(is_normal, normal, small);
        let nan = self.word(NAN);
        match f.special {
            Special::Ieee => {
                let infinity = self.word(INFINITY);
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
                let others = self.by(KBinary::Xor, word, f.sign().into());
                let is_other = self.exceeds(others, 0);
                value = self.chosen(is_other, value, nan);
            }
            Special::Finite | Special::Powers => {}
        }
        let word = self.bin(KBinary::Or, value, sign, Scalar::I32);
        self.as_float(word)
    }

    /// The power of two of an exponent.
    fn widened_power(&mut self, exponent: S::Value) -> S::Value {
        let moved = self.by(KBinary::Shl, exponent, 23);
        // 2^-127 has no exponent of its own.
        let (least, nan) = (self.word(1 << 22), self.word(NAN));
        let [is_more, is_nan] = [0, 0xfe].map(|bound| self.exceeds(exponent, bound));
        let word = self.chosen(is_more, moved, least);
        let word = self.chosen(is_nan, nan, word);
        self.as_float(word)
    }

    /// The code of the nearest number: of two the even one, of two powers the larger.
    pub(super) fn narrowed_minifloat(&mut self, f: Format, x: S::Value) -> S::Value {
        let word = self.as_word(x);
        let size = self.by(KBinary::And, word, 0x7fff_ffff);
        let code = match f.special {
            Special::Powers => self.narrowed_power(word, size),
            Special::Ieee | Special::FiniteNan | Special::NegativeZeroNan | Special::Finite => {
                self.narrowed_signed(f, word, size)
            }
        };
        self.cast(KCast::Signed, code, Scalar::I8)
    }

    fn narrowed_signed(&mut self, f: Format, word: S::Value, size: S::Value) -> S::Value {
        let (m, largest) = (f.mantissa as i32, u64::from(f.max_finite()));
        let sign = self.by(KBinary::ShrU, word, (32 - f.bits).into());
        let sign = self.by(KBinary::And, sign, f.sign().into());
        // As many units in the last place of the format as there are, with its exponent above them.
        let shift = (23 - m) as u64;
        let high = self.by(KBinary::ShrU, size, shift);
        let odd = self.by(KBinary::And, high, 1);
        let half = self.by(KBinary::Add, size, (1 << (shift - 1)) - 1);
        let sum = self.bin(KBinary::Add, half, odd, Scalar::I32);
        let sum = self.by(KBinary::ShrU, sum, shift);
        let normal = self.by(KBinary::Sub, sum, ((127 - f.bias) as u64) << m);
        // Below the least normal number there are as many units as the machine rounds to beside this.
        let beside = power(24 - f.bias - m);
        let anchor = self.0.constant(beside, Scalar::F32);
        let plain = self.as_float(size);
        let rounded = self.bin(KBinary::Add, plain, anchor, Scalar::F32);
        let rounded = self.as_word(rounded);
        let small = self.by(KBinary::Sub, rounded, beside);
        let is_normal = self.exceeds(size, power(1 - f.bias) - 1);
        let code = self.chosen(is_normal, normal, small);
        let is_beyond = self.exceeds(code, largest);
        let is_nan = self.exceeds(size, INFINITY);
        match f.special {
            Special::Ieee | Special::FiniteNan => {
                // A NaN has all bits set but the sign, which it keeps; so has what is beyond the largest where there is no infinity.
                let nan = self.word(u64::from(f.sign()) - 1);
                let beyond = if f.special == Special::Ieee { self.word(largest + 1) } else { nan };
                let code = self.chosen(is_beyond, beyond, code);
                let code = self.chosen(is_nan, nan, code);
                self.bin(KBinary::Or, code, sign, Scalar::I32)
            }
            Special::NegativeZeroNan => {
                let nan = self.word(f.sign().into());
                let signed = self.bin(KBinary::Or, code, sign, Scalar::I32);
                let is_some = self.exceeds(code, 0);
                // There is no negative zero.
                let code = self.chosen(is_some, signed, code);
                let code = self.chosen(is_beyond, nan, code);
                self.chosen(is_nan, nan, code)
            }
            Special::Finite | Special::Powers => {
                let (most, nan) = (self.word(largest), self.word(f.sign().into()));
                let code = self.chosen(is_beyond, most, code);
                let code = self.bin(KBinary::Or, code, sign, Scalar::I32);
                self.chosen(is_nan, nan, code)
            }
        }
    }

    /// The exponent of the nearest power of two, the larger one of two; what is not positive has none.
    fn narrowed_power(&mut self, word: S::Value, size: S::Value) -> S::Value {
        let sum = self.by(KBinary::Add, size, 1 << 22);
        let near = self.by(KBinary::ShrU, sum, 23);
        // Below 2^-126 there is 2^-127, and half way to it from there.
        let (zero, one, nan) = (self.word(0), self.word(1), self.word(0xff));
        let is_second = self.exceeds(size, 0x005f_ffff);
        let small = self.chosen(is_second, one, zero);
        let is_normal = self.exceeds(size, 0x007f_ffff);
        let code = self.chosen(is_normal, near, small);
        let is_beyond = self.exceeds(code, 0xfe);
        let code = self.chosen(is_beyond, nan, code);
        // Negative numbers, zeros and NaN: as unsigned words these are 0 and what is above infinity.
        let less = self.by(KBinary::Sub, word, 1);
        let is_none = self.exceeds(less, INFINITY - 1);
        self.chosen(is_none, nan, code)
    }
}
