//! Vocabulary of batching rules: where the mapped dimension of an operand is, and how it gets to where a rule wants it.
//!
//! A mapped value of an example's type `tensor<2x3>` is a tensor with one more dimension, of the batch's size, anywhere. A
//! rule says what an operation on examples is on whole batches, and leaves the dimension where it need not be moved.

use crate::op::{Gather, Op};
use crate::rules::{Batched, Emit, Mapped, Term};
use crate::types::Dims;
use smallvec::SmallVec;

/// `x` with dimension `from` moved to `to`, the others in order.
pub fn moved(e: &mut dyn Emit, x: Term, from: usize, to: usize) -> Term {
    let mut perm: Dims = (0..e.ty(x).rank()).collect();
    perm.remove(from);
    perm.insert(to, from);
    e.transpose(x, &perm)
}

/// An operand with the mapped dimension at `to`: moved there, or made by repetition of what is not mapped.
pub fn at(e: &mut dyn Emit, size: usize, (x, mapped): Mapped, to: usize) -> Term {
    match mapped {
        Some(from) => moved(e, x, from, to),
        None => {
            let ty = e.ty(x);
            let dims: Dims = (0..ty.rank()).map(|d| if d < to { d } else { d + 1 }).collect();
            let shape = inserted(&ty.shape, to, size);
            e.broadcast_in_dim(x, &shape, &dims)
        }
    }
}

/// Rows of `x`, along its first dimension, by `numbers`, a list of integers: a row for each. Numbers are clamped.
pub fn rows(e: &mut dyn Emit, x: Term, numbers: Term) -> Term {
    let (ty, count) = (e.ty(x), e.ty(numbers).shape[0]);
    let numbers = e.reshape(numbers, &[count, 1]);
    let mut slice_sizes = ty.shape.clone();
    slice_sizes[0] = 1;
    let gather = Gather {
        offset_dims: (1..ty.rank()).collect(),
        collapsed_slice_dims: Dims::from_slice(&[0]),
        operand_batching_dims: Dims::new(),
        start_indices_batching_dims: Dims::new(),
        start_index_map: Dims::from_slice(&[0]),
        index_vector_dim: 1,
        slice_sizes,
        indices_are_sorted: false,
    };
    e.one(gather, &[x, numbers])
}

/// All operands with the mapped dimension in front.
pub(crate) fn front(e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> SmallVec<[Term; 4]> {
    operands.iter().map(|&x| at(e, size, x, 0)).collect()
}

/// A list with one more entry.
pub(crate) fn inserted<T: Copy, const N: usize>(
    list: &SmallVec<[T; N]>,
    at: usize,
    value: T,
) -> SmallVec<[T; N]>
where
    [T; N]: smallvec::Array<Item = T>,
{
    let mut out = list.clone();
    out.insert(at, value);
    out
}

/// The dimensions `dims` of an example in a batch whose mapped dimension is `at`.
pub(crate) fn beside(dims: &[usize], at: usize) -> Dims {
    dims.iter().map(|&d| if d < at { d } else { d + 1 }).collect()
}

/// Dimensions of an example in a batch whose mapped dimension is in front, after it.
pub(crate) fn behind(dims: &[usize]) -> Dims {
    std::iter::once(0).chain(dims.iter().map(|d| d + 1)).collect()
}

/// Results with the mapped dimension in front.
pub(crate) fn in_front(results: impl IntoIterator<Item = Term>) -> Option<Batched> {
    Some(results.into_iter().map(|x| (x, Some(0))).collect())
}

/// The operation itself, on operands whose mapped dimension is where that of the first is: what does not see dimensions.
pub(crate) fn elementwise(e: &mut dyn Emit, size: usize, op: Op, operands: &[Mapped]) -> Option<Batched> {
    let to = operands.iter().find_map(|x| x.1)?;
    let terms: SmallVec<[Term; 4]> = operands.iter().map(|&x| at(e, size, x, to)).collect();
    Some(e.emit(op, &terms).into_iter().map(|x| (x, Some(to))).collect())
}

/// The operation itself, on operands whose mapped dimension is in front: what works on the last dimensions, for whatever
/// there is before them, or whose numbers of dimensions have been moved on.
pub(crate) fn leading(
    e: &mut dyn Emit,
    size: usize,
    op: impl Into<Op>,
    operands: &[Mapped],
) -> Option<Batched> {
    let terms = front(e, size, operands);
    in_front(e.emit(op.into(), &terms))
}

/// As [`leading`], of the first `data` operands; the others, initial values and captures, must be the same for all examples.
pub(crate) fn leading_but(
    e: &mut dyn Emit,
    size: usize,
    op: impl Into<Op>,
    operands: &[Mapped],
    data: usize,
) -> Option<Batched> {
    let (data, shared) = operands.split_at(data);
    if any_mapped(shared) {
        return None;
    }
    let mut terms = front(e, size, data);
    terms.extend(shared.iter().map(|x| x.0));
    in_front(e.emit(op.into(), &terms))
}

/// Whether some of these operands are mapped.
pub(crate) fn any_mapped(operands: &[Mapped]) -> bool {
    operands.iter().any(|x| x.1.is_some())
}
