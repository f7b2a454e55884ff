// x: 0.0 1.000000013351432e-10 0.25 1.0 2.0 5.0 10.0 30.0 100.0
// vjp: inf 10000000000.0 3.5208117961883545 0.5819767117500305 0.1565176397562027 0.006783654913306236 4.540199370239861e-05 9.357623589846195e-14 0.0
// jvp: inf 10000000000.0 3.5208117961883545 0.5819767117500305 0.1565176397562027 0.006783654913306236 4.540199370239861e-05 9.357623589846195e-14 0.0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9xf32>) -> (tensor<9xf32> {jax.result_info = "result"}) {
    %0 = call @log1mexp(%arg0) : (tensor<9xf32>) -> tensor<9xf32>
    return %0 : tensor<9xf32>
  }
  func.func private @log1mexp(%arg0: tensor<9xf32>) -> tensor<9xf32> {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
    %0 = stablehlo.log %cst : tensor<f64>
    %1 = stablehlo.convert %0 : (tensor<f64>) -> tensor<f32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<9xf32>
    %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %4 = stablehlo.negate %arg0 : tensor<9xf32>
    %5 = stablehlo.exponential_minus_one %4 : tensor<9xf32>
    %6 = stablehlo.negate %5 : tensor<9xf32>
    %7 = stablehlo.log %6 : tensor<9xf32>
    %8 = stablehlo.negate %arg0 : tensor<9xf32>
    %9 = stablehlo.exponential %8 : tensor<9xf32>
    %10 = stablehlo.negate %9 : tensor<9xf32>
    %11 = stablehlo.log_plus_one %10 : tensor<9xf32>
    %12 = call @_where(%3, %7, %11) : (tensor<9xi1>, tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    return %12 : tensor<9xf32>
  }
  func.func private @_where(%arg0: tensor<9xi1>, %arg1: tensor<9xf32>, %arg2: tensor<9xf32>) -> tensor<9xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<9xi1>, tensor<9xf32>
    return %0 : tensor<9xf32>
  }
}
