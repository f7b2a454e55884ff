//! Bytes of the AVX-512 and AVX2 instructions that inner loops are made of.
//!
//! Encodings are those of the Intel manual, volume 2: EVEX (section 2.7) for 512-bit vectors, VEX (section 2.3) for masks and
//! for 256-bit vectors. Every vector instruction takes up to two registers and one operand that may be a register or memory;
//! `imm` is its immediate byte.

use super::enc::{self, Enc};
use crate::options::Wide;

impl Wide {
    pub(super) fn bytes(self) -> u8 {
        match self {
            Wide::Ymm => 32,
            Wide::Zmm => 64,
        }
    }

    /// Vector registers.
    pub(super) fn registers(self) -> Vreg {
        match self {
            Wide::Ymm => 16,
            Wide::Zmm => 32,
        }
    }
}

/// A vector register, 0 to 31, or to 15 of 256 bits.
pub(super) type Vreg = u8;
/// A mask register, 0 to 7; 0 means "all lanes" where a mask is asked for.
pub(super) type Mask = u8;
/// A general register, 0 to 15.
pub(super) type Gpr = u8;

pub(super) const RAX: Gpr = 0;
pub(super) const RBX: Gpr = 3;
pub(super) const RSP: Gpr = 4;
pub(super) const RBP: Gpr = 5;
pub(super) const RSI: Gpr = 6;
pub(super) const RDI: Gpr = 7;
/// Kept for addresses that are made on the spot.
pub(super) const R_TEMP: Gpr = 11;

/// Memory: `base + index * scale + offset`, or a place in the constants that follow the code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// In memory.
    At {
        /// Register of the address.
        base: Gpr,
        /// Register that is added, times 1, 2, 4 or 8.
        index: Option<(Gpr, u8)>,
        /// Bytes that are added.
        offset: i32,
    },
    /// A vector of addresses: `base + index[lane] * scale`.
    Gathered {
        /// Register of the address.
        base: Gpr,
        /// Vector of indices.
        index: Vreg,
        /// 1, 2, 4 or 8.
        scale: u8,
    },
    /// Bytes from the start of the constants.
    Constant(u32),
}

/// The operand that may be memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rm {
    /// A vector register.
    Reg(Vreg),
    /// Memory of this many bytes.
    Mem(Place, u8),
    /// One number of this many bytes, for every lane.
    Each(Place, u8),
}

/// What a mask does to lanes that it does not select.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Masking {
    /// No mask.
    None,
    /// They keep what the target held.
    Merge(Mask),
    /// They become zero.
    Zero(Mask),
}

/// Code under construction.
#[derive(Default)]
pub(super) struct Asm {
    wide: Wide,
    bytes: Vec<u8>,
    /// Displacements to fill in once it is known where constants begin: where they are, the end of their
    /// instruction, the constant.
    fixups: Vec<(usize, usize, u32)>,
}

impl Asm {
    pub(super) fn new(wide: Wide) -> Self {
        Self { wide, ..Self::default() }
    }

    pub(super) fn position(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The code, followed by the constants.
    pub(super) fn finish(mut self, constants: &[u8]) -> Vec<u8> {
        while !self.bytes.len().is_multiple_of(64) {
            self.bytes.push(0xcc);
        }
        let start = self.bytes.len();
        for (at, end, constant) in self.fixups {
            let distance = (start + constant as usize - end) as i32;
            self.bytes[at..at + 4].copy_from_slice(&distance.to_le_bytes());
        }
        self.bytes.extend_from_slice(constants);
        self.bytes
    }

    /// A vector instruction. `reg` is the field of the target (or of a stored source), `second` the one in `vvvv`.
    pub(super) fn vector(
        &mut self,
        enc: Enc,
        reg: u8,
        second: u8,
        rm: Rm,
        masking: Masking,
        imm: Option<u8>,
    ) {
        if self.wide == Wide::Ymm {
            debug_assert_eq!(masking, Masking::None, "masks are vectors");
            return self.vex(enc, reg, second, rm, imm);
        }
        let (mut x, mut b, mut each, mut v_high) = (0, 0, 0, second >> 4 & 1);
        match rm {
            Rm::Reg(r) => (b, x) = (r >> 3 & 1, r >> 4 & 1),
            Rm::Mem(place, _) | Rm::Each(place, _) => {
                each = u8::from(matches!(rm, Rm::Each(..)));
                match place {
                    Place::At { base, index, .. } => {
                        b = base >> 3 & 1;
                        x = index.map_or(0, |(i, _)| i >> 3 & 1);
                    }
                    Place::Gathered { base, index, .. } => {
                        (b, x, v_high) = (base >> 3 & 1, index >> 3 & 1, index >> 4 & 1);
                    }
                    Place::Constant(_) => {}
                }
            }
        }
        let (mask, zero) = match masking {
            Masking::None => (0, 0),
            Masking::Merge(k) => (k, 0),
            Masking::Zero(k) => (k, 1),
        };
        let p0 =
            ((reg >> 3 & 1) ^ 1) << 7 | (x ^ 1) << 6 | (b ^ 1) << 5 | ((reg >> 4 & 1) ^ 1) << 4 | enc.map;
        let p1 = enc.w << 7 | ((second & 15) ^ 15) << 3 | 4 | enc.pp;
        let p2 = zero << 7 | 2 << 5 | each << 4 | (v_high ^ 1) << 3 | mask;
        self.raw(&[0x62, p0, p1, p2, enc.op]);
        match rm {
            Rm::Reg(r) => self.raw(&[0xc0 | (reg & 7) << 3 | (r & 7)]),
            Rm::Mem(place, size) | Rm::Each(place, size) => {
                self.place(reg, place, i32::from(size), usize::from(imm.is_some()));
            }
        }
        self.bytes.extend(imm);
    }

    /// The same of 256 bits.
    fn vex(&mut self, enc: Enc, reg: u8, second: u8, rm: Rm, imm: Option<u8>) {
        debug_assert!(reg < 16 && second < 16);
        let (x, b) = match rm {
            Rm::Reg(r) => (0, r >> 3),
            Rm::Mem(Place::At { base, index, .. }, _) => (index.map_or(0, |(i, _)| i >> 3), base >> 3),
            Rm::Mem(Place::Constant(_), _) => (0, 0),
            Rm::Mem(Place::Gathered { .. }, _) | Rm::Each(..) => unreachable!("not of 256 bits"),
        };
        let long = u8::from(!enc::SHORT.contains(&enc));
        // Here W has a meaning only where a general register takes part. Machines ignore it elsewhere; valgrind wants a zero.
        let general = matches!(enc.op, 0x2a | 0x2c | 0x2d | 0x6e | 0x7e);
        let w = if enc.map == 1 && !general { 0 } else { enc.w };
        let p0 = ((reg >> 3) ^ 1) << 7 | (x ^ 1) << 6 | (b ^ 1) << 5 | enc.map;
        let p1 = w << 7 | (second ^ 15) << 3 | long << 2 | enc.pp;
        self.raw(&[0xc4, p0, p1, enc.op]);
        match rm {
            Rm::Reg(r) => self.raw(&[0xc0 | (reg & 7) << 3 | (r & 7)]),
            Rm::Mem(place, _) | Rm::Each(place, _) => self.place(reg, place, 1, usize::from(imm.is_some())),
        }
        self.bytes.extend(imm);
    }

    /// The bytes of a memory operand, whose displacement counts in units of `unit` bytes if it is short; `after` bytes
    /// of the instruction follow.
    fn place(&mut self, reg: u8, place: Place, unit: i32, after: usize) {
        let reg = (reg & 7) << 3;
        match place {
            Place::Constant(constant) => {
                self.raw(&[reg | 5]);
                let at = self.position();
                self.raw(&[0; 4]);
                self.fixups.push((at, at + 4 + after, constant));
            }
            Place::Gathered { base, index, scale } => {
                let sib = scale.trailing_zeros() as u8;
                self.raw(&[0x80 | reg | 4, sib << 6 | (index & 7) << 3 | (base & 7), 0, 0, 0, 0]);
            }
            Place::At { base, index, offset } => {
                let short = (offset % unit == 0).then(|| i8::try_from(offset / unit).ok()).flatten();
                let mode = if short.is_some() { 0x40 } else { 0x80 };
                match index {
                    Some((index, scale)) => {
                        let sib = scale.trailing_zeros() as u8;
                        self.raw(&[mode | reg | 4, sib << 6 | (index & 7) << 3 | (base & 7)]);
                    }
                    // The stack pointer as a base needs the longer form.
                    None if base & 7 == RSP => self.raw(&[mode | reg | 4, 0x20 | (base & 7)]),
                    None => self.raw(&[mode | reg | (base & 7)]),
                }
                match short {
                    Some(short) => self.raw(&short.to_le_bytes()),
                    None => self.raw(&offset.to_le_bytes()),
                }
            }
        }
    }

    /// A mask instruction of 16 lanes: `target = a op b`.
    pub(super) fn masks(&mut self, op: u8, target: Mask, a: Mask, b: Mask) {
        self.raw(&[0xc5, 0x80 | ((a & 15) ^ 15) << 3 | 4, op, 0xc0 | target << 3 | b]);
    }

    /// The low 8 lanes of `high` above the low 8 lanes of `low`.
    pub(super) fn join_masks(&mut self, target: Mask, high: Mask, low: Mask) {
        self.raw(&[0xc5, 0x80 | ((high & 15) ^ 15) << 3 | 4 | 1, 0x4b, 0xc0 | target << 3 | low]);
    }

    /// `target = not source`.
    pub(super) fn not_mask(&mut self, target: Mask, source: Mask) {
        self.raw(&[0xc5, 0xf8, 0x44, 0xc0 | target << 3 | source]);
    }

    /// A copy.
    pub(super) fn move_mask(&mut self, target: Mask, source: Mask) {
        self.raw(&[0xc5, 0xf8, 0x90, 0xc0 | target << 3 | source]);
    }

    /// A mask of 16 lanes from memory.
    pub(super) fn load_mask(&mut self, target: Mask, base: Gpr, offset: i32) {
        debug_assert!(base < 8);
        self.raw(&[0xc5, 0xf8, 0x90]);
        self.place(target, Place::At { base, index: None, offset }, 1, 0);
    }

    /// A mask of 16 lanes from the constants.
    pub(super) fn load_mask_constant(&mut self, target: Mask, constant: u32) {
        self.raw(&[0xc5, 0xf8, 0x90]);
        self.place(target, Place::Constant(constant), 1, 0);
    }

    /// A mask of 16 lanes to memory.
    pub(super) fn store_mask(&mut self, source: Mask, base: Gpr, offset: i32) {
        debug_assert!(base < 8);
        self.raw(&[0xc5, 0xf8, 0x91]);
        self.place(source, Place::At { base, index: None, offset }, 1, 0);
    }

    /// `target = source >> amount`.
    pub(super) fn shift_mask(&mut self, target: Mask, source: Mask, amount: u8) {
        self.raw(&[0xc4, 0xe3, 0xf9, 0x30, 0xc0 | target << 3 | source, amount]);
    }

    /// `target = [base + offset]`, 64 bits.
    pub(super) fn load(&mut self, target: Gpr, base: Gpr, offset: i32) {
        self.raw(&[0x48 | (target >> 3) << 2 | (base >> 3), 0x8b]);
        self.place(target, Place::At { base, index: None, offset }, 1, 0);
    }

    /// `[base + offset] = source`, 64 bits.
    pub(super) fn store(&mut self, source: Gpr, base: Gpr, offset: i32) {
        self.raw(&[0x48 | (source >> 3) << 2 | (base >> 3), 0x89]);
        self.place(source, Place::At { base, index: None, offset }, 1, 0);
    }

    /// `target = a + b * scale`.
    pub(super) fn lea(&mut self, target: Gpr, base: Gpr, index: Option<(Gpr, u8)>, offset: i32) {
        let x = index.map_or(0, |(i, _)| i >> 3);
        self.raw(&[0x48 | (target >> 3) << 2 | x << 1 | (base >> 3), 0x8d]);
        self.place(target, Place::At { base, index, offset }, 1, 0);
    }

    /// `target = source * factor`.
    pub(super) fn multiply(&mut self, target: Gpr, source: Gpr, factor: i32) {
        self.raw(&[0x48 | (target >> 3) << 2 | (source >> 3), 0x69, 0xc0 | (target & 7) << 3 | (source & 7)]);
        self.raw(&factor.to_le_bytes());
    }

    /// Jumps to `target`, which is before, if the condition (the low opcode byte, 0x82 for below) holds.
    pub(super) fn jump_back(&mut self, condition: u8, target: usize) {
        let distance = target as i64 - (self.position() as i64 + 6);
        self.raw(&[0x0f, condition]);
        self.raw(&(distance as i32).to_le_bytes());
    }

    /// Jumps ahead if the condition holds, to where [`Asm::land`] is called with what this gives.
    pub(super) fn jump_ahead(&mut self, condition: u8) -> usize {
        self.raw(&[0x0f, condition, 0, 0, 0, 0]);
        self.position()
    }

    /// The target of a jump ahead.
    pub(super) fn land(&mut self, jump: usize) {
        let distance = (self.position() - jump) as i32;
        self.bytes[jump - 4..jump].copy_from_slice(&distance.to_le_bytes());
    }
}
