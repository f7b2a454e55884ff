// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 0.25 0.25 0.19661195576190948 0.1966119259595871 0.23500370979309082 0.04517665505409241 0.045176658779382706 0.0024665845558047295 0.0024665091186761856 4.5774271711707115e-05 4.5395787310553715e-05 0.0 0.0 0.25
// jvp: 0.25 0.25 0.19661195576190948 0.1966119259595871 0.23500370979309082 0.04517665505409241 0.045176658779382706 0.0024665845558047295 0.0024665091186761856 4.5774271711707115e-05 4.5395787310553715e-05 0.0 0.0 0.25
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %0 = call @softplus(%arg0) : (tensor<14xf32>) -> tensor<14xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %2 = call @softplus_0(%0, %1) : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xf32>
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
    %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %14 = stablehlo.compare EQ, %arg0, %13, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %16 = stablehlo.select %14, %15, %arg0 : tensor<14xi1>, tensor<14xf32>
    %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %18 = stablehlo.compare EQ, %12, %17, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %20 = stablehlo.select %18, %19, %12 : tensor<14xi1>, tensor<14xf32>
    %21 = stablehlo.subtract %16, %20 : tensor<14xf32>
    %22 = stablehlo.exponential %21 : tensor<14xf32>
    return %22 : tensor<14xf32>
  }
  func.func private @softplus_0(%arg0: tensor<14xf32>, %arg1: tensor<14xf32>) -> tensor<14xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<14xf32>
    return %0 : tensor<14xf32>
  }
}
