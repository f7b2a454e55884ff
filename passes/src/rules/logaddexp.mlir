// logaddexp, as JAX 0.10.2 lowers it and its derivative; written by generate.py.

func.func public @f16(%arg0: tensor<61xf16>, %arg1: tensor<61xf16>) -> (tensor<61xf16>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xf16>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xf16>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xf16>
  %4 = stablehlo.abs %1 : tensor<61xf16>
  %5 = stablehlo.negate %4 : tensor<61xf16>
  %6 = stablehlo.exponential %5 : tensor<61xf16>
  %7 = stablehlo.log_plus_one %6 : tensor<61xf16>
  %8 = stablehlo.add %0, %7 : tensor<61xf16>
  %9 = stablehlo.select %2, %3, %8 : tensor<61xi1>, tensor<61xf16>
  return %9 : tensor<61xf16>
}
func.func public @f16_rule(%arg0: tensor<61xf16>, %arg1: tensor<61xf16>, %arg2: tensor<61xf16>, %arg3: tensor<61xf16>) -> (tensor<61xf16>, tensor<61xf16>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xf16>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xf16>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xf16>
  %4 = stablehlo.abs %1 : tensor<61xf16>
  %5 = stablehlo.negate %4 : tensor<61xf16>
  %6 = stablehlo.exponential %5 : tensor<61xf16>
  %7 = stablehlo.log_plus_one %6 : tensor<61xf16>
  %8 = stablehlo.add %0, %7 : tensor<61xf16>
  %9 = stablehlo.select %2, %3, %8 : tensor<61xi1>, tensor<61xf16>
  %cst = stablehlo.constant dense<0x7C00> : tensor<f16>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %11 = stablehlo.compare EQ, %arg0, %10, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %13 = stablehlo.select %11, %12, %arg0 : tensor<61xi1>, tensor<61xf16>
  %cst_1 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %15 = stablehlo.compare EQ, %9, %14, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %17 = stablehlo.select %15, %16, %9 : tensor<61xi1>, tensor<61xf16>
  %18 = stablehlo.subtract %13, %17 : tensor<61xf16>
  %19 = stablehlo.exponential %18 : tensor<61xf16>
  %20 = stablehlo.multiply %arg2, %19 : tensor<61xf16>
  %cst_3 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %21 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %22 = stablehlo.compare EQ, %arg1, %21, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %24 = stablehlo.select %22, %23, %arg1 : tensor<61xi1>, tensor<61xf16>
  %cst_5 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %26 = stablehlo.compare EQ, %9, %25, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %28 = stablehlo.select %26, %27, %9 : tensor<61xi1>, tensor<61xf16>
  %29 = stablehlo.subtract %24, %28 : tensor<61xf16>
  %30 = stablehlo.exponential %29 : tensor<61xf16>
  %31 = stablehlo.multiply %arg3, %30 : tensor<61xf16>
  %32 = stablehlo.add %20, %31 : tensor<61xf16>
  return %9, %32 : tensor<61xf16>, tensor<61xf16>
}
func.func public @bf16(%arg0: tensor<61xbf16>, %arg1: tensor<61xbf16>) -> (tensor<61xbf16>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xbf16>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xbf16>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xbf16>
  %4 = stablehlo.abs %1 : tensor<61xbf16>
  %5 = stablehlo.negate %4 : tensor<61xbf16>
  %6 = stablehlo.exponential %5 : tensor<61xbf16>
  %7 = stablehlo.log_plus_one %6 : tensor<61xbf16>
  %8 = stablehlo.add %0, %7 : tensor<61xbf16>
  %9 = stablehlo.select %2, %3, %8 : tensor<61xi1>, tensor<61xbf16>
  return %9 : tensor<61xbf16>
}
func.func public @bf16_rule(%arg0: tensor<61xbf16>, %arg1: tensor<61xbf16>, %arg2: tensor<61xbf16>, %arg3: tensor<61xbf16>) -> (tensor<61xbf16>, tensor<61xbf16>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xbf16>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xbf16>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xbf16>
  %4 = stablehlo.abs %1 : tensor<61xbf16>
  %5 = stablehlo.negate %4 : tensor<61xbf16>
  %6 = stablehlo.exponential %5 : tensor<61xbf16>
  %7 = stablehlo.log_plus_one %6 : tensor<61xbf16>
  %8 = stablehlo.add %0, %7 : tensor<61xbf16>
  %9 = stablehlo.select %2, %3, %8 : tensor<61xi1>, tensor<61xbf16>
  %cst = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %11 = stablehlo.compare EQ, %arg0, %10, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %13 = stablehlo.select %11, %12, %arg0 : tensor<61xi1>, tensor<61xbf16>
  %cst_1 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %15 = stablehlo.compare EQ, %9, %14, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %17 = stablehlo.select %15, %16, %9 : tensor<61xi1>, tensor<61xbf16>
  %18 = stablehlo.subtract %13, %17 : tensor<61xbf16>
  %19 = stablehlo.exponential %18 : tensor<61xbf16>
  %20 = stablehlo.multiply %arg2, %19 : tensor<61xbf16>
  %cst_3 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %21 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %22 = stablehlo.compare EQ, %arg1, %21, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %24 = stablehlo.select %22, %23, %arg1 : tensor<61xi1>, tensor<61xbf16>
  %cst_5 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %26 = stablehlo.compare EQ, %9, %25, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %28 = stablehlo.select %26, %27, %9 : tensor<61xi1>, tensor<61xbf16>
  %29 = stablehlo.subtract %24, %28 : tensor<61xbf16>
  %30 = stablehlo.exponential %29 : tensor<61xbf16>
  %31 = stablehlo.multiply %arg3, %30 : tensor<61xbf16>
  %32 = stablehlo.add %20, %31 : tensor<61xbf16>
  return %9, %32 : tensor<61xbf16>, tensor<61xbf16>
}
func.func public @f32(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xf32>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xf32>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xf32>
  %4 = stablehlo.abs %1 : tensor<61xf32>
  %5 = stablehlo.negate %4 : tensor<61xf32>
  %6 = stablehlo.exponential %5 : tensor<61xf32>
  %7 = stablehlo.log_plus_one %6 : tensor<61xf32>
  %8 = stablehlo.add %0, %7 : tensor<61xf32>
  %9 = stablehlo.select %2, %3, %8 : tensor<61xi1>, tensor<61xf32>
  return %9 : tensor<61xf32>
}
func.func public @f32_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>, %arg3: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xf32>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xf32>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xf32>
  %4 = stablehlo.abs %1 : tensor<61xf32>
  %5 = stablehlo.negate %4 : tensor<61xf32>
  %6 = stablehlo.exponential %5 : tensor<61xf32>
  %7 = stablehlo.log_plus_one %6 : tensor<61xf32>
  %8 = stablehlo.add %0, %7 : tensor<61xf32>
  %9 = stablehlo.select %2, %3, %8 : tensor<61xi1>, tensor<61xf32>
  %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %11 = stablehlo.compare EQ, %arg0, %10, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %13 = stablehlo.select %11, %12, %arg0 : tensor<61xi1>, tensor<61xf32>
  %cst_1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.compare EQ, %9, %14, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %17 = stablehlo.select %15, %16, %9 : tensor<61xi1>, tensor<61xf32>
  %18 = stablehlo.subtract %13, %17 : tensor<61xf32>
  %19 = stablehlo.exponential %18 : tensor<61xf32>
  %20 = stablehlo.multiply %arg2, %19 : tensor<61xf32>
  %cst_3 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %21 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %22 = stablehlo.compare EQ, %arg1, %21, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %24 = stablehlo.select %22, %23, %arg1 : tensor<61xi1>, tensor<61xf32>
  %cst_5 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %26 = stablehlo.compare EQ, %9, %25, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %28 = stablehlo.select %26, %27, %9 : tensor<61xi1>, tensor<61xf32>
  %29 = stablehlo.subtract %24, %28 : tensor<61xf32>
  %30 = stablehlo.exponential %29 : tensor<61xf32>
  %31 = stablehlo.multiply %arg3, %30 : tensor<61xf32>
  %32 = stablehlo.add %20, %31 : tensor<61xf32>
  return %9, %32 : tensor<61xf32>, tensor<61xf32>
}
func.func public @f64(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>) -> (tensor<61xf64>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xf64>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xf64>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xf64>
  %4 = stablehlo.abs %1 : tensor<61xf64>
  %5 = stablehlo.negate %4 : tensor<61xf64>
  %6 = stablehlo.exponential %5 : tensor<61xf64>
  %7 = stablehlo.log_plus_one %6 : tensor<61xf64>
  %8 = stablehlo.add %0, %7 : tensor<61xf64>
  %9 = stablehlo.select %2, %3, %8 : tensor<61xi1>, tensor<61xf64>
  return %9 : tensor<61xf64>
}
func.func public @f64_rule(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>, %arg3: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xf64>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xf64>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xf64>
  %4 = stablehlo.abs %1 : tensor<61xf64>
  %5 = stablehlo.negate %4 : tensor<61xf64>
  %6 = stablehlo.exponential %5 : tensor<61xf64>
  %7 = stablehlo.log_plus_one %6 : tensor<61xf64>
  %8 = stablehlo.add %0, %7 : tensor<61xf64>
  %9 = stablehlo.select %2, %3, %8 : tensor<61xi1>, tensor<61xf64>
  %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %11 = stablehlo.compare EQ, %arg0, %10, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %13 = stablehlo.select %11, %12, %arg0 : tensor<61xi1>, tensor<61xf64>
  %cst_1 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.compare EQ, %9, %14, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %17 = stablehlo.select %15, %16, %9 : tensor<61xi1>, tensor<61xf64>
  %18 = stablehlo.subtract %13, %17 : tensor<61xf64>
  %19 = stablehlo.exponential %18 : tensor<61xf64>
  %20 = stablehlo.multiply %arg2, %19 : tensor<61xf64>
  %cst_3 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %21 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %22 = stablehlo.compare EQ, %arg1, %21, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %24 = stablehlo.select %22, %23, %arg1 : tensor<61xi1>, tensor<61xf64>
  %cst_5 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %25 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %26 = stablehlo.compare EQ, %9, %25, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %28 = stablehlo.select %26, %27, %9 : tensor<61xi1>, tensor<61xf64>
  %29 = stablehlo.subtract %24, %28 : tensor<61xf64>
  %30 = stablehlo.exponential %29 : tensor<61xf64>
  %31 = stablehlo.multiply %arg3, %30 : tensor<61xf64>
  %32 = stablehlo.add %20, %31 : tensor<61xf64>
  return %9, %32 : tensor<61xf64>, tensor<61xf64>
}
