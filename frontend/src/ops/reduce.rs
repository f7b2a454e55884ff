//! Reductions. Axes may be negative and count from the end; `&[]` means none, the methods without axes take all. Types of
//! results are those of [`super::promote`].

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::promote::{DEFAULT_INT, broadcast, computed_type, convert, floating, sum_type};
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::array::Literal;
use wengert_ir::op::{BinaryOp, Constant, Reduce, Reducer, Reshape};
use wengert_ir::types::{DType, Dims, TensorType};

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
    /// The reduction itself, in the element type there is.
    pub(crate) fn reduce(&self, op: BinaryOp, dims: Dims, at: At) -> Tensor {
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

    /// Sum or product, in the type of such sums; narrow floats are computed in `f32` and rounded once.
    fn accumulate(&self, op: BinaryOp, dims: Dims, at: At) -> Tensor {
        let dtype = sum_type(self.dtype());
        convert(&convert(self, computed_type(dtype), at).reduce(op, dims, at), dtype, at)
    }

    /// Mean of floats in the type that sums of them are computed in.
    #[track_caller]
    pub(crate) fn mean_computed(&self, dims: Dims, at: At) -> Tensor {
        let n: usize = dims.iter().map(|&d| self.shape()[d]).product();
        convert(self, computed_type(self.dtype()), at).reduce(BinaryOp::Add, dims, at) / n as f64
    }

    #[track_caller]
    pub(crate) fn mean_over(&self, dims: Dims, at: At) -> Tensor {
        let x = floating(self);
        convert(&x.mean_computed(dims, at), x.dtype(), at)
    }

    /// Maximum or minimum, which nothing has.
    pub(crate) fn extreme(&self, name: &str, op: BinaryOp, dims: Dims, at: At) -> Tensor {
        if dims.iter().any(|&d| self.shape()[d] == 0) {
            let message = format!(
                "{name}: no elements to choose from, in {} over dimensions {:?}",
                self.ty(),
                &dims[..]
            );
            fail(Error::new(message, Some(at)))
        }
        self.reduce(op, dims, at)
    }

    /// Largest over axes, which stay as dimensions of size 1; the least number of the type where there is nothing.
    pub(crate) fn max_or_least(&self, dims: &[usize], at: At) -> Tensor {
        self.keep(self.reduce(BinaryOp::Maximum, dims.into(), at), dims, at)
    }

    /// Sum of all elements. Booleans count; integers of less than 32 bits add up in 32.
    #[track_caller]
    pub fn sum(&self) -> Tensor {
        self.accumulate(BinaryOp::Add, self.all_dims(), Location::caller())
    }
    /// Sum over axes.
    #[track_caller]
    pub fn sum_axes(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        self.accumulate(BinaryOp::Add, axes("sum", self, over, at), at)
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
        self.keep(self.accumulate(BinaryOp::Add, dims.clone(), at), &dims, at)
    }
    /// Product of all elements, in the type of their sum.
    #[track_caller]
    pub fn prod(&self) -> Tensor {
        self.accumulate(BinaryOp::Multiply, self.all_dims(), Location::caller())
    }
    /// Product over axes.
    #[track_caller]
    pub fn prod_axes(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        self.accumulate(BinaryOp::Multiply, axes("prod", self, over, at), at)
    }
    /// Mean of all elements.
    #[track_caller]
    pub fn mean(&self) -> Tensor {
        self.mean_over(self.all_dims(), Location::caller())
    }
    /// Mean over axes.
    #[track_caller]
    pub fn mean_axes(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        self.mean_over(axes("mean", self, over, at), at)
    }
    /// Mean over axes, which stay as dimensions of size 1.
    #[track_caller]
    pub fn mean_keep(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        let dims = axes("mean", self, over, at);
        self.keep(self.mean_over(dims.clone(), at), &dims, at)
    }
    /// Largest element; NaN if there is one.
    ///
    /// Fails, as all methods that choose an element, if there are none.
    #[track_caller]
    pub fn max(&self) -> Tensor {
        self.extreme("max", BinaryOp::Maximum, self.all_dims(), Location::caller())
    }
    /// Largest over axes.
    #[track_caller]
    pub fn max_axes(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        self.extreme("max", BinaryOp::Maximum, axes("max", self, over, at), at)
    }
    /// Largest over axes, which stay as dimensions of size 1.
    #[track_caller]
    pub fn max_keep(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        let dims = axes("max", self, over, at);
        self.keep(self.extreme("max", BinaryOp::Maximum, dims.clone(), at), &dims, at)
    }
    /// Smallest element; NaN if there is one.
    #[track_caller]
    pub fn min(&self) -> Tensor {
        self.extreme("min", BinaryOp::Minimum, self.all_dims(), Location::caller())
    }
    /// Smallest over axes.
    #[track_caller]
    pub fn min_axes(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        self.extreme("min", BinaryOp::Minimum, axes("min", self, over, at), at)
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
    /// Whether any element is true, over axes.
    #[track_caller]
    pub fn any_axes(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        convert(self, DType::I1, at).reduce(BinaryOp::Or, axes("any", self, over, at), at)
    }
    /// Whether all elements are true, over axes.
    #[track_caller]
    pub fn all_axes(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        convert(self, DType::I1, at).reduce(BinaryOp::And, axes("all", self, over, at), at)
    }
    /// log(sum(e^x)) over axes, without overflow; -inf of nothing.
    #[track_caller]
    pub fn logsumexp(&self, over: &[isize]) -> Tensor {
        let at = Location::caller();
        let x = floating(self);
        let dims = axes("logsumexp", &x, over, at);
        let max = crate::stop_gradient(&x.real().max_or_least(&dims, at));
        let max = max.is_finite().select(&max, max.zeros_like());
        let sum = (&x - &max).exp().sum_axes(over).log();
        let shape: Dims = (0..x.rank()).filter(|i| !dims.contains(i)).map(|i| x.shape()[i]).collect();
        sum + apply_at(Reshape { shape }.into(), &[&max], at).remove(0)
    }
    /// `x - logsumexp(x)` along an axis.
    #[track_caller]
    pub fn log_softmax(&self, axis: isize) -> Tensor {
        let shifted = self.shifted("log_softmax", axis, Location::caller());
        let total = shifted.exp().sum_keep(&[axis]).log();
        shifted - total
    }
    /// `e^x / sum(e^x)` along an axis.
    #[track_caller]
    pub fn softmax(&self, axis: isize) -> Tensor {
        let e = self.shifted("softmax", axis, Location::caller()).exp();
        let total = e.sum_keep(&[axis]);
        e / total
    }

    /// Floats less the largest of them along an axis.
    #[track_caller]
    fn shifted(&self, name: &str, axis: isize, at: At) -> Tensor {
        let x = floating(self);
        let dims = axes(name, &x, &[axis], at);
        let max = crate::stop_gradient(&x.max_or_least(&dims, at));
        x - max
    }

    /// Index of the first largest element along an axis; of the first NaN if there is one.
    #[track_caller]
    pub fn argmax(&self, axis: isize) -> Tensor {
        self.arg_extreme("argmax", BinaryOp::Maximum, axis, Location::caller())
    }
    /// Index of the first smallest element along an axis; of the first NaN if there is one.
    #[track_caller]
    pub fn argmin(&self, axis: isize) -> Tensor {
        self.arg_extreme("argmin", BinaryOp::Minimum, axis, Location::caller())
    }

    #[track_caller]
    fn arg_extreme(&self, name: &str, op: BinaryOp, axis: isize, at: At) -> Tensor {
        if self.is_complex() {
            fail(Error::new(format!("{name}: complex numbers have no order, in {}", self.ty()), Some(at)))
        }
        let dims = axes(name, self, &[axis], at);
        let best = self.extreme(name, op, dims.clone(), at);
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

/// The initial value of a reduction: what nothing makes of it.
pub(crate) fn identity(op: BinaryOp, dtype: DType) -> Literal {
    let number = match op {
        // A sum of nothing is 0, not -0.
        BinaryOp::Add => 0.0,
        BinaryOp::Multiply => 1.0,
        op => match op.identity(dtype) {
            Some(identity) => return identity,
            // Complex numbers in lexicographic order.
            None if op == BinaryOp::Maximum => f64::NEG_INFINITY,
            None => f64::INFINITY,
        },
    };
    Literal::splat(TensorType::scalar(dtype), number)
}
