//! What of a function may be computed again instead of being kept.

use super::classify::{self, Class};
use super::strided_views::is_view;
use crate::cost::{MATH, Target, arithmetic, narrow_conversion};
use wengert_ir::func::{Func, Inst, Value};
use wengert_ir::op::{DotGeneral, Op};
use wengert_ir::types::Dims;

/// Whether an instruction is part of its readers' loops and none of the expensive ones, so that what it gives may be computed
/// again where that saves memory.
pub(crate) fn is_repeatable(func: &Func, inst: &Inst) -> bool {
    let fused = match classify::class(func, inst) {
        Class::Elementwise | Class::Index | Class::Choice => true,
        Class::Reduce | Class::Opaque => false,
    };
    // A barrier asks for what is behind it to be kept apart; a gather is as expensive as the memory it reads.
    let stays = matches!(inst.op, Op::OptimizationBarrier(_) | Op::Gather(_));
    fused && !stays && arithmetic(&inst.op) < MATH
}

/// Whether an instruction is part of its readers' loops and costs about as little as loading its result would.
pub(crate) fn is_cheap(func: &Func, inst: &Inst) -> bool {
    is_repeatable(func, inst)
        && classify::terms(func, inst) == 1
        && arithmetic(&inst.op) <= Target::CPU.rates.loaded
}

/// The arithmetic of an instruction that [is repeatable](is_repeatable); about as many units as bytes that could be
/// written and read again in the time, as far as the caches of one core go.
pub(crate) fn work(func: &Func, inst: &Inst) -> u64 {
    let elements = |v: &Value| func.ty(*v).as_tensor().map_or(0, |t| t.elements() as u64);
    let each = arithmetic(&inst.op) as u64 * inst.results.first().map_or(0, elements);
    match classify::terms(func, inst) {
        1 => each,
        n => n as u64 * inst.results.first().map_or(0, elements),
    }
}

/// The same of an instruction: a gather that is a view only moves elements, and numbers become narrower or wider by formulas.
pub(in crate::lower) fn arithmetic_of(func: &Func, inst: &Inst) -> u32 {
    if let Some(narrow) = classify::narrow(func, inst) {
        return narrow_conversion(narrow);
    }
    if is_view(func, inst) { 0 } else { arithmetic(&inst.op) }
}

/// Whether neighbours in the last dimension of a result, which is long, are made of elements that are no neighbours in memory.
pub(in crate::lower) fn leaps(func: &Func, inst: &Inst) -> bool {
    /// Results of fewer elements in a row are not read by vectors.
    const LONG: usize = 16;
    let last = |v: Value| func.tensor(v).shape.last().copied().unwrap_or(1);
    if inst.results.first().is_none_or(|&r| last(r) < LONG)
        || inst.operands.first().is_none_or(|&x| last(x) == 1)
    {
        return false;
    }
    let rank = func.tensor(inst.operands[0]).rank();
    // The result's last dimension is the last free one of the second factor, or of the first, or of the batch.
    let across = |op: &DotGeneral| {
        let free = |k: usize, batch: &Dims, contracted: &Dims| {
            func.tensor(inst.operands[k]).rank() > batch.len() + contracted.len()
        };
        if free(1, &op.rhs_batching_dims, &op.rhs_contracting_dims) {
            op.rhs_contracting_dims.contains(&(func.tensor(inst.operands[1]).rank() - 1))
        } else {
            op.lhs_contracting_dims.contains(&(rank - 1))
        }
    };
    matches!(&inst.op, Op::Transpose(op) if op.perm.last() != Some(&(rank - 1)))
        || matches!(&inst.op, Op::Reduce(op) if op.dims.contains(&(rank - 1)) && classify::short_reduction(func, inst).is_some())
        || matches!(&inst.op, Op::DotGeneral(op) if classify::short_dot(func, inst).is_some() && across(op))
        || matches!(&inst.op, Op::Slice(op) if op.strides[rank - 1] > 1)
}
