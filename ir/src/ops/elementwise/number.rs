//! The arithmetic of one element, by its Rust type.

use super::special;
use crate::math::{MathFn, MathFn2};
use crate::minifloat;
use crate::op::{BinaryOp, Direction, UnaryOp};
use crate::unary_of;
use std::cmp::Ordering;

/// A truth value in memory: 0 or 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(crate) struct Bool(pub(crate) u8);

/// An element that can be computed with. The operations are only asked for what `infer` accepts.
pub(crate) trait Number: bytemuck::Pod + PartialEq {
    /// An operation of one operand with a result of the same type.
    fn unary(op: UnaryOp, x: Self) -> Self;
    /// An operation of two operands.
    fn binary(op: BinaryOp, a: Self, b: Self) -> Self;
    /// `a * b + c` rounded once; integers wrap.
    fn fma(a: Self, b: Self, c: Self) -> Self;
    /// The natural order; floats follow IEEE.
    fn order(a: Self, b: Self) -> Option<Ordering>;
    /// The total order.
    fn total_order(a: Self, b: Self) -> Ordering;
    /// Whether neither infinite nor NaN.
    fn is_finite(x: Self) -> bool;
    /// The value as a wide number.
    fn widen(x: Self) -> Wide;
    /// The nearest value of this type: floats round to nearest even; integers wrap integers, and saturate
    /// floats (towards zero, NaN gives 0).
    fn narrow(x: Wide) -> Self;
}

/// Any number, without loss.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wide {
    /// A float.
    Float(f64),
    /// An integer.
    Int(i128),
    /// A complex number.
    Complex(f64, f64),
}

/// A number without its imaginary part.
pub(crate) fn real_part(x: Wide) -> Wide {
    match x {
        Wide::Complex(re, _) => Wide::Float(re),
        other => other,
    }
}

/// Whether `compare` holds.
pub(crate) fn holds(direction: Direction, order: Option<Ordering>) -> bool {
    match direction {
        Direction::Eq => order == Some(Ordering::Equal),
        Direction::Ne => order != Some(Ordering::Equal),
        Direction::Ge => order.is_some_and(Ordering::is_ge),
        Direction::Gt => order.is_some_and(Ordering::is_gt),
        Direction::Le => order.is_some_and(Ordering::is_le),
        Direction::Lt => order.is_some_and(Ordering::is_lt),
    }
}

impl UnaryOp {
    /// The function of the math library that computes it on floats, if it is not a machine operation.
    pub fn math_fn(self) -> Option<MathFn> {
        Some(match self {
            UnaryOp::Exponential => MathFn::Exp,
            UnaryOp::ExponentialMinusOne => MathFn::Expm1,
            UnaryOp::Exp2 => MathFn::Exp2,
            UnaryOp::Log => MathFn::Log,
            UnaryOp::Log2 => MathFn::Log2,
            UnaryOp::LogPlusOne => MathFn::Log1p,
            UnaryOp::Logistic => MathFn::Logistic,
            UnaryOp::Sine => MathFn::Sin,
            UnaryOp::Cosine => MathFn::Cos,
            UnaryOp::Tan => MathFn::Tan,
            UnaryOp::Tanh => MathFn::Tanh,
            UnaryOp::Rsqrt => MathFn::Rsqrt,
            UnaryOp::Cbrt => MathFn::Cbrt,
            UnaryOp::Erf => MathFn::Erf,
            UnaryOp::Erfc => MathFn::Erfc,
            UnaryOp::ErfInv => MathFn::ErfInv,
            UnaryOp::Lgamma => MathFn::Lgamma,
            UnaryOp::Digamma => MathFn::Digamma,
            UnaryOp::Asin => MathFn::Asin,
            UnaryOp::Acos => MathFn::Acos,
            UnaryOp::Atan => MathFn::Atan,
            UnaryOp::Sinh => MathFn::Sinh,
            UnaryOp::Cosh => MathFn::Cosh,
            UnaryOp::Asinh => MathFn::Asinh,
            UnaryOp::Acosh => MathFn::Acosh,
            UnaryOp::Atanh => MathFn::Atanh,
            UnaryOp::Abs
            | UnaryOp::Negate
            | UnaryOp::Sign
            | UnaryOp::Sqrt
            | UnaryOp::Ceil
            | UnaryOp::Floor
            | UnaryOp::RoundNearestAfz
            | UnaryOp::RoundNearestEven
            | UnaryOp::IsFinite
            | UnaryOp::Not
            | UnaryOp::Popcnt
            | UnaryOp::CountLeadingZeros
            | UnaryOp::Real
            | UnaryOp::Imag
            | UnaryOp::Conj
            | UnaryOp::BesselI1e
            | UnaryOp::Square
            | unary_of!(defined) => return None,
        })
    }
}

impl BinaryOp {
    /// The function of the math library that computes it on floats, if it is not a machine operation.
    pub fn math_fn2(self) -> Option<MathFn2> {
        match self {
            BinaryOp::Power => Some(MathFn2::Pow),
            BinaryOp::Atan2 => Some(MathFn2::Atan2),
            BinaryOp::Zeta => Some(MathFn2::Zeta),
            BinaryOp::Polygamma => Some(MathFn2::Polygamma),
            BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Remainder
            | BinaryOp::Maximum
            | BinaryOp::Minimum
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::ShiftLeft
            | BinaryOp::ShiftRightArithmetic
            | BinaryOp::ShiftRightLogical
            | BinaryOp::Complex
            | BinaryOp::NextAfter
            | BinaryOp::Mulhi => None,
        }
    }
}

macro_rules! floats {
    ($($t:ident, $eval:ident);+) => { $(
        impl Number for $t {
            fn unary(op: UnaryOp, x: Self) -> Self {
                if let Some(f) = op.math_fn() {
                    return f.$eval(x);
                }
                match op {
                    UnaryOp::Abs => x.abs(),
                    UnaryOp::Negate => -x,
                    UnaryOp::Sign => if x > 0.0 { 1.0 } else if x < 0.0 { -1.0 } else { x },
                    UnaryOp::Sqrt => x.sqrt(),
                    UnaryOp::Ceil => x.ceil(),
                    UnaryOp::Floor => x.floor(),
                    UnaryOp::RoundNearestAfz => x.round(),
                    UnaryOp::RoundNearestEven => x.round_ties_even(),
                    UnaryOp::Square => x * x,
                    UnaryOp::Real | UnaryOp::Conj => x,
                    UnaryOp::Imag => 0.0,
                    UnaryOp::BesselI1e => special::bessel_i1e(x as f64) as $t,
                    other => unreachable!("{} of a float", other.name()),
                }
            }

            fn binary(op: BinaryOp, a: Self, b: Self) -> Self {
                if let Some(f) = op.math_fn2() {
                    return f.$eval(a, b);
                }
                match op {
                    BinaryOp::Add => a + b,
                    BinaryOp::Subtract => a - b,
                    BinaryOp::Multiply => a * b,
                    BinaryOp::Divide => a / b,
                    BinaryOp::Remainder => a % b,
                    // IEEE 754-2019 maximum and minimum: NaN wins, -0 < +0.
                    BinaryOp::Maximum => {
                        if a.is_nan() || b.is_nan() { a + b }
                        else if a > b || (a == b && b.is_sign_negative()) { a }
                        else { b }
                    }
                    BinaryOp::Minimum => {
                        if a.is_nan() || b.is_nan() { a + b }
                        else if a < b || (a == b && a.is_sign_negative()) { a }
                        else { b }
                    }
                    BinaryOp::NextAfter => {
                        if a.is_nan() || b.is_nan() { <$t>::NAN }
                        else if a == b { b }
                        else if a < b { a.next_up() }
                        else { a.next_down() }
                    }
                    other => unreachable!("{} of floats", other.name()),
                }
            }

            fn fma(a: Self, b: Self, c: Self) -> Self { a.mul_add(b, c) }
            fn order(a: Self, b: Self) -> Option<Ordering> { a.partial_cmp(&b) }
            fn total_order(a: Self, b: Self) -> Ordering { a.total_cmp(&b) }
            fn is_finite(x: Self) -> bool { x.is_finite() }
            fn widen(x: Self) -> Wide { Wide::Float(x as f64) }
            fn narrow(x: Wide) -> Self {
                match x { Wide::Float(x) | Wide::Complex(x, _) => x as $t, Wide::Int(x) => x as $t }
            }
        }
    )+ };
}
floats!(f64, eval_f64; f32, eval_f32);

// 16-bit floats compute in f32 and round after each operation.
macro_rules! halves {
    ($($t:ty, $round:path);+) => { $(
        impl Number for $t {
            fn unary(op: UnaryOp, x: Self) -> Self {
                match op {
                    // Exact on the bits, NaN included.
                    UnaryOp::Abs => <$t>::from_bits(x.to_bits() & 0x7fff),
                    UnaryOp::Negate => <$t>::from_bits(x.to_bits() ^ 0x8000),
                    _ => <$t>::from_f32(f32::unary(op, x.to_f32())),
                }
            }
            fn binary(op: BinaryOp, a: Self, b: Self) -> Self {
                if op != BinaryOp::NextAfter {
                    return <$t>::from_f32(f32::binary(op, a.to_f32(), b.to_f32()));
                }
                if a.is_nan() || b.is_nan() {
                    return <$t>::NAN;
                }
                if a == b {
                    return b;
                }
                if a.to_f32() == 0.0 {
                    return <$t>::from_bits(if b > a { 1 } else { 0x8001 });
                }
                // Bits of one sign are ordered as their magnitudes.
                let away = (b > a) == (a.to_f32() > 0.0);
                <$t>::from_bits(if away { a.to_bits() + 1 } else { a.to_bits() - 1 })
            }
            fn fma(a: Self, b: Self, c: Self) -> Self {
                // Exact product and, but for ties of a sum beyond 53 bits, exact sum.
                $round(a.to_f64().mul_add(b.to_f64(), c.to_f64()))
            }
            fn order(a: Self, b: Self) -> Option<Ordering> { a.partial_cmp(&b) }
            fn total_order(a: Self, b: Self) -> Ordering { a.to_f32().total_cmp(&b.to_f32()) }
            fn is_finite(x: Self) -> bool { x.is_finite() }
            fn widen(x: Self) -> Wide { Wide::Float(x.to_f64()) }
            fn narrow(x: Wide) -> Self {
                match x {
                    Wide::Float(x) | Wide::Complex(x, _) => $round(x),
                    Wide::Int(x) => $round(minifloat::integer_to_odd(x)),
                }
            }
        }
    )+ };
}
halves!(half::f16, minifloat::f16_from_f64; half::bf16, minifloat::bf16_from_f64);

macro_rules! integers {
    ($($t:ident, $signed:ident, $unsigned:ident);+ $(;)?) => { $(
        impl Number for $t {
            fn unary(op: UnaryOp, x: Self) -> Self {
                match op {
                    UnaryOp::Abs => (x as $signed).wrapping_abs() as $t,
                    UnaryOp::Negate => x.wrapping_neg(),
                    UnaryOp::Sign => (x as $signed).signum() as $t,
                    UnaryOp::Not => !x,
                    UnaryOp::Popcnt => x.count_ones() as $t,
                    UnaryOp::CountLeadingZeros => x.leading_zeros() as $t,
                    UnaryOp::Square => x.wrapping_mul(x),
                    other => unreachable!("{} of an integer", other.name()),
                }
            }

            fn binary(op: BinaryOp, a: Self, b: Self) -> Self {
                match op {
                    BinaryOp::Add => a.wrapping_add(b),
                    BinaryOp::Subtract => a.wrapping_sub(b),
                    BinaryOp::Multiply => a.wrapping_mul(b),
                    BinaryOp::Divide => if b == 0 { !0 } else { a.wrapping_div(b) },
                    BinaryOp::Remainder => if b == 0 { a } else { a.wrapping_rem(b) },
                    BinaryOp::Power => integer_power(a as i128, b as i128) as $t,
                    BinaryOp::Maximum => a.max(b),
                    BinaryOp::Minimum => a.min(b),
                    BinaryOp::And => a & b,
                    BinaryOp::Or => a | b,
                    BinaryOp::Xor => a ^ b,
                    BinaryOp::ShiftLeft => a.checked_shl(amount(b as $unsigned as u64)).unwrap_or(0),
                    BinaryOp::ShiftRightArithmetic => {
                        let a = a as $signed;
                        a.checked_shr(amount(b as $unsigned as u64)).unwrap_or(if a < 0 { -1 } else { 0 }) as $t
                    }
                    BinaryOp::Mulhi => ((a as i128).wrapping_mul(b as i128) >> <$t>::BITS) as $t,
                    BinaryOp::ShiftRightLogical => {
                        (a as $unsigned).checked_shr(amount(b as $unsigned as u64)).unwrap_or(0) as $t
                    }
                    other => unreachable!("{} of integers", other.name()),
                }
            }

            fn fma(a: Self, b: Self, c: Self) -> Self { a.wrapping_mul(b).wrapping_add(c) }
            fn order(a: Self, b: Self) -> Option<Ordering> { Some(a.cmp(&b)) }
            fn total_order(a: Self, b: Self) -> Ordering { a.cmp(&b) }
            fn is_finite(_: Self) -> bool { true }
            fn widen(x: Self) -> Wide { Wide::Int(x as i128) }
            fn narrow(x: Wide) -> Self {
                match x { Wide::Float(x) | Wide::Complex(x, _) => x as $t, Wide::Int(x) => x as $t }
            }
        }
    )+ };
}
integers! {
    i8, i8, u8; i16, i16, u16; i32, i32, u32; i64, i64, u64;
    u8, i8, u8; u16, i16, u16; u32, i32, u32; u64, i64, u64;
}

/// A shift amount as Rust wants it; too large ones stay too large.
fn amount(b: u64) -> u32 {
    u32::try_from(b).unwrap_or(u32::MAX)
}

/// a^b modulo 2^128 (hence modulo any narrower width); a negative exponent gives the integer part of the
/// quotient, with division by zero giving -1 as `divide` does.
fn integer_power(a: i128, b: i128) -> i128 {
    if b < 0 {
        return match a {
            1 => 1,
            -1 => {
                if b % 2 == 0 {
                    1
                } else {
                    -1
                }
            }
            0 => -1,
            _ => 0,
        };
    }
    let (mut base, mut exponent, mut out) = (a, b, 1i128);
    while exponent > 0 {
        if exponent & 1 == 1 {
            out = out.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    out
}

impl Number for Bool {
    fn unary(op: UnaryOp, x: Self) -> Self {
        match op {
            UnaryOp::Not => Bool((x.0 == 0) as u8),
            other => unreachable!("{} of a boolean", other.name()),
        }
    }

    fn binary(op: BinaryOp, a: Self, b: Self) -> Self {
        match op {
            BinaryOp::Add | BinaryOp::Maximum | BinaryOp::Or => Bool(a.0 | b.0),
            BinaryOp::Multiply | BinaryOp::Minimum | BinaryOp::And => Bool(a.0 & b.0),
            BinaryOp::Xor => Bool(a.0 ^ b.0),
            other => unreachable!("{} of booleans", other.name()),
        }
    }

    fn fma(a: Self, b: Self, c: Self) -> Self {
        Bool(a.0 & b.0 | c.0)
    }
    fn order(a: Self, b: Self) -> Option<Ordering> {
        Some(a.cmp(&b))
    }
    fn total_order(a: Self, b: Self) -> Ordering {
        a.cmp(&b)
    }
    fn is_finite(_: Self) -> bool {
        true
    }
    fn widen(x: Self) -> Wide {
        Wide::Int(x.0 as i128)
    }
    fn narrow(x: Wide) -> Self {
        // NaN is not zero.
        Bool(match x {
            Wide::Float(x) | Wide::Complex(x, _) => x != 0.0,
            Wide::Int(x) => x != 0,
        } as u8)
    }
}
