// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527
// jvp: 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527 0.40546509623527527
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f64>
    %0 = stablehlo.convert %cst : (tensor<f64>) -> tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %2 = stablehlo.compare NE, %arg0, %1, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %3 = stablehlo.compare NE, %0, %0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i1>) -> tensor<14xi1>
    %5 = stablehlo.or %2, %4 : tensor<14xi1>
    %6 = stablehlo.log_plus_one %0 : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %8 = stablehlo.multiply %arg0, %7 : tensor<14xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %10 = call @_where(%5, %8, %9) : (tensor<14xi1>, tensor<14xf32>, tensor<14xf32>) -> tensor<14xf32>
    return %10 : tensor<14xf32>
  }
  func.func private @_where(%arg0: tensor<14xi1>, %arg1: tensor<14xf32>, %arg2: tensor<14xf32>) -> tensor<14xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<14xi1>, tensor<14xf32>
    return %0 : tensor<14xf32>
  }
}
