//! Kernels over rows of a few elements, which are turned, many at a time: the interpreter and compiled code to the bit, at sizes that
//! leave rows of a tile and columns of a square over, on several threads.

use crate::common;

use common::all_ways;
use wengert_ir::array::Array;
use wengert_ir::testing::Random;
use wengert_ir::types::{DType, FloatMode, TensorType};
use wengert_passes::lower::{self, lower};

/// `softmax` of the rows of `%x`, of `rows` by `n`, as `%softmax`, with what it is made of.
fn softmax(shape: &str, row: &str, dims: &str, last: usize, t: &str, least: &str) -> String {
    format!(
        "%zero = stablehlo.constant dense<0.0> : tensor<{t}>
         %least = stablehlo.constant dense<{least}> : tensor<{t}>
         %m = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [{last}] : (tensor<{shape}x{t}>, tensor<{t}>) -> tensor<{row}x{t}>
         %mb = stablehlo.broadcast_in_dim %m, dims = [{dims}] : (tensor<{row}x{t}>) -> tensor<{shape}x{t}>
         %d = stablehlo.subtract %x, %mb : tensor<{shape}x{t}>
         %e = stablehlo.exponential %d : tensor<{shape}x{t}>
         %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [{last}] : (tensor<{shape}x{t}>, tensor<{t}>) -> tensor<{row}x{t}>
         %sb = stablehlo.broadcast_in_dim %s, dims = [{dims}] : (tensor<{row}x{t}>) -> tensor<{shape}x{t}>
         %softmax = stablehlo.divide %e, %sb : tensor<{shape}x{t}>"
    )
}

/// Runs a program of this text in all ways, on one thread and several, with long vectors and shorter ones.
fn check(text: &str, args: &[Array]) {
    let mut module = wengert_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    module.mode = FloatMode::Exact;
    let main = module.find("main").expect("is there");
    let ways = all_ways(&module, main, args, text);
    for (way, found) in &ways[1..] {
        for (found, want) in found.iter().zip(&ways[0].1) {
            assert!(found.bytes() == want.bytes(), "{way}\n{text}");
        }
    }
    let program = lower(&module, main, &lower::Options::default()).expect("it lowers");
    for threads in [2, 5] {
        wengert_cpu::set_threads(threads);
        for wide in [wengert_cpu::Wide::Ymm, wengert_cpu::Wide::Zmm] {
            let options = wengert_cpu::Options { wide: Some(wide), ..Default::default() };
            let found = common::run(&program, &options, args);
            for (found, want) in found.iter().zip(&ways[0].1) {
                assert!(found.bytes() == want.bytes(), "{threads} threads, {wide:?}\n{text}");
            }
        }
    }
    wengert_cpu::set_threads(1);
}

fn array(dtype: DType, shape: &[usize], random: &mut Random) -> Array {
    random.array(&TensorType::new(dtype, shape), -4.0, 4.0)
}

const KINDS: [(DType, &str, &str); 3] = [
    (DType::F32, "f32", "0xFF800000"),
    (DType::F64, "f64", "0xFFF0000000000000"),
    (DType::F16, "f16", "0xFC00"),
];

#[test]
fn softmax_and_what_it_is_made_of() {
    let mut random = Random(47);
    for (k, (rows, n)) in [
        (64, 10),
        (65, 3),
        (130, 9),
        (257, 16),
        (300, 17),
        (1000, 29),
        (64, 64),
        (201, 33),
        (3000, 12),
        (90, 65),
    ]
    .into_iter()
    .enumerate()
    {
        let (dtype, t, least) = KINDS[if k < 8 { k % 3 } else { 0 }];
        let shape = format!("{rows}x{n}");
        let body = softmax(&shape, &rows.to_string(), "0", 1, t, least);
        let x = array(dtype, &[rows, n], &mut random);
        for results in [&["softmax"][..], &["e", "s"], &["softmax", "m", "e"]] {
            let ty = |r: &&str| {
                let shape = if matches!(*r, "s" | "m") { rows.to_string() } else { shape.clone() };
                format!("tensor<{shape}x{t}>")
            };
            let types: Vec<String> = results.iter().map(ty).collect();
            let names: Vec<String> = results.iter().map(|r| format!("%{r}")).collect();
            let (types, names) = (types.join(", "), names.join(", "));
            let text = format!(
                "func.func public @main(%x: tensor<{shape}x{t}>) -> ({types}) {{\n{body}\nreturn {names} : {types}\n}}"
            );
            check(&text, std::slice::from_ref(&x));
        }
    }
}

/// Two outer dimensions, and operands that lie in other ways: weights of columns, of rows, a transposed factor, one that is read backwards,
/// and a second value along rows.
#[test]
fn beside_other_operands() {
    let mut random = Random(48);
    for (a, b, n) in [(8, 10, 11), (4, 50, 24), (70, 1, 13)] {
        let (shape, row) = (format!("{a}x{b}x{n}"), format!("{a}x{b}"));
        let (rows, turned) = (a * b, format!("{n}x{a}x{b}"));
        let body = softmax(&shape, &row, "0, 1", 2, "f32", "0xFF800000");
        let text = format!(
            "func.func public @main(%x: tensor<{shape}xf32>, %w: tensor<{n}xf32>, %r: tensor<{row}xf32>, %y: tensor<{turned}xf32>, %z: tensor<{rows}x{n}xf32>)
                 -> (tensor<{shape}xf32>, tensor<{row}xf32>, tensor<{shape}xf32>) {{
               {body}
               %wb = stablehlo.broadcast_in_dim %w, dims = [2] : (tensor<{n}xf32>) -> tensor<{shape}xf32>
               %rb = stablehlo.broadcast_in_dim %r, dims = [0, 1] : (tensor<{row}xf32>) -> tensor<{shape}xf32>
               %yt = stablehlo.transpose %y, dims = [1, 2, 0] : (tensor<{turned}xf32>) -> tensor<{shape}xf32>
               %zr = stablehlo.reshape %z : (tensor<{rows}x{n}xf32>) -> tensor<{shape}xf32>
               %zz = stablehlo.reverse %zr, dims = [2] : tensor<{shape}xf32>
               %0 = stablehlo.multiply %softmax, %wb : tensor<{shape}xf32>
               %1 = stablehlo.add %0, %rb : tensor<{shape}xf32>
               %2 = stablehlo.multiply %1, %yt : tensor<{shape}xf32>
               %3 = stablehlo.subtract %2, %zz : tensor<{shape}xf32>
               %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<{shape}xf32>, tensor<f32>) -> tensor<{row}xf32>
               %tb = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<{row}xf32>) -> tensor<{shape}xf32>
               %5 = stablehlo.subtract %3, %tb : tensor<{shape}xf32>
               %6 = stablehlo.multiply %5, %zr : tensor<{shape}xf32>
               %7 = stablehlo.tanh %6 : tensor<{shape}xf32>
               return %7, %4, %3 : tensor<{shape}xf32>, tensor<{row}xf32>, tensor<{shape}xf32>
             }}"
        );
        let shapes: [&[usize]; 5] = [&[a, b, n], &[n], &[a, b], &[n, a, b], &[rows, n]];
        let args = shapes.map(|shape| array(DType::F32, shape, &mut random));
        check(&text, &args);
    }
}

/// Reductions by themselves: the largest of a row, of every type; and sums of functions.
#[test]
fn reductions_alone() {
    let mut random = Random(49);
    for (rows, n) in [(64, 9), (129, 31), (2000, 40), (77, 64)] {
        for (dtype, t, least) in
            KINDS.into_iter().chain([(DType::I32, "i32", "-2147483648"), (DType::I8, "i8", "-128")])
        {
            let text = format!(
                "func.func public @main(%x: tensor<{rows}x{n}x{t}>) -> tensor<{rows}x{t}> {{
                   %least = stablehlo.constant dense<{least}> : tensor<{t}>
                   %m = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<{rows}x{n}x{t}>, tensor<{t}>) -> tensor<{rows}x{t}>
                   return %m : tensor<{rows}x{t}>
                 }}"
            );
            check(&text, &[array(dtype, &[rows, n], &mut random)]);
        }
        let text = format!(
            "func.func public @main(%x: tensor<{rows}x{n}xf64>) -> (tensor<{rows}xf64>, tensor<{rows}x{n}xf64>) {{
               %zero = stablehlo.constant dense<0.0> : tensor<f64>
               %e = stablehlo.tanh %x : tensor<{rows}x{n}xf64>
               %m = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<{rows}x{n}xf64>, tensor<f64>) -> tensor<{rows}xf64>
               return %m, %e : tensor<{rows}xf64>, tensor<{rows}x{n}xf64>
             }}"
        );
        check(&text, &[array(DType::F64, &[rows, n], &mut random)]);
    }
}
