module @jit_angle attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x5xcomplex<f32>>) -> (tensor<1x5xf32> {jax.result_info = ""}, tensor<1x5xf32> {jax.result_info = ""}, tensor<1x5xf32> {jax.result_info = ""}) {
    %0 = stablehlo.real %arg0 : (tensor<1x5xcomplex<f32>>) -> tensor<1x5xf32>
    %1 = stablehlo.imag %arg0 : (tensor<1x5xcomplex<f32>>) -> tensor<1x5xf32>
    %2 = stablehlo.atan2 %1, %0 : tensor<1x5xf32>
    %3 = chlo.square %1 : tensor<1x5xf32> -> tensor<1x5xf32>
    %4 = chlo.square %0 : tensor<1x5xf32> -> tensor<1x5xf32>
    %5 = stablehlo.add %3, %4 : tensor<1x5xf32>
    %6 = stablehlo.divide %0, %5 : tensor<1x5xf32>
    %7 = stablehlo.negate %1 : tensor<1x5xf32>
    %8 = chlo.square %1 : tensor<1x5xf32> -> tensor<1x5xf32>
    %9 = chlo.square %0 : tensor<1x5xf32> -> tensor<1x5xf32>
    %10 = stablehlo.add %8, %9 : tensor<1x5xf32>
    %11 = stablehlo.divide %7, %10 : tensor<1x5xf32>
    return %2, %6, %11 : tensor<1x5xf32>, tensor<1x5xf32>, tensor<1x5xf32>
  }
}
