//! Products of matrices that lie row by row, for factorizations by blocks.

use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use num_complex::Complex64;

/// A matrix whose rows are `stride` elements apart, made as the transpose of one of columns:
/// `MatMut::from_row_major_slice_with_stride_mut` of faer 0.24 has rows and columns exchanged, and writes beyond the slice.
fn rows_of<T>(slice: &mut [T], rows: usize, cols: usize, stride: usize) -> MatMut<'_, T> {
    MatMut::from_column_major_slice_with_stride_mut(slice, cols, rows, stride).transpose_mut()
}

/// `c -= a b`, where `a` is `m` x `k` and `b` is `k` x `n`, both without gaps, and the rows of `c` are `stride` elements apart.
///
/// Panics if a slice is too short.
pub fn subtract_product_real(c: &mut [f64], stride: usize, sizes: [usize; 3], a: &[f64], b: &[f64]) {
    let [m, n, k] = sizes;
    if m > 0 && n > 0 && k > 0 {
        let c = rows_of(c, m, n, stride);
        let (a, b) = (MatRef::from_row_major_slice(a, m, k), MatRef::from_row_major_slice(b, k, n));
        matmul(c, Accum::Add, a, b, -1.0, Par::Seq);
    }
}

/// The same of complex numbers.
///
/// Panics if a slice is too short.
pub fn subtract_product_complex(
    c: &mut [Complex64],
    stride: usize,
    sizes: [usize; 3],
    a: &[Complex64],
    b: &[Complex64],
) {
    let [m, n, k] = sizes;
    if m > 0 && n > 0 && k > 0 {
        let c = rows_of(c, m, n, stride);
        let (a, b) = (MatRef::from_row_major_slice(a, m, k), MatRef::from_row_major_slice(b, k, n));
        matmul(c, Accum::Add, a, b, Complex64::new(-1.0, 0.0), Par::Seq);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_taken_away_where_they_belong() {
        let (m, n, k, stride) = (3, 2, 4, 5);
        let at = |i: usize| (i as f64 * 0.37).sin();
        let a: Vec<f64> = (0..m * k).map(at).collect();
        let b: Vec<f64> = (0..k * n).map(|i| at(i + 50)).collect();
        let before: Vec<f64> = (0..m * stride).map(|i| at(i + 90)).collect();
        let want = |i: usize, j: usize| {
            before[i * stride + j] - (0..k).map(|l| a[i * k + l] * b[l * n + j]).sum::<f64>()
        };
        let mut c = before.clone();
        subtract_product_real(&mut c, stride, [m, n, k], &a, &b);
        let complex = |x: &[f64]| x.iter().map(|&x| Complex64::new(0.0, x)).collect::<Vec<_>>();
        let mut z: Vec<Complex64> = before.iter().map(|&x| Complex64::new(-x, 0.0)).collect();
        subtract_product_complex(&mut z, stride, [m, n, k], &complex(&a), &complex(&b));
        for i in 0..m {
            for j in 0..stride {
                let want = if j < n { want(i, j) } else { before[i * stride + j] };
                assert!((c[i * stride + j] - want).abs() < 1e-14);
                assert!((z[i * stride + j].re + want).abs() < 1e-14 && z[i * stride + j].im == 0.0);
            }
        }
    }
}
