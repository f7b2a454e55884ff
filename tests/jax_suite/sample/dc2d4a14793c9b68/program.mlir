module @jit_reduce attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4x5xi64>, %arg1: tensor<i64>) -> (tensor<3xi64> {jax.result_info = "result[0]"}) {
    %0 = stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [1, 2] : (tensor<3x4x5xi64>, tensor<i64>) -> tensor<3xi64>
    return %0 : tensor<3xi64>
  }
}
