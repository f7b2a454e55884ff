// logistic, as JAX 0.10.2 lowers it and its derivative; written by generate.py.

func.func public @f16(%arg0: tensor<61xf16>) -> (tensor<61xf16>) {
  %0 = stablehlo.negate %arg0 : tensor<61xf16>
  %1 = stablehlo.exponential %0 : tensor<61xf16>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f16>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %3 = stablehlo.add %2, %1 : tensor<61xf16>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f16>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %5 = stablehlo.divide %4, %3 : tensor<61xf16>
  return %5 : tensor<61xf16>
}
func.func public @f16_rule(%arg0: tensor<61xf16>, %arg1: tensor<61xf16>) -> (tensor<61xf16>, tensor<61xf16>) {
  %0 = stablehlo.negate %arg0 : tensor<61xf16>
  %1 = stablehlo.exponential %0 : tensor<61xf16>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f16>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %3 = stablehlo.add %2, %1 : tensor<61xf16>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f16>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %5 = stablehlo.divide %4, %3 : tensor<61xf16>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f16>
  %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %7 = stablehlo.subtract %6, %5 : tensor<61xf16>
  %8 = stablehlo.multiply %5, %7 : tensor<61xf16>
  %9 = stablehlo.multiply %arg1, %8 : tensor<61xf16>
  return %5, %9 : tensor<61xf16>, tensor<61xf16>
}
func.func public @bf16(%arg0: tensor<61xbf16>) -> (tensor<61xbf16>) {
  %0 = stablehlo.negate %arg0 : tensor<61xbf16>
  %1 = stablehlo.exponential %0 : tensor<61xbf16>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %3 = stablehlo.add %2, %1 : tensor<61xbf16>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %5 = stablehlo.divide %4, %3 : tensor<61xbf16>
  return %5 : tensor<61xbf16>
}
func.func public @bf16_rule(%arg0: tensor<61xbf16>, %arg1: tensor<61xbf16>) -> (tensor<61xbf16>, tensor<61xbf16>) {
  %0 = stablehlo.negate %arg0 : tensor<61xbf16>
  %1 = stablehlo.exponential %0 : tensor<61xbf16>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %3 = stablehlo.add %2, %1 : tensor<61xbf16>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %5 = stablehlo.divide %4, %3 : tensor<61xbf16>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<bf16>
  %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %7 = stablehlo.subtract %6, %5 : tensor<61xbf16>
  %8 = stablehlo.multiply %5, %7 : tensor<61xbf16>
  %9 = stablehlo.multiply %arg1, %8 : tensor<61xbf16>
  return %5, %9 : tensor<61xbf16>, tensor<61xbf16>
}
func.func public @f32(%arg0: tensor<61xf32>) -> (tensor<61xf32>) {
  %0 = stablehlo.negate %arg0 : tensor<61xf32>
  %1 = stablehlo.exponential %0 : tensor<61xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %3 = stablehlo.add %2, %1 : tensor<61xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %5 = stablehlo.divide %4, %3 : tensor<61xf32>
  return %5 : tensor<61xf32>
}
func.func public @f32_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0 = stablehlo.negate %arg0 : tensor<61xf32>
  %1 = stablehlo.exponential %0 : tensor<61xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %3 = stablehlo.add %2, %1 : tensor<61xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %5 = stablehlo.divide %4, %3 : tensor<61xf32>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %7 = stablehlo.subtract %6, %5 : tensor<61xf32>
  %8 = stablehlo.multiply %5, %7 : tensor<61xf32>
  %9 = stablehlo.multiply %arg1, %8 : tensor<61xf32>
  return %5, %9 : tensor<61xf32>, tensor<61xf32>
}
func.func public @f64(%arg0: tensor<61xf64>) -> (tensor<61xf64>) {
  %0 = stablehlo.negate %arg0 : tensor<61xf64>
  %1 = stablehlo.exponential %0 : tensor<61xf64>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %3 = stablehlo.add %2, %1 : tensor<61xf64>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %5 = stablehlo.divide %4, %3 : tensor<61xf64>
  return %5 : tensor<61xf64>
}
func.func public @f64_rule(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %0 = stablehlo.negate %arg0 : tensor<61xf64>
  %1 = stablehlo.exponential %0 : tensor<61xf64>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %3 = stablehlo.add %2, %1 : tensor<61xf64>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %5 = stablehlo.divide %4, %3 : tensor<61xf64>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %7 = stablehlo.subtract %6, %5 : tensor<61xf64>
  %8 = stablehlo.multiply %5, %7 : tensor<61xf64>
  %9 = stablehlo.multiply %arg1, %8 : tensor<61xf64>
  return %5, %9 : tensor<61xf64>, tensor<61xf64>
}
