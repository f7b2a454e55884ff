//! Shapes of programs: fusion, reductions of all sizes, contractions, updates, control flow.

use crate::Agreement::{Bits, Relative};
use crate::{check, check_body};
use wengert_ir::kernel::verify::verify;
use wengert_passes::lower::{Options, lower};

#[test]
fn elementwise_chains_fuse() {
    for n in [1, 3, 17, 100, 5000] {
        check_body(
            &format!("(%x: tensor<{n}xf64>, %y: tensor<{n}xf64>) -> (tensor<{n}xf64>, tensor<{n}xf64>)"),
            &format!(
                "%0 = stablehlo.multiply %x, %y : tensor<{n}xf64>
                 %1 = stablehlo.exponential %0 : tensor<{n}xf64>
                 %2 = stablehlo.add %1, %x : tensor<{n}xf64>
                 %3 = stablehlo.subtract %1, %y : tensor<{n}xf64>
                 return %2, %3 : tensor<{n}xf64>, tensor<{n}xf64>"
            ),
            Bits,
        );
    }
}

#[test]
fn results_may_be_parameters_constants_and_each_other() {
    check_body(
        "(%x: tensor<40xf32>) -> (tensor<40xf32>, tensor<2x20xf32>, tensor<40xf32>, tensor<40xf32>, tensor<f32>)",
        "%c = stablehlo.constant dense<1.5> : tensor<40xf32>
         %d = stablehlo.constant dense<2.5> : tensor<f32>
         %0 = stablehlo.reshape %x : (tensor<40xf32>) -> tensor<2x20xf32>
         %1 = stablehlo.add %x, %c : tensor<40xf32>
         return %x, %0, %c, %1, %d : tensor<40xf32>, tensor<2x20xf32>, tensor<40xf32>, tensor<40xf32>, tensor<f32>",
        Bits,
    );
    check_body(
        "(%x: tensor<40xf32>) -> (tensor<40xf32>, tensor<40xf32>)",
        "%1 = stablehlo.negate %x : tensor<40xf32>
         return %1, %1 : tensor<40xf32>, tensor<40xf32>",
        Bits,
    );
}

#[test]
fn broadcasts_transposes_and_slices_are_read_in_place() {
    check_body(
        "(%x: tensor<12x7xf64>, %r: tensor<7xf64>, %c: tensor<12x1xf64>, %k: tensor<f64>) -> (tensor<12x7xf64>, tensor<7x12xf64>, tensor<5x3xf64>)",
        "%0 = stablehlo.broadcast_in_dim %r, dims = [1] : (tensor<7xf64>) -> tensor<12x7xf64>
         %1 = stablehlo.broadcast_in_dim %c, dims = [0, 1] : (tensor<12x1xf64>) -> tensor<12x7xf64>
         %2 = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<f64>) -> tensor<12x7xf64>
         %3 = stablehlo.add %x, %0 : tensor<12x7xf64>
         %4 = stablehlo.multiply %3, %1 : tensor<12x7xf64>
         %5 = stablehlo.subtract %4, %2 : tensor<12x7xf64>
         %6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<12x7xf64>) -> tensor<7x12xf64>
         %7 = stablehlo.slice %5 [1:11:2, 2:5] : (tensor<12x7xf64>) -> tensor<5x3xf64>
         %8 = stablehlo.reverse %7, dims = [0, 1] : tensor<5x3xf64>
         %9 = stablehlo.add %7, %8 : tensor<5x3xf64>
         return %5, %6, %9 : tensor<12x7xf64>, tensor<7x12xf64>, tensor<5x3xf64>",
        Bits,
    );
}

/// Whole tiles, what they leave over to the right and below, tiles in pieces for threads, and a guard between them.
#[test]
fn transposes_go_tile_by_tile() {
    for (m, n) in [(33, 70), (40, 129), (700, 300)] {
        check_body(
            &format!("(%x: tensor<{m}x{n}xf32>, %y: tensor<{n}x{m}xf32>) -> tensor<{n}x{m}xf32>"),
            &format!(
                "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<{m}x{n}xf32>) -> tensor<{n}x{m}xf32>
                 %1 = stablehlo.subtract %y, %0 : tensor<{n}x{m}xf32>
                 return %1 : tensor<{n}x{m}xf32>"
            ),
            Bits,
        );
    }
    check_body(
        "(%x: tensor<90x3x40xf64>) -> tensor<40x3x97xf64>",
        "%c = stablehlo.constant dense<1.5> : tensor<f64>
         %0 = stablehlo.transpose %x, dims = [2, 1, 0] : (tensor<90x3x40xf64>) -> tensor<40x3x90xf64>
         %1 = stablehlo.pad %0, %c, low = [0, 0, 5], high = [0, 0, 2], interior = [0, 0, 0] : (tensor<40x3x90xf64>, tensor<f64>) -> tensor<40x3x97xf64>
         return %1 : tensor<40x3x97xf64>",
        Bits,
    );
}

#[test]
fn reshapes_cut_and_join_loops() {
    check_body(
        "(%x: tensor<6x20xf64>, %y: tensor<5x4xf64>) -> (tensor<2x3x5x4xf64>, tensor<4x30xf64>, tensor<8x15xf64>)",
        "%0 = stablehlo.reshape %x : (tensor<6x20xf64>) -> tensor<2x3x5x4xf64>
         %1 = stablehlo.broadcast_in_dim %y, dims = [2, 3] : (tensor<5x4xf64>) -> tensor<2x3x5x4xf64>
         %2 = stablehlo.add %0, %1 : tensor<2x3x5x4xf64>
         %3 = stablehlo.transpose %2, dims = [3, 0, 1, 2] : (tensor<2x3x5x4xf64>) -> tensor<4x2x3x5xf64>
         %4 = stablehlo.reshape %3 : (tensor<4x2x3x5xf64>) -> tensor<4x30xf64>
         %5 = stablehlo.reshape %3 : (tensor<4x2x3x5xf64>) -> tensor<8x15xf64>
         %6 = stablehlo.negate %5 : tensor<8x15xf64>
         return %2, %4, %6 : tensor<2x3x5x4xf64>, tensor<4x30xf64>, tensor<8x15xf64>",
        Bits,
    );
    // 6x4 to 4x6 by way of a transpose: no common factors, so positions are divided.
    check_body(
        "(%x: tensor<10x21xf64>) -> tensor<14x15xf64>",
        "%0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<10x21xf64>) -> tensor<21x10xf64>
         %1 = stablehlo.reshape %0 : (tensor<21x10xf64>) -> tensor<14x15xf64>
         %2 = stablehlo.exponential %1 : tensor<14x15xf64>
         return %2 : tensor<14x15xf64>",
        Bits,
    );
}

#[test]
fn pads_and_concatenations_cut_the_space() {
    check_body(
        "(%x: tensor<9x8xf64>, %y: tensor<9x4xf64>, %v: tensor<f64>) -> (tensor<12x10xf64>, tensor<9x20xf64>, tensor<17x8xf64>, tensor<7x5xf64>)",
        "%0 = stablehlo.multiply %x, %x : tensor<9x8xf64>
         %1 = stablehlo.pad %0, %v, low = [1, 2], high = [2, 0], interior = [0, 0] : (tensor<9x8xf64>, tensor<f64>) -> tensor<12x10xf64>
         %2 = stablehlo.concatenate %x, %y, %0, dim = 1 : (tensor<9x8xf64>, tensor<9x4xf64>, tensor<9x8xf64>) -> tensor<9x20xf64>
         %3 = stablehlo.sine %2 : tensor<9x20xf64>
         %4 = stablehlo.pad %x, %v, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<9x8xf64>, tensor<f64>) -> tensor<17x8xf64>
         %5 = stablehlo.pad %x, %v, low = [-1, -2], high = [-1, -1], interior = [0, 0] : (tensor<9x8xf64>, tensor<f64>) -> tensor<7x5xf64>
         return %1, %3, %4, %5 : tensor<12x10xf64>, tensor<9x20xf64>, tensor<17x8xf64>, tensor<7x5xf64>",
        Bits,
    );
}

#[test]
fn rosenbrock_and_a_gradient_like_it() {
    for n in [3, 20, 1000] {
        let m = n - 1;
        check_body(
            &format!("(%x: tensor<{n}xf64>) -> (tensor<f64>, tensor<{n}xf64>)"),
            &format!(
                "%z = stablehlo.constant dense<0.0> : tensor<f64>
                 %h = stablehlo.constant dense<100.0> : tensor<{m}xf64>
                 %a = stablehlo.slice %x [0:{m}] : (tensor<{n}xf64>) -> tensor<{m}xf64>
                 %b = stablehlo.slice %x [1:{n}] : (tensor<{n}xf64>) -> tensor<{m}xf64>
                 %0 = stablehlo.multiply %a, %a : tensor<{m}xf64>
                 %1 = stablehlo.subtract %b, %0 : tensor<{m}xf64>
                 %2 = stablehlo.multiply %1, %1 : tensor<{m}xf64>
                 %3 = stablehlo.multiply %h, %2 : tensor<{m}xf64>
                 %s = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<{m}xf64>, tensor<f64>) -> tensor<f64>
                 %4 = stablehlo.multiply %1, %a : tensor<{m}xf64>
                 %5 = stablehlo.pad %4, %z, low = [0], high = [1], interior = [0] : (tensor<{m}xf64>, tensor<f64>) -> tensor<{n}xf64>
                 %6 = stablehlo.pad %1, %z, low = [1], high = [0], interior = [0] : (tensor<{m}xf64>, tensor<f64>) -> tensor<{n}xf64>
                 %7 = stablehlo.add %5, %6 : tensor<{n}xf64>
                 return %s, %7 : tensor<f64>, tensor<{n}xf64>"
            ),
            Bits,
        );
    }
}

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

/// A factor whose contracted dimensions lie together is not copied because those of the other do not.
#[test]
fn only_the_factor_that_does_not_merge_is_copied() {
    let text = "func.func public @main(%a: tensor<40x3x8xf32>, %b: tensor<3x5x8xf32>) -> tensor<40x5xf32> {
        %0 = stablehlo.dot_general %a, %b, contracting_dims = [1, 2] x [0, 2] : (tensor<40x3x8xf32>, tensor<3x5x8xf32>) -> tensor<40x5xf32>
        return %0 : tensor<40x5xf32>
      }";
    let m = wengert_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}"));
    let program = lower(&m, m.find("main").expect("is there"), &Options::default()).expect("it lowers");
    let text = program.to_string();
    assert_eq!(text.matches("= scratch").count(), 1, "{text}");
    assert!(text.contains("memref<120xf32>"), "{text}");
}

/// Contractions of up to four elements are expressions: of batches, of two dimensions in exchanged order, of expensive
/// operands, and read by others.
#[test]
fn short_contractions() {
    check_body(
        "(%a: tensor<50x3x4xf64>, %b: tensor<50x4xf64>, %c: tensor<2x70x2xf64>, %d: tensor<2x2x5xf64>) -> (tensor<50x3xf64>, tensor<70x5xf64>, tensor<5x70xf64>)",
        "%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<50x3x4xf64>, tensor<50x4xf64>) -> tensor<50x3xf64>
         %1 = stablehlo.tanh %c : tensor<2x70x2xf64>
         %2 = stablehlo.dot_general %1, %d, contracting_dims = [0, 2] x [1, 0] : (tensor<2x70x2xf64>, tensor<2x2x5xf64>) -> tensor<70x5xf64>
         %3 = stablehlo.add %2, %2 : tensor<70x5xf64>
         %4 = stablehlo.transpose %2, dims = [1, 0] : (tensor<70x5xf64>) -> tensor<5x70xf64>
         return %0, %3, %4 : tensor<50x3xf64>, tensor<70x5xf64>, tensor<5x70xf64>",
        Relative(1e-14),
    );
}

#[test]
fn contractions() {
    let near = Relative(1e-6);
    check_body(
        "(%a: tensor<9x17xf64>, %b: tensor<17x6xf64>, %v: tensor<17xf64>) -> (tensor<9x6xf64>, tensor<9xf64>, tensor<f64>, tensor<6x9xf64>)",
        "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<9x17xf64>, tensor<17x6xf64>) -> tensor<9x6xf64>
         %1 = stablehlo.dot_general %a, %v, contracting_dims = [1] x [0] : (tensor<9x17xf64>, tensor<17xf64>) -> tensor<9xf64>
         %2 = stablehlo.dot_general %v, %v, contracting_dims = [0] x [0] : (tensor<17xf64>, tensor<17xf64>) -> tensor<f64>
         %bt = stablehlo.transpose %b, dims = [1, 0] : (tensor<17x6xf64>) -> tensor<6x17xf64>
         %at = stablehlo.transpose %a, dims = [1, 0] : (tensor<9x17xf64>) -> tensor<17x9xf64>
         %3 = stablehlo.dot_general %bt, %at, contracting_dims = [1] x [0] : (tensor<6x17xf64>, tensor<17x9xf64>) -> tensor<6x9xf64>
         return %0, %1, %2, %3 : tensor<9x6xf64>, tensor<9xf64>, tensor<f64>, tensor<6x9xf64>",
        near,
    );
    // Batches, several contracted and free dimensions, in awkward orders.
    check_body(
        "(%a: tensor<4x3x5x6xf32>, %b: tensor<5x3x4x7xf32>) -> (tensor<3x6x7xf32>, tensor<4x3x5x6x5x7xf32>, tensor<3x4x5x6x5x7xf32>)",
        "%0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [1], contracting_dims = [0, 2] x [2, 0] : (tensor<4x3x5x6xf32>, tensor<5x3x4x7xf32>) -> tensor<3x6x7xf32>
         %1 = stablehlo.dot_general %a, %b, batching_dims = [0, 1] x [2, 1], contracting_dims = [] x [] : (tensor<4x3x5x6xf32>, tensor<5x3x4x7xf32>) -> tensor<4x3x5x6x5x7xf32>
         %2 = stablehlo.dot_general %a, %b, batching_dims = [1, 0] x [1, 2], contracting_dims = [] x [] : (tensor<4x3x5x6xf32>, tensor<5x3x4x7xf32>) -> tensor<3x4x5x6x5x7xf32>
         return %0, %1, %2 : tensor<3x6x7xf32>, tensor<4x3x5x6x5x7xf32>, tensor<3x4x5x6x5x7xf32>",
        near,
    );
    check_body(
        "(%a: tensor<9x17xi32>, %b: tensor<17x6xi32>, %c: tensor<0x6xi32>) -> (tensor<9x6xi32>, tensor<6x6xi32>)",
        "%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<9x17xi32>, tensor<17x6xi32>) -> tensor<9x6xi32>
         %1 = stablehlo.dot_general %c, %c, contracting_dims = [0] x [0] : (tensor<0x6xi32>, tensor<0x6xi32>) -> tensor<6x6xi32>
         return %0, %1 : tensor<9x6xi32>, tensor<6x6xi32>",
        Bits,
    );
}

#[test]
fn a_layer_and_its_gradient() {
    let (b, n, k) = (33, 21, 70);
    check_body(
        &format!("(%x: tensor<{b}x{k}xf64>, %w: tensor<{k}x{n}xf64>, %c: tensor<{n}xf64>, %g: tensor<{b}x{n}xf64>) -> (tensor<{b}x{n}xf64>, tensor<{k}x{n}xf64>, tensor<{n}xf64>)"),
        &format!(
            "%z = stablehlo.constant dense<0.0> : tensor<f64>
             %one = stablehlo.constant dense<1.0> : tensor<{b}x{n}xf64>
             %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<{b}x{k}xf64>, tensor<{k}x{n}xf64>) -> tensor<{b}x{n}xf64>
             %1 = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<{n}xf64>) -> tensor<{b}x{n}xf64>
             %2 = stablehlo.add %0, %1 : tensor<{b}x{n}xf64>
             %h = stablehlo.tanh %2 : tensor<{b}x{n}xf64>
             %3 = stablehlo.multiply %h, %h : tensor<{b}x{n}xf64>
             %4 = stablehlo.subtract %one, %3 : tensor<{b}x{n}xf64>
             %d = stablehlo.multiply %4, %g : tensor<{b}x{n}xf64>
             %5 = stablehlo.dot_general %d, %x, contracting_dims = [0] x [0] : (tensor<{b}x{n}xf64>, tensor<{b}x{k}xf64>) -> tensor<{n}x{k}xf64>
             %6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<{n}x{k}xf64>) -> tensor<{k}x{n}xf64>
             %7 = stablehlo.reduce(%d init: %z) applies stablehlo.add across dimensions = [0] : (tensor<{b}x{n}xf64>, tensor<f64>) -> tensor<{n}xf64>
             return %h, %6, %7 : tensor<{b}x{n}xf64>, tensor<{k}x{n}xf64>, tensor<{n}xf64>"
        ),
        Relative(1e-13),
    );
}

#[test]
fn dynamic_slices_and_updates() {
    for n in [6, 60] {
        check_body(
            &format!("(%x: tensor<{n}x9xf64>, %u: tensor<2x9xf64>, %i: tensor<i32>, %j: tensor<ui64>) -> (tensor<3x4xf64>, tensor<{n}x9xf64>, tensor<{n}x9xf64>)"),
            &format!(
                "%c = stablehlo.constant dense<1> : tensor<i32>
                 %0 = stablehlo.dynamic_slice %x, %i, %c, sizes = [3, 4] : (tensor<{n}x9xf64>, tensor<i32>, tensor<i32>) -> tensor<3x4xf64>
                 %1 = stablehlo.exponential %0 : tensor<3x4xf64>
                 %2 = stablehlo.dynamic_update_slice %x, %u, %j, %j : (tensor<{n}x9xf64>, tensor<2x9xf64>, tensor<ui64>, tensor<ui64>) -> tensor<{n}x9xf64>
                 %3 = stablehlo.add %2, %x : tensor<{n}x9xf64>
                 %4 = stablehlo.dynamic_slice %3, %i, %c, sizes = [2, 9] : (tensor<{n}x9xf64>, tensor<i32>, tensor<i32>) -> tensor<2x9xf64>
                 %5 = stablehlo.negate %4 : tensor<2x9xf64>
                 %6 = stablehlo.dynamic_update_slice %3, %5, %c, %i : (tensor<{n}x9xf64>, tensor<2x9xf64>, tensor<i32>, tensor<i32>) -> tensor<{n}x9xf64>
                 return %1, %2, %6 : tensor<3x4xf64>, tensor<{n}x9xf64>, tensor<{n}x9xf64>"
            ),
            Bits,
        );
    }
}

const STEP: &str = "%h = stablehlo.constant dense<0.01> : tensor<3xf64>
    %x = stablehlo.slice %s [0:1] : (tensor<3xf64>) -> tensor<1xf64>
    %y = stablehlo.slice %s [1:2] : (tensor<3xf64>) -> tensor<1xf64>
    %z = stablehlo.slice %s [2:3] : (tensor<3xf64>) -> tensor<1xf64>
    %dx = stablehlo.subtract %y, %x : tensor<1xf64>
    %xz = stablehlo.multiply %x, %z : tensor<1xf64>
    %dy = stablehlo.subtract %y, %xz : tensor<1xf64>
    %dz = stablehlo.multiply %x, %y : tensor<1xf64>
    %d = stablehlo.concatenate %dx, %dy, %dz, dim = 0 : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<3xf64>
    %hd = stablehlo.multiply %h, %d : tensor<3xf64>
    %n = stablehlo.add %s, %hd : tensor<3xf64>";

#[test]
fn loops_with_small_and_large_carries() {
    check(
        &format!(
            "func.func public @main(%s0: tensor<3xf64>, %b0: tensor<70xf64>, %k: tensor<70xf64>) -> (tensor<3xf64>, tensor<70xf64>, tensor<i32>) {{
            %i0 = stablehlo.constant dense<0> : tensor<i32>
            %one = stablehlo.constant dense<1> : tensor<i32>
            %end = stablehlo.constant dense<13> : tensor<i32>
            %r:4 = stablehlo.while(%s = %s0, %b = %b0, %i = %i0, %o = %b0) : tensor<3xf64>, tensor<70xf64>, tensor<i32>, tensor<70xf64>
            cond {{
              %c = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
              stablehlo.return %c : tensor<i1>
            }} do {{
              {STEP}
              %e = stablehlo.slice %n [0:1] : (tensor<3xf64>) -> tensor<1xf64>
              %eb = stablehlo.broadcast_in_dim %e, dims = [0] : (tensor<1xf64>) -> tensor<70xf64>
              %b1 = stablehlo.multiply %b, %eb : tensor<70xf64>
              %b2 = stablehlo.add %b1, %k : tensor<70xf64>
              %b3 = stablehlo.reverse %b2, dims = [0] : tensor<70xf64>
              %o2 = stablehlo.dynamic_update_slice %o, %e, %i : (tensor<70xf64>, tensor<1xf64>, tensor<i32>) -> tensor<70xf64>
              %b4 = stablehlo.add %b3, %o : tensor<70xf64>
              %i1 = stablehlo.add %i, %one : tensor<i32>
              stablehlo.return %n, %b4, %i1, %o2 : tensor<3xf64>, tensor<70xf64>, tensor<i32>, tensor<70xf64>
            }}
            return %r#0, %r#1, %r#2 : tensor<3xf64>, tensor<70xf64>, tensor<i32>
            }}"
        ),
        Bits,
    );
}

#[test]
fn carries_that_trade_places() {
    check(
        "func.func public @main(%a0: tensor<70xf64>, %b0: tensor<70xf64>) -> (tensor<70xf64>, tensor<70xf64>, tensor<70xf64>) {
        %i0 = stablehlo.constant dense<0> : tensor<i32>
        %one = stablehlo.constant dense<1> : tensor<i32>
        %end = stablehlo.constant dense<5> : tensor<i32>
        %r:4 = stablehlo.while(%a = %a0, %b = %b0, %c = %a0, %i = %i0) : tensor<70xf64>, tensor<70xf64>, tensor<70xf64>, tensor<i32>
        cond {
          %t = stablehlo.compare LT, %i, %end, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %t : tensor<i1>
        } do {
          %s = stablehlo.add %a, %c : tensor<70xf64>
          %i1 = stablehlo.add %i, %one : tensor<i32>
          stablehlo.return %b, %a, %s, %i1 : tensor<70xf64>, tensor<70xf64>, tensor<70xf64>, tensor<i32>
        }
        return %r#0, %r#1, %r#2 : tensor<70xf64>, tensor<70xf64>, tensor<70xf64>
        }",
        Bits,
    );
}

#[test]
fn branches() {
    check(
        "func.func public @main(%i: tensor<i32>, %x: tensor<70xf64>, %y: tensor<2xf64>) -> (tensor<70xf64>, tensor<2xf64>) {
        %r:2 = \"stablehlo.case\"(%i) ({
          %0 = stablehlo.negate %x : tensor<70xf64>
          stablehlo.return %0, %y : tensor<70xf64>, tensor<2xf64>
        }, {
          %0 = stablehlo.add %y, %y : tensor<2xf64>
          stablehlo.return %x, %0 : tensor<70xf64>, tensor<2xf64>
        }) : (tensor<i32>) -> (tensor<70xf64>, tensor<2xf64>)
        %s = stablehlo.add %r#0, %x : tensor<70xf64>
        return %s, %r#1 : tensor<70xf64>, tensor<2xf64>
        }",
        Bits,
    );
}

#[test]
fn gathers_and_scatters() {
    for n in [7, 70] {
        // Indices reach from -2 to 2, so some rows are clamped or dropped.
        check_body(
            &format!("(%x: tensor<{n}x5xf64>, %i: tensor<6x1xi32>, %u: tensor<6x5xf64>, %w: tensor<4x3x2xf64>, %j: tensor<4x2xi64>) -> (tensor<6x5xf64>, tensor<{n}x5xf64>, tensor<{n}x5xf64>, tensor<4x3x2xf64>, tensor<{n}x5xf64>)"),
            &format!(
                "%0 = \"stablehlo.gather\"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}}> : (tensor<{n}x5xf64>, tensor<6x1xi32>) -> tensor<6x5xf64>
                 %1 = stablehlo.exponential %0 : tensor<6x5xf64>
                 %2 = \"stablehlo.scatter\"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
                   ^bb0(%a: tensor<f64>, %b: tensor<f64>):
                     %s = stablehlo.add %a, %b : tensor<f64>
                     stablehlo.return %s : tensor<f64>
                 }}) : (tensor<{n}x5xf64>, tensor<6x1xi32>, tensor<6x5xf64>) -> tensor<{n}x5xf64>
                 %3 = stablehlo.multiply %2, %x : tensor<{n}x5xf64>
                 %4 = \"stablehlo.scatter\"(%3, %j, %w) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}}> ({{
                   ^bb0(%a: tensor<f64>, %b: tensor<f64>):
                     stablehlo.return %b : tensor<f64>
                 }}) : (tensor<{n}x5xf64>, tensor<4x2xi64>, tensor<4x3x2xf64>) -> tensor<{n}x5xf64>
                 %5 = \"stablehlo.gather\"(%4, %j) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 2>}}> : (tensor<{n}x5xf64>, tensor<4x2xi64>) -> tensor<4x3x2xf64>
                 %6 = \"stablehlo.scatter\"(%4, %i, %1) <{{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
                   ^bb0(%a: tensor<f64>, %b: tensor<f64>):
                     %s = stablehlo.multiply %a, %b : tensor<f64>
                     %t = stablehlo.subtract %b, %s : tensor<f64>
                     stablehlo.return %t : tensor<f64>
                 }}) : (tensor<{n}x5xf64>, tensor<6x1xi32>, tensor<6x5xf64>) -> tensor<{n}x5xf64>
                 return %1, %2, %4, %5, %6 : tensor<6x5xf64>, tensor<{n}x5xf64>, tensor<{n}x5xf64>, tensor<4x3x2xf64>, tensor<{n}x5xf64>"
            ),
            Bits,
        );
    }
}

/// What is scattered, or says where, may be what is scattered into: it is read as it was.
#[test]
fn scatters_into_themselves() {
    let numbers = "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>";
    check_body(
        "(%a: tensor<7x7xf64>) -> tensor<7x7xf64>",
        &format!(
            "%x = stablehlo.sine %a : tensor<7x7xf64>
             %i = stablehlo.constant dense<[[5], [1], [1], [2], [-1], [5], [0]]> : tensor<7x1xi64>
             %0 = \"stablehlo.scatter\"(%x, %i, %x) <{{scatter_dimension_numbers = {numbers}}}> ({{
               ^bb0(%p: tensor<f64>, %q: tensor<f64>):
               %s = stablehlo.add %p, %q : tensor<f64>
               stablehlo.return %s : tensor<f64>
             }}) : (tensor<7x7xf64>, tensor<7x1xi64>, tensor<7x7xf64>) -> tensor<7x7xf64>
             %1 = stablehlo.sqrt %0 : tensor<7x7xf64>
             return %1 : tensor<7x7xf64>"
        ),
        Bits,
    );
    check_body(
        "(%a: tensor<6x1xi64>) -> tensor<6x1xi64>",
        "%c = stablehlo.constant dense<3> : tensor<6x1xi64>
         %x = stablehlo.and %a, %c : tensor<6x1xi64>
         %u = stablehlo.constant dense<2> : tensor<6x1xi64>
         %0 = \"stablehlo.scatter\"(%x, %x, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
           ^bb0(%p: tensor<i64>, %q: tensor<i64>):
           %s = stablehlo.add %p, %q : tensor<i64>
           stablehlo.return %s : tensor<i64>
         }) : (tensor<6x1xi64>, tensor<6x1xi64>, tensor<6x1xi64>) -> tensor<6x1xi64>
         %1 = stablehlo.multiply %0, %c : tensor<6x1xi64>
         return %1 : tensor<6x1xi64>",
        Bits,
    );
}

/// Windows that overlap, and whose dimension comes first in the updates: one window is added after the other.
#[test]
fn windows_are_scattered_one_after_the_other() {
    check_body(
        "(%x: tensor<20xf32>, %u: tensor<12x9xf32>) -> tensor<20xf32>",
        "%i = stablehlo.constant dense<[[0], [3], [1], [5], [2], [3], [8], [1], [4]]> : tensor<9x1xi32>
         %0 = \"stablehlo.scatter\"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
           ^bb0(%a: tensor<f32>, %b: tensor<f32>):
             %s = stablehlo.add %a, %b : tensor<f32>
             stablehlo.return %s : tensor<f32>
         }) : (tensor<20xf32>, tensor<9x1xi32>, tensor<12x9xf32>) -> tensor<20xf32>
         return %0 : tensor<20xf32>",
        Bits,
    );
}

#[test]
fn gathers_along_batches() {
    check_body(
        "(%x: tensor<3x20x4xf32>, %i: tensor<3x7x1xui32>) -> tensor<3x7x4xf32>",
        "%0 = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 4>}> : (tensor<3x20x4xf32>, tensor<3x7x1xui32>) -> tensor<3x7x4xf32>
         return %0 : tensor<3x7x4xf32>",
        Bits,
    );
    check_body(
        "(%x: tensor<3x20x4xf32>, %i: tensor<3x7x1xi32>, %u: tensor<3x7x4xf32>) -> tensor<3x20x4xf32>",
        "%0 = \"stablehlo.scatter\"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
           ^bb0(%a: tensor<f32>, %b: tensor<f32>):
             %s = stablehlo.maximum %a, %b : tensor<f32>
             stablehlo.return %s : tensor<f32>
         }) : (tensor<3x20x4xf32>, tensor<3x7x1xi32>, tensor<3x7x4xf32>) -> tensor<3x20x4xf32>
         return %0 : tensor<3x20x4xf32>",
        Bits,
    );
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
