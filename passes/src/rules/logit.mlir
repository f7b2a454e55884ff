// logit, as JAX 0.10.2 lowers it and its derivative; written by generate.py.

func.func public @f16(%arg0: tensor<61xf16>) -> (tensor<61xf16>) {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f16>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %1 = stablehlo.subtract %0, %arg0 : tensor<61xf16>
  %2 = stablehlo.divide %arg0, %1 : tensor<61xf16>
  %3 = stablehlo.log %2 : tensor<61xf16>
  return %3 : tensor<61xf16>
}
func.func public @f16_rule(%arg0: tensor<61xf16>, %arg1: tensor<61xf16>) -> (tensor<61xf16>, tensor<61xf16>) {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f16>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %1 = stablehlo.subtract %0, %arg0 : tensor<61xf16>
  %2 = stablehlo.divide %arg0, %1 : tensor<61xf16>
  %3 = stablehlo.log %2 : tensor<61xf16>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f16>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %5 = stablehlo.subtract %4, %arg0 : tensor<61xf16>
  %6 = stablehlo.multiply %arg0, %5 : tensor<61xf16>
  %7 = stablehlo.divide %arg1, %6 : tensor<61xf16>
  return %3, %7 : tensor<61xf16>, tensor<61xf16>
}
func.func public @bf16(%arg0: tensor<61xbf16>) -> (tensor<61xbf16>) {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %1 = stablehlo.subtract %0, %arg0 : tensor<61xbf16>
  %2 = stablehlo.divide %arg0, %1 : tensor<61xbf16>
  %3 = stablehlo.log %2 : tensor<61xbf16>
  return %3 : tensor<61xbf16>
}
func.func public @bf16_rule(%arg0: tensor<61xbf16>, %arg1: tensor<61xbf16>) -> (tensor<61xbf16>, tensor<61xbf16>) {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %1 = stablehlo.subtract %0, %arg0 : tensor<61xbf16>
  %2 = stablehlo.divide %arg0, %1 : tensor<61xbf16>
  %3 = stablehlo.log %2 : tensor<61xbf16>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %5 = stablehlo.subtract %4, %arg0 : tensor<61xbf16>
  %6 = stablehlo.multiply %arg0, %5 : tensor<61xbf16>
  %7 = stablehlo.divide %arg1, %6 : tensor<61xbf16>
  return %3, %7 : tensor<61xbf16>, tensor<61xbf16>
}
func.func public @f32(%arg0: tensor<61xf32>) -> (tensor<61xf32>) {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.subtract %0, %arg0 : tensor<61xf32>
  %2 = stablehlo.divide %arg0, %1 : tensor<61xf32>
  %3 = stablehlo.log %2 : tensor<61xf32>
  return %3 : tensor<61xf32>
}
func.func public @f32_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.subtract %0, %arg0 : tensor<61xf32>
  %2 = stablehlo.divide %arg0, %1 : tensor<61xf32>
  %3 = stablehlo.log %2 : tensor<61xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %5 = stablehlo.subtract %4, %arg0 : tensor<61xf32>
  %6 = stablehlo.multiply %arg0, %5 : tensor<61xf32>
  %7 = stablehlo.divide %arg1, %6 : tensor<61xf32>
  return %3, %7 : tensor<61xf32>, tensor<61xf32>
}
func.func public @f64(%arg0: tensor<61xf64>) -> (tensor<61xf64>) {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.subtract %0, %arg0 : tensor<61xf64>
  %2 = stablehlo.divide %arg0, %1 : tensor<61xf64>
  %3 = stablehlo.log %2 : tensor<61xf64>
  return %3 : tensor<61xf64>
}
func.func public @f64_rule(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.subtract %0, %arg0 : tensor<61xf64>
  %2 = stablehlo.divide %arg0, %1 : tensor<61xf64>
  %3 = stablehlo.log %2 : tensor<61xf64>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %5 = stablehlo.subtract %4, %arg0 : tensor<61xf64>
  %6 = stablehlo.multiply %arg0, %5 : tensor<61xf64>
  %7 = stablehlo.divide %arg1, %6 : tensor<61xf64>
  return %3, %7 : tensor<61xf64>, tensor<61xf64>
}
