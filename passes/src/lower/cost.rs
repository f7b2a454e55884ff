//! What things cost: the numbers behind fusion, registers and threads. Pure, and the only place with such
//! numbers.
//!
//! The unit is one vectorized arithmetic operation on one element, about 0.1 ns.

use super::classify::{self, Class};
use super::strided_views::is_view;
use wengert_ir::func::{Func, Inst, Value};
use wengert_ir::op::{BinaryOp, Op, UnaryOp};
use wengert_ir::ops_of;

/// A transcendental function.
const MATH: u32 = 24;
/// A division or square root.
const DIVIDE: u32 = 4;

/// Whether an instruction is part of its readers' loops and none of the expensive ones, so that what it gives may be computed
/// again where that saves memory.
pub(crate) fn is_repeatable(func: &Func, inst: &Inst) -> bool {
    let fused = match classify::class(func, inst) {
        Class::Elementwise | Class::Index | Class::Choice => true,
        Class::Reduce | Class::Opaque => false,
    };
    // A barrier asks for what is behind it to be kept apart; a gather is as expensive as the memory it reads.
    let stays = matches!(inst.op, Op::OptimizationBarrier(_) | Op::Gather(_));
    fused && !stays && arithmetic(&inst.op) < MATH
}

/// Whether an instruction is part of its readers' loops and costs about as little as loading its result would.
pub(crate) fn is_cheap(func: &Func, inst: &Inst) -> bool {
    is_repeatable(func, inst) && classify::terms(func, inst) == 1 && arithmetic(&inst.op) <= 2
}

/// The arithmetic of an instruction that [is repeatable](is_repeatable); about as many units as bytes that could be
/// written and read again in the time, as far as the caches of one core go.
pub(crate) fn work(func: &Func, inst: &Inst) -> u64 {
    let elements = |v: &Value| func.ty(*v).as_tensor().map_or(0, |t| t.elements() as u64);
    let each = arithmetic(&inst.op) as u64 * inst.results.first().map_or(0, elements);
    match classify::terms(func, inst) {
        1 => each,
        n => n as u64 * inst.results.first().map_or(0, elements),
    }
}

/// Arithmetic per element of the result of an elementwise operation; 0 for what only moves elements.
pub(super) fn arithmetic(op: &Op) -> u32 {
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

/// The same of an instruction: a gather that is a view only moves elements.
pub(super) fn arithmetic_of(func: &Func, inst: &Inst) -> u32 {
    if is_view(func, inst) { 0 } else { arithmetic(&inst.op) }
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
pub(super) fn recompute(arithmetic: u32, readers: usize, bytes: usize) -> bool {
    // A byte through the caches costs about a quarter of an operation; narrow elements cost as wide ones, because
    // vectors of mixed widths are slow.
    (readers as u64 - 1) * arithmetic as u64 <= (readers as u64 + 1) * bytes.max(4) as u64 / 4
}

/// Whether a value may be computed again for each element of a larger result.
pub(super) fn repeatable(arithmetic: u32) -> bool {
    arithmetic <= 3
}

/// Whether a value that `shared` elements of an inner dimension have in common is better stored, by vector code, than
/// computed in a register as a scalar, which takes as long as a dozen elements of a vector.
pub(super) fn scalar_is_slow(arithmetic: u32, shared: u64) -> bool {
    arithmetic >= MATH && shared < 32
}

/// Instructions an operation becomes when written out for scalars, per element.
pub(super) fn scalar_instructions(op: &Op) -> usize {
    match arithmetic(op) {
        0 => 0,
        n if n >= MATH => 30,
        n => n as usize,
    }
}

/// Whether an operation is a function of the math library.
pub(super) fn is_expensive(op: &Op) -> bool {
    arithmetic(op) >= MATH
}

/// Most elements of which functions of the math library are computed one by one.
pub(super) const REGISTER_DEAR: usize = 7;
/// Scalar instructions up to which tensors of a size are kept in registers.
pub(super) const REGISTER_INSTRUCTIONS: usize = 4_000;
/// Sizes of tensor tried for registers, largest first; scalars always are.
pub(super) const REGISTER_SIZES: [usize; 5] = [64, 32, 16, 8, 4];
/// Largest tensor in memory that a region takes in registers.
pub(super) const REGISTER_ARGUMENT: usize = 8;
/// Multiply-adds up to which a contraction of register tensors is written out.
pub(super) const REGISTER_DOT: usize = 512;

/// Instructions up to which one expression is inlined.
pub(super) const EXPRESSION: u32 = 160;
/// Instructions up to which expressions share one kernel.
pub(super) const KERNEL: u32 = 320;

/// Elements from which on the next element of a loop is elsewhere in memory: further than a line of a cache.
pub(super) const LEAP: i64 = 16;
/// Rows and columns of a tile: as many rows as elements in a line of a cache, and a few vectors of columns.
pub(super) const TILE: [i64; 2] = [16, 64];

/// Most columns of a reduction that are too few to walk memory by.
pub(super) const NARROW: i64 = 32;

/// Bytes of a piece of a factor that is made while it is multiplied: it should stay in the second cache.
pub(super) const PIECE: usize = 256 * 1024;
/// A factor of fewer pieces is stored whole.
pub(super) const PIECES: usize = 8;
/// Bounds of the least rows of a piece, or the least length of a piece of the sum, between which it is what the other
/// factor has: that is read again for each piece, or the product is.
pub(super) const PIECE_ROWS: [usize; 2] = [16, 192];
/// How many pieces may be in memory at a time, for threads to share.
pub(super) const SLOTS: i64 = 16;
/// How many of them take turns in the same memory at least, so that it stays in the cache.
pub(super) const SLOT_PIECES: i64 = 4;
/// Most arithmetic per element of a factor that is made piece by piece.
pub(super) const QUICK: u32 = 8;

/// Longest row over which kernels are joined: several of them should stay in the nearest cache.
pub(super) const ROW_ELEMENTS: usize = 8_192;
/// How many units further a kernel to join is looked for.
pub(super) const ROW_LOOKAHEAD: usize = 24;

/// How many rows of `arithmetic` per element are added up before accumulators in memory are read and written: more for
/// cheap ones, whose time is that of the accumulators.
pub(super) fn rows_together(arithmetic: u32) -> i64 {
    match arithmetic {
        0..=2 => 8,
        3..=8 => 4,
        9..=24 => 2,
        _ => 1,
    }
}

/// Work (elements times arithmetic) of one piece that a thread takes: less is lost again where another core wants what it
/// wrote.
const GRAIN: u64 = 131_072;

/// Elements per piece of a parallel loop, or `None` if the loop is too small to cut. `arithmetic` is per
/// element, `streams` the memories it walks.
pub(super) fn grain(elements: usize, arithmetic: u32, streams: usize) -> Option<usize> {
    let each = arithmetic as u64 + 2 * streams as u64;
    let grain = (GRAIN / each.max(1)).max(512) as usize;
    (elements >= 2 * grain).then_some(grain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cheap_values_are_recomputed_and_expensive_ones_stored() {
        assert!(recompute(2, 2, 8));
        assert!(!recompute(MATH, 2, 8));
        assert!(grain(1000, 2, 3).is_none());
        assert!(grain(1_000_000, 2, 3).is_some());
    }
}
