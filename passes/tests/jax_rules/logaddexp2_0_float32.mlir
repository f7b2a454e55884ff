// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10 inf -inf nan
// vjp: 0.5 0.5 0.6666666865348816 0.3333333134651184 0.5857864022254944 0.8888888955116272 0.1111111044883728 0.9846152663230896 0.0153846126049757 0.9990241527557373 0.0009756092913448811 1.0 7.8885925952892065e-31 0.5 1.0 0.0 nan
// jvp: 0.5 0.5 0.6666666865348816 0.3333333134651184 0.5857864022254944 0.8888888955116272 0.1111111044883728 0.9846152663230896 0.0153846126049757 0.9990241527557373 0.0009756092913448811 1.0 7.8885925952892065e-31 0.5 1.0 0.0 nan
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<17xf32>) -> (tensor<17xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<17xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %3 = stablehlo.subtract %arg0, %2 : tensor<17xf32>
    %4 = stablehlo.compare NE, %3, %3, FLOAT : (tensor<17xf32>, tensor<17xf32>) -> tensor<17xi1>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %6 = stablehlo.add %arg0, %5 : tensor<17xf32>
    %7 = stablehlo.abs %3 : tensor<17xf32>
    %8 = stablehlo.negate %7 : tensor<17xf32>
    %cst_0 = stablehlo.constant dense<0.693147182> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %10 = stablehlo.multiply %9, %8 : tensor<17xf32>
    %11 = stablehlo.exponential %10 : tensor<17xf32>
    %12 = stablehlo.log_plus_one %11 : tensor<17xf32>
    %cst_1 = stablehlo.constant dense<1.44269502> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<17xf32>
    %14 = stablehlo.multiply %13, %12 : tensor<17xf32>
    %15 = stablehlo.add %1, %14 : tensor<17xf32>
    %16 = stablehlo.select %4, %6, %15 : tensor<17xi1>, tensor<17xf32>
    return %16 : tensor<17xf32>
  }
}
