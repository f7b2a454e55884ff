//! `chlo.ragged_dot` in all its modes: the numbers of `jax.lax.ragged_dot_general`, and what is wrong.

use wengert_ir::array::Array;
use wengert_ir::func::FuncKind;
use wengert_ir::interp::{Limits, run};
use wengert_ir::ops::convert;
use wengert_ir::text::{PrintOptions, parse, print, same};
use wengert_ir::types::DType;
use wengert_ir::verify::verify;

/// Shapes of lhs, rhs and result, with what the operation says of them.
struct Row {
    lhs: &'static [usize],
    rhs: &'static [usize],
    sizes: (&'static [usize], &'static [i64]),
    dims: &'static str,
    result: &'static [usize],
    expected: &'static [f64],
}

fn tensor(shape: &[usize], element: &str) -> String {
    let sizes: String = shape.iter().map(|n| format!("{n}x")).collect();
    format!("tensor<{sizes}{element}>")
}

fn program(lhs: &[usize], rhs: &[usize], sizes: &[usize], dims: &str, result: &[usize]) -> String {
    program_of(["f64"; 3], lhs, rhs, sizes, dims, result)
}

/// Of these types of lhs, rhs and result.
fn program_of(
    types: [&str; 3],
    lhs: &[usize],
    rhs: &[usize],
    sizes: &[usize],
    dims: &str,
    result: &[usize],
) -> String {
    let (a, b, g, r) =
        (tensor(lhs, types[0]), tensor(rhs, types[1]), tensor(sizes, "i64"), tensor(result, types[2]));
    format!(
        "func.func @main(%a: {a}, %b: {b}, %g: {g}) -> {r} {{
          %0 = \"chlo.ragged_dot\"(%a, %b, %g) <{{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>],
            ragged_dot_dimension_numbers = #chlo.ragged_dot<{dims}>}}> : ({a}, {b}, {g}) -> {r}
          return %0 : {r}
        }}"
    )
}

fn filled(shape: &[usize], step: usize, from: usize, modulus: usize, less: f64) -> Array {
    let n = shape.iter().product();
    Array::new(shape, &(0..n).map(|k: usize| ((k * step + from) % modulus) as f64 - less).collect::<Vec<_>>())
}

const PLAIN: &str = "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], \
                     rhs_group_dimensions = [0]";
const BATCHED: &str = "lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], \
                       rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]";

/// Types of lhs, rhs and result.
const TYPES: [[&str; 3]; 4] =
    [["f64"; 3], ["i8", "i8", "i32"], ["f32", "bf16", "f32"], ["f8E5M2", "f8E4M3FN", "f16"]];

#[test]
fn numbers_are_those_of_jax() {
    let rows = [
        Row {
            lhs: &[5, 2],
            rhs: &[3, 2, 2],
            sizes: (&[3], &[2, 0, 2]),
            dims: PLAIN,
            result: &[5, 2],
            expected: &[0.0, 4.0, -3.0, 4.0, 5.0, -7.0, -4.0, 2.0, 0.0, 0.0],
        },
        Row {
            lhs: &[2, 4, 2],
            rhs: &[2, 2, 2, 3],
            sizes: (&[2], &[1, 2]),
            dims: BATCHED,
            result: &[2, 4, 3],
            expected: &[
                4.0, -2.0, 2.0, -1.0, -4.0, 3.0, 3.0, -4.0, -1.0, 0.0, 0.0, 0.0, -1.0, -3.0, 10.0, -4.0, 1.0,
                1.0, 10.0, -3.0, -1.0, 0.0, 0.0, 0.0,
            ],
        },
        Row {
            lhs: &[2, 4, 2],
            rhs: &[2, 2, 2, 3],
            sizes: (&[2, 2], &[1, 2, 3, 1]),
            dims: BATCHED,
            result: &[2, 4, 3],
            expected: &[
                4.0, -2.0, 2.0, -1.0, -4.0, 3.0, 3.0, -4.0, -1.0, 0.0, 0.0, 0.0, -1.0, -3.0, 10.0, 1.0, 1.0,
                -4.0, -4.0, -2.0, 10.0, -4.0, 0.0, 4.0,
            ],
        },
        Row {
            lhs: &[2, 5],
            rhs: &[5, 2],
            sizes: (&[3], &[2, 0, 2]),
            dims: "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]",
            result: &[3, 2, 2],
            expected: &[0.0, 4.0, 3.0, -10.0, 0.0, 0.0, 0.0, 0.0, 5.0, -3.0, -4.0, 0.0],
        },
        Row {
            lhs: &[2, 2, 4],
            rhs: &[2, 4, 2],
            sizes: (&[2, 2], &[3, 1, 1, 2]),
            dims: "lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], \
                   rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]",
            result: &[2, 2, 2, 2],
            expected: &[3.0, 1.0, 3.0, 2.0, 4.0, -2.0, 6.0, -3.0, 2.0, 0.0, 0.0, 0.0, -3.0, 4.0, -2.0, 4.0],
        },
        Row {
            lhs: &[3, 2, 2],
            rhs: &[3, 2, 2],
            sizes: (&[2], &[1, 2]),
            dims: "lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], \
                   rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]",
            result: &[3, 2, 2],
            expected: &[0.0, 4.0, -3.0, 4.0, -7.0, 1.0, 2.0, -2.0, 1.0, 4.0, -1.0, -1.0],
        },
    ];
    for row in rows {
        for types in TYPES {
            let text = program_of(types, row.lhs, row.rhs, row.sizes.0, row.dims, row.result);
            let module = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            verify(&module).unwrap_or_else(|e| panic!("{}", e[0]));
            let printed = print(&module, &PrintOptions::default());
            let again = parse(&printed).unwrap_or_else(|e| panic!("{e}\n{printed}"));
            assert!(same(&module, &again), "{printed}");
            let (main, _) = module.funcs.iter().find(|(_, f)| f.kind == FuncKind::Public).expect("main");
            let of =
                |x: Array, ty: &str| convert(&x, DType::parse(ty).expect("a type")).expect("small numbers");
            let args = [
                of(filled(row.lhs, 5, 3, 7, 3.0), types[0]),
                of(filled(row.rhs, 3, 1, 5, 2.0), types[1]),
                Array::new(row.sizes.0, row.sizes.1),
            ];
            let out = run(&module, main, &args, &Limits::default()).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(
                of(out[0].clone(), "f64").as_slice::<f64>(),
                row.expected,
                "{} of {types:?}",
                row.dims
            );
        }
    }
}

#[test]
fn wrong_forms_are_refused() {
    let plain = |lhs: &[usize], rhs: &[usize], sizes: &[usize]| program(lhs, rhs, sizes, PLAIN, &[11, 7]);
    let with = |dims: &str| program(&[11, 5], &[3, 5, 7], &[3], dims, &[11, 7]);
    for (text, part) in [
        (plain(&[11, 5], &[3, 2, 7], &[3]), "contracts"),
        (plain(&[11, 5], &[3, 5, 7], &[3, 2]), "group sizes"),
        (plain(&[11, 5], &[3, 5, 7], &[]), "group sizes"),
        (plain(&[11, 5], &[3, 5, 7], &[2]), "is not of 2 groups"),
        (program(&[2, 4, 2], &[2, 2, 2, 3], &[4, 2], BATCHED, &[2, 4, 3]), "not of shape [2, 2]"),
        (
            with(&PLAIN.replace("ragged_dimensions = [0]", "ragged_dimensions = [0, 1]")),
            "2 dimensions are ragged",
        ),
        (with(&PLAIN.replace("ragged_dimensions = [0]", "ragged_dimensions = [2]")), "no dimension 2"),
        (with(&PLAIN.replace("ragged_dimensions = [0]", "ragged_dimensions = [1]")), "is free"),
        (with(&PLAIN.replace("group_dimensions = [0]", "group_dimensions = []")), "0 group dimensions"),
        (
            with(&PLAIN.replace("group_dimensions = [0]", "group_dimension = [0]")),
            "has no `rhs_group_dimension`",
        ),
        (
            program(
                &[11, 3],
                &[3, 3, 7],
                &[3],
                &PLAIN.replace("group_dimensions = [0]", "group_dimensions = [1]"),
                &[11, 7],
            ),
            "of nothing else",
        ),
    ] {
        let error = parse(&text).map(drop).expect_err(part).message;
        assert!(error.contains(part) && (error.contains("ragged_dot")), "{error}, not {part}");
    }
}

/// Sizes of a narrow type, whose sums it does not hold, beside rows of which it does not hold the numbers.
#[test]
fn narrow_sizes_count_many_rows() {
    let text = program(&[300, 1], &[3, 1, 1], &[3], PLAIN, &[300, 1]);
    let module = parse(&text.replace("3xi64", "3xi8")).expect("parses");
    verify(&module).expect("verifies");
    let (main, _) = module.funcs.iter().find(|(_, f)| f.kind == FuncKind::Public).expect("main");
    let args = [
        Array::new(&[300, 1], &[1.0; 300]),
        Array::new(&[3, 1, 1], &[1.0, 2.0, 3.0]),
        Array::new(&[3], &[100i8; 3]),
    ];
    let got = run(&module, main, &args, &Limits::default()).expect("runs").remove(0);
    let want: Vec<f64> = (0..300).map(|row| (1 + row / 100) as f64).collect();
    assert_eq!(got.as_slice::<f64>(), want);
}
