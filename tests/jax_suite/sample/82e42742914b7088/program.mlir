module @jit_nansum attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x4xui16>) -> (tensor<1x4xi8> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg0 : (tensor<1x4xui16>) -> tensor<1x4xi8>
    %c = stablehlo.constant dense<0> : tensor<i8>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<1x4xi8>, tensor<i8>) -> tensor<4xi8>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<4xi8>) -> tensor<1x4xi8>
    return %2 : tensor<1x4xi8>
  }
}
