module @jit_complete attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=4]> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xi32>) -> (tensor<8x8xf32> {jax.result_info = "result[0]"}, tensor<8x8xi32> {jax.result_info = "result[1]"}, tensor<8x8xi1> {jax.result_info = "result[2]"}, tensor<f32> {jax.result_info = "result[3]"}) {
    %0:4 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"y"}, {}]>, <@mesh, [{"y"}, {}]>, <@mesh, []>] manual_axes={"x", "y"} (%arg2: tensor<4x8xf32>, %arg3: tensor<2x8xi32>) {
      %c = stablehlo.constant dense<2> : tensor<i32>
      %1 = func.call @remainder(%arg3, %c) : (tensor<2x8xi32>, tensor<i32>) -> tensor<2x8xi32>
      %c_0 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
      %3 = stablehlo.compare EQ, %1, %2, SIGNED : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
      %4 = stablehlo.convert %arg2 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
      %5 = "stablehlo.all_reduce"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<bf16>, %arg5: tensor<bf16>):
        %18 = stablehlo.add %arg4, %arg5 : tensor<bf16>
        stablehlo.return %18 : tensor<bf16>
      }) : (tensor<4x8xbf16>) -> tensor<4x8xbf16>
      %6 = stablehlo.convert %5 : (tensor<4x8xbf16>) -> tensor<4x8xf32>
      %7 = "stablehlo.all_reduce"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
        %18 = stablehlo.add %arg4, %arg5 : tensor<i32>
        stablehlo.return %18 : tensor<i32>
      }) : (tensor<2x8xi32>) -> tensor<2x8xi32>
      %8 = "stablehlo.all_reduce"(%arg3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<i32>, %arg5: tensor<i32>):
        %18 = stablehlo.maximum %arg4, %arg5 : tensor<i32>
        stablehlo.return %18 : tensor<i32>
      }) : (tensor<2x8xi32>) -> tensor<2x8xi32>
      %9 = stablehlo.add %7, %8 : tensor<2x8xi32>
      %10 = "stablehlo.all_gather"(%3) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> : (tensor<2x8xi1>) -> tensor<8x8xi1>
      %11 = stablehlo.slice %10 [0:2, 0:8] : (tensor<8x8xi1>) -> tensor<2x8xi1>
      %12 = stablehlo.convert %arg2 : (tensor<4x8xf32>) -> tensor<4x8xcomplex<f32>>
      %cst = stablehlo.constant dense<(0.000000e+00,1.000000e+00)> : tensor<complex<f32>>
      %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<4x8xcomplex<f32>>
      %14 = stablehlo.multiply %12, %13 : tensor<4x8xcomplex<f32>>
      %15 = "stablehlo.all_reduce"(%14) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<complex<f32>>, %arg5: tensor<complex<f32>>):
        %18 = stablehlo.add %arg4, %arg5 : tensor<complex<f32>>
        stablehlo.return %18 : tensor<complex<f32>>
      }) : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
      %16 = stablehlo.imag %15 : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xf32>
      %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %17 = stablehlo.reduce(%16 init: %cst_1) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
      sdy.return %6, %9, %11, %17 : tensor<4x8xf32>, tensor<2x8xi32>, tensor<2x8xi1>, tensor<f32>
    } : (tensor<8x8xf32>, tensor<8x8xi32>) -> (tensor<8x8xf32>, tensor<8x8xi32>, tensor<8x8xi1>, tensor<f32>)
    return %0#0, %0#1, %0#2, %0#3 : tensor<8x8xf32>, tensor<8x8xi32>, tensor<8x8xi1>, tensor<f32>
  }
  func.func private @remainder(%arg0: tensor<2x8xi32>, %arg1: tensor<i32>) -> tensor<2x8xi32> {
    %0 = stablehlo.convert %arg1 : tensor<i32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare EQ, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %2 = call @_where(%1, %c_0, %0) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %4 = stablehlo.remainder %arg0, %3 : tensor<2x8xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %6 = stablehlo.compare NE, %4, %5, SIGNED : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %8 = stablehlo.compare LT, %4, %7, SIGNED : (tensor<2x8xi32>, tensor<2x8xi32>) -> tensor<2x8xi1>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.compare LT, %2, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i1>) -> tensor<2x8xi1>
    %11 = stablehlo.compare NE, %8, %10, UNSIGNED : (tensor<2x8xi1>, tensor<2x8xi1>) -> tensor<2x8xi1>
    %12 = stablehlo.and %11, %6 : tensor<2x8xi1>
    %13 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i32>) -> tensor<2x8xi32>
    %14 = stablehlo.add %4, %13 : tensor<2x8xi32>
    %15 = stablehlo.select %12, %14, %4 : tensor<2x8xi1>, tensor<2x8xi32>
    return %15 : tensor<2x8xi32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<i32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<i32>
    return %0 : tensor<i32>
  }
}
