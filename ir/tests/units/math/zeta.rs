//! The zeta and polygamma functions: values, ends, poles, and singles below zero.

use wengert_ir::math::{MathFn, MathFn2};

fn zeta(x: f64, q: f64) -> f64 {
    MathFn2::Zeta.eval_f64(x, q)
}

fn polygamma(n: f64, x: f64) -> f64 {
    MathFn2::Polygamma.eval_f64(n, x)
}

fn close(got: f64, want: f64) {
    assert!((got - want).abs() <= 1e-15 * want.abs(), "{got:e}, want {want:e}");
}

/// Computed with 40 digits.
#[test]
fn values() {
    close(zeta(2.0, 1.0), 1.6449340668482264);
    close(zeta(1.1, 0.5), 12.103813495683747);
    close(zeta(3.5, 2.25), 0.08901224249238886);
    close(zeta(30.0, 7.5), 5.735621073686468e-27);
    close(zeta(60.0, 40.0), 9.767463619540871e-97);
    close(zeta(2.0, 1000000.0), 1.0000005000001667e-06);
    close(zeta(12.0, 0.001), 9.999999999999997e+35);
    close(zeta(2.0, -0.75), 18.975106932284888);
    close(zeta(3.0, -2.25), -61.94847488703008);
    // Nearer to a pole than an element can be to 1.
    close(zeta(2.0, -1e-9), 1e18);
    close(zeta(3.0, -1e-30), -1e90);
    // No power of the argument alone is a number.
    close(zeta(1.5, 1e300), 2e-150);
    close(polygamma(1.0, 0.5), 4.934802200544679);
    close(polygamma(2.0, 3.25), -0.12815694713911513);
    close(polygamma(5.0, 10.0), 0.0003059451621172682);
    close(polygamma(1.0, -0.5), 8.934802200544679);
    close(polygamma(1.0, -1e-30), 1e60);
    close(polygamma(0.0, 1.5), MathFn::Digamma.eval_f64(1.5));
    close(polygamma(0.0, -1.5), MathFn::Digamma.eval_f64(-1.5));
}

fn nan(y: f64) {
    assert!(y.is_nan(), "{y:e}");
}

#[test]
fn ends_and_poles() {
    assert_eq!(zeta(1.0, 2.0), f64::INFINITY);
    nan(zeta(0.5, 2.0));
    assert_eq!(zeta(2.0, -3.0), f64::INFINITY);
    assert_eq!(zeta(2.0, 0.0), f64::INFINITY);
    assert_eq!(zeta(2.0, f64::NEG_INFINITY), f64::INFINITY);
    nan(zeta(3.0, -3.0));
    nan(zeta(2.5, -0.5));
    nan(zeta(3.0, f64::NAN));
    nan(zeta(f64::NAN, 2.0));
    assert_eq!(zeta(1e5, 10.0), 0.0);
    assert_eq!(zeta(1e5, 1.0), 1.0);
    assert_eq!(zeta(f64::INFINITY, 1.0), 1.0);
    assert_eq!(zeta(f64::INFINITY, 0.5), f64::INFINITY);
    assert_eq!(zeta(3.0, f64::INFINITY), 0.0);
    assert_eq!(zeta(3.0, 1e-200), f64::INFINITY);
    nan(polygamma(-1.0, 2.0));
    nan(polygamma(1.5, 2.0));
    nan(polygamma(f64::INFINITY, 2.0));
    nan(polygamma(2.0, -3.0));
    assert_eq!(polygamma(1.0, -3.0), f64::INFINITY);
    assert_eq!(polygamma(2.0, 1e-300), f64::NEG_INFINITY);
    assert_eq!(polygamma(2.0, f64::INFINITY), 0.0);
    assert_eq!(MathFn2::Polygamma.eval_f32(170.0, 1.0), f32::NEG_INFINITY);
    assert_eq!(polygamma(1e30, 33.0), f64::NEG_INFINITY);
}

/// Below zero, singles against doubles: the error is of what is added.
#[test]
fn negative_singles() {
    for n in 1..12 {
        for k in 1..2000 {
            let x = -(k as f32) * 0.007_3;
            let (got, want) =
                (MathFn2::Polygamma.eval_f32(n as f32, x), polygamma(f64::from(n), f64::from(x)));
            let above = f64::from(x) - f64::from(x).floor();
            let size = polygamma(f64::from(n), above).abs() + polygamma(f64::from(n), 1.0 - above).abs();
            let unit = size * f64::from(f32::EPSILON);
            if size >= f64::from(f32::MAX) {
                continue;
            }
            assert!((f64::from(got) - want).abs() <= 4.0 * unit, "polygamma({n}, {x}) = {got}, want {want}");
        }
    }
}
