//! Attributes with the types of their numbers.

use wengert_ir::text::{Typed, typed_attributes};
use wengert_ir::types::DType;

#[test]
fn numbers_keep_their_types() {
    let read = typed_attributes("a = 1 : i32, b = 2.5 : f32, \"c d\" = [true, \"x\"], e").unwrap();
    assert_eq!(read[0], ("a".into(), Typed::Int(1, "i32")));
    assert_eq!(read[1], ("b".into(), Typed::Float(2.5, DType::F32)));
    assert_eq!(read[2].1, Typed::Array(vec![Typed::Bool(true), Typed::text("x")]));
    assert_eq!(read[3], ("e".into(), Typed::Unit));
    typed_attributes("a = #sdy.sharding<@m, []>").unwrap_err();
    typed_attributes("a = 1}, b = {c").unwrap_err();
}

#[test]
fn lists_keep_the_types_of_their_numbers() {
    let list = |text: &str| {
        let read = typed_attributes(&format!("a = {text}")).unwrap_or_else(|e| panic!("{text}: {e}"));
        let Typed::Dense(list, false) = &read[0].1 else { panic!("{text}: {read:?}") };
        list.to_array()
    };
    assert_eq!(list("array<i32: 1, -2>").as_slice::<i32>(), [1, -2]);
    assert_eq!(list("array<i8: -1>").as_slice::<i8>(), [-1]);
    assert_eq!(list("array<i64: 1, 2>").as_slice::<i64>(), [1, 2]);
    assert_eq!(list("array<i1: true, false>").bytes(), [1, 0]);
    for (text, dtype) in [("array<f32>", DType::F32), ("array<i16>", DType::I16)] {
        assert_eq!((list(text).dtype(), list(text).shape()), (dtype, &[0][..]));
    }
    for wrong in ["array<f32: 1.5>", "array<word: 1>"] {
        assert!(typed_attributes(&format!("a = {wrong}")).is_err(), "{wrong}");
    }
}
