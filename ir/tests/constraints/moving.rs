//! Operations that make tensors and move elements to places known at compile time.

use super::Row;

#[rustfmt::skip]
pub(crate) const TABLE: &[Row] = &[
    ("stablehlo.iota", "C1", "%0 = stablehlo.iota dim = 2 : tensor<2x3xi32>"),
    ("stablehlo.broadcast_in_dim", "C1", "%0 = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf64>"),
    ("stablehlo.broadcast_in_dim", "C2", "%0 = stablehlo.broadcast_in_dim %v, dims = [0, 1] : (tensor<3xf32>) -> tensor<2x3xf32>"),
    ("stablehlo.broadcast_in_dim", "C3", "%0 = stablehlo.broadcast_in_dim %v, dims = [2] : (tensor<3xf32>) -> tensor<2x3xf32>"),
    ("stablehlo.broadcast_in_dim", "C4", "%0 = stablehlo.broadcast_in_dim %f, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<2x3xf32>"),
    ("stablehlo.broadcast_in_dim", "C5", "%0 = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<3xf32>) -> tensor<2x3xf32>"),
    ("stablehlo.concatenate", "C1", "%0 = stablehlo.concatenate %f, %d, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<4x3xf32>"),
    ("stablehlo.concatenate", "C2", "%0 = stablehlo.concatenate %f, %t, dim = 0 : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<5x3xf32>"),
    ("stablehlo.concatenate", "C3", "%0 = \"stablehlo.concatenate\"() <{dimension = 0 : i64}> : () -> tensor<2xf32>"),
    ("stablehlo.concatenate", "C4", "%0 = stablehlo.concatenate %f, %g, dim = 2 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"),
    ("stablehlo.concatenate", "C5", "%0 = stablehlo.concatenate %f, %g, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf64>"),
    ("stablehlo.concatenate", "C6", "%0 = stablehlo.concatenate %f, %g, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>"),
    ("stablehlo.pad", "I2", "%0 = stablehlo.pad %f, %v, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>"),
    ("stablehlo.pad", "C1", "%0 = stablehlo.pad %f, %sd, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f64>) -> tensor<2x3xf32>"),
    ("stablehlo.pad", "C2", "%0 = stablehlo.pad %f, %s, low = [0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>"),
    ("stablehlo.pad", "C3", "%0 = stablehlo.pad %f, %s, low = [0, 0], high = [0, 0], interior = [0, -1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x1xf32>"),
    ("stablehlo.pad", "C4", "%0 = stablehlo.pad %f, %s, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>"),
    ("stablehlo.reshape", "C1", "%0 = stablehlo.reshape %f : (tensor<2x3xf32>) -> tensor<6xf64>"),
    ("stablehlo.reshape", "C2", "%0 = stablehlo.reshape %f : (tensor<2x3xf32>) -> tensor<5xf32>"),
    ("stablehlo.reverse", "C1", "%0 = stablehlo.reverse %f, dims = [0] : (tensor<2x3xf32>) -> tensor<3x2xf32>"),
    ("stablehlo.reverse", "C2", "%0 = stablehlo.reverse %f, dims = [0, 0] : tensor<2x3xf32>"),
    ("stablehlo.reverse", "C3", "%0 = stablehlo.reverse %f, dims = [2] : tensor<2x3xf32>"),
    ("stablehlo.slice", "C1", "%0 = stablehlo.slice %f [0:1, 0:3] : (tensor<2x3xf32>) -> tensor<1x3xf64>"),
    ("stablehlo.slice", "C2", "%0 = stablehlo.slice %f [0:1] : (tensor<2x3xf32>) -> tensor<1x3xf32>"),
    ("stablehlo.slice", "C3", "%0 = stablehlo.slice %f [0:3, 0:3] : (tensor<2x3xf32>) -> tensor<3x3xf32>"),
    ("stablehlo.slice", "C3", "%0 = stablehlo.slice %f [1:0, 0:3] : (tensor<2x3xf32>) -> tensor<0x3xf32>"),
    ("stablehlo.slice", "C4", "%0 = stablehlo.slice %f [0:2:0, 0:3] : (tensor<2x3xf32>) -> tensor<2x3xf32>"),
    ("stablehlo.slice", "C5", "%0 = stablehlo.slice %f [0:1, 0:3] : (tensor<2x3xf32>) -> tensor<2x3xf32>"),
    ("stablehlo.transpose", "C1", "%0 = stablehlo.transpose %f, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf64>"),
    ("stablehlo.transpose", "C2", "%0 = stablehlo.transpose %f, dims = [1, 1] : (tensor<2x3xf32>) -> tensor<3x3xf32>"),
    ("stablehlo.transpose", "C3", "%0 = stablehlo.transpose %f, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>"),
    ("stablehlo.optimization_barrier", "C1", "%0 = \"stablehlo.optimization_barrier\"(%f) : (tensor<2x3xf32>) -> tensor<3x2xf32>"),
];
