//! Contraction: products that are only added are fused with the addition, where the float mode allows it; the text of the
//! program says so, and the reference interpreter and the kernel interpreter give exactly the bits of that.

use wengert_ir::array::Array;
use wengert_ir::interp::{self as reference, Limits};
use wengert_ir::kernel::{interp, verify::verify};
use wengert_ir::testing::Random;
use wengert_ir::types::{DType, FloatMode, TensorType};
use wengert_passes::lower::{Options, lower};
use wengert_passes::pipeline::Pipeline;

/// The instructions of a function of three vectors that multiply, add, subtract, negate or do several of it.
fn arithmetic(mode: FloatMode, passes: &str, body: &str) -> (Vec<&'static str>, Vec<f64>) {
    let ty = "tensor<1000xf64>";
    let text = format!("func.func public @main(%a: {ty}, %b: {ty}, %c: {ty}) -> {ty} {{\n{body}\n}}\n");
    let mut m = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    m.mode = mode;
    let main = m.find("main").expect("is there");
    let main = Pipeline::parse(passes).expect("a pass").run(&mut m, main, &mut |_| {});
    let program = lower(&m, main, &Options::default()).expect("it lowers");
    verify(&program).unwrap_or_else(|e| panic!("{}\n{program}", e.join("\n")));
    let names = ["math.fma", "arith.mulf", "arith.addf", "arith.subf", "arith.negf"];
    let text = program.to_string();
    let found = text.lines().filter_map(|line| names.into_iter().find(|n| line.contains(n))).collect();
    let args: Vec<Array> = inputs().iter().map(|x| Array::new(&[1000], x)).collect();
    let results = interp::run(&program, &args).unwrap_or_else(|e| panic!("{e}"));
    let text = reference::run(&m, main, &args, &Limits::default()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(text[0].bytes(), results[0].bytes(), "the text says what runs: {body}");
    (found, results[0].as_slice::<f64>().to_vec())
}

fn inputs() -> [Vec<f64>; 3] {
    let mut random = Random(5);
    let ty = TensorType::new(DType::F64, &[1000]);
    std::array::from_fn(|_| random.array(&ty, -2.0, 3.0).as_slice().to_vec())
}

/// What is expected of a body: its instructions, and its value at one point.
#[track_caller]
fn check(body: &str, instructions: &[&str], value: fn(f64, f64, f64) -> f64) {
    let (found, results) = arithmetic(FloatMode::Default, "contract", body);
    assert_eq!(found, instructions, "{body}");
    let [a, b, c] = inputs();
    for (k, r) in results.iter().enumerate() {
        assert_eq!(r.to_bits(), value(a[k], b[k], c[k]).to_bits(), "element {k} of {body}");
    }
}

const T: &str = "tensor<1000xf64>";

#[test]
fn a_product_that_is_added_is_fused() {
    let product = format!("%0 = stablehlo.multiply %a, %b : {T}\n");
    let end = |op: &str| format!("{product}%1 = stablehlo.{op} : {T}\nreturn %1 : {T}");
    check(&end("add %0, %c"), &["math.fma"], |a, b, c| a.mul_add(b, c));
    check(&end("add %c, %0"), &["math.fma"], |a, b, c| a.mul_add(b, c));
    check(&end("subtract %0, %c"), &["arith.negf", "math.fma"], |a, b, c| a.mul_add(b, -c));
    check(&end("subtract %c, %0"), &["arith.negf", "math.fma"], |a, b, c| (-a).mul_add(b, c));
}

#[test]
fn a_constant_is_negated_at_once() {
    let body = format!(
        "%k = stablehlo.constant dense<1.5> : {T}\n%0 = stablehlo.multiply %a, %k : {T}\n\
         %1 = stablehlo.subtract %c, %0 : {T}\nreturn %1 : {T}"
    );
    check(&body, &["math.fma"], |a, _, c| (-1.5f64).mul_add(a, c));
}

#[test]
fn of_two_products_the_later_one_is_fused() {
    let body = |op: &str| {
        format!(
            "%0 = stablehlo.multiply %a, %b : {T}\n%1 = stablehlo.multiply %b, %c : {T}\n\
             %2 = stablehlo.{op} %0, %1 : {T}\nreturn %2 : {T}"
        )
    };
    check(&body("add"), &["arith.mulf", "math.fma"], |a, b, c| b.mul_add(c, a * b));
    check(&body("subtract"), &["arith.negf", "arith.mulf", "math.fma"], |a, b, c| (-b).mul_add(c, a * b));
}

#[test]
fn a_product_with_other_readers_stays() {
    let body = format!(
        "%0 = stablehlo.multiply %a, %b : {T}\n%1 = stablehlo.add %0, %c : {T}\n\
         %2 = stablehlo.maximum %0, %1 : {T}\nreturn %2 : {T}"
    );
    check(&body, &["arith.mulf", "arith.addf"], |a, b, c| (a * b).max(a * b + c));
    let square =
        format!("%0 = stablehlo.multiply %a, %b : {T}\n%1 = stablehlo.add %0, %0 : {T}\nreturn %1 : {T}");
    check(&square, &["arith.mulf", "arith.addf"], |a, b, _| a * b + a * b);
}

#[test]
fn what_only_moves_elements_does_not_part_a_product_from_its_sum() {
    let body = format!(
        "%0 = stablehlo.multiply %a, %b : {T}\n%1 = stablehlo.reshape %0 : ({T}) -> tensor<10x100xf64>\n\
         %2 = stablehlo.reshape %c : ({T}) -> tensor<10x100xf64>\n%3 = stablehlo.add %1, %2 : tensor<10x100xf64>\n\
         %4 = stablehlo.reshape %3 : (tensor<10x100xf64>) -> {T}\nreturn %4 : {T}"
    );
    check(&body, &["math.fma"], |a, b, c| a.mul_add(b, c));
}

#[test]
fn exact_modules_and_machines_without_the_instruction_are_not_contracted() {
    let body =
        format!("%0 = stablehlo.multiply %a, %b : {T}\n%1 = stablehlo.add %0, %c : {T}\nreturn %1 : {T}");
    for (mode, passes) in [(FloatMode::Exact, "contract"), (FloatMode::Relaxed, "dce")] {
        let (found, results) = arithmetic(mode, passes, &body);
        assert_eq!(found, ["arith.mulf", "arith.addf"]);
        let [a, b, c] = inputs();
        assert!((0..1000).all(|k| results[k].to_bits() == (a[k] * b[k] + c[k]).to_bits()));
    }
    let names = |fuses| format!("{:?}", Pipeline::of_machine(fuses).names());
    assert!(names(true).contains("contract") && !names(false).contains("contract"));
}

/// A sum's defined order has no place for a fused multiply-add: it would be rounded otherwise than its text says.
#[test]
fn sums_of_products_are_not_fused_into_the_accumulator() {
    let body = format!(
        "%z = stablehlo.constant dense<0.0> : tensor<f64>\n%0 = stablehlo.multiply %a, %b : {T}\n\
         %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : ({T}, tensor<f64>) -> tensor<f64>\n\
         %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f64>) -> {T}\nreturn %2 : {T}"
    );
    let (found, _) = arithmetic(FloatMode::Default, "contract", &body);
    assert!(!found.contains(&"math.fma") && found.contains(&"arith.mulf"), "{found:?}");
}

/// Over few products it is a contraction, and written out.
#[test]
fn sums_of_few_products_are_contractions() {
    let body = format!(
        "%z = stablehlo.constant dense<0.5> : tensor<f64>\n%x = stablehlo.reshape %a : ({T}) -> tensor<4x250xf64>\n\
         %y = stablehlo.reshape %b : ({T}) -> tensor<4x250xf64>\n%2 = stablehlo.multiply %x, %y : tensor<4x250xf64>\n\
         %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4x250xf64>, tensor<f64>) -> tensor<250xf64>\n\
         %4 = stablehlo.concatenate %3, %3, %3, %3, dim = 0 : (tensor<250xf64>, tensor<250xf64>, tensor<250xf64>, tensor<250xf64>) -> {T}\n\
         return %4 : {T}"
    );
    let mut m = wengert_ir::text::parse(&format!(
        "func.func public @main(%a: {T}, %b: {T}, %c: {T}) -> {T} {{\n{body}\n}}\n"
    ))
    .unwrap_or_else(|e| panic!("{e}"));
    m.mode = FloatMode::Default;
    let main = m.find("main").expect("is there");
    let main = Pipeline::parse("dce,contract").expect("passes").run(&mut m, main, &mut |_| {});
    let program = lower(&m, main, &Options::default()).expect("it lowers");
    let args: Vec<Array> = inputs().iter().map(|x| Array::new(&[1000], x)).collect();
    let results = interp::run(&program, &args).unwrap_or_else(|e| panic!("{e}"));
    let (got, [a, b, _]) = (results[0].as_slice::<f64>(), inputs());
    for k in 0..1000 {
        let at = |row: usize| (a[250 * row + k % 250], b[250 * row + k % 250]);
        let first = at(0).0 * at(0).1;
        let sum = (1..4).fold(first, |sum, row| at(row).0.mul_add(at(row).1, sum));
        assert_eq!(got[k].to_bits(), (0.5 + sum).to_bits(), "element {k}\n{program}");
    }
}

/// A sum of products is computed in the loop that finds its largest element and again in the loop that asks which one it
/// is. Both must give the same bits: the derivative of the maximum of each row is not zero.
#[test]
fn a_value_that_is_computed_again_is_rounded_alike() {
    let body = format!(
        "%low = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>\n\
         %0 = stablehlo.multiply %a, %b : {T}\n%1 = stablehlo.add %0, %c : {T}\n\
         %2 = stablehlo.reshape %1 : ({T}) -> tensor<100x10xf64>\n\
         %3 = stablehlo.reduce(%2 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<100x10xf64>, tensor<f64>) -> tensor<100xf64>\n\
         %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<100xf64>) -> tensor<100x10xf64>\n\
         %5 = stablehlo.compare EQ, %2, %4 : (tensor<100x10xf64>, tensor<100x10xf64>) -> tensor<100x10xi1>\n\
         %6 = stablehlo.convert %5 : (tensor<100x10xi1>) -> tensor<100x10xf64>\n\
         %7 = stablehlo.reshape %6 : (tensor<100x10xf64>) -> {T}\nreturn %7 : {T}"
    );
    for mode in [FloatMode::Default, FloatMode::Relaxed] {
        let (_, which) = arithmetic(mode, "contract", &body);
        assert!(which.chunks(10).all(|row| row.iter().sum::<f64>() == 1.0), "{mode:?}: {which:?}");
    }
}
