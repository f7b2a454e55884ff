// x: 1.0 1.0 2.0 1.0
// vjp: 0.6995106935501099 0.6995106935501099 1.9014673233032227 0.6995106935501099
// jvp: 0.9999998211860657 0.9999998211860657 0.9999998211860657 0.9999998211860657
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>) -> (tensor<4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<4xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %cst_0) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
     reducer(%arg1: tensor<f32>, %arg2: tensor<f32>)  {
      %5 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
      %6 = stablehlo.subtract %arg1, %arg2 : tensor<f32>
      %7 = stablehlo.compare NE, %6, %6, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.add %arg1, %arg2 : tensor<f32>
      %9 = stablehlo.abs %6 : tensor<f32>
      %10 = stablehlo.negate %9 : tensor<f32>
      %11 = stablehlo.exponential %10 : tensor<f32>
      %12 = stablehlo.log_plus_one %11 : tensor<f32>
      %13 = stablehlo.add %5, %12 : tensor<f32>
      %14 = stablehlo.select %7, %8, %13 : tensor<i1>, tensor<f32>
      stablehlo.return %14 : tensor<f32>
    }
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %4 = stablehlo.add %1, %3 : tensor<4xf32>
    return %4 : tensor<4xf32>
  }
}
