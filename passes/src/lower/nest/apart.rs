//! Numbers that kernels do not compute with, taken apart and put together: a complex number in memory is two floats, a bfloat16
//! the upper half of a binary32, a binary16 has fewer bits of each part, and so have the formats of at most 8 bits ([`super::minifloats`]).
//! Everything else that is done to such numbers is done to what stands for them.

use super::Lowerer;
use super::emit::add_term;
use crate::lower::LowerError;
use crate::lower::space::scope::{At, Scope, Stored};
use wengert_ir::func::{Inst, Value};
use wengert_ir::kernel::{Access, Extent, KBinary, KCast, KOp, KValue, LoopKind, Scalar};
use wengert_ir::minifloat::Format;
use wengert_ir::op::{BinaryOp, CompareType, Direction, Op, UnaryOp};
use wengert_ir::ops_of;
use wengert_ir::types::DType;

/// What makes a number of one type of one of another.
type Conversion<'m> = Box<dyn Fn(&mut Lowerer<'m>, KValue) -> KValue>;

impl<'m> Lowerer<'m> {
    /// Emits a loop for an instruction that only takes numbers apart or puts them together; false if it is none.
    pub(in crate::lower) fn taken_apart(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
    ) -> Result<bool, LowerError> {
        let known = |v: &Value| s.func.ty(*v).as_tensor().is_some_and(|t| t.is_static());
        if !inst.operands.iter().chain(&inst.results).all(known) {
            return Ok(false);
        }
        let dtype = |v: Value| s.ty(v).dtype;
        match &inst.op {
            Op::Unary(op @ (UnaryOp::Real | UnaryOp::Imag)) if dtype(inst.operands[0]).is_complex() => {
                let part = i64::from(*op == UnaryOp::Imag);
                let (from, to) = self.ends(s, inst)?;
                self.each(&to, &|l, i| {
                    let x = l.read(&from[0], i, 2, part);
                    l.write(&to, i, 1, 0, x);
                });
            }
            Op::Binary(BinaryOp::Complex) if Scalar::of(dtype(inst.operands[0])).is_some() => {
                let (from, to) = self.ends(s, inst)?;
                self.each(&At { len: to.len / 2, ..to.clone() }, &|l, i| {
                    for (part, at) in (0..).zip(&from) {
                        let x = l.read(at, i, 1, 0);
                        l.write(&to, i, 2, part, x);
                    }
                });
            }
            Op::Convert(to) => {
                let Some(convert) = Self::conversion(dtype(inst.operands[0]), to.dtype) else {
                    return Ok(false);
                };
                let (from, to) = self.ends(s, inst)?;
                self.each(&to, &|l, i| {
                    let x = l.read(&from[0], i, 1, 0);
                    let x = convert(l, x);
                    l.write(&to, i, 1, 0, x);
                });
            }
            ops_of!(source)
            | ops_of!(elementwise)
            | ops_of!(movement)
            | ops_of!(update)
            | ops_of!(contraction)
            | ops_of!(reduction)
            | ops_of!(library)
            | ops_of!(call)
            | ops_of!(control)
            | ops_of!(mark)
            | ops_of!(opaque) => return Ok(false),
        }
        Ok(true)
    }

    /// What makes a number of one type one of another, if one of them is binary32 and the other is taken apart.
    fn conversion(from: DType, to: DType) -> Option<Conversion<'m>> {
        Some(match (from, to) {
            (DType::BF16, DType::F32) => Box::new(Self::widened_bf16),
            (DType::F32, DType::BF16) => Box::new(Self::narrowed_bf16),
            (DType::F16, DType::F32) => Box::new(Self::widened_f16),
            (DType::F32, DType::F16) => Box::new(Self::narrowed_f16),
            (small, DType::F32) => {
                let format = Format::of(small)?;
                Box::new(move |l, bits| l.widened_minifloat(format, bits))
            }
            (DType::F32, small) => {
                let format = Format::of(small)?;
                Box::new(move |l, x| l.narrowed_minifloat(format, x))
            }
            (_, _) => return None,
        })
    }

    /// Where the operands are, and where the result is to be.
    fn ends(&mut self, s: &mut Scope<'m>, inst: &'m Inst) -> Result<(Vec<At>, At), LowerError> {
        let from = inst.operands.iter().map(|&v| self.memory_of(s, v)).collect::<Result<Vec<At>, _>>()?;
        // Elements of operand and result have different sizes: they share no memory.
        let reads: Vec<_> = inst.operands.iter().map(|&v| (v, false)).collect();
        let result = inst.results[0];
        let to = self.target(s, result, &reads);
        s.stored[result] = Some(Stored::Memory(to.clone()));
        Ok((from, to))
    }

    /// A loop over as many elements as `all` has, shared out over threads if it is long.
    fn each(&mut self, all: &At, body: &dyn Fn(&mut Self, KValue)) {
        let count = all.len as i64;
        if count == 0 {
            return;
        }
        match self.grain(count, 1, 4, 3) {
            Some(grain) => self.outline(count, grain, |l, from, to| {
                l.counted_each((Extent::Value(from), Extent::Value(to)), body);
            }),
            None => self.counted_each((Extent::Const(0), Extent::Const(count)), body),
        }
    }

    fn counted_each(&mut self, bounds: (Extent, Extent), body: &dyn Fn(&mut Self, KValue)) {
        let floor = self.b.set_floor();
        let i = self.b.open(&[Scalar::I64])[0];
        body(self, i);
        self.b.end_for(bounds, LoopKind::Vector, &[], &[]);
        self.b.restore_floor(floor);
    }

    /// Element `stride * i + offset`.
    fn place(&mut self, at: &At, i: KValue, stride: i64, offset: i64) -> Access {
        let mut access = self.element(at, offset);
        add_term(&mut access.terms, i, stride);
        access
    }

    fn read(&mut self, at: &At, i: KValue, stride: i64, offset: i64) -> KValue {
        let access = self.place(at, i, stride, offset);
        self.b.load_here(access)
    }

    fn write(&mut self, at: &At, i: KValue, stride: i64, offset: i64, x: KValue) {
        let access = self.place(at, i, stride, offset);
        self.b.store(access, x);
    }

    pub(super) fn word(&mut self, op: KBinary, x: KValue, by: u64) -> KValue {
        let by = self.b.bits(by, Scalar::I32);
        self.b.binary(op, x, by)
    }

    /// Whether a word is larger than another, as unsigned numbers.
    pub(super) fn exceeds(&mut self, x: KValue, bound: u64) -> KValue {
        let bound = self.b.bits(bound, Scalar::I32);
        self.b.pure(KOp::Compare(Direction::Gt, CompareType::Unsigned), &[x, bound], Scalar::I1)
    }

    /// The binary32 of a bfloat16's bits; a NaN is a quiet one.
    fn widened_bf16(&mut self, bits: KValue) -> KValue {
        let word = self.b.pure(KOp::Cast(KCast::Unsigned), &[bits], Scalar::I32);
        let size = self.word(KBinary::And, word, 0x7fff);
        let is_nan = self.exceeds(size, 0x7f80);
        let quiet = self.word(KBinary::Or, word, 0x40);
        let word = self.b.pure(KOp::Select, &[is_nan, quiet, word], Scalar::I32);
        let word = self.word(KBinary::Shl, word, 16);
        self.b.pure(KOp::Cast(KCast::Bits), &[word], Scalar::F32)
    }

    /// The bits of the bfloat16 nearest to a binary32, the even one of two; a NaN is a quiet one.
    fn narrowed_bf16(&mut self, x: KValue) -> KValue {
        let word = self.b.pure(KOp::Cast(KCast::Bits), &[x], Scalar::I32);
        let size = self.word(KBinary::And, word, 0x7fff_ffff);
        let is_nan = self.exceeds(size, 0x7f80_0000);
        let high = self.word(KBinary::ShrU, word, 16);
        let odd = self.word(KBinary::And, high, 1);
        let half = self.word(KBinary::Add, word, 0x7fff);
        let sum = self.b.binary(KBinary::Add, half, odd);
        let rounded = self.word(KBinary::ShrU, sum, 16);
        let quiet = self.word(KBinary::Or, high, 0x40);
        let word = self.b.pure(KOp::Select, &[is_nan, quiet, rounded], Scalar::I32);
        self.b.pure(KOp::Cast(KCast::Signed), &[word], Scalar::I16)
    }

    pub(super) fn chosen(&mut self, p: KValue, yes: KValue, no: KValue) -> KValue {
        self.b.pure(KOp::Select, &[p, yes, no], Scalar::I32)
    }

    pub(super) fn bits_of(&mut self, x: KValue) -> KValue {
        self.b.pure(KOp::Cast(KCast::Bits), &[x], Scalar::I32)
    }

    pub(super) fn float(&mut self, word: KValue) -> KValue {
        self.b.pure(KOp::Cast(KCast::Bits), &[word], Scalar::F32)
    }

    /// The binary32 of a binary16's bits; a NaN is a quiet one. Exponents are 112 higher; without one, the number is a multiple of
    /// 2^-24.
    fn widened_f16(&mut self, bits: KValue) -> KValue {
        let word = self.b.pure(KOp::Cast(KCast::Unsigned), &[bits], Scalar::I32);
        let (size, sign) = (self.word(KBinary::And, word, 0x7fff), self.word(KBinary::And, word, 0x8000));
        let sign = self.word(KBinary::Shl, sign, 16);
        let moved = self.word(KBinary::Shl, size, 13);
        let normal = self.word(KBinary::Add, moved, 112 << 23);
        let unit = self.b.bits(u64::from((2f32.powi(-24)).to_bits()), Scalar::F32);
        let count = self.b.pure(KOp::Cast(KCast::Signed), &[size], Scalar::F32);
        let small = self.b.binary(KBinary::Mul, count, unit);
        let small = self.bits_of(small);
        let (infinite, quiet) =
            (self.word(KBinary::Or, moved, 0x7f80_0000), self.word(KBinary::Or, moved, 0x7fc0_0000));
        let [is_normal, is_infinite, is_nan] = [0x3ff, 0x7bff, 0x7c00].map(|bound| self.exceeds(size, bound));
        let word = self.chosen(is_normal, normal, small);
        let word = self.chosen(is_infinite, infinite, word);
        let word = self.chosen(is_nan, quiet, word);
        let word = self.b.binary(KBinary::Or, word, sign);
        self.float(word)
    }

    /// The bits of the binary16 nearest to a binary32, the even one of two; a NaN is a quiet one.
    fn narrowed_f16(&mut self, x: KValue) -> KValue {
        let word = self.bits_of(x);
        let (size, sign) = (self.word(KBinary::And, word, 0x7fff_ffff), self.word(KBinary::ShrU, word, 16));
        let sign = self.word(KBinary::And, sign, 0x8000);
        let high = self.word(KBinary::ShrU, size, 13);
        let odd = self.word(KBinary::And, high, 1);
        let half = self.word(KBinary::Add, size, 0xfff);
        let sum = self.b.binary(KBinary::Add, half, odd);
        let sum = self.word(KBinary::ShrU, sum, 13);
        let normal = self.word(KBinary::Sub, sum, 112 << 10);
        // Below 2^-14 there are as many units of 2^-24 as the machine rounds to beside one half.
        let half = self.b.bits(u64::from(0.5f32.to_bits()), Scalar::F32);
        let plain = self.float(size);
        let beside = self.b.binary(KBinary::Add, plain, half);
        let beside = self.bits_of(beside);
        let small = self.word(KBinary::Sub, beside, u64::from(0.5f32.to_bits()));
        let infinite = self.b.bits(0x7c00, Scalar::I32);
        let payload = self.word(KBinary::And, high, 0x3ff);
        let quiet = self.word(KBinary::Or, payload, 0x7e00);
        // From 65,520 on the nearest is infinite.
        let [is_normal, is_infinite, is_nan] =
            [0x387f_ffff, 0x477f_efff, 0x7f80_0000].map(|bound| self.exceeds(size, bound));
        let word = self.chosen(is_normal, normal, small);
        let word = self.chosen(is_infinite, infinite, word);
        let word = self.chosen(is_nan, quiet, word);
        let word = self.b.binary(KBinary::Or, word, sign);
        self.b.pure(KOp::Cast(KCast::Signed), &[word], Scalar::I16)
    }
}
