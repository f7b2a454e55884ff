module @jit_loops attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x8xf32>) -> (tensor<8xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"x", "y"} (%arg1: tensor<2x8xf32>) {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %1:2 = stablehlo.while(%iterArg = %c, %iterArg_7 = %arg1) : tensor<i32>, tensor<2x8xf32>
      cond {
        %20 = stablehlo.abs %iterArg_7 : tensor<2x8xf32>
        %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
        %21 = stablehlo.reduce(%20 init: %cst_8) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
        %22 = "stablehlo.all_reduce"(%21) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
        ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
          %24 = stablehlo.add %arg2, %arg3 : tensor<f32>
          stablehlo.return %24 : tensor<f32>
        }) : (tensor<f32>) -> tensor<f32>
        %cst_9 = stablehlo.constant dense<1.000000e+04> : tensor<f32>
        %23 = stablehlo.compare LT, %22, %cst_9, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %23 : tensor<i1>
      } do {
        %c_8 = stablehlo.constant dense<1> : tensor<i32>
        %20 = stablehlo.add %iterArg, %c_8 : tensor<i32>
        %21 = "stablehlo.collective_permute"(%iterArg_7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0], [4, 5], [5, 6], [6, 7], [7, 4]]> : tensor<8x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
        %cst_9 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
        %22 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
        %23 = stablehlo.multiply %21, %22 : tensor<2x8xf32>
        %24 = stablehlo.add %23, %iterArg_7 : tensor<2x8xf32>
        stablehlo.return %20, %24 : tensor<i32>, tensor<2x8xf32>
      }
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
      %c_1 = stablehlo.constant dense<0> : tensor<i32>
      %4:4 = stablehlo.while(%iterArg = %1#1, %iterArg_7 = %c_1, %iterArg_8 = %2, %iterArg_9 = %3) : tensor<2x8xf32>, tensor<i32>, tensor<8xf32>, tensor<2x8xf32>
      cond {
        %c_10 = stablehlo.constant dense<2> : tensor<i32>
        %20 = stablehlo.compare LT, %iterArg_7, %c_10, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %20 : tensor<i1>
      } do {
        %20 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_7) : (tensor<2x8xf32>, tensor<i32>) -> tensor<8xf32>
        %21:2 = func.call @closed_call(%iterArg_8, %20) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
        %22 = func.call @dynamic_update_index_in_dim(%iterArg_9, %21#1, %iterArg_7) : (tensor<2x8xf32>, tensor<8xf32>, tensor<i32>) -> tensor<2x8xf32>
        %c_10 = stablehlo.constant dense<1> : tensor<i32>
        %23 = stablehlo.add %iterArg_7, %c_10 : tensor<i32>
        stablehlo.return %iterArg, %23, %21#0, %22 : tensor<2x8xf32>, tensor<i32>, tensor<8xf32>, tensor<2x8xf32>
      }
      %c_2 = stablehlo.constant dense<1> : tensor<ui32>
      %c_3 = stablehlo.constant dense<4> : tensor<ui32>
      %5 = stablehlo.partition_id : tensor<ui32>
      %6 = stablehlo.divide %5, %c_2 : tensor<ui32>
      %7 = stablehlo.remainder %6, %c_3 : tensor<ui32>
      %8 = stablehlo.convert %7 : (tensor<ui32>) -> tensor<i32>
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.compare GT, %8, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %10 = stablehlo.convert %9 : (tensor<i1>) -> tensor<i32>
      %11 = "stablehlo.case"(%10) ({
        %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
        %20 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<2x8xf32>
        %21 = stablehlo.multiply %1#1, %20 : tensor<2x8xf32>
        stablehlo.return %21 : tensor<2x8xf32>
      }, {
        %20 = stablehlo.sine %1#1 : tensor<2x8xf32>
        stablehlo.return %20 : tensor<2x8xf32>
      }) : (tensor<i32>) -> tensor<2x8xf32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %12 = stablehlo.reduce(%4#3 init: %cst_5) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %13 = stablehlo.reduce(%11 init: %cst_6) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
      %14 = stablehlo.add %12, %13 : tensor<f32>
      %15 = "stablehlo.all_reduce"(%14) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %20 = stablehlo.add %arg2, %arg3 : tensor<f32>
        stablehlo.return %20 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %16 = stablehlo.convert %1#0 : (tensor<i32>) -> tensor<f32>
      %17 = stablehlo.add %16, %15 : tensor<f32>
      %18 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %19 = stablehlo.add %18, %4#2 : tensor<8xf32>
      sdy.return %19 : tensor<8xf32>
    } : (tensor<8x8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<2x8xf32>, %arg1: tensor<i32>) -> tensor<8xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 8] : (tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<1x8xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8xf32>) -> tensor<8xf32>
    return %1 : tensor<8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %4 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<8xf32>) -> tensor<8xf32>
    %cst = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.divide %0, %1 : tensor<8xf32>
    %3 = stablehlo.add %arg0, %2 : tensor<8xf32>
    return %3, %arg0 : tensor<8xf32>, tensor<8xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<2x8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<i32>) -> tensor<2x8xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<8xf32>) -> tensor<1x8xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<2x8xf32>, tensor<1x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
    return %1 : tensor<2x8xf32>
  }
}
