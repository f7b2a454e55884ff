//! Attributes of contractions: what is absorbed into one, what moves out of one, and products of three.
//!
//! Each function gives the attributes of the other form, or `None` where there is none.

use super::analysis::{Graph, Look};
use egg::Id;
use wengert_ir::op::{BroadcastInDim, DotGeneral, Op, Precision, Reduce};
use wengert_ir::types::Dims;

fn dot<'g>(graph: &'g Graph<'_>, id: Id) -> Option<&'g DotGeneral> {
    match graph.attrs(id)? {
        Op::DotGeneral(op) => Some(op),
        _ => None,
    }
}

fn broadcast<'g>(graph: &'g Graph<'_>, id: Id) -> Option<&'g BroadcastInDim> {
    match graph.attrs(id)? {
        Op::BroadcastInDim(op) => Some(op),
        _ => None,
    }
}

fn reduce<'g>(graph: &'g Graph<'_>, id: Id) -> Option<&'g Reduce> {
    match graph.attrs(id)? {
        Op::Reduce(op) => Some(op),
        _ => None,
    }
}

/// Which operand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// Dimensions of an operand that neither batch nor contract, ascending.
fn free(rank: usize, batching: &[usize], contracting: &[usize]) -> Dims {
    (0..rank).filter(|d| !batching.contains(d) && !contracting.contains(d)).collect()
}

/// Where the dimensions of one operand are in the result; `None` for those that are contracted. Ranks are the operands'.
fn places(d: &DotGeneral, side: Side, left: usize, right: usize) -> Vec<Option<usize>> {
    let batch = d.lhs_batching_dims.len();
    let (batching, contracting, rank, first) = match side {
        Side::Left => (&d.lhs_batching_dims, &d.lhs_contracting_dims, left, batch),
        Side::Right => {
            let before = left - batch - d.lhs_contracting_dims.len();
            (&d.rhs_batching_dims, &d.rhs_contracting_dims, right, batch + before)
        }
    };
    let free = free(rank, batching, contracting);
    (0..rank)
        .map(|k| match batching.iter().position(|&b| b == k) {
            Some(b) => Some(b),
            None => free.iter().position(|&f| f == k).map(|f| first + f),
        })
        .collect()
}

/// The factor that a scaling of one operand is of the result, if it does not vary along what is contracted. Arguments: what
/// is scaled, the other operand, the broadcast of the scale, the contraction.
pub(super) fn scale(graph: &Graph<'_>, root: Id, args: &[Id], side: Side) -> Option<BroadcastInDim> {
    let (own, other) = (graph.tensor(args[0])?.rank(), graph.tensor(args[1])?.rank());
    let (b, d) = (broadcast(graph, args[2])?, dot(graph, args[3])?);
    let (left, right) = if side == Side::Left { (own, other) } else { (other, own) };
    let places = places(d, side, left, right);
    let dims: Option<Dims> = b.dims.iter().map(|&k| places[k]).collect();
    Some(BroadcastInDim { shape: graph.tensor(root)?.shape.clone(), dims: dims? })
}

/// The contraction of what an operand was broadcast from, and the broadcast of its result, if only free dimensions were
/// repeated. Arguments: what was broadcast, the other operand, the broadcast, the contraction.
pub(super) fn unrepeated(
    graph: &Graph<'_>,
    root: Id,
    args: &[Id],
    side: Side,
) -> Option<(DotGeneral, BroadcastInDim)> {
    let (x, other) = (graph.tensor(args[0])?, graph.tensor(args[1])?.rank());
    let (b, d) = (broadcast(graph, args[2])?, dot(graph, args[3])?);
    let plain = b.dims.iter().zip(&x.shape).all(|(&k, &n)| b.shape[k] == n) && b.dims.is_sorted();
    if !plain || b.dims.len() == b.shape.len() {
        return None;
    }
    let inner =
        |dims: &Dims| -> Option<Dims> { dims.iter().map(|k| b.dims.iter().position(|e| e == k)).collect() };
    let mut op = d.clone();
    let rank = b.shape.len();
    let (left, right, small_left, small_right) = match side {
        Side::Left => {
            op.lhs_batching_dims = inner(&d.lhs_batching_dims)?;
            op.lhs_contracting_dims = inner(&d.lhs_contracting_dims)?;
            (rank, other, x.rank(), other)
        }
        Side::Right => {
            op.rhs_batching_dims = inner(&d.rhs_batching_dims)?;
            op.rhs_contracting_dims = inner(&d.rhs_contracting_dims)?;
            (other, rank, other, x.rank())
        }
    };
    // Each dimension of the small result, by the operand's dimension that it comes from.
    let result = graph.tensor(root)?;
    let small = small_left + small_right - op.lhs_batching_dims.len() - 2 * op.lhs_contracting_dims.len();
    let mut dims = Dims::from_elem(usize::MAX, small);
    for which in [Side::Left, Side::Right] {
        let big = places(d, which, left, right);
        for (k, place) in places(&op, which, small_left, small_right).into_iter().enumerate() {
            let from = if which == side { b.dims[k] } else { k };
            if let Some(place) = place {
                dims[place] = big[from]?;
            }
        }
    }
    Some((op, BroadcastInDim { shape: result.shape.clone(), dims }))
}

/// The sum over a product of two broadcasts as a contraction. Arguments: operands, their broadcasts, the sum.
pub(super) fn product(graph: &Graph<'_>, args: &[Id]) -> Option<DotGeneral> {
    let (x, y) = (graph.tensor(args[0])?, graph.tensor(args[1])?);
    let (b, c, r) = (broadcast(graph, args[2])?, broadcast(graph, args[3])?, reduce(graph, args[4])?);
    let plain = |b: &BroadcastInDim, shape: &Dims| {
        b.dims.is_sorted() && b.dims.iter().zip(shape).all(|(&k, &n)| b.shape[k] == n)
    };
    if !plain(b, &x.shape) || !plain(c, &y.shape) {
        return None;
    }
    let mut op = DotGeneral {
        lhs_batching_dims: Dims::new(),
        rhs_batching_dims: Dims::new(),
        lhs_contracting_dims: Dims::new(),
        rhs_contracting_dims: Dims::new(),
        lhs_precision: Precision::Default,
        rhs_precision: Precision::Default,
        dtype: x.dtype,
    };
    // The result has batches first, then what is free on the left, then on the right.
    let (mut order, mut contracts) = (Vec::new(), false);
    for k in 0..b.shape.len() {
        let at = |b: &BroadcastInDim| b.dims.iter().position(|&e| e == k);
        match (at(b), at(c), r.dims.contains(&k)) {
            (Some(i), Some(j), true) => {
                op.lhs_contracting_dims.push(i);
                op.rhs_contracting_dims.push(j);
                contracts = true;
            }
            (Some(i), Some(j), false) => {
                op.lhs_batching_dims.push(i);
                op.rhs_batching_dims.push(j);
                order.push(0);
            }
            (Some(_), None, false) => order.push(1),
            (None, Some(_), false) => order.push(2),
            (_, _, true) | (None, None, false) => return None,
        }
    }
    // What only reads one operand is no contraction worth the name.
    (contracts && order.contains(&1) && order.contains(&2) && order.is_sorted()).then_some(op)
}

/// `(x y) z` as `x (y z)`: the inner and the outer contraction. Arguments: operands, inner, outer.
pub(super) fn to_the_right(graph: &Graph<'_>, args: &[Id]) -> Option<(DotGeneral, DotGeneral)> {
    let (d, e) = (dot(graph, args[3])?, dot(graph, args[4])?);
    let [x, y, _] = ranks(graph, args, d, e)?;
    let nx = free(x, &[], &d.lhs_contracting_dims).len();
    let y_free = free(y, &[], &d.rhs_contracting_dims);
    let with_z: Option<Dims> =
        e.lhs_contracting_dims.iter().map(|k| y_free.get(k.checked_sub(nx)?).copied()).collect();
    let inner = DotGeneral { lhs_contracting_dims: with_z?, ..e.clone() };
    let rest = free(y, &[], &inner.lhs_contracting_dims);
    let with_x: Option<Dims> =
        d.rhs_contracting_dims.iter().map(|k| rest.iter().position(|r| r == k)).collect();
    Some((inner, DotGeneral { rhs_contracting_dims: with_x?, ..d.clone() }))
}

/// `x (y z)` as `(x y) z`: the inner and the outer contraction. Arguments: operands, inner, outer.
pub(super) fn to_the_left(graph: &Graph<'_>, args: &[Id]) -> Option<(DotGeneral, DotGeneral)> {
    let (f, g) = (dot(graph, args[3])?, dot(graph, args[4])?);
    let [x, y, _] = ranks(graph, args, f, g)?;
    let rest = free(y, &[], &f.lhs_contracting_dims);
    let with_x: Option<Dims> = g.rhs_contracting_dims.iter().map(|&k| rest.get(k).copied()).collect();
    let inner = DotGeneral { rhs_contracting_dims: with_x?, ..g.clone() };
    let nx = free(x, &[], &inner.lhs_contracting_dims).len();
    let y_free = free(y, &[], &inner.rhs_contracting_dims);
    let with_z: Option<Dims> =
        f.lhs_contracting_dims.iter().map(|k| Some(nx + y_free.iter().position(|r| r == k)?)).collect();
    Some((inner, DotGeneral { lhs_contracting_dims: with_z?, ..f.clone() }))
}

/// The ranks of three operands of one element type, of contractions without batches.
fn ranks(graph: &Graph<'_>, args: &[Id], d: &DotGeneral, e: &DotGeneral) -> Option<[usize; 3]> {
    let types = [graph.tensor(args[0])?, graph.tensor(args[1])?, graph.tensor(args[2])?];
    let one = types.iter().all(|t| t.dtype == d.dtype && t.dtype == e.dtype);
    let plain = d.lhs_batching_dims.is_empty() && e.lhs_batching_dims.is_empty();
    (one && plain).then(|| types.map(|t| t.rank()))
}
