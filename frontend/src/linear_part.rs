//! The linear part of a function that is not run again to be differentiated.

use crate::error::{Error, fail};
use crate::tensor::Tensor;
use crate::trace::{self, What};
use wengert_ir::func::FuncId;
use wengert_ir::op::{Effect, Op};
use wengert_passes::ad;

/// Whether an operation, where it is differentiated later, is taken by its linear part.
pub(crate) fn is_run_once(op: &Op) -> bool {
    op.effect() == Effect::Ordered || matches!(op, Op::CustomVjp(custom) if !custom.forward_mode)
}

/// The derivative of a function that was run inside a trace and does more than compute: it is not run again to be differentiated.
#[derive(Clone)]
pub(crate) struct LinearPart {
    /// Takes what is known, and tangents of the differentiable arguments; gives those of the differentiable results.
    pub(crate) func: FuncId,
    pub(crate) known: Vec<Tensor>,
}

impl LinearPart {
    /// Tangents of results.
    pub(crate) fn apply(&self, tangents: &[Tensor]) -> Vec<Tensor> {
        trace::replay(self.func, &[&self.known[..], tangents].concat())
    }

    /// Cotangents of arguments.
    pub(crate) fn transposed(&self, what: What, cotangents: &[Tensor]) -> Vec<Tensor> {
        let func = trace::with_module(|m| {
            let linear = m.get(self.func);
            let is_linear: Vec<bool> = (0..linear.params.len()).map(|k| k >= self.known.len()).collect();
            ad::transpose(m, self.func, &is_linear, &vec![true; linear.results.len()])
        });
        let func = func.unwrap_or_else(|e| fail(Error::from(e).or_at(what.at).within(what)));
        trace::replay(func, &[&self.known[..], cotangents].concat())
    }
}
