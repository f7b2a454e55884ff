//! Elementwise mathematics. Integers and booleans become floats first where the result is one ([`super::promote`]).

use crate::Tensor;
use crate::custom_jvp;
use crate::error::{Error, fail};
use crate::ops::arith::numbers;
use crate::ops::promote::{Operand, binary, convert, floating, number_type, unify_floats};
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{BinaryOp, UnaryOp};
use wengert_ir::types::{DType, DTypeClass};

macro_rules! float_methods {
    ($($(#[$doc:meta])* $name:ident $op:ident;)+) => { impl Tensor { $(
        $(#[$doc])*
        #[track_caller]
        pub fn $name(&self) -> Tensor {
            let at = Location::caller();
            apply_at(UnaryOp::$op.into(), &[&floating(self)], at).remove(0)
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
}

macro_rules! rounding_methods {
    ($($(#[$doc:meta])* $name:ident $op:ident;)+) => { impl Tensor { $(
        $(#[$doc])*
        #[track_caller]
        pub fn $name(&self) -> Tensor {
            if self.is_whole() { self.clone() } else { apply_at(UnaryOp::$op.into(), &[self], Location::caller()).remove(0) }
        }
    )+ } };
}
rounding_methods! {
    /// Towards negative infinity; integers and booleans are what they are.
    floor Floor;
    /// Towards positive infinity; integers and booleans are what they are.
    ceil Ceil;
}

impl Tensor {
    /// Whether the elements are integers or booleans.
    pub(crate) fn is_whole(&self) -> bool {
        !self.dtype().is_differentiable()
    }
    /// To nearest, ties to even; both parts of complex numbers; integers and booleans are what they are.
    #[track_caller]
    pub fn round(&self) -> Tensor {
        if self.is_whole() {
            return self.clone();
        }
        let at = Location::caller();
        let round = |x: &Tensor| apply_at(UnaryOp::RoundNearestEven.into(), &[x], at).remove(0);
        self.by_parts(round, Tensor::complex)
    }
    /// A function of the elements of real numbers, and of both parts of complex ones.
    fn by_parts(&self, f: impl Fn(&Tensor) -> Tensor, join: impl Fn(&Tensor, &Tensor) -> Tensor) -> Tensor {
        if self.is_complex() { join(&f(&self.real()), &f(&self.imag())) } else { f(self) }
    }
    /// Neither infinite nor NaN; of complex numbers, neither part is.
    #[track_caller]
    pub fn is_finite(&self) -> Tensor {
        let at = Location::caller();
        let finite = |x: &Tensor| apply_at(UnaryOp::IsFinite.into(), &[x], at).remove(0);
        floating(self).by_parts(finite, |re, im| re & im)
    }
    /// |x|. The derivative at 0 is 1, as in JAX.
    #[track_caller]
    pub fn abs(&self) -> Tensor {
        if matches!(self.dtype().class(), DTypeClass::Bool | DTypeClass::Unsigned) {
            return self.clone();
        }
        apply_at(UnaryOp::Abs.into(), &[self], Location::caller()).remove(0)
    }
    /// -1, 0 or 1.
    #[track_caller]
    pub fn sign(&self) -> Tensor {
        if self.dtype().class() == DTypeClass::Unsigned {
            return self.not_equal(0i64).astype(self.dtype());
        }
        apply_at(UnaryOp::Sign.into(), &[self], Location::caller()).remove(0)
    }
    /// x * x.
    #[track_caller]
    pub fn square(&self) -> Tensor {
        let x = convert(self, number_type(self.dtype()), Location::caller());
        &x * &x
    }
    /// 1 / x.
    #[track_caller]
    pub fn recip(&self) -> Tensor {
        1.0 / self
    }
    /// `self` to the power `exponent`, elementwise.
    #[track_caller]
    pub fn pow(&self, exponent: impl Operand) -> Tensor {
        let at = Location::caller();
        let (base, exponent) = numbers("pow", self, &exponent.beside(self), at);
        binary(BinaryOp::Power, &base, &exponent, at)
    }
    /// `self` to an integer power, by repeated multiplication: exact derivatives at 0.
    ///
    /// Fails for a negative power of integers or booleans.
    #[track_caller]
    pub fn powi(&self, exponent: i32) -> Tensor {
        let at = Location::caller();
        if exponent < 0 && self.is_whole() {
            let message = format!(
                "powi: integers have no negative powers ({exponent}), in {}; `pow` with a float has",
                self.ty()
            );
            fail(Error::new(message, Some(at)))
        }
        if exponent < -1 && exponent > i32::MIN + 1 {
            // The quotient's own derivative divides by its square, which overflows and vanishes long before the slope does.
            let slope = f64::from(exponent);
            return custom_jvp(
                move |x: Tensor| x.multiplied(exponent),
                move |(x,), (dx,)| {
                    (x.multiplied(exponent), dx * (x.recip().multiplied(1 - exponent) * slope))
                },
            )(self.clone());
        }
        self.multiplied(exponent)
    }

    /// [`Self::powi`] with the derivative of its steps.
    #[track_caller]
    fn multiplied(&self, exponent: i32) -> Tensor {
        let at = Location::caller();
        let (mut result, mut base, mut left): (Option<Tensor>, Tensor, u32) =
            (None, convert(self, number_type(self.dtype()), at), exponent.unsigned_abs());
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
            None => base.ones_like(),
            Some(r) if exponent < 0 => r.recip(),
            Some(r) => r,
        }
    }
    /// The angle of the point (x, y) where `self` is y.
    #[track_caller]
    pub fn atan2(&self, x: impl Operand) -> Tensor {
        let at = Location::caller();
        let (y, x) = unify_floats("atan2", self, &x.beside(self), at);
        binary(BinaryOp::Atan2, &y, &x, at)
    }
    /// max(x, 0), with derivative 0 at 0 as JAX's `relu`; NaN stays.
    #[track_caller]
    pub fn relu(&self) -> Tensor {
        let x = convert(self, number_type(self.dtype()), Location::caller());
        let zero = x.zeros_like();
        x.greater(&zero).select(&x, crate::stop_gradient(&x.maximum(&zero)))
    }
    /// log(1 + e^x), without overflow.
    #[track_caller]
    pub fn softplus(&self) -> Tensor {
        let x = floating(self);
        let positive = x.greater(0.0);
        // -|x|, with derivative 1 at 0, where that of the whole is 1/2.
        let below = positive.select(&-&x, &x);
        positive.select(&x, x.zeros_like()) + below.exp().log1p()
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
