// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10 inf nan
// vjp: 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 0.9999995231628418 0.9999995231628418 1.0000014305114746 1.0000014305114746 1.0 2.0 nan
// jvp: 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 1.0 0.9999995231628418 0.9999995231628418 1.0000014305114746 1.0000014305114746 1.0 2.0 nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16xf32>) -> (tensor<16xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.maximum %arg0, %arg0 : tensor<16xf32>
    %1 = stablehlo.subtract %arg0, %arg0 : tensor<16xf32>
    %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xi1>
    %3 = stablehlo.add %arg0, %arg0 : tensor<16xf32>
    %4 = stablehlo.abs %1 : tensor<16xf32>
    %5 = stablehlo.negate %4 : tensor<16xf32>
    %6 = stablehlo.exponential %5 : tensor<16xf32>
    %7 = stablehlo.log_plus_one %6 : tensor<16xf32>
    %8 = stablehlo.add %0, %7 : tensor<16xf32>
    %9 = stablehlo.select %2, %3, %8 : tensor<16xi1>, tensor<16xf32>
    return %9 : tensor<16xf32>
  }
}
