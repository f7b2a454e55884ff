//! Derivatives without control flow: conventions, errors, accumulation, and reductions by a function.

use crate::support;
use smallvec::smallvec;
use support::{build, check_forms, check_orders, count_ops, run, scalar, stacked};
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::op::{BinaryOp, Compare, CustomVjp, Op, Reducer, Scatter, Slice, UnaryOp};
use wengert_ir::rules::{Emit, Term};
use wengert_ir::testing::{Random, floats};
use wengert_ir::text::parse;
use wengert_ir::types::{DType, TensorType};
use wengert_passes::ad;
use wengert_passes::error::TransformError;

fn module(text: &str) -> (Module, FuncId) {
    let m = parse(text).unwrap_or_else(|e| panic!("{e}"));
    let f = m.find("main").expect("main");
    (m, f)
}

#[test]
fn a_value_used_often_gets_the_sum() {
    let mut m = Module::new("test");
    let f = build(&mut m, "f", &[scalar()], |e, p| {
        let s = e.unary(UnaryOp::Sine, p[0]);
        let a = e.mul(s, p[0]);
        let b = e.add(a, s);
        let c = e.mul(b, a);
        vec![e.unary(UnaryOp::Tanh, c)]
    });
    check_orders(&mut m, f, &[Array::scalar(0.7)], 3, "fan-out");
    check_forms(&mut m, f, &[Array::scalar(0.7)], "fan-out");
}

#[test]
fn the_same_value_returned_twice_and_a_parameter_returned() {
    let mut m = Module::new("test");
    let f = build(&mut m, "f", &[scalar(), scalar()], |e, p| {
        let s = e.mul(p[0], p[1]);
        vec![s, s, p[0]]
    });
    check_forms(&mut m, f, &[Array::scalar(0.7), Array::scalar(-1.5)], "duplicates");
}

#[test]
fn unused_arguments_and_constant_results_give_zeros() {
    let mut m = Module::new("test");
    let f = build(&mut m, "f", &[scalar(), stacked(3)], |e, p| {
        let one = e.splat(scalar(), 1.0);
        vec![e.mul(p[0], p[0]), one]
    });
    let args = [Array::scalar(0.5), Array::new(&[3], &[1.0, 2.0, 3.0])];
    let g = ad::value_and_grad(&mut m, f, &[true, true], 0).unwrap();
    let out = run(&m, g, &args);
    assert_eq!(out[2..], [Array::scalar(1.0), Array::new(&[3], &[0.0f64; 3])]);
    let j = ad::jvp(&mut m, f, &[false, true]).unwrap();
    let out = run(&m, j, &[&args[..], &args[1..]].concat());
    assert_eq!(out[2..], [Array::scalar(0.0), Array::scalar(0.0)]);
}

#[test]
fn a_derivative_of_nothing_is_allowed() {
    let mut m = Module::new("test");
    let f = build(&mut m, "f", &[scalar()], |e, p| vec![e.mul(p[0], p[0])]);
    let j = ad::jvp(&mut m, f, &[false]).unwrap();
    assert_eq!(run(&m, j, &[Array::scalar(3.0)]), [Array::scalar(9.0), Array::scalar(0.0)]);
    let v = ad::vjp(&mut m, f, &[true], &[false]).unwrap();
    assert_eq!(run(&m, v, &[Array::scalar(3.0)]), [Array::scalar(9.0), Array::scalar(0.0)]);
}

/// A broadcast may put dimensions in another order; the cotangent has them in the operand's.
#[test]
fn broadcasts_that_turn_dimensions_are_turned_back() {
    let cotangent = |from: &str, dims: &str, to: &str, shape: [&[usize]; 2]| {
        let (mut m, f) = module(&format!(
            "module {{ func.func public @main(%x: {from}) -> {to} {{
                %0 = stablehlo.broadcast_in_dim %x, dims = [{dims}] : ({from}) -> {to}
                return %0 : {to} }} }}"
        ));
        let v = ad::vjp(&mut m, f, &[true], &[true]).unwrap();
        let numbers = |shape: &[usize]| {
            let n = shape.iter().product::<usize>();
            Array::new(shape, &(0..n).map(|k| k as f64).collect::<Vec<_>>())
        };
        run(&m, v, &[numbers(shape[0]), numbers(shape[1])]).remove(1)
    };
    let found = cotangent("tensor<2x2xf64>", "1, 0", "tensor<2x2xf64>", [&[2, 2], &[2, 2]]);
    assert_eq!(found, Array::new(&[2, 2], &[0.0, 2.0, 1.0, 3.0]));
    let found = cotangent("tensor<2x1x2xf64>", "2, 1, 0", "tensor<2x3x2xf64>", [&[2, 1, 2], &[2, 3, 2]]);
    assert_eq!(found, Array::new(&[2, 1, 2], &[6.0, 24.0, 9.0, 27.0]));
}

const ERRORS: &str = r#"
module @errors {
  func.func public @main(%arg0: tensor<2xf64>, %arg1: tensor<2xi32>) -> (tensor<2xf64>, tensor<2xi32>, tensor<f64>) {
    %cst = stablehlo.constant dense<0.0> : tensor<f64>
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<2xf64>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<f64>
    return %0, %arg1, %1 : tensor<2xf64>, tensor<2xi32>, tensor<f64>
  }
}"#;

#[test]
fn errors_of_the_interface() {
    let (mut m, f) = module(ERRORS);
    let message = |r: Result<FuncId, TransformError>| r.expect_err("an error").to_string();
    let e = message(ad::value_and_grad(&mut m, f, &[false, true], 2));
    assert!(e.contains("parameter 1") && e.contains("tensor<2xi32>"), "{e}");
    let e = message(ad::value_and_grad(&mut m, f, &[true, false], 0));
    assert!(e.contains("float scalar") && e.contains("tensor<2xf64>"), "{e}");
    let e = message(ad::value_and_grad(&mut m, f, &[true, false], 3));
    assert!(e.contains("3 results"), "{e}");
    let e = message(ad::vjp(&mut m, f, &[true, false], &[true, true, false]));
    assert!(e.contains("result 1") && e.contains("tensor<2xi32>"), "{e}");
    let e = message(ad::vjp(&mut m, f, &[true], &[true, false, false]));
    assert!(e.contains("2 parameters"), "{e}");
}

#[test]
fn what_is_not_linear_is_named() {
    let (m, f) = module(ERRORS);
    let e = ad::verify_linear(&m, f, &[true, false]).expect_err("a square").to_string();
    assert!(e.contains("stablehlo.multiply: not linear") && e.contains("tensor<2xf64>"), "{e}");
    let (mut m, f) = module(
        "module { func.func public @main(%arg0: tensor<f64>) -> tensor<f64> {
            %c = stablehlo.constant dense<1.0> : tensor<f64>
            %0 = stablehlo.add %arg0, %c : tensor<f64>
            return %0 : tensor<f64> } }",
    );
    let e = ad::transpose(&mut m, f, &[true], &[true]).expect_err("affine").to_string();
    assert!(e.contains("stablehlo.add: not linear"), "{e}");
}

/// Sum of x_i * log-like weights by a body of two inputs: the running product and sum.
const CUSTOM: &str = r#"
module @custom {
  func.func public @main(%arg0: tensor<3x2xf64>, %arg1: tensor<3x2xf64>, %arg2: tensor<f64>) -> tensor<f64> {
    %cst = stablehlo.constant dense<0.0> : tensor<f64>
    %one = stablehlo.constant dense<1.0> : tensor<f64>
    %0:2 = stablehlo.reduce(%arg0 init: %arg2), (%arg1 init: %cst) across dimensions = [0] : (tensor<3x2xf64>, tensor<3x2xf64>, tensor<f64>, tensor<f64>) -> (tensor<2xf64>, tensor<2xf64>)
     reducer(%a: tensor<f64>, %c: tensor<f64>) (%b: tensor<f64>, %d: tensor<f64>)  {
      %1 = stablehlo.multiply %a, %c : tensor<f64>
      %2 = stablehlo.sine %d : tensor<f64>
      %3 = stablehlo.add %b, %2 : tensor<f64>
      stablehlo.return %1, %3 : tensor<f64>, tensor<f64>
    }
    %4 = stablehlo.multiply %0#0, %0#1 : tensor<2xf64>
    %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<2xf64>, tensor<f64>) -> tensor<f64>
    return %5 : tensor<f64>
  }
}"#;

#[test]
fn reductions_by_a_function() {
    let (mut m, f) = module(CUSTOM);
    let args = [
        Array::new(&[3, 2], &[0.5, -1.5, 2.0, 0.7, 1.1, 0.3]),
        Array::new(&[3, 2], &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
        Array::scalar(1.3),
    ];
    check_forms(&mut m, f, &args, "reduce by a function");
}

/// An argmax whose value is not read stays a reduction.
const ARGMAX: &str = r#"
module @argmax {
  func.func public @main(%arg0: tensor<4xf64>) -> (tensor<f64>, tensor<i32>) {
    %cst = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
    %zero = stablehlo.constant dense<0.0> : tensor<f64>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %i = stablehlo.iota dim = 0 : tensor<4xi32>
    %0:2 = stablehlo.reduce(%arg0 init: %cst), (%i init: %c) across dimensions = [0] : (tensor<4xf64>, tensor<4xi32>, tensor<f64>, tensor<i32>) -> (tensor<f64>, tensor<i32>)
     reducer(%a: tensor<f64>, %c1: tensor<f64>) (%b: tensor<i32>, %d: tensor<i32>)  {
      %1 = stablehlo.compare GT, %a, %c1, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %2 = stablehlo.select %1, %a, %c1 : tensor<i1>, tensor<f64>
      %3 = stablehlo.select %1, %b, %d : tensor<i1>, tensor<i32>
      stablehlo.return %2, %3 : tensor<f64>, tensor<i32>
    }
    %4 = stablehlo.multiply %arg0, %arg0 : tensor<4xf64>
    %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
    return %5, %0#1 : tensor<f64>, tensor<i32>
  }
}"#;

#[test]
fn argmax_has_no_tangent() {
    let (mut m, f) = module(ARGMAX);
    let args = [Array::new(&[4], &[0.5, -1.5, 2.0, 0.7])];
    check_forms(&mut m, f, &args, "argmax");
    let g = ad::value_and_grad(&mut m, f, &[true], 0).unwrap();
    let by_func = |op: &Op| matches!(op, Op::Reduce(r) if matches!(r.reducer, Reducer::Func(_)));
    assert_eq!(count_ops(&m, g, &by_func), 1);
    assert_eq!(count_ops(&m, g, &|op| matches!(op, Op::Scan(_))), 0);
}

#[test]
fn integers_carry_no_tangents() {
    let (mut m, f) = module(
        "module { func.func public @main(%arg0: tensor<3xf64>) -> tensor<3xf64> {
            %0 = stablehlo.convert %arg0 : (tensor<3xf64>) -> tensor<3xi32>
            %1 = stablehlo.convert %0 : (tensor<3xi32>) -> tensor<3xf64>
            %2 = stablehlo.multiply %1, %arg0 : tensor<3xf64>
            return %2 : tensor<3xf64> } }",
    );
    check_forms(&mut m, f, &[Array::new(&[3], &[1.5, -2.5, 3.25])], "through integers");
}

#[test]
fn functions_are_named_after_theirs() {
    let (mut m, f) = module(ERRORS);
    let a = ad::value_and_grad(&mut m, f, &[true, false], 2).unwrap();
    let b = ad::value_and_grad(&mut m, f, &[true, false], 2).unwrap();
    assert_eq!(m.get(a).name, "main_value_and_grad");
    assert_ne!(m.get(a).name, m.get(b).name);
    let compares = count_ops(&m, a, &|op| matches!(op, Op::Compare(Compare { .. })));
    let products = count_ops(&m, a, &|op| *op == Op::Binary(BinaryOp::Multiply));
    assert_eq!((compares, products > 0), (0, true));
}

#[test]
fn calls_that_would_explode_are_refused() {
    let mut text = String::from("module {\n func.func private @f0(%a: tensor<f64>) -> tensor<f64> {\n");
    text += "  %0 = stablehlo.sine %a : tensor<f64>\n  return %0 : tensor<f64>\n }\n";
    for k in 1..50 {
        let (kind, name) = if k == 49 { ("public", "main".to_owned()) } else { ("private", format!("f{k}")) };
        let call = format!("func.call @f{}", k - 1);
        text += &format!(
            " func.func {kind} @{name}(%a: tensor<f64>) -> tensor<f64> {{
  %0 = {call}(%a) : (tensor<f64>) -> tensor<f64>
  %1 = {call}(%0) : (tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
 }}\n"
        );
    }
    let (mut m, f) = module(&(text + "}"));
    assert_eq!(wengert_passes::inline::inline_calls(&mut m, f), f);
    let e = ad::value_and_grad(&mut m, f, &[true], 0).expect_err("too long").to_string();
    assert!(e.contains("func.call: calls must be inlined"), "{e}");
}

/// A real transform and its inverse change nothing, and neither do their transposes: of even and odd lengths, of one and two
/// dimensions.
#[test]
fn transposes_of_real_transforms_undo_each_other() {
    for n in 1..=9 {
        for (shape, length) in [(format!("{n}"), format!("{n}")), (format!("3x{n}"), format!("3, {n}"))] {
            let half = shape.rsplit_once('x').map_or(String::new(), |(outer, _)| format!("{outer}x"));
            let half = format!("{half}{}", n / 2 + 1);
            let (mut m, f) = module(&format!(
                "func.func public @main(%x: tensor<{shape}xf64>) -> tensor<{shape}xf64> {{
                  %0 = stablehlo.fft %x, type = RFFT, length = [{length}] : (tensor<{shape}xf64>) -> tensor<{half}xcomplex<f64>>
                  %1 = stablehlo.fft %0, type = IRFFT, length = [{length}] : (tensor<{half}xcomplex<f64>>) -> tensor<{shape}xf64>
                  return %1 : tensor<{shape}xf64>
                }}"
            ));
            let x = Random(3).array(m.get(f).param_types()[0].tensor(), -1.0, 1.0);
            let c = Random(5).array(x.ty(), -1.0, 1.0);
            let back = ad::vjp(&mut m, f, &[true], &[true]).expect("a derivative");
            let out = run(&m, back, &[x, c.clone()]);
            for (a, b) in floats(&out[1]).into_iter().zip(floats(&c)) {
                assert!((a - b).abs() < 1e-14 * n as f64, "{shape}: {a} is not {b}");
            }
        }
    }
}

/// What is padded with gets the cotangents of the padding, whatever those of the rest are.
#[test]
fn what_is_padded_with_has_a_cotangent_of_its_own() {
    let (mut m, f) = module(
        "func.func public @main(%x: tensor<2xf64>, %v: tensor<f64>) -> tensor<6xf64> {
          %0 = stablehlo.pad %x, %v, low = [1], high = [2], interior = [1] : (tensor<2xf64>, tensor<f64>) -> tensor<6xf64>
          return %0 : tensor<6xf64>
        }",
    );
    let back = ad::vjp(&mut m, f, &[true, true], &[true]).expect("a derivative");
    let args = [Array::new(&[2], &[1.0, 2.0]), Array::scalar(3.0)];
    for (inside, value) in [(1e300, 0.3), (f64::INFINITY, 0.3), (f64::NAN, 0.3)] {
        let c = Array::new(&[6], &[0.1, inside, 0.05, -inside, 0.05, 0.1]);
        let out = run(&m, back, &[&args[..], &[c]].concat());
        assert!((floats(&out[2])[0] - value).abs() < 1e-15, "{out:?}");
        assert_eq!(floats(&out[1])[0].to_bits() << 1, inside.to_bits() << 1);
    }
}

/// The derivative of a maximum that is NaN is NaN; that of one that no element attains is 0.
#[test]
fn derivatives_of_extrema_that_are_nan_or_not_attained() {
    for (op, init) in [("maximum", "-1.0"), ("minimum", "9.0")] {
        let (mut m, f) = module(&format!(
            "func.func public @main(%x: tensor<3xf64>) -> tensor<f64> {{
              %init = stablehlo.constant dense<{init}> : tensor<f64>
              %0 = stablehlo.reduce(%x init: %init) applies stablehlo.{op} across dimensions = [0] : (tensor<3xf64>, tensor<f64>) -> tensor<f64>
              return %0 : tensor<f64>
            }}"
        ));
        let forward = ad::jvp(&mut m, f, &[true]).expect("a derivative");
        let slope = |m: &Module, x: [f64; 3]| {
            floats(&run(m, forward, &[Array::new(&[3], &x), Array::new(&[3], &[2.0, 3.0, 5.0])])[1])[0]
        };
        assert!(slope(&m, [1.0, f64::NAN, 2.0]).is_nan(), "{op}");
        let beyond = if op == "maximum" { -4.0 } else { 20.0 };
        assert_eq!(slope(&m, [beyond; 3]), 0.0, "{op}");
        assert_eq!(slope(&m, [1.0; 3]), 10.0 / 3.0, "{op}");
    }
}

/// A rule of the user's may give a cotangent that writes into zeros: what others give at that place counts too.
#[test]
fn a_cotangent_that_is_written_into_zeros_is_added() {
    let mut m = Module::new("test");
    let ty = stacked(16);
    let at_three = |e: &mut dyn Emit, x: Term| {
        let one = e.one(Slice { start: smallvec![3], limit: smallvec![4], strides: smallvec![1] }, &[x]);
        e.reshape(one, &[])
    };
    let [body, forward] =
        [(); 2].map(|()| build(&mut m, "value", std::slice::from_ref(&ty), |e, x| vec![at_three(e, x[0])]));
    let backward = build(&mut m, "backward", &[scalar()], |e, c| {
        let zeros = e.zero(stacked(16));
        let place = e.splat(TensorType::new(DType::I32, &[1]), 3.0);
        let scatter = Scatter {
            update_window_dims: smallvec![],
            inserted_window_dims: smallvec![0],
            input_batching_dims: smallvec![],
            scatter_indices_batching_dims: smallvec![],
            scatter_dims_to_operand_dims: smallvec![0],
            index_vector_dim: 0,
            indices_are_sorted: false,
            unique_indices: true,
            inputs: 1,
            reducer: Reducer::Assign,
        };
        vec![e.one(scatter, &[zeros, place, c[0]])]
    });
    for first in [true, false] {
        let f = build(&mut m, "main", std::slice::from_ref(&ty), |e, x| {
            let custom = CustomVjp { body, forward, backward, consts: 0, forward_mode: false };
            let squares = e.mul(x[0], x[0]);
            let sum = e.reduce_sum(squares, &[0]);
            let one = e.one(custom, &[x[0]]);
            vec![if first { e.add(one, sum) } else { e.add(sum, one) }]
        });
        let back = ad::vjp(&mut m, f, &[true], &[true]).expect("a derivative");
        let x: Vec<f64> = (0..16).map(|k| f64::from(k) + 0.5).collect();
        let out = run(&m, back, &[Array::new(&[16], &x), Array::scalar(1.0)]);
        let want: Vec<f64> = x.iter().enumerate().map(|(k, x)| 2.0 * x + f64::from(k == 3)).collect();
        assert_eq!(floats(&out[1]), want);
    }
}
