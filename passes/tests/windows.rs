//! Operations with functions of the user's: derivatives go through loops where elementwise operations do not do.

use crate::support;
use support::{check_forms, check_orders, count_ops, run};
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::op::Op;
use wengert_ir::testing::{Random, floats};
use wengert_ir::text::{PrintOptions, parse, print};
use wengert_ir::types::{DType, TensorType};
use wengert_passes::ad;
use wengert_passes::inline::inline_calls;
use wengert_passes::legalize::legalize;

fn module(text: &str) -> (Module, FuncId) {
    let m = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let f = m.find("main").expect("main");
    (m, f)
}

/// Derivatives to second order of a program along a curve through tensors of a shape with elements between two bounds.
fn check(name: &str, text: &str, shape: &[usize], lo: f64, hi: f64) {
    let ty = TensorType::new(DType::F64, shape);
    let n = ty.elements();
    let (half, middle) = ((hi - lo) / 2.0, (hi + lo) / 2.0);
    let main = format!(
        "func.func public @main(%t: tensor<f64>) -> tensor<f64> {{
           %i = stablehlo.iota dim = 0 : tensor<{n}xf64>
           %k = stablehlo.constant dense<0.7> : tensor<{n}xf64>
           %h = stablehlo.constant dense<{half:?}> : tensor<{n}xf64>
           %m = stablehlo.constant dense<{middle:?}> : tensor<{n}xf64>
           %0 = stablehlo.multiply %i, %k : tensor<{n}xf64>
           %1 = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<f64>) -> tensor<{n}xf64>
           %2 = stablehlo.add %0, %1 : tensor<{n}xf64>
           %3 = stablehlo.cosine %2 : tensor<{n}xf64>
           %4 = stablehlo.multiply %3, %h : tensor<{n}xf64>
           %5 = stablehlo.add %4, %m : tensor<{n}xf64>
           %6 = stablehlo.reshape %5 : (tensor<{n}xf64>) -> {ty}
           %7 = func.call @inner(%6) : ({ty}) -> tensor<f64>
           return %7 : tensor<f64>
         }}"
    );
    let text = text.replacen("func.func public @main", &format!("{main} func.func private @inner"), 1);
    let (mut m, f) = module(&text);
    let f = inline_calls(&mut m, f);
    check_orders(&mut m, f, &[Array::scalar(0.3)], 2, name);
    check_forms(&mut m, f, &[Array::scalar(0.3)], name);
}

/// A program whose last lines sum the squares of `%y`.
fn program(head: &str, ty: &str, rank: usize, others: &str) -> String {
    let dims: Vec<String> = (0..rank).map(|d| d.to_string()).collect();
    format!(
        "module @m {{
           func.func public @main{head}
             %sq = stablehlo.multiply %y, %y : {ty}
             %z = stablehlo.constant dense<0.0> : tensor<f64>
             %r = stablehlo.reduce(%sq init: %z) applies stablehlo.add across dimensions = [{}] : ({ty}, tensor<f64>) -> tensor<f64>
             return %r : tensor<f64>
           }}
           {others}
         }}",
        dims.join(", ")
    )
}

const CALLED: &str = "func.func private @g(%a: tensor<f64>) -> tensor<f64> {
    %0 = stablehlo.sine %a : tensor<f64>
    return %0 : tensor<f64>
  }";

#[test]
fn maps_with_calls_and_branches() {
    for (ty, shape) in [("tensor<f64>", &[][..]), ("tensor<3xf64>", &[3]), ("tensor<2x3xf64>", &[2, 3])] {
        let dims: Vec<String> = (0..shape.len()).map(|d| d.to_string()).collect();
        let dims = if dims.is_empty() { String::new() } else { format!(": {}", dims.join(", ")) };
        let map = |body: &str| {
            let head = format!(
                "(%x: {ty}) -> tensor<f64> {{
                 %y = \"stablehlo.map\"(%x) ({{ ^bb0(%a: tensor<f64>): {body} }}) {{dimensions = array<i64{dims}>}} : ({ty}) -> {ty}"
            );
            program(&head, ty, shape.len(), CALLED)
        };
        let call = map("%0 = func.call @g(%a) : (tensor<f64>) -> tensor<f64>
            %1 = stablehlo.multiply %0, %a : tensor<f64>
            stablehlo.return %1 : tensor<f64>");
        check("a map that calls", &call, shape, -1.0, 1.0);
        let branch = map("%zero = stablehlo.constant dense<0.0> : tensor<f64>
            %p = stablehlo.compare GT, %a, %zero : (tensor<f64>, tensor<f64>) -> tensor<i1>
            %k = stablehlo.convert %p : (tensor<i1>) -> tensor<i32>
            %0 = \"stablehlo.case\"(%k) ({
              %1 = stablehlo.sine %a : tensor<f64>
              stablehlo.return %1 : tensor<f64>
            }, {
              %1 = stablehlo.exponential %a : tensor<f64>
              stablehlo.return %1 : tensor<f64>
            }) : (tensor<i32>) -> tensor<f64>
            stablehlo.return %0 : tensor<f64>");
        check("a map that branches", &branch, shape, -1.0, 1.0);
    }
}

/// Windows of `dims` with a reducer of their own over a tensor.
fn window(size: usize, window: usize, body: &str, init: &str) -> String {
    let n = size - window + 1;
    let head = format!(
        "(%x: tensor<{size}xf64>) -> tensor<f64> {{
           %c = stablehlo.constant dense<{init}> : tensor<f64>
           %y = \"stablehlo.reduce_window\"(%x, %c) ({{ ^bb0(%a: tensor<f64>, %b: tensor<f64>): {body} }})
             {{window_dimensions = array<i64: {window}>}} : (tensor<{size}xf64>, tensor<f64>) -> tensor<{n}xf64>"
    );
    program(&head, &format!("tensor<{n}xf64>"), 1, CALLED)
}

#[test]
fn large_windows() {
    let product = "%0 = stablehlo.multiply %a, %b : tensor<f64> stablehlo.return %0 : tensor<f64>";
    check("a product", &window(70, 68, product, "1.0"), &[70], 0.9, 1.1);
    let own = "%0 = stablehlo.multiply %a, %b : tensor<f64>
        %1 = stablehlo.sine %0 : tensor<f64>
        %2 = stablehlo.add %1, %b : tensor<f64>
        stablehlo.return %2 : tensor<f64>";
    check("a body of its own", &window(68, 66, own, "0.5"), &[68], -0.5, 0.5);
    let calls = "%0 = func.call @g(%b) : (tensor<f64>) -> tensor<f64>
        %1 = stablehlo.add %a, %0 : tensor<f64>
        stablehlo.return %1 : tensor<f64>";
    check("a body that calls", &window(6, 3, calls, "0.5"), &[6], -0.5, 0.5);
    // Much larger ones are differentiable too.
    let (mut m, f) = module(&window(1101, 1100, product, "1.0"));
    let g = ad::value_and_grad(&mut m, f, &[true], 0).expect("a derivative");
    let x = Array::new(&[1101], &vec![1.0f64; 1101]);
    let out = run(&m, g, &[x]);
    let gradient = floats(&out[1]);
    assert_eq!((gradient[0], gradient[5], gradient[1100]), (2.0, 4.0, 2.0));
}

/// A scatter of three updates, two of them to one place and one outside.
fn scatter(body: &str) -> String {
    let head = format!(
        "(%x: tensor<7xf64>) -> tensor<f64> {{
           %in = stablehlo.slice %x [0:4] : (tensor<7xf64>) -> tensor<4xf64>
           %up = stablehlo.slice %x [4:7] : (tensor<7xf64>) -> tensor<3xf64>
           %up4 = stablehlo.concatenate %up, %up, dim = 0 : (tensor<3xf64>, tensor<3xf64>) -> tensor<6xf64>
           %i = stablehlo.constant dense<[[1], [3], [1], [9], [0], [-1]]> : tensor<6x1xi32>
           %y = \"stablehlo.scatter\"(%in, %i, %up4) <{{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}>
             ({{ ^bb0(%a: tensor<f64>, %b: tensor<f64>): {body} }}) : (tensor<4xf64>, tensor<6x1xi32>, tensor<6xf64>) -> tensor<4xf64>"
    );
    program(&head, "tensor<4xf64>", 1, CALLED)
}

#[test]
fn scatters_with_bodies_of_their_own() {
    let product = "%0 = stablehlo.multiply %a, %b : tensor<f64> stablehlo.return %0 : tensor<f64>";
    check("a scatter that multiplies", &scatter(product), &[7], 0.5, 1.5);
    let own = "%0 = stablehlo.multiply %a, %b : tensor<f64>
        %1 = func.call @g(%0) : (tensor<f64>) -> tensor<f64>
        %2 = stablehlo.add %1, %b : tensor<f64>
        stablehlo.return %2 : tensor<f64>";
    check("a scatter of its own", &scatter(own), &[7], -1.0, 1.0);
}

#[test]
fn selections_that_multiply() {
    let head = "(%x: tensor<8xf64>) -> tensor<f64> {
        %in = stablehlo.slice %x [0:5] : (tensor<8xf64>) -> tensor<5xf64>
        %up = stablehlo.slice %x [5:8] : (tensor<8xf64>) -> tensor<3xf64>
        %one = stablehlo.constant dense<1.5> : tensor<f64>
        %y = \"stablehlo.select_and_scatter\"(%in, %up, %one) ({ ^bb0(%a: tensor<f64>, %b: tensor<f64>):
            %0 = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
            stablehlo.return %0 : tensor<i1>
          }, { ^bb0(%a: tensor<f64>, %b: tensor<f64>):
            %0 = stablehlo.multiply %a, %b : tensor<f64>
            stablehlo.return %0 : tensor<f64>
          }) {window_dimensions = array<i64: 3>} : (tensor<5xf64>, tensor<3xf64>, tensor<f64>) -> tensor<5xf64>";
    check("a selection that multiplies", &program(head, "tensor<5xf64>", 1, ""), &[8], 0.5, 1.5);
}

/// A reducer may take wider values than the inputs have: inputs are converted.
#[test]
fn bodies_of_wider_types() {
    let add = "({ ^bb0(%a: tensor<f64>, %b: tensor<f64>):
        %0 = stablehlo.add %a, %b : tensor<f64>
        stablehlo.return %0 : tensor<f64>
      })";
    let dims = "scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 0>";
    let ge = "({ ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %0 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %0 : tensor<i1>
      }, ";
    let second = &add[1..];
    let text = format!(
        "module @m {{ func.func public @main(%x: tensor<3xf32>) -> (tensor<f64>, tensor<2xf64>, tensor<3xf64>, tensor<3xf64>) {{
           %z = stablehlo.constant dense<0.0> : tensor<f32>
           %i = stablehlo.constant dense<1> : tensor<i32>
           %s = stablehlo.slice %x [0:2] : (tensor<3xf32>) -> tensor<2xf32>
           %0 = \"stablehlo.reduce\"(%x, %z) {add} {{dimensions = array<i64: 0>}} : (tensor<3xf32>, tensor<f32>) -> tensor<f64>
           %1 = \"stablehlo.reduce_window\"(%x, %z) {add} {{window_dimensions = array<i64: 2>}} : (tensor<3xf32>, tensor<f32>) -> tensor<2xf64>
           %2 = \"stablehlo.scatter\"(%x, %i, %z) <{{{dims}}}> {add} : (tensor<3xf32>, tensor<i32>, tensor<f32>) -> tensor<3xf64>
           %3 = \"stablehlo.select_and_scatter\"(%x, %s, %z) {ge}{second} {{window_dimensions = array<i64: 2>}} : (tensor<3xf32>, tensor<2xf32>, tensor<f32>) -> tensor<3xf64>
           return %0, %1, %2, %3 : tensor<f64>, tensor<2xf64>, tensor<3xf64>, tensor<3xf64>
         }} }}"
    );
    let (m, f) = module(&text);
    let x = Array::new(&[3], &[1.0f32, 16777216.0, 1.0]);
    let out = run(&m, f, std::slice::from_ref(&x));
    assert_eq!(floats(&out[0]), [16777218.0]);
    assert_eq!(floats(&out[1]), [16777217.0, 16777217.0]);
    assert_eq!(floats(&out[2]), [1.0, 16777216.0, 1.0]);
    assert_eq!(floats(&out[3]), [0.0, 16777217.0, 0.0]);
    let again = parse(&print(&m, &PrintOptions::default())).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(run(&again, again.find("main").expect("main"), &[x]), out);
    // Not narrower ones.
    let narrow = text.replace("f64", "f16");
    let error = parse(&narrow).expect_err("a narrower body").to_string();
    assert!(error.contains("C6") && error.contains("f32") && error.contains("f16"), "{error}");
}

/// Where rounding is free, windows of 3 x 3 over many features become 16 products of a ninth of the length.
#[test]
fn minimal_filtering() {
    let (x, w, y) = ("tensor<2x13x14x64xf32>", "tensor<3x3x64x48xf32>", "tensor<2x13x14x48xf32>");
    let text = |mode: &str| {
        format!(
            "module attributes {{wengert.float_mode = \"{mode}\"}} {{
               func.func public @main(%x: {x}, %w: {w}) -> {y} {{
                 %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
                   window = {{pad = [[1, 1], [1, 1]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({x}, {w}) -> {y}
                 return %0 : {y}
               }}
             }}"
        )
    };
    let args: Vec<Array> = [&[2, 13, 14, 64][..], &[3, 3, 64, 48]]
        .iter()
        .map(|shape| Random(5).array(&TensorType::new(DType::F32, shape), -1.0, 1.0))
        .collect();
    let mut outputs = Vec::new();
    for (mode, products) in [("exact", 1), ("default", 1), ("relaxed", 16)] {
        let (mut m, f) = module(&text(mode));
        let f = legalize(&mut m, f);
        assert_eq!(count_ops(&m, f, &|op| matches!(op, Op::DotGeneral(_))), products, "{mode}");
        outputs.push(floats(&run(&m, f, &args)[0]));
    }
    for (a, b) in outputs[0].iter().zip(&outputs[2]) {
        // Sums of 576 products of numbers up to 1.
        assert!((a - b).abs() < 1e-4, "{a} {b}");
    }
}

/// Where windows of a scatter overlap, the loop of its derivative combines updates in the order of its evaluation, wherever windows lie
/// among the dimensions of updates: combinations that do not commute show it.
#[test]
fn a_scatter_in_a_loop_keeps_its_order() {
    let x = "tensor<6xf64>";
    for (dims, updates) in [("0", "tensor<3x4xf64>"), ("1", "tensor<4x3xf64>")] {
        let head = format!("(%x: {x}, %u: {updates}) -> {x} {{");
        let text = format!(
            "func.func public @main{head}
               %i = stablehlo.constant dense<[[0], [2], [1], [3]]> : tensor<4x1xi64>
               %y = \"stablehlo.scatter\"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [{dims}], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
               ^bb0(%a: tensor<f64>, %b: tensor<f64>):
                 %h = stablehlo.constant dense<0.5> : tensor<f64>
                 %p = stablehlo.multiply %a, %h : tensor<f64>
                 %s = stablehlo.add %p, %b : tensor<f64>
                 stablehlo.return %s : tensor<f64>
               }}) : ({x}, tensor<4x1xi64>, {updates}) -> {x}
               return %y : {x}
             }}"
        );
        let (mut m, f) = module(&text);
        let mut random = Random(3);
        let func = m.get(f);
        let args: Vec<Array> = func.params.iter().map(|&p| random.array(func.tensor(p), 1.0, 2.0)).collect();
        let value = run(&m, f, &args);
        let forward = ad::jvp(&mut m, f, &[true, true]).expect("it has a derivative");
        let (a, b) = (args.clone(), args.clone());
        let found = run(&m, forward, &[a, b].concat());
        assert_eq!(found[0].bytes(), value[0].bytes(), "windows in dimension {dims}");
        // The function is linear: its derivative along its argument is its value.
        for (d, v) in floats(&found[1]).iter().zip(floats(&value[0])) {
            assert!((d - v).abs() < 1e-12, "windows in dimension {dims}: {d} {v}");
        }
    }
}
