//! Values carried by a loop lie where they are for the next trip only when nothing still reads what lay there.

use wengert::stages::Traced;
use wengert::{DType, Tensor};

/// Two values that take each other's place, by kernels that share a loop over rows and in the end do not: the second one's
/// memory was written before the first had read it.
#[test]
fn two_values_take_turns() {
    let text = "func.func public @main(%a: tensor<2x16x16xf32>, %b: tensor<2x16x16xf32>) -> (tensor<2x16x16xf32>, tensor<2x16x16xf32>) {
        %c = stablehlo.constant dense<0> : tensor<i64>
        %0:3 = stablehlo.while(%i = %c, %x = %a, %y = %b) : tensor<i64>, tensor<2x16x16xf32>, tensor<2x16x16xf32>
        cond {
          %n = stablehlo.constant dense<2> : tensor<i64>
          %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
          stablehlo.return %1 : tensor<i1>
        } do {
          %inf = stablehlo.constant dense<0x7F800000> : tensor<f32>
          %1 = stablehlo.reduce(%x init: %inf) applies stablehlo.minimum across dimensions = [2] : (tensor<2x16x16xf32>, tensor<f32>) -> tensor<2x16xf32>
          %at = stablehlo.constant dense<[[[-1]], [[5]]]> : tensor<2x1x1xi32>
          %2 = \"stablehlo.gather\"(%y, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16, 16>}> : (tensor<2x16x16xf32>, tensor<2x1x1xi32>) -> tensor<16x16x2x1xf32>
          %one = stablehlo.constant dense<1> : tensor<i64>
          %3 = stablehlo.add %i, %one : tensor<i64>
          %4 = stablehlo.reshape %2 : (tensor<16x16x2x1xf32>) -> tensor<2x16x16xf32>
          %5 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x16xf32>) -> tensor<2x16x16xf32>
          stablehlo.return %3, %4, %5 : tensor<i64>, tensor<2x16x16xf32>, tensor<2x16x16xf32>
        }
        return %0#1, %0#2 : tensor<2x16x16xf32>, tensor<2x16x16xf32>
      }";
    let program = Traced::parse(text, None).expect("reads");
    let numbers = |by: f64| (Tensor::arange(512, DType::F32) * by).sin().reshape(&[2, 16, 16]);
    let args = [numbers(1.3), numbers(0.7)];
    let want = program.interpret(&args).expect("runs");
    let code = program.lower().and_then(|l| l.compile()).expect("compiles");
    for (got, want) in code.call(&args).expect("runs").iter().zip(&want) {
        assert_eq!(got.to_vec::<f32>(), want.to_vec::<f32>());
    }
}
