//! Reductions by functions of the program: what each result is folded of is folded in order, however results lie and
//! whatever is made of them, as the interpreter does it.

use crate::vector_code::parsed;
use wengert::{DType, Tensor};
use wengert_ir::testing::Random;
use wengert_ir::types::TensorType;

/// Compiled code gives the interpreter's bits.
#[track_caller]
fn agrees(text: &str, args: &[Tensor]) {
    let program = parsed(text);
    let compiled = program.lower().and_then(|l| l.compile()).and_then(|c| c.call(args));
    let compiled = compiled.unwrap_or_else(|e| panic!("{e}\n{text}"));
    let interpreted = program.interpret(args).unwrap_or_else(|e| panic!("{e}\n{text}"));
    for (a, b) in compiled.iter().zip(&interpreted) {
        let wide = |t: &Tensor| -> Vec<u64> {
            t.astype(DType::F64).to_vec::<f64>().iter().map(|x| x.to_bits()).collect()
        };
        assert_eq!(wide(a), wide(b), "{text}");
    }
}

/// Numbers of which many are equal.
fn random(dtype: DType, shape: &[usize], seed: u64) -> Tensor {
    let array = Random(seed).array(&TensorType::new(DType::F64, shape), -9.0, 9.0);
    let rounded: Vec<f64> = array.as_slice::<f64>().iter().map(|x| x.round()).collect();
    Tensor::new(shape, &rounded).astype(dtype)
}

fn of(shape: &[usize], dtype: &str) -> String {
    let sizes: String = shape.iter().map(|n| format!("{n}x")).collect();
    format!("tensor<{sizes}{dtype}>")
}

/// The least element and where it is, as JAX writes it, and a sum in which the last elements count most.
fn folds(dtype: &str, shape: &[usize], dims: &[usize]) -> String {
    let kept: Vec<usize> = (0..shape.len()).filter(|d| !dims.contains(d)).map(|d| shape[d]).collect();
    let (all, one, scalar) = (of(shape, dtype), of(&kept, dtype), of(&[], dtype));
    let (places, place) = (of(shape, "i32"), of(&kept, "i32"));
    let kind = if dtype == "i32" { "SIGNED" } else { "FLOAT" };
    let (half, top) = if dtype == "i32" { ("3", "1000") } else { ("0.5", "1.0e3") };
    format!(
        "func.func @main(%x: {all}) -> ({one}, {place}, {one}) {{
    %top = stablehlo.constant dense<{top}> : {scalar}
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %i = stablehlo.iota dim = {last} : {places}
    %0:2 = stablehlo.reduce(%x init: %top), (%i init: %zero) across dimensions = {dims:?} : ({all}, {places}, {scalar}, tensor<i32>) -> ({one}, {place})
     reducer(%a: {scalar}, %b: {scalar}) (%j: tensor<i32>, %k: tensor<i32>)  {{
      %1 = stablehlo.compare LT, %a, %b, {kind} : ({scalar}, {scalar}) -> tensor<i1>
      %2 = stablehlo.compare NE, %a, %a, {kind} : ({scalar}, {scalar}) -> tensor<i1>
      %3 = stablehlo.or %1, %2 : tensor<i1>
      %4 = stablehlo.compare EQ, %a, %b, {kind} : ({scalar}, {scalar}) -> tensor<i1>
      %5 = stablehlo.compare LT, %j, %k, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = stablehlo.and %4, %5 : tensor<i1>
      %7 = stablehlo.or %3, %6 : tensor<i1>
      %8 = stablehlo.select %3, %a, %b : tensor<i1>, {scalar}
      %9 = stablehlo.select %7, %j, %k : tensor<i1>, tensor<i32>
      stablehlo.return %8, %9 : {scalar}, tensor<i32>
    }}
    %half = stablehlo.constant dense<{half}> : {scalar}
    %10 = stablehlo.reduce(%x init: %top) across dimensions = {dims:?} : ({all}, {scalar}) -> {one}
     reducer(%a: {scalar}, %b: {scalar})  {{
      %11 = stablehlo.multiply %a, %half : {scalar}
      %12 = stablehlo.add %11, %b : {scalar}
      stablehlo.return %12 : {scalar}
    }}
    return %0#0, %0#1, %10 : {one}, {place}, {one}
}}",
        last = shape.len() - 1,
    )
}

#[test]
fn rows_and_columns() {
    for (dtype, name) in [(DType::F32, "f32"), (DType::F64, "f64"), (DType::I32, "i32")] {
        for many in [1, 3, 4, 15, 16, 33, 77] {
            for few in [1, 2, 7, 8, 16, 40] {
                agrees(&folds(name, &[many, few], &[1]), &[random(dtype, &[many, few], 3)]);
                agrees(&folds(name, &[few, many], &[0]), &[random(dtype, &[few, many], 4)]);
            }
        }
        for (shape, dims) in [
            (&[3, 5, 40][..], &[0, 2][..]),
            (&[5, 40, 3], &[0, 2]),
            (&[2, 3, 40], &[0, 1]),
            (&[40, 2, 3], &[1, 2]),
            (&[4, 30, 20], &[1]),
            (&[9, 9], &[0, 1]),
            (&[0, 20], &[0]),
            (&[20, 0], &[0]),
        ] {
            agrees(&folds(name, shape, dims), &[random(dtype, shape, 5)]);
        }
    }
}

/// NaN comes first, and the first of several.
#[test]
fn rows_with_nan() {
    for (shape, dims) in [([40, 6], 1), ([6, 40], 0), ([40, 60], 1), ([60, 40], 0)] {
        let x = random(DType::F32, &shape, 6);
        let nan = x.greater(7.0).select(Tensor::from(f32::NAN), &x);
        agrees(&folds("f32", &shape, &[dims]), &[nan]);
    }
}

/// A loop carries what each step makes of all that it was: results do not lie where elements are still to be read.
#[test]
fn a_loop_carries_the_results() {
    for n in [4, 6, 15, 16, 40, 100] {
        for (dim, along) in [(1, 1), (0, 0), (1, 0), (0, 1)] {
            let (v, m, i) = (of(&[n], "f32"), of(&[n, n], "f32"), of(&[n, n], "i32"));
            let at = of(&[n], "i32");
            let text = format!(
                "func.func @main(%c: {v}, %w: {m}) -> ({v}, {at}) {{
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %start = stablehlo.constant dense<0> : {at}
    %0:3 = stablehlo.while(%k = %zero, %s = %c, %t = %start) : tensor<i32>, {v}, {at}
    cond {{
      %five = stablehlo.constant dense<5> : tensor<i32>
      %1 = stablehlo.compare LT, %k, %five, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }} do {{
      %top = stablehlo.constant dense<0x7F800000> : tensor<f32>
      %none = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.broadcast_in_dim %s, dims = [{along}] : ({v}) -> {m}
      %2 = stablehlo.add %1, %w : {m}
      %3 = stablehlo.iota dim = {dim} : {i}
      %4:2 = stablehlo.reduce(%2 init: %top), (%3 init: %none) across dimensions = [{dim}] : ({m}, {i}, tensor<f32>, tensor<i32>) -> ({v}, {at})
       reducer(%a: tensor<f32>, %b: tensor<f32>) (%p: tensor<i32>, %q: tensor<i32>)  {{
        %5 = stablehlo.compare LE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %6 = stablehlo.select %5, %a, %b : tensor<i1>, tensor<f32>
        %7 = stablehlo.select %5, %p, %q : tensor<i1>, tensor<i32>
        stablehlo.return %6, %7 : tensor<f32>, tensor<i32>
      }}
      %8 = stablehlo.add %4#1, %t : {at}
      %one = stablehlo.constant dense<1> : tensor<i32>
      %9 = stablehlo.add %k, %one : tensor<i32>
      stablehlo.return %9, %4#0, %8 : tensor<i32>, {v}, {at}
    }}
    return %0#1, %0#2 : {v}, {at}
}}"
            );
            agrees(&text, &[random(DType::F32, &[n], 7), random(DType::F32, &[n, n], 8)]);
        }
    }
}

/// A function that hands on what it is given is no code at all, and is still not written out for millions of elements.
#[test]
fn what_takes_no_instruction_is_not_written_out() {
    let text = "func.func @main(%x: tensor<1000000x16xi8>, %s: tensor<i8>) -> tensor<16xi8> {
    %0 = stablehlo.reduce(%x init: %s) across dimensions = [0] : (tensor<1000000x16xi8>, tensor<i8>) -> tensor<16xi8>
     reducer(%a: tensor<i8>, %b: tensor<i8>)  {
      stablehlo.return %b : tensor<i8>
    }
    return %0 : tensor<16xi8>
}";
    let code = parsed(text).lower().unwrap().program().to_string();
    assert!(code.len() < 20_000, "{} bytes of code", code.len());
    let short = text.replace("1000000", "20");
    let x: Vec<i32> = (0..320).map(|i| i * 7 % 100).collect();
    let x = Tensor::new(&[20, 16], &x).astype(DType::I8);
    agrees(&short, &[x, Tensor::new(&[], &[0]).astype(DType::I8)]);
}
