module @jit_remainder attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @empty_mesh = <[]> {stablehlo.mesh = {axes = []}}
  func.func public @main(%arg0: tensor<bf16>, %arg1: tensor<bf16>, %arg2: tensor<ui32> {mhlo.layout_mode = "{}", sdy.sharding = #sdy.sharding<@empty_mesh, []>, tf.aliasing_output = 1 : i32}) -> (tensor<bf16> {jax.result_info = ""}, tensor<ui32> {jax.result_info = "", mhlo.layout_mode = "{}", sdy.sharding = #sdy.sharding<@empty_mesh, []>}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %0 = stablehlo.compare EQ, %arg1, %cst, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.or across dimensions = [] : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<4294967295> : tensor<ui32>
    %2 = stablehlo.compare EQ, %arg2, %c_0, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %3 = stablehlo.and %2, %1 : tensor<i1>
    %c_1 = stablehlo.constant dense<8> : tensor<ui32>
    %4 = call @_where(%3, %c_1, %arg2) : (tensor<i1>, tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %5 = stablehlo.remainder %arg0, %arg1 : tensor<bf16>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %6 = stablehlo.compare NE, %5, %cst_2, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %7 = stablehlo.compare LT, %5, %cst_3, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
    %8 = stablehlo.compare LT, %arg1, %cst_4, FLOAT : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    %9 = stablehlo.compare NE, %7, %8, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %10 = stablehlo.and %9, %6 : tensor<i1>
    %11 = stablehlo.add %5, %arg1 : tensor<bf16>
    %12 = stablehlo.select %10, %11, %5 : tensor<i1>, tensor<bf16>
    return %12, %4 : tensor<bf16>, tensor<ui32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<ui32>, %arg2: tensor<ui32>) -> tensor<ui32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<ui32>
    return %0 : tensor<ui32>
  }
}
