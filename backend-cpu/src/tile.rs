//! Tile routines: the math library over runs of memory, and over single numbers, as functions that
//! generated code calls. Each exists for several instruction sets, chosen at run time; all give the bits
//! of the reference interpreter, because all are the same formula with explicit fused multiply-adds.
//!
//! Signatures, with `T` = `f32` or `f64`:
//! - [`tile`]: `unsafe extern "C" fn(src: *const T, dst: *mut T, n: usize)`,
//! - [`tile2`]: `unsafe extern "C" fn(a: *const T, b: *const T, dst: *mut T, n: usize)`,
//! - [`eight`]: `unsafe extern "C" fn(at: *mut T)`, of [`EIGHT`] numbers in place,
//! - [`scalar`]: `extern "C" fn(T) -> T`, [`scalar2`]: `extern "C" fn(T, T) -> T`.
//!
//! A tile routine reads `n` elements from each source and writes `n` to `dst`, which may be one of the
//! sources but must not overlap them otherwise.

use std::marker::PhantomData;
use wengert_ir::math::deferred::{Deferred, Whole};
use wengert_ir::math::lane::Lane;
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

    /// The best of them.
    pub fn best() -> Level {
        let levels = Level::available();
        levels[levels.len() - 1]
    }
}

/// The routine for a run of memory on this machine.
pub fn tile(f: MathFn, float: Float) -> *const u8 {
    tile_at(f, float, Level::best())
}

/// Numbers that the routines of [`eight`] take.
pub const EIGHT: usize = 8;

/// The routine for [`EIGHT`] numbers in a row on this machine: for vectors that are too short for [`tile`].
pub fn eight(f: MathFn, float: Float) -> *const u8 {
    eight_at(f, float, Level::best())
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

/// [`eight`] at a given level.
pub fn eight_at(f: MathFn, float: Float, level: Level) -> *const u8 {
    f.visit(Eight { float, level })
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
type EightFn<T> = unsafe extern "C" fn(*mut T);
type ScalarFn<T> = unsafe extern "C" fn(T) -> T;
type ScalarFn2<T> = unsafe extern "C" fn(T, T) -> T;

struct Tile {
    float: Float,
    level: Level,
}

struct Eight {
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

impl VisitUnary for Eight {
    type Output = *const u8;
    fn visit<F: Unary>(self, _: F) -> *const u8 {
        // One or two vectors of 256 bits.
        choose!(self EightFn F eight_baseline eight_fma eight_fma)
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

/// Elements of one pass of the inner loop, which has no branches, at most.
const CHUNK: usize = 128;
/// From this many marked elements of a chunk on, all are done again as vectors, of functions of one number.
const MANY: usize = 8;
/// The inner loop's trip count is a multiple of this, so that no vector size leaves a remainder.
const GRAIN: usize = 32;

trait Number: Lane<Mask = bool> + Default {}
impl Number for f32 {}
impl Number for f64 {}

/// What is done to a chunk: a type instead of a closure, because only what is inlined into the routine has
/// its instruction set.
trait Formula<const K: usize, T> {
    /// Whether results may be marked.
    const RARE: bool;
    /// Whether many marked results are computed as vectors: what is rare of functions of two numbers is long, and rarer.
    const TOGETHER: bool;
    /// The common path; results may be marked.
    fn common(x: [T; K]) -> Deferred<T>;
    /// Both paths.
    fn whole(x: [T; K]) -> T;
}

struct One<F>(PhantomData<F>);

impl<F: Unary, T: Number> Formula<1, T> for One<F> {
    const RARE: bool = F::RARE;
    const TOGETHER: bool = true;
    #[inline(always)]
    fn common([x]: [T; 1]) -> Deferred<T> {
        F::eval(Deferred(x))
    }
    #[inline(always)]
    fn whole([x]: [T; 1]) -> T {
        F::eval(Whole(x)).0
    }
}

struct Two<F>(PhantomData<F>);

impl<F: Binary, T: Number> Formula<2, T> for Two<F> {
    const RARE: bool = F::RARE;
    const TOGETHER: bool = false;
    #[inline(always)]
    fn common([a, b]: [T; 2]) -> Deferred<T> {
        F::eval(Deferred(a), Deferred(b))
    }
    #[inline(always)]
    fn whole([a, b]: [T; 2]) -> T {
        F::eval(Whole(a), Whole(b)).0
    }
}

/// Chunk by chunk: the common path as a loop that the compiler makes vectors of, into a buffer, because
/// `dst` may be a source; then both paths for whatever that marked, one by one with `scalar` or all; then out.
///
/// # Safety
/// Each source can be read and `dst` written for `n` elements; `dst` is a source or apart from them.
#[inline(always)]
#[allow(unsafe_code, reason = "raw pointers are what generated code has")]
unsafe fn chunks<const K: usize, T: Number, F: Formula<K, T>>(
    src: [*const T; K],
    dst: *mut T,
    n: usize,
    scalar: impl Fn([T; K]) -> T,
) {
    let mut padded = [[T::default(); CHUNK]; K];
    let mut output = [T::default(); CHUNK];
    let mut at = 0;
    while at < n {
        let count = CHUNK.min(n - at);
        let length = (count + GRAIN - 1) & !(GRAIN - 1);
        let mut input = [std::ptr::null(); K];
        for k in 0..K {
            // SAFETY: at < n.
            input[k] = unsafe { src[k].add(at) };
            if count < length {
                // SAFETY: at + count <= n, count < CHUNK.
                unsafe { std::ptr::copy_nonoverlapping(input[k], padded[k].as_mut_ptr(), count) };
                input[k] = padded[k].as_ptr();
            }
        }
        // SAFETY: i < length, which is `count` or within the padded copy.
        let x = |i: usize| input.map(|p| unsafe { p.add(i).read() });
        let mut again = false;
        for (i, y) in output[..length].iter_mut().enumerate() {
            let r = F::common(x(i));
            again |= F::RARE && r.is_marked();
            *y = r.0;
        }
        if F::RARE && again {
            let marked = output[..count].iter().filter(|&&y| Deferred(y).is_marked()).count();
            if F::TOGETHER && marked >= MANY {
                for (i, y) in output[..length].iter_mut().enumerate() {
                    *y = F::whole(x(i));
                }
            } else {
                for (i, y) in output[..count].iter_mut().enumerate() {
                    if Deferred(*y).is_marked() {
                        *y = scalar(x(i));
                    }
                }
            }
        }
        // SAFETY: at + count <= n.
        unsafe { std::ptr::copy_nonoverlapping(output.as_ptr(), dst.add(at), count) };
        at += CHUNK;
    }
}

macro_rules! scalar_routines {
    ($scalar:ident $scalar2:ident $(#[$features:meta])?) => {
        /// # Safety
        /// The machine has the instructions.
        $(#[$features])?
        pub(in crate::tile) unsafe extern "C" fn $scalar<F: Unary, T: Number>(x: T) -> T {
            F::eval(x)
        }

        /// # Safety
        /// The machine has the instructions.
        $(#[$features])?
        pub(in crate::tile) unsafe extern "C" fn $scalar2<F: Binary, T: Number>(a: T, b: T) -> T {
            F::eval(a, b)
        }
    };
}

macro_rules! eight_routine {
    ($eight:ident $scalar:ident $(#[$features:meta])?) => {
        /// # Safety
        /// There are eight numbers at `at`, for reading and writing; and the machine has the instructions.
        $(#[$features])?
        pub(in crate::tile) unsafe extern "C" fn $eight<F: Unary, T: Number>(at: *mut T) {
            let at = at.cast::<[T; EIGHT]>();
            // SAFETY: the caller's promises.
            let x = unsafe { at.read() };
            let mut y = [T::default(); EIGHT];
            let mut again = false;
            for (x, y) in x.into_iter().zip(&mut y) {
                let r = One::<F>::common([x]);
                again |= F::RARE && r.is_marked();
                *y = r.0;
            }
            if again {
                for (x, y) in x.into_iter().zip(&mut y) {
                    if Deferred(*y).is_marked() {
                        // SAFETY: the machine has the instructions.
                        *y = unsafe { $scalar::<F, T>(x) };
                    }
                }
            }
            // SAFETY: the caller's promises.
            unsafe { at.write(y) };
        }
    };
}

macro_rules! tile_routines {
    ($tile:ident $tile2:ident $scalar:ident $scalar2:ident $(#[$features:meta])?) => {
        /// # Safety
        /// As the module says; and the machine has the instructions.
        $(#[$features])?
        pub(in crate::tile) unsafe extern "C" fn $tile<F: Unary, T: Number>(src: *const T, dst: *mut T, n: usize) {
            // SAFETY: the caller's promises.
            unsafe { chunks::<1, T, One<F>>([src], dst, n, |[x]| $scalar::<F, T>(x)) }
        }

        /// # Safety
        /// As the module says; and the machine has the instructions.
        $(#[$features])?
        pub(in crate::tile) unsafe extern "C" fn $tile2<F: Binary, T: Number>(
            a: *const T,
            b: *const T,
            dst: *mut T,
            n: usize,
        ) {
            // SAFETY: the caller's promises.
            unsafe { chunks::<2, T, Two<F>>([a, b], dst, n, |[a, b]| $scalar2::<F, T>(a, b)) }
        }
    };
}

#[allow(unsafe_code, reason = "generated code calls these with raw pointers")]
mod baseline {
    use super::{Binary, Number, Unary};
    scalar_routines!(scalar_baseline scalar2_baseline);

    #[cfg(not(target_arch = "x86_64"))]
    mod tiles {
        use super::super::{Binary, Deferred, EIGHT, Formula, Number, One, Two, Unary, chunks};
        use super::{scalar_baseline, scalar2_baseline};
        tile_routines!(tile_baseline tile2_baseline scalar_baseline scalar2_baseline);
        eight_routine!(eight_baseline scalar_baseline);
    }

    /// Without fused multiply-add instructions nothing is gained from vectors: each is a call.
    #[cfg(target_arch = "x86_64")]
    mod tiles {
        use super::{Binary, Number, Unary, scalar_baseline, scalar2_baseline};

        /// # Safety
        /// As the module says.
        pub(in crate::tile) unsafe extern "C" fn tile_baseline<F: Unary, T: Number>(
            src: *const T,
            dst: *mut T,
            n: usize,
        ) {
            for i in 0..n {
                // SAFETY: the caller's promises.
                unsafe { dst.add(i).write(scalar_baseline::<F, T>(src.add(i).read())) };
            }
        }

        /// # Safety
        /// As the module says.
        pub(in crate::tile) unsafe extern "C" fn eight_baseline<F: Unary, T: Number>(at: *mut T) {
            // SAFETY: the caller's promises.
            unsafe { tile_baseline::<F, T>(at, at, super::super::EIGHT) };
        }

        /// # Safety
        /// As the module says.
        pub(in crate::tile) unsafe extern "C" fn tile2_baseline<F: Binary, T: Number>(
            a: *const T,
            b: *const T,
            dst: *mut T,
            n: usize,
        ) {
            for i in 0..n {
                // SAFETY: the caller's promises.
                unsafe { dst.add(i).write(scalar2_baseline::<F, T>(a.add(i).read(), b.add(i).read())) };
            }
        }
    }
    pub(in crate::tile) use tiles::{eight_baseline, tile_baseline, tile2_baseline};
}
use baseline::{eight_baseline, scalar_baseline, scalar2_baseline, tile_baseline, tile2_baseline};

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code, reason = "as above, and instructions that not every machine has")]
mod x86 {
    use super::{Binary, Deferred, EIGHT, Formula, Number, One, Two, Unary, chunks};
    scalar_routines!(scalar_fma scalar2_fma #[target_feature(enable = "avx2,fma")]);
    eight_routine!(eight_fma scalar_fma #[target_feature(enable = "avx2,fma")]);
    tile_routines!(tile_avx2 tile2_avx2 scalar_fma scalar2_fma #[target_feature(enable = "avx2,fma")]);
    tile_routines!(tile_avx512 tile2_avx512 scalar_fma scalar2_fma
        #[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]);
}
