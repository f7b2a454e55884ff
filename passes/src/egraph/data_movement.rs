//! Attributes of what moves elements: slices of what was put together, pads of pads, windows at constant places.
//!
//! Each function gives the attributes of the simpler form, or `None` where there is none.

use super::analysis::{Graph, Look};
use egg::Id;
use wengert_ir::array::Literal;
use wengert_ir::op::{BroadcastInDim, Concatenate, Gather, Op, Pad, Reduce, Reverse, Slice};
use wengert_ir::types::{Dims, TensorType};

fn slice<'g>(graph: &'g Graph<'_>, id: Id) -> Option<&'g Slice> {
    match graph.attrs(id)? {
        Op::Slice(op) => Some(op),
        _ => None,
    }
}

fn pad<'g>(graph: &'g Graph<'_>, id: Id) -> Option<&'g Pad> {
    match graph.attrs(id)? {
        Op::Pad(op) => Some(op),
        _ => None,
    }
}

fn concatenate<'g>(graph: &'g Graph<'_>, id: Id) -> Option<&'g Concatenate> {
    match graph.attrs(id)? {
        Op::Concatenate(op) => Some(op),
        _ => None,
    }
}

fn reverse<'g>(graph: &'g Graph<'_>, id: Id) -> Option<&'g Reverse> {
    match graph.attrs(id)? {
        Op::Reverse(op) => Some(op),
        _ => None,
    }
}

fn gather<'g>(graph: &'g Graph<'_>, id: Id) -> Option<&'g Gather> {
    match graph.attrs(id)? {
        Op::Gather(op) => Some(op),
        _ => None,
    }
}

fn count(s: &Slice, d: usize) -> usize {
    (s.limit[d] - s.start[d]).div_ceil(s.strides[d])
}

/// Reversed twice: the dimensions that only one of them reverses.
pub(super) fn compose_reverses(graph: &Graph<'_>, r: Id, s: Id) -> Option<Reverse> {
    let (r, s) = (&reverse(graph, r)?.dims, &reverse(graph, s)?.dims);
    let once = |a: &Dims, b: &Dims| a.iter().copied().filter(|d| !b.contains(d)).collect::<Dims>();
    let mut dims = once(r, s);
    dims.extend(once(s, r));
    dims.sort_unstable();
    Some(Reverse { dims })
}

/// Whether reversing changes nothing: the dimensions have one element.
pub(super) fn reverses_units(graph: &Graph<'_>, operand: Id, by: Id) -> bool {
    let Some((ty, r)) = graph.tensor(operand).zip(reverse(graph, by)) else { return false };
    r.dims.iter().all(|&d| ty.shape[d] <= 1)
}

/// Whether a broadcast only repeats along what is reversed.
pub(super) fn reverses_repeats(graph: &Graph<'_>, operand: Id, broadcast: Id, by: Id) -> bool {
    let Some(Op::BroadcastInDim(b)) = graph.attrs(broadcast) else { return false };
    let Some((ty, r)) = graph.tensor(operand).zip(reverse(graph, by)) else { return false };
    b.dims.iter().zip(&ty.shape).all(|(d, &n)| n == 1 || !r.dims.contains(d))
}

/// The slice of an operand that a slice of it reversed takes, to be reversed after. Arguments: operand, reverse, slice.
pub(super) fn slice_reversed(graph: &Graph<'_>, args: &[Id]) -> Option<Slice> {
    let (shape, r) = (&graph.tensor(args[0])?.shape, reverse(graph, args[1])?);
    let mut out = slice(graph, args[2])?.clone();
    for &d in &r.dims {
        let n = count(&out, d);
        if n == 0 {
            return None;
        }
        let last = out.start[d] + (n - 1) * out.strides[d];
        (out.limit[d], out.start[d]) = (shape[d] - out.start[d], shape[d] - 1 - last);
    }
    Some(out)
}

/// Two slices of one operand, one after the other, as one. Arguments: slices, concatenation.
pub(super) fn join_slices(graph: &Graph<'_>, args: &[Id]) -> Option<Slice> {
    let (s, t, dim) = (slice(graph, args[0])?, slice(graph, args[1])?, concatenate(graph, args[2])?.dim);
    let same = (0..s.start.len())
        .filter(|&d| d != dim)
        .all(|d| (s.start[d], s.limit[d], s.strides[d]) == (t.start[d], t.limit[d], t.strides[d]));
    let (first, second) = (count(s, dim), count(t, dim));
    if !same || first == 0 || second == 0 {
        return None;
    }
    let stride = match (first, second) {
        (1, 1) => t.start[dim].checked_sub(s.start[dim]).filter(|&n| n > 0)?,
        (1, _) => t.strides[dim],
        (_, 1) => s.strides[dim],
        _ if s.strides[dim] == t.strides[dim] => s.strides[dim],
        _ => return None,
    };
    if t.start[dim] != s.start[dim] + first * stride {
        return None;
    }
    let mut out = s.clone();
    out.strides[dim] = stride;
    out.limit[dim] = t.start[dim] + (second - 1) * stride + 1;
    Some(out)
}

/// A slice of a concatenation that lies in piece `k`, as a slice of that piece. Arguments: pieces, concatenation, slice.
pub(super) fn slice_of_piece(graph: &Graph<'_>, args: &[Id], k: usize) -> Option<Slice> {
    let [pieces @ .., dim, cut] = args else { return None };
    let dim = concatenate(graph, *dim)?.dim;
    let size = |id: Id| graph.tensor(id).map(|t| t.shape[dim]);
    let skip: usize = pieces[..k].iter().map(|&p| size(p)).sum::<Option<usize>>()?;
    let mut out = slice(graph, *cut)?.clone();
    let (start, limit) = (out.start[dim], out.limit[dim]);
    if start < skip || limit > skip + size(pieces[k])? || start >= limit {
        return None;
    }
    out.start[dim] = start - skip;
    out.limit[dim] = limit - skip;
    Some(out)
}

/// Two pads by one value as one.
pub(super) fn compose_pads(graph: &Graph<'_>, p: Id, q: Id) -> Option<Pad> {
    let (p, q) = (pad(graph, p)?, pad(graph, q)?);
    let plain = |p: &Pad| p.interior.iter().all(|&n| n == 0) && p.low.iter().chain(&p.high).all(|&n| n >= 0);
    let sum = |a: &[i64], b: &[i64]| a.iter().zip(b).map(|(a, b)| a + b).collect();
    (plain(p) && plain(q)).then(|| Pad {
        low: sum(&p.low, &q.low),
        high: sum(&p.high, &q.high),
        interior: p.interior.clone(),
    })
}

/// A slice that sees some padding: the slice of the operand, and the padding it still needs. Arguments: operand, pad, slice.
pub(super) fn slice_with_padding(graph: &Graph<'_>, args: &[Id]) -> Option<(Slice, Pad)> {
    let (shape, p, s) = (&graph.tensor(args[0])?.shape, pad(graph, args[1])?, slice(graph, args[2])?);
    let (mut cut, mut rest) = (s.clone(), p.clone());
    let mut sees = false;
    for d in 0..shape.len() {
        if p.interior[d] != 0 || s.strides[d] != 1 {
            return None;
        }
        let (n, low) = (shape[d] as i64, p.low[d]);
        let (start, limit) = (s.start[d] as i64 - low, s.limit[d] as i64 - low);
        let (from, to) = (start.max(0), limit.min(n));
        if from >= to {
            return None;
        }
        (cut.start[d], cut.limit[d]) = (from as usize, to as usize);
        (rest.low[d], rest.high[d]) = (from - start, limit - to);
        sees |= rest.low[d] > 0 || rest.high[d] > 0;
    }
    sees.then_some((cut, rest))
}

/// The sum of two operands padded by nothing, side by side, as a padded concatenation. Arguments: operands, pads.
pub(super) fn join_pads(graph: &Graph<'_>, args: &[Id]) -> Option<(Concatenate, Pad)> {
    let (x, y) = (&graph.tensor(args[0])?.shape, &graph.tensor(args[1])?.shape);
    let (p, q) = (pad(graph, args[2])?, pad(graph, args[3])?);
    let edges = |p: &Pad, d: usize| (p.low[d], p.high[d]);
    let plain = |p: &Pad| p.interior.iter().all(|&n| n == 0) && p.low.iter().chain(&p.high).all(|&n| n >= 0);
    let mut differ = (0..x.len()).filter(|&d| edges(p, d) != edges(q, d));
    let (dim, None) = (differ.next()?, differ.next()) else { return None };
    let beside = p.low[dim] + x[dim] as i64 == q.low[dim];
    let same = (0..x.len()).all(|d| d == dim || x[d] == y[d]);
    if !plain(p) || !plain(q) || !beside || !same {
        return None;
    }
    let mut rest = p.clone();
    rest.high[dim] = q.high[dim];
    Some((Concatenate { dim }, rest))
}

/// The slice that a gather of one window at a constant place takes. Arguments: operand, indices, gather.
pub(super) fn gathered_slice(graph: &Graph<'_>, args: &[Id]) -> Option<Slice> {
    let (shape, g) = (&graph.tensor(args[0])?.shape, gather(graph, args[2])?);
    let literal = graph.literal(args[1])?;
    if literal.ty().checked_elements()? != g.start_index_map.len() || !g.operand_batching_dims.is_empty() {
        return None;
    }
    let mut out = Slice {
        start: Dims::from_elem(0, shape.len()),
        limit: g.slice_sizes.clone(),
        strides: Dims::from_elem(1, shape.len()),
    };
    for (&d, at) in g.start_index_map.iter().zip(literal.to_array().integers()?) {
        let start = at.clamp(0, (shape[d] - g.slice_sizes[d]) as i64) as usize;
        (out.start[d], out.limit[d]) = (start, start + g.slice_sizes[d]);
    }
    Some(out)
}

/// The last element of a counting vector that a gather reads element by element. Arguments: iota, gather.
pub(super) fn last_counted(graph: &Graph<'_>, iota: Id, by: Id) -> Option<f64> {
    let (Op::Iota(iota), g) = (graph.attrs(iota)?, gather(graph, by)?) else { return None };
    let elementwise = g.slice_sizes[..] == [1] && g.start_index_map[..] == [0];
    let last = iota.ty.shape.first()?.checked_sub(1)?;
    // Narrow integers count modulo their range.
    let counts =
        Literal::splat(TensorType::scalar(iota.ty.dtype), last as f64).splat_value() == Some(last as f64);
    (iota.ty.rank() == 1 && elementwise && last < 1 << 31 && counts).then_some(last as f64)
}

/// What remains of a broadcast when dimensions along which it only repeats are reduced. Arguments: operand, broadcast,
/// reduction.
pub(super) fn reduced_broadcast(graph: &Graph<'_>, args: &[Id]) -> Option<BroadcastInDim> {
    let Op::BroadcastInDim(b) = graph.attrs(args[1])? else { return None };
    let Op::Reduce(r) = graph.attrs(args[2])? else { return None };
    let ty = graph.tensor(args[0])?;
    let repeats = |d: &usize| match b.dims.iter().position(|e| e == d) {
        Some(k) => ty.shape[k] == 1,
        None => true,
    };
    // A dimension of the operand must have somewhere to go.
    if !r.dims.iter().all(|d| repeats(d) && !b.dims.contains(d) && b.shape[*d] > 0) {
        return None;
    }
    kept(b, r)
}

/// A broadcast without the dimensions that a reduction drops, if nothing goes there.
pub(super) fn kept(b: &BroadcastInDim, r: &Reduce) -> Option<BroadcastInDim> {
    let stays: Dims = (0..b.shape.len()).filter(|d| !r.dims.contains(d)).collect();
    let dims: Option<Dims> = b.dims.iter().map(|d| stays.iter().position(|s| s == d)).collect();
    Some(BroadcastInDim { shape: stays.iter().map(|&d| b.shape[d]).collect(), dims: dims? })
}
