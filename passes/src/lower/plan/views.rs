//! What a value is a view of, judged by operations alone.

use super::classify::reshaped_from;
use smallvec::SmallVec;
use wengert_ir::func::{Func, Value};
use wengert_ir::op::Op;
use wengert_ir::types::Dims;

/// Whether a value is the same number everywhere, known now.
pub(in crate::lower) fn is_splat(func: &Func, v: Value) -> bool {
    match func.def(v) {
        Some((_, inst)) => match &inst.op {
            Op::Constant(c) => c.value.as_splat().is_some(),
            Op::Zero(_) => true,
            Op::BroadcastInDim(_) | Op::Reshape(_) => is_splat(func, inst.operands[0]),
            _ => false,
        },
        None => false,
    }
}

/// What `v` is a row-major view of: through reshapes and slices of leading dimensions.
pub(in crate::lower) fn contiguous_base(func: &Func, mut v: Value) -> Value {
    while let Some((_, inst)) = func.def(v) {
        match &inst.op {
            Op::Reshape(_) => v = inst.operands[0],
            Op::Slice(s) => {
                let shape = &func.tensor(inst.operands[0]).shape;
                let whole = |d: usize| s.start[d] == 0 && s.limit[d] == shape[d] && s.strides[d] == 1;
                // Dimensions before the cut one have one index; those after it are whole.
                let cut = (0..shape.len()).find(|&d| s.limit[d] - s.start[d] != 1).unwrap_or(shape.len());
                if s.strides.iter().any(|&k| k != 1) || !(cut + 1..shape.len()).all(whole) {
                    break;
                }
                v = inst.operands[0];
            }
            _ => break,
        }
    }
    v
}

/// What `v` is a strided view of.
pub(in crate::lower) fn strided_base(func: &Func, mut v: Value) -> Value {
    while let Some((_, inst)) = func.def(v) {
        match &inst.op {
            Op::Transpose(_) => v = inst.operands[0],
            Op::Reshape(r) => {
                // Only dimensions of size 1 come or go, or the operand itself lies in memory row-major.
                let from = &func.tensor(inst.operands[0]).shape;
                let squeezed = |s: &[usize]| s.iter().copied().filter(|&n| n != 1).collect::<Dims>();
                let whole = reshaped_from(func, inst.operands[0]);
                let plain = strided_base(func, whole) == whole;
                if squeezed(from) != squeezed(&r.shape) && !plain {
                    break;
                }
                v = inst.operands[0];
            }
            Op::Slice(_) => v = inst.operands[0],
            _ => break,
        }
    }
    v
}

/// Elements from one index to the next, per dimension of a row-major shape.
pub(in crate::lower) fn row_major(shape: &[usize]) -> SmallVec<[i64; 4]> {
    let mut strides: SmallVec<[i64; 4]> = SmallVec::from_elem(1, shape.len());
    for d in (0..shape.len().saturating_sub(1)).rev() {
        strides[d] = strides[d + 1] * shape[d + 1] as i64;
    }
    strides
}
