module @jit_remainder attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @empty_mesh = <[]> {stablehlo.mesh = {axes = []}}
  func.func public @main(%arg0: tensor<ui16>, %arg1: tensor<ui16>, %arg2: tensor<ui32> {mhlo.layout_mode = "{}", sdy.sharding = #sdy.sharding<@empty_mesh, []>, tf.aliasing_output = 1 : i32}) -> (tensor<ui16> {jax.result_info = ""}, tensor<ui32> {jax.result_info = "", mhlo.layout_mode = "{}", sdy.sharding = #sdy.sharding<@empty_mesh, []>}) {
    %0:2 = call @remainder(%arg0, %arg1, %arg2) : (tensor<ui16>, tensor<ui16>, tensor<ui32>) -> (tensor<ui16>, tensor<ui32>)
    return %0#0, %0#1 : tensor<ui16>, tensor<ui32>
  }
  func.func private @remainder(%arg0: tensor<ui16>, %arg1: tensor<ui16>, %arg2: tensor<ui32>) -> (tensor<ui16>, tensor<ui32>) {
    %c = stablehlo.constant dense<0> : tensor<ui16>
    %0 = stablehlo.compare EQ, %arg1, %c, UNSIGNED : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %1 = stablehlo.reduce(%0 init: %c_0) applies stablehlo.or across dimensions = [] : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<4294967295> : tensor<ui32>
    %2 = stablehlo.compare EQ, %arg2, %c_1, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %3 = stablehlo.and %2, %1 : tensor<i1>
    %c_2 = stablehlo.constant dense<7> : tensor<ui32>
    %4 = call @_where(%3, %c_2, %arg2) : (tensor<i1>, tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %c_3 = stablehlo.constant dense<0> : tensor<ui16>
    %5 = stablehlo.compare EQ, %arg1, %c_3, UNSIGNED : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<1> : tensor<ui16>
    %6 = call @_where_0(%5, %c_4, %arg1) : (tensor<i1>, tensor<ui16>, tensor<ui16>) -> tensor<ui16>
    %7 = stablehlo.remainder %arg0, %6 : tensor<ui16>
    %c_5 = stablehlo.constant dense<0> : tensor<ui16>
    %8 = stablehlo.compare NE, %7, %c_5, UNSIGNED : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
    %c_6 = stablehlo.constant dense<0> : tensor<ui16>
    %9 = stablehlo.compare LT, %7, %c_6, UNSIGNED : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
    %c_7 = stablehlo.constant dense<0> : tensor<ui16>
    %10 = stablehlo.compare LT, %6, %c_7, UNSIGNED : (tensor<ui16>, tensor<ui16>) -> tensor<i1>
    %11 = stablehlo.compare NE, %9, %10, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %12 = stablehlo.and %11, %8 : tensor<i1>
    %13 = stablehlo.add %7, %6 : tensor<ui16>
    %14 = stablehlo.select %12, %13, %7 : tensor<i1>, tensor<ui16>
    return %14, %4 : tensor<ui16>, tensor<ui32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<ui32>, %arg2: tensor<ui32>) -> tensor<ui32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<ui32>
    return %0 : tensor<ui32>
  }
  func.func private @_where_0(%arg0: tensor<i1>, %arg1: tensor<ui16>, %arg2: tensor<ui16>) -> tensor<ui16> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<ui16>
    return %0 : tensor<ui16>
  }
}
