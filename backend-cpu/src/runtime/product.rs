//! What a matrix product is, and of what.

use wengert_ir::kernel::product::{Level, MOST_LEVELS};
use wengert_ir::kernel::{Matrix, Scalar};

/// A product as generated code describes it: sizes and strides in elements, known when it is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Product {
    pub(crate) elem: Scalar,
    pub(crate) batch: usize,
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
    /// Strides of rows, columns and batches of the three matrices.
    pub(crate) a: [isize; 3],
    pub(crate) b: [isize; 3],
    pub(crate) c: [isize; 3],
    /// Outer dimensions of the rows of `a` and `c`.
    pub(crate) rows: Levels,
    /// Outer dimensions of the columns of `a` and the rows of `b`.
    pub(crate) depth: Levels,
    /// Whether it is added to what `c` holds.
    pub(crate) adds: bool,
    /// Whether each matrix walks memory evenly along rows and columns: there are no outer dimensions.
    pub(crate) is_even: bool,
}

impl Product {
    pub(crate) fn new(
        elem: Scalar,
        sizes: [usize; 4],
        [rows, depth]: [&[Level]; 2],
        [a, b, c]: [&Matrix; 3],
        adds: bool,
    ) -> Self {
        let strides = |x: &Matrix| [x.row_stride as isize, x.col_stride as isize, x.batch_stride as isize];
        let levels = [rows, depth].map(Levels::new);
        Self::with_levels(elem, sizes, levels, [a, b, c].map(strides), adds)
    }

    /// The same of strides of rows, columns and batches.
    pub(crate) fn with_levels(
        elem: Scalar,
        [batch, m, n, k]: [usize; 4],
        [rows, depth]: [Levels; 2],
        [a, b, c]: [[isize; 3]; 3],
        adds: bool,
    ) -> Self {
        let is_even = [rows, depth] == [Levels::NONE; 2];
        Self { elem, batch, m, n, k, a, b, c, rows, depth, adds, is_even }
    }

    /// `c' = b' * a'`, if they walk memory evenly: the same numbers with rows and columns exchanged.
    pub(crate) fn transposed(&self) -> Self {
        let swap = |[rows, columns, batches]: [isize; 3]| [columns, rows, batches];
        Self { m: self.n, n: self.m, a: swap(self.b), b: swap(self.a), c: swap(self.c), ..*self }
    }
}

/// Dimensions of rows or of the sum outside the innermost one, outermost first, with what a step of each is in two matrices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Levels {
    pub(crate) extents: [usize; MOST_LEVELS],
    pub(crate) strides: [[isize; 2]; MOST_LEVELS],
}

impl Levels {
    /// None.
    pub(crate) const NONE: Levels = Levels { extents: [1; MOST_LEVELS], strides: [[0; 2]; MOST_LEVELS] };

    /// Those of a kernel, which has no more.
    fn new(levels: &[Level]) -> Levels {
        let mut all = Levels::NONE;
        let from = MOST_LEVELS - levels.len();
        for (k, level) in levels.iter().enumerate() {
            all.extents[from + k] = level.extent;
            all.strides[from + k] = level.strides.map(|stride| stride as isize);
        }
        all
    }

    /// How many numbers there are with an innermost dimension of this length.
    pub(super) fn count(&self, innermost: usize) -> usize {
        self.extents.iter().product::<usize>() * innermost
    }

    /// The places of so many numbers from one on, where the innermost dimension has this length and these strides. They wrap where
    /// there is no element.
    pub(super) fn fill(&self, innermost: usize, strides: [isize; 2], from: usize, places: &mut [[isize; 2]]) {
        if places.is_empty() {
            return;
        }
        let mut rest = from / innermost.max(1);
        let mut index = [0; MOST_LEVELS];
        for (index, &extent) in index.iter_mut().zip(&self.extents).rev() {
            *index = rest % extent;
            rest /= extent;
        }
        let mut inner = from % innermost.max(1);
        let outer = |index: &[usize; MOST_LEVELS]| -> [isize; 2] {
            let step = |(&i, s): (&usize, &[isize; 2]), k: usize| (i as isize).wrapping_mul(s[k]);
            let at = |k: usize| {
                index.iter().zip(&self.strides).fold(0isize, |sum, x| sum.wrapping_add(step(x, k)))
            };
            [at(0), at(1)]
        };
        let mut base = outer(&index);
        for place in places {
            *place = [0, 1].map(|k| base[k].wrapping_add((inner as isize).wrapping_mul(strides[k])));
            inner += 1;
            if inner == innermost {
                inner = 0;
                for (index, &extent) in index.iter_mut().zip(&self.extents).rev() {
                    *index += 1;
                    if *index < extent {
                        break;
                    }
                    *index = 0;
                }
                base = outer(&index);
            }
        }
    }
}

/// Multiplication and addition with one rounding.
pub(crate) trait Fused: Copy {
    /// `self * b + c`.
    fn fused(self, b: Self, c: Self) -> Self;
}
impl Fused for f64 {
    #[inline(always)]
    fn fused(self, b: f64, c: f64) -> f64 {
        self.mul_add(b, c)
    }
}
impl Fused for f32 {
    #[inline(always)]
    fn fused(self, b: f32, c: f32) -> f32 {
        self.mul_add(b, c)
    }
}

/// The floats that products are of.
pub(crate) trait Float: Copy + 'static + Fused {
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
}
impl Float for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
}
impl Float for f32 {
    const ZERO: f32 = 0.0;
    const ONE: f32 = 1.0;
}
