//! Conversions: 4-byte lanes are one vector, and as 8-byte lanes two.

use super::ops::compare;
use super::{Caller, Gen, Lanes};
use crate::codegen::simd::asm::Enc;
use crate::codegen::simd::body::{Inst, Size, Src, V, size_of};
use crate::codegen::simd::enc;
use smallvec::SmallVec;
use wengert_ir::kernel::{KCast, KInst, KValue, Scalar};
use wengert_ir::op::{CompareType, Direction};

impl<C: Caller> Gen<'_, C> {
    pub(super) fn cast(&mut self, cast: KCast, from: Scalar, inst: &KInst) -> Option<Lanes> {
        use Scalar::{F32, F64, I1, I32, I64};
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
                let x = g.number(x, k)?;
                Some(g.body.compare(how, size, x, Src::Number(0)))
            });
        }
        if from == to || cast == KCast::Bits {
            return self.each(size, |g, k| {
                let x = g.number(x, k)?;
                Some(g.body.register(size, x))
            });
        }
        let u = usize::from(!signed);
        match (from, to) {
            (F32, F64) => self.widen(x, enc::F32_TO_F64),
            (I32, I64) => self.widen(x, enc::I32_TO_I64[u]),
            (I32, F64) => self.widen(x, enc::I32_TO_F64[u]),
            (F64, F32) => self.narrow(x, Some(enc::F64_TO_F32)),
            (I64, F32) => self.narrow(x, Some(enc::I64_TO_F32[u])),
            (I64, I32) => self.narrow(x, None),
            (I32, F32) => self.convert(x, 4, enc::I32_TO_F32[u]),
            (I64, F64) => self.convert(x, 8, enc::I64_TO_F64[u]),
            _ => None,
        }
    }

    fn convert(&mut self, x: KValue, size: Size, enc: Enc) -> Option<Lanes> {
        self.each(size, |g, k| {
            let x = g.number(x, k)?;
            let x = g.body.register(size, x);
            Some(g.body.unary(enc, size, None, Src::V(x)))
        })
    }

    /// 4-byte lanes to twice as many 8-byte lanes.
    fn widen(&mut self, x: KValue, enc: Enc) -> Option<Lanes> {
        let x = self.number(x, 0)?;
        let x = self.body.register(4, x);
        let low = self.body.unary(enc, 8, None, Src::V(x));
        let high = self.body.vector();
        self.body.insts.push(Inst::Reversed { enc: enc::UPPER_HALF, imm: Some(1), x, to: high });
        let high = self.body.unary(enc, 8, None, Src::V(high));
        Some(Lanes::Numbers(SmallVec::from_slice(&[Src::V(low), Src::V(high)])))
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
        let to = self.body.vector();
        self.body.insts.push(Inst::Binary {
            enc: enc::WITH_UPPER,
            size: 8,
            imm: Some(1),
            commutes: false,
            a: Src::V(halves[0]),
            b: Src::V(halves[1]),
            to,
        });
        Some(Lanes::Numbers(SmallVec::from_slice(&[Src::V(to)])))
    }
}
