// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10 inf -inf nan
// vjp: 0.0 0.0 0.7615941762924194 -0.7615941762924194 0.46211719512939453 0.9950546622276306 -0.9950546622276306 0.9999876618385315 -0.9999876618385315 1.0 -1.0 1.0 -1.0 0.0 1.0 -1.0 nan
// jvp: 0.0 0.0 0.7615941762924194 -0.7615941762924194 0.46211719512939453 0.9950546622276306 -0.9950546622276306 0.9999876618385315 -0.9999876618385315 1.0 -1.0 1.0 -1.0 0.0 1.0 -1.0 nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17xf32>) -> (tensor<17xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.negate %arg0 : tensor<17xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<17xf32>
    %2 = stablehlo.subtract %arg0, %0 : tensor<17xf32>
    %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<17xf32>, tensor<17xf32>) -> tensor<17xi1>
    %4 = stablehlo.add %arg0, %0 : tensor<17xf32>
    %5 = stablehlo.abs %2 : tensor<17xf32>
    %6 = stablehlo.negate %5 : tensor<17xf32>
    %7 = stablehlo.exponential %6 : tensor<17xf32>
    %8 = stablehlo.log_plus_one %7 : tensor<17xf32>
    %9 = stablehlo.add %1, %8 : tensor<17xf32>
    %10 = stablehlo.select %3, %4, %9 : tensor<17xi1>, tensor<17xf32>
    return %10 : tensor<17xf32>
  }
}
