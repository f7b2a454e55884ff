//! The math library: every transcendental function, written once.
//!
//! A function is a formula over a [`lane::Lane`]: branch-free, with explicit fused multiply-adds, each step
//! exact or rounded once. The reference interpreter runs it on scalars, the CPU backend on loops that
//! become vector code, so both get the same bits. Results that are NaN are the positive quiet NaN with
//! payload zero. Subnormal numbers count, as arguments and as results.
//!
//! Every function states its error bound in units in the last place (ULP) of the exact result. Special
//! values are those of C.

mod atan;
mod erf;
mod exp;
mod gamma;
pub mod lane;
mod log;
mod pair;
mod root;
mod trig;

use lane::Lane;

/// Unary functions of the math library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MathFn {
    /// e^x.
    Exp,
    /// e^x - 1.
    Expm1,
    /// Natural logarithm.
    Log,
    /// log(1 + x).
    Log1p,
    /// Sine of radians.
    Sin,
    /// Cosine of radians.
    Cos,
    /// Tangent of radians.
    Tan,
    /// Hyperbolic tangent.
    Tanh,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// 1 / (1 + e^-x).
    Logistic,
    /// Cube root.
    Cbrt,
    /// 1 / sqrt(x).
    Rsqrt,
    /// Arc tangent.
    Atan,
    /// Arc sine.
    Asin,
    /// Arc cosine.
    Acos,
    /// Inverse hyperbolic sine.
    Asinh,
    /// Inverse hyperbolic cosine.
    Acosh,
    /// Inverse hyperbolic tangent.
    Atanh,
    /// Error function.
    Erf,
    /// 1 - erf(x).
    Erfc,
    /// Inverse of the error function.
    ErfInv,
    /// log |Gamma(x)|.
    Lgamma,
    /// Derivative of `Lgamma`.
    Digamma,
}

/// Binary functions of the math library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MathFn2 {
    /// a^b.
    Pow,
    /// Angle of the point (b, a).
    Atan2,
}

impl MathFn {
    /// Every function, in declaration order.
    pub const ALL: &'static [MathFn] = &[
        MathFn::Exp,
        MathFn::Expm1,
        MathFn::Log,
        MathFn::Log1p,
        MathFn::Sin,
        MathFn::Cos,
        MathFn::Tan,
        MathFn::Tanh,
        MathFn::Sinh,
        MathFn::Cosh,
        MathFn::Logistic,
        MathFn::Cbrt,
        MathFn::Rsqrt,
        MathFn::Atan,
        MathFn::Asin,
        MathFn::Acos,
        MathFn::Asinh,
        MathFn::Acosh,
        MathFn::Atanh,
        MathFn::Erf,
        MathFn::Erfc,
        MathFn::ErfInv,
        MathFn::Lgamma,
        MathFn::Digamma,
    ];

    /// The name in kernel text: the `math` dialect's where it has the function, otherwise CHLO's or StableHLO's.
    pub const fn name(self) -> &'static str {
        match self {
            MathFn::Exp => "math.exp",
            MathFn::Expm1 => "math.expm1",
            MathFn::Log => "math.log",
            MathFn::Log1p => "math.log1p",
            MathFn::Sin => "math.sin",
            MathFn::Cos => "math.cos",
            MathFn::Tan => "math.tan",
            MathFn::Tanh => "math.tanh",
            MathFn::Sinh => "math.sinh",
            MathFn::Cosh => "math.cosh",
            MathFn::Logistic => "stablehlo.logistic",
            MathFn::Cbrt => "math.cbrt",
            MathFn::Rsqrt => "math.rsqrt",
            MathFn::Atan => "math.atan",
            MathFn::Asin => "math.asin",
            MathFn::Acos => "math.acos",
            MathFn::Asinh => "math.asinh",
            MathFn::Acosh => "math.acosh",
            MathFn::Atanh => "math.atanh",
            MathFn::Erf => "math.erf",
            MathFn::Erfc => "math.erfc",
            MathFn::ErfInv => "chlo.erf_inv",
            MathFn::Lgamma => "chlo.lgamma",
            MathFn::Digamma => "chlo.digamma",
        }
    }

    /// The function of one lane, whatever that is.
    #[inline(always)]
    pub fn eval<L: Lane>(self, x: L) -> L {
        match self {
            MathFn::Exp => exp::exp(x),
            MathFn::Expm1 => exp::expm1(x),
            MathFn::Log => log::log(x),
            MathFn::Log1p => log::log1p(x),
            MathFn::Sin => trig::sin(x),
            MathFn::Cos => trig::cos(x),
            MathFn::Tan => trig::tan(x),
            MathFn::Tanh => exp::tanh(x),
            MathFn::Sinh => exp::sinh(x),
            MathFn::Cosh => exp::cosh(x),
            MathFn::Logistic => exp::logistic(x),
            MathFn::Cbrt => root::cbrt(x),
            MathFn::Rsqrt => root::rsqrt(x),
            MathFn::Atan => atan::atan(x),
            MathFn::Asin => atan::asin(x),
            MathFn::Acos => atan::acos(x),
            MathFn::Asinh => log::asinh(x),
            MathFn::Acosh => log::acosh(x),
            MathFn::Atanh => log::atanh(x),
            MathFn::Erf => erf::erf(x),
            MathFn::Erfc => erf::erfc(x),
            MathFn::ErfInv => erf::erf_inv(x),
            MathFn::Lgamma => gamma::lgamma(x),
            MathFn::Digamma => gamma::digamma(x),
        }
    }

    /// The function of one double.
    pub fn eval_f64(self, x: f64) -> f64 {
        self.eval(x)
    }

    /// The function of one single; not the rounded double result.
    pub fn eval_f32(self, x: f32) -> f32 {
        self.eval(x)
    }
}

impl MathFn2 {
    /// Every function, in declaration order.
    pub const ALL: &'static [MathFn2] = &[MathFn2::Pow, MathFn2::Atan2];

    /// The name in kernel text.
    pub const fn name(self) -> &'static str {
        match self {
            MathFn2::Pow => "math.powf",
            MathFn2::Atan2 => "math.atan2",
        }
    }

    /// The function of one lane, whatever that is.
    #[inline(always)]
    pub fn eval<L: Lane>(self, a: L, b: L) -> L {
        match self {
            MathFn2::Pow => log::pow(a, b),
            MathFn2::Atan2 => atan::atan2(a, b),
        }
    }

    /// The function of two doubles.
    pub fn eval_f64(self, a: f64, b: f64) -> f64 {
        self.eval(a, b)
    }

    /// The function of two singles.
    pub fn eval_f32(self, a: f32, b: f32) -> f32 {
        self.eval(a, b)
    }
}
