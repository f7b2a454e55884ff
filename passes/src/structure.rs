//! What `scan` and `while` have in common, so that passes treat them as one.

use std::ops::Range;
use wengert_ir::func::FuncId;
use wengert_ir::op::{Case, Op, Scan, While};

/// A loop: operands `[count], consts, carry, xs`, results `carry, [count], ys`; of a `while` the ys are
/// its stacks.
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    /// One trip.
    pub(crate) body: FuncId,
    /// Number of operands before the consts: the count of a scan of dynamic length.
    pub(crate) first: usize,
    /// Number of consts.
    pub(crate) consts: usize,
    /// Number of carried values.
    pub(crate) carry: usize,
    /// Number of sliced operands.
    pub(crate) xs: usize,
    /// Number of results between carry and ys: the count of a counted `while`.
    pub(crate) after: usize,
    /// Number of stacked results.
    pub(crate) ys: usize,
    /// Which loop it is.
    pub(crate) kind: LoopKind,
}

/// Who says how often a loop runs.
#[derive(Clone, Debug)]
pub(crate) enum LoopKind {
    /// The length does.
    Scan {
        /// Last row first.
        reverse: bool,
        /// Number of trips, or [`wengert_ir::types::DYNAMIC`].
        length: usize,
    },
    /// A condition does.
    While {
        /// The condition.
        cond: FuncId,
    },
}

impl Loop {
    /// The loop that `op` is, with its numbers of operands and results.
    pub(crate) fn of(op: &Op, operands: usize, results: usize) -> Option<Loop> {
        match op {
            Op::Scan(s) => {
                let first = (s.length == wengert_ir::types::DYNAMIC) as usize;
                Some(Loop {
                    body: s.body,
                    first,
                    consts: s.consts,
                    carry: s.carry,
                    xs: operands - first - s.consts - s.carry,
                    after: 0,
                    ys: results - s.carry,
                    kind: LoopKind::Scan { reverse: s.reverse, length: s.length },
                })
            }
            Op::While(w) => Some(Loop {
                body: w.body,
                first: 0,
                consts: w.consts,
                carry: operands - w.consts,
                xs: 0,
                after: w.counted as usize,
                ys: w.stacks,
                kind: LoopKind::While { cond: w.cond },
            }),
            _ => None,
        }
    }

    /// The operation.
    pub(crate) fn op(&self) -> Op {
        match self.kind {
            LoopKind::Scan { reverse, length } => {
                Scan { body: self.body, consts: self.consts, carry: self.carry, reverse, length }.into()
            }
            LoopKind::While { cond } => While {
                cond,
                body: self.body,
                consts: self.consts,
                stacks: self.ys,
                counted: self.after == 1,
            }
            .into(),
        }
    }

    /// Which operands are carried.
    pub(crate) fn carry_range(&self) -> Range<usize> {
        self.first + self.consts..self.first + self.consts + self.carry
    }

    /// The result that holds result `k` of the body.
    pub(crate) fn result_of(&self, k: usize) -> usize {
        if k < self.carry { k } else { k + self.after }
    }

    /// Whether rows run from the last to the first.
    pub(crate) fn reverse(&self) -> bool {
        matches!(self.kind, LoopKind::Scan { reverse: true, .. })
    }

    /// Static number of trips or `DYNAMIC`.
    pub(crate) fn length(&self) -> usize {
        match self.kind {
            LoopKind::Scan { length, .. } => length,
            LoopKind::While { .. } => wengert_ir::types::DYNAMIC,
        }
    }
}

/// The branches of a case.
pub(crate) fn branches(case: &Case) -> impl Iterator<Item = FuncId> + '_ {
    case.branches.iter().copied()
}
