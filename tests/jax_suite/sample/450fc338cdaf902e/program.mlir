module @jit_wrapped_fun attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<f32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.707106769> : tensor<f32>
    %0 = stablehlo.multiply %arg0, %cst : tensor<f32>
    %1 = stablehlo.abs %0 : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %2 = stablehlo.compare LT, %1, %cst_0, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = chlo.erf %0 : tensor<f32> -> tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.add %cst_1, %3 : tensor<f32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.compare GT, %0, %cst_2, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = chlo.erfc %1 : tensor<f32> -> tensor<f32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.subtract %cst_3, %6 : tensor<f32>
    %8 = chlo.erfc %1 : tensor<f32> -> tensor<f32>
    %9 = stablehlo.select %5, %7, %8 : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %2, %4, %9 : tensor<i1>, tensor<f32>
    %cst_4 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %11 = stablehlo.multiply %cst_4, %10 : tensor<f32>
    return %11 : tensor<f32>
  }
}
