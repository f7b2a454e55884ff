//! A spatial dimension as where the window is and where in the window: a strided view, no copy.

use super::labeled::{Axis, Labeled, strided};
use smallvec::smallvec;
use wengert_ir::array::{Array, Literal};
use wengert_ir::op::{Gather, Iota};
use wengert_ir::ops::Slide;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::{DType, Dims, TensorType};

/// Indices of windows are a constant up to so many, computed beyond: a small program stays one.
const MOST_INDICES: usize = 1 << 20;

/// Makes spatial dimension `k` into the place of the window and the place in it: a gather whose indices are evenly
/// spaced, which lowering makes a strided view. The place in the window goes next to the features, on the side of the
/// spatial dimensions, so that what is contracted lies together.
pub(super) fn windows(e: &mut dyn Emit, lhs: &mut Labeled, k: usize, slide: &Slide, count: usize) {
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
