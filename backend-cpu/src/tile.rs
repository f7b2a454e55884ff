//! Tile routines: the math library over runs of memory, and over single numbers, as functions that
//! generated code calls. Each exists for several instruction sets, chosen at run time; all give the bits
//! of the reference interpreter, because all are the same formula with explicit fused multiply-adds.
//!
//! Signatures, with `T` = `f32` or `f64`:
//! - [`tile`]: `unsafe extern "C" fn(src: *const T, dst: *mut T, n: usize)`,
//! - [`tile2`]: `unsafe extern "C" fn(a: *const T, b: *const T, dst: *mut T, n: usize)`,
//! - [`scalar`]: `extern "C" fn(T) -> T`, [`scalar2`]: `extern "C" fn(T, T) -> T`.
//!
//! A tile routine reads `n` elements from each source and writes `n` to `dst`, which may be one of the
//! sources but must not overlap them otherwise.

use std::marker::PhantomData;
use wengert_ir::math::lane::{Deferred, Lane};
use wengert_ir::math::{Binary, MathFn, MathFn2, Unary, VisitBinary, VisitUnary};

/// The element types of the routines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Float {
    /// binary32.
    F32,
    /// binary64.
    F64,
}

/// The instruction sets that routines exist for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// What every machine of the architecture has.
    Baseline,
    /// AVX2 and FMA.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX-512 F, VL, DQ, BW.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The levels that this machine can run, best last.
    pub fn available() -> Vec<Level> {
        let mut levels = vec![Level::Baseline];
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx2") && has!("fma") {
                levels.push(Level::Avx2);
                if has!("avx512f") && has!("avx512vl") && has!("avx512dq") && has!("avx512bw") {
                    levels.push(Level::Avx512);
                }
            }
        }
        levels
    }

    fn best() -> Level {
        let levels = Level::available();
        levels[levels.len() - 1]
    }
}

/// The routine for a run of memory on this machine.
pub fn tile(f: MathFn, float: Float) -> *const u8 {
    tile_at(f, float, Level::best())
}

/// The routine for two runs of memory on this machine.
pub fn tile2(f: MathFn2, float: Float) -> *const u8 {
    tile2_at(f, float, Level::best())
}

/// The routine for one number on this machine.
pub fn scalar(f: MathFn, float: Float) -> *const u8 {
    scalar_at(f, float, Level::best())
}

/// The routine for two numbers on this machine.
pub fn scalar2(f: MathFn2, float: Float) -> *const u8 {
    scalar2_at(f, float, Level::best())
}

/// [`tile`] at a level that must be [available](Level::available) when the routine runs.
pub fn tile_at(f: MathFn, float: Float, level: Level) -> *const u8 {
    f.visit(Tile { float, level })
}

/// [`tile2`] at a given level.
pub fn tile2_at(f: MathFn2, float: Float, level: Level) -> *const u8 {
    f.visit(Tile { float, level })
}

/// [`scalar`] at a given level.
pub fn scalar_at(f: MathFn, float: Float, level: Level) -> *const u8 {
    f.visit(Scalar { float, level })
}

/// [`scalar2`] at a given level.
pub fn scalar2_at(f: MathFn2, float: Float, level: Level) -> *const u8 {
    f.visit(Scalar { float, level })
}

type TileFn<T> = unsafe extern "C" fn(*const T, *mut T, usize);
type TileFn2<T> = unsafe extern "C" fn(*const T, *const T, *mut T, usize);
type ScalarFn<T> = unsafe extern "C" fn(T) -> T;
type ScalarFn2<T> = unsafe extern "C" fn(T, T) -> T;

struct Tile {
    float: Float,
    level: Level,
}

struct Scalar {
    float: Float,
    level: Level,
}

macro_rules! choose {
    ($self:ident $type:ident $f:ident $baseline:ident $avx2:ident $avx512:ident) => {
        match ($self.float, $self.level) {
            (Float::F32, Level::Baseline) => $baseline::<$f, f32> as $type<f32> as *const u8,
            (Float::F64, Level::Baseline) => $baseline::<$f, f64> as $type<f64> as *const u8,
            #[cfg(target_arch = "x86_64")]
            (Float::F32, Level::Avx2) => x86::$avx2::<$f, f32> as $type<f32> as *const u8,
            #[cfg(target_arch = "x86_64")]
            (Float::F64, Level::Avx2) => x86::$avx2::<$f, f64> as $type<f64> as *const u8,
            #[cfg(target_arch = "x86_64")]
            (Float::F32, Level::Avx512) => x86::$avx512::<$f, f32> as $type<f32> as *const u8,
            #[cfg(target_arch = "x86_64")]
            (Float::F64, Level::Avx512) => x86::$avx512::<$f, f64> as $type<f64> as *const u8,
        }
    };
}

impl VisitUnary for Tile {
    type Output = *const u8;
    fn visit<F: Unary>(self, _: F) -> *const u8 {
        choose!(self TileFn F tile_baseline tile_avx2 tile_avx512)
    }
}

impl VisitBinary for Tile {
    type Output = *const u8;
    fn visit<F: Binary>(self, _: F) -> *const u8 {
        choose!(self TileFn2 F tile2_baseline tile2_avx2 tile2_avx512)
    }
}

impl VisitUnary for Scalar {
    type Output = *const u8;
    fn visit<F: Unary>(self, _: F) -> *const u8 {
        // One number gains nothing from wider registers.
        choose!(self ScalarFn F scalar_baseline scalar_fma scalar_fma)
    }
}

impl VisitBinary for Scalar {
    type Output = *const u8;
    fn visit<F: Binary>(self, _: F) -> *const u8 {
        choose!(self ScalarFn2 F scalar2_baseline scalar2_fma scalar2_fma)
    }
}

/// Elements per step of a loop: a constant, so that the inner loop has no remainder.
const CHUNK: usize = 32;

trait Number: Lane<Mask = bool> + Default {}
impl Number for f32 {}
impl Number for f64 {}

/// Runs a step over chunks of the sources, the last one padded.
///
/// # Safety
/// Each source can be read and `dst` written for `n` elements; `dst` is a source or apart from them.
#[inline(always)]
#[allow(unsafe_code, reason = "raw pointers are what generated code has")]
unsafe fn chunks<const K: usize, T: Number, S: Step<K, T>>(src: [*const T; K], dst: *mut T, n: usize) {
    let mut at = 0;
    while n - at >= CHUNK {
        // SAFETY: at + CHUNK <= n; the chunk is copied, so that `dst` may be a source.
        let input = src.map(|p| unsafe { p.add(at).cast::<[T; CHUNK]>().read() });
        let mut output = [T::default(); CHUNK];
        S::step(&input, &mut output);
        // SAFETY: as above.
        unsafe { dst.add(at).cast::<[T; CHUNK]>().write(output) };
        at += CHUNK;
    }
    if at < n {
        let input = src.map(|p| {
            let mut padded = [T::default(); CHUNK];
            for (k, x) in padded.iter_mut().enumerate().take(n - at) {
                // SAFETY: at + k < n.
                *x = unsafe { p.add(at + k).read() };
            }
            padded
        });
        let mut output = [T::default(); CHUNK];
        S::step(&input, &mut output);
        for (k, y) in output.into_iter().enumerate().take(n - at) {
            // SAFETY: at + k < n.
            unsafe { dst.add(at + k).write(y) };
        }
    }
}

/// What happens to one chunk: the common path as a loop without branches, then whatever that marked.
/// A type instead of a closure, because only what is inlined has the caller's instruction set.
trait Step<const K: usize, T> {
    fn step(x: &[[T; CHUNK]; K], y: &mut [T; CHUNK]);
}

struct One<F>(PhantomData<F>);

impl<F: Unary, T: Number> Step<1, T> for One<F> {
    #[inline(always)]
    fn step([x]: &[[T; CHUNK]; 1], y: &mut [T; CHUNK]) {
        let mut again = false;
        for k in 0..CHUNK {
            let r = F::eval(Deferred(x[k]));
            again |= r.is_marked();
            y[k] = r.0;
        }
        if again {
            for k in 0..CHUNK {
                if Deferred(y[k]).is_marked() {
                    y[k] = F::eval(x[k]);
                }
            }
        }
    }
}

struct Two<F>(PhantomData<F>);

impl<F: Binary, T: Number> Step<2, T> for Two<F> {
    #[inline(always)]
    fn step([a, b]: &[[T; CHUNK]; 2], y: &mut [T; CHUNK]) {
        let mut again = false;
        for k in 0..CHUNK {
            let r = F::eval(Deferred(a[k]), Deferred(b[k]));
            again |= r.is_marked();
            y[k] = r.0;
        }
        if again {
            for k in 0..CHUNK {
                if Deferred(y[k]).is_marked() {
                    y[k] = F::eval(a[k], b[k]);
                }
            }
        }
    }
}

/// The four routines of one instruction set. `$safety` repeats what the caller of every one promises.
macro_rules! routines {
    ($tile:ident $tile2:ident $scalar:ident $scalar2:ident $(#[$features:meta])?) => {
        routines!(@tiles $tile $tile2 $(#[$features])?);
        routines!(@scalars $scalar $scalar2 $(#[$features])?);
    };
    (@tiles $tile:ident $tile2:ident $(#[$features:meta])?) => {
        /// # Safety
        /// As the module says; and the machine has the instructions.
        $(#[$features])?
        pub(super) unsafe extern "C" fn $tile<F: Unary, T: Number>(src: *const T, dst: *mut T, n: usize) {
            // SAFETY: the caller's promise.
            unsafe { chunks::<1, T, One<F>>([src], dst, n) }
        }

        /// # Safety
        /// As the module says; and the machine has the instructions.
        $(#[$features])?
        pub(super) unsafe extern "C" fn $tile2<F: Binary, T: Number>(
            a: *const T,
            b: *const T,
            dst: *mut T,
            n: usize,
        ) {
            // SAFETY: the caller's promise.
            unsafe { chunks::<2, T, Two<F>>([a, b], dst, n) }
        }
    };
    (@scalars $scalar:ident $scalar2:ident $(#[$features:meta])?) => {
        /// # Safety
        /// The machine has the instructions.
        $(#[$features])?
        pub(super) unsafe extern "C" fn $scalar<F: Unary, T: Number>(x: T) -> T {
            F::eval(x)
        }

        /// # Safety
        /// The machine has the instructions.
        $(#[$features])?
        pub(super) unsafe extern "C" fn $scalar2<F: Binary, T: Number>(a: T, b: T) -> T {
            F::eval(a, b)
        }
    };
}

#[allow(unsafe_code, reason = "generated code calls these with raw pointers")]
mod baseline {
    use super::{Binary, Number, One, Two, Unary, chunks};
    routines!(tile_baseline tile2_baseline scalar_baseline scalar2_baseline);
}
use baseline::{scalar_baseline, scalar2_baseline, tile_baseline, tile2_baseline};

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "as above, and instructions that not every machine has")]
mod x86 {
    use super::{Binary, Number, One, Two, Unary, chunks};
    routines!(tile_avx2 tile2_avx2 scalar_fma scalar2_fma #[target_feature(enable = "avx2,fma")]);
    routines!(@tiles tile_avx512 tile2_avx512
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]);
}
