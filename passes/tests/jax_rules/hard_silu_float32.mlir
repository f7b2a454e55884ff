// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 0.5 0.5 0.8333333730697632 0.1666666716337204 0.6666666865348816 1.0 0.0 1.0 0.0 1.0 0.0 1.0 0.0 0.5
// jvp: 0.5 0.5 0.8333333730697632 0.1666666716337204 0.6666666865348816 1.0 0.0 1.0 0.0 1.0 0.0 1.0 0.0 0.5
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %0 = call @hard_silu(%arg0) : (tensor<14xf32>) -> tensor<14xf32>
    return %0 : tensor<14xf32>
  }
  func.func private @hard_silu(%arg0: tensor<14xf32>) -> tensor<14xf32> {
    %0 = call @hard_sigmoid(%arg0) : (tensor<14xf32>) -> tensor<14xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<14xf32>
    return %1 : tensor<14xf32>
  }
  func.func private @hard_sigmoid(%arg0: tensor<14xf32>) -> tensor<14xf32> {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<14xf32>
    %2 = call @relu6(%1) : (tensor<14xf32>) -> tensor<14xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %4 = stablehlo.divide %2, %3 : tensor<14xf32>
    return %4 : tensor<14xf32>
  }
  func.func private @relu6(%arg0: tensor<14xf32>) -> tensor<14xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<14xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<14xf32>
    return %3 : tensor<14xf32>
  }
}
