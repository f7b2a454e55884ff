// frexp, as JAX 0.10.2 lowers it and its derivative; written by generate.py.

func.func public @f16(%arg0: tensor<61xf16>) -> (tensor<61xf16>) {
  %0 = call @f16.frexp(%arg0) : (tensor<61xf16>) -> tensor<61xf16>
  return %0 : tensor<61xf16>
}
func.func private @f16.frexp(%arg0: tensor<61xf16>) -> tensor<61xf16> {
  %0 = stablehlo.abs %arg0 : tensor<61xf16>
  %cst = stablehlo.constant dense<6.103520e-05> : tensor<f16>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<1.024000e+03> : tensor<f16>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %4 = stablehlo.multiply %arg0, %3 : tensor<61xf16>
  %5 = call @f16._where(%2, %4, %arg0) : (tensor<61xi1>, tensor<61xf16>, tensor<61xf16>) -> tensor<61xf16>
  %6 = stablehlo.bitcast_convert %5 : (tensor<61xf16>) -> tensor<61xi16>
  %c = stablehlo.constant dense<-31745> : tensor<i16>
  %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %8 = stablehlo.and %6, %7 : tensor<61xi16>
  %c_1 = stablehlo.constant dense<14336> : tensor<i16>
  %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %10 = stablehlo.or %8, %9 : tensor<61xi16>
  %11 = stablehlo.bitcast_convert %10 : (tensor<61xi16>) -> tensor<61xf16>
  %12 = call @f16.isinf(%arg0) : (tensor<61xf16>) -> tensor<61xi1>
  %13 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %14 = stablehlo.or %12, %13 : tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %16 = stablehlo.compare EQ, %arg0, %15, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %17 = stablehlo.or %14, %16 : tensor<61xi1>
  %18 = call @f16._where(%17, %arg0, %11) : (tensor<61xi1>, tensor<61xf16>, tensor<61xf16>) -> tensor<61xf16>
  return %18 : tensor<61xf16>
}
func.func private @f16._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf16>, %arg2: tensor<61xf16>) -> tensor<61xf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf16>
  return %0 : tensor<61xf16>
}
func.func private @f16.isinf(%arg0: tensor<61xf16>) -> tensor<61xi1> {
  %0 = stablehlo.abs %arg0 : tensor<61xf16>
  %cst = stablehlo.constant dense<0x7C00> : tensor<f16>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  return %2 : tensor<61xi1>
}
func.func public @f16_rule(%arg0: tensor<61xf16>, %arg1: tensor<61xf16>) -> (tensor<61xf16>, tensor<61xf16>) {
  %0:2 = call @f16_rule.frexp(%arg0, %arg1) : (tensor<61xf16>, tensor<61xf16>) -> (tensor<61xf16>, tensor<61xf16>)
  return %0#0, %0#1 : tensor<61xf16>, tensor<61xf16>
}
func.func private @f16_rule.frexp(%arg0: tensor<61xf16>, %arg1: tensor<61xf16>) -> (tensor<61xf16>, tensor<61xf16>) {
  %0:2 = call @f16_rule.frexp_0(%arg0) : (tensor<61xf16>) -> (tensor<61xf16>, tensor<61xi32>)
  %1 = stablehlo.convert %0#1 : (tensor<61xi32>) -> tensor<61xf16>
  %2 = stablehlo.negate %1 : tensor<61xf16>
  %cst = stablehlo.constant dense<6.933590e-01> : tensor<f16>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %4 = stablehlo.multiply %3, %2 : tensor<61xf16>
  %5 = stablehlo.exponential %4 : tensor<61xf16>
  %6 = stablehlo.multiply %arg1, %5 : tensor<61xf16>
  return %0#0, %6 : tensor<61xf16>, tensor<61xf16>
}
func.func private @f16_rule.frexp_0(%arg0: tensor<61xf16>) -> (tensor<61xf16>, tensor<61xi32>) {
  %0 = stablehlo.abs %arg0 : tensor<61xf16>
  %cst = stablehlo.constant dense<6.103520e-05> : tensor<f16>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<1.024000e+03> : tensor<f16>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %4 = stablehlo.multiply %arg0, %3 : tensor<61xf16>
  %5 = call @f16_rule._where(%2, %4, %arg0) : (tensor<61xi1>, tensor<61xf16>, tensor<61xf16>) -> tensor<61xf16>
  %c = stablehlo.constant dense<-10> : tensor<i16>
  %c_1 = stablehlo.constant dense<0> : tensor<i16>
  %6 = call @f16_rule._where_1(%2, %c, %c_1) : (tensor<61xi1>, tensor<i16>, tensor<i16>) -> tensor<61xi16>
  %7 = stablehlo.bitcast_convert %5 : (tensor<61xf16>) -> tensor<61xi16>
  %c_2 = stablehlo.constant dense<10> : tensor<i16>
  %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %9 = stablehlo.shift_right_arithmetic %7, %8 : tensor<61xi16>
  %c_3 = stablehlo.constant dense<31> : tensor<i16>
  %10 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %11 = stablehlo.and %9, %10 : tensor<61xi16>
  %c_4 = stablehlo.constant dense<15> : tensor<i16>
  %12 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %13 = stablehlo.subtract %11, %12 : tensor<61xi16>
  %c_5 = stablehlo.constant dense<1> : tensor<i16>
  %14 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %15 = stablehlo.add %13, %14 : tensor<61xi16>
  %16 = stablehlo.add %6, %15 : tensor<61xi16>
  %c_6 = stablehlo.constant dense<-31745> : tensor<i16>
  %17 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %18 = stablehlo.and %7, %17 : tensor<61xi16>
  %c_7 = stablehlo.constant dense<14336> : tensor<i16>
  %19 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %20 = stablehlo.or %18, %19 : tensor<61xi16>
  %21 = stablehlo.bitcast_convert %20 : (tensor<61xi16>) -> tensor<61xf16>
  %22 = call @f16_rule.isinf(%arg0) : (tensor<61xf16>) -> tensor<61xi1>
  %23 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %24 = stablehlo.or %22, %23 : tensor<61xi1>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
  %25 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %26 = stablehlo.compare EQ, %arg0, %25, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  %27 = stablehlo.or %24, %26 : tensor<61xi1>
  %c_9 = stablehlo.constant dense<0> : tensor<i16>
  %28 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %29 = call @f16_rule._where_2(%27, %28, %16) : (tensor<61xi1>, tensor<61xi16>, tensor<61xi16>) -> tensor<61xi16>
  %30 = call @f16_rule._where(%27, %arg0, %21) : (tensor<61xi1>, tensor<61xf16>, tensor<61xf16>) -> tensor<61xf16>
  %31 = stablehlo.convert %29 : (tensor<61xi16>) -> tensor<61xi32>
  return %30, %31 : tensor<61xf16>, tensor<61xi32>
}
func.func private @f16_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf16>, %arg2: tensor<61xf16>) -> tensor<61xf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf16>
  return %0 : tensor<61xf16>
}
func.func private @f16_rule._where_1(%arg0: tensor<61xi1>, %arg1: tensor<i16>, %arg2: tensor<i16>) -> tensor<61xi16> {
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %2 = stablehlo.select %arg0, %0, %1 : tensor<61xi1>, tensor<61xi16>
  return %2 : tensor<61xi16>
}
func.func private @f16_rule.isinf(%arg0: tensor<61xf16>) -> tensor<61xi1> {
  %0 = stablehlo.abs %arg0 : tensor<61xf16>
  %cst = stablehlo.constant dense<0x7C00> : tensor<f16>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<61xf16>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<61xf16>, tensor<61xf16>) -> tensor<61xi1>
  return %2 : tensor<61xi1>
}
func.func private @f16_rule._where_2(%arg0: tensor<61xi1>, %arg1: tensor<61xi16>, %arg2: tensor<61xi16>) -> tensor<61xi16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi16>
  return %0 : tensor<61xi16>
}
func.func public @bf16(%arg0: tensor<61xbf16>) -> (tensor<61xbf16>) {
  %0 = call @bf16.frexp(%arg0) : (tensor<61xbf16>) -> tensor<61xbf16>
  return %0 : tensor<61xbf16>
}
func.func private @bf16.frexp(%arg0: tensor<61xbf16>) -> tensor<61xbf16> {
  %0 = stablehlo.abs %arg0 : tensor<61xbf16>
  %cst = stablehlo.constant dense<1.175490e-38> : tensor<bf16>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<1.280000e+02> : tensor<bf16>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %4 = stablehlo.multiply %arg0, %3 : tensor<61xbf16>
  %5 = call @bf16._where(%2, %4, %arg0) : (tensor<61xi1>, tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xbf16>
  %6 = stablehlo.bitcast_convert %5 : (tensor<61xbf16>) -> tensor<61xi16>
  %c = stablehlo.constant dense<-32641> : tensor<i16>
  %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %8 = stablehlo.and %6, %7 : tensor<61xi16>
  %c_1 = stablehlo.constant dense<16128> : tensor<i16>
  %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %10 = stablehlo.or %8, %9 : tensor<61xi16>
  %11 = stablehlo.bitcast_convert %10 : (tensor<61xi16>) -> tensor<61xbf16>
  %12 = call @bf16.isinf(%arg0) : (tensor<61xbf16>) -> tensor<61xi1>
  %13 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %14 = stablehlo.or %12, %13 : tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %16 = stablehlo.compare EQ, %arg0, %15, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %17 = stablehlo.or %14, %16 : tensor<61xi1>
  %18 = call @bf16._where(%17, %arg0, %11) : (tensor<61xi1>, tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xbf16>
  return %18 : tensor<61xbf16>
}
func.func private @bf16._where(%arg0: tensor<61xi1>, %arg1: tensor<61xbf16>, %arg2: tensor<61xbf16>) -> tensor<61xbf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xbf16>
  return %0 : tensor<61xbf16>
}
func.func private @bf16.isinf(%arg0: tensor<61xbf16>) -> tensor<61xi1> {
  %0 = stablehlo.abs %arg0 : tensor<61xbf16>
  %cst = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  return %2 : tensor<61xi1>
}
func.func public @bf16_rule(%arg0: tensor<61xbf16>, %arg1: tensor<61xbf16>) -> (tensor<61xbf16>, tensor<61xbf16>) {
  %0:2 = call @bf16_rule.frexp(%arg0, %arg1) : (tensor<61xbf16>, tensor<61xbf16>) -> (tensor<61xbf16>, tensor<61xbf16>)
  return %0#0, %0#1 : tensor<61xbf16>, tensor<61xbf16>
}
func.func private @bf16_rule.frexp(%arg0: tensor<61xbf16>, %arg1: tensor<61xbf16>) -> (tensor<61xbf16>, tensor<61xbf16>) {
  %0:2 = call @bf16_rule.frexp_0(%arg0) : (tensor<61xbf16>) -> (tensor<61xbf16>, tensor<61xi32>)
  %1 = stablehlo.convert %0#1 : (tensor<61xi32>) -> tensor<61xbf16>
  %2 = stablehlo.negate %1 : tensor<61xbf16>
  %cst = stablehlo.constant dense<6.914060e-01> : tensor<bf16>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %4 = stablehlo.multiply %3, %2 : tensor<61xbf16>
  %5 = stablehlo.exponential %4 : tensor<61xbf16>
  %6 = stablehlo.multiply %arg1, %5 : tensor<61xbf16>
  return %0#0, %6 : tensor<61xbf16>, tensor<61xbf16>
}
func.func private @bf16_rule.frexp_0(%arg0: tensor<61xbf16>) -> (tensor<61xbf16>, tensor<61xi32>) {
  %0 = stablehlo.abs %arg0 : tensor<61xbf16>
  %cst = stablehlo.constant dense<1.175490e-38> : tensor<bf16>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<1.280000e+02> : tensor<bf16>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %4 = stablehlo.multiply %arg0, %3 : tensor<61xbf16>
  %5 = call @bf16_rule._where(%2, %4, %arg0) : (tensor<61xi1>, tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xbf16>
  %c = stablehlo.constant dense<-7> : tensor<i16>
  %c_1 = stablehlo.constant dense<0> : tensor<i16>
  %6 = call @bf16_rule._where_1(%2, %c, %c_1) : (tensor<61xi1>, tensor<i16>, tensor<i16>) -> tensor<61xi16>
  %7 = stablehlo.bitcast_convert %5 : (tensor<61xbf16>) -> tensor<61xi16>
  %c_2 = stablehlo.constant dense<7> : tensor<i16>
  %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %9 = stablehlo.shift_right_arithmetic %7, %8 : tensor<61xi16>
  %c_3 = stablehlo.constant dense<255> : tensor<i16>
  %10 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %11 = stablehlo.and %9, %10 : tensor<61xi16>
  %c_4 = stablehlo.constant dense<127> : tensor<i16>
  %12 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %13 = stablehlo.subtract %11, %12 : tensor<61xi16>
  %c_5 = stablehlo.constant dense<1> : tensor<i16>
  %14 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %15 = stablehlo.add %13, %14 : tensor<61xi16>
  %16 = stablehlo.add %6, %15 : tensor<61xi16>
  %c_6 = stablehlo.constant dense<-32641> : tensor<i16>
  %17 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %18 = stablehlo.and %7, %17 : tensor<61xi16>
  %c_7 = stablehlo.constant dense<16128> : tensor<i16>
  %19 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %20 = stablehlo.or %18, %19 : tensor<61xi16>
  %21 = stablehlo.bitcast_convert %20 : (tensor<61xi16>) -> tensor<61xbf16>
  %22 = call @bf16_rule.isinf(%arg0) : (tensor<61xbf16>) -> tensor<61xi1>
  %23 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %24 = stablehlo.or %22, %23 : tensor<61xi1>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<bf16>
  %25 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %26 = stablehlo.compare EQ, %arg0, %25, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  %27 = stablehlo.or %24, %26 : tensor<61xi1>
  %c_9 = stablehlo.constant dense<0> : tensor<i16>
  %28 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %29 = call @bf16_rule._where_2(%27, %28, %16) : (tensor<61xi1>, tensor<61xi16>, tensor<61xi16>) -> tensor<61xi16>
  %30 = call @bf16_rule._where(%27, %arg0, %21) : (tensor<61xi1>, tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xbf16>
  %31 = stablehlo.convert %29 : (tensor<61xi16>) -> tensor<61xi32>
  return %30, %31 : tensor<61xbf16>, tensor<61xi32>
}
func.func private @bf16_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xbf16>, %arg2: tensor<61xbf16>) -> tensor<61xbf16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xbf16>
  return %0 : tensor<61xbf16>
}
func.func private @bf16_rule._where_1(%arg0: tensor<61xi1>, %arg1: tensor<i16>, %arg2: tensor<i16>) -> tensor<61xi16> {
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i16>) -> tensor<61xi16>
  %2 = stablehlo.select %arg0, %0, %1 : tensor<61xi1>, tensor<61xi16>
  return %2 : tensor<61xi16>
}
func.func private @bf16_rule.isinf(%arg0: tensor<61xbf16>) -> tensor<61xi1> {
  %0 = stablehlo.abs %arg0 : tensor<61xbf16>
  %cst = stablehlo.constant dense<0x7F80> : tensor<bf16>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<bf16>) -> tensor<61xbf16>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<61xbf16>, tensor<61xbf16>) -> tensor<61xi1>
  return %2 : tensor<61xi1>
}
func.func private @bf16_rule._where_2(%arg0: tensor<61xi1>, %arg1: tensor<61xi16>, %arg2: tensor<61xi16>) -> tensor<61xi16> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi16>
  return %0 : tensor<61xi16>
}
func.func public @f32(%arg0: tensor<61xf32>) -> (tensor<61xf32>) {
  %0 = call @f32.frexp(%arg0) : (tensor<61xf32>) -> tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func private @f32.frexp(%arg0: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.abs %arg0 : tensor<61xf32>
  %cst = stablehlo.constant dense<1.17549435E-38> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0x4B000000> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %4 = stablehlo.multiply %arg0, %3 : tensor<61xf32>
  %5 = call @f32._where(%2, %4, %arg0) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  %6 = stablehlo.bitcast_convert %5 : (tensor<61xf32>) -> tensor<61xi32>
  %c = stablehlo.constant dense<-2139095041> : tensor<i32>
  %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %8 = stablehlo.and %6, %7 : tensor<61xi32>
  %c_1 = stablehlo.constant dense<1056964608> : tensor<i32>
  %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %10 = stablehlo.or %8, %9 : tensor<61xi32>
  %11 = stablehlo.bitcast_convert %10 : (tensor<61xi32>) -> tensor<61xf32>
  %12 = call @f32.isinf(%arg0) : (tensor<61xf32>) -> tensor<61xi1>
  %13 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %14 = stablehlo.or %12, %13 : tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %16 = stablehlo.compare EQ, %arg0, %15, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %17 = stablehlo.or %14, %16 : tensor<61xi1>
  %18 = call @f32._where(%17, %arg0, %11) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  return %18 : tensor<61xf32>
}
func.func private @f32._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func private @f32.isinf(%arg0: tensor<61xf32>) -> tensor<61xi1> {
  %0 = stablehlo.abs %arg0 : tensor<61xf32>
  %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  return %2 : tensor<61xi1>
}
func.func public @f32_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0:2 = call @f32_rule.frexp(%arg0, %arg1) : (tensor<61xf32>, tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>)
  return %0#0, %0#1 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_rule.frexp(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %0:2 = call @f32_rule.frexp_0(%arg0) : (tensor<61xf32>) -> (tensor<61xf32>, tensor<61xi32>)
  %1 = stablehlo.convert %0#1 : (tensor<61xi32>) -> tensor<61xf32>
  %2 = stablehlo.negate %1 : tensor<61xf32>
  %cst = stablehlo.constant dense<0.693147182> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %4 = stablehlo.multiply %3, %2 : tensor<61xf32>
  %5 = stablehlo.exponential %4 : tensor<61xf32>
  %6 = stablehlo.multiply %arg1, %5 : tensor<61xf32>
  return %0#0, %6 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_rule.frexp_0(%arg0: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xi32>) {
  %0 = stablehlo.abs %arg0 : tensor<61xf32>
  %cst = stablehlo.constant dense<1.17549435E-38> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0x4B000000> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %4 = stablehlo.multiply %arg0, %3 : tensor<61xf32>
  %5 = call @f32_rule._where(%2, %4, %arg0) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  %c = stablehlo.constant dense<-23> : tensor<i32>
  %c_1 = stablehlo.constant dense<0> : tensor<i32>
  %6 = call @f32_rule._where_1(%2, %c, %c_1) : (tensor<61xi1>, tensor<i32>, tensor<i32>) -> tensor<61xi32>
  %7 = stablehlo.bitcast_convert %5 : (tensor<61xf32>) -> tensor<61xi32>
  %c_2 = stablehlo.constant dense<23> : tensor<i32>
  %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %9 = stablehlo.shift_right_arithmetic %7, %8 : tensor<61xi32>
  %c_3 = stablehlo.constant dense<255> : tensor<i32>
  %10 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %11 = stablehlo.and %9, %10 : tensor<61xi32>
  %c_4 = stablehlo.constant dense<127> : tensor<i32>
  %12 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %13 = stablehlo.subtract %11, %12 : tensor<61xi32>
  %c_5 = stablehlo.constant dense<1> : tensor<i32>
  %14 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %15 = stablehlo.add %13, %14 : tensor<61xi32>
  %16 = stablehlo.add %6, %15 : tensor<61xi32>
  %c_6 = stablehlo.constant dense<-2139095041> : tensor<i32>
  %17 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %18 = stablehlo.and %7, %17 : tensor<61xi32>
  %c_7 = stablehlo.constant dense<1056964608> : tensor<i32>
  %19 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %20 = stablehlo.or %18, %19 : tensor<61xi32>
  %21 = stablehlo.bitcast_convert %20 : (tensor<61xi32>) -> tensor<61xf32>
  %22 = call @f32_rule.isinf(%arg0) : (tensor<61xf32>) -> tensor<61xi1>
  %23 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %24 = stablehlo.or %22, %23 : tensor<61xi1>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %25 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %26 = stablehlo.compare EQ, %arg0, %25, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %27 = stablehlo.or %24, %26 : tensor<61xi1>
  %c_9 = stablehlo.constant dense<0> : tensor<i32>
  %28 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %29 = call @f32_rule._where_2(%27, %28, %16) : (tensor<61xi1>, tensor<61xi32>, tensor<61xi32>) -> tensor<61xi32>
  %30 = call @f32_rule._where(%27, %arg0, %21) : (tensor<61xi1>, tensor<61xf32>, tensor<61xf32>) -> tensor<61xf32>
  return %30, %29 : tensor<61xf32>, tensor<61xi32>
}
func.func private @f32_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf32>, %arg2: tensor<61xf32>) -> tensor<61xf32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf32>
  return %0 : tensor<61xf32>
}
func.func private @f32_rule._where_1(%arg0: tensor<61xi1>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<61xi32> {
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i32>) -> tensor<61xi32>
  %2 = stablehlo.select %arg0, %0, %1 : tensor<61xi1>, tensor<61xi32>
  return %2 : tensor<61xi32>
}
func.func private @f32_rule.isinf(%arg0: tensor<61xf32>) -> tensor<61xi1> {
  %0 = stablehlo.abs %arg0 : tensor<61xf32>
  %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  return %2 : tensor<61xi1>
}
func.func private @f32_rule._where_2(%arg0: tensor<61xi1>, %arg1: tensor<61xi32>, %arg2: tensor<61xi32>) -> tensor<61xi32> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi32>
  return %0 : tensor<61xi32>
}
func.func public @f64(%arg0: tensor<61xf64>) -> (tensor<61xf64>) {
  %0 = call @f64.frexp(%arg0) : (tensor<61xf64>) -> tensor<61xf64>
  return %0 : tensor<61xf64>
}
func.func private @f64.frexp(%arg0: tensor<61xf64>) -> tensor<61xf64> {
  %0 = stablehlo.abs %arg0 : tensor<61xf64>
  %cst = stablehlo.constant dense<2.2250738585072014E-308> : tensor<f64>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0x4330000000000000> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %4 = stablehlo.multiply %arg0, %3 : tensor<61xf64>
  %5 = call @f64._where(%2, %4, %arg0) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>) -> tensor<61xf64>
  %6 = stablehlo.bitcast_convert %5 : (tensor<61xf64>) -> tensor<61xi64>
  %c = stablehlo.constant dense<-9218868437227405313> : tensor<i64>
  %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %8 = stablehlo.and %6, %7 : tensor<61xi64>
  %c_1 = stablehlo.constant dense<4602678819172646912> : tensor<i64>
  %9 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %10 = stablehlo.or %8, %9 : tensor<61xi64>
  %11 = stablehlo.bitcast_convert %10 : (tensor<61xi64>) -> tensor<61xf64>
  %12 = call @f64.isinf(%arg0) : (tensor<61xf64>) -> tensor<61xi1>
  %13 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %14 = stablehlo.or %12, %13 : tensor<61xi1>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %16 = stablehlo.compare EQ, %arg0, %15, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %17 = stablehlo.or %14, %16 : tensor<61xi1>
  %18 = call @f64._where(%17, %arg0, %11) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>) -> tensor<61xf64>
  return %18 : tensor<61xf64>
}
func.func private @f64._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>) -> tensor<61xf64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf64>
  return %0 : tensor<61xf64>
}
func.func private @f64.isinf(%arg0: tensor<61xf64>) -> tensor<61xi1> {
  %0 = stablehlo.abs %arg0 : tensor<61xf64>
  %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  return %2 : tensor<61xi1>
}
func.func public @f64_rule(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %0:2 = call @f64_rule.frexp(%arg0, %arg1) : (tensor<61xf64>, tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>)
  return %0#0, %0#1 : tensor<61xf64>, tensor<61xf64>
}
func.func private @f64_rule.frexp(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %0:2 = call @f64_rule.frexp_0(%arg0) : (tensor<61xf64>) -> (tensor<61xf64>, tensor<61xi32>)
  %1 = stablehlo.convert %0#1 : (tensor<61xi32>) -> tensor<61xf64>
  %2 = stablehlo.negate %1 : tensor<61xf64>
  %cst = stablehlo.constant dense<0.69314718055994529> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %4 = stablehlo.multiply %3, %2 : tensor<61xf64>
  %5 = stablehlo.exponential %4 : tensor<61xf64>
  %6 = stablehlo.multiply %arg1, %5 : tensor<61xf64>
  return %0#0, %6 : tensor<61xf64>, tensor<61xf64>
}
func.func private @f64_rule.frexp_0(%arg0: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xi32>) {
  %0 = stablehlo.abs %arg0 : tensor<61xf64>
  %cst = stablehlo.constant dense<2.2250738585072014E-308> : tensor<f64>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_0 = stablehlo.constant dense<0x4330000000000000> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %4 = stablehlo.multiply %arg0, %3 : tensor<61xf64>
  %5 = call @f64_rule._where(%2, %4, %arg0) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>) -> tensor<61xf64>
  %c = stablehlo.constant dense<-52> : tensor<i64>
  %c_1 = stablehlo.constant dense<0> : tensor<i64>
  %6 = call @f64_rule._where_1(%2, %c, %c_1) : (tensor<61xi1>, tensor<i64>, tensor<i64>) -> tensor<61xi64>
  %7 = stablehlo.bitcast_convert %5 : (tensor<61xf64>) -> tensor<61xi64>
  %c_2 = stablehlo.constant dense<52> : tensor<i64>
  %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %9 = stablehlo.shift_right_arithmetic %7, %8 : tensor<61xi64>
  %c_3 = stablehlo.constant dense<2047> : tensor<i64>
  %10 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %11 = stablehlo.and %9, %10 : tensor<61xi64>
  %c_4 = stablehlo.constant dense<1023> : tensor<i64>
  %12 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %13 = stablehlo.subtract %11, %12 : tensor<61xi64>
  %c_5 = stablehlo.constant dense<1> : tensor<i64>
  %14 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %15 = stablehlo.add %13, %14 : tensor<61xi64>
  %16 = stablehlo.add %6, %15 : tensor<61xi64>
  %c_6 = stablehlo.constant dense<-9218868437227405313> : tensor<i64>
  %17 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %18 = stablehlo.and %7, %17 : tensor<61xi64>
  %c_7 = stablehlo.constant dense<4602678819172646912> : tensor<i64>
  %19 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %20 = stablehlo.or %18, %19 : tensor<61xi64>
  %21 = stablehlo.bitcast_convert %20 : (tensor<61xi64>) -> tensor<61xf64>
  %22 = call @f64_rule.isinf(%arg0) : (tensor<61xf64>) -> tensor<61xi1>
  %23 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %24 = stablehlo.or %22, %23 : tensor<61xi1>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %25 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %26 = stablehlo.compare EQ, %arg0, %25, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %27 = stablehlo.or %24, %26 : tensor<61xi1>
  %c_9 = stablehlo.constant dense<0> : tensor<i64>
  %28 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %29 = call @f64_rule._where_2(%27, %28, %16) : (tensor<61xi1>, tensor<61xi64>, tensor<61xi64>) -> tensor<61xi64>
  %30 = call @f64_rule._where(%27, %arg0, %21) : (tensor<61xi1>, tensor<61xf64>, tensor<61xf64>) -> tensor<61xf64>
  %31 = stablehlo.convert %29 : (tensor<61xi64>) -> tensor<61xi32>
  return %30, %31 : tensor<61xf64>, tensor<61xi32>
}
func.func private @f64_rule._where(%arg0: tensor<61xi1>, %arg1: tensor<61xf64>, %arg2: tensor<61xf64>) -> tensor<61xf64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xf64>
  return %0 : tensor<61xf64>
}
func.func private @f64_rule._where_1(%arg0: tensor<61xi1>, %arg1: tensor<i64>, %arg2: tensor<i64>) -> tensor<61xi64> {
  %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i64>) -> tensor<61xi64>
  %2 = stablehlo.select %arg0, %0, %1 : tensor<61xi1>, tensor<61xi64>
  return %2 : tensor<61xi64>
}
func.func private @f64_rule.isinf(%arg0: tensor<61xf64>) -> tensor<61xi1> {
  %0 = stablehlo.abs %arg0 : tensor<61xf64>
  %cst = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
  %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  return %2 : tensor<61xi1>
}
func.func private @f64_rule._where_2(%arg0: tensor<61xi1>, %arg1: tensor<61xi64>, %arg2: tensor<61xi64>) -> tensor<61xi64> {
  %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<61xi1>, tensor<61xi64>
  return %0 : tensor<61xi64>
}
