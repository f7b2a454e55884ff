module @jit__fun attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["i"=1]> {stablehlo.mesh = {axes = [{name = "i", size = 1 : i64}]}}
  func.func public @main(%arg0: tensor<1x1x1x1x1xi64> {sdy.sharding = #sdy.sharding<@mesh, [{"i"}, {}, {}, {}, {}]>}) -> (tensor<1x1x1x1x1xi64> {jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{"i"}, {}, {}, {}, {}]>}) {
    %0 = stablehlo.reshape %arg0 : (tensor<1x1x1x1x1xi64>) -> tensor<1x1x1x1xi64>
    %1 = stablehlo.transpose %0, dims = [3, 0, 1, 2] : (tensor<1x1x1x1xi64>) -> tensor<1x1x1x1xi64>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 4] : (tensor<1x1x1x1xi64>) -> tensor<1x1x1x1x1xi64>
    %3 = stablehlo.reshape %2 : (tensor<1x1x1x1x1xi64>) -> tensor<1x1x1x1xi64>
    %4 = stablehlo.broadcast_in_dim %3, dims = [1, 2, 3, 4] : (tensor<1x1x1x1xi64>) -> tensor<1x1x1x1x1xi64>
    return %4 : tensor<1x1x1x1x1xi64>
  }
}
