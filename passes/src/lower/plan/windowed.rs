//! Which products have windows as a factor, read where they lie.
//!
//! The windows of an image are a strided view of it. If there are enough columns for vectors, and enough rows for what the other
//! factor takes to be read, they are multiplied in place: nothing is copied, an element is read as often as windows have it.
//! What they are windows of is in memory.

use super::classify::{Class, class, has_one_type};
use super::cut::cut;
use super::strided_views::is_view;
use super::views::is_splat;
use crate::cost::Target;
use wengert_ir::func::{Func, Inst, Value};
use wengert_ir::op::Op;
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
    let pays = near && columns >= sizes.least_columns && rows >= sizes.rows;
    // What is to be made piece by piece would be made as a whole.
    let apart = || cut(target, func, inst).is_none_or(|cut| cut.factor == 0);
    (pays && apart()).then_some(base)
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
                let squeezed = |s: &[usize]| s.iter().copied().filter(|&n| n != 1).collect::<Dims>();
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
