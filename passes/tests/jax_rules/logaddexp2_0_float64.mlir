// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1e-10 inf -inf nan
// vjp: 0.5 0.5 0.6666666666666667 0.33333333333333337 0.585786437626905 0.8888888888888887 0.11111111111111109 0.9846153846153847 0.015384615384615389 0.999024390243902 0.0009756097560975605 1.0 7.888609052210105e-31 0.5000000000173287 1.0 0.0 nan
// jvp: 0.5 0.5 0.6666666666666667 0.33333333333333337 0.585786437626905 0.8888888888888887 0.11111111111111109 0.9846153846153847 0.015384615384615389 0.999024390243902 0.0009756097560975605 1.0 7.888609052210105e-31 0.5000000000173287 1.0 0.0 nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17xf64>) -> (tensor<17xf64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<17xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<17xf64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<17xf64>
    %3 = stablehlo.subtract %arg0, %2 : tensor<17xf64>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<17xf64>, tensor<17xf64>) -> tensor<17xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<17xf64>
    %6 = stablehlo.add %arg0, %5 : tensor<17xf64>
    %7 = stablehlo.abs %3 : tensor<17xf64>
    %8 = stablehlo.negate %7 : tensor<17xf64>
    %cst_0 = stablehlo.constant dense<0.69314718055994529> : tensor<f64>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<17xf64>
    %10 = stablehlo.multiply %9, %8 : tensor<17xf64>
    %11 = stablehlo.exponential %10 : tensor<17xf64>
    %12 = stablehlo.log_plus_one %11 : tensor<17xf64>
    %cst_1 = stablehlo.constant dense<1.4426950408889634> : tensor<f64>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<17xf64>
    %14 = stablehlo.multiply %13, %12 : tensor<17xf64>
    %15 = stablehlo.add %1, %14 : tensor<17xf64>
    %16 = stablehlo.select %4, %6, %15 : tensor<17xi1>, tensor<17xf64>
    return %16 : tensor<17xf64>
  }
}
