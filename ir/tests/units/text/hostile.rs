//! What hostile text does: errors with a place, no panic, no deep recursion, linear work.

use std::fmt::Write;
use std::path::PathBuf;
use wengert_ir::func::Module;
use wengert_ir::testing::text::tokens_read;
use wengert_ir::text::{ParseError, parse, same};
use wengert_ir::verify::verify;

/// Parses, and fails if that took more tokens than a small multiple of the text.
fn bounded(text: &str) -> Result<Module, ParseError> {
    let before = tokens_read();
    let result = parse(text);
    let steps = tokens_read() - before;
    assert!((1..=8 * text.len() + 64).contains(&steps), "{steps} tokens for {} bytes", text.len());
    result
}

fn corpus(case: &str) -> String {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus"));
    std::fs::read_to_string(root.join(case).join("program.mlir")).expect("a program of the corpus")
}

/// Programs that together have most forms.
const SAMPLE: &[&str] = &[
    "const_hex_f32",
    "const_inline_specials",
    "reduce_custom_body_f64",
    "scan_cond_inside_f64",
    "scatter_2d_window_f32",
    "shape_pad_neg_interior_f64",
    "gather_rows_f64",
];

/// On a thread with a stack of `kilobytes`.
fn with_stack(kilobytes: usize, f: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(kilobytes << 10).spawn(f).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn every_truncation_is_an_error() {
    for case in SAMPLE {
        let text = corpus(case);
        let end = text.trim_end().len();
        for at in (0..end).filter(|&at| text.is_char_boundary(at)) {
            let result = bounded(&text[..at]);
            // Before the module starts there is nothing, which is a module too.
            assert!(at == 0 || result.is_err(), "{case} up to byte {at} was read");
        }
        assert!(bounded(&text).is_ok(), "{case}");
    }
}

#[test]
fn every_changed_byte_is_read_or_refused() {
    for case in SAMPLE {
        let text = corpus(case);
        for (at, replacement) in (0..text.len()).zip("<\"{}(-9x%#@^>[]:,=a0 \n/".bytes().cycle()) {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = replacement;
            if let Ok(changed) = String::from_utf8(bytes)
                && let Ok(module) = bounded(&changed)
            {
                // What is read means something and prints.
                let printed = module.to_string();
                assert!(bounded(&printed).is_ok(), "{case}, byte {at}:\n{printed}");
            }
        }
    }
}

/// All programs, each broken in a few places.
#[test]
fn the_whole_corpus_may_break() {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/corpus"));
    let mut cases: Vec<PathBuf> =
        std::fs::read_dir(root).expect("the corpus").map(|e| e.expect("an entry").path()).collect();
    cases.sort();
    for case in cases {
        let text = std::fs::read_to_string(case.join("program.mlir")).expect("a program");
        for k in 0..24 {
            let at = text.len() * k / 24 + k % 7;
            if let Some(start) = text.get(..at) {
                let _ = bounded(start);
            }
            let mut bytes = text.clone().into_bytes();
            bytes[at] = b"\"(<{}>)%@#:-"[k % 12];
            if let Ok(changed) = String::from_utf8(bytes) {
                let _ = bounded(&changed);
            }
        }
    }
}

#[test]
fn every_number_may_be_huge() {
    for case in
        SAMPLE.iter().chain(&["syntax_pretty_f32", "dot_matmul_f32", "shape_broadcast_expand_size1_f64"])
    {
        let text = corpus(case);
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let end = at + bytes[at..].iter().take_while(|b| b.is_ascii_digit()).count();
            if end > at {
                for number in ["9223372036854775807", "4611686018427387904", "99999999999999999999", "0", "7"]
                {
                    let changed = format!("{}{number}{}", &text[..at], &text[end..]);
                    let _ = bounded(&changed);
                }
            }
            at = end.max(at + 1);
        }
    }
}

fn nested_case(depth: usize) -> String {
    let mut text = String::from("func.func public @f(%i: tensor<i32>) {\n");
    for _ in 0..depth {
        text.push_str("\"stablehlo.case\"(%i) ({\n");
    }
    for _ in 0..depth {
        text.push_str("stablehlo.return\n}) : (tensor<i32>) -> ()\n");
    }
    text.push_str("return\n}\n");
    text
}

#[test]
fn nesting_is_limited() {
    with_stack(2048, || {
        for text in [
            nested_case(10_000),
            format!("module attributes {{a = {}}} {{}}", "[".repeat(10_000)),
            format!("module attributes {{a = {}}} {{}}", "{a = ".repeat(10_000)),
        ] {
            let error = bounded(&text).expect_err("too deep");
            assert_eq!(error.message, "nested more than 256 deep");
        }
        for text in [
            format!("func.func @f(%a: tensor<{}f32>) {{ return }}", "complex<".repeat(10_000)),
            format!("func.func @f(%a: tensor<{}f32>) {{ return }}", "1x".repeat(10_000)),
            format!(
                "func.func @f() {{ %0 = stablehlo.constant dense<{}> : tensor<2xf32> return }}",
                "[".repeat(10_000)
            ),
            format!("func.func @f() {{ return loc({}", "(".repeat(10_000)),
            format!("module attributes {{a = {} {{}}", "() -> ".repeat(10_000)),
        ] {
            assert!(bounded(&text).is_err());
        }
    });
}

#[test]
fn deep_programs_fit_a_small_stack() {
    with_stack(2048, || {
        let module = bounded(&nested_case(254)).expect("deep enough");
        assert!(same(&module, &bounded(&module.to_string()).expect("our text")));
    });
}

#[test]
fn long_programs_take_a_small_stack() {
    with_stack(2048, || {
        let mut text = String::from("func.func public @main(%0: tensor<f32>) -> tensor<f32> {\n");
        for k in 0..100_000 {
            let _ = writeln!(text, "%{} = stablehlo.sine %{k} : tensor<f32>", k + 1);
        }
        text.push_str("return %100000 : tensor<f32>\n}\n");
        let module = bounded(&text).expect("a chain");
        verify(&module).expect("a good chain");
        let printed = module.to_string();
        assert!(same(&module, &bounded(&printed).expect("our text")));
    });
}

#[test]
fn captures_do_not_multiply_without_bound() {
    let mut text = String::from("func.func public @f(%i: tensor<i32>) {\n");
    for k in 0..2000 {
        let _ = writeln!(text, "%v{k} = stablehlo.negate %i : tensor<i32>");
    }
    text.push_str(&"\"stablehlo.case\"(%i) ({\n".repeat(200));
    for k in 0..2000 {
        let _ = writeln!(text, "%w{k} = stablehlo.negate %v{k} : tensor<i32>");
    }
    text.push_str(&"stablehlo.return\n}) : (tensor<i32>) -> ()\n".repeat(200));
    text.push_str("return\n}\n");
    assert_eq!(
        bounded(&text).expect_err("too many").message,
        "the regions of this program capture too many values"
    );
}

#[test]
fn aliases_do_not_multiply_without_bound() {
    let mut text = String::new();
    for k in 0..60 {
        let _ = writeln!(text, "#l{k} = loc(#l{} #l{} \"x\")", k + 1, k + 1);
    }
    text.push_str("func.func public @f(%i: tensor<i32>) {\n%0 = stablehlo.negate %i : tensor<i32> loc(#l0)\nreturn\n}\n");
    bounded(&text).expect("an odd location is no error");
}

/// The message of the error, with its line, column, and mark.
fn error(text: &str) -> String {
    bounded(text).expect_err(text).to_string()
}

/// The same of one instruction in a function.
fn inside(line: &str) -> String {
    error(&format!("func.func public @f(%a: tensor<2xf32>, %i: tensor<i32>) {{\n  {line}\n  return\n}}\n"))
}

#[test]
fn errors_name_the_place_and_what_was_expected() {
    let cases = [
        "%0 = stablehlo.frobnicate %a : tensor<2xf32>",
        "%0 = stablehlo.cholesky %a, lower = true : tensor<2xf32>",
        "%0 = \"stablehlo.sort\"(%a) <{dimension = 0 : i64}> ({}) : (tensor<2xf32>) -> tensor<2xf32>",
        "%0 = stablehlo.add %a, %b : tensor<2xf32>",
        "%0 = stablehlo.add %a, %i : tensor<2xf32>",
        "%0 = stablehlo.sine %a : tensor<3xf32>",
        "%0 = stablehlo.sine %a : (tensor<2xf32>) -> tensor<3xf32>",
        "%0 = stablehlo.reshape %a : (tensor<2xf32>) -> tensor<3xf32>",
        "%0:2 = stablehlo.sine %a : tensor<2xf32>",
        "%a = stablehlo.sine %a : tensor<2xf32>",
        "%0 = stablehlo.broadcast_in_dim %a, dim = [0] : (tensor<2xf32>) -> tensor<2xf32>",
        "%0 = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<2xf32>",
        "%0 = stablehlo.constant dense<[1.0, x]> : tensor<2xf32>",
        "%0 = stablehlo.constant dense<1.0> : tensor<9999999999x9999999999xf32>",
        "%0 = stablehlo.constant dense<1.0> : tensor<?xf32>",
        "%0 = stablehlo.constant dense<1> : tensor<2xi3>",
        "%0 = stablehlo.constant dense_resource<x> : tensor<2xf32>",
        "%0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>",
        "%0 = stablehlo.compare LESS, %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>",
        "%0 = \"stablehlo.gather\"(%a, %i) <{slice_sizes = array<i64: 1>}> : (tensor<2xf32>, tensor<i32>) -> tensor<f32>",
    ];
    let shown: Vec<String> = cases.iter().map(|c| inside(c)).collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn errors_of_modules() {
    let scan = |body: &str, extra: &str| {
        format!(
            "func.func public @main(%c: tensor<f32>) -> tensor<f32> {{\n  \
             %0 = stablehlo.composite \"wengert.scan\" %c {{composite_attributes = {{body = @{body}, carry = 1 : i64, \
             consts = 0 : i64, length = 3 : i64, reverse = false}}, decomposition = @d}} : (tensor<f32>) -> tensor<f32>\n  \
             {extra}return %0 : tensor<f32>\n}}\n\
             func.func private @d(tensor<f32>) -> tensor<f32>\n\
             func.func private @b(%x: tensor<f32>) -> tensor<f32> {{ return %x : tensor<f32> }}\n\
             func.func private @wrong(%x: tensor<f64>) -> tensor<f64> {{ return %x : tensor<f64> }}\n"
        )
    };
    assert!(bounded(&scan("b", "")).is_ok());
    let cases = [
        "module {".to_owned(),
        "module {} func.func".to_owned(),
        "ml_program.global @mesh = <[\"x\"=1]>".to_owned(),
        "func.func @f() { return }\nfunc.func @f() { return }".to_owned(),
        "func.func @f() -> tensor<f32> { return }".to_owned(),
        "func.func @f() { call @f() : () -> () return }".to_owned(),
        "func.func private @f()".to_owned(),
        "func.func @f(%a: tensor<*xf32>) { return }".to_owned(),
        "func.func @f(%a: tensor<2x!foo.bar<i8>>) { return }".to_owned(),
        "module attributes {wengert.float_mode = \"fast\"} {}".to_owned(),
        "func.func @f() { return } \"open".to_owned(),
        scan("wrong", ""),
        scan("missing", ""),
        scan("b", "%1 = call @b(%0) : (tensor<f32>) -> tensor<f32>\n  "),
    ];
    let shown: Vec<String> = cases.iter().map(|c| error(c)).collect();
    insta::assert_snapshot!(shown.join("\n\n"));
}

#[test]
fn a_long_line_is_cut_around_the_mark() {
    let text = format!(
        "func.func @f() {{ %0 = stablehlo.constant dense<\"0x{}G0\"> : tensor<2000xf32> return }}",
        "0".repeat(15_998)
    );
    let e = bounded(&text).expect_err("a letter");
    assert_eq!(e.message, "not a hexadecimal digit");
    assert!(e.source_line.len() < 140, "{}", e.source_line);
    let shown = e.to_string();
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[1].as_bytes()[lines[2].len() - 1], b'G', "{shown}");
}

#[test]
fn what_is_not_known_is_named_first() {
    let text = "func.func @main(%a: tensor<f32>) -> tensor<f32> { %0 = \"stablehlo.frobnicate\"(%a) <{k = #of}> : (tensor<f32>, i) -> tensor<f32> return %0 : tensor<f32> }";
    let e = parse(text).unwrap_err();
    assert!(e.message.contains("unknown operation `stablehlo.frobnicate`"), "{}", e.message);
    let text = "func.func @main(%a: tensor<f32>) -> tensor<f32> { %0 = \"stablehlo.frobnicate\"(%a) : (tensor<f32>) -> tensor<f32> return %0 : tensor<f32> }";
    let e = parse(text).unwrap_err();
    assert!(e.message.contains("unknown operation `stablehlo.frobnicate`"), "{}", e.message);
}
