//! Convolution with windows of 3 x 3 by Winograd's minimal filtering, F(2 x 2, 3 x 3): 16 products make four results
//! that need 36 otherwise. Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", CVPR 2016, section 4.
//!
//! A tile of 4 x 4 elements of the padded operand, two apart from the next, makes 2 x 2 results. Each of the 16 elements of a
//! transformed tile is multiplied with the element in its place of the transformed kernel, and summed over the input
//! features: 16 matrix products over all tiles. The transforms add numbers of opposite signs, so the results are rounded
//! otherwise than a sum over windows rounds them; only [`FloatMode::Relaxed`] allows that.

use super::im2col::{Axis, Labeled, interleaved, strided};
use crate::op::{Convolution, Precision};
use crate::rules::{Emit, Term};
use crate::types::{DType, FloatMode};

/// What one feature of a position costs beside the products, in multiplications: its part of a tile transformed, stored
/// and read. Measured on layers of 16 to 512 features, as the next one is.
const PER_FEATURE: usize = 80;
/// What one element of the kernel costs in multiplications, transformed, stored and read.
const PER_WEIGHT: usize = 350;

impl Convolution {
    /// Whether this takes less time than a contraction over windows, and is allowed. `inputs` and `outputs` are numbers of
    /// features, `counts` those of the windows along each spatial dimension.
    pub(super) fn has_minimal_filtering(
        &self,
        mode: FloatMode,
        taps: &[usize],
        batches: usize,
        [inputs, outputs]: [usize; 2],
        counts: &[usize],
    ) -> bool {
        let single = [&self.window_strides, &self.lhs_dilation, &self.rhs_dilation];
        let applies = mode == FloatMode::Relaxed
            && matches!(self.dtype, DType::F32 | DType::F64)
            && [self.lhs_precision, self.rhs_precision] == [Precision::Default; 2]
            && taps == [3, 3]
            && self.feature_group_count == 1
            && self.batch_group_count == 1
            && single.iter().all(|steps| steps.iter().all(|&step| step == 1));
        let times = |factors: &[usize]| factors.iter().fold(1usize, |p, &f| p.saturating_mul(f));
        let weights = times(&[inputs, outputs]);
        let direct = times(&[9, weights, batches, counts.iter().product()]);
        // Of rows of odd length, the last tiles are half waste.
        let positions = times(&[batches, counts.iter().map(|n| n.next_multiple_of(2)).product()]);
        let minimal =
            times(&[4, weights]).saturating_add(times(&[PER_FEATURE, inputs.saturating_add(outputs)]));
        let kernel = times(&[PER_WEIGHT, weights]);
        applies && times(&[positions, minimal]).saturating_add(kernel) < direct
    }

    /// The results for all windows; `rhs` is in no need of reversal, `counts` are the numbers of windows.
    pub(super) fn minimal_filtering(
        &self,
        e: &mut dyn Emit,
        lhs: Term,
        rhs: Term,
        counts: &[usize],
    ) -> Labeled {
        let mut padded = self.clone();
        for (high, count) in padded.padding_high.iter_mut().zip(counts) {
            *high += (count % 2) as i64;
        }
        let x = e.ty(lhs);
        let lhs = padded.pad_lhs(e, lhs, &x);
        let (lhs, rhs) = (self.labeled_lhs(e, lhs), self.labeled_rhs(e, rhs));
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
        let kernel_axes: Vec<Axis> =
            rhs.axes.iter().copied().filter(|a| !matches!(a, Axis::Window(_))).collect();
        let mut axes = Vec::new();
        let products = grid(4, |i, j| {
            let tile = Labeled { x: operand[i][j], axes: lhs.axes.clone() };
            let filter = Labeled { x: kernel[i][j], axes: kernel_axes.clone() };
            let product = self.contract(e, tile, filter, false);
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
        out
    }
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

#[cfg(test)]
mod tests {
    use crate::func::Module;
    use crate::op::{Convolution, Precision};
    use crate::ops::sketch::Sketch;
    use crate::testing::{Random, eval, floats, single_in};
    use crate::types::{DType, Dims, FloatMode, TensorType, Type};
    use smallvec::{SmallVec, smallvec};

    /// Dimensions of the operand, of the kernel and of the result: batch or input, features, the spatial ones.
    type Order = [[usize; 4]; 3];
    const NHWC: Order = [[0, 3, 1, 2], [2, 3, 0, 1], [0, 3, 1, 2]];
    const NCHW: Order = [[0, 1, 2, 3], [1, 0, 2, 3], [0, 1, 2, 3]];
    const MIXED: Order = [[3, 0, 2, 1], [0, 3, 2, 1], [2, 1, 3, 0]];

    fn conv(order: Order, low: [i64; 2], high: [i64; 2]) -> Convolution {
        let [x, w, y] = order;
        Convolution {
            window_strides: smallvec![1, 1],
            padding_low: low[..].into(),
            padding_high: high[..].into(),
            lhs_dilation: smallvec![1, 1],
            rhs_dilation: smallvec![1, 1],
            window_reversal: smallvec![false, false],
            input_batch_dimension: x[0],
            input_feature_dimension: x[1],
            input_spatial_dimensions: Dims::from_slice(&x[2..]),
            kernel_input_feature_dimension: w[0],
            kernel_output_feature_dimension: w[1],
            kernel_spatial_dimensions: Dims::from_slice(&w[2..]),
            output_batch_dimension: y[0],
            output_feature_dimension: y[1],
            output_spatial_dimensions: Dims::from_slice(&y[2..]),
            feature_group_count: 1,
            batch_group_count: 1,
            lhs_precision: Precision::Default,
            rhs_precision: Precision::Default,
            dtype: DType::F64,
        }
    }

    /// A shape whose dimensions in the given order have these sizes.
    fn shape(order: [usize; 4], sizes: [usize; 4]) -> TensorType {
        let mut shape = [0; 4];
        order.iter().zip(sizes).for_each(|(&d, size)| shape[d] = size);
        TensorType::new(DType::F64, &shape)
    }

    #[test]
    fn the_results_are_those_of_the_convolution() {
        let cases = [
            ([6, 8], [0, 0], [0, 0]),
            ([5, 6], [1, 1], [1, 1]),
            ([7, 3], [0, 2], [1, 0]),
            ([9, 8], [-1, 1], [0, -2]),
            ([1, 1], [1, 1], [1, 1]),
            ([3, 3], [0, 0], [0, 0]),
            ([2, 4], [3, 4], [3, 2]),
        ];
        for order in [NHWC, NCHW, MIXED] {
            for ([rows, columns], low, high) in cases {
                let c = conv(order, low, high);
                let types = [shape(order[0], [2, 3, rows, columns]), shape(order[1], [3, 5, 3, 3])];
                let operands: Vec<Type> = types.iter().cloned().map(Type::Tensor).collect();
                let result = c.shape(&types[0].shape, &types[1].shape).expect("a result");
                let counts: Vec<usize> = order[2][2..].iter().map(|&d| result[d]).collect();
                let mut module = Module::new("");
                let f = Sketch::build(&mut module, &operands, |s, x| {
                    let out = c.minimal_filtering(s, x[0], x[1], &counts);
                    Some(vec![c.arrange(s, out, &result)])
                });
                let f = module.add(f.expect("a function"));
                let mut random = Random(3);
                let args: Vec<_> = types.iter().map(|ty| random.array(ty, -2.0, 2.0)).collect();
                let got = eval(&module, f, &args);
                let (module, f) = single_in(module, c.clone().into(), &types);
                let wanted = eval(&module, f, &args);
                assert_eq!(got[0].ty(), wanted[0].ty(), "{c:?}");
                for (x, y) in floats(&got[0]).into_iter().zip(floats(&wanted[0])) {
                    assert!((x - y).abs() <= 1e-12 * (1.0 + y.abs()), "{c:?}: {x} instead of {y}");
                }
            }
        }
    }

    #[test]
    fn many_features_are_worth_it_where_rounding_is_free() {
        let c = conv(NHWC, [1, 1], [1, 1]);
        let pays = |c: &Convolution, mode, n, size: usize| {
            c.has_minimal_filtering(mode, &[3, 3], 8, [n, n], &[size, size])
        };
        assert!(pays(&c, FloatMode::Relaxed, 64, 56));
        assert!(pays(&c, FloatMode::Relaxed, 512, 7), "and waste");
        assert!(!pays(&c, FloatMode::Relaxed, 16, 56), "few features");
        assert!(!pays(&c, FloatMode::Relaxed, 64, 2), "a kernel for few places");
        assert!(!pays(&c, FloatMode::Default, 64, 56));
        assert!(!pays(&c, FloatMode::Exact, 64, 56));
        for (what, other) in [
            ("strides", Convolution { window_strides: smallvec![2, 1], ..c.clone() }),
            ("spread windows", Convolution { rhs_dilation: smallvec![1, 2], ..c.clone() }),
            ("groups", Convolution { feature_group_count: 2, ..c.clone() }),
            ("more precision", Convolution { rhs_precision: Precision::Highest, ..c.clone() }),
            ("other numbers", Convolution { dtype: DType::I32, ..c.clone() }),
        ] {
            assert!(!pays(&other, FloatMode::Relaxed, 64, 56), "{what}");
        }
        let taps: SmallVec<[usize; 2]> = smallvec![5, 5];
        assert!(!c.has_minimal_filtering(FloatMode::Relaxed, &taps, 8, [64, 64], &[56, 56]));
    }
}
