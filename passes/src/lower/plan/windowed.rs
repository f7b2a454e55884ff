//! Which products have windows as a factor, read where they lie.
//!
//! The windows of an image are a strided view of it. If there are enough columns for vectors, or windows lie so that vectors have rows
//! or the sum to lie along, and enough rows for what the other factor takes to be read, they are multiplied in place: nothing is copied,
//! an element is read as often as windows have it. What they are windows of is in memory.

use super::classify::{Class, class, has_one_type};
use super::cut::cut;
use super::strided_views::{self, Steps, is_view};
use super::views::is_splat;
use crate::cost::Target;
use wengert_ir::func::{Func, Inst, Value};
use wengert_ir::kernel::LANES;
use wengert_ir::op::{Gather, Op};
use wengert_ir::types::{DType, Dims};

/// What the left factor of a contraction is windows of, if they are to be multiplied in place.
pub(in crate::lower) fn windows_of(target: &Target, func: &Func, inst: &Inst) -> Option<Value> {
    let Op::DotGeneral(dot) = &inst.op else { return None };
    let is_float = matches!(dot.dtype, DType::F32 | DType::F64);
    if target.device.is_some() || !is_float || !has_one_type(func, inst) || class(func, inst) != Class::Opaque
    {
        return None;
    }
    let (v, w) = (inst.operands[0], inst.operands[1]);
    let (windows, other) = (func.tensor(v), func.tensor(w));
    let elements = [windows.checked_elements()?, other.checked_elements()?];
    let base = view_of(func, v)?;
    let product = |dims: &[usize], shape: &[usize]| dims.iter().map(|&d| shape[d]).product::<usize>();
    let batches = product(&dot.rhs_batching_dims, &other.shape);
    let depth = product(&dot.rhs_contracting_dims, &other.shape);
    let columns = elements[1] / (batches * depth).max(1);
    let rows = elements[0] / (batches * depth).max(1);
    let sizes = &target.in_place;
    let again = columns.saturating_mul(depth).saturating_mul(dot.dtype.size());
    let near = again <= rows.saturating_mul(sizes.near) || columns <= sizes.columns;
    let is_free = |d: &usize| !dot.lhs_batching_dims.contains(d) && !dot.lhs_contracting_dims.contains(d);
    let is_long = |d: &usize| dot.lhs_contracting_dims.contains(d) && depth >= sizes.sum;
    let lies = |d: &usize| windows.shape[*d] >= LANES && (is_free(d) || is_long(d));
    let has_vectors = || columns >= sizes.least_columns || side_by_side(func, v).iter().any(lies);
    let pays = near && rows >= sizes.rows && has_vectors();
    // What is to be made piece by piece would be made as a whole.
    let apart = || cut(target, func, inst).is_none_or(|cut| cut.factor == 0);
    (pays && apart()).then_some(base)
}

/// A shape without its dimensions of size 1.
fn squeezed(shape: &[usize]) -> Dims {
    shape.iter().copied().filter(|&n| n != 1).collect()
}

/// Along which dimensions the elements of a view lie side by side in memory.
fn side_by_side(func: &Func, v: Value) -> Dims {
    let shape = &func.tensor(v).shape;
    let long = |&d: &usize| shape[d] != 1;
    let of_base = || (0..shape.len()).rfind(long).into_iter().collect();
    let Some((_, inst)) = func.def(v) else { return of_base() };
    let below = || side_by_side(func, inst.operands[0]).into_iter();
    if let Op::Transpose(t) = &inst.op {
        below().filter_map(|d| t.perm.iter().position(|&p| p == d)).collect()
    } else if let Op::Slice(s) = &inst.op {
        below().filter(|&d| s.strides[d] == 1).collect()
    } else if let Op::DynamicSlice(_) = &inst.op {
        below().collect()
    } else if let Op::BroadcastInDim(b) = &inst.op {
        below().map(|d| b.dims[d]).collect()
    } else if let Op::Reshape(_) = &inst.op
        && squeezed(&func.tensor(inst.operands[0]).shape) == squeezed(shape)
    {
        let from = &func.tensor(inst.operands[0]).shape;
        let others = |d: usize| from[..d].iter().filter(|&&n| n != 1).count();
        below().filter_map(|d| (0..shape.len()).filter(long).nth(others(d))).collect()
    } else if let Op::Gather(op) = &inst.op
        && let Some(steps) = strided_views::of(func, inst, op)
    {
        below().flat_map(|d| windows_along(func, inst, op, &steps, d)).filter(long).collect()
    } else {
        of_base()
    }
}

/// Along which dimensions of a gather that is a strided view its elements are those along a dimension of its operand.
fn windows_along(func: &Func, inst: &Inst, op: &Gather, steps: &[Steps], d: usize) -> Dims {
    let [operand, indices] = [0, 1].map(|k| func.tensor(inst.operands[k]).rank());
    let is_gone = |d: &usize| op.collapsed_slice_dims.contains(d) || op.operand_batching_dims.contains(d);
    let inside = (0..operand).filter(|d| !is_gone(d)).position(|i| i == d);
    let mut out: Dims = inside.map(|k| op.offset_dims[k]).into_iter().collect();
    if let Some(k) = op.start_index_map.iter().position(|&m| m == d) {
        let rank = func.tensor(inst.results[0]).rank();
        let places = (0..rank).filter(|d| !op.offset_dims.contains(d));
        let walked = (0..indices).filter(|&d| d != op.index_vector_dim).zip(places);
        out.extend(walked.filter(|&(i, _)| steps[k].per_dim[i] == 1).map(|(_, place)| place));
    }
    out
}

/// What a value is a view of: one stride tells for each of its dimensions, and at least one is that of windows that slide. Slices
/// and broadcasts below are part of the view: none is copied.
fn view_of(func: &Func, v: Value) -> Option<Value> {
    let (mut at, mut slides) = (v, false);
    while let Some((_, inst)) = func.def(at) {
        let through = match &inst.op {
            Op::Transpose(_) | Op::Slice(_) | Op::DynamicSlice(_) | Op::BroadcastInDim(_) => true,
            Op::Reshape(r) => {
                // Only dimensions of size 1 come or go, or what lies below is in memory as a whole.
                let same = squeezed(&func.tensor(inst.operands[0]).shape) == squeezed(&r.shape);
                if !same && view_of(func, inst.operands[0]).is_some() {
                    return None;
                }
                same
            }
            other => matches!(other, Op::Gather(_)) && is_view(func, inst),
        };
        if !through {
            break;
        }
        slides |= matches!(inst.op, Op::Gather(_));
        at = inst.operands[0];
    }
    (slides && !is_splat(func, at)).then_some(at)
}
