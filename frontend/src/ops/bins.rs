//! Numbers by where they lie: bins, counts, sums by number, and lines between points; with the names of NumPy and `jax.ops`.

use super::sorting::Side;
use crate::Tensor;
use crate::error::{Error, fail};
use crate::ops::index::OutOfRange;
use crate::ops::promote::{float_type, floating, promote_types};
use crate::ops::update::Part;
use crate::trace::apply_at;
use std::panic::Location;
use wengert_ir::op::{BinaryOp, Constant};
use wengert_ir::types::DType;

type At = &'static Location<'static>;

/// Fails if a tensor is no vector of at least so many elements.
fn vector(name: &str, what: &str, x: &Tensor, least: usize, at: At) {
    if x.rank() != 1 || x.len() < least {
        let message = format!("{name}: {what} must be a vector of at least {least} elements, not {}", x.ty());
        fail(Error::new(message, Some(at)))
    }
}

/// What an extremum of nothing is.
fn nothing(op: BinaryOp, x: &Tensor, at: At) -> Tensor {
    match op.identity(x.dtype()) {
        Some(value) => apply_at(Constant { value }.into(), &[], at).remove(0),
        None => fail(Error::new(format!("elements have no order, in {}", x.ty()), Some(at))),
    }
}

impl Tensor {
    /// The line through points, between two of them straight and beyond the first and the last level: `xp` are the places of the
    /// points, ascending, `fp` their values, and this is where it is asked for. As `jnp.interp`.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let (xp, fp) = (Tensor::from([0.0f64, 1.0, 3.0]), Tensor::from([10.0f64, 20.0, 0.0]));
    /// let y = Tensor::from([0.5f64, 2.0, 9.0]).interp(&xp, &fp);
    /// assert_eq!(y.to_vec::<f64>(), [15.0, 10.0, 0.0]);
    /// ```
    ///
    /// Fails if `xp` and `fp` are not vectors of one length.
    #[track_caller]
    pub fn interp(&self, xp: &Tensor, fp: &Tensor) -> Tensor {
        let at = Location::caller();
        vector("interp", "xp", xp, 1, at);
        vector("interp", "fp", fp, 1, at);
        let n = xp.len();
        if n != fp.len() {
            let message = format!("interp: {n} places and {} values", fp.len());
            fail(Error::new(message, Some(at)))
        }
        let dtype = float_type(promote_types(promote_types(self.dtype(), xp.dtype()), fp.dtype()));
        let [x, xp, fp] = [self, xp, fp].map(|t| t.astype(dtype));
        // The point after it: the second at least, the last at most.
        let next = xp.searchsorted(&x, Side::Right).maximum(1i32).minimum(n as i32 - 1);
        let of = |t: &Tensor, i: &Tensor| t.take_with(i, 0, OutOfRange::Clip);
        let before = &next - 1i64;
        let (x0, f0) = (of(&xp, &before), of(&fp, &before));
        let (dx, df) = (of(&xp, &next) - &x0, of(&fp, &next) - &f0);
        // Two points at one place: the first.
        let same = dx.equal(0.0);
        let slope = df / same.select(1.0, &dx);
        let line = same.select(&f0, &f0 + (&x - &x0) * slope);
        let line = x.less(xp.get(0)).select(fp.get(0).broadcast_to(line.shape()), &line);
        x.greater(xp.get(-1)).select(fp.get(-1).broadcast_to(line.shape()), &line)
    }

    /// The number of the bin of each element (`i32`): how many of these edges, ascending, are not above it, as `jnp.digitize`.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let bins = Tensor::from([0.0f64, 1.0, 2.0]);
    /// assert_eq!(Tensor::from([-1.0f64, 0.0, 1.5, 7.0]).digitize(&bins).to_vec::<i32>(), [0, 1, 2, 3]);
    /// ```
    ///
    /// Fails if the edges are no vector.
    #[track_caller]
    pub fn digitize(&self, bins: &Tensor) -> Tensor {
        vector("digitize", "bins", bins, 0, Location::caller());
        bins.searchsorted(self, Side::Right)
    }

    /// How many elements are in each of `bins` bins of one width, as floats, and the `bins + 1` edges; the last bin has its upper edge.
    /// The range is that of the elements if none is given; elements outside are not counted. As `jnp.histogram`.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let (counts, edges) = Tensor::from([0.0f64, 0.5, 2.0, 9.0]).histogram(2, Some((0.0, 2.0)));
    /// assert_eq!(counts.to_vec::<f64>(), [2.0, 1.0]);
    /// assert_eq!(edges.to_vec::<f64>(), [0.0, 1.0, 2.0]);
    /// ```
    ///
    /// Fails if there are no bins, or if the range does not ascend or is not finite.
    #[track_caller]
    pub fn histogram(&self, bins: usize, range: Option<(f64, f64)>) -> (Tensor, Tensor) {
        let at = Location::caller();
        let x = floating(self).flatten();
        let dtype = x.dtype();
        let is_range = |(low, high): (f64, f64)| low <= high && low.is_finite() && high.is_finite();
        if bins == 0 || !range.is_none_or(is_range) {
            let message = format!("histogram: {bins} bins in {range:?}; operands: {}", self.ty());
            fail(Error::new(message, Some(at)))
        }
        let (low, high) = match range {
            Some((low, high)) => (Tensor::full(&[], low, dtype), Tensor::full(&[], high, dtype)),
            None if x.is_empty() => (Tensor::zeros(&[], dtype), Tensor::ones(&[], dtype)),
            None => (x.min(), x.max()),
        };
        // A range without width has one of one, around it.
        let flat = low.equal(&high);
        let (low, high) = (flat.select(&low - 0.5, &low), flat.select(&high + 0.5, &high));
        let t = Tensor::arange(bins, dtype) / bins as f64;
        let inner = &low * (1.0 - &t) + &high * t;
        let edges = crate::concatenate(&[inner, high.reshape(&[1])], 0);
        let bin = edges.searchsorted(&x, Side::Right) - 1i64;
        let bin = x.equal(&high).select(bins as i32 - 1, &bin);
        (x.ones_like().segment_sum(&bin, bins), edges)
    }

    /// How often each of the numbers 0, 1, .. `length` - 1 occurs (`i32`); others are not counted.
    ///
    /// ```
    /// use wengert::Tensor;
    /// assert_eq!(Tensor::from([1i32, 3, 1]).bincount(4).to_vec::<i32>(), [0, 2, 0, 1]);
    /// ```
    ///
    /// Fails if the elements are no integers.
    #[track_caller]
    pub fn bincount(&self, length: usize) -> Tensor {
        let numbers = self.flatten();
        Tensor::ones(numbers.shape(), DType::I32).segment_sum(&numbers, length)
    }

    fn segments(&self, name: &str, ids: &Tensor, count: usize, start: Tensor, at: At) -> Part {
        if !ids.dtype().is_integer() || ids.rank() != 1 || self.shape().first() != ids.shape().first() {
            let message = format!("{name}: a number for each row; operands: {}, {}", self.ty(), ids.ty());
            fail(Error::new(message, Some(at)))
        }
        let shape: Vec<usize> = [count].iter().chain(&self.shape()[1..]).copied().collect();
        // Negative numbers are no segments, and do not count from the end.
        let ids = ids.astype(DType::I64);
        let ids = ids.less(0i64).select(count as i64, &ids);
        start.broadcast_to(&shape).at_rows(&ids)
    }

    /// Sums of the rows that have the same number: `jax.ops.segment_sum`. Rows whose number is not below `count` are left out.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let (rows, ids) = (Tensor::from([1.0f64, 2.0, 4.0]), Tensor::from([1i32, 0, 1]));
    /// assert_eq!(rows.segment_sum(&ids, 3).to_vec::<f64>(), [2.0, 5.0, 0.0]);
    /// ```
    ///
    /// Fails if there is not one integer for each row.
    #[track_caller]
    pub fn segment_sum(&self, ids: &Tensor, count: usize) -> Tensor {
        self.segments("segment_sum", ids, count, Tensor::zeros(&[], self.dtype()), Location::caller())
            .add(self)
    }

    /// Products of the rows that have the same number, 1 where there are none: `jax.ops.segment_prod`.
    ///
    /// Fails as [`Self::segment_sum`].
    #[track_caller]
    pub fn segment_prod(&self, ids: &Tensor, count: usize) -> Tensor {
        self.segments("segment_prod", ids, count, Tensor::ones(&[], self.dtype()), Location::caller())
            .mul(self)
    }

    /// The largest of the rows that have the same number; where there are none the least number: `jax.ops.segment_max`.
    ///
    /// Fails as [`Self::segment_sum`].
    #[track_caller]
    pub fn segment_max(&self, ids: &Tensor, count: usize) -> Tensor {
        let start = nothing(BinaryOp::Maximum, self, Location::caller());
        self.segments("segment_max", ids, count, start, Location::caller()).max(self)
    }

    /// The least of the rows that have the same number; where there are none the largest number: `jax.ops.segment_min`.
    ///
    /// Fails as [`Self::segment_sum`].
    #[track_caller]
    pub fn segment_min(&self, ids: &Tensor, count: usize) -> Tensor {
        let start = nothing(BinaryOp::Minimum, self, Location::caller());
        self.segments("segment_min", ids, count, start, Location::caller()).min(self)
    }
}
