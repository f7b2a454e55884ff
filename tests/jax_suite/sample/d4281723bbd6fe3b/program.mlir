module @jit_wrapped_fun attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x1xcomplex<f32>>) -> (tensor<3x1xf32> {jax.result_info = "result[0]"}, tensor<3x1xcomplex<f32>> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.real %arg0 : (tensor<3x1xcomplex<f32>>) -> tensor<3x1xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<3x1xf32>, tensor<f32>) -> tensor<3xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<3xf32>
    %3 = stablehlo.maximum %2, %1 : tensor<3xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<3xf32>) -> tensor<3x1xf32>
    %5 = stablehlo.is_finite %4 : (tensor<3x1xf32>) -> tensor<3x1xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<3x1xf32>
    %7 = stablehlo.select %5, %4, %6 : tensor<3x1xi1>, tensor<3x1xf32>
    %8 = stablehlo.convert %7 : (tensor<3x1xf32>) -> tensor<3x1xcomplex<f32>>
    %9 = stablehlo.subtract %arg0, %8 : tensor<3x1xcomplex<f32>>
    %10 = stablehlo.exponential %9 : tensor<3x1xcomplex<f32>>
    %cst_2 = stablehlo.constant dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<3x1xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<3xcomplex<f32>>) -> tensor<3x1xcomplex<f32>>
    %13 = stablehlo.sign %12 : tensor<3x1xcomplex<f32>>
    %14 = stablehlo.abs %12 : (tensor<3x1xcomplex<f32>>) -> tensor<3x1xf32>
    %15 = stablehlo.log %14 : tensor<3x1xf32>
    %16 = stablehlo.add %15, %7 : tensor<3x1xf32>
    return %16, %13 : tensor<3x1xf32>, tensor<3x1xcomplex<f32>>
  }
}
