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
