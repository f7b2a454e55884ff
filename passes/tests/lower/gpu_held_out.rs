//! Cases for programs on a GPU that were written down before any was run: what others might bring.

use crate::Agreement::{Bits, Relative};
use crate::{check_body, check_module};
use wengert_ir::array::{Array, Literal};
use wengert_ir::testing::Random;
use wengert_passes::ad;
use wengert_passes::dce::dce;
use wengert_passes::inline::inline_calls;
use wengert_passes::legalize::legalize;
use wengert_passes::raise::raise;

#[test]
fn two_reductions_of_a_middle_dimension() {
    check_body(
        "(%x: tensor<6x70x9xf64>) -> (tensor<6x9xf64>, tensor<6x9xf64>)",
        "%z = stablehlo.constant dense<0.0> : tensor<f64>
         %l = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
         %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1] : (tensor<6x70x9xf64>, tensor<f64>) -> tensor<6x9xf64>
         %1 = stablehlo.reduce(%x init: %l) applies stablehlo.maximum across dimensions = [1] : (tensor<6x70x9xf64>, tensor<f64>) -> tensor<6x9xf64>
         return %0, %1 : tensor<6x9xf64>, tensor<6x9xf64>",
        Bits,
    );
}

#[test]
fn a_small_loop_in_a_large_one() {
    check_body(
        "(%x: tensor<900xf32>, %n: tensor<i32>) -> (tensor<900xf32>, tensor<f32>)",
        "%zero = stablehlo.constant dense<0> : tensor<i32>
         %f = stablehlo.constant dense<1.0> : tensor<f32>
         %0:3 = stablehlo.while(%i = %zero, %a = %x, %s = %f) : tensor<i32>, tensor<900xf32>, tensor<f32>
         cond {
           %m = stablehlo.constant dense<3> : tensor<i32>
           %go = stablehlo.compare LT, %i, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
           stablehlo.return %go : tensor<i1>
         } do {
           %one = stablehlo.constant dense<1> : tensor<i32>
           %1:2 = stablehlo.while(%j = %zero, %t = %s) : tensor<i32>, tensor<f32>
           cond {
             %m = stablehlo.constant dense<4> : tensor<i32>
             %k = stablehlo.add %n, %m : tensor<i32>
             %go = stablehlo.compare LT, %j, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
             stablehlo.return %go : tensor<i1>
           } do {
             %j1 = stablehlo.add %j, %one : tensor<i32>
             %t1 = stablehlo.cosine %t : tensor<f32>
             stablehlo.return %j1, %t1 : tensor<i32>, tensor<f32>
           }
           %b = stablehlo.broadcast_in_dim %1#1, dims = [] : (tensor<f32>) -> tensor<900xf32>
           %c = stablehlo.multiply %a, %b : tensor<900xf32>
           %i1 = stablehlo.add %i, %one : tensor<i32>
           stablehlo.return %i1, %c, %1#1 : tensor<i32>, tensor<900xf32>, tensor<f32>
         }
         return %0#1, %0#2 : tensor<900xf32>, tensor<f32>",
        Bits,
    );
}

#[test]
fn padding_that_is_reduced() {
    check_body(
        "(%x: tensor<30x40xf32>) -> (tensor<36xf32>, tensor<36x44xf32>)",
        "%z = stablehlo.constant dense<0.5> : tensor<f32>
         %p = stablehlo.pad %x, %z, low = [2, 1], high = [4, 3], interior = [0, 0] : (tensor<30x40xf32>, tensor<f32>) -> tensor<36x44xf32>
         %e = stablehlo.exponential %p : tensor<36x44xf32>
         %0 = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<36x44xf32>, tensor<f32>) -> tensor<36xf32>
         return %0, %e : tensor<36xf32>, tensor<36x44xf32>",
        Bits,
    );
}

#[test]
fn updates_at_places_that_the_device_finds() {
    check_body(
        "(%x: tensor<800x4xf32>, %u: tensor<2x4xf32>, %w: tensor<5xi32>) -> tensor<800x4xf32>",
        "%z = stablehlo.constant dense<0> : tensor<i32>
         %s = stablehlo.reduce(%w init: %z) applies stablehlo.add across dimensions = [0] : (tensor<5xi32>, tensor<i32>) -> tensor<i32>
         %0 = stablehlo.dynamic_update_slice %x, %u, %s, %z : (tensor<800x4xf32>, tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<800x4xf32>
         %1 = stablehlo.dynamic_slice %0, %s, %z, sizes = [700, 4] : (tensor<800x4xf32>, tensor<i32>, tensor<i32>) -> tensor<700x4xf32>
         %2 = stablehlo.dynamic_update_slice %0, %1, %z, %z : (tensor<800x4xf32>, tensor<700x4xf32>, tensor<i32>, tensor<i32>) -> tensor<800x4xf32>
         return %2 : tensor<800x4xf32>",
        Bits,
    );
}

#[test]
fn a_sort_between_launches() {
    check_body(
        "(%x: tensor<500xf32>) -> tensor<500xf32>",
        "%0 = stablehlo.tanh %x : tensor<500xf32>
         %1 = \"stablehlo.sort\"(%0) <{dimension = 0 : i64, is_stable = true}> ({
         ^bb0(%a: tensor<f32>, %b: tensor<f32>):
           %c = stablehlo.compare LT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
           stablehlo.return %c : tensor<i1>
         }) : (tensor<500xf32>) -> tensor<500xf32>
         %2 = stablehlo.add %1, %x : tensor<500xf32>
         return %2 : tensor<500xf32>",
        Bits,
    );
}

#[test]
fn a_concatenation_that_is_turned() {
    check_body(
        "(%x: tensor<50x33xf64>, %y: tensor<20x33xf64>) -> tensor<33x70xf64>",
        "%0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<50x33xf64>, tensor<20x33xf64>) -> tensor<70x33xf64>
         %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<70x33xf64>) -> tensor<33x70xf64>
         %2 = stablehlo.sine %1 : tensor<33x70xf64>
         return %2 : tensor<33x70xf64>",
        Bits,
    );
}

#[test]
fn rows_that_indices_choose() {
    check_body(
        "(%x: tensor<9x65xf32>, %i: tensor<40x1xi64>) -> tensor<40xf32>",
        "%z = stablehlo.constant dense<0.0> : tensor<f32>
         %0 = \"stablehlo.gather\"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
           start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 65>, indices_are_sorted = false}> :
           (tensor<9x65xf32>, tensor<40x1xi64>) -> tensor<40x65xf32>
         %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<40x65xf32>, tensor<f32>) -> tensor<40xf32>
         return %1 : tensor<40xf32>",
        Bits,
    );
}

#[test]
fn products_in_batches_of_odd_sizes() {
    check_body(
        "(%x: tensor<3x37x70xf64>, %y: tensor<3x70x65xf64>) -> tensor<3x37x65xf64>",
        "%0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x37x70xf64>, tensor<3x70x65xf64>) -> tensor<3x37x65xf64>
         %1 = stablehlo.negate %0 : tensor<3x37x65xf64>
         return %1 : tensor<3x37x65xf64>",
        Relative(1e-13),
    );
    check_body(
        "(%x: tensor<90x80xf32>, %y: tensor<100x80xf32>) -> tensor<90x100xf32>",
        "%0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [1] : (tensor<90x80xf32>, tensor<100x80xf32>) -> tensor<90x100xf32>
         return %0 : tensor<90x100xf32>",
        Relative(1e-5),
    );
}

/// The reverse mode of a loop that ends when the device says, over a vector: rows of stacks that grow.
#[test]
fn the_reverse_of_a_loop_whose_trips_are_not_known() {
    for n in [3, 600] {
        let text = format!(
            "func.func public @main(%x: tensor<{n}xf64>) -> tensor<f64> {{
              %zero = stablehlo.constant dense<0.0> : tensor<f64>
              %0 = stablehlo.while(%a = %x) : tensor<{n}xf64>
              cond {{
                %s = stablehlo.reduce(%a init: %zero) applies stablehlo.maximum across dimensions = [0] : (tensor<{n}xf64>, tensor<f64>) -> tensor<f64>
                %l = stablehlo.constant dense<0.5> : tensor<f64>
                %go = stablehlo.compare GT, %s, %l, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
                stablehlo.return %go : tensor<i1>
              }} do {{
                %h = stablehlo.constant dense<0.7> : tensor<{n}xf64>
                %b = stablehlo.sine %a : tensor<{n}xf64>
                %c = stablehlo.multiply %b, %h : tensor<{n}xf64>
                stablehlo.return %c : tensor<{n}xf64>
              }}
              %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<{n}xf64>, tensor<f64>) -> tensor<f64>
              return %1 : tensor<f64>
            }}"
        );
        let mut m = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
        let main = m.find("main").expect("it is there");
        let raised = raise(&mut m, main);
        let g = ad::vjp(&mut m, raised, &[true], &[true]).expect("it has a derivative");
        let g = dce(&mut m, g);
        let g = inline_calls(&mut m, g);
        let g = legalize(&mut m, g);
        let types = m.get(g).param_types();
        let mut random = Random(5);
        let args: Vec<Array> = vec![
            random.array(types[0].tensor(), 0.2, 2.0),
            Literal::splat(types[1].tensor().clone(), 1.0).to_array(),
        ];
        check_module("the reverse of a while", &m, g, &args, Bits);
    }
}

#[test]
fn a_branch_in_a_loop_of_the_host() {
    check_body(
        "(%x: tensor<700xf32>) -> tensor<700xf32>",
        "%zero = stablehlo.constant dense<0> : tensor<i32>
         %f = stablehlo.constant dense<0.0> : tensor<f32>
         %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<700xf32>
         cond {
           %m = stablehlo.constant dense<4> : tensor<i32>
           %go = stablehlo.compare LT, %i, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
           stablehlo.return %go : tensor<i1>
         } do {
           %one = stablehlo.constant dense<1> : tensor<i32>
           %s = stablehlo.reduce(%a init: %f) applies stablehlo.add across dimensions = [0] : (tensor<700xf32>, tensor<f32>) -> tensor<f32>
           %c = stablehlo.compare GT, %s, %f, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
           %1 = \"stablehlo.if\"(%c) ({
             %b = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<700xf32>
             %d = stablehlo.subtract %a, %b : tensor<700xf32>
             stablehlo.return %d : tensor<700xf32>
           }, {
             %d = stablehlo.sine %a : tensor<700xf32>
             stablehlo.return %d : tensor<700xf32>
           }) : (tensor<i1>) -> tensor<700xf32>
           %i1 = stablehlo.add %i, %one : tensor<i32>
           stablehlo.return %i1, %1 : tensor<i32>, tensor<700xf32>
         }
         return %0#1 : tensor<700xf32>",
        Bits,
    );
}
