// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0
// jvp: 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<14xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<14xf32>, tensor<f32>) -> tensor<f32>
    %cst_1 = stablehlo.constant dense<5.000000e+02> : tensor<f32>
    %3 = stablehlo.add %2, %cst_1 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %5 = stablehlo.compare NE, %1, %4, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %6 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<i1>) -> tensor<14xi1>
    %8 = stablehlo.or %5, %7 : tensor<14xi1>
    %9 = stablehlo.log %3 : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %11 = stablehlo.multiply %1, %10 : tensor<14xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %13 = call @_where(%8, %11, %12) : (tensor<14xi1>, tensor<14xf32>, tensor<14xf32>) -> tensor<14xf32>
    %14 = stablehlo.add %13, %arg0 : tensor<14xf32>
    return %14 : tensor<14xf32>
  }
  func.func private @_where(%arg0: tensor<14xi1>, %arg1: tensor<14xf32>, %arg2: tensor<14xf32>) -> tensor<14xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<14xi1>, tensor<14xf32>
    return %0 : tensor<14xf32>
  }
}
