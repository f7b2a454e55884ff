//! Text, verifier and interpreter of the kernel IR together.

use super::interp::{Options, run, run_with};
use super::text::{parse, print};
use super::verify::verify;
use super::{BLOCK, LANES, Program};
use crate::array::Array;
use crate::testing::Random;
use crate::types::{DType, TensorType};

const ALL: &str = include_str!("tests/all.kir");

fn read(source: &str) -> Program {
    parse(source).unwrap_or_else(|e| panic!("{e}\n{source}"))
}

fn args() -> Vec<Array> {
    let mut random = Random(1);
    vec![
        random.array(&TensorType::new(DType::F64, &[20]), -1.0, 1.0),
        random.array(&TensorType::new(DType::F32, &[4, 6]), -1.0, 1.0),
        Array::scalar(1i32),
    ]
}

#[test]
fn text_loses_nothing() {
    let program = read(ALL);
    verify(&program).unwrap_or_else(|e| panic!("{}", e.join("\n")));
    let text = print(&program);
    let again = read(&text);
    assert_eq!(again, program, "{text}");
    assert_eq!(program.to_string(), text);
}

#[test]
fn the_interpreter_follows_the_text() {
    let program = read(ALL);
    let args = args();
    let out = run(&program, &args).unwrap();
    let (a, b) = (args[0].as_slice::<f64>(), args[1].as_slice::<f32>());
    let (x, product, counts) = (out[0].as_slice::<f64>(), out[1].as_slice::<f32>(), out[2].as_slice::<i64>());
    // 20 squares: lane l holds those of l and l + 16.
    let mut lanes: Vec<f64> = (0..LANES).map(|l| a[l].mul_add(a[l], -0.0)).collect();
    (LANES..20).for_each(|i| lanes[i - LANES] = a[i].mul_add(a[i], lanes[i - LANES]));
    for w in [8, 4, 2, 1] {
        (0..w).for_each(|l| lanes[l] += lanes[l + w]);
    }
    assert_eq!(x[0].to_bits(), lanes[0].sqrt().to_bits());
    for i in 1..20 {
        assert!((x[i] - (2.0 * a[i]).exp().atan2(2.0 * a[i])).abs() < 1e-14);
    }
    let column = [1.0, 2.0, 3.0, 4.0, 0.0, 1.0f32];
    for i in 0..4 {
        let row = &b[i * 6..i * 6 + 6];
        let dot: f32 = row.iter().zip(column).fold(0.0, |s, (x, y)| s + x * y);
        assert_eq!(product[i * 3..i * 3 + 3], [dot, row[5], -dot]);
    }
    // The Collatz path from 27 takes 111 steps; after 100 it is at 53's path. Two's bits are 1 << 62.
    let mut n = 27i64;
    let mut most = 0;
    for k in 0..100 {
        if k % 10 == 0 {
            most = most.max(n);
        }
        n = if n % 2 == 1 { 3 * n + 1 } else { n / 2 };
    }
    assert_eq!(counts, [100, n, 100, 47, 82, 1, most, 0]);
    for piece in [None, Some(1), Some(5), Some(16)] {
        for backwards in [false, true] {
            assert_eq!(run_with(&program, &args, Options { piece, backwards }).unwrap(), out);
        }
    }
}

/// A program around the body of its entry, with memory of 8 doubles to read and 8 to write.
fn around(body: &str) -> String {
    format!(
        "program @p(tensor<8xf64>) -> (tensor<8xf64>) mode exact scratch 64 entry @main {{
           mem0 = param 0 : memref<8xf64>
           mem1 = result 0 : memref<8xf64>
           mem2 = constant \"0x00000000\" : memref<1xi32>
           mem3 = stack : memref<2xf64>
           func @two(%n: i64) {{
             %x = param 0 : memref<4xf64>
             %y = param 1 : memref<4xf64>
             scf.for vector %i = 0 to 4 step 1 {{
               %v = memref.load %x[%i] : f64
               memref.store %v, %y[%i] : f64
             }}
           }}
           func @main() {{
             %a = program mem0 : memref<8xf64>
             %r = program mem1 : memref<8xf64>
             %c = program mem2 : memref<1xi32>
             %s = program mem3 : memref<2xf64>
             %zero = arith.constant 0 : i64
             %f = arith.constant 0.5 : f64
             %yes = arith.constant true : i1
             {body}
           }}
         }}"
    )
}

/// What the verifier says of a body, by a part of the message.
#[test]
fn the_verifier_names_what_is_wrong() {
    for (body, message) in [
        ("%x = arith.addf %zero, %zero : f64", "does not take [I64, I64] and give [F64]"),
        ("%x = arith.addi %yes, %yes : i1", "does not take"),
        ("%x = arith.divui %f, %f : f64", "does not take"),
        ("%x = arith.cast_signed %yes : i1 to i64", "does not take"),
        ("%x = arith.bitcast %f : f64 to i32", "does not take"),
        ("%x = arith.cmp LT, FLOAT, %zero, %zero : i64", "does not take"),
        ("%x = arith.select %zero, %f, %f : f64", "does not take"),
        ("%x = memref.load %a[8] : f64", "access to 8..=8 of %m0, which has 8"),
        ("%x = memref.load %a[-1] : f64", "access to -1..=-1"),
        ("%x = memref.load %a[0] : f32", "does not take [] and give [F32]"),
        ("%x = memref.load %a[%f] : f64", "is f64, not i64"),
        ("%x = memref.load %a[%zero + %zero] : f64", "occurs twice"),
        ("memref.store %f, %a[0] : f64", "read-only"),
        ("memref.store %f, %r[%zero + 8] : f64", "access to 8..=8"),
        ("scf.for %i = 0 to 9 step 1 { %x = memref.load %a[%i] : f64 }", "access to 0..=8"),
        ("scf.for %i = 0 to 4 step 0 { %x = memref.load %a[%i] : f64 }", "step 0"),
        ("scf.for %i = 0 to %f step 1 { %x = memref.load %a[0] : f64 }", "is f64, not i64"),
        ("scf.for %i = 0 to 9 step 1 { } memref.store %f, %r[%i] : f64", "is not defined here"),
        ("%x = scf.for %i = 0 to 9 step 1 iter(%k = %f) -> (f64) { scf.yield %i }", "a block yields"),
        ("%x = scf.for vector %i = 0 to 9 step 1 iter(%k) -> (f64) { scf.yield %f }", "carry nothing"),
        (
            "%x = scf.for lanes(minui) %i = 0 to 9 step 1 iter(%k) -> (f64) { scf.yield %k }",
            "[MinU] of [F64]",
        ),
        ("%x = scf.for lanes(add) %i = 0 to 900 step 1 iter(%k) -> (f64) { scf.yield %k }", "900 iterations"),
        ("%x = scf.while (%k = %f) -> (f64) { scf.yield %k } do (%l) { scf.yield %l }", "a block yields"),
        ("%x = scf.index_switch %f -> (i64) { scf.yield %zero }", "does not take [F64]"),
        ("%x = scf.index_switch %zero -> (f64) { scf.yield %zero }", "a block yields"),
        ("func.call @two(%a[0]; %zero)", "takes 2 memories, not 1"),
        ("func.call @two(%a[0], %r[0]; %f)", "takes [I64], not [F64]"),
        ("func.call @two(%a[5], %r[0]; %zero)", "access to 5..=8"),
        ("func.call @two(%c[0], %r[0]; %zero)", "is of Some(I32)"),
        ("func.call @main(;)", "calls itself"),
        ("scf.parallel @two to 4 grain 1 (%a[0], %r[0];)", "takes [I64], not [I64, I64]"),
        ("memref.reserve %a, %zero", "does not take"),
        ("library.gemm f64 [1, 2, 2, 3] (%a[0], 3, 1, 0) (%a[0], 2, 1, 0) (%a[0], 2, 1, 0)", "read-only"),
        (
            "library.gemm f64 [1, 2, 2, 5] (%a[0], 5, 1, 0) (%a[0], 1, 1, 0) (%r[0], 2, 1, 0) adds",
            "access to 0..=9",
        ),
        ("library.tile math.exp %a[4] to %r[0] len 5", "access to 4..=8"),
        ("library.tile math.exp %c[0] to %r[0] len 1", "is of Some(I32)"),
    ] {
        let program = read(&around(body));
        let errors = verify(&program).expect_err(body).join("\n");
        assert!(errors.contains(message), "{body}: {errors}");
        assert_eq!(read(&print(&program)), program, "{body}");
    }
    verify(&read(&around("func.call @two(%a[4], %r[0]; %zero)"))).unwrap();
}

#[test]
fn the_parser_says_where() {
    for (body, message) in [
        ("%x = arith.frob %f : f64", "22:19: there is no instruction `arith.frob`"),
        ("%x = arith.addf %f, %g : f64", "22:34: `%g` is not defined yet"),
        ("%f = arith.addf %f, %f : f64", "`%f` is defined twice"),
        ("%x = arith.constant 2 : i1", "`2` is not a constant of type i1"),
        ("%x, %y = arith.addf %f, %f : f64", "gives 1 values, not 2"),
        ("memref.store %f, %r[0] : f32", "the operand is f64, not f32"),
        ("func.call @three(;)", "there is no kernel `@three`"),
        ("%x = program mem9 : memref<1xf64>", "there is no such memory"),
        ("%x = local : memref<99999999999x99999999999xf64>", "does not fit"),
    ] {
        let error = parse(&around(body)).expect_err(body);
        assert!(error.to_string().contains(message), "{body}: {error}");
    }
    let deep = "scf.index_switch %zero -> () { ".repeat(1000) + &"} ".repeat(1000);
    let error = parse(&around(&deep)).unwrap_err();
    assert!(error.message.contains("nest deeper than 256"), "{error}");
}

/// Whatever is done to text, the parser answers, and what it accepts can be verified and printed.
#[test]
fn the_parser_survives_anything() {
    let mut random = Random(9);
    let bytes = ALL.as_bytes();
    for _ in 0..3000 {
        let mut text = bytes.to_vec();
        for _ in 0..1 + random.bits() % 3 {
            let at = random.bits() as usize % text.len();
            match random.bits() % 4 {
                0 => text.truncate(at.max(1)),
                1 => text[at] = bytes[random.bits() as usize % bytes.len()],
                2 => {
                    text.remove(at);
                }
                _ => text.insert(at, b"%@{}[]()<>0-x\"\\\n"[random.bits() as usize % 16]),
            }
        }
        let text = String::from_utf8_lossy(&text);
        if let Ok(program) = parse(&text)
            && verify(&program).is_ok()
        {
            assert_eq!(read(&print(&program)), program);
        }
    }
}

#[test]
fn the_interpreter_polices_promises() {
    let x = [Array::zeros(TensorType::new(DType::F64, &[8]))];
    for (body, message) in
        [("func.call @two(%r[0], %r[3]; %zero)", "overlap"), ("%x = memref.load %s[0] : f64", "which has 0")]
    {
        let error = run(&read(&around(body)), &x).expect_err(body).to_string();
        assert!(error.contains(message), "{body}: {error}");
    }
    let unknown = around(
        "%n = memref.load %c[0] : i32 %w = arith.cast_signed %n : i32 to i64 memref.store %f, %r[%w + -1] : f64",
    );
    let program = read(&unknown);
    verify(&program).unwrap();
    assert!(run(&program, &x).unwrap_err().to_string().contains("at -1"));
    // Nobody wrote the result: it reads as NaN.
    assert!(run(&read(&around("")), &x).unwrap()[0].as_slice::<f64>()[0].is_nan());
    const { assert!(BLOCK.is_multiple_of(LANES)) };
}
