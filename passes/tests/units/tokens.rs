//! A loop and a call that carry tokens, without them.

use wengert_ir::array::Array;
use wengert_ir::interp::{Limits, run};
use wengert_ir::text;
use wengert_ir::verify::verify;
use wengert_passes::tokens::remove;

const PROGRAM: &str = r#"
    func.func @main(%t: !stablehlo.token, %x: tensor<f32>) -> (!stablehlo.token, tensor<f32>) {
      %n = stablehlo.constant dense<3.0> : tensor<f32>
      %made = stablehlo.after_all %t, %t : !stablehlo.token
      %r:2 = stablehlo.while(%u = %made, %c = %x) : !stablehlo.token, tensor<f32>
      cond {
        %p = stablehlo.compare LT, %c, %n : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %v:2 = func.call @step(%u, %c) : (!stablehlo.token, tensor<f32>) -> (!stablehlo.token, tensor<f32>)
        stablehlo.return %v#0, %v#1 : !stablehlo.token, tensor<f32>
      }
      return %r#0, %r#1 : !stablehlo.token, tensor<f32>
    }
    func.func private @step(%t: !stablehlo.token, %x: tensor<f32>) -> (!stablehlo.token, tensor<f32>) {
      %y = stablehlo.add %x, %x : tensor<f32>
      return %t, %y : !stablehlo.token, tensor<f32>
    }"#;

#[test]
fn loops_and_calls_carry_tensors_alone() {
    let mut m = text::parse(PROGRAM).expect("parses");
    remove(&mut m);
    assert!(m.funcs.values().flat_map(|f| f.values.values()).all(|v| v.ty.as_tensor().is_some()));
    verify(&m).expect("holds");
    let main = m.find("main").expect("there");
    let out = run(&m, main, &[Array::scalar(1f32)], &Limits::default()).expect("runs");
    assert_eq!(out[0].as_slice::<f32>(), [4.0]);
}
