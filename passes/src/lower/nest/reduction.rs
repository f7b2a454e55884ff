//! What a reducing kernel computes, and a kernel with its loops inside one row.

use super::emit::{Atoms, Loops, Output};
use crate::lower::space::index::Affine;
use crate::lower::space::scalar;
use crate::lower::space::scope::At;
use smallvec::SmallVec;
use wengert_ir::kernel::*;

/// One reduction of a kernel.
pub(in crate::lower) struct Reduction {
    pub(in crate::lower) node: u32,
    pub(in crate::lower) combine: Combine,
    pub(in crate::lower) elem: Scalar,
    /// Scalar of the entry kernel.
    pub(in crate::lower) init: KValue,
    /// Where results go, and at which position over the kept atoms; `None` for a result in a register.
    pub(in crate::lower) out: Option<(At, Affine)>,
}

/// All that a reducing kernel computes.
pub(in crate::lower) struct Work {
    pub(in crate::lower) reductions: Vec<Reduction>,
    pub(in crate::lower) outputs: Vec<Output>,
    pub(in crate::lower) kept: Atoms,
    pub(in crate::lower) reduced: Atoms,
    /// Elements per result.
    pub(in crate::lower) count: i64,
    pub(in crate::lower) arithmetic: u32,
    /// Of columns: whether what is read and stored of a row goes on with the next row, so that rows side by side are one row.
    pub(in crate::lower) joint: bool,
}

impl Work {
    pub(in crate::lower) fn roots(&self) -> SmallVec<[u32; 4]> {
        self.reductions.iter().map(|r| r.node).chain(self.outputs.iter().map(|o| o.node)).collect()
    }
    pub(in crate::lower) fn free(&self) -> bool {
        self.reductions.iter().all(|r| scalar::order_free(r.combine, r.elem))
    }
    /// Whether blocks lie in rows, or order does not matter.
    pub(in crate::lower) fn by_rows(&self) -> bool {
        self.reduced.len() <= 1 || self.free() || self.reduced.last().is_some_and(|r| r.1 % BLOCK as i64 == 0)
    }
    pub(in crate::lower) fn types(&self) -> SmallVec<[Scalar; 4]> {
        self.reductions.iter().map(|r| r.elem).collect()
    }
    /// Bytes of buffers of `len` partial results of each reduction, each buffer aligned.
    pub(in crate::lower) fn bytes_of(&self, len: i64, buffers: usize) -> usize {
        let bytes = |r: &Reduction| r.elem.size().saturating_mul(len as usize).saturating_add(64 * buffers);
        self.reductions.iter().map(bytes).fold(0, usize::saturating_add)
    }
    /// Bytes of the partial results of a row.
    pub(in crate::lower) fn row_bytes(&self) -> usize {
        // Where order does not matter, each innermost dimension has a total.
        let innermost = self.reduced.last().map_or(1, |r| r.1);
        let elements = if self.free() { innermost } else { self.count };
        self.bytes_of(elements / BLOCK as i64 + 1, 1)
    }
}

/// A kernel with its loops inside one row.
pub(in crate::lower) enum Part {
    Reduce(Work),
    Each { loops: Loops, outputs: Vec<Output> },
}

impl Part {
    /// Elements of a row.
    pub(in crate::lower) fn row(&self) -> i64 {
        match self {
            Part::Reduce(work) => work.count,
            Part::Each { loops, .. } => loops.atoms.iter().map(|a| a.1).product(),
        }
    }
}
