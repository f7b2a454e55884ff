//! Operations that the tensor IR says with others, those that stay as they are written, and checks: each
//! program is read, verified, printed to a fixed point, and run.

use wengert_ir::func::FuncKind;
use wengert_ir::interp::{Limits, run};
use wengert_ir::rules::EvalError;
use wengert_ir::text::{PrintOptions, parse, print, same};
use wengert_ir::verify::verify;

/// Reads, verifies and prints `body` as a function without arguments, and runs it.
fn execute(body: &str) -> Result<(), EvalError> {
    let text = format!("func.func @main() {{\n{body}\nreturn\n}}");
    let module = parse(&text).unwrap_or_else(|e| panic!("{e}"));
    verify(&module).unwrap_or_else(|e| panic!("{}\n{}", e[0], print(&module, &PrintOptions::default())));
    let printed = print(&module, &PrintOptions::default());
    let again = parse(&printed).unwrap_or_else(|e| panic!("{printed}\n{e}"));
    assert!(same(&module, &again), "{printed}");
    assert_eq!(printed, print(&again, &PrintOptions::default()));
    let (main, _) = module.funcs.iter().find(|(_, f)| f.kind == FuncKind::Public).expect("main");
    run(&module, main, &[], &Limits::default()).map(drop)
}

fn holds(body: &str) {
    execute(body).unwrap_or_else(|e| panic!("{e}\n{body}"));
}

/// The message of the parser for `body`.
fn refused(body: &str) -> String {
    parse(&format!("func.func @main() {{\n{body}\nreturn\n}}")).map(drop).expect_err(body).message
}

const X: &str = "%x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>\n";

#[test]
fn checks_run() {
    for form in [
        "check.expect_eq %x, %x : tensor<2x3xi64>",
        "check.expect_eq_const %x, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>",
        "\"check.expect_eq\"(%x, %x) : (tensor<2x3xi64>, tensor<2x3xi64>) -> ()",
        "\"check.expect_eq_const\"(%x) <{value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>}> : (tensor<2x3xi64>) -> ()",
        "stablehlo.custom_call @check.expect_eq(%x, %x) {has_side_effect = true} : (tensor<2x3xi64>, tensor<2x3xi64>) -> ()",
        "\"stablehlo.custom_call\"(%x, %x) {call_target_name = \"check.expect_eq\"} : (tensor<2x3xi64>, tensor<2x3xi64>) -> ()",
    ] {
        holds(&format!("{X}{form}"));
    }
    let float = |form: &str| {
        execute(&format!(
            "%a = stablehlo.constant dense<1.0> : tensor<f64>\n%b = stablehlo.constant dense<1.05> : tensor<f64>\n{form}"
        ))
    };
    for (form, good) in [
        ("check.expect_almost_eq %a, %b : tensor<f64>", false),
        ("check.expect_almost_eq %a, %b, tolerance = 0.1 : tensor<f64>", true),
        ("check.expect_almost_eq %a, %b, tolerance = 0.1 : f64 : tensor<f64>", true),
        ("check.expect_almost_eq %a, %b {tolerance = 0.1 : f64} : tensor<f64>", true),
        ("check.expect_almost_eq_const %a, dense<1.05> : tensor<f64>, tolerance = 0.1", true),
        ("check.expect_almost_eq_const %a, dense<1.05> : tensor<f64> {tolerance = 0.1 : f64}", true),
        ("check.expect_almost_eq_const %a, dense<1.05> : tensor<f64>", false),
        ("check.expect_close %a, %b, max_ulp_difference = 3 : tensor<f64>, tensor<f64>", false),
        (
            "check.expect_close %a, %a, max_ulp_difference = 3, min_ulp_difference = 0 : tensor<f64>, tensor<f64>",
            true,
        ),
    ] {
        assert_eq!(float(form).is_ok(), good, "{form}");
    }
}

/// As StableHLO writes them: both types where both operands have one, else one.
#[test]
fn checks_print_as_they_are_written() {
    for form in [
        "check.expect_eq %a, %a : tensor<2xf64>",
        "check.expect_almost_eq %a, %a, tolerance = 0.1 : tensor<2xf64>",
        "check.expect_close %a, %a, max_ulp_difference = 3 : tensor<2xf64>, tensor<2xf64>",
        "check.expect_close %a, %a, max_ulp_difference = 3, min_ulp_difference = 1 : tensor<2xf64>, tensor<2xf64>",
    ] {
        let text = format!("func.func public @main(%a: tensor<2xf64>) {{ {form} return }}");
        let module = parse(&text).unwrap_or_else(|e| panic!("{form}\n{e}"));
        let printed = module.to_string().replace("%arg0", "%a");
        assert!(printed.contains(&format!("{form}\n")), "{printed}");
        assert!(same(&parse(&printed).unwrap(), &module), "{printed}");
    }
}

#[test]
fn a_failed_check_says_where_and_what() {
    let error =
        execute(&format!("{X}check.expect_eq_const %x, dense<[[1, 2, 3], [4, 5, 7]]> : tensor<2x3xi64>"));
    assert_eq!(
        error.expect_err("6 is not 7").to_string(),
        "check.expect_eq does not hold at [1, 2]: got 6, expected 7 (1 of 6 elements); check at 3:1"
    );
}

#[test]
fn if_chooses() {
    for (value, expected) in [("true", 1), ("false", 2)] {
        holds(&format!(
            "%p = stablehlo.constant dense<{value}> : tensor<i1>
            %one = stablehlo.constant dense<1> : tensor<i64>
            %r = \"stablehlo.if\"(%p) ({{ stablehlo.return %one : tensor<i64> }}, {{
              %two = stablehlo.add %one, %one : tensor<i64>
              stablehlo.return %two : tensor<i64>
            }}) : (tensor<i1>) -> tensor<i64>
            check.expect_eq_const %r, dense<{expected}> : tensor<i64>"
        ));
    }
}

#[test]
fn tuples_are_their_parts() {
    holds(&format!(
        "{X}%c = stablehlo.constant dense<7> : tensor<i32>
        %s = stablehlo.tuple %c : tuple<tensor<i32>>
        %t = stablehlo.tuple %x, %s : tuple<tensor<2x3xi64>, tuple<tensor<i32>>>
        %a = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2x3xi64>, tuple<tensor<i32>>>) -> tensor<2x3xi64>
        %u = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2x3xi64>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
        %b = \"stablehlo.get_tuple_element\"(%u) <{{index = 0 : i32}}> : (tuple<tensor<i32>>) -> tensor<i32>
        check.expect_eq %a, %x : tensor<2x3xi64>
        check.expect_eq_const %b, dense<7> : tensor<i32>"
    ));
    let text = "func.func @main(%t: tuple<tensor<f32>, tensor<i32>>) -> tuple<tensor<f32>, tensor<i32>> {
      %r = func.call @f(%t) : (tuple<tensor<f32>, tensor<i32>>) -> tuple<tensor<f32>, tensor<i32>>
      return %r : tuple<tensor<f32>, tensor<i32>>
    }
    func.func private @f(%t: tuple<tensor<f32>, tensor<i32>>) -> tuple<tensor<f32>, tensor<i32>> {
      return %t : tuple<tensor<f32>, tensor<i32>>
    }";
    let module = parse(text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(module.get(module.find("main").expect("there")).params.len(), 2);
}

#[test]
fn contractions_of_old() {
    holds(&format!(
        "{X}%y = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xi64>) -> tensor<3x2xi64>
        %d = stablehlo.dot %x, %y, precision = [DEFAULT, DEFAULT] : (tensor<2x3xi64>, tensor<3x2xi64>) -> tensor<2x2xi64>
        %g = \"stablehlo.dot\"(%x, %y) : (tensor<2x3xi64>, tensor<3x2xi64>) -> tensor<2x2xi64>
        %e = stablehlo.einsum %x, %x, config = \"ij,kj->ki\" : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x2xi64>
        %s = \"stablehlo.unary_einsum\"(%x) <{{einsum_config = \"ij->j\"}}> : (tensor<2x3xi64>) -> tensor<3xi64>
        %m = stablehlo.einsum %x, %x, config = \"ij,ij->ji\" : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<3x2xi64>
        check.expect_eq_const %d, dense<[[14, 32], [32, 77]]> : tensor<2x2xi64>
        check.expect_eq %g, %d : tensor<2x2xi64>
        check.expect_eq %e, %d : tensor<2x2xi64>
        check.expect_eq_const %s, dense<[5, 7, 9]> : tensor<3xi64>
        check.expect_eq_const %m, dense<[[1, 16], [4, 25], [9, 36]]> : tensor<3x2xi64>"
    ));
}

#[test]
fn rows_by_number_and_broadcasts() {
    holds(&format!(
        "{X}%i = stablehlo.constant dense<[2, 0]> : tensor<2xi32>
        %r = stablehlo.torch_index_select %x, %i, dim = 1, batch_dims = 0 : (tensor<2x3xi64>, tensor<2xi32>) -> tensor<2x2xi64>
        %b = stablehlo.broadcast %i, sizes = [2] : (tensor<2xi32>) -> tensor<2x2xi32>
        check.expect_eq_const %r, dense<[[3, 1], [6, 4]]> : tensor<2x2xi64>
        check.expect_eq_const %b, dense<[[2, 0], [2, 0]]> : tensor<2x2xi32>"
    ));
}

#[test]
fn sizes_may_be_constants() {
    holds(&format!(
        "{X}%s = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
        %r = stablehlo.dynamic_reshape %x, %s : (tensor<2x3xi64>, tensor<2xi64>) -> tensor<3x2xi64>
        %i = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi64>) -> tensor<3x2xi64>
        %row = stablehlo.constant dense<[5, 6]> : tensor<2xi64>
        %b = stablehlo.dynamic_broadcast_in_dim %row, %s, dims = [1] {{known_expanding_dimensions = array<i64>}} : (tensor<2xi64>, tensor<2xi64>) -> tensor<3x2xi64>
        %lo = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
        %hi = stablehlo.constant dense<[1, 3]> : tensor<2xi64>
        %st = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
        %c = stablehlo.real_dynamic_slice %x, %lo, %hi, %st : (tensor<2x3xi64>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x1xi64>
        %z = stablehlo.constant dense<0> : tensor<i64>
        %p = stablehlo.dynamic_pad %row, %z, %k, %k, %n : (tensor<2xi64>, tensor<i64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
        %size = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x3xi64>) -> tensor<i32>
        %same = stablehlo.set_dimension_size %x, %size, dim = 1 : (tensor<2x3xi64>, tensor<i32>) -> tensor<2x3xi64>
        check.expect_eq_const %r, dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
        check.expect_eq_const %i, dense<[[0, 0], [1, 1], [2, 2]]> : tensor<3x2xi64>
        check.expect_eq_const %b, dense<[[5, 6], [5, 6], [5, 6]]> : tensor<3x2xi64>
        check.expect_eq_const %c, dense<2> : tensor<1x1xi64>
        check.expect_eq_const %p, dense<[0, 5, 6, 0]> : tensor<4xi64>
        check.expect_eq_const %size, dense<3> : tensor<i32>
        check.expect_eq %same, %x : tensor<2x3xi64>"
    ).replace("%p = ", "%k = stablehlo.constant dense<1> : tensor<1xi64>\n%n = stablehlo.constant dense<0> : tensor<1xi64>\n%p = "));
}

#[test]
fn one_device_keeps_its_values() {
    holds(&format!(
        "{X}%a = \"stablehlo.all_reduce\"(%x) <{{replica_groups = dense<0> : tensor<1x1xi64>}}> ({{
          ^bb0(%l: tensor<i64>, %r: tensor<i64>):
            %s = stablehlo.add %l, %r : tensor<i64>
            stablehlo.return %s : tensor<i64>
          }}) : (tensor<2x3xi64>) -> tensor<2x3xi64>
        %g = \"stablehlo.all_gather\"(%a) {{all_gather_dim = 1 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>}} : (tensor<2x3xi64>) -> tensor<2x3xi64>
        %p = \"stablehlo.collective_permute\"(%g) {{source_target_pairs = dense<[[0, 0]]> : tensor<1x2xi64>}} : (tensor<2x3xi64>) -> tensor<2x3xi64>
        %id = stablehlo.partition_id : tensor<ui32>
        %rep = \"stablehlo.replica_id\"() : () -> tensor<ui32>
        %t0 = stablehlo.create_token : !stablehlo.token
        %t1 = stablehlo.after_all %t0, %t0 : !stablehlo.token
        check.expect_eq %p, %x : tensor<2x3xi64>
        check.expect_eq_const %id, dense<0> : tensor<ui32>
        check.expect_eq %id, %rep : tensor<ui32>"
    ));
}

#[test]
fn what_is_not_computed_says_so() {
    for (body, name) in [
        (
            "%t = stablehlo.create_token : !stablehlo.token
             %r:2 = \"stablehlo.infeed\"(%t) <{infeed_config = \"a, {\\22}\"}> : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
             %u = \"stablehlo.send\"(%r#0, %r#1) {channel_handle = #stablehlo.channel_handle<handle = 1,
               type = 2>, is_host_transfer = true} : (tensor<2xi64>, !stablehlo.token) -> !stablehlo.token",
            "stablehlo.infeed",
        ),
        (
            "%c = stablehlo.constant dense<2> : tensor<i64>
             %x = \"stablehlo.all_reduce\"(%c) ({
             ^bb0(%l: tensor<i64>, %r: tensor<i64>):
               %s = stablehlo.add %l, %c : tensor<i64>
               stablehlo.return %s : tensor<i64>
             }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<i64>) -> tensor<i64>",
            "stablehlo.all_reduce",
        ),
        (
            "%c = stablehlo.constant dense<2.0> : tensor<2xf32>
             %q = stablehlo.uniform_quantize %c : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 1.0:17>>
             %s = stablehlo.add %q, %q : tensor<2x!quant.uniform<i8:f32, 1.0:17>>
             %d = stablehlo.uniform_dequantize %s : (tensor<2x!quant.uniform<i8:f32, 1.0:17>>) -> tensor<2xf32>",
            "stablehlo.uniform_quantize",
        ),
    ] {
        let error = execute(body).expect_err("not computed").to_string();
        assert!(error.contains(name) && error.contains("not executable"), "{error}");
    }
}

#[test]
fn sizes_known_at_run_time_are_read() {
    let text = "func.func @main(%x: tensor<?x3xf32>, %n: tensor<2xi32>) -> tensor<?x3xf32> {
      %s = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
      %r = stablehlo.reshape %s : (tensor<i32>) -> tensor<1xi32>
      %c = stablehlo.constant dense<1.0> : tensor<f32>
      %b = stablehlo.dynamic_broadcast_in_dim %c, %n, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3xf32>
      %y = stablehlo.add %x, %b : tensor<?x3xf32>
      return %y : tensor<?x3xf32>
    }";
    let module = parse(text).unwrap_or_else(|e| panic!("{e}"));
    verify(&module).unwrap_or_else(|e| panic!("{}", e[0]));
    let printed = print(&module, &PrintOptions::default());
    assert!(same(&module, &parse(&printed).unwrap_or_else(|e| panic!("{printed}{e}"))), "{printed}");
}

#[test]
fn wrong_forms_name_the_constraint() {
    let p = "%p = stablehlo.constant dense<true> : tensor<i1>\n%x = stablehlo.constant dense<1> : tensor<2xi64>\n";
    for (body, part) in [
        (
            "%r = \"stablehlo.if\"(%x) ({ stablehlo.return }, { stablehlo.return }) : (tensor<2xi64>) -> ()",
            "(I1)",
        ),
        (
            "\"stablehlo.if\"(%p) ({ ^bb0(%a: tensor<i1>): stablehlo.return }, { stablehlo.return }) : (tensor<i1>) -> ()",
            "(C1)",
        ),
        (
            "%r = \"stablehlo.if\"(%p) ({ stablehlo.return %p : tensor<i1> }, { stablehlo.return }) : (tensor<i1>) -> tensor<i1>",
            "(C2)",
        ),
        (
            "%r = \"stablehlo.if\"(%p) ({ stablehlo.return %p : tensor<i1> }, { stablehlo.return %p : tensor<i1> }) : (tensor<i1>) -> tensor<i32>",
            "(C3)",
        ),
        ("%r = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2xi64>) -> tensor<i32>", "(C1)"),
        (
            "%t = stablehlo.tuple %x : tuple<tensor<2xi64>>\n%r = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xi64>>) -> tensor<2xi64>",
            "(C1)",
        ),
        (
            "%t = stablehlo.tuple %x : tuple<tensor<2xi64>>\n%r = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xi64>>) -> tensor<3xi64>",
            "(C2)",
        ),
        ("%r = stablehlo.dynamic_reshape %x, %x : (tensor<2xi64>, tensor<2xi64>) -> tensor<1x2xi64>", "(C4)"),
        ("%t = \"stablehlo.after_all\"(%x) : (tensor<2xi64>) -> !stablehlo.token", "(I1)"),
        ("%t = \"stablehlo.recv\"(%x) : (tensor<2xi64>) -> !stablehlo.token", "(I1)"),
        ("check.expect_eq_const %x, dense<1> : tensor<3xi64>", "(C1)"),
    ] {
        let message = refused(&format!("{p}{body}"));
        assert!(message.contains(part), "{body}\n{message}");
    }
}

/// A program that is fed by functions gets what they give, in order; one of another type is refused.
#[test]
fn infeeds_are_fed() {
    let text = |ty: &str| {
        format!(
            "func.func @fed(%t: !stablehlo.token) -> (tensor<2xi64>, !stablehlo.token) {{
               %a:2 = \"stablehlo.infeed\"(%t) : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
               return %a#0, %a#1 : tensor<2xi64>, !stablehlo.token
             }}
             func.func @queue() -> tensor<{ty}> {{
               %c = stablehlo.constant dense<7> : tensor<{ty}>
               return %c : tensor<{ty}>
             }}
             func.func @main() -> tensor<2xi64> {{
               %t = stablehlo.after_all : !stablehlo.token
               %r:2 = \"interpreter.run_parallel\"(%t) {{infeed = [@queue], programs = [[@fed]]}}
                 : (!stablehlo.token) -> (tensor<2xi64>, !stablehlo.token)
               return %r#0 : tensor<2xi64>
             }}"
        )
    };
    let module = wengert_ir::text::parse(&text("2xi64")).unwrap_or_else(|e| panic!("{e}"));
    let main = module.find("main").expect("main");
    let limits = wengert_ir::interp::Limits::default();
    let out = wengert_ir::interp::run(&module, main, &[], &limits).expect("it runs");
    assert_eq!(out[0].as_slice::<i64>(), [7, 7]);
    let error = wengert_ir::text::parse(&text("3xi64")).expect_err("another type").to_string();
    assert!(error.contains("tensor<3xi64>"), "{error}");
}

/// One operand more, or less, than the operation has.
#[test]
fn operands_of_operations_with_sizes_are_counted() {
    let given = "%y = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi64>
        %n = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
        %z = stablehlo.constant dense<0> : tensor<i64>\n";
    let (x, y, n, z) = ("tensor<2x3xi64>", "tensor<1x3xi64>", "tensor<2xi64>", "tensor<i64>");
    for (name, attributes, operands) in [
        ("dynamic_reshape", "", &[("%x", x), ("%n", n)][..]),
        ("dynamic_broadcast_in_dim", " <{broadcast_dimensions = array<i64: 0, 1>}>", &[("%y", y), ("%n", n)]),
        ("dynamic_iota", " <{iota_dimension = 0 : i64}>", &[("%n", n)]),
        ("dynamic_pad", "", &[("%x", x), ("%z", z), ("%n", n), ("%n", n), ("%n", n)]),
        ("real_dynamic_slice", "", &[("%x", x), ("%n", n), ("%n", n), ("%n", n)]),
    ] {
        for count in [operands.len() - 1, operands.len() + 1] {
            let given_to = operands.iter().copied().chain([("%n", n)]).take(count);
            let (names, types): (Vec<&str>, Vec<&str>) = given_to.unzip();
            let (names, types) = (names.join(", "), types.join(", "));
            let body = format!(
                "{X}{given}%r = \"stablehlo.{name}\"({names}){attributes} : ({types}) -> tensor<2x3xi64>"
            );
            let message = refused(&body);
            assert!(message.contains("operand") || message.contains(name), "{body}\n{message}");
        }
    }
}

#[test]
fn several_processes_are_refused() {
    for programs in ["[[@f], [@f]]", "[[@f, @f]]", "[[@f], [@f], [@f]]"] {
        let text = format!(
            "func.func private @f() {{ return }}
            func.func @main() {{
                \"interpreter.run_parallel\"() <{{programs = {programs}}}> : () -> ()
                return
            }}"
        );
        let message = parse(&text).map(drop).expect_err("several").message;
        assert!(message.contains("several devices are not supported"), "{message}");
    }
}

/// A size is a number of 63 bits; the largest of 64 is not the mark of an open one.
#[test]
fn sizes_have_63_bits() {
    for size in ["9223372036854775808", "18446744073709551615", "18446744073709551616", "-1"] {
        let text = format!("func.func @main(%x: tensor<{size}xf32>) {{ return }}");
        assert!(parse(&text).is_err(), "{size}");
    }
}

/// Which comparisons there are of which elements (C3).
#[test]
fn comparisons_fit_their_elements() {
    for (element, right) in [
        ("f32", &["FLOAT", "TOTALORDER"][..]),
        ("bf16", &["FLOAT", "TOTALORDER"]),
        ("complex<f64>", &["FLOAT"]),
        ("i32", &["SIGNED"]),
        ("ui8", &["UNSIGNED"]),
        ("i1", &["UNSIGNED"]),
    ] {
        for kind in ["FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"] {
            let text = format!(
                "func.func @main(%x: tensor<4x{element}>) -> tensor<4xi1> {{
                    %0 = stablehlo.compare EQ, %x, %x, {kind} : (tensor<4x{element}>, tensor<4x{element}>) -> tensor<4xi1>
                    return %0 : tensor<4xi1>
                }}"
            );
            let good = parse(&text).is_ok_and(|m| verify(&m).is_ok());
            assert_eq!(good, right.contains(&kind), "{kind} of {element}");
        }
    }
}

/// A reducer that gives its second parameter is a body like any other: the last element.
#[test]
fn reducers_may_choose() {
    for (result, y) in [("%b", "[3, 6]"), ("%a", "[0, 0]")] {
        holds(&format!(
            "{X}%z = stablehlo.constant dense<0> : tensor<i64>
            %r = \"stablehlo.reduce\"(%x, %z) <{{dimensions = array<i64: 1>}}> ({{
            ^bb0(%a: tensor<i64>, %b: tensor<i64>):
                stablehlo.return {result} : tensor<i64>
            }}) : (tensor<2x3xi64>, tensor<i64>) -> tensor<2xi64>
            check.expect_eq_const %r, dense<{y}> : tensor<2xi64>"
        ));
    }
}

/// What is computed of nothing needs no memory, however long its other dimensions are.
#[test]
fn nothing_of_a_long_row_is_nothing() {
    let text = "func.func @main(%x: tensor<0x1xi16>) -> tensor<0x1xi16> {
        %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<0x1xi16>) -> tensor<0x1x2147483648xi16>
        %c = stablehlo.constant dense<0> : tensor<i16>
        %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [2] :
            (tensor<0x1x2147483648xi16>, tensor<i16>) -> tensor<0x1xi16>
        return %1 : tensor<0x1xi16>
    }";
    let module = parse(text).expect("it reads");
    let main = module.find("main").expect("is there");
    let x = wengert_ir::array::Array::new::<i16>(&[0, 1], &[]);
    let y = run(&module, main, &[x], &Limits::default()).expect("it runs");
    assert_eq!(y[0].shape(), [0, 1]);
    // As many dimensions as were combined before the one that is empty.
    let text = "func.func @main(%x: tensor<1099511627776x4x0xf64>) -> tensor<f64> {
        %c = stablehlo.constant dense<2.5> : tensor<f64>
        %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0, 1, 2] :
            (tensor<1099511627776x4x0xf64>, tensor<f64>) -> tensor<f64>
        return %0 : tensor<f64>
    }";
    let module = parse(text).expect("it reads");
    let x = wengert_ir::array::Array::new::<f64>(&[1 << 40, 4, 0], &[]);
    let y = run(&module, module.find("main").expect("is there"), &[x], &Limits::default()).expect("it runs");
    assert_eq!(y[0].as_slice::<f64>(), [2.5]);
}

/// The number of a spatial dimension is its place among them, wherever it is written.
#[test]
fn spatial_dimensions_have_their_numbers() {
    let text = "func.func @main(%x: tensor<2x5x4x3xf64>, %w: tensor<2x3x3x1xf64>) -> tensor<2x4x2x1xf64> {
        %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 1, 0, f]x[1, 0, i, o]->[b, 1, 0, f],
            window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} :
            (tensor<2x5x4x3xf64>, tensor<2x3x3x1xf64>) -> tensor<2x4x2x1xf64>
        return %0 : tensor<2x4x2x1xf64>
    }";
    let module = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let main = module.get(module.find("main").expect("is there"));
    let op = &main.insts.values().next().expect("a convolution").op;
    let wengert_ir::op::Op::Convolution(c) = op else { panic!("{op:?}") };
    assert_eq!(c.input_spatial_dimensions[..], [2, 1]);
    assert_eq!(c.kernel_spatial_dimensions[..], [1, 0]);
    assert_eq!(c.output_spatial_dimensions[..], [2, 1]);
}

#[test]
fn named_axes_read_and_print() {
    let text = "%x = stablehlo.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
        %n = \"wengert.axis_index\"() <{axis = \"i\", size = 2 : i64}> : () -> tensor<i32>
        %a = \"wengert.collective\"(%x) <{axis = \"i\", kind = \"all_gather\", size = 2 : i64}> : (tensor<2x3xf32>) -> tensor<2x2x3xf32>
        %b = \"wengert.collective\"(%x) <{axis = \"i\", kind = \"reduce_scatter\", size = 2 : i64}> : (tensor<2x3xf32>) -> tensor<3xf32>
        %c = \"wengert.collective\"(%x) <{axis = \"i\", kind = \"all_to_all\", size = 2 : i64}> : (tensor<2x3xf32>) -> tensor<2x3xf32>
        %d = \"wengert.collective\"(%x) <{axis = \"i\", kind = \"permute\", size = 2 : i64, source = array<i64: 0>, target = array<i64: 1>}> : (tensor<2x3xf32>) -> tensor<2x3xf32>";
    let error = execute(text).expect_err("no axis is bound").to_string();
    assert!(error.contains("the axis `i` is bound by no `vmap` here"), "{error}");
    let wrong = |attributes: &str, ty: &str| {
        let text = format!(
            "func.func @main(%x: {ty}) {{ %a = \"wengert.collective\"(%x) <{{{attributes}}}> : ({ty}) -> {ty}\nreturn }}"
        );
        match parse(&text) {
            Err(e) => e.message,
            Ok(module) => verify(&module).expect_err(attributes)[0].to_string(),
        }
    };
    for (attributes, ty, message) in [
        ("kind = \"all_to_all\", size = 2 : i64", "tensor<2xf32>", "`axis` is missing"),
        ("axis = 1 : i64, kind = \"all_to_all\", size = 2 : i64", "tensor<2xf32>", "`axis` must be a text"),
        ("axis = \"i\", kind = \"psum\", size = 2 : i64", "tensor<2xf32>", "none of the collectives"),
        (
            "axis = \"i\", kind = \"all_to_all\", size = 3 : i64",
            "tensor<2xf32>",
            "no row for each of 3 examples",
        ),
        ("axis = \"i\", kind = \"reduce_scatter\", size = 2 : i64", "tensor<2xi1>", "sum of booleans"),
        (
            "axis = \"i\", kind = \"all_gather\", size = 2 : i64, source = array<i64: 0>",
            "tensor<2xf32>",
            "only a permutation",
        ),
        (
            "axis = \"i\", kind = \"permute\", size = 2 : i64, source = array<i64: 0>, target = array<i64: 2>",
            "tensor<2xf32>",
            "a target is not below 2",
        ),
    ] {
        let said = wrong(attributes, ty);
        assert!(said.contains(message), "{attributes}: {said}");
    }
}

/// What is not valid prints, so that an error can show it.
#[test]
fn what_does_not_verify_prints() {
    let text = "func.func @main(%x: tensor<4xi64>, %i: tensor<i64>) -> tensor<4xi64> {
        %y = \"stablehlo.reduce_window\"(%x, %i) <{padding = dense<[[1, 1]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>}> ({
        ^bb0(%a: tensor<i64>, %b: tensor<i64>):
          %s = stablehlo.add %a, %b : tensor<i64>
          stablehlo.return %s : tensor<i64>
        }) : (tensor<4xi64>, tensor<i64>) -> tensor<4xi64>
        return %y : tensor<4xi64> }";
    let mut module = parse(text).expect("it is valid");
    let (main, _) = module.funcs.iter().find(|(_, f)| f.kind == FuncKind::Public).expect("main");
    let mut f = wengert_ir::func::Func::clone(&module.get(main));
    for inst in f.insts.values_mut() {
        if let wengert_ir::op::Op::ReduceWindow(w) = &mut inst.op {
            w.padding_high.clear();
        }
    }
    let changed = module.add(f);
    assert!(verify(&module).is_err() && module.funcs.get(changed).is_some());
    assert!(print(&module, &PrintOptions::default()).contains("padding"));
}
