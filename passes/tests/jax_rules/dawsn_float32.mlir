// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 1.0 1.0 -0.07615900039672852 -0.07615900039672852 0.5755636096000671 -0.06962624192237854 -0.06962624192237854 -0.014512300491333008 -0.014512300491333008 -0.00507691502571106 -0.00507691502571106 -4.989653825759888e-05 -4.989653825759888e-05 1.0
// jvp: 1.0 1.0 -0.07615900039672852 -0.07615900039672852 0.5755636096000671 -0.06962624192237854 -0.06962624192237854 -0.014512300491333008 -0.014512300491333008 -0.00507691502571106 -0.00507691502571106 -4.989653825759888e-05 -4.989653825759888e-05 1.0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[1.13681495E-11, 8.49262271E-10, 1.94434211E-8, 9.53151754E-7, 3.07828304E-6, 3.52513365E-4, -8.50149838E-4, 0.042261824, -0.0917480364, 1.000000e+00]> : tensor<10xf32>
    %cst_0 = stablehlo.constant dense<[2.4037208E-11, 1.48864676E-9, 5.21265271E-8, 1.27258477E-6, 2.32490256E-5, 3.25524743E-4, 0.00348805822, 0.0279448535, 0.158874243, 0.574918628, 1.000000e+00]> : tensor<11xf32>
    %cst_1 = stablehlo.constant dense<[0.508955181, -0.244754419, 0.0941512361, -0.0218711253, 0.00366207608, -4.23209101E-4, 3.59641308E-5, -2.14640363E-6, 9.10010768E-8, -2.40274511E-9, 3.59233372E-11]> : tensor<11xf32>
    %cst_2 = stablehlo.constant dense<[1.000000e+00, -0.631839871, 0.236706793, -0.053180635, 0.00848041754, -9.47996741E-4, 7.81025592E-5, -4.5587517E-6, 1.89100362E-7, -4.9132467E-9, 7.18466397E-11]> : tensor<11xf32>
    %cst_3 = stablehlo.constant dense<[-0.590592861, 0.629235268, -0.172858968, 0.0164837055, -4.86827601E-4]> : tensor<5xf32>
    %cst_4 = stablehlo.constant dense<[1.000000e+00, -2.69820046, 1.73270798, -0.393708587, 0.0344278924, -9.73655202E-4]> : tensor<6xf32>
    %0 = stablehlo.sign %arg0 : tensor<14xf32>
    %1 = stablehlo.abs %arg0 : tensor<14xf32>
    %2 = chlo.square %1 : tensor<14xf32> -> tensor<14xf32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %4 = stablehlo.divide %3, %2 : tensor<14xf32>
    %cst_6 = stablehlo.constant dense<3.250000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %6 = stablehlo.compare LT, %1, %5, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %8 = stablehlo.select %6, %1, %7 : tensor<14xi1>, tensor<14xf32>
    %9 = chlo.square %8 : tensor<14xf32> -> tensor<14xf32>
    %10 = call @polyval(%cst, %9) : (tensor<10xf32>, tensor<14xf32>) -> tensor<14xf32>
    %11 = stablehlo.multiply %8, %10 : tensor<14xf32>
    %12 = call @polyval_0(%cst_0, %9) : (tensor<11xf32>, tensor<14xf32>) -> tensor<14xf32>
    %13 = stablehlo.divide %11, %12 : tensor<14xf32>
    %cst_8 = stablehlo.constant dense<3.250000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %15 = stablehlo.compare GE, %1, %14, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %cst_9 = stablehlo.constant dense<6.250000e+00> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %17 = stablehlo.compare LT, %1, %16, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %18 = stablehlo.and %15, %17 : tensor<14xi1>
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %20 = stablehlo.select %18, %4, %19 : tensor<14xi1>, tensor<14xf32>
    %cst_11 = stablehlo.constant dense<3.250000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %22 = stablehlo.compare GE, %1, %21, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %cst_12 = stablehlo.constant dense<6.250000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %24 = stablehlo.compare LT, %1, %23, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %25 = stablehlo.and %22, %24 : tensor<14xi1>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %27 = stablehlo.select %25, %1, %26 : tensor<14xi1>, tensor<14xf32>
    %cst_14 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %29 = stablehlo.divide %28, %27 : tensor<14xf32>
    %30 = call @polyval_0(%cst_1, %20) : (tensor<11xf32>, tensor<14xf32>) -> tensor<14xf32>
    %31 = stablehlo.multiply %20, %30 : tensor<14xf32>
    %32 = call @polyval_0(%cst_2, %20) : (tensor<11xf32>, tensor<14xf32>) -> tensor<14xf32>
    %33 = stablehlo.divide %31, %32 : tensor<14xf32>
    %cst_15 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %34 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %35 = stablehlo.add %34, %33 : tensor<14xf32>
    %36 = stablehlo.multiply %29, %35 : tensor<14xf32>
    %cst_16 = stablehlo.constant dense<6.250000e+00> : tensor<f32>
    %37 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %38 = stablehlo.compare GE, %1, %37, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %cst_17 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %40 = stablehlo.select %38, %4, %39 : tensor<14xi1>, tensor<14xf32>
    %cst_18 = stablehlo.constant dense<6.250000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %42 = stablehlo.compare GE, %1, %41, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %cst_19 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %43 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %44 = stablehlo.select %42, %1, %43 : tensor<14xi1>, tensor<14xf32>
    %cst_20 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %46 = stablehlo.divide %45, %44 : tensor<14xf32>
    %47 = call @polyval_2(%cst_3, %40) : (tensor<5xf32>, tensor<14xf32>) -> tensor<14xf32>
    %48 = stablehlo.multiply %40, %47 : tensor<14xf32>
    %49 = call @polyval_4(%cst_4, %40) : (tensor<6xf32>, tensor<14xf32>) -> tensor<14xf32>
    %50 = stablehlo.divide %48, %49 : tensor<14xf32>
    %cst_21 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %52 = stablehlo.add %51, %50 : tensor<14xf32>
    %53 = stablehlo.multiply %46, %52 : tensor<14xf32>
    %cst_22 = stablehlo.constant dense<3.250000e+00> : tensor<f32>
    %54 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %55 = stablehlo.compare LT, %1, %54, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %cst_23 = stablehlo.constant dense<6.250000e+00> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %57 = stablehlo.compare LT, %1, %56, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %58 = stablehlo.select %57, %36, %53 : tensor<14xi1>, tensor<14xf32>
    %59 = stablehlo.select %55, %13, %58 : tensor<14xi1>, tensor<14xf32>
    %60 = stablehlo.multiply %0, %59 : tensor<14xf32>
    return %60 : tensor<14xf32>
  }
  func.func private @polyval(%arg0: tensor<10xf32>, %arg1: tensor<14xf32>) -> tensor<14xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %1 = stablehlo.slice %arg0 [0:0] : (tensor<10xf32>) -> tensor<0xf32>
    %2 = stablehlo.slice %arg0 [0:10] : (tensor<10xf32>) -> tensor<10xf32>
    %3 = stablehlo.slice %2 [0:1] : (tensor<10xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %5 = call @closed_call(%arg1, %0, %4) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %6 = stablehlo.slice %2 [1:2] : (tensor<10xf32>) -> tensor<1xf32>
    %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
    %8 = call @closed_call(%arg1, %5, %7) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %9 = stablehlo.slice %2 [2:3] : (tensor<10xf32>) -> tensor<1xf32>
    %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
    %11 = call @closed_call(%arg1, %8, %10) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %12 = stablehlo.slice %2 [3:4] : (tensor<10xf32>) -> tensor<1xf32>
    %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
    %14 = call @closed_call(%arg1, %11, %13) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %15 = stablehlo.slice %2 [4:5] : (tensor<10xf32>) -> tensor<1xf32>
    %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
    %17 = call @closed_call(%arg1, %14, %16) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %18 = stablehlo.slice %2 [5:6] : (tensor<10xf32>) -> tensor<1xf32>
    %19 = stablehlo.reshape %18 : (tensor<1xf32>) -> tensor<f32>
    %20 = call @closed_call(%arg1, %17, %19) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %21 = stablehlo.slice %2 [6:7] : (tensor<10xf32>) -> tensor<1xf32>
    %22 = stablehlo.reshape %21 : (tensor<1xf32>) -> tensor<f32>
    %23 = call @closed_call(%arg1, %20, %22) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %24 = stablehlo.slice %2 [7:8] : (tensor<10xf32>) -> tensor<1xf32>
    %25 = stablehlo.reshape %24 : (tensor<1xf32>) -> tensor<f32>
    %26 = call @closed_call(%arg1, %23, %25) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %27 = stablehlo.slice %2 [8:9] : (tensor<10xf32>) -> tensor<1xf32>
    %28 = stablehlo.reshape %27 : (tensor<1xf32>) -> tensor<f32>
    %29 = call @closed_call(%arg1, %26, %28) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %30 = stablehlo.slice %2 [9:10] : (tensor<10xf32>) -> tensor<1xf32>
    %31 = stablehlo.reshape %30 : (tensor<1xf32>) -> tensor<f32>
    %32 = call @closed_call(%arg1, %29, %31) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    return %32 : tensor<14xf32>
  }
  func.func private @closed_call(%arg0: tensor<14xf32>, %arg1: tensor<14xf32>, %arg2: tensor<f32>) -> tensor<14xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<14xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %2 = stablehlo.add %0, %1 : tensor<14xf32>
    return %2 : tensor<14xf32>
  }
  func.func private @polyval_0(%arg0: tensor<11xf32>, %arg1: tensor<14xf32>) -> tensor<14xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %1 = stablehlo.slice %arg0 [0:0] : (tensor<11xf32>) -> tensor<0xf32>
    %2 = stablehlo.slice %arg0 [0:11] : (tensor<11xf32>) -> tensor<11xf32>
    %3 = stablehlo.slice %2 [0:1] : (tensor<11xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %5 = call @closed_call_1(%arg1, %0, %4) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %6 = stablehlo.slice %2 [1:2] : (tensor<11xf32>) -> tensor<1xf32>
    %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
    %8 = call @closed_call_1(%arg1, %5, %7) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %9 = stablehlo.slice %2 [2:3] : (tensor<11xf32>) -> tensor<1xf32>
    %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
    %11 = call @closed_call_1(%arg1, %8, %10) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %12 = stablehlo.slice %2 [3:4] : (tensor<11xf32>) -> tensor<1xf32>
    %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
    %14 = call @closed_call_1(%arg1, %11, %13) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %15 = stablehlo.slice %2 [4:5] : (tensor<11xf32>) -> tensor<1xf32>
    %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
    %17 = call @closed_call_1(%arg1, %14, %16) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %18 = stablehlo.slice %2 [5:6] : (tensor<11xf32>) -> tensor<1xf32>
    %19 = stablehlo.reshape %18 : (tensor<1xf32>) -> tensor<f32>
    %20 = call @closed_call_1(%arg1, %17, %19) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %21 = stablehlo.slice %2 [6:7] : (tensor<11xf32>) -> tensor<1xf32>
    %22 = stablehlo.reshape %21 : (tensor<1xf32>) -> tensor<f32>
    %23 = call @closed_call_1(%arg1, %20, %22) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %24 = stablehlo.slice %2 [7:8] : (tensor<11xf32>) -> tensor<1xf32>
    %25 = stablehlo.reshape %24 : (tensor<1xf32>) -> tensor<f32>
    %26 = call @closed_call_1(%arg1, %23, %25) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %27 = stablehlo.slice %2 [8:9] : (tensor<11xf32>) -> tensor<1xf32>
    %28 = stablehlo.reshape %27 : (tensor<1xf32>) -> tensor<f32>
    %29 = call @closed_call_1(%arg1, %26, %28) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %30 = stablehlo.slice %2 [9:10] : (tensor<11xf32>) -> tensor<1xf32>
    %31 = stablehlo.reshape %30 : (tensor<1xf32>) -> tensor<f32>
    %32 = call @closed_call_1(%arg1, %29, %31) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %33 = stablehlo.slice %2 [10:11] : (tensor<11xf32>) -> tensor<1xf32>
    %34 = stablehlo.reshape %33 : (tensor<1xf32>) -> tensor<f32>
    %35 = call @closed_call_1(%arg1, %32, %34) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    return %35 : tensor<14xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<14xf32>, %arg1: tensor<14xf32>, %arg2: tensor<f32>) -> tensor<14xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<14xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %2 = stablehlo.add %0, %1 : tensor<14xf32>
    return %2 : tensor<14xf32>
  }
  func.func private @polyval_2(%arg0: tensor<5xf32>, %arg1: tensor<14xf32>) -> tensor<14xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %1 = stablehlo.slice %arg0 [0:0] : (tensor<5xf32>) -> tensor<0xf32>
    %2 = stablehlo.slice %arg0 [0:5] : (tensor<5xf32>) -> tensor<5xf32>
    %3 = stablehlo.slice %2 [0:1] : (tensor<5xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %5 = call @closed_call_3(%arg1, %0, %4) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %6 = stablehlo.slice %2 [1:2] : (tensor<5xf32>) -> tensor<1xf32>
    %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
    %8 = call @closed_call_3(%arg1, %5, %7) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %9 = stablehlo.slice %2 [2:3] : (tensor<5xf32>) -> tensor<1xf32>
    %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
    %11 = call @closed_call_3(%arg1, %8, %10) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %12 = stablehlo.slice %2 [3:4] : (tensor<5xf32>) -> tensor<1xf32>
    %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
    %14 = call @closed_call_3(%arg1, %11, %13) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %15 = stablehlo.slice %2 [4:5] : (tensor<5xf32>) -> tensor<1xf32>
    %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
    %17 = call @closed_call_3(%arg1, %14, %16) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    return %17 : tensor<14xf32>
  }
  func.func private @closed_call_3(%arg0: tensor<14xf32>, %arg1: tensor<14xf32>, %arg2: tensor<f32>) -> tensor<14xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<14xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %2 = stablehlo.add %0, %1 : tensor<14xf32>
    return %2 : tensor<14xf32>
  }
  func.func private @polyval_4(%arg0: tensor<6xf32>, %arg1: tensor<14xf32>) -> tensor<14xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %1 = stablehlo.slice %arg0 [0:0] : (tensor<6xf32>) -> tensor<0xf32>
    %2 = stablehlo.slice %arg0 [0:6] : (tensor<6xf32>) -> tensor<6xf32>
    %3 = stablehlo.slice %2 [0:1] : (tensor<6xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %5 = call @closed_call_5(%arg1, %0, %4) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %6 = stablehlo.slice %2 [1:2] : (tensor<6xf32>) -> tensor<1xf32>
    %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
    %8 = call @closed_call_5(%arg1, %5, %7) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %9 = stablehlo.slice %2 [2:3] : (tensor<6xf32>) -> tensor<1xf32>
    %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
    %11 = call @closed_call_5(%arg1, %8, %10) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %12 = stablehlo.slice %2 [3:4] : (tensor<6xf32>) -> tensor<1xf32>
    %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
    %14 = call @closed_call_5(%arg1, %11, %13) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %15 = stablehlo.slice %2 [4:5] : (tensor<6xf32>) -> tensor<1xf32>
    %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
    %17 = call @closed_call_5(%arg1, %14, %16) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    %18 = stablehlo.slice %2 [5:6] : (tensor<6xf32>) -> tensor<1xf32>
    %19 = stablehlo.reshape %18 : (tensor<1xf32>) -> tensor<f32>
    %20 = call @closed_call_5(%arg1, %17, %19) : (tensor<14xf32>, tensor<14xf32>, tensor<f32>) -> tensor<14xf32>
    return %20 : tensor<14xf32>
  }
  func.func private @closed_call_5(%arg0: tensor<14xf32>, %arg1: tensor<14xf32>, %arg2: tensor<f32>) -> tensor<14xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<14xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %2 = stablehlo.add %0, %1 : tensor<14xf32>
    return %2 : tensor<14xf32>
  }
}
