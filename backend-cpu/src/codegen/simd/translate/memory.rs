//! Accesses: consecutive elements, and elements at a fixed distance.

use super::{Caller, FURTHEST, Gen, Lanes, at};
use crate::codegen::simd::body::{Inst, Run, Src, size_of};
use crate::codegen::simd::enc;
use crate::codegen::vector::lane_step;
use wengert_ir::kernel::{Access, KValue, Scalar};

impl<C: Caller> Gen<'_, C> {
    /// Consecutive elements of vector `k`.
    fn run(&mut self, access: &Access, size: u8, k: usize) -> Run {
        let (pointer, offset) = self.caller.pointer(access);
        let elements = self.shift as i32 + 8 * i32::from(self.part(k));
        Run { pointer, offset: offset + elements * i32::from(size), scale: size }
    }

    pub(super) fn load(&mut self, access: &Access) -> Option<Lanes> {
        let elem = self.caller.mem(access.mem).elem;
        let step = lane_step(self.l, access, self.variation)?;
        if step == 1 && elem == Scalar::I1 {
            let size = self.natural(&[]);
            return self.each_mask(size, |g, k| {
                let (run, part, to) = (g.run(access, 1, k), g.part(k), g.body.vector());
                let width = if size == 4 { 16 } else { 8 };
                g.body.insts.push(Inst::Load { enc: enc::FROM_BYTES[at(size)], run, width, part, to });
                Some(g.body.compare((enc::TEST[at(size)], None), size, Src::V(to), Src::V(to)))
            });
        }
        let size = size_of(elem)?;
        if step == 1 {
            let load = if size == 4 { enc::LOAD32 } else { enc::LOAD64 };
            return self.each(size, |g, k| {
                let (run, part, to) = (g.run(access, size, k), g.part(k), g.body.vector());
                g.body.insts.push(Inst::Load { enc: load, run, width: 64, part, to });
                Some(to)
            });
        }
        if step == 0 || step.abs() > FURTHEST {
            return None;
        }
        self.each(size, |g, k| {
            let (pointer, offset) = g.caller.pointer(access);
            let first = g.shift + u32::from(g.part(k)) * 8;
            let run = Run { pointer, offset, scale: size };
            let step = step as i32;
            let lanes = (enc::MUL[at(size)], true);
            let index = g.body.binary(lanes, size, Src::Iota(first), Src::Number(step as u64));
            let (part, to) = (g.part(k), g.body.vector());
            let enc = enc::GATHER[at(size)];
            g.body.insts.push(Inst::Gather { enc, run, step, index: Src::V(index), part, to });
            Some(to)
        })
    }

    pub(super) fn store(&mut self, access: &Access, value: KValue) -> Option<()> {
        let elem = self.caller.mem(access.mem).elem;
        if lane_step(self.l, access, self.variation)? != 1 {
            return None;
        }
        if elem == Scalar::I1 {
            let size = self.natural(&[value]);
            for k in 0..self.parts(size) {
                let mask = self.mask(value, size, k)?;
                let (run, part, from) = (self.run(access, 1, k), self.part(k), self.body.vector());
                self.body.insts.push(Inst::Keep { size, mask, number: Src::Number(1), to: from });
                let width = if size == 4 { 16 } else { 8 };
                self.body.insts.push(Inst::Store { enc: enc::TO_BYTES[at(size)], run, width, part, from });
            }
            return Some(());
        }
        let size = size_of(elem)?;
        let store = if size == 4 { enc::STORE32 } else { enc::STORE64 };
        for k in 0..self.parts(size) {
            let x = self.number(value, k)?;
            let from = self.body.register(size, x);
            let (run, part) = (self.run(access, size, k), self.part(k));
            self.body.insts.push(Inst::Store { enc: store, run, width: 64, part, from });
        }
        Some(())
    }
}
