//! Integers that are never below zero: positions, counts, what is clamped from below. JAX asks of every index whether it is negative.

use super::language::Kind;
use wengert_ir::array::Literal;
use wengert_ir::op::{BinaryOp, Iota, Op, UnaryOp};
use wengert_ir::types::{DType, DTypeClass, TensorType};

/// Whether a type has no numbers below zero.
pub(super) fn has_no_sign(dtype: DType) -> bool {
    matches!(dtype.class(), DTypeClass::Unsigned | DTypeClass::Bool)
}

/// Whether no element of a literal of integers is below zero.
pub(super) fn literal_is_never_negative(literal: &Literal) -> bool {
    let dtype = literal.ty().dtype;
    let is_clear = |bytes: &[u8]| bytes.last().is_none_or(|&high| high < 0x80);
    has_no_sign(dtype)
        || dtype.class() == DTypeClass::Signed
            && dtype.bits() >= 8
            && super::pool::is_small(literal)
            && literal.stored_bytes().chunks(dtype.size()).all(is_clear)
}

/// What is asked of the operands of an operation, each by its number.
pub(super) struct Operands<'a> {
    pub(super) count: usize,
    /// Whether no element is below zero.
    pub(super) never: &'a dyn Fn(usize) -> bool,
    pub(super) dtype: &'a dyn Fn(usize) -> Option<DType>,
}

/// Whether no element of a result is below zero; no for what is no integer. `op` is looked at for attributes only.
pub(super) fn is_never_negative(kind: Kind, op: &Op, x: &Operands<'_>, result: &TensorType) -> bool {
    let (never, dtype) = (x.never, result.dtype);
    if has_no_sign(dtype) {
        return true;
    }
    if dtype.class() != DTypeClass::Signed || dtype.bits() < 8 {
        return false;
    }
    use BinaryOp::*;
    // An element is one of an operand's, or has its sign.
    let moves =
        matches!(kind, Kind::BroadcastInDim | Kind::Reshape | Kind::Transpose | Kind::Reverse | Kind::Slice);
    let takes = matches!(kind, Kind::DynamicSlice | Kind::Gather | Kind::Unary(UnaryOp::Sign));
    // Bits that come in are zeros, or the sign.
    let divides = matches!(kind, Kind::Binary(Remainder | ShiftRightLogical | ShiftRightArithmetic));
    let one = matches!(kind, Kind::Binary(Maximum | And));
    let both = matches!(kind, Kind::Binary(Minimum | Or | Xor) | Kind::Pad | Kind::DynamicUpdateSlice);
    let counts = matches!(kind, Kind::Unary(UnaryOp::Popcnt | UnaryOp::CountLeadingZeros));
    counts
        || (moves || takes || divides) && never(0)
        || one && (never(0) || never(1))
        || both && never(0) && never(1)
        || kind == Kind::Select && never(1) && never(2)
        // Not above the upper bound, whatever the lower one is.
        || kind == Kind::Clamp && never(2) && (never(0) || never(1))
        || kind == Kind::Concatenate && (0..x.count).all(never)
        || kind == Kind::Convert && (x.dtype)(0).is_some_and(|from| keeps_sign(from, dtype, never(0)))
        || matches!(op, Op::Iota(iota) if counts_up(iota, dtype))
}

/// Whether numbers of one type, none of them below zero if that is `known`, are not below zero as another.
fn keeps_sign(from: DType, to: DType, known: bool) -> bool {
    match from.class() {
        DTypeClass::Bool => true,
        DTypeClass::Unsigned => from.bits() < to.bits(),
        DTypeClass::Signed => from.bits() <= to.bits() && known,
        DTypeClass::Float | DTypeClass::Complex => false,
    }
}

/// Whether the largest index fits into the type.
fn counts_up(iota: &Iota, dtype: DType) -> bool {
    let largest = (1u64 << (dtype.bits() - 1)) - 1;
    iota.ty.shape.get(iota.dim).is_some_and(|&n| n as u64 <= largest)
}
