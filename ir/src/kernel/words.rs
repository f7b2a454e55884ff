//! The spellings of what there is a closed set of in kernels.

use super::{Axis, Combine, KBinary, KCast, KUnary, Scalar};
use crate::types::FloatMode;
use std::fmt;

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(spell(SCALARS, *self))
    }
}

/// A closed set with the spelling of each member.
type Words<T> = &'static [(T, &'static str)];

/// The spelling of a member.
pub(super) fn spell<T: PartialEq>(words: Words<T>, member: T) -> &'static str {
    words.iter().find(|w| w.0 == member).expect("every member has a spelling").1
}

/// The member of this spelling.
pub(super) fn read<T: Copy>(words: Words<T>, text: &str) -> Option<T> {
    words.iter().find(|w| w.1 == text).map(|w| w.0)
}

pub(super) const SCALARS: Words<Scalar> = &[
    (Scalar::F64, "f64"),
    (Scalar::F32, "f32"),
    (Scalar::I64, "i64"),
    (Scalar::I32, "i32"),
    (Scalar::I16, "i16"),
    (Scalar::I8, "i8"),
    (Scalar::I1, "i1"),
];

pub(super) const MODES: Words<FloatMode> =
    &[(FloatMode::Exact, "exact"), (FloatMode::Default, "default"), (FloatMode::Relaxed, "relaxed")];

pub(super) const COMBINES: Words<Combine> = &[
    (Combine::Add, "add"),
    (Combine::Mul, "mul"),
    (Combine::Min, "min"),
    (Combine::Max, "max"),
    (Combine::MinU, "minui"),
    (Combine::MaxU, "maxui"),
    (Combine::And, "and"),
    (Combine::Or, "or"),
    (Combine::Xor, "xor"),
];

pub(super) const AXES: Words<Axis> = &[(Axis::X, "x"), (Axis::Y, "y"), (Axis::Z, "z")];

pub(super) const CASTS: Words<KCast> = &[
    (KCast::Signed, "arith.cast_signed"),
    (KCast::Unsigned, "arith.cast_unsigned"),
    (KCast::Bits, "arith.bitcast"),
];

/// Names of operations of integers; those of floats that differ are in [`FLOAT_UNARY`].
pub(super) const UNARY: Words<KUnary> = &[
    (KUnary::Neg, "arith.negi"),
    (KUnary::Abs, "math.absi"),
    (KUnary::Sqrt, "math.sqrt"),
    (KUnary::Floor, "math.floor"),
    (KUnary::Ceil, "math.ceil"),
    (KUnary::Nearest, "math.roundeven"),
    (KUnary::Not, "arith.noti"),
    (KUnary::Popcnt, "math.ctpop"),
    (KUnary::Clz, "math.ctlz"),
];

pub(super) const FLOAT_UNARY: Words<KUnary> = &[(KUnary::Neg, "arith.negf"), (KUnary::Abs, "math.absf")];

/// Names of operations of integers; those of floats that differ are in [`FLOAT_BINARY`].
pub(super) const BINARY: Words<KBinary> = &[
    (KBinary::Add, "arith.addi"),
    (KBinary::Sub, "arith.subi"),
    (KBinary::Mul, "arith.muli"),
    (KBinary::Div, "arith.divsi"),
    (KBinary::DivU, "arith.divui"),
    (KBinary::Rem, "arith.remsi"),
    (KBinary::RemU, "arith.remui"),
    (KBinary::Min, "arith.minsi"),
    (KBinary::MinU, "arith.minui"),
    (KBinary::Max, "arith.maxsi"),
    (KBinary::MaxU, "arith.maxui"),
    (KBinary::And, "arith.andi"),
    (KBinary::Or, "arith.ori"),
    (KBinary::Xor, "arith.xori"),
    (KBinary::Shl, "arith.shli"),
    (KBinary::Shr, "arith.shrsi"),
    (KBinary::ShrU, "arith.shrui"),
    (KBinary::NextAfter, "chlo.next_after"),
];

pub(super) const FLOAT_BINARY: Words<KBinary> = &[
    (KBinary::Add, "arith.addf"),
    (KBinary::Sub, "arith.subf"),
    (KBinary::Mul, "arith.mulf"),
    (KBinary::Div, "arith.divf"),
    (KBinary::Rem, "arith.remf"),
    (KBinary::Min, "arith.minimumf"),
    (KBinary::Max, "arith.maximumf"),
];

/// The name of an operation whose spelling depends on whether it is of floats.
pub(super) fn spell_for<T: PartialEq + Copy>(
    floats: Words<T>,
    others: Words<T>,
    is_float: bool,
    op: T,
) -> &'static str {
    let special = floats.iter().find(|w| is_float && w.0 == op);
    special.map_or_else(|| spell(others, op), |w| w.1)
}
