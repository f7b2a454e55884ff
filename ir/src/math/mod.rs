//! The math library: every transcendental function, written once.
//!
//! A function is a formula over a [`lane::Lane`]: branch-free, with explicit fused multiply-adds, each step
//! exact or rounded once. The reference interpreter runs it on scalars, the CPU backend on loops that
//! become vector code, so both get the same bits. Results that are NaN are the positive quiet NaN with
//! payload zero. Subnormal numbers count, as arguments and as results.
//!
//! Errors over the whole range, for both precisions, in units in the last place (ULP) of the exact result,
//! are at most those of [`MathFn::bound`] and [`MathFn2::bound`]:
//!
//! | function | ULP |
//! |---|---|
//! | exp, exp2, log, logistic, pow, sin, cos, tan, cbrt, atan, asin, acos, erf | 1 |
//! | expm1, log2 | 1.2 |
//! | log1p, rsqrt, cosh | 1.5 |
//! | tanh | 1.8 |
//! | sinh, asinh, acosh, atanh, atan2, erf_inv | 2 |
//! | erfc | 4 |
//! | lgamma, digamma | 4; for x < 0, of results below 1 in magnitude those of 1 |
//! | zeta, polygamma | 4 for orders up to 100; for x < 0, of the sum of what is added |
//!
//! Subnormal results of exp, exp2, logistic, pow and erfc are rounded a second time. Special values are those of
//! C; digamma at zero and the negative integers is NaN.
//!
//! Coefficients are weighted least-squares fits on Chebyshev nodes, rounded one after another with the
//! rest fitted again; what they stand for is written beside them.

mod atan;
mod bound;
pub mod deferred;
mod erf;
mod exp;
pub mod formula;
mod gamma;
pub mod lane;
mod log;
mod pair;
mod root;
mod trig;
mod zeta;

pub use bound::Bound;
use lane::Lane;
pub(crate) use zeta::BERNOULLI;

/// Unary functions of the math library.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MathFn {
    /// e^x.
    Exp,
    /// 2^x.
    Exp2,
    /// e^x - 1.
    Expm1,
    /// Natural logarithm.
    Log,
    /// Logarithm to base 2.
    Log2,
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
    /// The sum of (b + k)^-a over k = 0, 1, ...
    Zeta,
    /// Derivative of `Digamma` at b, of order a.
    Polygamma,
}

/// A unary formula as a type, so that loops can be made of it.
pub trait Unary {
    /// Whether the formula has a part of its own for some arguments ([`Lane::rarely`]).
    const RARE: bool;
    /// The function of one lane, whatever that is.
    fn eval<L: Lane>(x: L) -> L;
}

/// A binary formula as a type.
pub trait Binary {
    /// As [`Unary::RARE`].
    const RARE: bool;
    /// The function of one lane, whatever that is.
    fn eval<L: Lane>(a: L, b: L) -> L;
}

/// What to do with the formula that [`MathFn::visit`] finds.
pub trait VisitUnary {
    /// What comes of it.
    type Output;
    /// Called once, with the formula as a type.
    fn visit<F: Unary>(self, formula: F) -> Self::Output;
}

/// What to do with the formula that [`MathFn2::visit`] finds.
pub trait VisitBinary {
    /// What comes of it.
    type Output;
    /// Called once, with the formula as a type.
    fn visit<F: Binary>(self, formula: F) -> Self::Output;
}

macro_rules! unary {
    ($formula:path, $rare:expr) => {{
        struct Formula;
        impl Unary for Formula {
            const RARE: bool = $rare;
            #[inline(always)]
            fn eval<L: Lane>(x: L) -> L {
                $formula(x)
            }
        }
        Formula
    }};
}

macro_rules! binary {
    ($formula:path, $rare:expr) => {{
        struct Formula;
        impl Binary for Formula {
            const RARE: bool = $rare;
            #[inline(always)]
            fn eval<L: Lane>(a: L, b: L) -> L {
                $formula(a, b)
            }
        }
        Formula
    }};
}

macro_rules! table {
    (@ rare) => { true };
    (@) => { false };
    ($enum:ident $kind:ident $visitor:ident $($variant:ident $name:literal $formula:path $(, $rare:ident)?;)+) => {
        impl $enum {
            /// Every function, in declaration order.
            pub const ALL: &'static [$enum] = &[$($enum::$variant),+];

            /// The name in kernel text: the `math` dialect's where it has the function, otherwise CHLO's
            /// or StableHLO's.
            pub const fn name(self) -> &'static str {
                match self { $($enum::$variant => $name),+ }
            }

            /// Finds the formula.
            #[inline]
            pub fn visit<V: $visitor>(self, visitor: V) -> V::Output {
                match self { $($enum::$variant => visitor.visit($kind!($formula, table!(@ $($rare)?))),)+ }
            }
        }
    };
}

table! { MathFn unary VisitUnary
    Exp "math.exp" exp::exp;
    Exp2 "math.exp2" exp::exp2;
    Expm1 "math.expm1" exp::expm1;
    Log "math.log" log::log;
    Log2 "math.log2" log::log2;
    Log1p "math.log1p" log::log1p;
    Sin "math.sin" trig::sin, rare;
    Cos "math.cos" trig::cos, rare;
    Tan "math.tan" trig::tan, rare;
    Tanh "math.tanh" exp::tanh;
    Sinh "math.sinh" exp::sinh;
    Cosh "math.cosh" exp::cosh;
    Logistic "stablehlo.logistic" exp::logistic;
    Cbrt "math.cbrt" root::cbrt;
    Rsqrt "math.rsqrt" root::rsqrt;
    Atan "math.atan" atan::atan;
    Asin "math.asin" atan::asin;
    Acos "math.acos" atan::acos;
    Asinh "math.asinh" log::asinh;
    Acosh "math.acosh" log::acosh;
    Atanh "math.atanh" log::atanh;
    Erf "math.erf" erf::erf;
    Erfc "math.erfc" erf::erfc;
    ErfInv "chlo.erf_inv" erf::erf_inv;
    Lgamma "chlo.lgamma" gamma::lgamma, rare;
    Digamma "chlo.digamma" gamma::digamma, rare;
}

table! { MathFn2 binary VisitBinary
    Pow "math.powf" log::pow;
    Atan2 "math.atan2" atan::atan2;
    Zeta "chlo.zeta" zeta::zeta, rare;
    Polygamma "chlo.polygamma" zeta::polygamma, rare;
}

struct Apply<L>(L);

impl<L: Lane> VisitUnary for Apply<L> {
    type Output = L;
    fn visit<F: Unary>(self, _: F) -> L {
        F::eval(self.0)
    }
}

impl<L: Lane> VisitBinary for Apply<(L, L)> {
    type Output = L;
    fn visit<F: Binary>(self, _: F) -> L {
        F::eval(self.0.0, self.0.1)
    }
}

impl MathFn {
    /// The function of one lane, whatever that is.
    pub fn eval<L: Lane>(self, x: L) -> L {
        self.visit(Apply(x))
    }

    /// The function of one double.
    pub fn eval_f64(self, x: f64) -> f64 {
        self.eval(x)
    }

    /// The function of one single; not the double result rounded.
    pub fn eval_f32(self, x: f32) -> f32 {
        self.eval(x)
    }
}

impl MathFn2 {
    /// The function of one lane, whatever that is.
    pub fn eval<L: Lane>(self, a: L, b: L) -> L {
        self.visit(Apply((a, b)))
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
