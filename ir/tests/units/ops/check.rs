//! What checks compare, and what they say.

use wengert_ir::array::Array;
use wengert_ir::op::{Check, CheckKind, FloatAttr};
use wengert_ir::ops::check::compare;
use wengert_ir::types::{DType, TensorType};

fn check(kind: CheckKind) -> Check {
    Check { kind, tolerance: FloatAttr::new(1e-4), min_ulp: 0, max_ulp: 3 }
}

fn holds(kind: CheckKind, a: f32, b: f32) -> bool {
    compare(&check(kind), &Array::scalar(a), &Array::scalar(b)).is_ok()
}

#[test]
fn elements_compare_as_the_specification_says() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    use CheckKind::{AlmostEq, Close, Eq};
    assert!(holds(Eq, 0.0, -0.0) && !holds(Eq, nan, nan) && !holds(Eq, 1.0, 1.0 + f32::EPSILON));
    assert!(holds(AlmostEq, nan, nan) && holds(AlmostEq, inf, inf) && !holds(AlmostEq, inf, -inf));
    assert!(holds(AlmostEq, 1.0, 1.00009) && !holds(AlmostEq, 1.0, 1.0002));
    assert!(!holds(AlmostEq, 1e-6, -1e-6) && !holds(AlmostEq, f32::MAX, inf) && !holds(AlmostEq, 0.0, nan));
    assert!(holds(Close, 0.0, -0.0) && holds(Close, nan, -nan) && !holds(Close, inf, f32::MAX));
    let step = |n: u32| f32::from_bits(1f32.to_bits() + n);
    assert!(holds(Close, 1.0, step(3)) && !holds(Close, 1.0, step(4)));
    assert!(holds(Close, f32::from_bits(1), -f32::from_bits(2)));
    assert!(!holds(Close, f32::from_bits(2), -f32::from_bits(2)));
}

#[test]
fn a_failure_names_the_element() {
    let a = Array::new(&[2, 2], &[1i32, 2, 3, 4]);
    let b = Array::new(&[2, 2], &[1i32, 2, 0, 5]);
    let failure = compare(&check(CheckKind::Eq), &a, &b).expect_err("they differ");
    let said = "check.expect_eq does not hold at [1, 0]: got 3, expected 0 (2 of 4 elements)";
    assert_eq!(failure.to_string(), said);
}

#[test]
fn a_minimum_distance_may_be_asked() {
    let mut far = check(CheckKind::Close);
    far.min_ulp = 1;
    assert!(compare(&far, &Array::scalar(1f64), &Array::scalar(1f64)).is_err());
}

#[test]
fn a_guard_wants_the_bits_and_says_what_was_read() {
    let nan = f32::NAN;
    use CheckKind::Guard;
    assert!(holds(Guard, nan, -nan) && holds(Guard, 1.5, 1.5) && holds(Guard, -0.0, -0.0));
    assert!(!holds(Guard, 0.0, -0.0) && !holds(Guard, nan, 1.0));
    let failure = compare(&check(Guard), &Array::new_bool(&[], &[true]), &Array::new_bool(&[], &[false]));
    let said = "read false when it was recorded and would read true now, and may go another way";
    assert!(failure.expect_err("they differ").to_string().contains(said));
}

#[test]
fn both_parts_of_a_complex_number_count() {
    let of = |re: f32, im: f32| {
        let bytes = [re.to_le_bytes(), im.to_le_bytes()].concat();
        Array::from_bytes(TensorType::scalar(DType::C64), &bytes)
    };
    for &kind in CheckKind::ALL {
        assert!(compare(&check(kind), &of(1.0, 2.0), &of(1.0, 2.0)).is_ok());
        assert!(compare(&check(kind), &of(1.0, 2.0), &of(1.0, 3.0)).is_err(), "{kind:?}");
        assert!(compare(&check(kind), &of(1.0, 2.0), &of(0.0, 2.0)).is_err(), "{kind:?}");
    }
}
