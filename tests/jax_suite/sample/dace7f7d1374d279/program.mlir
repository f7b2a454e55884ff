module @jit_wrapped_fun attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x5xi32>) -> (tensor<2x1xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.pad %arg0, %c, low = [0, 0], high = [0, -4], interior = [0, 0] : (tensor<2x5xi32>, tensor<i32>) -> tensor<2x1xi32>
    %1 = stablehlo.slice %0 [0:2, 0:1:2] : (tensor<2x1xi32>) -> tensor<2x1xi32>
    %2 = stablehlo.slice %0 [0:2, 1:1:2] : (tensor<2x1xi32>) -> tensor<2x0xi32>
    %3 = stablehlo.reverse %2, dims = [1] : tensor<2x0xi32>
    %4 = stablehlo.concatenate %1, %3, dim = 1 : (tensor<2x1xi32>, tensor<2x0xi32>) -> tensor<2x1xi32>
    %5 = call @fft(%4) : (tensor<2x1xi32>) -> tensor<2x1xcomplex<f32>>
    %6 = stablehlo.iota dim = 0 : tensor<1xf32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %8 = stablehlo.convert %7 : (tensor<1x1xf32>) -> tensor<1x1xcomplex<f32>>
    %cst = stablehlo.constant dense<(0.000000e+00,-1.57079637)> : tensor<complex<f32>>
    %9 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<complex<f32>>) -> tensor<1x1xcomplex<f32>>
    %10 = stablehlo.multiply %9, %8 : tensor<1x1xcomplex<f32>>
    %cst_0 = stablehlo.constant dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>
    %11 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<complex<f32>>) -> tensor<1x1xcomplex<f32>>
    %12 = stablehlo.divide %10, %11 : tensor<1x1xcomplex<f32>>
    %13 = stablehlo.exponential %12 : tensor<1x1xcomplex<f32>>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
    %15 = stablehlo.multiply %5, %14 : tensor<2x1xcomplex<f32>>
    %16 = stablehlo.real %15 : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<2x1xf32>
    %18 = stablehlo.multiply %17, %16 : tensor<2x1xf32>
    %cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %19 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<0xf32>
    %21 = stablehlo.concatenate %19, %20, dim = 0 : (tensor<1xf32>, tensor<0xf32>) -> tensor<1xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [1] : (tensor<1xf32>) -> tensor<1x1xf32>
    %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x1xf32>
    %24 = stablehlo.multiply %22, %23 : tensor<1x1xf32>
    %25 = stablehlo.sqrt %24 : tensor<1x1xf32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<2x1xf32>
    %27 = stablehlo.divide %18, %26 : tensor<2x1xf32>
    return %27 : tensor<2x1xf32>
  }
  func.func private @fft(%arg0: tensor<2x1xi32>) -> tensor<2x1xcomplex<f32>> {
    %0 = stablehlo.convert %arg0 : (tensor<2x1xi32>) -> tensor<2x1xcomplex<f32>>
    %1 = stablehlo.fft %0, type = FFT, length = [1] : (tensor<2x1xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
    return %1 : tensor<2x1xcomplex<f32>>
  }
}
