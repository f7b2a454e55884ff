//! Numbers and vectors that lie behind the code, each once.

use super::Emit;
use crate::codegen::simd::body::Size;
use crate::options::Wide;
use smallvec::SmallVec;

/// The bytes of a constant.
pub(super) type Bytes = SmallVec<[u8; 64]>;

/// Numbers of this size, side by side.
pub(super) fn side_by_side(size: Size, numbers: impl IntoIterator<Item = u64>) -> Bytes {
    numbers.into_iter().flat_map(|n| n.to_le_bytes().into_iter().take(size.into())).collect()
}

impl Emit<'_> {
    /// Where a number is among the constants: once for 512-bit vectors, whose instructions repeat it, else a vector.
    pub(super) fn number(&mut self, size: Size, word: u64) -> u32 {
        let times = match self.wide {
            Wide::Ymm => self.wide.bytes() / size,
            Wide::Zmm => 1,
        };
        self.constant(side_by_side(size, std::iter::repeat_n(word, times.into())))
    }

    /// The same of `first, first + 1, ..`, 64 bytes of them.
    pub(in crate::codegen::simd) fn iota(&mut self, size: Size, first: u32) -> u32 {
        let lanes = 64 / u32::from(size);
        self.constant(side_by_side(size, (first..first + lanes).map(u64::from)))
    }

    /// The same of any bytes. They lie at a multiple of their number.
    pub(super) fn constant(&mut self, bytes: Bytes) -> u32 {
        let constants = &mut self.constants;
        *self.placed.entry(bytes).or_insert_with_key(|bytes| {
            constants.resize(constants.len().next_multiple_of(bytes.len()), 0);
            constants.extend_from_slice(bytes);
            (constants.len() - bytes.len()) as u32
        })
    }
}
