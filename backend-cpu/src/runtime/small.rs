//! Small matrix products in plain loops, compiled for the instruction sets that matter and chosen at run time.
//!
//! Each element is the sum over `k` in order, by fused multiply-adds: the same bits on every machine.

use super::direct::is_narrow;
use super::product::{Float, Product};
use super::vector::{One, Vector, Wide};
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
        let is_vector = p.b[1] == 1 && p.c[1] == 1 && p.n > T::Short::LEN && p.n <= T::Widest::LEN;
        if is_vector && has!("avx512f") && !is_narrow() {
            // SAFETY: the features are there; the rest is our contract.
            return unsafe { narrow_avx512(p, a, b, c) };
        }
        if has!("fma") && has!("avx2") {
            // SAFETY: the features are there; the rest is our contract.
            return unsafe { product_avx2(p, a, b, c) };
        }
    }
    // SAFETY: our contract; one number is a vector everywhere.
    unsafe { with_rows::<T, One<T>, One<T>>(p, a, b, c) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn product_avx2<T: Float + Wide>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    // SAFETY: the contract of `product`; the vectors are those of these features.
    unsafe { with_rows::<T, T::Long, T::Short>(p, a, b, c) }
}

/// [`rows`] of `b` as they lie, or copied one after another.
///
/// # Safety
/// As for [`product`]; the machine has the vectors.
#[inline(always)]
unsafe fn with_rows<T: Float, L: Vector<T>, S: Vector<T>>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    if p.b[1] == 1 {
        // SAFETY: our contract.
        return unsafe { rows::<T, L, S>(p, a, b, p.b[0], c) };
    }
    if p.k * p.n > COPIED {
        // SAFETY: our contract.
        return unsafe { elements(p, a, b, c) };
    }
    let mut copy = [MaybeUninit::<T>::uninit(); COPIED];
    for k in 0..p.k {
        for j in 0..p.n {
            // SAFETY: an element of `b`.
            let x = unsafe { *b.offset(k as isize * p.b[0] + j as isize * p.b[1]) };
            copy[k * p.n + j] = MaybeUninit::new(x);
        }
    }
    // SAFETY: our contract; the first `k * n` elements, all that is read, are initialised.
    unsafe { rows::<T, L, S>(p, a, copy.as_ptr().cast(), p.n as isize, c) }
}

/// The same one element after another.
///
/// # Safety
/// As for [`product`].
unsafe fn elements<T: Float>(p: &Product, a: *const T, b: *const T, c: *mut T) {
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
}

/// Rows of `c` that are one vector each, or part of one: 6 by 6 by 6 takes 15 ns, where vectors of half the length and their rests took 39.
///
/// # Safety
/// As for [`product`]; rows of `b` and `c` are contiguous and no longer than a vector, and the machine has the vectors.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn narrow_avx512<T: Float + Wide>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    for i in (0..p.m).step_by(8) {
        // SAFETY: the contract of this function; so many rows are left.
        unsafe {
            match p.m - i {
                1 => vectors::<T, T::Widest, 1>(p, a, b, c, i),
                2 => vectors::<T, T::Widest, 2>(p, a, b, c, i),
                3 => vectors::<T, T::Widest, 3>(p, a, b, c, i),
                4 => vectors::<T, T::Widest, 4>(p, a, b, c, i),
                5 => vectors::<T, T::Widest, 5>(p, a, b, c, i),
                6 => vectors::<T, T::Widest, 6>(p, a, b, c, i),
                7 => vectors::<T, T::Widest, 7>(p, a, b, c, i),
                8.. => vectors::<T, T::Widest, 8>(p, a, b, c, i),
                0 => unreachable!("a row is left"),
            }
        }
    }
}

/// `R` rows of `c` from `i` on, each the first `n` numbers of a vector.
///
/// # Safety
/// As for [`product`]; the rows lie within `c`, they and those of `b` are contiguous and no longer than a vector, and the machine has the vectors.
#[inline(always)]
unsafe fn vectors<T: Float, V: Vector<T>, const R: usize>(
    p: &Product,
    a: *const T,
    b: *const T,
    c: *mut T,
    i: usize,
) {
    // SAFETY: all elements lie within the matrices.
    unsafe {
        let mut sums = [V::splat(T::ZERO); R];
        let mut a = a.offset(i as isize * p.a[0]);
        let mut from = b;
        for _ in 0..p.k {
            let row = V::load_first(from, p.n);
            for (r, sum) in sums.iter_mut().enumerate() {
                *sum = V::splat(*a.offset(r as isize * p.a[0])).fused(row, *sum);
            }
            // Outside after the last of them, where nothing is read.
            a = a.wrapping_offset(p.a[1]);
            from = from.wrapping_offset(p.b[0]);
        }
        for (r, sum) in sums.iter().enumerate() {
            sum.store_first(c.offset((i + r) as isize * p.c[0]), p.n);
        }
    }
}

/// # Safety
/// As for [`product`]; `b` has contiguous rows `step` apart, and the machine has the vectors.
#[inline(always)]
unsafe fn rows<T: Float, L: Vector<T>, S: Vector<T>>(
    p: &Product,
    a: *const T,
    b: *const T,
    step: isize,
    c: *mut T,
) {
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
            // Outside after the last row, where nothing is read.
            from = from.wrapping_offset(step);
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
