// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 0.5 0.5 1.0 0.0 1.0 1.0 0.0 0.5 0.0 0.0 0.0 0.0 0.0 1.0
// jvp: 0.5 0.5 1.0 0.0 1.0 1.0 0.0 0.5 0.0 0.0 0.0 0.0 0.0 1.0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<14xf32>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %3 = stablehlo.minimum %1, %2 : tensor<14xf32>
    return %3 : tensor<14xf32>
  }
}
