module @jit__reduce_prod attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x1x4xui8>, %arg1: tensor<i64>, %arg2: tensor<1x4xi1>) -> (tensor<2x4xui64> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg0 : (tensor<2x1x4xui8>) -> tensor<2x1x4xui64>
    %c = stablehlo.constant dense<1> : tensor<ui64>
    %1 = call @_where(%arg2, %0, %c) : (tensor<1x4xi1>, tensor<2x1x4xui64>, tensor<ui64>) -> tensor<2x1x4xui64>
    %c_0 = stablehlo.constant dense<1> : tensor<ui64>
    %2 = stablehlo.reduce(%1 init: %c_0) applies stablehlo.multiply across dimensions = [1] : (tensor<2x1x4xui64>, tensor<ui64>) -> tensor<2x4xui64>
    %3 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<ui64>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<ui64>) -> tensor<2x4xui64>
    %5 = stablehlo.multiply %4, %2 : tensor<2x4xui64>
    return %5 : tensor<2x4xui64>
  }
  func.func private @_where(%arg0: tensor<1x4xi1>, %arg1: tensor<2x1x4xui64>, %arg2: tensor<ui64>) -> tensor<2x1x4xui64> {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<1x4xi1>) -> tensor<2x1x4xi1>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<ui64>) -> tensor<2x1x4xui64>
    %2 = stablehlo.select %0, %arg1, %1 : tensor<2x1x4xi1>, tensor<2x1x4xui64>
    return %2 : tensor<2x1x4xui64>
  }
}
