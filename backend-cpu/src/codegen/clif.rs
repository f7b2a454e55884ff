//! What scalars, comparisons and accesses of kernels are in Cranelift's terms.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{MemFlagsData, Type, types};
use wengert_ir::kernel::Scalar;
use wengert_ir::op::Direction;

/// How Cranelift holds a scalar.
pub(crate) const fn clif_type(scalar: Scalar) -> Type {
    match scalar {
        Scalar::F64 => types::F64,
        Scalar::F32 => types::F32,
        Scalar::I64 => types::I64,
        Scalar::I32 => types::I32,
        Scalar::I16 => types::I16,
        Scalar::I8 | Scalar::I1 => types::I8,
    }
}

/// Width in bits; that of a byte for `I1`.
pub(crate) const fn bits(scalar: Scalar) -> i64 {
    8 * scalar.size() as i64
}

/// The condition of a comparison of floats in IEEE order; only `NE` holds for NaN.
pub(crate) fn float_condition(direction: Direction) -> FloatCC {
    match direction {
        Direction::Eq => FloatCC::Equal,
        Direction::Ne => FloatCC::NotEqual,
        Direction::Ge => FloatCC::GreaterThanOrEqual,
        Direction::Gt => FloatCC::GreaterThan,
        Direction::Le => FloatCC::LessThanOrEqual,
        Direction::Lt => FloatCC::LessThan,
    }
}

/// The condition of a comparison of integers.
pub(crate) fn int_condition(direction: Direction, signed: bool) -> IntCC {
    match (direction, signed) {
        (Direction::Eq, _) => IntCC::Equal,
        (Direction::Ne, _) => IntCC::NotEqual,
        (Direction::Ge, true) => IntCC::SignedGreaterThanOrEqual,
        (Direction::Gt, true) => IntCC::SignedGreaterThan,
        (Direction::Le, true) => IntCC::SignedLessThanOrEqual,
        (Direction::Lt, true) => IntCC::SignedLessThan,
        (Direction::Ge, false) => IntCC::UnsignedGreaterThanOrEqual,
        (Direction::Gt, false) => IntCC::UnsignedGreaterThan,
        (Direction::Le, false) => IntCC::UnsignedLessThanOrEqual,
        (Direction::Lt, false) => IntCC::UnsignedLessThan,
    }
}

/// The vector type of a number.
pub(crate) fn vector_type(ty: Scalar) -> Type {
    match ty {
        Scalar::F64 => types::F64X2,
        Scalar::F32 => types::F32X4,
        Scalar::I64 => types::I64X2,
        Scalar::I32 => types::I32X4,
        Scalar::I16 | Scalar::I8 | Scalar::I1 => unreachable!("narrow integers are not made into vectors"),
    }
}

/// Loads and stores at element alignment, which is all that is known of an access.
pub(crate) fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

/// Loads of pointers that do not change during a call.
pub(crate) fn fixed() -> MemFlagsData {
    MemFlagsData::trusted().with_readonly().with_can_move()
}
