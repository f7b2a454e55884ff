// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0
// jvp: 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:1] : (tensor<14xf32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.multiply %1, %cst : tensor<f32>
    %3 = stablehlo.multiply %arg0, %arg0 : tensor<14xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %5 = stablehlo.add %3, %4 : tensor<14xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.compare NE, %2, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %7 = stablehlo.compare NE, %5, %5, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %8 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i1>) -> tensor<14xi1>
    %9 = stablehlo.or %8, %7 : tensor<14xi1>
    %10 = stablehlo.log %5 : tensor<14xf32>
    %11 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<14xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = call @_where(%9, %12, %cst_2) : (tensor<14xi1>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    return %13 : tensor<14xf32>
  }
  func.func private @_where(%arg0: tensor<14xi1>, %arg1: tensor<14xf32>, %arg2: tensor<f32>) -> tensor<14xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<14xi1>, tensor<14xf32>
    return %1 : tensor<14xf32>
  }
}
