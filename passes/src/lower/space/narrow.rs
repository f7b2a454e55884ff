//! Floats of at most 16 bits as binary32 and back, on their bits: kernels do not compute with such numbers, but read and write
//! them. A bfloat16 is the upper half of a binary32, a binary16 has fewer bits of each part, and so have the formats of at most
//! 8 bits ([`super::minifloats`]).

use super::sink::{Code, Sink};
use wengert_ir::kernel::{KBinary, KCast, Scalar};
use wengert_ir::minifloat::Format;
use wengert_ir::op::{CompareType, Direction};
use wengert_ir::types::DType;

/// A narrow float.
#[derive(Clone, Copy)]
enum Narrow {
    Bf16,
    F16,
    Mini(Format),
}

impl Narrow {
    fn of(dtype: DType) -> Option<Self> {
        match dtype {
            DType::BF16 => Some(Narrow::Bf16),
            DType::F16 => Some(Narrow::F16),
            small => Format::of(small).map(Narrow::Mini),
        }
    }
}

/// A number of one type as one of the other, if one of them is binary32 and the other one narrower.
pub(super) fn convert<S: Sink>(c: &mut Code<'_, S>, x: S::Value, from: DType, to: DType) -> Option<S::Value> {
    Some(match (from, to) {
        (narrow, DType::F32) => match Narrow::of(narrow)? {
            Narrow::Bf16 => c.widened_bf16(x),
            Narrow::F16 => c.widened_f16(x),
            Narrow::Mini(format) => c.widened_minifloat(format, x),
        },
        (DType::F32, narrow) => match Narrow::of(narrow)? {
            Narrow::Bf16 => c.narrowed_bf16(x),
            Narrow::F16 => c.narrowed_f16(x),
            Narrow::Mini(format) => c.narrowed_minifloat(format, x),
        },
        (_, _) => return None,
    })
}

/// Words of 32 bits.
impl<S: Sink> Code<'_, S> {
    pub(super) fn word(&mut self, word: u64) -> S::Value {
        self.0.constant(word, Scalar::I32)
    }

    /// A word and a constant.
    pub(super) fn by(&mut self, op: KBinary, x: S::Value, by: u64) -> S::Value {
        let by = self.word(by);
        self.bin(op, x, by, Scalar::I32)
    }

    /// Whether a word is larger than another, as unsigned numbers.
    pub(super) fn exceeds(&mut self, x: S::Value, bound: u64) -> S::Value {
        let bound = self.word(bound);
        self.cmp(Direction::Gt, CompareType::Unsigned, x, bound)
    }

    pub(super) fn chosen(&mut self, p: S::Value, yes: S::Value, no: S::Value) -> S::Value {
        self.sel(p, yes, no, Scalar::I32)
    }

    pub(super) fn as_word(&mut self, x: S::Value) -> S::Value {
        self.cast(KCast::Bits, x, Scalar::I32)
    }

    pub(super) fn as_float(&mut self, word: S::Value) -> S::Value {
        self.cast(KCast::Bits, word, Scalar::F32)
    }
}

/// The formats of 16 bits.
impl<S: Sink> Code<'_, S> {
    /// The binary32 of a bfloat16's bits; a NaN is a quiet one.
    fn widened_bf16(&mut self, bits: S::Value) -> S::Value {
        let word = self.cast(KCast::Unsigned, bits, Scalar::I32);
        let size = self.by(KBinary::And, word, 0x7fff);
        let is_nan = self.exceeds(size, 0x7f80);
        let quiet = self.by(KBinary::Or, word, 0x40);
        let word = self.chosen(is_nan, quiet, word);
        let word = self.by(KBinary::Shl, word, 16);
        self.cast(KCast::Bits, word, Scalar::F32)
    }

    /// The bits of the bfloat16 nearest to a binary32, the even one of two; a NaN is a quiet one.
    fn narrowed_bf16(&mut self, x: S::Value) -> S::Value {
        let word = self.cast(KCast::Bits, x, Scalar::I32);
        let size = self.by(KBinary::And, word, 0x7fff_ffff);
        let is_nan = self.exceeds(size, 0x7f80_0000);
        let high = self.by(KBinary::ShrU, word, 16);
        let odd = self.by(KBinary::And, high, 1);
        let half = self.by(KBinary::Add, word, 0x7fff);
        let sum = self.bin(KBinary::Add, half, odd, Scalar::I32);
        let rounded = self.by(KBinary::ShrU, sum, 16);
        let quiet = self.by(KBinary::Or, high, 0x40);
        let word = self.chosen(is_nan, quiet, rounded);
        self.cast(KCast::Signed, word, Scalar::I16)
    }

    /// The binary32 of a binary16's bits; a NaN is a quiet one. Exponents are 112 higher; without one, the number is a multiple of
    /// 2^-24.
    fn widened_f16(&mut self, bits: S::Value) -> S::Value {
        let word = self.cast(KCast::Unsigned, bits, Scalar::I32);
        let (size, sign) = (self.by(KBinary::And, word, 0x7fff), self.by(KBinary::And, word, 0x8000));
        let sign = self.by(KBinary::Shl, sign, 16);
        let moved = self.by(KBinary::Shl, size, 13);
        let normal = self.by(KBinary::Add, moved, 112 << 23);
        let unit = self.0.constant(u64::from((2f32.powi(-24)).to_bits()), Scalar::F32);
        let count = self.cast(KCast::Signed, size, Scalar::F32);
        let small = self.bin(KBinary::Mul, count, unit, Scalar::F32);
        let small = self.as_word(small);
        let (infinite, quiet) =
            (self.by(KBinary::Or, moved, 0x7f80_0000), self.by(KBinary::Or, moved, 0x7fc0_0000));
        let [is_normal, is_infinite, is_nan] = [0x3ff, 0x7bff, 0x7c00].map(|bound| self.exceeds(size, bound));
        let word = self.chosen(is_normal, normal, small);
        let word = self.chosen(is_infinite, infinite, word);
        let word = self.chosen(is_nan, quiet, word);
        let word = self.bin(KBinary::Or, word, sign, Scalar::I32);
        self.as_float(word)
    }

    /// The bits of the binary16 nearest to a binary32, the even one of two; a NaN is a quiet one.
    fn narrowed_f16(&mut self, x: S::Value) -> S::Value {
        let word = self.as_word(x);
        let (size, sign) = (self.by(KBinary::And, word, 0x7fff_ffff), self.by(KBinary::ShrU, word, 16));
        let sign = self.by(KBinary::And, sign, 0x8000);
        let high = self.by(KBinary::ShrU, size, 13);
        let odd = self.by(KBinary::And, high, 1);
        let half = self.by(KBinary::Add, size, 0xfff);
        let sum = self.bin(KBinary::Add, half, odd, Scalar::I32);
        let sum = self.by(KBinary::ShrU, sum, 13);
        let normal = self.by(KBinary::Sub, sum, 112 << 10);
        // Below 2^-14 there are as many units of 2^-24 as the machine rounds to beside one half.
        let half = self.0.constant(u64::from(0.5f32.to_bits()), Scalar::F32);
        let plain = self.as_float(size);
        let beside = self.bin(KBinary::Add, plain, half, Scalar::F32);
        let beside = self.as_word(beside);
        let small = self.by(KBinary::Sub, beside, u64::from(0.5f32.to_bits()));
        let infinite = self.word(0x7c00);
        let payload = self.by(KBinary::And, high, 0x3ff);
        let quiet = self.by(KBinary::Or, payload, 0x7e00);
        // From 65,520 on the nearest is infinite.
        let [is_normal, is_infinite, is_nan] =
            [0x387f_ffff, 0x477f_efff, 0x7f80_0000].map(|bound| self.exceeds(size, bound));
        let word = self.chosen(is_normal, normal, small);
        let word = self.chosen(is_infinite, infinite, word);
        let word = self.chosen(is_nan, quiet, word);
        let word = self.bin(KBinary::Or, word, sign, Scalar::I32);
        self.cast(KCast::Signed, word, Scalar::I16)
    }
}
