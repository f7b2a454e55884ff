//! Numbers and vectors that lie behind the code, each once.

use super::Emit;
use crate::codegen::simd::asm::Wide;
use crate::codegen::simd::body::Size;

impl Emit<'_> {
    /// Where a constant is among the constants: once for 512-bit vectors, whose instructions repeat it, else a vector.
    pub(super) fn number(&mut self, size: Size, word: u64) -> u32 {
        let word = if size == 4 { word & 0xffff_ffff } else { word };
        let bytes = match self.wide {
            Wide::Ymm => self.wide.bytes(),
            Wide::Zmm => size,
        };
        *self.known.entry((size, word)).or_insert_with(|| {
            while !self.constants.len().is_multiple_of(bytes.into()) {
                self.constants.push(0);
            }
            for _ in 0..bytes / size {
                self.constants.extend_from_slice(&word.to_le_bytes()[..size.into()]);
            }
            self.constants.len() as u32 - u32::from(bytes)
        })
    }

    pub(in crate::codegen::simd) fn iota(&mut self, size: Size, first: u32) -> u32 {
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

    /// Where bytes are among the constants.
    pub(super) fn constant(&mut self, bytes: Vec<u8>) -> u32 {
        let constants = &mut self.constants;
        *self.tables.entry(bytes).or_insert_with_key(|bytes| {
            while !constants.len().is_multiple_of(bytes.len()) {
                constants.push(0);
            }
            constants.extend_from_slice(bytes);
            (constants.len() - bytes.len()) as u32
        })
    }
}
