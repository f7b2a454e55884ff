//! Store a value or compute it again, as a vector or as a scalar: what passes ask.

use super::Target;
use super::operations::MATH;
use wengert_ir::kernel::LANES;

impl Target {
    /// Whether a value that several kernels read is cheaper computed in each than stored once and loaded:
    /// `arithmetic` is that of its whole inlined expression, `readers` the kernels, `bytes` its element's size.
    pub(crate) fn recompute(&self, arithmetic: u32, readers: usize, bytes: usize) -> bool {
        // Narrow elements cost as wide ones, because vectors of mixed widths are slow.
        let moved = (readers as u64 + 1) * bytes.max(4) as u64;
        (readers as u64 - 1) * arithmetic as u64 <= moved / self.rates.bytes_per_operation
    }

    /// Whether what is reduced over rows of a few columns is better stored, by loops that find vectors, and read again than computed
    /// by vectors of so many elements: those take as long as full ones.
    pub(crate) fn few_are_better_stored(&self, arithmetic: u32, columns: usize) -> bool {
        let moved = 2 * size_of::<f32>() as u64 / self.rates.bytes_per_operation;
        let lost = LANES.saturating_sub(columns) as u64 * arithmetic as u64;
        lost > 2 * moved * (LANES * columns) as u64
    }

    /// Whether so many elements of `bytes` each, of so much arithmetic, are better made by a loop of vectors and stored than computed
    /// as scalars where they are wanted.
    pub(crate) fn scalars_are_worse_than_memory(&self, arithmetic: u32, elements: u64, bytes: usize) -> bool {
        let rates = &self.rates;
        let saved = elements.saturating_mul(arithmetic as u64 * (rates.scalar - rates.operation));
        let moved = 2 * rates.transfer(elements.saturating_mul(bytes as u64));
        arithmetic > rates.repeated && saved > rates.launch + moved
    }

    /// Whether so many rows of at most `longest` elements may be turned, so that vectors lie across them.
    pub(crate) fn turns(&self, rows: usize, longest: usize) -> bool {
        let turned = &self.turned;
        self.device.is_none()
            && rows as i64 >= turned.fewest
            && (2..=turned.longest).contains(&(longest as i64))
    }

    /// Whether a value may be computed again for each element of a larger result.
    pub(crate) fn repeatable(&self, arithmetic: u32) -> bool {
        arithmetic <= self.rates.repeated
    }

    /// Whether a value of so many elements, each of which `shared` elements of an inner dimension have in common, is better stored, by
    /// vector code, than computed in a register as a scalar.
    pub(crate) fn scalar_is_slow(&self, arithmetic: u32, shared: u64, elements: u64, bytes: usize) -> bool {
        arithmetic >= MATH
            && (shared < self.rates.shared || self.scalars_are_worse_than_memory(arithmetic, elements, bytes))
    }
}
