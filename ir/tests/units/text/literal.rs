//! Literals: floats as MLIR spells them, lists and bytes of the type's shape, and memory in proportion to the text.

use std::fmt::Debug;
use wengert_ir::array::{Array, Element, Literal};
use wengert_ir::op::{Constant, Op};
use wengert_ir::testing::single;
use wengert_ir::text::parse;
use wengert_ir::types::{DType, TensorType};

/// What a constant has in `dense<...>`.
fn written(array: &Array) -> String {
    let (module, _) = single(Constant { value: Literal::from_array(array) }.into(), &[]);
    let text = module.to_string();
    let (_, rest) = text.split_once("dense<").expect("a constant");
    rest.split_once("> : tensor").expect("its type").0.to_owned()
}

fn shown<T: Element>(value: T) -> String {
    written(&Array::scalar(value))
}

#[test]
fn floats_look_like_mlirs() {
    assert_eq!(shown(1f32), "1.000000e+00");
    assert_eq!(shown(-0f64), "-0.000000e+00");
    assert_eq!(shown(std::f64::consts::PI), "3.1415926535897931");
    assert_eq!(shown(f32::MAX), "3.40282347E+38");
    assert_eq!(shown(f32::from_bits(1)), "1.401300e-45");
    assert_eq!(shown(16777216f32), "0x4B800000");
    assert_eq!(shown(0.1f32), "1.000000e-01");
    assert_eq!(shown(0.01234567f32), "0.0123456698");
    assert_eq!(shown(0.00012345678f32), "1.23456775E-4");
    assert_eq!(shown(12345678f32), "0x4B3C614E");
    assert_eq!(shown(123456789.123f64), "123456789.123");
    assert_eq!(shown(half::bf16::from_f32(0.1)), "1.000980e-01");
    assert_eq!(shown(f32::NAN), "0x7FC00000");
    assert_eq!(shown(f64::NEG_INFINITY), "0xFFF0000000000000");
    assert_eq!(shown(half::f16::NEG_INFINITY), "0xFC00");
    assert_eq!(shown(half::bf16::INFINITY), "0x7F80");
    assert_eq!(shown(-7i8), "-7");
    assert_eq!(shown(u64::MAX), "18446744073709551615");
}

/// The literal of a constant, or what is wrong with it: where in its text, and what.
fn read(text: &str, ty: TensorType) -> Result<Literal, String> {
    let before = "func.func @main() { %0 = stablehlo.constant dense<";
    let module = parse(&format!("{before}{text}> : {ty} return }}"))
        .map_err(|e| format!("{}: {}", e.column - 1 - before.len(), e.message))?;
    match module.funcs.values().flat_map(|f| f.insts.values()).map(|i| &i.op).next() {
        Some(Op::Constant(constant)) => Ok(constant.value.clone()),
        other => panic!("{text}: {other:?}"),
    }
}

/// Numbers that are written and read, each in a list.
fn survive<T: Element + Debug>(numbers: &[T]) {
    let array = Array::new(&[numbers.len()], numbers);
    let text = written(&array);
    assert_eq!(text.split(", ").count(), numbers.len(), "{text}");
    let back = read(&text, array.ty().clone()).unwrap();
    let size = array.dtype().size();
    let (back, before) = (back.stored_bytes().chunks(size), array.bytes().chunks(size));
    assert_eq!(back.len(), numbers.len());
    for ((back, before), number) in back.zip(before).zip(numbers) {
        assert_eq!(back, before, "{number:?}");
    }
}

#[test]
fn every_float_survives() {
    let mut x = 0x9E3779B97F4A7C15u64;
    let (mut doubles, mut singles) = (Vec::new(), Vec::new());
    for _ in 0..20_000 {
        x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        doubles.push(f64::from_bits(x));
        singles.push(f32::from_bits((x >> 32) as u32));
    }
    // Longer lists are written as bytes.
    doubles.chunks(100).for_each(survive);
    singles.chunks(100).for_each(survive);
    let bits: Vec<u16> = (0..=u16::MAX).collect();
    for bits in bits.chunks(64) {
        survive(&bits.iter().map(|&b| half::f16::from_bits(b)).collect::<Vec<_>>());
        survive(&bits.iter().map(|&b| half::bf16::from_bits(b)).collect::<Vec<_>>());
    }
}

#[test]
fn lists_have_the_shape_of_the_type() {
    let ty = TensorType::new(DType::I32, &[2, 3]);
    assert!(read("[[1, 2, 3], [4, 5, 6]]", ty.clone()).is_ok());
    assert_eq!(
        read("[[1, 2, 3], [4, 5]]", ty.clone()).unwrap_err(),
        "17: a list of 2 entries where tensor<2x3xi32> needs 3"
    );
    assert_eq!(read("[1, 2]", ty.clone()).unwrap_err(), "1: expected a list: tensor<2x3xi32> has rank 2");
    assert!(read("[[[1]]]", ty.clone()).unwrap_err().contains("deeper"));
    assert!(read("", ty.clone()).unwrap_err().contains("has 6"));
    assert!(read("7", ty).is_ok());
    assert!(read("", TensorType::new(DType::F32, &[0, 3])).is_ok());
    assert!(read("[[], []]", TensorType::new(DType::F32, &[2, 0])).is_ok());
}

#[test]
fn a_small_text_stays_small() {
    let huge = TensorType::new(DType::F64, &[1 << 20, 1 << 20]);
    assert_eq!(read("1.0", huge.clone()).unwrap().stored_bytes().len(), 8);
    assert_eq!(read("\"0x0000000000000840\"", huge.clone()).unwrap().splat_value(), Some(3.0));
    assert!(read("[[1.0, 2.0]]", huge.clone()).is_err());
    assert!(read("\"0x00000000000008400000000000000840\"", huge).is_err());
}

#[test]
fn values_must_fit() {
    let ty = TensorType::scalar;
    assert!(read("256", ty(DType::U8)).is_err());
    assert!(read("-1", ty(DType::U32)).is_err());
    assert_eq!(read("255", ty(DType::I8)).unwrap().stored_bytes(), [0xFF]);
    assert_eq!(read("-8", ty(DType::I4)).unwrap().stored_bytes(), [0xF8]);
    // Bits of fewer than a byte: a signed integer fills it with its sign.
    let bits = |text: &str, dtype| read(text, ty(dtype)).unwrap().stored_bytes()[0] as i8;
    assert_eq!(["0x7", "0x8", "0xF"].map(|text| bits(text, DType::I4)), [7, -8, -1]);
    assert_eq!(["0x1", "0x2", "0x3"].map(|text| bits(text, DType::I2)), [1, -2, -1]);
    assert_eq!(["0x8", "0xF"].map(|text| bits(text, DType::U4)), [8, 15]);
    assert!(read("0x7FC000000", ty(DType::F32)).is_err());
    assert!(read("nan", ty(DType::F32)).is_err());
    assert!(read("true", ty(DType::I1)).is_ok());
    assert!(read("2", ty(DType::I1)).is_err());
    assert!(read("(1.0, 2.0)", ty(DType::C64)).is_ok());
    assert!(read("1.0", ty(DType::C64)).is_err());
    assert!(read("\"0x0\"", ty(DType::U8)).is_err());
    assert!(read("\"0x0G\"", ty(DType::U8)).unwrap_err().starts_with("4:"));
}
