func.func @main(%a: tensor<20xf64>, %b: tensor<20xf64>) -> (tensor<20xf64>, tensor<20xf64>) {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %r:3 = stablehlo.while(%i = %zero, %x = %a, %y = %b) : tensor<i64>, tensor<20xf64>, tensor<20xf64>
  cond {
    %n = stablehlo.constant dense<7> : tensor<i64>
    %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i64>
    %k = stablehlo.multiply %i, %i : tensor<i64>
    %at = stablehlo.reshape %k : (tensor<i64>) -> tensor<1xi64>
    %u = stablehlo.constant dense<1.0> : tensor<f64>
    %p = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%l: tensor<f64>, %m: tensor<f64>):
      %s = stablehlo.add %l, %m : tensor<f64>
      stablehlo.return %s : tensor<f64>
    }) : (tensor<20xf64>, tensor<1xi64>, tensor<f64>) -> tensor<20xf64>
    %q = "stablehlo.scatter"(%y, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%l: tensor<f64>, %m: tensor<f64>):
      %s = stablehlo.add %l, %m : tensor<f64>
      stablehlo.return %s : tensor<f64>
    }) : (tensor<20xf64>, tensor<1xi64>, tensor<f64>) -> tensor<20xf64>
    %j = stablehlo.add %i, %one : tensor<i64>
    stablehlo.return %j, %p, %q : tensor<i64>, tensor<20xf64>, tensor<20xf64>
  }
  return %r#1, %r#2 : tensor<20xf64>, tensor<20xf64>
}
