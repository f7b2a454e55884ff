//! Functions that JAX differentiates by rules of its own: derivatives of imported programs are JAX's, at kinks and where
//! infinities cancel; and what only looks like such a function is not taken for it.

use std::path::Path;
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::op::Op;
use wengert_ir::testing::{eval, floats, numbers};
use wengert_ir::types::DType;
use wengert_ir::{text, verify};
use wengert_passes::ad;
use wengert_passes::pipeline::Pipeline;

fn parse(source: &str) -> (Module, FuncId) {
    let m = text::parse(source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    let f = m.find("main").expect("a function `main`");
    (m, f)
}

/// The derivatives of the one result by the one argument, times ones: backwards and forwards.
fn derivatives(m: &mut Module, f: FuncId, x: &Array) -> [Array; 2] {
    let one = numbers(x.ty(), std::iter::repeat_n(1.0, x.ty().elements()));
    let vjp = ad::vjp(m, f, &[true], &[true]).unwrap_or_else(|e| panic!("{e}"));
    let jvp = ad::jvp(m, f, &[true]).unwrap_or_else(|e| panic!("{e}"));
    [vjp, jvp].map(|g| eval(m, g, &[x.clone(), one.clone()])[1].clone())
}

#[track_caller]
fn compare(case: &str, x: &[f64], got: &Array, want: &[f64]) -> usize {
    let tolerance = if got.dtype() == DType::F64 { 1e-10 } else { 3e-5 };
    let mut wrong = 0;
    for ((&x, got), &want) in x.iter().zip(floats(got)).zip(want) {
        let close = (got - want).abs() <= tolerance * want.abs().max(1.0);
        if !(got == want || got.is_nan() && want.is_nan() || close) {
            eprintln!("{case}: at {x}: {got} instead of {want}");
            wrong += 1;
        }
    }
    wrong
}

#[test]
fn derivatives_are_those_of_jax() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jax_rules");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the folder of cases").map(|f| f.expect("a file").path()).collect();
    files.sort();
    let (mut cases, mut wrong) = (0, 0);
    for path in files.iter().filter(|p| p.extension().is_some_and(|e| e == "mlir")) {
        let source = std::fs::read_to_string(path).expect("a case");
        let line = |name: &str| -> Vec<f64> {
            let line =
                source.lines().find_map(|l| l.strip_prefix("// ")?.strip_prefix(name)?.strip_prefix(": "));
            line.expect("a line of numbers").split(' ').map(|n| n.parse().expect("a number")).collect()
        };
        let case = path.file_stem().and_then(|n| n.to_str()).expect("a name");
        let (mut m, f) = parse(&source);
        let x = numbers(m.get(f).param_types()[0].tensor(), line("x"));
        let [vjp, jvp] = derivatives(&mut m, f, &x);
        wrong += compare(&format!("{case}, backwards"), &line("x"), &vjp, &line("vjp"));
        wrong += compare(&format!("{case}, forwards"), &line("x"), &jvp, &line("jvp"));
        cases += 1;
    }
    assert!(cases > 40, "{cases} cases");
    assert_eq!(wrong, 0, "derivatives that are not JAX's");
}

/// How many functions with rules the pass finds.
fn found(source: &str) -> usize {
    let (mut m, f) = parse(source);
    let before = m.get(f).param_types();
    let types: Vec<_> = before.iter().map(|t| t.tensor().clone()).collect();
    let args: Vec<Array> = types
        .iter()
        .map(|t| numbers(t, [0.5, -0.0, 2.0, -30.0].into_iter().cycle().take(t.elements())))
        .collect();
    let g = Pipeline::parse("rules").expect("a pass").run(&mut m, f, &mut |_| {});
    // The same bits before and after, and in text.
    let (want, got) = (eval(&m, f, &args), eval(&m, g, &args));
    assert!(
        want.iter().zip(&got).all(|(a, b)| a.bytes() == b.bytes()),
        "{got:?} instead of {want:?}\n{source}"
    );
    let (module, ids) = m.reachable(&[g]);
    verify::verify(&module).unwrap_or_else(|e| panic!("{e:?}"));
    let shown = module.to_string();
    assert!(text::same(&module, &text::parse(&shown).unwrap_or_else(|e| panic!("{e}\n{shown}"))), "{shown}");
    let main = module.get(ids[0]);
    main.insts.values().filter(|i| matches!(i.op, Op::CustomJvp(_))).count()
}

/// `log(exp(x) + exp(y))` as JAX computes it, with parts that can be put in place of its own.
fn softplus(ty: &str, [max, sub, test, sum, abs, exp, end]: [&str; 7]) -> String {
    format!(
        "func.func public @main(%x: {ty}, %y: {ty}) -> {ty} {{
          %0 = {max} : {ty}
          %1 = {sub} : {ty}
          %2 = {test} : ({ty}, {ty}) -> {pred}
          %3 = {sum} : {ty}
          %4 = {abs} : {ty}
          %5 = stablehlo.negate %4 : {ty}
          %6 = {exp} : {ty}
          %7 = stablehlo.log_plus_one %6 : {ty}
          %8 = stablehlo.add %0, %7 : {ty}
          %9 = {end} : {pred}, {ty}
          return %9 : {ty}
        }}",
        pred = ty.replace("f32", "i1").replace("f64", "i1"),
    )
}

const PARTS: [&str; 7] = [
    "stablehlo.maximum %x, %y",
    "stablehlo.subtract %x, %y",
    "stablehlo.compare NE, %1, %1, FLOAT",
    "stablehlo.add %x, %y",
    "stablehlo.abs %1",
    "stablehlo.exponential %5",
    "stablehlo.select %2, %3, %8",
];

#[test]
fn shapes_of_any_dimensions_and_types_are_found() {
    for ty in ["tensor<f32>", "tensor<4xf64>", "tensor<2x3xf32>", "tensor<61xf64>", "tensor<1x61xf32>"] {
        assert_eq!(found(&softplus(ty, PARTS)), 1, "{ty}");
    }
}

#[test]
fn near_misses_are_left_alone() {
    let changed: [(usize, &str); 9] = [
        (0, "stablehlo.minimum %x, %y"),
        (0, "stablehlo.maximum %x, %x"),
        (1, "stablehlo.subtract %y, %x"),
        (2, "stablehlo.compare EQ, %1, %1, FLOAT"),
        (2, "stablehlo.compare NE, %x, %x, FLOAT"),
        (3, "stablehlo.subtract %x, %y"),
        (4, "stablehlo.abs %x"),
        (5, "stablehlo.exponential %4"),
        (6, "stablehlo.select %2, %8, %3"),
    ];
    for (at, part) in changed {
        let mut parts = PARTS;
        parts[at] = part;
        assert_eq!(found(&softplus("tensor<4xf32>", parts)), 0, "{part}");
    }
    let logistic = |one: &str, top: &str| {
        format!(
            "func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
              %c = stablehlo.constant dense<{one}> : tensor<4xf32>
              %d = stablehlo.constant dense<{top}> : tensor<4xf32>
              %0 = stablehlo.negate %x : tensor<4xf32>
              %1 = stablehlo.exponential %0 : tensor<4xf32>
              %2 = stablehlo.add %c, %1 : tensor<4xf32>
              %3 = stablehlo.divide %d, %2 : tensor<4xf32>
              return %3 : tensor<4xf32>
            }}"
        )
    };
    assert_eq!(found(&logistic("1.0", "1.0")), 1);
    for (one, top) in [("1.0000001", "1.0"), ("1.0", "2.0"), ("-1.0", "1.0"), ("[1.0, 1.0, 1.0, 2.0]", "1.0")]
    {
        assert_eq!(found(&logistic(one, top)), 0, "{one}, {top}");
    }
}

/// `max(x, 0)` is `relu` where a function of that name says so, and nowhere else.
#[test]
fn relu_is_known_by_its_name() {
    let program = |name: &str, body: &str| {
        format!(
            "func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
              %0 = call @{name}(%x) : (tensor<4xf32>) -> tensor<4xf32>
              return %0 : tensor<4xf32>
            }}
            func.func private @{name}(%x: tensor<4xf32>) -> tensor<4xf32> {{
              %c = stablehlo.constant dense<0.0> : tensor<4xf32>
              %0 = {body} : tensor<4xf32>
              return %0 : tensor<4xf32>
            }}"
        )
    };
    let max = "stablehlo.maximum %x, %c";
    assert_eq!(found(&program("relu", max)), 1);
    assert_eq!(found(&program("relu_12", max)), 1);
    assert_eq!(found(&program("prelu", max)), 0);
    assert_eq!(found(&program("relu6", max)), 0);
    assert_eq!(found(&program("relu", "stablehlo.maximum %c, %x")), 0);
    assert_eq!(found(&program("relu", "stablehlo.minimum %x, %c")), 0);
}

/// Two functions in one, and one that is used twice.
#[test]
fn parts_are_shared() {
    let source = softplus("tensor<4xf32>", PARTS).replace(
        "return %9 : tensor<4xf32>",
        "%10 = stablehlo.multiply %9, %7 : tensor<4xf32>
          %11 = stablehlo.add %10, %9 : tensor<4xf32>
          return %11 : tensor<4xf32>",
    );
    assert_eq!(found(&source), 1);
}

/// A vector along rows is another operand than the same vector along columns.
#[test]
fn operands_are_known_by_the_dimensions_they_are_spread_along() {
    let program = |other: &str| {
        let mut parts = PARTS;
        parts[3] = other;
        softplus("tensor<3x3xf32>", parts)
            .replace("@main(%x: tensor<3x3xf32>", "@main(%v: tensor<3xf32>")
            .replace(
                "%0 = ",
                "%x = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<3xf32>) -> tensor<3x3xf32>
          %t = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<3xf32>) -> tensor<3x3xf32>
          %0 = ",
            )
    };
    assert_eq!(found(&program("stablehlo.add %x, %y")), 1);
    assert_eq!(found(&program("stablehlo.add %t, %y")), 0);
}

/// What is spread along its own dimensions in another order is turned: it is no operand as it is, though it has the type of one.
#[test]
fn operands_that_are_turned_are_not_taken_as_they_are() {
    for (ty, orders) in [
        ("tensor<3x3xf32>", &["0, 1", "1, 0"][..]),
        ("tensor<2x2x2xf32>", &["0, 1, 2", "0, 2, 1", "1, 0, 2", "1, 2, 0", "2, 0, 1", "2, 1, 0"]),
    ] {
        // `found` compares the results.
        for x in orders {
            for y in orders {
                let source = softplus(ty, PARTS).replace("%x:", "%v:").replace("%y:", "%w:").replace(
                    "%0 = ",
                    &format!(
                        "%x = stablehlo.broadcast_in_dim %v, dims = [{x}] : ({ty}) -> {ty}
                             %y = stablehlo.broadcast_in_dim %w, dims = [{y}] : ({ty}) -> {ty}
                             %0 = "
                    ),
                );
                let functions = found(&source);
                assert!(functions == 1 || [x, y] != [&orders[0]; 2], "{source}");
            }
        }
    }
}

/// Padding and the initial value of a window are no operands of its derivative: of `logaddexp` they are -inf, as an element may be.
#[test]
fn windows_of_logaddexp_have_the_slopes_of_their_elements() {
    let source = "func.func public @main(%x: tensor<9xf64>) -> tensor<5xf64> {
        %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
        %0 = \"stablehlo.reduce_window\"(%x, %cst) <{padding = dense<1> : tensor<1x2xi64>, window_dimensions = array<i64: 3>,
          window_strides = array<i64: 2>}> ({
        ^bb0(%a: tensor<f64>, %b: tensor<f64>):
          %1 = stablehlo.maximum %a, %b : tensor<f64>
          %2 = stablehlo.subtract %a, %b : tensor<f64>
          %3 = stablehlo.compare NE, %2, %2, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
          %4 = stablehlo.add %a, %b : tensor<f64>
          %5 = stablehlo.abs %2 : tensor<f64>
          %6 = stablehlo.negate %5 : tensor<f64>
          %7 = stablehlo.exponential %6 : tensor<f64>
          %8 = stablehlo.log_plus_one %7 : tensor<f64>
          %9 = stablehlo.add %1, %8 : tensor<f64>
          %10 = stablehlo.select %3, %4, %9 : tensor<i1>, tensor<f64>
          stablehlo.return %10 : tensor<f64>
        }) : (tensor<9xf64>, tensor<f64>) -> tensor<5xf64>
        return %0 : tensor<5xf64>
      }";
    let at = [0.3, -1.0, f64::NEG_INFINITY, 0.5, 2.0, 1.0, -2.0, 0.25, 0.75];
    // Softmax of each window.
    let mut slope = [0.0; 9];
    let mut moved = [0.0; 5];
    for (window, moved) in moved.iter_mut().enumerate() {
        let elements = || (0..3).filter_map(|k| (2 * window + k).checked_sub(1)).filter(|&k| k < 9);
        let sum: f64 = elements().map(|k| at[k].exp()).sum();
        elements().for_each(|k| slope[k] += at[k].exp() / sum);
        *moved = 1.0;
    }
    let (mut m, f) = parse(source);
    let x = Array::new(&[9], &at);
    let vjp = ad::vjp(&mut m, f, &[true], &[true]).expect("reverse mode");
    let jvp = ad::jvp(&mut m, f, &[true]).expect("forward mode");
    let backwards = eval(&m, vjp, &[x.clone(), Array::new(&[5], &[1.0; 5])])[1].clone();
    let forwards = eval(&m, jvp, &[x, Array::new(&[9], &[1.0; 9])])[1].clone();
    let x: Vec<f64> = (0..9).map(f64::from).collect();
    assert_eq!(
        compare("backwards", &x, &backwards, &slope) + compare("forwards", &x[..5], &forwards, &moved),
        0
    );
}

/// JAX has no derivative of it by its parameters; ours is that of the function also where they are 1.
#[test]
fn incomplete_beta_has_slopes_by_its_parameters() {
    let mut m = text::parse(include_str!("../src/rules/betainc.mlir")).expect("a program");
    let f = m.find("f64").expect("the function");
    let mut at: Vec<[f64; 3]> = Vec::new();
    for a in [0.3, 1.0, 2.0, 7.5] {
        for b in [0.5, 1.0, 3.0, 20.0] {
            at.extend([0.05, 0.4, 0.9].map(|x| [a, b, x]));
        }
    }
    at.resize(61, [1.0, 1.0, 0.5]);
    let column = |k: usize, by: f64| -> Array {
        Array::new(&[61], &at.iter().map(|p| p[k] + by).collect::<Vec<f64>>())
    };
    let args = [0, 1, 2].map(|k| column(k, 0.0));
    let vjp = ad::vjp(&mut m, f, &[true; 3], &[true]).expect("reverse mode");
    let jvp = ad::jvp(&mut m, f, &[true; 3]).expect("forward mode");
    let ones = || Array::new(&[61], &[1.0; 61]);
    let pulled = eval(&m, vjp, &[&args[..], &[ones()]].concat());
    for k in 0..3 {
        let mut moved = [args.clone(), args.clone()];
        let h = 1e-5;
        moved[0][k] = column(k, h);
        moved[1][k] = column(k, -h);
        let [above, below] = moved.map(|args| floats(&eval(&m, f, &args)[0]));
        let slope: Vec<f64> = above.iter().zip(&below).map(|(a, b)| (a - b) / (2.0 * h)).collect();
        let mut tangents = [0.0; 3].map(|zero| Array::new(&[61], &[zero; 61]));
        tangents[k] = ones();
        let pushed = &eval(&m, jvp, &[&args[..], &tangents].concat())[1];
        for (mode, found) in [("backwards", &pulled[1 + k]), ("forwards", pushed)] {
            for ((at, found), slope) in at.iter().zip(floats(found)).zip(&slope) {
                assert!(
                    (found - slope).abs() < 1e-7 * slope.abs().max(1.0),
                    "{mode}, by {k} at {at:?}: {found}, {slope}"
                );
            }
        }
    }
}
