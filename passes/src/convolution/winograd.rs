//! Convolution with windows of 3 x 3 by Winograd's minimal filtering, F(2 x 2, 3 x 3): 16 products make four results
//! that need 36 otherwise. Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR 2016, section 4.
//!
//! A tile of 4 x 4 elements of the padded operand, two apart from the next, makes 2 x 2 results. Each of the 16 elements of a
//! transformed tile is multiplied with the element in its place of the transformed kernel, and summed over the input
//! features: 16 matrix products over all tiles. The transforms add numbers of opposite signs, so the results are rounded
//! otherwise than a sum over windows rounds them; only [`FloatMode::Relaxed`] allows that.

use super::labeled::{
    Axis, Labeled, arrange, contract, interleaved, labeled_lhs, labeled_rhs, pad_lhs, strided,
};
use crate::cost::Target;
use wengert_ir::op::{Convolution, Precision};
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::{DType, FloatMode};

/// Whether this takes less time than a contraction over windows, and is allowed. `inputs` and `outputs` are numbers of
/// features, `counts` those of the windows along each spatial dimension.
pub fn is_faster(
    c: &Convolution,
    mode: FloatMode,
    taps: &[usize],
    batches: usize,
    [inputs, outputs]: [usize; 2],
    counts: &[usize],
) -> bool {
    let single = [&c.window_strides, &c.lhs_dilation, &c.rhs_dilation];
    let applies = mode == FloatMode::Relaxed
        && matches!(c.dtype, DType::F32 | DType::F64)
        && [c.lhs_precision, c.rhs_precision] == [Precision::Default; 2]
        && taps == [3, 3]
        && c.feature_group_count == 1
        && c.batch_group_count == 1
        && single.iter().all(|steps| steps.iter().all(|&step| step == 1));
    let sizes = &Target::CPU.sizes;
    let times = |factors: &[usize]| factors.iter().fold(1usize, |p, &f| p.saturating_mul(f));
    let weights = times(&[inputs, outputs]);
    let direct = times(&[9, weights, batches, counts.iter().product()]);
    // Of rows of odd length, the last tiles are half waste.
    let positions = times(&[batches, counts.iter().map(|n| n.next_multiple_of(2)).product()]);
    let minimal =
        times(&[4, weights]).saturating_add(times(&[sizes.minimal_feature, inputs.saturating_add(outputs)]));
    let kernel = times(&[sizes.minimal_weight, weights]);
    applies && times(&[positions, minimal]).saturating_add(kernel) < direct
}

/// The results for all windows, of shape `result`; `rhs` is in no need of reversal.
pub fn minimal_filtering(c: &Convolution, e: &mut dyn Emit, lhs: Term, rhs: Term, result: &[usize]) -> Term {
    let counts = [0, 1].map(|k| result[c.output_spatial_dimensions[k]]);
    let mut padded = c.clone();
    for (high, count) in padded.padding_high.iter_mut().zip(counts) {
        *high += (count % 2) as i64;
    }
    let x = e.ty(lhs);
    let lhs = pad_lhs(&padded, e, lhs, &x);
    let (lhs, rhs) = (labeled_lhs(c, e, lhs), labeled_rhs(c, e, rhs));
    let [rows, columns] = [0, 1].map(|k| lhs.at(Axis::Place(k)));
    let [tiles, across] = [0, 1].map(|k| counts[k].div_ceil(2));
    let operand = grid(4, |i, j| {
        let rest = strided(e, lhs.x, rows, i, 2, tiles);
        strided(e, rest, columns, j, 2, across)
    });
    let kernel = grid(3, |i, j| rhs.without_window(e, [i, j]));
    let operand = both_ways(e, &operand, &|e, d| {
        let d: [Term; 4] = d.try_into().expect("tiles of four");
        vec![e.sub(d[0], d[2]), e.add(d[1], d[2]), e.sub(d[2], d[1]), e.sub(d[1], d[3])]
    });
    let kernel = both_ways(e, &kernel, &|e, g| {
        let g: [Term; 3] = g.try_into().expect("windows of three");
        let outer = e.add(g[0], g[2]);
        let [outer, middle] = [outer, g[1]].map(|x| e.scale(x, 0.5));
        vec![g[0], e.add(outer, middle), e.sub(outer, middle), g[2]]
    });
    let kernel_axes: Vec<Axis> = rhs.axes.iter().copied().filter(|a| !matches!(a, Axis::Window(_))).collect();
    let mut axes = Vec::new();
    let products = grid(4, |i, j| {
        let tile = Labeled { x: operand[i][j], axes: lhs.axes.clone() };
        let filter = Labeled { x: kernel[i][j], axes: kernel_axes.clone() };
        let product = contract(c, e, tile, filter, false);
        axes = product.axes;
        product.x
    });
    let results = both_ways(e, &products, &|e, m| {
        let m: [Term; 4] = m.try_into().expect("tiles of four");
        let (first, second) = (e.add(m[0], m[1]), e.sub(m[1], m[2]));
        vec![e.add(first, m[2]), e.sub(second, m[3])]
    });
    let mut out = Labeled { x: results[0][0], axes };
    let [rows, columns] = [0, 1].map(|k| out.at(Axis::Place(k)));
    let lines: Vec<Term> = results.iter().map(|line| interleaved(e, line, columns)).collect();
    let whole = interleaved(e, &lines, rows);
    let whole = strided(e, whole, rows, 0, 1, counts[0]);
    out.x = strided(e, whole, columns, 0, 1, counts[1]);
    arrange(c, e, out, result)
}

/// `n` rows of `n` terms.
fn grid(n: usize, mut f: impl FnMut(usize, usize) -> Term) -> Vec<Vec<Term>> {
    (0..n).map(|i| (0..n).map(|j| f(i, j)).collect()).collect()
}

/// What is made of the terms of a row or column.
type Transform = dyn Fn(&mut dyn Emit, Vec<Term>) -> Vec<Term>;

/// A transform of every row, then of every column of what that gave.
fn both_ways(e: &mut dyn Emit, x: &[Vec<Term>], transform: &Transform) -> Vec<Vec<Term>> {
    let rows: Vec<Vec<Term>> = x.iter().map(|row| transform(e, row.clone())).collect();
    let columns: Vec<Vec<Term>> = turned(&rows).into_iter().map(|column| transform(e, column)).collect();
    turned(&columns)
}

/// Rows as columns.
fn turned(x: &[Vec<Term>]) -> Vec<Vec<Term>> {
    (0..x[0].len()).map(|j| x.iter().map(|row| row[j]).collect()).collect()
}
