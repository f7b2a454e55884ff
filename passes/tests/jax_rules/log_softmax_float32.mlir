// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 1.0 1.0 0.4247896373271942 1.5752103328704834 0.6798433065414429 0.05202537775039673 1.947974681854248 0.0024849073961377144 1.997515082359314 4.542080205283128e-05 1.9999545812606812 0.0 2.0 1.0
// jvp: 1.0 1.0 0.4247896075248718 1.5752103328704834 0.6798433065414429 0.05202537775039673 1.947974681854248 0.0024848580360412598 1.9975152015686035 4.5418739318847656e-05 1.9999545812606812 0.0 2.0 1.0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<14xf32>
    %2 = stablehlo.negate %arg0 : tensor<14xf32>
    %3 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<14xf32>) -> tensor<1x14xf32>
    %4 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<14xf32>) -> tensor<1x14xf32>
    %5 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<14xf32>) -> tensor<1x14xf32>
    %6 = stablehlo.concatenate %3, %4, %5, dim = 0 : (tensor<1x14xf32>, tensor<1x14xf32>, tensor<1x14xf32>) -> tensor<3x14xf32>
    %7 = call @log_softmax(%6) : (tensor<3x14xf32>) -> tensor<3x14xf32>
    %8 = stablehlo.slice %7 [0:1, 0:14] : (tensor<3x14xf32>) -> tensor<1x14xf32>
    %9 = stablehlo.reshape %8 : (tensor<1x14xf32>) -> tensor<14xf32>
    return %9 : tensor<14xf32>
  }
  func.func private @log_softmax(%arg0: tensor<3x14xf32>) -> tensor<3x14xf32> {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<3x14xf32>, tensor<f32>) -> tensor<14xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<14xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [1] : (tensor<14xf32>) -> tensor<1x14xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x14xf32>) -> tensor<3x14xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<3x14xf32>
    %6 = stablehlo.exponential %5 : tensor<3x14xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<3x14xf32>, tensor<f32>) -> tensor<14xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<14xf32>) -> tensor<1x14xf32>
    %9 = stablehlo.log %8 : tensor<1x14xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x14xf32>) -> tensor<3x14xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<3x14xf32>
    return %11 : tensor<3x14xf32>
  }
}
