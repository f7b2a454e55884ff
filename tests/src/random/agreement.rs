//! When results agree: to the bit, all NaN being one, or within a bound where rounding is not defined.

use super::Rounding;
use wengert_ir::array::Array;
use wengert_ir::testing::floats;
use wengert_ir::types::{DType, TensorType};

/// How far results of programs with contractions, Fourier transforms or factorizations may differ, relative to the largest
/// element of the result: of `f64`, and of `f32`.
pub const BOUND: [f64; 2] = [1e-8, 2e-3];

/// How far derivatives by forward and reverse mode may differ, and what the relaxed mode makes of smooth programs.
pub const BOUND_OF_DERIVATIVES: [f64; 2] = [1e-7, 1e-2];

pub(super) fn agree_all(
    what: &str,
    got: Result<Vec<Array>, String>,
    want: &[Array],
    rounding: Rounding,
    bound: [f64; 2],
) -> Result<(), String> {
    let got = got.map_err(|e| format!("{what}: {e}"))?;
    if got.len() != want.len() {
        return Err(format!("{what}: {} results instead of {}", got.len(), want.len()));
    }
    for (k, (got, want)) in got.iter().zip(want).enumerate() {
        match rounding {
            Rounding::Defined => agree(got, want, None),
            Rounding::Bounded => agree(got, want, Some(bound)),
            Rounding::Single => agree(got, want, Some([bound[1]; 2])),
            Rounding::Unbounded if got.ty() == want.ty() => Ok(()),
            Rounding::Unbounded => Err(format!("{} instead of {}", got.ty(), want.ty())),
        }
        .map_err(|e| format!("{what}: result {k}: {e}"))?;
    }
    Ok(())
}

/// Whether two arrays agree, all NaN being one; else where they do not.
pub fn agree(got: &Array, want: &Array, bound: Option<[f64; 2]>) -> Result<(), String> {
    if got.ty() != want.ty() {
        return Err(format!("{} instead of {}", got.ty(), want.ty()));
    }
    if got.bytes() == want.bytes() {
        return Ok(());
    }
    if !got.dtype().is_float() && !got.dtype().is_complex() {
        let size = got.bytes().len() / got.ty().elements();
        let pairs = got.bytes().chunks(size).zip(want.bytes().chunks(size));
        let k = pairs.take_while(|(x, y)| x == y).count();
        let element = |a: &Array| {
            Array::from_bytes(TensorType::scalar(a.dtype()), &a.bytes()[k * size..(k + 1) * size])
        };
        return Err(format!("element {k}: {:?} instead of {:?}", element(got), element(want)));
    }
    let bound = bound.map(|[double, single]| if got.dtype() == DType::F64 { double } else { single });
    let (got, want) = (wide(got), wide(want));
    let largest = want.iter().map(|x| x.abs()).filter(|x| x.is_finite()).fold(1e-3, f64::max);
    for (k, (&x, &y)) in got.iter().zip(&want).enumerate() {
        let same = x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
        if !same && !bound.is_some_and(|b| (x - y).abs() <= b * largest) {
            return Err(format!("element {k}: {x:e} instead of {y:e}"));
        }
    }
    Ok(())
}

/// The elements, or parts of elements, as `f64`.
pub fn wide(a: &Array) -> Vec<f64> {
    let a = match a.dtype() {
        DType::C64 => Array::from_bytes(TensorType::new(DType::F32, &[2 * a.ty().elements()]), a.bytes()),
        DType::C128 => Array::from_bytes(TensorType::new(DType::F64, &[2 * a.ty().elements()]), a.bytes()),
        _ => a.clone(),
    };
    floats(&wengert_ir::ops::convert(&a, DType::F64).expect("floats widen"))
}
