// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1e-10 inf -inf nan
// vjp: 0.0 0.0 1.0 0.0 1.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0
// jvp: 0.0 0.0 1.0 0.0 1.0 1.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 1.0 0.0 0.0 0.0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17xf64>) -> (tensor<17xf64> {jax.result_info = "result"}) {
    %0 = call @relu6(%arg0) : (tensor<17xf64>) -> tensor<17xf64>
    return %0 : tensor<17xf64>
  }
  func.func private @relu6(%arg0: tensor<17xf64>) -> tensor<17xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<17xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<17xf64>
    %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<17xf64>
    %3 = stablehlo.minimum %1, %2 : tensor<17xf64>
    return %3 : tensor<17xf64>
  }
}
