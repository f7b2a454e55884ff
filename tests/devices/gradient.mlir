module @jit_gradient attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x4xf32>, %arg1: tensor<8x8xf32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<8x4xf32> {jax.result_info = "result[1][0]"}, tensor<8x8xf32> {jax.result_info = "result[1][1]"}) {
    %0:6 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, []>] manual_axes={"x", "y"} (%arg2: tensor<8x1xf32>, %arg3: tensor<4x8xf32>) {
      %2 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x8xf32>, tensor<8x1xf32>) -> tensor<4x1xf32>
      %3 = stablehlo.tanh %2 : tensor<4x1xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
      %5 = stablehlo.subtract %4, %3 : tensor<4x1xf32>
      %6 = stablehlo.multiply %3, %3 : tensor<4x1xf32>
      %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
      %8 = stablehlo.multiply %7, %3 : tensor<4x1xf32>
      %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %9 = stablehlo.reduce(%6 init: %cst_2) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<f32>
      %10 = "stablehlo.all_reduce"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %11 = stablehlo.add %arg4, %arg5 : tensor<f32>
        stablehlo.return %11 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      sdy.return %arg2, %arg3, %3, %5, %8, %10 : tensor<8x1xf32>, tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<4x1xf32>, tensor<f32>
    } : (tensor<8x4xf32>, tensor<8x8xf32>) -> (tensor<64x1xf32>, tensor<32x8xf32>, tensor<32x1xf32>, tensor<32x1xf32>, tensor<32x1xf32>, tensor<f32>)
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1:2 = sdy.manual_computation(%cst, %0#0, %0#1, %0#2, %0#3, %0#4) in_shardings=[<@mesh, []>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x", "y"}, {}]>] out_shardings=[<@mesh, [{}, {"y"}]>, <@mesh, [{"x"}, {}]>] manual_axes={"x", "y"} (%arg2: tensor<f32>, %arg3: tensor<8x1xf32>, %arg4: tensor<4x8xf32>, %arg5: tensor<4x1xf32>, %arg6: tensor<4x1xf32>, %arg7: tensor<4x1xf32>) {
      %2 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4x1xf32>
      %3 = stablehlo.multiply %2, %arg7 : tensor<4x1xf32>
      %4 = stablehlo.multiply %3, %arg6 : tensor<4x1xf32>
      %5 = stablehlo.multiply %4, %arg5 : tensor<4x1xf32>
      %6 = stablehlo.add %4, %5 : tensor<4x1xf32>
      %7 = stablehlo.dot_general %6, %arg4, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x1xf32>, tensor<4x8xf32>) -> tensor<1x8xf32>
      %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<1x8xf32>) -> tensor<8x1xf32>
      %9 = stablehlo.dot_general %6, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x1xf32>, tensor<8x1xf32>) -> tensor<4x8xf32>
      %10 = "stablehlo.all_reduce"(%8) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
        %12 = stablehlo.add %arg8, %arg9 : tensor<f32>
        stablehlo.return %12 : tensor<f32>
      }) : (tensor<8x1xf32>) -> tensor<8x1xf32>
      %11 = "stablehlo.all_reduce"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg8: tensor<f32>, %arg9: tensor<f32>):
        %12 = stablehlo.add %arg8, %arg9 : tensor<f32>
        stablehlo.return %12 : tensor<f32>
      }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
      sdy.return %10, %11 : tensor<8x1xf32>, tensor<4x8xf32>
    } : (tensor<f32>, tensor<64x1xf32>, tensor<32x8xf32>, tensor<32x1xf32>, tensor<32x1xf32>, tensor<32x1xf32>) -> (tensor<8x4xf32>, tensor<8x8xf32>)
    return %0#5, %1#0, %1#1 : tensor<f32>, tensor<8x4xf32>, tensor<8x8xf32>
  }
}
