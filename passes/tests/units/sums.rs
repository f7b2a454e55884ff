//! The pattern of sums over windows, beside the sums of unit vectors.

use wengert_ir::op::{BinaryOp, ReduceWindow, Reducer};
use wengert_ir::testing::{eval_op, numbers, single};
use wengert_ir::types::{DType, TensorType};
use wengert_passes::sparsity::pattern;

/// Windows of every stride, dilation and padding over short rows: the pattern is where the sums of unit vectors are not zero.
#[test]
fn windows_sum_what_the_pattern_says() {
    let dim = |v: usize| [1, v].into_iter().collect();
    let mut tried = 0;
    for code in 0..3 * 3 * 2 * 3 * 2 * 3 * 3 {
        let mut code = code;
        let mut next = |n: usize| {
            let digit = code % n;
            code /= n;
            digit
        };
        let (size, window, stride, base, spread) =
            (next(3) + 2, next(3) + 1, next(2) + 1, next(3) + 1, next(2) + 1);
        let (low, high) = (next(3) as i64 - 1, next(3) as i64 - 1);
        let pad = |n: i64| [0, n].into_iter().collect();
        let op = ReduceWindow {
            window_dimensions: dim(window),
            window_strides: dim(stride),
            base_dilations: dim(base),
            window_dilations: dim(spread),
            padding_low: pad(low),
            padding_high: pad(high),
            inputs: 1,
            reducer: Reducer::Op(BinaryOp::Add),
        };
        let ty = TensorType::new(DType::F64, &[2, size]);
        let zero = TensorType::scalar(DType::F64);
        if (base * (size - 1) + 1) as i64 + low + high < (spread * (window - 1) + 1) as i64 {
            continue;
        }
        tried += 1;
        let (mut m, f) = single(op.clone().into(), &[ty.clone(), zero.clone()]);
        let found = pattern(&mut m, f, &[true, false], &[true], &[None, None]).expect("small");
        for column in 0..2 * size {
            let unit = numbers(&ty, (0..2 * size).map(|k| if k == column { 1.0 } else { 0.0 }));
            let sums = eval_op(op.clone(), &[unit, numbers(&zero, [0.0])]).remove(0);
            for (row, &sum) in sums.as_slice::<f64>().iter().enumerate() {
                let said = found.row(row).contains(&(column as u32));
                assert_eq!(said, sum != 0.0, "{op:?} of {size}: {row} by {column}");
            }
        }
    }
    assert!(tried > 300, "{tried}");
}
