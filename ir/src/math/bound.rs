//! What the math library promises: one table of bounds, and the measure that every test of them uses.
//!
//! The unit (ULP) of an exact result is the distance between the two floats around it, which is never less
//! than the smallest subnormal number; past the largest float it is the last one's, and infinity counts as
//! the float that would follow. The sweep over all floats (`math_sweep` of the CPU backend) and the tables
//! of exact results hold the functions to this table; `docs/accuracy.md` has what they find.

use super::{MathFn, MathFn2};

/// How far a result may be from the exact one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bound {
    /// Units in the last place of the exact result.
    pub ulp: f64,
    /// Where a function has infinitely many zeros between poles, no number of units of the result can be
    /// promised: for arguments below zero, results smaller than one are measured in units of one.
    pub floor_below_zero: bool,
}

const fn ulp(ulp: f64) -> Bound {
    Bound { ulp, floor_below_zero: false }
}

impl MathFn {
    /// What is promised, for both precisions and every argument.
    pub const fn bound(self) -> Bound {
        match self {
            MathFn::Exp | MathFn::Log | MathFn::Logistic | MathFn::Erf => ulp(1.0),
            MathFn::Exp2 => ulp(1.0),
            MathFn::Sin | MathFn::Cos | MathFn::Tan => ulp(1.0),
            MathFn::Cbrt | MathFn::Atan | MathFn::Asin | MathFn::Acos => ulp(1.0),
            MathFn::Expm1 | MathFn::Log2 => ulp(1.2),
            MathFn::Log1p | MathFn::Rsqrt | MathFn::Cosh => ulp(1.5),
            MathFn::Tanh => ulp(1.8),
            MathFn::Sinh | MathFn::Asinh | MathFn::Acosh | MathFn::Atanh | MathFn::ErfInv => ulp(2.0),
            MathFn::Erfc => ulp(4.0),
            MathFn::Lgamma | MathFn::Digamma => Bound { ulp: 4.0, floor_below_zero: true },
        }
    }
}

impl MathFn2 {
    /// What is promised, for both precisions and every pair of arguments; of `Zeta` and `Polygamma` for orders up to 100
    /// and `b` > 0. Below, parts of both signs are added, and the unit is that of the sum of their sizes.
    pub const fn bound(self) -> Bound {
        match self {
            MathFn2::Pow => ulp(1.0),
            MathFn2::Atan2 => ulp(2.0),
            MathFn2::Zeta | MathFn2::Polygamma => ulp(4.0),
        }
    }
}

/// 2^n for n from -1074 to 1023.
fn power(n: i32) -> f64 {
    f64::from_bits(if n < -1022 { 1 << (n + 1074) } else { ((n + 1023) as u64) << 52 })
}

/// The exponent of the binade of a finite number; that of the smallest normal double below it.
fn binade(x: f64) -> i32 {
    ((x.to_bits() >> 52) as i32 & 0x7ff).max(1) - 1023
}

impl Bound {
    /// The error of a single in units of the exact result, given as a double. Zero where both are NaN.
    pub fn error_f32(&self, x: f32, got: f32, want: f64) -> f64 {
        if got.is_nan() || want.is_nan() {
            return if got.is_nan() && want.is_nan() { 0.0 } else { f64::INFINITY };
        }
        let number = |x: f32| if x.is_infinite() { f64::from(x.signum()) * power(128) } else { f64::from(x) };
        // What is beyond the range rounds to infinity and is not told apart from it.
        let want = want.clamp(-power(128), power(128));
        let floor = if self.floor_below_zero && x < 0.0 { 0 } else { -126 };
        let unit = power(binade(want).clamp(floor, 127) - 23);
        (number(got) - want).abs() / unit
    }

    /// The error of a double in its units, where the exact result is `want` and `rest` units of `want`.
    pub fn error_f64(&self, x: f64, got: f64, want: f64, rest: f64) -> f64 {
        if got.is_nan() || want.is_nan() || got.is_infinite() && want.is_infinite() {
            let same = got == want || got.is_nan() && want.is_nan();
            return if same { 0.0 } else { f64::INFINITY };
        }
        // The float that would follow the largest is infinite, but half of it is not.
        let difference = if got.is_infinite() || binade(want) > 1000 {
            let half = |x: f64| if x.is_infinite() { x.signum() * power(1023) } else { x / 2.0 };
            (half(got) - half(want)) / power(binade(want).min(1023) - 53)
        } else {
            (got - want) / power((binade(want) - 52).max(-1074))
        };
        let units = (difference - rest).abs();
        if self.floor_below_zero && x < 0.0 && binade(want) < 0 {
            return units * power(binade(want));
        }
        units
    }
}
