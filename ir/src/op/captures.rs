//! Which operands of an instruction its regions capture.

use super::Op;
use crate::func::{Inst, Value};
use std::ops::Range;

impl Op {
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
