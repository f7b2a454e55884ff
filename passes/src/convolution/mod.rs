//! Convolution as one contraction.
//!
//! Along each spatial dimension the padded operand of size `P` becomes two dimensions: where the window is and where in the
//! window ([`windows`]; im2col, Chellapilla, Puri and Simard 2006, as a strided view). Then windows and features are
//! contracted with the kernel. Axes are placed so that what is contracted lies together. A [`depthwise`] convolution is a sum
//! of products of slices instead, which fuses. One with an operand that is spread, as the derivatives of strided ones are, is
//! several with parts of the kernel ([`phases`]), none of which multiplies the zeros between: not in the exact mode, where
//! zeros times infinity are NaN. Windows of 3 x 3 over many features may be [`winograd`]'s.

mod depthwise;
mod labeled;
mod phases;
mod windows;
pub(crate) mod winograd;

use crate::cost::Target;
use labeled::{Axis, arrange, contract, labeled_lhs, labeled_rhs, pad_lhs};
use smallvec::smallvec;
use wengert_ir::op::{Convolution, Reverse};
use wengert_ir::ops::{Slide, arithmetic};
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::{Dims, FloatMode, TensorType};

/// The same results by slices and a contraction.
pub(crate) fn contraction(c: &Convolution, e: &mut dyn Emit, lhs: Term, rhs: Term) -> Option<Term> {
    let (x, w) = (e.ty(lhs), e.ty(rhs));
    let dtype = arithmetic(x.dtype, w.dtype, c.dtype);
    if [x.dtype, w.dtype, c.dtype] != [dtype; 3] {
        let (lhs, rhs) = (e.convert(lhs, dtype), e.convert(rhs, dtype));
        let out = contraction(&Convolution { dtype, ..c.clone() }, e, lhs, rhs)?;
        return Some(e.convert(out, c.dtype));
    }
    let n = c.spatial();
    let slides: Vec<Slide> = (0..n).map(|k| c.slide(k, &x.shape, &w.shape)).collect();
    let counts: Vec<usize> = slides.iter().map(Slide::count).collect::<Option<_>>()?;
    let result = c.result_shape(&x.shape, &w.shape)?;
    if x.shape.contains(&0) || w.shape.contains(&0) || result.contains(&0) {
        return Some(e.splat(TensorType { dtype: c.dtype, shape: result }, 0.0));
    }

    let reversed: Dims =
        (0..n).filter(|&k| c.window_reversal[k]).map(|k| c.kernel_spatial_dimensions[k]).collect();
    if !reversed.is_empty() {
        let rhs = e.one(Reverse { dims: reversed }, &[rhs]);
        let c = Convolution { window_reversal: smallvec![false; n], ..c.clone() };
        return contraction(&c, e, lhs, rhs);
    }
    let mode = e.module().mode;
    let phased = || (0..n).filter(|&k| phases::has_them(c, k));
    let parts = phased().fold(1, |parts: usize, k| parts.saturating_mul(c.lhs_dilation[k]));
    if let Some(k) = phased().next()
        && parts <= phases::MOST
        && mode != FloatMode::Exact
    {
        return phases::interleaved(c, e, lhs, rhs, k);
    }

    let taps: Vec<usize> = slides.iter().map(|s| s.window).collect();
    let features = [c.kernel_input_feature_dimension, c.kernel_output_feature_dimension];
    let features = features.map(|d| w.shape[d]);
    let batches = x.shape[c.input_batch_dimension];
    if winograd::is_faster(c, mode, &taps, batches, features, &counts) {
        return Some(winograd::minimal_filtering(c, e, lhs, rhs, &result));
    }

    let padded = pad_lhs(c, e, lhs, &x);
    let (mut lhs, mut rhs) = (labeled_lhs(c, e, padded), labeled_rhs(c, e, rhs));
    let groups = c.feature_group_count.max(c.batch_group_count);
    if groups > 1 {
        lhs.split(e, if c.feature_group_count > 1 { Axis::Input } else { Axis::Batch }, groups);
        rhs.split(e, Axis::Output, groups);
    }
    let window: usize = taps.iter().product();
    let out =
        if groups > 1 && features[0] == 1 && c.batch_group_count == 1 && window <= Target::CPU.sizes.window {
            depthwise::products(e, lhs, rhs, &slides, &counts)
        } else {
            for k in 0..n {
                windows::windows(e, &mut lhs, k, &slides[k], counts[k]);
            }
            contract(c, e, lhs, rhs, groups > 1)
        };
    Some(arrange(c, e, out, &result))
}
