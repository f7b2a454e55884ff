module @jit__unique_sorted_mask attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xi16>) -> (tensor<4xi16> {jax.result_info = "result[0]"}, tensor<4xi1> {jax.result_info = "result[1]"}, tensor<4xi64> {jax.result_info = "result[2]"}) {
    %0 = stablehlo.reshape %arg0 : (tensor<4xi16>) -> tensor<4x1xi16>
    %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<4x1xi16>) -> tensor<1x4xi16>
    %2 = stablehlo.reverse %1, dims = [0] : tensor<1x4xi16>
    %3 = call @lexsort(%2) : (tensor<1x4xi16>) -> tensor<4xi64>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i64>) -> tensor<4xi64>
    %5 = stablehlo.compare LT, %3, %4, SIGNED : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi1>
    %c_0 = stablehlo.constant dense<4> : tensor<i64>
    %6 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<4xi64>
    %7 = stablehlo.add %3, %6 : tensor<4xi64>
    %8 = stablehlo.select %5, %7, %3 : tensor<4xi1>, tensor<4xi64>
    %9 = stablehlo.convert %8 : (tensor<4xi64>) -> tensor<4xi32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<4xi32>) -> tensor<4x1xi32>
    %11 = "stablehlo.gather"(%arg0, %10) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<4xi16>, tensor<4x1xi32>) -> tensor<4xi16>
    %c_1 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i1>) -> tensor<4xi1>
    %13 = stablehlo.slice %11 [1:4] : (tensor<4xi16>) -> tensor<3xi16>
    %14 = stablehlo.slice %11 [0:3] : (tensor<4xi16>) -> tensor<3xi16>
    %15 = stablehlo.compare NE, %13, %14, SIGNED : (tensor<3xi16>, tensor<3xi16>) -> tensor<3xi1>
    %c_2 = stablehlo.constant dense<false> : tensor<i1>
    %16 = stablehlo.reduce(%15 init: %c_2) applies stablehlo.or across dimensions = [] : (tensor<3xi1>, tensor<i1>) -> tensor<3xi1>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %18 = "stablehlo.scatter"(%12, %17, %16) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg1: tensor<i1>, %arg2: tensor<i1>):
      stablehlo.return %arg2 : tensor<i1>
    }) : (tensor<4xi1>, tensor<1xi32>, tensor<3xi1>) -> tensor<4xi1>
    return %11, %18, %3 : tensor<4xi16>, tensor<4xi1>, tensor<4xi64>
  }
  func.func private @lexsort(%arg0: tensor<1x4xi16>) -> tensor<4xi64> {
    %0 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<1x4xi16>) -> tensor<1x4xi16>
    %1 = stablehlo.reshape %0 : (tensor<1x4xi16>) -> tensor<4xi16>
    %2 = stablehlo.iota dim = 0 : tensor<4xi64>
    %3:2 = "stablehlo.sort"(%1, %2) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg1: tensor<i16>, %arg2: tensor<i16>, %arg3: tensor<i64>, %arg4: tensor<i64>):
      %4 = stablehlo.compare LT, %arg1, %arg2, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    }) : (tensor<4xi16>, tensor<4xi64>) -> (tensor<4xi16>, tensor<4xi64>)
    return %3#1 : tensor<4xi64>
  }
}
