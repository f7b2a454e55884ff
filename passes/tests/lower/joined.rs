//! What concatenations and paddings put together of parts in another order: each part is walked in its own order, without
//! a division per element.

use crate::Agreement::Bits;
use crate::check_body;
use wengert_passes::lower::{Options, lower};

const PARAMS: &str = "(%x: tensor<2x4x6x16xf32>, %y: tensor<2x4x6x16xf32>, %z: tensor<2x4x16x6xf32>)";

/// Heads before positions, as rows of positions with the heads side by side.
const PARTS: &str = "
    %x1 = stablehlo.transpose %x, dims = [0, 2, 1, 3] : (tensor<2x4x6x16xf32>) -> tensor<2x6x4x16xf32>
    %y1 = stablehlo.transpose %y, dims = [0, 2, 1, 3] : (tensor<2x4x6x16xf32>) -> tensor<2x6x4x16xf32>
    %z1 = stablehlo.transpose %z, dims = [0, 3, 1, 2] : (tensor<2x4x16x6xf32>) -> tensor<2x6x4x16xf32>
    %a = stablehlo.reshape %x1 : (tensor<2x6x4x16xf32>) -> tensor<12x64xf32>
    %b = stablehlo.reshape %y1 : (tensor<2x6x4x16xf32>) -> tensor<12x64xf32>
    %c = stablehlo.reshape %z1 : (tensor<2x6x4x16xf32>) -> tensor<12x64xf32>";

const JOINED: &str = "
    %0 = stablehlo.concatenate %a, %b, %c, dim = 1 : (tensor<12x64xf32>, tensor<12x64xf32>, tensor<12x64xf32>) -> tensor<12x192xf32>";

const PADDED: &str = "
    %k = stablehlo.constant dense<0.0> : tensor<f32>
    %p = stablehlo.pad %a, %k, low = [0, 0], high = [0, 128], interior = [0, 0] : (tensor<12x64xf32>, tensor<f32>) -> tensor<12x192xf32>
    %q = stablehlo.pad %b, %k, low = [0, 64], high = [0, 64], interior = [0, 0] : (tensor<12x64xf32>, tensor<f32>) -> tensor<12x192xf32>
    %r = stablehlo.pad %c, %k, low = [0, 128], high = [0, 0], interior = [0, 0] : (tensor<12x64xf32>, tensor<f32>) -> tensor<12x192xf32>
    %s = stablehlo.add %r, %q : tensor<12x192xf32>
    %0 = stablehlo.add %s, %p : tensor<12x192xf32>";

/// The program agrees with the interpreter and divides nothing.
#[track_caller]
fn check(joined: &str, end: &str, results: &str) {
    let params = format!("{PARAMS} -> {results}");
    let body = format!("{PARTS}{joined}\n{end}");
    check_body(&params, &body, Bits);
    let text = format!("func.func public @main{params} {{\n{body}\n}}\n");
    let m = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    let program = lower(&m, m.find("main").expect("is there"), &Options::default()).expect("it lowers");
    let text = program.to_string();
    assert!(!text.contains("arith.remui") && !text.contains("arith.divui"), "{text}");
}

#[test]
fn parts_in_another_order_are_walked_in_theirs() {
    let one = "(tensor<12x192xf32>)";
    for joined in [JOINED, PADDED] {
        check(joined, "return %0 : tensor<12x192xf32>", one);
        check(joined, "%1 = stablehlo.abs %0 : tensor<12x192xf32>\nreturn %1 : tensor<12x192xf32>", one);
    }
}

#[test]
fn so_are_those_of_several_results() {
    let end = "%1 = stablehlo.abs %0 : tensor<12x192xf32>
               %2 = stablehlo.negate %0 : tensor<12x192xf32>
               return %1, %2 : tensor<12x192xf32>, tensor<12x192xf32>";
    for joined in [JOINED, PADDED] {
        check(joined, end, "(tensor<12x192xf32>, tensor<12x192xf32>)");
    }
}

#[test]
fn many_parts_are_right_however_they_are_read() {
    // More parts than a space is cut into.
    let parts: String = (0..50)
        .map(|k| {
            format!(
                "%s{k} = stablehlo.slice %t [0:12, {k}:{end}] : (tensor<12x56xf32>) -> tensor<12x6xf32>
                 %r{k} = stablehlo.reshape %s{k} : (tensor<12x6xf32>) -> tensor<9x8xf32>\n",
                end = k + 6
            )
        })
        .collect();
    let names: Vec<String> = (0..50).map(|k| format!("%r{k}")).collect();
    let types = vec!["tensor<9x8xf32>"; 50].join(", ");
    let body = format!(
        "%t = stablehlo.transpose %x, dims = [1, 0] : (tensor<56x12xf32>) -> tensor<12x56xf32>
         {parts}
         %0 = stablehlo.concatenate {}, dim = 1 : ({types}) -> tensor<9x400xf32>
         %1 = stablehlo.abs %0 : tensor<9x400xf32>
         return %1 : tensor<9x400xf32>",
        names.join(", ")
    );
    check_body("(%x: tensor<56x12xf32>) -> (tensor<9x400xf32>)", &body, Bits);
}

/// Every slice of two pieces, up to and beyond where one ends and the other begins.
#[test]
fn slices_of_what_is_joined() {
    for (from, to, step) in
        [(0, 5, 1), (0, 6, 1), (4, 5, 1), (4, 6, 1), (5, 6, 1), (1, 6, 2), (3, 6, 2), (5, 10, 4)]
    {
        let n = (to - from + step - 1) / step;
        check_body(
            &format!("(%x: tensor<5xf64>, %y: tensor<5xf64>) -> (tensor<{n}xf64>)"),
            &format!(
                "%0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<5xf64>, tensor<5xf64>) -> tensor<10xf64>
                 %1 = stablehlo.slice %0 [{from}:{to}:{step}] : (tensor<10xf64>) -> tensor<{n}xf64>
                 %2 = stablehlo.sine %1 : tensor<{n}xf64>
                 return %2 : tensor<{n}xf64>"
            ),
            Bits,
        );
    }
}

/// Where one element is taken a stride may be any number, also inside what is joined.
#[test]
fn a_stride_that_is_never_taken() {
    check_body(
        "(%x: tensor<3x3x2xf32>, %y: tensor<3x3x4xf32>) -> (tensor<3x3x7xf32>)",
        "%0 = stablehlo.concatenate %x, %y, dim = 2 : (tensor<3x3x2xf32>, tensor<3x3x4xf32>) -> tensor<3x3x6xf32>
         %1 = stablehlo.slice %0 [0:3, 0:3, 4:5:9223372036854775807] : (tensor<3x3x6xf32>) -> tensor<3x3x1xf32>
         %2 = stablehlo.concatenate %0, %1, dim = 2 : (tensor<3x3x6xf32>, tensor<3x3x1xf32>) -> tensor<3x3x7xf32>
         return %2 : tensor<3x3x7xf32>",
        Bits,
    );
}
