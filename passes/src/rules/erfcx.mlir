// erfcx, as JAX 0.10.2 lowers it and its derivative; written by generate.py.

func.func public @f32(%arg0: tensor<61xf32>) -> (tensor<61xf32>) {
  %cst = stablehlo.constant dense<[6.562500e+00, -1.875000e+00, 7.500000e-01, -5.000000e-01, 1.000000e+00]> : tensor<5xf32>
  %cst_0 = stablehlo.constant dense<9.419280e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %3 = stablehlo.select %1, %2, %arg0 : tensor<61xi1>, tensor<61xf32>
  %4 = chlo.square %3 : tensor<61xf32> -> tensor<61xf32>
  %5 = stablehlo.exponential %4 : tensor<61xf32>
  %6 = chlo.erfc %3 : tensor<61xf32> -> tensor<61xf32>
  %7 = stablehlo.multiply %5, %6 : tensor<61xf32>
  %8 = chlo.square %arg0 : tensor<61xf32> -> tensor<61xf32>
  %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %10 = stablehlo.divide %9, %8 : tensor<61xf32>
  %11 = call @f32.polyval(%cst, %10) : (tensor<5xf32>, tensor<61xf32>) -> tensor<61xf32>
  %cst_3 = stablehlo.constant dense<1.7724539> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %13 = stablehlo.multiply %arg0, %12 : tensor<61xf32>
  %14 = stablehlo.divide %11, %13 : tensor<61xf32>
  %15 = stablehlo.select %1, %14, %7 : tensor<61xi1>, tensor<61xf32>
  return %15 : tensor<61xf32>
}
func.func private @f32.polyval(%arg0: tensor<5xf32>, %arg1: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<5xf32>) -> tensor<0xf32>
  %2 = stablehlo.slice %arg0 [0:5] : (tensor<5xf32>) -> tensor<5xf32>
  %3 = stablehlo.slice %2 [0:1] : (tensor<5xf32>) -> tensor<1xf32>
  %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
  %5 = call @f32.closed_call(%arg1, %0, %4) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.slice %2 [1:2] : (tensor<5xf32>) -> tensor<1xf32>
  %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
  %8 = call @f32.closed_call(%arg1, %5, %7) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %9 = stablehlo.slice %2 [2:3] : (tensor<5xf32>) -> tensor<1xf32>
  %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
  %11 = call @f32.closed_call(%arg1, %8, %10) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.slice %2 [3:4] : (tensor<5xf32>) -> tensor<1xf32>
  %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
  %14 = call @f32.closed_call(%arg1, %11, %13) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.slice %2 [4:5] : (tensor<5xf32>) -> tensor<1xf32>
  %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
  %17 = call @f32.closed_call(%arg1, %14, %16) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  return %17 : tensor<61xf32>
}
func.func private @f32.closed_call(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<f32>) -> tensor<61xf32> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf32>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.add %0, %1 : tensor<61xf32>
  return %2 : tensor<61xf32>
}
func.func public @f32_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %cst = stablehlo.constant dense<[6.562500e+00, -1.875000e+00, 7.500000e-01, -5.000000e-01, 1.000000e+00]> : tensor<5xf32>
  %cst_0 = stablehlo.constant dense<9.419280e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %3 = stablehlo.select %1, %2, %arg0 : tensor<61xi1>, tensor<61xf32>
  %4 = chlo.square %3 : tensor<61xf32> -> tensor<61xf32>
  %5 = stablehlo.exponential %4 : tensor<61xf32>
  %6 = chlo.erfc %3 : tensor<61xf32> -> tensor<61xf32>
  %7 = stablehlo.multiply %5, %6 : tensor<61xf32>
  %8 = chlo.square %arg0 : tensor<61xf32> -> tensor<61xf32>
  %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %10 = stablehlo.divide %9, %8 : tensor<61xf32>
  %11 = call @f32_rule.polyval(%cst, %10) : (tensor<5xf32>, tensor<61xf32>) -> tensor<61xf32>
  %cst_3 = stablehlo.constant dense<1.7724539> : tensor<f32>
  %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %13 = stablehlo.multiply %arg0, %12 : tensor<61xf32>
  %14 = stablehlo.divide %11, %13 : tensor<61xf32>
  %15 = stablehlo.select %1, %14, %7 : tensor<61xi1>, tensor<61xf32>
  %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %17 = stablehlo.multiply %16, %arg0 : tensor<61xf32>
  %18 = stablehlo.multiply %17, %15 : tensor<61xf32>
  %cst_5 = stablehlo.constant dense<1.12837923> : tensor<f32>
  %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %20 = stablehlo.subtract %18, %19 : tensor<61xf32>
  %21 = stablehlo.multiply %arg1, %20 : tensor<61xf32>
  return %15, %21 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_rule.polyval(%arg0: tensor<5xf32>, %arg1: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<5xf32>) -> tensor<0xf32>
  %2 = stablehlo.slice %arg0 [0:5] : (tensor<5xf32>) -> tensor<5xf32>
  %3 = stablehlo.slice %2 [0:1] : (tensor<5xf32>) -> tensor<1xf32>
  %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
  %5 = call @f32_rule.closed_call(%arg1, %0, %4) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.slice %2 [1:2] : (tensor<5xf32>) -> tensor<1xf32>
  %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
  %8 = call @f32_rule.closed_call(%arg1, %5, %7) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %9 = stablehlo.slice %2 [2:3] : (tensor<5xf32>) -> tensor<1xf32>
  %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
  %11 = call @f32_rule.closed_call(%arg1, %8, %10) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.slice %2 [3:4] : (tensor<5xf32>) -> tensor<1xf32>
  %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
  %14 = call @f32_rule.closed_call(%arg1, %11, %13) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.slice %2 [4:5] : (tensor<5xf32>) -> tensor<1xf32>
  %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
  %17 = call @f32_rule.closed_call(%arg1, %14, %16) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  return %17 : tensor<61xf32>
}
func.func private @f32_rule.closed_call(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<f32>) -> tensor<61xf32> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf32>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.add %0, %1 : tensor<61xf32>
  return %2 : tensor<61xf32>
}
func.func public @f64(%arg0: tensor<61xf64>) -> (tensor<61xf64>) {
  %cst = stablehlo.constant dense<[7918.06640625, -1055.7421875, 162.421875, -29.53125, 6.562500e+00, -1.875000e+00, 7.500000e-01, -5.000000e-01, 1.000000e+00]> : tensor<9xf64>
  %cst_0 = stablehlo.constant dense<26.641747557046326> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %3 = stablehlo.select %1, %2, %arg0 : tensor<61xi1>, tensor<61xf64>
  %4 = chlo.square %3 : tensor<61xf64> -> tensor<61xf64>
  %5 = stablehlo.exponential %4 : tensor<61xf64>
  %6 = chlo.erfc %3 : tensor<61xf64> -> tensor<61xf64>
  %7 = stablehlo.multiply %5, %6 : tensor<61xf64>
  %8 = chlo.square %arg0 : tensor<61xf64> -> tensor<61xf64>
  %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %10 = stablehlo.divide %9, %8 : tensor<61xf64>
  %11 = call @f64.polyval(%cst, %10) : (tensor<9xf64>, tensor<61xf64>) -> tensor<61xf64>
  %cst_3 = stablehlo.constant dense<1.7724538509055159> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %13 = stablehlo.multiply %arg0, %12 : tensor<61xf64>
  %14 = stablehlo.divide %11, %13 : tensor<61xf64>
  %15 = stablehlo.select %1, %14, %7 : tensor<61xi1>, tensor<61xf64>
  return %15 : tensor<61xf64>
}
func.func private @f64.polyval(%arg0: tensor<9xf64>, %arg1: tensor<61xf64>) -> tensor<61xf64> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<9xf64>) -> tensor<0xf64>
  %2 = stablehlo.slice %arg0 [0:9] : (tensor<9xf64>) -> tensor<9xf64>
  %3 = stablehlo.slice %2 [0:1] : (tensor<9xf64>) -> tensor<1xf64>
  %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
  %5 = call @f64.closed_call(%arg1, %0, %4) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.slice %2 [1:2] : (tensor<9xf64>) -> tensor<1xf64>
  %7 = stablehlo.reshape %6 : (tensor<1xf64>) -> tensor<f64>
  %8 = call @f64.closed_call(%arg1, %5, %7) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %9 = stablehlo.slice %2 [2:3] : (tensor<9xf64>) -> tensor<1xf64>
  %10 = stablehlo.reshape %9 : (tensor<1xf64>) -> tensor<f64>
  %11 = call @f64.closed_call(%arg1, %8, %10) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %12 = stablehlo.slice %2 [3:4] : (tensor<9xf64>) -> tensor<1xf64>
  %13 = stablehlo.reshape %12 : (tensor<1xf64>) -> tensor<f64>
  %14 = call @f64.closed_call(%arg1, %11, %13) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.slice %2 [4:5] : (tensor<9xf64>) -> tensor<1xf64>
  %16 = stablehlo.reshape %15 : (tensor<1xf64>) -> tensor<f64>
  %17 = call @f64.closed_call(%arg1, %14, %16) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %18 = stablehlo.slice %2 [5:6] : (tensor<9xf64>) -> tensor<1xf64>
  %19 = stablehlo.reshape %18 : (tensor<1xf64>) -> tensor<f64>
  %20 = call @f64.closed_call(%arg1, %17, %19) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %21 = stablehlo.slice %2 [6:7] : (tensor<9xf64>) -> tensor<1xf64>
  %22 = stablehlo.reshape %21 : (tensor<1xf64>) -> tensor<f64>
  %23 = call @f64.closed_call(%arg1, %20, %22) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %24 = stablehlo.slice %2 [7:8] : (tensor<9xf64>) -> tensor<1xf64>
  %25 = stablehlo.reshape %24 : (tensor<1xf64>) -> tensor<f64>
  %26 = call @f64.closed_call(%arg1, %23, %25) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %27 = stablehlo.slice %2 [8:9] : (tensor<9xf64>) -> tensor<1xf64>
  %28 = stablehlo.reshape %27 : (tensor<1xf64>) -> tensor<f64>
  %29 = call @f64.closed_call(%arg1, %26, %28) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  return %29 : tensor<61xf64>
}
func.func private @f64.closed_call(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<f64>) -> tensor<61xf64> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf64>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.add %0, %1 : tensor<61xf64>
  return %2 : tensor<61xf64>
}
func.func public @f64_rule(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %cst = stablehlo.constant dense<[7918.06640625, -1055.7421875, 162.421875, -29.53125, 6.562500e+00, -1.875000e+00, 7.500000e-01, -5.000000e-01, 1.000000e+00]> : tensor<9xf64>
  %cst_0 = stablehlo.constant dense<26.641747557046326> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %3 = stablehlo.select %1, %2, %arg0 : tensor<61xi1>, tensor<61xf64>
  %4 = chlo.square %3 : tensor<61xf64> -> tensor<61xf64>
  %5 = stablehlo.exponential %4 : tensor<61xf64>
  %6 = chlo.erfc %3 : tensor<61xf64> -> tensor<61xf64>
  %7 = stablehlo.multiply %5, %6 : tensor<61xf64>
  %8 = chlo.square %arg0 : tensor<61xf64> -> tensor<61xf64>
  %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %10 = stablehlo.divide %9, %8 : tensor<61xf64>
  %11 = call @f64_rule.polyval(%cst, %10) : (tensor<9xf64>, tensor<61xf64>) -> tensor<61xf64>
  %cst_3 = stablehlo.constant dense<1.7724538509055159> : tensor<f64>
  %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %13 = stablehlo.multiply %arg0, %12 : tensor<61xf64>
  %14 = stablehlo.divide %11, %13 : tensor<61xf64>
  %15 = stablehlo.select %1, %14, %7 : tensor<61xi1>, tensor<61xf64>
  %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %16 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %17 = stablehlo.multiply %16, %arg0 : tensor<61xf64>
  %18 = stablehlo.multiply %17, %15 : tensor<61xf64>
  %cst_5 = stablehlo.constant dense<1.1283791670955126> : tensor<f64>
  %19 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %20 = stablehlo.subtract %18, %19 : tensor<61xf64>
  %21 = stablehlo.multiply %arg1, %20 : tensor<61xf64>
  return %15, %21 : tensor<61xf64>, tensor<61xf64>
}
func.func private @f64_rule.polyval(%arg0: tensor<9xf64>, %arg1: tensor<61xf64>) -> tensor<61xf64> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<9xf64>) -> tensor<0xf64>
  %2 = stablehlo.slice %arg0 [0:9] : (tensor<9xf64>) -> tensor<9xf64>
  %3 = stablehlo.slice %2 [0:1] : (tensor<9xf64>) -> tensor<1xf64>
  %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
  %5 = call @f64_rule.closed_call(%arg1, %0, %4) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.slice %2 [1:2] : (tensor<9xf64>) -> tensor<1xf64>
  %7 = stablehlo.reshape %6 : (tensor<1xf64>) -> tensor<f64>
  %8 = call @f64_rule.closed_call(%arg1, %5, %7) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %9 = stablehlo.slice %2 [2:3] : (tensor<9xf64>) -> tensor<1xf64>
  %10 = stablehlo.reshape %9 : (tensor<1xf64>) -> tensor<f64>
  %11 = call @f64_rule.closed_call(%arg1, %8, %10) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %12 = stablehlo.slice %2 [3:4] : (tensor<9xf64>) -> tensor<1xf64>
  %13 = stablehlo.reshape %12 : (tensor<1xf64>) -> tensor<f64>
  %14 = call @f64_rule.closed_call(%arg1, %11, %13) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.slice %2 [4:5] : (tensor<9xf64>) -> tensor<1xf64>
  %16 = stablehlo.reshape %15 : (tensor<1xf64>) -> tensor<f64>
  %17 = call @f64_rule.closed_call(%arg1, %14, %16) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %18 = stablehlo.slice %2 [5:6] : (tensor<9xf64>) -> tensor<1xf64>
  %19 = stablehlo.reshape %18 : (tensor<1xf64>) -> tensor<f64>
  %20 = call @f64_rule.closed_call(%arg1, %17, %19) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %21 = stablehlo.slice %2 [6:7] : (tensor<9xf64>) -> tensor<1xf64>
  %22 = stablehlo.reshape %21 : (tensor<1xf64>) -> tensor<f64>
  %23 = call @f64_rule.closed_call(%arg1, %20, %22) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %24 = stablehlo.slice %2 [7:8] : (tensor<9xf64>) -> tensor<1xf64>
  %25 = stablehlo.reshape %24 : (tensor<1xf64>) -> tensor<f64>
  %26 = call @f64_rule.closed_call(%arg1, %23, %25) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %27 = stablehlo.slice %2 [8:9] : (tensor<9xf64>) -> tensor<1xf64>
  %28 = stablehlo.reshape %27 : (tensor<1xf64>) -> tensor<f64>
  %29 = call @f64_rule.closed_call(%arg1, %26, %28) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  return %29 : tensor<61xf64>
}
func.func private @f64_rule.closed_call(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<f64>) -> tensor<61xf64> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf64>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.add %0, %1 : tensor<61xf64>
  return %2 : tensor<61xf64>
}
