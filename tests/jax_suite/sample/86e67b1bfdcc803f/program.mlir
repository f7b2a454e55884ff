module @jit_inner attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @empty_mesh = <[]> {stablehlo.mesh = {axes = []}}
  func.func public @main(%arg0: tensor<f32>, %arg1: tensor<ui32> {mhlo.layout_mode = "{}", sdy.sharding = #sdy.sharding<@empty_mesh, []>, tf.aliasing_output = 1 : i32}) -> (tensor<f32> {jax.result_info = ""}, tensor<ui32> {jax.result_info = "", mhlo.layout_mode = "{}", sdy.sharding = #sdy.sharding<@empty_mesh, []>}) {
    %0:2 = call @call(%arg0) : (tensor<f32>) -> (tensor<f32>, tensor<ui32>)
    %c = stablehlo.constant dense<4294967295> : tensor<ui32>
    %1 = stablehlo.compare EQ, %arg1, %c, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<4294967295> : tensor<ui32>
    %2 = stablehlo.compare NE, %0#1, %c_0, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %3 = stablehlo.and %1, %2 : tensor<i1>
    %c_1 = stablehlo.constant dense<7> : tensor<ui32>
    %4 = stablehlo.add %0#1, %c_1 : tensor<ui32>
    %5 = stablehlo.select %3, %4, %arg1 : tensor<i1>, tensor<ui32>
    return %0#0, %5 : tensor<f32>, tensor<ui32>
  }
  func.func private @call(%arg0: tensor<f32>) -> (tensor<f32>, tensor<ui32>) {
    %0:2 = call @call_exported_inner(%arg0) : (tensor<f32>) -> (tensor<f32>, tensor<ui32>)
    return %0#0, %0#1 : tensor<f32>, tensor<ui32>
  }
  func.func private @call_exported_inner(%arg0: tensor<f32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<ui32> {jax.result_info = "result[1].error_code"}) {
    %c = stablehlo.constant dense<4294967295> : tensor<ui32>
    %0:2 = call @f(%c, %arg0) : (tensor<ui32>, tensor<f32>) -> (tensor<f32>, tensor<ui32>)
    %1 = stablehlo.reduce(%0#1 init: %c) applies stablehlo.minimum across dimensions = [] : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    return %0#0, %1 : tensor<f32>, tensor<ui32>
  }
  func.func private @f(%arg0: tensor<ui32>, %arg1: tensor<f32>) -> (tensor<f32>, tensor<ui32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %c_0 = stablehlo.constant dense<4294967295> : tensor<ui32>
    %c_1 = stablehlo.constant dense<false> : tensor<i1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.compare LE, %arg1, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = stablehlo.reduce(%0 init: %c_1) applies stablehlo.or across dimensions = [] : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %2 = stablehlo.compare EQ, %arg0, %c_0, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    %3 = stablehlo.and %2, %1 : tensor<i1>
    %4 = call @_where(%3, %c, %arg0) : (tensor<i1>, tensor<ui32>, tensor<ui32>) -> tensor<ui32>
    %5 = stablehlo.add %arg1, %cst : tensor<f32>
    return %5, %4 : tensor<f32>, tensor<ui32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<ui32>, %arg2: tensor<ui32>) -> tensor<ui32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<ui32>
    return %0 : tensor<ui32>
  }
}
