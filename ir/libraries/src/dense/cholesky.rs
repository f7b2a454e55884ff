//! Cholesky decomposition.

use super::matrix::{Mat, Scalar, rows_from, rows_of, subtract_product};
use super::{BLOCK, subtract_scaled, wide};

/// Rows of a square of which only the triangle is wanted that are multiplied as one.
const STRIP: usize = 64;

/// Orders that are not worth a transposition.
pub(super) const SMALL: usize = 12;

/// Overwrites one triangle of a Hermitian matrix by its Cholesky factor. Gives 0, or `k` if the minor of
/// order `k` is not positive; then only the first `k - 1` columns (rows, of an upper triangle) are done.
pub fn potrf<T: Scalar>(a: &mut Mat<T>, lower: bool) -> i32 {
    let n = a.rows;
    if lower && n <= SMALL {
        return by_columns(a);
    }
    // L = U^H, so its columns are the rows of U.
    let mut u = if lower { a.adjoint() } else { a.clone() };
    let info = factor(&mut u.data, n, 0, n).err().unwrap_or(0);
    let done = if info == 0 { n } else { info as usize - 1 };
    let found = if lower { u.adjoint() } else { u };
    for i in 0..n {
        let part = if lower { 0..done.min(i + 1) } else { i..if i < done { n } else { i } };
        a.row_mut(i)[part.clone()].copy_from_slice(&found.row(i)[part]);
    }
    info
}

/// The lower factor of a small matrix, in place, in the order of [`rows`].
fn by_columns<T: Scalar>(a: &mut Mat<T>) -> i32 {
    let n = a.rows;
    for j in 0..n {
        let mut square = 0.0;
        a.row(j)[..j].iter().for_each(|x| square += x.square());
        let d = a[(j, j)].re() - square;
        if d.is_nan() || d <= 0.0 {
            return j as i32 + 1;
        }
        let d = T::real(d.sqrt());
        a[(j, j)] = d;
        for i in j + 1..n {
            let (above, row) = a.two_rows(j, i);
            let mut sum = row[j];
            row[..j].iter().zip(&above[..j]).for_each(|(&x, y)| sum = sum - x * y.conj());
            row[j] = sum / d;
        }
    }
    0
}

/// Turns rows `first..end` of the remainder of a Hermitian matrix of order `n` into those of U.
fn factor<T: Scalar>(a: &mut [T], n: usize, first: usize, end: usize) -> Result<(), i32> {
    if end - first <= BLOCK {
        return wide(
            #[inline(always)]
            || rows(a, n, first, end),
        );
    }
    let middle = first + ((end - first) / 2).next_multiple_of(BLOCK);
    factor(a, n, first, middle)?;
    let (above, below) = a.split_at_mut(middle * n);
    let count = middle - first;
    for row in (middle..end).step_by(STRIP) {
        let height = STRIP.min(end - row);
        let left = rows_from(&above[first * n + row..], count, height, n);
        let right = rows_from(&above[first * n + row..], count, n - row, n);
        let rest = rows_of(&mut below[(row - middle) * n + row..], height, n - row, n);
        match T::COMPLEX {
            true => {
                let left = Mat::from_fn(height, count, |i, j| left[(j, i)].conj());
                subtract_product(rest, left.view(), right);
            }
            false => subtract_product(rest, left.transpose(), right),
        }
    }
    factor(a, n, middle, end)
}

/// The same of a block: each row is done, and taken from those below it.
#[inline(always)]
fn rows<T: Scalar>(a: &mut [T], n: usize, first: usize, end: usize) -> Result<(), i32> {
    let mut squares = [0.0; BLOCK];
    for k in first..end {
        let (above, below) = a[..end * n].split_at_mut((k + 1) * n);
        let row = &mut above[k * n..];
        let d = row[k].re() - squares[k - first];
        if d.is_nan() || d <= 0.0 {
            return Err(k as i32 + 1);
        }
        let d = d.sqrt();
        row[k] = T::real(d);
        for x in &mut row[k + 1..] {
            *x = *x / T::real(d);
        }
        for (i, below) in (k + 1..end).zip(below.chunks_exact_mut(n)) {
            squares[i - first] += row[i].square();
            subtract_scaled(&mut below[i + 1..], row[i].conj(), &row[i + 1..]);
        }
    }
    Ok(())
}
