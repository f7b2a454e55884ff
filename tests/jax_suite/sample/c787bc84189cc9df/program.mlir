module @jit__reduce_min attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x1x4xi16>, %arg1: tensor<i32>, %arg2: tensor<i1>) -> (tensor<2x1x4xi16> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<32767> : tensor<i16>
    %0 = call @_where(%arg2, %arg0, %c) : (tensor<i1>, tensor<2x1x4xi16>, tensor<i16>) -> tensor<2x1x4xi16>
    %c_0 = stablehlo.constant dense<32767> : tensor<i16>
    %1 = stablehlo.reduce(%0 init: %c_0) applies stablehlo.minimum across dimensions = [1] : (tensor<2x1x4xi16>, tensor<i16>) -> tensor<2x4xi16>
    %2 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<i16>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i16>) -> tensor<2x4xi16>
    %4 = stablehlo.minimum %3, %1 : tensor<2x4xi16>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 2] : (tensor<2x4xi16>) -> tensor<2x1x4xi16>
    return %5 : tensor<2x1x4xi16>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<2x1x4xi16>, %arg2: tensor<i16>) -> tensor<2x1x4xi16> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i16>) -> tensor<2x1x4xi16>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<2x1x4xi16>
    return %1 : tensor<2x1x4xi16>
  }
}
