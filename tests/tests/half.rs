//! Conversions of half-precision numbers by kernels: of every one of them, and of single-precision numbers at and beside the middle
//! between two of them, as the interpreter converts them.

use crate::vector_code::{has_512_bits, parsed, slow};
use wengert::{DType, Tensor};

fn convert(n: usize, from: &str, to: &str) -> String {
    format!(
        "func.func @main(%x: tensor<{n}x{from}>) -> tensor<{n}x{to}> {{
    %0 = stablehlo.convert %x : (tensor<{n}x{from}>) -> tensor<{n}x{to}>
    return %0 : tensor<{n}x{to}>
}}"
    )
}

/// Compiled code gives the interpreter's numbers, one NaN for all of them.
#[track_caller]
fn agrees(text: &str, x: &Tensor) {
    let program = parsed(text);
    let args = std::slice::from_ref(x);
    let compiled = program.lower().and_then(|l| l.compile()).and_then(|c| c.call(args)).expect("it runs");
    let interpreted = program.interpret(args).expect("it runs");
    let bits = |t: &Tensor| -> Vec<u64> {
        let all = t.astype(DType::F64).to_vec::<f64>();
        all.into_iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() }).collect()
    };
    assert_eq!(bits(&compiled[0]), bits(&interpreted[0]), "{text}");
}

#[test]
fn every_half_and_what_lies_beside() {
    let words: Vec<u16> = (0..=u16::MAX).collect();
    let words = Tensor::new(&[words.len()], &words);
    let cast =
        parsed(&convert(1 << 16, "ui16", "f16").replace("stablehlo.convert", "stablehlo.bitcast_convert"));
    let halves = cast.interpret(&[words]).expect("it runs").remove(0);
    agrees(&convert(1 << 16, "f16", "f32"), &halves);
    let exact: Vec<f32> = halves.astype(DType::F32).to_vec();
    let beside = |by: u32| exact.iter().map(move |x| f32::from_bits(x.to_bits().wrapping_add(by)));
    let all: Vec<f32> = [0, 1, 0xfff, 0x1000, 0x1001, 0x1fff].into_iter().flat_map(beside).collect();
    agrees(&convert(all.len(), "f32", "f16"), &Tensor::new(&[all.len()], &all));
    // Below the least half, and around half of it.
    let small: Vec<f32> = (0..4000u32).map(|k| f32::from_bits(k.wrapping_mul(0x0003_1f27))).collect();
    agrees(&convert(small.len(), "f32", "f16"), &Tensor::new(&[small.len()], &small));
}

#[test]
fn kernels_convert_halves() {
    for (from, to) in [("f16", "f32"), ("f32", "f16"), ("bf16", "f32"), ("f32", "bf16")] {
        let program = parsed(&convert(4096, from, to));
        let profile = program.lower().and_then(|l| l.kernels()).expect("it lowers");
        assert!(profile.kernels.iter().all(|k| k.interpreted.is_empty()), "{from} to {to}");
        if has_512_bits() {
            assert_eq!(slow(&program), Vec::<String>::new(), "{from} to {to}");
        }
    }
}
