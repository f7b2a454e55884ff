//! Registers: one walk over a body gives each of its vectors a register and adds its instructions.
//!
//! When none is free, the value whose next use is furthest away is written to the block (Belady's rule, optimal for
//! straight-line code) and read from there. Masks have registers of their own, and the same is done with them.

mod constants;
mod insts;
mod strides;

pub(super) use strides::NEAREST;

use super::asm::{Asm, Gpr, Mask, Masking, Place, RBP, RBX, RDI, Rm, Vreg};
use super::body::{Body, Carried, Inst, K, Part, Size, Src, V};
use super::enc;
use super::enc::Enc;
use super::layout::Layout;
use crate::options::Wide;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Registers for pointers: those that a function may overwrite, then those that it saves. One is kept for addresses
/// that are made on the spot.
pub(super) const POINTERS: [Gpr; 11] = [1, 2, 8, 9, 10, RBX, RBP, 12, 13, 14, 15];
/// How many of them need no saving.
pub(super) const FREE_POINTERS: usize = 5;
/// Most accumulators.
pub(super) fn most_carried(wide: Wide) -> usize {
    match wide {
        Wide::Ymm => 8,
        Wide::Zmm => 12,
    }
}

/// The condition of a jump.
pub(super) const LESS_EQUAL: u8 = 0x8e;

/// Masks of the lanes of the last round: of the first half, and of the second. Of 256-bit vectors they are in the block
/// ([`Layout::masks`]).
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
    Register(Vreg),
    /// In the block only.
    Spilled(u32),
}

/// A function being made.
pub(super) struct Emit<'a> {
    pub(super) asm: Asm,
    body: &'a Body,
    layout: Layout,
    wide: Wide,
    pub(super) constants: Vec<u8>,
    /// Where each of the constants is.
    placed: FxHashMap<constants::Bytes, u32>,
    /// Positions at which each vector and each mask is read, in order.
    uses: Vec<SmallVec<[u32; 4]>>,
    mask_uses: Vec<SmallVec<[u32; 4]>>,
    /// The accumulator that a vector becomes at the end, if there is one.
    becomes: FxHashMap<V, usize>,
    home: Vec<Home>,
    /// A vector's place in the block, once it has one.
    slots: Vec<Option<u32>>,
    free: Vec<Vreg>,
    holds: [Option<V>; 32],
    /// The register of each mask, if it is in one.
    masks: Vec<Option<Mask>>,
    /// A mask's place in the block, once it has one.
    mask_slots: Vec<Option<u32>>,
    free_masks: Vec<Mask>,
    holds_mask: [Option<K>; 8],
    /// Places of the block that are in use in this round.
    used_slots: u32,
    pub(super) spills: u32,
    now: u32,
    tail: bool,
    /// Registers that the instruction being added reads.
    locked: SmallVec<[Vreg; 4]>,
    /// The same of masks.
    locked_masks: SmallVec<[Mask; 4]>,
    /// Constants that stay in registers.
    pub(super) pinned: Vec<(Size, Src, Vreg)>,
    /// Most registers in use so far.
    pub(super) most: usize,
    /// Pointers through which whole vectors are stored past the caches.
    pub(super) streams: &'a [u32],
}

impl<'a> Emit<'a> {
    pub(super) fn new(body: &'a Body, layout: Layout) -> Self {
        Self {
            asm: Asm::new(body.wide),
            body,
            layout,
            wide: body.wide,
            constants: Vec::new(),
            placed: FxHashMap::default(),
            uses: Vec::new(),
            mask_uses: Vec::new(),
            becomes: FxHashMap::default(),
            home: Vec::new(),
            slots: Vec::new(),
            free: Vec::new(),
            holds: [None; 32],
            masks: Vec::new(),
            mask_slots: Vec::new(),
            free_masks: Vec::new(),
            holds_mask: [None; 8],
            used_slots: 0,
            spills: 0,
            now: 0,
            tail: false,
            locked: SmallVec::new(),
            locked_masks: SmallVec::new(),
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
        let chosen = counts.into_iter().take(registers).zip((0..self.wide.registers()).rev());
        self.pinned = chosen.map(|((size, x, _), r)| (size, x, r)).collect();
    }

    fn pinned(&self, size: Size, x: Src) -> Option<Vreg> {
        self.pinned.iter().find(|(s, y, _)| (*s, *y) == (size, x)).map(|&(.., r)| r)
    }

    /// A register that holds nothing between rounds.
    pub(super) fn spare_register(&self) -> Vreg {
        let pinned = self.pinned.len() as Vreg;
        let last = self.wide.registers() - 1;
        debug_assert!(
            self.body.carried.len() <= (last - pinned).into(),
            "accumulators and constants fill all"
        );
        last - pinned
    }

    fn set_body(&mut self, body: &'a Body) {
        self.body = body;
        self.uses = vec![SmallVec::new(); body.vectors as usize];
        self.mask_uses = vec![SmallVec::new(); body.masks as usize];
        let (uses, mask_uses) = (&mut self.uses, &mut self.mask_uses);
        for (at, inst) in body.insts.iter().enumerate() {
            inst.reads(&mut |v| uses[v.0 as usize].push(at as u32), &mut |k| {
                mask_uses[k.0 as usize].push(at as u32)
            });
        }
        let end = body.insts.len() as u32;
        self.becomes.clear();
        for (k, carried) in body.carried.iter().enumerate() {
            self.uses[carried.to.0 as usize].push(end);
            self.becomes.insert(carried.to, k);
        }
    }

    /// Once through the body.
    pub(super) fn round(&mut self, body: &'a Body, tail: bool) -> Option<()> {
        self.set_body(body);
        self.tail = tail;
        self.home = vec![Home::Nowhere; self.body.vectors as usize];
        self.slots = vec![None; self.body.vectors as usize];
        self.masks = vec![None; self.body.masks as usize];
        self.mask_slots = vec![None; self.body.masks as usize];
        self.free_masks = MASKS.into_iter().rev().collect();
        self.holds_mask = [None; 8];
        self.used_slots = 0;
        let reserved = self.body.carried.len() as Vreg;
        self.free = (reserved..self.wide.registers() - self.pinned.len() as Vreg).rev().collect();
        self.most = reserved as usize;
        self.holds = [None; 32];
        for (k, carried) in self.body.carried.iter().enumerate() {
            self.home[carried.from.0 as usize] = Home::Register(k as Vreg);
        }
        for (at, inst) in self.body.insts.iter().enumerate() {
            self.now = at as u32;
            self.locked.clear();
            self.locked_masks.clear();
            self.inst(inst)?;
            self.release(inst);
        }
        self.now = self.body.insts.len() as u32;
        for (k, &Carried { to, part, size, .. }) in self.body.carried.iter().enumerate() {
            let target = k as Vreg;
            let source = match self.home[to.0 as usize] {
                Home::Register(r) if r == target => continue,
                Home::Register(r) => Rm::Reg(r),
                Home::Spilled(slot) => Rm::Mem(self.spill_place(slot), self.wide.bytes()),
                Home::Nowhere => unreachable!("what a body yields is computed"),
            };
            match (self.wide, tail) {
                (Wide::Zmm, true) => {
                    let masking = Masking::Merge(TAIL[part as usize]);
                    self.asm.vector(full_load(size), target, 0, source, masking, None);
                }
                (Wide::Ymm, true) => {
                    self.locked.clear();
                    if let Rm::Reg(r) = source {
                        self.locked.push(r);
                    }
                    let mask = self.tail_mask(size, part);
                    self.asm.vector(enc::CHOOSE, target, target, source, Masking::None, Some(mask << 4));
                    self.free.push(mask);
                }
                (_, false) => self.asm.vector(full_load(size), target, 0, source, Masking::None, None),
            }
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
            let dies = self.mask_uses[k.0 as usize].last().is_none_or(|&last| last <= self.now);
            if dies && let Some(register) = self.masks[k.0 as usize].take() {
                self.holds_mask[register as usize] = None;
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

    /// A place in the block. Those of what is dead could be had again; there is room.
    fn new_slot(&mut self) -> u32 {
        self.used_slots += 1;
        self.spills = self.spills.max(self.used_slots);
        self.used_slots - 1
    }

    /// A register that holds nothing that is needed.
    fn take(&mut self) -> Vreg {
        if let Some(r) = self.free.pop() {
            self.most = self.most.max(usize::from(self.wide.registers()) - self.free.len());
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
                let slot = self.new_slot();
                self.slots[v.0 as usize] = Some(slot);
                let place = self.spill_place(slot);
                self.asm.vector(enc::STORE32, r, 0, Rm::Mem(place, self.wide.bytes()), Masking::None, None);
                slot
            }
        };
        self.home[v.0 as usize] = Home::Spilled(slot);
        self.holds[r as usize] = None;
        r
    }

    /// The register for a result.
    fn target(&mut self, v: V) -> Vreg {
        if !self.tail
            && let Some(&k) = self.becomes.get(&v)
            && self.dies(self.body.carried[k].from)
        {
            self.home[v.0 as usize] = Home::Register(k as Vreg);
            self.home[self.body.carried[k].from.0 as usize] = Home::Nowhere;
            return k as Vreg;
        }
        let r = self.take();
        self.hold(v, r);
        r
    }

    fn hold(&mut self, v: V, r: Vreg) {
        self.holds[r as usize] = Some(v);
        self.home[v.0 as usize] = Home::Register(r);
    }

    /// A vector in a register.
    fn register(&mut self, v: V) -> Vreg {
        let r = match self.home[v.0 as usize] {
            Home::Register(r) => r,
            Home::Spilled(slot) => {
                let r = self.take();
                let place = self.spill_place(slot);
                self.asm.vector(enc::LOAD32, r, 0, Rm::Mem(place, self.wide.bytes()), Masking::None, None);
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
                Home::Spilled(slot) => Rm::Mem(self.spill_place(slot), self.wide.bytes()),
                Home::Register(_) | Home::Nowhere => Rm::Reg(self.register(v)),
            },
            Src::Number(_) | Src::Uniform(_) => match self.pinned(size, x) {
                Some(r) => Rm::Reg(r),
                None => match self.wide {
                    Wide::Ymm => Rm::Mem(self.each(x, size), self.wide.bytes()),
                    Wide::Zmm => Rm::Each(self.each(x, size), size),
                },
            },
            Src::Iota(first) => Rm::Mem(Place::Constant(self.iota(size, first)), self.wide.bytes()),
        }
    }

    /// Where the number of a source that is the same in every lane is.
    fn each(&mut self, x: Src, size: Size) -> Place {
        match x {
            Src::Number(word) => Place::Constant(self.number(size, word)),
            Src::Uniform(k) => Place::At { base: RDI, index: None, offset: self.layout.uniform(k, size) },
            Src::V(_) | Src::Iota(_) => unreachable!("lanes that differ"),
        }
    }

    /// A source in a register of its own if it is not a vector.
    fn source(&mut self, x: Src, size: Size) -> (Vreg, bool) {
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

    pub(super) fn load_into(&mut self, r: Vreg, x: Src, size: Size) {
        match x {
            Src::Number(_) | Src::Uniform(_)
                if let Some(known) = self.pinned(size, x)
                    && known != r =>
            {
                self.asm.vector(enc::MOVE, r, 0, Rm::Reg(known), Masking::None, None);
            }
            Src::Iota(first) => {
                let place = Place::Constant(self.iota(size, first));
                self.asm.vector(
                    full_load(size),
                    r,
                    0,
                    Rm::Mem(place, self.wide.bytes()),
                    Masking::None,
                    None,
                );
            }
            Src::Number(_) | Src::Uniform(_) | Src::V(_) => {
                let place = self.each(x, size);
                let enc = match (self.wide, size) {
                    (Wide::Ymm, _) => full_load(size),
                    (Wide::Zmm, 4) => enc::BROADCAST32,
                    (Wide::Zmm, _) => enc::BROADCAST64,
                };
                self.asm.vector(enc, r, 0, Rm::Mem(place, size), Masking::None, None);
            }
        }
    }

    /// Gives a register that [`Emit::source`] made back.
    fn give_back(&mut self, (r, own): (Vreg, bool)) {
        if own {
            self.free.push(r);
        }
    }

    /// A register, to be given back, with the mask of the lanes of a 256-bit vector that exist in the last round.
    fn tail_mask(&mut self, size: Size, part: Part) -> Vreg {
        let r = self.take();
        let place = Place::At { base: RDI, index: None, offset: self.layout.mask(size, part) };
        self.asm.vector(enc::LOAD32, r, 0, Rm::Mem(place, self.wide.bytes()), Masking::None, None);
        r
    }

    /// A register for a mask, which holds nothing that is needed.
    fn take_mask(&mut self) -> Mask {
        if let Some(r) = self.free_masks.pop() {
            return r;
        }
        let next = |k: K| self.mask_uses[k.0 as usize].iter().copied().find(|&at| at >= self.now);
        let furthest = MASKS
            .into_iter()
            .filter(|r| !self.locked_masks.contains(r))
            .filter_map(|r| self.holds_mask[r as usize].map(|k| (next(k).unwrap_or(u32::MAX), r, k.0)))
            .max();
        let (_, r, k) = furthest.expect("an instruction reads fewer masks than there are registers");
        if self.mask_slots[k as usize].is_none() {
            let slot = self.new_slot();
            self.mask_slots[k as usize] = Some(slot);
            self.asm.store_mask(r, RDI, self.layout.spills + 64 * slot as i32);
        }
        self.masks[k as usize] = None;
        self.holds_mask[r as usize] = None;
        r
    }

    /// A mask in a register.
    fn held(&mut self, k: K) -> Mask {
        let r = self.masks[k.0 as usize].unwrap_or_else(|| {
            let slot = self.mask_slots[k.0 as usize].expect("a mask is computed before it is read");
            let r = self.take_mask();
            self.asm.load_mask(r, RDI, self.layout.spills + 64 * slot as i32);
            self.hold_mask(k, r);
            r
        });
        self.locked_masks.push(r);
        r
    }

    fn hold_mask(&mut self, k: K, r: Mask) {
        self.masks[k.0 as usize] = Some(r);
        self.holds_mask[r as usize] = Some(k);
    }

    /// Gives a mask its register.
    fn new_mask(&mut self, k: K) -> Mask {
        let r = self.take_mask();
        self.hold_mask(k, r);
        r
    }
}
