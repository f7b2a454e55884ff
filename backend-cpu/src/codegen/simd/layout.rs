//! The memory that a function of a loop is handed.

use super::body::{Part, Size};
use crate::options::Wide;

/// Where things are in the memory that the caller fills and hands over, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    /// Words of the uniforms, after those of the pointers.
    pub(super) uniforms: i32,
    /// Accumulators, 64 bytes each, in order: afterwards the first lane is the total.
    pub(super) carried: i32,
    /// Registers that the function saves.
    pub(super) saved: i32,
    /// Of 256-bit code: every uniform in vectors of both sizes of lanes, 64 bytes each.
    spread: i32,
    /// Of 256-bit code: masks of the lanes of the last round, as [`Layout::mask`] says.
    masks: i32,
    /// Vectors that found no register, 64 bytes each.
    pub(super) spills: i32,
    wide: Wide,
}

impl Layout {
    pub(super) fn new(wide: Wide, pointers: usize, uniforms: usize, carried: usize) -> Self {
        let words = 8 * (pointers + uniforms) as i32;
        let carried_at = (words + 63) & !63;
        let saved = carried_at + 64 * carried as i32;
        let spread = saved + 64;
        let (masks, spills) = match wide {
            Wide::Ymm => (spread + 64 * uniforms as i32, spread + 64 * uniforms as i32 + 6 * 32),
            Wide::Zmm => (spread, spread),
        };
        Self { uniforms: 8 * pointers as i32, carried: carried_at, saved, spread, masks, spills, wide }
    }

    /// A uniform for lanes of this size.
    pub(super) fn uniform(&self, k: u32, size: Size) -> i32 {
        match self.wide {
            Wide::Ymm => self.spread + 64 * k as i32 + if size == 4 { 0 } else { 32 },
            Wide::Zmm => self.uniforms + 8 * k as i32,
        }
    }

    /// The mask of a 256-bit vector of lanes of this size: there are two of 4 bytes and four of 8.
    pub(super) fn mask(&self, size: Size, part: Part) -> i32 {
        self.masks + 32 * i32::from(part) + if size == 4 { 0 } else { 64 }
    }
}
