//! Statistics and reductions beyond the plain ones, with NumPy's names.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::promote::{DEFAULT_FLOAT, DEFAULT_INT, Operand};
use crate::ops::reduce::axes;
use std::panic::Location;
use wengert_ir::types::DType;

/// Integers and booleans as floats; the rest as it is.
fn floating(x: &Tensor) -> Tensor {
    if x.dtype().is_differentiable() { x.clone() } else { x.astype(DEFAULT_FLOAT) }
}

impl Tensor {
    /// All axes.
    fn every(&self) -> Vec<isize> {
        (0..self.rank() as isize).collect()
    }

    /// Mean squared distance from the mean of all elements.
    #[track_caller]
    pub fn var(&self) -> Tensor {
        self.var_ddof(&self.every(), 0.0)
    }

    /// Variance over axes with a divisor of `n - ddof`; 1 makes it unbiased.
    #[track_caller]
    pub fn var_ddof(&self, over: &[isize], ddof: f64) -> Tensor {
        let at = Location::caller();
        let x = floating(self);
        let n: usize = axes("var", &x, over, at).iter().map(|&d| x.shape()[d]).product();
        (&x - x.mean_keep(over)).square().sum_axes(over) / (n as f64 - ddof)
    }

    /// Standard deviation of all elements: the square root of [`Self::var`].
    #[track_caller]
    pub fn std(&self) -> Tensor {
        self.var().sqrt()
    }

    /// Standard deviation over axes.
    #[track_caller]
    pub fn std_axes(&self, over: &[isize]) -> Tensor {
        self.var_ddof(over, 0.0).sqrt()
    }

    /// Standard deviation over axes with a divisor of `n - ddof`.
    #[track_caller]
    pub fn std_ddof(&self, over: &[isize], ddof: f64) -> Tensor {
        self.var_ddof(over, ddof).sqrt()
    }

    /// Largest minus smallest over axes.
    #[track_caller]
    pub fn ptp(&self, over: &[isize]) -> Tensor {
        self.max_axes(over) - self.min_axes(over)
    }

    /// Mean over axes, each element weighted; the weights broadcast.
    #[track_caller]
    pub fn average(&self, weights: &Tensor, over: &[isize]) -> Tensor {
        let weights = weights.broadcast_to(self.shape());
        (self * &weights).sum_axes(over) / weights.sum_axes(over)
    }

    /// Covariance of the rows of a matrix, each a variable and each column an observation; divided by `n - ddof`. A vector
    /// is one variable.
    ///
    /// Fails for more than two dimensions.
    #[track_caller]
    pub fn cov(&self, ddof: f64) -> Tensor {
        if self.rank() > 2 {
            let message = format!("cov: takes a matrix or a vector, not {}", self.ty());
            fail(Error::new(message, Some(Location::caller())))
        }
        let x = floating(self);
        let n = x.shape().last().copied().unwrap_or(1) as f64 - ddof;
        if x.rank() < 2 {
            let x = x.flatten();
            let x = &x - x.mean();
            return x.square().sum() / n;
        }
        let x = &x - x.mean_keep(&[1]);
        x.matmul(&x.t()) / n
    }

    /// Correlation coefficients of the rows of a matrix.
    ///
    /// Fails unless it is a matrix.
    #[track_caller]
    pub fn corrcoef(&self) -> Tensor {
        if self.rank() != 2 {
            let message = format!("corrcoef: takes a matrix, not {}", self.ty());
            fail(Error::new(message, Some(Location::caller())))
        }
        let c = self.cov(1.0);
        let spread = c.diag(0).sqrt();
        c / spread.expand_dims(1) / spread.expand_dims(0)
    }

    /// How many elements are not zero, over axes.
    #[track_caller]
    pub fn count_nonzero(&self, over: &[isize]) -> Tensor {
        self.astype(DType::I1).astype(DEFAULT_INT).sum_axes(over)
    }

    /// Whether any element is true, over axes.
    #[track_caller]
    pub fn any_axes(&self, over: &[isize]) -> Tensor {
        // The largest of booleans is their disjunction.
        self.astype(DType::I1).max_axes(over)
    }

    /// Whether all elements are true, over axes.
    #[track_caller]
    pub fn all_axes(&self, over: &[isize]) -> Tensor {
        self.astype(DType::I1).min_axes(over)
    }

    /// Smallest over axes, which stay as dimensions of size 1.
    #[track_caller]
    pub fn min_keep(&self, over: &[isize]) -> Tensor {
        self.kept(self.min_axes(over), over)
    }

    /// Product over axes, which stay as dimensions of size 1.
    #[track_caller]
    pub fn prod_keep(&self, over: &[isize]) -> Tensor {
        self.kept(self.prod_axes(over), over)
    }

    /// Variance over axes, which stay as dimensions of size 1.
    #[track_caller]
    pub fn var_keep(&self, over: &[isize]) -> Tensor {
        self.kept(self.var_axes(over), over)
    }

    #[track_caller]
    fn kept(&self, reduced: Tensor, over: &[isize]) -> Tensor {
        let at = Location::caller();
        let dims = axes("reduce", self, over, at);
        let shape = (0..self.rank()).map(|d| if dims.contains(&d) { 1 } else { self.shape()[d] }).collect();
        reduced.reshape_to(shape, at)
    }

    /// Sum over axes of the elements that are not NaN.
    #[track_caller]
    pub fn nansum(&self, over: &[isize]) -> Tensor {
        self.is_nan().select(&self.zeros_like(), self).sum_axes(over)
    }

    /// Mean over axes of the elements that are not NaN; NaN if there are none.
    #[track_caller]
    pub fn nanmean(&self, over: &[isize]) -> Tensor {
        let x = floating(self);
        let count = x.is_nan().logical_not().astype(x.dtype()).sum_axes(over);
        x.nansum(over) / count
    }

    /// Largest over axes of the elements that are not NaN; -inf if there are none.
    #[track_caller]
    pub fn nanmax(&self, over: &[isize]) -> Tensor {
        self.is_nan().select(&self.full_like(f64::NEG_INFINITY), self).max_axes(over)
    }

    /// Smallest over axes of the elements that are not NaN; inf if there are none.
    #[track_caller]
    pub fn nanmin(&self, over: &[isize]) -> Tensor {
        self.is_nan().select(&self.full_like(f64::INFINITY), self).min_axes(over)
    }

    /// Differences of neighbours along an axis, `times` over.
    #[track_caller]
    pub fn diff(&self, times: usize, axis: isize) -> Tensor {
        let d = axes("diff", self, &[axis], Location::caller())[0];
        let mut out = self.clone();
        for _ in 0..times {
            let n = out.shape()[d];
            if n == 0 {
                break;
            }
            let parts = |from: usize, to: usize| {
                let mut index = vec![crate::Ix::from(..); d];
                index.push((from..to).into());
                out.get(&index[..])
            };
            let (next, this) = (parts(1, n), parts(0, n - 1));
            out = if out.dtype() == DType::I1 { next.not_equal(&this) } else { next - this };
        }
        out
    }

    /// Integral along the last axis by the trapezoidal rule, for samples `dx` apart.
    #[track_caller]
    pub fn trapezoid(&self, dx: f64) -> Tensor {
        let y = floating(self);
        let n = y.shape().last().copied().unwrap_or(0);
        if n < 2 {
            return y.sum_axes(&[-1]) * 0.0;
        }
        let rest = crate::Ix::Rest;
        (y.get((rest, 1..n)) + y.get((rest, 0..n - 1))).sum_axis(-1) * (0.5 * dx)
    }

    /// Whether elements are equal up to `atol + rtol * |other|`; infinities equal themselves, NaN nothing.
    #[track_caller]
    pub fn isclose(&self, other: impl Operand, rtol: f64, atol: f64) -> Tensor {
        let (a, b) = (floating(self), floating(&other.beside(self)));
        let near = (&a - &b).abs().less_equal(b.abs() * rtol + atol);
        near.logical_and(b.is_finite()).logical_or(a.equal(&b))
    }

    /// Whether all elements are; see [`Self::isclose`].
    #[track_caller]
    pub fn allclose(&self, other: impl Operand, rtol: f64, atol: f64) -> Tensor {
        self.isclose(other, rtol, atol).all()
    }
}
