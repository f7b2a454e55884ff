//! Text, verifier and interpreter of the kernel IR together.

use super::interp::{Options, run, run_with};
use super::text::{parse, print};
use super::verify::verify;
use super::{BLOCK, LANES, Program};
use crate::array::Array;
use crate::testing::Random;
use crate::types::{DType, TensorType};

mod damaged;
mod launch;

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

/// What is counted: work known before, at the start; a trip of a `while` as a step and its work; a loop whose length is a value
/// by that; a branch that is expensive, in it; work for several threads before they begin.
#[test]
fn steps_are_counted_where_work_becomes_known() {
    let program = read(
        &around(
            "scf.for %i = 0 to 1000 step 1 {
           %v = memref.load %a[0] : f64
           %w = arith.addf %v, %f : f64
           memref.store %w, %r[0] : f64
         }
         scf.parallel @twice to 3000 grain 1 (%a[0], %r[0]; )
         %n = scf.while (%k = %zero) -> (i64) {
           %go = arith.cmp LT, SIGNED, %k, %zero : i64
           scf.yield %go
         } do (%m) {
           %next = arith.addi %m, %m : i64
           %mask = arith.constant 1023 : i64
           %some = arith.andi %m, %mask : i64
           scf.for %j = 0 to %some step 2 {
             scf.for %l = 0 to 5000 step 1 {
               %u = memref.load %a[0] : f64
               memref.store %u, %r[0] : f64
             }
           }
           %d = scf.index_switch %m -> (i64) {
             scf.yield %m
           } {
             scf.for %q = 0 to 2000 step 1 {
               memref.store %f, %r[0] : f64
             }
             scf.yield %m
           }
           scf.yield %d
         }",
        )
        .replace(
            "func @main",
            "func @twice(%lo: i64, %hi: i64) {
           %x = param 0 : memref<8xf64>
           %y = param 1 : memref<8xf64>
           scf.for vector %i = %lo to %hi step 1 {
             %v = memref.load %x[0] : f64
             memref.store %v, %y[0] : f64
           }
         }
         func @main",
        ),
    );
    let counted = super::count::counted(&program);
    verify(&counted).unwrap_or_else(|e| panic!("{}", e.join("\n")));
    let text = print(&counted);
    verify(&read(&text)).unwrap_or_else(|e| panic!("{}", e.join("\n")));
    let found: Vec<&str> = text.lines().map(str::trim).filter(|l| l.starts_with("wengert.steps")).collect();
    let prefixes =
        ["wengert.steps 9000", "wengert.steps 1028", "wengert.steps 5000, %", "wengert.steps 2000"];
    assert_eq!(found.len(), prefixes.len(), "{text}");
    for (found, prefix) in found.iter().zip(prefixes) {
        assert!(found.starts_with(prefix), "{found}, not {prefix}:\n{text}");
    }
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
        // Levels that leave a memory.
        (
            "library.gemm f64 [1, 2, 2, 2] (%a[0], 1, 1, 0) (%a[0], 2, 1, 0) (%r[0], 2, 1, 0) rows [(2, 7, 4)]",
            "access to 0..=9",
        ),
        (
            "library.gemm f64 [1, 2, 1, 2] (%a[0], 1, 1, 0) (%a[0], 1, 1, 0) (%r[0], 2, 1, 0) sum [(3, 1, 4)]",
            "access to 0..=9",
        ),
        (
            "library.gemm f64 [1, 2, 1, 2] (%a[0], 1, 1, 0) (%a[0], 1, 1, 0) (%r[0], 1, 1, 0) rows [(4, 1, 3)]",
            "access to 0..=10",
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

/// Positions that depend on the value of an argument, sizes that do, and memory that is not the kernel's to write.
const LEAVING: &[(&str, &str)] = &[
    // What a test says holds within the loop that it guards, and says no more than it says.
    (
        "%p = arith.cmp LT, UNSIGNED, %w, %eight : i64 %n = arith.cast_unsigned %p : i1 to i64
         scf.for %i = 0 to %n step 1 { %x = memref.load %a[%w] : f64 } %y = memref.load %a[%w] : f64",
        "access to -2147483648..=2147483647 of %m0, which has 8",
    ),
    (
        "%nine = arith.addi %eight, %one : i64 %p = arith.cmp LT, UNSIGNED, %w, %nine : i64
         %n = arith.cast_unsigned %p : i1 to i64 scf.for %i = 0 to %n step 1 { %x = memref.load %a[%w] : f64 }",
        "access to 0..=8",
    ),
    (
        "%p = arith.cmp LT, SIGNED, %w, %eight : i64 %n = arith.cast_unsigned %p : i1 to i64
         scf.for %i = 0 to %n step 1 { %x = memref.load %a[%w] : f64 }",
        "access to -2147483648",
    ),
    (
        "%p = arith.cmp LT, UNSIGNED, %w, %eight : i64 %n = arith.cast_signed %p : i1 to i64
         scf.for %i = 0 to %n step 1 { %x = memref.load %a[%w] : f64 }",
        "access to -2147483648",
    ),
    (
        "%p = arith.cmp LT, UNSIGNED, %w, %eight : i64 %u = memref.load %t[0] : i1 %both = arith.ori %p, %u : i1
         %n = arith.cast_unsigned %both : i1 to i64
         scf.for %i = 0 to %n step 1 { %x = memref.load %a[%w] : f64 }",
        "access to -2147483648",
    ),
    ("%x = memref.load %a[%w] : f64", "access to -2147483648..=2147483647 of %m0, which has 8"),
    ("%i = arith.maxsi %w, %zero : i64 %x = memref.load %a[%i] : f64", "access to 0..=2147483647"),
    ("%i = arith.minsi %w, %seven : i64 memref.store %f, %r[%i] : f64", "access to -2147483648..=7"),
    // Eight is not seven, and a product may wrap before it is cut.
    ("%i = arith.andi %w, %eight : i64 %x = memref.load %a[%i] : f64", "access to 0..=8"),
    (
        "%q = arith.muli %w, %huge : i64 %i = arith.minsi %q, %seven : i64 %x = memref.load %a[%i] : f64",
        "access to -9223372036854775808..=7",
    ),
    ("%i = arith.remsi %w, %eight : i64 %x = memref.load %a[%i] : f64", "access to -7..=7"),
    ("%i = arith.remui %w, %w : i64 %x = memref.load %a[%i] : f64", "access to"),
    ("%i = arith.subi %seven, %k0 : i64 %x = memref.load %a[%i + 1] : f64", "access to 1..=8"),
    // The byte of a truth value may be any.
    (
        "%b = memref.load %t[0] : i1 %i = arith.cast_unsigned %b : i1 to i64 %x = memref.load %a[%i] : f64",
        "access to 0..=255",
    ),
    ("scf.for %i = 0 to %w step 1 { %x = memref.load %a[%i] : f64 }", "access to 0..=2147483646"),
    ("scf.for %i = %w to 8 step 1 { %x = memref.load %a[%i] : f64 }", "access to -2147483648..=7"),
    ("scf.for %i = 0 to %huge step 1 { }", "loops count between -2^60 and 2^60"),
    ("scf.for %i = 0 to 8 step 8589934592 { }", "step 8589934592"),
    (
        "%x = scf.for lanes(add) %i = 0 to 1025 step 2 iter(%k) -> (f64) { scf.yield %k }",
        "513 iterations in a block of 512",
    ),
    // A counter that grows by two, one that starts too high, one that shrinks.
    (
        "%n = scf.while (%k = %zero) -> (i64) { scf.yield %yes } do (%l) { %m = arith.addi %l, %two : i64 scf.yield %m } \
         %i = arith.minsi %n, %seven : i64 %x = memref.load %a[%i] : f64",
        "access to -9223372036854775808..=7",
    ),
    (
        "%n = scf.while (%k = %w) -> (i64) { scf.yield %yes } do (%l) { %m = arith.addi %l, %one : i64 scf.yield %m } \
         %i = arith.minsi %n, %seven : i64 %x = memref.load %a[%i] : f64",
        "access to -2147483648..=7",
    ),
    (
        "%n = scf.for %j = 0 to 9 step 1 iter(%k = %zero) -> (i64) { %m = arith.subi %k, %one : i64 scf.yield %m } \
         %i = arith.minsi %n, %seven : i64 %x = memref.load %a[%i] : f64",
        "access to -9223372036854775808..=7",
    ),
    (
        "%n = scf.index_switch %zero -> (i64) { scf.yield %one } { scf.yield %eight } %x = memref.load %a[%n] : f64",
        "access to 1..=8",
    ),
    ("%n = arith.select %yes, %w, %one : i64 %x = memref.load %a[%n] : f64", "access to"),
    // Stacks: no room, too little, room elsewhere, room of a negative number of rows, and rows before the first.
    ("%x = memref.load %s[0] : f64", "access to 0..=0 of %m3, which has rows that room was made for"),
    ("memref.reserve %s, %two %x = memref.load %s[4] : f64", "access to 4..=4"),
    (
        "scf.for %i = 0 to 9 step 1 { memref.reserve %s, %two } %x = memref.load %s[0] : f64",
        "access to 0..=0",
    ),
    ("memref.reserve %s, %w %x = memref.load %s[0] : f64", "access to 0..=0"),
    (
        "memref.reserve %s, %w scf.for %i = 0 to %w step 1 { %x = memref.load %s[%i * 2 + 2] : f64 }",
        "access to",
    ),
    ("memref.reserve %s, %w scf.for %i = -1 to %w step 1 { %x = memref.load %s[%i * 2] : f64 }", "access to"),
    ("func.call @grows(%r[0];)", "room in stacks is made by the entry only"),
    // What is only read here may not be written by who is called, nor by those that they call.
    ("func.call @two(%a[0], %a[4]; %zero)", "kernel `two`, "),
    ("func.call @twice(%a[0], %a[4];)", "kernel `two`, "),
    ("func.call @at(%a[0]; %w)", "kernel `at`, "),
    ("func.call @at(%a[0]; %seven) func.call @at(%a[0]; %eight)", "access to 7..=8"),
    ("scf.parallel @piece to 9 grain 1 (%a[0];)", "access to 0..=8"),
    ("scf.parallel @piece to %w grain 1 (%a[0];)", "access to 0..=2147483646"),
    ("scf.parallel @piece to 8 grain 0 (%a[0];)", "does not take"),
    ("library.tile math.exp %a[0] to %r[0] len %w", "a tile of -2147483648..=2147483647 elements"),
    ("%n = arith.maxsi %w, %zero : i64 library.tile math.exp %a[0] to %r[0] len %n", "access to"),
    ("library.tile math.exp %a[0] to %r[0] len -1", "a tile of -1..=-1 elements"),
    (
        "library.gemm f64 [1, 2, 2, 2] (%a[0], 2, -1, 0) (%a[0], 2, 1, 0) (%r[0], 2, 1, 0)",
        "a stride is negative",
    ),
    (
        "library.gemm f64 [1, 4294967296, 4294967296, 4] (%a[0], 0, 0, 0) (%a[0], 0, 0, 0) (%r[0], 0, 0, 0)",
        "a product whose size does not fit",
    ),
    (
        "library.gemm f64 [9223372036854775807, 1, 1, 1] (%a[0], 0, 0, 9223372036854775807) (%a[0], 0, 0, 0) (%r[0], 0, 0, 0)",
        "access to",
    ),
    ("library.gemm f64 [1, 2, 2, 0] (%a[0], 0, 0, 0) (%a[0], 0, 0, 0) (%r[5], 2, 1, 0)", "access to 5..=8"),
    ("library.gemm f64 [1, 2, 1, 1] (%a[0], 1, 1, 0) (%a[0], 1, 1, 0) (%r[0], 0, 1, 0)", "may lie in one place"),
    (
        "library.gemm f64 [1, 2, 2, 1] (%a[0], 1, 1, 0) (%a[0], 1, 1, 0) (%r[0], 2, 1, 0) rows [(2, 0, 3)]",
        "may lie in one place",
    ),
    (
        "library.gemm f64 [1, 2, 2, 1] (%a[0], 1, 1, 0) (%a[0], 1, 1, 0) (%r[0], 1, 2, 0) rows [(1, 0, 4)]",
        "columns do not lie together",
    ),
    (
        "library.gemm f64 [1, 1, 1, 1] (%a[0], 1, 1, 0) (%a[0], 1, 1, 0) (%r[0], 1, 1, 0) sum [(1, 0, 0), (1, 0, 0), (1, 0, 0), (1, 0, 0)]",
        "more than 3 levels",
    ),
    (
        "library.gemm f64 [1, 1, 1, 4294967296] (%a[0], 1, 0, 0) (%a[0], 0, 1, 0) (%r[0], 1, 1, 0) sum [(4294967296, 0, 0)]",
        "a product whose size does not fit",
    ),
    ("%l = local : memref<33000xf64>", "264064 bytes of local memory, 262144 at most"),
];

/// What needs a look at how a value is made: none of these leaves its memory.
const STAYING: &[&str] = &[
    // A loop of at most one trip, which there is if a test holds.
    "%p = arith.cmp LT, UNSIGNED, %w, %eight : i64 %n = arith.cast_unsigned %p : i1 to i64
     scf.for %i = 0 to %n step 1 { %x = memref.load %a[%w] : f64 %y = memref.load %a[%w + %i] : f64 }",
    "%p = arith.cmp LT, UNSIGNED, %w, %seven : i64 %j = arith.subi %w, %two : i64 %q = arith.cmp LT, UNSIGNED, %j, %two : i64
     %both = arith.andi %p, %q : i1 %n = arith.cast_unsigned %both : i1 to i64
     scf.for %i = 0 to %n step 1 { %x = memref.load %a[%w] : f64 %y = memref.load %a[%j] : f64 }",
    // What never holds guards anything.
    "%x = arith.subi %zero, %two : i64 %p = arith.cmp LT, UNSIGNED, %x, %eight : i64 %n = arith.cast_unsigned %p : i1 to i64
     scf.for %i = 0 to %n step 1 { %y = memref.load %a[%x] : f64 }",
    "%i = arith.maxsi %w, %zero : i64 %j = arith.minsi %i, %seven : i64 %x = memref.load %a[%j] : f64",
    "%i = arith.minui %w, %seven : i64 %x = memref.load %a[%i] : f64",
    "%i = arith.remui %w, %eight : i64 %x = memref.load %a[%i] : f64",
    "%i = arith.andi %w, %seven : i64 %j = arith.subi %seven, %i : i64 %x = memref.load %a[%j] : f64",
    "scf.for %i = 0 to 8 step 3 { %x = memref.load %a[%i + 1] : f64 }",
    "scf.for %i = 9 to 8 step 1 { %x = memref.load %a[%i + 100] : f64 }",
    // Part of a window of 3 that lies within 8 elements, wherever it starts.
    "%below = arith.constant -3 : i64 %three = arith.constant 3 : i64
     %up = arith.maxsi %w, %below : i64 %near = arith.minsi %up, %eight : i64
     %away = arith.subi %zero, %near : i64 %lo = arith.maxsi %away, %zero : i64
     %left = arith.subi %eight, %near : i64 %hi = arith.minsi %left, %three : i64
     scf.for vector %i = %lo to %hi step 1 { memref.store %f, %r[%near + %i] : f64 }",
    // Rows from the first to the last and back.
    "%n = arith.maxsi %w, %zero : i64 memref.reserve %s, %n
     scf.for %i = 0 to %n step 1 { scf.for %k = 0 to 2 step 1 { memref.store %f, %s[%i * 2 + %k] : f64 } }
     %last = arith.subi %n, %one : i64
     scf.for %i2 = 0 to %n step 1 { %j = arith.subi %last, %i2 : i64 %x = memref.load %s[%j * 2 + 1] : f64 }",
    "%n = scf.while (%k = %zero) -> (i64) { scf.yield %yes } do (%l) {
       %m = arith.addi %l, %one : i64 memref.reserve %s, %m memref.store %f, %s[%l * 2] : f64 scf.yield %m }",
    "func.call @two(%a[4], %r[0]; %zero)",
    "func.call @at(%a[0]; %seven) func.call @at(%a[0]; %zero)",
    "scf.parallel @piece to 8 grain 4 (%a[0];)",
    "%lo = arith.minui %w, %eight : i64 %len = arith.subi %eight, %lo : i64
     library.tile math.exp %a[%lo] to %r[%lo] len %len",
    "library.gemm f64 [1, 2, 2, 0] (%a[0], 0, 0, 0) (%a[0], 0, 0, 0) (%r[4], 2, 1, 0)",
    "library.gemm f64 [1, 2, 2, 2] (%a[0], 1, 1, 0) (%a[0], 2, 1, 0) (%r[0], 2, 1, 0) rows [(2, 2, 4)] sum [(2, 1, 1)]",
    "library.gemm f64 [1, 2, 2, 1] (%a[0], 1, 1, 0) (%a[0], 2, 1, 0) (%r[0], 2, 1, 0) rows [(0, 9, 9)] adds",
];

/// A program around a body, with an integer `%w` that an argument holds, and kernels to call.
fn given(body: &str) -> String {
    format!(
        "program @p(tensor<8xf64>, tensor<i32>, tensor<i1>) -> (tensor<8xf64>) mode exact scratch 0 entry @main {{
           mem0 = param 0 : memref<8xf64>
           mem1 = result 0 : memref<8xf64>
           mem2 = param 1 : memref<i32>
           mem3 = stack : memref<2xf64>
           mem4 = param 2 : memref<i1>
           func @two(%n: i64) {{
             %x = param 0 : memref<4xf64>
             %y = param 1 : memref<4xf64>
             scf.for vector %i = 0 to 4 step 1 {{
               %v = memref.load %x[%i] : f64
               memref.store %v, %y[%i] : f64
             }}
           }}
           func @twice() {{
             %x = param 0 : memref<4xf64>
             %y = param 1 : memref<4xf64>
             %zero = arith.constant 0 : i64
             func.call @two(%x[0], %y[0]; %zero)
           }}
           func @at(%i: i64) {{
             %x = param 0 : memref<8xf64>
             %v = memref.load %x[%i] : f64
           }}
           func @piece(%lo: i64, %hi: i64) {{
             %x = param 0 : memref<8xf64>
             scf.for %i = %lo to %hi step 1 {{ %v = memref.load %x[%i] : f64 }}
           }}
           func @grows() {{
             %x = param 0 : memref<8xf64>
             %s = program mem3 : memref<2xf64>
             %one = arith.constant 1 : i64
             memref.reserve %s, %one
           }}
           func @main() {{
             %a = program mem0 : memref<8xf64>
             %r = program mem1 : memref<8xf64>
             %c = program mem2 : memref<1xi32>
             %s = program mem3 : memref<2xf64>
             %t = program mem4 : memref<1xi1>
             %zero = arith.constant 0 : i64
             %one = arith.constant 1 : i64
             %two = arith.constant 2 : i64
             %seven = arith.constant 7 : i64
             %eight = arith.constant 8 : i64
             %huge = arith.constant 0x7fffffffffffffff : i64
             %f = arith.constant 0.5 : f64
             %yes = arith.constant true : i1
             %n32 = memref.load %c[0] : i32
             %w = arith.cast_signed %n32 : i32 to i64
             %k0 = arith.andi %w, %seven : i64
             {body}
           }}
         }}"
    )
}

/// Functions that nobody calls may be given anything, so they are left out.
fn called(body: &str) -> String {
    let text = given(body);
    let mut parts = text.split("           func @");
    let mut out = parts.next().expect("the memories").to_owned();
    for part in parts {
        let name = part.split('(').next().expect("a name");
        let through = name == "two" && body.contains("@twice");
        if name == "main"
            || through
            || body.contains(&format!("@{name}("))
            || body.contains(&format!("@{name} "))
        {
            out += &format!("           func @{part}");
        }
    }
    out
}

#[test]
fn what_leaves_its_memory_is_refused() {
    for (body, message) in LEAVING {
        let errors = verify(&read(&called(body))).expect_err(body).join("\n");
        assert!(errors.contains(message), "{body}: {errors}");
    }
}

/// A test that is made of another one in 2^64 ways is looked at once.
#[test]
fn tests_of_tests_are_looked_at_once() {
    let mut body = "%p0 = arith.cmp LT, UNSIGNED, %w, %eight : i64 ".to_owned();
    for k in 0..64 {
        body += &format!("%p{} = arith.andi %p{k}, %p{k} : i1 ", k + 1);
    }
    body += "%n = arith.cast_unsigned %p64 : i1 to i64
         scf.for %i = 0 to %n step 1 { %x = memref.load %a[%w] : f64 }";
    verify(&read(&called(&body))).unwrap_or_else(|e| panic!("{}", e.join("\n")));
}

#[test]
fn what_stays_in_its_memory_is_accepted() {
    for body in STAYING {
        verify(&read(&called(body))).unwrap_or_else(|e| panic!("{body}: {}", e.join("\n")));
    }
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
            let at = random.bits() as usize % text.len().max(1);
            if text.is_empty() {
                break;
            }
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
    verify(&program).expect_err("nothing is known of what is loaded");
    assert!(run(&program, &x).unwrap_err().to_string().contains("at -1"));
    // Nobody wrote the result: it reads as NaN.
    assert!(run(&read(&around("")), &x).unwrap()[0].as_slice::<f64>()[0].is_nan());
    const { assert!(BLOCK.is_multiple_of(LANES)) };
}

/// A call of the reference interpreter that gives its argument twice.
fn twice(input: &str, first: &str, second: &str) -> String {
    let program = "func.func public @main(%x: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) { \
                   return %x, %x : tensor<2xf64>, tensor<2xf64> }";
    format!("library.reference \"{program}\" ({input}) to ({first}, {second})")
}

#[test]
fn every_output_of_a_reference_call_is_stored() {
    let call = twice("%x[0]", "%y[0]", "%z[0]");
    let both = format!(
        "func @both() {{
           %x = param 0 : memref<2xf64>
           %y = param 1 : memref<2xf64>
           %z = param 2 : memref<2xf64>
           {call}
         }}
         func @main()"
    );
    let program = |body: &str| read(&around(body).replace("func @main()", &both));
    let x = [Array::new(&[8], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])];
    run(&program("func.call @both(%a[0], %r[0], %r[2];)"), &x).expect("they lie apart");
    for body in ["func.call @both(%r[0], %r[4], %r[1];)", "func.call @both(%r[0], %r[1], %r[4];)"] {
        let error = run(&program(body), &x).expect_err(body).to_string();
        assert!(error.contains("overlap and one is stored to"), "{error}");
    }
}

#[test]
fn values_are_numbered_anew_wherever_they_are_read() {
    // The loop's result has its number after what is inside, and its name before.
    let body = format!(
        "%k = scf.for %i = 0 to 3 step 1 iter(%c = %zero) -> (i64) {{
           %d = arith.addi %c, %i : i64
           scf.yield %d
         }}
         {}",
        twice("%a[%k + -2]", "%r[%k + -3]", "%r[%k + 1]")
    );
    let program = read(&around(&body));
    verify(&program).expect_err("nothing is known of what a loop carries");
    assert_eq!(read(&print(&program)), program);
    let x = [Array::new(&[8], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0])];
    let y = run(&program, &x).expect("it stays inside");
    let y = y[0].as_slice::<f64>();
    assert_eq!((&y[..2], &y[4..6]), (&[2.0, 3.0][..], &[2.0, 3.0][..]));
}

/// Values keep the numbers that a text calls them by, in whatever order it defines them.
#[test]
fn numbers_of_a_text_are_kept() {
    let text = print(&read(ALL));
    // `%0` for `%1` and the other way round; a name ends where no digit follows.
    let mut parts = text.split('%');
    let mut swapped = parts.next().expect("a text has a beginning").to_owned();
    for part in parts {
        let name: String = part.chars().take_while(char::is_ascii_alphanumeric).collect();
        let other = match name.as_str() {
            "0" => "1",
            "1" => "0",
            name => name,
        };
        swapped += &format!("%{other}{}", &part[name.len()..]);
    }
    assert_eq!(print(&read(&swapped)), swapped);
    assert_ne!(swapped, text);
}

#[test]
fn scratch_memory_lies_at_whole_cache_lines() {
    for (offset, fits) in [(0, true), (64, true), (8, false), (32, false), (96, false), (192, false)] {
        let text = format!(
            "program @p(tensor<8xf64>) -> (tensor<8xf64>) mode exact scratch 192 entry @main {{
               mem0 = param 0 : memref<8xf64>
               mem1 = result 0 : memref<8xf64>
               mem2 = scratch {offset} : memref<8xf64>
               func @main() {{
                 %s = program mem2 : memref<8xf64>
                 %f = arith.constant 0.5 : f64
                 memref.store %f, %s[0] : f64
               }}
             }}"
        );
        assert_eq!(verify(&read(&text)).is_ok(), fits, "{offset}");
    }
}
