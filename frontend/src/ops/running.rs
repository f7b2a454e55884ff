//! Running sums, products and extrema along an axis.

use super::index::Ix;
use super::reduce::axes;
use super::window::running;
use crate::Tensor;
use crate::ops::promote::{binary, computed_type, convert, floating, number_type};
use std::panic::Location;
use wengert_ir::op::{BinaryOp, ReduceWindow, Reducer};
use wengert_ir::types::Dims;

type At = &'static Location<'static>;

/// So many floats are added one after another: the error is at most so many times half a unit in the last place.
const IN_ORDER: usize = 128;
/// What is longer is added in blocks of so many.
const BLOCK: usize = 32;

/// A running total along dimension `d` of what is longer than [`IN_ORDER`], in blocks: those of the totals of the blocks (in blocks
/// again) are combined with those inside of them, so that the error grows with the logarithm of the length.
fn in_blocks(
    x: &Tensor,
    d: usize,
    neutral: f64,
    within: &dyn Fn(&Tensor, usize) -> Tensor,
    combine: &dyn Fn(Tensor, Tensor) -> Tensor,
    at: At,
) -> Tensor {
    let n = x.shape()[d];
    if n <= IN_ORDER {
        return within(x, d);
    }
    let blocks = n.div_ceil(BLOCK);
    // A part of dimension `d`, and parts of what follows.
    let part = |x: &Tensor, parts: &[Ix]| {
        let all: Vec<Ix> = std::iter::repeat_n(Ix::from(..), d).chain(parts.iter().copied()).collect();
        x.get(&all[..])
    };
    let padded = |x: &Tensor, low: i64, high: i64| {
        let mut widths = vec![(0, 0); x.rank()];
        widths[d] = (low, high);
        x.pad(&widths, neutral)
    };
    let mut shape: Dims = x.shape().into();
    shape[d] = BLOCK;
    shape.insert(d, blocks);
    let inside = within(&padded(x, 0, (blocks * BLOCK - n) as i64).reshape_to(shape, at), d + 1);
    let totals = part(&inside, &[Ix::from(..), Ix::At(-1)]);
    let totals = in_blocks(&totals, d, neutral, within, combine, at);
    let before = part(&padded(&totals, 1, 0), &[Ix::from(..blocks)]).expand_dims(d as isize + 1);
    let mut shape: Dims = x.shape().into();
    shape[d] = blocks * BLOCK;
    part(&combine(before, inside).reshape_to(shape, at), &[Ix::from(..n)])
}

impl Tensor {
    fn cumulative(&self, name: &str, op: BinaryOp, axis: isize, at: At) -> Tensor {
        let dim = axes(name, self, &[axis], at)[0];
        if self.is_empty() {
            return self.clone();
        }
        running(self, ReduceWindow::running(Reducer::Op(op), self.shape(), dim, false), op, at)
    }

    /// A running sum or product: booleans count, narrow floats are computed in `f32` and rounded once.
    fn running_total(&self, name: &str, op: BinaryOp, axis: isize, at: At) -> Tensor {
        let dtype = number_type(self.dtype());
        let x = convert(self, computed_type(dtype), at);
        let d = axes(name, self, &[axis], at)[0];
        let within = |x: &Tensor, d: usize| x.cumulative(name, op, d as isize, at);
        let total = if x.is_whole() {
            within(&x, d)
        } else {
            let neutral = if op == BinaryOp::Multiply { 1.0 } else { 0.0 };
            in_blocks(&x, d, neutral, &within, &|a, b| binary(op, &a, &b, at), at)
        };
        convert(&total, dtype, at)
    }

    /// Running sum along an axis, as `jax.lax.cumsum`. Booleans count; other integers keep their type; long sums of floats are made
    /// in blocks, so that a million of them lose no digits. From the other end: `x.flip(axis).cumsum(axis).flip(axis)`.
    ///
    /// ```
    /// use wengert::Tensor;
    /// assert_eq!(Tensor::from([1.0f64, 2.0, 3.0]).cumsum(0).to_vec::<f64>(), [1.0, 3.0, 6.0]);
    /// ```
    #[track_caller]
    pub fn cumsum(&self, axis: isize) -> Tensor {
        let at = Location::caller();
        self.running_total("cumsum", BinaryOp::Add, axis, at)
    }
    /// Running product along an axis, as `jax.lax.cumprod`; its derivative is right where elements are zero.
    ///
    /// ```
    /// use wengert::{Tensor, grad};
    /// let last = |x: Tensor| x.cumprod(0).sum();
    /// assert_eq!(grad(last)(Tensor::from([2.0f64, 0.0, 3.0])).to_vec::<f64>(), [1.0, 8.0, 0.0]);
    /// ```
    #[track_caller]
    pub fn cumprod(&self, axis: isize) -> Tensor {
        let at = Location::caller();
        self.running_total("cumprod", BinaryOp::Multiply, axis, at)
    }
    /// Running maximum along an axis, as `jax.lax.cummax`. NaN stays.
    ///
    /// ```
    /// use wengert::Tensor;
    /// assert_eq!(Tensor::from([1i32, 3, 2]).cummax(0).to_vec::<i32>(), [1, 3, 3]);
    /// ```
    #[track_caller]
    pub fn cummax(&self, axis: isize) -> Tensor {
        self.cumulative("cummax", BinaryOp::Maximum, axis, Location::caller())
    }
    /// Running minimum along an axis, as `jax.lax.cummin`. NaN stays.
    ///
    /// ```
    /// use wengert::Tensor;
    /// assert_eq!(Tensor::from([3i32, 1, 2]).cummin(0).to_vec::<i32>(), [3, 1, 1]);
    /// ```
    #[track_caller]
    pub fn cummin(&self, axis: isize) -> Tensor {
        self.cumulative("cummin", BinaryOp::Minimum, axis, Location::caller())
    }
    /// Logarithm of the running sum of exponentials along an axis, without overflow, as `jax.lax.cumlogsumexp`. Integers
    /// become floats.
    ///
    /// ```
    /// use wengert::Tensor;
    /// let y = Tensor::from([1000.0f64, 1000.0]).cumlogsumexp(0).to_vec::<f64>();
    /// assert_eq!(y, [1000.0, 1000.0 + 2f64.ln()]);
    /// ```
    #[track_caller]
    pub fn cumlogsumexp(&self, axis: isize) -> Tensor {
        let at = Location::caller();
        let x = floating(self);
        let dim = axes("cumlogsumexp", &x, &[axis], at)[0];
        if x.is_empty() {
            return x;
        }
        // The derivative does not depend on what is subtracted.
        let add = |a: Tensor, b: Tensor| {
            let max = a.maximum(&b);
            let max = max.is_finite().select(&max, max.zeros_like());
            let sum = (a - &max).exp() + (b - &max).exp();
            sum.log() + max
        };
        // Each with what is one before it, then two, four ..: as many steps as the length has digits.
        let within = |x: &Tensor, d: usize| {
            let (mut x, n) = (x.clone(), x.shape()[d]);
            let mut by = 1;
            while by < n {
                let before: Vec<Ix> =
                    std::iter::repeat_n(Ix::from(..), d).chain([Ix::from(..n - by)]).collect();
                let mut widths = vec![(0, 0); x.rank()];
                widths[d] = (by as i64, 0);
                let earlier = x.get(&before[..]).pad(&widths, f64::NEG_INFINITY);
                x = add(earlier, x);
                by *= 2;
            }
            x
        };
        in_blocks(&x, dim, f64::NEG_INFINITY, &within, &add, at)
    }
}
