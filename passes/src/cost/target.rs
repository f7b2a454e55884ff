//! What a kind of machine is good at.

use super::{Rates, Sizes};

/// Which windows are multiplied where they lie.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InPlace {
    /// The least rows of the product.
    pub rows: usize,
    /// The least columns that vectors lie along. Of fewer, most of a vector is idle, which takes 1.25 times as long for 3 columns as to
    /// copy windows; they are multiplied in place where vectors have something else to lie along.
    pub least_columns: usize,
    /// The shortest sum that vectors lie along if columns are fewer.
    pub sum: usize,
    /// How many columns are few.
    pub columns: usize,
    /// Most bytes of the other factor for a row, unless its columns are few: it is brought into order for some hundred rows at a
    /// time. Measured: 9 MB for 392 rows take 1.4 times as long as windows that are copied, 5 MB for 1,568 as long.
    pub near: usize,
}

/// Which short rows are turned, many at a time: vectors then lie across rows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turned {
    /// Most elements of a row.
    pub longest: i64,
    /// Fewest rows.
    pub fewest: i64,
    /// Most elements of a row that shares nothing and is not turned though it could be, if what is computed is expensive.
    pub across: i64,
    /// Most bytes of such a row if it is not.
    pub across_bytes: i64,
    /// Bytes of a tile, which stays in the nearest cache beside what is made of it.
    pub bytes: i64,
    /// Fewest rows of a tile.
    pub least: i64,
    /// Most rows of a tile.
    pub most: i64,
}

/// The figures of a kind of machine. Lengths are in elements unless another unit is said.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    /// Scalar instructions up to which tensors may be kept in registers, if there are not more in kernels.
    pub register_instructions: usize,
    /// Instructions of a short kernel, in place of which there may be as many of scalars.
    pub kernel_instructions: usize,
    /// Sizes of tensor tried for registers, largest first; scalars always are.
    pub register_sizes: [usize; 5],
    /// Largest tensor in memory that a region takes in registers.
    pub register_argument: usize,
    /// Multiply-adds up to which a contraction of register tensors is written out.
    pub register_dot: usize,
    /// Instructions up to which one expression is inlined.
    pub expression: u32,
    /// Instructions up to which expressions share one kernel.
    pub kernel: u32,
    /// Distance from which on the next element of a loop is elsewhere in memory: further than a line of a cache.
    pub leap: i64,
    /// Rows and columns of a tile: as many rows as elements in a line of a cache, and a few vectors of columns.
    pub tile: [i64; 2],
    /// Bytes that loops may walk again and again: half of the first cache.
    pub near_bytes: i64,
    /// Most columns of a reduction that are too few to walk memory by.
    pub narrow: i64,
    /// Bytes of a piece of a factor that is made while it is multiplied: it should stay in the second cache.
    pub piece_bytes: usize,
    /// A factor of fewer pieces is stored whole.
    pub pieces: usize,
    /// Bounds of the least rows of a piece, or the least length of a piece of the sum, between which it is what the other
    /// factor has: that is read again for each piece, or the product is.
    pub piece_rows: [usize; 2],
    /// How many pieces may be in memory at a time, for threads to share.
    pub slots: i64,
    /// How many of them take turns in the same memory at least, so that it stays in the cache.
    pub slot_pieces: i64,
    /// Most arithmetic per element of a factor that is made piece by piece.
    pub piece_arithmetic: u32,
    /// Which windows are multiplied where they lie.
    pub in_place: InPlace,
    /// Longest row over which kernels are joined: several of them should stay in the nearest cache.
    pub row: usize,
    /// How many units further a kernel to join is looked for.
    pub row_lookahead: usize,
    /// Which short rows are turned.
    pub turned: Turned,
    /// Work (elements times arithmetic) of one piece that a thread takes: less is lost again where another core wants what it
    /// wrote.
    pub grain: u64,
    /// Elements of such a piece at least.
    pub least_piece: usize,
    /// The longest dimension that a reduction writes out.
    pub unrolled: usize,
    /// Most values that a kernel reads and computes: pointers and intermediate values want registers.
    pub kernel_values: usize,
    /// Partial results of at most this many blocks of a reduction stay in registers, and of half as many if an element takes more
    /// operations than `block_arithmetic`.
    pub blocks: i64,
    /// See `blocks`.
    pub block_arithmetic: u32,
    /// Bytes of accumulators of one tile of columns: a part of the nearest cache.
    pub accumulators: usize,
    /// What things take.
    pub rates: Rates,
    /// The sizes from which passes pay.
    pub sizes: Sizes,
    /// How kernels are launched; `None` where threads share memory and are started by the runtime.
    pub device: Option<Device>,
}

/// The figures of a device that runs kernels in blocks of threads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Device {
    /// Threads of a block.
    pub threads: u32,
    /// Most blocks of a launch; with more elements than they have threads, each takes several.
    pub blocks: i64,
    /// Work (elements times arithmetic) that one thread does between others rather than a launch of its own.
    pub alone: usize,
    /// Work of one trip up to which a loop is one launch, of a thread or a block of them: what a launch costs is that of some
    /// thousand operations.
    pub trip: usize,
    /// Totals of blocks of a reduction from which on launches that take 16 of them a thread come first; 16 at least.
    pub totals: i64,
    /// Whether matrix products are calls of a library; else they are kernels of ours.
    pub products: bool,
}

impl Target {
    /// Any CPU. Found on one core with caches of 48 KiB and 2 MiB and vectors of 512 bits.
    pub const CPU: Target = Target {
        register_instructions: 4_000,
        kernel_instructions: 60,
        register_sizes: [64, 32, 16, 8, 4],
        register_argument: 8,
        register_dot: 512,
        expression: 160,
        kernel: 320,
        leap: 16,
        tile: [16, 64],
        near_bytes: 24 * 1024,
        narrow: 32,
        piece_bytes: 256 * 1024,
        pieces: 8,
        piece_rows: [16, 192],
        slots: 16,
        slot_pieces: 4,
        piece_arithmetic: 8,
        in_place: InPlace { rows: 16, least_columns: 8, sum: 128, columns: 128, near: 4096 },
        row: 8_192,
        row_lookahead: 24,
        turned: Turned {
            longest: 64,
            fewest: 64,
            across: 7,
            across_bytes: 32,
            bytes: 16 * 1024,
            least: 32,
            most: 128,
        },
        grain: 131_072,
        least_piece: 512,
        unrolled: 4,
        kernel_values: 24,
        blocks: 4,
        block_arithmetic: 12,
        accumulators: 16 * 1024,
        rates: Rates::CPU,
        sizes: Sizes::CPU,
        device: None,
    };

    /// A GPU: kernels are launched in blocks of threads by a host that has no part in what they compute. Not yet measured on one.
    /// Factors of products are stored whole. Products are ours: no driver calls a vendor's library.
    pub const GPU: Target = Target {
        piece_bytes: usize::MAX / 64,
        device: Some(Device {
            threads: 256,
            blocks: 16_384,
            alone: 256,
            trip: 16_384,
            totals: 8_192,
            products: false,
        }),
        ..Target::CPU
    };

    /// Rows and columns of the tiles in which `height` rows of `width` elements are walked, if they are: too few rows for two
    /// tiles below each other are one.
    pub(crate) fn tile_of(&self, height: i64, width: i64) -> Option<[i64; 2]> {
        let [tall, wide] = self.tile;
        let few = height < 2 * tall;
        let fits = if few { height >= tall / 4 && width >= 2 * wide } else { width >= wide };
        fits.then_some([if few { height } else { tall }, wide])
    }

    /// How many rows of `arithmetic` per element are added up before accumulators in memory are read and written: more for
    /// cheap ones, whose time is that of the accumulators.
    pub(crate) fn rows_together(&self, arithmetic: u32) -> i64 {
        match arithmetic {
            0..=2 => 8,
            3..=8 => 4,
            9..=24 => 2,
            _ => 1,
        }
    }

    /// Elements per piece of a parallel loop, or `None` if the loop is too small to cut. `arithmetic` is per
    /// element, `streams` the memories it walks.
    pub(crate) fn piece_of(&self, elements: usize, arithmetic: u32, streams: usize) -> Option<usize> {
        let each = arithmetic as u64 + 2 * streams as u64;
        let piece = (self.grain / each.max(1)).max(self.least_piece as u64) as usize;
        (elements >= 2 * piece).then_some(piece)
    }
}
