module @jit__threefry_seed attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1xui32>) -> (tensor<1x2xui32> {jax.result_info = ""}) {
    %c = stablehlo.constant dense<32> : tensor<ui32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %1 = stablehlo.shift_right_logical %arg0, %0 : tensor<1xui32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<1xui32>) -> tensor<1x1xui32>
    %c_0 = stablehlo.constant dense<4294967295> : tensor<ui32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<1xui32>
    %4 = stablehlo.and %arg0, %3 : tensor<1xui32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<1xui32>) -> tensor<1x1xui32>
    %6 = stablehlo.concatenate %2, %5, dim = 1 : (tensor<1x1xui32>, tensor<1x1xui32>) -> tensor<1x2xui32>
    return %6 : tensor<1x2xui32>
  }
}
