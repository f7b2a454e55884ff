//! Conversions: 4-byte lanes are one vector, and as 8-byte lanes two.

use super::narrow::{Whole, narrow};
use super::ops::compare;
use super::{Caller, Gen, Lanes};
use crate::codegen::simd::body::{Inst, Size, Src, V, size_of};
use crate::codegen::simd::enc;
use crate::codegen::simd::enc::Enc;
use smallvec::SmallVec;
use wengert_ir::kernel::{KCast, KInst, KValue, Scalar};
use wengert_ir::op::{CompareType, Direction};

impl<C: Caller> Gen<'_, C> {
    pub(super) fn cast(&mut self, cast: KCast, from: Scalar, inst: &KInst) -> Option<Lanes> {
        use Scalar::{F32, F64, I1, I32};
        let (x, to) = (inst.operands[0], self.caller.ty(inst.results[0]));
        let signed = cast != KCast::Unsigned;
        if from == I1 && to != I1 {
            let size = size_of(to)?;
            let word = match (to, signed) {
                (F64, true) => (-1.0f64).to_bits(),
                (F64, false) => 1.0f64.to_bits(),
                (F32, true) => u64::from((-1.0f32).to_bits()),
                (F32, false) => u64::from(1.0f32.to_bits()),
                (_, true) => u64::MAX,
                (_, false) => 1,
            };
            return self.each(size, |g, k| {
                let mask = g.mask(x, size, k)?;
                let to = g.body.vector();
                g.body.insts.push(Inst::Keep { size, mask, number: Src::Number(word), to });
                Some(to)
            });
        }
        if from == I1 {
            return self.lanes.get(&x).cloned();
        }
        let size = size_of(from)?;
        if to == I1 {
            let how = compare(
                Direction::Ne,
                if from.is_float() { CompareType::Float } else { CompareType::Signed },
                from,
            )?;
            return self.each_mask(size, |g, k| {
                let x = g.operand(x, k, Some(Whole::Signed))?;
                Some(g.body.compare(how, size, x, Src::Number(0)))
            });
        }
        if from == to || cast == KCast::Bits {
            return self.each(size, |g, k| {
                let x = g.number(x, k)?;
                Some(g.body.register(size, x))
            });
        }
        // What has fewer bytes is a 4-byte integer once it is whole.
        let lane = |ty| if narrow(ty).is_some() { I32 } else { ty };
        if from.is_float() && narrow(to).is_some() {
            let whole = self.cast_lanes(x, (from, I32), true)?;
            return self.clamped(&whole, to, signed);
        }
        self.cast_lanes(x, (lane(from), lane(to)), signed)
    }

    /// A conversion between numbers of 4 and 8 bytes, whole ones.
    fn cast_lanes(&mut self, x: KValue, (from, to): (Scalar, Scalar), signed: bool) -> Option<Lanes> {
        use Scalar::{F32, F64, I32, I64};
        let whole = if signed { Whole::Signed } else { Whole::Unsigned };
        // What had fewer bytes has no sign in 4, for which there are more instructions.
        let u = usize::from(!signed && narrow(self.caller.ty(x)).is_none());
        let operand = |g: &mut Self, k| g.operand(x, k, Some(whole));
        match (from, to) {
            (I32, I32) => self.each(4, |g, k| {
                let x = operand(g, k)?;
                Some(g.body.register(4, x))
            }),
            (F32, F64) => {
                let x = operand(self, 0)?;
                self.widen(x, enc::F32_TO_F64)
            }
            (I32, I64 | F64) => {
                let x = operand(self, 0)?;
                self.widen(x, if to == I64 { enc::I32_TO_I64[u] } else { enc::I32_TO_F64[u] })
            }
            (F64, F32) => self.narrow(x, Some(enc::F64_TO_F32)),
            (I64, F32) => self.narrow(x, Some(enc::I64_TO_F32[u])),
            (I64, I32) => self.narrow(x, None),
            (I32, F32) => self.each(4, |g, k| {
                let x = operand(g, k)?;
                Some(g.converted(4, enc::I32_TO_F32[u], x))
            }),
            (I64, F64) => self.each(8, |g, k| {
                let x = operand(g, k)?;
                Some(g.converted(8, enc::I64_TO_F64[u], x))
            }),
            (F32, I32) => self.each(4, |g, k| {
                let x = operand(g, k)?;
                Some(g.cut(enc::F32_TO_I32[u], 4, signed, 31, x))
            }),
            (F64, I64) => self.each(8, |g, k| {
                let x = operand(g, k)?;
                Some(g.cut(enc::F64_TO_I64[u], 8, signed, 63, x))
            }),
            (F32, I64) => {
                let x = operand(self, 0)?;
                let wide = self.halves(enc::F32_TO_F64, x);
                let cut = wide.map(|x| Src::V(self.cut(enc::F64_TO_I64[u], 8, signed, 63, Src::V(x))));
                Some(Lanes::Numbers(cut.into()))
            }
            (F64, I32) => {
                let mut halves = [V(0); 2];
                for (k, half) in halves.iter_mut().enumerate() {
                    let x = operand(self, k)?;
                    *half = self.cut(enc::F64_TO_I32[u], 8, signed, 31, x);
                }
                Some(Lanes::Numbers(SmallVec::from_slice(&[Src::V(self.joined(halves))])))
            }
            _ => None,
        }
    }

    /// Floats cut to integers of `bits` bits beside the sign: what is beyond the last one becomes that, NaN becomes zero. The
    /// instruction gives the least signed integer for all that does not fit, the greatest unsigned one.
    fn cut(&mut self, enc: Enc, size: Size, signed: bool, bits: i32, x: Src) -> V {
        let n = usize::from(size == 8);
        let b = &mut self.body;
        let float =
            |x: f64| Src::Number(if size == 8 { x.to_bits() } else { u64::from((x as f32).to_bits()) });
        let x = Src::V(b.register(size, x));
        if !signed {
            // Gives its second operand for NaN.
            let positive = b.binary((enc::FMAX[n], false), size, x, float(0.0));
            return b.unary(enc, size, None, Src::V(positive));
        }
        let nan = b.compare((enc::FCOMPARE[n], Some(3)), size, x, x);
        let number = b.select(size, nan, Src::Number(0), x);
        let beyond = 2f64.powi(bits);
        if size == 8 && bits == 31 {
            // Integers of half the lanes' size: the greatest one is a float here.
            let most = b.binary((enc::FMIN[1], false), 8, Src::V(number), float(beyond - 1.0));
            return b.unary(enc, size, None, Src::V(most));
        }
        let whole = b.unary(enc, size, None, Src::V(number));
        let over = b.compare((enc::FCOMPARE[n], Some(0x1d)), size, x, float(beyond));
        b.select(size, over, Src::Number((1u64 << bits) - 1), Src::V(whole))
    }

    fn converted(&mut self, size: Size, enc: Enc, x: Src) -> V {
        let x = self.body.register(size, x);
        self.body.unary(enc, size, None, Src::V(x))
    }

    /// 4-byte lanes to twice as many 8-byte lanes.
    fn widen(&mut self, x: Src, enc: Enc) -> Option<Lanes> {
        Some(Lanes::Numbers(self.halves(enc, x).map(Src::V).into()))
    }

    /// 4-byte lanes as 8-byte lanes: the lower ones, and the upper ones.
    pub(super) fn halves(&mut self, enc: Enc, x: Src) -> [V; 2] {
        let x = self.body.register(4, x);
        let low = self.body.unary(enc, 8, None, Src::V(x));
        let high = self.body.vector();
        self.body.insts.push(Inst::Reversed { enc: enc::UPPER_HALF, imm: Some(1), x, to: high });
        [low, self.body.unary(enc, 8, None, Src::V(high))]
    }

    /// 8-byte lanes to half as many vectors; without an instruction, integers are cut.
    fn narrow(&mut self, x: KValue, enc: Option<Enc>) -> Option<Lanes> {
        let mut halves = [V(0); 2];
        for (k, half) in halves.iter_mut().enumerate() {
            let x = self.number(x, k)?;
            let x = self.body.register(8, x);
            *half = match enc {
                Some(enc) => self.body.unary(enc, 8, None, Src::V(x)),
                None => {
                    let to = self.body.vector();
                    self.body.insts.push(Inst::Reversed { enc: enc::I64_TO_I32, imm: None, x, to });
                    to
                }
            };
        }
        Some(Lanes::Numbers(SmallVec::from_slice(&[Src::V(self.joined(halves))])))
    }

    /// The lower halves of two vectors as one.
    pub(super) fn joined(&mut self, [low, high]: [V; 2]) -> V {
        let (to, enc) = (self.body.vector(), enc::WITH_UPPER);
        let (a, b) = (Src::V(low), Src::V(high));
        self.body.insts.push(Inst::Binary { enc, size: 8, imm: Some(1), commutes: false, a, b, to });
        to
    }
}
