//! Gathers that are strided views: their indices are constants, evenly spaced along each dimension and within bounds, as
//! those of windows that slide.

use super::views::row_major;
use smallvec::SmallVec;
use wengert_ir::array::Literal;
use wengert_ir::func::{Func, Inst};
use wengert_ir::op::{Gather, Op};

/// Whether an instruction is a gather that is a strided view.
pub(in crate::lower) fn is_view(func: &Func, inst: &Inst) -> bool {
    matches!(&inst.op, Op::Gather(op) if of(func, inst, op).is_some())
}

/// The indices of a gather that is a strided view, per component.
pub(in crate::lower) fn of(func: &Func, inst: &Inst, op: &Gather) -> Option<Vec<Steps>> {
    let steps = spaced(func.constant(inst.operands[1])?, op.index_vector_dim)?;
    let shape = &func.tensor(inst.operands[0]).shape;
    let within = steps
        .iter()
        .zip(&op.start_index_map)
        .all(|(steps, &d)| steps.range.0 >= 0 && steps.range.1 <= shape[d] as i64 - op.slice_sizes[d] as i64);
    within.then_some(steps)
}

/// Integers of a constant that are evenly spaced along each of its dimensions.
pub(in crate::lower) struct Steps {
    /// The first of them.
    pub(in crate::lower) first: i64,
    /// From one to the next along each dimension.
    pub(in crate::lower) per_dim: SmallVec<[i64; 4]>,
    /// The smallest and the largest of them.
    range: (i64, i64),
}

/// For each place along dimension `vector` (which may be one past the last): the constant's numbers there, if evenly
/// spaced.
fn spaced(literal: &Literal, vector: usize) -> Option<Vec<Steps>> {
    /// Larger constants are not looked at. (A filter of 63 taps for 4,096 numbers, 258,048 places, compiles in 1.5 ms, and as a gather
    /// in 1.0; a call takes 7 us, and 98.)
    const MOST: usize = 1 << 22;
    let ty = literal.ty();
    if ty.elements() > MOST || ty.elements() == 0 {
        return None;
    }
    let numbers = literal.to_array().integers()?;
    let strides = row_major(&ty.shape);
    let places = ty.shape.get(vector).copied().unwrap_or(1);
    let mut all: Vec<Steps> = (0..places)
        .map(|k| {
            let base = strides.get(vector).map_or(0, |s| k as i64 * s);
            let first = numbers[base as usize];
            let per_dim = (0..ty.rank())
                .map(|d| match d == vector || ty.shape[d] == 1 {
                    true => 0,
                    false => numbers[(base + strides[d]) as usize].wrapping_sub(first),
                })
                .collect();
            Steps { first, per_dim, range: (first, first) }
        })
        .collect();
    // Row by row of the last dimension, each an even walk of every place in it.
    let last = ty.rank().saturating_sub(1);
    let row = ty.shape.last().copied().unwrap_or(1);
    let index = |at: usize, d: usize| (at as i64 / strides[d]) % ty.shape[d] as i64;
    for (number, part) in numbers.chunks_exact(row).enumerate() {
        let at = number * row;
        for (k, steps) in all.iter_mut().enumerate() {
            let is_last = vector == last && ty.rank() > 0;
            if !is_last && vector < ty.rank() && index(at, vector) != k as i64 {
                continue;
            }
            let begin = (0..last)
                .filter(|&d| d != vector)
                .fold(steps.first, |sum, d| sum.wrapping_add(index(at, d).wrapping_mul(steps.per_dim[d])));
            let (own, step) = match is_last {
                true => (&part[k..=k], 0),
                false => (part, steps.per_dim.last().copied().unwrap_or(0)),
            };
            let mut expected = begin;
            for &number in own {
                if number != expected {
                    return None;
                }
                expected = expected.wrapping_add(step);
            }
            // What walks evenly is smallest and largest at its ends.
            for end in [begin, expected.wrapping_sub(step)] {
                steps.range = (steps.range.0.min(end), steps.range.1.max(end));
            }
        }
    }
    Some(all)
}
