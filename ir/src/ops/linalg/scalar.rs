//! The numbers that factorizations compute with: `f64` and pairs of them. Narrower types are widened on the
//! way in and rounded on the way out, which errs less than LAPACK does in their own precision.

use crate::array::Array;
use crate::rules::EvalError;
use crate::types::{DType, TensorType};
use std::ops::{Add, Div, Mul, Neg, Range, Sub};

/// A complex number of `f64`.
pub(super) type C = wengert_libraries::Complex64;

/// A real or complex number.
pub(super) trait Scalar:
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
    const ZERO: Self;
    const ONE: Self;
    fn new(re: f64, im: f64) -> Self;
    fn re(self) -> f64;
    fn im(self) -> f64;
    fn conj(self) -> Self;
    /// The modulus, without overflow.
    fn abs(self) -> f64 {
        if Self::COMPLEX { self.re().hypot(self.im()) } else { self.re().abs() }
    }
    /// `|re| + |im|`, by which LAPACK chooses pivots.
    fn abs1(self) -> f64 {
        self.re().abs() + self.im().abs()
    }
    fn real(re: f64) -> Self {
        Self::new(re, 0.0)
    }
    fn is_finite(self) -> bool {
        self.re().is_finite() && self.im().is_finite()
    }
    /// `c -= a b` for sizes `m`, `n`, `k`; the rows of `c` are `stride` apart, `a` and `b` have no gaps.
    fn subtract_product(c: &mut [Self], stride: usize, sizes: [usize; 3], a: &[Self], b: &[Self]);
}

impl Scalar for f64 {
    const COMPLEX: bool = false;
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;
    fn new(re: f64, _: f64) -> Self {
        re
    }
    fn re(self) -> f64 {
        self
    }
    fn im(self) -> f64 {
        0.0
    }
    fn conj(self) -> Self {
        self
    }
    fn subtract_product(c: &mut [f64], stride: usize, sizes: [usize; 3], a: &[f64], b: &[f64]) {
        wengert_libraries::subtract_product_real(c, stride, sizes, a, b);
    }
}

impl Scalar for C {
    const COMPLEX: bool = true;
    const ZERO: Self = C::new(0.0, 0.0);
    const ONE: Self = C::new(1.0, 0.0);
    fn new(re: f64, im: f64) -> Self {
        C::new(re, im)
    }
    fn re(self) -> f64 {
        self.re
    }
    fn im(self) -> f64 {
        self.im
    }
    fn conj(self) -> Self {
        C::conj(&self)
    }
    fn subtract_product(c: &mut [C], stride: usize, sizes: [usize; 3], a: &[C], b: &[C]) {
        wengert_libraries::subtract_product_complex(c, stride, sizes, a, b);
    }
}

/// A matrix in row-major order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Mat<T> {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) data: Vec<T>,
}

impl<T: Scalar> Mat<T> {
    pub(super) fn zeros(rows: usize, cols: usize) -> Self {
        Mat { rows, cols, data: vec![T::ZERO; rows * cols] }
    }
    pub(super) fn eye(rows: usize, cols: usize) -> Self {
        Self::from_fn(rows, cols, |i, j| if i == j { T::ONE } else { T::ZERO })
    }
    pub(super) fn from_fn(rows: usize, cols: usize, f: impl Fn(usize, usize) -> T) -> Self {
        let data = (0..rows * cols).map(|k| f(k / cols, k % cols)).collect();
        Mat { rows, cols, data }
    }
    pub(super) fn row(&self, i: usize) -> &[T] {
        &self.data[i * self.cols..(i + 1) * self.cols]
    }
    /// Exchanges two rows.
    pub(super) fn swap_rows(&mut self, a: usize, b: usize) {
        for j in 0..self.cols {
            self.data.swap(a * self.cols + j, b * self.cols + j);
        }
    }
    /// Rows `rows` of columns `cols`.
    pub(super) fn block(&self, rows: Range<usize>, cols: Range<usize>) -> Self {
        let data = rows.clone().flat_map(|i| self.row(i)[cols.clone()].iter().copied()).collect();
        Mat { rows: rows.len(), cols: cols.len(), data }
    }
    /// Subtracts the product of two matrices from the block whose first element is there.
    pub(super) fn subtract_product(&mut self, (row, col): (usize, usize), a: &Self, b: &Self) {
        let at = row * self.cols + col;
        if a.rows > 0 && b.cols > 0 {
            T::subtract_product(&mut self.data[at..], self.cols, [a.rows, b.cols, a.cols], &a.data, &b.data);
        }
    }
    /// Two rows, the first to be read and the second to be changed. They differ.
    pub(super) fn two_rows(&mut self, read: usize, changed: usize) -> (&[T], &mut [T]) {
        let cols = self.cols;
        let (low, high) = self.data.split_at_mut(read.max(changed) * cols);
        let first = read.min(changed) * cols;
        let (low, high) = (&mut low[first..first + cols], &mut high[..cols]);
        if read < changed { (low, high) } else { (high, low) }
    }
    /// The conjugate transpose.
    pub(super) fn adjoint(&self) -> Self {
        Self::from_fn(self.cols, self.rows, |i, j| self[(j, i)].conj())
    }
    pub(super) fn is_finite(&self) -> bool {
        self.data.iter().all(|x| x.is_finite())
    }
    pub(super) fn fill(&mut self, value: T) {
        self.data.fill(value);
    }
}

impl<T> std::ops::Index<(usize, usize)> for Mat<T> {
    type Output = T;
    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.data[i * self.cols + j]
    }
}
impl<T> std::ops::IndexMut<(usize, usize)> for Mat<T> {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        &mut self.data[i * self.cols + j]
    }
}

/// The real type of a float or complex type.
pub(super) fn real_dtype(dtype: DType) -> DType {
    match dtype {
        DType::C64 => DType::F32,
        DType::C128 => DType::F64,
        other => other,
    }
}

/// The complex type of a float or complex type.
pub(super) fn complex_dtype(dtype: DType) -> DType {
    match dtype {
        DType::F32 => DType::C64,
        DType::F64 => DType::C128,
        other => other,
    }
}

fn pairs(bytes: &[u8], size: usize, one: impl Fn(&[u8]) -> f64) -> Vec<f64> {
    bytes.chunks_exact(size).map(one).collect()
}

/// The elements of a float array, or real and imaginary parts in turn.
pub(super) fn parts(x: &Array) -> Result<Vec<f64>, EvalError> {
    let b = x.bytes();
    Ok(match x.dtype() {
        DType::F64 | DType::C128 => {
            pairs(b, 8, |c| f64::from_le_bytes([c[0], c[1], c[2], c[3], c[4], c[5], c[6], c[7]]))
        }
        DType::F32 | DType::C64 => pairs(b, 4, |c| f32::from_le_bytes([c[0], c[1], c[2], c[3]]) as f64),
        DType::F16 => pairs(b, 2, |c| half::f16::from_le_bytes([c[0], c[1]]).to_f64()),
        DType::BF16 => pairs(b, 2, |c| half::bf16::from_le_bytes([c[0], c[1]]).to_f64()),
        other => return Err(EvalError::Unsupported(format!("linear algebra over {other}"))),
    })
}

/// An array of a float or complex type from [`parts`]. Panics if there are too few.
pub(super) fn from_parts(ty: TensorType, parts: &[f64]) -> Array {
    let mut out = Array::zeros(ty);
    let dtype = out.dtype();
    let bytes = out.bytes_mut();
    match dtype {
        DType::F64 | DType::C128 => {
            for (c, v) in bytes.chunks_exact_mut(8).zip(parts) {
                c.copy_from_slice(&v.to_le_bytes());
            }
        }
        DType::F32 | DType::C64 => {
            for (c, v) in bytes.chunks_exact_mut(4).zip(parts) {
                c.copy_from_slice(&(*v as f32).to_le_bytes());
            }
        }
        DType::F16 => {
            for (c, v) in bytes.chunks_exact_mut(2).zip(parts) {
                c.copy_from_slice(&half::f16::from_f64(*v).to_le_bytes());
            }
        }
        DType::BF16 => {
            for (c, v) in bytes.chunks_exact_mut(2).zip(parts) {
                c.copy_from_slice(&half::bf16::from_f64(*v).to_le_bytes());
            }
        }
        other => unreachable!("`infer` admits floats and complex numbers, not {other}"),
    }
    out
}

/// The elements of an array whose type is real if and only if `T` is.
pub(super) fn load<T: Scalar>(x: &Array) -> Result<Vec<T>, EvalError> {
    let parts = parts(x)?;
    Ok(if T::COMPLEX {
        parts.chunks_exact(2).map(|p| T::new(p[0], p[1])).collect()
    } else {
        parts.into_iter().map(T::real).collect()
    })
}

/// An array from elements.
pub(super) fn store<T: Scalar>(ty: TensorType, elements: &[T]) -> Array {
    let parts: Vec<f64> = if ty.dtype.is_complex() {
        elements.iter().flat_map(|x| [x.re(), x.im()]).collect()
    } else {
        elements.iter().map(|x| x.re()).collect()
    };
    from_parts(ty, &parts)
}

/// The matrices of a batch, in order.
pub(super) fn matrices<T: Scalar>(x: &Array) -> Result<Vec<Mat<T>>, EvalError> {
    let (rows, cols) = sizes(x.shape());
    let all = load::<T>(x)?;
    let batches: usize = x.shape()[..x.shape().len() - 2].iter().product();
    let size = rows * cols;
    Ok((0..batches).map(|b| Mat { rows, cols, data: all[b * size..(b + 1) * size].to_vec() }).collect())
}

/// Rows and columns of a batch of matrices.
pub(super) fn sizes(shape: &[usize]) -> (usize, usize) {
    let rank = shape.len();
    (shape[rank - 2], shape[rank - 1])
}
