//! Scalars of the kernel IR as words: the meaning of every scalar operation.
//!
//! A scalar lies in the low bits of a `u64`; the bits above its width are zero. No operation traps.

use super::{Combine, KBinary, KCast, KUnary, Scalar};
use crate::math::{MathFn, MathFn2};
use crate::op::{CompareType, Direction};

/// Bits of a scalar type; 1 for `I1`.
pub const fn width(ty: Scalar) -> u32 {
    match ty {
        Scalar::I1 => 1,
        _ => ty.size() as u32 * 8,
    }
}

/// The low bits of a word that belong to a scalar.
pub const fn truncate(ty: Scalar, word: u64) -> u64 {
    word & (u64::MAX >> (64 - width(ty)))
}

/// An integer read as two's complement.
pub const fn signed(ty: Scalar, word: u64) -> i64 {
    let spare = 64 - width(ty);
    ((word << spare) as i64) >> spare
}

/// A float's value, exact for both widths.
fn float(ty: Scalar, word: u64) -> f64 {
    match ty {
        Scalar::F32 => f32::from_bits(word as u32) as f64,
        _ => f64::from_bits(word),
    }
}

/// One rounding from binary64 to the type.
fn rounded(ty: Scalar, value: f64) -> u64 {
    match ty {
        Scalar::F32 => (value as f32).to_bits() as u64,
        _ => value.to_bits(),
    }
}

/// `op` of a scalar of type `ty`.
pub fn unary(op: KUnary, ty: Scalar, x: u64) -> u64 {
    let bits = width(ty);
    let top = 1u64 << (bits - 1);
    match (op, ty.is_float()) {
        (KUnary::Neg, true) => x ^ top,
        (KUnary::Abs, true) => x & !top,
        (KUnary::Neg, false) => truncate(ty, x.wrapping_neg()),
        (KUnary::Abs, false) => truncate(ty, signed(ty, x).wrapping_abs() as u64),
        // A binary32 root computed in binary64 and rounded is correctly rounded.
        (KUnary::Sqrt, _) => rounded(ty, float(ty, x).sqrt()),
        (KUnary::Floor, _) => rounded(ty, float(ty, x).floor()),
        (KUnary::Ceil, _) => rounded(ty, float(ty, x).ceil()),
        (KUnary::Nearest, _) => rounded(ty, float(ty, x).round_ties_even()),
        (KUnary::Not, _) => truncate(ty, !x),
        (KUnary::Popcnt, _) => x.count_ones() as u64,
        (KUnary::Clz, _) => (x.leading_zeros() - (64 - bits)) as u64,
    }
}

/// The larger or smaller of two floats; NaN if either is, and -0 is less than +0.
fn extremum(a: f64, b: f64, larger: bool) -> f64 {
    if a.is_nan() || b.is_nan() {
        return a + b;
    }
    let a_first = if a == b { a.is_sign_negative() } else { a < b };
    if a_first == larger { b } else { a }
}

/// The float after `a` towards `b`.
fn next_after(ty: Scalar, a: u64, b: u64) -> u64 {
    let (x, y) = (float(ty, a), float(ty, b));
    if x.is_nan() || y.is_nan() {
        return rounded(ty, f64::NAN);
    }
    if x == y {
        return b;
    }
    let top = 1u64 << (width(ty) - 1);
    if x == 0.0 {
        return 1 | (b & top);
    }
    // Magnitudes order as their bits do.
    if (x < y) == (x > 0.0) { a + 1 } else { a - 1 }
}

fn float_binary(op: KBinary, ty: Scalar, a: u64, b: u64) -> u64 {
    let (x, y) = (float(ty, a), float(ty, b));
    // In binary32, +, -, *, / computed in binary64 and rounded again are correctly rounded.
    match op {
        KBinary::Add => rounded(ty, x + y),
        KBinary::Sub => rounded(ty, x - y),
        KBinary::Mul => rounded(ty, x * y),
        KBinary::Div => rounded(ty, x / y),
        KBinary::Rem => rounded(ty, x % y),
        KBinary::Min => rounded(ty, extremum(x, y, false)),
        KBinary::Max => rounded(ty, extremum(x, y, true)),
        KBinary::NextAfter => next_after(ty, a, b),
        KBinary::And => a & b,
        KBinary::Or => a | b,
        KBinary::Xor => a ^ b,
        KBinary::DivU
        | KBinary::RemU
        | KBinary::MinU
        | KBinary::MaxU
        | KBinary::Shl
        | KBinary::Shr
        | KBinary::ShrU => unreachable!("the verifier refuses {op:?} of floats"),
    }
}

/// A function of the math library of a float.
pub fn math(f: MathFn, ty: Scalar, x: u64) -> u64 {
    match ty {
        Scalar::F32 => f.eval_f32(f32::from_bits(x as u32)).to_bits() as u64,
        _ => f.eval_f64(f64::from_bits(x)).to_bits(),
    }
}

/// A function of the math library of two floats.
pub fn math2(f: MathFn2, ty: Scalar, a: u64, b: u64) -> u64 {
    match ty {
        Scalar::F32 => f.eval_f32(f32::from_bits(a as u32), f32::from_bits(b as u32)).to_bits() as u64,
        _ => f.eval_f64(f64::from_bits(a), f64::from_bits(b)).to_bits(),
    }
}

/// `op` of two scalars of type `ty`.
pub fn binary(op: KBinary, ty: Scalar, a: u64, b: u64) -> u64 {
    if ty.is_float() {
        return float_binary(op, ty, a, b);
    }
    let (x, y) = (signed(ty, a), signed(ty, b));
    let bits = width(ty) as u64;
    let word = match op {
        KBinary::Add => a.wrapping_add(b),
        KBinary::Sub => a.wrapping_sub(b),
        KBinary::Mul => a.wrapping_mul(b),
        KBinary::Div => (if y == 0 { -1 } else { x.wrapping_div(y) }) as u64,
        KBinary::DivU => a.checked_div(b).unwrap_or(u64::MAX),
        KBinary::Rem => (if y == 0 { x } else { x.wrapping_rem(y) }) as u64,
        KBinary::RemU => a.checked_rem(b).unwrap_or(a),
        KBinary::Min => x.min(y) as u64,
        KBinary::Max => x.max(y) as u64,
        KBinary::MinU => a.min(b),
        KBinary::MaxU => a.max(b),
        KBinary::And => a & b,
        KBinary::Or => a | b,
        KBinary::Xor => a ^ b,
        KBinary::Shl => {
            if b < bits {
                a << b
            } else {
                0
            }
        }
        KBinary::Shr => (x >> b.min(bits - 1)) as u64,
        KBinary::ShrU => {
            if b < bits {
                a >> b
            } else {
                0
            }
        }
        KBinary::NextAfter => unreachable!("the verifier refuses next_after of integers"),
    };
    truncate(ty, word)
}

/// Whether `a direction b` in the order `kind`.
pub fn compare(direction: Direction, kind: CompareType, ty: Scalar, a: u64, b: u64) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let order = match kind {
        CompareType::Float => float(ty, a).partial_cmp(&float(ty, b)),
        CompareType::TotalOrder if ty.is_float() => Some({
            // Flipping the magnitude of negative numbers makes the order that of integers.
            let key = |w: u64| {
                let s = signed(ty, w);
                if s < 0 { s ^ (i64::MAX >> (64 - width(ty))) } else { s }
            };
            key(a).cmp(&key(b))
        }),
        CompareType::TotalOrder | CompareType::Signed => Some(signed(ty, a).cmp(&signed(ty, b))),
        CompareType::Unsigned => Some(a.cmp(&b)),
    };
    match direction {
        Direction::Eq => order == Some(Equal),
        Direction::Ne => order != Some(Equal),
        Direction::Ge => matches!(order, Some(Greater | Equal)),
        Direction::Gt => order == Some(Greater),
        Direction::Le => matches!(order, Some(Less | Equal)),
        Direction::Lt => order == Some(Less),
    }
}

/// `a * b + c`, rounded once.
pub fn fma(ty: Scalar, a: u64, b: u64, c: u64) -> u64 {
    match ty {
        Scalar::F32 => {
            let f = |w: u64| f32::from_bits(w as u32);
            f(a).mul_add(f(b), f(c)).to_bits() as u64
        }
        _ => f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)).to_bits(),
    }
}

/// A scalar of type `from` as one of type `to`.
pub fn cast(kind: KCast, from: Scalar, to: Scalar, x: u64) -> u64 {
    match kind {
        KCast::Bits => x,
        _ if to == Scalar::I1 => match from.is_float() {
            true => (float(from, x) != 0.0) as u64,
            false => (x != 0) as u64,
        },
        _ if from.is_float() && to.is_float() => rounded(to, float(from, x)),
        KCast::Signed if from.is_float() => {
            let (most, v) = (i64::MAX >> (64 - width(to)), float(from, x) as i64);
            truncate(to, v.clamp(-most - 1, most) as u64)
        }
        KCast::Unsigned if from.is_float() => (float(from, x) as u64).min(u64::MAX >> (64 - width(to))),
        // Integers convert to a float with one rounding, so not by way of binary64.
        KCast::Signed => match to {
            Scalar::F32 => (signed(from, x) as f32).to_bits() as u64,
            Scalar::F64 => (signed(from, x) as f64).to_bits(),
            _ => truncate(to, signed(from, x) as u64),
        },
        KCast::Unsigned => match to {
            Scalar::F32 => (x as f32).to_bits() as u64,
            Scalar::F64 => (x as f64).to_bits(),
            _ => truncate(to, x),
        },
    }
}

impl Combine {
    /// What changes nothing.
    pub fn identity(self, ty: Scalar) -> u64 {
        let bits = width(ty);
        let all = truncate(ty, u64::MAX);
        match (self, ty.is_float()) {
            (Combine::Add, true) => rounded(ty, -0.0),
            (Combine::Mul, true) => rounded(ty, 1.0),
            (Combine::Min, true) => rounded(ty, f64::INFINITY),
            (Combine::Max, true) => rounded(ty, f64::NEG_INFINITY),
            (Combine::Add | Combine::Or | Combine::Xor | Combine::MaxU, _) => 0,
            (Combine::Mul, false) => 1,
            (Combine::Min, false) => all >> 1,
            (Combine::Max, false) => 1 << (bits - 1),
            (Combine::MinU | Combine::And, _) => all,
        }
    }

    /// The monoid of an operation, if it is one.
    pub const fn of(op: KBinary) -> Option<Self> {
        Some(match op {
            KBinary::Add => Combine::Add,
            KBinary::Mul => Combine::Mul,
            KBinary::Min => Combine::Min,
            KBinary::MinU => Combine::MinU,
            KBinary::Max => Combine::Max,
            KBinary::MaxU => Combine::MaxU,
            KBinary::And => Combine::And,
            KBinary::Or => Combine::Or,
            KBinary::Xor => Combine::Xor,
            KBinary::Sub
            | KBinary::Div
            | KBinary::DivU
            | KBinary::Rem
            | KBinary::RemU
            | KBinary::Shl
            | KBinary::Shr
            | KBinary::ShrU
            | KBinary::NextAfter => return None,
        })
    }

    /// The operation that combines.
    pub const fn op(self) -> KBinary {
        match self {
            Combine::Add => KBinary::Add,
            Combine::Mul => KBinary::Mul,
            Combine::Min => KBinary::Min,
            Combine::Max => KBinary::Max,
            Combine::MinU => KBinary::MinU,
            Combine::MaxU => KBinary::MaxU,
            Combine::And => KBinary::And,
            Combine::Or => KBinary::Or,
            Combine::Xor => KBinary::Xor,
        }
    }
}
