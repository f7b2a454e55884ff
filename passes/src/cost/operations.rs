//! How many operations of vectorized arithmetic an element takes: what a [`Rates`](super::Rates) prices. Relative to an addition, so the
//! same for every machine with fused multiply-adds; `calibrate` prints what they are here.

use wengert_ir::op::{BinaryOp, Op, UnaryOp};
use wengert_ir::types::DType;
use wengert_ir::{ops_of, unary_of};

/// A transcendental function.
pub(crate) const MATH: u32 = 24;
/// A division or square root.
pub(crate) const DIVIDE: u32 = 4;

/// Arithmetic per element of the result of an elementwise operation; 0 for what only moves elements.
pub(crate) fn arithmetic(op: &Op) -> u32 {
    match op {
        Op::Unary(u) => unary(*u),
        Op::Binary(b) => binary(*b),
        Op::Compare(_) | Op::Select(_) | Op::Fma(_) | Op::Convert(_) | Op::BitcastConvert(_) => 1,
        Op::Clamp(_) => 2,
        Op::ReducePrecision(_) => 8,
        Op::Iota(_) => 1,
        Op::Pad(_) | Op::Concatenate(_) => 1,
        Op::Gather(_) => 6,
        ops_of!(source)
        | ops_of!(movement)
        | ops_of!(update)
        | ops_of!(contraction)
        | ops_of!(reduction)
        | ops_of!(library)
        | ops_of!(call)
        | ops_of!(control)
        | ops_of!(mark)
        | ops_of!(opaque) => 0,
    }
}

/// The same of a conversion between binary32 and this narrower float, which is a formula on their bits.
pub(crate) fn narrow_conversion(narrow: DType) -> u32 {
    if narrow == DType::BF16 { 4 } else { 18 }
}

fn unary(op: UnaryOp) -> u32 {
    match op {
        unary_of!(library) => MATH,
        UnaryOp::Sqrt => DIVIDE,
        UnaryOp::Sign | UnaryOp::RoundNearestAfz | UnaryOp::Popcnt | UnaryOp::CountLeadingZeros => 4,
        UnaryOp::Abs | UnaryOp::Negate | UnaryOp::Square => 1,
        UnaryOp::Ceil | UnaryOp::Floor | UnaryOp::RoundNearestEven | UnaryOp::IsFinite => 1,
        UnaryOp::Not | UnaryOp::Real | UnaryOp::Imag | UnaryOp::Conj => 1,
        UnaryOp::BesselI1e | unary_of!(defined) => 1,
    }
}

fn binary(op: BinaryOp) -> u32 {
    match op {
        BinaryOp::Divide => DIVIDE,
        BinaryOp::Power | BinaryOp::Atan2 => 2 * MATH,
        BinaryOp::Remainder | BinaryOp::NextAfter => MATH,
        BinaryOp::Maximum | BinaryOp::Minimum => 2,
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Mulhi | BinaryOp::Complex => 1,
        BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => 1,
        BinaryOp::ShiftLeft | BinaryOp::ShiftRightArithmetic | BinaryOp::ShiftRightLogical => 1,
        BinaryOp::Zeta | BinaryOp::Polygamma => 16 * MATH,
    }
}

/// Instructions an operation becomes when written out for scalars, per element.
pub(crate) fn scalar_instructions(op: &Op) -> usize {
    match arithmetic(op) {
        0 => 0,
        n if n >= MATH => 30,
        n => n as usize,
    }
}

/// Whether an operation is a function of the math library.
pub(crate) fn is_expensive(op: &Op) -> bool {
    arithmetic(op) >= MATH
}
