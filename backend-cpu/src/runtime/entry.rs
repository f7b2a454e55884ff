//! Routines that generated code calls by address: the math library on single scalars, and the few operations that
//! have no instruction.

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
    if ty == Scalar::F64 { next_after_f64 as *const () as usize } else { next_after_f32 as *const () as usize }
}

macro_rules! routines {
    ($($f:ident)*; $($g:ident)*) => {
        /// The routine of a function of the math library.
        pub(crate) fn math(f: MathFn, ty: Scalar) -> usize {
            match (f, ty == Scalar::F64) { $(
                (MathFn::$f, true) => {
                    extern "C" fn run(x: f64) -> f64 {
                        MathFn::$f.eval_f64(x)
                    }
                    run as *const () as usize
                }
                (MathFn::$f, false) => {
                    extern "C" fn run(x: f32) -> f32 {
                        MathFn::$f.eval_f32(x)
                    }
                    run as *const () as usize
                }
            )* }
        }

        /// The routine of a function of two arguments of the math library.
        pub(crate) fn math2(f: MathFn2, ty: Scalar) -> usize {
            match (f, ty == Scalar::F64) { $(
                (MathFn2::$g, true) => {
                    extern "C" fn run(x: f64, y: f64) -> f64 {
                        MathFn2::$g.eval_f64(x, y)
                    }
                    run as *const () as usize
                }
                (MathFn2::$g, false) => {
                    extern "C" fn run(x: f32, y: f32) -> f32 {
                        MathFn2::$g.eval_f32(x, y)
                    }
                    run as *const () as usize
                }
            )* }
        }

        /// The routine that applies a function to contiguous elements: `(source, target, length)`.
        pub(crate) fn tile(f: MathFn, ty: Scalar) -> usize {
            match (f, ty == Scalar::F64) { $(
                (MathFn::$f, true) => {
                    unsafe extern "C" fn run(x: *const f64, y: *mut f64, n: usize) {
                        for i in 0..n {
                            // SAFETY: generated code passes memory of `n` elements.
                            unsafe { *y.add(i) = MathFn::$f.eval_f64(*x.add(i)) }
                        }
                    }
                    run as *const () as usize
                }
                (MathFn::$f, false) => {
                    unsafe extern "C" fn run(x: *const f32, y: *mut f32, n: usize) {
                        for i in 0..n {
                            // SAFETY: generated code passes memory of `n` elements.
                            unsafe { *y.add(i) = MathFn::$f.eval_f32(*x.add(i)) }
                        }
                    }
                    run as *const () as usize
                }
            )* }
        }

        /// The routine of a function of two arguments: `(source, source, target, length)`.
        pub(crate) fn tile2(f: MathFn2, ty: Scalar) -> usize {
            match (f, ty == Scalar::F64) { $(
                (MathFn2::$g, true) => {
                    unsafe extern "C" fn run(a: *const f64, b: *const f64, y: *mut f64, n: usize) {
                        for i in 0..n {
                            // SAFETY: generated code passes memory of `n` elements.
                            unsafe { *y.add(i) = MathFn2::$g.eval_f64(*a.add(i), *b.add(i)) }
                        }
                    }
                    run as *const () as usize
                }
                (MathFn2::$g, false) => {
                    unsafe extern "C" fn run(a: *const f32, b: *const f32, y: *mut f32, n: usize) {
                        for i in 0..n {
                            // SAFETY: generated code passes memory of `n` elements.
                            unsafe { *y.add(i) = MathFn2::$g.eval_f32(*a.add(i), *b.add(i)) }
                        }
                    }
                    run as *const () as usize
                }
            )* }
        }
    };
}
routines!(Exp Expm1 Log Log1p Sin Cos Tan Tanh Sinh Cosh Logistic Cbrt Rsqrt Atan Asin Acos Asinh Acosh Atanh Erf Erfc
    ErfInv Lgamma Digamma; Pow Atan2);
