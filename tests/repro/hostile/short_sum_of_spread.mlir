// A short sum is an expression and no loop. The one of the body keeps a short dimension that numbers were spread along before their
// sines, and is part of a kernel with a long sum: the dimension was written out of that kernel, which does not have it, and the compiler
// stopped.
module @random attributes {wengert.float_mode = "exact"} {
  func.func public @main() -> tensor<3x4x4xf32> {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<4x4xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<4x40x4xf32>
    %cst_1 = stablehlo.constant dense<3.000000e-01> : tensor<3x4x4xf32>
    %cst_2 = stablehlo.constant dense<-0.699999988> : tensor<3x4x4xf32>
    %0:3 = stablehlo.composite "wengert.scan" %cst, %cst_0, %cst_0, %cst_1, %cst_2 {composite_attributes = {body = @wengert.scan.0.body, carry = 2 : i64, consts = 1 : i64, length = 3 : i64, reverse = false}, decomposition = @wengert.scan.0} : (tensor<4x4xf32>, tensor<4x40x4xf32>, tensor<4x40x4xf32>, tensor<3x4x4xf32>, tensor<3x4x4xf32>) -> (tensor<4x40x4xf32>, tensor<4x40x4xf32>, tensor<3x4x4xf32>)
    return %0#2 : tensor<3x4x4xf32>
  }
  func.func private @wengert.scan.0.body(%arg0: tensor<4x4xf32>, %arg1: tensor<4x40x4xf32>, %arg2: tensor<4x40x4xf32>, %arg3: tensor<4x4xf32>, %arg4: tensor<4x4xf32>) -> (tensor<4x40x4xf32>, tensor<4x40x4xf32>, tensor<4x4xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg2 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<4x40x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1, 2] : (tensor<4x40x4xf32>) -> tensor<4x40x4x4xf32>
    %2 = stablehlo.sine %1 : tensor<4x40x4x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<4x40x4x4xf32>, tensor<f32>) -> tensor<4x40x4xf32>
    return %3, %3, %0 : tensor<4x40x4xf32>, tensor<4x40x4xf32>, tensor<4x4xf32>
  }
  func.func private @wengert.scan.0(%arg0: tensor<4x4xf32>, %arg1: tensor<4x40x4xf32>, %arg2: tensor<4x40x4xf32>, %arg3: tensor<3x4x4xf32>, %arg4: tensor<3x4x4xf32>) -> (tensor<4x40x4xf32>, tensor<4x40x4xf32>, tensor<3x4x4xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i64>
    %one = stablehlo.constant dense<1> : tensor<i64>
    %length = stablehlo.constant dense<3> : tensor<i64>
    %last = stablehlo.constant dense<2> : tensor<i64>
    %empty0 = stablehlo.constant dense<0.000000e+00> : tensor<3x4x4xf32>
    %loop:4 = stablehlo.while(%index = %zero, %state0 = %arg1, %state1 = %arg2, %state2 = %empty0) : tensor<i64>, tensor<4x40x4xf32>, tensor<4x40x4xf32>, tensor<3x4x4xf32>
    cond {
      %more = stablehlo.compare LT, %index, %length, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %row = stablehlo.add %zero, %index : tensor<i64>
      %slice0 = stablehlo.dynamic_slice %arg3, %row, %zero, %zero, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x4x4xf32>
      %x0 = stablehlo.reshape %slice0 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
      %slice1 = stablehlo.dynamic_slice %arg4, %row, %zero, %zero, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x4x4xf32>
      %x1 = stablehlo.reshape %slice1 : (tensor<1x4x4xf32>) -> tensor<4x4xf32>
      %body:3 = func.call @wengert.scan.0.body(%arg0, %state0, %state1, %x0, %x1) : (tensor<4x4xf32>, tensor<4x40x4xf32>, tensor<4x40x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) -> (tensor<4x40x4xf32>, tensor<4x40x4xf32>, tensor<4x4xf32>)
      %update0 = stablehlo.reshape %body#2 : (tensor<4x4xf32>) -> tensor<1x4x4xf32>
      %y0 = stablehlo.dynamic_update_slice %state2, %update0, %row, %zero, %zero : (tensor<3x4x4xf32>, tensor<1x4x4xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<3x4x4xf32>
      %next = stablehlo.add %index, %one : tensor<i64>
      stablehlo.return %next, %body#0, %body#1, %y0 : tensor<i64>, tensor<4x40x4xf32>, tensor<4x40x4xf32>, tensor<3x4x4xf32>
    }
    return %loop#1, %loop#2, %loop#3 : tensor<4x40x4xf32>, tensor<4x40x4xf32>, tensor<3x4x4xf32>
  }
}

