//! Store a value or compute it again, as a vector or as a scalar: what passes ask.

use super::Target;
use super::operations::MATH;

impl Target {
    /// Whether a value that several kernels read is cheaper computed in each than stored once and loaded:
    /// `arithmetic` is that of its whole inlined expression, `readers` the kernels, `bytes` its element's size.
    pub(crate) fn recompute(&self, arithmetic: u32, readers: usize, bytes: usize) -> bool {
        // Narrow elements cost as wide ones, because vectors of mixed widths are slow.
        let moved = (readers as u64 + 1) * bytes.max(4) as u64;
        (readers as u64 - 1) * arithmetic as u64 <= moved / self.rates.bytes_per_operation
    }

    /// Whether so many elements of `bytes` each, of so much arithmetic, are better made by a loop of vectors and stored than computed
    /// as scalars where they are wanted.
    pub(crate) fn scalars_are_worse_than_memory(&self, arithmetic: u32, elements: u64, bytes: usize) -> bool {
        let rates = &self.rates;
        let saved = elements.saturating_mul(arithmetic as u64 * (rates.scalar - rates.operation));
        let moved = 2 * rates.transfer(elements.saturating_mul(bytes as u64));
        arithmetic > rates.repeated && saved > rates.launch + moved
    }

    /// Whether a value may be computed again for each element of a larger result.
    pub(crate) fn repeatable(&self, arithmetic: u32) -> bool {
        arithmetic <= self.rates.repeated
    }

    /// Whether a value that `shared` elements of an inner dimension have in common is better stored, by vector code, than
    /// computed in a register as a scalar.
    pub(crate) fn scalar_is_slow(&self, arithmetic: u32, shared: u64) -> bool {
        arithmetic >= MATH && shared < self.rates.shared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cheap_values_are_recomputed_and_expensive_ones_stored() {
        assert!(Target::CPU.recompute(2, 2, 8));
        assert!(!Target::CPU.recompute(MATH, 2, 8));
        assert!(Target::CPU.scalars_are_worse_than_memory(10, 1000, 4));
        assert!(!Target::CPU.scalars_are_worse_than_memory(2, 1000, 4));
        assert!(!Target::CPU.scalars_are_worse_than_memory(10, 2, 4));
        assert!(Target::CPU.piece_of(1000, 2, 3).is_none());
        assert!(Target::CPU.piece_of(1_000_000, 2, 3).is_some());
    }
}
