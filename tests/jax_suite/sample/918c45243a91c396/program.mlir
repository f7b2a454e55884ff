module @jit_wrapped_fun attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f16>, %arg1: tensor<i16>) -> (tensor<f16> {jax.result_info = "result"}) {
    %0 = stablehlo.abs %arg1 : tensor<i16>
    %1 = stablehlo.convert %0 : (tensor<i16>) -> tensor<f16>
    %2 = stablehlo.add %arg0, %1 : tensor<f16>
    return %2 : tensor<f16>
  }
}
