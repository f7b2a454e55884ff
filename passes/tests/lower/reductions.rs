//! Reductions of all sizes, dimensions and element types, and what is computed around them.

use crate::Agreement::Bits;
use crate::check_body;
use wengert_ir::kernel::verify::verify;
use wengert_passes::lower::{Options, lower};

fn reduce(op: &str, dtype: &str, shape: &[usize], dims: &[usize], elementwise: bool) {
    let text = |s: &[usize]| s.iter().map(|n| format!("{n}x")).collect::<String>();
    let kept: Vec<usize> = (0..shape.len()).filter(|d| !dims.contains(d)).map(|d| shape[d]).collect();
    let (x, y) = (format!("tensor<{}{dtype}>", text(shape)), format!("tensor<{}{dtype}>", text(&kept)));
    let sum = format!("applies stablehlo.{op} across dimensions = {dims:?} : ({x}, tensor<{dtype}>) -> {y}");
    if elementwise {
        check_body(
            &format!("(%x: {x}, %i: tensor<{dtype}>) -> ({y}, {x}, {y})"),
            &format!(
                "%0 = stablehlo.multiply %x, %x : {x}
                 %1 = stablehlo.add %0, %x : {x}
                 %2 = stablehlo.reduce(%1 init: %i) {sum}
                 %3 = stablehlo.reduce(%x init: %i) {sum}
                 %4 = stablehlo.add %2, %3 : {y}
                 return %2, %1, %4 : {y}, {x}, {y}"
            ),
            Bits,
        );
    } else {
        check_body(
            &format!("(%x: {x}, %i: tensor<{dtype}>) -> {y}"),
            &format!("%0 = stablehlo.reduce(%x init: %i) {sum}\nreturn %0 : {y}"),
            Bits,
        );
    }
}

#[test]
fn reductions_follow_the_documented_order() {
    for n in [0, 1, 2, 15, 16, 17, 31, 33, 511, 512, 513, 1500, 5000] {
        reduce("add", "f64", &[n], &[0], false);
        reduce("add", "f32", &[3, n], &[1], n > 0);
        reduce("add", "f64", &[n, 5], &[0], n > 0);
    }
    reduce("add", "f32", &[100_000], &[0], true);
}

#[test]
fn reductions_of_any_dimensions() {
    for dims in [&[0][..], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2], &[]] {
        reduce("add", "f64", &[7, 30, 11], dims, true);
        reduce("multiply", "f32", &[3, 2, 5], dims, false);
        reduce("maximum", "f64", &[40, 6, 9], dims, true);
    }
    reduce("add", "f64", &[2, 700, 3], &[1], true);
    reduce("add", "f64", &[700, 2, 300], &[0, 2], true);
    reduce("add", "f32", &[1, 5, 1], &[0, 2], true);
    reduce("add", "f32", &[3, 2, 1024], &[0, 2], true);
    reduce("add", "f64", &[6, 2, 512], &[0, 2], true);
    reduce("add", "f32", &[1300, 600], &[0], true);
    reduce("minimum", "f32", &[1300, 600], &[1], true);
}

#[test]
fn reductions_of_integers_and_booleans() {
    for dtype in ["i32", "i64", "ui32", "ui64"] {
        for op in ["add", "multiply", "maximum", "minimum", "and", "or", "xor"] {
            reduce(op, dtype, &[600], &[0], false);
            reduce(op, dtype, &[5, 37], &[0], false);
        }
    }
    for op in ["and", "or", "maximum", "minimum", "xor"] {
        reduce(op, "i1", &[33, 7], &[1], false);
        reduce(op, "i1", &[33, 7], &[0], false);
    }
}

#[test]
fn softmax_cross_entropy() {
    for (b, n) in [(3, 5), (20, 40), (70, 600)] {
        let (x, r) = (format!("tensor<{b}x{n}xf32>"), format!("tensor<{b}xf32>"));
        check_body(
            &format!("(%x: {x}, %t: {x}) -> (tensor<f32>, {x})"),
            &format!(
                "%z = stablehlo.constant dense<0.0> : tensor<f32>
                 %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
                 %m = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [1] : ({x}, tensor<f32>) -> {r}
                 %mb = stablehlo.broadcast_in_dim %m, dims = [0] : ({r}) -> {x}
                 %c = stablehlo.subtract %x, %mb : {x}
                 %e = stablehlo.exponential %c : {x}
                 %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : ({x}, tensor<f32>) -> {r}
                 %sb = stablehlo.broadcast_in_dim %s, dims = [0] : ({r}) -> {x}
                 %p = stablehlo.divide %e, %sb : {x}
                 %l = stablehlo.log %s : {r}
                 %lb = stablehlo.broadcast_in_dim %l, dims = [0] : ({r}) -> {x}
                 %lp = stablehlo.subtract %c, %lb : {x}
                 %w = stablehlo.multiply %lp, %t : {x}
                 %loss = stablehlo.reduce(%w init: %z) applies stablehlo.add across dimensions = [0, 1] : ({x}, tensor<f32>) -> tensor<f32>
                 %g = stablehlo.subtract %p, %t : {x}
                 return %loss, %g : tensor<f32>, {x}"
            ),
            Bits,
        );
    }
}

/// Sums along a dimension that leaps through memory, where another one is read in order: the same order of adding.
#[test]
fn reductions_of_transposed_operands() {
    for n in [5, 40, 700] {
        check_body(
            &format!("(%x: tensor<25x{n}x60xf64>, %i: tensor<f64>) -> (tensor<60x25xf64>, tensor<60xf64>)"),
            &format!(
                "%0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<25x{n}x60xf64>) -> tensor<60x25x{n}xf64>
                 %1 = stablehlo.abs %0 : tensor<60x25x{n}xf64>
                 %2 = stablehlo.reduce(%1 init: %i) applies stablehlo.add across dimensions = [2] : (tensor<60x25x{n}xf64>, tensor<f64>) -> tensor<60x25xf64>
                 %3 = stablehlo.negate %0 : tensor<60x25x{n}xf64>
                 %4 = stablehlo.reduce(%3 init: %i) applies stablehlo.add across dimensions = [1, 2] : (tensor<60x25x{n}xf64>, tensor<f64>) -> tensor<60xf64>
                 return %2, %4 : tensor<60x25xf64>, tensor<60xf64>"
            ),
            Bits,
        );
    }
}

/// What three sums have in common is computed once for all: by rows, by columns and of all, with a minimum and a stored
/// value beside them.
#[test]
fn sums_that_share_an_expression() {
    // Long rows, short ones, and single elements: each is added up by code of its own.
    for [n, m] in [[20, 600], [16, 3], [3, 16], [5, 5], [1, 40], [40, 1]] {
        let flat = format!("tensor<{n}x{m}xf64>");
        let (first, last) = (format!("tensor<3x{n}x{m}xf64>"), format!("tensor<{n}x{m}x3xf64>"));
        for (wide, from, dims, kept) in [
            (&first, "[1, 2]", "[2]", format!("3x{n}x")),
            (&first, "[1, 2]", "[1]", format!("3x{m}x")),
            (&first, "[1, 2]", "[1, 2]", "3x".to_owned()),
            (&last, "[0, 1]", "[1]", format!("{n}x3x")),
            (&last, "[0, 1]", "[0]", format!("{m}x3x")),
            (&last, "[0, 1]", "[0, 1]", "3x".to_owned()),
        ] {
            let result = format!("tensor<{kept}f64>");
            check_body(
                &format!("(%x: {wide}, %y: {flat}, %i: tensor<f64>) -> ({result}, {result}, {result}, {wide})"),
                &format!(
                    "%a = stablehlo.abs %y : {flat}
                     %e = stablehlo.exponential %a : {flat}
                     %s = stablehlo.sqrt %e : {flat}
                     %w = stablehlo.broadcast_in_dim %s, dims = {from} : ({flat}) -> {wide}
                     %p = stablehlo.multiply %x, %w : {wide}
                     %q = stablehlo.reduce(%p init: %i) applies stablehlo.add across dimensions = {dims} : ({wide}, tensor<f64>) -> {result}
                     %m = stablehlo.reduce(%p init: %i) applies stablehlo.minimum across dimensions = {dims} : ({wide}, tensor<f64>) -> {result}
                     %r = stablehlo.reduce(%w init: %i) applies stablehlo.add across dimensions = {dims} : ({wide}, tensor<f64>) -> {result}
                     %d = stablehlo.subtract %p, %x : {wide}
                     return %q, %m, %r, %d : {result}, {result}, {result}, {wide}"
                ),
                Bits,
            );
        }
    }
}

/// Of a value that is spread along rows too: each element is read once for a row.
#[test]
fn sums_of_what_is_spread_in_every_direction() {
    for m in [3, 40] {
        let wide = format!("tensor<3x16x{m}xf32>");
        check_body(
            "(%x: tensor<16x1xf32>, %i: tensor<f32>) -> tensor<3xf32>",
            &format!(
                "%s = stablehlo.sine %x : tensor<16x1xf32>
                 %w = stablehlo.broadcast_in_dim %s, dims = [1, 2] : (tensor<16x1xf32>) -> {wide}
                 %r = stablehlo.reduce(%w init: %i) applies stablehlo.add across dimensions = [1, 2] : ({wide}, tensor<f32>) -> tensor<3xf32>
                 return %r : tensor<3xf32>"
            ),
            Bits,
        );
    }
}

/// They are one loop, and nothing of it is stored: also where what they share reads a value of its own several times.
#[test]
fn sums_that_share_an_expression_are_one_loop() {
    let flat = "tensor<20x100xf64>";
    let cases = [
        ("tensor<3x20x100xf64>", "[1, 2]", "[2]", "tensor<3x20xf64>"),
        ("tensor<20x100x3xf64>", "[0, 1]", "[1]", "tensor<20x3xf64>"),
    ];
    for (wide, from, dims, sums) in cases {
        let text = format!(
            "func.func public @main(%x: {wide}, %y: {flat}, %i: tensor<f64>) -> {sums} {{
               %e = stablehlo.exponential %y : {flat}
               %f = stablehlo.multiply %e, %y : {flat}
               %g = stablehlo.multiply %f, %e : {flat}
               %w = stablehlo.broadcast_in_dim %g, dims = {from} : ({flat}) -> {wide}
               %p = stablehlo.multiply %x, %w : {wide}
               %q = stablehlo.reduce(%p init: %i) applies stablehlo.add across dimensions = {dims} : ({wide}, tensor<f64>) -> {sums}
               return %q : {sums}
             }}"
        );
        let m = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
        let program = lower(&m, m.find("main").expect("is there"), &Options::default()).expect("it lowers");
        let text = program.to_string();
        assert_eq!(text.matches("math.exp").count(), 1, "{text}");
        assert_eq!(text.matches("lanes(add, add, add)").count(), 1, "{text}");
        assert!(!text.contains("= scratch"), "{text}");
    }
}

#[test]
fn reductions_by_a_function() {
    for n in [5, 40] {
        check_body(
            &format!("(%x: tensor<{n}x9xf64>) -> (tensor<{n}xf64>, tensor<{n}xi32>, tensor<f64>)"),
            &format!(
                "%i = stablehlo.iota dim = 1 : tensor<{n}x9xi32>
                 %lo = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
                 %zero = stablehlo.constant dense<0> : tensor<i32>
                 %r:2 = stablehlo.reduce(%x init: %lo), (%i init: %zero) across dimensions = [1] : (tensor<{n}x9xf64>, tensor<{n}x9xi32>, tensor<f64>, tensor<i32>) -> (tensor<{n}xf64>, tensor<{n}xi32>)
                 reducer(%a: tensor<f64>, %b: tensor<f64>) (%k: tensor<i32>, %l: tensor<i32>) {{
                   %0 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
                   %1 = stablehlo.select %0, %a, %b : tensor<i1>, tensor<f64>
                   %2 = stablehlo.select %0, %k, %l : tensor<i1>, tensor<i32>
                   stablehlo.return %1, %2 : tensor<f64>, tensor<i32>
                 }}
                 %s = stablehlo.reduce(%x init: %lo) across dimensions = [0, 1] : (tensor<{n}x9xf64>, tensor<f64>) -> tensor<f64>
                 reducer(%a: tensor<f64>, %b: tensor<f64>) {{
                   %0 = stablehlo.maximum %a, %b : tensor<f64>
                   %1 = stablehlo.tanh %0 : tensor<f64>
                   stablehlo.return %1 : tensor<f64>
                 }}
                 return %r#0, %r#1, %s : tensor<{n}xf64>, tensor<{n}xi32>, tensor<f64>"
            ),
            Bits,
        );
    }
}

#[test]
fn sums_over_rows_of_few_columns_take_bands_of_them() {
    // Kept dimensions that are not walked as one, because the weights have only the first of them.
    for (n, c, d) in [(1, 3, 2), (20, 25, 10), (600, 25, 10), (530, 7, 32), (40, 13, 3)] {
        let (x, m, s) = (
            format!("tensor<{n}x{c}x{d}xf64>"),
            format!("tensor<{c}x{d}xf64>"),
            format!("tensor<{n}x{c}xf64>"),
        );
        check_body(
            &format!("(%x: {x}, %m: {m}, %s: {s}) -> ({m}, {m})"),
            &format!(
                "%zero = stablehlo.constant dense<0.0> : tensor<f64>
                 %least = stablehlo.constant dense<0x7FF0000000000000> : tensor<f64>
                 %0 = stablehlo.broadcast_in_dim %m, dims = [1, 2] : ({m}) -> {x}
                 %1 = stablehlo.subtract %x, %0 : {x}
                 %2 = stablehlo.broadcast_in_dim %s, dims = [0, 1] : ({s}) -> {x}
                 %3 = stablehlo.multiply %1, %2 : {x}
                 %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : ({x}, tensor<f64>) -> {m}
                 %5 = stablehlo.reduce(%3 init: %least) applies stablehlo.minimum across dimensions = [0] : ({x}, tensor<f64>) -> {m}
                 return %4, %5 : {m}, {m}"
            ),
            Bits,
        );
    }
}

#[test]
fn partial_results_of_any_size_fit_where_they_are_kept() {
    // Too large to be run here: an outlined kernel has its partial results on the machine stack, which is short.
    let shapes: [(&[usize], &[&[usize]]); 6] = [
        (&[5, 60_000_000], &[&[0], &[1], &[0, 1]]),
        (&[200_000, 1_000], &[&[0], &[1], &[0, 1]]),
        (&[3, 2_147_483_648], &[&[0], &[1]]),
        (&[40, 1_000_000, 128], &[&[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2]]),
        (&[2_000_000, 8, 4], &[&[0], &[0, 1], &[0, 2], &[1, 2]]),
        (&[64, 8_192], &[&[0], &[1]]),
    ];
    for (shape, all) in shapes {
        for reduced in all {
            for (element, op) in [("f64", "add"), ("f32", "multiply"), ("i32", "add")] {
                let ty = |dims: &[usize]| -> String {
                    let dims: String = dims.iter().map(|n| format!("{n}x")).collect();
                    format!("tensor<{dims}{element}>")
                };
                let kept: Vec<usize> = (0..shape.len()).filter(|d| !reduced.contains(d)).collect();
                let (x, r) = (ty(shape), ty(&kept.iter().map(|&d| shape[d]).collect::<Vec<_>>()));
                let m = wengert_ir::text::parse(&format!(
                    "func.func public @main(%x: {x}) -> ({x}, {r}, {r}) {{
                       %zero = stablehlo.constant dense<0> : tensor<{element}>
                       %0 = stablehlo.multiply %x, %x : {x}
                       %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.{op} across dimensions = {reduced:?} : ({x}, tensor<{element}>) -> {r}
                       %2 = stablehlo.broadcast_in_dim %1, dims = {kept:?} : ({r}) -> {x}
                       %3 = stablehlo.add %2, %x : {x}
                       %4 = stablehlo.multiply %3, %0 : {x}
                       %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.{op} across dimensions = {reduced:?} : ({x}, tensor<{element}>) -> {r}
                       return %4, %1, %5 : {x}, {r}, {r}
                     }}"
                ))
                .unwrap_or_else(|e| panic!("{e}"));
                for parallel in [true, false] {
                    let options = Options { parallel, ..Options::default() };
                    let program = lower(&m, m.find("main").expect("main"), &options).expect("it lowers");
                    verify(&program).unwrap_or_else(|e| panic!("{x} over {reduced:?}: {}", e.join("\n")));
                }
            }
        }
    }
}

#[test]
fn rows_read_in_an_order_that_a_division_makes_are_stored_whole() {
    for (rows, a, b) in [(6, 40, 6), (2, 5, 7), (300, 40, 6)] {
        let (x, r) = (format!("tensor<{rows}x{a}x{b}xf32>"), format!("tensor<{rows}xf32>"));
        let t = format!("tensor<{rows}x{b}x{a}xf32>");
        check_body(
            &format!("(%x: {x}) -> ({x})"),
            &format!(
                "%least = stablehlo.constant dense<0xFF800000> : tensor<f32>
                 %0 = stablehlo.sine %x : {x}
                 %1 = stablehlo.reduce(%0 init: %least) applies stablehlo.maximum across dimensions = [1, 2] : ({x}, tensor<f32>) -> {r}
                 %2 = stablehlo.broadcast_in_dim %1, dims = [0] : ({r}) -> {x}
                 %3 = stablehlo.transpose %0, dims = [0, 2, 1] : ({x}) -> {t}
                 %4 = stablehlo.reshape %3 : ({t}) -> {x}
                 %5 = stablehlo.subtract %4, %2 : {x}
                 %6 = stablehlo.multiply %5, %0 : {x}
                 return %6 : {x}"
            ),
            Bits,
        );
    }
}

/// Colours of images, of which some are turned: rows of three elements that do not go on into each other are stored by vectors before
/// they are added up.
#[test]
fn sums_over_turned_rows_of_few_columns() {
    for shape in ["4x9x3", "2x40x3", "3x33x5", "5x70x1"] {
        let columns = shape.rsplit('x').next().expect("three sizes");
        let (x, y) = (format!("tensor<{shape}xf32>"), format!("tensor<{columns}xf32>"));
        check_body(
            &format!("(%x: {x}, %z: tensor<f32>) -> ({y}, {x}, {y})"),
            &format!(
                "%0 = stablehlo.reverse %x, dims = [1] : {x}
                 %1 = stablehlo.abs %0 : {x}
                 %2 = stablehlo.sine %1 : {x}
                 %3 = stablehlo.exponential %2 : {x}
                 %4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [0, 1] : ({x}, tensor<f32>) -> {y}
                 %5 = stablehlo.reduce(%2 init: %z) applies stablehlo.maximum across dimensions = [0, 1] : ({x}, tensor<f32>) -> {y}
                 return %4, %3, %5 : {y}, {x}, {y}"
            ),
            Bits,
        );
    }
}
