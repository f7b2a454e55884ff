// x: 0.0 1.000000013351432e-10 0.25 1.0 2.0 5.0 10.0 30.0
// vjp: -1.128379225730896 -1.128379225730896 -0.7432059645652771 -0.2732119560241699 -0.1067965030670166 -0.021332845091819763 -0.005559369921684265 -0.0006258934736251831
// jvp: -1.128379225730896 -1.128379225730896 -0.7432059645652771 -0.2732119560241699 -0.1067965030670166 -0.021332845091819763 -0.005559369921684265 -0.0006258934736251831
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<[6.562500e+00, -1.875000e+00, 7.500000e-01, -5.000000e-01, 1.000000e+00]> : tensor<5xf32>
    %cst_0 = stablehlo.constant dense<9.419280e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.select %1, %2, %arg0 : tensor<8xi1>, tensor<8xf32>
    %4 = chlo.square %3 : tensor<8xf32> -> tensor<8xf32>
    %5 = stablehlo.exponential %4 : tensor<8xf32>
    %6 = chlo.erfc %3 : tensor<8xf32> -> tensor<8xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<8xf32>
    %8 = chlo.square %arg0 : tensor<8xf32> -> tensor<8xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %10 = stablehlo.divide %9, %8 : tensor<8xf32>
    %11 = call @polyval(%cst, %10) : (tensor<5xf32>, tensor<8xf32>) -> tensor<8xf32>
    %cst_3 = stablehlo.constant dense<1.7724539> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %13 = stablehlo.multiply %arg0, %12 : tensor<8xf32>
    %14 = stablehlo.divide %11, %13 : tensor<8xf32>
    %15 = stablehlo.select %1, %14, %7 : tensor<8xi1>, tensor<8xf32>
    return %15 : tensor<8xf32>
  }
  func.func private @polyval(%arg0: tensor<5xf32>, %arg1: tensor<8xf32>) -> tensor<8xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.slice %arg0 [0:0] : (tensor<5xf32>) -> tensor<0xf32>
    %2 = stablehlo.slice %arg0 [0:5] : (tensor<5xf32>) -> tensor<5xf32>
    %3 = stablehlo.slice %2 [0:1] : (tensor<5xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %5 = call @closed_call(%arg1, %0, %4) : (tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    %6 = stablehlo.slice %2 [1:2] : (tensor<5xf32>) -> tensor<1xf32>
    %7 = stablehlo.reshape %6 : (tensor<1xf32>) -> tensor<f32>
    %8 = call @closed_call(%arg1, %5, %7) : (tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    %9 = stablehlo.slice %2 [2:3] : (tensor<5xf32>) -> tensor<1xf32>
    %10 = stablehlo.reshape %9 : (tensor<1xf32>) -> tensor<f32>
    %11 = call @closed_call(%arg1, %8, %10) : (tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    %12 = stablehlo.slice %2 [3:4] : (tensor<5xf32>) -> tensor<1xf32>
    %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
    %14 = call @closed_call(%arg1, %11, %13) : (tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    %15 = stablehlo.slice %2 [4:5] : (tensor<5xf32>) -> tensor<1xf32>
    %16 = stablehlo.reshape %15 : (tensor<1xf32>) -> tensor<f32>
    %17 = call @closed_call(%arg1, %14, %16) : (tensor<8xf32>, tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
    return %17 : tensor<8xf32>
  }
  func.func private @closed_call(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<f32>) -> tensor<8xf32> {
    %0 = stablehlo.multiply %arg1, %arg0 : tensor<8xf32>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %2 = stablehlo.add %0, %1 : tensor<8xf32>
    return %2 : tensor<8xf32>
  }
}
