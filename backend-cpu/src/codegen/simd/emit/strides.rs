//! Elements that do not lie side by side.
//!
//! At a small distance, vectors of consecutive elements are taken apart, or put together, by permutations: no machine's gathers
//! and scatters are as fast. What is at computed places, far apart, or in an incomplete round is left to those, which touch no
//! element that is not asked for.

use super::constants::side_by_side;
use super::{Emit, POINTERS, TAIL, at};
use crate::codegen::simd::asm::{Gpr, Mask, Masking, Place, R_TEMP, RAX, Rm, Vreg};
use crate::codegen::simd::body::{Part, Run, Size, Src, V};
use crate::codegen::simd::enc;
use crate::codegen::simd::enc::Enc;

/// Most elements from one lane's to the next one's that are reached by permutations.
pub(in crate::codegen::simd) const NEAREST: i64 = 8;

impl Emit<'_> {
    /// Elements `step` apart, or at the lanes of an index.
    pub(super) fn gather(
        &mut self,
        enc: Enc,
        run: Run,
        (step, index): (i32, Option<Src>),
        part: Part,
        to: V,
    ) -> Option<()> {
        self.first(run, step)?;
        if index.is_none() && !self.tail && (2..=NEAREST).contains(&step.into()) {
            self.unzip(run.scale, step as usize, to);
            return Some(());
        }
        if index.is_none() && !self.tail && step == -1 {
            self.backwards(run.scale, to);
            return Some(());
        }
        let index = match index {
            Some(index) => self.source(index, 8),
            None => self.places(run.scale, step),
        };
        let mask = self.lanes_left(part);
        // It must not write over its index.
        let r = self.take();
        self.hold(to, r);
        self.asm.vector(enc::XOR[0], r, r, Rm::Reg(r), Masking::None, None);
        let place = Place::Gathered { base: R_TEMP, index: index.0, scale: run.scale };
        self.asm.vector(enc, r, 0, Rm::Mem(place, run.scale), Masking::Merge(mask), None);
        self.free_masks.push(mask);
        self.give_back(index);
        Some(())
    }

    /// To elements `step` apart.
    pub(super) fn scatter(&mut self, enc: Enc, run: Run, step: i32, part: Part, from: V) -> Option<()> {
        let from = self.register(from);
        self.first(run, step)?;
        if !self.tail && i64::from(step) <= NEAREST {
            self.zip(run.scale, step as usize, from);
            return Some(());
        }
        let index = self.places(run.scale, step);
        let mask = self.lanes_left(part);
        let place = Place::Gathered { base: R_TEMP, index: index.0, scale: run.scale };
        self.asm.vector(enc, from, 0, Rm::Mem(place, run.scale), Masking::Merge(mask), None);
        self.free_masks.push(mask);
        self.give_back(index);
        Some(())
    }

    /// The memory of a row of a block.
    fn row_place(&mut self, run: Run, (step, row): (i32, u8)) -> Option<Place> {
        let away = step.checked_mul(i32::from(row) * i32::from(run.scale))?;
        self.first(run, step)?;
        Some(Place::At { base: R_TEMP, index: None, offset: away })
    }

    pub(super) fn row(&mut self, run: Run, row: (i32, u8), low: Option<V>, width: u8, to: V) -> Option<()> {
        let place = Rm::Mem(self.row_place(run, row)?, width);
        match low {
            None => {
                let r = self.take();
                self.hold(to, r);
                let load = if width == 64 { super::full_load(run.scale) } else { enc::BOTH_HALVES };
                self.asm.vector(load, r, 0, place, Masking::None, None);
            }
            Some(low) => {
                let low = self.register(low);
                let r = self.take();
                self.hold(to, r);
                self.asm.vector(enc::WITH_UPPER, r, low, place, Masking::None, Some(1));
            }
        }
        Some(())
    }

    pub(super) fn keep_row(
        &mut self,
        run: Run,
        row: (i32, u8),
        upper: bool,
        width: u8,
        from: V,
    ) -> Option<()> {
        let from = self.register(from);
        let place = Rm::Mem(self.row_place(run, row)?, width);
        if width == 64 {
            self.asm.vector(super::full_store(run.scale), from, 0, place, Masking::None, None);
        } else {
            self.asm.vector(enc::UPPER_HALF, from, 0, place, Masking::None, Some(upper.into()));
        }
        Some(())
    }

    /// Squares of lanes of two rows, turned.
    pub(super) fn turn(&mut self, size: Size, side: usize, second: bool, [a, b]: [V; 2], to: V) {
        let lanes = 64 / usize::from(size);
        let from = |lane: usize| match (second, lane & side == 0) {
            (false, true) => lane,
            (false, false) => lanes + lane - side,
            (true, true) => lane + side,
            (true, false) => lanes + lane,
        };
        let (a, b) = (self.register(a), self.rm(Src::V(b), size));
        let r = self.table(size, (0..lanes).map(|lane| from(lane) as u64));
        self.hold(to, r);
        self.asm.vector(enc::PERMUTE_BY[at(size)], r, a, b, Masking::None, None);
    }

    /// The address of the first lane, in the register for those.
    fn first(&mut self, run: Run, step: i32) -> Option<()> {
        let base: Gpr = *POINTERS.get(run.pointer as usize)?;
        if step == 0 {
            self.asm.lea(R_TEMP, base, None, run.offset);
        } else {
            self.asm.multiply(R_TEMP, RAX, step * i32::from(run.scale));
            self.asm.lea(R_TEMP, R_TEMP, Some((base, 1)), run.offset);
        }
        Some(())
    }

    /// The places of lanes that are `step` apart, in a register to be given back.
    fn places(&mut self, size: Size, step: i32) -> (Vreg, bool) {
        let lanes = 0..64 / i64::from(size);
        (self.table(size, lanes.map(|lane| (lane * i64::from(step)) as u64)), true)
    }

    /// A vector of constants, in a register to be given back.
    fn table(&mut self, size: Size, lanes: impl IntoIterator<Item = u64>) -> Vreg {
        let constant = self.constant(side_by_side(size, lanes));
        let r = self.take();
        self.locked.push(r);
        let place = Rm::Mem(Place::Constant(constant), 64);
        self.asm.vector(super::full_load(size), r, 0, place, Masking::None, None);
        r
    }

    /// A mask that an instruction clears as it goes: of all lanes, or of those there are.
    fn lanes_left(&mut self, part: Part) -> Mask {
        let mask = self.take_mask();
        match self.tail {
            true => self.asm.move_mask(mask, TAIL[part as usize]),
            false => self.asm.masks(0x46, mask, mask, mask),
        }
        mask
    }

    /// Elements before the address, the last one first.
    fn backwards(&mut self, size: Size, to: V) {
        let lanes = 64 / i32::from(size);
        let r = self.table(size, (0..lanes as u64).rev());
        self.hold(to, r);
        let place = Place::At { base: R_TEMP, index: None, offset: -(lanes - 1) * i32::from(size) };
        self.asm.vector(enc::PERMUTE_ONE[at(size)], r, r, Rm::Mem(place, 64), Masking::None, None);
    }

    /// Every `step`th element from the address on: one vector after the other is read, and the lanes it holds are merged into
    /// those that are there. The last one ends with the last element, so that nothing behind it is read.
    fn unzip(&mut self, size: Size, step: usize, to: V) {
        let lanes = 64 / usize::from(size);
        let start = |k: usize| if k == step - 1 { (lanes - 1) * (step - 1) } else { k * lanes };
        let place =
            |k| Place::At { base: R_TEMP, index: None, offset: (start(k) * usize::from(size)) as i32 };
        let r = self.take();
        self.hold(to, r);
        self.locked.push(r);
        self.asm.vector(super::full_load(size), r, 0, Rm::Mem(place(0), 64), Masking::None, None);
        for k in 1..step {
            let from = |lane: usize| {
                let element = lane * step;
                match (k, element >= k * lanes) {
                    (_, true) => lanes + (element - start(k)) % lanes,
                    (1, false) => element,
                    (_, false) => lane,
                }
            };
            let index = self.table(size, (0..lanes).map(|lane| from(lane) as u64));
            self.asm.vector(enc::PERMUTE_TWO[at(size)], r, index, Rm::Mem(place(k), 64), Masking::None, None);
            self.free.push(index);
        }
    }

    /// A vector to every `step`th element from the address on: its lanes, moved to where they belong in one vector after the
    /// other, under masks.
    fn zip(&mut self, size: Size, step: usize, from: Vreg) {
        let lanes = 64 / usize::from(size);
        for k in 0..step {
            let element = |position: usize| k * lanes + position;
            let taken = (0..lanes).filter(|&p| element(p).is_multiple_of(step));
            let bits: u64 = taken.map(|p| 1 << p).sum();
            let index = self.table(size, (0..lanes).map(|p| (element(p) / step) as u64));
            self.asm.vector(enc::PERMUTE_ONE[at(size)], index, index, Rm::Reg(from), Masking::None, None);
            let constant = self.constant(side_by_side(2, [bits]));
            let mask = self.take_mask();
            self.asm.load_mask_constant(mask, constant);
            let place = Place::At { base: R_TEMP, index: None, offset: (64 * k) as i32 };
            let masking = Masking::Merge(mask);
            self.asm.vector(super::full_store(size), index, 0, Rm::Mem(place, 64), masking, None);
            self.free_masks.push(mask);
            self.free.push(index);
        }
    }
}
