//! Accesses: consecutive elements, elements at a fixed distance, and elements at computed places.

use super::narrow::narrow;
use super::{Caller, FURTHEST, Gen, Lanes, at};
use crate::codegen::simd::body::{Inst, Run, Src, V, size_of};
use crate::codegen::simd::enc;
use crate::codegen::variation::lane_step;
use smallvec::SmallVec;
use wengert_ir::kernel::{Access, KValue, MemKind, Scalar};

/// Most elements from one lane's to the next one's that vectors are stored to. Those in between are other trips' of a loop around.
const SCATTERED: i64 = 64;

impl<C: Caller> Gen<'_, C> {
    /// Consecutive elements of vector `k`.
    pub(super) fn run(&mut self, access: &Access, size: u8, k: usize) -> Run {
        let (pointer, offset) = self.caller.pointer(access);
        let elements = self.shift as i32 + 8 * i32::from(self.part(k));
        Run { pointer, offset: offset + elements * i32::from(size), scale: size }
    }

    pub(super) fn load(&mut self, access: &Access, result: KValue) -> Option<Lanes> {
        let elem = self.caller.mem(access.mem).elem;
        let Some(step) = lane_step(self.l, access, self.variation) else { return self.gather(access) };
        if step == 1 && elem == Scalar::I1 {
            let size = self.natural(&[]);
            return self.each_mask(size, |g, k| {
                let (run, part, to) = (g.run(access, 1, k), g.part(k), g.body.vector());
                let width = if size == 4 { 16 } else { 8 };
                g.body.insts.push(Inst::Load { enc: enc::FROM_BYTES[at(size)], run, width, part, to });
                Some(g.body.compare((enc::TEST[at(size)], None), size, Src::V(to), Src::V(to)))
            });
        }
        if narrow(elem).is_some() {
            return if step == 1 { self.load_narrow(access, result) } else { None };
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
            let run = g.apart(access, size, step, k);
            let (part, to, enc) = (g.part(k), g.body.vector(), enc::GATHER[at(size)]);
            g.body.insts.push(Inst::Gather { enc, run, step: step as i32, index: None, part, to });
            Some(to)
        })
    }

    /// Where the first element of vector `k` is, if they are `step` apart.
    fn apart(&mut self, access: &Access, size: u8, step: i64, k: usize) -> Run {
        let (pointer, offset) = self.caller.pointer(access);
        let first = self.shift as i32 + 8 * i32::from(self.part(k));
        Run { pointer, offset: offset + first * step as i32 * i32::from(size), scale: size }
    }

    /// To elements at some distance.
    fn scatter(&mut self, access: &Access, step: i64, value: KValue) -> Option<()> {
        let elem = self.caller.mem(access.mem).elem;
        let size = size_of(elem).filter(|_| narrow(elem).is_none())?;
        if !(2..=SCATTERED).contains(&step) {
            return None;
        }
        for k in 0..self.parts(size) {
            let x = self.number(value, k)?;
            let from = self.body.register(size, x);
            let (run, part) = (self.apart(access, size, step, k), self.part(k));
            let enc = enc::SCATTER[at(size)];
            self.body.insts.push(Inst::Scatter { enc, run, step: step as i32, part, from });
        }
        Some(())
    }

    /// Elements at computed places: eight at a time, their indices being integers of 8 bytes.
    fn gather(&mut self, access: &Access) -> Option<Lanes> {
        let elem = self.caller.mem(access.mem).elem;
        if elem == Scalar::I1 || narrow(elem).is_some() {
            return self.gather_narrow(access);
        }
        let size = size_of(elem)?;
        let counter = self.l.body.params[0];
        let is_computed = |v: KValue| v != counter && self.variation.varies(v);
        let (computed, fixed): (Vec<_>, _) = access.terms.iter().copied().partition(|&(v, _)| is_computed(v));
        let fixed = Access { terms: fixed.into(), ..access.clone() };
        let step = lane_step(self.l, &fixed, self.variation)?;
        if self.variation.stored.contains(&access.mem) || step.abs() > FURTHEST {
            return None;
        }
        let mut parts: SmallVec<[V; 2]> = SmallVec::new();
        for k in 0..self.parts(8) {
            let run = self.apart(&fixed, size, step, k);
            let mut index = (step != 0).then(|| {
                let multiply = (enc::MUL[1], true);
                Src::V(self.body.binary(multiply, 8, Src::Iota(0), Src::Number(step as u64)))
            });
            for &(v, stride) in computed.iter().filter(|(_, stride)| *stride != 0) {
                let mut term = self.number(v, k)?;
                if stride != 1 {
                    let multiply = (enc::MUL[1], true);
                    term = Src::V(self.body.binary(multiply, 8, term, Src::Number(stride as u64)));
                }
                index = Some(match index {
                    Some(index) => Src::V(self.body.binary((enc::ADD[1], true), 8, index, term)),
                    None => term,
                });
            }
            let index = Some(Src::V(self.body.register(8, index?)));
            let (part, to, enc) = (self.part(k), self.body.vector(), enc::GATHER_BY_I64[at(size)]);
            self.body.insts.push(Inst::Gather { enc, run, step: step as i32, index, part, to });
            parts.push(to);
        }
        if size == 4 {
            let halves = parts.as_slice().try_into().ok()?;
            return Some(Lanes::Numbers(SmallVec::from_slice(&[Src::V(self.joined(halves))])));
        }
        Some(Lanes::Numbers(parts.into_iter().map(Src::V).collect()))
    }

    /// Elements of a byte or two at computed places of a memory, which has eight bytes at least: those that end with the element, or
    /// that the memory ends with, are read, and what is before the element is shifted out.
    fn gather_narrow(&mut self, access: &Access) -> Option<Lanes> {
        const WORD: usize = 8;
        let memory = self.caller.mem(access.mem);
        let (elem, bytes) = (memory.elem, memory.elem.size());
        let last = memory.len.checked_mul(bytes)?.checked_sub(WORD)?;
        // A stack, which only the program's own memories are, has more elements than it says.
        if self.variation.stored.contains(&access.mem) || matches!(memory.kind, MemKind::Program(_)) {
            return None;
        }
        // What the memory ends with is known from its beginning only.
        let start = Access { mem: access.mem, offset: 0, terms: SmallVec::new() };
        let (pointer, offset) = self.caller.pointer(&start);
        let run = Run { pointer, offset, scale: 1 };
        let mut parts: SmallVec<[V; 2]> = SmallVec::new();
        for k in 0..self.parts(8) {
            let mut index = Src::Number(access.offset as u64);
            for &(v, stride) in access.terms.iter().filter(|(_, stride)| *stride != 0) {
                let mut term = self.number(v, k)?;
                if stride != 1 {
                    let by = Src::Number(stride as u64);
                    term = Src::V(self.body.binary((enc::MUL[1], true), 8, term, by));
                }
                index = match index {
                    Src::Number(0) => term,
                    index => Src::V(self.body.binary((enc::ADD[1], true), 8, term, index)),
                };
            }
            let mut first = self.body.register(8, index);
            if bytes == 2 {
                first = self.body.binary((enc::ADD[1], true), 8, Src::V(first), Src::V(first));
            }
            let at = self.body.binary((enc::MIN[1], true), 8, Src::V(first), Src::Number(last as u64));
            let before = self.body.binary((enc::SUB[1], false), 8, Src::V(first), Src::V(at));
            let bits = self.body.binary((enc::SHL[1], false), 8, Src::V(before), Src::Number(3));
            let (part, to, enc) = (self.part(k), self.body.vector(), enc::GATHER_BY_I64[1]);
            self.body.insts.push(Inst::Gather { enc, run, step: 0, index: Some(Src::V(at)), part, to });
            parts.push(self.body.binary((enc::SHR_U[1], false), 8, Src::V(to), Src::V(bits)));
        }
        if elem == Scalar::I1 {
            return self.each_mask(8, |g, k| {
                Some(g.body.compare((enc::TEST[1], None), 8, Src::V(parts[k]), Src::Number(1)))
            });
        }
        let halves = parts.iter().map(|&x| {
            let to = self.body.vector();
            self.body.insts.push(Inst::Reversed { enc: enc::I64_TO_I32, imm: None, x, to });
            to
        });
        let halves: SmallVec<[V; 2]> = halves.collect();
        let halves = halves.as_slice().try_into().ok()?;
        Some(Lanes::Numbers(SmallVec::from_slice(&[Src::V(self.joined(halves))])))
    }

    pub(super) fn store(&mut self, access: &Access, value: KValue) -> Option<()> {
        let elem = self.caller.mem(access.mem).elem;
        let step = lane_step(self.l, access, self.variation)?;
        if step != 1 {
            return self.scatter(access, step, value);
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
        if narrow(elem).is_some() {
            return self.store_narrow(access, value);
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
