//! Products and convolutions of integers so small that binary32 holds every sum of theirs, as those of floats.
//!
//! Floats have tiles, panels and threads for every shape; integers have loops. A sum of `n` products of magnitudes up to `a` and
//! `b` is an integer of at most `n a b`, and so is each part of it, in whatever order it is added: up to 2^24 binary32 has all
//! of them, and nothing is rounded. Longer sums are cut: parts are added as integers, which wrap as the product itself does.
//! How large an element may be is what its type says, or the narrower type that it was converted from, less a zero point:
//! that is how quantized programs are written (`(x - 3) * (w - 7)`, each of 8 bits, in 32).
//!
//! A product with few rows or columns reads its other factor a few times, which as floats would be four times as long: it stays where
//! loops of integers have something that vectors lie along.

use super::{Expander, value};
use crate::cost::Target;
use wengert_ir::func::{Func, Value};
use wengert_ir::op::*;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::{DType, DTypeClass, Dims};

/// Integers up to this magnitude are binary32 numbers, and so are the integers between.
const EXACT: u64 = 1 << 24;

/// How far a magnitude is followed.
const DEPTH: usize = 6;

/// What a contraction or convolution adds up.
struct Sum {
    /// Terms of one sum.
    terms: usize,
    /// Where a sum may be cut: a dimension of either factor, of one size.
    dims: Option<[usize; 2]>,
    /// Elements of the result.
    results: usize,
    /// Whether loops over integers are no worse: one factor is read once or a few times, along what vectors can lie along.
    is_thin: bool,
}

/// `op` on factors whose sums binary32 holds, through binary32; `None` if they are others, or if it would not pay.
pub(super) fn through_floats(e: &mut Expander<'_>, op: &Op, operands: &[Term]) -> Option<Term> {
    if !matches!(op, Op::DotGeneral(_) | Op::Convolution(_)) {
        return None;
    }
    let factors = [value(operands[0]), value(operands[1])];
    let types = factors.map(|v| e.func.tensor(v).clone());
    if !types.iter().all(|t| is_integer(t.dtype) && t.is_static()) {
        return None;
    }
    let shapes = [&types[0].shape, &types[1].shape];
    // In binary32 nothing may be rounded otherwise than by adding and multiplying.
    let (float, exact) = (DType::F32, Precision::Highest);
    let (dtype, sum, op): (DType, Sum, Op) = match op {
        Op::DotGeneral(dot) => {
            let floats =
                DotGeneral { dtype: float, lhs_precision: exact, rhs_precision: exact, ..dot.clone() };
            (dot.dtype, of_product(dot, shapes), floats.into())
        }
        Op::Convolution(c) => {
            let floats =
                Convolution { dtype: float, lhs_precision: exact, rhs_precision: exact, ..c.clone() };
            (c.dtype, of_convolution(c, shapes)?, floats.into())
        }
        _ => return None,
    };
    if !is_integer(dtype) {
        return None;
    }
    let sizes = &Target::CPU.sizes;
    let work = sum.results.saturating_mul(sum.terms);
    if sum.terms < 2 || sum.is_thin || work < sizes.narrow_work {
        return None;
    }
    let largest = |v| magnitude(&e.func, v, DEPTH);
    let most = (EXACT / (largest(factors[0])?.saturating_mul(largest(factors[1])?)).max(1)) as usize;
    let parts = parts(&sum, sum.dims.map_or(1, |dims| types[0].shape[dims[0]]), most)?;
    let narrow = factors.map(|v| before_widening(&e.func, v));
    let e: &mut dyn Emit = e;
    let floats = narrow.map(|v| e.convert(Term::Known(v), DType::F32));
    let mut total = None;
    for part in parts {
        let factors = match (part, sum.dims) {
            (Some(range), Some(dims)) => [0, 1].map(|k| taken(e, floats[k], dims[k], range)),
            _ => floats,
        };
        let sums = e.one(op.clone(), &factors);
        let sums = e.convert(sums, DType::I32);
        total = Some(match total {
            Some(before) => e.add(before, sums),
            None => sums,
        });
    }
    total.map(|sums| e.convert(sums, dtype))
}

fn product(sizes: impl IntoIterator<Item = usize>) -> usize {
    sizes.into_iter().fold(1, usize::saturating_mul)
}

fn of_product(dot: &DotGeneral, [lhs, rhs]: [&Dims; 2]) -> Sum {
    let contracting = || dot.lhs_contracting_dims.iter().zip(&dot.rhs_contracting_dims);
    let terms = product(contracting().map(|(&d, _)| lhs[d]));
    let batches = product(dot.lhs_batching_dims.iter().map(|&d| lhs[d]));
    let free = |shape: &Dims| product(shape.iter().copied()) / product([terms, batches]).max(1);
    let [rows, columns] = [free(lhs), free(rhs)];
    let longest = contracting().max_by_key(|(d, _)| lhs[**d]);
    // Loops have vectors along many columns, or along sums that lie together in both factors.
    let ends = |dims: &Dims, shape: &Dims| dims.contains(&(shape.len().wrapping_sub(1)));
    let sums_lie = ends(&dot.lhs_contracting_dims, lhs) && ends(&dot.rhs_contracting_dims, rhs);
    let few = Target::CPU.sizes.narrow_few;
    let is_thin = rows.min(columns) < few && (columns >= few || columns == 1 || sums_lie);
    let results = product([batches, rows, columns]);
    Sum { terms, dims: longest.map(|(&x, &y)| [x, y]), results, is_thin }
}

/// `None` for a convolution of single features, which is elementwise, and for one that gives nothing.
fn of_convolution(c: &Convolution, [lhs, rhs]: [&Dims; 2]) -> Option<Sum> {
    let result = c.result_shape(lhs, rhs)?;
    let inputs = rhs[c.kernel_input_feature_dimension];
    let groups = c.feature_group_count.max(c.batch_group_count);
    let window = product(c.kernel_spatial_dimensions.iter().map(|&d| rhs[d]));
    let dims = [c.input_feature_dimension, c.kernel_input_feature_dimension];
    let sum = Sum {
        terms: inputs.saturating_mul(window),
        dims: (groups == 1).then_some(dims),
        results: product(result.iter().copied()),
        is_thin: false,
    };
    (groups == 1 || inputs > 1).then_some(sum)
}

/// The parts of a dimension of `n` of which each gives sums of at most `most` terms; one that is all of it if they are few.
fn parts(sum: &Sum, n: usize, most: usize) -> Option<Vec<Option<[usize; 2]>>> {
    if sum.terms <= most {
        return Some(vec![None]);
    }
    sum.dims?;
    let part = most / (sum.terms / n.max(1)).max(1);
    if part == 0 || n.div_ceil(part) > Target::CPU.sizes.narrow_parts {
        return None;
    }
    // Parts of about one size.
    let part = n.div_ceil(n.div_ceil(part));
    Some((0..n).step_by(part).map(|start| Some([start, n.min(start + part)])).collect())
}

/// A part of a dimension.
fn taken(e: &mut dyn Emit, x: Term, dim: usize, [start, limit]: [usize; 2]) -> Term {
    let shape = e.ty(x).shape;
    let (mut starts, mut limits) = (Dims::from_elem(0, shape.len()), shape.clone());
    (starts[dim], limits[dim]) = (start, limit);
    e.one(Slice { start: starts, limit: limits, strides: Dims::from_elem(1, shape.len()) }, &[x])
}

fn is_integer(dtype: DType) -> bool {
    matches!(dtype.class(), DTypeClass::Signed | DTypeClass::Unsigned)
}

/// A value before it was converted to a wider type.
fn before_widening(f: &Func, v: Value) -> Value {
    if let Some((_, inst)) = f.def(v)
        && matches!(inst.op, Op::Convert(_))
        && widens(f.tensor(inst.operands[0]).dtype, f.tensor(v).dtype)
    {
        return before_widening(f, inst.operands[0]);
    }
    v
}

/// Whether every number of one type is a number of another one, of integers.
fn widens(from: DType, to: DType) -> bool {
    let [is_signed, will_be] = [from, to].map(|t| t.class() == DTypeClass::Signed);
    let grows = from.bits() + usize::from(will_be && !is_signed) <= to.bits();
    let keeps = is_integer(from) && (will_be || !is_signed) && grows;
    is_integer(to) && (keeps || from.class() == DTypeClass::Bool)
}

/// A bound of the magnitude of all elements of a value of integers; `None` if it is no less than binary32 has.
fn magnitude(f: &Func, v: Value, depth: usize) -> Option<u64> {
    let v = before_widening(f, v);
    let dtype = f.tensor(v).dtype;
    let is_signed = dtype.class() == DTypeClass::Signed;
    let numbers = dtype.bits() - usize::from(is_signed);
    let of_type = if is_signed { 1u64 << numbers } else { u64::MAX >> (64 - numbers) };
    let found = f.def(v).filter(|_| depth > 0).and_then(|(_, inst)| {
        let of = |k: usize| magnitude(f, inst.operands[k], depth - 1);
        match &inst.op {
            Op::Constant(c) => c.value.splat_value().map(|x| x.abs() as u64),
            Op::BroadcastInDim(_) | Op::Reshape(_) | Op::Transpose(_) | Op::Slice(_) | Op::Reverse(_) => {
                of(0)
            }
            Op::Binary(BinaryOp::Add) => of(0)?.checked_add(of(1)?),
            // Without a sign a difference wraps below zero.
            Op::Binary(BinaryOp::Subtract) if is_signed => of(0)?.checked_add(of(1)?),
            _ => None,
        }
    });
    // What wraps in its type is no larger than its type is.
    let bound = found.map_or(of_type, |found| found.min(of_type));
    (bound <= EXACT).then_some(bound)
}
