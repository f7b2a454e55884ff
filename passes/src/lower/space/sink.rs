//! Where kernel scalars are put, and a small vocabulary over it.

use wengert_ir::kernel::{KBinary, KCast, KOp, KUnary, Scalar};
use wengert_ir::op::{CompareType, Direction};

/// Where scalars are put.
pub(in crate::lower) trait Sink {
    /// A scalar.
    type Value: Copy;
    /// An instruction without effects.
    fn op(&mut self, op: KOp, operands: &[Self::Value], ty: Scalar) -> Self::Value;
    /// A constant.
    fn constant(&mut self, bits: u64, ty: Scalar) -> Self::Value;
}

/// The bits of a number as a float of this type.
pub(in crate::lower) fn float_bits(value: f64, ty: Scalar) -> u64 {
    match ty {
        Scalar::F32 => (value as f32).to_bits() as u64,
        _ => value.to_bits(),
    }
}

/// A small vocabulary over a sink.
pub(super) struct Code<'s, S: Sink>(pub(super) &'s mut S);

impl<S: Sink> Code<'_, S> {
    pub(super) fn un(&mut self, op: KUnary, x: S::Value, ty: Scalar) -> S::Value {
        self.0.op(KOp::Unary(op), &[x], ty)
    }
    pub(super) fn bin(&mut self, op: KBinary, a: S::Value, b: S::Value, ty: Scalar) -> S::Value {
        self.0.op(KOp::Binary(op), &[a, b], ty)
    }
    pub(super) fn cmp(
        &mut self,
        direction: Direction,
        kind: CompareType,
        a: S::Value,
        b: S::Value,
    ) -> S::Value {
        self.0.op(KOp::Compare(direction, kind), &[a, b], Scalar::I1)
    }
    pub(super) fn sel(&mut self, p: S::Value, a: S::Value, b: S::Value, ty: Scalar) -> S::Value {
        self.0.op(KOp::Select, &[p, a, b], ty)
    }
    pub(super) fn float(&mut self, value: f64, ty: Scalar) -> S::Value {
        self.0.constant(float_bits(value, ty), ty)
    }
    pub(super) fn int(&mut self, value: i64, ty: Scalar) -> S::Value {
        let mask = if ty.size() == 8 { u64::MAX } else { (1 << (8 * ty.size())) - 1 };
        self.0.constant(value as u64 & mask, ty)
    }
    pub(super) fn cast(&mut self, how: KCast, x: S::Value, to: Scalar) -> S::Value {
        self.0.op(KOp::Cast(how), &[x], to)
    }
}
