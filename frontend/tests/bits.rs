//! Operators and choices with numbers in them, and bits.

use wengert::{DType, Tensor, jit};

#[test]
fn operators_take_numbers() {
    let x = Tensor::from([5u32, 0, 0xffff_ffff]);
    assert_eq!((&x & 1).to_vec::<u32>(), [1, 0, 1]);
    assert_eq!((6 | &x).to_vec::<u32>(), [7, 6, 0xffff_ffff]);
    assert_eq!((&x ^ 0xff).to_vec::<u32>(), [0xfa, 0xff, 0xffff_ff00]);
    assert_eq!((&x << 4).to_vec::<u32>(), [80, 0, 0xffff_fff0]);
    assert_eq!((&x >> 31).to_vec::<u32>(), [0, 0, 1]);
    assert_eq!((x >> Tensor::from([1u32, 1, 8])).to_vec::<u32>(), [2, 0, 0x00ff_ffff]);
    let signed = Tensor::from([-9i64, 9]);
    assert_eq!((&signed >> 1).to_vec::<i64>(), [-5, 4]);
    assert_eq!((1 << Tensor::from([0i64, 40])).to_vec::<i64>(), [1, 1 << 40]);
    let mask = Tensor::from([true, false]);
    assert_eq!((&mask ^ true).to_vec::<bool>(), [false, true]);
    assert_eq!((true & mask).to_vec::<bool>(), [true, false]);
    assert_eq!((signed & true).to_vec::<i64>(), [1, 1]);
}

#[test]
fn a_hash_is_that_of_integers() {
    // The finalizer of MurmurHash3.
    let mixed = |x: Tensor| {
        let x = (&x ^ (&x >> 16)) * Tensor::from(0x85eb_ca6bu32);
        let x = (&x ^ (&x >> 13)) * Tensor::from(0xc2b2_ae35u32);
        &x ^ (&x >> 16)
    };
    let words: Vec<u32> = (0..1000u32).map(|k| k.wrapping_mul(2_654_435_769)).collect();
    let want = words.iter().map(|&x| {
        let x = (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b);
        let x = (x ^ (x >> 13)).wrapping_mul(0xc2b2_ae35);
        x ^ (x >> 16)
    });
    let x = Tensor::from(words.clone());
    let want: Vec<u32> = want.collect();
    assert_eq!(mixed(x.clone()).to_vec::<u32>(), want);
    assert_eq!(jit(mixed)(x).to_vec::<u32>(), want);
}

/// A number in a choice has the type of the tensor beside it; of two numbers what they are alone.
#[test]
fn choices_take_numbers() {
    let mask = Tensor::from([true, false]);
    for dtype in [DType::F64, DType::F32, DType::BF16, DType::I64, DType::U8] {
        let x = Tensor::ones(&[2], dtype);
        assert_eq!(mask.select(0, &x).dtype(), dtype);
        assert_eq!(mask.select(&x, 0i64).dtype(), dtype);
        let wide = if dtype == DType::I64 { DType::F64 } else { DType::F32 };
        let float = if dtype.is_float() { dtype } else { wide };
        assert_eq!(mask.select(0.5, &x).dtype(), float);
        assert_eq!(mask.select(x, 0.5).dtype(), float);
    }
    assert_eq!(mask.select(1.0, 0.0).dtype(), DType::F32);
    assert_eq!(mask.select(1, 0).dtype(), DType::I32);
    assert_eq!(mask.select(true, false).to_vec::<bool>(), [true, false]);
    assert_eq!(mask.select(2.5, 0).to_vec::<f32>(), [2.5, 0.0]);
}
