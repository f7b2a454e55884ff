// x: 0.0 1.000000013351432e-10 0.25 1.0 2.0 5.0 10.0 30.0
// vjp: -1.0 -23.025850296020508 -1.3862943649291992 0.0 0.6931471824645996 1.6094379425048828 2.3025851249694824 3.4011974334716797
// jvp: -1.0 -23.025850296020508 -1.3862943649291992 0.0 0.6931471824645996 1.6094379425048828 2.3025851249694824 3.4011974334716797
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.compare GT, %cst_0, %cst_1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<i1>) -> tensor<8xi1>
    %4 = stablehlo.and %1, %3 : tensor<8xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %6 = stablehlo.compare EQ, %arg0, %5, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.compare GE, %cst_3, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %8 = stablehlo.broadcast_in_dim %7, dims = [] : (tensor<i1>) -> tensor<8xi1>
    %9 = stablehlo.and %6, %8 : tensor<8xi1>
    %c = stablehlo.constant dense<1> : tensor<i64>
    %10 = call @_where(%4, %arg0, %c) : (tensor<8xi1>, tensor<8xf32>, tensor<i64>) -> tensor<8xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c_6 = stablehlo.constant dense<1> : tensor<i64>
    %11 = call @_where_0(%4, %cst_5, %c_6) : (tensor<8xi1>, tensor<f32>, tensor<i64>) -> tensor<8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %13 = stablehlo.compare NE, %10, %12, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %14 = stablehlo.compare NE, %10, %10, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %15 = stablehlo.or %13, %14 : tensor<8xi1>
    %16 = stablehlo.log %10 : tensor<8xf32>
    %17 = stablehlo.multiply %10, %16 : tensor<8xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %19 = call @_where_1(%15, %17, %18) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %21 = stablehlo.compare NE, %10, %20, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %22 = stablehlo.compare NE, %11, %11, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %23 = stablehlo.or %21, %22 : tensor<8xi1>
    %24 = stablehlo.log %11 : tensor<8xf32>
    %25 = stablehlo.multiply %10, %24 : tensor<8xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %27 = call @_where_1(%23, %25, %26) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = stablehlo.subtract %19, %27 : tensor<8xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_12 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
    %29 = call @_where_2(%9, %cst_11, %cst_12) : (tensor<8xi1>, tensor<f32>, tensor<f64>) -> tensor<8xf32>
    %30 = call @_where_1(%4, %28, %29) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = stablehlo.subtract %30, %arg0 : tensor<8xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %33 = stablehlo.add %31, %32 : tensor<8xf32>
    return %33 : tensor<8xf32>
  }
  func.func private @_where(%arg0: tensor<8xi1>, %arg1: tensor<8xf32>, %arg2: tensor<i64>) -> tensor<8xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i64>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<8xi1>, tensor<8xf32>
    return %2 : tensor<8xf32>
  }
  func.func private @_where_0(%arg0: tensor<8xi1>, %arg1: tensor<f32>, %arg2: tensor<i64>) -> tensor<8xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i64>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.select %arg0, %1, %2 : tensor<8xi1>, tensor<8xf32>
    return %3 : tensor<8xf32>
  }
  func.func private @_where_1(%arg0: tensor<8xi1>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>) -> tensor<8xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<8xi1>, tensor<8xf32>
    return %0 : tensor<8xf32>
  }
  func.func private @_where_2(%arg0: tensor<8xi1>, %arg1: tensor<f32>, %arg2: tensor<f64>) -> tensor<8xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<f64>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.select %arg0, %1, %2 : tensor<8xi1>, tensor<8xf32>
    return %3 : tensor<8xf32>
  }
}
