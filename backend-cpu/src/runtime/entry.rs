//! Routines that generated code calls by address: the math library on single scalars, and the few operations that
//! have no instruction.

use crate::tile::{self, Float};
use wengert_ir::kernel::Scalar;
use wengert_ir::math::{MathFn, MathFn2};

/// Arguments and result of a routine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    /// `f64 -> f64`.
    F64x1,
    /// `f32 -> f32`.
    F32x1,
    /// `f64, f64 -> f64`.
    F64x2,
    /// `f32, f32 -> f32`.
    F32x2,
    /// `.0` words; gives a status.
    Words(u8),
    /// `.0` words; gives nothing.
    Void(u8),
}

extern "C" fn rem_f64(x: f64, y: f64) -> f64 {
    x % y
}
extern "C" fn rem_f32(x: f32, y: f32) -> f32 {
    x % y
}

/// C's `fmod`.
pub(crate) fn remainder(ty: Scalar) -> usize {
    if ty == Scalar::F64 { rem_f64 as *const () as usize } else { rem_f32 as *const () as usize }
}

macro_rules! next_after {
    ($name:ident $float:ty) => {
        extern "C" fn $name(x: $float, towards: $float) -> $float {
            if x.is_nan() || towards.is_nan() {
                <$float>::NAN
            } else if x == towards {
                towards
            } else if x < towards {
                x.next_up()
            } else {
                x.next_down()
            }
        }
    };
}
next_after!(next_after_f64 f64);
next_after!(next_after_f32 f32);

/// The float after the first towards the second.
pub(crate) fn next_after(ty: Scalar) -> usize {
    if ty == Scalar::F64 {
        next_after_f64 as *const () as usize
    } else {
        next_after_f32 as *const () as usize
    }
}

/// The element type of a routine of the math library, which exist for floats.
fn float(ty: Scalar) -> Float {
    if ty == Scalar::F64 { Float::F64 } else { Float::F32 }
}

/// A function of the math library of one number.
pub(crate) fn math(f: MathFn, ty: Scalar) -> usize {
    tile::scalar(f, float(ty)) as usize
}

/// A function of the math library of two numbers.
pub(crate) fn math2(f: MathFn2, ty: Scalar) -> usize {
    tile::scalar2(f, float(ty)) as usize
}

/// A function of the math library over contiguous elements: `(source, target, length)`.
pub(crate) fn tile(f: MathFn, ty: Scalar) -> usize {
    tile::tile(f, float(ty)) as usize
}

/// A function of two arguments over contiguous elements: `(source, source, target, length)`.
pub(crate) fn tile2(f: MathFn2, ty: Scalar) -> usize {
    tile::tile2(f, float(ty)) as usize
}
