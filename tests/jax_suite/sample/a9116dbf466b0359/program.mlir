module @jit_atan2 attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x1xf16>, %arg1: tensor<1x4xf16>) -> (tensor<3x4xf16> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1] : (tensor<3x1xf16>) -> tensor<3x4xf16>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<1x4xf16>) -> tensor<3x4xf16>
    %2 = stablehlo.atan2 %0, %1 : tensor<3x4xf16>
    return %2 : tensor<3x4xf16>
  }
}
