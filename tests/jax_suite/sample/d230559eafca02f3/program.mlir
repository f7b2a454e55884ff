module @jit__roll_static attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x3x2x5xcomplex<f64>>) -> (tensor<2x3x2x5xcomplex<f64>> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:2, 0:3, 1:2, 0:5] : (tensor<2x3x2x5xcomplex<f64>>) -> tensor<2x3x1x5xcomplex<f64>>
    %1 = stablehlo.slice %arg0 [0:2, 0:3, 0:1, 0:5] : (tensor<2x3x2x5xcomplex<f64>>) -> tensor<2x3x1x5xcomplex<f64>>
    %2 = stablehlo.concatenate %0, %1, dim = 2 : (tensor<2x3x1x5xcomplex<f64>>, tensor<2x3x1x5xcomplex<f64>>) -> tensor<2x3x2x5xcomplex<f64>>
    return %2 : tensor<2x3x2x5xcomplex<f64>>
  }
}
