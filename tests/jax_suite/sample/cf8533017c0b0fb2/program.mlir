module @jit_body attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @empty_mesh = <[]> {stablehlo.mesh = {axes = []}}
  func.func public @main(%arg0: tensor<i1>, %arg1: tensor<4xi32>, %arg2: tensor<ui32> {mhlo.layout_mode = "{}", sdy.sharding = #sdy.sharding<@empty_mesh, []>, tf.aliasing_output = 1 : i32}) -> (tensor<4xi32> {jax.result_info = ""}, tensor<ui32> {jax.result_info = "", mhlo.layout_mode = "{}", sdy.sharding = #sdy.sharding<@empty_mesh, []>}) {
    %0 = stablehlo.convert %arg0 : (tensor<i1>) -> tensor<i32>
    %1:2 = "stablehlo.case"(%0) ({
      %c = stablehlo.constant dense<0> : tensor<i32>
      %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %3 = stablehlo.compare EQ, %arg1, %2, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %c_0 = stablehlo.constant dense<false> : tensor<i1>
      %4 = stablehlo.reduce(%3 init: %c_0) applies stablehlo.or across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
      %c_1 = stablehlo.constant dense<4294967295> : tensor<ui32>
      %5 = stablehlo.compare EQ, %arg2, %c_1, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      %6 = stablehlo.and %5, %4 : tensor<i1>
      %c_2 = stablehlo.constant dense<6> : tensor<ui32>
      %7 = func.call @_where(%6, %c_2, %arg2) : (tensor<i1>, tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %9 = stablehlo.add %arg1, %8 : tensor<4xi32>
      stablehlo.return %9, %7 : tensor<4xi32>, tensor<ui32>
    }, {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %3 = stablehlo.compare EQ, %arg1, %2, SIGNED : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %c_0 = stablehlo.constant dense<false> : tensor<i1>
      %4 = stablehlo.reduce(%3 init: %c_0) applies stablehlo.or across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
      %c_1 = stablehlo.constant dense<4294967295> : tensor<ui32>
      %5 = stablehlo.compare EQ, %arg2, %c_1, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
      %6 = stablehlo.and %5, %4 : tensor<i1>
      %c_2 = stablehlo.constant dense<5> : tensor<ui32>
      %7 = func.call @_where(%6, %c_2, %arg2) : (tensor<i1>, tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %8 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<4xi32>
      %9 = stablehlo.add %arg1, %8 : tensor<4xi32>
      stablehlo.return %9, %7 : tensor<4xi32>, tensor<ui32>
    }) : (tensor<i32>) -> (tensor<4xi32>, tensor<ui32>)
    return %1#0, %1#1 : tensor<4xi32>, tensor<ui32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<ui32>, %arg2: tensor<ui32>) -> tensor<ui32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<ui32>
    return %0 : tensor<ui32>
  }
}
