//! Named axes: what a function of one example says of the batch it is in.
//!
//! What speaks of the axis is bound to the mapped dimension whether or not its operands differ from example to example, so
//! functions that do are mapped even if nothing that goes into them is.

use super::{Batcher, Placed, TransformError, value};
use crate::inline::callees_first;
use wengert_ir::func::{Func, FuncId, Inst};
use wengert_ir::op::Op;
use wengert_ir::rules::{Emit, Term};

/// What a function says of the axis.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Said {
    Nothing,
    /// It asks for the example's number.
    Number,
    /// It asks for what other examples have.
    Communication,
}

impl Batcher<'_> {
    /// What communication along the axis of this batch is on the batch; `None` for everything else.
    pub(super) fn bound(&mut self, inst: &Inst, x: &[Placed], to: &mut Func) -> Option<Placed> {
        let axis = self.axis.clone()?;
        let size = self.size;
        let e: &mut dyn Emit = &mut self.body(to, &inst.loc);
        let (term, mapped) = if let Op::AxisIndex(op) = &inst.op
            && op.axis == axis
        {
            op.bind(e, size)
        } else if let Op::Collective(op) = &inst.op
            && op.axis == axis
        {
            op.bind(e, size, (Term::Known(x[0].0), x[0].1))
        } else {
            return None;
        };
        Some((value(term), mapped))
    }

    /// Whether a function that the operation refers to speaks of the axis.
    pub(super) fn speaks(&mut self, op: &Op) -> bool {
        self.said_in(op) != Said::Nothing
    }

    /// Fails if an operation that examples go through in ways of their own has communication in it: who is elsewhere would take
    /// part with what nobody computes, and the reverse pass with cotangents that nobody gives.
    pub(super) fn refuse_communication(&mut self, f: &Func, inst: &Inst) -> Result<(), TransformError> {
        match self.said_in(&inst.op) {
            Said::Nothing | Said::Number => Ok(()),
            Said::Communication => Err(self.out_of_place(f, inst, &inst.op)),
        }
    }

    fn said_in(&mut self, op: &Op) -> Said {
        if self.axis.is_none() {
            return Said::Nothing;
        }
        op.callees().into_iter().map(|callee| self.said_by(callee)).max().unwrap_or(Said::Nothing)
    }

    fn said_by(&mut self, func: FuncId) -> Said {
        if let Some(&known) = self.said.get(&func) {
            return known;
        }
        for f in callees_first(self.module, func) {
            if self.said.contains_key(&f) {
                continue;
            }
            let body = self.module.get(f);
            let of = |inst: &Inst| match &inst.op {
                Op::AxisIndex(op) if Some(&op.axis) == self.axis.as_ref() => Said::Number,
                Op::Collective(op) if Some(&op.axis) == self.axis.as_ref() => Said::Communication,
                op => op.callees().iter().map(|callee| self.said[callee]).max().unwrap_or(Said::Nothing),
            };
            let said = body.insts.values().map(of).max().unwrap_or(Said::Nothing);
            self.said.insert(f, said);
        }
        self.said[&func]
    }

    /// Why something that is run example by example cannot speak of all examples.
    pub(super) fn out_of_place(&self, f: &Func, inst: &Inst, op: &Op) -> TransformError {
        let axis = self.axis.as_deref().unwrap_or_default();
        let what = if matches!(op, Op::Case(_)) {
            "each example runs a branch of its own. Communicate before or after it"
        } else if matches!(op, Op::While(_) | Op::Scan(_)) {
            "examples leave it at different times. Make the condition the same for all, with `pmax` say"
        } else {
            "it is applied to elements"
        };
        TransformError::at(
            f,
            inst,
            format!("communication along the axis `{axis}` inside it has no meaning: {what}"),
        )
    }
}
