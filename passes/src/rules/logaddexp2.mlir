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
  %cst_1 = stablehlo.constant dense<0xFC00> : tensor<f16>
  %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %15 = stablehlo.compare EQ, %13, %14, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %17 = stablehlo.compare EQ, %arg0, %16, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %18 = call @f16_rule._where(%17, %c, %arg0) : (tensor<61xi1>, tensor<i32>, tensor<61xf16>) -> tensor<61xf16>
  %cst_3 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %20 = stablehlo.compare EQ, %13, %19, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %c_4 = stablehlo.constant dense<0> : tensor<i32>
  %21 = call @f16_rule._where(%20, %c_4, %13) : (tensor<61xi1>, tensor<i32>, tensor<61xf16>) -> tensor<61xf16>
  %22 = stablehlo.subtract %18, %21 : tensor<61xf16>
  %cst_5 = stablehlo.constant dense<6.933590e-01> : tensor<f16>
  %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %24 = stablehlo.multiply %23, %22 : tensor<61xf16>
  %25 = stablehlo.exponential %24 : tensor<61xf16>
  %c_6 = stablehlo.constant dense<1> : tensor<i32>
  %26 = call @f16_rule._where(%15, %c_6, %25) : (tensor<61xi1>, tensor<i32>, tensor<61xf16>) -> tensor<61xf16>
  %27 = stablehlo.multiply %arg2, %26 : tensor<61xf16>
  %cst_7 = stablehlo.constant dense<0xFC00> : tensor<f16>
  %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %29 = stablehlo.compare EQ, %13, %28, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %cst_8 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %30 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %31 = stablehlo.compare EQ, %arg1, %30, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %c_9 = stablehlo.constant dense<0> : tensor<i32>
  %32 = call @f16_rule._where(%31, %c_9, %arg1) : (tensor<61xi1>, tensor<i32>, tensor<61xf16>) -> tensor<61xf16>
  %cst_10 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %33 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %34 = stablehlo.compare EQ, %13, %33, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %c_11 = stablehlo.constant dense<0> : tensor<i32>
  %35 = call @f16_rule._where(%34, %c_11, %13) : (tensor<61xi1>, tensor<i32>, tensor<61xf16>) -> tensor<61xf16>
  %36 = stablehlo.subtract %32, %35 : tensor<61xf16>
  %cst_12 = stablehlo.constant dense<6.933590e-01> : tensor<f16>
  %37 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %38 = stablehlo.multiply %37, %36 : tensor<61xf16>
  %39 = stablehlo.exponential %38 : tensor<61xf16>
  %c_13 = stablehlo.constant dense<1> : tensor<i32>
  %40 = call @f16_rule._where(%29, %c_13, %39) : (tensor<61xi1>, tensor<i32>, tensor<61xf16>) -> tensor<61xf16>
  %41 = stablehlo.multiply %arg3, %40 : tensor<61xf16>
  %42 = stablehlo.add %27, %41 : tensor<61xf16>
  return %13, %42 : tensor<61xf16>, tensor<61xf16>
}
func.func private @f16_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<i32>, %arg2: tensor<61xf16>) -> tensor<61xf16> {
  %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f16>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %2 = stablehlo.select %arg0, %1, %arg2 : tensor<61xi1>, tensor<61xf16>
  return %2 : tensor<61xf16>
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
  %cst_1 = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %15 = stablehlo.compare EQ, %13, %14, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %17 = stablehlo.compare EQ, %arg0, %16, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %18 = call @bf16_rule._where(%17, %c, %arg0) : (tensor<61xi1>, tensor<i32>, tensor<61xbf16>) -> tensor<61xbf16>
  %cst_3 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %20 = stablehlo.compare EQ, %13, %19, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %c_4 = stablehlo.constant dense<0> : tensor<i32>
  %21 = call @bf16_rule._where(%20, %c_4, %13) : (tensor<61xi1>, tensor<i32>, tensor<61xbf16>) -> tensor<61xbf16>
  %22 = stablehlo.subtract %18, %21 : tensor<61xbf16>
  %cst_5 = stablehlo.constant dense<6.914060e-01> : tensor<bf16>
  %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %24 = stablehlo.multiply %23, %22 : tensor<61xbf16>
  %25 = stablehlo.exponential %24 : tensor<61xbf16>
  %c_6 = stablehlo.constant dense<1> : tensor<i32>
  %26 = call @bf16_rule._where(%15, %c_6, %25) : (tensor<61xi1>, tensor<i32>, tensor<61xbf16>) -> tensor<61xbf16>
  %27 = stablehlo.multiply %arg2, %26 : tensor<61xbf16>
  %cst_7 = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %29 = stablehlo.compare EQ, %13, %28, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %cst_8 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %30 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %31 = stablehlo.compare EQ, %arg1, %30, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %c_9 = stablehlo.constant dense<0> : tensor<i32>
  %32 = call @bf16_rule._where(%31, %c_9, %arg1) : (tensor<61xi1>, tensor<i32>, tensor<61xbf16>) -> tensor<61xbf16>
  %cst_10 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %33 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %34 = stablehlo.compare EQ, %13, %33, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %c_11 = stablehlo.constant dense<0> : tensor<i32>
  %35 = call @bf16_rule._where(%34, %c_11, %13) : (tensor<61xi1>, tensor<i32>, tensor<61xbf16>) -> tensor<61xbf16>
  %36 = stablehlo.subtract %32, %35 : tensor<61xbf16>
  %cst_12 = stablehlo.constant dense<6.914060e-01> : tensor<bf16>
  %37 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %38 = stablehlo.multiply %37, %36 : tensor<61xbf16>
  %39 = stablehlo.exponential %38 : tensor<61xbf16>
  %c_13 = stablehlo.constant dense<1> : tensor<i32>
  %40 = call @bf16_rule._where(%29, %c_13, %39) : (tensor<61xi1>, tensor<i32>, tensor<61xbf16>) -> tensor<61xbf16>
  %41 = stablehlo.multiply %arg3, %40 : tensor<61xbf16>
  %42 = stablehlo.add %27, %41 : tensor<61xbf16>
  return %13, %42 : tensor<61xbf16>, tensor<61xbf16>
}
func.func private @bf16_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<i32>, %arg2: tensor<61xbf16>) -> tensor<61xbf16> {
  %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<bf16>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %2 = stablehlo.select %arg0, %1, %arg2 : tensor<61xi1>, tensor<61xbf16>
  return %2 : tensor<61xbf16>
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
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.compare EQ, %13, %14, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %17 = stablehlo.compare EQ, %arg0, %16, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %18 = call @f32_rule._where(%17, %c, %arg0) : (tensor<61xi1>, tensor<i32>, tensor<61xf32>) -> tensor<61xf32>
  %cst_3 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %20 = stablehlo.compare EQ, %13, %19, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %c_4 = stablehlo.constant dense<0> : tensor<i32>
  %21 = call @f32_rule._where(%20, %c_4, %13) : (tensor<61xi1>, tensor<i32>, tensor<61xf32>) -> tensor<61xf32>
  %22 = stablehlo.subtract %18, %21 : tensor<61xf32>
  %cst_5 = stablehlo.constant dense<0.693147182> : tensor<f32>
  %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %24 = stablehlo.multiply %23, %22 : tensor<61xf32>
  %25 = stablehlo.exponential %24 : tensor<61xf32>
  %c_6 = stablehlo.constant dense<1> : tensor<i32>
  %26 = call @f32_rule._where(%15, %c_6, %25) : (tensor<61xi1>, tensor<i32>, tensor<61xf32>) -> tensor<61xf32>
  %27 = stablehlo.multiply %arg2, %26 : tensor<61xf32>
  %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %29 = stablehlo.compare EQ, %13, %28, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_8 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %30 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %31 = stablehlo.compare EQ, %arg1, %30, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %c_9 = stablehlo.constant dense<0> : tensor<i32>
  %32 = call @f32_rule._where(%31, %c_9, %arg1) : (tensor<61xi1>, tensor<i32>, tensor<61xf32>) -> tensor<61xf32>
  %cst_10 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %33 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %34 = stablehlo.compare EQ, %13, %33, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %c_11 = stablehlo.constant dense<0> : tensor<i32>
  %35 = call @f32_rule._where(%34, %c_11, %13) : (tensor<61xi1>, tensor<i32>, tensor<61xf32>) -> tensor<61xf32>
  %36 = stablehlo.subtract %32, %35 : tensor<61xf32>
  %cst_12 = stablehlo.constant dense<0.693147182> : tensor<f32>
  %37 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %38 = stablehlo.multiply %37, %36 : tensor<61xf32>
  %39 = stablehlo.exponential %38 : tensor<61xf32>
  %c_13 = stablehlo.constant dense<1> : tensor<i32>
  %40 = call @f32_rule._where(%29, %c_13, %39) : (tensor<61xi1>, tensor<i32>, tensor<61xf32>) -> tensor<61xf32>
  %41 = stablehlo.multiply %arg3, %40 : tensor<61xf32>
  %42 = stablehlo.add %27, %41 : tensor<61xf32>
  return %13, %42 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<i32>, %arg2: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.select %arg0, %1, %arg2 : tensor<61xi1>, tensor<61xf32>
  return %2 : tensor<61xf32>
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
  %cst_1 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %14 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.compare EQ, %13, %14, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %16 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %17 = stablehlo.compare EQ, %arg0, %16, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %c = stablehlo.constant dense<0> : tensor<i64>
  %18 = call @f64_rule._where(%17, %c, %arg0) : (tensor<61xi1>, tensor<i64>, tensor<61xf64>) -> tensor<61xf64>
  %cst_3 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %19 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %20 = stablehlo.compare EQ, %13, %19, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %c_4 = stablehlo.constant dense<0> : tensor<i64>
  %21 = call @f64_rule._where(%20, %c_4, %13) : (tensor<61xi1>, tensor<i64>, tensor<61xf64>) -> tensor<61xf64>
  %22 = stablehlo.subtract %18, %21 : tensor<61xf64>
  %cst_5 = stablehlo.constant dense<0.69314718055994529> : tensor<f64>
  %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %24 = stablehlo.multiply %23, %22 : tensor<61xf64>
  %25 = stablehlo.exponential %24 : tensor<61xf64>
  %c_6 = stablehlo.constant dense<1> : tensor<i64>
  %26 = call @f64_rule._where(%15, %c_6, %25) : (tensor<61xi1>, tensor<i64>, tensor<61xf64>) -> tensor<61xf64>
  %27 = stablehlo.multiply %arg2, %26 : tensor<61xf64>
  %cst_7 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %28 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %29 = stablehlo.compare EQ, %13, %28, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_8 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %30 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %31 = stablehlo.compare EQ, %arg1, %30, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %c_9 = stablehlo.constant dense<0> : tensor<i64>
  %32 = call @f64_rule._where(%31, %c_9, %arg1) : (tensor<61xi1>, tensor<i64>, tensor<61xf64>) -> tensor<61xf64>
  %cst_10 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %33 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %34 = stablehlo.compare EQ, %13, %33, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %c_11 = stablehlo.constant dense<0> : tensor<i64>
  %35 = call @f64_rule._where(%34, %c_11, %13) : (tensor<61xi1>, tensor<i64>, tensor<61xf64>) -> tensor<61xf64>
  %36 = stablehlo.subtract %32, %35 : tensor<61xf64>
  %cst_12 = stablehlo.constant dense<0.69314718055994529> : tensor<f64>
  %37 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %38 = stablehlo.multiply %37, %36 : tensor<61xf64>
  %39 = stablehlo.exponential %38 : tensor<61xf64>
  %c_13 = stablehlo.constant dense<1> : tensor<i64>
  %40 = call @f64_rule._where(%29, %c_13, %39) : (tensor<61xi1>, tensor<i64>, tensor<61xf64>) -> tensor<61xf64>
  %41 = stablehlo.multiply %arg3, %40 : tensor<61xf64>
  %42 = stablehlo.add %27, %41 : tensor<61xf64>
  return %13, %42 : tensor<61xf64>, tensor<61xf64>
}
func.func private @f64_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<i64>, %arg2: tensor<61xf64>) -> tensor<61xf64> {
  %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<f64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.select %arg0, %1, %arg2 : tensor<61xi1>, tensor<61xf64>
  return %2 : tensor<61xf64>
}
