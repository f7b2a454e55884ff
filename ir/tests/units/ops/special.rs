//! The Bessel function `i1e`: values and ends.

use wengert_ir::array::Array;
use wengert_ir::op::UnaryOp;
use wengert_ir::testing::{eval_op, floats};

fn bessel_i1e(x: f64) -> f64 {
    floats(&eval_op(UnaryOp::BesselI1e, &[Array::scalar(x)])[0])[0]
}

fn close(got: f64, want: f64) {
    assert!((got - want).abs() <= 4e-15 * want.abs(), "{got:e}, want {want:e}");
}

/// Computed with 40 digits.
#[test]
fn values() {
    close(bessel_i1e(0.3), 0.1123775606398388);
    close(bessel_i1e(-2.5), -0.20658464953126657);
    close(bessel_i1e(7.9), 0.13489649943989376);
    close(bessel_i1e(8.1), 0.13340068832583662);
    close(bessel_i1e(-100.0), -0.03974415302513025);
    close(bessel_i1e(1e-05), 4.999950000312499e-06);
}

#[test]
fn ends() {
    assert_eq!(bessel_i1e(f64::INFINITY), 0.0);
    assert!(bessel_i1e(f64::NAN).is_nan());
    assert_eq!(bessel_i1e(-0.0).to_bits(), (-0.0f64).to_bits());
}
