//! Operations with regions, tokens and tuples.

use super::Row;

#[rustfmt::skip]
pub(crate) const TABLE: &[Row] = &[
    ("stablehlo.reduce", "C1", "%0:2 = stablehlo.reduce(%f init: %s), (%t init: %s) across dimensions = [0] : (tensor<2x3xf32>, tensor<3x2xf32>, tensor<f32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)\n reducer(%a: tensor<f32>, %c: tensor<f32>) (%e: tensor<f32>, %h: tensor<f32>) { stablehlo.return %a, %e : tensor<f32>, tensor<f32> }"),
    ("stablehlo.reduce", "C2", "%0 = stablehlo.reduce(%f init: %sd) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f64>) -> tensor<3xf32>"),
    ("stablehlo.reduce", "C4", "%0 = stablehlo.reduce(%f init: %s) applies stablehlo.add across dimensions = [2] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>"),
    ("stablehlo.reduce", "C5", "%0 = stablehlo.reduce(%f init: %s) applies stablehlo.add across dimensions = [0, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>"),
    ("stablehlo.reduce", "C6", "%0 = stablehlo.reduce(%f init: %s) across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>\n reducer(%a: tensor<f32>, %c: tensor<f32>) { stablehlo.return %p : tensor<i1> }"),
    ("stablehlo.reduce", "C7", "%0 = stablehlo.reduce(%f init: %s) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>"),
    ("stablehlo.reduce", "C8", "%0 = stablehlo.reduce(%f init: %s) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf64>"),
    ("stablehlo.case", "I1", "%0 = \"stablehlo.case\"(%sl) ({ stablehlo.return %s : tensor<f32> }) : (tensor<i64>) -> tensor<f32>"),
    ("stablehlo.case", "C3", "%0 = \"stablehlo.case\"(%si) ({ stablehlo.return %s : tensor<f32> }, { stablehlo.return %sd : tensor<f64> }) : (tensor<i32>) -> tensor<f32>"),
    ("stablehlo.case", "C4", "%0 = \"stablehlo.case\"(%si) ({ stablehlo.return %s : tensor<f32> }) : (tensor<i32>) -> tensor<f64>"),
    ("stablehlo.if", "I1", "%0 = \"stablehlo.if\"(%si) ({ stablehlo.return %s : tensor<f32> }, { stablehlo.return %s : tensor<f32> }) : (tensor<i32>) -> tensor<f32>"),
    ("stablehlo.if", "C1", "%0 = \"stablehlo.if\"(%p) ({ ^bb0(%a: tensor<f32>): stablehlo.return %s : tensor<f32> }, { stablehlo.return %s : tensor<f32> }) : (tensor<i1>) -> tensor<f32>"),
    ("stablehlo.if", "C2", "%0 = \"stablehlo.if\"(%p) ({ stablehlo.return %s : tensor<f32> }, { stablehlo.return %sd : tensor<f64> }) : (tensor<i1>) -> tensor<f32>"),
    ("stablehlo.if", "C3", "%0 = \"stablehlo.if\"(%p) ({ stablehlo.return %s : tensor<f32> }, { stablehlo.return %s : tensor<f32> }) : (tensor<i1>) -> tensor<f64>"),
    ("stablehlo.while", "C1", "%0 = stablehlo.while(%k = %s) : tensor<f32> cond { stablehlo.return %k : tensor<f32> } do { stablehlo.return %k : tensor<f32> }"),
    ("stablehlo.while", "C2", "%0 = stablehlo.while(%k = %s) : tensor<f32> cond { stablehlo.return %p : tensor<i1> } do { stablehlo.return %sd : tensor<f64> }"),
    ("stablehlo.while", "C3", "%0 = \"stablehlo.while\"(%s) ({ ^bb0(%k: tensor<f32>): stablehlo.return %p : tensor<i1> }, { ^bb0(%k: tensor<f32>): stablehlo.return %k : tensor<f32> }) : (tensor<f32>) -> tensor<f64>"),
    ("stablehlo.sort", "C2", "%0 = \"stablehlo.sort\"(%f) <{dimension = 0 : i64}> ({ ^bb0(%a: tensor<f32>, %c: tensor<f32>): stablehlo.return %p : tensor<i1> }) : (tensor<2x3xf32>) -> tensor<3x2xf32>"),
    ("stablehlo.sort", "C3", "%0:2 = \"stablehlo.sort\"(%f, %t) <{dimension = 0 : i64}> ({ ^bb0(%a: tensor<f32>, %c: tensor<f32>, %e: tensor<f32>, %h: tensor<f32>): stablehlo.return %p : tensor<i1> }) : (tensor<2x3xf32>, tensor<3x2xf32>) -> (tensor<2x3xf32>, tensor<3x2xf32>)"),
    ("stablehlo.sort", "C5", "%0 = \"stablehlo.sort\"(%f) <{dimension = 0 : i64}> ({ ^bb0(%a: tensor<f32>, %c: tensor<f32>): stablehlo.return %a : tensor<f32> }) : (tensor<2x3xf32>) -> tensor<2x3xf32>"),
    ("stablehlo.after_all", "I1", "%0 = \"stablehlo.after_all\"(%s) : (tensor<f32>) -> !stablehlo.token"),
    ("stablehlo.get_dimension_size", "C1", "%0 = stablehlo.get_dimension_size %f, dim = 2 : (tensor<2x3xf32>) -> tensor<i32>"),
    ("check.expect_eq", "C1", "check.expect_eq_const %s, dense<1.0> : tensor<f64>"),
];
