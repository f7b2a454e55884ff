//! What the verifier of kernels refuses, and what it accepts.

use super::{around, print, read, verify};

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
