//! Convolutions of all kinds: strides, padding of either sign, dilations, groups, orders of dimensions, sizes of nothing.

use crate::op::{Convolution, Precision};
use crate::types::{DType, Dims};
use smallvec::SmallVec;

/// One of `n` spatial dimensions, `[b, 0.., f] x [0.., i, o] -> [b, 0.., f]`.
pub fn convolution(n: usize) -> Convolution {
    Convolution {
        window_strides: SmallVec::from_elem(1, n),
        padding_low: SmallVec::from_elem(0, n),
        padding_high: SmallVec::from_elem(0, n),
        lhs_dilation: SmallVec::from_elem(1, n),
        rhs_dilation: SmallVec::from_elem(1, n),
        window_reversal: SmallVec::from_elem(false, n),
        input_batch_dimension: 0,
        input_feature_dimension: n + 1,
        input_spatial_dimensions: (1..=n).collect(),
        kernel_input_feature_dimension: n,
        kernel_output_feature_dimension: n + 1,
        kernel_spatial_dimensions: (0..n).collect(),
        output_batch_dimension: 0,
        output_feature_dimension: n + 1,
        output_spatial_dimensions: (1..=n).collect(),
        feature_group_count: 1,
        batch_group_count: 1,
        lhs_precision: Precision::Default,
        rhs_precision: Precision::Default,
        dtype: DType::F64,
    }
}

/// Convolutions with the shapes of their operands.
pub fn convolutions() -> Vec<(Convolution, Dims, Dims)> {
    let dims = Dims::from_slice;
    let one = |strides: &[usize], low: &[i64], high: &[i64], lhs: &[usize], rhs: &[usize]| {
        let n = strides.len();
        Convolution {
            window_strides: dims(strides),
            padding_low: low.into(),
            padding_high: high.into(),
            lhs_dilation: dims(lhs),
            rhs_dilation: dims(rhs),
            ..convolution(n)
        }
    };
    let row = |c: Convolution, x: &[usize], w: &[usize]| (c, dims(x), dims(w));
    let nchw = |c: Convolution| Convolution {
        input_feature_dimension: 1,
        input_spatial_dimensions: dims(&[2, 3]),
        kernel_input_feature_dimension: 1,
        kernel_output_feature_dimension: 0,
        kernel_spatial_dimensions: dims(&[2, 3]),
        output_feature_dimension: 1,
        output_spatial_dimensions: dims(&[2, 3]),
        ..c
    };
    vec![
        row(convolution(0), &[3, 2], &[2, 4]),
        row(one(&[1], &[0], &[0], &[1], &[1]), &[2, 5, 3], &[3, 3, 2]),
        row(one(&[2], &[1], &[2], &[1], &[1]), &[2, 6, 2], &[3, 2, 2]),
        row(one(&[1], &[2], &[1], &[2], &[1]), &[1, 4, 2], &[3, 2, 3]),
        row(one(&[1], &[3], &[3], &[1], &[2]), &[2, 4, 1], &[3, 1, 2]),
        row(one(&[3], &[-1], &[2], &[2], &[2]), &[1, 5, 2], &[2, 2, 1]),
        row(one(&[1], &[-2], &[-1], &[1], &[1]), &[2, 7, 1], &[2, 1, 2]),
        // A window that is larger than what it slides over: nothing.
        row(one(&[1], &[0], &[0], &[1], &[1]), &[1, 2, 1], &[3, 1, 2]),
        row(one(&[1], &[0], &[0], &[1], &[1]), &[0, 4, 1], &[3, 1, 2]),
        row(one(&[1], &[1], &[1], &[1], &[1]), &[2, 4, 0], &[3, 0, 2]),
        row(one(&[1, 2], &[1, 0], &[0, 1], &[1, 1], &[1, 1]), &[2, 4, 5, 2], &[2, 3, 2, 3]),
        row(
            Convolution {
                window_reversal: SmallVec::from_slice(&[true, false]),
                ..one(&[1, 1], &[1, 0], &[0, 2], &[1, 2], &[2, 1])
            },
            &[1, 4, 3, 2],
            &[2, 3, 2, 2],
        ),
        row(nchw(one(&[2, 1], &[-1, 1], &[2, -1], &[1, 1], &[1, 2])), &[1, 2, 7, 8], &[3, 2, 2, 2]),
        // The form of a kernel's gradient: windows as large as the image.
        row(
            Convolution {
                input_batch_dimension: 3,
                input_feature_dimension: 0,
                input_spatial_dimensions: dims(&[1, 2]),
                kernel_input_feature_dimension: 0,
                kernel_output_feature_dimension: 3,
                kernel_spatial_dimensions: dims(&[1, 2]),
                output_batch_dimension: 2,
                output_feature_dimension: 3,
                output_spatial_dimensions: dims(&[0, 1]),
                ..one(&[1, 1], &[1, 1], &[1, 1], &[1, 1], &[1, 1])
            },
            &[2, 4, 5, 2],
            &[2, 4, 5, 3],
        ),
        row(
            Convolution { feature_group_count: 2, ..one(&[1], &[1], &[1], &[1], &[1]) },
            &[2, 4, 4],
            &[3, 2, 6],
        ),
        row(
            Convolution { feature_group_count: 3, ..one(&[2], &[1], &[0], &[1], &[1]) },
            &[2, 5, 3],
            &[2, 1, 6],
        ),
        row(
            nchw(Convolution { feature_group_count: 2, ..one(&[1, 2], &[0, 1], &[1, 0], &[2, 1], &[1, 1]) }),
            &[1, 4, 3, 4],
            &[6, 2, 2, 3],
        ),
        row(
            Convolution { batch_group_count: 2, ..one(&[1], &[1], &[0], &[1], &[1]) },
            &[4, 5, 3],
            &[2, 3, 4],
        ),
        row(
            Convolution { batch_group_count: 3, ..one(&[2], &[0], &[1], &[1], &[2]) },
            &[3, 6, 2],
            &[2, 2, 3],
        ),
        row(convolution(4), &[1, 2, 2, 1, 2, 2], &[1, 2, 1, 1, 2, 2]),
    ]
}
