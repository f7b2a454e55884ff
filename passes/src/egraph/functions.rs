//! The functions and conditions that rules name: arithmetic on attributes, constants and types.
//!
//! A function that is undefined for its arguments keeps its rule from applying, so most conditions on
//! attributes live in the functions that compute the new ones.

use super::analysis::{Graph, Look};
use super::contract::{self, Side};
use super::data_movement;
use super::language::{Head, Node};
use super::pool::order_free;
use egg::Id;
use wengert_ir::array::Literal;
use wengert_ir::op::{
    BinaryOp, BroadcastInDim, Compare, CompareType, Direction, DotGeneral, Op, Reduce, Reducer, Reshape,
    Slice, Transpose, Zero,
};
use wengert_ir::types::{DType, DTypeClass, Dims, TensorType};

/// Makes a class from arguments; the first `Id` is the class the rule matched.
pub(super) type Function = fn(&mut Graph<'_>, Id, &[Id]) -> Option<Id>;
/// Says whether a rule applies; the first `Id` is the class it matched.
pub(super) type Condition = fn(&Graph<'_>, Id, &[Id]) -> bool;

/// The functions of right sides.
#[rustfmt::skip]
pub(super) const FUNCTIONS: &[(&str, Function)] = &[
    ("compose-transposes",   |g, _, a| { let (p, q) = (transpose(g, a[0])?, transpose(g, a[1])?);
                                         attrs(g, Transpose { perm: through(&p.perm, &q.perm) }) }),
    ("compose-broadcasts",   |g, _, a| { let (b, c) = (broadcast(g, a[0])?, broadcast(g, a[1])?);
                                         attrs(g, BroadcastInDim { shape: c.shape.clone(), dims: through(&c.dims, &b.dims) }) }),
    ("compose-slices",       |g, _, a| { let op = compose_slices(slice(g, a[0])?, slice(g, a[1])?); attrs(g, op) }),
    ("transpose-broadcast",  |g, _, a| { let (b, p) = (broadcast(g, a[0])?, transpose(g, a[1])?);
                                         attrs(g, BroadcastInDim { shape: through(&b.shape, &p.perm), dims: through(&inverse(&p.perm), &b.dims) }) }),
    ("broadcast-transpose",  |g, _, a| { let (p, b) = (transpose(g, a[0])?, broadcast(g, a[1])?);
                                         attrs(g, BroadcastInDim { shape: b.shape.clone(), dims: through(&b.dims, &inverse(&p.perm)) }) }),
    ("broadcast-reshape",    |g, _, a| { let op = broadcast_reshape(g.tensor(a[0])?, reshape(g, a[1])?, broadcast(g, a[2])?)?; attrs(g, op) }),
    ("result-shape",         |g, r, _| { let shape = g.tensor(r)?.shape.clone(); attrs(g, Reshape { shape }) }),
    ("result-type",          |g, r, _| { let ty = g.tensor(r)?.clone(); attrs(g, Zero { ty }) }),
    ("result-fill",          |g, r, _| { let shape = g.tensor(r)?.shape.clone(); attrs(g, BroadcastInDim { shape, dims: Dims::new() }) }),
    ("slice-operand",        |g, _, a| { let op = slice_operand(g.tensor(a[0])?, broadcast(g, a[1])?, slice(g, a[2])?); attrs(g, op) }),
    ("slice-broadcast",      |g, r, a| { let op = BroadcastInDim { shape: g.tensor(r)?.shape.clone(), dims: broadcast(g, a[0])?.dims.clone() }; attrs(g, op) }),
    ("slice-padded",         |g, _, a| { let op = slice_padded(g, a[0], a[1], a[2])?; attrs(g, op) }),
    ("slice-at",             |g, _, a| { let op = slice_at(g, a)?; attrs(g, op) }),
    ("splat-like",           |g, _, a| { let ty = g.tensor(a[1])?.with_dtype(g.tensor(a[0])?.dtype); splat_as(g, a[0], ty) }),
    ("splat-result",         |g, r, a| { let ty = g.tensor(r)?.clone(); splat_as(g, a[0], ty) }),
    ("reciprocal",           |g, _, a| reciprocal(g, a[0], false)),
    ("exact-reciprocal",     |g, _, a| reciprocal(g, a[0], true)),
    ("minus-infinity",       |g, _, a| { let ty = g.literal(a[0])?.ty().clone(); Some(constant(g, &Literal::splat(ty, f64::NEG_INFINITY))) }),
    ("float-equal",          |g, _, _| { let op = Compare { direction: Direction::Eq, kind: CompareType::Float }; attrs(g, op) }),
    ("flip",                 |g, _, a| { let c = compare(g, a[0])?; let op = Compare { direction: flip(c.direction)?, kind: c.kind }; attrs(g, op) }),
    ("opposite",             |g, _, a| { let op = negate(compare(g, a[0])?)?; attrs(g, op) }),
    ("compare-same",         |g, r, a| { let holds = compare_same(compare(g, a[0])?)?; number(g, r, holds as i8) }),
    ("never-below",          |g, r, a| { let is = compare(g, a[0])?.direction; let above = is == Direction::Ge;
                                         (above || is == Direction::Lt).then(|| number(g, r, above as i8))? }),
    ("reduce-transpose",     |g, _, a| { let op = reduce_transpose(g, a[0], a[1], a[2])?; attrs(g, op) }),
    ("reduce-both",          |g, _, a| { let op = reduce_both(g, a[0], a[1], a[2])?; attrs(g, op) }),
    ("reduced-count",        |g, r, a| reduced_count(g, r, a[0], a[1])),
    ("dot-left-transpose",   |g, _, a| { let op = dot_left(transpose(g, a[0])?, dot(g, a[1])?)?; attrs(g, op) }),
    ("dot-right-transpose",  |g, _, a| { let op = dot_left(transpose(g, a[0])?, &swap(dot(g, a[1])?))?; attrs(g, swap(&op)) }),
    ("dot-swap",             |g, _, a| { let op = dot_swap(g, a)?; attrs(g, op) }),
    ("dot-left-scale",       |g, r, a| { let op = contract::scale(g, r, a, Side::Left)?; attrs(g, op) }),
    ("dot-right-scale",      |g, r, a| { let op = contract::scale(g, r, a, Side::Right)?; attrs(g, op) }),
    ("dot-left-once",        |g, r, a| { let (op, _) = contract::unrepeated(g, r, a, Side::Left)?; attrs(g, op) }),
    ("dot-left-repeats",     |g, r, a| { let (_, op) = contract::unrepeated(g, r, a, Side::Left)?; attrs(g, op) }),
    ("dot-right-once",       |g, r, a| { let (op, _) = contract::unrepeated(g, r, a, Side::Right)?; attrs(g, op) }),
    ("dot-right-repeats",    |g, r, a| { let (_, op) = contract::unrepeated(g, r, a, Side::Right)?; attrs(g, op) }),
    ("dot-of-product",       |g, _, a| { let op = contract::product(g, a)?; attrs(g, op) }),
    ("dot-right-inner",      |g, _, a| { let (op, _) = contract::to_the_right(g, a)?; attrs(g, op) }),
    ("dot-right-outer",      |g, _, a| { let (_, op) = contract::to_the_right(g, a)?; attrs(g, op) }),
    ("dot-left-inner",       |g, _, a| { let (op, _) = contract::to_the_left(g, a)?; attrs(g, op) }),
    ("dot-left-outer",       |g, _, a| { let (_, op) = contract::to_the_left(g, a)?; attrs(g, op) }),
    ("compose-reverses",     |g, _, a| { let op = data_movement::compose_reverses(g, a[0], a[1])?; attrs(g, op) }),
    ("slice-reversed",       |g, _, a| { let op = data_movement::slice_reversed(g, a)?; attrs(g, op) }),
    ("join-slices",          |g, _, a| { let op = data_movement::join_slices(g, a)?; attrs(g, op) }),
    ("slice-piece-0",        |g, _, a| { let op = data_movement::slice_of_piece(g, a, 0)?; attrs(g, op) }),
    ("slice-piece-1",        |g, _, a| { let op = data_movement::slice_of_piece(g, a, 1)?; attrs(g, op) }),
    ("slice-piece-2",        |g, _, a| { let op = data_movement::slice_of_piece(g, a, 2)?; attrs(g, op) }),
    ("slice-piece-3",        |g, _, a| { let op = data_movement::slice_of_piece(g, a, 3)?; attrs(g, op) }),
    ("compose-pads",         |g, _, a| { let op = data_movement::compose_pads(g, a[0], a[1])?; attrs(g, op) }),
    ("slice-inside",         |g, _, a| { let (op, _) = data_movement::slice_with_padding(g, a)?; attrs(g, op) }),
    ("pad-remaining",        |g, _, a| { let (_, op) = data_movement::slice_with_padding(g, a)?; attrs(g, op) }),
    ("pads-side-by-side",    |g, _, a| { let (op, _) = data_movement::join_pads(g, a)?; attrs(g, op) }),
    ("pads-around",          |g, _, a| { let (_, op) = data_movement::join_pads(g, a)?; attrs(g, op) }),
    ("gathered-slice",       |g, _, a| { let op = data_movement::gathered_slice(g, a)?; attrs(g, op) }),
    ("last-counted",         |g, r, a| { let last = data_movement::last_counted(g, a[0], a[1])?; let ty = g.tensor(r)?.clone();
                                         Some(constant(g, &Literal::splat(ty, last))) }),
    ("reduced-broadcast",    |g, _, a| { let op = data_movement::reduced_broadcast(g, a)?; attrs(g, op) }),
    ("kept-broadcast",       |g, _, a| { let op = data_movement::kept(broadcast(g, a[0])?, reduce(g, a[1])?)?; attrs(g, op) }),
    ("reduce-all",           |g, r, a| { let rank = g.tensor(a[0])?.rank();
                                         let op = Reduce { dims: (0..rank).collect(), ..reduce(g, a[1])?.clone() };
                                         (g.tensor(r)?.rank() == 0).then(|| attrs(g, op))? }),
    ("trailing-zeros",       |g, _, a| { let (n, ty) = power_of_two(g, a[0])?; Some(constant(g, &Literal::splat(ty, f64::from(n.trailing_zeros())))) }),
    ("less-one",             |g, _, a| { let (n, ty) = power_of_two(g, a[0])?; Some(constant(g, &Literal::splat(ty, (n - 1) as f64))) }),
];

/// The conditions of rules.
#[rustfmt::skip]
pub(super) const CONDITIONS: &[(&str, Condition)] = &[
    ("integer",           |g, _, a| class(g, a[0]).is_some_and(|c| matches!(c, DTypeClass::Signed | DTypeClass::Unsigned))),
    ("signed",            |g, _, a| class(g, a[0]) == Some(DTypeClass::Signed)),
    ("boolean",           |g, _, a| class(g, a[0]) == Some(DTypeClass::Bool)),
    ("discrete",          |g, _, a| class(g, a[0]).is_some_and(|c| !matches!(c, DTypeClass::Float | DTypeClass::Complex))),
    ("float",             |g, _, a| class(g, a[0]) == Some(DTypeClass::Float)),
    ("splat",             |g, _, a| g.literal(a[0]).is_some_and(|l| l.as_splat().is_some())),
    ("scalar",            |g, _, a| g.tensor(a[0]).is_some_and(|t| t.rank() == 0)),
    ("result-typed",      |g, r, a| g.fact(a[0]).ty == g.fact(r).ty),
    ("same-type",         |g, _, a| g.fact(a[0]).ty == g.fact(a[1]).ty),
    ("same-shape",        |g, _, a| g.tensor(a[0]).zip(g.tensor(a[1])).is_some_and(|(x, y)| x.shape == y.shape)),
    ("never-negative-zero", |g, _, a| g.fact(a[0]).no_negative_zero),
    ("never-negative",    |g, _, a| g.fact(a[0]).no_negative),
    ("identity",          |g, _, a| transpose(g, a[0]).is_some_and(|p| p.perm.iter().enumerate().all(|(i, &d)| i == d))),
    ("moves-units",       |g, _, a| g.tensor(a[0]).zip(transpose(g, a[1])).is_some_and(|(t, p)| p.perm.iter().filter(|&&d| t.shape[d] != 1).is_sorted())),
    ("adds-units",        |g, r, a| g.tensor(a[0]).zip(g.tensor(r)).zip(broadcast(g, a[1])).is_some_and(|((x, y), b)|
                              x.checked_elements() == y.checked_elements() && x.checked_elements().is_some()
                              && b.dims.iter().zip(&x.shape).filter(|(_, n)| **n != 1).map(|(d, _)| d).is_sorted())),
    ("in-order",          |g, _, a| broadcast(g, a[0]).is_some_and(|b| b.dims.iter().enumerate().all(|(i, &d)| i == d))),
    ("convert-at-once",   |g, _, a| g.tensor(a[0]).zip(convert(g, a[1])).zip(convert(g, a[2])).is_some_and(|((t, by), to)| convert_at_once(t.dtype, by, to))),
    ("no-padding",        |g, _, a| matches!(g.attrs(a[0]), Some(Op::Pad(p)) if [&p.low, &p.high, &p.interior].iter().all(|v| v.iter().all(|&n| n == 0)))),
    ("zero",              |g, _, a| g.literal(a[0]).is_some_and(|l| is_number(l, 0))),
    ("negative-zero",     |g, _, a| g.literal(a[0]).is_some_and(|l| is_number(l, Head::NEGATIVE_ZERO))),
    ("result-dtype",      |g, r, a| g.tensor(a[0]).zip(g.tensor(r)).is_some_and(|(x, y)| x.dtype == y.dtype)),
    ("sum",               |g, _, a| monoid(g, a[0]) == Some(BinaryOp::Add)),
    ("order-free",        |g, _, a| monoid(g, a[0]).zip(g.tensor(a[1])).is_some_and(|(op, t)| order_free(op, t))),
    ("neutral",           |g, _, a| monoid(g, a[0]).zip(g.literal(a[1])).is_some_and(|(op, l)| is_neutral(op, l))),
    ("least",             |g, _, a| g.literal(a[0]).is_some_and(|l| is_neutral(BinaryOp::Maximum, l))),
    ("greatest",          |g, _, a| g.literal(a[0]).is_some_and(|l| is_neutral(BinaryOp::Minimum, l))),
    ("reduces-units",     |g, _, a| monoid(g, a[0]).is_some() && reduce(g, a[0]).zip(g.tensor(a[1])).is_some_and(|(r, t)| r.dims.iter().all(|&d| t.shape[d] == 1))),
    ("unsigned",          |g, _, a| class(g, a[0]) == Some(DTypeClass::Unsigned)),
    ("all-ones",          |g, _, a| g.literal(a[0]).is_some_and(|l| is_neutral(BinaryOp::And, l))),
    ("half",              |g, _, a| g.literal(a[0]).is_some_and(|l| l.splat_value() == Some(0.5))),
    ("minus-half",        |g, _, a| g.literal(a[0]).is_some_and(|l| l.splat_value() == Some(-0.5))),
    ("unequal",           |g, _, a| compare(g, a[0]).is_some_and(|c| c.direction == Direction::Ne)),
    ("equal",             |g, _, a| compare(g, a[0]).is_some_and(|c| c.direction == Direction::Eq)),
    ("greater",           |g, _, a| compare(g, a[0]).is_some_and(|c| matches!(c.direction, Direction::Gt | Direction::Ge))),
    ("less",              |g, _, a| compare(g, a[0]).is_some_and(|c| matches!(c.direction, Direction::Lt | Direction::Le))),
    ("reverses-units",    |g, _, a| data_movement::reverses_units(g, a[0], a[1])),
    ("reverses-repeats",  |g, _, a| data_movement::reverses_repeats(g, a[0], a[1], a[2])),
    ("idempotent",        |g, _, a| matches!(monoid(g, a[0]), Some(BinaryOp::Maximum | BinaryOp::Minimum | BinaryOp::And | BinaryOp::Or))),
];

/// Whether a literal is a splat of `number`, the sign of zero included.
pub(super) fn is_number(literal: &Literal, number: i8) -> bool {
    let Some(value) = literal.splat_value() else { return false };
    match number {
        Head::NEGATIVE_ZERO => value == 0.0 && value.is_sign_negative(),
        0 => value == 0.0 && value.is_sign_positive(),
        n => value == f64::from(n),
    }
}

/// The splat of a number with the type of a class.
pub(super) fn number(graph: &mut Graph<'_>, like: Id, number: i8) -> Option<Id> {
    let ty = graph.tensor(like).filter(|t| t.dtype.is_native())?.clone();
    let value = if number == Head::NEGATIVE_ZERO { -0.0 } else { f64::from(number) };
    Some(constant(graph, &Literal::splat(ty, value)))
}

fn constant(graph: &mut Graph<'_>, literal: &Literal) -> Id {
    let k = graph.analysis.pool.literal(literal);
    graph.add(Node::leaf(Head::Const(k), graph.analysis.ordered))
}

fn attrs(graph: &mut Graph<'_>, op: impl Into<Op>) -> Option<Id> {
    let k = graph.analysis.pool.attrs(&op.into());
    Some(graph.add(Node::leaf(Head::Attrs(k), graph.analysis.ordered)))
}

macro_rules! readers {
    ($($name:ident $variant:ident),+ $(,)?) => { $(
        fn $name<'g>(graph: &'g Graph<'_>, id: Id) -> Option<&'g wengert_ir::op::$variant> {
            match graph.attrs(id)? { Op::$variant(op) => Some(op), _ => None }
        }
    )+ };
}
readers!(
    transpose Transpose, broadcast BroadcastInDim, reshape Reshape, slice Slice, compare Compare,
    reduce Reduce, dot DotGeneral,
);

fn convert(graph: &Graph<'_>, id: Id) -> Option<DType> {
    match graph.attrs(id)? {
        Op::Convert(op) => Some(op.dtype),
        _ => None,
    }
}

fn class(graph: &Graph<'_>, id: Id) -> Option<DTypeClass> {
    graph.tensor(id).map(|t| t.dtype.class())
}

/// The operation of a reduction of one tensor by a monoid.
fn monoid(graph: &Graph<'_>, id: Id) -> Option<BinaryOp> {
    match reduce(graph, id)? {
        Reduce { reducer: Reducer::Op(op), inputs: 1, .. } => Some(*op),
        _ => None,
    }
}

/// `outer[inner[i]]` for every `i`.
fn through(outer: &[usize], inner: &[usize]) -> Dims {
    inner.iter().map(|&i| outer[i]).collect()
}

fn inverse(perm: &[usize]) -> Dims {
    let mut inverse = Dims::from_elem(0, perm.len());
    perm.iter().enumerate().for_each(|(i, &p)| inverse[p] = i);
    inverse
}

fn compose_slices(inner: &Slice, outer: &Slice) -> Slice {
    let mut out = Slice { start: Dims::new(), limit: Dims::new(), strides: Dims::new() };
    for d in 0..inner.start.len() {
        let count = (outer.limit[d] - outer.start[d]).div_ceil(outer.strides[d]);
        let start = inner.start[d] + outer.start[d] * inner.strides[d];
        // The stride to no other element is 1: a slice that is its own operand would make it grow without end.
        let stride = if count <= 1 { 1 } else { inner.strides[d] * outer.strides[d] };
        // An empty slice stays inside the operand.
        let (start, limit) = if count == 0 {
            (inner.start[d], inner.start[d])
        } else {
            (start, start + (count - 1) * stride + 1)
        };
        out.start.push(start);
        out.limit.push(limit);
        out.strides.push(stride);
    }
    out
}

/// The broadcast of what a reshape gave, without the reshape, if that only put in dimensions of size 1.
fn broadcast_reshape(
    operand: &TensorType,
    reshape: &Reshape,
    broadcast: &BroadcastInDim,
) -> Option<BroadcastInDim> {
    let mut dims = Dims::new();
    let mut at = 0;
    for &n in &operand.shape {
        while n != 1 && reshape.shape.get(at) == Some(&1) {
            at += 1;
        }
        if reshape.shape.get(at) != Some(&n) {
            return None;
        }
        dims.push(broadcast.dims[at]);
        at += 1;
    }
    reshape.shape[at..]
        .iter()
        .all(|&n| n == 1)
        .then(|| BroadcastInDim { shape: broadcast.shape.clone(), dims })
}

/// The part of a broadcast's operand that a slice of the result needs.
fn slice_operand(operand: &TensorType, broadcast: &BroadcastInDim, slice: &Slice) -> Slice {
    let mut out = Slice { start: Dims::new(), limit: Dims::new(), strides: Dims::new() };
    for (k, &d) in broadcast.dims.iter().enumerate() {
        let stretched = operand.shape[k] == 1;
        out.start.push(if stretched { 0 } else { slice.start[d] });
        out.limit.push(if stretched { 1 } else { slice.limit[d] });
        out.strides.push(if stretched { 1 } else { slice.strides[d] });
    }
    out
}

/// A slice of a padded tensor that sees nothing of the padding, as a slice of the tensor.
fn slice_padded(graph: &Graph<'_>, operand: Id, pad: Id, cut: Id) -> Option<Slice> {
    let Op::Pad(pad) = graph.attrs(pad)? else { return None };
    let shape = &graph.tensor(operand)?.shape;
    let mut out = slice(graph, cut)?.clone();
    for d in 0..shape.len() {
        let low = usize::try_from(pad.low[d]).ok()?;
        if pad.interior[d] != 0 || out.start[d] < low || out.limit[d] > low + shape[d] {
            return None;
        }
        out.start[d] -= low;
        out.limit[d] -= low;
    }
    Some(out)
}

/// The slice that a dynamic slice at constant indices takes; arguments: operand, sizes, indices.
fn slice_at(graph: &Graph<'_>, args: &[Id]) -> Option<Slice> {
    let Op::DynamicSlice(op) = graph.attrs(args[1])? else { return None };
    let shape = &graph.tensor(args[0])?.shape;
    let mut out = Slice { start: Dims::new(), limit: Dims::new(), strides: Dims::new() };
    for (d, &index) in args[2..].iter().enumerate() {
        let index = graph.literal(index)?.splat_integer()?;
        let start = index.clamp(0, (shape[d] - op.sizes[d]) as i64) as usize;
        out.start.push(start);
        out.limit.push(start + op.sizes[d]);
        out.strides.push(1);
    }
    Some(out)
}

fn splat_as(graph: &mut Graph<'_>, of: Id, ty: TensorType) -> Option<Id> {
    let bytes = graph.literal(of)?.as_splat()?.to_vec();
    ty.is_static().then(|| constant(graph, &Literal::splat_bytes(ty, &bytes)))
}

/// 1 / c for a finite constant whose reciprocal is a normal number; `exact` wants powers of two.
fn reciprocal(graph: &mut Graph<'_>, of: Id, exact: bool) -> Option<Id> {
    let literal = graph.literal(of)?;
    let (value, ty) = (literal.splat_value()?, literal.ty().clone());
    let fits = match ty.dtype {
        DType::F64 => value.is_normal() && value.recip().is_normal(),
        DType::F32 => (value as f32).is_normal() && (value as f32).recip().is_normal(),
        _ => false,
    };
    let power_of_two = value.to_bits() << 12 == 0;
    // The quotient of two f32 rounds to the same f32 through f64.
    (fits && (power_of_two || !exact)).then(|| constant(graph, &Literal::splat(ty, value.recip())))
}

/// A splat of unsigned integers that is a power of two, and its type.
fn power_of_two(graph: &Graph<'_>, of: Id) -> Option<(u64, TensorType)> {
    let literal = graph.literal(of)?;
    let mut bytes = [0; 8];
    let element = literal.as_splat()?;
    bytes[..element.len()].copy_from_slice(element);
    let n = u64::from_le_bytes(bytes);
    // As a number of type f64 it must be itself.
    (n.is_power_of_two() && n <= 1 << 52).then(|| (n, literal.ty().clone()))
}

fn flip(direction: Direction) -> Option<Direction> {
    match direction {
        Direction::Gt => Some(Direction::Lt),
        Direction::Ge => Some(Direction::Le),
        Direction::Lt | Direction::Le | Direction::Eq | Direction::Ne => None,
    }
}

fn negate(compare: &Compare) -> Option<Compare> {
    let direction = match compare.direction {
        Direction::Eq => Direction::Ne,
        Direction::Ne => Direction::Eq,
        // Unordered operands make all four false.
        _ if compare.kind == CompareType::Float => return None,
        Direction::Ge => Direction::Lt,
        Direction::Lt => Direction::Ge,
        Direction::Gt => Direction::Le,
        Direction::Le => Direction::Gt,
    };
    Some(Compare { direction, kind: compare.kind })
}

/// What comparing a value with itself gives.
fn compare_same(compare: &Compare) -> Option<bool> {
    match compare.direction {
        Direction::Lt | Direction::Gt => Some(false),
        _ if compare.kind == CompareType::Float => None, // NaN
        Direction::Ne => Some(false),
        Direction::Eq | Direction::Ge | Direction::Le => Some(true),
    }
}

/// The reduction of a transposed tensor as one of the tensor, if results keep their order and, where it
/// matters, terms do. Arguments: operand, permutation, reduction.
fn reduce_transpose(graph: &Graph<'_>, operand: Id, perm: Id, of: Id) -> Option<Reduce> {
    let (op, perm, r) = (monoid(graph, of)?, &transpose(graph, perm)?.perm, reduce(graph, of)?);
    let kept = (0..perm.len()).filter(|d| !r.dims.contains(d)).map(|d| perm[d]);
    let mut dims = through(perm, &r.dims);
    let in_order = dims.is_sorted() || order_free(op, graph.tensor(operand)?);
    if !kept.is_sorted() || !in_order {
        return None;
    }
    dims.sort_unstable();
    Some(Reduce { dims, ..r.clone() })
}

/// Two reductions by one monoid, one after the other, as one. Arguments: operand, inner, outer.
fn reduce_both(graph: &Graph<'_>, operand: Id, inner: Id, outer: Id) -> Option<Reduce> {
    if monoid(graph, inner)? != monoid(graph, outer)? {
        return None;
    }
    let (inner, outer) = (reduce(graph, inner)?, reduce(graph, outer)?);
    let kept: Dims = (0..graph.tensor(operand)?.rank()).filter(|d| !inner.dims.contains(d)).collect();
    let mut dims = through(&kept, &outer.dims);
    dims.extend_from_slice(&inner.dims);
    dims.sort_unstable();
    Some(Reduce { dims, ..inner.clone() })
}

/// How many terms each result of a sum over a broadcast has, with the type of the result. Arguments:
/// broadcast, reduction.
fn reduced_count(graph: &mut Graph<'_>, root: Id, of: Id, by: Id) -> Option<Id> {
    let shape = &broadcast(graph, of)?.shape;
    let count: usize = reduce(graph, by)?.dims.iter().map(|&d| shape[d]).product();
    let ty = graph.tensor(root).filter(|t| t.dtype.is_native())?.clone();
    Some(constant(graph, &Literal::splat(ty, count as f64)))
}

/// The reducer's identity: what leaves every bit of the other operand.
fn is_neutral(op: BinaryOp, literal: &Literal) -> bool {
    op.identity(literal.ty().dtype).is_some_and(|one| literal.as_splat() == Some(one.stored_bytes()))
}

/// Whether converting by way of `by` is converting at once. Integers wrap and floats saturate, so an integer
/// that went through a float must fit.
fn convert_at_once(from: DType, by: DType, to: DType) -> bool {
    let saturates = by.is_float() && !from.is_float() && to.is_integer();
    lossless(from, by) && (!saturates || lossless(from, to))
}

/// Whether every value of `from` is a value of `to`.
fn lossless(from: DType, to: DType) -> bool {
    use DTypeClass::*;
    let mantissa = |t: DType| match t {
        DType::F64 => 53,
        DType::F32 => 24,
        DType::F16 => 11,
        DType::BF16 => 8,
        _ => 0,
    };
    if from == to || from == DType::I1 {
        return to.is_native();
    }
    match (from.class(), to.class()) {
        (Signed, Signed) | (Unsigned, Unsigned) => from.bits() <= to.bits(),
        (Unsigned, Signed) => from.bits() < to.bits(),
        (Signed | Unsigned, Float) => from.bits() <= mantissa(to),
        (Float, Float) => matches!((from, to), (DType::F16 | DType::BF16, DType::F32) | (_, DType::F64)),
        _ => false,
    }
}

/// The contraction with its operands exchanged.
fn swap(d: &DotGeneral) -> DotGeneral {
    DotGeneral {
        lhs_batching_dims: d.rhs_batching_dims.clone(),
        rhs_batching_dims: d.lhs_batching_dims.clone(),
        lhs_contracting_dims: d.rhs_contracting_dims.clone(),
        rhs_contracting_dims: d.lhs_contracting_dims.clone(),
        lhs_precision: d.rhs_precision,
        rhs_precision: d.lhs_precision,
        dtype: d.dtype,
    }
}

/// A contraction of a transposed left operand as one of the operand, if free dimensions keep their order.
fn dot_left(p: &Transpose, d: &DotGeneral) -> Option<DotGeneral> {
    let bound = |i: &usize| d.lhs_batching_dims.contains(i) || d.lhs_contracting_dims.contains(i);
    let free = (0..p.perm.len()).filter(|i| !bound(i)).map(|i| p.perm[i]);
    free.is_sorted().then(|| DotGeneral {
        lhs_batching_dims: through(&p.perm, &d.lhs_batching_dims),
        lhs_contracting_dims: through(&p.perm, &d.lhs_contracting_dims),
        ..d.clone()
    })
}

/// A transposed contraction as the contraction of exchanged operands, if that is all the permutation does.
/// Arguments: operands, contraction, permutation.
fn dot_swap(graph: &Graph<'_>, args: &[Id]) -> Option<DotGeneral> {
    let (d, p) = (dot(graph, args[2])?, transpose(graph, args[3])?);
    let batch = d.lhs_batching_dims.len();
    let free = |rank: usize| rank - batch - d.lhs_contracting_dims.len();
    let (left, right) = (free(graph.tensor(args[0])?.rank()), free(graph.tensor(args[1])?.rank()));
    let wanted = (0..batch).chain(batch + left..batch + left + right).chain(batch..batch + left);
    p.perm.iter().copied().eq(wanted).then(|| swap(d))
}
