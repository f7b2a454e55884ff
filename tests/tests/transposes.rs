//! What lies across: transposes of every length, alone and with arithmetic, padded and cut, have the interpreter's bits and are vector
//! code that takes blocks.

use crate::vector_code::{has_512_bits, parsed, slow};
use wengert::{DType, Tensor};
use wengert_ir::kernel::{KOp, LoopKind};

/// Compiled code gives the interpreter's bits.
#[track_caller]
fn agrees(text: &str, args: &[Tensor]) {
    let program = parsed(text);
    let compiled = program.lower().and_then(|l| l.compile()).and_then(|c| c.call(args));
    let compiled = compiled.unwrap_or_else(|e| panic!("{e}\n{text}"));
    let interpreted = program.interpret(args).unwrap_or_else(|e| panic!("{e}\n{text}"));
    for (a, b) in compiled.iter().zip(&interpreted) {
        let wide = |t: &Tensor| t.astype(DType::F64).to_vec::<f64>();
        assert_eq!(wide(a), wide(b), "{text}");
    }
}

/// Numbers that are all different.
fn numbered(dtype: DType, shape: &[usize]) -> Tensor {
    let all: Vec<f64> = (0..shape.iter().product()).map(|k| k as f64 * 0.5).collect();
    Tensor::new(shape, &all).astype(dtype)
}

/// A matrix turned: alone, with arithmetic on both sides, beside a matrix that lies the other way, and padded.
fn turned(m: usize, n: usize, dtype: &str) -> String {
    let (from, to) = (format!("tensor<{m}x{n}x{dtype}>"), format!("tensor<{n}x{m}x{dtype}>"));
    let zero = if dtype.starts_with('f') { "0.0" } else { "0" };
    let padded = format!("tensor<{}x{}x{dtype}>", n + 3, m + 1);
    format!(
        "func.func @main(%x: {from}, %y: {to}) -> ({to}, {to}, {padded}) {{
    %0 = stablehlo.transpose %x, dims = [1, 0] : ({from}) -> {to}
    %1 = stablehlo.add %x, %x : {from}
    %2 = stablehlo.transpose %1, dims = [1, 0] : ({from}) -> {to}
    %3 = stablehlo.multiply %2, %y : {to}
    %zero = stablehlo.constant dense<{zero}> : tensor<{dtype}>
    %4 = stablehlo.pad %0, %zero, low = [1, 0], high = [2, 1], interior = [0, 0] : ({to}, tensor<{dtype}>) -> {padded}
    return %0, %3, %4 : {to}, {to}, {padded}
}}"
    )
}

#[test]
fn matrices() {
    const SIZES: [usize; 9] = [1, 4, 7, 8, 12, 16, 31, 40, 65];
    let types = [(DType::F32, "f32"), (DType::F64, "f64"), (DType::I32, "i32"), (DType::I16, "i16")];
    for (dtype, name) in types {
        for (m, n) in SIZES.iter().flat_map(|&m| SIZES.map(|n| (m, n))) {
            agrees(&turned(m, n, name), &[numbered(dtype, &[m, n]), numbered(dtype, &[n, m])]);
        }
    }
}

#[test]
fn more_dimensions() {
    for dims in [[2, 1, 0], [1, 0, 2], [0, 2, 1], [2, 0, 1], [1, 2, 0]] {
        for shape in [[3, 8, 50], [40, 4, 8], [17, 20, 9], [8, 3, 64]] {
            let to = dims.map(|d| shape[d]);
            let ty = |s: [usize; 3]| format!("tensor<{}x{}x{}xf32>", s[0], s[1], s[2]);
            let text = format!(
                "func.func @main(%x: {from}) -> {to} {{
    %0 = stablehlo.transpose %x, dims = {dims:?} : ({from}) -> {to}
    return %0 : {to}
}}",
                from = ty(shape),
                to = ty(to)
            );
            agrees(&text, &[numbered(DType::F32, &shape)]);
        }
    }
}

/// Stores lie across: rows of the result are short, and the long loop is the innermost.
#[test]
fn results_lie_across() {
    for (many, few) in [(1000, 8), (4000, 8), (333, 4), (100, 12), (5000, 16)] {
        for (dtype, name) in [(DType::F32, "f32"), (DType::F64, "f64")] {
            let (from, to) = (format!("tensor<{few}x{many}x{name}>"), format!("tensor<{many}x{few}x{name}>"));
            let text = format!(
                "func.func @main(%x: {from}) -> {to} {{
    %0 = stablehlo.transpose %x, dims = [1, 0] : ({from}) -> {to}
    return %0 : {to}
}}"
            );
            agrees(&text, &[numbered(dtype, &[few, many])]);
        }
    }
}

/// How many elements the innermost loops store in an iteration.
fn abreast(text: &str) -> Vec<usize> {
    let lowered = parsed(text).lower().expect("it lowers");
    let mut stores = Vec::new();
    for kernel in lowered.program().kernels.values() {
        kernel.body.visit(&mut |inst| {
            if let KOp::For(l) = &inst.op
                && l.kind == LoopKind::Vector
            {
                stores.push(l.body.insts.iter().filter(|i| matches!(i.op, KOp::Store(_))).count());
            }
        });
    }
    stores.sort_unstable();
    stores
}

#[test]
fn blocks_are_taken() {
    let turn = |m: usize, n: usize, dtype: &str| {
        format!(
            "func.func @main(%x: tensor<{m}x{n}x{dtype}>) -> tensor<{n}x{m}x{dtype}> {{
    %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<{m}x{n}x{dtype}>) -> tensor<{n}x{m}x{dtype}>
    return %0 : tensor<{n}x{m}x{dtype}>
}}"
        )
    };
    assert_eq!(abreast(&turn(500, 256, "f32")), [16]);
    assert_eq!(abreast(&turn(500, 250, "f32")), [1, 8, 16]);
    assert_eq!(abreast(&turn(4000, 8, "f32")), [8]);
    assert_eq!(abreast(&turn(8, 4000, "f32")), [8]);
    assert_eq!(abreast(&turn(500, 256, "f64")), [8]);
    if has_512_bits() {
        for text in [turn(500, 256, "f32"), turn(8, 4000, "f32"), turn(300, 12, "f64"), turn(4, 3000, "f64")]
        {
            assert_eq!(slow(&parsed(&text)), Vec::<String>::new(), "{text}");
        }
    }
}
