//! Elements of less than 16 bits that have no Rust type: 4-, 6- and 8-bit floats, 2- and 4-bit integers.
//! Each takes a byte in memory.

use super::number::{Number, Wide, real_part};
use crate::minifloat;
use crate::op::{BinaryOp, UnaryOp};
use crate::types::DType;
use std::cmp::Ordering;

/// A float by its code; `D` is the element type's place in [`DType::ALL`]. It computes in binary32 and rounds
/// after each operation.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(crate) struct Mini<const D: usize>(pub(crate) u8);

impl<const D: usize> Mini<D> {
    const DTYPE: DType = DType::ALL[D];

    fn value(self) -> f32 {
        // Every code of these types is a binary32.
        minifloat::decode(Self::DTYPE, self.0) as f32
    }

    fn nearest(value: f64) -> Self {
        Self(minifloat::encode(Self::DTYPE, value))
    }
}

impl<const D: usize> Number for Mini<D> {
    fn unary(op: UnaryOp, x: Self) -> Self {
        Self::nearest(f32::unary(op, x.value()) as f64)
    }

    fn binary(op: BinaryOp, a: Self, b: Self) -> Self {
        let (x, y) = (a.value(), b.value());
        if op != BinaryOp::NextAfter {
            return Self::nearest(f32::binary(op, x, y) as f64);
        }
        if x.is_nan() || y.is_nan() {
            return Self::nearest(f64::NAN);
        }
        if x == y {
            return b;
        }
        // The neighbour among all codes, of which there are few.
        let between = (0..=u8::MAX >> (8 - Self::DTYPE.bits())).map(Self).filter(|c| {
            let v = c.value();
            if x < y { v > x && v <= y } else { v < x && v >= y }
        });
        let nearest = between.reduce(|p, q| if (p.value() < q.value()) == (x < y) { p } else { q });
        nearest.unwrap_or(b)
    }

    fn fma(a: Self, b: Self, c: Self) -> Self {
        Self::nearest((a.value() as f64).mul_add(b.value() as f64, c.value() as f64))
    }
    fn order(a: Self, b: Self) -> Option<Ordering> {
        a.value().partial_cmp(&b.value())
    }
    fn total_order(a: Self, b: Self) -> Ordering {
        a.value().total_cmp(&b.value())
    }
    fn is_finite(x: Self) -> bool {
        x.value().is_finite()
    }
    fn widen(x: Self) -> Wide {
        Wide::Float(x.value() as f64)
    }
    fn narrow(x: Wide) -> Self {
        match real_part(x) {
            Wide::Int(x) => Self::nearest(x as f64),
            Wide::Float(x) | Wide::Complex(x, _) => Self::nearest(x),
        }
    }
}

/// A signed integer of `BITS` bits, sign-extended in memory.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(crate) struct Signed<const BITS: u32>(pub(crate) i8);

/// An unsigned integer of `BITS` bits.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(crate) struct Unsigned<const BITS: u32>(pub(crate) u8);

/// A byte with only the low `bits` bits of `x`.
fn low(x: u8, bits: u32) -> u8 {
    x & (u8::MAX >> (8 - bits))
}

macro_rules! narrow_integers {
    ($($name:ident, $t:ident, $wrap:expr);+ $(;)?) => { $(
        impl<const BITS: u32> $name<BITS> {
            fn wrap(x: u8) -> Self {
                let wrap: fn(u8, u32) -> $t = $wrap;
                Self(wrap(x, BITS))
            }
        }
        impl<const BITS: u32> Number for $name<BITS> {
            fn unary(op: UnaryOp, x: Self) -> Self {
                let code = low(x.0 as u8, BITS);
                match op {
                    UnaryOp::Popcnt => Self::wrap(code.count_ones() as u8),
                    UnaryOp::CountLeadingZeros => Self::wrap((code.leading_zeros() - (8 - BITS)) as u8),
                    _ => Self::wrap($t::unary(op, x.0) as u8),
                }
            }
            fn binary(op: BinaryOp, a: Self, b: Self) -> Self {
                let (x, amount) = (low(a.0 as u8, BITS), low(b.0 as u8, BITS) as u32);
                match op {
                    BinaryOp::ShiftLeft | BinaryOp::ShiftRightLogical if amount >= BITS => Self::wrap(0),
                    BinaryOp::ShiftLeft => Self::wrap(x << amount),
                    BinaryOp::ShiftRightLogical => Self::wrap(x >> amount),
                    BinaryOp::ShiftRightArithmetic => {
                        // With the sign bit at the top of the byte.
                        let signed = (x << (8 - BITS)) as i8 >> (8 - BITS);
                        Self::wrap((signed >> amount.min(7)) as u8)
                    }
                    BinaryOp::Mulhi => Self::wrap((a.0 as i32 * b.0 as i32 >> BITS) as u8),
                    _ => Self::wrap($t::binary(op, a.0, b.0) as u8),
                }
            }
            fn fma(a: Self, b: Self, c: Self) -> Self { Self::wrap($t::fma(a.0, b.0, c.0) as u8) }
            fn order(a: Self, b: Self) -> Option<Ordering> { Some(a.0.cmp(&b.0)) }
            fn total_order(a: Self, b: Self) -> Ordering { a.0.cmp(&b.0) }
            fn is_finite(_: Self) -> bool { true }
            fn widen(x: Self) -> Wide { Wide::Int(x.0 as i128) }
            fn narrow(x: Wide) -> Self {
                match real_part(x) {
                    Wide::Int(x) => Self::wrap(x as u8),
                    Wide::Float(x) | Wide::Complex(x, _) => {
                        let (least, most) = ($t::MIN >> (8 - BITS), $t::MAX >> (8 - BITS));
                        Self((x as $t).clamp(least, most))
                    }
                }
            }
        }
    )+ };
}
narrow_integers! {
    Signed, i8, |x, bits| (x << (8 - bits)) as i8 >> (8 - bits);
    Unsigned, u8, low;
}
