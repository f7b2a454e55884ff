module @jit_scan attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1xf64>, %arg1: tensor<1xf64>, %arg2: tensor<1x1xf64>) -> (tensor<1xf64> {jax.result_info = "result[0]"}, tensor<1x1xf64> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0:4 = stablehlo.while(%iterArg = %arg0, %iterArg_0 = %c, %iterArg_1 = %arg1, %iterArg_2 = %arg2) : tensor<1xf64>, tensor<i64>, tensor<1xf64>, tensor<1x1xf64>
    cond {
      %c_3 = stablehlo.constant dense<75> : tensor<i64>
      %1 = stablehlo.compare LT, %iterArg_0, %c_3, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_3 = stablehlo.constant dense<75> : tensor<i64>
      %1 = stablehlo.subtract %c_3, %iterArg_0 : tensor<i64>
      %c_4 = stablehlo.constant dense<1> : tensor<i64>
      %2 = stablehlo.subtract %1, %c_4 : tensor<i64>
      %3:2 = func.call @closed_call(%iterArg, %iterArg_1, %iterArg_2) : (tensor<1xf64>, tensor<1xf64>, tensor<1x1xf64>) -> (tensor<1xf64>, tensor<1x1xf64>)
      %c_5 = stablehlo.constant dense<1> : tensor<i64>
      %4 = stablehlo.add %iterArg_0, %c_5 : tensor<i64>
      stablehlo.return %iterArg, %4, %3#0, %3#1 : tensor<1xf64>, tensor<i64>, tensor<1xf64>, tensor<1x1xf64>
    }
    return %0#2, %0#3 : tensor<1xf64>, tensor<1x1xf64>
  }
  func.func private @closed_call(%arg0: tensor<1xf64>, %arg1: tensor<1xf64>, %arg2: tensor<1x1xf64>) -> (tensor<1xf64>, tensor<1x1xf64>) {
    %0 = stablehlo.negate %arg2 : tensor<1x1xf64>
    %cst = stablehlo.constant dense<5.000000e-02> : tensor<f64>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<1x1xf64>
    %2 = stablehlo.multiply %1, %0 : tensor<1x1xf64>
    %3 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<1xf64>) -> tensor<1x1xf64>
    %4 = stablehlo.multiply %3, %2 : tensor<1x1xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %5 = stablehlo.reduce(%4 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<1x1xf64>, tensor<f64>) -> tensor<1xf64>
    %6 = stablehlo.convert %5 : tensor<1xf64>
    %7 = stablehlo.add %arg1, %6 : tensor<1xf64>
    return %7, %arg2 : tensor<1xf64>, tensor<1x1xf64>
  }
}
