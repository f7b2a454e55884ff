//! Elementwise mathematics made of the operations in [`super::math`], with NumPy's names.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::arith::{numbers, remainder};
use crate::ops::promote::{Operand, floating, promote_types, unify_floats};
use crate::stop_gradient;
use crate::trace::apply_at;
use std::f64::consts::{LN_2, LN_10, PI};
use std::panic::Location;
use wengert_ir::op::{BinaryOp, UnaryOp};
use wengert_ir::types::{DType, DTypeClass};

impl Tensor {
    /// 2^x.
    #[track_caller]
    pub fn exp2(&self) -> Tensor {
        let (x, at) = (floating(self), Location::caller());
        if x.dtype().class() == DTypeClass::Complex {
            x.full_like(2.0).pow(&x)
        } else {
            apply_at(UnaryOp::Exp2.into(), &[&x], at).remove(0)
        }
    }

    /// Logarithm to base 2.
    #[track_caller]
    pub fn log2(&self) -> Tensor {
        let (x, at) = (floating(self), Location::caller());
        if x.dtype().class() == DTypeClass::Complex {
            x.log().scaled_down(LN_2)
        } else {
            apply_at(UnaryOp::Log2.into(), &[&x], at).remove(0)
        }
    }

    /// Logarithm to base 10.
    #[track_caller]
    pub fn log10(&self) -> Tensor {
        floating(self).log().scaled_down(LN_10)
    }

    /// Divided by a real number, which complex infinities survive.
    #[track_caller]
    fn scaled_down(&self, by: f64) -> Tensor {
        if self.is_complex() { Tensor::complex(&(self.real() / by), &(self.imag() / by)) } else { self / by }
    }

    /// log(e^x + e^y), without overflow.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let big = Tensor::from(1000.0f64);
    /// assert_eq!(big.logaddexp(&big).item::<f64>(), 1000.0 + 2f64.ln());
    /// ```
    #[track_caller]
    pub fn logaddexp(&self, other: impl Operand) -> Tensor {
        let (a, b) = unify_floats("logaddexp", self, &other.beside(self), Location::caller());
        let difference = &a - &b;
        // Equal infinities differ by NaN: their sum is the answer. What is NaN besides stays so, and its derivatives too.
        let infinite = a.equal(&b).logical_and(a.is_inf());
        let difference = infinite.select(difference.zeros_like(), &difference);
        let first = difference.real().greater(0.0);
        // -|difference|, whose derivative at 0 is 1 so that both operands get their half.
        let below = first.select(&-&difference, &difference);
        infinite.select(&(&a + &b), &(first.select(&a, &b) + below.exp().log1p()))
    }

    /// sqrt(x^2 + y^2), without overflow.
    #[track_caller]
    pub fn hypot(&self, other: impl Operand) -> Tensor {
        let (a, b) = unify_floats("hypot", self, &other.beside(self), Location::caller());
        let (a, b) = (a.abs(), b.abs());
        let (large, small) = (a.maximum(&b), a.minimum(&b));
        // A zero is the answer itself, and an infinity decides, even beside NaN.
        let plain = large.equal(0.0);
        let infinite = a.equal(f64::INFINITY).logical_or(b.equal(f64::INFINITY));
        let by = plain.logical_or(&infinite).select(large.ones_like(), &large);
        let small = plain.logical_or(&infinite).select(small.zeros_like(), &small);
        let length = plain.select(&large, &(&by * ((small / &by).square() + 1.0).sqrt()));
        infinite.select(length.full_like(f64::INFINITY), &length)
    }

    /// Quotient rounded down, as Python's `//`. An integer quotient by zero is -1, all bits of an unsigned one, and one less
    /// for other signed dividends than 0, as in JAX. The derivative of floats is 0 everywhere.
    #[track_caller]
    pub fn floor_divide(&self, other: impl Operand) -> Tensor {
        let at = Location::caller();
        let (a, b) = numbers("floor_divide", self, &other.beside(self), at);
        let divide = |a: &Tensor, b: &Tensor| apply_at(BinaryOp::Divide.into(), &[a, b], at).remove(0);
        let rest = apply_at(BinaryOp::Remainder.into(), &[&a, &b], at).remove(0);
        if a.dtype().is_float() {
            let zero = rest.zeros_like();
            let turned = rest.not_equal(&zero).logical_and(rest.less(&zero).not_equal(b.less(&zero)));
            // Of the multiple of the divisor, so that rounding cannot reach the next one.
            let quotient = divide(&(&a - rest), &b).round();
            let quotient = turned.select(&(&quotient - 1.0), &quotient);
            // Steps have no slope, and what they are made of has none that is a number at infinities and zeros.
            return stop_gradient(&b.equal(0.0).select(divide(&a, &b), &quotient));
        }
        let quotient = divide(&a, &b);
        if a.dtype().class() != DTypeClass::Signed {
            return quotient;
        }
        let turned = a.sign().not_equal(b.sign()).logical_and(rest.not_equal(0i64));
        turned.select(&(&quotient - 1i64), &quotient)
    }

    /// Remainder with the sign of the dividend, as C's `fmod`; of integers by zero 0.
    #[track_caller]
    pub fn fmod(&self, other: impl Operand) -> Tensor {
        remainder("fmod", self, &other.beside(self), Location::caller()).0
    }

    /// Towards zero.
    #[track_caller]
    pub fn trunc(&self) -> Tensor {
        self.less(0.0).select(self.ceil(), self.floor())
    }

    /// To `decimals` digits after the point, ties to even. Integers have none.
    #[track_caller]
    pub fn round_to(&self, decimals: i32) -> Tensor {
        if self.is_whole() && decimals >= 0 {
            return self.clone();
        }
        // The factor may be more than an f16 holds: as JAX, in f32.
        let x = floating(self);
        if x.dtype() == DType::F16 {
            return x.astype(DType::F32).round_to(decimals).astype(DType::F16);
        }
        if x.is_complex() {
            return Tensor::complex(&x.real().round_to(decimals), &x.imag().round_to(decimals));
        }
        let factor = 10f64.powi(decimals);
        (x * factor).round() / factor
    }

    /// Degrees as radians.
    #[track_caller]
    pub fn deg2rad(&self) -> Tensor {
        floating(self) * (PI / 180.0)
    }

    /// Radians as degrees.
    #[track_caller]
    pub fn rad2deg(&self) -> Tensor {
        floating(self) * (180.0 / PI)
    }

    /// 0 for negative numbers, 1 for positive ones, `at_zero` for zeros.
    #[track_caller]
    pub fn heaviside(&self, at_zero: impl Operand) -> Tensor {
        let at = Location::caller();
        let (x, at_zero) = unify_floats("heaviside", self, &at_zero.beside(self), at);
        if x.is_complex() {
            fail(Error::new(format!("heaviside: complex numbers have no order, in {}", self.ty()), Some(at)))
        }
        let step = x.less(0.0).select(x.zeros_like(), x.ones_like());
        x.is_nan().select(&x, x.equal(0.0).select(&at_zero, &step))
    }

    /// Whether an element is infinite.
    #[track_caller]
    pub fn is_inf(&self) -> Tensor {
        match self.dtype().class() {
            DTypeClass::Float => self.abs().equal(f64::INFINITY),
            DTypeClass::Complex => self.real().is_inf() | self.imag().is_inf(),
            DTypeClass::Bool | DTypeClass::Signed | DTypeClass::Unsigned => {
                Tensor::zeros(self.shape(), DType::I1)
            }
        }
    }

    /// NaN as `nan`, and infinities as the largest finite numbers, of complex numbers each part, as `numpy.nan_to_num`.
    ///
    /// Fails for floats of less than 16 bits.
    #[track_caller]
    pub fn nan_to_num(&self, nan: f64) -> Tensor {
        if self.is_complex() {
            return Tensor::complex(&self.real().nan_to_num(nan), &self.imag().nan_to_num(nan));
        }
        if !self.dtype().is_float() {
            return self.clone();
        }
        let largest = match self.dtype() {
            DType::F64 => f64::MAX,
            DType::F32 => f32::MAX as f64,
            DType::BF16 => half::bf16::MAX.to_f64(),
            DType::F16 => half::f16::MAX.to_f64(),
            other => {
                let message = format!("nan_to_num: f64, f32, f16 and bf16 are known, not {other}");
                fail(Error::new(message, Some(Location::caller())))
            }
        };
        let x = self.is_nan().select(self.full_like(nan), self);
        let x = x.equal(f64::INFINITY).select(x.full_like(largest), &x);
        x.equal(f64::NEG_INFINITY).select(x.full_like(-largest), &x)
    }

    /// Elementwise `xor` of booleans.
    #[track_caller]
    pub fn logical_xor(&self, other: impl Operand) -> Tensor {
        self.astype(DType::I1) ^ other.beside(self).astype(DType::I1)
    }

    /// The elements of `self` with the type that both promote to.
    #[track_caller]
    pub fn promote_with(&self, other: &Tensor) -> Tensor {
        self.astype(promote_types(self.dtype(), other.dtype()))
    }
}
