//! Named axes: what a function of one example says of the batch it is in.
//!
//! What speaks of the axis is bound to the mapped dimension whether or not its operands differ from example to example, so
//! functions that do are mapped even if nothing that goes into them is.

use super::{Batcher, Placed, TransformError, value};
use crate::inline::callees_first;
use wengert_ir::func::{Func, FuncId, Inst};
use wengert_ir::op::{Op, Text};
use wengert_ir::rules::{Emit, Term};

/// What a function says of named axes.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Said {
    /// It speaks of the axis of this batch.
    here: bool,
    /// It asks for what other examples have, along whatever axis.
    communicates: bool,
}

impl Said {
    fn or(self, other: Said) -> Said {
        Said { here: self.here || other.here, communicates: self.communicates || other.communicates }
    }
}

impl Batcher<'_> {
    /// What communication along the axis of this batch is on the batch; `None` for everything else.
    pub(super) fn bound(&mut self, inst: &Inst, x: &[Placed], to: &mut Func) -> Option<Placed> {
        let axis = self.axis.clone()?;
        let e: &mut dyn Emit = &mut self.body(to, &inst.loc);
        let (term, mapped) = if let Op::AxisIndex(op) = &inst.op
            && op.axis == axis
        {
            op.bind(e)
        } else if let Op::Collective(op) = &inst.op
            && op.axis == axis
        {
            op.bind(e, (Term::Known(x[0].0), x[0].1))
        } else {
            return None;
        };
        Some((value(term), mapped))
    }

    /// Whether a function that the operation refers to speaks of the axis of this batch.
    pub(super) fn speaks(&mut self, op: &Op) -> bool {
        self.said_in(op).here
    }

    /// Fails if an operation that examples go through in ways of their own has communication in it, along whatever axis: who is
    /// elsewhere would take part with what nobody computes, and the reverse pass with cotangents that nobody gives.
    pub(super) fn refuse_communication(&mut self, f: &Func, inst: &Inst) -> Result<(), TransformError> {
        if !self.said_in(&inst.op).communicates {
            return Ok(());
        }
        let why = if matches!(inst.op, Op::Case(_)) {
            "each example runs a branch of its own. Communicate before or after it"
        } else {
            "examples leave it at different times. Make the condition the same for all, with `pmax` say"
        };
        let message = format!("communication between examples inside it has no meaning: {why}");
        Err(TransformError::at(f, inst, message))
    }

    /// Fails if an operation that is run example by example speaks of the axis.
    pub(super) fn refuse_axis(&mut self, f: &Func, inst: &Inst) -> Result<(), TransformError> {
        if !self.speaks(&inst.op) {
            return Ok(());
        }
        let axis = self.axis.as_deref().unwrap_or_default();
        let message = format!("the axis `{axis}` has no meaning inside it: it is run example by example");
        Err(TransformError::at(f, inst, message))
    }

    fn said_in(&mut self, op: &Op) -> Said {
        op.callees().into_iter().map(|callee| self.said_by(callee)).fold(Said::default(), Said::or)
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
            let here = |axis: &Text| Some(axis) == self.axis.as_ref();
            let of = |inst: &Inst| match &inst.op {
                Op::AxisIndex(op) => Said { here: here(&op.axis), communicates: false },
                Op::Collective(op) => Said { here: here(&op.axis), communicates: true },
                op => op.callees().iter().map(|callee| self.said[callee]).fold(Said::default(), Said::or),
            };
            let said = body.insts.values().map(of).fold(Said::default(), Said::or);
            self.said.insert(f, said);
        }
        self.said[&func]
    }
}
