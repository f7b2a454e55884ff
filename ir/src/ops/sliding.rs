//! Windows that slide over an operand, as convolutions and `reduce_window` see them.
//!
//! Along one dimension the operand of `size` elements is spread by its dilation, padded (negative padding
//! cuts), and read by windows of `window` elements that are `window_dilation` apart, a window every `stride`.

use crate::rules::{EvalError, Evaluate};
use crate::types::{DType, Dims, TensorType};
use smallvec::SmallVec;

/// How windows slide along one dimension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slide {
    /// Elements of the operand.
    pub size: usize,
    /// Padding before the first, or how many are cut if it is negative.
    pub low: i64,
    /// Padding after the last.
    pub high: i64,
    /// How far elements are spread.
    pub dilation: usize,
    /// Elements of the window.
    pub window: usize,
    /// How far they are spread.
    pub window_dilation: usize,
    /// How far a window is from the next.
    pub stride: usize,
}

/// How far `size` elements reach that are `dilation` apart.
fn reach(size: usize, dilation: usize) -> i128 {
    if size == 0 { 0 } else { (size as i128 - 1) * dilation as i128 + 1 }
}

impl Slide {
    /// The size of the padded operand; negative if more is cut than there is.
    pub(crate) fn padded(&self) -> i128 {
        self.low as i128 + reach(self.size, self.dilation) + self.high as i128
    }

    /// How far a window reaches.
    pub(crate) fn window_reach(&self) -> i128 {
        reach(self.window, self.window_dilation)
    }

    /// How many windows fit; `None` if the number is absurd.
    pub fn count(&self) -> Option<usize> {
        let (padded, window) = (self.padded(), self.window_reach());
        if padded <= 0 || window > padded {
            return Some(0);
        }
        usize::try_from((padded - window) / self.stride as i128 + 1).ok().filter(|&n| n < isize::MAX as usize)
    }

    /// The element of the operand that element `k` of window `o` is, or `None` for padding.
    pub(crate) fn place(&self, o: usize, k: usize) -> Option<usize> {
        let at =
            o as i128 * self.stride as i128 + k as i128 * self.window_dilation as i128 - self.low as i128;
        let step = self.dilation as i128;
        (at >= 0 && at % step == 0 && at / step < self.size as i128).then_some((at / step) as usize)
    }

    /// What the result (or source) must be padded with so that the windows that read the padded array are
    /// those that a transposition of this slide wants: before it and after it.
    pub(crate) fn transposed_padding(&self) -> (i64, i64) {
        let (size, window) = (reach(self.size, self.dilation), self.window_reach());
        let out = reach(self.count().unwrap_or(0), self.stride);
        let before = window - self.low as i128 - 1;
        let after = size + window - 1 - out - before;
        (before as i64, after as i64)
    }

    /// The padding of the convolution that gives the cotangent of the kernel.
    pub(crate) fn kernel_padding(&self) -> (i64, i64) {
        let (size, window) = (reach(self.size, self.dilation), self.window_reach());
        let out = reach(self.count().unwrap_or(0), self.stride);
        (self.low, (out - size + window - self.low as i128 - 1) as i64)
    }
}

/// Fails if there is no memory for the [`places`] of these windows.
pub(crate) fn reserve_places(
    cx: &mut dyn Evaluate,
    windows: impl IntoIterator<Item = (Slide, usize)>,
) -> Result<(), EvalError> {
    const WORDS: usize = size_of::<Option<usize>>() / DType::I64.size();
    let mut windows = windows.into_iter();
    windows.try_for_each(|(slide, count)| {
        cx.reserve(&TensorType::new(DType::I64, &[count, slide.window, WORDS]))
    })
}

/// For each result position along one dimension and each element of its window: the place in the operand.
pub(crate) fn places(slide: &Slide, count: usize) -> Vec<Vec<Option<usize>>> {
    (0..count).map(|o| (0..slide.window).map(|k| slide.place(o, k)).collect()).collect()
}

/// Padding large enough to be a mistake.
pub(crate) fn sane(padding: &[i64]) -> bool {
    padding.iter().all(|p| p.unsigned_abs() < 1 << 61)
}

/// The flat position of an index.
pub(crate) fn flat(index: &[usize], steps: &[isize]) -> usize {
    index.iter().zip(steps).map(|(&i, &s)| i * s as usize).sum()
}

/// Numbers of dimensions `dims` of a shape.
pub(crate) fn pick(shape: &[usize], dims: &[usize]) -> Dims {
    dims.iter().map(|&d| shape[d]).collect()
}

/// So many copies of a number.
pub(crate) fn all(value: usize, n: usize) -> Dims {
    SmallVec::from_elem(value, n)
}
