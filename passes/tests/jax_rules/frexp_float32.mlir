// x: 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 0.5 0.5 1.0 0.25 0.25 0.125 0.125 0.0625 0.0625 0.0078125 0.0078125 8589939712.0
// jvp: 0.5 0.5 1.0 0.25 0.25 0.125 0.125 0.0625 0.0625 0.0078125 0.0078125 8589939712.0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<12xf32>) -> (tensor<12xf32> {jax.result_info = "result"}) {
    %0 = call @frexp(%arg0) : (tensor<12xf32>) -> tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @frexp(%arg0: tensor<12xf32>) -> tensor<12xf32> {
    %0 = stablehlo.abs %arg0 : tensor<12xf32>
    %cst = stablehlo.constant dense<1.17549435E-38> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %cst_0 = stablehlo.constant dense<0x4B000000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %4 = stablehlo.multiply %arg0, %3 : tensor<12xf32>
    %5 = call @_where(%2, %4, %arg0) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    %6 = stablehlo.bitcast_convert %5 : (tensor<12xf32>) -> tensor<12xi32>
    %c = stablehlo.constant dense<-2139095041> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %8 = stablehlo.and %6, %7 : tensor<12xi32>
    %c_1 = stablehlo.constant dense<1056964608> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<12xi32>
    %10 = stablehlo.or %8, %9 : tensor<12xi32>
    %11 = stablehlo.bitcast_convert %10 : (tensor<12xi32>) -> tensor<12xf32>
    %12 = call @isinf(%arg0) : (tensor<12xf32>) -> tensor<12xi1>
    %13 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %14 = stablehlo.or %12, %13 : tensor<12xi1>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %16 = stablehlo.compare EQ, %arg0, %15, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    %17 = stablehlo.or %14, %16 : tensor<12xi1>
    %18 = call @_where(%17, %arg0, %11) : (tensor<12xi1>, tensor<12xf32>, tensor<12xf32>) -> tensor<12xf32>
    return %18 : tensor<12xf32>
  }
  func.func private @_where(%arg0: tensor<12xi1>, %arg1: tensor<12xf32>, %arg2: tensor<12xf32>) -> tensor<12xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<12xi1>, tensor<12xf32>
    return %0 : tensor<12xf32>
  }
  func.func private @isinf(%arg0: tensor<12xf32>) -> tensor<12xi1> {
    %0 = stablehlo.abs %arg0 : tensor<12xf32>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<12xf32>
    %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<12xf32>, tensor<12xf32>) -> tensor<12xi1>
    return %2 : tensor<12xi1>
  }
}
