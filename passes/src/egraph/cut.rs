//! Cuts a long function into pieces that are optimized one after the other, so that time stays linear.
//!
//! The best places are where only values cross that are in memory anyway: results of contractions,
//! reductions and control flow; else those where least crosses.

use std::ops::Range;
use wengert_ir::entity::{Entity, EntityVec};
use wengert_ir::func::{Func, InstId, Module, Value};
use wengert_ir::op::{Effect, Kind, Op};

/// Ranges of `live` of at most `size` instructions each.
pub(super) fn cut(func: &Func, live: &[InstId], size: usize) -> Vec<Range<usize>> {
    let size = size.max(2);
    if live.len() <= size {
        return std::iter::once(0..live.len()).collect();
    }
    let crossing = crossing(func, live);
    let mut out = Vec::new();
    let mut start = 0;
    while live.len() - start > size {
        let candidates = start + size / 2..=start + size;
        let end = candidates.rev().min_by_key(|&at| crossing[at]).expect("not empty");
        out.push(start..end);
        start = end;
    }
    out.push(start..live.len());
    out
}

/// For each place, how many values cross it that fusion might have kept out of memory.
fn crossing(func: &Func, live: &[InstId]) -> Vec<i64> {
    let mut last = EntityVec::<Value, usize>::filled(0, func.values.len());
    for (at, &inst) in live.iter().enumerate() {
        for &v in &func.insts[inst].operands {
            last[v] = at;
        }
    }
    for &v in &func.results {
        last[v] = live.len();
    }
    let mut change = vec![0i64; live.len() + 2];
    for (at, &inst) in live.iter().enumerate() {
        let inst = &func.insts[inst];
        if !in_memory(&inst.op) {
            for &v in inst.results.iter().filter(|&&v| last[v] > at) {
                change[at + 1] += 1;
                change[last[v] + 1] -= 1;
            }
        }
    }
    let mut sum = 0;
    change
        .iter()
        .map(|c| {
            sum += c;
            sum
        })
        .collect()
}

/// Whether an operation's results are in memory whatever its neighbours are. Constants cost nothing to have
/// in two pieces.
fn in_memory(op: &Op) -> bool {
    match op.kind() {
        Kind::Source => !matches!(op, Op::Iota(_)),
        Kind::Contraction | Kind::Reduction | Kind::Control => true,
        Kind::Movement => matches!(op, Op::Gather(_) | Op::Concatenate(_)),
        Kind::Update => matches!(op, Op::Scatter(_)),
        Kind::Mark => matches!(op, Op::OptimizationBarrier(_)),
        Kind::Call => op.is_control_flow(),
        Kind::Library => matches!(op, Op::Sort(_) | Op::TopK(_) | Op::Rng(_) | Op::RngBitGenerator(_)),
        Kind::Elementwise | Kind::Opaque => false,
    }
}

/// The instructions that results and effects need, in order.
pub(super) fn live(m: &Module, func: &Func) -> Vec<InstId> {
    let mut used = EntityVec::<Value, bool>::filled(false, func.values.len());
    func.results.iter().for_each(|&v| used[v] = true);
    let mut out = Vec::new();
    for k in (0..func.insts.len()).rev() {
        let id = InstId::from_index(k);
        let inst = &func.insts[id];
        let ordered = m.effect(&inst.op) == Effect::Ordered;
        if ordered || inst.results.iter().any(|&v| used[v]) {
            inst.operands.iter().for_each(|&v| used[v] = true);
            out.push(id);
        }
    }
    out.reverse();
    out
}
