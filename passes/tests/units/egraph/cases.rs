//! Small programs in text, and what becomes of them.

use wengert_ir::func::{Func, FuncId, Module};
use wengert_ir::op::Op;
use wengert_ir::text;
use wengert_passes::egraph::{Options, Report, explain, optimize};

/// Optimizes `@main` of a program whose body and signature are given.
fn optimized(source: &str) -> (Module, FuncId, Report) {
    let mut module = text::parse(source).unwrap_or_else(|e| panic!("{e}\n{source}"));
    let main = module.find("main").unwrap();
    let out = optimize(&mut module, main, &Options::default());
    (module, out.func, out.report)
}

/// The names of the operations of the result, in order.
fn ops(source: &str) -> Vec<&'static str> {
    let (module, func, _) = optimized(source);
    names(&module.get(func))
}

fn names(func: &Func) -> Vec<&'static str> {
    func.insts.values().map(|i| i.op.name().split_once('.').unwrap().1).collect()
}

#[test]
fn equal_and_dead_values_vanish() {
    let source = "func.func public @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
        %0 = stablehlo.add %a, %b : tensor<3xf32>
        %1 = stablehlo.add %b, %a : tensor<3xf32>
        %2 = stablehlo.exponential %1 : tensor<3xf32>
        %3 = stablehlo.multiply %0, %1 : tensor<3xf32>
        return %3 : tensor<3xf32>
    }";
    assert_eq!(ops(source), ["add", "multiply"]);
}

/// Indices that were written down twice: what they read is read once.
#[test]
fn equal_tables_are_one() {
    let indices = |shift: usize| (0..20).map(|k| format!("[{}]", k + shift)).collect::<Vec<_>>().join(", ");
    let program = |shifts: [usize; 2]| {
        let [a, b] = shifts.map(indices);
        let gather = "<{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], \
                      index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : \
                      (tensor<30xf64>, tensor<20x1xi32>) -> tensor<20xf64>";
        format!(
            "func.func public @main(%x: tensor<30xf64>) -> tensor<20xf64> {{
               %a = stablehlo.constant dense<[{a}]> : tensor<20x1xi32>
               %0 = \"stablehlo.gather\"(%x, %a) {gather}
               %b = stablehlo.constant dense<[{b}]> : tensor<20x1xi32>
               %1 = \"stablehlo.gather\"(%x, %b) {gather}
               %2 = stablehlo.sine %1 : tensor<20xf64>
               %3 = stablehlo.multiply %0, %2 : tensor<20xf64>
               return %3 : tensor<20xf64>
             }}"
        )
    };
    let gathers = |shifts| ops(&program(shifts)).iter().filter(|op| op.ends_with("gather")).count();
    assert_eq!(gathers([3, 3]), 1);
    assert_eq!(gathers([3, 4]), 2);
}

#[test]
fn transposes_end_in_contractions() {
    let source = "func.func public @main(%a: tensor<4x3xf32>, %b: tensor<5x4xf32>) -> tensor<5x3xf32> {
        %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
        %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<5x4xf32>) -> tensor<4x5xf32>
        %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
        %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<3x5xf32>) -> tensor<5x3xf32>
        return %3 : tensor<5x3xf32>
    }";
    assert_eq!(ops(source), ["dot_general"]);
}

#[test]
fn scalar_work_is_done_before_it_is_spread() {
    let source = "func.func public @main(%a: tensor<f32>, %x: tensor<8x8xf32>) -> tensor<8x8xf32> {
        %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
        %1 = stablehlo.exponential %0 : tensor<8x8xf32>
        %2 = stablehlo.constant dense<3.0> : tensor<8x8xf32>
        %3 = stablehlo.multiply %1, %2 : tensor<8x8xf32>
        %4 = stablehlo.add %3, %x : tensor<8x8xf32>
        return %4 : tensor<8x8xf32>
    }";
    let (module, func, _) = optimized(source);
    let func = module.get(func);
    assert_eq!(names(&func), ["exponential", "constant", "multiply", "broadcast_in_dim", "add"]);
    assert_eq!(func.tensor(func.insts.values().next().unwrap().results[0]).rank(), 0);
}

/// Of what is spread and cut, what is left is cut first: by the steps of the cut where the operand has the dimension, and not where it is
/// stretched.
#[test]
fn cuts_are_made_before_what_is_left_is_spread() {
    use wengert_ir::testing::{eval, numbers};
    use wengert_ir::types::{DType, TensorType};
    for (shape, dims, kept) in [
        ([6, 1], [0, 2], [3, 1]),
        ([6, 4], [0, 2], [3, 2]),
        ([1, 4], [0, 2], [1, 2]),
        ([5, 4], [1, 2], [2, 2]),
    ] {
        let x = format!("tensor<{}x{}xf32>", shape[0], shape[1]);
        let source = format!(
            "func.func public @main(%x: {x}) -> tensor<3x2x2xf32> {{
               %0 = stablehlo.broadcast_in_dim %x, dims = {dims:?} : ({x}) -> tensor<6x5x4xf32>
               %1 = stablehlo.slice %0 [1:6:2, 0:5:3, 1:3] : (tensor<6x5x4xf32>) -> tensor<3x2x2xf32>
               %2 = stablehlo.exponential %1 : tensor<3x2x2xf32>
               return %2 : tensor<3x2x2xf32>
             }}"
        );
        let (module, after, _) = optimized(&source);
        let func = module.get(after);
        assert_eq!(names(&func), ["slice", "exponential", "broadcast_in_dim"], "{source}");
        assert_eq!(func.tensor(func.insts.values().next().unwrap().results[0]).shape[..], kept, "{source}");
        let x =
            numbers(&TensorType::new(DType::F32, &shape), (0..shape[0] * shape[1]).map(|k| k as f64 * 0.1));
        let before = module.find("main").unwrap();
        let [a, b] = [before, after].map(|f| eval(&module, f, std::slice::from_ref(&x)));
        assert_eq!(a, b, "{source}");
    }
}

#[test]
fn constants_fold_and_modes_differ() {
    let body = "func.func public @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<i32>) {
        %0 = stablehlo.constant dense<3.0> : tensor<4xf32>
        %1 = stablehlo.divide %x, %0 : tensor<4xf32>
        %2 = stablehlo.constant dense<0.0> : tensor<4xf32>
        %3 = stablehlo.add %x, %2 : tensor<4xf32>
        %4 = stablehlo.constant dense<2> : tensor<i32>
        %5 = stablehlo.multiply %4, %4 : tensor<i32>
        return %1, %3, %5 : tensor<4xf32>, tensor<4xf32>, tensor<i32>
    }";
    for (mode, wanted) in [
        (
            wengert_ir::types::FloatMode::Exact,
            ["constant", "divide", "constant", "add", "constant"].as_slice(),
        ),
        (wengert_ir::types::FloatMode::Default, &["constant", "multiply", "constant", "add", "constant"]),
        (wengert_ir::types::FloatMode::Relaxed, &["constant", "multiply", "constant"]),
    ] {
        let mut module = text::parse(body).unwrap();
        module.mode = mode;
        let main = module.find("main").unwrap();
        let func = optimize(&mut module, main, &Options::default()).func;
        let mut got = names(&module.get(func));
        let mut wanted = wanted.to_vec();
        got.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(got, wanted, "{mode:?}");
    }
}

/// What powers of few exponents become in the default mode: of infinities, zeros and NaN what the power is, and of the rest the same but
/// for the last places.
#[test]
fn powers_are_products_quotients_and_roots() {
    use wengert_ir::testing::{eval, floats, numbers};
    use wengert_ir::types::{DType, FloatMode, TensorType};
    let ends = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.0, -1.0, -0.75];
    for (dtype, ty, last) in [
        (DType::F64, "f64", f64::EPSILON),
        (DType::F32, "f32", f64::from(f32::EPSILON)),
        (DType::F16, "f16", 1.0 / 1024.0),
        (DType::BF16, "bf16", 1.0 / 128.0),
    ] {
        for exponent in [2.0, 3.0, -1.0, 0.5, -0.5] {
            let source = format!(
                "func.func public @main(%x: tensor<200x{ty}>) -> tensor<200xf64> {{
                   %0 = stablehlo.add %x, %x : tensor<200x{ty}>
                   %1 = stablehlo.constant dense<{exponent:?}> : tensor<200x{ty}>
                   %2 = stablehlo.power %0, %1 : tensor<200x{ty}>
                   %3 = stablehlo.convert %2 : (tensor<200x{ty}>) -> tensor<200xf64>
                   return %3 : tensor<200xf64>
                 }}"
            );
            let (module, after, _) = optimized(&source);
            let used = names(&module.get(after));
            // Numbers of 16 bits are made wider before.
            assert!(!used.contains(&"power") || dtype.size() == 2, "{used:?}: {source}");
            let x = numbers(
                &TensorType::new(dtype, &[200]),
                (0..200).map(|k| ends.get(k).copied().unwrap_or((k as f64 - 60.0) * 0.0137)),
            );
            let before = module.find("main").unwrap();
            let [want, got] = [before, after].map(|f| floats(&eval(&module, f, std::slice::from_ref(&x))[0]));
            for (k, (got, want)) in got.iter().zip(&want).enumerate() {
                let near = (got - want).abs() <= 2.0 * last * want.abs();
                let same = got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
                assert!(same || near && k >= 5, "element {k}: {got:e}, not {want:e}: {source}");
            }
            // Rounded as it is written it stays what it is, but for what is exact.
            let mut kept = text::parse(&source).unwrap();
            kept.mode = FloatMode::Exact;
            let main = kept.find("main").unwrap();
            let func = optimize(&mut kept, main, &Options::default()).func;
            assert!(names(&kept.get(func)).contains(&"power"), "{source}");
        }
    }
}

#[test]
fn a_barrier_keeps_recomputation_apart() {
    let source = "func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = stablehlo.exponential %x : tensor<4xf32>
        %1 = stablehlo.optimization_barrier %x : tensor<4xf32>
        %2 = stablehlo.exponential %1 : tensor<4xf32>
        %3 = stablehlo.add %0, %2 : tensor<4xf32>
        return %3 : tensor<4xf32>
    }";
    let names = ops(source);
    assert_eq!(names.iter().filter(|n| **n == "exponential").count(), 2);
    assert!(names.contains(&"optimization_barrier"));
}

#[test]
fn what_loops_and_branches_run_is_optimized_once() {
    let source =
        "func.func public @main(%n: tensor<i32>, %x: tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
        %0:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<4xf32>
        cond {
          %c = stablehlo.constant dense<10> : tensor<i32>
          %1 = stablehlo.compare LT, %i, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %1 : tensor<i1>
        } do {
          %c = stablehlo.constant dense<1> : tensor<i32>
          %1 = stablehlo.add %i, %c : tensor<i32>
          %2 = stablehlo.negate %y : tensor<4xf32>
          %3 = stablehlo.negate %2 : tensor<4xf32>
          %4 = stablehlo.sine %3 : tensor<4xf32>
          stablehlo.return %1, %4 : tensor<i32>, tensor<4xf32>
        }
        return %0#0, %0#1 : tensor<i32>, tensor<4xf32>
    }";
    let (module, func, report) = optimized(source);
    assert_eq!(report.funcs, 3);
    let func = module.get(func);
    let body = func.insts.values().find_map(|i| match &i.op {
        Op::While(w) => Some(w.body),
        _ => None,
    });
    assert!(!names(&module.get(body.unwrap())).contains(&"negate"));
}

#[test]
fn a_function_that_cannot_be_better_stays_itself() {
    let mut module = text::parse(
        "func.func public @main(%a: tensor<3xf32>) -> tensor<3xf32> {
        %0 = stablehlo.exponential %a : tensor<3xf32>
        return %0 : tensor<3xf32>
    }",
    )
    .unwrap();
    let main = module.find("main").unwrap();
    let count = module.funcs.len();
    assert_eq!(optimize(&mut module, main, &Options::default()).func, main);
    assert_eq!(module.funcs.len(), count);
}

#[test]
fn a_tangent_that_is_zero_costs_nothing() {
    let source = "func.func public @main(%a: tensor<3xf32>) -> tensor<3xf32> {
        %0 = stablehlo.cosine %a : tensor<3xf32>
        return %0 : tensor<3xf32>
    }";
    let mut module = text::parse(source).unwrap();
    let main = module.find("main").unwrap();
    let mut func = (*module.get(main)).clone();
    let ty = func.tensor(func.results[0]).clone();
    let loc = wengert_ir::func::Loc::Unknown;
    let zero = func.push(&module, wengert_ir::op::Zero { ty }.into(), &[], loc.clone()).unwrap()[0];
    let sum =
        func.push(&module, wengert_ir::op::BinaryOp::Add.into(), &[zero, func.results[0]], loc).unwrap()[0];
    func.results = vec![sum];
    let id = module.add(func);
    let out = optimize(&mut module, id, &Options::default());
    assert_eq!(names(&module.get(out.func)), ["cosine"]);
    assert_eq!(out.report.fired, [("add-no-tangent", 1)]);
}

#[test]
fn every_result_of_small_corpus_programs_can_be_explained() {
    for (name, module, main, _) in super::corpus::programs() {
        let func = module.get(main);
        if func.insts.len() > 120 {
            continue;
        }
        for k in 0..func.results.len().min(3) {
            let explanation = explain(&module, main, k, &Options::default());
            assert!(!explanation.after.is_empty(), "{name}");
        }
    }
}

/// Two pads in a row, some of which cut: what has been cut off does not come back.
#[test]
fn pads_in_a_row() {
    use wengert_ir::testing::{eval, numbers};
    use wengert_ir::types::{DType, TensorType};
    let edges = |f: &mut dyn FnMut(i64, i64)| (-2..=2).for_each(|low| (-1..=2).for_each(|high| f(low, high)));
    edges(&mut |a, b| {
        edges(&mut |c, d| {
            let (n, m) = (4 + a + b, 4 + a + b + c + d);
            if m < 1 {
                return;
            }
            let source = format!(
                "func.func public @main(%x: tensor<4xf32>) -> tensor<{m}xf32> {{
                   %zero = stablehlo.constant dense<0.0> : tensor<f32>
                   %0 = stablehlo.pad %x, %zero, low = [{a}], high = [{b}], interior = [0] \
                     : (tensor<4xf32>, tensor<f32>) -> tensor<{n}xf32>
                   %1 = stablehlo.pad %0, %zero, low = [{c}], high = [{d}], interior = [0] \
                     : (tensor<{n}xf32>, tensor<f32>) -> tensor<{m}xf32>
                   return %1 : tensor<{m}xf32>
                 }}"
            );
            let (module, after, _) = optimized(&source);
            let before = module.find("main").unwrap();
            let x = numbers(&TensorType::new(DType::F32, &[4]), [1.0, 2.0, 3.0, 4.0]);
            let [x, y] = [before, after].map(|f| eval(&module, f, std::slice::from_ref(&x)));
            assert_eq!(x, y, "{a} {b}, then {c} {d}");
        });
    });
}
