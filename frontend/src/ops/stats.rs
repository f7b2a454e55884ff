//! Statistics and reductions beyond the plain ones, with NumPy's names.

use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::promote::{
    DEFAULT_INT, Operand, computed_type, convert, float_type, floating, promote_types, unify_floats,
};
use crate::ops::reduce::axes;
use std::panic::Location;
use wengert_ir::types::DType;

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

    /// Mean squared distance from the mean, over axes; of complex numbers that of their modulus, a real number.
    #[track_caller]
    pub fn var_axes(&self, over: &[isize]) -> Tensor {
        self.var_ddof(over, 0.0)
    }

    /// Variance over axes with a divisor of `n - ddof`; 1 makes it unbiased.
    #[track_caller]
    pub fn var_ddof(&self, over: &[isize], ddof: f64) -> Tensor {
        self.spread(over, ddof, |variance| variance)
    }

    /// Standard deviation of all elements: the square root of [`Self::var`].
    #[track_caller]
    pub fn std(&self) -> Tensor {
        self.std_ddof(&self.every(), 0.0)
    }

    /// Standard deviation over axes.
    #[track_caller]
    pub fn std_axes(&self, over: &[isize]) -> Tensor {
        self.std_ddof(over, 0.0)
    }

    /// Standard deviation over axes with a divisor of `n - ddof`.
    #[track_caller]
    pub fn std_ddof(&self, over: &[isize], ddof: f64) -> Tensor {
        self.spread(over, ddof, |variance| variance.sqrt())
    }

    /// A function of the variance, rounded once: the variance of narrow floats may be more than their type holds.
    #[track_caller]
    fn spread(&self, over: &[isize], ddof: f64, f: impl FnOnce(Tensor) -> Tensor) -> Tensor {
        let at = Location::caller();
        let own = floating(self);
        let x = convert(&own, computed_type(own.dtype()), at);
        let n: usize = axes("var", &x, over, at).iter().map(|&d| x.shape()[d]).product();
        let centered = &x - x.mean_keep(over);
        let square = if x.is_complex() { (&centered * centered.conj()).real() } else { centered.square() };
        let out = f(square.sum_axes(over) / (n as f64 - ddof).max(0.0));
        if x.is_complex() { out } else { convert(&out, own.dtype(), at) }
    }

    /// Largest minus smallest over axes.
    #[track_caller]
    pub fn ptp(&self, over: &[isize]) -> Tensor {
        self.max_axes(over) - self.min_axes(over)
    }

    /// Mean over axes, each element weighted; the weights broadcast.
    #[track_caller]
    pub fn average(&self, weights: &Tensor, over: &[isize]) -> Tensor {
        let at = Location::caller();
        let dtype = float_type(promote_types(self.dtype(), weights.dtype()));
        let weights = convert(&weights.broadcast_to(self.shape()), dtype, at);
        (convert(self, dtype, at) * &weights).sum_axes(over) / weights.sum_axes(over)
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
        // Fewer numbers than that say nothing: 0 / 0.
        let n = (x.shape().last().copied().unwrap_or(1) as f64 - ddof).max(0.0);
        if x.rank() < 2 {
            let x = x.flatten();
            let x = &x - x.mean();
            return (&x * x.conj()).sum() / n;
        }
        let x = &x - x.mean_keep(&[1]);
        let c = x.matmul(&x.conj().t()) / n;
        if c.len() == 1 { c.reshape(&[]) } else { c }
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
        let spread = c.diag(0).real().sqrt();
        c / spread.expand_dims(1) / spread.expand_dims(0)
    }

    /// How many elements are not zero, over axes.
    #[track_caller]
    pub fn count_nonzero(&self, over: &[isize]) -> Tensor {
        self.astype(DType::I1).astype(DEFAULT_INT).sum_axes(over)
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
        self.is_nan().select(self.zeros_like(), self).sum_axes(over)
    }

    /// Mean over axes of the elements that are not NaN; NaN if there are none.
    #[track_caller]
    pub fn nanmean(&self, over: &[isize]) -> Tensor {
        let own = floating(self);
        let x = convert(&own, computed_type(own.dtype()), Location::caller());
        let count = x.is_nan().logical_not().astype(x.dtype()).sum_axes(over);
        convert(&(x.nansum(over) / count), own.dtype(), Location::caller())
    }

    /// Largest over axes of the elements that are not NaN; NaN if all are.
    #[track_caller]
    pub fn nanmax(&self, over: &[isize]) -> Tensor {
        if !self.dtype().is_float() {
            return self.max_axes(over);
        }
        let nan = self.is_nan();
        let max = nan.select(self.full_like(f64::NEG_INFINITY), self).max_axes(over);
        nan.all_axes(over).select(max.full_like(f64::NAN), &max)
    }

    /// Smallest over axes of the elements that are not NaN; NaN if all are.
    #[track_caller]
    pub fn nanmin(&self, over: &[isize]) -> Tensor {
        if !self.dtype().is_float() {
            return self.min_axes(over);
        }
        let nan = self.is_nan();
        let min = nan.select(self.full_like(f64::INFINITY), self).min_axes(over);
        nan.all_axes(over).select(min.full_like(f64::NAN), &min)
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
        let (a, b) = unify_floats("isclose", self, &other.beside(self), Location::caller());
        let near = (&a - &b).abs().less_equal(b.abs() * rtol + atol);
        near.logical_and(b.is_finite()).logical_or(a.equal(&b))
    }

    /// Whether all elements are; see [`Self::isclose`].
    #[track_caller]
    pub fn allclose(&self, other: impl Operand, rtol: f64, atol: f64) -> Tensor {
        self.isclose(other, rtol, atol).all()
    }
}
