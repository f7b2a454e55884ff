//! Loads and stores: of consecutive elements as vectors, of others lane by lane.

use super::{Chunk, Lanes};
use crate::codegen::clif::{clif_type, flags, vector_type};
use cranelift_codegen::ir::{InstBuilder, Value, types};
use smallvec::SmallVec;
use wengert_ir::kernel::{Access, KValue, Scalar};

impl Chunk<'_, '_, '_> {
    /// The address of lane 0 without what varies in other ways than with the counter; and those terms.
    fn base(&mut self, access: &Access) -> (Value, i32, SmallVec<[(KValue, i64); 2]>) {
        let counter = self.l.body.params[0];
        let (mut fixed, mut other) = (access.clone(), SmallVec::new());
        fixed.terms.retain(|&mut (v, stride)| {
            let stays = v == counter || !self.varies(v);
            if !stays && stride != 0 {
                other.push((v, stride));
            }
            stays
        });
        let (pointer, offset) = self.e.address(&fixed);
        (pointer, offset, other)
    }

    /// The address of one lane.
    fn lane_address(
        &mut self,
        (pointer, offset): (Value, i32),
        other: &[(KValue, i64)],
        step: i64,
        size: usize,
        lane: usize,
    ) -> (Value, i32) {
        let size = size as i64;
        let mut pointer = pointer;
        for &(v, stride) in other {
            let index = self.lane(v, lane);
            let part = match stride.wrapping_mul(size) {
                1 => index,
                scale if scale > 0 && scale.count_ones() == 1 => {
                    self.e.b.ins().ishl_imm_u(index, i64::from(scale.trailing_zeros()))
                }
                scale => self.e.b.ins().imul_imm_s(index, scale),
            };
            pointer = self.e.b.ins().iadd(pointer, part);
        }
        let moved = (self.first + lane as i64).wrapping_mul(step).wrapping_mul(size);
        match i32::try_from(moved).ok().and_then(|m| m.checked_add(offset)) {
            Some(offset) => (pointer, offset),
            None => (self.e.b.ins().iadd_imm_s(pointer, moved.wrapping_add(i64::from(offset))), 0),
        }
    }

    /// Elements from one iteration to the next because of the counter.
    fn counter_step(&self, access: &Access) -> i64 {
        let counter = self.l.body.params[0];
        let strides = access.terms.iter().filter(|(v, _)| *v == counter).map(|&(_, stride)| stride);
        strides.fold(0i64, i64::wrapping_add).wrapping_mul(self.l.step)
    }

    pub(super) fn load(&mut self, access: &Access) -> Lanes {
        let ty = self.e.kernel.mems[access.mem].elem;
        let (pointer, offset, other) = self.base(access);
        let step = self.counter_step(access);
        let at = (pointer, offset);
        if step == 1 && other.is_empty() {
            return match ty {
                Scalar::I1 => self.load_masks(at),
                _ => Lanes::Numbers(
                    (0..self.count(ty.size()))
                        .map(|k| {
                            let lane = k * (16 / ty.size());
                            let (pointer, offset) = self.lane_address(at, &[], 1, ty.size(), lane);
                            self.e.b.ins().load(vector_type(ty), flags(), pointer, offset)
                        })
                        .collect(),
                ),
            };
        }
        let mut scalars: Vec<Value> = Vec::with_capacity(self.width);
        for lane in 0..self.width {
            if step == 0 && other.is_empty() && lane > 0 {
                scalars.push(scalars[0]);
                continue;
            }
            let (pointer, offset) = self.lane_address(at, &other, step, ty.size(), lane);
            scalars.push(self.e.b.ins().load(clif_type(ty), flags(), pointer, offset));
        }
        self.collect(ty, &scalars)
    }

    /// Bytes of 0 or 1 as masks.
    fn load_masks(&mut self, at: (Value, i32)) -> Lanes {
        if self.width < 4 {
            let scalars: Vec<Value> = (0..self.width)
                .map(|lane| {
                    let (pointer, offset) = self.lane_address(at, &[], 1, 1, lane);
                    self.e.b.ins().load(types::I8, flags(), pointer, offset)
                })
                .collect();
            return self.collect(Scalar::I1, &scalars);
        }
        let masks = (0..self.width / 4)
            .map(|k| {
                let (pointer, offset) = self.lane_address(at, &[], 1, 1, 4 * k);
                let word = self.e.b.ins().load(types::I32, flags(), pointer, offset);
                let v = self.e.b.ins().scalar_to_vector(types::I32X4, word);
                let v = self.e.view(types::I8X16, v);
                let v = self.e.b.ins().uwiden_low(v);
                let v = self.e.b.ins().uwiden_low(v);
                self.e.b.ins().ineg(v)
            })
            .collect();
        Lanes::Mask(4, masks)
    }

    pub(super) fn store(&mut self, access: &Access, value: KValue) {
        let ty = self.e.kernel.mems[access.mem].elem;
        let (pointer, offset, other) = self.base(access);
        let step = self.counter_step(access);
        let at = (pointer, offset);
        if step == 1 && other.is_empty() && ty != Scalar::I1 {
            for k in 0..self.count(ty.size()) {
                let v = self.vector(value, k);
                let (pointer, offset) = self.lane_address(at, &[], 1, ty.size(), k * (16 / ty.size()));
                self.e.b.ins().store(flags(), v, pointer, offset);
            }
        } else if step == 1 && other.is_empty() && self.width >= 4 {
            for (k, mask) in self.mask(value, 4).into_iter().enumerate() {
                let halves = self.e.b.ins().snarrow(mask, mask);
                let bytes = self.e.b.ins().snarrow(halves, halves);
                let words = self.e.view(types::I32X4, bytes);
                let word = self.e.b.ins().extractlane(words, 0);
                let word = self.e.b.ins().band_imm_s(word, 0x0101_0101);
                let (pointer, offset) = self.lane_address(at, &[], 1, 1, 4 * k);
                self.e.b.ins().store(flags(), word, pointer, offset);
            }
        } else {
            for lane in 0..self.width {
                let scalar = self.lane(value, lane);
                let (pointer, offset) = self.lane_address(at, &other, step, ty.size(), lane);
                self.e.b.ins().store(flags(), scalar, pointer, offset);
            }
        }
    }
}
