//! Each elementwise function on a million elements that stay in cache.

use super::Workload;
use super::data::uniform;
use wengert::{DType, Tensor};

/// How many elements: nanoseconds per element are microseconds by a thousand.
pub const ELEMENTS: usize = 1_000_000;

type Function = fn(Tensor) -> Tensor;

pub(super) fn rows() -> Vec<Workload> {
    const FUNCTIONS: [(&str, Function); 20] = [
        ("negate", |x| -x),
        ("exp", |x| x.exp()),
        ("expm1", |x| x.expm1()),
        ("log", |x| x.log()),
        ("log1p", |x| x.log1p()),
        ("sin", |x| x.sin()),
        ("cos", |x| x.cos()),
        ("tan", |x| x.tan()),
        ("tanh", |x| x.tanh()),
        ("sinh", |x| x.sinh()),
        ("cosh", |x| x.cosh()),
        ("atan", |x| x.atan()),
        ("sqrt", |x| x.sqrt()),
        ("rsqrt", |x| x.rsqrt()),
        ("reciprocal", |x| 1.0 / x),
        ("power", |x| x.pow(1.7)),
        ("erf", |x| x.erf()),
        ("logistic", |x| x.sigmoid()),
        ("cbrt", |x| x.cbrt()),
        ("lgamma", |x| x.lgamma()),
    ];
    let types = [("f32", DType::F32), ("f64", DType::F64)];
    let row = |(name, f): (&str, Function), (suffix, dtype): (&str, DType)| {
        let args = move || (uniform(1, &[ELEMENTS], 0.1, 2.0, dtype),);
        Workload::new(format!("elementwise.{suffix}.{name}"), move || f, args)
    };
    types.into_iter().flat_map(|t| FUNCTIONS.into_iter().map(move |f| row(f, t))).collect()
}
