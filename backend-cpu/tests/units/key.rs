//! What cached code is kept under.

use wengert_cpu::testing::key;
use wengert_cpu::{Cpu, Options, Wide};
use wengert_ir::kernel::Program;
use wengert_ir::types::FloatMode;

const TEXT: &str = "program @main(tensor<4xf32>) -> (tensor<4xf32>) mode default scratch 64 entry @main {
  mem0 = param 0 : memref<4xf32>
  mem1 = result 0 : memref<4xf32>

  func @main() {
    %m0 = program mem0 : memref<4xf32>
    %m1 = program mem1 : memref<4xf32>
    %0 = memref.load %m0[1] : f32
    memref.store %0, %m1[2] : f32
  }
}
";

fn parse(text: &str) -> Program {
    wengert_ir::kernel::text::parse(text).unwrap_or_else(|e| panic!("{e}"))
}

/// Whatever code depends on makes another key; what it does not depend on makes none.
#[test]
fn whatever_code_depends_on_is_in_the_key() {
    let linux = "x86_64-unknown-linux-gnu";
    let options = Options { wide: None, ..Options::default() };
    let program = parse(TEXT);
    let on = |triple: &str, cpu| {
        key(&program, &options, &triple.parse().expect("a triple"), cpu).expect("a machine")
    };
    let of = |program: &Program, options: Options| {
        key(program, &options, &linux.parse().expect("a triple"), Cpu::Baseline).expect("a machine")
    };
    let plain = of(&program, options);
    let edited = |from: &str, to: &str| {
        assert!(TEXT.contains(from), "{from}");
        of(&parse(&TEXT.replace(from, to)), options)
    };
    let with = |options: Options| of(&program, options);
    let exact = Program { mode: FloatMode::Exact, ..program.clone() };
    let keys = [
        ("plain", plain.clone()),
        ("more instructions", on(linux, Cpu::Common)),
        ("another system", on("x86_64-pc-windows-msvc", Cpu::Baseline)),
        #[cfg(feature = "other-machines")]
        ("another architecture", on("aarch64-unknown-linux-gnu", Cpu::Baseline)),
        ("steps", with(Options { count_steps: true, ..options })),
        ("vectors", with(Options { vectors: false, ..options })),
        ("tiles", with(Options { tiles: false, ..options })),
        ("wide", with(Options { wide: Some(Wide::Ymm), ..options })),
        ("mode", of(&exact, options)),
        ("scratch", edited("scratch 64", "scratch 128")),
        ("position", edited("%m0[1]", "%m0[3]")),
        ("place", edited("mem1 = result 0", "mem1 = scratch 0")),
        ("types", edited("(tensor<4xf32>) ->", "(tensor<4xf32>, tensor<f32>) ->")),
    ];
    for (k, (what, key)) in keys.iter().enumerate() {
        for (other, same) in &keys[..k] {
            assert_ne!(key, same, "{what} and {other}");
        }
    }
    assert_eq!(edited("program @main", "program @other"), plain);
}
