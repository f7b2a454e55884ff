module @jit_select_and_scatter_add attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x1x2x6xbf16>, %arg1: tensor<3x2x4x6xbf16>) -> (tensor<3x2x4x6xbf16> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0xFF80> : tensor<bf16>
    %0 = stablehlo.pad %arg1, %cst, low = [0, 0, 0, 0], high = [0, 0, 0, 0], interior = [0, 0, 0, 0] : (tensor<3x2x4x6xbf16>, tensor<bf16>) -> tensor<3x2x4x6xbf16>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %1 = "stablehlo.select_and_scatter"(%0, %arg0, %cst_0) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 1, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%arg2: tensor<bf16>, %arg3: tensor<bf16>):
      %3 = stablehlo.compare GE, %arg2, %arg3, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    }, {
    ^bb0(%arg2: tensor<bf16>, %arg3: tensor<bf16>):
      %3 = stablehlo.add %arg2, %arg3 : tensor<bf16>
      stablehlo.return %3 : tensor<bf16>
    }) : (tensor<3x2x4x6xbf16>, tensor<3x1x2x6xbf16>, tensor<bf16>) -> tensor<3x2x4x6xbf16>
    %2 = stablehlo.slice %1 [0:3, 0:2, 0:4, 0:6] : (tensor<3x2x4x6xbf16>) -> tensor<3x2x4x6xbf16>
    return %2 : tensor<3x2x4x6xbf16>
  }
}
