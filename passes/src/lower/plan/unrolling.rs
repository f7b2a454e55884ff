//! Which reductions write out a dimension: each index of it is a reduction of its own in one loop, and what does not
//! depend on it is computed once for all.

use super::classify::{Class, is_reduction, terms};
use super::fusion::{MANY, Planner, varies};
use crate::cost;
use smallvec::SmallVec;
use wengert_ir::func::{Def, Inst, InstId, Value};
use wengert_ir::kernel::LANES;
use wengert_ir::op::Op;

/// One place of a dimension that is written out: the first or the last of a kernel's space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Unrolled {
    pub(in crate::lower) dim: usize,
    pub(in crate::lower) extent: usize,
    pub(in crate::lower) index: usize,
}

impl Planner<'_> {
    /// The dimension that a reduction had better write out: a short one, the first or the last, which it keeps and on
    /// which a part of its expression that is worth sharing does not depend. Only through values that are `inlined`.
    pub(in crate::lower) fn written_out(
        &self,
        inst: &Inst,
        inlined: impl Fn(InstId) -> bool,
    ) -> Option<usize> {
        let Op::Reduce(r) = &inst.op else { return None };
        // Of few terms it is an expression, over what it gives.
        if !is_reduction(self.func, inst) {
            return None;
        }
        let space = &self.func.tensor(inst.operands[0]).shape;
        let ends = [0, space.len().saturating_sub(1)];
        ends.into_iter().find(|&d| {
            let others =
                space.iter().enumerate().filter(|(k, _)| *k != d).map(|(_, &n)| n).product::<usize>();
            let short =
                space.get(d).is_some_and(|&n| (2..=self.target.unrolled).contains(&n) && others >= LANES * n);
            short && !r.dims.contains(&d) && self.shares(inst.operands[0], d, &inlined)
        })
    }

    /// Whether a part of an expression that is worth sharing does not depend on dimension `d`.
    fn shares(&self, root: Value, d: usize, inlined: &impl Fn(InstId) -> bool) -> bool {
        let space = &self.func.tensor(root).shape;
        let mut work: SmallVec<[Value; 8]> = SmallVec::from_slice(&[root]);
        let mut visits = self.target.expression;
        while let Some(v) = work.pop() {
            let Def::Inst(id, _) = self.func.values[v].def else { continue };
            let inst = &self.func.insts[id];
            let fits = self.func.ty(v).as_tensor().is_some_and(|t| t.shape == *space);
            if visits == 0 || !fits || self.registers[id] || !inlined(id) {
                continue;
            }
            visits -= 1;
            if let Op::BroadcastInDim(b) = &inst.op {
                let from = inst.operands[0];
                if !varies(b, &self.func.tensor(from).shape, d)
                    && !self.target.repeatable(self.expression(from, inlined))
                {
                    return true;
                }
            } else if self.class[id] == Class::Elementwise {
                work.extend(inst.operands.iter().copied());
            }
        }
        false
    }

    /// The arithmetic of an expression, each value of it once, through those that may be and are `inlined`.
    fn expression(&self, v: Value, inlined: &impl Fn(InstId) -> bool) -> u32 {
        let mut known: SmallVec<[InstId; 16]> = SmallVec::new();
        let mut work: SmallVec<[Value; 16]> = SmallVec::from_slice(&[v]);
        let mut arithmetic = 0u32;
        while let Some(v) = work.pop() {
            let Some(id) = self.inlinable(v).filter(|&id| inlined(id) && !known.contains(&id)) else {
                continue;
            };
            known.push(id);
            if known.len() > self.target.expression as usize {
                break;
            }
            let inst = &self.func.insts[id];
            let terms = terms(self.func, inst) as u32;
            arithmetic = arithmetic.saturating_add(cost::arithmetic(&inst.op) + terms - 1);
            work.extend(inst.operands.iter().copied());
        }
        arithmetic
    }

    /// The dimension of a value that all these readers write out.
    pub(in crate::lower) fn unrolled_by(&self, readers: &[InstId], v: Value) -> Option<usize> {
        let over = |r: InstId| self.func.ty(self.func.insts[r].operands[0]) == self.func.ty(v);
        let (&first, others) = readers.split_first().filter(|_| readers.len() < MANY)?;
        let dim = self.unrolled[first]?;
        (over(first) && others.iter().all(|&r| self.unrolled[r] == Some(dim) && over(r))).then_some(dim)
    }
}
