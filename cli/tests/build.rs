//! Ahead of time: objects that C calls give what `run` gives, the example in C works, and wrong use is explained.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use wengert_ir::array::Array;
use wengert_ir::npy;
use wengert_ir::types::DType;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8 path")
}

fn wengert(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wengert")).args(words).output().expect("the command starts")
}

#[track_caller]
fn succeeds(out: &Output) {
    assert!(
        out.status.success(),
        "{}{}",
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr)
    );
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("a folder");
    dir
}

/// Runs the system's C compiler, which Rust links with too.
fn cc(words: &[&str]) {
    succeeds(&Command::new("cc").args(words).output().expect("there is a C compiler"));
}

fn read(path: &Path) -> Array {
    npy::parse(&std::fs::read(path).expect("a file")).expect("an array")
}

/// A C program that reads the arguments, calls `f` and writes the results.
fn driver(args: &[usize], results: &[usize]) -> String {
    let mut c = String::from(
        "#include <stdio.h>\n#include <stdlib.h>\n#include \"f.h\"\nint main(void) {\nFILE *file;\n",
    );
    let name = |k: usize| if k < args.len() { format!("in{k}") } else { format!("out{}", k - args.len()) };
    for (k, bytes) in args.iter().chain(results).enumerate() {
        let _ = writeln!(c, "void *p{k} = aligned_alloc(64, {});", bytes.next_multiple_of(64) + 64);
        if k < args.len() {
            let _ = writeln!(
                c,
                "file = fopen(\"{}.bin\", \"rb\"); if (fread(p{k}, 1, {bytes}, file) != {bytes}) return 2; fclose(file);",
                name(k)
            );
        }
    }
    let pointers: Vec<String> = (0..args.len() + results.len()).map(|k| format!("p{k}")).collect();
    let _ = writeln!(c, "void *scratch = aligned_alloc(64, F_SCRATCH_BYTES + 64);");
    let _ = writeln!(c, "if (f({}, scratch) != 0) return 3;", pointers.join(", "));
    for (k, bytes) in results.iter().enumerate() {
        let k = k + args.len();
        let _ = writeln!(
            c,
            "file = fopen(\"{}.bin\", \"wb\"); if (fwrite(p{k}, 1, {bytes}, file) != {bytes}) return 4; fclose(file);",
            name(k)
        );
    }
    c + "return 0;\n}\n"
}

/// Elementwise mathematics, products, reductions, control flow, integers, constants, truth values.
const CASES: [&str; 11] = [
    "dot_matmul_f32",
    "edge_pow_f64",
    "ew_exp_log_f64",
    "ew_rem_f32",
    "int_unsigned_u64",
    "nn_transformer_block_loss_f64",
    "reduce_and_or_xor",
    "sci_black_scholes_f64",
    "sci_kalman_2d_loglik_f64",
    "scan_grad_program_f64",
    "while_newton_sqrt_f64",
];

/// A machine that objects are made for, and how its programs are linked and run here.
struct Machine {
    triple: Option<&'static str>,
    compiler: &'static str,
    runner: &'static [&'static str],
}

/// This machine.
const HERE: Machine = Machine { triple: None, compiler: "cc", runner: &[] };

/// Runs a program of the corpus here, builds it for a machine and calls it from C there; results must agree.
fn c_gives(case: &str, name: &str, options: &[&str], machine: &Machine) {
    let dir = folder(&format!("build-{case}-{name}"));
    let corpus = root().join("tests/corpus").join(case);
    let program = corpus.join("program.mlir");
    let inputs: Vec<PathBuf> =
        (0..).map(|k| corpus.join(format!("in{k}.npy"))).take_while(|p| p.exists()).collect();
    let mut words = vec!["run", text(&program), "--outputs", text(&dir), "--inputs"];
    words.extend(inputs.iter().map(|p| text(p)));
    succeeds(&wengert(&words));
    let args: Vec<Array> = inputs.iter().map(|p| read(p)).collect();
    for (k, a) in args.iter().enumerate() {
        std::fs::write(dir.join(format!("in{k}.bin")), a.bytes()).expect("written");
    }
    let expected: Vec<Array> =
        (0..).map(|k| dir.join(format!("out{k}.npy"))).take_while(|p| p.exists()).map(|p| read(&p)).collect();
    let object = dir.join("f.o");
    let header = dir.join("f.h");
    let mut words =
        vec!["build", text(&program), "-o", text(&object), "--header", text(&header), "--symbol", "f"];
    words.extend(machine.triple.iter().flat_map(|triple| ["--target", triple]));
    succeeds(&wengert(&[&words[..], options].concat()));
    let bytes = |arrays: &[Array]| arrays.iter().map(|a| a.bytes().len()).collect::<Vec<_>>();
    let source = dir.join("main.c");
    std::fs::write(&source, driver(&bytes(&args), &bytes(&expected))).expect("written");
    let binary = dir.join("main");
    let linked = ["-O1", "-Wall", "-Werror", text(&source), text(&object), "-lm", "-o", text(&binary)];
    succeeds(&Command::new(machine.compiler).args(linked).output().expect("there is a C compiler"));
    let command = [machine.runner, &[text(&binary)]].concat();
    succeeds(&Command::new(command[0]).args(&command[1..]).current_dir(&dir).output().expect("it starts"));
    for (k, expected) in expected.iter().enumerate() {
        let found = std::fs::read(dir.join(format!("out{k}.bin"))).expect("a result");
        let found = Array::from_bytes(expected.ty().clone(), &found);
        close(&found, expected, &format!("{case} on {name}, result {k}"));
    }
}

#[test]
fn c_gets_what_run_gives() {
    for case in CASES {
        for cpu in ["baseline", "common", "native"] {
            // What calls nothing gives the same as what calls C's mathematics.
            let alone = if cpu == "baseline" { &[][..] } else { &["--self-contained"] };
            c_gives(case, cpu, &[&["--cpu", cpu], alone].concat(), &HERE);
        }
    }
}

/// Objects for other machines, run by QEMU where it is installed with a compiler for them.
#[test]
fn other_machines_get_what_run_gives() {
    let machines = [
        Machine {
            triple: Some("aarch64-unknown-linux-gnu"),
            compiler: "aarch64-linux-gnu-gcc",
            runner: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
        },
        Machine {
            triple: Some("riscv64gc-unknown-linux-gnu"),
            compiler: "riscv64-linux-gnu-gcc",
            runner: &["qemu-riscv64", "-L", "/usr/riscv64-linux-gnu"],
        },
    ];
    for machine in &machines {
        let starts = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
        if !starts(machine.runner[0]) || !starts(machine.compiler) {
            wengert_ir::testing::skip(machine.runner[0], &format!("or no {}", machine.compiler));
            continue;
        }
        for case in CASES {
            c_gives(case, machine.runner[0], &["--self-contained"], machine);
        }
        links(machine);
    }
}

/// A loop that threads would share is a function whose address is taken: on RISC-V that is two parts, which the linker has to find.
fn links(machine: &Machine) {
    let triple = machine.triple.expect("another machine");
    let dir = folder(&format!("build-links-{}", machine.runner[0]));
    let (program, object, library) = (dir.join("f.mlir"), dir.join("f.o"), dir.join("f.so"));
    let source = "func.func @main(%x: tensor<100000xf32>) -> tensor<100000xf32> {
        %y = stablehlo.sine %x : tensor<100000xf32>
        return %y : tensor<100000xf32>
      }";
    std::fs::write(&program, source).expect("written");
    succeeds(&wengert(&["build", text(&program), "-o", text(&object), "--target", triple]));
    let words = ["-shared", "-o", text(&library), text(&object)];
    succeeds(&Command::new(machine.compiler).args(words).output().expect("it starts"));
}

/// Matrix products add in another order than the library; everything else has the same bits.
fn close(found: &Array, expected: &Array, what: &str) {
    let (f, e) = (numbers(found), numbers(expected));
    for (i, (f, e)) in f.iter().zip(&e).enumerate() {
        let near = (f - e).abs() <= 1e-5 * e.abs().max(1.0);
        assert!(near || f == e || (f.is_nan() && e.is_nan()), "{what}, element {i}: {f}, `run` gives {e}");
    }
}

fn numbers(array: &Array) -> Vec<f64> {
    match array.dtype() {
        DType::F64 => array.as_slice::<f64>().to_vec(),
        DType::F32 => array.as_slice::<f32>().iter().map(|&x| x.into()).collect(),
        _ => array.bytes().iter().map(|&b| b.into()).collect(),
    }
}

#[test]
fn the_example_in_c_converges() {
    let (dir, example) = (folder("build-example"), root().join("examples/c"));
    let program = example.join("rosenbrock.mlir");
    let (object, header) = (dir.join("rosenbrock.o"), dir.join("rosenbrock.h"));
    let words = [
        "build",
        text(&program),
        "--grad",
        "0",
        "-o",
        text(&object),
        "--header",
        text(&header),
        "--rust",
        "--self-contained",
    ];
    succeeds(&wengert(&words));
    let module = std::fs::read_to_string(dir.join("rosenbrock.rs")).expect("a module beside the object");
    assert!(module.contains("pub fn rosenbrock("), "{module}");
    let binary = dir.join("rosenbrock");
    let (main, include) = (example.join("main.c"), format!("-I{}", text(&dir)));
    cc(&[
        "-O2",
        "-Wall",
        "-Wextra",
        "-Werror",
        &include,
        text(&main),
        text(&object),
        "-lm",
        "-o",
        text(&binary),
    ]);
    let out = Command::new(&binary).output().expect("it starts");
    succeeds(&out);
    assert!(String::from_utf8_lossy(&out.stdout).contains("x = 1.000000 .. 1.000000"));
}

/// What a self-contained object defines is all that it refers to: the linker is told to allow nothing else.
#[test]
fn self_contained_objects_link_alone() {
    let dir = folder("build-alone");
    let object = dir.join("f.o");
    for case in ["ew_rem_f32", "edge_pow_f64", "ew_exp_log_f64", "dot_matmul_f32", "sci_kalman_2d_loglik_f64"]
    {
        let program = root().join("tests/corpus").join(case).join("program.mlir");
        let words = ["build", text(&program), "-o", text(&object), "--self-contained", "--symbol", "f"];
        succeeds(&wengert(&words));
        let library = dir.join("f.so");
        cc(&["-shared", "-nostdlib", "-Wl,-z,defs", "-o", text(&library), text(&object)]);
    }
    // A baseline x86-64 has no instruction for a product and a sum rounded once.
    let program = root().join("tests/corpus/ew_exp_log_f64/program.mlir");
    let target = ["--cpu", "baseline", "--target", "x86_64-unknown-linux-gnu"];
    let words = ["build", text(&program), "-o", text(&object), "--self-contained"];
    let out = wengert(&[&words[..], &target].concat());
    let err = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(1), "{err}");
    assert!(err.contains("no instruction") && err.contains("--cpu common"), "{err}");
}

#[test]
fn shared_libraries_and_other_machines() {
    let dir = folder("build-targets");
    let program = root().join("examples/c/rosenbrock.mlir");
    let library = dir.join("lib.so");
    succeeds(&wengert(&["build", text(&program), "-o", text(&library), "--header"]));
    assert!(std::fs::read(&library).expect("a library").starts_with(b"\x7fELF"));
    assert!(dir.join("lib.h").exists());
    for (triple, magic, machine) in [
        ("aarch64-unknown-linux-gnu", &b"\x7fELF"[..], Some(183)),
        ("riscv64gc-unknown-linux-gnu", b"\x7fELF", Some(243)),
        ("x86_64-unknown-linux-gnu", b"\x7fELF", Some(62)),
        ("aarch64-unknown-none", b"\x7fELF", Some(183)),
        ("aarch64-apple-darwin", b"\xcf\xfa\xed\xfe", None),
        ("x86_64-pc-windows-msvc", b"\x64\x86", None),
    ] {
        let object = dir.join("lib.o");
        succeeds(&wengert(&[
            "build",
            text(&program),
            "-o",
            text(&object),
            "--grad",
            "0",
            "--target",
            triple,
        ]));
        let bytes = std::fs::read(&object).expect("an object");
        assert!(bytes.starts_with(magic), "{triple}");
        if let Some(machine) = machine {
            assert_eq!(u16::from_le_bytes([bytes[18], bytes[19]]), machine, "{triple}");
        }
    }
}

#[test]
fn wrong_use_is_explained() {
    let dir = folder("build-wrong");
    let program = root().join("examples/c/rosenbrock.mlir");
    let (object, other) = (dir.join("f.o"), dir.join("f.txt"));
    let same = root().join("examples/./c/../c/rosenbrock.mlir");
    let sort = dir.join("sort.mlir");
    let source = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %y = \"stablehlo.sort\"(%x) <{dimension = 0 : i64}> ({
          ^bb0(%a: tensor<f32>, %b: tensor<f32>):
            %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
            stablehlo.return %p : tensor<i1>
        }) : (tensor<4xf32>) -> tensor<4xf32>
        return %y : tensor<4xf32>
      }";
    std::fs::write(&sort, source).expect("written");
    let cases: [(&[&str], &[&str]); 8] = [
        (
            &[text(&program), "-o", text(&object), "--rust", text(&object)],
            &["f.o", "the Rust module would replace"],
        ),
        (&[text(&program), "-o", text(&other)], &["f.txt", ".o, .obj, .so"]),
        (&[text(&program), "-o", text(&object), "--symbol", "1a"], &["`1a` is no name for a C function"]),
        (&[text(&program), "-o", text(&object), "--target", "toaster"], &["--target toaster"]),
        (
            &[text(&program), "-o", text(&object), "--target", "s390x-unknown-linux-gnu"],
            &["no code for s390x"],
        ),
        (
            &[text(&program), "-o", text(&object), "--target", "aarch64-pc-windows-msvc"],
            &["no objects for aarch64-pc-windows-msvc"],
        ),
        (&[text(&program), "-o", text(&object), "--header", text(&same)], &["replace another file"]),
        (&[text(&sort), "-o", text(&object)], &["stablehlo.sort", "runtime"]),
    ];
    for (words, parts) in cases {
        let all: Vec<&str> = ["build"].iter().chain(words).copied().collect();
        let out = wengert(&all);
        let err = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(1), "{all:?}: {err}");
        assert!(parts.iter().all(|part| err.contains(part)) && !err.contains("panicked"), "{all:?}: {err}");
    }
}
