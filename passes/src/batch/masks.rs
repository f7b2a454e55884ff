//! What is run in vain for an example of a batch, because it is done or takes another branch, has no part in derivatives.
//!
//! Reverse mode multiplies slopes by the cotangents of results, which are zero for such an example, and zero times infinity is NaN. So
//! what goes in is chosen from itself and itself without derivatives, as JAX has it of `cond`.

use super::{Batcher, Placed, value};
use crate::inline::callees_first;
use wengert_ir::func::{Func, FuncId, Inst, Module, Value};
use wengert_ir::op::{BinaryOp, Op, Reducer, StopGradient, UnaryOp};
use wengert_ir::ops_of;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::Type;

/// Whether a function is more than moves, choices, sums and multiples: anything else has infinite slopes somewhere, or is infinite
/// where it overflows.
pub(super) fn may_be_infinite(m: &Module, func: FuncId) -> bool {
    let has_slope = |ty: &Type| ty.as_tensor().is_some_and(|ty| ty.dtype.is_differentiable());
    callees_first(m, func).into_iter().any(|id| {
        let f = m.get(id);
        f.insts.values().any(|inst| inst.results.iter().any(|&r| has_slope(f.ty(r))) && !is_bounded(&f, inst))
    })
}

/// Whether the slopes of an instruction are the same wherever its operands are, or at least not more; what it calls is asked itself.
fn is_bounded(f: &Func, inst: &Inst) -> bool {
    // A constant that is not zero.
    let number = |k: usize| {
        let value = f.scalar_constant(inst.operands[k]).and_then(|literal| literal.splat_value());
        value.is_some_and(|x| x.is_finite() && x != 0.0)
    };
    match &inst.op {
        Op::Unary(op) => matches!(
            op,
            UnaryOp::Negate
                | UnaryOp::Sign
                | UnaryOp::Real
                | UnaryOp::Imag
                | UnaryOp::Conj
                | UnaryOp::Ceil
                | UnaryOp::Floor
        ),
        Op::Binary(BinaryOp::Multiply) => number(0) || number(1),
        Op::Binary(BinaryOp::Divide) => number(1),
        Op::Binary(op) => is_sum(*op) || *op == BinaryOp::Complex,
        Op::Reduce(reduce) => matches!(reduce.reducer, Reducer::Op(op) if is_sum(op)),
        Op::Scatter(scatter) => match scatter.reducer {
            Reducer::Assign => true,
            Reducer::Op(op) => op == BinaryOp::Add,
            Reducer::Func(_) => false,
        },
        Op::Compare(_) | Op::Select(_) | Op::Clamp(_) | Op::Convert(_) | Op::BitcastConvert(_) => true,
        Op::ReducePrecision(_) | Op::DynamicUpdateSlice(_) => true,
        ops_of!(source) | ops_of!(movement) | ops_of!(mark) | ops_of!(call) | ops_of!(control) => true,
        Op::Fma(_) | ops_of!(contraction) | ops_of!(library) | ops_of!(opaque) => false,
    }
}

fn is_sum(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Maximum | BinaryOp::Minimum)
}

/// Whether all examples share it, and it is one number that has derivatives.
fn is_shared_number(to: &Func, x: Placed) -> bool {
    let ty = to.ty(x.0).as_tensor();
    x.1.is_none() && ty.is_some_and(|ty| ty.rank() == 0 && ty.dtype.is_differentiable())
}

/// For each example of a batch, `yes` or `no`; the examples are in front.
pub(super) fn chosen(e: &mut dyn Emit, pred: Term, yes: Term, no: Term) -> Term {
    let shape = e.ty(yes).shape;
    let pred = if shape.len() > 1 { e.broadcast_in_dim(pred, &shape, &[0]) } else { pred };
    e.select(pred, yes, no)
}

/// A batch as it is, of which derivatives see the examples for which `pred` holds: what is run in vain for the others may have an
/// infinite slope, and zero times infinity is no zero. It costs a program without derivatives nothing.
pub(super) fn only_of(e: &mut dyn Emit, pred: Term, batch: Value) -> Value {
    if !e.ty(Term::Known(batch)).dtype.is_differentiable() {
        return batch;
    }
    let still = e.one(StopGradient {}, &[Term::Known(batch)]);
    value(chosen(e, pred, Term::Known(batch), still))
}

impl Batcher<'_> {
    /// A number that all examples share, for each of them if that is asked for: what one example makes of it in vain is then masked
    /// as what is its own.
    pub(super) fn lifted(&mut self, to: &mut Func, x: Placed, masked: bool) -> Placed {
        if masked && is_shared_number(to, x) { (self.place(to, x, 0), Some(0)) } else { x }
    }

    /// Which of the captures of a loop its body takes mapped: those that are, and numbers that are to be masked.
    pub(super) fn taken_mapped(&mut self, to: &Func, body: FuncId, consts: &[Placed]) -> Vec<bool> {
        let masked = self.size > 0 && may_be_infinite(self.module, body);
        consts.iter().map(|&x| x.1.is_some() || masked && is_shared_number(to, x)).collect()
    }
}
