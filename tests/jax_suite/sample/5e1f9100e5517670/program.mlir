module @jit_fft attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x2xcomplex<f64>>) -> (tensor<2x2xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [2, 2] : (tensor<2x2xcomplex<f64>>) -> tensor<2x2xf64>
    return %0 : tensor<2x2xf64>
  }
}
