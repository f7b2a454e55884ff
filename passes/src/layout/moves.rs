//! What operations are on operands with a dimension behind all others: the same, with dimensions of other numbers.

use super::turned::{
    MANY, Walk, behind_others, broadcast, elements, permuted, place, places, reshaped_to, turned_type,
};
use crate::lower::plan::classify::{INTERLEAVED, has_one_type};
use smallvec::SmallVec;
use wengert_ir::func::{Inst, Value};
use wengert_ir::op::*;
use wengert_ir::ops_of;
use wengert_ir::types::Dims;

/// The results of an instruction from operands that are turned. False, and nothing done, if none is or there is no way.
pub(super) fn moved(w: &mut Walk<'_>, inst: &Inst) -> bool {
    let Some(k) = inst.operands.iter().position(|&v| w.dim(v).is_some()) else { return false };
    if inst.results.len() != 1 && !matches!(inst.op, Op::OptimizationBarrier(_)) {
        return false;
    }
    let (x, d) = (inst.operands[k], w.dim(inst.operands[k]).expect("turned"));
    match &inst.op {
        ops_of!(elementwise) => elementwise(w, inst, x, d),
        Op::StopGradient(_) => {
            let value = w.turned(x, d);
            let new = w.push(inst.op.clone(), &[value], &inst.loc)[0];
            w.set_turned(inst.results[0], d, new);
            true
        }
        Op::OptimizationBarrier(_) => {
            let dims: Vec<Option<usize>> = inst.operands.iter().map(|&v| w.dim(v)).collect();
            let operands: Vec<Value> = inst
                .operands
                .iter()
                .zip(&dims)
                .map(|(&v, d)| match *d {
                    Some(d) => w.turned(v, d),
                    None => w.plain(v),
                })
                .collect();
            let new = w.push(inst.op.clone(), &operands, &inst.loc);
            for ((&r, d), value) in inst.results.iter().zip(dims).zip(new) {
                match d {
                    Some(d) => w.set_turned(r, d, value),
                    None => w.set_plain(r, value),
                }
            }
            true
        }
        ops_of!(movement) | Op::Reduce(_) | Op::DynamicUpdateSlice(_) => match movement(w, inst, k, d) {
            Some((dim, new)) => {
                // Elements keep their order under a reshape, so it costs nothing either way.
                match (&inst.op, dim) {
                    (Op::Reduce(_), _) => w.gains(x, d),
                    (Op::Reshape(_), _) | (_, None) => {}
                    (_, Some(dim)) => w.gains(inst.results[0], dim),
                }
                match dim {
                    Some(dim) => w.set_turned(inst.results[0], dim, new),
                    None => w.set_plain(inst.results[0], new),
                }
                true
            }
            None => false,
        },
        Op::DotGeneral(dot) => contraction(w, inst, dot),
        ops_of!(source)
        | Op::Scatter(_)
        | ops_of!(library)
        | ops_of!(call)
        | ops_of!(control)
        | ops_of!(opaque) => false,
    }
}

fn elementwise(w: &mut Walk<'_>, inst: &Inst, x: Value, d: usize) -> bool {
    let f = w.f.clone();
    let (shape, result) = (&f.tensor(x).shape, inst.results[0]);
    let fits = |v: Value| f.tensor(v).shape == *shape;
    // A predicate or bounds may be one for all; bits of other sizes change the last dimension.
    if !fits(result) || !inst.operands.iter().all(|&v| fits(v) || f.tensor(v).rank() == 0) {
        return false;
    }
    let operands: SmallVec<[Value; 4]> =
        inst.operands.iter().map(|&v| if fits(v) { w.turned(v, d) } else { w.plain(v) }).collect();
    let op: Op = match &inst.op {
        Op::BitcastConvert(_) => BitcastConvert { ty: turned_type(f.tensor(result), d) }.into(),
        op => op.clone(),
    };
    let new = w.push(op, &operands, &inst.loc)[0];
    w.set_turned(result, d, new);
    true
}

/// An operation that moves or reduces, with operand `k` turned at `d`: at which dimension the result is turned, if it has
/// examples still.
fn movement(w: &mut Walk<'_>, inst: &Inst, k: usize, d: usize) -> Option<(Option<usize>, Value)> {
    let f = w.f.clone();
    let x = inst.operands[k];
    let (ty, result) = (f.tensor(x), f.tensor(inst.results[0]));
    let (rank, size) = (ty.rank(), ty.shape[d]);
    let loc = &inst.loc;
    match &inst.op {
        Op::BroadcastInDim(b) => {
            let to = b.dims[d];
            (result.shape[to] == size).then(|| (Some(to), broadcast(w, inst, b, x, Some(d), to)))
        }
        Op::Reshape(r) => {
            let to = reshaped_to(&ty.shape, d, &r.shape)?;
            let shape = permuted(&r.shape, to);
            let value = w.turned(x, d);
            Some((Some(to), w.push(Reshape { shape }, &[value], loc)[0]))
        }
        Op::Transpose(t) => {
            let to = t.perm.iter().position(|&p| p == d)?;
            let perm: Dims = behind_others(rank, to).iter().map(|&k| place(rank, d, t.perm[k])).collect();
            let value = w.turned(x, d);
            let same = perm.iter().copied().eq(0..rank);
            Some((Some(to), if same { value } else { w.push(Transpose { perm }, &[value], loc)[0] }))
        }
        Op::Reverse(r) if !r.dims.contains(&d) => {
            let value = w.turned(x, d);
            Some((Some(d), w.push(Reverse { dims: places(rank, d, &r.dims) }, &[value], loc)[0]))
        }
        Op::Slice(s) if result.shape[d] == size => {
            let op = Slice {
                start: permuted(&s.start, d),
                limit: permuted(&s.limit, d),
                strides: permuted(&s.strides, d),
            };
            let value = w.turned(x, d);
            Some((Some(d), w.push(op, &[value], loc)[0]))
        }
        Op::Concatenate(c) if c.dim != d => {
            let operands: Vec<Value> = inst.operands.iter().map(|&v| w.turned(v, d)).collect();
            Some((Some(d), w.push(Concatenate { dim: place(rank, d, c.dim) }, &operands, loc)[0]))
        }
        Op::Pad(p) if k == 0 && p.low[d] == 0 && p.high[d] == 0 && p.interior[d] == 0 => {
            let op = Pad {
                low: permuted(&p.low, d),
                high: permuted(&p.high, d),
                interior: permuted(&p.interior, d),
            };
            let operands = [w.turned(x, d), w.plain(inst.operands[1])];
            Some((Some(d), w.push(op, &operands, loc)[0]))
        }
        Op::DynamicSlice(s) if k == 0 && s.sizes[d] == size => {
            let mut operands = vec![w.turned(x, d)];
            let starts = behind_others(rank, d);
            operands.extend(starts.iter().map(|&k| w.plain(inst.operands[1 + k])));
            Some((Some(d), w.push(DynamicSlice { sizes: permuted(&s.sizes, d) }, &operands, loc)[0]))
        }
        Op::DynamicUpdateSlice(_)
            if k < 2 && f.tensor(inst.operands[1]).shape[d] == f.tensor(inst.operands[0]).shape[d] =>
        {
            let mut operands = vec![w.turned(inst.operands[0], d), w.turned(inst.operands[1], d)];
            let starts = behind_others(rank, d);
            operands.extend(starts.iter().map(|&k| w.plain(inst.operands[2 + k])));
            Some((Some(d), w.push(DynamicUpdateSlice {}, &operands, loc)[0]))
        }
        Op::Reduce(r) if matches!(r.reducer, Reducer::Op(_)) && r.inputs == 1 && k == 0 => {
            // Over the examples alone: elements are added in the order they had.
            if r.dims.contains(&d) && r.dims.len() > 1 {
                return None;
            }
            let op = Reduce { dims: places(rank, d, &r.dims), ..r.clone() };
            let operands = [w.turned(x, d), w.plain(inst.operands[1])];
            let new = w.push(op, &operands, loc)[0];
            let to = d - r.dims.iter().filter(|&&k| k < d).count();
            Some(((!r.dims.contains(&d)).then_some(to), new))
        }
        _ => None,
    }
}

/// A product in whose factors the examples lie behind. One of few terms becomes a loop over them.
fn contraction(w: &mut Walk<'_>, inst: &Inst, dot: &DotGeneral) -> bool {
    let f = w.f.clone();
    let factors = [inst.operands[0], inst.operands[1]];
    let result = inst.results[0];
    let batching = [&dot.lhs_batching_dims, &dot.rhs_batching_dims];
    let contracting = [&dot.lhs_contracting_dims, &dot.rhs_contracting_dims];
    let k = usize::from(w.dim(factors[0]).is_none());
    let d = w.dim(factors[k]).expect("one is turned");
    let terms: usize = contracting[0].iter().map(|&c| f.tensor(factors[0]).shape[c]).product();
    let few = (1..=INTERLEAVED).contains(&terms) && dot.dtype.is_float() && has_one_type(&f, inst);
    let renumbered = |dims: [Option<usize>; 2]| {
        let of = |side: usize, list: &Dims| match dims[side] {
            Some(d) => places(f.tensor(factors[side]).rank(), d, list),
            None => list.clone(),
        };
        DotGeneral {
            lhs_batching_dims: of(0, batching[0]),
            rhs_batching_dims: of(1, batching[1]),
            lhs_contracting_dims: of(0, contracting[0]),
            rhs_contracting_dims: of(1, contracting[1]),
            ..dot.clone()
        }
    };
    let rank = f.tensor(result).rank();
    if let Some(p) = batching[k].iter().position(|&b| b == d) {
        if !few {
            return false;
        }
        let dims = [batching[0][p], batching[1][p]];
        let operands = [w.turned(factors[0], dims[0]), w.turned(factors[1], dims[1])];
        let new = w.push(renumbered([Some(dims[0]), Some(dims[1])]), &operands, &inst.loc)[0];
        finish(w, inst, new, p, p);
        return true;
    }
    let others = elements(f.tensor(factors[1 - k]));
    if contracting[k].contains(&d) {
        // A sum over examples.
        let mut dims = [None; 2];
        dims[k] = Some(d);
        let mut operands = [factors[0], factors[1]];
        operands[k] = w.turned(factors[k], d);
        dims[1 - k] = w.dim(factors[1 - k]).filter(|other| contracting[1 - k].contains(other));
        operands[1 - k] = match dims[1 - k] {
            Some(other) => w.turned(factors[1 - k], other),
            None => w.plain(factors[1 - k]),
        };
        let new = w.push(renumbered(dims), &operands, &inst.loc)[0];
        // A product with a vector is a loop, which reads each element once, and of one with a matrix a library takes care.
        if factors.iter().any(|&v| elements(f.tensor(v)) == f.tensor(factors[k]).shape[d] as u64) {
            for (v, dim) in factors.into_iter().zip(dims) {
                dim.into_iter().for_each(|dim| w.gains(v, dim));
            }
        }
        w.set_plain(result, new);
        return true;
    }
    // A matrix that all examples share.
    if !few || others > (MANY * MANY) as u64 {
        return false;
    }
    let free = |side: usize| -> Dims {
        let rank = f.tensor(factors[side]).rank();
        (0..rank).filter(|d| !batching[side].contains(d) && !contracting[side].contains(d)).collect()
    };
    let own = free(k);
    let before = batching[0].len() + if k == 0 { 0 } else { free(0).len() };
    let position = before + own.iter().position(|&x| x == d).expect("it is free");
    let mut dims = [None; 2];
    dims[k] = Some(d);
    let mut operands = [factors[0], factors[1]];
    operands[k] = w.turned(factors[k], d);
    operands[1 - k] = w.plain(factors[1 - k]);
    let new = w.push(renumbered(dims), &operands, &inst.loc)[0];
    w.gains(factors[k], d);
    debug_assert_eq!(rank, w.f.tensor(result).rank());
    finish(w, inst, new, before + own.len() - 1, position);
    true
}

/// A product with the examples at `at`, put behind the others: they were to be at `dim`.
fn finish(w: &mut Walk<'_>, inst: &Inst, new: Value, at: usize, dim: usize) {
    let result = inst.results[0];
    let rank = w.f.tensor(result).rank();
    let perm = behind_others(rank, at);
    let same = perm.iter().copied().eq(0..rank);
    let value = if same { new } else { w.push(Transpose { perm }, &[new], &inst.loc)[0] };
    w.gains(result, dim);
    w.set_turned(result, dim, value);
}
