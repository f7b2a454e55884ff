// xlogy, as JAX 0.10.2 lowers it and its derivative; written by generate.py.

func.func public @f16(%arg0: tensor<61xf16>, %arg1: tensor<61xf16>) -> (tensor<61xf16>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %2 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %3 = stablehlo.or %1, %2 : tensor<61xi1>
  %4 = stablehlo.log %arg1 : tensor<61xf16>
  %5 = stablehlo.multiply %arg0, %4 : tensor<61xf16>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %7 = call @f16._where(%3, %5, %6) : (tensor<61xi1>, tensor<61xf16>, tensor<61xf16>) -> tensor<61xf16>
  return %7 : tensor<61xf16>
}
func.func private @f16._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf16>, %arg2: tensor<61xf16>) -> tensor<61xf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf16>
  return %0 : tensor<61xf16>
}
func.func public @f16_rule(%arg0: tensor<61xf16>, %arg1: tensor<61xf16>, %arg2: tensor<61xf16>, %arg3: tensor<61xf16>) -> (tensor<61xf16>, tensor<61xf16>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %2 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %3 = stablehlo.or %1, %2 : tensor<61xi1>
  %4 = stablehlo.log %arg1 : tensor<61xf16>
  %5 = stablehlo.multiply %arg0, %4 : tensor<61xf16>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %7 = call @f16_rule._where(%3, %5, %6) : (tensor<61xi1>, tensor<61xf16>, tensor<61xf16>) -> tensor<61xf16>
  %8 = stablehlo.log %arg1 : tensor<61xf16>
  %9 = stablehlo.multiply %arg2, %8 : tensor<61xf16>
  %10 = stablehlo.multiply %arg3, %arg0 : tensor<61xf16>
  %11 = stablehlo.divide %10, %arg1 : tensor<61xf16>
  %12 = stablehlo.add %9, %11 : tensor<61xf16>
  return %7, %12 : tensor<61xf16>, tensor<61xf16>
}
func.func private @f16_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf16>, %arg2: tensor<61xf16>) -> tensor<61xf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf16>
  return %0 : tensor<61xf16>
}
func.func public @bf16(%arg0: tensor<61xbf16>, %arg1: tensor<61xbf16>) -> (tensor<61xbf16>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %2 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %3 = stablehlo.or %1, %2 : tensor<61xi1>
  %4 = stablehlo.log %arg1 : tensor<61xbf16>
  %5 = stablehlo.multiply %arg0, %4 : tensor<61xbf16>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %7 = call @bf16._where(%3, %5, %6) : (tensor<61xi1>, tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xbf16>
  return %7 : tensor<61xbf16>
}
func.func private @bf16._where(%arg0: tensor<61xi1>, %arg1: tensor<61xbf16>, %arg2: tensor<61xbf16>) -> tensor<61xbf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xbf16>
  return %0 : tensor<61xbf16>
}
func.func public @bf16_rule(%arg0: tensor<61xbf16>, %arg1: tensor<61xbf16>, %arg2: tensor<61xbf16>, %arg3: tensor<61xbf16>) -> (tensor<61xbf16>, tensor<61xbf16>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %2 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %3 = stablehlo.or %1, %2 : tensor<61xi1>
  %4 = stablehlo.log %arg1 : tensor<61xbf16>
  %5 = stablehlo.multiply %arg0, %4 : tensor<61xbf16>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %7 = call @bf16_rule._where(%3, %5, %6) : (tensor<61xi1>, tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xbf16>
  %8 = stablehlo.log %arg1 : tensor<61xbf16>
  %9 = stablehlo.multiply %arg2, %8 : tensor<61xbf16>
  %10 = stablehlo.multiply %arg3, %arg0 : tensor<61xbf16>
  %11 = stablehlo.divide %10, %arg1 : tensor<61xbf16>
  %12 = stablehlo.add %9, %11 : tensor<61xbf16>
  return %7, %12 : tensor<61xbf16>, tensor<61xbf16>
}
func.func private @bf16_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xbf16>, %arg2: tensor<61xbf16>) -> tensor<61xbf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xbf16>
  return %0 : tensor<61xbf16>
}
func.func public @f32(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %2 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %3 = stablehlo.or %1, %2 : tensor<61xi1>
  %4 = stablehlo.log %arg1 : tensor<61xf32>
  %5 = stablehlo.multiply %arg0, %4 : tensor<61xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %7 = call @f32._where(%3, %5, %6) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  return %7 : tensor<61xf32>
}
func.func private @f32._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func public @f32_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>, %arg3: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %2 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %3 = stablehlo.or %1, %2 : tensor<61xi1>
  %4 = stablehlo.log %arg1 : tensor<61xf32>
  %5 = stablehlo.multiply %arg0, %4 : tensor<61xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %7 = call @f32_rule._where(%3, %5, %6) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  %8 = stablehlo.log %arg1 : tensor<61xf32>
  %9 = stablehlo.multiply %arg2, %8 : tensor<61xf32>
  %10 = stablehlo.multiply %arg3, %arg0 : tensor<61xf32>
  %11 = stablehlo.divide %10, %arg1 : tensor<61xf32>
  %12 = stablehlo.add %9, %11 : tensor<61xf32>
  return %7, %12 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func public @f64(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>) -> (tensor<61xf64>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %2 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %3 = stablehlo.or %1, %2 : tensor<61xi1>
  %4 = stablehlo.log %arg1 : tensor<61xf64>
  %5 = stablehlo.multiply %arg0, %4 : tensor<61xf64>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %7 = call @f64._where(%3, %5, %6) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>) -> tensor<61xf64>
  return %7 : tensor<61xf64>
}
func.func private @f64._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>) -> tensor<61xf64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf64>
  return %0 : tensor<61xf64>
}
func.func public @f64_rule(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>, %arg3: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %2 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %3 = stablehlo.or %1, %2 : tensor<61xi1>
  %4 = stablehlo.log %arg1 : tensor<61xf64>
  %5 = stablehlo.multiply %arg0, %4 : tensor<61xf64>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %6 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %7 = call @f64_rule._where(%3, %5, %6) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>) -> tensor<61xf64>
  %8 = stablehlo.log %arg1 : tensor<61xf64>
  %9 = stablehlo.multiply %arg2, %8 : tensor<61xf64>
  %10 = stablehlo.multiply %arg3, %arg0 : tensor<61xf64>
  %11 = stablehlo.divide %10, %arg1 : tensor<61xf64>
  %12 = stablehlo.add %9, %11 : tensor<61xf64>
  return %7, %12 : tensor<61xf64>, tensor<61xf64>
}
func.func private @f64_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>) -> tensor<61xf64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf64>
  return %0 : tensor<61xf64>
}
