// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969
// jvp: 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969 1.7917594909667969
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[2.000000e+00, 3.000000e+00]> : tensor<2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %2 = stablehlo.compare NE, %cst, %cst, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<14xi1>) -> tensor<1x14xi1>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<2xi1>) -> tensor<2x1xi1>
    %5 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x14xi1>) -> tensor<2x14xi1>
    %6 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x1xi1>) -> tensor<2x14xi1>
    %7 = stablehlo.or %5, %6 : tensor<2x14xi1>
    %8 = stablehlo.log %cst : tensor<2xf32>
    %9 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<14xf32>) -> tensor<1x14xf32>
    %10 = stablehlo.broadcast_in_dim %8, dims = [0] : (tensor<2xf32>) -> tensor<2x1xf32>
    %11 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x14xf32>) -> tensor<2x14xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x14xf32>
    %13 = stablehlo.multiply %11, %12 : tensor<2x14xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %15 = call @_where(%7, %13, %14) : (tensor<2x14xi1>, tensor<2x14xf32>, tensor<14xf32>) -> tensor<2x14xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %16 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<2x14xf32>, tensor<f32>) -> tensor<14xf32>
    return %16 : tensor<14xf32>
  }
  func.func private @_where(%arg0: tensor<2x14xi1>, %arg1: tensor<2x14xf32>, %arg2: tensor<14xf32>) -> tensor<2x14xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<14xf32>) -> tensor<2x14xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<2x14xi1>, tensor<2x14xf32>
    return %1 : tensor<2x14xf32>
  }
}
