"builtin.module"() <{sym_name = "jit_g"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=1, "y"=1]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "x", size = 1 : i64}, {name = "y", size = 1 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg5: tensor<2x4xf32>, %arg6: tensor<2x4xf32>):
    %11 = "stablehlo.all_gather"(%arg5) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %12 = "stablehlo.reduce_scatter"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %43 = "stablehlo.add"(%arg11, %arg12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      %44 = "sdy.sharding_constraint"(%43) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%44) : (tensor<f32>) -> ()
    }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %13 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %15 = "sdy.sharding_constraint"(%14) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %16 = "stablehlo.multiply"(%arg5, %15) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %17 = "sdy.sharding_constraint"(%16) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %18 = "func.call"(%arg6) <{callee = @cumsum}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %19 = "stablehlo.add"(%17, %18) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %20 = "sdy.sharding_constraint"(%19) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %21 = "stablehlo.add"(%20, %11) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %22 = "sdy.sharding_constraint"(%21) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %23 = "stablehlo.add"(%22, %12) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %24 = "sdy.sharding_constraint"(%23) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %25 = "stablehlo.add"(%24, %arg5) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %26 = "sdy.sharding_constraint"(%25) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %27 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %28:2 = "stablehlo.while"(%27, %arg5) ({
    ^bb0(%arg9: tensor<i32>, %arg10: tensor<2x4xf32>):
      %39 = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
      %40 = "sdy.sharding_constraint"(%arg9) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
      %41 = "sdy.sharding_constraint"(%39) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
      %42 = "stablehlo.compare"(%40, %41) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%42) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg7: tensor<i32>, %arg8: tensor<2x4xf32>):
      %33 = "func.call"(%arg8) <{callee = @closed_call}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
      %34 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %35 = "sdy.sharding_constraint"(%arg7) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
      %36 = "sdy.sharding_constraint"(%34) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
      %37 = "stablehlo.add"(%35, %36) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      %38 = "sdy.sharding_constraint"(%37) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%38, %33) : (tensor<i32>, tensor<2x4xf32>) -> ()
    }) : (tensor<i32>, tensor<2x4xf32>) -> (tensor<i32>, tensor<2x4xf32>)
    %29 = "sdy.sharding_constraint"(%28#0) <{sharding = #sdy.sharding<@mesh, []>}> : (tensor<i32>) -> tensor<i32>
    %30 = "sdy.sharding_constraint"(%28#1) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %31 = "stablehlo.add"(%26, %30) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %32 = "sdy.sharding_constraint"(%31) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%32) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x4xf32>) -> tensor<2x4xf32>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg4: tensor<2x4xf32>):
    %10 = "func.call"(%arg4) <{callee = @cumsum_0}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%10) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4xf32>) -> tensor<2x4xf32>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<2x4xf32>):
    %5 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<f32>
    %7 = "stablehlo.reduce_window"(%arg1, %6) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 4>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %9 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%9) : (tensor<f32>) -> ()
    }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
    %8 = "sdy.sharding_constraint"(%7) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%8) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x4xf32>) -> tensor<2x4xf32>, res_attrs = [{}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x4xf32>):
    %0 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
    %2 = "sdy.sharding_constraint"(%1) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %3 = "stablehlo.add"(%arg0, %2) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    %4 = "sdy.sharding_constraint"(%3) <{sharding = #sdy.sharding<@mesh, [{?}, {?}]>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%4) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
