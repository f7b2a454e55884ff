module @jit_reduce_precision attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @empty_mesh = <[]> {stablehlo.mesh = {axes = []}}
  func.func public @main(%arg0: tensor<f64> {sdy.sharding = #sdy.sharding<@empty_mesh, []>}) -> (tensor<f64> {jax.result_info = "result"}) {
    %0 = stablehlo.reduce_precision %arg0, format = e11m52 : tensor<f64>
    return %0 : tensor<f64>
  }
}
