// relu6, as JAX 0.10.2 lowers it and its derivative; written by generate.py.

func.func public @f16(%arg0: tensor<61xf16>) -> (tensor<61xf16>) {
  %0 = call @f16.relu6(%arg0) : (tensor<61xf16>) -> tensor<61xf16>
  return %0 : tensor<61xf16>
}
func.func private @f16.relu6(%arg0: tensor<61xf16>) -> tensor<61xf16> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %1 = stablehlo.maximum %arg0, %0 : tensor<61xf16>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f16>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %3 = stablehlo.minimum %1, %2 : tensor<61xf16>
  return %3 : tensor<61xf16>
}
func.func public @f16_rule(%arg0: tensor<61xf16>, %arg1: tensor<61xf16>) -> (tensor<61xf16>, tensor<61xf16>) {
  %0 = call @f16_rule.relu6(%arg0) : (tensor<61xf16>) -> tensor<61xf16>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %2 = stablehlo.compare GT, %arg0, %1, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f16>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %4 = stablehlo.compare LT, %arg0, %3, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %5 = stablehlo.and %2, %4 : tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %7 = stablehlo.select %5, %arg1, %6 : tensor<61xi1>, tensor<61xf16>
  return %0, %7 : tensor<61xf16>, tensor<61xf16>
}
func.func private @f16_rule.relu6(%arg0: tensor<61xf16>) -> tensor<61xf16> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %1 = stablehlo.maximum %arg0, %0 : tensor<61xf16>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f16>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %3 = stablehlo.minimum %1, %2 : tensor<61xf16>
  return %3 : tensor<61xf16>
}
func.func public @bf16(%arg0: tensor<61xbf16>) -> (tensor<61xbf16>) {
  %0 = call @bf16.relu6(%arg0) : (tensor<61xbf16>) -> tensor<61xbf16>
  return %0 : tensor<61xbf16>
}
func.func private @bf16.relu6(%arg0: tensor<61xbf16>) -> tensor<61xbf16> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %1 = stablehlo.maximum %arg0, %0 : tensor<61xbf16>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<bf16>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %3 = stablehlo.minimum %1, %2 : tensor<61xbf16>
  return %3 : tensor<61xbf16>
}
func.func public @bf16_rule(%arg0: tensor<61xbf16>, %arg1: tensor<61xbf16>) -> (tensor<61xbf16>, tensor<61xbf16>) {
  %0 = call @bf16_rule.relu6(%arg0) : (tensor<61xbf16>) -> tensor<61xbf16>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %2 = stablehlo.compare GT, %arg0, %1, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<bf16>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %4 = stablehlo.compare LT, %arg0, %3, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %5 = stablehlo.and %2, %4 : tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %7 = stablehlo.select %5, %arg1, %6 : tensor<61xi1>, tensor<61xbf16>
  return %0, %7 : tensor<61xbf16>, tensor<61xbf16>
}
func.func private @bf16_rule.relu6(%arg0: tensor<61xbf16>) -> tensor<61xbf16> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %1 = stablehlo.maximum %arg0, %0 : tensor<61xbf16>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<bf16>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %3 = stablehlo.minimum %1, %2 : tensor<61xbf16>
  return %3 : tensor<61xbf16>
}
func.func public @f32(%arg0: tensor<61xf32>) -> (tensor<61xf32>) {
  %0 = call @f32.relu6(%arg0) : (tensor<61xf32>) -> tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func private @f32.relu6(%arg0: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<61xf32>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %3 = stablehlo.minimum %1, %2 : tensor<61xf32>
  return %3 : tensor<61xf32>
}
func.func public @f32_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0 = call @f32_rule.relu6(%arg0) : (tensor<61xf32>) -> tensor<61xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.compare GT, %arg0, %1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %4 = stablehlo.compare LT, %arg0, %3, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %5 = stablehlo.and %2, %4 : tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %7 = stablehlo.select %5, %arg1, %6 : tensor<61xi1>, tensor<61xf32>
  return %0, %7 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_rule.relu6(%arg0: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.maximum %arg0, %0 : tensor<61xf32>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %3 = stablehlo.minimum %1, %2 : tensor<61xf32>
  return %3 : tensor<61xf32>
}
func.func public @f64(%arg0: tensor<61xf64>) -> (tensor<61xf64>) {
  %0 = call @f64.relu6(%arg0) : (tensor<61xf64>) -> tensor<61xf64>
  return %0 : tensor<61xf64>
}
func.func private @f64.relu6(%arg0: tensor<61xf64>) -> tensor<61xf64> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.maximum %arg0, %0 : tensor<61xf64>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %3 = stablehlo.minimum %1, %2 : tensor<61xf64>
  return %3 : tensor<61xf64>
}
func.func public @f64_rule(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %0 = call @f64_rule.relu6(%arg0) : (tensor<61xf64>) -> tensor<61xf64>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.compare GT, %arg0, %1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %4 = stablehlo.compare LT, %arg0, %3, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %5 = stablehlo.and %2, %4 : tensor<61xi1>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %7 = stablehlo.select %5, %arg1, %6 : tensor<61xi1>, tensor<61xf64>
  return %0, %7 : tensor<61xf64>, tensor<61xf64>
}
func.func private @f64_rule.relu6(%arg0: tensor<61xf64>) -> tensor<61xf64> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.maximum %arg0, %0 : tensor<61xf64>
  %cst_0 = stablehlo.constant dense<6.000000e+00> : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %3 = stablehlo.minimum %1, %2 : tensor<61xf64>
  return %3 : tensor<61xf64>
}
