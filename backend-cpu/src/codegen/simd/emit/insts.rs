//! Instructions: what each becomes once its operands are in registers.

use super::{Emit, Home, LESS_EQUAL, POINTERS, TAIL, at};
use crate::codegen::simd::asm::{Gpr, Masking, Place, R_TEMP, RAX, RDI, Rm, Vreg};
use crate::codegen::simd::body::{Inst, Part, Run, Signs, Size, Src, V};
use crate::codegen::simd::enc;
use crate::codegen::simd::enc::Enc;
use crate::options::Wide;
use smallvec::SmallVec;

impl Emit<'_> {
    /// A general register in every lane of a 256-bit vector.
    pub(in crate::codegen::simd) fn spread(&mut self, to: Vreg, from: Gpr, size: Size) {
        self.asm.vector(enc::FROM_GPR, to, 0, Rm::Reg(from), Masking::None, None);
        self.asm.vector(enc::SPREAD[at(size)], to, 0, Rm::Reg(to), Masking::None, None);
    }

    /// The memory of consecutive elements.
    fn run(&mut self, run: Run) -> Place {
        let base = self.pointer(run.pointer);
        Place::At { base, index: Some((RAX, run.scale)), offset: run.offset }
    }

    fn pointer(&mut self, pointer: u32) -> Gpr {
        match POINTERS.get(pointer as usize) {
            Some(&r) => r,
            None => {
                self.asm.load(R_TEMP, RDI, 8 * pointer as i32);
                R_TEMP
            }
        }
    }

    /// For each element of 1 or 2 bytes of a vector that exists in the last round, of which `RSI` says how many iterations it has:
    /// there is no mask for those of 256-bit vectors.
    fn each_left(
        &mut self,
        (run, width, part): (Run, u8, Part),
        place: Place,
        mut each: impl FnMut(&mut Self, u8, Place),
    ) {
        let Place::At { base, index, offset } = place else { unreachable!("consecutive elements") };
        let count = width / run.scale;
        let mut jumps: SmallVec<[usize; 16]> = SmallVec::new();
        for k in 0..count {
            self.asm.raw(&[0x48, 0x83, 0xfe, part * count + k]); // cmp rsi, lane
            jumps.push(self.asm.jump_ahead(LESS_EQUAL));
            let offset = offset + i32::from(k * run.scale);
            each(self, k, Place::At { base, index, offset });
        }
        jumps.into_iter().for_each(|jump| self.asm.land(jump));
    }

    /// Such elements, and zeros after them, extended.
    fn load_some(&mut self, vector: (Run, u8, Part), place: Place, enc: Enc, to: Vreg) {
        let scale = vector.0.scale;
        self.asm.vector(enc::XOR[0], to, to, Rm::Reg(to), Masking::None, None);
        self.each_left(vector, place, |e, k, place| {
            let insert = enc::INSERT[usize::from(scale == 2)];
            e.asm.vector(insert, to, to, Rm::Mem(place, scale), Masking::None, Some(k));
        });
        self.asm.vector(enc, to, 0, Rm::Reg(to), Masking::None, None);
    }

    fn lanes(&self, part: Part, loads: bool) -> Masking {
        match (self.tail, loads) {
            (false, _) => Masking::None,
            (true, true) => Masking::Zero(TAIL[part as usize]),
            (true, false) => Masking::Merge(TAIL[part as usize]),
        }
    }

    pub(super) fn inst(&mut self, inst: &Inst) -> Option<()> {
        match *inst {
            Inst::Unary { enc, size, imm, x, to } => {
                let x = match x {
                    Src::V(v) => Rm::Reg(self.register(v)),
                    Src::Iota(_) => self.rm(x, size),
                    Src::Number(_) | Src::Uniform(_)
                        if [enc::BROADCAST32, enc::BROADCAST64].contains(&enc) =>
                    {
                        let r = self.target(to);
                        self.load_into(r, x, size);
                        return Some(());
                    }
                    Src::Number(_) | Src::Uniform(_) => self.rm(x, size),
                };
                let to = self.target(to);
                self.asm.vector(enc, to, 0, x, Masking::None, imm);
            }
            Inst::Reversed { enc, imm, x, to } => {
                let x = self.register(x);
                let to = self.target(to);
                self.asm.vector(enc, x, 0, Rm::Reg(to), Masking::None, imm);
            }
            Inst::Binary { enc, size, imm, commutes, a, b, to } => {
                let (a, b) = match (a, b) {
                    (Src::V(_), _) => (a, b),
                    (_, Src::V(_)) if commutes => (b, a),
                    _ => (a, b),
                };
                let a = self.source(a, size);
                let b = self.rm(b, size);
                let to = self.target(to);
                self.asm.vector(enc, to, a.0, b, Masking::None, imm);
                self.give_back(a);
            }
            Inst::Fma { signs, size, a, b, c, to } => self.fma(signs, size, [a, b, c], to),
            Inst::Where { enc, size, mask, a, b, base, to } => {
                let (a, b) = (self.register(a), self.rm(b, size));
                let base = self.register(base);
                let to = self.target(to);
                let mask = Masking::Merge(self.held(mask));
                if to == a || matches!(b, Rm::Reg(r) if r == to) {
                    // The copy would destroy an operand.
                    let spare = self.take();
                    self.asm.vector(enc::MOVE, spare, 0, Rm::Reg(base), Masking::None, None);
                    self.asm.vector(enc, spare, a, b, mask, None);
                    self.asm.vector(enc::MOVE, to, 0, Rm::Reg(spare), Masking::None, None);
                    self.free.push(spare);
                } else {
                    self.asm.vector(enc::MOVE, to, 0, Rm::Reg(base), Masking::None, None);
                    self.asm.vector(enc, to, a, b, mask, None);
                }
            }
            Inst::Select { size, mask, yes, no, to } => {
                let no = self.source(no, size);
                let yes = self.rm(yes, size);
                let to = self.target(to);
                let mask = Masking::Merge(self.held(mask));
                self.asm.vector(enc::BLEND[at(size)], to, no.0, yes, mask, None);
                self.give_back(no);
            }
            Inst::Choose { mask, yes, no, to } => {
                let (mask, no) = (self.register(mask), self.register(no));
                let yes = self.rm(Src::V(yes), 4);
                let to = self.target(to);
                self.asm.vector(enc::CHOOSE, to, no, yes, Masking::None, Some(mask << 4));
            }
            Inst::Keep { size, mask, number, to } => {
                let place = self.each(number, size);
                let to = self.target(to);
                let enc = if size == 4 { enc::BROADCAST32 } else { enc::BROADCAST64 };
                let mask = Masking::Zero(self.held(mask));
                self.asm.vector(enc, to, 0, Rm::Mem(place, size), mask, None);
            }
            Inst::Compare { enc, size, imm, a, b, to } => {
                let (a, b) = (self.register(a), self.rm(b, size));
                let to = self.new_mask(to);
                self.asm.vector(enc, to, a, b, Masking::None, imm);
            }
            Inst::Masks { op, a, b, to } => {
                let (a, b) = (self.held(a), self.held(b));
                let to = self.new_mask(to);
                self.asm.masks(op, to, a, b);
            }
            Inst::Not { x, to } => {
                let x = self.held(x);
                let to = self.new_mask(to);
                self.asm.not_mask(to, x);
            }
            Inst::Join { high, low, to } => {
                let (high, low) = (self.held(high), self.held(low));
                let to = self.new_mask(to);
                self.asm.join_masks(to, high, low);
            }
            Inst::High { x, to } => {
                let x = self.held(x);
                let to = self.new_mask(to);
                self.asm.shift_mask(to, x, 8);
            }
            Inst::Load { enc, run, width, part, to } => {
                let place = self.run(run);
                if self.wide == Wide::Ymm && self.tail {
                    let Some(size) = whole(run.scale) else {
                        let to = self.target(to);
                        self.load_some((run, width, part), place, enc, to);
                        return Some(());
                    };
                    let mask = self.tail_mask(size, part);
                    let to = self.target(to);
                    let load = enc::MASKED_LOAD[at(size)];
                    self.asm.vector(load, to, mask, Rm::Mem(place, width), Masking::None, None);
                    self.free.push(mask);
                    return Some(());
                }
                let to = self.target(to);
                let lanes = self.lanes(part, true);
                self.asm.vector(enc, to, 0, Rm::Mem(place, width), lanes, None);
            }
            Inst::Store { enc, run, width, part, from } => {
                let from = self.register(from);
                let place = self.run(run);
                if self.wide == Wide::Ymm && self.tail {
                    let Some(size) = whole(run.scale) else {
                        self.each_left((run, width, part), place, |e, k, place| {
                            let extract = enc::EXTRACT[usize::from(run.scale == 2)];
                            e.asm.vector(extract, from, 0, Rm::Mem(place, run.scale), Masking::None, Some(k));
                        });
                        return Some(());
                    };
                    let mask = self.tail_mask(size, part);
                    let store = enc::MASKED_STORE[at(size)];
                    self.asm.vector(store, from, mask, Rm::Mem(place, width), Masking::None, None);
                    self.free.push(mask);
                    return Some(());
                }
                let lanes = self.lanes(part, false);
                let aligned = run.offset % i32::from(self.wide.bytes()) == 0;
                let past = !self.tail && aligned && self.streams.contains(&run.pointer);
                let enc = match enc {
                    enc::STORE32 if past => enc::STREAM32,
                    enc::STORE64 if past => enc::STREAM64,
                    enc => enc,
                };
                self.asm.vector(enc, from, 0, Rm::Mem(place, width), lanes, None);
            }
            Inst::Gather { enc, run, step, index, part, to } => {
                self.gather(enc, run, (step, index), part, to)?
            }
            Inst::Scatter { enc, run, step, part, from } => self.scatter(enc, run, step, part, from)?,
            Inst::Row { run, step, row, low, width, to } => self.row(run, (step, row), low, width, to)?,
            Inst::KeepRow { run, step, row, upper, width, from } => {
                self.keep_row(run, (step, row), upper, width, from)?
            }
            Inst::Turn { size, side, second, a, b, to } => self.turn(size, side.into(), second, [a, b], to),
            Inst::Counter { to } => {
                let to = self.target(to);
                match self.wide {
                    Wide::Zmm => self.asm.vector(enc::FROM_GPR64, to, 0, Rm::Reg(RAX), Masking::None, None),
                    Wide::Ymm => self.spread(to, RAX, 8),
                }
            }
        }
        Some(())
    }

    /// The register of a vector that this instruction reads last and may overwrite.
    fn dying(&self, x: Src) -> Option<(V, Vreg)> {
        let Src::V(v) = x else { return None };
        match self.home[v.0 as usize] {
            Home::Register(r) if self.dies(v) && self.holds[r as usize] == Some(v) => Some((v, r)),
            Home::Register(_) | Home::Spilled(_) | Home::Nowhere => None,
        }
    }

    /// The instruction overwrites one of its operands: one that dies if there is one.
    fn fma(&mut self, signs: Signs, size: Size, [a, b, c]: [Src; 3], to: V) {
        let form = |forms: [[Enc; 2]; 4]| forms[signs as usize][at(size)];
        let (product, sum) = (form(enc::FMA213), form(enc::FMA231));
        // An accumulator stays where it is.
        if !self.tail
            && let Some(&k) = self.becomes.get(&to)
            && c == Src::V(self.body.carried[k].from)
            && self.dies(self.body.carried[k].from)
        {
            let (a, b) = self.factors(a, b, size);
            self.asm.vector(sum, k as Vreg, a.0, b, Masking::None, None);
            self.give_back(a);
            self.target(to);
            return;
        }
        if let Some((v, r)) = self.dying(c)
            && ![a, b].contains(&c)
            && !self.becomes.contains_key(&to)
        {
            self.locked.push(r);
            let (a, b) = self.factors(a, b, size);
            self.asm.vector(sum, r, a.0, b, Masking::None, None);
            self.give_back(a);
            self.home[v.0 as usize] = Home::Nowhere;
            self.hold(to, r);
            return;
        }
        for (x, y) in [(a, b), (b, a)] {
            if let Some((v, r)) = self.dying(x)
                && x != y
                && x != c
                && !self.becomes.contains_key(&to)
            {
                self.locked.push(r);
                let y = self.source(y, size);
                let c = self.rm(c, size);
                self.asm.vector(product, r, y.0, c, Masking::None, None);
                self.give_back(y);
                self.home[v.0 as usize] = Home::Nowhere;
                self.hold(to, r);
                return;
            }
        }
        // None dies: a copy is overwritten.
        if let Src::V(c) = c {
            let c = self.register(c);
            let (a, b) = self.factors(a, b, size);
            let r = self.spare(to, &[a.0], b);
            self.asm.vector(enc::MOVE, r, 0, Rm::Reg(c), Masking::None, None);
            self.asm.vector(sum, r, a.0, b, Masking::None, None);
            self.give_back(a);
            return;
        }
        let (a, b) = if matches!(a, Src::V(_)) { (a, b) } else { (b, a) };
        let a = self.source(a, size);
        let c = self.rm(c, size);
        match b {
            Src::V(v) => {
                let b = self.register(v);
                let r = self.spare(to, &[a.0], c);
                self.asm.vector(enc::MOVE, r, 0, Rm::Reg(b), Masking::None, None);
                self.asm.vector(product, r, a.0, c, Masking::None, None);
            }
            Src::Number(_) | Src::Uniform(_) | Src::Iota(_) => {
                let r = self.spare(to, &[a.0], c);
                self.load_into(r, b, size);
                self.asm.vector(product, r, a.0, c, Masking::None, None);
            }
        }
        self.give_back(a);
    }

    /// Two factors, the second of which may be memory.
    fn factors(&mut self, a: Src, b: Src, size: Size) -> ((Vreg, bool), Rm) {
        let (a, b) = if matches!(a, Src::V(_)) { (a, b) } else { (b, a) };
        let a = self.source(a, size);
        (a, self.rm(b, size))
    }

    /// A register for a result that is not one of these.
    fn spare(&mut self, to: V, used: &[Vreg], rm: Rm) -> Vreg {
        let in_use = |r: Vreg| used.contains(&r) || rm == Rm::Reg(r);
        let k = self.becomes.get(&to).copied();
        match k {
            Some(k) if !self.tail && self.dies(self.body.carried[k].from) && !in_use(k as Vreg) => {
                self.target(to)
            }
            _ => {
                let r = self.take();
                self.hold(to, r);
                r
            }
        }
    }
}

/// The lanes of elements that are a lane each: no instruction of AVX2 accesses some bytes only.
fn whole(scale: u8) -> Option<Size> {
    [4, 8].contains(&scale).then_some(scale)
}
