//! What is run in vain for an example of a batch, because it is done or takes another branch, has no part in derivatives.
//!
//! Reverse mode multiplies slopes by the cotangents of results, which are zero for such an example, and zero times infinity is NaN. So
//! what goes in is chosen from itself and itself without derivatives, as JAX has it of `cond`. Where slopes by a tensor that all
//! share are summed over examples, or what is run may not end, those that are not asked have what the first one has that is.

use super::{Batcher, Placed, value};
use crate::inline::callees_first;
use smallvec::smallvec;
use wengert_ir::func::{Func, FuncId, Inst, Module, Value};
use wengert_ir::op::{BinaryOp, DynamicSlice, Iota, Op, Reduce, Reducer, StopGradient, UnaryOp};
use wengert_ir::ops_of;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::{DType, TensorType, Type};

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

/// Whether one of these is shared by all examples, has derivatives, and is more than a number.
pub(super) fn shares_a_tensor(to: &Func, given: &[Placed]) -> bool {
    given.iter().any(|x| {
        let ty = to.ty(x.0).as_tensor();
        x.1.is_none() && ty.is_some_and(|ty| ty.rank() > 0 && ty.dtype.is_differentiable())
    })
}

/// Whether one of the flags is set.
pub(super) fn any(e: &mut dyn Emit, flags: Term) -> Term {
    let no = e.splat(TensorType::scalar(DType::I1), 0.0);
    e.one(Reduce { dims: smallvec![0], inputs: 1, reducer: Reducer::Op(BinaryOp::Or) }, &[flags, no])
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
    /// What a branch is called with, of which examples that take another one make nothing. Slopes by a tensor that all share are
    /// summed over examples, and a copy of it for each would take memory and make one product many; so those that are not asked
    /// have what the first one has that is, and slopes by the tensor are none where no example takes the branch.
    pub(super) fn of_those_that_take(
        &mut self,
        to: &mut Func,
        inst: &Inst,
        is: Term,
        captures: &[Placed],
        operands: &[Value],
    ) -> Vec<Value> {
        let mapped: Vec<bool> = captures.iter().map(|x| x.1.is_some()).collect();
        if self.size == 0 || !shares_a_tensor(to, captures) {
            let e: &mut dyn Emit = &mut self.body(to, &inst.loc);
            let one = |(&x, &mapped): (&Value, &bool)| if mapped { only_of(e, is, x) } else { x };
            return operands.iter().zip(&mapped).map(one).collect();
        }
        let mut out = self.as_the_first_of(to, inst, value(is), operands, &mapped);
        let mut body = self.body(to, &inst.loc);
        let e: &mut dyn Emit = &mut body;
        let some = any(e, is);
        for (x, _) in out.iter_mut().zip(&mapped).filter(|(_, mapped)| !**mapped) {
            let ty = e.ty(Term::Known(*x));
            if ty.dtype.is_differentiable() {
                let still = e.one(StopGradient {}, &[Term::Known(*x)]);
                let some = e.broadcast_scalar(some, &ty.shape);
                *x = value(e.select(some, Term::Known(*x), still));
            }
        }
        out
    }

    /// Examples that are not `active` have what the first one has that is, linearly.
    pub(super) fn as_the_first_of(
        &mut self,
        to: &mut Func,
        inst: &Inst,
        active: Value,
        params: &[Value],
        mapped: &[bool],
    ) -> Vec<Value> {
        let size = self.size;
        if size == 0 {
            return params.to_vec();
        }
        let e: &mut dyn Emit = &mut self.body(to, &inst.loc);
        let numbers = e.one(Iota { ty: TensorType::new(DType::I64, &[size]), dim: 0 }, &[]);
        let past = e.splat(TensorType::new(DType::I64, &[size]), size as f64);
        let of_active = e.select(Term::Known(active), numbers, past);
        let least = Reduce { dims: smallvec![0], inputs: 1, reducer: Reducer::Op(BinaryOp::Minimum) };
        let most = e.splat(TensorType::scalar(DType::I64), size as f64);
        let first = e.one(least, &[of_active, most]);
        let zero = e.splat(TensorType::scalar(DType::I64), 0.0);
        let mut one = |(&p, &mapped): (&Value, &bool)| {
            if !mapped {
                return p;
            }
            let shape = e.ty(Term::Known(p)).shape;
            let mut sizes = shape.clone();
            sizes[0] = 1;
            let mut operands = vec![Term::Known(p), first];
            operands.resize(1 + shape.len(), zero);
            let example = e.one(DynamicSlice { sizes }, &operands);
            let example = e.reshape(example, &shape[1..]);
            let dims: Vec<usize> = (1..shape.len()).collect();
            let all = e.broadcast_in_dim(example, &shape, &dims);
            value(chosen(e, Term::Known(active), Term::Known(p), all))
        };
        params.iter().zip(mapped).map(&mut one).collect()
    }

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
