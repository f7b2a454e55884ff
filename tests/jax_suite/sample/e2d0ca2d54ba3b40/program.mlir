module @jit_call_exported attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x8xf32>) -> (tensor<7x8xf32> {jax.result_info = "result[0]"}) {
    %c = stablehlo.constant dense<14> : tensor<i64>
    %c_0 = stablehlo.constant dense<true> : tensor<i1>
    %c_1 = stablehlo.constant dense<8> : tensor<i64>
    %c_2 = stablehlo.constant dense<16> : tensor<i64>
    %c_3 = stablehlo.constant dense<-2> : tensor<i64>
    %0 = stablehlo.convert %arg0 : tensor<16x8xf32>
    %1 = stablehlo.iota dim = 0 : tensor<7xi64>
    %2 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i64>) -> tensor<7xi64>
    %3 = stablehlo.multiply %2, %1 : tensor<7xi64>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<7xi64>
    %5 = stablehlo.add %4, %3 : tensor<7xi64>
    %6 = stablehlo.reverse %5, dims = [0] : tensor<7xi64>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<7xi64>) -> tensor<7x1xi64>
    %8 = "stablehlo.gather"(%0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 8>}> : (tensor<16x8xf32>, tensor<7x1xi64>) -> tensor<7x8xf32>
    %9 = stablehlo.reverse %8, dims = [0] : tensor<7x8xf32>
    %10 = stablehlo.convert %9 : tensor<7x8xf32>
    return %10 : tensor<7x8xf32>
  }
}
