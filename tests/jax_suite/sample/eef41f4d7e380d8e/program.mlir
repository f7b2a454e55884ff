module @jit__roll_static attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5x7x11xi1>) -> (tensor<5x7x11xi1> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [2:5, 0:7, 0:11] : (tensor<5x7x11xi1>) -> tensor<3x7x11xi1>
    %1 = stablehlo.slice %arg0 [0:2, 0:7, 0:11] : (tensor<5x7x11xi1>) -> tensor<2x7x11xi1>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<3x7x11xi1>, tensor<2x7x11xi1>) -> tensor<5x7x11xi1>
    %3 = stablehlo.slice %2 [0:5, 3:7, 0:11] : (tensor<5x7x11xi1>) -> tensor<5x4x11xi1>
    %4 = stablehlo.slice %2 [0:5, 0:3, 0:11] : (tensor<5x7x11xi1>) -> tensor<5x3x11xi1>
    %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<5x4x11xi1>, tensor<5x3x11xi1>) -> tensor<5x7x11xi1>
    return %5 : tensor<5x7x11xi1>
  }
}
