//! Matrices that lie row by row, of `f64` or pairs of them.

use crate::Complex64;
use faer::linalg::matmul::matmul;
use faer::{Accum, MatMut, MatRef, Par};
use std::ops::{Add, Div, Mul, Neg, Range, Sub};

/// A real or complex number.
pub trait Scalar:
    Copy
    + PartialEq
    + std::fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Whether it has an imaginary part.
    const COMPLEX: bool;
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// Of a complex number both parts, of a real one the first.
    fn new(re: f64, im: f64) -> Self;
    /// The real part.
    fn re(self) -> f64;
    /// The imaginary part; 0 of a real number.
    fn im(self) -> f64;
    /// The conjugate.
    fn conj(self) -> Self;
    /// The modulus, without overflow.
    #[inline(always)]
    fn abs(self) -> f64 {
        if Self::COMPLEX { self.re().hypot(self.im()) } else { self.re().abs() }
    }
    /// `|re| + |im|`, by which LAPACK chooses pivots.
    #[inline(always)]
    fn abs1(self) -> f64 {
        self.re().abs() + self.im().abs()
    }
    /// The square of the modulus.
    #[inline(always)]
    fn square(self) -> f64 {
        self.re() * self.re() + self.im() * self.im()
    }
    /// A number without an imaginary part.
    #[inline(always)]
    fn real(re: f64) -> Self {
        Self::new(re, 0.0)
    }
    /// Neither infinite nor NaN.
    fn is_finite(self) -> bool {
        self.re().is_finite() && self.im().is_finite()
    }
    /// Numbers from their parts in turn, of real ones one each.
    fn from_parts(parts: Vec<f64>) -> Vec<Self>;
    /// The parts of numbers in turn, of real ones one each.
    fn into_parts(numbers: Vec<Self>) -> Vec<f64>;
    /// `c += factor a b`, or `c = factor a b`.
    fn multiply(c: MatMut<'_, Self>, how: Accum, a: MatRef<'_, Self>, b: MatRef<'_, Self>, factor: f64);
}

impl Scalar for f64 {
    const COMPLEX: bool = false;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    #[inline(always)]
    fn new(re: f64, _: f64) -> Self {
        re
    }
    #[inline(always)]
    fn re(self) -> f64 {
        self
    }
    #[inline(always)]
    fn im(self) -> f64 {
        0.0
    }
    #[inline(always)]
    fn conj(self) -> Self {
        self
    }
    fn from_parts(parts: Vec<f64>) -> Vec<f64> {
        parts
    }
    fn into_parts(numbers: Vec<f64>) -> Vec<f64> {
        numbers
    }
    fn multiply(c: MatMut<'_, f64>, how: Accum, a: MatRef<'_, f64>, b: MatRef<'_, f64>, factor: f64) {
        matmul(c, how, a, b, factor, Par::Seq);
    }
}

impl Scalar for Complex64 {
    const COMPLEX: bool = true;
    const ZERO: Self = Complex64::new(0.0, 0.0);
    const ONE: Self = Complex64::new(1.0, 0.0);
    #[inline(always)]
    fn new(re: f64, im: f64) -> Self {
        Complex64::new(re, im)
    }
    #[inline(always)]
    fn re(self) -> f64 {
        self.re
    }
    #[inline(always)]
    fn im(self) -> f64 {
        self.im
    }
    #[inline(always)]
    fn conj(self) -> Self {
        Complex64::new(self.re, -self.im)
    }
    fn from_parts(parts: Vec<f64>) -> Vec<Self> {
        parts.chunks_exact(2).map(|p| Complex64::new(p[0], p[1])).collect()
    }
    fn into_parts(numbers: Vec<Self>) -> Vec<f64> {
        numbers.into_iter().flat_map(|x| [x.re, x.im]).collect()
    }
    fn multiply(c: MatMut<'_, Self>, how: Accum, a: MatRef<'_, Self>, b: MatRef<'_, Self>, factor: f64) {
        matmul(c, how, a, b, Complex64::new(factor, 0.0), Par::Seq);
    }
}

/// A matrix in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub struct Mat<T> {
    /// How many rows.
    pub rows: usize,
    /// How many columns.
    pub cols: usize,
    /// Row after row.
    pub data: Vec<T>,
}

impl<T: Scalar> Mat<T> {
    /// All zeros.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Mat { rows, cols, data: vec![T::ZERO; rows * cols] }
    }
    /// Ones on the diagonal.
    pub fn eye(rows: usize, cols: usize) -> Self {
        let mut out = Self::zeros(rows, cols);
        (0..rows.min(cols)).for_each(|i| out[(i, i)] = T::ONE);
        out
    }
    /// The elements that a function gives for row and column.
    pub fn from_fn(rows: usize, cols: usize, f: impl Fn(usize, usize) -> T) -> Self {
        let mut data = Vec::with_capacity(rows * cols);
        for i in 0..rows {
            data.extend((0..cols).map(|j| f(i, j)));
        }
        Mat { rows, cols, data }
    }
    /// A row.
    pub fn row(&self, i: usize) -> &[T] {
        &self.data[i * self.cols..(i + 1) * self.cols]
    }
    /// A row, to be changed.
    pub fn row_mut(&mut self, i: usize) -> &mut [T] {
        &mut self.data[i * self.cols..(i + 1) * self.cols]
    }
    /// Exchanges two rows.
    pub fn swap_rows(&mut self, a: usize, b: usize) {
        if a != b {
            let (low, high) = self.data.split_at_mut(a.max(b) * self.cols);
            low[a.min(b) * self.cols..][..self.cols].swap_with_slice(&mut high[..self.cols]);
        }
    }
    /// Rows `rows` of columns `cols`.
    pub fn block(&self, rows: Range<usize>, cols: Range<usize>) -> Self {
        let mut data = Vec::with_capacity(rows.len() * cols.len());
        rows.clone().for_each(|i| data.extend_from_slice(&self.row(i)[cols.clone()]));
        Mat { rows: rows.len(), cols: cols.len(), data }
    }
    /// Two rows, the first to be read and the second to be changed. They differ.
    #[inline(always)]
    pub fn two_rows(&mut self, read: usize, changed: usize) -> (&[T], &mut [T]) {
        let cols = self.cols;
        let (low, high) = self.data.split_at_mut(read.max(changed) * cols);
        let first = read.min(changed) * cols;
        let (low, high) = (&mut low[first..first + cols], &mut high[..cols]);
        if read < changed { (low, high) } else { (high, low) }
    }
    /// The conjugate transpose.
    pub fn adjoint(&self) -> Self {
        let mut out = self.transpose();
        if T::COMPLEX {
            out.data.iter_mut().for_each(|x| *x = x.conj());
        }
        out
    }
    /// The transpose. By squares, each of which is within a few lines of the cache on both sides.
    pub fn transpose(&self) -> Self {
        const SIDE: usize = 8;
        let (rows, cols) = (self.rows, self.cols);
        let mut out = Self::zeros(cols, rows);
        for i in (0..rows).step_by(SIDE) {
            for j in (0..cols).step_by(SIDE) {
                let height = SIDE.min(rows - i);
                for c in j..(j + SIDE).min(cols) {
                    let to = &mut out.data[c * rows + i..][..height];
                    for (r, to) in to.iter_mut().enumerate() {
                        *to = self.data[(i + r) * cols + c];
                    }
                }
            }
        }
        out
    }
    /// The product with another matrix.
    pub fn times(&self, other: &Self) -> Self {
        product(self.view(), other.view())
    }
    /// No element is infinite or NaN.
    pub fn is_finite(&self) -> bool {
        self.data.iter().all(|x| x.is_finite())
    }
    /// Sets all elements.
    pub fn fill(&mut self, value: T) {
        self.data.fill(value);
    }
    pub(super) fn view(&self) -> MatRef<'_, T> {
        MatRef::from_row_major_slice(&self.data, self.rows, self.cols)
    }
}

impl<T> std::ops::Index<(usize, usize)> for Mat<T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.data[i * self.cols + j]
    }
}
impl<T> std::ops::IndexMut<(usize, usize)> for Mat<T> {
    #[inline(always)]
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        &mut self.data[i * self.cols + j]
    }
}

/// A matrix whose rows are `stride` elements apart, made as the transpose of one of columns:
/// `MatMut::from_row_major_slice_with_stride_mut` of faer 0.24 has rows and columns exchanged, and writes beyond the slice.
pub(super) fn rows_of<T>(slice: &mut [T], rows: usize, cols: usize, stride: usize) -> MatMut<'_, T> {
    MatMut::from_column_major_slice_with_stride_mut(slice, cols, rows, stride).transpose_mut()
}

/// The same, to be read.
pub(super) fn rows_from<T>(slice: &[T], rows: usize, cols: usize, stride: usize) -> MatRef<'_, T> {
    MatRef::from_column_major_slice_with_stride(slice, cols, rows, stride).transpose()
}

/// `c -= a b`.
pub(super) fn subtract_product<T: Scalar>(c: MatMut<'_, T>, a: MatRef<'_, T>, b: MatRef<'_, T>) {
    if a.nrows() > 0 && a.ncols() > 0 && b.ncols() > 0 {
        T::multiply(c, Accum::Add, a, b, -1.0);
    }
}

/// `a b`.
pub(super) fn product<T: Scalar>(a: MatRef<'_, T>, b: MatRef<'_, T>) -> Mat<T> {
    let mut out = Mat::zeros(a.nrows(), b.ncols());
    if !out.data.is_empty() && a.ncols() > 0 {
        let (rows, cols) = (out.rows, out.cols);
        T::multiply(rows_of(&mut out.data, rows, cols, cols), Accum::Replace, a, b, 1.0);
    }
    out
}
