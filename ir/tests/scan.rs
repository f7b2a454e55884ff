//! `chlo.scan` in its forms, and what is wrong.

use wengert_ir::func::FuncKind;
use wengert_ir::interp::{Limits, run};
use wengert_ir::text::{PrintOptions, parse, print, same};
use wengert_ir::verify::verify;

/// Reads, verifies, prints and runs a function without arguments that checks itself.
fn holds(body: &str) {
    let text = format!("func.func @main() {{\n{body}\nreturn\n}}");
    let module = parse(&text).unwrap_or_else(|e| panic!("{e}"));
    verify(&module).unwrap_or_else(|e| panic!("{}", e[0]));
    let printed = print(&module, &PrintOptions::default());
    let again = parse(&printed).unwrap_or_else(|e| panic!("{e}\n{printed}"));
    assert!(same(&module, &again), "{printed}");
    let (main, _) = module.funcs.iter().find(|(_, f)| f.kind == FuncKind::Public).expect("main");
    run(&module, main, &[], &Limits::default()).unwrap_or_else(|e| panic!("{e}\n{printed}"));
}

const SUM: &str = "{ ^bb0(%x: tensor<i32>, %c: tensor<i32>):
  %s = stablehlo.add %x, %c : tensor<i32>
  stablehlo.return %s, %s : tensor<i32>, tensor<i32> }";

#[test]
fn running_sums() {
    let start = "%a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32> %i = stablehlo.constant dense<5> : tensor<i32>";
    let types = "(tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)";
    let check = |y: &str, c: i32| {
        format!(
            "check.expect_eq_const %0#0, dense<{y}> : tensor<4xi32>\ncheck.expect_eq_const %0#1, dense<{c}> : tensor<i32>"
        )
    };
    let (up, down) = (check("[6, 8, 11, 15]", 15), check("[15, 14, 12, 9]", 15));
    holds(&format!("{start} %0:2 = chlo.scan(%a) inits(%i) dimension=0 {SUM} : {types}\n{up}"));
    holds(&format!(
        "{start} %0:2 = chlo.scan(%a) inits(%i) dimension = 0 attributes {{is_reverse = true}} {SUM} : {types}\n{down}"
    ));
    holds(&format!(
        "{start} %0:2 = \"chlo.scan\"(%a, %i) <{{dimension = 0 : i64, is_associative = true, operandSegmentSizes = \
         array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>, scan_dim_size = 4 : i64}}> ({SUM}) : {types}\n{up}"
    ));
}

/// Slices of dimension 1, two inputs of different kind, one carried value, and a captured one.
#[test]
fn slices_of_another_dimension() {
    holds(
        "%a = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
         %b = stablehlo.constant dense<[[1.0, 2.0, 4.0]]> : tensor<1x3xf32>
         %i = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
         %k = stablehlo.constant dense<2.0> : tensor<1xf32>
         %0:3 = chlo.scan(%a, %b) inits(%i) dimension = 1 {
         ^bb0(%x: tensor<2xi32>, %y: tensor<1xf32>, %c: tensor<2xi32>):
           %s = stablehlo.add %x, %c : tensor<2xi32>
           %m = stablehlo.multiply %y, %k : tensor<1xf32>
           stablehlo.return %m, %s, %s : tensor<1xf32>, tensor<2xi32>, tensor<2xi32>
         } : (tensor<2x3xi32>, tensor<1x3xf32>, tensor<2xi32>) -> (tensor<1x3xf32>, tensor<2x3xi32>, tensor<2xi32>)
         check.expect_eq_const %0#0, dense<[[2.0, 4.0, 8.0]]> : tensor<1x3xf32>
         check.expect_eq_const %0#1, dense<[[11, 13, 16], [24, 29, 35]]> : tensor<2x3xi32>
         check.expect_eq_const %0#2, dense<[16, 35]> : tensor<2xi32>",
    );
}

#[test]
fn wrong_forms_are_refused() {
    let start = "%a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32> %i = stablehlo.constant dense<5> : tensor<i32> \
                 %w = stablehlo.constant dense<5> : tensor<i64>";
    let types = "(tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)";
    for (line, part) in [
        (format!("%0:2 = chlo.scan(%a) inits(%i) dimension = 1 {SUM} : {types}"), "no dimension 1"),
        (
            format!(
                "%0:2 = chlo.scan(%a) inits(%i) dimension = 0 attributes {{scan_dim_size = 3 : i64}} {SUM} : {types}"
            ),
            "[4] slices",
        ),
        (
            format!("%0 = chlo.scan(%a) inits() dimension = 0 {SUM} : (tensor<4xi32>) -> tensor<4xi32>"),
            "the body takes",
        ),
        (
            format!(
                "%0:2 = chlo.scan(%a) inits(%w) dimension = 0 {SUM} : (tensor<4xi32>, tensor<i64>) -> (tensor<4xi32>, tensor<i64>)"
            ),
            "the body takes",
        ),
        (
            format!(
                "%0:2 = chlo.scan(%a) inits(%i) dimension = 0 {SUM} : (tensor<4xi32>, tensor<i32>) -> (tensor<3xi32>, tensor<i32>)"
            ),
            "not (tensor<3xi32>",
        ),
    ] {
        let error =
            parse(&format!("func.func @main() {{\n{start}\n{line}\nreturn\n}}")).map(drop).expect_err(part);
        assert!(error.message.contains(part) && error.message.contains("chlo.scan"), "{error}, not {part}");
    }
}
