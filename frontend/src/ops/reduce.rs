//! Reductions. Axes may be negative and count from the end; `&[]` means none, the methods without axes take all.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::promote::{DEFAULT_FLOAT, DEFAULT_INT, broadcast, convert};
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::array::Literal;
use wengert_ir::op::{BinaryOp, Constant, Reduce, Reducer, Reshape};
use wengert_ir::types::{DType, DTypeClass, Dims, TensorType};

type At = &'static Location<'static>;

/// The axes as ascending dimensions.
pub(crate) fn axes(name: &str, x: &Tensor, axes: &[isize], at: At) -> Dims {
    let rank = x.rank() as isize;
    let mut dims = Dims::new();
    for &a in axes {
        let d = if a < 0 { a + rank } else { a };
        if d < 0 || d >= rank || dims.contains(&(d as usize)) {
            let message = format!("{name}: axis {a} is out of range or repeated for {}", x.ty());
            fail(Error::new(message, Some(at)))
        }
        dims.push(d as usize);
    }
    dims.sort_unstable();
    dims
}

impl Tensor {
    fn reduce(&self, op: BinaryOp, dims: Dims, at: At) -> Tensor {
        let init = apply_at(Constant { value: identity(op, self.dtype()) }.into(), &[], at).remove(0);
        apply_at(Reduce { dims, inputs: 1, reducer: Reducer::Op(op) }.into(), &[self, &init], at).remove(0)
    }

    fn all_dims(&self) -> Dims {
        (0..self.rank()).collect()
    }

    /// The shape with reduced dimensions kept as 1.
    fn keep(&self, reduced: Tensor, dims: &[usize], at: At) -> Tensor {
        let shape: Dims =
            (0..self.rank()).map(|i| if dims.contains(&i) { 1 } else { self.shape()[i] }).collect();
        apply_at(Reshape { shape }.into(), &[&reduced], at).remove(0)
    }

    /// Sum of all elements. Booleans count.
    #[track_caller]
    pub fn sum(&self) -> Tensor {
        let at = Location::caller();
        countable(self, at).reduce(BinaryOp::Add, self.all_dims(), at)
    }
    /// Sum over axes.
    #[track_caller]
    pub fn sum_axes(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        countable(self, at).reduce(BinaryOp::Add, axes("sum", self, over, at), at)
    }
    /// Sum over one axis.
    #[track_caller]
    pub fn sum_axis(&self, axis: isize) -> Tensor {
        self.sum_axes(&[axis])
    }
    /// Sum over axes, which stay as dimensions of size 1.
    #[track_caller]
    pub fn sum_keep(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        let dims = axes("sum", self, over, at);
        self.keep(countable(self, at).reduce(BinaryOp::Add, dims.clone(), at), &dims, at)
    }
    /// Product of all elements.
    #[track_caller]
    pub fn prod(&self) -> Tensor {
        let at = Location::caller();
        countable(self, at).reduce(BinaryOp::Multiply, self.all_dims(), at)
    }
    /// Product over axes.
    #[track_caller]
    pub fn prod_axes(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        countable(self, at).reduce(BinaryOp::Multiply, axes("prod", self, over, at), at)
    }
    /// Mean of all elements.
    #[track_caller]
    pub fn mean(&self) -> Tensor {
        let n = self.len() as f64;
        floating(self, Location::caller()).sum() / n
    }
    /// Mean over axes.
    #[track_caller]
    pub fn mean_axes(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        let n: usize = axes("mean", self, over, at).iter().map(|&d| self.shape()[d]).product();
        floating(self, at).sum_axes(over) / n as f64
    }
    /// Mean over axes, which stay as dimensions of size 1.
    #[track_caller]
    pub fn mean_keep(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        let n: usize = axes("mean", self, over, at).iter().map(|&d| self.shape()[d]).product();
        floating(self, at).sum_keep(over) / n as f64
    }
    /// Mean squared distance from the mean, over axes.
    #[track_caller]
    pub fn var_axes(&self, over: &[isize]) -> Tensor {
        (self - self.mean_keep(over)).square().mean_axes(over)
    }
    /// Largest element; NaN if there is one, -inf (or the least integer) if there are none.
    #[track_caller]
    pub fn max(&self) -> Tensor {
        self.reduce(BinaryOp::Maximum, self.all_dims(), Location::caller())
    }
    /// Largest over axes.
    #[track_caller]
    pub fn max_axes(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        self.reduce(BinaryOp::Maximum, axes("max", self, over, at), at)
    }
    /// Largest over axes, which stay as dimensions of size 1.
    #[track_caller]
    pub fn max_keep(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        let dims = axes("max", self, over, at);
        self.keep(self.reduce(BinaryOp::Maximum, dims.clone(), at), &dims, at)
    }
    /// Smallest element; NaN if there is one, +inf (or the largest integer) if there are none.
    #[track_caller]
    pub fn min(&self) -> Tensor {
        self.reduce(BinaryOp::Minimum, self.all_dims(), Location::caller())
    }
    /// Smallest over axes.
    #[track_caller]
    pub fn min_axes(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        self.reduce(BinaryOp::Minimum, axes("min", self, over, at), at)
    }
    /// Whether any element is true.
    #[track_caller]
    pub fn any(&self) -> Tensor {
        let at = Location::caller();
        convert(self, DType::I1, at).reduce(BinaryOp::Or, self.all_dims(), at)
    }
    /// Whether all elements are true.
    #[track_caller]
    pub fn all(&self) -> Tensor {
        let at = Location::caller();
        convert(self, DType::I1, at).reduce(BinaryOp::And, self.all_dims(), at)
    }
    /// log(sum(e^x)) over axes, without overflow.
    #[track_caller]
    pub fn logsumexp(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        let dims = axes("logsumexp", self, over, at);
        let max = crate::stop_gradient(&self.max_keep(over));
        let max = max.is_finite().select(&max, &max.zeros_like());
        let sum = (self - &max).exp().sum_axes(over).log();
        let shape: Dims = (0..self.rank()).filter(|i| !dims.contains(i)).map(|i| self.shape()[i]).collect();
        sum + apply_at(Reshape { shape }.into(), &[&max], at).remove(0)
    }
    /// `x - logsumexp(x)` along an axis.
    #[track_caller]
    pub fn log_softmax(&self, axis: isize) -> Tensor {
        let max = crate::stop_gradient(&self.max_keep(&[axis]));
        let shifted = self - max;
        let total = shifted.exp().sum_keep(&[axis]).log();
        shifted - total
    }
    /// `e^x / sum(e^x)` along an axis.
    #[track_caller]
    pub fn softmax(&self, axis: isize) -> Tensor {
        let max = crate::stop_gradient(&self.max_keep(&[axis]));
        let e = (self - max).exp();
        let total = e.sum_keep(&[axis]);
        e / total
    }
    /// Index of the first largest element along an axis; of the first NaN if there is one.
    #[track_caller]
    pub fn argmax(&self, axis: isize) -> Tensor {
        self.arg_extreme(axis, true)
    }
    /// Index of the first smallest element along an axis; of the first NaN if there is one.
    #[track_caller]
    pub fn argmin(&self, axis: isize) -> Tensor {
        self.arg_extreme(axis, false)
    }

    #[track_caller]
    fn arg_extreme(&self, axis: isize, largest: bool) -> Tensor {
        let at = Location::caller();
        let dims = axes("argmax", self, &[axis], at);
        let best = self.reduce(if largest { BinaryOp::Maximum } else { BinaryOp::Minimum }, dims.clone(), at);
        let best = broadcast(&self.keep(best, &dims, at), self.shape(), at);
        let mut hit = self.equal(&best);
        if self.dtype().is_float() {
            hit = hit.logical_or(self.is_nan());
        }
        let index = Tensor::iota(self.shape(), dims[0], DEFAULT_INT);
        let none = index.full_like(self.shape()[dims[0]] as f64);
        hit.select(&index, &none).reduce(BinaryOp::Minimum, dims, at)
    }
}

/// Booleans as integers; the rest as it is.
pub(crate) fn countable(x: &Tensor, at: At) -> Tensor {
    if x.dtype() == DType::I1 { convert(x, DEFAULT_INT, at) } else { x.clone() }
}

/// Integers and booleans as floats; the rest as it is.
pub(crate) fn floating(x: &Tensor, at: At) -> Tensor {
    if x.dtype().is_differentiable() { x.clone() } else { convert(x, DEFAULT_FLOAT, at) }
}

/// The initial value of a reduction.
pub(crate) fn identity(op: BinaryOp, dtype: DType) -> Literal {
    let ty = TensorType::scalar(dtype);
    let value = match op {
        BinaryOp::Multiply => 1.0,
        BinaryOp::And => return all_ones(ty),
        BinaryOp::Maximum | BinaryOp::Minimum => {
            let low = op == BinaryOp::Maximum;
            match dtype.class() {
                DTypeClass::Float | DTypeClass::Complex => {
                    if low {
                        f64::NEG_INFINITY
                    } else {
                        f64::INFINITY
                    }
                }
                DTypeClass::Bool => (!low) as u8 as f64,
                DTypeClass::Unsigned if low => 0.0,
                DTypeClass::Unsigned => return all_ones(ty),
                DTypeClass::Signed => return signed_bound(ty, low),
            }
        }
        _ => 0.0,
    };
    Literal::splat(ty, value)
}

fn all_ones(ty: TensorType) -> Literal {
    let byte = if ty.dtype == DType::I1 { 1 } else { 0xff };
    let bytes = vec![byte; ty.dtype.size()];
    Literal::splat_bytes(ty, &bytes)
}

/// The least or largest signed integer.
fn signed_bound(ty: TensorType, low: bool) -> Literal {
    let mut bytes = vec![if low { 0 } else { 0xff }; ty.dtype.size()];
    if let Some(top) = bytes.last_mut() {
        *top = if low { 0x80 } else { 0x7f };
    }
    Literal::splat_bytes(ty, &bytes)
}
