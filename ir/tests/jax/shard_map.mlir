module @jit_g attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=1, "y"=1]> {stablehlo.mesh = {axes = [{name = "x", size = 1 : i64}, {name = "y", size = 1 : i64}]}}
  func.func public @main(%arg0: tensor<2x4xf32>, %arg1: tensor<2x4xf32>) -> (tensor<2x4xf32> {jax.result_info = "result"}) {
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %1 = "stablehlo.reduce_scatter"(%arg0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %20 = stablehlo.add %arg2, %arg3 : tensor<f32>
      %21 = sdy.sharding_constraint %20 <@mesh, []> : tensor<f32>
      stablehlo.return %21 : tensor<f32>
    }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    %4 = stablehlo.multiply %arg0, %3 : tensor<2x4xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    %6 = call @cumsum(%arg1) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %7 = stablehlo.add %5, %6 : tensor<2x4xf32>
    %8 = sdy.sharding_constraint %7 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    %9 = stablehlo.add %8, %0 : tensor<2x4xf32>
    %10 = sdy.sharding_constraint %9 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    %11 = stablehlo.add %10, %1 : tensor<2x4xf32>
    %12 = sdy.sharding_constraint %11 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    %13 = stablehlo.add %12, %arg0 : tensor<2x4xf32>
    %14 = sdy.sharding_constraint %13 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %15:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i32>, tensor<2x4xf32>
    cond {
      %c_1 = stablehlo.constant dense<2> : tensor<i32>
      %20 = sdy.sharding_constraint %iterArg <@mesh, []> : tensor<i32>
      %21 = sdy.sharding_constraint %c_1 <@mesh, []> : tensor<i32>
      %22 = stablehlo.compare LT, %20, %21, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %22 : tensor<i1>
    } do {
      %20 = func.call @closed_call(%iterArg_0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %21 = sdy.sharding_constraint %iterArg <@mesh, []> : tensor<i32>
      %22 = sdy.sharding_constraint %c_1 <@mesh, []> : tensor<i32>
      %23 = stablehlo.add %21, %22 : tensor<i32>
      %24 = sdy.sharding_constraint %23 <@mesh, []> : tensor<i32>
      stablehlo.return %24, %20 : tensor<i32>, tensor<2x4xf32>
    }
    %16 = sdy.sharding_constraint %15#0 <@mesh, []> : tensor<i32>
    %17 = sdy.sharding_constraint %15#1 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    %18 = stablehlo.add %14, %17 : tensor<2x4xf32>
    %19 = sdy.sharding_constraint %18 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    return %19 : tensor<2x4xf32>
  }
  func.func private @cumsum(%arg0: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %0 = call @cumsum_0(%arg0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
  func.func private @cumsum_0(%arg0: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.reduce_window"(%arg0, %0) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 4>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    return %2 : tensor<2x4xf32>
  }
  func.func private @closed_call(%arg0: tensor<2x4xf32>) -> tensor<2x4xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x4xf32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    %2 = stablehlo.add %arg0, %1 : tensor<2x4xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{?}, {?}]> : tensor<2x4xf32>
    return %3 : tensor<2x4xf32>
  }
}
