//! Small matrix products in plain loops, compiled for the instruction sets that matter and chosen at run time.
//!
//! Each element is the sum over `k` in order, by fused multiply-adds: the same bits on every machine.

use super::gemm::{Float, Product};
use std::mem::MaybeUninit;

/// Multiplication and addition with one rounding.
pub(crate) trait Fused: Copy {
    /// `self * b + c`.
    fn fused(self, b: Self, c: Self) -> Self;
}
impl Fused for f64 {
    #[inline(always)]
    fn fused(self, b: f64, c: f64) -> f64 {
        self.mul_add(b, c)
    }
}
impl Fused for f32 {
    #[inline(always)]
    fn fused(self, b: f32, c: f32) -> f32 {
        self.mul_add(b, c)
    }
}

/// Elements of `b` that are copied to contiguous rows first if they are not.
const COPIED: usize = 4096;

/// `c = a * b`.
///
/// # Safety
/// The matrices that `p` describes lie within the memories that the pointers point into; `c` overlaps neither.
pub(crate) unsafe fn product<T: Float>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        if has!("avx512f") && has!("avx512vl") && has!("avx512dq") && has!("avx512bw") {
            // SAFETY: the features are there; the rest is our contract.
            return unsafe { product_avx512(p, a, b, c) };
        }
        if has!("fma") && has!("avx2") {
            // SAFETY: the features are there; the rest is our contract.
            return unsafe { product_avx2(p, a, b, c) };
        }
    }
    // SAFETY: our contract.
    unsafe { rows(p, a, b, c) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512dq,avx512bw,avx2,fma")]
unsafe fn product_avx512<T: Float>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    // SAFETY: the contract of `product`.
    unsafe { rows(p, a, b, c) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn product_avx2<T: Float>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    // SAFETY: the contract of `product`.
    unsafe { rows(p, a, b, c) }
}

/// # Safety
/// As for [`product`].
#[inline(always)]
unsafe fn rows<T: Float>(p: &Product, a: *const T, b: *const T, c: *mut T) {
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
            // SAFETY: `rows` rows and as many columns as the chosen width are left.
            j += unsafe {
                match (rows, left) {
                    (4, 16..) => tile::<T, 4, 16>(p, a, b, step, c, i, j),
                    (4, 8..) => tile::<T, 4, 8>(p, a, b, step, c, i, j),
                    (4, 4..) => tile::<T, 4, 4>(p, a, b, step, c, i, j),
                    (4, _) => tile::<T, 4, 1>(p, a, b, step, c, i, j),
                    (_, 16..) => tile::<T, 1, 16>(p, a, b, step, c, i, j),
                    (_, 8..) => tile::<T, 1, 8>(p, a, b, step, c, i, j),
                    (_, 4..) => tile::<T, 1, 4>(p, a, b, step, c, i, j),
                    (_, _) => tile::<T, 1, 1>(p, a, b, step, c, i, j),
                }
            };
        }
        i += rows;
    }
}

/// `R` rows and `W` columns of `c` from `(i, j)` on; gives `W`.
///
/// # Safety
/// As for [`product`]; the tile lies within `c`, and `b` has contiguous rows `step` apart.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "three matrices and a position")]
unsafe fn tile<T: Float, const R: usize, const W: usize>(
    p: &Product,
    a: *const T,
    b: *const T,
    step: isize,
    c: *mut T,
    i: usize,
    j: usize,
) -> usize {
    let mut sums = [[T::ZERO; W]; R];
    for k in 0..p.k {
        // SAFETY: row `k` of `b` has `W` elements from column `j` on.
        let row = unsafe { *b.offset(k as isize * step + j as isize).cast::<[T; W]>() };
        for (r, sums) in sums.iter_mut().enumerate() {
            // SAFETY: an element of `a`.
            let x = unsafe { *a.offset((i + r) as isize * p.a[0] + k as isize * p.a[1]) };
            for w in 0..W {
                sums[w] = x.fused(row[w], sums[w]);
            }
        }
    }
    for (r, sums) in sums.iter().enumerate() {
        for (w, &sum) in sums.iter().enumerate() {
            // SAFETY: an element of `c`.
            unsafe { *c.offset((i + r) as isize * p.c[0] + (j + w) as isize * p.c[1]) = sum };
        }
    }
    W
}
