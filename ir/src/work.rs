//! How much work an operation is: what limits on steps count, and what cost reports of programs show. Pure.
//!
//! Arithmetic is counted in the customary way: an elementwise operation is 1 per element whatever it is, a contraction
//! 2 (multiply and add) per element of the result and of the contracted dimensions, a reduction 1 per element read.
//! Factorizations, sorting and transforms are counted by the leading term of the usual algorithms (Golub and Van Loan,
//! *Matrix Computations*); what moves elements only is 0. The counts stand beside the operations.

use crate::types::{TensorType, Type};

/// Elements; what is not known counts as 1.
fn elements(ty: &TensorType) -> u64 {
    ty.checked_elements().map_or(1, |n| n as u64)
}

/// The sizes that [`OpDef::flops`](crate::rules::OpDef::flops) counts by. A size that is not known counts as 1; an operand or
/// result that is not there, or is no tensor, has no elements.
#[derive(Clone, Copy, Debug)]
pub struct Sizes<'a> {
    operands: &'a [Type],
    results: &'a [Type],
}

impl<'a> Sizes<'a> {
    /// Those of operands and results of these types.
    pub(crate) fn of(operands: &'a [Type], results: &'a [Type]) -> Self {
        Self { operands, results }
    }

    /// Elements of all results.
    pub(crate) fn written(&self) -> u64 {
        self.results.iter().filter_map(Type::as_tensor).map(elements).fold(0, u64::saturating_add)
    }

    /// Elements of an operand.
    pub fn operand(&self, k: usize) -> u64 {
        self.operands.get(k).and_then(Type::as_tensor).map_or(0, elements)
    }

    /// Elements of a result.
    pub fn result(&self, k: usize) -> u64 {
        self.results.get(k).and_then(Type::as_tensor).map_or(0, elements)
    }

    /// A dimension of an operand.
    pub fn size(&self, k: usize, dim: usize) -> u64 {
        self.shape(k).get(dim).map_or(1, |&n| n as u64)
    }

    /// The last dimension of the first operand: the order of its matrices.
    pub fn order(&self) -> u64 {
        self.shape(0).last().map_or(1, |&n| n as u64)
    }

    /// The elements of the first operand times the order of its matrices: each cubed, in all.
    pub fn cubed(&self) -> u64 {
        self.operand(0).saturating_mul(self.order())
    }

    fn shape(&self, k: usize) -> &[usize] {
        self.operands.get(k).and_then(Type::as_tensor).map_or(&[], |t| &t.shape)
    }
}

/// The binary logarithm, rounded down, at least 1.
pub(crate) fn log2(n: u64) -> u64 {
    u64::from(n.max(2).ilog2())
}
