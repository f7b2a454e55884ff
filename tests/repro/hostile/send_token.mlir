func.func @main() -> tensor<f32> {
  %x = stablehlo.constant dense<1.0> : tensor<f32>
  %t = stablehlo.create_token : !stablehlo.token
  %u = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<f32>, !stablehlo.token) -> !stablehlo.token
  return %x : tensor<f32>
}
