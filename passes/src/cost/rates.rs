//! What things take on a kind of machine, and the sizes from which passes pay: figures with units, most with the measurement that
//! they come from. `cargo run --release -p wengert-benches --bin calibrate` measures those anew and prints both.

/// A level of memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Level {
    /// What it holds, in bytes.
    pub bytes: u64,
    /// Picoseconds for a thousand bytes to be read or written, in order.
    pub kilobyte: u64,
}

/// What things take. Times are in picoseconds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rates {
    /// A vectorized operation on an element of four bytes, among others that do not depend on it (`calibrate`: operation).
    pub operation: u64,
    /// The same as a scalar (`calibrate`: scalar operation).
    pub scalar: u64,
    /// A scalar that goes from registers to memory, or back (`calibrate`: spilled scalar).
    pub spill: u64,
    /// A loop nest of its own, beside its elements (`calibrate`: loop).
    pub launch: u64,
    /// What a reducing one takes besides: its lanes are added up (`calibrate`: reduction).
    pub reduction: u64,
    /// What a loop nest is expected to cost while equal programs are compared and it is not known yet what it shares a nest with. A guess: a third of one.
    pub expected_launch: u64,
    /// The same of an operation inside a neighbour's loop.
    pub expected_step: u64,
    /// An inner loop that begins again, beside its elements (`calibrate`: trip).
    pub trip: u64,
    /// A multiply-add of a large product of elements of four bytes (`calibrate`: product).
    pub product: u64,
    /// A call of a library's routine, as that for products (`calibrate`: product).
    pub call: u64,
    /// The nearest cache, the one of a core, and what is beyond, each with what it holds (`calibrate`: bytes).
    pub levels: [Level; 3],
    /// Bytes through the caches of one core in the time of an operation of fused arithmetic, where a value is stored or computed
    /// again. Found on the benchmarks, where 2 and 8 were slower.
    pub bytes_per_operation: u64,
    /// Most operations that are repeated for each element of a larger result. As above.
    pub repeated: u32,
    /// Most operations that take about as little as loading their result. As above.
    pub loaded: u32,
    /// Elements of an inner dimension from which on one scalar for all of them is hidden behind their vectors: a function of the
    /// math library takes as a scalar what a dozen elements take as vectors. Found on the benchmarks.
    pub shared: u64,
}

/// Trips that a loop of unknown length is taken to make where plans are priced and work is weighed.
pub(crate) const TRIPS: u64 = 16;

impl Rates {
    /// One core of a server's CPU with vectors of 256 or 512 bits.
    pub(super) const CPU: Rates = Rates {
        operation: 12,
        scalar: 150,
        spill: 260,
        launch: 6_000,
        reduction: 20_000,
        expected_launch: 2_000,
        expected_step: 100,
        trip: 1_700,
        product: 8,
        call: 30_000,
        levels: [
            Level { bytes: 32 << 10, kilobyte: 2_500 },
            Level { bytes: 1 << 20, kilobyte: 4_100 },
            Level { bytes: u64::MAX, kilobyte: 19_000 },
        ],
        bytes_per_operation: 4,
        repeated: 3,
        loaded: 2,
        shared: 32,
    };

    /// The time to read or write a value of so many bytes once, in order.
    pub(crate) fn transfer(&self, bytes: u64) -> u64 {
        let [near, core, beyond] = self.levels;
        let level = [near, core].into_iter().find(|l| bytes <= l.bytes).unwrap_or(beyond);
        (bytes.saturating_mul(level.kilobyte) / 1_000).max(1)
    }

    /// The same in the nearest cache.
    pub(crate) fn nearly(&self, bytes: u64) -> u64 {
        (bytes.saturating_mul(self.levels[0].kilobyte) / 1_000).max(1)
    }
}

/// Sizes from which passes pay.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sizes {
    /// Bytes of a value that is moved out of a loop whatever it costs: a line of a cache.
    pub hoisted: u64,
    /// Bytes of residuals per trip of a loop from which on fewer are looked for; less stays in the nearest cache or in registers.
    pub residuals: u64,
    /// Multiplications of a product from which on subnormal elements of its factors are made zeros: there a test of an element costs
    /// little beside its products.
    pub flushed: usize,
    /// Elements of a factor of a batched product from which on it is written batch by batch; smaller ones are in a near cache anyway.
    pub turned: usize,
    /// Elements of a depthwise convolution's window up to which it is written out: a slice per element is code.
    pub window: usize,
    /// What one feature of a position costs in Winograd's minimal filtering beside the products, in multiplications: its part of a
    /// tile transformed, stored and read. Measured on layers of 16 to 512 features, as the next one is.
    pub minimal_feature: usize,
    /// What one element of the kernel costs there, transformed, stored and read.
    pub minimal_weight: usize,
    /// Rows, or columns, of a product of narrow integers below which loops of integers are as good as a product of floats: of 1024 x 1024
    /// numbers with 8 rows they took 0.39 ms in place of 0.56, with 16 rows 1.04 in place of 0.75.
    pub narrow_few: usize,
    /// Multiplications from which on there are products of floats: 8 x 64 by 64 x 8 takes 1.1 us in place of 6.8.
    pub narrow_work: usize,
    /// Parts that its sums are cut into at most: each is a result that is stored and read.
    pub narrow_parts: usize,
}

impl Sizes {
    pub(super) const CPU: Sizes = Sizes {
        hoisted: 64,
        residuals: 4_096,
        flushed: 32_768,
        turned: 16_384,
        window: 64,
        minimal_feature: 80,
        minimal_weight: 350,
        narrow_few: 12,
        narrow_work: 4_096,
        narrow_parts: 16,
    };
}
