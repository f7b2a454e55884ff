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

macro_rules! table {
    ($name:ident $kind:ident: $($f:ident $f64:ident $f32:ident $args:tt $x64:expr, $x32:expr;)*) => {
        $( table!(@fn $f64 f64 $args $x64); table!(@fn $f32 f32 $args $x32); )*
        /// The routine of a function of the math library.
        pub(crate) fn $name(f: $kind, ty: Scalar) -> usize {
            match (f, ty == Scalar::F64) { $(
                ($kind::$f, true) => $f64 as *const () as usize,
                ($kind::$f, false) => $f32 as *const () as usize,
            )* }
        }
    };
    (@fn $name:ident $t:ident ($($x:ident),*) $e:expr) => {
        #[allow(clippy::redundant_closure_call, reason = "the table's entries are closures")]
        extern "C" fn $name($($x: $t),*) -> $t { let f: fn($(table!(@ty $x $t)),*) -> $t = $e; f($($x),*) }
    };
    (@ty $x:ident $t:ident) => { $t };
}

fn missing64(_: f64) -> f64 {
    f64::NAN
}
fn missing32(_: f32) -> f32 {
    f32::NAN
}

table! { math MathFn:
    Exp exp64 exp32 (x) f64::exp, f32::exp;
    Expm1 expm164 expm132 (x) f64::exp_m1, f32::exp_m1;
    Log log64 log32 (x) f64::ln, f32::ln;
    Log1p log1p64 log1p32 (x) f64::ln_1p, f32::ln_1p;
    Sin sin64 sin32 (x) f64::sin, f32::sin;
    Cos cos64 cos32 (x) f64::cos, f32::cos;
    Tan tan64 tan32 (x) f64::tan, f32::tan;
    Tanh tanh64 tanh32 (x) f64::tanh, f32::tanh;
    Sinh sinh64 sinh32 (x) f64::sinh, f32::sinh;
    Cosh cosh64 cosh32 (x) f64::cosh, f32::cosh;
    Logistic logistic64 logistic32 (x) |x| 1.0 / (1.0 + (-x).exp()), |x| 1.0 / (1.0 + (-x).exp());
    Cbrt cbrt64 cbrt32 (x) f64::cbrt, f32::cbrt;
    Rsqrt rsqrt64 rsqrt32 (x) |x| 1.0 / x.sqrt(), |x| 1.0 / x.sqrt();
    Atan atan64 atan32 (x) f64::atan, f32::atan;
    Asin asin64 asin32 (x) f64::asin, f32::asin;
    Acos acos64 acos32 (x) f64::acos, f32::acos;
    Asinh asinh64 asinh32 (x) f64::asinh, f32::asinh;
    Acosh acosh64 acosh32 (x) f64::acosh, f32::acosh;
    Atanh atanh64 atanh32 (x) f64::atanh, f32::atanh;
    Erf erf64 erf32 (x) missing64, missing32;
    Erfc erfc64 erfc32 (x) missing64, missing32;
    ErfInv erfinv64 erfinv32 (x) missing64, missing32;
    Lgamma lgamma64 lgamma32 (x) missing64, missing32;
    Digamma digamma64 digamma32 (x) missing64, missing32;
}
table! { math2 MathFn2:
    Pow pow64 pow32 (x, y) f64::powf, f32::powf;
    Atan2 atan264 atan232 (x, y) f64::atan2, f32::atan2;
}

macro_rules! tiles {
    ($($f:ident)*; $($g:ident)*) => {
        /// The routine that applies a function to contiguous elements: `(source, target, length)`.
        pub(crate) fn tile(f: MathFn, ty: Scalar) -> usize {
            match (f, ty == Scalar::F64) { $(
                (MathFn::$f, true) => {
                    unsafe extern "C" fn run(x: *const f64, y: *mut f64, n: usize) {
                        // SAFETY: generated code passes transmutable function addresses and memory of `n` elements.
                        let f: extern "C" fn(f64) -> f64 = unsafe { std::mem::transmute(math(MathFn::$f, Scalar::F64)) };
                        for i in 0..n {
                            // SAFETY: as above.
                            unsafe { *y.add(i) = f(*x.add(i)) }
                        }
                    }
                    run as *const () as usize
                }
                (MathFn::$f, false) => {
                    unsafe extern "C" fn run(x: *const f32, y: *mut f32, n: usize) {
                        // SAFETY: generated code passes transmutable function addresses and memory of `n` elements.
                        let f: extern "C" fn(f32) -> f32 = unsafe { std::mem::transmute(math(MathFn::$f, Scalar::F32)) };
                        for i in 0..n {
                            // SAFETY: as above.
                            unsafe { *y.add(i) = f(*x.add(i)) }
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
                        // SAFETY: generated code passes transmutable function addresses and memory of `n` elements.
                        let f: extern "C" fn(f64, f64) -> f64 = unsafe { std::mem::transmute(math2(MathFn2::$g, Scalar::F64)) };
                        for i in 0..n {
                            // SAFETY: as above.
                            unsafe { *y.add(i) = f(*a.add(i), *b.add(i)) }
                        }
                    }
                    run as *const () as usize
                }
                (MathFn2::$g, false) => {
                    unsafe extern "C" fn run(a: *const f32, b: *const f32, y: *mut f32, n: usize) {
                        // SAFETY: generated code passes transmutable function addresses and memory of `n` elements.
                        let f: extern "C" fn(f32, f32) -> f32 = unsafe { std::mem::transmute(math2(MathFn2::$g, Scalar::F32)) };
                        for i in 0..n {
                            // SAFETY: as above.
                            unsafe { *y.add(i) = f(*a.add(i), *b.add(i)) }
                        }
                    }
                    run as *const () as usize
                }
            )* }
        }
    };
}
tiles!(Exp Expm1 Log Log1p Sin Cos Tan Tanh Sinh Cosh Logistic Cbrt Rsqrt Atan Asin Acos Asinh Acosh Atanh Erf Erfc
    ErfInv Lgamma Digamma; Pow Atan2);
