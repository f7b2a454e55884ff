//! Convolutions with one input feature per group.

use super::labeled::{Axis, Labeled, strided};
use wengert_ir::op::Slice;
use wengert_ir::ops::Slide;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::Dims;

/// One input feature per group: a sum over the window of slices times a weight per feature.
pub(super) fn products(
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
    let axes: Vec<Axis> = lhs.axes.iter().map(|&a| if a == Axis::Input { Axis::Output } else { a }).collect();
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
    let mut sum: Option<Term> = None;
    lhs.axes.clone_from(&result.axes);
    for k in indices(&window) {
        let mut x = lhs.x;
        for (d, slide) in slides.iter().enumerate() {
            let first = k[d] * slide.window_dilation;
            x = strided(e, x, lhs.at(Axis::Place(d)), first, slide.stride, counts[d]);
        }
        let x = e.broadcast_in_dim(x, &shape, &every);
        let mut weight = Slice {
            start: k.clone(),
            limit: k.iter().map(|i| i + 1).collect(),
            strides: window.iter().map(|_| 1).collect(),
        };
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

/// The indices of a shape in row-major order.
fn indices(shape: &[usize]) -> Vec<Dims> {
    shape.iter().fold(vec![Dims::new()], |outer, &n| {
        let inner = |index: &Dims| -> Vec<Dims> {
            (0..n).map(|i| index.iter().copied().chain([i]).collect()).collect()
        };
        outer.iter().flat_map(inner).collect()
    })
}
