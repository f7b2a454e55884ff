// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 0.6000000238418579 0.6000000238418579 1.0490361452102661 0.059216756373643875 0.8864244222640991 1.0211061239242554 -0.09339310973882675 1.0001333951950073 -0.012359967455267906 1.0 -0.00040857959538698196 1.0 0.0 0.6000000238418579
// jvp: 0.6000000238418579 0.6000000238418579 1.0490361452102661 0.05921675264835358 0.8864244222640991 1.0211061239242554 -0.09339311718940735 1.0001333951950073 -0.012359967455267906 1.0 -0.00040857959538698196 1.0 0.0 0.6000000238418579
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %0 = call @mish(%arg0) : (tensor<14xf32>) -> tensor<14xf32>
    return %0 : tensor<14xf32>
  }
  func.func private @mish(%arg0: tensor<14xf32>) -> tensor<14xf32> {
    %0 = call @softplus(%arg0) : (tensor<14xf32>) -> tensor<14xf32>
    %1 = stablehlo.tanh %0 : tensor<14xf32>
    %2 = stablehlo.multiply %arg0, %1 : tensor<14xf32>
    return %2 : tensor<14xf32>
  }
  func.func private @softplus(%arg0: tensor<14xf32>) -> tensor<14xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<14xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<14xf32>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<14xf32>
    %7 = stablehlo.abs %3 : tensor<14xf32>
    %8 = stablehlo.negate %7 : tensor<14xf32>
    %9 = stablehlo.exponential %8 : tensor<14xf32>
    %10 = stablehlo.log_plus_one %9 : tensor<14xf32>
    %11 = stablehlo.add %1, %10 : tensor<14xf32>
    %12 = stablehlo.select %4, %6, %11 : tensor<14xi1>, tensor<14xf32>
    return %12 : tensor<14xf32>
  }
}
