//! Operations of two operands of one type, and comparison.

use super::number::{Number, holds};
use super::special;
use super::{Accepts, build, dispatch, elements, no_tangents, result, tensors, unsupported};
use crate::array::Array;
use crate::ensure;
use crate::func::Module;
use crate::op::{BinaryOp, Compare, CompareType, Direction, UnaryOp};
use crate::ops::batching;
use crate::rules::{Batched, Mapped};
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose, TypeError, Types,
};
use crate::types::{DType, DTypeClass, Type};
use crate::work::Sizes;
use smallvec::smallvec;

impl BinaryOp {
    /// Which element types it takes.
    pub(crate) fn accepts(self) -> Accepts {
        use BinaryOp::*;
        match self {
            Add | Multiply | Maximum | Minimum => Accepts::ANY,
            Subtract | Divide | Remainder | Power => Accepts::NUMBER,
            Atan2 => Accepts::FLOAT_COMPLEX,
            And | Or | Xor => Accepts::BITS,
            ShiftLeft | ShiftRightArithmetic | ShiftRightLogical | Mulhi => Accepts::INTEGER,
            NextAfter | Complex | Zeta | Polygamma => Accepts::FLOAT,
        }
    }

    /// The element type of what it gives for elements of a type that it takes.
    pub fn gives(self, x: DType) -> Option<DType> {
        use BinaryOp::*;
        match self {
            Complex => x.complex(),
            Add | Multiply | Maximum | Minimum | Subtract | Divide | Remainder | Power | Atan2 | And | Or
            | Xor | ShiftLeft | ShiftRightArithmetic | ShiftRightLogical | Mulhi | NextAfter | Zeta
            | Polygamma => Some(x),
        }
    }

    /// The tangent that operand 0 contributes; `alone` if operand 1 contributes none.
    fn tangent_of_lhs(
        self,
        e: &mut (dyn Emit + '_),
        t: Term,
        [a, b, y]: [Term; 3],
        alone: bool,
    ) -> Option<Term> {
        use BinaryOp::*;
        Some(match self {
            Add | Subtract | Remainder | NextAfter => t,
            Multiply => e.mul(t, b),
            Divide => e.div(t, b),
            Power => {
                let one = e.splat_like(b, 1.0);
                let exponent = e.sub(b, one);
                let slope = if alone {
                    // A constant exponent: the derivative of x^0 is 0 at x = 0 too. JAX says so of integer
                    // exponents, which have become floats in the text.
                    let zero = e.splat_like(b, 0.0);
                    let constant = e.compare(Direction::Eq, b, zero);
                    let exponent = e.select(constant, one, exponent);
                    let power = e.binary(Power, a, exponent);
                    let slope = e.mul(b, power);
                    e.select(constant, zero, slope)
                } else {
                    // x^y has no limit at (0, 0): NaN there, as in JAX.
                    let power = e.binary(Power, a, exponent);
                    e.mul(b, power)
                };
                e.mul(t, slope)
            }
            Maximum | Minimum => {
                let share = share(e, a, b, y);
                e.mul(t, share)
            }
            Atan2 => {
                let slope = over_square_norm(e, b, a);
                e.mul(t, slope)
            }
            Zeta => {
                let slope = special::zeta_slope(e, a, b);
                e.mul(t, slope)
            }
            // There is no derivative by an order; a NaN says so.
            Polygamma => {
                let nan = e.splat_like(y, f64::NAN);
                e.mul(t, nan)
            }
            And | Or | Xor | ShiftLeft | ShiftRightArithmetic | ShiftRightLogical | Complex | Mulhi => {
                return None;
            }
        })
    }

    /// The tangent that operand 1 contributes, and whether it is subtracted.
    fn tangent_of_rhs(self, e: &mut (dyn Emit + '_), t: Term, [a, b, y]: [Term; 3]) -> Option<(Term, bool)> {
        use BinaryOp::*;
        Some(match self {
            Add => (t, false),
            Subtract => (t, true),
            Multiply => (e.mul(t, a), false),
            Divide => {
                // The square of a reciprocal that is there already costs no division.
                let is_reciprocal = e.constant(a).is_some_and(|a| a.splat_value() == Some(1.0));
                let slope = if is_reciprocal { e.mul(y, y) } else { e.div(y, b) };
                (e.mul(t, slope), true)
            }
            Remainder => {
                // The quotient rounded towards zero.
                let quotient = e.div(a, b);
                let sign = e.unary(UnaryOp::Sign, quotient);
                let size = e.unary(UnaryOp::Abs, quotient);
                let size = e.unary(UnaryOp::Floor, size);
                let whole = e.mul(sign, size);
                (e.mul(t, whole), true)
            }
            Power => {
                // log(a) * y, with log(0) taken as 0.
                let (zero, one) = (e.splat_like(a, 0.0), e.splat_like(a, 1.0));
                let vanishes = e.compare(Direction::Eq, a, zero);
                let base = e.select(vanishes, one, a);
                let log = e.unary(UnaryOp::Log, base);
                let slope = e.mul(log, y);
                (e.mul(t, slope), false)
            }
            Maximum | Minimum => {
                let share = share(e, b, a, y);
                (e.mul(t, share), false)
            }
            Atan2 => {
                let slope = over_square_norm(e, a, b);
                (e.mul(t, slope), true)
            }
            Zeta => {
                let one = e.splat_like(a, 1.0);
                let next = e.add(a, one);
                let next = e.binary(Zeta, next, b);
                let slope = e.mul(a, next);
                (e.mul(t, slope), true)
            }
            Polygamma => {
                let one = e.splat_like(a, 1.0);
                let next = e.add(a, one);
                let slope = e.binary(Polygamma, next, b);
                (e.mul(t, slope), false)
            }
            And | Or | Xor | ShiftLeft | ShiftRightArithmetic | ShiftRightLogical | NextAfter | Complex
            | Mulhi => {
                return None;
            }
        })
    }
}

/// How much of the extreme `y` is `x`'s: all, nothing, or half if `other` ties with it.
fn share(e: &mut (dyn Emit + '_), x: Term, other: Term, y: Term) -> Term {
    let mine = e.compare(Direction::Eq, x, y);
    let theirs = e.compare(Direction::Eq, other, y);
    let (zero, half, one) = (e.splat_like(y, 0.0), e.splat_like(y, 0.5), e.splat_like(y, 1.0));
    let tied = e.select(theirs, half, one);
    e.select(mine, tied, zero)
}

/// `x / (x^2 + other^2)`.
fn over_square_norm(e: &mut (dyn Emit + '_), x: Term, other: Term) -> Term {
    let (x2, other2) = (e.mul(x, x), e.mul(other, other));
    let norm = e.add(x2, other2);
    e.div(x, norm)
}

impl OpDef for BinaryOp {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let [a, b] = tensors(operands)?;
        self.accepts().check(a)?;
        ensure!(a == b, "C1", "both operands must have the same type");
        let Some(dtype) = self.gives(a.dtype) else {
            return Err(TypeError::new("I1", format!("the parts must be f32 or f64, not {}", a.dtype)));
        };
        ensure!(
            *self != BinaryOp::Remainder || !a.dtype.is_complex(),
            "I1",
            "complex numbers have no remainder"
        );
        result(a.with_dtype(dtype))
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        fn go<T: Number>(op: BinaryOp, a: &Array, b: &Array) -> Array {
            let (u, v) = (elements::<T>(a), elements::<T>(b));
            build(a.dtype(), a.shape(), |i| T::binary(op, u[i], v[i]))
        }
        let (a, b) = (&operands[0], &operands[1]);
        if !self.accepts().contains(a.dtype()) {
            return Err(unsupported(self.name(), a.dtype()));
        }
        fn pair<T: Number>(dtype: DType, a: &Array, b: &Array) -> Array {
            let (u, v) = (elements::<T>(a), elements::<T>(b));
            build(dtype, a.shape(), |i| [u[i], v[i]])
        }
        Ok(vec![match (self, a.dtype()) {
            (BinaryOp::Complex, DType::F32) => pair::<f32>(DType::C64, a, b),
            (BinaryOp::Complex, DType::F64) => pair::<f64>(DType::C128, a, b),
            _ => dispatch!(a.dtype(), self.name(), go(*self, a, b))?,
        }])
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.result(0)
    }

    fn jvp(&self, e: &mut dyn Emit, j: Jvp<'_>) -> Tangents {
        let (a, b, y) = (j.operands[0], j.operands[1], j.results[0]);
        if *self == BinaryOp::Complex {
            let part = |e: &mut dyn Emit, t: Option<Term>| {
                let ty = e.ty(a);
                t.unwrap_or_else(|| e.zero(ty))
            };
            let (re, im) = (part(e, j.tangents[0]), part(e, j.tangents[1]));
            return smallvec![Some(e.binary(BinaryOp::Complex, re, im))];
        }
        let lhs = j.tangents[0].and_then(|t| self.tangent_of_lhs(e, t, [a, b, y], j.tangents[1].is_none()));
        let rhs = j.tangents[1].and_then(|t| self.tangent_of_rhs(e, t, [a, b, y]));
        smallvec![match (lhs, rhs) {
            (lhs, None) => lhs,
            (None, Some((rhs, false))) => Some(rhs),
            (None, Some((rhs, true))) => Some(e.neg(rhs)),
            (Some(lhs), Some((rhs, false))) => Some(e.add(lhs, rhs)),
            (Some(lhs), Some((rhs, true))) => Some(e.sub(lhs, rhs)),
        }]
    }

    fn transpose(&self, e: &mut dyn Emit, x: Transpose<'_>) -> Tangents {
        let Some(c) = x.cotangents[0] else { return no_tangents(2) };
        match (self, &x.operands[0], &x.operands[1]) {
            (BinaryOp::Add, Operand::Linear(_), Operand::Linear(_)) => smallvec![Some(c), Some(c)],
            // As JAX has it: the imaginary part of -c.
            (BinaryOp::Complex, Operand::Linear(_), Operand::Linear(_)) => {
                let minus = e.neg(c);
                smallvec![Some(e.unary(UnaryOp::Real, c)), Some(e.unary(UnaryOp::Imag, minus))]
            }
            (BinaryOp::Subtract, Operand::Linear(_), Operand::Linear(_)) => {
                smallvec![Some(c), Some(e.neg(c))]
            }
            (BinaryOp::Multiply, Operand::Linear(_), Operand::Known(b)) => {
                smallvec![Some(e.mul(c, *b)), None]
            }
            (BinaryOp::Multiply, Operand::Known(a), Operand::Linear(_)) => {
                smallvec![None, Some(e.mul(c, *a))]
            }
            (BinaryOp::Divide, Operand::Linear(_), Operand::Known(b)) => smallvec![Some(e.div(c, *b)), None],
            _ => panic!("{} is not linear so: verify_linear must have refused it", self.name()),
        }
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        match self {
            BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Complex => linear == [true, true],
            BinaryOp::Multiply => linear == [true, false] || linear == [false, true],
            BinaryOp::Divide => linear == [true, false],
            BinaryOp::Remainder
            | BinaryOp::Power
            | BinaryOp::Maximum
            | BinaryOp::Minimum
            | BinaryOp::Atan2
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRightArithmetic
            | BinaryOp::ShiftRightLogical
            | BinaryOp::NextAfter
            | BinaryOp::Mulhi
            | BinaryOp::Zeta
            | BinaryOp::Polygamma => false,
        }
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::elementwise(e, size, (*self).into(), operands)
    }
}

impl OpDef for Compare {
    fn infer(&self, _: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let [a, b] = tensors(operands)?;
        ensure!(a.dtype == b.dtype, "C1", "both operands must have the same element type");
        ensure!(a.shape == b.shape, "C2", "both operands must have the same shape");
        let fits = match self.kind {
            CompareType::Float => matches!(a.dtype.class(), DTypeClass::Float | DTypeClass::Complex),
            CompareType::TotalOrder => a.dtype.is_float(),
            CompareType::Signed => a.dtype.class() == DTypeClass::Signed,
            CompareType::Unsigned => matches!(a.dtype.class(), DTypeClass::Unsigned | DTypeClass::Bool),
        };
        ensure!(fits, "C3", "{} does not compare {}", self.kind.name(), a.dtype);
        result(a.with_dtype(DType::I1))
    }

    fn eval(&self, _: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        fn go<T: Number>(op: &Compare, a: &Array, b: &Array) -> Array {
            let (u, v) = (elements::<T>(a), elements::<T>(b));
            build(DType::I1, a.shape(), |i| {
                let order = match op.kind {
                    CompareType::TotalOrder => Some(T::total_order(u[i], v[i])),
                    CompareType::Float | CompareType::Signed | CompareType::Unsigned => T::order(u[i], v[i]),
                };
                holds(op.direction, order) as u8
            })
        }
        let (a, b) = (&operands[0], &operands[1]);
        Ok(vec![dispatch!(a.dtype(), "stablehlo.compare", go(self, a, b))?])
    }

    fn flops(&self, x: &Sizes<'_>) -> u64 {
        x.result(0)
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        no_tangents(1)
    }

    fn batch(&self, e: &mut dyn Emit, size: usize, operands: &[Mapped]) -> Option<Batched> {
        batching::elementwise(e, size, self.clone().into(), operands)
    }
}
