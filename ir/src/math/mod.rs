//! The math library: every transcendental function, written once.

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
