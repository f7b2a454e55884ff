// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1e-10 inf -inf nan
// vjp: 0.25 0.25 0.19661193324148185 0.19661193324148185 0.2350037122015945 0.045176659730912 0.04517665973091214 0.002466509291359931 0.002466509291360048 4.5395807735907655e-05 4.5395807735951673e-05 0.0 3.7200759760208356e-44 0.25 0.0 0.0 nan
// jvp: 0.25 0.25 0.19661193324148185 0.19661193324148185 0.2350037122015945 0.045176659730912 0.04517665973091214 0.002466509291359931 0.002466509291360048 4.5395807735907655e-05 4.5395807735951673e-05 0.0 3.7200759760208356e-44 0.25 0.0 0.0 nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17xf64>) -> (tensor<17xf64> {jax.result_info = "result"}) {
    %0 = stablehlo.negate %arg0 : tensor<17xf64>
    %1 = stablehlo.exponential %0 : tensor<17xf64>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<17xf64>
    %3 = stablehlo.add %2, %1 : tensor<17xf64>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<17xf64>
    %5 = stablehlo.divide %4, %3 : tensor<17xf64>
    return %5 : tensor<17xf64>
  }
}
