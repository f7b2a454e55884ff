module @jit_reshape attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2x4xi8>) -> (tensor<4x2x2xi8> {jax.result_info = "result"}) {
    %0 = stablehlo.transpose %arg0, dims = [2, 1, 0] : (tensor<2x2x4xi8>) -> tensor<4x2x2xi8>
    %1 = stablehlo.reshape %0 : (tensor<4x2x2xi8>) -> tensor<4x2x2xi8>
    return %1 : tensor<4x2x2xi8>
  }
}
