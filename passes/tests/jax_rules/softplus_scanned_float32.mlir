// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 0.15705975890159607 0.15705975890159607 0.33620110154151917 0.06414768844842911 0.23500369489192963 0.7891366481781006 0.009191248565912247 0.9868709444999695 0.0004616371006704867 0.9997568130493164 8.459008313366212e-06 1.0 0.0 0.15705975890159607
// jvp: 0.15705975890159607 0.15705975890159607 0.3362010717391968 0.06414768844842911 0.23500367999076843 0.7891366481781006 0.009191249497234821 0.9868709444999695 0.0004616371006704867 0.9997568130493164 8.459009222860914e-06 1.0 0.0 0.15705975890159607
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i64>, tensor<14xf32>
    cond {
      %c_1 = stablehlo.constant dense<3> : tensor<i64>
      %1 = stablehlo.compare LT, %iterArg, %c_1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = func.call @closed_call(%iterArg_0) : (tensor<14xf32>) -> tensor<14xf32>
      %c_1 = stablehlo.constant dense<1> : tensor<i64>
      %2 = stablehlo.add %iterArg, %c_1 : tensor<i64>
      stablehlo.return %2, %1 : tensor<i64>, tensor<14xf32>
    }
    return %0#1 : tensor<14xf32>
  }
  func.func private @closed_call(%arg0: tensor<14xf32>) -> tensor<14xf32> {
    %0 = call @softplus(%arg0) : (tensor<14xf32>) -> tensor<14xf32>
    %cst = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %2 = stablehlo.subtract %0, %1 : tensor<14xf32>
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
