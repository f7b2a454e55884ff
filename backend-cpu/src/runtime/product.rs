//! What a matrix product is, and of what.

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
    /// Whether it is added to what `c` holds.
    pub(crate) adds: bool,
}

impl Product {
    pub(crate) fn new(
        elem: Scalar,
        sizes: [usize; 4],
        a: &Matrix,
        b: &Matrix,
        c: &Matrix,
        adds: bool,
    ) -> Self {
        let [batch, m, n, k] = sizes;
        let strides = |x: &Matrix| [x.row_stride as isize, x.col_stride as isize, x.batch_stride as isize];
        Self { elem, batch, m, n, k, a: strides(a), b: strides(b), c: strides(c), adds }
    }

    /// `c' = b' * a'`: the same numbers with rows and columns exchanged.
    pub(super) fn transposed(&self) -> Self {
        let swap = |[rows, columns, batches]: [isize; 3]| [columns, rows, batches];
        Self { m: self.n, n: self.m, a: swap(self.b), b: swap(self.a), c: swap(self.c), ..*self }
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
