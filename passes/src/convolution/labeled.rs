//! The dimensions of operands and results by what they mean, wherever they lie.

use smallvec::smallvec;
use wengert_ir::op::*;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::{Dims, TensorType};

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
    pub(super) fn split(&mut self, e: &mut dyn Emit, axis: Axis, groups: usize) {
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
    pub(super) fn ordered(&mut self, e: &mut dyn Emit, axes: &[Axis]) {
        let perm: Dims = axes.iter().map(|&a| self.at(a)).collect();
        self.x = e.transpose(self.x, &perm);
        self.axes = axes.to_vec();
    }
}

/// The operand, each dimension with what it means.
pub(super) fn labeled_lhs(c: &Convolution, e: &dyn Emit, x: Term) -> Labeled {
    let mut axes = vec![Axis::Batch; e.ty(x).rank()];
    axes[c.input_feature_dimension] = Axis::Input;
    c.input_spatial_dimensions.iter().enumerate().for_each(|(k, &d)| axes[d] = Axis::Place(k));
    Labeled { x, axes }
}

/// The kernel.
pub(super) fn labeled_rhs(c: &Convolution, e: &dyn Emit, x: Term) -> Labeled {
    let mut axes = vec![Axis::Input; e.ty(x).rank()];
    axes[c.kernel_output_feature_dimension] = Axis::Output;
    c.kernel_spatial_dimensions.iter().enumerate().for_each(|(k, &d)| axes[d] = Axis::Window(k));
    Labeled { x, axes }
}

/// The left operand with its spread and its padding.
pub(super) fn pad_lhs(c: &Convolution, e: &mut dyn Emit, lhs: Term, x: &TensorType) -> Term {
    let mut pad = Pad {
        low: x.shape.iter().map(|_| 0).collect(),
        high: x.shape.iter().map(|_| 0).collect(),
        interior: x.shape.iter().map(|_| 0).collect(),
    };
    for (k, &d) in c.input_spatial_dimensions.iter().enumerate() {
        pad.low[d] = c.padding_low[k];
        pad.high[d] = c.padding_high[k];
        pad.interior[d] = if x.shape[d] > 1 { c.lhs_dilation[k] as i64 - 1 } else { 0 };
    }
    if [&pad.low, &pad.high, &pad.interior].iter().all(|l| l.iter().all(|&p| p == 0)) {
        return lhs;
    }
    let zero = e.splat(TensorType::scalar(c.dtype), 0.0);
    e.one(pad, &[lhs, zero])
}

/// Contracts windows and input features.
pub(super) fn contract(
    c: &Convolution,
    e: &mut dyn Emit,
    lhs: Labeled,
    rhs: Labeled,
    grouped: bool,
) -> Labeled {
    let contracted: Vec<Axis> =
        lhs.axes.iter().copied().filter(|a| matches!(a, Axis::Input | Axis::Window(_))).collect();
    let batching = |l: &Labeled| if grouped { smallvec![l.at(Axis::Group)] } else { Dims::new() };
    let dot = DotGeneral {
        lhs_batching_dims: batching(&lhs),
        rhs_batching_dims: batching(&rhs),
        lhs_contracting_dims: contracted.iter().map(|&a| lhs.at(a)).collect(),
        rhs_contracting_dims: contracted.iter().map(|&a| rhs.at(a)).collect(),
        lhs_precision: c.lhs_precision,
        rhs_precision: c.rhs_precision,
        dtype: c.dtype,
    };
    let x = e.dot_general(dot, lhs.x, rhs.x);
    let mut axes: Vec<Axis> = if grouped { vec![Axis::Group] } else { Vec::new() };
    axes.extend(lhs.axes.iter().copied().filter(|a| matches!(a, Axis::Batch | Axis::Place(_))));
    axes.push(Axis::Output);
    Labeled { x, axes }
}

/// Puts the dimensions of the result in their places.
pub(super) fn arrange(c: &Convolution, e: &mut dyn Emit, mut out: Labeled, result: &[usize]) -> Term {
    let mut axes = vec![Axis::Batch; result.len()];
    axes[c.output_feature_dimension] = Axis::Output;
    (0..c.spatial()).for_each(|k| axes[c.output_spatial_dimensions[k]] = Axis::Place(k));
    if out.axes.contains(&Axis::Group) {
        axes.insert(c.output_feature_dimension, Axis::Group);
    }
    out.ordered(e, &axes);
    e.reshape(out.x, result)
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
    let each = |n: usize| -> Dims { smallvec![n; ty.rank()] };
    let mut slice = Slice { start: each(0), limit: ty.shape.clone(), strides: each(1) };
    slice.start[d] = first;
    slice.limit[d] = first + (count - 1) * step + 1;
    slice.strides[d] = step;
    e.one(slice, &[x])
}
