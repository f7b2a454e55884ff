//! Registers: one walk over a body gives each of its vectors a register and adds its instructions.
//!
//! When none is free, the value whose next use is furthest away is written to the block (Belady's rule, optimal for
//! straight-line code) and read from there.

use super::asm::{Asm, Enc, Gpr, Mask, Masking, Place, R_TEMP, RAX, RBP, RBX, RDI, Rm, Zmm};
use super::assemble::Layout;
use super::body::{Body, Carried, Inst, K, Part, Run, Signs, Size, Src, V};
use super::enc;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Registers for pointers: those that a function may overwrite, then those that it saves. One is kept for addresses
/// that are made on the spot.
pub(super) const POINTERS: [Gpr; 11] = [1, 2, 8, 9, 10, RBX, RBP, 12, 13, 14, 15];
/// How many of them need no saving.
pub(super) const FREE_POINTERS: usize = 5;
/// Most accumulators.
pub(super) const CARRIED: usize = 12;
/// Masks of the lanes of the last round: of the first half, and of the second.
pub(super) const TAIL: [Mask; 2] = [1, 2];
/// Masks for values.
const MASKS: [Mask; 5] = [3, 4, 5, 6, 7];

pub(super) fn full_load(size: Size) -> Enc {
    if size == 4 { enc::LOAD32 } else { enc::LOAD64 }
}

pub(super) fn full_store(size: Size) -> Enc {
    if size == 4 { enc::STORE32 } else { enc::STORE64 }
}

fn at(size: Size) -> usize {
    usize::from(size == 8)
}

/// Where a vector is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Home {
    Nowhere,
    Register(Zmm),
    /// In the block only.
    Spilled(u32),
}

/// A function being made.
pub(super) struct Emit<'a> {
    pub(super) asm: Asm,
    body: &'a Body,
    layout: Layout,
    pub(super) constants: Vec<u8>,
    known: FxHashMap<(Size, u64), u32>,
    iotas: FxHashMap<(Size, u32), u32>,
    /// Positions at which each vector and each mask is read, in order.
    uses: Vec<SmallVec<[u32; 4]>>,
    last_mask_use: Vec<u32>,
    /// The accumulator that a vector becomes at the end, if there is one.
    becomes: FxHashMap<V, usize>,
    home: Vec<Home>,
    /// A vector's place in the block, once it has one.
    slots: Vec<Option<u32>>,
    free: Vec<Zmm>,
    holds: [Option<V>; 32],
    masks: Vec<Mask>,
    free_masks: Vec<Mask>,
    pub(super) spills: u32,
    now: u32,
    tail: bool,
    /// Registers that the instruction being added reads.
    locked: SmallVec<[Zmm; 4]>,
    /// Constants that stay in registers.
    pub(super) pinned: Vec<(Size, Src, Zmm)>,
    /// Most registers in use so far.
    pub(super) most: usize,
    /// Pointers through which whole vectors are stored past the caches.
    pub(super) streams: &'a [u32],
}

impl<'a> Emit<'a> {
    pub(super) fn new(body: &'a Body, layout: Layout) -> Self {
        Self {
            asm: Asm::default(),
            body,
            layout,
            constants: Vec::new(),
            known: FxHashMap::default(),
            iotas: FxHashMap::default(),
            uses: Vec::new(),
            last_mask_use: Vec::new(),
            becomes: FxHashMap::default(),
            home: Vec::new(),
            slots: Vec::new(),
            free: Vec::new(),
            holds: [None; 32],
            masks: Vec::new(),
            free_masks: Vec::new(),
            spills: 0,
            now: 0,
            tail: false,
            locked: SmallVec::new(),
            pinned: Vec::new(),
            most: 0,
            streams: &[],
        }
    }

    /// Chooses constants of a body to stay in this many registers, the highest ones: those that are read most often.
    pub(super) fn pin(&mut self, body: &Body, registers: usize) {
        let mut counts: Vec<(Size, Src, u32)> = Vec::new();
        let mut known: FxHashMap<(Size, Src), usize> = FxHashMap::default();
        for inst in &body.insts {
            inst.constants(&mut |size, x| {
                let k = *known.entry((size, x)).or_insert_with(|| {
                    counts.push((size, x, 0));
                    counts.len() - 1
                });
                counts[k].2 += 1;
            });
        }
        counts.sort_by_key(|&(.., count)| std::cmp::Reverse(count));
        let chosen = counts.into_iter().take(registers).zip((0..32).rev());
        self.pinned = chosen.map(|((size, x, _), r)| (size, x, r)).collect();
    }

    fn pinned(&self, size: Size, x: Src) -> Option<Zmm> {
        self.pinned.iter().find(|(s, y, _)| (*s, *y) == (size, x)).map(|&(.., r)| r)
    }

    /// A register that holds nothing between rounds.
    pub(super) fn spare_register(&self) -> Zmm {
        let pinned = self.pinned.len() as Zmm;
        debug_assert!(self.body.carried.len() < 31 - pinned as usize, "accumulators and constants fill all");
        31 - pinned
    }

    fn set_body(&mut self, body: &'a Body) {
        self.body = body;
        self.uses = vec![SmallVec::new(); body.vectors as usize];
        self.last_mask_use = vec![0; body.masks as usize];
        let (uses, last_mask_use) = (&mut self.uses, &mut self.last_mask_use);
        for (at, inst) in body.insts.iter().enumerate() {
            inst.reads(&mut |v| uses[v.0 as usize].push(at as u32), &mut |k| {
                last_mask_use[k.0 as usize] = at as u32
            });
        }
        let end = body.insts.len() as u32;
        self.becomes.clear();
        for (k, carried) in body.carried.iter().enumerate() {
            self.uses[carried.to.0 as usize].push(end);
            self.becomes.insert(carried.to, k);
        }
    }

    /// Where a constant is among the constants.
    fn number(&mut self, size: Size, word: u64) -> u32 {
        let word = if size == 4 { word & 0xffff_ffff } else { word };
        *self.known.entry((size, word)).or_insert_with(|| {
            while !self.constants.len().is_multiple_of(size.into()) {
                self.constants.push(0);
            }
            self.constants.extend_from_slice(&word.to_le_bytes()[..size.into()]);
            self.constants.len() as u32 - u32::from(size)
        })
    }

    pub(super) fn iota(&mut self, size: Size, first: u32) -> u32 {
        *self.iotas.entry((size, first)).or_insert_with(|| {
            while !self.constants.len().is_multiple_of(64) {
                self.constants.push(0);
            }
            let start = self.constants.len() as u32;
            for lane in 0..64 / u32::from(size) {
                self.constants.extend_from_slice(&u64::from(first + lane).to_le_bytes()[..size.into()]);
            }
            start
        })
    }

    /// Once through the body.
    pub(super) fn round(&mut self, body: &'a Body, tail: bool) -> Option<()> {
        self.set_body(body);
        self.tail = tail;
        self.home = vec![Home::Nowhere; self.body.vectors as usize];
        self.slots = vec![None; self.body.vectors as usize];
        self.masks = vec![0; self.body.masks as usize];
        self.free_masks = MASKS.into_iter().rev().collect();
        let reserved = self.body.carried.len() as Zmm;
        self.free = (reserved..32 - self.pinned.len() as Zmm).rev().collect();
        self.most = reserved as usize;
        self.holds = [None; 32];
        for (k, carried) in self.body.carried.iter().enumerate() {
            self.home[carried.from.0 as usize] = Home::Register(k as Zmm);
        }
        for (at, inst) in self.body.insts.iter().enumerate() {
            self.now = at as u32;
            self.locked.clear();
            self.inst(inst)?;
            self.release(inst);
        }
        self.now = self.body.insts.len() as u32;
        for (k, &Carried { to, part, size, .. }) in self.body.carried.iter().enumerate() {
            let target = k as Zmm;
            let source = match self.home[to.0 as usize] {
                Home::Register(r) if r == target => continue,
                Home::Register(r) => Rm::Reg(r),
                Home::Spilled(slot) => Rm::Mem(self.spill_place(slot), 64),
                Home::Nowhere => unreachable!("what a body yields is computed"),
            };
            let masking = if tail { Masking::Merge(TAIL[part as usize]) } else { Masking::None };
            self.asm.vector(full_load(size), target, 0, source, masking, None);
        }
        Some(())
    }

    fn next_use(&self, v: V) -> Option<u32> {
        self.uses[v.0 as usize].iter().copied().find(|&at| at >= self.now)
    }

    /// Whether nothing after the instruction being added reads a vector.
    fn dies(&self, v: V) -> bool {
        self.uses[v.0 as usize].last().is_none_or(|&last| last <= self.now)
    }

    /// Frees what was read for the last time.
    fn release(&mut self, inst: &Inst) {
        let mut vectors: SmallVec<[V; 4]> = SmallVec::new();
        let mut masks: SmallVec<[K; 4]> = SmallVec::new();
        inst.reads(&mut |v| vectors.push(v), &mut |k| masks.push(k));
        let (vector, mask) = inst.writes();
        vectors.extend(vector);
        for v in vectors {
            if self.dies(v) {
                self.forget(v);
            }
        }
        masks.extend(mask);
        for k in masks {
            let register = self.masks[k.0 as usize];
            if self.last_mask_use[k.0 as usize] <= self.now && !self.free_masks.contains(&register) {
                self.free_masks.push(register);
            }
        }
    }

    /// A vector is no longer needed.
    fn forget(&mut self, v: V) {
        if let Home::Register(r) = self.home[v.0 as usize]
            && self.holds[r as usize] == Some(v)
        {
            self.holds[r as usize] = None;
            self.free.push(r);
        }
        self.home[v.0 as usize] = Home::Nowhere;
    }

    fn spill_place(&self, slot: u32) -> Place {
        Place::At { base: RDI, index: None, offset: self.layout.spills + 64 * slot as i32 }
    }

    /// A register that holds nothing that is needed.
    fn take(&mut self) -> Zmm {
        if let Some(r) = self.free.pop() {
            self.most = self.most.max(32 - self.free.len());
            return r;
        }
        let furthest = (0..32u8)
            .filter(|r| !self.locked.contains(r))
            .filter_map(|r| self.holds[r as usize].map(|v| (self.next_use(v).unwrap_or(u32::MAX), r, v)))
            .max();
        let (_, r, v) = furthest.expect("an instruction reads fewer registers than there are");
        let slot = match self.slots[v.0 as usize] {
            Some(slot) => slot,
            None => {
                // Places of vectors that are dead could be had again; there is room.
                let slot = self.slots.iter().flatten().max().map_or(0, |s| s + 1);
                self.slots[v.0 as usize] = Some(slot);
                self.spills = self.spills.max(slot + 1);
                let place = self.spill_place(slot);
                self.asm.vector(enc::STORE32, r, 0, Rm::Mem(place, 64), Masking::None, None);
                slot
            }
        };
        self.home[v.0 as usize] = Home::Spilled(slot);
        self.holds[r as usize] = None;
        r
    }

    /// The register for a result.
    fn target(&mut self, v: V) -> Zmm {
        if !self.tail
            && let Some(&k) = self.becomes.get(&v)
            && self.dies(self.body.carried[k].from)
        {
            self.home[v.0 as usize] = Home::Register(k as Zmm);
            self.home[self.body.carried[k].from.0 as usize] = Home::Nowhere;
            return k as Zmm;
        }
        let r = self.take();
        self.hold(v, r);
        r
    }

    fn hold(&mut self, v: V, r: Zmm) {
        self.holds[r as usize] = Some(v);
        self.home[v.0 as usize] = Home::Register(r);
    }

    /// A vector in a register.
    fn register(&mut self, v: V) -> Zmm {
        let r = match self.home[v.0 as usize] {
            Home::Register(r) => r,
            Home::Spilled(slot) => {
                let r = self.take();
                let place = self.spill_place(slot);
                self.asm.vector(enc::LOAD32, r, 0, Rm::Mem(place, 64), Masking::None, None);
                self.hold(v, r);
                r
            }
            Home::Nowhere => unreachable!("a vector is computed before it is read"),
        };
        self.locked.push(r);
        r
    }

    /// A source as the operand that may be memory.
    fn rm(&mut self, x: Src, size: Size) -> Rm {
        match x {
            Src::V(v) => match self.home[v.0 as usize] {
                Home::Spilled(slot) => Rm::Mem(self.spill_place(slot), 64),
                Home::Register(_) | Home::Nowhere => Rm::Reg(self.register(v)),
            },
            Src::Number(_) | Src::Uniform(_) => match self.pinned(size, x) {
                Some(r) => Rm::Reg(r),
                None => Rm::Each(self.each(x, size), size),
            },
            Src::Iota(first) => Rm::Mem(Place::Constant(self.iota(size, first)), 64),
        }
    }

    /// Where the number of a source that is the same in every lane is.
    fn each(&mut self, x: Src, size: Size) -> Place {
        match x {
            Src::Number(word) => Place::Constant(self.number(size, word)),
            Src::Uniform(k) => {
                Place::At { base: RDI, index: None, offset: self.layout.uniforms + 8 * k as i32 }
            }
            Src::V(_) | Src::Iota(_) => unreachable!("lanes that differ"),
        }
    }

    /// A source in a register of its own if it is not a vector.
    fn source(&mut self, x: Src, size: Size) -> (Zmm, bool) {
        match x {
            Src::V(v) => (self.register(v), false),
            Src::Number(_) | Src::Uniform(_) if let Some(r) = self.pinned(size, x) => (r, false),
            Src::Number(_) | Src::Uniform(_) | Src::Iota(_) => {
                let r = self.take();
                self.load_into(r, x, size);
                self.locked.push(r);
                (r, true)
            }
        }
    }

    pub(super) fn load_into(&mut self, r: Zmm, x: Src, size: Size) {
        match x {
            Src::Number(_) | Src::Uniform(_)
                if let Some(known) = self.pinned(size, x)
                    && known != r =>
            {
                self.asm.vector(enc::MOVE, r, 0, Rm::Reg(known), Masking::None, None);
            }
            Src::Iota(first) => {
                let place = Place::Constant(self.iota(size, first));
                self.asm.vector(full_load(size), r, 0, Rm::Mem(place, 64), Masking::None, None);
            }
            Src::Number(_) | Src::Uniform(_) | Src::V(_) => {
                let place = self.each(x, size);
                let enc = if size == 4 { enc::BROADCAST32 } else { enc::BROADCAST64 };
                self.asm.vector(enc, r, 0, Rm::Mem(place, size), Masking::None, None);
            }
        }
    }

    /// Gives a register that [`Emit::source`] made back.
    fn give_back(&mut self, (r, own): (Zmm, bool)) {
        if own {
            self.free.push(r);
        }
    }

    fn mask(&mut self) -> Option<Mask> {
        self.free_masks.pop()
    }

    fn held(&self, k: K) -> Mask {
        self.masks[k.0 as usize]
    }

    /// Gives a mask its register: one that the instruction frees will do.
    fn new_mask(&mut self, k: K) -> Option<Mask> {
        let r = self.mask()?;
        self.masks[k.0 as usize] = r;
        Some(r)
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

    fn lanes(&self, part: Part, loads: bool) -> Masking {
        match (self.tail, loads) {
            (false, _) => Masking::None,
            (true, true) => Masking::Zero(TAIL[part as usize]),
            (true, false) => Masking::Merge(TAIL[part as usize]),
        }
    }

    fn inst(&mut self, inst: &Inst) -> Option<()> {
        match *inst {
            Inst::Unary { enc, size, imm, x, to } => {
                let x = match x {
                    Src::V(v) => Rm::Reg(self.register(v)),
                    Src::Iota(_) => self.rm(x, size),
                    Src::Number(_) | Src::Uniform(_)
                        if [enc::BROADCAST32, enc::BROADCAST64].contains(&enc) =>
                    {
                        Rm::Mem(self.each(x, size), size)
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
            Inst::Keep { size, mask, number, to } => {
                let place = self.each(number, size);
                let to = self.target(to);
                let enc = if size == 4 { enc::BROADCAST32 } else { enc::BROADCAST64 };
                let mask = Masking::Zero(self.held(mask));
                self.asm.vector(enc, to, 0, Rm::Mem(place, size), mask, None);
            }
            Inst::Compare { enc, size, imm, a, b, to } => {
                let (a, b) = (self.register(a), self.rm(b, size));
                let to = self.new_mask(to)?;
                self.asm.vector(enc, to, a, b, Masking::None, imm);
            }
            Inst::Masks { op, a, b, to } => {
                let (a, b) = (self.held(a), self.held(b));
                let to = self.new_mask(to)?;
                self.asm.masks(op, to, a, b);
            }
            Inst::Not { x, to } => {
                let x = self.held(x);
                let to = self.new_mask(to)?;
                self.asm.not_mask(to, x);
            }
            Inst::Join { high, low, to } => {
                let (high, low) = (self.held(high), self.held(low));
                let to = self.new_mask(to)?;
                self.asm.join_masks(to, high, low);
            }
            Inst::High { x, to } => {
                let x = self.held(x);
                let to = self.new_mask(to)?;
                self.asm.shift_mask(to, x, 8);
            }
            Inst::Load { enc, run, width, part, to } => {
                let place = self.run(run);
                let to = self.target(to);
                let lanes = self.lanes(part, true);
                self.asm.vector(enc, to, 0, Rm::Mem(place, width), lanes, None);
            }
            Inst::Store { enc, run, width, part, from } => {
                let from = self.register(from);
                let place = self.run(run);
                let lanes = self.lanes(part, false);
                let past = !self.tail && run.offset % 64 == 0 && self.streams.contains(&run.pointer);
                let enc = match enc {
                    enc::STORE32 if past => enc::STREAM32,
                    enc::STORE64 if past => enc::STREAM64,
                    enc => enc,
                };
                self.asm.vector(enc, from, 0, Rm::Mem(place, width), lanes, None);
            }
            Inst::Gather { enc, run, step, index, part, to } => {
                if run.pointer as usize >= POINTERS.len() {
                    return None;
                }
                let index = self.source(index, if self.body.width == 8 { 8 } else { run.scale });
                let base = POINTERS[run.pointer as usize];
                self.asm.multiply(R_TEMP, RAX, step * i32::from(run.scale));
                self.asm.lea(R_TEMP, R_TEMP, Some((base, 1)), run.offset);
                // The instruction clears the mask as it goes.
                let mask = self.mask()?;
                match self.tail {
                    true => self.asm.move_mask(mask, TAIL[part as usize]),
                    false => self.asm.masks(0x46, mask, mask, mask),
                }
                // It must not write over its index.
                let r = self.take();
                self.hold(to, r);
                self.asm.vector(enc::XOR[0], r, r, Rm::Reg(r), Masking::None, None);
                let place = Place::Gathered { base: R_TEMP, index: index.0, scale: run.scale };
                self.asm.vector(enc, r, 0, Rm::Mem(place, run.scale), Masking::Merge(mask), None);
                self.free_masks.push(mask);
                self.give_back(index);
            }
            Inst::Counter { to } => {
                let to = self.target(to);
                self.asm.vector(enc::FROM_GPR64, to, 0, Rm::Reg(RAX), Masking::None, None);
            }
        }
        Some(())
    }

    /// The register of a vector that this instruction reads last and may overwrite.
    fn dying(&self, x: Src) -> Option<(V, Zmm)> {
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
            self.asm.vector(sum, k as Zmm, a.0, b, Masking::None, None);
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
    fn factors(&mut self, a: Src, b: Src, size: Size) -> ((Zmm, bool), Rm) {
        let (a, b) = if matches!(a, Src::V(_)) { (a, b) } else { (b, a) };
        let a = self.source(a, size);
        (a, self.rm(b, size))
    }

    /// A register for a result that is not one of these.
    fn spare(&mut self, to: V, used: &[Zmm], rm: Rm) -> Zmm {
        let in_use = |r: Zmm| used.contains(&r) || rm == Rm::Reg(r);
        let k = self.becomes.get(&to).copied();
        match k {
            Some(k) if !self.tail && self.dies(self.body.carried[k].from) && !in_use(k as Zmm) => {
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
