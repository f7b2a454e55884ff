//! Small matrix products in plain loops, compiled for the instruction sets that matter and chosen at run time.
//!
//! Each element is the sum over `k` in order, by fused multiply-adds: the same bits on every machine.

use super::product::{Float, Product};
use std::mem::MaybeUninit;

/// Elements of `b` that are copied to contiguous rows first if they are not.
const COPIED: usize = 4096;

/// `c = a * b`.
///
/// # Safety
/// The matrices that `p` describes lie within the memories that the pointers point into; `c` overlaps neither.
pub(crate) unsafe fn product<T: Float + Wide>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("fma") && has!("avx2") {
            // SAFETY: the features are there; the rest is our contract.
            return unsafe { product_avx2(p, a, b, c) };
        }
    }
    // SAFETY: our contract; one number is a vector everywhere.
    unsafe { rows::<T, One<T>, One<T>>(p, a, b, c) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn product_avx2<T: Float + Wide>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    // SAFETY: the contract of `product`; the vectors are those of these features.
    unsafe { rows::<T, T::Long, T::Short>(p, a, b, c) }
}

/// # Safety
/// As for [`product`]; the machine has the vectors.
#[inline(always)]
unsafe fn rows<T: Float, L: Vector<T>, S: Vector<T>>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    let mut copy = [MaybeUninit::<T>::uninit(); COPIED];
    let (mut b, mut step) = (b, p.b[0]);
    if p.b[1] != 1 && p.k * p.n <= COPIED {
        for k in 0..p.k {
            for j in 0..p.n {
                // SAFETY: an element of `b`.
                let x = unsafe { *b.offset(k as isize * p.b[0] + j as isize * p.b[1]) };
                copy[k * p.n + j] = MaybeUninit::new(x);
            }
        }
        // The first `k * n` elements, all that is read, are initialised.
        (b, step) = (copy.as_ptr().cast(), p.n as isize);
    } else if p.b[1] != 1 {
        for i in 0..p.m {
            for j in 0..p.n {
                let mut sum = T::ZERO;
                for k in 0..p.k {
                    // SAFETY: elements of `a` and `b`.
                    unsafe {
                        let x = *a.offset(i as isize * p.a[0] + k as isize * p.a[1]);
                        sum = x.fused(*b.offset(k as isize * p.b[0] + j as isize * p.b[1]), sum);
                    }
                }
                // SAFETY: an element of `c`.
                unsafe { *c.offset(i as isize * p.c[0] + j as isize * p.c[1]) = sum };
            }
        }
        return;
    }
    let mut i = 0;
    while i < p.m {
        let rows = if p.m - i >= 4 { 4 } else { 1 };
        let mut j = 0;
        while j < p.n {
            let left = p.n - j;
            // SAFETY: `rows` rows and as many columns as the chosen tile has are left.
            j += unsafe {
                if rows == 4 {
                    if left >= 2 * L::LEN {
                        tile::<T, L, 4, 2>(p, a, b, step, c, i, j)
                    } else if left >= L::LEN {
                        tile::<T, L, 4, 1>(p, a, b, step, c, i, j)
                    } else if left >= S::LEN {
                        tile::<T, S, 4, 1>(p, a, b, step, c, i, j)
                    } else {
                        tile::<T, One<T>, 4, 1>(p, a, b, step, c, i, j)
                    }
                } else if left >= 2 * L::LEN {
                    tile::<T, L, 1, 2>(p, a, b, step, c, i, j)
                } else if left >= L::LEN {
                    tile::<T, L, 1, 1>(p, a, b, step, c, i, j)
                } else if left >= S::LEN {
                    tile::<T, S, 1, 1>(p, a, b, step, c, i, j)
                } else {
                    tile::<T, One<T>, 1, 1>(p, a, b, step, c, i, j)
                }
            };
        }
        i += rows;
    }
}

/// `R` rows and `C` vectors of columns of `c` from `(i, j)` on; gives the number of columns.
///
/// # Safety
/// As for [`product`]; the tile lies within `c`, `b` has contiguous rows `step` apart, and the machine has the vectors.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "three matrices and a position")]
unsafe fn tile<T: Float, V: Vector<T>, const R: usize, const C: usize>(
    p: &Product,
    a: *const T,
    b: *const T,
    step: isize,
    c: *mut T,
    i: usize,
    j: usize,
) -> usize {
    // SAFETY: all elements lie within the matrices.
    unsafe {
        let mut sums = [[V::splat(T::ZERO); C]; R];
        let mut from = b.add(j);
        for k in 0..p.k {
            let mut row = [V::splat(T::ZERO); C];
            for (n, row) in row.iter_mut().enumerate() {
                *row = V::load(from.add(n * V::LEN));
            }
            for (r, sums) in sums.iter_mut().enumerate() {
                let x = V::splat(*a.offset((i + r) as isize * p.a[0] + k as isize * p.a[1]));
                for (sum, row) in sums.iter_mut().zip(row) {
                    *sum = x.fused(row, *sum);
                }
            }
            from = from.offset(step);
        }
        for (r, sums) in sums.iter().enumerate() {
            for (n, sum) in sums.iter().enumerate() {
                let to = c.offset((i + r) as isize * p.c[0] + (j + n * V::LEN) as isize * p.c[1]);
                if p.c[1] == 1 {
                    sum.store(to);
                } else {
                    const { assert!(V::LEN <= 8) };
                    let mut lanes = [T::ZERO; 8];
                    sum.store(lanes.as_mut_ptr());
                    for (lane, &x) in lanes[..V::LEN].iter().enumerate() {
                        *to.offset(lane as isize * p.c[1]) = x;
                    }
                }
            }
        }
    }
    C * V::LEN
}

/// A vector of at most sixteen numbers.
///
/// # Safety of its methods
/// The machine has the instructions; pointers are to `LEN` numbers.
#[allow(clippy::missing_safety_doc, reason = "said once for all methods")]
pub(crate) trait Vector<T>: Copy {
    /// How many numbers.
    const LEN: usize;
    unsafe fn splat(x: T) -> Self;
    unsafe fn load(from: *const T) -> Self;
    unsafe fn store(self, to: *mut T);
    unsafe fn fused(self, b: Self, c: Self) -> Self;
    /// The first `count` numbers, at most [`LEN`](Self::LEN), and zeros.
    unsafe fn load_first(from: *const T, count: usize) -> Self;
    /// Stores the first `count` numbers.
    unsafe fn store_first(self, to: *mut T, count: usize);
    /// The sum of all, by halves.
    unsafe fn total(self) -> T;
}

/// One number.
#[derive(Clone, Copy)]
pub(crate) struct One<T>(T);

impl<T: Float> Vector<T> for One<T> {
    const LEN: usize = 1;
    #[inline(always)]
    unsafe fn splat(x: T) -> Self {
        Self(x)
    }
    #[inline(always)]
    unsafe fn load(from: *const T) -> Self {
        // SAFETY: the trait's contract.
        Self(unsafe { *from })
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut T) {
        // SAFETY: the trait's contract.
        unsafe { *to = self.0 }
    }
    #[inline(always)]
    unsafe fn fused(self, b: Self, c: Self) -> Self {
        Self(self.0.fused(b.0, c.0))
    }
    #[inline(always)]
    unsafe fn load_first(from: *const T, count: usize) -> Self {
        // SAFETY: the trait's contract.
        Self(if count == 0 { T::ZERO } else { unsafe { *from } })
    }
    #[inline(always)]
    unsafe fn store_first(self, to: *mut T, count: usize) {
        if count > 0 {
            // SAFETY: the trait's contract.
            unsafe { *to = self.0 }
        }
    }
    #[inline(always)]
    unsafe fn total(self) -> T {
        self.0
    }
}

/// The vectors of a number on machines with wide ones.
pub(crate) trait Wide: Sized {
    /// 256 bits.
    type Long: Vector<Self>;
    /// 128 bits.
    type Short: Vector<Self>;
    /// 512 bits.
    type Widest: Vector<Self>;
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Vector, Wide};
    use std::arch::x86_64::*;

    macro_rules! vectors {
        ($($name:ident $t:ident $inner:ident $len:literal $splat:ident $load:ident $store:ident $fused:ident $total:ident $first:tt;)*) => { $(
            #[derive(Clone, Copy)]
            pub(crate) struct $name($inner);

            impl Vector<$t> for $name {
                const LEN: usize = $len;
                #[inline(always)]
                unsafe fn splat(x: $t) -> Self {
                    // SAFETY: the trait's contract.
                    Self(unsafe { $splat(x) })
                }
                #[inline(always)]
                unsafe fn load(from: *const $t) -> Self {
                    // SAFETY: the trait's contract.
                    Self(unsafe { $load(from) })
                }
                #[inline(always)]
                unsafe fn store(self, to: *mut $t) {
                    // SAFETY: the trait's contract.
                    unsafe { $store(to, self.0) }
                }
                #[inline(always)]
                unsafe fn fused(self, b: Self, c: Self) -> Self {
                    // SAFETY: the trait's contract.
                    Self(unsafe { $fused(self.0, b.0, c.0) })
                }
                #[inline(always)]
                unsafe fn total(self) -> $t {
                    // SAFETY: the trait's contract.
                    unsafe { $total(self.0) }
                }
                firsts! { $t $len $first }
            }
        )* };
    }

    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn total_f32x4(x: __m128) -> f32 {
        let pairs = _mm_add_ps(x, _mm_movehl_ps(x, x));
        _mm_cvtss_f32(_mm_add_ss(pairs, _mm_shuffle_ps::<1>(pairs, pairs)))
    }
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn total_f32x8(x: __m256) -> f32 {
        total_f32x4(_mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps::<1>(x)))
    }
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn total_f64x2(x: __m128d) -> f64 {
        _mm_cvtsd_f64(_mm_add_sd(x, _mm_unpackhi_pd(x, x)))
    }
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn total_f64x4(x: __m256d) -> f64 {
        total_f64x2(_mm_add_pd(_mm256_castpd256_pd128(x), _mm256_extractf128_pd::<1>(x)))
    }

    /// Vectors that are not full: under a mask where there are masks, by way of memory elsewhere, in loops of a length that is known.
    macro_rules! firsts {
        ($t:ident $len:literal (through memory)) => {
            #[inline(always)]
            unsafe fn load_first(from: *const $t, count: usize) -> Self {
                let mut lanes = [0.0; $len];
                for (lane, x) in lanes.iter_mut().enumerate() {
                    if lane < count {
                        // SAFETY: the trait's contract.
                        *x = unsafe { *from.add(lane) };
                    }
                }
                // SAFETY: as many as the vector has.
                unsafe { Self::load(lanes.as_ptr()) }
            }
            #[inline(always)]
            unsafe fn store_first(self, to: *mut $t, count: usize) {
                let mut lanes = [0.0; $len];
                // SAFETY: as many as the vector has.
                unsafe { self.store(lanes.as_mut_ptr()) };
                for (lane, x) in lanes.into_iter().enumerate() {
                    if lane < count {
                        // SAFETY: the trait's contract.
                        unsafe { *to.add(lane) = x };
                    }
                }
            }
        };
        ($t:ident $len:literal ($mask:ident $load:ident $store:ident)) => {
            #[inline(always)]
            unsafe fn load_first(from: *const $t, count: usize) -> Self {
                // SAFETY: the trait's contract; what the mask leaves out is not read.
                Self(unsafe { $load((!(!0u32 << count)) as $mask, from) })
            }
            #[inline(always)]
            unsafe fn store_first(self, to: *mut $t, count: usize) {
                // SAFETY: the trait's contract; what the mask leaves out is not written.
                unsafe { $store(to, (!(!0u32 << count)) as $mask, self.0) }
            }
        };
    }
    vectors! {
        F32x8 f32 __m256 8 _mm256_set1_ps _mm256_loadu_ps _mm256_storeu_ps _mm256_fmadd_ps total_f32x8 (through memory);
        F32x4 f32 __m128 4 _mm_set1_ps _mm_loadu_ps _mm_storeu_ps _mm_fmadd_ps total_f32x4 (through memory);
        F64x4 f64 __m256d 4 _mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd _mm256_fmadd_pd total_f64x4 (through memory);
        F64x2 f64 __m128d 2 _mm_set1_pd _mm_loadu_pd _mm_storeu_pd _mm_fmadd_pd total_f64x2 (through memory);
        F32x16 f32 __m512 16 _mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_fmadd_ps
            _mm512_reduce_add_ps (__mmask16 _mm512_maskz_loadu_ps _mm512_mask_storeu_ps);
        F64x8 f64 __m512d 8 _mm512_set1_pd _mm512_loadu_pd _mm512_storeu_pd _mm512_fmadd_pd
            _mm512_reduce_add_pd (__mmask8 _mm512_maskz_loadu_pd _mm512_mask_storeu_pd);
    }

    impl Wide for f32 {
        type Long = F32x8;
        type Short = F32x4;
        type Widest = F32x16;
    }
    impl Wide for f64 {
        type Long = F64x4;
        type Short = F64x2;
        type Widest = F64x8;
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl Wide for f32 {
    type Long = One<f32>;
    type Short = One<f32>;
    type Widest = One<f32>;
}
#[cfg(not(target_arch = "x86_64"))]
impl Wide for f64 {
    type Long = One<f64>;
    type Short = One<f64>;
    type Widest = One<f64>;
}
