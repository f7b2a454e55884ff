//! Contraction: products that are only added are fused with the addition, where the float mode allows it, and the kernel
//! interpreter gives exactly the bits of that.

use wengert_ir::array::Array;
use wengert_ir::kernel::{interp, verify::verify};
use wengert_ir::testing::Random;
use wengert_ir::types::{DType, FloatMode, TensorType};
use wengert_passes::lower::{Options, lower};

/// The instructions of a function of three vectors that multiply, add, subtract, negate or do several of it.
fn arithmetic(mode: FloatMode, options: &Options, body: &str) -> (Vec<&'static str>, Vec<f64>) {
    let ty = "tensor<1000xf64>";
    let text = format!("func.func public @main(%a: {ty}, %b: {ty}, %c: {ty}) -> {ty} {{\n{body}\n}}\n");
    let mut m = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    m.mode = mode;
    let program = lower(&m, m.find("main").expect("is there"), options).expect("it lowers");
    verify(&program).unwrap_or_else(|e| panic!("{}\n{program}", e.join("\n")));
    let names = ["math.fma", "arith.mulf", "arith.addf", "arith.subf", "arith.negf"];
    let text = program.to_string();
    let found = text.lines().filter_map(|line| names.into_iter().find(|n| line.contains(n))).collect();
    let args: Vec<Array> = inputs().iter().map(|x| Array::new(&[1000], x)).collect();
    let results = interp::run(&program, &args).unwrap_or_else(|e| panic!("{e}"));
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
    let (found, results) = arithmetic(FloatMode::Default, &Options::default(), body);
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
    check(&body("subtract"), &["arith.mulf", "arith.negf", "math.fma"], |a, b, c| (-b).mul_add(c, a * b));
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
fn exact_modules_and_machines_without_the_instruction_are_not_contracted() {
    let body =
        format!("%0 = stablehlo.multiply %a, %b : {T}\n%1 = stablehlo.add %0, %c : {T}\nreturn %1 : {T}");
    let plain = Options { contract: false, ..Options::default() };
    for (mode, options) in [(FloatMode::Exact, Options::default()), (FloatMode::Relaxed, plain)] {
        let (found, results) = arithmetic(mode, &options, &body);
        assert_eq!(found, ["arith.mulf", "arith.addf"]);
        let [a, b, c] = inputs();
        assert!((0..1000).all(|k| results[k].to_bits() == (a[k] * b[k] + c[k]).to_bits()));
    }
}

#[test]
fn sums_of_products_are_fused_into_the_accumulator() {
    let body = format!(
        "%z = stablehlo.constant dense<0.0> : tensor<f64>\n%0 = stablehlo.multiply %a, %b : {T}\n\
         %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : ({T}, tensor<f64>) -> tensor<f64>\n\
         %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f64>) -> {T}\nreturn %2 : {T}"
    );
    let (found, _) = arithmetic(FloatMode::Default, &Options::default(), &body);
    assert!(found.contains(&"math.fma") && !found.contains(&"arith.mulf"), "{found:?}");
}
