// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 0.19999998807907104 0.19999998807907104 0.4310585558414459 -0.031058592721819878 0.32245934009552 0.6525741219520569 -0.2525741457939148 0.697527289390564 -0.29752737283706665 0.6999543309211731 -0.29995450377464294 0.699999988079071 -0.30000001192092896 0.19999998807907104
// jvp: 0.19999998807907104 0.19999998807907104 0.4310585558414459 -0.031058594584465027 0.32245934009552 0.6525741219520569 -0.2525741457939148 0.6975273489952087 -0.29752737283706665 0.6999543309211731 -0.29995450377464294 0.699999988079071 -0.30000001192092896 0.19999998807907104
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %0 = call @log_sigmoid(%arg0) : (tensor<14xf32>) -> tensor<14xf32>
    %cst = stablehlo.constant dense<-3.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %2 = stablehlo.multiply %1, %0 : tensor<14xf32>
    %3 = stablehlo.negate %arg0 : tensor<14xf32>
    %4 = call @log_sigmoid(%3) : (tensor<14xf32>) -> tensor<14xf32>
    %cst_0 = stablehlo.constant dense<0.699999988> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %6 = stablehlo.multiply %5, %4 : tensor<14xf32>
    %7 = stablehlo.subtract %2, %6 : tensor<14xf32>
    return %7 : tensor<14xf32>
  }
  func.func private @log_sigmoid(%arg0: tensor<14xf32>) -> tensor<14xf32> {
    %0 = stablehlo.negate %arg0 : tensor<14xf32>
    %1 = call @softplus(%0) : (tensor<14xf32>) -> tensor<14xf32>
    %2 = stablehlo.negate %1 : tensor<14xf32>
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
