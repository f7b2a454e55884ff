//! Matrices with rows and columns exchanged, block by block in registers.
//!
//! The `gemm` crate reads its left matrix along columns; one that lies along rows it gathers number by number, at two cycles
//! each. Through registers it is a quarter of that.

use std::mem::MaybeUninit;

/// Floats of which a block fits into the registers.
pub(crate) trait Block: Copy {
    /// Rows and columns of a block.
    const SIDE: usize;

    /// Writes a block of `SIDE` by `SIDE` with rows and columns exchanged: row `i` is read at `from + i * from_row`, column
    /// `j` written at `to + j * to_row`.
    ///
    /// # Safety
    /// The machine has AVX, and all of it lies within memory that may be read and written.
    #[cfg(target_arch = "x86_64")]
    unsafe fn block(from: *const Self, from_row: isize, to: *mut MaybeUninit<Self>, to_row: usize);
}

/// Writes `to[j * to_row + i] = from[i * from_row + j]` for `rows` values of `i` and `columns` of `j`.
///
/// # Safety
/// All of these may be read and written, and the two do not overlap.
pub(crate) unsafe fn transpose<T: Block>(
    [rows, columns]: [usize; 2],
    from: *const T,
    from_row: isize,
    to: *mut MaybeUninit<T>,
    to_row: usize,
) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx") {
        // SAFETY: the machine has the feature; the rest is our contract.
        return unsafe { by_blocks([rows, columns], from, from_row, to, to_row) };
    }
    // SAFETY: the contract of this function.
    unsafe { one_by_one([0, rows], [0, columns], from, from_row, to, to_row) }
}

/// # Safety
/// As for [`transpose`]; the machine has AVX.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
unsafe fn by_blocks<T: Block>(
    [rows, columns]: [usize; 2],
    from: *const T,
    from_row: isize,
    to: *mut MaybeUninit<T>,
    to_row: usize,
) {
    let (tall, wide) = (rows / T::SIDE * T::SIDE, columns / T::SIDE * T::SIDE);
    // Two blocks below each other fill a line of the cache before it is left.
    for top in (0..tall).step_by(2 * T::SIDE) {
        for left in (0..wide).step_by(T::SIDE) {
            for i in (top..tall.min(top + 2 * T::SIDE)).step_by(T::SIDE) {
                // SAFETY: the block lies within the matrices.
                unsafe {
                    let from = from.offset(i as isize * from_row).add(left);
                    T::block(from, from_row, to.add(left * to_row + i), to_row);
                }
            }
        }
    }
    // SAFETY: what the blocks leave lies within the matrices.
    unsafe {
        one_by_one([0, tall], [wide, columns], from, from_row, to, to_row);
        one_by_one([tall, rows], [0, columns], from, from_row, to, to_row);
    }
}

/// The same for a part, without blocks.
///
/// # Safety
/// As for [`transpose`].
#[inline]
unsafe fn one_by_one<T: Copy>(
    rows: [usize; 2],
    columns: [usize; 2],
    from: *const T,
    from_row: isize,
    to: *mut MaybeUninit<T>,
    to_row: usize,
) {
    for i in rows[0]..rows[1] {
        for j in columns[0]..columns[1] {
            // SAFETY: the contract of this function.
            unsafe {
                let x = *from.offset(i as isize * from_row).add(j);
                to.add(j * to_row + i).write(MaybeUninit::new(x));
            }
        }
    }
}

impl Block for f64 {
    const SIDE: usize = 4;

    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx")]
    unsafe fn block(from: *const f64, from_row: isize, to: *mut MaybeUninit<f64>, to_row: usize) {
        use std::arch::x86_64::*;
        // SAFETY: the contract of this function.
        let x: [__m256d; 4] =
            std::array::from_fn(|i| unsafe { _mm256_loadu_pd(from.offset(i as isize * from_row)) });
        // Pairs of neighbours, then halves.
        let low = [_mm256_unpacklo_pd(x[0], x[1]), _mm256_unpacklo_pd(x[2], x[3])];
        let high = [_mm256_unpackhi_pd(x[0], x[1]), _mm256_unpackhi_pd(x[2], x[3])];
        let columns = [
            _mm256_permute2f128_pd::<0x20>(low[0], low[1]),
            _mm256_permute2f128_pd::<0x20>(high[0], high[1]),
            _mm256_permute2f128_pd::<0x31>(low[0], low[1]),
            _mm256_permute2f128_pd::<0x31>(high[0], high[1]),
        ];
        for (j, column) in columns.into_iter().enumerate() {
            // SAFETY: the contract of this function.
            unsafe { _mm256_storeu_pd(to.add(j * to_row).cast(), column) }
        }
    }
}

impl Block for f32 {
    const SIDE: usize = 8;

    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx")]
    unsafe fn block(from: *const f32, from_row: isize, to: *mut MaybeUninit<f32>, to_row: usize) {
        use std::arch::x86_64::*;
        // SAFETY: the contract of this function.
        let x: [__m256; 8] =
            std::array::from_fn(|i| unsafe { _mm256_loadu_ps(from.offset(i as isize * from_row)) });
        // Pairs of neighbours, pairs of those, then halves.
        let pairs: [[__m256; 2]; 4] = std::array::from_fn(|i| {
            [_mm256_unpacklo_ps(x[2 * i], x[2 * i + 1]), _mm256_unpackhi_ps(x[2 * i], x[2 * i + 1])]
        });
        let fours: [[__m256; 4]; 2] = std::array::from_fn(|i| {
            let [a, b] = [pairs[2 * i], pairs[2 * i + 1]];
            [
                _mm256_shuffle_ps::<0x44>(a[0], b[0]),
                _mm256_shuffle_ps::<0xee>(a[0], b[0]),
                _mm256_shuffle_ps::<0x44>(a[1], b[1]),
                _mm256_shuffle_ps::<0xee>(a[1], b[1]),
            ]
        });
        let [upper, lower] = fours;
        for (j, (upper, lower)) in upper.into_iter().zip(lower).enumerate() {
            // SAFETY: the contract of this function.
            unsafe {
                _mm256_storeu_ps(to.add(j * to_row).cast(), _mm256_permute2f128_ps::<0x20>(upper, lower));
                let far = to.add((j + 4) * to_row);
                _mm256_storeu_ps(far.cast(), _mm256_permute2f128_ps::<0x31>(upper, lower));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Block + PartialEq + std::fmt::Debug + From<i16>>() {
        for rows in [0, 1, 3, 4, 7, 8, 9, 16, 21, 40] {
            for columns in [0, 1, 2, 4, 5, 8, 13, 16, 19] {
                let (from_row, to_row) = (columns + 3, rows + 2);
                let from: Vec<T> = (0..rows * from_row).map(|k| T::from(k as i16)).collect();
                let untouched = T::from(-1);
                let mut to = vec![MaybeUninit::new(untouched); columns * to_row];
                // SAFETY: both are as long as that takes.
                unsafe {
                    transpose([rows, columns], from.as_ptr(), from_row as isize, to.as_mut_ptr(), to_row);
                }
                for (k, x) in to.into_iter().enumerate() {
                    let (j, i) = (k / to_row, k % to_row);
                    let expected = if i < rows { from[i * from_row + j] } else { untouched };
                    // SAFETY: all were initialised.
                    assert_eq!(unsafe { x.assume_init() }, expected, "{rows} by {columns}: {i}, {j}");
                }
            }
        }
    }

    #[test]
    fn every_element_goes_to_its_place() {
        check::<f32>();
        check::<f64>();
    }
}
