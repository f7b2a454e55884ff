//! Convolutions of operands that are spread, without the zeros between.

use super::labeled::{interleaved as joined, strided};
use wengert_ir::op::Convolution;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::TensorType;

/// A convolution with an operand spread further than this is computed with its padding.
const MOST_PHASES: usize = 4;
/// One that would become more convolutions than this, over all its dimensions, too.
pub(super) const MOST: usize = 64;

/// Whether the operand is spread along dimension `k` and the window moves by single steps.
pub(super) fn has_them(c: &Convolution, k: usize) -> bool {
    (2..=MOST_PHASES).contains(&c.lhs_dilation[k]) && c.window_strides[k] == 1 && c.rhs_dilation[k] == 1
}

/// Convolution of an operand that is spread by `d` along dimension `k`: of the elements under a window only every
/// `d`-th is not padding, the same ones for all windows that are `d` apart. So the results are those of `d` convolutions
/// with parts of the kernel, interleaved.
pub(super) fn interleaved(c: &Convolution, e: &mut dyn Emit, lhs: Term, rhs: Term, k: usize) -> Option<Term> {
    let (x, w) = (e.ty(lhs).shape, e.ty(rhs).shape);
    let result = c.result_shape(&x, &w)?;
    let (window, to) = (c.kernel_spatial_dimensions[k], c.output_spatial_dimensions[k]);
    let (d, low) = (c.lhs_dilation[k], c.padding_low[k]);
    let (size, taps) = (x[c.input_spatial_dimensions[k]], w[window]);
    let count = result[to].div_ceil(d);
    let mut shape = result.clone();
    shape[to] = count;
    let mut parts = Vec::new();
    for phase in 0..d as i64 {
        // The first element of the kernel that meets one of the operand, and how far that one is from the first.
        let first = (low - phase).rem_euclid(d as i64) as usize;
        let part = if first >= taps {
            e.splat(TensorType { dtype: c.dtype, shape: shape.clone() }, 0.0)
        } else {
            let kept = (taps - first).div_ceil(d);
            let mut part = c.clone();
            part.lhs_dilation[k] = 1;
            part.padding_low[k] = (low - phase - first as i64) / d as i64;
            part.padding_high[k] = (count + kept) as i64 - 1 - size as i64 - part.padding_low[k];
            let w = strided(e, rhs, window, first, d, kept);
            super::contraction(&part, e, lhs, w)?
        };
        parts.push(part);
    }
    let joined = joined(e, &parts, to);
    Some(strided(e, joined, to, 0, 1, result[to]))
}
