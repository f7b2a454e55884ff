//! Convolution as one contraction.
//!
//! Along each spatial dimension the padded operand of size `P` becomes two dimensions: where the window is
//! and where in the window. Then windows and features are contracted with the kernel. Axes are placed so that
//! what is contracted lies together. A depthwise convolution is a sum of products of slices instead, which
//! fuses. One with an operand that is spread, as the derivatives of strided ones are, is several with parts of the
//! kernel, none of which multiplies the zeros between: not in the exact mode, where zeros times infinity are NaN. Windows of 3 x 3 over many features may be [`super::winograd`]'s.

use super::dot::arithmetic;
use super::reduce_window::LARGEST_UNROLLED;
use super::sliding::{Slide, all};
use super::strided::for_each_index;
use crate::array::{Array, Literal};
use crate::op::*;
use crate::rules::{Emit, Term};
use crate::types::{DType, Dims, FloatMode, TensorType};
use smallvec::smallvec;

/// A convolution with an operand spread further than this is computed with its padding.
const MOST_PHASES: usize = 4;
/// And one that would become more convolutions than this, over all its dimensions.
const MOST_PARTS: usize = 64;
/// Indices of windows are a constant up to so many, computed beyond: a small program stays one.
const MOST_INDICES: usize = 1 << 20;

/// What a dimension means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Axis {
    Group,
    Batch,
    /// Input features.
    Input,
    /// Output features.
    Output,
    /// Place of the window along a spatial dimension; before windows are made, the operand's dimension.
    Place(usize),
    /// Place in the window.
    Window(usize),
}

/// An array with the meaning of its dimensions.
pub(super) struct Labeled {
    pub(super) x: Term,
    pub(super) axes: Vec<Axis>,
}

impl Labeled {
    pub(super) fn at(&self, axis: Axis) -> usize {
        self.axes.iter().position(|&a| a == axis).expect("an axis of this array")
    }

    /// Splits off `groups` as an outer dimension.
    fn split(&mut self, e: &mut dyn Emit, axis: Axis, groups: usize) {
        let d = self.at(axis);
        let mut shape = e.ty(self.x).shape;
        shape[d] /= groups;
        shape.insert(d, groups);
        self.x = e.reshape(self.x, &shape);
        self.axes.insert(d, Axis::Group);
    }

    /// What is at one place of the window, without the window's dimensions.
    pub(super) fn without_window(&self, e: &mut dyn Emit, place: [usize; 2]) -> Term {
        let mut x = self.x;
        let mut shape = Dims::new();
        for (d, axis) in self.axes.iter().enumerate() {
            match axis {
                Axis::Window(k) => x = strided(e, x, d, place[*k], 1, 1),
                Axis::Group | Axis::Batch | Axis::Input | Axis::Output | Axis::Place(_) => {
                    shape.push(e.ty(x).shape[d]);
                }
            }
        }
        e.reshape(x, &shape)
    }

    /// Gives the dimensions another order.
    fn ordered(&mut self, e: &mut dyn Emit, axes: &[Axis]) {
        let perm: Dims = axes.iter().map(|&a| self.at(a)).collect();
        self.x = e.transpose(self.x, &perm);
        self.axes = axes.to_vec();
    }
}

impl Convolution {
    /// The same results by slices and a contraction.
    pub(crate) fn contraction(&self, e: &mut dyn Emit, lhs: Term, rhs: Term) -> Option<Term> {
        let (x, w) = (e.ty(lhs), e.ty(rhs));
        let dtype = arithmetic(x.dtype, w.dtype, self.dtype);
        if [x.dtype, w.dtype, self.dtype] != [dtype; 3] {
            let (lhs, rhs) = (e.convert(lhs, dtype), e.convert(rhs, dtype));
            let out = Self { dtype, ..self.clone() }.contraction(e, lhs, rhs)?;
            return Some(e.convert(out, self.dtype));
        }
        let n = self.spatial();
        let slides: Vec<Slide> = (0..n).map(|k| self.slide(k, &x.shape, &w.shape)).collect();
        let counts: Vec<usize> = slides.iter().map(Slide::count).collect::<Option<_>>()?;
        let result = self.shape(&x.shape, &w.shape)?;
        if x.shape.contains(&0) || w.shape.contains(&0) || result.contains(&0) {
            return Some(e.splat(TensorType { dtype: self.dtype, shape: result }, 0.0));
        }

        let reversed: Dims =
            (0..n).filter(|&k| self.window_reversal[k]).map(|k| self.kernel_spatial_dimensions[k]).collect();
        if !reversed.is_empty() {
            let rhs = e.one(Reverse { dims: reversed }, &[rhs]);
            return Self { window_reversal: smallvec![false; n], ..self.clone() }.contraction(e, lhs, rhs);
        }
        let mode = e.module().mode;
        let phased = || (0..n).filter(|&k| self.has_phases(k));
        let parts = phased().fold(1, |parts: usize, k| parts.saturating_mul(self.lhs_dilation[k]));
        if let Some(k) = phased().next()
            && parts <= MOST_PARTS
            && mode != FloatMode::Exact
        {
            return self.phases(e, lhs, rhs, k);
        }

        let taps: Vec<usize> = slides.iter().map(|s| s.window).collect();
        let features = [self.kernel_input_feature_dimension, self.kernel_output_feature_dimension];
        let features = features.map(|d| w.shape[d]);
        let batches = x.shape[self.input_batch_dimension];
        if self.has_minimal_filtering(mode, &taps, batches, features, &counts) {
            let out = self.minimal_filtering(e, lhs, rhs, &counts);
            return Some(self.arrange(e, out, &result));
        }

        let padded = self.pad_lhs(e, lhs, &x);
        let (mut lhs, mut rhs) = (self.labeled_lhs(e, padded), self.labeled_rhs(e, rhs));
        let groups = self.feature_group_count.max(self.batch_group_count);
        if groups > 1 {
            lhs.split(e, if self.feature_group_count > 1 { Axis::Input } else { Axis::Batch }, groups);
            rhs.split(e, Axis::Output, groups);
        }
        let window: usize = taps.iter().product();
        let out =
            if groups > 1 && features[0] == 1 && self.batch_group_count == 1 && window <= LARGEST_UNROLLED {
                self.depthwise(e, lhs, rhs, &slides, &counts)
            } else {
                for k in 0..n {
                    windows(e, &mut lhs, k, &slides[k], counts[k]);
                }
                self.contract(e, lhs, rhs, groups > 1)
            };
        Some(self.arrange(e, out, &result))
    }

    pub(super) fn labeled_lhs(&self, e: &dyn Emit, x: Term) -> Labeled {
        let mut axes = vec![Axis::Batch; e.ty(x).rank()];
        axes[self.input_feature_dimension] = Axis::Input;
        self.input_spatial_dimensions.iter().enumerate().for_each(|(k, &d)| axes[d] = Axis::Place(k));
        Labeled { x, axes }
    }

    pub(super) fn labeled_rhs(&self, e: &dyn Emit, x: Term) -> Labeled {
        let mut axes = vec![Axis::Input; e.ty(x).rank()];
        axes[self.kernel_output_feature_dimension] = Axis::Output;
        self.kernel_spatial_dimensions.iter().enumerate().for_each(|(k, &d)| axes[d] = Axis::Window(k));
        Labeled { x, axes }
    }

    /// Whether the operand is spread along dimension `k` and the window moves by single steps.
    fn has_phases(&self, k: usize) -> bool {
        (2..=MOST_PHASES).contains(&self.lhs_dilation[k])
            && self.window_strides[k] == 1
            && self.rhs_dilation[k] == 1
    }

    /// Convolution of an operand that is spread by `d` along dimension `k`: of the elements under a window only every
    /// `d`-th is not padding, the same ones for all windows that are `d` apart. So the results are those of `d` convolutions
    /// with parts of the kernel, interleaved.
    fn phases(&self, e: &mut dyn Emit, lhs: Term, rhs: Term, k: usize) -> Option<Term> {
        let (x, w) = (e.ty(lhs).shape, e.ty(rhs).shape);
        let result = self.shape(&x, &w)?;
        let (window, to) = (self.kernel_spatial_dimensions[k], self.output_spatial_dimensions[k]);
        let (d, low) = (self.lhs_dilation[k], self.padding_low[k]);
        let (size, taps) = (x[self.input_spatial_dimensions[k]], w[window]);
        let count = result[to].div_ceil(d);
        let mut shape = result.clone();
        shape[to] = count;
        let mut parts = Vec::new();
        for phase in 0..d as i64 {
            // The first element of the kernel that meets one of the operand, and how far that one is from the first.
            let first = (low - phase).rem_euclid(d as i64) as usize;
            let part = if first >= taps {
                e.splat(TensorType { dtype: self.dtype, shape: shape.clone() }, 0.0)
            } else {
                let kept = (taps - first).div_ceil(d);
                let mut part = self.clone();
                part.lhs_dilation[k] = 1;
                part.padding_low[k] = (low - phase - first as i64) / d as i64;
                part.padding_high[k] = (count + kept) as i64 - 1 - size as i64 - part.padding_low[k];
                let w = strided(e, rhs, window, first, d, kept);
                part.contraction(e, lhs, w)?
            };
            parts.push(part);
        }
        let joined = interleaved(e, &parts, to);
        Some(strided(e, joined, to, 0, 1, result[to]))
    }

    /// The left operand with its spread and its padding.
    pub(super) fn pad_lhs(&self, e: &mut dyn Emit, lhs: Term, x: &TensorType) -> Term {
        let mut pad = Pad {
            low: x.shape.iter().map(|_| 0).collect(),
            high: x.shape.iter().map(|_| 0).collect(),
            interior: x.shape.iter().map(|_| 0).collect(),
        };
        for (k, &d) in self.input_spatial_dimensions.iter().enumerate() {
            pad.low[d] = self.padding_low[k];
            pad.high[d] = self.padding_high[k];
            pad.interior[d] = if x.shape[d] > 1 { self.lhs_dilation[k] as i64 - 1 } else { 0 };
        }
        if [&pad.low, &pad.high, &pad.interior].iter().all(|l| l.iter().all(|&p| p == 0)) {
            return lhs;
        }
        let zero = e.splat(TensorType::scalar(self.dtype), 0.0);
        e.one(pad, &[lhs, zero])
    }

    /// Contracts windows and input features.
    pub(super) fn contract(&self, e: &mut dyn Emit, lhs: Labeled, rhs: Labeled, grouped: bool) -> Labeled {
        let contracted: Vec<Axis> =
            lhs.axes.iter().copied().filter(|a| matches!(a, Axis::Input | Axis::Window(_))).collect();
        let batching = |l: &Labeled| if grouped { smallvec![l.at(Axis::Group)] } else { Dims::new() };
        let dot = DotGeneral {
            lhs_batching_dims: batching(&lhs),
            rhs_batching_dims: batching(&rhs),
            lhs_contracting_dims: contracted.iter().map(|&a| lhs.at(a)).collect(),
            rhs_contracting_dims: contracted.iter().map(|&a| rhs.at(a)).collect(),
            lhs_precision: self.lhs_precision,
            rhs_precision: self.rhs_precision,
            dtype: self.dtype,
        };
        let x = e.dot_general(dot, lhs.x, rhs.x);
        let mut axes: Vec<Axis> = if grouped { vec![Axis::Group] } else { Vec::new() };
        axes.extend(lhs.axes.iter().copied().filter(|a| matches!(a, Axis::Batch | Axis::Place(_))));
        axes.push(Axis::Output);
        Labeled { x, axes }
    }

    /// One input feature per group: a sum over the window of slices times a weight per feature.
    fn depthwise(
        &self,
        e: &mut dyn Emit,
        mut lhs: Labeled,
        mut rhs: Labeled,
        slides: &[Slide],
        counts: &[usize],
    ) -> Labeled {
        let n = slides.len();
        // The kernel as [window..., group, output]; a result has the axes of lhs with output for input.
        let mut order: Vec<Axis> = (0..n).map(Axis::Window).collect();
        order.extend([Axis::Input, Axis::Group, Axis::Output]);
        rhs.ordered(e, &order);
        let outputs = e.ty(rhs.x).shape[n + 2];
        let groups = e.ty(rhs.x).shape[n + 1];
        let axes: Vec<Axis> =
            lhs.axes.iter().map(|&a| if a == Axis::Input { Axis::Output } else { a }).collect();
        let mut shape = e.ty(lhs.x).shape;
        for (d, a) in axes.iter().enumerate() {
            match a {
                Axis::Place(k) => shape[d] = counts[*k],
                Axis::Output => shape[d] = outputs,
                Axis::Group | Axis::Batch | Axis::Input | Axis::Window(_) => {}
            }
        }
        let result = Labeled { x: lhs.x, axes };
        let (group, output) = (result.at(Axis::Group), result.at(Axis::Output));
        let every: Dims = (0..shape.len()).collect();
        let window: Dims = slides.iter().map(|s| s.window).collect();
        let mut places = Vec::new();
        let _: Result<(), ()> = for_each_index(&window, |k| {
            places.push(Dims::from_slice(k));
            Ok(())
        });
        let mut sum: Option<Term> = None;
        lhs.axes.clone_from(&result.axes);
        for k in places {
            let mut x = lhs.x;
            for (d, slide) in slides.iter().enumerate() {
                let first = k[d] * slide.window_dilation;
                x = strided(e, x, lhs.at(Axis::Place(d)), first, slide.stride, counts[d]);
            }
            let x = e.broadcast_in_dim(x, &shape, &every);
            let mut weight =
                Slice { start: k.clone(), limit: k.iter().map(|i| i + 1).collect(), strides: all(1, n) };
            weight.start.extend_from_slice(&[0, 0, 0]);
            weight.limit.extend_from_slice(&[1, groups, outputs]);
            weight.strides.extend_from_slice(&[1, 1, 1]);
            let w = e.one(weight, &[rhs.x]);
            let w = e.reshape(w, &[groups, outputs]);
            let w = e.broadcast_in_dim(w, &shape, &[group, output]);
            let product = e.mul(x, w);
            sum = e.add_opt(sum, Some(product));
        }
        Labeled { x: sum.expect("a window has elements"), axes: result.axes }
    }

    /// Puts the dimensions of the result in their places.
    pub(super) fn arrange(&self, e: &mut dyn Emit, mut out: Labeled, result: &[usize]) -> Term {
        let mut axes = vec![Axis::Batch; result.len()];
        axes[self.output_feature_dimension] = Axis::Output;
        (0..self.spatial()).for_each(|k| axes[self.output_spatial_dimensions[k]] = Axis::Place(k));
        if out.axes.contains(&Axis::Group) {
            axes.insert(self.output_feature_dimension, Axis::Group);
        }
        out.ordered(e, &axes);
        e.reshape(out.x, result)
    }
}

/// Arrays of one shape whose elements take turns along a dimension.
pub(super) fn interleaved(e: &mut dyn Emit, parts: &[Term], d: usize) -> Term {
    let mut shape = e.ty(parts[0]).shape;
    let mut apart = shape.clone();
    apart.insert(d + 1, 1);
    let apart: Vec<Term> = parts.iter().map(|&part| e.reshape(part, &apart)).collect();
    let joined = e.one(Concatenate { dim: d + 1 }, &apart);
    shape[d] *= parts.len();
    e.reshape(joined, &shape)
}

/// `count` elements along a dimension, `step` apart, from `first` on.
pub(super) fn strided(e: &mut dyn Emit, x: Term, d: usize, first: usize, step: usize, count: usize) -> Term {
    let ty = e.ty(x);
    let step = if count == 1 { 1 } else { step };
    if first == 0 && step == 1 && count == ty.shape[d] {
        return x;
    }
    let mut slice = Slice { start: all(0, ty.rank()), limit: ty.shape.clone(), strides: all(1, ty.rank()) };
    slice.start[d] = first;
    slice.limit[d] = first + (count - 1) * step + 1;
    slice.strides[d] = step;
    e.one(slice, &[x])
}

/// Makes spatial dimension `k` into the place of the window and the place in it: a gather whose indices are evenly
/// spaced, which lowering makes a strided view. The place in the window goes next to the features, on the side of the
/// spatial dimensions, so that what is contracted lies together.
fn windows(e: &mut dyn Emit, lhs: &mut Labeled, k: usize, slide: &Slide, count: usize) {
    let d = lhs.at(Axis::Place(k));
    let feature = lhs.at(Axis::Input);
    if slide.window == 1 || count == 1 {
        // One of the two needs no dimension of its own.
        let (step, length) =
            if count == 1 { (slide.window_dilation, slide.window) } else { (slide.stride, count) };
        let x = strided(e, lhs.x, d, 0, step, length);
        let mut shape = e.ty(x).shape;
        let (at, axis) = if count == 1 { (d, Axis::Place(k)) } else { (feature, Axis::Window(k)) };
        shape.insert(at, 1);
        lhs.x = e.reshape(x, &shape);
        if count == 1 {
            lhs.axes[d] = Axis::Window(k);
        }
        lhs.axes.insert(at, axis);
        return;
    }
    let to = match feature < d {
        false => feature,
        // After windows made before.
        true => {
            feature + 1 + lhs.axes[feature + 1..].iter().take_while(|a| matches!(a, Axis::Window(_))).count()
        }
    };
    // Behind the other spatial dimensions if the window goes before them: the convolution for the kernel's derivative,
    // in which places and windows are exchanged, then has the same windows as the convolution itself.
    let last = lhs.axes.iter().rposition(|a| matches!(a, Axis::Place(_))).expect("d is one");
    let place = if to <= d { last + 1 } else { d };
    let ty = e.ty(lhs.x);
    // Indices in the order of the dimensions that they become.
    let (shape, steps) = if place < to {
        ([count, slide.window], [slide.stride, slide.window_dilation])
    } else {
        ([slide.window, count], [slide.window_dilation, slide.stride])
    };
    let indices = spaced(e, shape, steps);
    let mut slice_sizes = ty.shape.clone();
    slice_sizes[d] = 1;
    let gather = Gather {
        offset_dims: (0..ty.rank() + 1).filter(|&r| r != place && r != to).collect(),
        collapsed_slice_dims: smallvec![d],
        operand_batching_dims: Dims::new(),
        start_indices_batching_dims: Dims::new(),
        start_index_map: smallvec![d],
        index_vector_dim: 2,
        slice_sizes,
        indices_are_sorted: false,
    };
    lhs.x = e.one(gather, &[lhs.x, indices]);
    let mut made = [(to, Axis::Window(k)), (place, Axis::Place(k))];
    made.sort_unstable_by_key(|&(at, _)| at);
    lhs.axes.remove(d);
    made.into_iter().for_each(|(at, axis)| lhs.axes.insert(at, axis));
}

/// The matrix of this shape whose numbers begin with 0 and are `steps` apart along its dimensions.
fn spaced(e: &mut dyn Emit, shape: [usize; 2], steps: [usize; 2]) -> Term {
    if shape[0].saturating_mul(shape[1]) <= MOST_INDICES {
        let number = |at: [usize; 2]| at[0] * steps[0] + at[1] * steps[1];
        let last = number(shape.map(|n| n.saturating_sub(1)));
        let numbers = (0..shape[0]).flat_map(|i| (0..shape[1]).map(move |j| [i, j])).map(number);
        let array = if last <= i32::MAX as usize {
            Array::new(&shape, &numbers.map(|n| n as i32).collect::<Vec<_>>())
        } else {
            Array::new(&shape, &numbers.map(|n| n as i64).collect::<Vec<_>>())
        };
        return e.literal(Literal::from_array(&array));
    }
    let ty = TensorType::new(DType::I64, &shape);
    let [rows, columns] = [0, 1].map(|dim| {
        let count = e.one(Iota { ty: ty.clone(), dim }, &[]);
        let step = e.literal(Literal::splat_bytes(ty.clone(), &(steps[dim] as i64).to_le_bytes()));
        e.mul(count, step)
    });
    e.add(rows, columns)
}
