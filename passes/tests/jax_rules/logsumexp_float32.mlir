// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 0.0 0.0 0.5752103924751282 -0.5752103924751282 0.32015666365623474 0.9479746222496033 -0.9479746222496033 0.997515082359314 -0.997515082359314 0.9999545812606812 -0.9999545812606812 1.0 -1.0 0.0
// jvp: 0.0 0.0 0.5752103924751282 -0.5752103924751282 0.32015666365623474 0.9479746222496033 -0.9479746222496033 0.9975151419639587 -0.9975151419639587 0.9999545812606812 -0.9999545812606812 1.0 -1.0 0.0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<14xf32>
    %2 = stablehlo.negate %arg0 : tensor<14xf32>
    %3 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<14xf32>) -> tensor<1x14xf32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<14xf32>) -> tensor<1x14xf32>
    %5 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<14xf32>) -> tensor<1x14xf32>
    %6 = stablehlo.concatenate %3, %4, %5, dim = 0 : (tensor<1x14xf32>, tensor<1x14xf32>, tensor<1x14xf32>) -> tensor<3x14xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.maximum across dimensions = [0] : (tensor<3x14xf32>, tensor<f32>) -> tensor<14xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %9 = stablehlo.maximum %8, %7 : tensor<14xf32>
    %10 = stablehlo.is_finite %9 : (tensor<14xf32>) -> tensor<14xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %12 = stablehlo.select %10, %9, %11 : tensor<14xi1>, tensor<14xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [1] : (tensor<14xf32>) -> tensor<1x14xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x14xf32>) -> tensor<3x14xf32>
    %15 = stablehlo.subtract %6, %14 : tensor<3x14xf32>
    %16 = stablehlo.exponential %15 : tensor<3x14xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%16 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<3x14xf32>, tensor<f32>) -> tensor<14xf32>
    %18 = stablehlo.abs %17 : tensor<14xf32>
    %19 = stablehlo.log %18 : tensor<14xf32>
    %20 = stablehlo.add %19, %12 : tensor<14xf32>
    return %20 : tensor<14xf32>
  }
}
