// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 0.5 0.5 0.9276705384254456 0.07232949137687683 0.7399612069129944 1.0881041288375854 -0.08810409903526306 1.0123262405395508 -0.012326431460678577 1.0004087686538696 -0.0004085602122358978 1.0 0.0 0.5
// jvp: 0.5 0.5 0.9276705384254456 0.07232949137687683 0.7399612069129944 1.0881041288375854 -0.08810409903526306 1.0123262405395508 -0.012326431460678577 1.0004087686538696 -0.0004085602122358978 1.0 0.0 0.5
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %0 = call @silu(%arg0) : (tensor<14xf32>) -> tensor<14xf32>
    return %0 : tensor<14xf32>
  }
  func.func private @silu(%arg0: tensor<14xf32>) -> tensor<14xf32> {
    %0 = stablehlo.negate %arg0 : tensor<14xf32>
    %1 = stablehlo.exponential %0 : tensor<14xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %3 = stablehlo.add %2, %1 : tensor<14xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %5 = stablehlo.divide %4, %3 : tensor<14xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<14xf32>
    return %6 : tensor<14xf32>
  }
}
