//! What the tests of transforms share: numbers to try them on, and nearness.

use wengert::{DType, Tensor};

/// `f64` numbers of `shape` in [-1.5, 1.65], of both signs, no two neighbours alike.
pub(crate) fn numbers(shape: &[isize]) -> Tensor {
    let n: isize = shape.iter().product();
    let numbers: Vec<f64> = (0..n).map(|k| ((k * 37 % 23) as f64 - 10.5) / 7.0).collect();
    Tensor::from(numbers).reshape(shape)
}

/// Asserts equal types and values within 1e-11, relative to those above 1; NaN is near NaN.
#[track_caller]
pub(crate) fn close(got: &Tensor, want: &Tensor, what: &str) {
    assert_eq!((got.shape(), got.dtype()), (want.shape(), want.dtype()), "{what}");
    let [got, want] = [got, want].map(|t| t.astype(DType::F64).to_vec::<f64>());
    for (x, y) in got.iter().zip(&want) {
        let near = x == y || (x - y).abs() <= 1e-11 * (1.0 + y.abs()) || x.is_nan() && y.is_nan();
        assert!(near, "{what}: {got:?} instead of {want:?}");
    }
}
