//! Object files in Rust: the module that comes with one compiles without a warning in every edition, without the standard library too,
//! and what its function gives is what this process computes.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use crate::objects::{Case, here, library, traced};
use std::path::{Path, PathBuf};
use std::process::Command;
use wengert::object::{Calls, Cpu, Object, ObjectOptions};
use wengert::{DType, Tensor, jit, value_and_grad};
use wengert_ir::array::Array;
use wengert_ir::testing::Random;

/// Words of Rust that C does not know, results of several types, and products that need scratch memory.
const PROGRAM: &str = "
    func.func @main(%a: tensor<3x40xf64> loc(\"match\"), %b: tensor<40x3xf64> loc(\"self\"), %p: tensor<3xi1> loc(\"self_\"), \
    %c: tensor<f32> loc(\"impl\"), %e: tensor<0xi32> loc(\"None\")) -> (tensor<3x3xf64>, tensor<3xi1>, tensor<f32>, tensor<0xi32>) {
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<3x40xf64>, tensor<40x3xf64>) -> tensor<3x3xf64>
      %1 = stablehlo.sine %0 : tensor<3x3xf64>
      %2 = stablehlo.dot_general %1, %0, contracting_dims = [1] x [0] : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
      %3 = stablehlo.not %p : tensor<3xi1>
      %4 = stablehlo.sine %c : tensor<f32>
      return %2, %3, %4, %e : tensor<3x3xf64>, tensor<3xi1>, tensor<f32>, tensor<0xi32>
    }";

/// A call of the library for objects, whose function says whether it ran.
const SORT: &str = "
    func.func @main(%x: tensor<5xf32> loc(\"x\")) -> tensor<5xf32> {
      %y = \"stablehlo.sort\"(%x) <{dimension = 0 : i64}> ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %p : tensor<i1>
      }) : (tensor<5xf32>) -> tensor<5xf32>
      return %y : tensor<5xf32>
    }";

const MAIN: &str = "#![deny(warnings, unsafe_code)]
mod dots;
mod sorts;

fn main() {
    let mut words = std::env::args().skip(1).map(|word| word.parse::<f64>().unwrap());
    let mut next = || words.next().unwrap();
    let a: [f64; 120] = core::array::from_fn(|_| next());
    let b: [f64; 120] = core::array::from_fn(|_| next());
    let p: [bool; 3] = core::array::from_fn(|_| next() != 0.0);
    let c = [next() as f32];
    let (mut dots, mut not, mut sine, mut none) = ([0.0; 9], [false; 3], [0.0], []);
    let mut memory = vec![std::mem::MaybeUninit::uninit(); dots::Scratch::BYTES + 1];
    assert!(dots::Scratch::within(&mut memory[..100]).is_none());
    let scratch = dots::Scratch::within(&mut memory[1..]).unwrap();
    dots::r#loop(&a, &b, &p, &c, &[], &mut dots, &mut not, &mut sine, &mut none, scratch);
    let mut scratch = dots::Scratch::new();
    dots::r#loop(&a, &b, &p, &c, &[], &mut dots, &mut not, &mut sine, &mut none, &mut scratch);
    let mut sorted = [0.0; 5];
    assert_eq!(sorts::Ok_(&[3.0, -1.0, 2.0, 9.0, 0.5], &mut sorted), Ok(()));
    assert_eq!(sorted, [-1.0, 0.5, 2.0, 3.0, 9.0]);
    assert!(dots::STACK_BYTES > 0 && dots::STACK_BYTES < 100_000);
    println!(\"{dots:?} {not:?} {sine:?} {none:?}\");
}
";

fn made(text: &str, symbol: &str, calls: Calls) -> Object {
    let triple = "x86_64-unknown-linux-gnu".parse().expect("a machine");
    let options = ObjectOptions { triple, cpu: Cpu::Common, symbol: symbol.into(), calls };
    traced(text).lower().and_then(|l| l.object(&options)).unwrap_or_else(|e| panic!("{e}"))
}

fn succeeds(folder: &Path, words: &[&str]) -> String {
    let rustc = std::env::var_os("RUSTC").map_or_else(|| PathBuf::from("rustc"), PathBuf::from);
    let program = if words[0] == "rustc" { rustc } else { folder.join(words[0]) };
    let out = Command::new(program).args(&words[1..]).current_dir(folder).output().expect("it starts");
    assert!(out.status.success(), "{words:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).expect("text")
}

#[test]
fn rust_gets_what_this_process_computes() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust");
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).expect("a file");
    let (dots, sorts) = (made(PROGRAM, "loop", Calls::C), made(SORT, "Ok", Calls::Runtime));
    for (name, object) in [("dots", &dots), ("sorts", &sorts)] {
        write(&format!("{name}.o"), object.bytes());
        write(&format!("{name}.rs"), object.rust_module("a test").as_bytes());
    }
    write("main.rs", MAIN.as_bytes());
    write(
        "bare.rs",
        b"#![no_std]\n#![deny(warnings, missing_docs)]\n//! Without the standard library.\n\n/// Of the object.\npub mod dots;\n",
    );

    let program = traced(PROGRAM);
    let mut random = Random(7);
    let args: Vec<Array> = program.param_types().iter().map(|ty| random.array(ty, -1.0, 1.0)).collect();
    let words: Vec<String> = args
        .iter()
        .flat_map(wengert_tests::random::agreement::wide)
        .map(|number| format!("{number:?}"))
        .collect();
    let case: Case = (program, args);
    let want = here(&case);
    let shown = |k: usize| wengert_tests::random::agreement::wide(&want[k]);
    let truths: Vec<bool> = shown(1).iter().map(|&x| x != 0.0).collect();
    let single: Vec<f32> = shown(2).iter().map(|&x| x as f32).collect();
    let library = format!("link-arg={}", library().display());
    for edition in ["2018", "2021", "2024"] {
        let sources = ["rustc", "--edition", edition];
        succeeds(
            &folder,
            &[&sources[..], &["--crate-type", "lib", "--emit", "metadata", "bare.rs"]].concat(),
        );
        let link = ["-C", "link-arg=dots.o", "-C", "link-arg=sorts.o", "-C", &library, "-C", "link-arg=-lm"];
        succeeds(&folder, &[&sources[..], &["main.rs", "-o", "main"], &link].concat());
        let words: Vec<&str> = std::iter::once("main").chain(words.iter().map(String::as_str)).collect();
        let found = succeeds(&folder, &words);
        // The products are small: added in the same order as here.
        assert_eq!(found.trim(), format!("{:?} {truths:?} {single:?} []", shown(0)), "{edition}");
    }
}

/// The guide's program with the object of the guide's function.
#[test]
fn the_guide_learns() {
    fn loss(w: Tensor, x: Tensor, y: Tensor) -> Tensor {
        (x.dot(&w).tanh() - y).square().mean()
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rust-guide");
    std::fs::create_dir_all(&folder).expect("a folder");
    let of = |shape: &[usize]| Tensor::zeros(shape, DType::F32);
    let program = jit(value_and_grad(loss)).trace((of(&[8, 3]), of(&[16, 8]), of(&[16, 3])));
    let object = program.and_then(|p| p.lower()).and_then(|l| l.object(&ObjectOptions::new("loss")));
    let object = object.unwrap_or_else(|e| panic!("{e}"));
    std::fs::write(folder.join("loss.o"), object.bytes()).expect("a file");
    std::fs::write(folder.join("loss.rs"), object.rust_module("build.rs")).expect("a file");
    let guide = include_str!("../../docs/ahead-of-time.md");
    let (_, after) = guide.split_once("```rust,ignore\n").expect("the guide has a program");
    let (main, _) = after.split_once("```").expect("it ends");
    let here = format!("{:?}", folder.join("loss.rs").display().to_string());
    let main = main.replace("concat!(env!(\"OUT_DIR\"), \"/loss.rs\")", &here);
    std::fs::write(folder.join("main.rs"), main).expect("a file");
    succeeds(
        &folder,
        &[
            "rustc",
            "--edition",
            "2024",
            "main.rs",
            "-o",
            "main",
            "-C",
            "link-arg=loss.o",
            "-C",
            "link-arg=-lm",
        ],
    );
    succeeds(&folder, &["main"]);
}
