//! Object files: what C gets of them is what this process computes, to the bit but for matrix products, with the vectors of every machine;
//! operations that are no loops by the library that goes with objects.

#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use wengert::object::{Calls, Cpu, ObjectOptions};
use wengert::{FloatMode, TensorType, Traced};
use wengert_ir::array::Array;
use wengert_ir::kernel::interp;
use wengert_ir::math::lane::MARK;
use wengert_ir::testing::Random;
use wengert_tests::random::agreement::{BOUND, agree};
use wengert_tests::random::{Rounding, generate};
use wengert_tests::{corpus, corpus_cases};

/// A program with arguments for it.
pub(crate) type Case = (Traced, Vec<Array>);

fn succeeds(command: &mut Command) {
    let out = command.output().expect("it starts");
    assert!(out.status.success(), "{:?}: {}", out.status, String::from_utf8_lossy(&out.stderr));
}

/// What a caller of a function keeps on the stack, in bytes.
const SLACK: usize = 192;

/// A C program that reads the arguments of every function, calls them and writes the results; sizes are in bytes. If it `measures`, it
/// fails where a call takes more of the stack than the header says.
fn driver(functions: &[(Vec<usize>, Vec<usize>)], measures: bool) -> String {
    let mut c =
        String::from("#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <ucontext.h>\n");
    for k in 0..functions.len() {
        let _ = writeln!(c, "#include \"f{k}.h\"");
    }
    c += "static void *memory(size_t n) { return aligned_alloc(64, n / 64 * 64 + 64); }\n\
          static void *p[64];\n\
          static int (*call)(void), status;\n\
          static ucontext_t here, there;\n\
          static void enter(void) { status = call(); }\n\
          /* Bytes of a stack of its own that a call wrote to. */\n\
          static size_t depth(size_t stated) {\n\
            size_t size = stated + 65536, used = size;\n\
            unsigned char *stack = memory(size);\n\
            memset(stack, 0xa5, size);\n\
            getcontext(&there);\n\
            there.uc_stack.ss_sp = stack, there.uc_stack.ss_size = size, there.uc_link = &here;\n\
            makecontext(&there, enter, 0), swapcontext(&here, &there);\n\
            for (size_t k = 0; k < size && stack[k] == 0xa5; k++) used--;\n\
            free(stack);\n\
            return used;\n\
          }\n\
          FUNCTIONS\
          int main(void) {\n  FILE *in = fopen(\"in\", \"rb\"), *out = fopen(\"out\", \"wb\");\n";
    let mut calls = String::new();
    for (k, (args, results)) in functions.iter().enumerate() {
        c += "  {\n";
        let mut places = Vec::new();
        for (i, bytes) in args.iter().chain(results).enumerate() {
            let _ = writeln!(c, "    p[{i}] = memory({bytes});");
            if i < args.len() {
                let _ = writeln!(c, "    if (fread(p[{i}], 1, {bytes}, in) != {bytes}) return 2;");
            }
            places.push(format!("p[{i}]"));
        }
        let scratch = places.len();
        let _ = writeln!(c, "    p[{scratch}] = memory(F{k}_SCRATCH_BYTES);");
        places.push(format!("p[{scratch}]"));
        let _ = writeln!(calls, "static int call{k}(void) {{ return f{k}({}); }}", places.join(", "));
        let _ = writeln!(c, "    call = call{k};");
        // Once more on the same memory: nothing of a call may stay.
        let _ = writeln!(c, "    if (call() || status) {{ fprintf(stderr, \"f{k} failed\\n\"); return 3; }}");
        if measures {
            let _ = writeln!(c, "    size_t used = depth(F{k}_STACK_BYTES);");
            let _ = writeln!(c, "    if (status) return 3;");
            // What the caller takes: a frame with the arguments that are no registers' on top of what `enter` keeps.
            let _ = writeln!(
                c,
                "    if (used > F{k}_STACK_BYTES + {SLACK} + {}) {{ fprintf(stderr, \"f{k}: %zu of %d\\n\", used, F{k}_STACK_BYTES); return 5; }}",
                16 * places.len()
            );
        } else {
            let _ = writeln!(c, "    if (call()) return 3;");
        }
        for (i, bytes) in results.iter().enumerate() {
            let i = i + args.len();
            let _ = writeln!(c, "    if (fwrite(p[{i}], 1, {bytes}, out) != {bytes}) return 4;");
        }
        c += "  }\n";
    }
    c.replace("FUNCTIONS", &calls) + "  return fclose(out);\n}\n"
}

/// The library for objects, as it was built with these tests.
pub(crate) fn library() -> PathBuf {
    let own = std::env::current_exe().expect("a test");
    let folder = own.parent().expect("a folder");
    let files = std::fs::read_dir(folder).expect("a folder").filter_map(|e| Some(e.ok()?.path()));
    let is_library = |path: &PathBuf| {
        let name = path.file_name().and_then(|n| n.to_str()).unwrap_or_default();
        name.starts_with("libwengert_runtime") && name.ends_with(".a")
    };
    let newest = files.filter(is_library).max_by_key(|path| path.metadata().and_then(|m| m.modified()).ok());
    newest.expect("cargo builds the library with these tests")
}

/// What C gets of programs that are compiled for a machine, each a function of one C program; `name` is a folder's.
pub(crate) fn called_from_c(name: &str, cases: &[Case], cpu: Cpu, calls: Calls) -> Vec<Vec<Array>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{cpu:?}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).expect("a file");
    let bytes = |types: &[TensorType]| types.iter().map(TensorType::bytes).collect::<Vec<_>>();
    let (mut words, mut functions) = (vec!["-O0".to_owned(), "main.c".to_owned()], Vec::new());
    for (k, (program, _)) in cases.iter().enumerate() {
        let triple = "x86_64-unknown-linux-gnu".parse().expect("a machine");
        let options = ObjectOptions { triple, cpu, symbol: format!("f{k}"), calls };
        let lowered = program.lower().expect("it lowers");
        let made = lowered.object(&options).unwrap_or_else(|e| panic!("{e}"));
        write(&format!("f{k}.o"), made.bytes());
        write(&format!("f{k}.h"), made.c_header("a test").as_bytes());
        words.push(format!("f{k}.o"));
        functions.push((bytes(&program.param_types()), bytes(&program.result_types())));
    }
    write("main.c", driver(&functions, calls != Calls::Runtime).as_bytes());
    let all = cases.iter().flat_map(|(_, args)| args).flat_map(|a| a.bytes().iter().copied());
    write("in", &all.collect::<Vec<u8>>());
    if calls == Calls::Runtime {
        words.push(library().display().to_string());
    }
    words.extend(["-lm", "-o", "main"].map(str::to_owned));
    succeeds(Command::new("cc").args(words).current_dir(&folder));
    succeeds(Command::new(folder.join("main")).current_dir(&folder));
    let out = std::fs::read(folder.join("out")).expect("results");
    let mut rest = &out[..];
    let mut next = |ty: TensorType| {
        let (own, others) = rest.split_at(ty.bytes());
        rest = others;
        Array::from_bytes(ty, own)
    };
    cases.iter().map(|(program, _)| program.result_types().into_iter().map(&mut next).collect()).collect()
}

/// What this process computes.
pub(crate) fn here((program, args): &Case) -> Vec<Array> {
    let compiled = program.lower().and_then(|l| l.compile()).unwrap_or_else(|e| panic!("{e}"));
    let args: Vec<wengert::Tensor> = args.iter().cloned().map(Into::into).collect();
    compiled.call(&args).unwrap_or_else(|e| panic!("{e}")).iter().map(|t| t.to_array()).collect()
}

pub(crate) fn traced(text: &str) -> Traced {
    let module = wengert_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    Traced::of(module, None).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn with_arguments(text: &str, seed: u64) -> Case {
    let program = traced(text);
    let mut random = Random(seed);
    let args = program.param_types().iter().map(|ty| random.array(ty, -1.0, 1.0)).collect();
    (program, args)
}

/// Every third program of the corpus that an object can be made of.
#[test]
fn c_gets_the_bits_of_this_process() {
    let mut cases: Vec<(String, Case)> = Vec::new();
    for name in corpus_cases().into_iter().step_by(3) {
        let folder = corpus(&name);
        let source = std::fs::read_to_string(folder.join("program.mlir")).expect("a program");
        let read = |k: usize| std::fs::read(folder.join(format!("in{k}.npy"))).ok();
        let args: Vec<Array> =
            (0..).map_while(read).map(|bytes| wengert_ir::npy::parse(&bytes).expect("an array")).collect();
        let program = traced(&source);
        let triple = "x86_64-unknown-linux-gnu".parse().expect("a machine");
        let options = ObjectOptions { triple, cpu: Cpu::Common, symbol: "f".into(), calls: Calls::C };
        if program.lower().expect("it lowers").object(&options).is_ok() {
            cases.push((name, (program, args)));
        }
    }
    assert!(cases.len() > 25, "{}", cases.len());
    let (names, cases): (Vec<String>, Vec<Case>) = cases.into_iter().unzip();
    let want: Vec<Vec<Array>> = cases.iter().map(here).collect();
    for cpu in [Cpu::Common, Cpu::Native] {
        let found = called_from_c("objects", &cases, cpu, Calls::C);
        for (name, (found, want)) in names.iter().zip(found.iter().zip(&want)) {
            // Products add in another order than the library.
            let has_products =
                ["dot", "nn", "train", "linalg", "ho", "lp_mlp", "vmap_mlp", "sci", "conv", "fft"]
                    .iter()
                    .any(|part| name.starts_with(part));
            for (k, (found, want)) in found.iter().zip(want).enumerate() {
                agree(found, want, has_products.then_some([1e-11, 2e-5]))
                    .unwrap_or_else(|e| panic!("{name}, result {k}, {cpu:?}: {e}"));
            }
        }
    }
}

/// Products of all kinds of sizes and layouts, some in batches, are loops.
#[test]
fn products_are_loops() {
    let sizes = [1usize, 2, 3, 5, 8, 17, 33, 64, 70];
    let mut random = Random(20_261_129);
    let mut cases = Vec::new();
    for seed in 0..60 {
        let [m, n, k] = [(); 3].map(|()| sizes[random.below(sizes.len())]);
        let k = if random.below(5) == 0 { [150, 0][random.below(2)] } else { k };
        let ty = ["f32", "f64"][random.below(2)];
        let batch = if random.below(4) == 0 { "3x" } else { "" };
        let first = usize::from(!batch.is_empty());
        let (left, right) = (random.below(2), random.below(2));
        let lhs = if left == 0 { format!("{batch}{m}x{k}x{ty}") } else { format!("{batch}{k}x{m}x{ty}") };
        let rhs = if right == 0 { format!("{batch}{k}x{n}x{ty}") } else { format!("{batch}{n}x{k}x{ty}") };
        let batching = if first == 1 { "batching_dims = [0] x [0], " } else { "" };
        let dims = format!("contracting_dims = [{}] x [{}]", first + 1 - left, first + right);
        let out = format!("{batch}{m}x{n}x{ty}");
        let text = format!(
            "func.func @main(%a: tensor<{lhs}>, %b: tensor<{rhs}>) -> tensor<{out}> {{
               %c = stablehlo.dot_general %a, %b, {batching}{dims} : (tensor<{lhs}>, tensor<{rhs}>) -> tensor<{out}>
               return %c : tensor<{out}>
             }}"
        );
        cases.push((text.clone(), with_arguments(&text, seed)));
    }
    let (texts, cases): (Vec<String>, Vec<Case>) = cases.into_iter().unzip();
    let want: Vec<Vec<Array>> = cases.iter().map(here).collect();
    for cpu in [Cpu::Baseline, Cpu::Common, Cpu::Native] {
        let found = called_from_c("products", &cases, cpu, Calls::C);
        for (text, (found, want)) in texts.iter().zip(found.iter().zip(&want)) {
            agree(&found[0], &want[0], Some([1e-13, 2e-5]))
                .unwrap_or_else(|e| panic!("{cpu:?}: {e}\n{text}"));
        }
    }
}

/// Left and right operands and what is contracted: few rows and columns, one of each, sums along two dimensions that do not lie
/// together, more rows and columns than are added up at a time, batches, and sums a little longer than a part of one.
const LONG_SUMS: [(&str, &str, &str, &str); 8] = [
    ("3x200000", "200000x4", "[1] x [0]", "3x4"),
    ("200000x3", "4x200000", "[0] x [1]", "3x4"),
    ("500000", "500000", "[0] x [0]", ""),
    ("400x500x3", "500x400x9", "[0, 1] x [1, 0]", "3x9"),
    ("400x3x500", "9x500x400", "[0, 2] x [2, 1]", "3x9"),
    ("50x5000", "5000x301", "[1] x [0]", "50x301"),
    ("301x5000", "45x5000", "[1] x [1]", "301x45"),
    ("2x2049x7", "2x2049x17", "[1] x [1]", "2x7x17"),
];

/// Sums of many terms are as exact as those of a library: added one by one, half a million positive numbers err by 1e-4.
#[test]
fn long_sums_are_exact() {
    let text = |&(lhs, rhs, dims, out): &(&str, &str, &str, &str), ty: &str| {
        let batching = if out.starts_with("2x") { "batching_dims = [0] x [0], " } else { "" };
        let out = if out.is_empty() { ty.to_owned() } else { format!("{out}x{ty}") };
        format!(
            "func.func @main(%a: tensor<{lhs}x{ty}>, %b: tensor<{rhs}x{ty}>) -> tensor<{out}> {{
               %c = stablehlo.dot_general %a, %b, {batching}contracting_dims = {dims} : (tensor<{lhs}x{ty}>, tensor<{rhs}x{ty}>) -> tensor<{out}>
               return %c : tensor<{out}>
             }}"
        )
    };
    let (mut cases, mut want) = (Vec::new(), Vec::new());
    for (seed, case) in LONG_SUMS.iter().enumerate() {
        let program = traced(&text(case, "f32"));
        let mut random = Random(seed as u64);
        let args: Vec<Array> = program.param_types().iter().map(|ty| random.array(ty, 0.0, 1.0)).collect();
        let wide =
            |a: &Array| wengert_ir::ops::convert(a, wengert_ir::types::DType::F64).expect("floats widen");
        let exact = here(&(traced(&text(case, "f64")), args.iter().map(wide).collect()));
        want.push(wengert_ir::ops::convert(&exact[0], wengert_ir::types::DType::F32).expect("floats round"));
        cases.push((program, args));
    }
    for cpu in [Cpu::Baseline, Cpu::Native] {
        let found = called_from_c("long_sums", &cases, cpu, Calls::C);
        for (case, (found, want)) in LONG_SUMS.iter().zip(found.iter().zip(&want)) {
            agree(&found[0], want, Some([0.0, 3e-6])).unwrap_or_else(|e| panic!("{cpu:?}, {case:?}: {e}"));
        }
    }
}

/// Functions of one number, and of two.
const FUNCTIONS: [(&str, usize); 28] = [
    ("stablehlo.sine", 1),
    ("stablehlo.cosine", 1),
    ("stablehlo.tan", 1),
    ("stablehlo.exponential", 1),
    ("stablehlo.exponential_minus_one", 1),
    ("stablehlo.log", 1),
    ("stablehlo.log_plus_one", 1),
    ("stablehlo.logistic", 1),
    ("stablehlo.tanh", 1),
    ("stablehlo.cbrt", 1),
    ("chlo.erf", 1),
    ("chlo.erfc", 1),
    ("chlo.erf_inv", 1),
    ("chlo.lgamma", 1),
    ("chlo.digamma", 1),
    ("chlo.asin", 1),
    ("chlo.acos", 1),
    ("chlo.atan", 1),
    ("chlo.asinh", 1),
    ("chlo.acosh", 1),
    ("chlo.atanh", 1),
    ("stablehlo.rsqrt", 1),
    ("chlo.sinh", 1),
    ("chlo.cosh", 1),
    ("stablehlo.power", 2),
    ("stablehlo.atan2", 2),
    ("chlo.zeta", 2),
    ("chlo.polygamma", 2),
];

/// Formulas are loops of the object, rare arguments among them: the bits are those of this process, by themselves, in the place of
/// their argument, within a longer loop, and in a sum.
#[test]
fn functions_are_loops() {
    let mut cases = Vec::new();
    for (k, (name, operands)) in FUNCTIONS.iter().enumerate() {
        for (ty, n) in [("f32", 1000), ("f64", 1000), ("f32", 37), ("f64", 530)] {
            let t = format!("tensor<{n}x{ty}>");
            let types = |operands: usize| match name.starts_with("chlo") {
                true => format!("{} -> {t}", vec![t.as_str(); operands].join(", ")),
                false => t.clone(),
            };
            let apply = |x: &str, y: &str| match operands {
                1 => format!("{name} {x} : {}", types(1)),
                _ => format!("{name} {x}, {y} : {}", types(2)),
            };
            let text = format!(
                "func.func @main(%x: {t}, %y: {t}) -> ({t}, {t}, {t}, tensor<{ty}>) {{
                   %a = {}
                   %b = {}
                   %c = stablehlo.multiply %a, %y : {t}
                   %d = stablehlo.add %c, %x : {t}
                   %e = {}
                   %f = stablehlo.subtract %e, %y : {t}
                   %zero = stablehlo.constant dense<0.0> : tensor<{ty}>
                   %s = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : ({t}, tensor<{ty}>) -> tensor<{ty}>
                   return %a, %b, %f, %s : {t}, {t}, {t}, tensor<{ty}>
                 }}",
                apply("%x", "%y"),
                apply("%a", "%a"),
                apply("%d", "%x"),
            );
            // Machines without fused multiply-adds would not contract.
            let mut module = wengert_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
            module.mode = FloatMode::Exact;
            let program = Traced::of(module, None).unwrap_or_else(|e| panic!("{e}"));
            let mut random = Random(k as u64);
            let mut args: Vec<Array> =
                program.param_types().iter().map(|ty| random.array(ty, -1.0, 1.0)).collect();
            let odd = [f64::NAN, 0.0, -0.0, -1.5, -3.0, 1e6, -7e30, f64::INFINITY, 1e-30, 40.0, 3.0, -1e3];
            for (first, arg) in args.iter_mut().enumerate() {
                let random = arg.clone();
                let numbers: Vec<f64> = wengert_tests::random::agreement::wide(&random)
                    .into_iter()
                    .enumerate()
                    .map(|(i, x)| if (i + 5 * first) % 11 == 3 { odd[i / 11 % odd.len()] } else { 4.0 * x })
                    .collect();
                let doubles = Array::new(&[n], &numbers);
                *arg = wengert_ir::ops::convert(&doubles, random.dtype()).expect("floats round");
                // As an argument the mark of what is to be computed is a NaN as any other.
                let mark = MARK[usize::from(ty == "f64")].to_le_bytes();
                let size = random.dtype().size();
                arg.bytes_mut()[8 * size..9 * size].copy_from_slice(&mark[..size]);
            }
            cases.push((text, (program, args)));
        }
    }
    let (texts, cases): (Vec<String>, Vec<Case>) = cases.into_iter().unzip();
    let want: Vec<Vec<Array>> = cases.iter().map(here).collect();
    for cpu in [Cpu::Baseline, Cpu::Common, Cpu::Native] {
        let found = called_from_c("functions", &cases, cpu, Calls::C);
        for (text, (found, want)) in texts.iter().zip(found.iter().zip(&want)) {
            for (k, (found, want)) in found.iter().zip(want).enumerate() {
                agree(found, want, None).unwrap_or_else(|e| panic!("{cpu:?}, result {k}: {e}\n{text}"));
            }
        }
        for ((text, case), want) in texts.iter().zip(&cases).zip(&want) {
            let found = interpreted(case, cpu);
            for (k, (found, want)) in found.iter().zip(want).enumerate() {
                agree(found, want, None).unwrap_or_else(|e| panic!("kernels, {cpu:?}, {k}: {e}\n{text}"));
            }
        }
    }
}

/// What the kernels of an object give in the interpreter, which watches over bounds and overlaps; the verifier accepts them.
fn interpreted((program, args): &Case, cpu: Cpu) -> Vec<Array> {
    let options = ObjectOptions { cpu, ..ObjectOptions::new("f") };
    let lowered = program.lower().expect("it lowers");
    let kernels = wengert_cpu::testing::kernels_of_object(lowered.program(), &options).expect("loops");
    wengert_ir::kernel::verify::verify(&kernels).unwrap_or_else(|e| panic!("{}", e.join("; ")));
    interp::run_with(&kernels, args, interp::Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

/// Random programs, those that are calls of the library among them. (Where an object has no code for one, it says so.)
#[test]
fn random_programs_are_those_of_this_process() {
    let options = |cpu| ObjectOptions {
        triple: "x86_64-unknown-linux-gnu".parse().expect("a machine"),
        cpu,
        symbol: "f".into(),
        calls: Calls::Runtime,
    };
    for (cpu, first) in [(Cpu::Common, 61_000_000), (Cpu::Native, 62_000_000)] {
        let (mut cases, mut programs) = (Vec::new(), Vec::new());
        for seed in first..first + RANDOM {
            let program = generate(seed);
            let traced = Traced::new(program.module.clone(), program.func);
            let lowered = traced.lower().expect("it lowers");
            // What is computed of an infinite sum depends on its order.
            if program.rounding != Rounding::Unbounded && lowered.object(&options(cpu)).is_ok() {
                cases.push((traced, program.args.clone()));
                programs.push(program);
            }
        }
        assert!(cases.len() as u64 > RANDOM * 2 / 3, "{}", cases.len());
        let want: Vec<Vec<Array>> = cases.iter().map(here).collect();
        let found = called_from_c("random", &cases, cpu, Calls::Runtime);
        for (program, (found, want)) in programs.iter().zip(found.iter().zip(&want)) {
            let bound = match program.rounding {
                Rounding::Defined => None,
                Rounding::Single => Some([BOUND[1]; 2]),
                Rounding::Bounded | Rounding::Unbounded => Some(BOUND),
            };
            for (k, (found, want)) in found.iter().zip(want).enumerate() {
                agree(found, want, bound)
                    .unwrap_or_else(|e| panic!("seed {}, {cpu:?}, result {k}: {e}", program.seed));
            }
        }
    }
}

/// How many programs of a kind.
const RANDOM: u64 = 100;

/// Operations that are no loops.
const LIBRARY: [&str; 6] = [
    "func.func @main(%x: tensor<40xf32>) -> tensor<40xf32> {
       %y = \"stablehlo.sort\"(%x) <{dimension = 0 : i64}> ({
         ^bb0(%a: tensor<f32>, %b: tensor<f32>):
           %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
           stablehlo.return %p : tensor<i1>
       }) : (tensor<40xf32>) -> tensor<40xf32>
       return %y : tensor<40xf32>
     }",
    "func.func @main(%a: tensor<30x30xf64>, %b: tensor<30x4xf64>) -> (tensor<30x30xf64>, tensor<30x4xf64>) {
       %p = stablehlo.dot_general %a, %a, contracting_dims = [1] x [1] : (tensor<30x30xf64>, tensor<30x30xf64>) -> tensor<30x30xf64>
       %l = stablehlo.cholesky %p, lower = true : tensor<30x30xf64>
       %x = \"stablehlo.triangular_solve\"(%l, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<30x30xf64>, tensor<30x4xf64>) -> tensor<30x4xf64>
       return %l, %x : tensor<30x30xf64>, tensor<30x4xf64>
     }",
    "func.func @main(%x: tensor<3x48xf32>) -> tensor<3x25xcomplex<f32>> {
       %y = stablehlo.fft %x, type = RFFT, length = [48] : (tensor<3x48xf32>) -> tensor<3x25xcomplex<f32>>
       return %y : tensor<3x25xcomplex<f32>>
     }",
    "func.func @main(%x: tensor<9x9xf64>) -> (tensor<9x9xf64>, tensor<9xi32>, tensor<9xi32>) {
       %0:3 = stablehlo.custom_call @LuDecomposition(%x) : (tensor<9x9xf64>) -> (tensor<9x9xf64>, tensor<9xi32>, tensor<9xi32>)
       return %0#0, %0#1, %0#2 : tensor<9x9xf64>, tensor<9xi32>, tensor<9xi32>
     }",
    "func.func @main(%x: tensor<50xf32>) -> (tensor<5xf32>, tensor<5xi32>) {
       %v, %i = chlo.top_k(%x, k = 5) : tensor<50xf32> -> (tensor<5xf32>, tensor<5xi32>)
       return %v, %i : tensor<5xf32>, tensor<5xi32>
     }",
    "func.func @main(%x: tensor<20x20xf64>, %n: tensor<i32>) -> tensor<20x20xf64> {
       %zero = stablehlo.constant dense<0> : tensor<i32>
       %three = stablehlo.constant dense<3> : tensor<i32>
       %0:2 = stablehlo.while(%i = %zero, %c = %x) : tensor<i32>, tensor<20x20xf64>
       cond {
         %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
         stablehlo.return %p : tensor<i1>
       } do {
         %one = stablehlo.constant dense<1> : tensor<i32>
         %j = stablehlo.add %i, %one : tensor<i32>
         %y = \"stablehlo.sort\"(%c) <{dimension = 1 : i64}> ({
           ^bb0(%a: tensor<f64>, %b: tensor<f64>):
             %p = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f64>, tensor<f64>) -> tensor<i1>
             stablehlo.return %p : tensor<i1>
         }) : (tensor<20x20xf64>) -> tensor<20x20xf64>
         %t = stablehlo.transpose %y, dims = [1, 0] : (tensor<20x20xf64>) -> tensor<20x20xf64>
         stablehlo.return %j, %t : tensor<i32>, tensor<20x20xf64>
       }
       return %0#1 : tensor<20x20xf64>
     }",
];

#[test]
fn operations_that_are_no_loops_are_calls_of_the_library() {
    let cases: Vec<Case> = LIBRARY.iter().zip(1..).map(|(text, seed)| with_arguments(text, seed)).collect();
    let found = called_from_c("library", &cases, Cpu::Common, Calls::Runtime);
    for (text, (found, want)) in LIBRARY.iter().zip(found.iter().zip(cases.iter().map(here))) {
        for (found, want) in found.iter().zip(&want) {
            let products = text.contains("dot_general");
            agree(found, want, products.then_some([1e-11, 1e-5])).unwrap_or_else(|e| panic!("{e}\n{text}"));
        }
    }
    // Without it they are refused, and what needs a process is in any case.
    let options = |calls| ObjectOptions {
        triple: "x86_64-unknown-linux-gnu".parse().expect("a machine"),
        cpu: Cpu::Common,
        symbol: "f".into(),
        calls,
    };
    let refused = |text: &str, calls| {
        let made = traced(text).lower().expect("it lowers").object(&options(calls));
        made.map(|_| ()).expect_err("refused").to_string()
    };
    for calls in [Calls::C, Calls::Nothing] {
        let why = refused(LIBRARY[0], calls);
        assert!(why.contains("`stablehlo.sort` is no loop") && why.contains("--runtime"), "{why}");
    }
    let print = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
       stablehlo.custom_call @wengert.print(%x) {api_version = 4 : i32, backend_config = {format = \"{}\"}, has_side_effect = true} : (tensor<4xf32>) -> ()
       return %x : tensor<4xf32>
     }";
    let why = refused(print, Calls::Runtime);
    assert!(why.contains("which an object file does not have"), "{why}");
}
