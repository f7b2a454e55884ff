// x: 0.0 1.000000013351432e-10 0.25 0.5 0.75 1.0 inf
// vjp: inf 10000000000.0 5.333333492279053 4.0 5.333333492279053 inf -0.0
// jvp: inf 10000000000.0 5.333333492279053 4.0 5.333333492279053 inf -0.0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<7xf32>) -> (tensor<7xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<7xf32>
    %1 = stablehlo.subtract %0, %arg0 : tensor<7xf32>
    %2 = stablehlo.divide %arg0, %1 : tensor<7xf32>
    %3 = stablehlo.log %2 : tensor<7xf32>
    return %3 : tensor<7xf32>
  }
}
