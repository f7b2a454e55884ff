//! Kernels: text and interpreter together, and the rest by module.

mod damaged;
mod launch;
mod range;
mod scalar;
mod sections;
mod verify;

use wengert_ir::array::Array;
use wengert_ir::kernel::count::counted;
use wengert_ir::kernel::interp::{Options, UNDEFINED, run, run_with};
use wengert_ir::kernel::text::{parse, print};
use wengert_ir::kernel::verify::verify;
use wengert_ir::kernel::{BLOCK, LANES, Program};
use wengert_ir::testing::Random;
use wengert_ir::types::{DType, TensorType};

const ALL: &str = include_str!("all.kir");

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
        for (backwards, unwritten) in [(false, UNDEFINED), (true, UNDEFINED), (true, 0)] {
            let options = Options { piece, backwards, unwritten };
            assert_eq!(run_with(&program, &args, options).unwrap(), out);
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
    let counted = counted(&program);
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
