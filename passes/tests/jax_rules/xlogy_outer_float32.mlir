// x: 0.0 -0.0 1.0 -1.0 0.5 3.0 -3.0 6.0 -6.0 10.0 -10.0 100.0 -100.0 1.000000013351432e-10
// vjp: 627.6141967773438 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.0
// jvp: 9.704061508178711 9.704061508178711 15.380569458007812 15.380569458007812 11.353022575378418 33.57053756713867 33.57053756713867 50.92620086669922 50.92620086669922 64.74961853027344 64.74961853027344 128.94757080078125 128.94757080078125 9.704061508178711
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<14xf32>) -> (tensor<14xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg0, dims = [0] : (tensor<14xf32>) -> tensor<14x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<14x1xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<14x1xf32>
    %3 = stablehlo.slice %arg0 [0:1] : (tensor<14xf32>) -> tensor<1xf32>
    %4 = stablehlo.reshape %3 : (tensor<1xf32>) -> tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<14x1xf32>
    %6 = stablehlo.add %2, %5 : tensor<14x1xf32>
    %7 = stablehlo.multiply %arg0, %arg0 : tensor<14xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<14xf32>
    %9 = stablehlo.add %7, %8 : tensor<14xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [1] : (tensor<14xf32>) -> tensor<1x14xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<14x1xf32>
    %12 = stablehlo.compare NE, %6, %11, FLOAT : (tensor<14x1xf32>, tensor<14x1xf32>) -> tensor<14x1xi1>
    %13 = stablehlo.compare NE, %10, %10, FLOAT : (tensor<1x14xf32>, tensor<1x14xf32>) -> tensor<1x14xi1>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<14x1xi1>) -> tensor<14x14xi1>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x14xi1>) -> tensor<14x14xi1>
    %16 = stablehlo.or %14, %15 : tensor<14x14xi1>
    %17 = stablehlo.log %10 : tensor<1x14xf32>
    %18 = stablehlo.broadcast_in_dim %6, dims = [0, 1] : (tensor<14x1xf32>) -> tensor<14x14xf32>
    %19 = stablehlo.broadcast_in_dim %17, dims = [0, 1] : (tensor<1x14xf32>) -> tensor<14x14xf32>
    %20 = stablehlo.multiply %18, %19 : tensor<14x14xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<14x1xf32>
    %22 = call @_where(%16, %20, %21) : (tensor<14x14xi1>, tensor<14x14xf32>, tensor<14x1xf32>) -> tensor<14x14xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %23 = stablehlo.reduce(%22 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<14x14xf32>, tensor<f32>) -> tensor<14xf32>
    return %23 : tensor<14xf32>
  }
  func.func private @_where(%arg0: tensor<14x14xi1>, %arg1: tensor<14x14xf32>, %arg2: tensor<14x1xf32>) -> tensor<14x14xf32> {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<14x1xf32>) -> tensor<14x14xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<14x14xi1>, tensor<14x14xf32>
    return %1 : tensor<14x14xf32>
  }
}
