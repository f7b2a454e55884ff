//! Matrix products of few rows and few columns with long sums: moments, normal equations, statistics of mixtures.
//!
//! A library packs both factors and keeps too few sums going to hide how long each addition takes: 3 x 1000 by 1000 x 3 took 11 us so,
//! and 4 x 4096 by 4096 x 4 took 27. Where the sum lies together in both factors vectors lie along it; else each vector of columns has
//! [`CHAINS`] sums, which are added at the end. Either way an element depends on sizes and strides alone.

use super::direct::is_narrow;
use super::product::{Float, Product};
use super::vector::{LANES, One, Vector, Wide};

/// Most rows and columns.
const MOST: usize = 8;
/// Shortest sum.
const LONG: usize = 96;
/// Rows at a time.
const TILE: usize = 4;
/// Columns at a time where vectors lie along the sum: 16 and 32 registers hold their sums, and what is added to them.
const PAIR: usize = 2;
const FOUR: usize = 4;
/// Sums of an element at the same time, where vectors lie along the columns.
const CHAINS: usize = 3;

/// Terms that are added before they are added to the rest, so that long sums do not lose what a library's would keep.
const CHUNK: usize = 2048;

/// Whether a product that walks memory evenly is one of these.
pub(super) fn is_deep(p: &Product) -> bool {
    p.is_even && (1..=MOST).contains(&p.m) && (1..=MOST).contains(&p.n) && p.k >= LONG
}

/// `c = a * b` or `c += a * b`.
///
/// # Safety
/// The matrices that `p` describes lie within the memories that the pointers point into; `c` overlaps neither.
pub(super) unsafe fn product<T: Float + Wide>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    for from in (0..p.k).step_by(CHUNK) {
        let part = Product { k: CHUNK.min(p.k - from), adds: p.adds || from > 0, ..*p };
        let at = from as isize;
        // SAFETY: the part lies within the matrices.
        unsafe { chunk(&part, a.offset(at * p.a[1]), b.offset(at * p.b[0]), c) };
    }
}

/// The same of a sum that is not long.
///
/// # Safety
/// As for [`product`].
unsafe fn chunk<T: Float + Wide>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::is_x86_feature_detected as has;
        let has_longest = has!("avx512f") && has!("avx512vl") && !is_narrow();
        if has_longest && has!("fma") && has!("avx2") {
            // SAFETY: the features are there; the rest is our contract.
            return unsafe { product_avx512(p, a, b, c) };
        }
        if has!("fma") && has!("avx2") {
            // SAFETY: as above.
            return unsafe { product_avx2(p, a, b, c) };
        }
    }
    // SAFETY: our contract; one number is a vector everywhere.
    unsafe { tiles::<T, One<T>, One<T>, One<T>, PAIR>(p, a, b, c) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx2,fma")]
unsafe fn product_avx512<T: Float + Wide>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    // SAFETY: the contract of `product`; the vectors are those of these features.
    unsafe { tiles::<T, T::Widest, T::Long, T::Short, FOUR>(p, a, b, c) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn product_avx2<T: Float + Wide>(p: &Product, a: *const T, b: *const T, c: *mut T) {
    // SAFETY: the contract of `product`; the vectors are those of these features.
    unsafe { tiles::<T, T::Long, T::Long, T::Short, PAIR>(p, a, b, c) }
}

/// By vectors along the sum, the longest, or vectors of columns, long enough for those that are left.
///
/// # Safety
/// As for [`product`]; the machine has the vectors.
#[inline(always)]
unsafe fn tiles<T: Float, W: Vector<T>, L: Vector<T>, S: Vector<T>, const COLUMNS: usize>(
    p: &Product,
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    let along_sum = p.a[1] == 1 && p.b[0] == 1;
    let mut i = 0;
    while i < p.m {
        let rows = (p.m - i).min(TILE);
        let mut j = 0;
        while j < p.n {
            let left = p.n - j;
            // SAFETY: so many rows and columns are left.
            j += unsafe {
                let (a, b) = (a.offset(i as isize * p.a[0]), b.offset(j as isize * p.b[1]));
                let c = c.offset(i as isize * p.c[0] + j as isize * p.c[1]);
                if along_sum {
                    let columns = left.min(COLUMNS);
                    along::<T, W>(p, [rows, columns], a, b, c);
                    columns
                } else if p.b[1] == 1 && left > L::LEN {
                    across::<T, W>(p, [rows, left], a, b, c)
                } else if p.b[1] == 1 && left > S::LEN {
                    across::<T, L>(p, [rows, left], a, b, c)
                } else if p.b[1] == 1 {
                    across::<T, S>(p, [rows, left], a, b, c)
                } else {
                    across::<T, One<T>>(p, [rows, left], a, b, c)
                }
            };
        }
        i += rows;
    }
}

/// A tile of some rows and columns, with a constant for each number of them.
///
/// # Safety
/// As for [`tiles`]; the pointers are to the tile's first row, column and element.
#[inline(always)]
unsafe fn along<T: Float, V: Vector<T>>(
    p: &Product,
    [rows, columns]: [usize; 2],
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    macro_rules! of_size {
        ($($rows:literal $columns:literal),*) => {
            match (rows, columns) {
                // SAFETY: the contract of this function.
                $(($rows, $columns) => unsafe { dots::<T, V, $rows, $columns>(p, a, b, c) },)*
                (rows, columns) => unreachable!("a tile of {rows} x {columns}"),
            }
        };
    }
    of_size!(1 1, 1 2, 1 3, 1 4, 2 1, 2 2, 2 3, 2 4, 3 1, 3 2, 3 3, 3 4, 4 1, 4 2, 4 3, 4 4)
}

/// Sums along which vectors lie.
///
/// # Safety
/// As for [`along`].
#[inline(always)]
unsafe fn dots<T: Float, V: Vector<T>, const R: usize, const C: usize>(
    p: &Product,
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    // SAFETY: all elements lie within the matrices.
    unsafe {
        let (mut rows, mut columns) = ([a; R], [b; C]);
        for (r, row) in rows.iter_mut().enumerate() {
            *row = a.offset(r as isize * p.a[0]);
        }
        for (n, column) in columns.iter_mut().enumerate() {
            *column = b.offset(n as isize * p.b[1]);
        }
        let mut sums = [[V::splat(T::ZERO); C]; R];
        let full = p.k - p.k % V::LEN;
        let mut k = 0;
        while k < p.k {
            let left = p.k - k;
            let (mut x, mut y) = ([V::splat(T::ZERO); R], [V::splat(T::ZERO); C]);
            for (x, row) in x.iter_mut().zip(rows) {
                *x = if k < full { V::load(row.add(k)) } else { V::load_first(row.add(k), left) };
            }
            for (y, column) in y.iter_mut().zip(columns) {
                *y = if k < full { V::load(column.add(k)) } else { V::load_first(column.add(k), left) };
            }
            for (sums, x) in sums.iter_mut().zip(x) {
                for (sum, y) in sums.iter_mut().zip(y) {
                    *sum = x.fused(y, *sum);
                }
            }
            k += V::LEN;
        }
        let mut all = [V::splat(T::ZERO); LANES];
        for (r, sums) in sums.iter().enumerate() {
            for (n, sum) in sums.iter().enumerate() {
                all[0] = *sum;
                let mut lanes = [T::ZERO; LANES];
                V::totals(&all).store(lanes.as_mut_ptr());
                put(p, c.offset(r as isize * p.c[0] + n as isize * p.c[1]), lanes[0]);
            }
        }
    }
}

/// A vector of columns, or those that are left, of up to [`TILE`] rows; gives how many columns.
///
/// # Safety
/// As for [`along`]; so many columns are left, and they lie together if a vector has several.
#[inline(always)]
unsafe fn across<T: Float, V: Vector<T>>(
    p: &Product,
    [rows, left]: [usize; 2],
    a: *const T,
    b: *const T,
    c: *mut T,
) -> usize {
    let columns = left.min(V::LEN);
    // SAFETY: the contract of this function.
    unsafe {
        if rows == TILE {
            outer::<T, V, TILE>(p, columns, a, b, c);
        } else if rows == 3 {
            outer::<T, V, 3>(p, columns, a, b, c);
        } else if rows == 2 {
            outer::<T, V, 2>(p, columns, a, b, c);
        } else {
            outer::<T, V, 1>(p, columns, a, b, c);
        }
    }
    columns
}

/// # Safety
/// As for [`across`].
#[inline(always)]
unsafe fn outer<T: Float, V: Vector<T>, const R: usize>(
    p: &Product,
    columns: usize,
    a: *const T,
    b: *const T,
    c: *mut T,
) {
    // SAFETY: all elements lie within the matrices.
    unsafe {
        let mut sums = [[V::splat(T::ZERO); CHAINS]; R];
        if columns == V::LEN {
            chains::<T, V, R, true>(p, columns, a, b, &mut sums);
        } else {
            chains::<T, V, R, false>(p, columns, a, b, &mut sums);
        }
        let one = V::splat(T::ONE);
        for (r, sums) in sums.iter().enumerate() {
            let mut total = sums[0];
            for other in &sums[1..] {
                total = other.fused(one, total);
            }
            let mut lanes = [T::ZERO; LANES];
            total.store(lanes.as_mut_ptr());
            for (n, &lane) in lanes[..columns].iter().enumerate() {
                put(p, c.offset(r as isize * p.c[0] + n as isize * p.c[1]), lane);
            }
        }
    }
}

/// Every [`CHAINS`]th term of the sums, for each of these. Nothing here is a closure: those would not be compiled for the vectors.
///
/// # Safety
/// As for [`across`].
#[inline(always)]
unsafe fn chains<T: Float, V: Vector<T>, const R: usize, const FULL: bool>(
    p: &Product,
    columns: usize,
    a: *const T,
    b: *const T,
    sums: &mut [[V; CHAINS]; R],
) {
    let full = p.k - p.k % CHAINS;
    let mut k = 0;
    while k < p.k {
        let mut chain = 0;
        while chain < CHAINS && (k < full || k + chain < p.k) {
            let at = (k + chain) as isize;
            // SAFETY: an element of the sum.
            unsafe {
                let from = b.offset(at * p.b[0]);
                let y = if FULL { V::load(from) } else { V::load_first(from, columns) };
                let mut r = 0;
                while r < R {
                    let x = V::splat(*a.offset(r as isize * p.a[0] + at * p.a[1]));
                    sums[r][chain] = x.fused(y, sums[r][chain]);
                    r += 1;
                }
            }
            chain += 1;
        }
        k += CHAINS;
    }
}

/// # Safety
/// An element of the result, which was written before if the product is added to it.
#[inline(always)]
unsafe fn put<T: Float>(p: &Product, c: *mut T, sum: T) {
    // SAFETY: the contract of this function.
    unsafe { *c = if p.adds { sum.fused(T::ONE, *c) } else { sum } }
}
