module @jit_wrapped_fun attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5xcomplex<f32>>, %arg1: tensor<10xcomplex<f32>>) -> (tensor<6xcomplex<f32>> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %0 = call @_pad(%arg1, %c) : (tensor<10xcomplex<f32>>, tensor<i64>) -> tensor<14xcomplex<f32>>
    %1 = call @fft(%0) : (tensor<14xcomplex<f32>>) -> tensor<14xcomplex<f32>>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %2 = call @_pad_0(%arg0, %c_0) : (tensor<5xcomplex<f32>>, tensor<i64>) -> tensor<14xcomplex<f32>>
    %3 = call @fft(%2) : (tensor<14xcomplex<f32>>) -> tensor<14xcomplex<f32>>
    %4 = stablehlo.multiply %1, %3 : tensor<14xcomplex<f32>>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %5 = call @_pad_1(%4, %c_1) : (tensor<14xcomplex<f32>>, tensor<i64>) -> tensor<14xcomplex<f32>>
    %6 = call @fft_2(%5) : (tensor<14xcomplex<f32>>) -> tensor<14xcomplex<f32>>
    %c_2 = stablehlo.constant dense<4> : tensor<i64>
    %7 = stablehlo.dynamic_slice %6, %c_2, sizes = [6] : (tensor<14xcomplex<f32>>, tensor<i64>) -> tensor<6xcomplex<f32>>
    return %7 : tensor<6xcomplex<f32>>
  }
  func.func private @_pad(%arg0: tensor<10xcomplex<f32>>, %arg1: tensor<i64>) -> tensor<14xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0], high = [4], interior = [0] : (tensor<10xcomplex<f32>>, tensor<complex<f32>>) -> tensor<14xcomplex<f32>>
    return %1 : tensor<14xcomplex<f32>>
  }
  func.func private @fft(%arg0: tensor<14xcomplex<f32>>) -> tensor<14xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = FFT, length = [14] : (tensor<14xcomplex<f32>>) -> tensor<14xcomplex<f32>>
    return %0 : tensor<14xcomplex<f32>>
  }
  func.func private @_pad_0(%arg0: tensor<5xcomplex<f32>>, %arg1: tensor<i64>) -> tensor<14xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0], high = [9], interior = [0] : (tensor<5xcomplex<f32>>, tensor<complex<f32>>) -> tensor<14xcomplex<f32>>
    return %1 : tensor<14xcomplex<f32>>
  }
  func.func private @_pad_1(%arg0: tensor<14xcomplex<f32>>, %arg1: tensor<i64>) -> tensor<14xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0], high = [0], interior = [0] : (tensor<14xcomplex<f32>>, tensor<complex<f32>>) -> tensor<14xcomplex<f32>>
    return %1 : tensor<14xcomplex<f32>>
  }
  func.func private @fft_2(%arg0: tensor<14xcomplex<f32>>) -> tensor<14xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = IFFT, length = [14] : (tensor<14xcomplex<f32>>) -> tensor<14xcomplex<f32>>
    return %0 : tensor<14xcomplex<f32>>
  }
}
