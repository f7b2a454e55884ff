//! Shapes of programs: fusion, contractions, updates, control flow. Reductions are in `reductions`.

use crate::Agreement::{Bits, Relative};
use crate::{check, check_body};
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
