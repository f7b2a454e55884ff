// sum over i of 100 (x[i+1] - x[i]^2)^2 + (1 - x[i])^2
module @rosenbrock {
  func.func public @main(%x: tensor<8xf64>) -> tensor<f64> {
    %here = stablehlo.slice %x [0:7] : (tensor<8xf64>) -> tensor<7xf64>
    %next = stablehlo.slice %x [1:8] : (tensor<8xf64>) -> tensor<7xf64>
    %hundred = stablehlo.constant dense<1.0e+02> : tensor<7xf64>
    %one = stablehlo.constant dense<1.0> : tensor<7xf64>
    %zero = stablehlo.constant dense<0.0> : tensor<f64>
    %square = stablehlo.multiply %here, %here : tensor<7xf64>
    %bend = stablehlo.subtract %next, %square : tensor<7xf64>
    %bend2 = stablehlo.multiply %bend, %bend : tensor<7xf64>
    %valley = stablehlo.multiply %hundred, %bend2 : tensor<7xf64>
    %rest = stablehlo.subtract %one, %here : tensor<7xf64>
    %rest2 = stablehlo.multiply %rest, %rest : tensor<7xf64>
    %terms = stablehlo.add %valley, %rest2 : tensor<7xf64>
    %sum = stablehlo.reduce(%terms init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<7xf64>, tensor<f64>) -> tensor<f64>
    return %sum : tensor<f64>
  }
}
