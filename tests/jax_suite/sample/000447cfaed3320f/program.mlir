module @jit_nanmax attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x4xcomplex<f64>>) -> (tensor<3xcomplex<f64>> {jax.result_info = "result"}) {
    %0 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<3x4xcomplex<f64>>, tensor<3x4xcomplex<f64>>) -> tensor<3x4xi1>
    %cst = stablehlo.constant dense<(0xFFF0000000000000,0.000000e+00)> : tensor<complex<f64>>
    %1 = call @_where(%0, %cst, %arg0) : (tensor<3x4xi1>, tensor<complex<f64>>, tensor<3x4xcomplex<f64>>) -> tensor<3x4xcomplex<f64>>
    %cst_0 = stablehlo.constant dense<(0xFFF0000000000000,0.000000e+00)> : tensor<complex<f64>>
    %2 = stablehlo.reduce(%1 init: %cst_0) across dimensions = [1] : (tensor<3x4xcomplex<f64>>, tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
     reducer(%arg1: tensor<complex<f64>>, %arg2: tensor<complex<f64>>)  {
      %6 = stablehlo.real %arg1 : (tensor<complex<f64>>) -> tensor<f64>
      %7 = stablehlo.real %arg2 : (tensor<complex<f64>>) -> tensor<f64>
      %8 = stablehlo.compare EQ, %6, %7, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %9 = stablehlo.compare GT, %6, %7, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %10 = stablehlo.imag %arg1 : (tensor<complex<f64>>) -> tensor<f64>
      %11 = stablehlo.imag %arg2 : (tensor<complex<f64>>) -> tensor<f64>
      %12 = stablehlo.compare GT, %10, %11, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %13 = stablehlo.select %8, %12, %9 : tensor<i1>, tensor<i1>
      %14 = stablehlo.select %13, %arg1, %arg2 : tensor<i1>, tensor<complex<f64>>
      stablehlo.return %14 : tensor<complex<f64>>
    }
    %3 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<3x4xcomplex<f64>>, tensor<3x4xcomplex<f64>>) -> tensor<3x4xi1>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %4 = stablehlo.reduce(%3 init: %c) applies stablehlo.and across dimensions = [1] : (tensor<3x4xi1>, tensor<i1>) -> tensor<3xi1>
    %cst_1 = stablehlo.constant dense<(0x7FF8000000000000,0.000000e+00)> : tensor<complex<f64>>
    %5 = call @_where_0(%4, %cst_1, %2) : (tensor<3xi1>, tensor<complex<f64>>, tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
    return %5 : tensor<3xcomplex<f64>>
  }
  func.func private @_where(%arg0: tensor<3x4xi1>, %arg1: tensor<complex<f64>>, %arg2: tensor<3x4xcomplex<f64>>) -> tensor<3x4xcomplex<f64>> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<complex<f64>>) -> tensor<3x4xcomplex<f64>>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<3x4xi1>, tensor<3x4xcomplex<f64>>
    return %1 : tensor<3x4xcomplex<f64>>
  }
  func.func private @_where_0(%arg0: tensor<3xi1>, %arg1: tensor<complex<f64>>, %arg2: tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<complex<f64>>) -> tensor<3xcomplex<f64>>
    %1 = stablehlo.select %arg0, %0, %arg2 : tensor<3xi1>, tensor<3xcomplex<f64>>
    return %1 : tensor<3xcomplex<f64>>
  }
}
