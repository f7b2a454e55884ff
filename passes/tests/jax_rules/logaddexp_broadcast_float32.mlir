// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 1.0 1.0 1.462117075920105 0.5378828048706055 1.244918704032898 1.9051482677459717 0.09485174715518951 1.9950546026229858 0.004945246037095785 1.999908447265625 9.079570008907467e-05 2.0 0.0 1.0
// jvp: 1.0 1.0 1.462117075920105 0.5378828048706055 1.244918704032898 1.9051482677459717 0.09485174715518951 1.9950546026229858 0.004945246037095785 1.999908447265625 9.079570008907467e-05 2.0 0.0 1.0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<14xf32>) -> tensor<14x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<2xf32>) -> tensor<1x2xf32>
    %3 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<14x1xf32>) -> tensor<14x2xf32>
    %4 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<14x2xf32>
    %5 = stablehlo.maximum %3, %4 : tensor<14x2xf32>
    %6 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<14x1xf32>) -> tensor<14x2xf32>
    %7 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<14x2xf32>
    %8 = stablehlo.subtract %6, %7 : tensor<14x2xf32>
    %9 = stablehlo.compare NE, %8, %8, FLOAT : (tensor<14x2xf32>, tensor<14x2xf32>) -> tensor<14x2xi1>
    %10 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<14x1xf32>) -> tensor<14x2xf32>
    %11 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<1x2xf32>) -> tensor<14x2xf32>
    %12 = stablehlo.add %10, %11 : tensor<14x2xf32>
    %13 = stablehlo.abs %8 : tensor<14x2xf32>
    %14 = stablehlo.negate %13 : tensor<14x2xf32>
    %15 = stablehlo.exponential %14 : tensor<14x2xf32>
    %16 = stablehlo.log_plus_one %15 : tensor<14x2xf32>
    %17 = stablehlo.add %5, %16 : tensor<14x2xf32>
    %18 = stablehlo.select %9, %12, %17 : tensor<14x2xi1>, tensor<14x2xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<14x2xf32>, tensor<f32>) -> tensor<14xf32>
    return %19 : tensor<14xf32>
  }
}
