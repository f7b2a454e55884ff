// dawsn, as JAX 0.10.2 lowers it and its derivative; written by generate.py.

func.func public @f32(%arg0: tensor<61xf32>) -> (tensor<61xf32>) {
  %cst = stablehlo.constant dense<[1.13681495E-11, 8.49262271E-10, 1.94434211E-8, 9.53151754E-7, 3.07828304E-6, 3.52513365E-4, -8.50149838E-4, 0.042261824, -0.0917480364, 1.000000e+00]> : tensor<10xf32>
  %cst_0 = stablehlo.constant dense<[2.4037208E-11, 1.48864676E-9, 5.21265271E-8, 1.27258477E-6, 2.32490256E-5, 3.25524743E-4, 0.00348805822, 0.0279448535, 0.158874243, 0.574918628, 1.000000e+00]> : tensor<11xf32>
  %cst_1 = stablehlo.constant dense<[0.508955181, -0.244754419, 0.0941512361, -0.0218711253, 0.00366207608, -4.23209101E-4, 3.59641308E-5, -2.14640363E-6, 9.10010768E-8, -2.40274511E-9, 3.59233372E-11]> : tensor<11xf32>
  %cst_2 = stablehlo.constant dense<[1.000000e+00, -0.631839871, 0.236706793, -0.053180635, 0.00848041754, -9.47996741E-4, 7.81025592E-5, -4.5587517E-6, 1.89100362E-7, -4.9132467E-9, 7.18466397E-11]> : tensor<11xf32>
  %cst_3 = stablehlo.constant dense<[-0.590592861, 0.629235268, -0.172858968, 0.0164837055, -4.86827601E-4]> : tensor<5xf32>
  %cst_4 = stablehlo.constant dense<[1.000000e+00, -2.69820046, 1.73270798, -0.393708587, 0.0344278924, -9.73655202E-4]> : tensor<6xf32>
  %0 = stablehlo.sign %arg0 : tensor<61xf32>
  %1 = stablehlo.abs %arg0 : tensor<61xf32>
  %2 = chlo.square %1 : tensor<61xf32> -> tensor<61xf32>
  %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %4 = stablehlo.divide %3, %2 : tensor<61xf32>
  %cst_6 = stablehlo.constant dense<3.250000e+00> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.compare LT, %1, %5, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %7 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %8 = stablehlo.select %6, %1, %7 : tensor<61xi1>, tensor<61xf32>
  %9 = chlo.square %8 : tensor<61xf32> -> tensor<61xf32>
  %10 = call @f32.polyval(%cst, %9) : (tensor<10xf32>, tensor<61xf32>) -> tensor<61xf32>
  %11 = stablehlo.multiply %8, %10 : tensor<61xf32>
  %12 = call @f32.polyval_0(%cst_0, %9) : (tensor<11xf32>, tensor<61xf32>) -> tensor<61xf32>
  %13 = stablehlo.divide %11, %12 : tensor<61xf32>
  %cst_8 = stablehlo.constant dense<3.250000e+00> : tensor<f32>
  %14 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.compare GE, %1, %14, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_9 = stablehlo.constant dense<6.250000e+00> : tensor<f32>
  %16 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %17 = stablehlo.compare LT, %1, %16, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %18 = stablehlo.and %15, %17 : tensor<61xi1>
  %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %19 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %20 = stablehlo.select %18, %4, %19 : tensor<61xi1>, tensor<61xf32>
  %cst_11 = stablehlo.constant dense<3.250000e+00> : tensor<f32>
  %21 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %22 = stablehlo.compare GE, %1, %21, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_12 = stablehlo.constant dense<6.250000e+00> : tensor<f32>
  %23 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %24 = stablehlo.compare LT, %1, %23, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %25 = stablehlo.and %22, %24 : tensor<61xi1>
  %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %26 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %27 = stablehlo.select %25, %1, %26 : tensor<61xi1>, tensor<61xf32>
  %cst_14 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %28 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %29 = stablehlo.divide %28, %27 : tensor<61xf32>
  %30 = call @f32.polyval_0(%cst_1, %20) : (tensor<11xf32>, tensor<61xf32>) -> tensor<61xf32>
  %31 = stablehlo.multiply %20, %30 : tensor<61xf32>
  %32 = call @f32.polyval_0(%cst_2, %20) : (tensor<11xf32>, tensor<61xf32>) -> tensor<61xf32>
  %33 = stablehlo.divide %31, %32 : tensor<61xf32>
  %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %34 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %35 = stablehlo.add %34, %33 : tensor<61xf32>
  %36 = stablehlo.multiply %29, %35 : tensor<61xf32>
  %cst_16 = stablehlo.constant dense<6.250000e+00> : tensor<f32>
  %37 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %38 = stablehlo.compare GE, %1, %37, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %39 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %40 = stablehlo.select %38, %4, %39 : tensor<61xi1>, tensor<61xf32>
  %cst_18 = stablehlo.constant dense<6.250000e+00> : tensor<f32>
  %41 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %42 = stablehlo.compare GE, %1, %41, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %43 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %44 = stablehlo.select %42, %1, %43 : tensor<61xi1>, tensor<61xf32>
  %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %45 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %46 = stablehlo.divide %45, %44 : tensor<61xf32>
  %47 = call @f32.polyval_2(%cst_3, %40) : (tensor<5xf32>, tensor<61xf32>) -> tensor<61xf32>
  %48 = stablehlo.multiply %40, %47 : tensor<61xf32>
  %49 = call @f32.polyval_4(%cst_4, %40) : (tensor<6xf32>, tensor<61xf32>) -> tensor<61xf32>
  %50 = stablehlo.divide %48, %49 : tensor<61xf32>
  %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %51 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %52 = stablehlo.add %51, %50 : tensor<61xf32>
  %53 = stablehlo.multiply %46, %52 : tensor<61xf32>
  %cst_22 = stablehlo.constant dense<3.250000e+00> : tensor<f32>
  %54 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %55 = stablehlo.compare LT, %1, %54, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_23 = stablehlo.constant dense<6.250000e+00> : tensor<f32>
  %56 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %57 = stablehlo.compare LT, %1, %56, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %58 = stablehlo.select %57, %36, %53 : tensor<61xi1>, tensor<61xf32>
  %59 = stablehlo.select %55, %13, %58 : tensor<61xi1>, tensor<61xf32>
  %60 = stablehlo.multiply %0, %59 : tensor<61xf32>
  return %60 : tensor<61xf32>
}
func.func private @f32.polyval(%arg0: tensor<10xf32>, %arg1: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<10xf32>) -> tensor<0xf32>
  %2 = stablehlo.slice %arg0 [0:10] : (tensor<10xf32>) -> tensor<10xf32>
  %3 = stablehlo.slice %2 [0:1] : (tensor<10xf32>) -> tensor<1xf32>
  %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
  %5 = call @f32.closed_call(%arg1, %0, %4) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.slice %2 [1:2] : (tensor<10xf32>) -> tensor<1xf32>
  %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
  %8 = call @f32.closed_call(%arg1, %5, %7) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %9 = stablehlo.slice %2 [2:3] : (tensor<10xf32>) -> tensor<1xf32>
  %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
  %11 = call @f32.closed_call(%arg1, %8, %10) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.slice %2 [3:4] : (tensor<10xf32>) -> tensor<1xf32>
  %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
  %14 = call @f32.closed_call(%arg1, %11, %13) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.slice %2 [4:5] : (tensor<10xf32>) -> tensor<1xf32>
  %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
  %17 = call @f32.closed_call(%arg1, %14, %16) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %18 = stablehlo.slice %2 [5:6] : (tensor<10xf32>) -> tensor<1xf32>
  %19 = stablehlo.reshape %18 : (tensor<1xf32>) -> tensor<f32>
  %20 = call @f32.closed_call(%arg1, %17, %19) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %21 = stablehlo.slice %2 [6:7] : (tensor<10xf32>) -> tensor<1xf32>
  %22 = stablehlo.reshape %21 : (tensor<1xf32>) -> tensor<f32>
  %23 = call @f32.closed_call(%arg1, %20, %22) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %24 = stablehlo.slice %2 [7:8] : (tensor<10xf32>) -> tensor<1xf32>
  %25 = stablehlo.reshape %24 : (tensor<1xf32>) -> tensor<f32>
  %26 = call @f32.closed_call(%arg1, %23, %25) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %27 = stablehlo.slice %2 [8:9] : (tensor<10xf32>) -> tensor<1xf32>
  %28 = stablehlo.reshape %27 : (tensor<1xf32>) -> tensor<f32>
  %29 = call @f32.closed_call(%arg1, %26, %28) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %30 = stablehlo.slice %2 [9:10] : (tensor<10xf32>) -> tensor<1xf32>
  %31 = stablehlo.reshape %30 : (tensor<1xf32>) -> tensor<f32>
  %32 = call @f32.closed_call(%arg1, %29, %31) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  return %32 : tensor<61xf32>
}
func.func private @f32.closed_call(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<f32>) -> tensor<61xf32> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf32>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.add %0, %1 : tensor<61xf32>
  return %2 : tensor<61xf32>
}
func.func private @f32.polyval_0(%arg0: tensor<11xf32>, %arg1: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<11xf32>) -> tensor<0xf32>
  %2 = stablehlo.slice %arg0 [0:11] : (tensor<11xf32>) -> tensor<11xf32>
  %3 = stablehlo.slice %2 [0:1] : (tensor<11xf32>) -> tensor<1xf32>
  %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
  %5 = call @f32.closed_call_1(%arg1, %0, %4) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.slice %2 [1:2] : (tensor<11xf32>) -> tensor<1xf32>
  %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
  %8 = call @f32.closed_call_1(%arg1, %5, %7) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %9 = stablehlo.slice %2 [2:3] : (tensor<11xf32>) -> tensor<1xf32>
  %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
  %11 = call @f32.closed_call_1(%arg1, %8, %10) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.slice %2 [3:4] : (tensor<11xf32>) -> tensor<1xf32>
  %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
  %14 = call @f32.closed_call_1(%arg1, %11, %13) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.slice %2 [4:5] : (tensor<11xf32>) -> tensor<1xf32>
  %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
  %17 = call @f32.closed_call_1(%arg1, %14, %16) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %18 = stablehlo.slice %2 [5:6] : (tensor<11xf32>) -> tensor<1xf32>
  %19 = stablehlo.reshape %18 : (tensor<1xf32>) -> tensor<f32>
  %20 = call @f32.closed_call_1(%arg1, %17, %19) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %21 = stablehlo.slice %2 [6:7] : (tensor<11xf32>) -> tensor<1xf32>
  %22 = stablehlo.reshape %21 : (tensor<1xf32>) -> tensor<f32>
  %23 = call @f32.closed_call_1(%arg1, %20, %22) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %24 = stablehlo.slice %2 [7:8] : (tensor<11xf32>) -> tensor<1xf32>
  %25 = stablehlo.reshape %24 : (tensor<1xf32>) -> tensor<f32>
  %26 = call @f32.closed_call_1(%arg1, %23, %25) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %27 = stablehlo.slice %2 [8:9] : (tensor<11xf32>) -> tensor<1xf32>
  %28 = stablehlo.reshape %27 : (tensor<1xf32>) -> tensor<f32>
  %29 = call @f32.closed_call_1(%arg1, %26, %28) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %30 = stablehlo.slice %2 [9:10] : (tensor<11xf32>) -> tensor<1xf32>
  %31 = stablehlo.reshape %30 : (tensor<1xf32>) -> tensor<f32>
  %32 = call @f32.closed_call_1(%arg1, %29, %31) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %33 = stablehlo.slice %2 [10:11] : (tensor<11xf32>) -> tensor<1xf32>
  %34 = stablehlo.reshape %33 : (tensor<1xf32>) -> tensor<f32>
  %35 = call @f32.closed_call_1(%arg1, %32, %34) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  return %35 : tensor<61xf32>
}
func.func private @f32.closed_call_1(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<f32>) -> tensor<61xf32> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf32>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.add %0, %1 : tensor<61xf32>
  return %2 : tensor<61xf32>
}
func.func private @f32.polyval_2(%arg0: tensor<5xf32>, %arg1: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<5xf32>) -> tensor<0xf32>
  %2 = stablehlo.slice %arg0 [0:5] : (tensor<5xf32>) -> tensor<5xf32>
  %3 = stablehlo.slice %2 [0:1] : (tensor<5xf32>) -> tensor<1xf32>
  %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
  %5 = call @f32.closed_call_3(%arg1, %0, %4) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.slice %2 [1:2] : (tensor<5xf32>) -> tensor<1xf32>
  %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
  %8 = call @f32.closed_call_3(%arg1, %5, %7) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %9 = stablehlo.slice %2 [2:3] : (tensor<5xf32>) -> tensor<1xf32>
  %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
  %11 = call @f32.closed_call_3(%arg1, %8, %10) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.slice %2 [3:4] : (tensor<5xf32>) -> tensor<1xf32>
  %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
  %14 = call @f32.closed_call_3(%arg1, %11, %13) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.slice %2 [4:5] : (tensor<5xf32>) -> tensor<1xf32>
  %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
  %17 = call @f32.closed_call_3(%arg1, %14, %16) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  return %17 : tensor<61xf32>
}
func.func private @f32.closed_call_3(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<f32>) -> tensor<61xf32> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf32>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.add %0, %1 : tensor<61xf32>
  return %2 : tensor<61xf32>
}
func.func private @f32.polyval_4(%arg0: tensor<6xf32>, %arg1: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<6xf32>) -> tensor<0xf32>
  %2 = stablehlo.slice %arg0 [0:6] : (tensor<6xf32>) -> tensor<6xf32>
  %3 = stablehlo.slice %2 [0:1] : (tensor<6xf32>) -> tensor<1xf32>
  %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
  %5 = call @f32.closed_call_5(%arg1, %0, %4) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.slice %2 [1:2] : (tensor<6xf32>) -> tensor<1xf32>
  %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
  %8 = call @f32.closed_call_5(%arg1, %5, %7) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %9 = stablehlo.slice %2 [2:3] : (tensor<6xf32>) -> tensor<1xf32>
  %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
  %11 = call @f32.closed_call_5(%arg1, %8, %10) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.slice %2 [3:4] : (tensor<6xf32>) -> tensor<1xf32>
  %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
  %14 = call @f32.closed_call_5(%arg1, %11, %13) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.slice %2 [4:5] : (tensor<6xf32>) -> tensor<1xf32>
  %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
  %17 = call @f32.closed_call_5(%arg1, %14, %16) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %18 = stablehlo.slice %2 [5:6] : (tensor<6xf32>) -> tensor<1xf32>
  %19 = stablehlo.reshape %18 : (tensor<1xf32>) -> tensor<f32>
  %20 = call @f32.closed_call_5(%arg1, %17, %19) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  return %20 : tensor<61xf32>
}
func.func private @f32.closed_call_5(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<f32>) -> tensor<61xf32> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf32>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.add %0, %1 : tensor<61xf32>
  return %2 : tensor<61xf32>
}
func.func public @f32_rule(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>) -> (tensor<61xf32>, tensor<61xf32>) {
  %cst = stablehlo.constant dense<[1.13681495E-11, 8.49262271E-10, 1.94434211E-8, 9.53151754E-7, 3.07828304E-6, 3.52513365E-4, -8.50149838E-4, 0.042261824, -0.0917480364, 1.000000e+00]> : tensor<10xf32>
  %cst_0 = stablehlo.constant dense<[2.4037208E-11, 1.48864676E-9, 5.21265271E-8, 1.27258477E-6, 2.32490256E-5, 3.25524743E-4, 0.00348805822, 0.0279448535, 0.158874243, 0.574918628, 1.000000e+00]> : tensor<11xf32>
  %cst_1 = stablehlo.constant dense<[0.508955181, -0.244754419, 0.0941512361, -0.0218711253, 0.00366207608, -4.23209101E-4, 3.59641308E-5, -2.14640363E-6, 9.10010768E-8, -2.40274511E-9, 3.59233372E-11]> : tensor<11xf32>
  %cst_2 = stablehlo.constant dense<[1.000000e+00, -0.631839871, 0.236706793, -0.053180635, 0.00848041754, -9.47996741E-4, 7.81025592E-5, -4.5587517E-6, 1.89100362E-7, -4.9132467E-9, 7.18466397E-11]> : tensor<11xf32>
  %cst_3 = stablehlo.constant dense<[-0.590592861, 0.629235268, -0.172858968, 0.0164837055, -4.86827601E-4]> : tensor<5xf32>
  %cst_4 = stablehlo.constant dense<[1.000000e+00, -2.69820046, 1.73270798, -0.393708587, 0.0344278924, -9.73655202E-4]> : tensor<6xf32>
  %0 = stablehlo.sign %arg0 : tensor<61xf32>
  %1 = stablehlo.abs %arg0 : tensor<61xf32>
  %2 = chlo.square %1 : tensor<61xf32> -> tensor<61xf32>
  %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %3 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %4 = stablehlo.divide %3, %2 : tensor<61xf32>
  %cst_6 = stablehlo.constant dense<3.250000e+00> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.compare LT, %1, %5, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %7 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %8 = stablehlo.select %6, %1, %7 : tensor<61xi1>, tensor<61xf32>
  %9 = chlo.square %8 : tensor<61xf32> -> tensor<61xf32>
  %10 = call @f32_rule.polyval(%cst, %9) : (tensor<10xf32>, tensor<61xf32>) -> tensor<61xf32>
  %11 = stablehlo.multiply %8, %10 : tensor<61xf32>
  %12 = call @f32_rule.polyval_0(%cst_0, %9) : (tensor<11xf32>, tensor<61xf32>) -> tensor<61xf32>
  %13 = stablehlo.divide %11, %12 : tensor<61xf32>
  %cst_8 = stablehlo.constant dense<3.250000e+00> : tensor<f32>
  %14 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.compare GE, %1, %14, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_9 = stablehlo.constant dense<6.250000e+00> : tensor<f32>
  %16 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %17 = stablehlo.compare LT, %1, %16, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %18 = stablehlo.and %15, %17 : tensor<61xi1>
  %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %19 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %20 = stablehlo.select %18, %4, %19 : tensor<61xi1>, tensor<61xf32>
  %cst_11 = stablehlo.constant dense<3.250000e+00> : tensor<f32>
  %21 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %22 = stablehlo.compare GE, %1, %21, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_12 = stablehlo.constant dense<6.250000e+00> : tensor<f32>
  %23 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %24 = stablehlo.compare LT, %1, %23, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %25 = stablehlo.and %22, %24 : tensor<61xi1>
  %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %26 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %27 = stablehlo.select %25, %1, %26 : tensor<61xi1>, tensor<61xf32>
  %cst_14 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %28 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %29 = stablehlo.divide %28, %27 : tensor<61xf32>
  %30 = call @f32_rule.polyval_0(%cst_1, %20) : (tensor<11xf32>, tensor<61xf32>) -> tensor<61xf32>
  %31 = stablehlo.multiply %20, %30 : tensor<61xf32>
  %32 = call @f32_rule.polyval_0(%cst_2, %20) : (tensor<11xf32>, tensor<61xf32>) -> tensor<61xf32>
  %33 = stablehlo.divide %31, %32 : tensor<61xf32>
  %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %34 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %35 = stablehlo.add %34, %33 : tensor<61xf32>
  %36 = stablehlo.multiply %29, %35 : tensor<61xf32>
  %cst_16 = stablehlo.constant dense<6.250000e+00> : tensor<f32>
  %37 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %38 = stablehlo.compare GE, %1, %37, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %39 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %40 = stablehlo.select %38, %4, %39 : tensor<61xi1>, tensor<61xf32>
  %cst_18 = stablehlo.constant dense<6.250000e+00> : tensor<f32>
  %41 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %42 = stablehlo.compare GE, %1, %41, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %43 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %44 = stablehlo.select %42, %1, %43 : tensor<61xi1>, tensor<61xf32>
  %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
  %45 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %46 = stablehlo.divide %45, %44 : tensor<61xf32>
  %47 = call @f32_rule.polyval_2(%cst_3, %40) : (tensor<5xf32>, tensor<61xf32>) -> tensor<61xf32>
  %48 = stablehlo.multiply %40, %47 : tensor<61xf32>
  %49 = call @f32_rule.polyval_4(%cst_4, %40) : (tensor<6xf32>, tensor<61xf32>) -> tensor<61xf32>
  %50 = stablehlo.divide %48, %49 : tensor<61xf32>
  %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %51 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %52 = stablehlo.add %51, %50 : tensor<61xf32>
  %53 = stablehlo.multiply %46, %52 : tensor<61xf32>
  %cst_22 = stablehlo.constant dense<3.250000e+00> : tensor<f32>
  %54 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %55 = stablehlo.compare LT, %1, %54, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %cst_23 = stablehlo.constant dense<6.250000e+00> : tensor<f32>
  %56 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %57 = stablehlo.compare LT, %1, %56, FLOAT : (tensor<61xf32>, tensor<61xf32>) -> tensor<61xi1>
  %58 = stablehlo.select %57, %36, %53 : tensor<61xi1>, tensor<61xf32>
  %59 = stablehlo.select %55, %13, %58 : tensor<61xi1>, tensor<61xf32>
  %60 = stablehlo.multiply %0, %59 : tensor<61xf32>
  %cst_24 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
  %61 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %62 = stablehlo.multiply %61, %arg0 : tensor<61xf32>
  %63 = stablehlo.multiply %62, %60 : tensor<61xf32>
  %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %64 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %65 = stablehlo.subtract %64, %63 : tensor<61xf32>
  %66 = stablehlo.multiply %arg1, %65 : tensor<61xf32>
  return %60, %66 : tensor<61xf32>, tensor<61xf32>
}
func.func private @f32_rule.polyval(%arg0: tensor<10xf32>, %arg1: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<10xf32>) -> tensor<0xf32>
  %2 = stablehlo.slice %arg0 [0:10] : (tensor<10xf32>) -> tensor<10xf32>
  %3 = stablehlo.slice %2 [0:1] : (tensor<10xf32>) -> tensor<1xf32>
  %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
  %5 = call @f32_rule.closed_call(%arg1, %0, %4) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.slice %2 [1:2] : (tensor<10xf32>) -> tensor<1xf32>
  %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
  %8 = call @f32_rule.closed_call(%arg1, %5, %7) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %9 = stablehlo.slice %2 [2:3] : (tensor<10xf32>) -> tensor<1xf32>
  %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
  %11 = call @f32_rule.closed_call(%arg1, %8, %10) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.slice %2 [3:4] : (tensor<10xf32>) -> tensor<1xf32>
  %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
  %14 = call @f32_rule.closed_call(%arg1, %11, %13) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.slice %2 [4:5] : (tensor<10xf32>) -> tensor<1xf32>
  %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
  %17 = call @f32_rule.closed_call(%arg1, %14, %16) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %18 = stablehlo.slice %2 [5:6] : (tensor<10xf32>) -> tensor<1xf32>
  %19 = stablehlo.reshape %18 : (tensor<1xf32>) -> tensor<f32>
  %20 = call @f32_rule.closed_call(%arg1, %17, %19) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %21 = stablehlo.slice %2 [6:7] : (tensor<10xf32>) -> tensor<1xf32>
  %22 = stablehlo.reshape %21 : (tensor<1xf32>) -> tensor<f32>
  %23 = call @f32_rule.closed_call(%arg1, %20, %22) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %24 = stablehlo.slice %2 [7:8] : (tensor<10xf32>) -> tensor<1xf32>
  %25 = stablehlo.reshape %24 : (tensor<1xf32>) -> tensor<f32>
  %26 = call @f32_rule.closed_call(%arg1, %23, %25) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %27 = stablehlo.slice %2 [8:9] : (tensor<10xf32>) -> tensor<1xf32>
  %28 = stablehlo.reshape %27 : (tensor<1xf32>) -> tensor<f32>
  %29 = call @f32_rule.closed_call(%arg1, %26, %28) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %30 = stablehlo.slice %2 [9:10] : (tensor<10xf32>) -> tensor<1xf32>
  %31 = stablehlo.reshape %30 : (tensor<1xf32>) -> tensor<f32>
  %32 = call @f32_rule.closed_call(%arg1, %29, %31) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  return %32 : tensor<61xf32>
}
func.func private @f32_rule.closed_call(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<f32>) -> tensor<61xf32> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf32>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.add %0, %1 : tensor<61xf32>
  return %2 : tensor<61xf32>
}
func.func private @f32_rule.polyval_0(%arg0: tensor<11xf32>, %arg1: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<11xf32>) -> tensor<0xf32>
  %2 = stablehlo.slice %arg0 [0:11] : (tensor<11xf32>) -> tensor<11xf32>
  %3 = stablehlo.slice %2 [0:1] : (tensor<11xf32>) -> tensor<1xf32>
  %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
  %5 = call @f32_rule.closed_call_1(%arg1, %0, %4) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.slice %2 [1:2] : (tensor<11xf32>) -> tensor<1xf32>
  %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
  %8 = call @f32_rule.closed_call_1(%arg1, %5, %7) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %9 = stablehlo.slice %2 [2:3] : (tensor<11xf32>) -> tensor<1xf32>
  %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
  %11 = call @f32_rule.closed_call_1(%arg1, %8, %10) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.slice %2 [3:4] : (tensor<11xf32>) -> tensor<1xf32>
  %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
  %14 = call @f32_rule.closed_call_1(%arg1, %11, %13) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.slice %2 [4:5] : (tensor<11xf32>) -> tensor<1xf32>
  %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
  %17 = call @f32_rule.closed_call_1(%arg1, %14, %16) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %18 = stablehlo.slice %2 [5:6] : (tensor<11xf32>) -> tensor<1xf32>
  %19 = stablehlo.reshape %18 : (tensor<1xf32>) -> tensor<f32>
  %20 = call @f32_rule.closed_call_1(%arg1, %17, %19) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %21 = stablehlo.slice %2 [6:7] : (tensor<11xf32>) -> tensor<1xf32>
  %22 = stablehlo.reshape %21 : (tensor<1xf32>) -> tensor<f32>
  %23 = call @f32_rule.closed_call_1(%arg1, %20, %22) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %24 = stablehlo.slice %2 [7:8] : (tensor<11xf32>) -> tensor<1xf32>
  %25 = stablehlo.reshape %24 : (tensor<1xf32>) -> tensor<f32>
  %26 = call @f32_rule.closed_call_1(%arg1, %23, %25) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %27 = stablehlo.slice %2 [8:9] : (tensor<11xf32>) -> tensor<1xf32>
  %28 = stablehlo.reshape %27 : (tensor<1xf32>) -> tensor<f32>
  %29 = call @f32_rule.closed_call_1(%arg1, %26, %28) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %30 = stablehlo.slice %2 [9:10] : (tensor<11xf32>) -> tensor<1xf32>
  %31 = stablehlo.reshape %30 : (tensor<1xf32>) -> tensor<f32>
  %32 = call @f32_rule.closed_call_1(%arg1, %29, %31) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %33 = stablehlo.slice %2 [10:11] : (tensor<11xf32>) -> tensor<1xf32>
  %34 = stablehlo.reshape %33 : (tensor<1xf32>) -> tensor<f32>
  %35 = call @f32_rule.closed_call_1(%arg1, %32, %34) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  return %35 : tensor<61xf32>
}
func.func private @f32_rule.closed_call_1(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<f32>) -> tensor<61xf32> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf32>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.add %0, %1 : tensor<61xf32>
  return %2 : tensor<61xf32>
}
func.func private @f32_rule.polyval_2(%arg0: tensor<5xf32>, %arg1: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<5xf32>) -> tensor<0xf32>
  %2 = stablehlo.slice %arg0 [0:5] : (tensor<5xf32>) -> tensor<5xf32>
  %3 = stablehlo.slice %2 [0:1] : (tensor<5xf32>) -> tensor<1xf32>
  %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
  %5 = call @f32_rule.closed_call_3(%arg1, %0, %4) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.slice %2 [1:2] : (tensor<5xf32>) -> tensor<1xf32>
  %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
  %8 = call @f32_rule.closed_call_3(%arg1, %5, %7) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %9 = stablehlo.slice %2 [2:3] : (tensor<5xf32>) -> tensor<1xf32>
  %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
  %11 = call @f32_rule.closed_call_3(%arg1, %8, %10) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.slice %2 [3:4] : (tensor<5xf32>) -> tensor<1xf32>
  %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
  %14 = call @f32_rule.closed_call_3(%arg1, %11, %13) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.slice %2 [4:5] : (tensor<5xf32>) -> tensor<1xf32>
  %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
  %17 = call @f32_rule.closed_call_3(%arg1, %14, %16) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  return %17 : tensor<61xf32>
}
func.func private @f32_rule.closed_call_3(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<f32>) -> tensor<61xf32> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf32>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.add %0, %1 : tensor<61xf32>
  return %2 : tensor<61xf32>
}
func.func private @f32_rule.polyval_4(%arg0: tensor<6xf32>, %arg1: tensor<61xf32>) -> tensor<61xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<6xf32>) -> tensor<0xf32>
  %2 = stablehlo.slice %arg0 [0:6] : (tensor<6xf32>) -> tensor<6xf32>
  %3 = stablehlo.slice %2 [0:1] : (tensor<6xf32>) -> tensor<1xf32>
  %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
  %5 = call @f32_rule.closed_call_5(%arg1, %0, %4) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %6 = stablehlo.slice %2 [1:2] : (tensor<6xf32>) -> tensor<1xf32>
  %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
  %8 = call @f32_rule.closed_call_5(%arg1, %5, %7) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %9 = stablehlo.slice %2 [2:3] : (tensor<6xf32>) -> tensor<1xf32>
  %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
  %11 = call @f32_rule.closed_call_5(%arg1, %8, %10) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %12 = stablehlo.slice %2 [3:4] : (tensor<6xf32>) -> tensor<1xf32>
  %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
  %14 = call @f32_rule.closed_call_5(%arg1, %11, %13) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %15 = stablehlo.slice %2 [4:5] : (tensor<6xf32>) -> tensor<1xf32>
  %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
  %17 = call @f32_rule.closed_call_5(%arg1, %14, %16) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  %18 = stablehlo.slice %2 [5:6] : (tensor<6xf32>) -> tensor<1xf32>
  %19 = stablehlo.reshape %18 : (tensor<1xf32>) -> tensor<f32>
  %20 = call @f32_rule.closed_call_5(%arg1, %17, %19) : (tensor<61xf32>, tensor<61xf32>, tensor<f32>) -> tensor<61xf32>
  return %20 : tensor<61xf32>
}
func.func private @f32_rule.closed_call_5(%arg0: tensor<61xf32>, %arg1: tensor<61xf32>, %arg2: tensor<f32>) -> tensor<61xf32> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf32>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<61xf32>
  %2 = stablehlo.add %0, %1 : tensor<61xf32>
  return %2 : tensor<61xf32>
}
func.func public @f64(%arg0: tensor<61xf64>) -> (tensor<61xf64>) {
  %cst = stablehlo.constant dense<[1.1368149897175597E-11, 8.4926226766747382E-10, 1.9443420417555306E-8, 9.5315174125448438E-7, 3.0782830987491322E-6, 3.5251336852028877E-4, -8.5014984672441087E-4, 0.042261822300554662, -0.09174803717734524, 1.000000e+00]> : tensor<10xf64>
  %cst_0 = stablehlo.constant dense<[2.4037207306676261E-11, 1.488646813684934E-9, 5.2126528101054163E-8, 1.2725847827318697E-6, 2.324902498207895E-5, 3.2552474182605793E-4, 0.003488058146571626, 0.027944853119882897, 0.15887424196012057, 0.57491862948932038, 1.000000e+00]> : tensor<11xf64>
  %cst_1 = stablehlo.constant dense<[0.5089551564179009, -0.24475441814269785, 0.094151233530353443, -0.021871125514203903, 0.003662076123295692, -4.2320911446038878E-4, 3.5964130479389666E-5, -2.1464035171996896E-6, 9.1001078007639139E-8, -2.4027452082825098E-9, 3.5923338544092839E-11]> : tensor<11xf64>
  %cst_2 = stablehlo.constant dense<[1.000000e+00, -0.63183986987336815, 0.2367067882282487, -0.053180636700322324, 0.008480417185862954, -9.4799676848666535E-4, 7.8102559294455237E-5, -4.5587515325244263E-6, 1.8910035811142186E-7, -4.913246913319206E-9, 7.1846640323573451E-11]> : tensor<11xf64>
  %cst_3 = stablehlo.constant dense<[-0.59059286053477322, 0.62923524272436882, -0.17285897538038814, 0.016483704782518965, -4.8682761302046269E-4]> : tensor<5xf64>
  %cst_4 = stablehlo.constant dense<[1.000000e+00, -2.6982005719754492, 1.7327079904594784, -0.3937085822819395, 0.034427892404123341, -9.736552260409412E-4]> : tensor<6xf64>
  %0 = stablehlo.sign %arg0 : tensor<61xf64>
  %1 = stablehlo.abs %arg0 : tensor<61xf64>
  %2 = chlo.square %1 : tensor<61xf64> -> tensor<61xf64>
  %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %4 = stablehlo.divide %3, %2 : tensor<61xf64>
  %cst_6 = stablehlo.constant dense<3.250000e+00> : tensor<f64>
  %5 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.compare LT, %1, %5, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %7 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %8 = stablehlo.select %6, %1, %7 : tensor<61xi1>, tensor<61xf64>
  %9 = chlo.square %8 : tensor<61xf64> -> tensor<61xf64>
  %10 = call @f64.polyval(%cst, %9) : (tensor<10xf64>, tensor<61xf64>) -> tensor<61xf64>
  %11 = stablehlo.multiply %8, %10 : tensor<61xf64>
  %12 = call @f64.polyval_0(%cst_0, %9) : (tensor<11xf64>, tensor<61xf64>) -> tensor<61xf64>
  %13 = stablehlo.divide %11, %12 : tensor<61xf64>
  %cst_8 = stablehlo.constant dense<3.250000e+00> : tensor<f64>
  %14 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.compare GE, %1, %14, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_9 = stablehlo.constant dense<6.250000e+00> : tensor<f64>
  %16 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %17 = stablehlo.compare LT, %1, %16, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %18 = stablehlo.and %15, %17 : tensor<61xi1>
  %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %19 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %20 = stablehlo.select %18, %4, %19 : tensor<61xi1>, tensor<61xf64>
  %cst_11 = stablehlo.constant dense<3.250000e+00> : tensor<f64>
  %21 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %22 = stablehlo.compare GE, %1, %21, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_12 = stablehlo.constant dense<6.250000e+00> : tensor<f64>
  %23 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %24 = stablehlo.compare LT, %1, %23, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %25 = stablehlo.and %22, %24 : tensor<61xi1>
  %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %26 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %27 = stablehlo.select %25, %1, %26 : tensor<61xi1>, tensor<61xf64>
  %cst_14 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
  %28 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %29 = stablehlo.divide %28, %27 : tensor<61xf64>
  %30 = call @f64.polyval_0(%cst_1, %20) : (tensor<11xf64>, tensor<61xf64>) -> tensor<61xf64>
  %31 = stablehlo.multiply %20, %30 : tensor<61xf64>
  %32 = call @f64.polyval_0(%cst_2, %20) : (tensor<11xf64>, tensor<61xf64>) -> tensor<61xf64>
  %33 = stablehlo.divide %31, %32 : tensor<61xf64>
  %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %34 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %35 = stablehlo.add %34, %33 : tensor<61xf64>
  %36 = stablehlo.multiply %29, %35 : tensor<61xf64>
  %cst_16 = stablehlo.constant dense<6.250000e+00> : tensor<f64>
  %37 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %38 = stablehlo.compare GE, %1, %37, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %39 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %40 = stablehlo.select %38, %4, %39 : tensor<61xi1>, tensor<61xf64>
  %cst_18 = stablehlo.constant dense<6.250000e+00> : tensor<f64>
  %41 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %42 = stablehlo.compare GE, %1, %41, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %43 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %44 = stablehlo.select %42, %1, %43 : tensor<61xi1>, tensor<61xf64>
  %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
  %45 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %46 = stablehlo.divide %45, %44 : tensor<61xf64>
  %47 = call @f64.polyval_2(%cst_3, %40) : (tensor<5xf64>, tensor<61xf64>) -> tensor<61xf64>
  %48 = stablehlo.multiply %40, %47 : tensor<61xf64>
  %49 = call @f64.polyval_4(%cst_4, %40) : (tensor<6xf64>, tensor<61xf64>) -> tensor<61xf64>
  %50 = stablehlo.divide %48, %49 : tensor<61xf64>
  %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %51 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %52 = stablehlo.add %51, %50 : tensor<61xf64>
  %53 = stablehlo.multiply %46, %52 : tensor<61xf64>
  %cst_22 = stablehlo.constant dense<3.250000e+00> : tensor<f64>
  %54 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %55 = stablehlo.compare LT, %1, %54, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_23 = stablehlo.constant dense<6.250000e+00> : tensor<f64>
  %56 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %57 = stablehlo.compare LT, %1, %56, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %58 = stablehlo.select %57, %36, %53 : tensor<61xi1>, tensor<61xf64>
  %59 = stablehlo.select %55, %13, %58 : tensor<61xi1>, tensor<61xf64>
  %60 = stablehlo.multiply %0, %59 : tensor<61xf64>
  return %60 : tensor<61xf64>
}
func.func private @f64.polyval(%arg0: tensor<10xf64>, %arg1: tensor<61xf64>) -> tensor<61xf64> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<10xf64>) -> tensor<0xf64>
  %2 = stablehlo.slice %arg0 [0:10] : (tensor<10xf64>) -> tensor<10xf64>
  %3 = stablehlo.slice %2 [0:1] : (tensor<10xf64>) -> tensor<1xf64>
  %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
  %5 = call @f64.closed_call(%arg1, %0, %4) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.slice %2 [1:2] : (tensor<10xf64>) -> tensor<1xf64>
  %7 = stablehlo.reshape %6 : (tensor<1xf64>) -> tensor<f64>
  %8 = call @f64.closed_call(%arg1, %5, %7) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %9 = stablehlo.slice %2 [2:3] : (tensor<10xf64>) -> tensor<1xf64>
  %10 = stablehlo.reshape %9 : (tensor<1xf64>) -> tensor<f64>
  %11 = call @f64.closed_call(%arg1, %8, %10) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %12 = stablehlo.slice %2 [3:4] : (tensor<10xf64>) -> tensor<1xf64>
  %13 = stablehlo.reshape %12 : (tensor<1xf64>) -> tensor<f64>
  %14 = call @f64.closed_call(%arg1, %11, %13) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.slice %2 [4:5] : (tensor<10xf64>) -> tensor<1xf64>
  %16 = stablehlo.reshape %15 : (tensor<1xf64>) -> tensor<f64>
  %17 = call @f64.closed_call(%arg1, %14, %16) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %18 = stablehlo.slice %2 [5:6] : (tensor<10xf64>) -> tensor<1xf64>
  %19 = stablehlo.reshape %18 : (tensor<1xf64>) -> tensor<f64>
  %20 = call @f64.closed_call(%arg1, %17, %19) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %21 = stablehlo.slice %2 [6:7] : (tensor<10xf64>) -> tensor<1xf64>
  %22 = stablehlo.reshape %21 : (tensor<1xf64>) -> tensor<f64>
  %23 = call @f64.closed_call(%arg1, %20, %22) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %24 = stablehlo.slice %2 [7:8] : (tensor<10xf64>) -> tensor<1xf64>
  %25 = stablehlo.reshape %24 : (tensor<1xf64>) -> tensor<f64>
  %26 = call @f64.closed_call(%arg1, %23, %25) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %27 = stablehlo.slice %2 [8:9] : (tensor<10xf64>) -> tensor<1xf64>
  %28 = stablehlo.reshape %27 : (tensor<1xf64>) -> tensor<f64>
  %29 = call @f64.closed_call(%arg1, %26, %28) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %30 = stablehlo.slice %2 [9:10] : (tensor<10xf64>) -> tensor<1xf64>
  %31 = stablehlo.reshape %30 : (tensor<1xf64>) -> tensor<f64>
  %32 = call @f64.closed_call(%arg1, %29, %31) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  return %32 : tensor<61xf64>
}
func.func private @f64.closed_call(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<f64>) -> tensor<61xf64> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf64>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.add %0, %1 : tensor<61xf64>
  return %2 : tensor<61xf64>
}
func.func private @f64.polyval_0(%arg0: tensor<11xf64>, %arg1: tensor<61xf64>) -> tensor<61xf64> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<11xf64>) -> tensor<0xf64>
  %2 = stablehlo.slice %arg0 [0:11] : (tensor<11xf64>) -> tensor<11xf64>
  %3 = stablehlo.slice %2 [0:1] : (tensor<11xf64>) -> tensor<1xf64>
  %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
  %5 = call @f64.closed_call_1(%arg1, %0, %4) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.slice %2 [1:2] : (tensor<11xf64>) -> tensor<1xf64>
  %7 = stablehlo.reshape %6 : (tensor<1xf64>) -> tensor<f64>
  %8 = call @f64.closed_call_1(%arg1, %5, %7) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %9 = stablehlo.slice %2 [2:3] : (tensor<11xf64>) -> tensor<1xf64>
  %10 = stablehlo.reshape %9 : (tensor<1xf64>) -> tensor<f64>
  %11 = call @f64.closed_call_1(%arg1, %8, %10) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %12 = stablehlo.slice %2 [3:4] : (tensor<11xf64>) -> tensor<1xf64>
  %13 = stablehlo.reshape %12 : (tensor<1xf64>) -> tensor<f64>
  %14 = call @f64.closed_call_1(%arg1, %11, %13) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.slice %2 [4:5] : (tensor<11xf64>) -> tensor<1xf64>
  %16 = stablehlo.reshape %15 : (tensor<1xf64>) -> tensor<f64>
  %17 = call @f64.closed_call_1(%arg1, %14, %16) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %18 = stablehlo.slice %2 [5:6] : (tensor<11xf64>) -> tensor<1xf64>
  %19 = stablehlo.reshape %18 : (tensor<1xf64>) -> tensor<f64>
  %20 = call @f64.closed_call_1(%arg1, %17, %19) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %21 = stablehlo.slice %2 [6:7] : (tensor<11xf64>) -> tensor<1xf64>
  %22 = stablehlo.reshape %21 : (tensor<1xf64>) -> tensor<f64>
  %23 = call @f64.closed_call_1(%arg1, %20, %22) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %24 = stablehlo.slice %2 [7:8] : (tensor<11xf64>) -> tensor<1xf64>
  %25 = stablehlo.reshape %24 : (tensor<1xf64>) -> tensor<f64>
  %26 = call @f64.closed_call_1(%arg1, %23, %25) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %27 = stablehlo.slice %2 [8:9] : (tensor<11xf64>) -> tensor<1xf64>
  %28 = stablehlo.reshape %27 : (tensor<1xf64>) -> tensor<f64>
  %29 = call @f64.closed_call_1(%arg1, %26, %28) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %30 = stablehlo.slice %2 [9:10] : (tensor<11xf64>) -> tensor<1xf64>
  %31 = stablehlo.reshape %30 : (tensor<1xf64>) -> tensor<f64>
  %32 = call @f64.closed_call_1(%arg1, %29, %31) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %33 = stablehlo.slice %2 [10:11] : (tensor<11xf64>) -> tensor<1xf64>
  %34 = stablehlo.reshape %33 : (tensor<1xf64>) -> tensor<f64>
  %35 = call @f64.closed_call_1(%arg1, %32, %34) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  return %35 : tensor<61xf64>
}
func.func private @f64.closed_call_1(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<f64>) -> tensor<61xf64> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf64>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.add %0, %1 : tensor<61xf64>
  return %2 : tensor<61xf64>
}
func.func private @f64.polyval_2(%arg0: tensor<5xf64>, %arg1: tensor<61xf64>) -> tensor<61xf64> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<5xf64>) -> tensor<0xf64>
  %2 = stablehlo.slice %arg0 [0:5] : (tensor<5xf64>) -> tensor<5xf64>
  %3 = stablehlo.slice %2 [0:1] : (tensor<5xf64>) -> tensor<1xf64>
  %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
  %5 = call @f64.closed_call_3(%arg1, %0, %4) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.slice %2 [1:2] : (tensor<5xf64>) -> tensor<1xf64>
  %7 = stablehlo.reshape %6 : (tensor<1xf64>) -> tensor<f64>
  %8 = call @f64.closed_call_3(%arg1, %5, %7) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %9 = stablehlo.slice %2 [2:3] : (tensor<5xf64>) -> tensor<1xf64>
  %10 = stablehlo.reshape %9 : (tensor<1xf64>) -> tensor<f64>
  %11 = call @f64.closed_call_3(%arg1, %8, %10) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %12 = stablehlo.slice %2 [3:4] : (tensor<5xf64>) -> tensor<1xf64>
  %13 = stablehlo.reshape %12 : (tensor<1xf64>) -> tensor<f64>
  %14 = call @f64.closed_call_3(%arg1, %11, %13) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.slice %2 [4:5] : (tensor<5xf64>) -> tensor<1xf64>
  %16 = stablehlo.reshape %15 : (tensor<1xf64>) -> tensor<f64>
  %17 = call @f64.closed_call_3(%arg1, %14, %16) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  return %17 : tensor<61xf64>
}
func.func private @f64.closed_call_3(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<f64>) -> tensor<61xf64> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf64>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.add %0, %1 : tensor<61xf64>
  return %2 : tensor<61xf64>
}
func.func private @f64.polyval_4(%arg0: tensor<6xf64>, %arg1: tensor<61xf64>) -> tensor<61xf64> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<6xf64>) -> tensor<0xf64>
  %2 = stablehlo.slice %arg0 [0:6] : (tensor<6xf64>) -> tensor<6xf64>
  %3 = stablehlo.slice %2 [0:1] : (tensor<6xf64>) -> tensor<1xf64>
  %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
  %5 = call @f64.closed_call_5(%arg1, %0, %4) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.slice %2 [1:2] : (tensor<6xf64>) -> tensor<1xf64>
  %7 = stablehlo.reshape %6 : (tensor<1xf64>) -> tensor<f64>
  %8 = call @f64.closed_call_5(%arg1, %5, %7) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %9 = stablehlo.slice %2 [2:3] : (tensor<6xf64>) -> tensor<1xf64>
  %10 = stablehlo.reshape %9 : (tensor<1xf64>) -> tensor<f64>
  %11 = call @f64.closed_call_5(%arg1, %8, %10) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %12 = stablehlo.slice %2 [3:4] : (tensor<6xf64>) -> tensor<1xf64>
  %13 = stablehlo.reshape %12 : (tensor<1xf64>) -> tensor<f64>
  %14 = call @f64.closed_call_5(%arg1, %11, %13) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.slice %2 [4:5] : (tensor<6xf64>) -> tensor<1xf64>
  %16 = stablehlo.reshape %15 : (tensor<1xf64>) -> tensor<f64>
  %17 = call @f64.closed_call_5(%arg1, %14, %16) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %18 = stablehlo.slice %2 [5:6] : (tensor<6xf64>) -> tensor<1xf64>
  %19 = stablehlo.reshape %18 : (tensor<1xf64>) -> tensor<f64>
  %20 = call @f64.closed_call_5(%arg1, %17, %19) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  return %20 : tensor<61xf64>
}
func.func private @f64.closed_call_5(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<f64>) -> tensor<61xf64> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf64>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.add %0, %1 : tensor<61xf64>
  return %2 : tensor<61xf64>
}
func.func public @f64_rule(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>) -> (tensor<61xf64>, tensor<61xf64>) {
  %cst = stablehlo.constant dense<[1.1368149897175597E-11, 8.4926226766747382E-10, 1.9443420417555306E-8, 9.5315174125448438E-7, 3.0782830987491322E-6, 3.5251336852028877E-4, -8.5014984672441087E-4, 0.042261822300554662, -0.09174803717734524, 1.000000e+00]> : tensor<10xf64>
  %cst_0 = stablehlo.constant dense<[2.4037207306676261E-11, 1.488646813684934E-9, 5.2126528101054163E-8, 1.2725847827318697E-6, 2.324902498207895E-5, 3.2552474182605793E-4, 0.003488058146571626, 0.027944853119882897, 0.15887424196012057, 0.57491862948932038, 1.000000e+00]> : tensor<11xf64>
  %cst_1 = stablehlo.constant dense<[0.5089551564179009, -0.24475441814269785, 0.094151233530353443, -0.021871125514203903, 0.003662076123295692, -4.2320911446038878E-4, 3.5964130479389666E-5, -2.1464035171996896E-6, 9.1001078007639139E-8, -2.4027452082825098E-9, 3.5923338544092839E-11]> : tensor<11xf64>
  %cst_2 = stablehlo.constant dense<[1.000000e+00, -0.63183986987336815, 0.2367067882282487, -0.053180636700322324, 0.008480417185862954, -9.4799676848666535E-4, 7.8102559294455237E-5, -4.5587515325244263E-6, 1.8910035811142186E-7, -4.913246913319206E-9, 7.1846640323573451E-11]> : tensor<11xf64>
  %cst_3 = stablehlo.constant dense<[-0.59059286053477322, 0.62923524272436882, -0.17285897538038814, 0.016483704782518965, -4.8682761302046269E-4]> : tensor<5xf64>
  %cst_4 = stablehlo.constant dense<[1.000000e+00, -2.6982005719754492, 1.7327079904594784, -0.3937085822819395, 0.034427892404123341, -9.736552260409412E-4]> : tensor<6xf64>
  %0 = stablehlo.sign %arg0 : tensor<61xf64>
  %1 = stablehlo.abs %arg0 : tensor<61xf64>
  %2 = chlo.square %1 : tensor<61xf64> -> tensor<61xf64>
  %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %3 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %4 = stablehlo.divide %3, %2 : tensor<61xf64>
  %cst_6 = stablehlo.constant dense<3.250000e+00> : tensor<f64>
  %5 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.compare LT, %1, %5, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %7 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %8 = stablehlo.select %6, %1, %7 : tensor<61xi1>, tensor<61xf64>
  %9 = chlo.square %8 : tensor<61xf64> -> tensor<61xf64>
  %10 = call @f64_rule.polyval(%cst, %9) : (tensor<10xf64>, tensor<61xf64>) -> tensor<61xf64>
  %11 = stablehlo.multiply %8, %10 : tensor<61xf64>
  %12 = call @f64_rule.polyval_0(%cst_0, %9) : (tensor<11xf64>, tensor<61xf64>) -> tensor<61xf64>
  %13 = stablehlo.divide %11, %12 : tensor<61xf64>
  %cst_8 = stablehlo.constant dense<3.250000e+00> : tensor<f64>
  %14 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.compare GE, %1, %14, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_9 = stablehlo.constant dense<6.250000e+00> : tensor<f64>
  %16 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %17 = stablehlo.compare LT, %1, %16, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %18 = stablehlo.and %15, %17 : tensor<61xi1>
  %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %19 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %20 = stablehlo.select %18, %4, %19 : tensor<61xi1>, tensor<61xf64>
  %cst_11 = stablehlo.constant dense<3.250000e+00> : tensor<f64>
  %21 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %22 = stablehlo.compare GE, %1, %21, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_12 = stablehlo.constant dense<6.250000e+00> : tensor<f64>
  %23 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %24 = stablehlo.compare LT, %1, %23, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %25 = stablehlo.and %22, %24 : tensor<61xi1>
  %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %26 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %27 = stablehlo.select %25, %1, %26 : tensor<61xi1>, tensor<61xf64>
  %cst_14 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
  %28 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %29 = stablehlo.divide %28, %27 : tensor<61xf64>
  %30 = call @f64_rule.polyval_0(%cst_1, %20) : (tensor<11xf64>, tensor<61xf64>) -> tensor<61xf64>
  %31 = stablehlo.multiply %20, %30 : tensor<61xf64>
  %32 = call @f64_rule.polyval_0(%cst_2, %20) : (tensor<11xf64>, tensor<61xf64>) -> tensor<61xf64>
  %33 = stablehlo.divide %31, %32 : tensor<61xf64>
  %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %34 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %35 = stablehlo.add %34, %33 : tensor<61xf64>
  %36 = stablehlo.multiply %29, %35 : tensor<61xf64>
  %cst_16 = stablehlo.constant dense<6.250000e+00> : tensor<f64>
  %37 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %38 = stablehlo.compare GE, %1, %37, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %39 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %40 = stablehlo.select %38, %4, %39 : tensor<61xi1>, tensor<61xf64>
  %cst_18 = stablehlo.constant dense<6.250000e+00> : tensor<f64>
  %41 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %42 = stablehlo.compare GE, %1, %41, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %43 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %44 = stablehlo.select %42, %1, %43 : tensor<61xi1>, tensor<61xf64>
  %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f64>
  %45 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %46 = stablehlo.divide %45, %44 : tensor<61xf64>
  %47 = call @f64_rule.polyval_2(%cst_3, %40) : (tensor<5xf64>, tensor<61xf64>) -> tensor<61xf64>
  %48 = stablehlo.multiply %40, %47 : tensor<61xf64>
  %49 = call @f64_rule.polyval_4(%cst_4, %40) : (tensor<6xf64>, tensor<61xf64>) -> tensor<61xf64>
  %50 = stablehlo.divide %48, %49 : tensor<61xf64>
  %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %51 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %52 = stablehlo.add %51, %50 : tensor<61xf64>
  %53 = stablehlo.multiply %46, %52 : tensor<61xf64>
  %cst_22 = stablehlo.constant dense<3.250000e+00> : tensor<f64>
  %54 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %55 = stablehlo.compare LT, %1, %54, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %cst_23 = stablehlo.constant dense<6.250000e+00> : tensor<f64>
  %56 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %57 = stablehlo.compare LT, %1, %56, FLOAT : (tensor<61xf64>, tensor<61xf64>) -> tensor<61xi1>
  %58 = stablehlo.select %57, %36, %53 : tensor<61xi1>, tensor<61xf64>
  %59 = stablehlo.select %55, %13, %58 : tensor<61xi1>, tensor<61xf64>
  %60 = stablehlo.multiply %0, %59 : tensor<61xf64>
  %cst_24 = stablehlo.constant dense<2.000000e+00> : tensor<f64>
  %61 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %62 = stablehlo.multiply %61, %arg0 : tensor<61xf64>
  %63 = stablehlo.multiply %62, %60 : tensor<61xf64>
  %cst_25 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
  %64 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %65 = stablehlo.subtract %64, %63 : tensor<61xf64>
  %66 = stablehlo.multiply %arg1, %65 : tensor<61xf64>
  return %60, %66 : tensor<61xf64>, tensor<61xf64>
}
func.func private @f64_rule.polyval(%arg0: tensor<10xf64>, %arg1: tensor<61xf64>) -> tensor<61xf64> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<10xf64>) -> tensor<0xf64>
  %2 = stablehlo.slice %arg0 [0:10] : (tensor<10xf64>) -> tensor<10xf64>
  %3 = stablehlo.slice %2 [0:1] : (tensor<10xf64>) -> tensor<1xf64>
  %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
  %5 = call @f64_rule.closed_call(%arg1, %0, %4) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.slice %2 [1:2] : (tensor<10xf64>) -> tensor<1xf64>
  %7 = stablehlo.reshape %6 : (tensor<1xf64>) -> tensor<f64>
  %8 = call @f64_rule.closed_call(%arg1, %5, %7) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %9 = stablehlo.slice %2 [2:3] : (tensor<10xf64>) -> tensor<1xf64>
  %10 = stablehlo.reshape %9 : (tensor<1xf64>) -> tensor<f64>
  %11 = call @f64_rule.closed_call(%arg1, %8, %10) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %12 = stablehlo.slice %2 [3:4] : (tensor<10xf64>) -> tensor<1xf64>
  %13 = stablehlo.reshape %12 : (tensor<1xf64>) -> tensor<f64>
  %14 = call @f64_rule.closed_call(%arg1, %11, %13) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.slice %2 [4:5] : (tensor<10xf64>) -> tensor<1xf64>
  %16 = stablehlo.reshape %15 : (tensor<1xf64>) -> tensor<f64>
  %17 = call @f64_rule.closed_call(%arg1, %14, %16) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %18 = stablehlo.slice %2 [5:6] : (tensor<10xf64>) -> tensor<1xf64>
  %19 = stablehlo.reshape %18 : (tensor<1xf64>) -> tensor<f64>
  %20 = call @f64_rule.closed_call(%arg1, %17, %19) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %21 = stablehlo.slice %2 [6:7] : (tensor<10xf64>) -> tensor<1xf64>
  %22 = stablehlo.reshape %21 : (tensor<1xf64>) -> tensor<f64>
  %23 = call @f64_rule.closed_call(%arg1, %20, %22) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %24 = stablehlo.slice %2 [7:8] : (tensor<10xf64>) -> tensor<1xf64>
  %25 = stablehlo.reshape %24 : (tensor<1xf64>) -> tensor<f64>
  %26 = call @f64_rule.closed_call(%arg1, %23, %25) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %27 = stablehlo.slice %2 [8:9] : (tensor<10xf64>) -> tensor<1xf64>
  %28 = stablehlo.reshape %27 : (tensor<1xf64>) -> tensor<f64>
  %29 = call @f64_rule.closed_call(%arg1, %26, %28) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %30 = stablehlo.slice %2 [9:10] : (tensor<10xf64>) -> tensor<1xf64>
  %31 = stablehlo.reshape %30 : (tensor<1xf64>) -> tensor<f64>
  %32 = call @f64_rule.closed_call(%arg1, %29, %31) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  return %32 : tensor<61xf64>
}
func.func private @f64_rule.closed_call(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<f64>) -> tensor<61xf64> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf64>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.add %0, %1 : tensor<61xf64>
  return %2 : tensor<61xf64>
}
func.func private @f64_rule.polyval_0(%arg0: tensor<11xf64>, %arg1: tensor<61xf64>) -> tensor<61xf64> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<11xf64>) -> tensor<0xf64>
  %2 = stablehlo.slice %arg0 [0:11] : (tensor<11xf64>) -> tensor<11xf64>
  %3 = stablehlo.slice %2 [0:1] : (tensor<11xf64>) -> tensor<1xf64>
  %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
  %5 = call @f64_rule.closed_call_1(%arg1, %0, %4) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.slice %2 [1:2] : (tensor<11xf64>) -> tensor<1xf64>
  %7 = stablehlo.reshape %6 : (tensor<1xf64>) -> tensor<f64>
  %8 = call @f64_rule.closed_call_1(%arg1, %5, %7) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %9 = stablehlo.slice %2 [2:3] : (tensor<11xf64>) -> tensor<1xf64>
  %10 = stablehlo.reshape %9 : (tensor<1xf64>) -> tensor<f64>
  %11 = call @f64_rule.closed_call_1(%arg1, %8, %10) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %12 = stablehlo.slice %2 [3:4] : (tensor<11xf64>) -> tensor<1xf64>
  %13 = stablehlo.reshape %12 : (tensor<1xf64>) -> tensor<f64>
  %14 = call @f64_rule.closed_call_1(%arg1, %11, %13) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.slice %2 [4:5] : (tensor<11xf64>) -> tensor<1xf64>
  %16 = stablehlo.reshape %15 : (tensor<1xf64>) -> tensor<f64>
  %17 = call @f64_rule.closed_call_1(%arg1, %14, %16) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %18 = stablehlo.slice %2 [5:6] : (tensor<11xf64>) -> tensor<1xf64>
  %19 = stablehlo.reshape %18 : (tensor<1xf64>) -> tensor<f64>
  %20 = call @f64_rule.closed_call_1(%arg1, %17, %19) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %21 = stablehlo.slice %2 [6:7] : (tensor<11xf64>) -> tensor<1xf64>
  %22 = stablehlo.reshape %21 : (tensor<1xf64>) -> tensor<f64>
  %23 = call @f64_rule.closed_call_1(%arg1, %20, %22) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %24 = stablehlo.slice %2 [7:8] : (tensor<11xf64>) -> tensor<1xf64>
  %25 = stablehlo.reshape %24 : (tensor<1xf64>) -> tensor<f64>
  %26 = call @f64_rule.closed_call_1(%arg1, %23, %25) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %27 = stablehlo.slice %2 [8:9] : (tensor<11xf64>) -> tensor<1xf64>
  %28 = stablehlo.reshape %27 : (tensor<1xf64>) -> tensor<f64>
  %29 = call @f64_rule.closed_call_1(%arg1, %26, %28) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %30 = stablehlo.slice %2 [9:10] : (tensor<11xf64>) -> tensor<1xf64>
  %31 = stablehlo.reshape %30 : (tensor<1xf64>) -> tensor<f64>
  %32 = call @f64_rule.closed_call_1(%arg1, %29, %31) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %33 = stablehlo.slice %2 [10:11] : (tensor<11xf64>) -> tensor<1xf64>
  %34 = stablehlo.reshape %33 : (tensor<1xf64>) -> tensor<f64>
  %35 = call @f64_rule.closed_call_1(%arg1, %32, %34) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  return %35 : tensor<61xf64>
}
func.func private @f64_rule.closed_call_1(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<f64>) -> tensor<61xf64> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf64>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.add %0, %1 : tensor<61xf64>
  return %2 : tensor<61xf64>
}
func.func private @f64_rule.polyval_2(%arg0: tensor<5xf64>, %arg1: tensor<61xf64>) -> tensor<61xf64> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<5xf64>) -> tensor<0xf64>
  %2 = stablehlo.slice %arg0 [0:5] : (tensor<5xf64>) -> tensor<5xf64>
  %3 = stablehlo.slice %2 [0:1] : (tensor<5xf64>) -> tensor<1xf64>
  %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
  %5 = call @f64_rule.closed_call_3(%arg1, %0, %4) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.slice %2 [1:2] : (tensor<5xf64>) -> tensor<1xf64>
  %7 = stablehlo.reshape %6 : (tensor<1xf64>) -> tensor<f64>
  %8 = call @f64_rule.closed_call_3(%arg1, %5, %7) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %9 = stablehlo.slice %2 [2:3] : (tensor<5xf64>) -> tensor<1xf64>
  %10 = stablehlo.reshape %9 : (tensor<1xf64>) -> tensor<f64>
  %11 = call @f64_rule.closed_call_3(%arg1, %8, %10) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %12 = stablehlo.slice %2 [3:4] : (tensor<5xf64>) -> tensor<1xf64>
  %13 = stablehlo.reshape %12 : (tensor<1xf64>) -> tensor<f64>
  %14 = call @f64_rule.closed_call_3(%arg1, %11, %13) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.slice %2 [4:5] : (tensor<5xf64>) -> tensor<1xf64>
  %16 = stablehlo.reshape %15 : (tensor<1xf64>) -> tensor<f64>
  %17 = call @f64_rule.closed_call_3(%arg1, %14, %16) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  return %17 : tensor<61xf64>
}
func.func private @f64_rule.closed_call_3(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<f64>) -> tensor<61xf64> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf64>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.add %0, %1 : tensor<61xf64>
  return %2 : tensor<61xf64>
}
func.func private @f64_rule.polyval_4(%arg0: tensor<6xf64>, %arg1: tensor<61xf64>) -> tensor<61xf64> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %1 = stablehlo.slice %arg0 [0:0] : (tensor<6xf64>) -> tensor<0xf64>
  %2 = stablehlo.slice %arg0 [0:6] : (tensor<6xf64>) -> tensor<6xf64>
  %3 = stablehlo.slice %2 [0:1] : (tensor<6xf64>) -> tensor<1xf64>
  %4 = stablehlo.reshape %3 : (tensor<1xf64>) -> tensor<f64>
  %5 = call @f64_rule.closed_call_5(%arg1, %0, %4) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %6 = stablehlo.slice %2 [1:2] : (tensor<6xf64>) -> tensor<1xf64>
  %7 = stablehlo.reshape %6 : (tensor<1xf64>) -> tensor<f64>
  %8 = call @f64_rule.closed_call_5(%arg1, %5, %7) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %9 = stablehlo.slice %2 [2:3] : (tensor<6xf64>) -> tensor<1xf64>
  %10 = stablehlo.reshape %9 : (tensor<1xf64>) -> tensor<f64>
  %11 = call @f64_rule.closed_call_5(%arg1, %8, %10) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %12 = stablehlo.slice %2 [3:4] : (tensor<6xf64>) -> tensor<1xf64>
  %13 = stablehlo.reshape %12 : (tensor<1xf64>) -> tensor<f64>
  %14 = call @f64_rule.closed_call_5(%arg1, %11, %13) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %15 = stablehlo.slice %2 [4:5] : (tensor<6xf64>) -> tensor<1xf64>
  %16 = stablehlo.reshape %15 : (tensor<1xf64>) -> tensor<f64>
  %17 = call @f64_rule.closed_call_5(%arg1, %14, %16) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  %18 = stablehlo.slice %2 [5:6] : (tensor<6xf64>) -> tensor<1xf64>
  %19 = stablehlo.reshape %18 : (tensor<1xf64>) -> tensor<f64>
  %20 = call @f64_rule.closed_call_5(%arg1, %17, %19) : (tensor<61xf64>, tensor<61xf64>, tensor<f64>) -> tensor<61xf64>
  return %20 : tensor<61xf64>
}
func.func private @f64_rule.closed_call_5(%arg0: tensor<61xf64>, %arg1: tensor<61xf64>, %arg2: tensor<f64>) -> tensor<61xf64> {
  %0 = stablehlo.multiply %arg1, %arg0 : tensor<61xf64>
  %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f64>) -> tensor<61xf64>
  %2 = stablehlo.add %0, %1 : tensor<61xf64>
  return %2 : tensor<61xf64>
}
