// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1e-10 inf -inf nan
// vjp: 0.5 0.5 0.731058578630005 0.2689414213699951 0.6224593312018546 0.9525741268224333 0.04742587317756678 0.9975273768433656 0.002472623156634775 0.9999546021312967 4.5397868702434354e-05 1.0 3.7200759760208356e-44 0.500000000025 1.0 0.0 nan
// jvp: 0.5 0.5 0.731058578630005 0.2689414213699951 0.6224593312018546 0.9525741268224333 0.04742587317756678 0.9975273768433656 0.002472623156634775 0.9999546021312967 4.5397868702434354e-05 1.0 3.7200759760208356e-44 0.500000000025 1.0 0.0 nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17xf64>) -> (tensor<17xf64> {jax.result_info = "result"}) {
    %0 = call @softplus(%arg0) : (tensor<17xf64>) -> tensor<17xf64>
    return %0 : tensor<17xf64>
  }
  func.func private @softplus(%arg0: tensor<17xf64>) -> tensor<17xf64> {
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
    %9 = stablehlo.exponential %8 : tensor<17xf64>
    %10 = stablehlo.log_plus_one %9 : tensor<17xf64>
    %11 = stablehlo.add %1, %10 : tensor<17xf64>
    %12 = stablehlo.select %4, %6, %11 : tensor<17xi1>, tensor<17xf64>
    return %12 : tensor<17xf64>
  }
}
