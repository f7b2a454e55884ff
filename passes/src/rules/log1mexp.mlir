// log1mexp, as JAX 0.10.2 lowers it and its derivative; written by generate.py.

func.func public @f16(%arg0: tensor<61xf16>) -> (tensor<61xf16>) {
  %0 = call @f16.log1mexp(%arg0) : (tensor<61xf16>) -> tensor<61xf16>
  return %0 : tensor<61xf16>
}
func.func private @f16.log1mexp(%arg0: tensor<61xf16>) -> tensor<61xf16> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = stablehlo.log %cst : tensor<f32>
  %1 = stablehlo.convert %0 : (tensor<f32>) -> tensor<f16>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %4 = stablehlo.negate %arg0 : tensor<61xf16>
  %5 = stablehlo.exponential_minus_one %4 : tensor<61xf16>
  %6 = stablehlo.negate %5 : tensor<61xf16>
  %7 = stablehlo.log %6 : tensor<61xf16>
  %8 = stablehlo.negate %arg0 : tensor<61xf16>
  %9 = stablehlo.exponential %8 : tensor<61xf16>
  %10 = stablehlo.negate %9 : tensor<61xf16>
  %11 = stablehlo.log_plus_one %10 : tensor<61xf16>
  %12 = call @f16._where(%3, %7, %11) : (tensor<61xi1>, tensor<61xf16>, tensor<61xf16>) -> tensor<61xf16>
  return %12 : tensor<61xf16>
}
func.func private @f16._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf16>, %arg2: tensor<61xf16>) -> tensor<61xf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf16>
  return %0 : tensor<61xf16>
}
func.func public @f16_rule(%arg0: tensor<61xf16>, %arg1: tensor<61xf16>) -> (tensor<61xf16>, tensor<61xf16>) {
  %0 = call @f16_rule.log1mexp(%arg0) : (tensor<61xf16>) -> tensor<61xf16>
  %1 = stablehlo.exponential_minus_one %arg0 : tensor<61xf16>
  %2 = stablehlo.divide %arg1, %1 : tensor<61xf16>
  return %0, %2 : tensor<61xf16>, tensor<61xf16>
}
func.func private @f16_rule.log1mexp(%arg0: tensor<61xf16>) -> tensor<61xf16> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = stablehlo.log %cst : tensor<f32>
  %1 = stablehlo.convert %0 : (tensor<f32>) -> tensor<f16>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %4 = stablehlo.negate %arg0 : tensor<61xf16>
  %5 = stablehlo.exponential_minus_one %4 : tensor<61xf16>
  %6 = stablehlo.negate %5 : tensor<61xf16>
  %7 = stablehlo.log %6 : tensor<61xf16>
  %8 = stablehlo.negate %arg0 : tensor<61xf16>
  %9 = stablehlo.exponential %8 : tensor<61xf16>
  %10 = stablehlo.negate %9 : tensor<61xf16>
  %11 = stablehlo.log_plus_one %10 : tensor<61xf16>
  %12 = call @f16_rule._where(%3, %7, %11) : (tensor<61xi1>, tensor<61xf16>, tensor<61xf16>) -> tensor<61xf16>
  return %12 : tensor<61xf16>
}
func.func private @f16_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf16>, %arg2: tensor<61xf16>) -> tensor<61xf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf16>
  return %0 : tensor<61xf16>
}
func.func public @f16_x64(%arg0: tensor<61xf16>) -> (tensor<61xf16>) {
  %0 = call @f16_x64.log1mexp(%arg0) : (tensor<61xf16>) -> tensor<61xf16>
  return %0 : tensor<61xf16>
}
func.func private @f16_x64.log1mexp(%arg0: tensor<61xf16>) -> tensor<61xf16> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %0 = stablehlo.log %cst : tensor<f64>
  %1 = stablehlo.convert %0 : (tensor<f64>) -> tensor<f16>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %4 = stablehlo.negate %arg0 : tensor<61xf16>
  %5 = stablehlo.exponential_minus_one %4 : tensor<61xf16>
  %6 = stablehlo.negate %5 : tensor<61xf16>
  %7 = stablehlo.log %6 : tensor<61xf16>
  %8 = stablehlo.negate %arg0 : tensor<61xf16>
  %9 = stablehlo.exponential %8 : tensor<61xf16>
  %10 = stablehlo.negate %9 : tensor<61xf16>
  %11 = stablehlo.log_plus_one %10 : tensor<61xf16>
  %12 = call @f16_x64._where(%3, %7, %11) : (tensor<61xi1>, tensor<61xf16>, tensor<61xf16>) -> tensor<61xf16>
  return %12 : tensor<61xf16>
}
func.func private @f16_x64._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf16>, %arg2: tensor<61xf16>) -> tensor<61xf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf16>
  return %0 : tensor<61xf16>
}
func.func public @f16_x64_rule(%arg0: tensor<61xf16>, %arg1: tensor<61xf16>) -> (tensor<61xf16>, tensor<61xf16>) {
  %0 = call @f16_x64_rule.log1mexp(%arg0) : (tensor<61xf16>) -> tensor<61xf16>
  %1 = stablehlo.exponential_minus_one %arg0 : tensor<61xf16>
  %2 = stablehlo.divide %arg1, %1 : tensor<61xf16>
  return %0, %2 : tensor<61xf16>, tensor<61xf16>
}
func.func private @f16_x64_rule.log1mexp(%arg0: tensor<61xf16>) -> tensor<61xf16> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %0 = stablehlo.log %cst : tensor<f64>
  %1 = stablehlo.convert %0 : (tensor<f64>) -> tensor<f16>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %4 = stablehlo.negate %arg0 : tensor<61xf16>
  %5 = stablehlo.exponential_minus_one %4 : tensor<61xf16>
  %6 = stablehlo.negate %5 : tensor<61xf16>
  %7 = stablehlo.log %6 : tensor<61xf16>
  %8 = stablehlo.negate %arg0 : tensor<61xf16>
  %9 = stablehlo.exponential %8 : tensor<61xf16>
  %10 = stablehlo.negate %9 : tensor<61xf16>
  %11 = stablehlo.log_plus_one %10 : tensor<61xf16>
  %12 = call @f16_x64_rule._where(%3, %7, %11) : (tensor<61xi1>, tensor<61xf16>, tensor<61xf16>) -> tensor<61xf16>
  return %12 : tensor<61xf16>
}
func.func private @f16_x64_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf16>, %arg2: tensor<61xf16>) -> tensor<61xf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf16>
  return %0 : tensor<61xf16>
}
func.func public @bf16(%arg0: tensor<61xbf16>) -> (tensor<61xbf16>) {
  %0 = call @bf16.log1mexp(%arg0) : (tensor<61xbf16>) -> tensor<61xbf16>
  return %0 : tensor<61xbf16>
}
func.func private @bf16.log1mexp(%arg0: tensor<61xbf16>) -> tensor<61xbf16> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = stablehlo.log %cst : tensor<f32>
  %1 = stablehlo.convert %0 : (tensor<f32>) -> tensor<bf16>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %4 = stablehlo.negate %arg0 : tensor<61xbf16>
  %5 = stablehlo.exponential_minus_one %4 : tensor<61xbf16>
  %6 = stablehlo.negate %5 : tensor<61xbf16>
  %7 = stablehlo.log %6 : tensor<61xbf16>
  %8 = stablehlo.negate %arg0 : tensor<61xbf16>
  %9 = stablehlo.exponential %8 : tensor<61xbf16>
  %10 = stablehlo.negate %9 : tensor<61xbf16>
  %11 = stablehlo.log_plus_one %10 : tensor<61xbf16>
  %12 = call @bf16._where(%3, %7, %11) : (tensor<61xi1>, tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xbf16>
  return %12 : tensor<61xbf16>
}
func.func private @bf16._where(%arg0: tensor<61xi1>, %arg1: tensor<61xbf16>, %arg2: tensor<61xbf16>) -> tensor<61xbf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xbf16>
  return %0 : tensor<61xbf16>
}
func.func public @bf16_rule(%arg0: tensor<61xbf16>, %arg1: tensor<61xbf16>) -> (tensor<61xbf16>, tensor<61xbf16>) {
  %0 = call @bf16_rule.log1mexp(%arg0) : (tensor<61xbf16>) -> tensor<61xbf16>
  %1 = stablehlo.exponential_minus_one %arg0 : tensor<61xbf16>
  %2 = stablehlo.divide %arg1, %1 : tensor<61xbf16>
  return %0, %2 : tensor<61xbf16>, tensor<61xbf16>
}
func.func private @bf16_rule.log1mexp(%arg0: tensor<61xbf16>) -> tensor<61xbf16> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = stablehlo.log %cst : tensor<f32>
  %1 = stablehlo.convert %0 : (tensor<f32>) -> tensor<bf16>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %4 = stablehlo.negate %arg0 : tensor<61xbf16>
  %5 = stablehlo.exponential_minus_one %4 : tensor<61xbf16>
  %6 = stablehlo.negate %5 : tensor<61xbf16>
  %7 = stablehlo.log %6 : tensor<61xbf16>
  %8 = stablehlo.negate %arg0 : tensor<61xbf16>
  %9 = stablehlo.exponential %8 : tensor<61xbf16>
  %10 = stablehlo.negate %9 : tensor<61xbf16>
  %11 = stablehlo.log_plus_one %10 : tensor<61xbf16>
  %12 = call @bf16_rule._where(%3, %7, %11) : (tensor<61xi1>, tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xbf16>
  return %12 : tensor<61xbf16>
}
func.func private @bf16_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xbf16>, %arg2: tensor<61xbf16>) -> tensor<61xbf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xbf16>
  return %0 : tensor<61xbf16>
}
func.func public @bf16_x64(%arg0: tensor<61xbf16>) -> (tensor<61xbf16>) {
  %0 = call @bf16_x64.log1mexp(%arg0) : (tensor<61xbf16>) -> tensor<61xbf16>
  return %0 : tensor<61xbf16>
}
func.func private @bf16_x64.log1mexp(%arg0: tensor<61xbf16>) -> tensor<61xbf16> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %0 = stablehlo.log %cst : tensor<f64>
  %1 = stablehlo.convert %0 : (tensor<f64>) -> tensor<bf16>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %4 = stablehlo.negate %arg0 : tensor<61xbf16>
  %5 = stablehlo.exponential_minus_one %4 : tensor<61xbf16>
  %6 = stablehlo.negate %5 : tensor<61xbf16>
  %7 = stablehlo.log %6 : tensor<61xbf16>
  %8 = stablehlo.negate %arg0 : tensor<61xbf16>
  %9 = stablehlo.exponential %8 : tensor<61xbf16>
  %10 = stablehlo.negate %9 : tensor<61xbf16>
  %11 = stablehlo.log_plus_one %10 : tensor<61xbf16>
  %12 = call @bf16_x64._where(%3, %7, %11) : (tensor<61xi1>, tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xbf16>
  return %12 : tensor<61xbf16>
}
func.func private @bf16_x64._where(%arg0: tensor<61xi1>, %arg1: tensor<61xbf16>, %arg2: tensor<61xbf16>) -> tensor<61xbf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xbf16>
  return %0 : tensor<61xbf16>
}
func.func public @bf16_x64_rule(%arg0: tensor<61xbf16>, %arg1: tensor<61xbf16>) -> (tensor<61xbf16>, tensor<61xbf16>) {
  %0 = call @bf16_x64_rule.log1mexp(%arg0) : (tensor<61xbf16>) -> tensor<61xbf16>
  %1 = stablehlo.exponential_minus_one %arg0 : tensor<61xbf16>
  %2 = stablehlo.divide %arg1, %1 : tensor<61xbf16>
  return %0, %2 : tensor<61xbf16>, tensor<61xbf16>
}
func.func private @bf16_x64_rule.log1mexp(%arg0: tensor<61xbf16>) -> tensor<61xbf16> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %0 = stablehlo.log %cst : tensor<f64>
  %1 = stablehlo.convert %0 : (tensor<f64>) -> tensor<bf16>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %4 = stablehlo.negate %arg0 : tensor<61xbf16>
  %5 = stablehlo.exponential_minus_one %4 : tensor<61xbf16>
  %6 = stablehlo.negate %5 : tensor<61xbf16>
  %7 = stablehlo.log %6 : tensor<61xbf16>
  %8 = stablehlo.negate %arg0 : tensor<61xbf16>
  %9 = stablehlo.exponential %8 : tensor<61xbf16>
  %10 = stablehlo.negate %9 : tensor<61xbf16>
  %11 = stablehlo.log_plus_one %10 : tensor<61xbf16>
  %12 = call @bf16_x64_rule._where(%3, %7, %11) : (tensor<61xi1>, tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xbf16>
  return %12 : tensor<61xbf16>
}
func.func private @bf16_x64_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xbf16>, %arg2: tensor<61xbf16>) -> tensor<61xbf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xbf16>
  return %0 : tensor<61xbf16>
}
func.func public @f32(%arg0: tensor<61xf32>) -> (tensor<61xf32>) {
  %0 = call @f32.log1mexp(%arg0) : (tensor<61xf32>) -> tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func private @f32.log1mexp(%arg0: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = stablehlo.log %cst : tensor<f32>
  %1 = stablehlo.convert %0 : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %4 = stablehlo.negate %arg0 : tensor<61xf32>
  %5 = stablehlo.exponential_minus_one %4 : tensor<61xf32>
  %6 = stablehlo.negate %5 : tensor<61xf32>
  %7 = stablehlo.log %6 : tensor<61xf32>
  %8 = stablehlo.negate %arg0 : tensor<61xf32>
  %9 = stablehlo.exponential %8 : tensor<61xf32>
  %10 = stablehlo.negate %9 : tensor<61xf32>
  %11 = stablehlo.log_plus_one %10 : tensor<61xf32>
  %12 = call @f32._where(%3, %7, %11) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  return %12 : tensor<61xf32>
}
func.func private @f32._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func public @f32_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0 = call @f32_rule.log1mexp(%arg0) : (tensor<61xf32>) -> tensor<61xf32>
  %1 = stablehlo.exponential_minus_one %arg0 : tensor<61xf32>
  %2 = stablehlo.divide %arg1, %1 : tensor<61xf32>
  return %0, %2 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_rule.log1mexp(%arg0: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %0 = stablehlo.log %cst : tensor<f32>
  %1 = stablehlo.convert %0 : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %4 = stablehlo.negate %arg0 : tensor<61xf32>
  %5 = stablehlo.exponential_minus_one %4 : tensor<61xf32>
  %6 = stablehlo.negate %5 : tensor<61xf32>
  %7 = stablehlo.log %6 : tensor<61xf32>
  %8 = stablehlo.negate %arg0 : tensor<61xf32>
  %9 = stablehlo.exponential %8 : tensor<61xf32>
  %10 = stablehlo.negate %9 : tensor<61xf32>
  %11 = stablehlo.log_plus_one %10 : tensor<61xf32>
  %12 = call @f32_rule._where(%3, %7, %11) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  return %12 : tensor<61xf32>
}
func.func private @f32_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func public @f32_x64(%arg0: tensor<61xf32>) -> (tensor<61xf32>) {
  %0 = call @f32_x64.log1mexp(%arg0) : (tensor<61xf32>) -> tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func private @f32_x64.log1mexp(%arg0: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %0 = stablehlo.log %cst : tensor<f64>
  %1 = stablehlo.convert %0 : (tensor<f64>) -> tensor<f32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %4 = stablehlo.negate %arg0 : tensor<61xf32>
  %5 = stablehlo.exponential_minus_one %4 : tensor<61xf32>
  %6 = stablehlo.negate %5 : tensor<61xf32>
  %7 = stablehlo.log %6 : tensor<61xf32>
  %8 = stablehlo.negate %arg0 : tensor<61xf32>
  %9 = stablehlo.exponential %8 : tensor<61xf32>
  %10 = stablehlo.negate %9 : tensor<61xf32>
  %11 = stablehlo.log_plus_one %10 : tensor<61xf32>
  %12 = call @f32_x64._where(%3, %7, %11) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  return %12 : tensor<61xf32>
}
func.func private @f32_x64._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func public @f32_x64_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0 = call @f32_x64_rule.log1mexp(%arg0) : (tensor<61xf32>) -> tensor<61xf32>
  %1 = stablehlo.exponential_minus_one %arg0 : tensor<61xf32>
  %2 = stablehlo.divide %arg1, %1 : tensor<61xf32>
  return %0, %2 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_x64_rule.log1mexp(%arg0: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %0 = stablehlo.log %cst : tensor<f64>
  %1 = stablehlo.convert %0 : (tensor<f64>) -> tensor<f32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %4 = stablehlo.negate %arg0 : tensor<61xf32>
  %5 = stablehlo.exponential_minus_one %4 : tensor<61xf32>
  %6 = stablehlo.negate %5 : tensor<61xf32>
  %7 = stablehlo.log %6 : tensor<61xf32>
  %8 = stablehlo.negate %arg0 : tensor<61xf32>
  %9 = stablehlo.exponential %8 : tensor<61xf32>
  %10 = stablehlo.negate %9 : tensor<61xf32>
  %11 = stablehlo.log_plus_one %10 : tensor<61xf32>
  %12 = call @f32_x64_rule._where(%3, %7, %11) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  return %12 : tensor<61xf32>
}
func.func private @f32_x64_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func public @f64(%arg0: tensor<61xf64>) -> (tensor<61xf64>) {
  %0 = call @f64.log1mexp(%arg0) : (tensor<61xf64>) -> tensor<61xf64>
  return %0 : tensor<61xf64>
}
func.func private @f64.log1mexp(%arg0: tensor<61xf64>) -> tensor<61xf64> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %0 = stablehlo.log %cst : tensor<f64>
  %1 = stablehlo.convert %0 : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %4 = stablehlo.negate %arg0 : tensor<61xf64>
  %5 = stablehlo.exponential_minus_one %4 : tensor<61xf64>
  %6 = stablehlo.negate %5 : tensor<61xf64>
  %7 = stablehlo.log %6 : tensor<61xf64>
  %8 = stablehlo.negate %arg0 : tensor<61xf64>
  %9 = stablehlo.exponential %8 : tensor<61xf64>
  %10 = stablehlo.negate %9 : tensor<61xf64>
  %11 = stablehlo.log_plus_one %10 : tensor<61xf64>
  %12 = call @f64._where(%3, %7, %11) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>) -> tensor<61xf64>
  return %12 : tensor<61xf64>
}
func.func private @f64._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>) -> tensor<61xf64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf64>
  return %0 : tensor<61xf64>
}
func.func public @f64_rule(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %0 = call @f64_rule.log1mexp(%arg0) : (tensor<61xf64>) -> tensor<61xf64>
  %1 = stablehlo.exponential_minus_one %arg0 : tensor<61xf64>
  %2 = stablehlo.divide %arg1, %1 : tensor<61xf64>
  return %0, %2 : tensor<61xf64>, tensor<61xf64>
}
func.func private @f64_rule.log1mexp(%arg0: tensor<61xf64>) -> tensor<61xf64> {
  %cst = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %0 = stablehlo.log %cst : tensor<f64>
  %1 = stablehlo.convert %0 : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %3 = stablehlo.compare LT, %arg0, %2, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %4 = stablehlo.negate %arg0 : tensor<61xf64>
  %5 = stablehlo.exponential_minus_one %4 : tensor<61xf64>
  %6 = stablehlo.negate %5 : tensor<61xf64>
  %7 = stablehlo.log %6 : tensor<61xf64>
  %8 = stablehlo.negate %arg0 : tensor<61xf64>
  %9 = stablehlo.exponential %8 : tensor<61xf64>
  %10 = stablehlo.negate %9 : tensor<61xf64>
  %11 = stablehlo.log_plus_one %10 : tensor<61xf64>
  %12 = call @f64_rule._where(%3, %7, %11) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>) -> tensor<61xf64>
  return %12 : tensor<61xf64>
}
func.func private @f64_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>) -> tensor<61xf64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf64>
  return %0 : tensor<61xf64>
}
