//! Elementwise mathematics. Integers and booleans become `f32` first where the result is a float.

use crate::Tensor;
use crate::ops::promote::{DEFAULT_FLOAT, Operand, binary, convert};
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{BinaryOp, UnaryOp};
use wengert_ir::types::DType;

macro_rules! float_methods {
    ($($(#[$doc:meta])* $name:ident $op:ident;)+) => { impl Tensor { $(
        $(#[$doc])*
        #[track_caller]
        pub fn $name(&self) -> Tensor {
            let at = Location::caller();
            let x = if self.dtype().is_differentiable() { self.clone() } else { convert(self, DEFAULT_FLOAT, at) };
            apply_at(UnaryOp::$op.into(), &[&x], at).remove(0)
        }
    )+ } };
}
float_methods! {
    /// e^x.
    exp Exponential;
    /// e^x - 1, accurate near 0.
    expm1 ExponentialMinusOne;
    /// Natural logarithm.
    log Log;
    /// log(1 + x), accurate near 0.
    log1p LogPlusOne;
    /// Square root.
    sqrt Sqrt;
    /// 1 / sqrt(x).
    rsqrt Rsqrt;
    /// Cube root.
    cbrt Cbrt;
    /// Sine.
    sin Sine;
    /// Cosine.
    cos Cosine;
    /// Tangent.
    tan Tan;
    /// Arc sine.
    asin Asin;
    /// Arc cosine.
    acos Acos;
    /// Arc tangent.
    atan Atan;
    /// Hyperbolic sine.
    sinh Sinh;
    /// Hyperbolic cosine.
    cosh Cosh;
    /// Hyperbolic tangent.
    tanh Tanh;
    /// Inverse hyperbolic sine.
    asinh Asinh;
    /// Inverse hyperbolic cosine.
    acosh Acosh;
    /// Inverse hyperbolic tangent.
    atanh Atanh;
    /// 1 / (1 + e^-x).
    sigmoid Logistic;
    /// Error function.
    erf Erf;
    /// 1 - erf(x).
    erfc Erfc;
    /// Inverse of the error function.
    erf_inv ErfInv;
    /// log |Gamma(x)|.
    lgamma Lgamma;
    /// Derivative of `lgamma`.
    digamma Digamma;
    /// e^-|x| times the modified Bessel function of the first kind of order 1.
    bessel_i1e BesselI1e;
    /// Towards negative infinity.
    floor Floor;
    /// Towards positive infinity.
    ceil Ceil;
    /// To nearest, ties to even.
    round RoundNearestEven;
    /// Neither infinite nor NaN.
    is_finite IsFinite;
}

impl Tensor {
    /// |x|. The derivative at 0 is 1, as in JAX.
    #[track_caller]
    pub fn abs(&self) -> Tensor {
        apply_at(UnaryOp::Abs.into(), &[self], Location::caller()).remove(0)
    }
    /// -1, 0 or 1.
    #[track_caller]
    pub fn sign(&self) -> Tensor {
        apply_at(UnaryOp::Sign.into(), &[self], Location::caller()).remove(0)
    }
    /// x * x.
    #[track_caller]
    pub fn square(&self) -> Tensor {
        self * self
    }
    /// 1 / x.
    #[track_caller]
    pub fn recip(&self) -> Tensor {
        1.0 / self
    }
    /// `self` to the power `exponent`, elementwise.
    #[track_caller]
    pub fn pow(&self, exponent: impl Operand) -> Tensor {
        binary(BinaryOp::Power, self, &exponent.beside(self), Location::caller())
    }
    /// `self` to an integer power, by repeated multiplication: exact derivatives at 0.
    #[track_caller]
    pub fn powi(&self, exponent: i32) -> Tensor {
        let (mut result, mut base, mut left): (Option<Tensor>, Tensor, u32) =
            (None, self.clone(), exponent.unsigned_abs());
        while left > 0 {
            if left & 1 == 1 {
                result = Some(match result {
                    Some(r) => r * &base,
                    None => base.clone(),
                });
            }
            left >>= 1;
            if left > 0 {
                base = &base * &base;
            }
        }
        match result {
            None => self.ones_like(),
            Some(r) if exponent < 0 => r.recip(),
            Some(r) => r,
        }
    }
    /// The angle of the point (x, y) where `self` is y.
    #[track_caller]
    pub fn atan2(&self, x: impl Operand) -> Tensor {
        binary(BinaryOp::Atan2, self, &x.beside(self), Location::caller())
    }
    /// max(x, 0), with derivative 0 at 0 as JAX's `relu`; NaN stays.
    #[track_caller]
    pub fn relu(&self) -> Tensor {
        let zero = self.zeros_like();
        self.greater(&zero).select(self, &crate::stop_gradient(&self.maximum(&zero)))
    }
    /// log(1 + e^x), without overflow.
    #[track_caller]
    pub fn softplus(&self) -> Tensor {
        let positive = self.greater(0.0);
        // -|x|, with derivative 1 at 0, where that of the whole is 1/2.
        let below = positive.select(&-self, self);
        positive.select(self, &self.zeros_like()) + below.exp().log1p()
    }
    /// Whether an element is NaN.
    #[track_caller]
    pub fn is_nan(&self) -> Tensor {
        self.not_equal(self)
    }
    /// The elements as another type: floats to integers towards zero, saturating; to booleans by `!= 0`.
    #[track_caller]
    pub fn astype(&self, dtype: DType) -> Tensor {
        convert(self, dtype, Location::caller())
    }
}
