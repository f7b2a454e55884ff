//! Scalars of kernels: words that do not trap, saturate and have an order.

use wengert_ir::kernel::scalar::{binary, cast, compare, unary};
use wengert_ir::kernel::{KBinary, KCast, KUnary, Scalar};
use wengert_ir::op::{CompareType, Direction};

fn f(x: f64) -> u64 {
    x.to_bits()
}

#[test]
fn integers_do_not_trap() {
    let min = 1u64 << 31;
    for (op, a, b, expected) in [
        (KBinary::Div, 7, 0, 0xffff_ffff),
        (KBinary::Div, min, 0xffff_ffff, min),
        (KBinary::Rem, min, 0xffff_ffff, 0),
        (KBinary::Rem, 7, 0, 7),
        (KBinary::DivU, 7, 0, 0xffff_ffff),
        (KBinary::RemU, 7, 0, 7),
        (KBinary::Shl, 1, 32, 0),
        (KBinary::Shr, min, 99, 0xffff_ffff),
        (KBinary::ShrU, min, 31, 1),
        (KBinary::Min, min, 1, min),
        (KBinary::MinU, min, 1, 1),
        (KBinary::Add, 0xffff_ffff, 1, 0),
    ] {
        assert_eq!(binary(op, Scalar::I32, a, b), expected, "{op:?} {a} {b}");
    }
    assert_eq!(unary(KUnary::Clz, Scalar::I16, 1), 15);
    assert_eq!(unary(KUnary::Not, Scalar::I1, 1), 0);
    assert_eq!(unary(KUnary::Abs, Scalar::I32, min), min);
}

#[test]
fn casts_saturate() {
    assert_eq!(cast(KCast::Signed, Scalar::F64, Scalar::I32, f(-1e30)), 1 << 31);
    assert_eq!(cast(KCast::Signed, Scalar::F64, Scalar::I8, f(200.0)), 127);
    assert_eq!(cast(KCast::Unsigned, Scalar::F64, Scalar::I8, f(300.0)), 255);
    assert_eq!(cast(KCast::Signed, Scalar::F64, Scalar::I64, f(f64::NAN)), 0);
    assert_eq!(cast(KCast::Unsigned, Scalar::I1, Scalar::F64, 1), f(1.0));
    assert_eq!(cast(KCast::Signed, Scalar::F64, Scalar::I1, f(0.5)), 1);
    assert_eq!(cast(KCast::Signed, Scalar::F64, Scalar::I1, f(-0.0)), 0);
    // 2^53 + 2^29 + 1 would round twice by way of binary64.
    let x = (1u64 << 53) + (1 << 29) + 1;
    assert_eq!(cast(KCast::Unsigned, Scalar::I64, Scalar::F32, x), (x as f32).to_bits() as u64);
}

#[test]
fn floats_order() {
    let total = |a: f64, b: f64| compare(Direction::Lt, CompareType::TotalOrder, Scalar::F64, f(a), f(b));
    let ascending = [-f64::NAN, f64::NEG_INFINITY, -1.0, -0.0, 0.0, 1.0, f64::INFINITY, f64::NAN];
    for w in ascending.windows(2) {
        assert!(total(w[0], w[1]) && !total(w[1], w[0]), "{w:?}");
    }
    assert_eq!(binary(KBinary::Max, Scalar::F64, f(-0.0), f(0.0)), f(0.0));
    assert_eq!(binary(KBinary::Min, Scalar::F64, f(0.0), f(-0.0)), f(-0.0));
    assert!(f64::from_bits(binary(KBinary::Max, Scalar::F64, f(f64::NAN), f(0.0))).is_nan());
    assert_eq!(binary(KBinary::NextAfter, Scalar::F64, f(0.0), f(-1.0)), f(-5e-324));
    assert_eq!(binary(KBinary::NextAfter, Scalar::F64, f(-1.0), f(2.0)), f((-1.0f64).next_up()));
}
