module @jit__eigh attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<10x1x1xf32>) -> (tensor<10x1xf32> {jax.result_info = ""}, tensor<10x1x1xf32> {jax.result_info = ""}) {
    %0 = stablehlo.transpose %arg0, dims = [0, 2, 1] : (tensor<10x1x1xf32>) -> tensor<10x1x1xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<10x1x1xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<10x1x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<10x1x1xf32>
    %4:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%3) {backend_config = "", mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}, mhlo.frontend_attributes = {num_batch_dims = "1"}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>], sdy.sharding_rule = #sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i, n], [i]) {i=10, j=1, k=1, l=1, m=1, n=1}, custom>} : (tensor<10x1x1xf32>) -> (tensor<10x1x1xf32>, tensor<10x1xf32>, tensor<10xi32>)
    %c = stablehlo.constant dense<0> : tensor<i32>
    %5 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<10xi32>
    %6 = stablehlo.compare EQ, %4#2, %5, SIGNED : (tensor<10xi32>, tensor<10xi32>) -> tensor<10xi1>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<10xi1>) -> tensor<10x1x1xi1>
    %cst_0 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %8 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<10x1x1xf32>
    %9 = stablehlo.select %7, %4#0, %8 : tensor<10x1x1xi1>, tensor<10x1x1xf32>
    %10 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<10xi1>) -> tensor<10x1xi1>
    %cst_1 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<10x1xf32>
    %12 = stablehlo.select %10, %4#1, %11 : tensor<10x1xi1>, tensor<10x1xf32>
    return %12, %9 : tensor<10x1xf32>, tensor<10x1x1xf32>
  }
}
