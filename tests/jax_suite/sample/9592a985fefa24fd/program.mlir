module @jit_reshape attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x4xi32>) -> (tensor<8x2xi32> {jax.result_info = "result"}) {
    %0 = stablehlo.transpose %arg0, dims = [1, 0, 2] : (tensor<2x2x4xi32>) -> tensor<2x2x4xi32>
    %1 = stablehlo.reshape %0 : (tensor<2x2x4xi32>) -> tensor<8x2xi32>
    return %1 : tensor<8x2xi32>
  }
}
