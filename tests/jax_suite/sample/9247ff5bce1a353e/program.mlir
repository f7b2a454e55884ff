module @jit__roll_static attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12x7xcomplex<f32>>) -> (tensor<12x7xcomplex<f32>> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:12, 6:7] : (tensor<12x7xcomplex<f32>>) -> tensor<12x1xcomplex<f32>>
    %1 = stablehlo.slice %arg0 [0:12, 0:6] : (tensor<12x7xcomplex<f32>>) -> tensor<12x6xcomplex<f32>>
    %2 = stablehlo.concatenate %0, %1, dim = 1 : (tensor<12x1xcomplex<f32>>, tensor<12x6xcomplex<f32>>) -> tensor<12x7xcomplex<f32>>
    return %2 : tensor<12x7xcomplex<f32>>
  }
}
