// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 0.5 0.5 0.7310585379600525 0.26894140243530273 0.622459352016449 0.9525741338729858 0.04742587357759476 0.9975273013114929 0.0024726230185478926 0.9999542236328125 4.5397850044537336e-05 1.0 0.0 0.5
// jvp: 0.5 0.5 0.7310585379600525 0.26894140243530273 0.622459352016449 0.9525741338729858 0.04742587357759476 0.9975273013114929 0.0024726230185478926 0.9999542236328125 4.5397850044537336e-05 1.0 0.0 0.5
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:1] : (tensor<14xf32>) -> tensor<1xf32>
    %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.compare EQ, %1, %cst, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.convert %2 : (tensor<i1>) -> tensor<i32>
    %4 = "stablehlo.case"(%3) ({
      %5 = stablehlo.sine %arg0 : tensor<14xf32>
      stablehlo.return %5 : tensor<14xf32>
    }, {
      %5 = func.call @softplus(%arg0) : (tensor<14xf32>) -> tensor<14xf32>
      stablehlo.return %5 : tensor<14xf32>
    }) : (tensor<i32>) -> tensor<14xf32>
    return %4 : tensor<14xf32>
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
