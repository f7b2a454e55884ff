//! Factors that a loop multiplies by again and again lie along its results.
//!
//! A state times a matrix, trip after trip, is what recurrent networks, filters and integrators do. If sums run along the matrix's
//! rows, each is a loop of its own with a tail and lanes to add up; if they run down its columns, vectors hold the sums side by side.
//! A matrix that no trip changes is turned once, before the loop, so that they do: the loop of 100 trips of a 200 x 200 matrix was made
//! 2.4 times as fast.

use super::batches::renumber;
use crate::hoist;
use crate::inline::callees_first;
use crate::lower::plan::classify::has_one_type;
use crate::matvec;
use crate::rewrite::{copy_inst, like, mapped, push};
use crate::structure::Loop;
use crate::total::Totality;
use rustc_hash::FxHashMap;
use wengert_ir::func::{Func, FuncId, Inst, Module, Value};
use wengert_ir::op::{DotGeneral, Op, Transpose};
use wengert_ir::types::{DYNAMIC, Dims, FloatMode};

/// Which matrices are turned.
#[derive(Clone, Copy)]
pub struct Sizes {
    /// The fewest trips: a matrix is turned in the time of about two.
    pub trips: usize,
    /// The fewest sums that lie side by side: fewer do not fill a vector, and long rows do (10 sums of 400 were 1.4 times as slow).
    pub sums: usize,
    /// The most rows of the other factor: products of more pack the matrix themselves, at little cost.
    pub rows: usize,
    /// The most bytes of a matrix: a larger one comes from memory at each trip, whichever way it lies, and wants no second copy.
    pub bytes: usize,
    /// The most bytes of those of a loop.
    pub together: usize,
}

impl Sizes {
    const DEFAULT: Sizes = Sizes { trips: 4, sums: 16, rows: 64, bytes: 1 << 21, together: 1 << 24 };
    /// All that can be.
    pub const NONE: Sizes =
        Sizes { trips: 0, sums: 0, rows: usize::MAX, bytes: usize::MAX, together: usize::MAX };
}

/// `func` with such factors turned. It is `func` itself if there are none, and in exact mode, where products stay as they are written.
pub(super) fn down_columns(m: &mut Module, func: FuncId) -> FuncId {
    down_columns_from(m, func, Sizes::DEFAULT)
}

/// [`down_columns`] from other sizes on.
pub fn down_columns_from(m: &mut Module, func: FuncId, sizes: Sizes) -> FuncId {
    if m.mode == FloatMode::Exact {
        return func;
    }
    let (done, turned) = (FxHashMap::default(), FxHashMap::default());
    let mut pass = Pass { sizes, total: Totality::default(), done, turned };
    for f in callees_first(m, func) {
        let new = pass.func(m, f);
        pass.done.insert(f, new);
    }
    pass.done[&func]
}

struct Pass {
    sizes: Sizes,
    total: Totality,
    done: FxHashMap<FuncId, FuncId>,
    /// What was turned in front of the loops of a function: it may go in front of the function's own loop.
    turned: FxHashMap<FuncId, Vec<Value>>,
}

impl Pass {
    fn func(&mut self, m: &mut Module, id: FuncId) -> FuncId {
        let f = m.get(id);
        if f.insts.values().all(|i| i.op.callees().is_empty()) {
            return id;
        }
        let (mut out, mut env) = like(&f);
        let mut made = Vec::new();
        for inst in f.insts.values() {
            let mut inst = inst.clone();
            inst.op.map_callees(&mut |c| self.done[&c]);
            let operands = mapped(&env, &inst.operands);
            let Some(l) = Loop::of(&inst.op, operands.len(), inst.results.len())
                .filter(|l| l.length() == DYNAMIC || l.length() >= self.sizes.trips)
            else {
                copy_inst(&mut out, &f, &inst, &mut env);
                continue;
            };
            let Some((body, moving)) = self.body(m, &l) else {
                copy_inst(&mut out, &f, &inst, &mut env);
                continue;
            };
            let (op, operands) = hoist::with_outside(m, &mut out, &body, l.clone(), &operands, &moving);
            made.extend_from_slice(&operands[l.first + l.consts..][..moving.len()]);
            let types = inst.results.iter().map(|&r| f.ty(r).clone());
            let results = out.push_typed(op, &operands, types, inst.loc.clone());
            inst.results.iter().zip(results).for_each(|(&old, new)| env[old] = Some(new));
        }
        out.results = mapped(&env, &f.results).to_vec();
        let new = if out == *f { id } else { m.add(out) };
        if !made.is_empty() {
            self.turned.insert(new, made);
        }
        new
    }

    /// The body of a loop with factors turned, and what of it is to be computed before the loop.
    fn body(&mut self, m: &Module, l: &Loop) -> Option<(Func, Vec<Value>)> {
        let body = m.get(l.body);
        let inside = self.turned.get(&l.body).map_or(&[][..], Vec::as_slice);
        if inside.is_empty() && !body.insts.values().any(|i| matches!(i.op, Op::DotGeneral(_))) {
            return None;
        }
        let fixed = hoist::invariant(m, &mut self.total, &body, l.consts, hoist::is_free_to_move);
        let (mut out, mut env) = like(&body);
        let mut made: Vec<(Value, Dims, Value)> = Vec::new();
        let mut room = self.sizes.together;
        for inst in body.insts.values() {
            let factors =
                [0, 1].map(|k| Factor::of(&body, inst, k, &self.sizes).filter(|factor| fixed[factor.matrix]));
            let (Op::DotGeneral(dot), true) = (&inst.op, factors.iter().any(Option::is_some)) else {
                copy_inst(&mut out, &body, inst, &mut env);
                continue;
            };
            let mut dot = DotGeneral::clone(dot);
            let mut operands = mapped(&env, &inst.operands);
            for (k, factor) in factors.into_iter().enumerate() {
                let Some(Factor { matrix, perm, bytes }) = factor else { continue };
                let known = made.iter().find(|t| t.0 == matrix && t.1 == perm).map(|t| t.2);
                if known.is_none() && bytes > room {
                    continue;
                }
                renumber(
                    &perm,
                    if k == 0 {
                        [&mut dot.lhs_batching_dims, &mut dot.lhs_contracting_dims]
                    } else {
                        [&mut dot.rhs_batching_dims, &mut dot.rhs_contracting_dims]
                    },
                );
                operands[k] = known.unwrap_or_else(|| {
                    let op = Transpose { perm: perm.clone() };
                    let new = push(m, &mut out, op, &[operands[k]], &inst.loc)[0];
                    room -= bytes;
                    made.push((matrix, perm, new));
                    new
                });
            }
            let types = inst.results.iter().map(|&r| body.ty(r).clone());
            let results = out.push_typed(dot.into(), &operands, types, inst.loc.clone());
            env[inst.results[0]] = Some(results[0]);
        }
        out.results = mapped(&env, &body.results).to_vec();
        let inside = inside.iter().filter(|&&v| fixed[v]).map(|&v| env[v].expect("all are copied"));
        let moving: Vec<Value> = inside.chain(made.iter().map(|t| t.2)).collect();
        (!moving.is_empty()).then_some((out, moving))
    }
}

/// A factor of which neighbouring elements are summed, and the order of dimensions in which they are not.
struct Factor {
    matrix: Value,
    perm: Dims,
    bytes: usize,
}

impl Factor {
    fn of(f: &Func, inst: &Inst, k: usize, sizes: &Sizes) -> Option<Factor> {
        let Op::DotGeneral(dot) = &inst.op else { return None };
        if !dot.dtype.is_float() || !has_one_type(f, inst) {
            return None;
        }
        let sides = [
            (&dot.lhs_batching_dims, &dot.lhs_contracting_dims),
            (&dot.rhs_batching_dims, &dot.rhs_contracting_dims),
        ];
        let free = |k: usize| -> Dims {
            let (batch, contracted) = sides[k];
            let all = 0..f.tensor(inst.operands[k]).rank();
            all.filter(|d| !batch.contains(d) && !contracted.contains(d)).collect()
        };
        let matrix = inst.operands[k];
        let ty = f.tensor(matrix);
        let size =
            |v: Value, dims: &[usize]| -> usize { dims.iter().map(|&d| f.tensor(v).shape[d]).product() };
        let bytes = ty.checked_elements()?.checked_mul(ty.dtype.size())?;
        let (batch, contracted) = sides[k];
        let kept = free(k);
        let rows = size(inst.operands[1 - k], &free(1 - k));
        let wanted = bytes <= sizes.bytes
            && size(matrix, contracted) > 1
            && size(matrix, &kept) >= sizes.sums
            && f.tensor(inst.operands[1 - k]).is_static()
            && (1..=sizes.rows).contains(&rows)
            && (rows > 1
                || matvec::stays_near(size(matrix, batch), size(matrix, contracted) * size(matrix, &kept)))
            && contracted.contains(&innermost(f, matrix)?);
        let perm = batch.iter().chain(contracted).chain(&kept).copied().collect();
        wanted.then_some(Factor { matrix, perm, bytes })
    }
}

/// The dimension of a value along which it lies in memory, if transpositions of it are read as indices.
fn innermost(f: &Func, v: Value) -> Option<usize> {
    let (from, order) = matvec::as_it_lies(f, v);
    let shape = &f.tensor(from).shape;
    let last = (0..shape.len()).rev().find(|&d| shape[d] > 1)?;
    order.iter().position(|&d| d == last)
}
