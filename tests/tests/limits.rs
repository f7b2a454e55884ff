//! Small texts that stand for much: each is compiled and run rightly, or refused with an error that names the limit, soon and in little memory.

use std::fmt::Write as _;
use wengert::stages::Traced;
use wengert::{Limits, Tensor};

/// The messages of an error that every way of making something of a program fails with.
fn refused(program: &Traced, parts: &[&str]) {
    let errors = [
        program.lower().err(),
        program.optimize().err(),
        program.explain(0).err(),
        program.explain_html("t").err(),
    ];
    for error in errors {
        let message = error.expect("it is refused").to_string();
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    }
}

fn parse(source: &str) -> Traced {
    Traced::parse(source, None).unwrap_or_else(|e| panic!("{e}\n{source}"))
}

fn steps(max: u64) -> Limits {
    Limits { max_steps: Some(max), ..Limits::default() }
}

/// Runs a program compiled, interpreted and operation by operation.
fn everywhere(program: &Traced, args: &[Tensor]) -> [Result<Vec<Tensor>, wengert::Error>; 3] {
    [
        program.lower().and_then(|l| l.compile()).and_then(|c| c.call(args)),
        program.interpret(args),
        program.run_eagerly(args),
    ]
}

/// Functions that each call the one before twice: `f0` is a sine.
fn tree(depth: usize) -> String {
    let mut text = String::from(
        "func.func private @f0(%a: tensor<f32>) -> tensor<f32> {
 %0 = stablehlo.sine %a : tensor<f32>
 return %0 : tensor<f32>
}\n",
    );
    for k in 1..=depth {
        let (kind, name) = if k == depth { ("public", "main".into()) } else { ("private", format!("f{k}")) };
        let _ = write!(
            text,
            "func.func {kind} @{name}(%a: tensor<f32>) -> tensor<f32> {{
 %0 = func.call @f{0}(%a) : (tensor<f32>) -> tensor<f32>
 %1 = func.call @f{0}(%0) : (tensor<f32>) -> tensor<f32>
 return %1 : tensor<f32>
}}\n",
            k - 1
        );
    }
    text
}

/// A chain of `n` calls; each function calls the next, `inside` what it is given.
fn chain(n: usize, inside: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    for k in 0..n {
        let (kind, name) = if k == 0 { ("public", "main".into()) } else { ("private", format!("f{k}")) };
        let call = format!("%0 = func.call @f{}(%a) : (tensor<f32>) -> tensor<f32>", k + 1);
        let body = inside(&call);
        let _ = writeln!(text, "func.func {kind} @{name}(%a: tensor<f32>) -> tensor<f32> {{\n{body}\n}}");
    }
    let _ = writeln!(
        text,
        "func.func private @f{n}(%a: tensor<f32>) -> tensor<f32> {{ return %a : tensor<f32> }}"
    );
    text
}

#[test]
fn call_trees_are_refused_where_they_are_too_large() {
    for depth in [20, 50, 90] {
        let program = parse(&tree(depth));
        refused(&program, &["instructions", "--max-instructions"]);
        let error = program.value_and_grad(&[0]).err().expect("it is refused").to_string();
        assert!(error.contains("--max-instructions"), "{error}");
    }
    // 2^7 sines and the calls.
    let small = parse(&tree(7));
    let limits = |max| Limits { max_instructions: Some(max), ..Limits::default() };
    assert!(small.clone().within(limits(500)).lower().is_ok());
    refused(&small.within(limits(100)), &["382 instructions", "at most 100"]);
}

#[test]
fn chains_of_calls_are_inlined_in_their_length() {
    let text = chain(3000, |call| {
        format!(" {call}\n %1 = stablehlo.add %0, %a : tensor<f32>\n return %1 : tensor<f32>")
    });
    let program = parse(&text);
    let (module, func) = program.module();
    let mut inlined = module.clone();
    let f = wengert_passes::inline::inline_calls(&mut inlined, func);
    assert_eq!(inlined.funcs.len(), module.funcs.len() + 1, "only what remains is built");
    assert_eq!(inlined.get(f).insts.len(), 3000);
    let x = Tensor::from(0.5f32);
    assert_eq!(program.optimize().expect("small").interpret(&[x]).expect("runs")[0].item::<f32>(), 1500.5);
}

#[test]
fn calls_in_branches_nest_so_deep_and_no_deeper() {
    let branch = |call: &str| {
        format!(
            " %i = stablehlo.convert %a : (tensor<f32>) -> tensor<i32>
 %1 = \"stablehlo.case\"(%i) ({{
  {call}
  stablehlo.return %0 : tensor<f32>
 }}, {{
  %0 = stablehlo.sine %a : tensor<f32>
  stablehlo.return %0 : tensor<f32>
 }}) : (tensor<i32>) -> tensor<f32>
 return %1 : tensor<f32>"
        )
    };
    let deep = parse(&chain(3000, branch));
    refused(&deep, &["nest 3000 deep", "at most 128"]);
    assert!(deep.value_and_grad(&[0]).err().expect("it is refused").to_string().contains("at most 128"));
    // Not deep at run time.
    assert_eq!(deep.interpret(&[Tensor::from(1.0f32)]).expect("runs")[0].item::<f32>(), 1.0f32.sin());

    // The deepest that is compiled, and one that is deeper.
    assert!(parse(&chain(128, branch)).lower().is_ok());
    refused(&parse(&chain(129, branch)), &["nest 129 deep", "at most 128"]);

    let program = parse(&chain(120, branch));
    for (x, y) in [(0.0f32, 0.0f32), (1.0, 1.0f32.sin())] {
        for out in everywhere(&program, &[Tensor::from(x)]) {
            assert!((out.expect("runs")[0].item::<f32>() - y).abs() < 1e-6);
        }
    }
    let gradient = program.value_and_grad(&[0]).expect("a gradient");
    for out in everywhere(&gradient, &[Tensor::from(0.25f32)]) {
        assert_eq!(out.expect("runs")[1].item::<f32>(), 1.0);
    }
}

#[test]
fn concatenations_with_themselves_are_stored() {
    let doubled = |times: usize| {
        let mut text = String::from("func.func public @main(%a: tensor<1xf32>) -> tensor<f32> {\n");
        for k in 0..times {
            let from = if k == 0 { "%a".to_owned() } else { format!("%{}", k - 1) };
            let (n, m) = (1u64 << k, 2u64 << k);
            let _ = writeln!(
                text,
                " %{k} = stablehlo.concatenate {from}, {from}, dim = 0 : (tensor<{n}xf32>, tensor<{n}xf32>) -> tensor<{m}xf32>"
            );
        }
        let n = 1u64 << times;
        let _ = writeln!(
            text,
            " %z = stablehlo.constant dense<0.0> : tensor<f32>
 %r = stablehlo.reduce(%{} init: %z) applies stablehlo.add across dimensions = [0] : (tensor<{n}xf32>, tensor<f32>) -> tensor<f32>
 return %r : tensor<f32>\n}}",
            times - 1
        );
        parse(&text)
    };
    let x = [Tensor::from([1.0f32])];
    for out in everywhere(&doubled(18), &x) {
        assert_eq!(out.expect("runs")[0].item::<f32>(), (1 << 18) as f32);
    }
    let limits = Limits { max_memory: Some(1 << 28), ..Limits::default() };
    for out in everywhere(&doubled(40).within(limits), &x) {
        let error = out.expect_err("there is not so much memory").to_string();
        assert!(error.contains("memory") || error.contains("bytes"), "{error}");
    }
}

#[test]
fn large_windows_are_small_programs() {
    // A convolution with 2^30 windows, whose places are not written down.
    let windows = parse(
        "func.func @main(%a: tensor<1x1x8x1024xf32>, %k: tensor<1x1x3x1024xf32>) -> tensor<1x1x8x1073742848xf32> {
 %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[1, 1], [0, 1073742847]], lhs_dilate = [1, 1], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x8x1024xf32>, tensor<1x1x3x1024xf32>) -> tensor<1x1x8x1073742848xf32>
 return %0 : tensor<1x1x8x1073742848xf32>
}",
    );
    let lowered = windows.lower().expect("it is a small program");
    assert!(lowered.to_string().len() < 100_000);
    // A window of 2^32 elements with a body.
    let body = parse(
        "func.func @main(%a: tensor<4294967296x4xf32>) -> tensor<4294967296x4xf32> {
 %z = stablehlo.constant dense<0.0> : tensor<f32>
 %0 = \"stablehlo.reduce_window\"(%a, %z) <{padding = dense<[[2147483647, 2147483648], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 4294967296, 1>, window_strides = array<i64: 1, 1>}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
 %1 = stablehlo.multiply %x, %y : tensor<f32>
 %2 = stablehlo.sine %1 : tensor<f32>
 stablehlo.return %2 : tensor<f32>
 }) : (tensor<4294967296x4xf32>, tensor<f32>) -> tensor<4294967296x4xf32>
 return %0 : tensor<4294967296x4xf32>
}",
    );
    let lowered = body.lower().expect("it is a small program");
    assert!(lowered.to_string().len() < 100_000);
    // Four spread dimensions would be 4^4 convolutions.
    let spread = parse(
        "func.func @main(%a: tensor<1x2x2x2x2x1xf32>, %k: tensor<4x4x4x4x1x1xf32>) -> tensor<1x2x2x2x2x1xf32> {
 %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, 2, 3, f]x[0, 1, 2, 3, i, o]->[b, 0, 1, 2, 3, f], window = {lhs_dilate = [4, 4, 4, 4]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x2x2x2x1xf32>, tensor<4x4x4x4x1x1xf32>) -> tensor<1x2x2x2x2x1xf32>
 return %0 : tensor<1x2x2x2x2x1xf32>
}",
    );
    assert!(spread.optimize().expect("small").text(false).len() < 20_000);
}

#[test]
fn values_that_no_machine_holds_are_errors() {
    let pad = parse(
        "func.func public @main(%a: tensor<4xf32>) -> tensor<1000000000008xf32> {
 %z = stablehlo.constant dense<0.0> : tensor<f32>
 %0 = stablehlo.pad %a, %z, low = [0], high = [1000000000004], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<1000000000008xf32>
 return %0 : tensor<1000000000008xf32>
}",
    );
    let constant = parse(
        "func.func public @main(%a: tensor<4xf32>) -> tensor<1000000000008xf32> {
 %0 = stablehlo.constant dense<1.5> : tensor<1000000000008xf32>
 return %0 : tensor<1000000000008xf32>
}",
    );
    let x = [Tensor::from([1.0f32, 2.0, 3.0, 4.0])];
    for program in [pad, constant] {
        for out in everywhere(&program, &x) {
            let error = out.expect_err("no machine has 4 TB").to_string();
            assert!(error.contains("memory") || error.contains("bytes"), "{error}");
        }
        let limits = Limits { max_memory: Some(1 << 30), ..Limits::default() };
        for out in everywhere(&program.within(limits), &x) {
            let error = out.expect_err("more than is allowed").to_string();
            assert!(error.contains("--max-memory"), "{error}");
        }
    }
}

#[test]
fn memory_counts_what_lives_at_a_time() {
    // Three vectors of a megabyte, and their sum.
    let program = parse(
        "func.func public @main(%a: tensor<262144xf32>) -> tensor<262144xf32> {
 %0 = stablehlo.sine %a : tensor<262144xf32>
 %1 = stablehlo.cosine %0 : tensor<262144xf32>
 return %1 : tensor<262144xf32>
}",
    );
    let x = [Tensor::full(&[262_144], 0.5, wengert::DType::F32)];
    let limited = |max| program.clone().within(Limits { max_memory: Some(max), ..Limits::default() });
    for out in everywhere(&limited(3 << 20), &x) {
        assert!(out.is_ok(), "{out:?}");
    }
    for out in everywhere(&limited((2 << 20) - 1), &x) {
        let error = out.expect_err("more than is allowed").to_string();
        assert!(error.contains("--max-memory"), "{error}");
    }
}

/// A `while` that counts to `n`, with rows read and written as JAX writes a scan.
fn counted(n: u64) -> Traced {
    parse(&format!(
        "func.func public @main(%a: tensor<3xf64>, %u: tensor<6x3xf64>) -> tensor<3xf64> {{
 %z = stablehlo.constant dense<0> : tensor<i64>
 %s0 = stablehlo.constant dense<0.0> : tensor<6x3xf64>
 %0:4 = stablehlo.while(%v = %u, %i = %z, %x = %a, %s = %s0) : tensor<6x3xf64>, tensor<i64>, tensor<3xf64>, tensor<6x3xf64>
 cond {{
  %n = stablehlo.constant dense<{n}> : tensor<i64>
  %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
  stablehlo.return %c : tensor<i1>
 }} do {{
  %o = stablehlo.constant dense<1> : tensor<i64>
  %r = stablehlo.dynamic_slice %v, %i, %z, sizes = [1, 3] : (tensor<6x3xf64>, tensor<i64>, tensor<i64>) -> tensor<1x3xf64>
  %q = stablehlo.reshape %r : (tensor<1x3xf64>) -> tensor<3xf64>
  %y0 = stablehlo.add %x, %q : tensor<3xf64>
  %y = stablehlo.sine %y0 : tensor<3xf64>
  %2 = stablehlo.add %i, %o : tensor<i64>
  stablehlo.return %v, %2, %y, %s : tensor<6x3xf64>, tensor<i64>, tensor<3xf64>, tensor<6x3xf64>
 }}
 return %0#2 : tensor<3xf64>
}}"
    ))
}

fn stopped(out: Result<Vec<Tensor>, wengert::Error>) {
    let message = out.expect_err("it is stopped").to_string();
    assert!(message.contains("--max-steps"), "{message}");
}

/// Trips that do nothing take time too: what is carried only changes places.
#[test]
fn trips_without_work_take_steps() {
    let program = parse(
        "func.func @main(%x: tensor<f32>, %y: tensor<f32>) -> tensor<f32> {
            %c = stablehlo.constant dense<0> : tensor<i64>
            %0:3 = stablehlo.while(%i = %c, %a = %x, %b = %y) : tensor<i64>, tensor<f32>, tensor<f32>
            cond {
              %n = stablehlo.constant dense<1000000000000000> : tensor<i64>
              %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
              stablehlo.return %1 : tensor<i1>
            } do {
              %one = stablehlo.constant dense<1> : tensor<i64>
              %1 = stablehlo.add %i, %one : tensor<i64>
              stablehlo.return %1, %b, %a : tensor<i64>, tensor<f32>, tensor<f32>
            }
            return %0#1 : tensor<f32>
        }",
    );
    for out in everywhere(&program.within(steps(10_000)), &[Tensor::from(1.0f32), Tensor::from(2.0f32)]) {
        stopped(out);
    }
}

#[test]
fn loops_that_became_scans_take_steps() {
    let args = [Tensor::from([0.5f64, 1.0, 2.0]), Tensor::zeros(&[6, 3], wengert::DType::F64)];
    for out in everywhere(&counted(10_000_000).within(steps(10)), &args) {
        stopped(out);
    }
    for out in everywhere(&counted(100).within(steps(10_000)), &args) {
        assert!(out.is_ok(), "{out:?}");
    }
}

#[test]
fn endless_programs_end() {
    let x = [Tensor::from(1i32)];
    // The loop is in the condition.
    let condition = parse(
        "func.func public @main(%a: tensor<i32>) -> tensor<i32> {
 %t = stablehlo.constant dense<true> : tensor<i1>
 %o = stablehlo.constant dense<1> : tensor<i32>
 %0 = stablehlo.while(%j = %a) : tensor<i32>
 cond {
 %w = stablehlo.while(%i = %j) : tensor<i32>
 cond {
 stablehlo.return %t : tensor<i1>
 } do {
 %1 = stablehlo.add %i, %o : tensor<i32>
 stablehlo.return %1 : tensor<i32>
 }
 %c = stablehlo.compare LT, %w, %o, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
 stablehlo.return %c : tensor<i1>
 } do {
 %2 = stablehlo.add %j, %o : tensor<i32>
 stablehlo.return %2 : tensor<i32>
 }
 return %0 : tensor<i32>
}",
    );
    for out in everywhere(&condition.within(steps(10_000)), &x) {
        stopped(out);
    }
    let scan = parse(
        "func.func public @main(%a: tensor<f32>) -> tensor<f32> {
 %0 = stablehlo.composite \"wengert.scan\" %a {composite_attributes = {body = @b, carry = 1 : i64, consts = 0 : i64, length = 9223372036854775807 : i64, reverse = false}, decomposition = @b} : (tensor<f32>) -> tensor<f32>
 return %0 : tensor<f32>
}
func.func private @b(%a: tensor<f32>) -> tensor<f32> {
 %0 = stablehlo.sine %a : tensor<f32>
 return %0 : tensor<f32>
}",
    );
    for out in everywhere(&scan.within(steps(10_000)), &[Tensor::from(1.0f32)]) {
        stopped(out);
    }
    // More trips than a signed number counts.
    let counted = parse(
        "func.func public @main(%a: tensor<f32>) -> tensor<f32> {
 %first = stablehlo.constant dense<-9223372036854775808> : tensor<i64>
 %0:2 = stablehlo.while(%i = %first, %x = %a) : tensor<i64>, tensor<f32>
 cond {
 %last = stablehlo.constant dense<4> : tensor<i64>
 %c = stablehlo.compare LT, %i, %last, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
 stablehlo.return %c : tensor<i1>
 } do {
 %one = stablehlo.constant dense<1> : tensor<i64>
 %1 = stablehlo.add %i, %one : tensor<i64>
 %2 = stablehlo.sine %x : tensor<f32>
 stablehlo.return %1, %2 : tensor<i64>, tensor<f32>
 }
 return %0#1 : tensor<f32>
}",
    );
    for out in everywhere(&counted.within(steps(10_000)), &[Tensor::from(1.0f32)]) {
        stopped(out);
    }
}

#[test]
fn one_instruction_is_as_many_steps_as_it_has_work() {
    let product = parse(
        "func.func public @main(%a: tensor<128x128xf32>) -> tensor<128x128xf32> {
 %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<128x128xf32>, tensor<128x128xf32>) -> tensor<128x128xf32>
 return %0 : tensor<128x128xf32>
}",
    );
    let sort = parse(
        "func.func public @main(%a: tensor<128x128xf32>) -> tensor<128x128xf32> {
 %0 = \"stablehlo.sort\"(%a) <{dimension = 0 : i64, is_stable = true}> ({
 ^bb0(%x: tensor<f32>, %y: tensor<f32>):
 %1 = stablehlo.compare LT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
 stablehlo.return %1 : tensor<i1>
 }) : (tensor<128x128xf32>) -> tensor<128x128xf32>
 return %0 : tensor<128x128xf32>
}",
    );
    let x = [Tensor::full(&[128, 128], 0.5, wengert::DType::F32)];
    for (program, few, many) in [(product, 4000, 5000), (sort, 10, 1_000)] {
        for out in everywhere(&program.clone().within(steps(few)), &x) {
            stopped(out);
        }
        for out in everywhere(&program.within(steps(many)), &x) {
            assert!(out.is_ok(), "{out:?}");
        }
    }
}

#[test]
fn a_function_has_limits_too() {
    let limits = Limits { max_steps: Some(100), ..Limits::default() };
    let f = |x: Tensor| wengert::while_loop(|x: Tensor| x.less(2.0), |x: Tensor| x * 0.5, x);
    let jitted = wengert::jit(f).limits(limits);
    stopped(jitted.try_call((Tensor::from(1.0f32),)).map(|t| vec![t]));
}

/// Compiled programs are found by their limits too: one function's are not those of another that does the same.
#[test]
fn limits_are_those_of_one_function() {
    let f = |x: Tensor| wengert::while_loop(|x: Tensor| x.greater(1e-30), |x: Tensor| x * 0.5, x);
    let call = |limits| wengert::jit(f).limits(limits).try_call((Tensor::from(1.0f32),)).map(|t| vec![t]);
    assert!(call(Limits::default()).is_ok());
    stopped(call(steps(50)));
    assert!(call(steps(5000)).is_ok());
}

/// Simple operations take a step each, eagerly too.
#[test]
fn simple_operations_take_steps() {
    let mut text = String::from("func.func @main(%x0: tensor<3xf32>) -> tensor<3xf32> {\n");
    for k in 0..40 {
        let _ = writeln!(text, "%x{} = stablehlo.sine %x{k} : tensor<3xf32>", k + 1);
    }
    text += "return %x40 : tensor<3xf32>\n}";
    let program = Traced::parse(&text, None).expect("a program");
    let x = [Tensor::from([1.0f32, 2.0, 3.0])];
    for max in [0, 1, 2, 10, 20] {
        let limited = program.clone().within(steps(max));
        for out in [limited.run_eagerly(&x), limited.interpret(&x)] {
            let error = out.expect_err("too many").to_string();
            assert!(error.contains("--max-steps"), "{max}: {error}");
        }
    }
    program.within(steps(100)).run_eagerly(&x).expect("enough");
}
