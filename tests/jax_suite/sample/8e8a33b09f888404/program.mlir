module @jit__linspace attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f64>, %arg1: tensor<i64>) -> (tensor<8xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<f64>
    %1 = stablehlo.iota dim = 0 : tensor<7xf64>
    %cst = stablehlo.constant dense<7.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<7xf64>
    %3 = stablehlo.divide %1, %2 : tensor<7xf64>
    %4 = stablehlo.reshape %arg0 : (tensor<f64>) -> tensor<1xf64>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<7xf64>
    %6 = stablehlo.subtract %5, %3 : tensor<7xf64>
    %7 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<1xf64>) -> tensor<7xf64>
    %8 = stablehlo.multiply %7, %6 : tensor<7xf64>
    %9 = stablehlo.reshape %0 : (tensor<f64>) -> tensor<1xf64>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<1xf64>) -> tensor<7xf64>
    %11 = stablehlo.multiply %10, %3 : tensor<7xf64>
    %12 = stablehlo.add %8, %11 : tensor<7xf64>
    %13 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<1xf64>
    %14 = stablehlo.concatenate %12, %13, dim = 0 : (tensor<7xf64>, tensor<1xf64>) -> tensor<8xf64>
    return %14 : tensor<8xf64>
  }
}
