//! Rules for narrow numbers as wider ones of the same value.
//!
//! Arithmetic is done in the wider type and rounded (integers: wrapped) after every operation, as the
//! interpreter does it; moves and comparisons need no rounding. Sums are rounded once.

use super::values::{Legalizer, Rep, carrier};
use wengert_ir::array::Literal;
use wengert_ir::func::Value;
use wengert_ir::minifloat;
use wengert_ir::op::*;
use wengert_ir::types::{DType, DTypeClass, TensorType};

/// What a type has for zero: `f8E8M0FNU` has powers of two only.
fn zero(dtype: DType) -> f64 {
    if dtype.is_float() && dtype.bits() == 8 { minifloat::decode(dtype, 0) } else { 0.0 }
}

impl Legalizer<'_> {
    fn splat(&mut self, ty: &TensorType, value: f64) -> Value {
        self.one(Constant { value: Literal::splat(ty.clone(), value) }, &[])
    }

    /// The nearest value of a narrow type, in its carrier.
    fn rounded(&mut self, v: Value, dtype: DType) -> Value {
        let ty = self.ty(v);
        match dtype {
            _ if dtype.is_native() => v,
            DType::BF16 => self.one(ReducePrecision { exponent_bits: 8, mantissa_bits: 7 }, &[v]),
            DType::F16 => {
                // Below 2^-14 a number is a multiple of 2^-24.
                let normal = self.one(ReducePrecision { exponent_bits: 5, mantissa_bits: 10 }, &[v]);
                let (up, down) = (self.splat(&ty, 2f64.powi(24)), self.splat(&ty, 2f64.powi(-24)));
                let scaled = self.one(BinaryOp::Multiply, &[v, up]);
                let whole = self.one(UnaryOp::RoundNearestEven, &[scaled]);
                let small = self.one(BinaryOp::Multiply, &[whole, down]);
                let size = self.one(UnaryOp::Abs, &[v]);
                let least = self.splat(&ty, 2f64.powi(-14));
                let less = Compare { direction: Direction::Lt, kind: CompareType::Float };
                let is_small = self.one(less, &[size, least]);
                self.one(Select {}, &[is_small, small, normal])
            }
            DType::I2 | DType::I4 | DType::U2 | DType::U4 => {
                let amount = self.splat(&ty, (8 - dtype.bits()) as f64);
                let up = self.one(BinaryOp::ShiftLeft, &[v, amount]);
                let down = match dtype.class() {
                    DTypeClass::Signed => BinaryOp::ShiftRightArithmetic,
                    _ => BinaryOp::ShiftRightLogical,
                };
                self.one(down, &[up, amount])
            }
            // By the type itself.
            _ => {
                let narrow = self.one(Convert { dtype }, &[v]);
                self.one(Convert { dtype: ty.dtype }, &[narrow])
            }
        }
    }
}

/// What stands for the result, `None` without a rule.
pub(super) fn inst(
    l: &mut Legalizer<'_>,
    op: &Op,
    x: &[Rep],
    types: &[TensorType],
    result: &TensorType,
) -> Option<Value> {
    let operands: Vec<Value> = x.iter().map(|r| r[0]).collect();
    let to = result.dtype;
    let narrow = types.first().map_or(to, |t| t.dtype);
    let wide_result = result.with_dtype(carrier(to));
    Some(match op {
        Op::Constant(c) => {
            let value = constant(&c.value, wide_result.dtype)?;
            l.one(Constant { value }, &[])
        }
        Op::Zero(_) => l.splat(&wide_result, zero(to)),
        Op::Unary(op) => match op {
            // Exact, or a truth value.
            UnaryOp::Sign | UnaryOp::IsFinite | UnaryOp::Real | UnaryOp::Conj => l.one(*op, &operands),
            UnaryOp::Imag if zero(to) == 0.0 => l.one(*op, &operands),
            // 8-bit floats may lack a negative zero.
            UnaryOp::Abs | UnaryOp::Negate if narrow.is_float() && narrow.bits() == 16 => {
                l.one(*op, &operands)
            }
            UnaryOp::Popcnt | UnaryOp::CountLeadingZeros => return None,
            _ => {
                let y = l.one(*op, &operands);
                l.rounded(y, to)
            }
        },
        Op::Binary(op) => match op {
            BinaryOp::NextAfter
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRightArithmetic
            | BinaryOp::ShiftRightLogical
            | BinaryOp::Mulhi
            | BinaryOp::Complex => return None,
            BinaryOp::Power if narrow.is_integer() => return None,
            BinaryOp::Maximum | BinaryOp::Minimum => l.one(*op, &operands),
            _ => {
                let y = l.one(*op, &operands);
                l.rounded(y, to)
            }
        },
        Op::Compare(_)
        | Op::Select(_)
        | Op::Clamp(_)
        | Op::Reshape(_)
        | Op::BroadcastInDim(_)
        | Op::Transpose(_)
        | Op::Reverse(_)
        | Op::Slice(_)
        | Op::Concatenate(_)
        | Op::Pad(_)
        | Op::DynamicSlice(_)
        | Op::DynamicUpdateSlice(_)
        | Op::Gather(_)
        | Op::StopGradient(_) => l.one(op.clone(), &operands),
        Op::Scatter(s) if s.reducer == Reducer::Assign => l.one(op.clone(), &operands),
        Op::Convert(_) => {
            // Through the carrier only where that rounds nothing.
            let exact = match (narrow.class(), to.class()) {
                (DTypeClass::Float, DTypeClass::Float) => narrow != DType::F64 || to.is_native(),
                (DTypeClass::Float, _) => to.is_native(),
                (_, DTypeClass::Float) => narrow.bits() <= 16,
                _ => true,
            };
            if !exact {
                return None;
            }
            let y = l.convert(operands[0], wide_result.dtype);
            l.rounded(y, to)
        }
        Op::DotGeneral(d) if types.iter().all(|t| t.dtype == to) => {
            let wide = DotGeneral { dtype: wide_result.dtype, ..d.clone() };
            let y = l.one(wide, &operands);
            l.rounded(y, to)
        }
        Op::Reduce(r) => match r.reducer {
            Reducer::Op(BinaryOp::Maximum | BinaryOp::Minimum) => l.one(op.clone(), &operands),
            Reducer::Op(BinaryOp::Add | BinaryOp::Multiply) if to.is_float() => {
                let y = l.one(op.clone(), &operands);
                l.rounded(y, to)
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// A constant in another type.
fn constant(value: &Literal, dtype: DType) -> Option<Literal> {
    let scalars = value.as_splat().is_some();
    let ty = value.ty();
    let shape: &[usize] = if scalars { &[] } else { &ty.shape };
    let array = wengert_ir::array::Array::from_bytes(ty.with_shape(shape), value.stored_bytes());
    let out = wengert_ir::ops::convert(&array, dtype).ok()?;
    Some(if scalars {
        Literal::splat_bytes(ty.with_dtype(dtype), out.bytes())
    } else {
        Literal::from_array(&out)
    })
}
