// logaddexp2, as JAX 0.10.2 lowers it and its derivative; written by generate.py.

func.func public @f16(%arg0: tensor<61xf16>, %arg1: tensor<61xf16>) -> (tensor<61xf16>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xf16>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xf16>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xf16>
  %4 = stablehlo.abs %1 : tensor<61xf16>
  %5 = stablehlo.negate %4 : tensor<61xf16>
  %cst = stablehlo.constant dense<6.933590e-01> : tensor<f16>
  %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %7 = stablehlo.multiply %6, %5 : tensor<61xf16>
  %8 = stablehlo.exponential %7 : tensor<61xf16>
  %9 = stablehlo.log_plus_one %8 : tensor<61xf16>
  %cst_0 = stablehlo.constant dense<1.442380e+00> : tensor<f16>
  %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %11 = stablehlo.multiply %10, %9 : tensor<61xf16>
  %12 = stablehlo.add %0, %11 : tensor<61xf16>
  %13 = stablehlo.select %2, %3, %12 : tensor<61xi1>, tensor<61xf16>
  return %13 : tensor<61xf16>
}
func.func public @f16_rule(%arg0: tensor<61xf16>, %arg1: tensor<61xf16>, %arg2: tensor<61xf16>, %arg3: tensor<61xf16>) -> (tensor<61xf16>, tensor<61xf16>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xf16>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xf16>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xf16>
  %4 = stablehlo.abs %1 : tensor<61xf16>
  %5 = stablehlo.negate %4 : tensor<61xf16>
  %cst = stablehlo.constant dense<6.933590e-01> : tensor<f16>
  %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %7 = stablehlo.multiply %6, %5 : tensor<61xf16>
  %8 = stablehlo.exponential %7 : tensor<61xf16>
  %9 = stablehlo.log_plus_one %8 : tensor<61xf16>
  %cst_0 = stablehlo.constant dense<1.442380e+00> : tensor<f16>
  %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %11 = stablehlo.multiply %10, %9 : tensor<61xf16>
  %12 = stablehlo.add %0, %11 : tensor<61xf16>
  %13 = stablehlo.select %2, %3, %12 : tensor<61xi1>, tensor<61xf16>
  %cst_1 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %15 = stablehlo.compare EQ, %arg0, %14, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %17 = stablehlo.select %15, %16, %arg0 : tensor<61xi1>, tensor<61xf16>
  %cst_3 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %19 = stablehlo.compare EQ, %13, %18, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %21 = stablehlo.select %19, %20, %13 : tensor<61xi1>, tensor<61xf16>
  %22 = stablehlo.subtract %17, %21 : tensor<61xf16>
  %cst_5 = stablehlo.constant dense<6.933590e-01> : tensor<f16>
  %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %24 = stablehlo.multiply %23, %22 : tensor<61xf16>
  %25 = stablehlo.exponential %24 : tensor<61xf16>
  %26 = stablehlo.multiply %arg2, %25 : tensor<61xf16>
  %cst_6 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %28 = stablehlo.compare EQ, %arg1, %27, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %29 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %30 = stablehlo.select %28, %29, %arg1 : tensor<61xi1>, tensor<61xf16>
  %cst_8 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %31 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %32 = stablehlo.compare EQ, %13, %31, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %34 = stablehlo.select %32, %33, %13 : tensor<61xi1>, tensor<61xf16>
  %35 = stablehlo.subtract %30, %34 : tensor<61xf16>
  %cst_10 = stablehlo.constant dense<6.933590e-01> : tensor<f16>
  %36 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %37 = stablehlo.multiply %36, %35 : tensor<61xf16>
  %38 = stablehlo.exponential %37 : tensor<61xf16>
  %39 = stablehlo.multiply %arg3, %38 : tensor<61xf16>
  %40 = stablehlo.add %26, %39 : tensor<61xf16>
  return %13, %40 : tensor<61xf16>, tensor<61xf16>
}
func.func public @bf16(%arg0: tensor<61xbf16>, %arg1: tensor<61xbf16>) -> (tensor<61xbf16>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xbf16>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xbf16>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xbf16>
  %4 = stablehlo.abs %1 : tensor<61xbf16>
  %5 = stablehlo.negate %4 : tensor<61xbf16>
  %cst = stablehlo.constant dense<6.914060e-01> : tensor<bf16>
  %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %7 = stablehlo.multiply %6, %5 : tensor<61xbf16>
  %8 = stablehlo.exponential %7 : tensor<61xbf16>
  %9 = stablehlo.log_plus_one %8 : tensor<61xbf16>
  %cst_0 = stablehlo.constant dense<1.445310e+00> : tensor<bf16>
  %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %11 = stablehlo.multiply %10, %9 : tensor<61xbf16>
  %12 = stablehlo.add %0, %11 : tensor<61xbf16>
  %13 = stablehlo.select %2, %3, %12 : tensor<61xi1>, tensor<61xbf16>
  return %13 : tensor<61xbf16>
}
func.func public @bf16_rule(%arg0: tensor<61xbf16>, %arg1: tensor<61xbf16>, %arg2: tensor<61xbf16>, %arg3: tensor<61xbf16>) -> (tensor<61xbf16>, tensor<61xbf16>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xbf16>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xbf16>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xbf16>
  %4 = stablehlo.abs %1 : tensor<61xbf16>
  %5 = stablehlo.negate %4 : tensor<61xbf16>
  %cst = stablehlo.constant dense<6.914060e-01> : tensor<bf16>
  %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %7 = stablehlo.multiply %6, %5 : tensor<61xbf16>
  %8 = stablehlo.exponential %7 : tensor<61xbf16>
  %9 = stablehlo.log_plus_one %8 : tensor<61xbf16>
  %cst_0 = stablehlo.constant dense<1.445310e+00> : tensor<bf16>
  %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %11 = stablehlo.multiply %10, %9 : tensor<61xbf16>
  %12 = stablehlo.add %0, %11 : tensor<61xbf16>
  %13 = stablehlo.select %2, %3, %12 : tensor<61xi1>, tensor<61xbf16>
  %cst_1 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %15 = stablehlo.compare EQ, %arg0, %14, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %17 = stablehlo.select %15, %16, %arg0 : tensor<61xi1>, tensor<61xbf16>
  %cst_3 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %19 = stablehlo.compare EQ, %13, %18, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %21 = stablehlo.select %19, %20, %13 : tensor<61xi1>, tensor<61xbf16>
  %22 = stablehlo.subtract %17, %21 : tensor<61xbf16>
  %cst_5 = stablehlo.constant dense<6.914060e-01> : tensor<bf16>
  %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %24 = stablehlo.multiply %23, %22 : tensor<61xbf16>
  %25 = stablehlo.exponential %24 : tensor<61xbf16>
  %26 = stablehlo.multiply %arg2, %25 : tensor<61xbf16>
  %cst_6 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %28 = stablehlo.compare EQ, %arg1, %27, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %29 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %30 = stablehlo.select %28, %29, %arg1 : tensor<61xi1>, tensor<61xbf16>
  %cst_8 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %31 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %32 = stablehlo.compare EQ, %13, %31, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %34 = stablehlo.select %32, %33, %13 : tensor<61xi1>, tensor<61xbf16>
  %35 = stablehlo.subtract %30, %34 : tensor<61xbf16>
  %cst_10 = stablehlo.constant dense<6.914060e-01> : tensor<bf16>
  %36 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %37 = stablehlo.multiply %36, %35 : tensor<61xbf16>
  %38 = stablehlo.exponential %37 : tensor<61xbf16>
  %39 = stablehlo.multiply %arg3, %38 : tensor<61xbf16>
  %40 = stablehlo.add %26, %39 : tensor<61xbf16>
  return %13, %40 : tensor<61xbf16>, tensor<61xbf16>
}
func.func public @f32(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xf32>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xf32>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xf32>
  %4 = stablehlo.abs %1 : tensor<61xf32>
  %5 = stablehlo.negate %4 : tensor<61xf32>
  %cst = stablehlo.constant dense<0.693147182> : tensor<f32>
  %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %7 = stablehlo.multiply %6, %5 : tensor<61xf32>
  %8 = stablehlo.exponential %7 : tensor<61xf32>
  %9 = stablehlo.log_plus_one %8 : tensor<61xf32>
  %cst_0 = stablehlo.constant dense<1.44269502> : tensor<f32>
  %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %11 = stablehlo.multiply %10, %9 : tensor<61xf32>
  %12 = stablehlo.add %0, %11 : tensor<61xf32>
  %13 = stablehlo.select %2, %3, %12 : tensor<61xi1>, tensor<61xf32>
  return %13 : tensor<61xf32>
}
func.func public @f32_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>, %arg3: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xf32>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xf32>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xf32>
  %4 = stablehlo.abs %1 : tensor<61xf32>
  %5 = stablehlo.negate %4 : tensor<61xf32>
  %cst = stablehlo.constant dense<0.693147182> : tensor<f32>
  %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %7 = stablehlo.multiply %6, %5 : tensor<61xf32>
  %8 = stablehlo.exponential %7 : tensor<61xf32>
  %9 = stablehlo.log_plus_one %8 : tensor<61xf32>
  %cst_0 = stablehlo.constant dense<1.44269502> : tensor<f32>
  %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %11 = stablehlo.multiply %10, %9 : tensor<61xf32>
  %12 = stablehlo.add %0, %11 : tensor<61xf32>
  %13 = stablehlo.select %2, %3, %12 : tensor<61xi1>, tensor<61xf32>
  %cst_1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.compare EQ, %arg0, %14, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %17 = stablehlo.select %15, %16, %arg0 : tensor<61xi1>, tensor<61xf32>
  %cst_3 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %19 = stablehlo.compare EQ, %13, %18, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %21 = stablehlo.select %19, %20, %13 : tensor<61xi1>, tensor<61xf32>
  %22 = stablehlo.subtract %17, %21 : tensor<61xf32>
  %cst_5 = stablehlo.constant dense<0.693147182> : tensor<f32>
  %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %24 = stablehlo.multiply %23, %22 : tensor<61xf32>
  %25 = stablehlo.exponential %24 : tensor<61xf32>
  %26 = stablehlo.multiply %arg2, %25 : tensor<61xf32>
  %cst_6 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %28 = stablehlo.compare EQ, %arg1, %27, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %29 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %30 = stablehlo.select %28, %29, %arg1 : tensor<61xi1>, tensor<61xf32>
  %cst_8 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %31 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %32 = stablehlo.compare EQ, %13, %31, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %34 = stablehlo.select %32, %33, %13 : tensor<61xi1>, tensor<61xf32>
  %35 = stablehlo.subtract %30, %34 : tensor<61xf32>
  %cst_10 = stablehlo.constant dense<0.693147182> : tensor<f32>
  %36 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %37 = stablehlo.multiply %36, %35 : tensor<61xf32>
  %38 = stablehlo.exponential %37 : tensor<61xf32>
  %39 = stablehlo.multiply %arg3, %38 : tensor<61xf32>
  %40 = stablehlo.add %26, %39 : tensor<61xf32>
  return %13, %40 : tensor<61xf32>, tensor<61xf32>
}
func.func public @f64(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>) -> (tensor<61xf64>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xf64>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xf64>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xf64>
  %4 = stablehlo.abs %1 : tensor<61xf64>
  %5 = stablehlo.negate %4 : tensor<61xf64>
  %cst = stablehlo.constant dense<0.69314718055994529> : tensor<f64>
  %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %7 = stablehlo.multiply %6, %5 : tensor<61xf64>
  %8 = stablehlo.exponential %7 : tensor<61xf64>
  %9 = stablehlo.log_plus_one %8 : tensor<61xf64>
  %cst_0 = stablehlo.constant dense<1.4426950408889634> : tensor<f64>
  %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %11 = stablehlo.multiply %10, %9 : tensor<61xf64>
  %12 = stablehlo.add %0, %11 : tensor<61xf64>
  %13 = stablehlo.select %2, %3, %12 : tensor<61xi1>, tensor<61xf64>
  return %13 : tensor<61xf64>
}
func.func public @f64_rule(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>, %arg3: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %0 = stablehlo.maximum %arg0, %arg1 : tensor<61xf64>
  %1 = stablehlo.subtract %arg0, %arg1 : tensor<61xf64>
  %2 = stablehlo.compare NE, %1, %1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %3 = stablehlo.add %arg0, %arg1 : tensor<61xf64>
  %4 = stablehlo.abs %1 : tensor<61xf64>
  %5 = stablehlo.negate %4 : tensor<61xf64>
  %cst = stablehlo.constant dense<0.69314718055994529> : tensor<f64>
  %6 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %7 = stablehlo.multiply %6, %5 : tensor<61xf64>
  %8 = stablehlo.exponential %7 : tensor<61xf64>
  %9 = stablehlo.log_plus_one %8 : tensor<61xf64>
  %cst_0 = stablehlo.constant dense<1.4426950408889634> : tensor<f64>
  %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %11 = stablehlo.multiply %10, %9 : tensor<61xf64>
  %12 = stablehlo.add %0, %11 : tensor<61xf64>
  %13 = stablehlo.select %2, %3, %12 : tensor<61xi1>, tensor<61xf64>
  %cst_1 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.compare EQ, %arg0, %14, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %17 = stablehlo.select %15, %16, %arg0 : tensor<61xi1>, tensor<61xf64>
  %cst_3 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %18 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %19 = stablehlo.compare EQ, %13, %18, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %21 = stablehlo.select %19, %20, %13 : tensor<61xi1>, tensor<61xf64>
  %22 = stablehlo.subtract %17, %21 : tensor<61xf64>
  %cst_5 = stablehlo.constant dense<0.69314718055994529> : tensor<f64>
  %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %24 = stablehlo.multiply %23, %22 : tensor<61xf64>
  %25 = stablehlo.exponential %24 : tensor<61xf64>
  %26 = stablehlo.multiply %arg2, %25 : tensor<61xf64>
  %cst_6 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %27 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %28 = stablehlo.compare EQ, %arg1, %27, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %29 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %30 = stablehlo.select %28, %29, %arg1 : tensor<61xi1>, tensor<61xf64>
  %cst_8 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %31 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %32 = stablehlo.compare EQ, %13, %31, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %33 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %34 = stablehlo.select %32, %33, %13 : tensor<61xi1>, tensor<61xf64>
  %35 = stablehlo.subtract %30, %34 : tensor<61xf64>
  %cst_10 = stablehlo.constant dense<0.69314718055994529> : tensor<f64>
  %36 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %37 = stablehlo.multiply %36, %35 : tensor<61xf64>
  %38 = stablehlo.exponential %37 : tensor<61xf64>
  %39 = stablehlo.multiply %arg3, %38 : tensor<61xf64>
  %40 = stablehlo.add %26, %39 : tensor<61xf64>
  return %13, %40 : tensor<61xf64>, tensor<61xf64>
}
