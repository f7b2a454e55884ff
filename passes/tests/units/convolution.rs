//! Expansions of convolutions compute what the convolutions do.

use smallvec::{SmallVec, smallvec};
use wengert_ir::array::Array;
use wengert_ir::func::{Func, FuncKind, Module};
use wengert_ir::op::{Convolution, Op, Precision};
use wengert_ir::rules::Term;
use wengert_ir::testing::convolutions::{convolution, convolutions};
use wengert_ir::testing::{Builder, Random, eval, floats, single};
use wengert_ir::types::{DType, Dims, FloatMode, TensorType};
use wengert_passes::legalize::legalize;
use wengert_passes::testing::{is_faster, minimal_filtering};

/// The expansion computes the same, in a mode in which operands may be taken apart and in one in which they may not.
fn check_expansion(c: Convolution, operands: &[TensorType]) {
    let mut random = Random(11);
    let args: Vec<Array> = operands.iter().map(|ty| random.array(ty, -2.0, 2.0)).collect();
    for mode in [FloatMode::Default, FloatMode::Exact] {
        let (mut module, f) = single(c.clone().into(), operands);
        module.mode = mode;
        let want = eval(&module, f, &args);
        let g = legalize(&mut module, f);
        assert!(!module.funcs[g].insts.values().any(|i| matches!(i.op, Op::Convolution(_))), "{c:?}");
        let got = eval(&module, g, &args);
        assert_eq!(got[0].ty(), want[0].ty(), "{c:?}");
        if !got[0].dtype().is_float() {
            assert_eq!(got, want, "{c:?}");
            continue;
        }
        for (x, y) in floats(&got[0]).into_iter().zip(floats(&want[0])) {
            assert!((x - y).abs() <= 1e-12 * (1.0 + y.abs()), "{c:?}: {x} instead of {y}");
        }
    }
}

#[test]
fn expansions_compute_the_same() {
    for (c, x, w) in convolutions() {
        check_expansion(c.clone(), &[&x, &w].map(|s| TensorType::new(DType::F64, s)));
        let c = Convolution { dtype: DType::I32, ..c };
        check_expansion(c, &[&x, &w].map(|s| TensorType::new(DType::I32, s)));
    }
}

/// What expands into several convolutions, with parts of the kernel that may be empty and margins of either sign.
#[test]
fn convolutions_of_spread_operands() {
    let mut checked = 0;
    for (size, taps, dilation) in
        (1..5).flat_map(|s| (1..6).map(move |t| (s, t))).flat_map(|(s, t)| (2..6).map(move |d| (s, t, d)))
    {
        for (low, high) in [(0, 0), (2, 1), (-1, 3), (4, -2), (-3, 7), (7, -3), (6, 6)] {
            let c = Convolution {
                lhs_dilation: smallvec![dilation],
                padding_low: smallvec![low],
                padding_high: smallvec![high],
                window_reversal: smallvec![taps % 2 == 0],
                dtype: DType::I32,
                ..convolution(1)
            };
            let padded = low + high + ((size - 1) * dilation + 1) as i64;
            if padded < taps as i64 {
                continue;
            }
            let ints = [&[2, size, 2][..], &[taps, 2, 3]].map(|s| TensorType::new(DType::I32, s));
            check_expansion(c, &ints);
            checked += 1;
        }
    }
    assert!(checked > 400, "{checked}");
}

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
            let result = c.result_shape(&types[0].shape, &types[1].shape).expect("a result");
            let mut module = Module::new("");
            let mut b = Builder { module: &mut module, func: Func::new("main", FuncKind::Public) };
            let [x, w] = types.clone().map(|ty| Term::Known(b.func.param(ty)));
            b.func.results = vec![Builder::value(minimal_filtering(&c, &mut b, x, w, &result))];
            let f = b.func;
            let f = module.add(f);
            let mut random = Random(3);
            let args: Vec<_> = types.iter().map(|ty| random.array(ty, -2.0, 2.0)).collect();
            let got = eval(&module, f, &args);
            let (module, f) = single(c.clone().into(), &types);
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
    let pays = |c: &Convolution, mode, n, size: usize| is_faster(c, mode, &[3, 3], 8, [n, n], &[size, size]);
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
    assert!(!is_faster(&c, FloatMode::Relaxed, &taps, 8, [64, 64], &[56, 56]));
}
