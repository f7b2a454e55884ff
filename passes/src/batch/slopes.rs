//! Whether a body that is run in vain, with what an example of a batch was done with, may have a slope there that is no number.
//!
//! Reverse mode multiplies slopes by the cotangents of results, which are zero for such an example, and zero times infinity is NaN.

use crate::inline::callees_first;
use wengert_ir::func::{Func, FuncId, Inst, Module};
use wengert_ir::op::{BinaryOp, Op, Reducer, UnaryOp};
use wengert_ir::ops_of;
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
