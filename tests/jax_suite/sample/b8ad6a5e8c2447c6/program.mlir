module @jit_update attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<i64>, %arg1: tensor<2xf64>, %arg2: tensor<2xf64>, %arg3: tensor<2xf64>, %arg4: tensor<2xf64>) -> (tensor<2xf64> {jax.result_info = "result[0][0][0]"}, tensor<2xf64> {jax.result_info = "result[0][0][1]"}, tensor<2xf64> {jax.result_info = "result[0][0][2]"}) {
    %cst = stablehlo.constant dense<0.099999999999999978> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %1 = stablehlo.multiply %0, %arg1 : tensor<2xf64>
    %cst_0 = stablehlo.constant dense<9.000000e-01> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %3 = stablehlo.multiply %2, %arg3 : tensor<2xf64>
    %4 = stablehlo.add %1, %3 : tensor<2xf64>
    %cst_1 = stablehlo.constant dense<0.99899999999999999> : tensor<f64>
    %5 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %6 = stablehlo.multiply %5, %arg4 : tensor<2xf64>
    %7 = stablehlo.abs %arg1 : tensor<2xf64>
    %8 = stablehlo.maximum %6, %7 : tensor<2xf64>
    %c = stablehlo.constant dense<1> : tensor<i64>
    %9 = stablehlo.add %arg0, %c : tensor<i64>
    %cst_2 = stablehlo.constant dense<9.000000e-01> : tensor<f64>
    %10 = stablehlo.convert %9 : (tensor<i64>) -> tensor<f64>
    %11 = stablehlo.power %cst_2, %10 : tensor<f64>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %12 = stablehlo.subtract %cst_3, %11 : tensor<f64>
    %cst_4 = stablehlo.constant dense<1.000000e-01> : tensor<f64>
    %13 = stablehlo.divide %cst_4, %12 : tensor<f64>
    %14 = stablehlo.broadcast_in_dim %13, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %15 = stablehlo.multiply %14, %4 : tensor<2xf64>
    %cst_5 = stablehlo.constant dense<1.000000e-08> : tensor<f64>
    %16 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<2xf64>
    %17 = stablehlo.add %8, %16 : tensor<2xf64>
    %18 = stablehlo.divide %15, %17 : tensor<2xf64>
    %19 = stablehlo.subtract %arg2, %18 : tensor<2xf64>
    return %19, %4, %8 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
  }
}
