//! Programs at the edges of what lowering knows: tensors without elements, operations of several inputs, comparators the other
//! way round. The reference interpreter, kernels and compiled code agree.

use crate::common;

use common::all_ways;
use wengert_ir::array::Array;
use wengert_ir::testing::{floats, numbers};
use wengert_ir::text::parse;

/// Runs a program on 1, -2, 3, -4... everywhere; gives the first result of the interpreter.
fn agree(text: &str) -> Vec<f64> {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let main = module.find("main").expect("is there");
    let args: Vec<Array> = module.funcs[main]
        .param_types()
        .iter()
        .map(|ty| {
            let ty = ty.as_tensor().expect("a tensor");
            let sign = |k: usize| if k.is_multiple_of(2) { 1.0 } else { -1.0 };
            let float = ty.dtype.is_float();
            numbers(ty, (0..ty.elements()).map(|k| if float { sign(k) * (k + 1) as f64 } else { k as f64 }))
        })
        .collect();
    let ways = all_ways(&module, main, &args, text);
    for (way, found) in &ways[1..] {
        for (x, want) in found.iter().zip(&ways[0].1) {
            assert_eq!(x.bytes(), want.bytes(), "{way}\n{text}");
        }
    }
    if ways[0].1[0].dtype().is_float() { floats(&ways[0].1[0]) } else { Vec::new() }
}

/// Sums and maxima over every set of dimensions of tensors without elements: what is left is the initial value.
#[test]
fn reductions_of_nothing() {
    for shape in [&[0][..], &[3, 0], &[0, 3], &[2, 0, 3], &[0, 0], &[70, 0], &[2, 0, 300]] {
        for mask in 1..1usize << shape.len() {
            let over: Vec<usize> = (0..shape.len()).filter(|d| mask >> d & 1 == 1).collect();
            let kept: Vec<String> =
                (0..shape.len()).filter(|d| !over.contains(d)).map(|d| format!("{}x", shape[d])).collect();
            let (from, to): (String, String) =
                (shape.iter().map(|n| format!("{n}x")).collect(), kept.concat());
            for op in ["add", "maximum"] {
                let y = agree(&format!(
                    "func.func @main(%x: tensor<{from}f32>) -> tensor<{to}f32> {{
                        %c = stablehlo.constant dense<2.5> : tensor<f32>
                        %0 = stablehlo.reduce(%x init: %c) applies stablehlo.{op} across dimensions = {over:?} :
                            (tensor<{from}f32>, tensor<f32>) -> tensor<{to}f32>
                        return %0 : tensor<{to}f32>
                    }}"
                ));
                assert!(y.iter().all(|&y| y == 2.5), "{y:?}");
            }
        }
    }
}

/// A comparator names its parameters in either order, and in either direction.
#[test]
fn sorts_of_every_comparator() {
    for (direction, lhs, rhs, ascending) in [
        ("LT", "%a", "%b", true),
        ("GT", "%a", "%b", false),
        ("LT", "%b", "%a", false),
        ("GT", "%b", "%a", true),
        ("LE", "%b", "%a", false),
        ("GE", "%b", "%a", true),
    ] {
        let y = agree(&format!(
            "func.func @main(%x: tensor<7xf32>) -> tensor<7xf32> {{
                %0 = \"stablehlo.sort\"(%x) <{{dimension = 0 : i64, is_stable = true}}> ({{
                ^bb0(%a: tensor<f32>, %b: tensor<f32>):
                    %1 = stablehlo.compare {direction}, {lhs}, {rhs}, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
                    stablehlo.return %1 : tensor<i1>
                }}) : (tensor<7xf32>) -> tensor<7xf32>
                return %0 : tensor<7xf32>
            }}"
        ));
        let mut want = [-6.0, -4.0, -2.0, 1.0, 3.0, 5.0, 7.0];
        if !ascending {
            want.reverse();
        }
        assert_eq!(y, want, "{direction} {lhs} {rhs}");
    }
}

/// Each input of a scatter has its updates.
#[test]
fn scatters_of_several_inputs() {
    let y = agree(
        "func.func @main(%x: tensor<6xf32>, %y: tensor<6xf32>, %u: tensor<3xf32>, %v: tensor<3xf32>)
                -> (tensor<6xf32>, tensor<6xf32>) {
            %i = stablehlo.constant dense<[[4], [0], [4]]> : tensor<3x1xi32>
            %0:2 = \"stablehlo.scatter\"(%x, %y, %i, %u, %v) <{
                scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
                    scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
            ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
                %s = stablehlo.add %a, %c : tensor<f32>
                %t = stablehlo.subtract %b, %d : tensor<f32>
                stablehlo.return %s, %t : tensor<f32>, tensor<f32>
            }) : (tensor<6xf32>, tensor<6xf32>, tensor<3x1xi32>, tensor<3xf32>, tensor<3xf32>)
                -> (tensor<6xf32>, tensor<6xf32>)
            return %0#0, %0#1 : tensor<6xf32>, tensor<6xf32>
        }",
    );
    assert_eq!(y, [-1.0, -2.0, 3.0, -4.0, 9.0, -6.0]);
}

/// A sum of products begins with the initial value, whatever it is.
#[test]
fn sums_of_products_begin_somewhere() {
    for init in ["0.0", "2.5", "-0.0"] {
        for n in [3, 40, 700] {
            let y = agree(&format!(
                "func.func @main(%x: tensor<4x{n}xf64>, %y: tensor<4x{n}xf64>) -> tensor<4xf64> {{
                    %c = stablehlo.constant dense<{init}> : tensor<f64>
                    %0 = stablehlo.multiply %x, %y : tensor<4x{n}xf64>
                    %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [1] :
                        (tensor<4x{n}xf64>, tensor<f64>) -> tensor<4xf64>
                    return %1 : tensor<4xf64>
                }}"
            ));
            let square = |k: usize| ((k + 1) * (k + 1)) as f64;
            let want: f64 = (0..n).map(square).sum::<f64>() + init.parse::<f64>().expect("a number");
            assert_eq!(y[0], want, "{init} {n}");
        }
    }
}

/// A contraction sums from 0, whether it is written out, computed in registers or a library's: products of -0 sum to 0.
#[test]
fn contractions_begin_with_zero() {
    for (rows, depth, columns) in [(2, 1, 2), (2, 2, 2), (40, 1, 40), (40, 3, 40), (3, 64, 3), (40, 64, 40)] {
        let y = agree(&format!(
            "func.func @main(%x: tensor<{rows}x{depth}xf64>, %y: tensor<{depth}x{columns}xf64>)
                -> tensor<{rows}x{columns}xf64> {{
                %c = stablehlo.constant dense<-0.0> : tensor<{rows}x{depth}xf64>
                %0 = stablehlo.abs %x : tensor<{rows}x{depth}xf64>
                %1 = stablehlo.multiply %0, %c : tensor<{rows}x{depth}xf64>
                %2 = stablehlo.abs %y : tensor<{depth}x{columns}xf64>
                %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0] :
                    (tensor<{rows}x{depth}xf64>, tensor<{depth}x{columns}xf64>) -> tensor<{rows}x{columns}xf64>
                return %3 : tensor<{rows}x{columns}xf64>
            }}"
        ));
        assert!(y.iter().all(|y| y.to_bits() == 0), "{rows}x{depth}x{columns}");
    }
}

/// Numbers that count past the range of their type begin again: what is gathered from them is no clamped index.
#[test]
fn narrow_integers_count_modulo_their_range() {
    for (ty, index) in [("i8", "i8"), ("ui8", "ui8"), ("i16", "i16"), ("i8", "i32")] {
        agree(&format!(
            "func.func @main(%i: tensor<3x{index}>) -> tensor<3x{ty}> {{
                %0 = stablehlo.iota dim = 0 : tensor<40000x{ty}>
                %1 = stablehlo.reshape %i : (tensor<3x{index}>) -> tensor<3x1x{index}>
                %2 = \"stablehlo.gather\"(%0, %1) <{{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
                    start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1>, indices_are_sorted = false}}>
                    : (tensor<40000x{ty}>, tensor<3x1x{index}>) -> tensor<3x1x{ty}>
                %3 = stablehlo.reshape %2 : (tensor<3x1x{ty}>) -> tensor<3x{ty}>
                return %3 : tensor<3x{ty}>
            }}"
        ));
    }
}

/// Branches that change an operand in place, where something else has a part of it, gives it back twice, or has its place promised to
/// what comes later: nobody sees another's numbers.
#[test]
fn branches_that_change_what_others_read() {
    let t = "tensor<64xf32>";
    let update = |name: &str, x: &str, u: &str, at: &str| {
        format!(
            "%{name} = stablehlo.dynamic_update_slice %{x}, %{u}, %{at} : ({t}, tensor<32xf32>, tensor<i32>) -> {t}\n"
        )
    };
    let updates = format!("{}{}", update("x1", "x", "u", "five"), update("x0", "x1", "u", "twenty"));
    // Something new and an operand, which the second branch may have changed.
    let two = |changed: String, given: &str| {
        format!(
            "{updates}
             %r:2 = \"stablehlo.case\"(%i) ({{
               %q = stablehlo.constant dense<9.0> : {t}
               stablehlo.return %q, %x0 : {t}, {t}
             }}, {{
               %q = stablehlo.cosine %x0 : {t}
               {changed}
               stablehlo.return %q, %{given} : {t}, {t}
             }}) : (tensor<i32>) -> ({t}, {t})\n"
        )
    };
    let bodies = [
        // A part of what is changed is read afterwards, in the branch.
        format!(
            "%y = stablehlo.slice %x [0:32] : ({t}) -> tensor<32xf32>
             %r = \"stablehlo.case\"(%i) ({{
               {}{}
               stablehlo.return %b : {t}
             }}, {{
               stablehlo.return %x : {t}
             }}) : (tensor<i32>) -> {t}
             return %r, %r : {t}, {t}",
            update("a", "x", "u", "zero"),
            update("b", "a", "y", "half"),
        ),
        // The place of what is given back is promised to what is made of the other result.
        format!(
            "{}{}
             %g = stablehlo.exponential %r#1 : {t}
             %h = stablehlo.add %f, %g : {t}
             return %f, %h : {t}, {t}",
            two(String::new(), "x0"),
            update("f", "r#0", "u", "five"),
        ),
        // It is given back as a view of that place.
        format!(
            "{}
             %s = stablehlo.optimization_barrier %r#1 : {t}
             return %r#0, %s : {t}, {t}",
            two(update("z", "x0", "u", "five"), "z"),
        ),
        // Two results are one operand, changed and not; two operands change places.
        format!(
            "{updates}
             %w = stablehlo.cosine %x0 : {t}
             %r:3 = \"stablehlo.case\"(%i) ({{
               {}
               stablehlo.return %z, %x0, %w : {t}, {t}, {t}
             }}, {{
               stablehlo.return %w, %w, %x0 : {t}, {t}, {t}
             }}) : (tensor<i32>) -> ({t}, {t}, {t})
             {}
             %h = stablehlo.add %r#1, %r#2 : {t}
             return %f, %h : {t}, {t}",
            update("z", "x0", "u", "zero"),
            update("f", "r#0", "u", "half"),
        ),
        // In a loop, one buffer changed before, in, and after branches; the other as it was a trip before.
        format!(
            "%l:3 = stablehlo.while(%n = %zero, %a = %x, %b = %p) : tensor<i32>, {t}, {t}
             cond {{
               %k = stablehlo.compare LT, %n, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
               stablehlo.return %k : tensor<i1>
             }} do {{
               {}
               %odd = stablehlo.and %n, %one : tensor<i32>
               %s = stablehlo.add %odd, %i : tensor<i32>
               %r:2 = \"stablehlo.case\"(%s) ({{
                 {}
                 stablehlo.return %d, %c : {t}, {t}
               }}, {{
                 stablehlo.return %c, %b : {t}, {t}
               }}, {{
                 stablehlo.return %b, %c : {t}, {t}
               }}) : (tensor<i32>) -> ({t}, {t})
               {}
               %m = stablehlo.add %n, %one : tensor<i32>
               stablehlo.return %m, %e, %r#1 : tensor<i32>, {t}, {t}
             }}
             return %l#1, %l#2 : {t}, {t}",
            update("c", "a", "u", "n"),
            update("d", "c", "u", "twenty"),
            update("e", "r#0", "u", "half"),
        ),
    ];
    for body in bodies {
        for k in 0..2 {
            agree(&format!(
                "func.func @main(%p: {t}, %u: tensor<32xf32>, %ij: tensor<2xi32>) -> ({t}, {t}) {{
                   %zero = stablehlo.constant dense<0> : tensor<i32>
                   %one = stablehlo.constant dense<1> : tensor<i32>
                   %five = stablehlo.constant dense<5> : tensor<i32>
                   %twenty = stablehlo.constant dense<20> : tensor<i32>
                   %half = stablehlo.constant dense<32> : tensor<i32>
                   %i1 = stablehlo.slice %ij [{k}:{}] : (tensor<2xi32>) -> tensor<1xi32>
                   %i = stablehlo.reshape %i1 : (tensor<1xi32>) -> tensor<i32>
                   %x = stablehlo.sine %p : {t}
                   {body}
                 }}",
                k + 1
            ));
        }
    }
}
