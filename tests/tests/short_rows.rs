//! Rows of a few numbers: reduced, with functions before and after, they are computed side by side as vectors; results are what the
//! interpreter has.

use crate::vector_code::{has_512_bits, parsed, slow};
use wengert::{DType, Tensor};
use wengert_ir::kernel::{Extent, KOp, LoopKind};
use wengert_ir::testing::Random;
use wengert_ir::types::TensorType;

/// Compiled code gives what the interpreter does, but for the order of sums.
#[track_caller]
fn agrees(text: &str, args: &[Tensor]) {
    let program = parsed(text);
    let compiled = program.lower().and_then(|l| l.compile()).and_then(|c| c.call(args));
    let compiled = compiled.unwrap_or_else(|e| panic!("{e}\n{text}"));
    let interpreted = program.interpret(args).unwrap_or_else(|e| panic!("{e}\n{text}"));
    for (a, b) in compiled.iter().zip(&interpreted) {
        let near = if a.dtype() == DType::F32 { 2e-5 } else { 1e-13 };
        let wide = |t: &Tensor| t.astype(DType::F64).to_vec::<f64>();
        for (i, (x, y)) in wide(a).into_iter().zip(wide(b)).enumerate() {
            let same = x.to_bits() == y.to_bits() || (x - y).abs() <= near * (1.0 + y.abs());
            assert!(same, "element {i}: {x} for {y}\n{text}");
        }
    }
}

fn random(dtype: DType, shape: &[usize], seed: u64) -> Tensor {
    let array = Random(seed).array(&TensorType::new(DType::F64, shape), -2.0, 2.0);
    Tensor::new(shape, array.as_slice::<f64>()).astype(dtype)
}

const ROWS: [usize; 11] = [2, 4, 5, 6, 8, 9, 16, 17, 20, 21, 33];

fn reduction(dtype: DType, rows: usize, row: usize, function: &str, op: &str, after: &str) -> String {
    let (all, one) = (format!("tensor<{rows}x{row}x{dtype}>"), format!("tensor<{rows}x{dtype}>"));
    let start = if op == "add" { "0.0" } else { "1.0" };
    format!(
        "func.func @main(%x: {all}) -> ({one}) {{
    %s = stablehlo.constant dense<{start}> : tensor<{dtype}>
    %0 = stablehlo.{function} %x : {all}
    %1 = stablehlo.reduce(%0 init: %s) applies stablehlo.{op} across dimensions = [1] : ({all}, tensor<{dtype}>) -> {one}
    %2 = stablehlo.{after} %1 : {one}
    return %2 : {one}
}}"
    )
}

#[test]
fn reductions_of_functions() {
    for dtype in [DType::F32, DType::F64] {
        for row in ROWS {
            for rows in [1, 31, 32, 77] {
                for (function, op, after) in [
                    ("negate", "add", "negate"),
                    ("tanh", "add", "negate"),
                    ("negate", "maximum", "exponential"),
                    ("logistic", "multiply", "log"),
                    ("exponential", "minimum", "sine"),
                ] {
                    let text = reduction(dtype, rows, row, function, op, after);
                    agrees(&text, &[random(dtype, &[rows, row], 3)]);
                }
            }
        }
    }
}

#[test]
fn softmax_and_its_like() {
    for dtype in [DType::F32, DType::F64] {
        for row in ROWS {
            let (all, one) = (format!("tensor<70x{row}x{dtype}>"), format!("tensor<70x{dtype}>"));
            let text = format!(
                "func.func @main(%x: {all}) -> ({all}, {one}) {{
    %zero = stablehlo.constant dense<0.0> : tensor<{dtype}>
    %low = stablehlo.constant dense<-100.0> : tensor<{dtype}>
    %0 = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : ({all}, tensor<{dtype}>) -> {one}
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : ({one}) -> {all}
    %2 = stablehlo.subtract %x, %1 : {all}
    %3 = stablehlo.exponential %2 : {all}
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : ({all}, tensor<{dtype}>) -> {one}
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : ({one}) -> {all}
    %6 = stablehlo.divide %3, %5 : {all}
    %7 = stablehlo.log %4 : {one}
    %8 = stablehlo.add %7, %0 : {one}
    return %6, %8 : {all}, {one}
}}"
            );
            agrees(&text, &[random(dtype, &[70, row], 4)]);
        }
    }
}

/// A step of a regression: a product with a vector, functions of what it gives, a product with the transpose.
fn regression(row: usize) -> String {
    format!(
        "func.func @main(%x: tensor<500x{row}xf32>, %w: tensor<{row}xf32>) -> (tensor<{row}xf32>) {{
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<500x{row}xf32>, tensor<{row}xf32>) -> tensor<500xf32>
    %1 = stablehlo.logistic %0 : tensor<500xf32>
    %2 = stablehlo.dot_general %x, %1, contracting_dims = [0] x [0] : (tensor<500x{row}xf32>, tensor<500xf32>) -> tensor<{row}xf32>
    return %2 : tensor<{row}xf32>
}}"
    )
}

#[test]
fn functions_between_products() {
    for row in ROWS {
        agrees(&regression(row), &[random(DType::F32, &[500, row], 5), random(DType::F32, &[row], 6)]);
    }
}

/// Everything is in vectors of 512 bits.
#[track_caller]
fn all_vectors(text: &str) {
    let found = slow(&parsed(text));
    assert!(found.is_empty(), "{found:?}\n{text}");
}

#[test]
fn functions_are_vectors() {
    if !has_512_bits() {
        return;
    }
    for dtype in [DType::F32, DType::F64] {
        for row in [5, 6, 8, 9, 15, 16, 17, 20] {
            all_vectors(&reduction(dtype, 1536, row, "tanh", "add", "negate"));
            all_vectors(&reduction(dtype, 1536, row, "exponential", "maximum", "log"));
        }
        // Longer ones are vectors by themselves.
        all_vectors(&reduction(dtype, 1536, 21, "negate", "add", "negate"));
    }
}

/// What has few elements behind a long dimension is written strip by strip of that one, so that neighbours are near: lengths that
/// strips divide and lengths that they do not, with what lies before, beside a guard, and from what lies otherwise.
#[test]
fn long_dimensions_before_short_ones() {
    for dtype in [DType::F32, DType::F64] {
        for n in [60, 145, 1000, 2048, 5001, 24_000] {
            let (all, one) = (format!("tensor<{n}x4x3x{dtype}>"), format!("tensor<{n}x3x{dtype}>"));
            let spread = format!(
                "func.func @main(%x: {one}) -> {all} {{
    %0 = stablehlo.negate %x : {one}
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : ({one}) -> {all}
    return %1 : {all}
}}"
            );
            agrees(&spread, &[random(dtype, &[n, 3], 5)]);
            let beside = format!(
                "func.func @main(%x: tensor<2x{n}x{dtype}>, %y: {one}) -> tensor<2x{n}x4x{dtype}> {{
    %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x{n}x{dtype}>) -> tensor<2x{n}x1x{dtype}>
    %1 = stablehlo.broadcast_in_dim %y, dims = [1, 2] : ({one}) -> tensor<2x{n}x3x{dtype}>
    %2 = stablehlo.tanh %1 : tensor<2x{n}x3x{dtype}>
    %3 = stablehlo.concatenate %0, %2, dim = 2 : (tensor<2x{n}x1x{dtype}>, tensor<2x{n}x3x{dtype}>) -> tensor<2x{n}x4x{dtype}>
    return %3 : tensor<2x{n}x4x{dtype}>
}}"
            );
            agrees(&beside, &[random(dtype, &[2, n], 6), random(dtype, &[n, 3], 7)]);
            let turned = format!(
                "func.func @main(%x: tensor<4x{n}x{dtype}>) -> tensor<{n}x4x{dtype}> {{
    %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x{n}x{dtype}>) -> tensor<{n}x4x{dtype}>
    %1 = stablehlo.sine %0 : tensor<{n}x4x{dtype}>
    return %1 : tensor<{n}x4x{dtype}>
}}"
            );
            agrees(&turned, &[random(dtype, &[4, n], 8)]);
        }
    }
}

/// The long loop is the innermost one, and has no more trips than a strip.
#[test]
fn strips_fit_into_the_nearest_cache() {
    let text = "func.func @main(%x: tensor<24000x4xf64>) -> tensor<24000x4x4xf64> {
    %0 = stablehlo.negate %x : tensor<24000x4xf64>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<24000x4xf64>) -> tensor<24000x4x4xf64>
    return %1 : tensor<24000x4x4xf64>
}";
    let lowered = parsed(text).lower().unwrap();
    let mut inner = Vec::new();
    for kernel in lowered.program().kernels.values() {
        kernel.body.visit(&mut |inst| {
            if let KOp::For(l) = &inst.op
                && l.kind == LoopKind::Vector
                && let (Extent::Const(start), Extent::Const(end)) = (l.start, l.end)
            {
                inner.push(end - start);
            }
        });
    }
    assert!(
        !inner.is_empty() && inner.iter().all(|&n| (64..=256).contains(&n)) && inner.contains(&144),
        "{inner:?}"
    );
}

/// A chain of functions that is worth several threads for few rows, of what is transposed.
fn costly(n: usize) -> String {
    let ty = format!("tensor<{n}x2xf32>");
    let functions = ["tanh", "sine", "exponential", "negate", "logistic", "cosine"];
    let mut text = format!(
        "func.func @main(%x: tensor<2x{n}xf32>) -> {ty} {{
    %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x{n}xf32>) -> {ty}\n"
    );
    for k in 0..12 {
        let function = functions[k % functions.len()];
        text += &format!("    %{} = stablehlo.{function} %{k} : {ty}\n", k + 1);
    }
    text + &format!("    return %12 : {ty}\n}}")
}

/// Blocks of rows side by side within strips, with functions that are worth several threads.
fn costly_blocks(n: usize) -> String {
    let ty = format!("tensor<{n}x2x8xf32>");
    let functions = ["tanh", "sine", "cosine", "logistic"];
    let mut text = format!(
        "func.func @main(%x: tensor<2x{n}xf32>, %z: tensor<8x{n}xf32>) -> {ty} {{
    %a = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<2x{n}xf32>) -> {ty}
    %b = stablehlo.broadcast_in_dim %z, dims = [2, 0] : (tensor<8x{n}xf32>) -> {ty}
    %0 = stablehlo.add %a, %b : {ty}\n"
    );
    for k in 0..11 {
        let function = functions[k % functions.len()];
        text += &format!("    %{} = stablehlo.{function} %{k} : {ty}\n", k + 1);
    }
    text + &format!("    return %11 : {ty}\n}}")
}

/// What is cut for threads is the loop over strips, or nothing within one.
#[test]
fn strips_are_cut_around_themselves() {
    for n in [161, 300, 319, 1025, 1500, 2047, 2048, 4500] {
        agrees(&costly(n), &[random(DType::F32, &[2, n], 9)]);
        agrees(&costly_blocks(n), &[random(DType::F32, &[2, n], 9), random(DType::F32, &[8, n], 10)]);
    }
}
