// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 103.28556823730469 7.0 10.234818458557129 3.7651796340942383 8.714430809020996 13.336036682128906 0.663962185382843 13.965380668640137 0.03461671993136406 13.999359130859375 0.000635569856967777 14.0 0.0 7.0
// jvp: 14.0 14.0 13.999999046325684 14.0 14.0 14.0 14.0 13.999999046325684 14.0 13.999996185302734 14.0 14.0 14.0 14.0
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<14xf32>) -> tensor<14x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<14xf32>) -> tensor<1x14xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x14xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<1x14xf32>
    %4 = stablehlo.slice %arg0 [0:1] : (tensor<14xf32>) -> tensor<1xf32>
    %5 = stablehlo.reshape %4 : (tensor<1xf32>) -> tensor<f32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<1x14xf32>
    %7 = stablehlo.add %3, %6 : tensor<1x14xf32>
    %8 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<14x1xf32>) -> tensor<14x14xf32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x14xf32>) -> tensor<14x14xf32>
    %10 = stablehlo.maximum %8, %9 : tensor<14x14xf32>
    %11 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<14x1xf32>) -> tensor<14x14xf32>
    %12 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x14xf32>) -> tensor<14x14xf32>
    %13 = stablehlo.subtract %11, %12 : tensor<14x14xf32>
    %14 = stablehlo.compare NE, %13, %13, FLOAT : (tensor<14x14xf32>, tensor<14x14xf32>) -> tensor<14x14xi1>
    %15 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<14x1xf32>) -> tensor<14x14xf32>
    %16 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x14xf32>) -> tensor<14x14xf32>
    %17 = stablehlo.add %15, %16 : tensor<14x14xf32>
    %18 = stablehlo.abs %13 : tensor<14x14xf32>
    %19 = stablehlo.negate %18 : tensor<14x14xf32>
    %20 = stablehlo.exponential %19 : tensor<14x14xf32>
    %21 = stablehlo.log_plus_one %20 : tensor<14x14xf32>
    %22 = stablehlo.add %10, %21 : tensor<14x14xf32>
    %23 = stablehlo.select %14, %17, %22 : tensor<14x14xi1>, tensor<14x14xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %24 = stablehlo.reduce(%23 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<14x14xf32>, tensor<f32>) -> tensor<14xf32>
    return %24 : tensor<14xf32>
  }
}
