// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 0.7978845834732056 0.7978845834732056 0.28759998083114624 1.5251351594924927 0.5091604590415955 0.004437838681042194 3.2830963134765625 6.075888236978244e-09 6.158474922180176 7.694604805333477e-23 10.098100662231445 0.0 99.98103332519531 0.7978845834732056
// jvp: 0.7978845834732056 0.7978845834732056 0.28759998083114624 1.5251351594924927 0.5091604590415955 0.004437838681042194 3.2830963134765625 6.075888236978244e-09 6.158474922180176 7.694604805333477e-23 10.098100662231445 0.0 99.98103332519531 0.7978845834732056
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %2 = stablehlo.negate %arg0 : tensor<14xf32>
    %cst_0 = stablehlo.constant dense<-1.000000e+01> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %4 = stablehlo.maximum %arg0, %3 : tensor<14xf32>
    %5 = call @_where(%1, %2, %4) : (tensor<14xi1>, tensor<14xf32>, tensor<14xf32>) -> tensor<14xf32>
    %cst_1 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<14xf32>
    %8 = stablehlo.abs %7 : tensor<14xf32>
    %cst_2 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %10 = stablehlo.compare LT, %8, %9, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %11 = chlo.erf %7 : tensor<14xf32> -> tensor<14xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %13 = stablehlo.add %12, %11 : tensor<14xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %15 = stablehlo.compare GT, %7, %14, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %16 = chlo.erfc %8 : tensor<14xf32> -> tensor<14xf32>
    %cst_5 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %18 = stablehlo.subtract %17, %16 : tensor<14xf32>
    %19 = chlo.erfc %8 : tensor<14xf32> -> tensor<14xf32>
    %20 = stablehlo.select %15, %18, %19 : tensor<14xi1>, tensor<14xf32>
    %21 = stablehlo.select %10, %13, %20 : tensor<14xi1>, tensor<14xf32>
    %cst_6 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %23 = stablehlo.multiply %22, %21 : tensor<14xf32>
    %24 = stablehlo.negate %23 : tensor<14xf32>
    %cst_7 = stablehlo.constant dense<-1.000000e+01> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %26 = stablehlo.compare GT, %arg0, %25, FLOAT : (tensor<14xf32>, tensor<14xf32>) -> tensor<14xi1>
    %27 = stablehlo.log %23 : tensor<14xf32>
    %cst_8 = stablehlo.constant dense<-1.000000e+01> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %29 = stablehlo.minimum %arg0, %28 : tensor<14xf32>
    %30 = chlo.square %29 : tensor<14xf32> -> tensor<14xf32>
    %cst_9 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %32 = stablehlo.multiply %31, %30 : tensor<14xf32>
    %33 = stablehlo.negate %29 : tensor<14xf32>
    %34 = stablehlo.log %33 : tensor<14xf32>
    %35 = stablehlo.subtract %32, %34 : tensor<14xf32>
    %cst_10 = stablehlo.constant dense<0.918938517> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %37 = stablehlo.subtract %35, %36 : tensor<14xf32>
    %38 = chlo.square %29 : tensor<14xf32> -> tensor<14xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %39 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %41 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %42 = stablehlo.divide %41, %38 : tensor<14xf32>
    %43 = stablehlo.add %40, %42 : tensor<14xf32>
    %44 = stablehlo.multiply %38, %38 : tensor<14xf32>
    %cst_14 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %46 = stablehlo.divide %45, %44 : tensor<14xf32>
    %47 = stablehlo.add %39, %46 : tensor<14xf32>
    %48 = stablehlo.multiply %44, %38 : tensor<14xf32>
    %cst_15 = stablehlo.constant dense<1.500000e+01> : tensor<f32>
    %49 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %50 = stablehlo.divide %49, %48 : tensor<14xf32>
    %51 = stablehlo.add %43, %50 : tensor<14xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %52 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %53 = stablehlo.add %52, %47 : tensor<14xf32>
    %54 = stablehlo.subtract %53, %51 : tensor<14xf32>
    %55 = stablehlo.log %54 : tensor<14xf32>
    %56 = stablehlo.add %37, %55 : tensor<14xf32>
    %57 = call @_where(%26, %27, %56) : (tensor<14xi1>, tensor<14xf32>, tensor<14xf32>) -> tensor<14xf32>
    %58 = call @_where(%1, %24, %57) : (tensor<14xi1>, tensor<14xf32>, tensor<14xf32>) -> tensor<14xf32>
    return %58 : tensor<14xf32>
  }
  func.func private @_where(%arg0: tensor<14xi1>, %arg1: tensor<14xf32>, %arg2: tensor<14xf32>) -> tensor<14xf32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<14xi1>, tensor<14xf32>
    return %0 : tensor<14xf32>
  }
}
