//! Making tensors. Under `jit` these are operations of the program like any other.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::arrange::near;
use crate::ops::promote::{Operand, broadcast, counting, filled};
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{Constant, Iota};
use wengert_ir::types::{DType, TensorType};

impl Tensor {
    /// Zeros (`false` for booleans).
    #[track_caller]
    pub fn zeros(shape: &[usize], dtype: DType) -> Tensor {
        Self::full(shape, 0.0, dtype)
    }
    /// Ones (`true` for booleans).
    #[track_caller]
    pub fn ones(shape: &[usize], dtype: DType) -> Tensor {
        Self::full(shape, 1.0, dtype)
    }
    /// `value` everywhere: rounded to a float type, cut and saturated to an integer type (NaN is 0).
    #[track_caller]
    pub fn full(shape: &[usize], value: f64, dtype: DType) -> Tensor {
        let value = filled(TensorType::new(dtype, shape), value);
        apply_at(Constant { value }.into(), &[], Location::caller()).remove(0)
    }
    pub(crate) fn zeros_of(ty: &TensorType) -> Tensor {
        Self::full(&ty.shape, 0.0, ty.dtype)
    }
    /// Zeros of this tensor's type.
    #[track_caller]
    pub fn zeros_like(&self) -> Tensor {
        Self::full(self.shape(), 0.0, self.dtype())
    }
    /// Ones of this tensor's type.
    #[track_caller]
    pub fn ones_like(&self) -> Tensor {
        Self::full(self.shape(), 1.0, self.dtype())
    }
    /// `value` everywhere, with this tensor's type.
    #[track_caller]
    pub fn full_like(&self, value: f64) -> Tensor {
        Self::full(self.shape(), value, self.dtype())
    }
    /// `0, 1, .. n-1`.
    #[track_caller]
    pub fn arange(n: usize, dtype: DType) -> Tensor {
        Self::iota(&[n], 0, dtype)
    }
    /// The index along dimension `dim`.
    #[track_caller]
    pub fn iota(shape: &[usize], dim: usize, dtype: DType) -> Tensor {
        apply_at(Iota { ty: TensorType::new(dtype, shape), dim }.into(), &[], Location::caller()).remove(0)
    }
    /// `n` values from `start` to `stop`, both included and exact, as `jnp.linspace`; integers are rounded down.
    ///
    /// ```
    /// use wengert::{DType, Tensor};
    /// assert_eq!(Tensor::linspace(0.0, 1.0, 3, DType::F32).to_vec::<f32>(), [0.0, 0.5, 1.0]);
    /// assert_eq!(Tensor::linspace(0.0, 10.0, 5, DType::I32).to_vec::<i32>(), [0, 2, 5, 7, 10]);
    /// ```
    #[track_caller]
    pub fn linspace(start: f64, stop: f64, n: usize, dtype: DType) -> Tensor {
        if dtype.is_integer() {
            return Self::linspace(start, stop, n, DType::F64).floor().astype(dtype);
        }
        if n < 2 {
            return Self::full(&[n], start, dtype);
        }
        let t = Self::arange(n - 1, dtype) / (n - 1) as f64;
        let inner = (1.0 - &t) * start + t * stop;
        crate::concatenate(&[inner, Self::full(&[1], stop, dtype)], 0)
    }
    /// The n x n identity.
    #[track_caller]
    pub fn eye(n: usize, dtype: DType) -> Tensor {
        let (i, j) = (Self::iota(&[n, n], 0, DType::I32), Self::iota(&[n, n], 1, DType::I32));
        i.equal(&j).astype(dtype)
    }
    /// `start, start + step, ..` up to `stop`, which is left out.
    ///
    /// ```
    /// use wengert::{DType, Tensor};
    /// assert_eq!(Tensor::arange_step(1.0, 2.0, 0.25, DType::F64).to_vec::<f64>(), [1.0, 1.25, 1.5, 1.75]);
    /// assert_eq!(Tensor::arange_step(3.0, 0.0, -1.0, DType::I32).to_vec::<i32>(), [3, 2, 1]);
    /// ```
    ///
    /// Fails for a step that is zero or no number, and if no memory could hold so many values.
    #[track_caller]
    pub fn arange_step(start: f64, stop: f64, step: f64, dtype: DType) -> Tensor {
        let n = ((stop - start) / step).ceil();
        if step == 0.0 || n.is_nan() || n > isize::MAX as f64 {
            let message =
                format!("arange_step: from {start} to {stop} there is no number of steps of {step}");
            fail(Error::new(message, Some(Location::caller())))
        }
        let n = if n > 0.0 { n as usize } else { 0 };
        if dtype.is_integer() {
            return Self::arange(n, dtype) * step as i64 + start as i64;
        }
        Self::arange(n, dtype) * step + start
    }
    /// `n` values from `10^start` to `10^stop`, evenly spaced on a logarithmic scale; integers are rounded towards zero.
    ///
    /// ```
    /// use wengert::{DType, Tensor};
    /// assert_eq!(Tensor::logspace(0.0, 2.5, 6, DType::I32).to_vec::<i32>(), [1, 3, 10, 31, 100, 316]);
    /// ```
    #[track_caller]
    pub fn logspace(start: f64, stop: f64, n: usize, dtype: DType) -> Tensor {
        if dtype.is_integer() {
            return Self::logspace(start, stop, n, DType::F64).astype(dtype);
        }
        let exponents = Self::linspace(start, stop, n, dtype);
        exponents.full_like(10.0).pow(&exponents)
    }
    /// The `n` x `m` matrix with ones on diagonal `k`.
    #[track_caller]
    pub fn eye_offset(n: usize, m: usize, k: isize, dtype: DType) -> Tensor {
        let (i, j) = (Self::iota(&[n, m], 0, DType::I32), Self::iota(&[n, m], 1, DType::I32));
        (i + near(k, &[n, m])).equal(&j).astype(dtype)
    }
    /// The lower triangle of ones of an `n` x `m` matrix, up to diagonal `k`.
    #[track_caller]
    pub fn tri(n: usize, m: usize, k: isize, dtype: DType) -> Tensor {
        let (i, j) = (Self::iota(&[n, m], 0, DType::I32), Self::iota(&[n, m], 1, DType::I32));
        (i + near(k, &[n, m])).greater_equal(&j).astype(dtype)
    }
    /// Rows of zeros with a one at each index: shape `[.., classes]`.
    #[track_caller]
    pub fn one_hot(&self, classes: usize, dtype: DType) -> Tensor {
        let mut shape = self.shape().to_vec();
        shape.push(classes);
        let at = Location::caller();
        let index = counting(self);
        let classes = Self::iota(&shape, shape.len() - 1, index.dtype());
        broadcast(&index.expand_dims(-1), &shape, at).equal(classes).astype(dtype)
    }
    /// `value`, a Rust scalar or tensor, with this tensor's element type.
    #[track_caller]
    pub fn like(&self, value: impl Operand) -> Tensor {
        value.beside(self).astype(self.dtype())
    }
}
