// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10 inf -inf nan
// vjp: 0.25 0.25 0.1966119259595871 0.1966119408607483 0.23500370979309082 0.04517665505409241 0.045176658779382706 0.002466465812176466 0.0024665091186761856 4.5416676584864035e-05 4.539580913842656e-05 0.0 0.0 0.25 0.0 0.0 nan
// jvp: 0.25 0.25 0.1966119259595871 0.1966119408607483 0.23500370979309082 0.04517665505409241 0.045176658779382706 0.002466465812176466 0.0024665091186761856 4.5416676584864035e-05 4.539580913842656e-05 0.0 0.0 0.25 0.0 0.0 nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17xf32>) -> (tensor<17xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.negate %arg0 : tensor<17xf32>
    %1 = stablehlo.exponential %0 : tensor<17xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %3 = stablehlo.add %2, %1 : tensor<17xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %5 = stablehlo.divide %4, %3 : tensor<17xf32>
    return %5 : tensor<17xf32>
  }
}
