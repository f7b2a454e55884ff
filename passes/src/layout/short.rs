//! Factors of short contractions lie along what vectors run over.
//!
//! Distances of points in space sum three products: kernels write such a contraction out, and compute results side by side. Points lie
//! as users have them, each with its coordinates, so that neighbouring results read elements three apart, for every point of
//! the other factor again. Turned once, coordinate by coordinate, they are read as vectors.

use super::batches::renumber;
use crate::inline::{STORED, callees_first};
use crate::lower::plan::classify::{SHORT, short_dot};
use crate::rewrite::{copy_inst, like, mapped, push};
use rustc_hash::FxHashMap;
use wengert_ir::func::{Func, FuncId, Inst, Module};
use wengert_ir::op::{DotGeneral, Op, Transpose};
use wengert_ir::types::Dims;

/// Rows of the other factor from which on turning pays.
const ROWS: usize = 8;
/// Results in a row that are worth vectors.
const LONG: usize = 16;

/// `func` with such factors turned. It is `func` itself if there are none.
pub(super) fn along_vectors(m: &mut Module, func: FuncId) -> FuncId {
    let mut done: FxHashMap<FuncId, FuncId> = FxHashMap::default();
    for id in callees_first(m, func) {
        let f = m.get(id);
        let (mut out, mut env) = like(&f);
        for inst in f.insts.values() {
            let Some((perm, dot)) = turned(&f, inst) else {
                copy_inst(&mut out, &f, inst, &mut env);
                continue;
            };
            let operands = mapped(&env, &inst.operands);
            let made = push(m, &mut out, Transpose { perm }, &[operands[1]], &inst.loc)[0];
            let stored = push(m, &mut out, STORED, &[made], &inst.loc)[0];
            let types = inst.results.iter().map(|&r| f.ty(r).clone());
            let results = out.push_typed(dot.into(), &[operands[0], stored], types, inst.loc.clone());
            env[inst.results[0]] = Some(results[0]);
        }
        out.results = mapped(&env, &f.results).to_vec();
        out.insts.values_mut().for_each(|i| i.op.map_callees(&mut |c| done[&c]));
        let new = if out == *f { id } else { m.add(out) };
        done.insert(id, new);
    }
    done[&func]
}

/// The order in which the dimensions of a short contraction's second factor had better lie, and the contraction of that.
fn turned(f: &Func, inst: &Inst) -> Option<(Dims, DotGeneral)> {
    let Op::DotGeneral(dot) = &inst.op else { return None };
    // Longer ones are short because their batch lies innermost, where vectors run over it.
    short_dot(f, inst).filter(|n| (2..=SHORT).contains(n))?;
    let [lhs, rhs] = [inst.operands[0], inst.operands[1]].map(|v| f.tensor(v));
    if !lhs.is_static() || !rhs.is_static() {
        return None;
    }
    let taken = |dims: &[&Dims], d: usize| dims.iter().any(|list| list.contains(&d));
    let of_lhs = [&dot.lhs_batching_dims, &dot.lhs_contracting_dims];
    let rows: usize = (0..lhs.rank()).filter(|&d| !taken(&of_lhs, d)).map(|d| lhs.shape[d]).product();
    let of_rhs = [&dot.rhs_batching_dims, &dot.rhs_contracting_dims];
    let free = (0..rhs.rank()).rfind(|&d| !taken(&of_rhs, d))?;
    let behind = (free + 1..rhs.rank()).map(|d| rhs.shape[d]).product::<usize>();
    if rows < ROWS || rhs.shape[free] < LONG || behind == 1 {
        return None;
    }
    let perm: Dims = (0..rhs.rank()).filter(|&d| d != free).chain([free]).collect();
    let mut dot = DotGeneral::clone(dot);
    renumber(&perm, [&mut dot.rhs_batching_dims, &mut dot.rhs_contracting_dims]);
    Some((perm, dot))
}
