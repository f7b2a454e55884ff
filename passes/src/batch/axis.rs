//! Named axes: what a function of one example says of the batch it is in.
//!
//! What speaks of the axis is bound to the mapped dimension whether or not its operands differ from example to example, so
//! functions that do are mapped even if nothing that goes into them is.

use super::{Batcher, Placed, TransformError, value};
use crate::inline::callees_first;
use crate::rewrite::push;
use std::collections::BTreeSet;
use wengert_ir::func::{Func, FuncId, Inst};
use wengert_ir::op::{Collective, CollectiveKind, Op, Text, While};
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::Dims;

/// What a function says of named axes.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Said {
    /// It speaks of the axis of this batch.
    here: bool,
    /// The axes, and how many examples they have, along which it asks for what others have.
    along: BTreeSet<(Text, usize)>,
}

impl Said {
    fn or(mut self, other: Said) -> Said {
        self.here |= other.here;
        self.along.extend(other.along);
        self
    }
}

impl Batcher<'_> {
    /// What communication along the axis of this batch is on the batch; `None` for everything else.
    pub(super) fn bound(
        &mut self,
        f: &Func,
        inst: &Inst,
        x: &[Placed],
        to: &mut Func,
    ) -> Result<Option<Placed>, TransformError> {
        let Some(axis) = self.axis.clone() else { return Ok(None) };
        let e: &mut dyn Emit = &mut self.body(to, &inst.loc);
        let (term, mapped) = if let Op::AxisIndex(op) = &inst.op
            && op.axis == axis
        {
            op.bind(e)
        } else if let Op::Collective(op) = &inst.op
            && op.axis == axis
        {
            op.bind(e, (Term::Known(x[0].0), x[0].1)).ok_or_else(|| refusal(f, inst, &axis))?
        } else {
            return Ok(None);
        };
        Ok(Some((value(term), mapped)))
    }

    /// Whether a function that the operation refers to speaks of the axis of this batch.
    pub(super) fn speaks(&mut self, op: &Op) -> bool {
        self.said_in(op).here
    }

    /// What examples of this batch decide on that go through an operation in ways of their own. If there is communication along
    /// the axis in it, it fails: who is elsewhere would take part with what nobody computes, and the reverse pass with cotangents
    /// that nobody gives. Along another axis all must decide alike, which is seen when that one is bound.
    pub(super) fn agreed(
        &mut self,
        f: &Func,
        inst: &Inst,
        (decision, mapped): Placed,
        to: &mut Func,
    ) -> Result<Placed, TransformError> {
        let along = self.said_in(&inst.op).along;
        let mut agreed = decision;
        for (axis, size) in along {
            if Some(&axis) == self.axis.as_ref() {
                return Err(refusal(f, inst, &axis));
            }
            let op = Collective {
                axis,
                size,
                kind: CollectiveKind::Agree,
                source: Dims::new(),
                target: Dims::new(),
            };
            agreed = push(self.module, to, op, &[agreed], &inst.loc)[0];
        }
        Ok((agreed, mapped))
    }

    /// A loop whose examples are to leave it together if there is communication in it, along other axes than this one.
    pub(super) fn agreeing(&mut self, f: &Func, inst: &Inst, w: &While) -> Result<While, TransformError> {
        if self.said_in(&inst.op).along.is_empty() {
            return Ok(w.clone());
        }
        let mut cond = Func::clone(&self.module.get(w.cond));
        let (decision, _) = self.agreed(f, inst, (cond.results[0], None), &mut cond)?;
        cond.results[0] = decision;
        Ok(While { cond: self.module.add(cond), ..w.clone() })
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
        if let Some(known) = self.said.get(&func) {
            return known.clone();
        }
        for f in callees_first(self.module, func) {
            if self.said.contains_key(&f) {
                continue;
            }
            let body = self.module.get(f);
            let here = |axis: &Text| Some(axis) == self.axis.as_ref();
            let of = |inst: &Inst| match &inst.op {
                Op::AxisIndex(op) => Said { here: here(&op.axis), along: BTreeSet::new() },
                Op::Collective(op) => {
                    Said { here: here(&op.axis), along: BTreeSet::from([(op.axis.clone(), op.size)]) }
                }
                op => op
                    .callees()
                    .iter()
                    .map(|callee| self.said[callee].clone())
                    .fold(Said::default(), Said::or),
            };
            let said = body.insts.values().map(of).fold(Said::default(), Said::or);
            self.said.insert(f, said);
        }
        self.said[&func].clone()
    }
}

/// Examples that communicate along an axis in ways of their own.
fn refusal(f: &Func, inst: &Inst, axis: &str) -> TransformError {
    let why = if matches!(inst.op, Op::Case(_)) {
        "each example runs a branch of its own. Communicate before or after it"
    } else if matches!(inst.op, Op::While(_) | Op::Scan(_)) {
        "examples leave it at different times. Make the condition the same for all, with `pmax` say"
    } else {
        "each example decides on its own whether to take part. Make the decision the same for all, with `pmax` say"
    };
    let message =
        format!("communication along `{axis}` inside a branch or a loop has no meaning here: {why}");
    TransformError::at(f, inst, message)
}
