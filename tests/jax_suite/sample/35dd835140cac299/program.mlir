module @jit_wrapped_fun attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x4xf64>) -> (tensor<2x3xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.dot_general %arg0, %arg0, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x4xf64>, tensor<2x4xf64>) -> tensor<2xf64>
    %1 = stablehlo.sqrt %0 : tensor<2xf64>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<2xf64>) -> tensor<2x1xf64>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<2x1xf64>) -> tensor<2x4xf64>
    %4 = stablehlo.divide %arg0, %3 : tensor<2x4xf64>
    %5 = stablehlo.slice %4 [0:2, 3:4] : (tensor<2x4xf64>) -> tensor<2x1xf64>
    %6 = stablehlo.reshape %5 : (tensor<2x1xf64>) -> tensor<2xf64>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %8 = stablehlo.compare LT, %6, %7, FLOAT : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xi1>
    %cst_0 = stablehlo.constant dense<-1.000000e+00> : tensor<f64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %9 = call @_where(%8, %cst_0, %cst_1) : (tensor<2xi1>, tensor<f64>, tensor<f64>) -> tensor<2xf64>
    %10 = stablehlo.slice %4 [0:2, 3:4] : (tensor<2x4xf64>) -> tensor<2x1xf64>
    %11 = stablehlo.reshape %10 : (tensor<2x1xf64>) -> tensor<2xf64>
    %12 = stablehlo.convert %9 : tensor<2xf64>
    %13 = stablehlo.multiply %12, %11 : tensor<2xf64>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %14 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %15 = stablehlo.add %14, %13 : tensor<2xf64>
    %16 = stablehlo.slice %4 [0:2, 0:3] : (tensor<2x4xf64>) -> tensor<2x3xf64>
    %17 = stablehlo.convert %9 : tensor<2xf64>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<2xf64>) -> tensor<2x1xf64>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<2x1xf64>) -> tensor<2x3xf64>
    %20 = stablehlo.multiply %19, %16 : tensor<2x3xf64>
    %21 = stablehlo.broadcast_in_dim %15, dims = [0] : (tensor<2xf64>) -> tensor<2x1xf64>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<2x1xf64>) -> tensor<2x3xf64>
    %23 = stablehlo.divide %20, %22 : tensor<2x3xf64>
    return %23 : tensor<2x3xf64>
  }
  func.func private @_where(%arg0: tensor<2xi1>, %arg1: tensor<f64>, %arg2: tensor<f64>) -> tensor<2xf64> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %2 = stablehlo.select %arg0, %1, %0 : tensor<2xi1>, tensor<2xf64>
    return %2 : tensor<2xf64>
  }
}
