//! Routines that generated code calls: the math library on single scalars and over tiles, the few operations that
//! have no instruction, and the runtime.

use super::{clock, context, gemm, pool, reference};
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

/// What generated code calls.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Routine {
    /// A function of the math library of one number.
    Math(MathFn, Scalar),
    /// A function of the math library of two numbers.
    Math2(MathFn2, Scalar),
    /// C's `fmod`.
    Remainder(Scalar),
    /// The float after the first towards the second.
    NextAfter(Scalar),
    /// A function of the math library of [`tile::EIGHT`] numbers, in place: `(numbers)`.
    Eight(MathFn, Scalar),
    /// A function over contiguous elements: `(source, target, length)`.
    Tile(MathFn, Scalar),
    /// A function of two arguments over contiguous elements: `(source, source, target, length)`.
    Tile2(MathFn2, Scalar),
    /// A matrix product.
    Product,
    /// A loop shared out over threads.
    Parallel,
    /// A program for the reference interpreter.
    Reference,
    /// Room in a stack.
    Grow,
    /// The time belongs to a section: `(number)`.
    Section,
}

impl Routine {
    /// What it takes and gives.
    pub(crate) fn shape(self) -> Shape {
        match self {
            Routine::Math(_, Scalar::F64) => Shape::F64x1,
            Routine::Math(..) => Shape::F32x1,
            Routine::Math2(_, Scalar::F64)
            | Routine::Remainder(Scalar::F64)
            | Routine::NextAfter(Scalar::F64) => Shape::F64x2,
            Routine::Math2(..) | Routine::Remainder(_) | Routine::NextAfter(_) => Shape::F32x2,
            Routine::Eight(..) => Shape::Void(1),
            Routine::Tile(..) => Shape::Void(3),
            Routine::Tile2(..) => Shape::Void(4),
            Routine::Product | Routine::Parallel => Shape::Words(5),
            Routine::Reference | Routine::Grow => Shape::Words(3),
            Routine::Section => Shape::Void(1),
        }
    }

    /// Where it is in this process.
    pub(crate) fn address(self) -> usize {
        match self {
            Routine::Math(f, ty) => tile::scalar(f, float(ty)) as usize,
            Routine::Math2(f, ty) => tile::scalar2(f, float(ty)) as usize,
            Routine::Remainder(Scalar::F64) => rem_f64 as *const () as usize,
            Routine::Remainder(_) => rem_f32 as *const () as usize,
            Routine::NextAfter(Scalar::F64) => next_after_f64 as *const () as usize,
            Routine::NextAfter(_) => next_after_f32 as *const () as usize,
            Routine::Eight(f, ty) => tile::eight(f, float(ty)) as usize,
            Routine::Tile(f, ty) => tile::tile(f, float(ty)) as usize,
            Routine::Tile2(f, ty) => tile::tile2(f, float(ty)) as usize,
            Routine::Product => gemm::product as *const () as usize,
            Routine::Parallel => pool::parallel as *const () as usize,
            Routine::Reference => reference::run as *const () as usize,
            Routine::Grow => context::grow as *const () as usize,
            Routine::Section => clock::section as *const () as usize,
        }
    }
}

extern "C" fn rem_f64(x: f64, y: f64) -> f64 {
    x % y
}
extern "C" fn rem_f32(x: f32, y: f32) -> f32 {
    x % y
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

/// The element type of a routine of the math library, which exist for floats.
fn float(ty: Scalar) -> Float {
    if ty == Scalar::F64 { Float::F64 } else { Float::F32 }
}
