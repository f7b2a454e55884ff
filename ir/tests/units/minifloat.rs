//! Floats of at most 8 bits, and short floats: known values, codes that survive, and rounding once.

use wengert_ir::array::Array;
use wengert_ir::minifloat::{Format, bf16_from_f64, decode, encode, f16_from_f64};
use wengert_ir::ops::convert;
use wengert_ir::types::DType;

const ALL: [DType; 11] = [
    DType::F4E2M1FN,
    DType::F6E2M3FN,
    DType::F6E3M2FN,
    DType::F8E4M3FN,
    DType::F8E5M2,
    DType::F8E4M3,
    DType::F8E4M3B11FNUZ,
    DType::F8E4M3FNUZ,
    DType::F8E5M2FNUZ,
    DType::F8E3M4,
    DType::F8E8M0FNU,
];

#[test]
fn every_finite_code_survives() {
    for dtype in ALL {
        for code in 0..=u8::MAX >> (8 - dtype.bits()) {
            let value = decode(dtype, code);
            if value.is_nan() {
                // One NaN for all, or for each sign.
                let again = decode(dtype, encode(dtype, value));
                assert!(
                    again.is_nan() && again.is_sign_negative() == value.is_sign_negative(),
                    "{dtype} {code:#x}"
                );
            } else {
                assert_eq!(encode(dtype, value), code, "{dtype} {code:#x} {value}");
            }
        }
    }
}

#[test]
fn known_values() {
    assert_eq!(decode(DType::F8E4M3FN, 0x7E), 448.0);
    assert_eq!(decode(DType::F8E5M2, 0x7B), 57344.0);
    assert_eq!(decode(DType::F8E4M3, 0x77), 240.0);
    assert_eq!(decode(DType::F8E3M4, 0x6F), 15.5);
    assert_eq!(decode(DType::F8E4M3FNUZ, 0x7F), 240.0);
    assert_eq!(decode(DType::F4E2M1FN, 0x7), 6.0);
    assert_eq!(decode(DType::F6E2M3FN, 0x1F), 7.5);
    assert_eq!(decode(DType::F6E3M2FN, 0x1F), 28.0);
    assert_eq!(decode(DType::F8E8M0FNU, 127), 1.0);
    assert_eq!(encode(DType::F8E5M2, f64::INFINITY), 0x7C);
    assert_eq!(encode(DType::F8E4M3FN, 1e9), 0x7F);
    assert_eq!(encode(DType::F8E4M3FNUZ, -0.0), 0);
    assert_eq!(encode(DType::F4E2M1FN, -100.0), 0xF);
    assert_eq!(encode(DType::F8E8M0FNU, 1e39), 0xFF);
    assert_eq!(encode(DType::F8E8M0FNU, 0.0), 0xFF);
    assert_eq!(encode(DType::F8E8M0FNU, 1e-45), 0);
}

/// What stands between two powers of two goes to the larger one.
#[test]
fn ties_of_powers_go_up() {
    for (x, y) in [(3.0, 4.0), (6.0, 8.0), (12.0, 16.0), (1.5, 2.0), (0.75, 1.0), (2.99, 2.0)] {
        assert_eq!(decode(DType::F8E8M0FNU, encode(DType::F8E8M0FNU, x)), y, "{x}");
    }
    assert_eq!(encode(DType::F8E8M0FNU, 1.5 * 2f64.powi(127)), 0xFF);
    assert_eq!(encode(DType::F8E8M0FNU, 1.5 * 2f64.powi(-127)), 1);
}

/// Half a step past the largest number is a tie: it goes to the largest if that is even, and else past it.
#[test]
fn ties_past_the_largest_go_to_even() {
    for (dtype, tie, code) in [
        (DType::F8E4M3FN, 464.0, 0x7E),
        (DType::F8E5M2, 61440.0, 0x7C),
        (DType::F8E4M3, 248.0, 0x78),
        (DType::F8E3M4, 15.75, 0x70),
        (DType::F8E4M3FNUZ, 248.0, 0x80),
        (DType::F8E5M2FNUZ, 61440.0, 0x80),
        (DType::F4E2M1FN, 7.0, 0x7),
    ] {
        assert_eq!(encode(dtype, tie), code, "{dtype} {tie}");
        let largest = encode(dtype, tie * 0.999);
        assert_eq!(
            decode(dtype, largest),
            decode(dtype, Format::of(dtype).expect("a short float").max_finite()),
            "{dtype}"
        );
    }
}

#[test]
fn conversions_round_once() {
    // Just above a tie of the short format: through binary32 the tie would go to even.
    let above = 1.0 + 2f64.powi(-9) + 2f64.powi(-40);
    assert_eq!(bf16_from_f64(1.0 + 2f64.powi(-8)).to_f64(), 1.0);
    assert_eq!(bf16_from_f64(1.0 + 2f64.powi(-8) + 2f64.powi(-40)).to_f64(), 1.0 + 2f64.powi(-7));
    assert_eq!(f16_from_f64(1.0 + 2f64.powi(-11) + 2f64.powi(-40)).to_f64(), 1.0 + 2f64.powi(-10));
    assert_eq!(bf16_from_f64(-above).to_f64(), -1.0);
    assert_eq!(f16_from_f64(1e300), half::f16::INFINITY);
    assert_eq!(f16_from_f64(65519.999999999).to_f64(), 65504.0);
    assert_eq!(f16_from_f64(2f64.powi(-25)).to_bits(), 0);
    assert_eq!(f16_from_f64(2f64.powi(-25) * (1.0 + 2f64.powi(-50))).to_bits(), 1);
    // An integer just above a tie, which a double does not tell from it.
    let above = Array::scalar((1i64 << 62) + (1i64 << 54) + 1);
    let rounded = convert(&above, DType::BF16).unwrap().as_slice::<half::bf16>()[0];
    assert_eq!(rounded.to_f64(), 2f64.powi(62) + 2f64.powi(55));
}
