//! Where elements are read from a value that is computed inside its readers. A stencil reads each element at several distances, and
//! each distance is an expression of its own: the value is computed as often. Disjoint parts (the even and the odd elements, the two
//! pieces of a rotation) are not.
//!
//! A place is a linear function of the distances along dimensions, so the ways `(0, 1) + (1, 0)` and `(1, 0) + (0, 1)` through two
//! stencils are one. It is a number, not a proof: two places with one number would only be counted as one.

use smallvec::SmallVec;
use wengert_ir::func::{Func, Inst, Value};
use wengert_ir::op::Op;

/// The places and how many elements are computed from each.
#[derive(Clone, Default, Debug)]
pub(in crate::lower) struct Windows(SmallVec<[(u64, u64); 4]>);

/// More places than these count as many.
const MOST: usize = 64;

impl Windows {
    /// Each element of so many once, where it is.
    pub(in crate::lower) fn whole(elements: u64) -> Windows {
        Windows(SmallVec::from_slice(&[(0, elements)]))
    }

    /// How often an element of a value of so many is computed.
    pub(in crate::lower) fn times(&self, elements: u64) -> usize {
        let sum = self.0.iter().fold(0u64, |sum, &(_, n)| sum.saturating_add(n.min(elements)));
        sum.div_ceil(elements.max(1)) as usize
    }

    /// Adds what another reader reads.
    pub(in crate::lower) fn join(&mut self, other: &Windows) {
        for &(place, elements) in &other.0 {
            match self.0.iter().position(|&(known, _)| known == place) {
                Some(at) => self.0[at].1 = elements.max(self.0[at].1),
                None if self.0.len() < MOST => self.0.push((place, elements)),
                None => {}
            }
        }
    }

    /// Where operand `k` of an instruction is read if its result is read here.
    pub(in crate::lower) fn of_operand(&self, func: &Func, inst: &Inst, k: usize) -> Windows {
        let most = elements(func, inst.operands[k]);
        let by = if let Op::Slice(s) = &inst.op {
            let apart = along(s.strides.iter().map(|&n| n as i64 - 1));
            along(s.start.iter().map(|&n| n as i64)).wrapping_add(apart.wrapping_mul(STRIDED))
        } else if let (Op::Pad(p), 0) = (&inst.op, k) {
            along(p.low.iter().map(|&n| n.wrapping_neg()))
        } else if let Op::Concatenate(c) = &inst.op {
            let before: usize = inst.operands[..k].iter().map(|&v| func.tensor(v).shape[c.dim]).sum();
            along((0..=c.dim).map(|d| if d == c.dim { -(before as i64) } else { 0 }))
        } else if let Op::Reverse(r) = &inst.op {
            along(r.dims.iter().map(|&d| d as i64 + 1)).wrapping_mul(REVERSED)
        } else {
            0
        };
        Windows(self.0.iter().map(|&(at, n)| (at.wrapping_add(by), n.min(most))).collect())
    }
}

/// Elements of a value; none if that is not known.
pub(in crate::lower) fn elements(func: &Func, v: Value) -> u64 {
    func.ty(v).as_tensor().and_then(|t| t.checked_elements()).unwrap_or(0) as u64
}

/// Odd numbers without a pattern, so that small distances of different kinds do not meet.
const DIMENSION: u64 = 0x9E37_79B9_7F4A_7C15;
const STRIDED: u64 = 0xC2B2_AE3D_27D4_EB4F;
const REVERSED: u64 = 0x1656_67B1_9E37_79F9;

/// Distances along dimensions as one number.
fn along(distances: impl Iterator<Item = i64>) -> u64 {
    let mut weight = 1u64;
    distances.fold(0u64, |sum, n| {
        let here = sum.wrapping_add(weight.wrapping_mul(n as u64));
        weight = weight.wrapping_mul(DIMENSION);
        here
    })
}
