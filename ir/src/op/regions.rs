//! What an operation's functions are to it: which one is run in its place, and which operands regions capture.

use super::Op;
use crate::func::{FuncId, Inst, Value};
use crate::ops_of;
use std::ops::Range;

impl Op {
    /// The function that an operation of [`Kind::Call`](super::Kind::Call) runs in its place, on its operands; `None` of the others.
    pub fn body(&self) -> Option<FuncId> {
        match self {
            Op::Call(op) => Some(op.callee),
            Op::Composite(op) => Some(op.decomposition),
            Op::CustomJvp(op) => Some(op.body),
            Op::CustomVjp(op) => Some(op.body),
            Op::Checkpoint(op) => Some(op.body),
            Op::LinearSolve(op) => Some(op.solve),
            Op::Root(op) => Some(op.solve),
            ops_of!(source)
            | ops_of!(elementwise)
            | ops_of!(movement)
            | ops_of!(update)
            | ops_of!(contraction)
            | ops_of!(reduction)
            | ops_of!(library)
            | ops_of!(control)
            | ops_of!(mark)
            | ops_of!(opaque) => None,
        }
    }

    /// Which of so many operands the regions capture that text shows inside the operation: the functions take them before all
    /// else, in this order. `None` if its text shows no region.
    pub fn captures(&self, operands: usize) -> Option<Range<usize>> {
        let taken = match self {
            // What is counted or has stacks is written by a symbol.
            Op::While(w) if !w.counted && w.stacks == 0 => return Some(0..w.consts.min(operands)),
            Op::Case(_) => 1,
            Op::Reduce(r) => 2 * r.inputs,
            Op::ReduceWindow(r) => 2 * r.inputs,
            Op::Scatter(s) => 2 * s.inputs + 1,
            Op::SelectAndScatter(_) => 3,
            Op::Sort(s) => s.inputs,
            Op::Map(m) => m.inputs,
            Op::Foreign(f) => operands.saturating_sub(f.captures),
            _ => return None,
        };
        Some(taken.min(operands)..operands)
    }
}

impl Inst {
    /// What the operation takes, and what its regions capture.
    pub fn taken_and_captured(&self) -> (&[Value], &[Value]) {
        let n = self.operands.len();
        let captures = self.op.captures(n).unwrap_or(n..n);
        let taken = if captures.start == 0 { captures.end..n } else { 0..captures.start };
        (&self.operands[taken], &self.operands[captures])
    }
}
