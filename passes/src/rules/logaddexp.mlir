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
  %cst = stablehlo.constant dense<0xFC00> : tensor<f16>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %11 = stablehlo.compare EQ, %9, %10, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %13 = stablehlo.compare EQ, %arg0, %12, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %14 = call @f16_rule._where(%13, %c, %arg0) : (tensor<61xi1>, tensor<i32>, tensor<61xf16>) -> tensor<61xf16>
  %cst_1 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %16 = stablehlo.compare EQ, %9, %15, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %17 = call @f16_rule._where(%16, %c_2, %9) : (tensor<61xi1>, tensor<i32>, tensor<61xf16>) -> tensor<61xf16>
  %18 = stablehlo.subtract %14, %17 : tensor<61xf16>
  %19 = stablehlo.exponential %18 : tensor<61xf16>
  %c_3 = stablehlo.constant dense<1> : tensor<i32>
  %20 = call @f16_rule._where(%11, %c_3, %19) : (tensor<61xi1>, tensor<i32>, tensor<61xf16>) -> tensor<61xf16>
  %21 = stablehlo.multiply %arg2, %20 : tensor<61xf16>
  %cst_4 = stablehlo.constant dense<0xFC00> : tensor<f16>
  %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %23 = stablehlo.compare EQ, %9, %22, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %cst_5 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %25 = stablehlo.compare EQ, %arg1, %24, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %c_6 = stablehlo.constant dense<0> : tensor<i32>
  %26 = call @f16_rule._where(%25, %c_6, %arg1) : (tensor<61xi1>, tensor<i32>, tensor<61xf16>) -> tensor<61xf16>
  %cst_7 = stablehlo.constant dense<0x7C00> : tensor<f16>
  %27 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %28 = stablehlo.compare EQ, %9, %27, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %c_8 = stablehlo.constant dense<0> : tensor<i32>
  %29 = call @f16_rule._where(%28, %c_8, %9) : (tensor<61xi1>, tensor<i32>, tensor<61xf16>) -> tensor<61xf16>
  %30 = stablehlo.subtract %26, %29 : tensor<61xf16>
  %31 = stablehlo.exponential %30 : tensor<61xf16>
  %c_9 = stablehlo.constant dense<1> : tensor<i32>
  %32 = call @f16_rule._where(%23, %c_9, %31) : (tensor<61xi1>, tensor<i32>, tensor<61xf16>) -> tensor<61xf16>
  %33 = stablehlo.multiply %arg3, %32 : tensor<61xf16>
  %34 = stablehlo.add %21, %33 : tensor<61xf16>
  return %9, %34 : tensor<61xf16>, tensor<61xf16>
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
  %cst = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %11 = stablehlo.compare EQ, %9, %10, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %13 = stablehlo.compare EQ, %arg0, %12, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %14 = call @bf16_rule._where(%13, %c, %arg0) : (tensor<61xi1>, tensor<i32>, tensor<61xbf16>) -> tensor<61xbf16>
  %cst_1 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %16 = stablehlo.compare EQ, %9, %15, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %17 = call @bf16_rule._where(%16, %c_2, %9) : (tensor<61xi1>, tensor<i32>, tensor<61xbf16>) -> tensor<61xbf16>
  %18 = stablehlo.subtract %14, %17 : tensor<61xbf16>
  %19 = stablehlo.exponential %18 : tensor<61xbf16>
  %c_3 = stablehlo.constant dense<1> : tensor<i32>
  %20 = call @bf16_rule._where(%11, %c_3, %19) : (tensor<61xi1>, tensor<i32>, tensor<61xbf16>) -> tensor<61xbf16>
  %21 = stablehlo.multiply %arg2, %20 : tensor<61xbf16>
  %cst_4 = stablehlo.constant dense<0xFF80> : tensor<bf16>
  %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %23 = stablehlo.compare EQ, %9, %22, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %cst_5 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %25 = stablehlo.compare EQ, %arg1, %24, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %c_6 = stablehlo.constant dense<0> : tensor<i32>
  %26 = call @bf16_rule._where(%25, %c_6, %arg1) : (tensor<61xi1>, tensor<i32>, tensor<61xbf16>) -> tensor<61xbf16>
  %cst_7 = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %27 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %28 = stablehlo.compare EQ, %9, %27, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %c_8 = stablehlo.constant dense<0> : tensor<i32>
  %29 = call @bf16_rule._where(%28, %c_8, %9) : (tensor<61xi1>, tensor<i32>, tensor<61xbf16>) -> tensor<61xbf16>
  %30 = stablehlo.subtract %26, %29 : tensor<61xbf16>
  %31 = stablehlo.exponential %30 : tensor<61xbf16>
  %c_9 = stablehlo.constant dense<1> : tensor<i32>
  %32 = call @bf16_rule._where(%23, %c_9, %31) : (tensor<61xi1>, tensor<i32>, tensor<61xbf16>) -> tensor<61xbf16>
  %33 = stablehlo.multiply %arg3, %32 : tensor<61xbf16>
  %34 = stablehlo.add %21, %33 : tensor<61xbf16>
  return %9, %34 : tensor<61xbf16>, tensor<61xbf16>
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
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %11 = stablehlo.compare EQ, %9, %10, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %13 = stablehlo.compare EQ, %arg0, %12, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %14 = call @f32_rule._where(%13, %c, %arg0) : (tensor<61xi1>, tensor<i32>, tensor<61xf32>) -> tensor<61xf32>
  %cst_1 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %16 = stablehlo.compare EQ, %9, %15, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %c_2 = stablehlo.constant dense<0> : tensor<i32>
  %17 = call @f32_rule._where(%16, %c_2, %9) : (tensor<61xi1>, tensor<i32>, tensor<61xf32>) -> tensor<61xf32>
  %18 = stablehlo.subtract %14, %17 : tensor<61xf32>
  %19 = stablehlo.exponential %18 : tensor<61xf32>
  %c_3 = stablehlo.constant dense<1> : tensor<i32>
  %20 = call @f32_rule._where(%11, %c_3, %19) : (tensor<61xi1>, tensor<i32>, tensor<61xf32>) -> tensor<61xf32>
  %21 = stablehlo.multiply %arg2, %20 : tensor<61xf32>
  %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %23 = stablehlo.compare EQ, %9, %22, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_5 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %25 = stablehlo.compare EQ, %arg1, %24, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %c_6 = stablehlo.constant dense<0> : tensor<i32>
  %26 = call @f32_rule._where(%25, %c_6, %arg1) : (tensor<61xi1>, tensor<i32>, tensor<61xf32>) -> tensor<61xf32>
  %cst_7 = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %27 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %28 = stablehlo.compare EQ, %9, %27, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %c_8 = stablehlo.constant dense<0> : tensor<i32>
  %29 = call @f32_rule._where(%28, %c_8, %9) : (tensor<61xi1>, tensor<i32>, tensor<61xf32>) -> tensor<61xf32>
  %30 = stablehlo.subtract %26, %29 : tensor<61xf32>
  %31 = stablehlo.exponential %30 : tensor<61xf32>
  %c_9 = stablehlo.constant dense<1> : tensor<i32>
  %32 = call @f32_rule._where(%23, %c_9, %31) : (tensor<61xi1>, tensor<i32>, tensor<61xf32>) -> tensor<61xf32>
  %33 = stablehlo.multiply %arg3, %32 : tensor<61xf32>
  %34 = stablehlo.add %21, %33 : tensor<61xf32>
  return %9, %34 : tensor<61xf32>, tensor<61xf32>
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
  %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %10 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %11 = stablehlo.compare EQ, %9, %10, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %13 = stablehlo.compare EQ, %arg0, %12, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %c = stablehlo.constant dense<0> : tensor<i64>
  %14 = call @f64_rule._where(%13, %c, %arg0) : (tensor<61xi1>, tensor<i64>, tensor<61xf64>) -> tensor<61xf64>
  %cst_1 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %15 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %16 = stablehlo.compare EQ, %9, %15, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %c_2 = stablehlo.constant dense<0> : tensor<i64>
  %17 = call @f64_rule._where(%16, %c_2, %9) : (tensor<61xi1>, tensor<i64>, tensor<61xf64>) -> tensor<61xf64>
  %18 = stablehlo.subtract %14, %17 : tensor<61xf64>
  %19 = stablehlo.exponential %18 : tensor<61xf64>
  %c_3 = stablehlo.constant dense<1> : tensor<i64>
  %20 = call @f64_rule._where(%11, %c_3, %19) : (tensor<61xi1>, tensor<i64>, tensor<61xf64>) -> tensor<61xf64>
  %21 = stablehlo.multiply %arg2, %20 : tensor<61xf64>
  %cst_4 = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %22 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %23 = stablehlo.compare EQ, %9, %22, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_5 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %24 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %25 = stablehlo.compare EQ, %arg1, %24, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %c_6 = stablehlo.constant dense<0> : tensor<i64>
  %26 = call @f64_rule._where(%25, %c_6, %arg1) : (tensor<61xi1>, tensor<i64>, tensor<61xf64>) -> tensor<61xf64>
  %cst_7 = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %27 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %28 = stablehlo.compare EQ, %9, %27, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %c_8 = stablehlo.constant dense<0> : tensor<i64>
  %29 = call @f64_rule._where(%28, %c_8, %9) : (tensor<61xi1>, tensor<i64>, tensor<61xf64>) -> tensor<61xf64>
  %30 = stablehlo.subtract %26, %29 : tensor<61xf64>
  %31 = stablehlo.exponential %30 : tensor<61xf64>
  %c_9 = stablehlo.constant dense<1> : tensor<i64>
  %32 = call @f64_rule._where(%23, %c_9, %31) : (tensor<61xi1>, tensor<i64>, tensor<61xf64>) -> tensor<61xf64>
  %33 = stablehlo.multiply %arg3, %32 : tensor<61xf64>
  %34 = stablehlo.add %21, %33 : tensor<61xf64>
  return %9, %34 : tensor<61xf64>, tensor<61xf64>
}
func.func private @f64_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<i64>, %arg2: tensor<61xf64>) -> tensor<61xf64> {
  %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<f64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.select %arg0, %1, %arg2 : tensor<61xi1>, tensor<61xf64>
  return %2 : tensor<61xf64>
}
