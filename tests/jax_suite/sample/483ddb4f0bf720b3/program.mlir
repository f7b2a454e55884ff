module @jit_select_and_gather_add attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x6xf16>, %arg1: tensor<4x6xf16>) -> (tensor<4x6xf16> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0xFC00> : tensor<f16>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
    %0:2 = "stablehlo.reduce_window"(%arg1, %arg0, %cst, %cst_0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 2, 1>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg2: tensor<f16>, %arg3: tensor<f16>, %arg4: tensor<f16>, %arg5: tensor<f16>):
      %1 = stablehlo.compare GE, %arg2, %arg4, FLOAT : (tensor<f16>, tensor<f16>) -> tensor<i1>
      %2 = stablehlo.select %1, %arg2, %arg4 : tensor<i1>, tensor<f16>
      %3 = stablehlo.select %1, %arg3, %arg5 : tensor<i1>, tensor<f16>
      stablehlo.return %2, %3 : tensor<f16>, tensor<f16>
    }) : (tensor<4x6xf16>, tensor<4x6xf16>, tensor<f16>, tensor<f16>) -> (tensor<4x6xf16>, tensor<4x6xf16>)
    return %0#1 : tensor<4x6xf16>
  }
}
