//! Numbers as numbers of other types.

use super::{Chunk, Lanes, Vectors};
use crate::codegen::clif::vector_type;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{ConstantData, InstBuilder, Value, types};
use wengert_ir::kernel::{KCast, KInst, KValue, Scalar};

impl Chunk<'_, '_, '_> {
    pub(super) fn cast(&mut self, cast: KCast, inst: &KInst) -> Lanes {
        use Scalar::{F32, F64, I1, I32, I64};
        let (x, from, to) = (inst.operands[0], self.e.ty(inst.operands[0]), self.e.ty(inst.results[0]));
        let signed = cast != KCast::Unsigned;
        if from == I1 && to != I1 {
            let word = match (to, signed) {
                (F64, true) => (-1.0f64).to_bits(),
                (F64, false) => 1.0f64.to_bits(),
                (F32, true) => u64::from((-1.0f32).to_bits()),
                (F32, false) => u64::from(1.0f32.to_bits()),
                (_, true) => u64::MAX,
                (_, false) => 1,
            };
            let value = self.e.splat_bits(to, word);
            let masks = self.mask(x, to.size());
            return Lanes::Numbers(
                masks
                    .into_iter()
                    .map(|m| {
                        let m = self.e.view(vector_type(to), m);
                        self.e.b.ins().band(m, value)
                    })
                    .collect(),
            );
        }
        if from == to {
            return match from {
                I1 => {
                    let size = self.natural(x);
                    Lanes::Mask(size, self.mask(x, size))
                }
                _ => Lanes::Numbers(self.each(x, |_, x| x)),
            };
        }
        if to == I1 {
            let zero = self.e.splat_bits(from, 0);
            return Lanes::Mask(
                from.size(),
                self.each(x, |c, x| {
                    if from.is_float() {
                        c.e.b.ins().fcmp(FloatCC::NotEqual, x, zero)
                    } else {
                        c.e.b.ins().icmp(IntCC::NotEqual, x, zero)
                    }
                }),
            );
        }
        if cast == KCast::Bits {
            return Lanes::Numbers(self.each(x, |c, x| c.e.view(vector_type(to), x)));
        }
        match (from, to) {
            (F32, F64) => {
                let count = self.count(4);
                let mut wide = Vectors::new();
                for k in 0..count {
                    let v = self.vector(x, k);
                    wide.push(self.e.b.ins().fvpromote_low(v));
                    let high = self.high_half(v);
                    wide.push(self.e.b.ins().fvpromote_low(high));
                }
                wide.truncate(self.count(8));
                Lanes::Numbers(wide)
            }
            (F64, F32) if self.width >= 4 => {
                let halves = self.each(x, |c, x| {
                    let v = c.e.b.ins().fvdemote(x);
                    c.e.view(types::I64X2, v)
                });
                let low = |c: &mut Self, a: Value, b: Value| {
                    let (a, b) = (c.e.view(types::I8X16, a), c.e.view(types::I8X16, b));
                    let mask = c.e.b.func.dfg.immediates.push(ConstantData::from(
                        &[0u8, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23][..],
                    ));
                    let v = c.e.b.ins().shuffle(a, b, mask);
                    c.e.view(types::F32X4, v)
                };
                Lanes::Numbers(halves.chunks(2).map(|pair| low(self, pair[0], pair[1])).collect())
            }
            (I32, F32) if signed => {
                Lanes::Numbers(self.each(x, |c, x| c.e.b.ins().fcvt_from_sint(types::F32X4, x)))
            }
            (I32, F32) => Lanes::Numbers(self.each(x, |c, x| c.e.b.ins().fcvt_from_uint(types::F32X4, x))),
            (I32, F64) if signed => self.widen(x, true, |c, v| c.e.b.ins().fcvt_from_sint(types::F64X2, v)),
            (F32, I32) if signed => {
                Lanes::Numbers(self.each(x, |c, x| c.e.b.ins().fcvt_to_sint_sat(types::I32X4, x)))
            }
            (I32, I64) => self.widen(x, signed, |_, v| v),
            (I64, I32) if self.width >= 4 => {
                let vectors = self.each(x, |_, x| x);
                Lanes::Numbers(vectors.chunks(2).map(|pair| self.narrow(pair[0], pair[1])).collect())
            }
            _ => self.by_lanes(inst),
        }
    }

    /// 32-bit integers as 64-bit ones.
    fn widen(&mut self, x: KValue, signed: bool, f: impl Fn(&mut Self, Value) -> Value) -> Lanes {
        let count = self.count(4);
        let mut wide = Vectors::new();
        for k in 0..count {
            let v = self.vector(x, k);
            let (low, high) = if signed {
                (self.e.b.ins().swiden_low(v), self.e.b.ins().swiden_high(v))
            } else {
                (self.e.b.ins().uwiden_low(v), self.e.b.ins().uwiden_high(v))
            };
            wide.push(f(self, low));
            wide.push(f(self, high));
        }
        Lanes::Numbers(wide)
    }

    /// The upper half of a vector, in the lower.
    fn high_half(&mut self, v: Value) -> Value {
        let ty = self.e.b.func.dfg.value_type(v);
        let bytes = self.e.view(types::I8X16, v);
        let mask =
            self.e.b.func.dfg.immediates.push(ConstantData::from(
                &[8u8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15][..],
            ));
        let v = self.e.b.ins().shuffle(bytes, bytes, mask);
        self.e.view(ty, v)
    }
}
