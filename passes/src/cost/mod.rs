//! What operations cost, and what machines are good at. Pure. Bounds of a pass's own effort stand with the pass.
//!
//! [`extraction`] prices operations where equal programs are compared; [`arithmetic`] what fused elements cost, in vectorized
//! arithmetic operations on one element, about 0.1 ns; a [`Target`] says what a kind of machine is good at: registers, tiles,
//! pieces, threads.

mod extraction;
mod target;

pub(crate) use extraction::bytes;
pub use extraction::cost;
pub use target::{Device, Target};

use wengert_ir::op::{BinaryOp, Op, UnaryOp};
use wengert_ir::ops_of;

/// A transcendental function.
pub(crate) const MATH: u32 = 24;
/// A division or square root.
const DIVIDE: u32 = 4;

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

fn unary(op: UnaryOp) -> u32 {
    if op.math_fn().is_some() {
        return MATH;
    }
    match op {
        UnaryOp::Sqrt => DIVIDE,
        UnaryOp::Sign | UnaryOp::RoundNearestAfz | UnaryOp::Popcnt | UnaryOp::CountLeadingZeros => 4,
        _ => 1,
    }
}

fn binary(op: BinaryOp) -> u32 {
    match op {
        BinaryOp::Divide => DIVIDE,
        BinaryOp::Power | BinaryOp::Atan2 => 2 * MATH,
        BinaryOp::Remainder | BinaryOp::NextAfter => MATH,
        BinaryOp::Maximum | BinaryOp::Minimum => 2,
        _ => 1,
    }
}

/// Whether a value that several kernels read is cheaper computed in each than stored once and loaded:
/// `arithmetic` is that of its whole inlined expression, `readers` the kernels, `bytes` its element's size.
pub(crate) fn recompute(arithmetic: u32, readers: usize, bytes: usize) -> bool {
    // A byte through the caches costs about a quarter of an operation; narrow elements cost as wide ones, because
    // vectors of mixed widths are slow.
    (readers as u64 - 1) * arithmetic as u64 <= (readers as u64 + 1) * bytes.max(4) as u64 / 4
}

/// Whether a value may be computed again for each element of a larger result.
pub(crate) fn repeatable(arithmetic: u32) -> bool {
    arithmetic <= 3
}

/// Whether a value that `shared` elements of an inner dimension have in common is better stored, by vector code, than
/// computed in a register as a scalar, which takes as long as a dozen elements of a vector.
pub(crate) fn scalar_is_slow(arithmetic: u32, shared: u64) -> bool {
    arithmetic >= MATH && shared < 32
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cheap_values_are_recomputed_and_expensive_ones_stored() {
        assert!(recompute(2, 2, 8));
        assert!(!recompute(MATH, 2, 8));
        assert!(Target::CPU.piece_of(1000, 2, 3).is_none());
        assert!(Target::CPU.piece_of(1_000_000, 2, 3).is_some());
    }
}
