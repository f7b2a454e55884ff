//! The command as a stranger uses it: right input, wrong input, exit codes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn corpus(case: &str, file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus").join(case).join(file)
}

fn wengert(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wengert")).args(words).output().expect("the command starts")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8 path")
}

/// A folder for one test's results.
fn folder(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&dir);
    dir
}

fn fails(words: &[&str], status: i32, parts: &[&str]) {
    let out = wengert(words);
    let err = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(status), "{words:?}: {err}");
    for part in parts {
        assert!(err.contains(part), "{words:?}: no `{part}` in\n{err}");
    }
    assert!(!err.contains("panicked"), "{err}");
}

#[test]
fn runs_on_every_backend() {
    let case = "dot_matmul_f32";
    let (program, a, b) = (corpus(case, "program.mlir"), corpus(case, "in0.npy"), corpus(case, "in1.npy"));
    for backend in ["cpu", "interpreter", "eager"] {
        let dir = folder(&format!("run-{backend}"));
        let words = [
            "run",
            text(&program),
            "--inputs",
            text(&a),
            text(&b),
            "--outputs",
            text(&dir),
            "--backend",
            backend,
        ];
        let out = wengert(&words);
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        assert!(dir.join("out0.npy").exists());
    }
}

#[test]
fn derivatives_are_named_after_arguments() {
    let case = "dot_bilinear_loss_f32";
    let program = corpus(case, "program.mlir");
    let inputs: Vec<PathBuf> =
        (0..).map(|k| corpus(case, &format!("in{k}.npy"))).take_while(|p| p.exists()).collect();
    let dir = folder("grad");
    let mut words = vec!["grad", text(&program), "--wrt", "1", "--outputs", text(&dir), "--inputs"];
    words.extend(inputs.iter().map(|p| text(p)));
    let out = wengert(&words);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(dir.join("grad1.npy").exists() && !dir.join("grad0.npy").exists());
}

/// Tangents and cotangents belong to the arguments and results that they are named with, in whatever order.
#[test]
fn derivatives_go_by_number() {
    let dir = folder("numbers");
    std::fs::create_dir_all(&dir).expect("a folder");
    let program = dir.join("program.mlir");
    let body = "func.func public @main(%x: tensor<f32>, %y: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
        %0 = stablehlo.multiply %x, %y : tensor<f32>
        %1 = stablehlo.sine %x : tensor<f32>
        return %0, %1 : tensor<f32>, tensor<f32> }";
    std::fs::write(&program, format!("module {{ {body} }}")).expect("written");
    let [a, b] = [2.0f32, 5.0].map(|v| {
        let path = dir.join(format!("{v}.npy"));
        let bytes = wengert_ir::npy::write(&wengert_ir::array::Array::scalar(v)).expect("an array");
        std::fs::write(&path, bytes).expect("written");
        path
    });
    let (a, b) = (text(&a), text(&b));
    let second = |path: &str| format!("1:{path}");
    for [forwards, backwards] in [
        [["jvp", "--wrt", "0,1", "--tangents", a, b], ["jvp", "--wrt", "1,0", "--tangents", b, a]],
        [
            ["vjp", "--wrt", "0,1", "--cotangents", &format!("0:{a}"), &second(b)],
            ["vjp", "--wrt", "1,0", "--cotangents", &second(b), &format!("0:{a}")],
        ],
    ] {
        let [want, found] = [forwards, backwards].map(|words| {
            let given = [words[0], text(&program), "--inputs", a, b];
            let out = wengert(&[&given[..], &words[1..]].concat());
            assert!(out.status.success(), "{words:?}: {}", String::from_utf8_lossy(&out.stderr));
            String::from_utf8_lossy(&out.stdout).into_owned()
        });
        assert_eq!(found, want);
    }
}

/// `x y` and `sin x` along `x = 2 + 2 t` have the derivatives `2 y, 0` and `2 cos 2, -4 sin 2`.
#[test]
fn series_have_every_derivative() {
    let dir = folder("series");
    std::fs::create_dir_all(&dir).expect("a folder");
    let program = dir.join("program.mlir");
    let body = "func.func public @main(%x: tensor<f64>, %y: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
        %0 = stablehlo.multiply %x, %y : tensor<f64>
        %1 = stablehlo.sine %x : tensor<f64>
        return %0, %1 : tensor<f64>, tensor<f64> }";
    std::fs::write(&program, format!("module {{ {body} }}")).expect("written");
    let file = |v: f64| {
        let path = dir.join(format!("{v}.npy"));
        let bytes = wengert_ir::npy::write(&wengert_ir::array::Array::scalar(v)).expect("an array");
        std::fs::write(&path, bytes).expect("written");
        path
    };
    let (zero, two, five) = (file(0.0), file(2.0), file(5.0));
    let (zero, two, five) = (text(&zero), text(&two), text(&five));
    let out = dir.join("out");
    let words = [
        "jet",
        text(&program),
        "--order",
        "2",
        "--outputs",
        text(&out),
        "--inputs",
        two,
        five,
        "--series",
        two,
    ];
    for more in [&[][..], &[zero]] {
        let ran = wengert(&[&words[..], more].concat());
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let read = |name: &str| {
            let bytes = std::fs::read(out.join(name)).expect("written");
            wengert_ir::npy::parse(&bytes).expect("an array").as_slice::<f64>()[0]
        };
        let names = ["jet_out0_1.npy", "jet_out0_2.npy", "jet_out1_1.npy", "jet_out1_2.npy"];
        for (name, want) in names.into_iter().zip([10.0, 0.0, 2.0 * 2f64.cos(), -4.0 * 2f64.sin()]) {
            assert!((read(name) - want).abs() < 1e-14, "{name}: {}", read(name));
        }
    }
    for (more, said) in [
        (&["--order", "3", "--series", two, zero][..], "--series takes a file for each, or 3"),
        (&["--order", "0", "--series", two], "use run"),
        (&["--order", "100", "--series", two], "at most 18"),
    ] {
        let ran = wengert(&[&["jet", text(&program), "--inputs", two, five], more].concat());
        let message = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(!ran.status.success() && message.contains(said), "{message}");
    }
}

#[test]
fn stages_print() {
    let program = corpus("scan_carry_xs_f32", "program.mlir");
    for (stage, part) in [
        ("tensor", "stablehlo.while"),
        ("optimized", "wengert.scan"),
        ("plan", "plan @main("),
        ("kernel", "scf.for"),
        ("gpu", "gpu.launch @kernel_0"),
        ("clif", "function"),
        ("asm", "ret"),
    ] {
        let out = wengert(&["emit", text(&program), "--stage", stage]);
        let printed = String::from_utf8_lossy(&out.stdout).into_owned();
        assert!(out.status.success() && printed.contains(part), "{stage}: {printed}");
    }
}

#[test]
fn devices_are_listed() {
    let out = wengert(&["devices"]);
    let printed = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success() && printed.starts_with("cpu "), "{printed}");
    assert!(["gpu", "wgpu"].iter().all(|d| printed.lines().any(|l| l.starts_with(d))), "{printed}");
    let program = corpus("scan_carry_xs_f32", "program.mlir");
    let inputs: Vec<PathBuf> = (0..4).map(|k| corpus("scan_carry_xs_f32", &format!("in{k}.npy"))).collect();
    let run = |device: &str| -> Vec<String> {
        let words = ["run", text(&program), "--device", device, "--inputs"].map(str::to_owned);
        let given = inputs.iter().filter(|p| p.exists()).map(|p| text(p).to_owned());
        words.into_iter().chain(given).collect()
    };
    let words = |all: &[String]| -> Vec<&'static str> { all.iter().map(|w| &*w.clone().leak()).collect() };
    for (device, part) in
        [("gpu:77", "no device gpu:77"), ("tpu", "`tpu` is no device"), ("wgpu", "give a number")]
    {
        fails(&words(&run(device)), 1, &[part]);
    }
    assert!(wengert(&words(&run("cpu"))).status.success());
}

/// With devices: what a GPU would be given, and the interpreter of it.
#[cfg(feature = "gpu")]
#[test]
fn programs_run_on_devices() {
    let program = corpus("scan_grad_program_f64", "program.mlir");
    for (stage, part) in [("ptx", ".visible .entry kernel"), ("wgsl", "@compute @workgroup_size(")] {
        let out = wengert(&["emit", text(&program), "--stage", stage]);
        let printed = String::from_utf8_lossy(&out.stdout).into_owned();
        assert!(out.status.success() && printed.contains(part), "{stage}: {printed}");
    }
    let inputs: Vec<PathBuf> =
        (0..9).map(|k| corpus("scan_grad_program_f64", &format!("in{k}.npy"))).collect();
    let run = |device: &str| {
        let mut words = vec!["run", text(&program), "--device", device, "--inputs"];
        words.extend(inputs.iter().filter(|p| p.exists()).map(|p| text(p)));
        let out = wengert(&words);
        assert!(out.status.success(), "{device}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    assert_eq!(run("reference"), run("cpu"));
}

/// Who reads the output may go away, as `head` does.
#[test]
fn a_closed_pipe_is_no_error() {
    let program = corpus("scan_carry_xs_f32", "program.mlir");
    let mut child = Command::new(env!("CARGO_BIN_EXE_wengert"))
        .args(["emit", text(&program), "--stage", "asm"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    drop(child.stdout.take());
    let out = child.wait_with_output().expect("it ends");
    assert!(out.status.success() && out.stderr.is_empty(), "{out:?}");
}

#[test]
fn printed_programs_parse_again() {
    let program = corpus("scan_grad_program_f64", "program.mlir");
    let out = wengert(&["opt", text(&program)]);
    let dir = folder("again");
    std::fs::create_dir_all(&dir).expect("a folder");
    let path = dir.join("again.mlir");
    std::fs::write(&path, &out.stdout).expect("a file");
    let again = wengert(&["opt", text(&path), "--pipeline", ""]);
    assert_eq!(String::from_utf8_lossy(&again.stdout), String::from_utf8_lossy(&out.stdout));
}

#[test]
fn wrong_usage_exits_with_2() {
    fails(&[], 2, &["Usage"]);
    fails(&["run"], 2, &["PROGRAM"]);
    fails(&["run", "x.mlir", "--backend", "tpu"], 2, &["tpu"]);
    for wrong in ["lots", "4X", "G", "1.5G", "4 G", ""] {
        fails(&["run", "x.mlir", "--max-memory", wrong], 2, &["not a number of bytes", "512M"]);
    }
    fails(&["run", "x.mlir", "--max-memory", "99999999999G"], 2, &["more bytes than there are addresses"]);
    // The units: a program that takes 160 kB.
    let program = "func.func @main() -> tensor<20000xf64> {\n  %0 = stablehlo.iota dim = 0 : tensor<20000xf64>\n  \
                   return %0 : tensor<20000xf64>\n}\n";
    let here = folder("units");
    std::fs::create_dir_all(&here).expect("a folder of ours");
    let (file, out) = (here.join("iota.mlir"), here.join("out"));
    std::fs::write(&file, program).expect("a file of ours");
    let file = text(&file);
    for enough in ["400000", "400k", "400KiB", "1m", "1MiB", "1M", "1g", "1GiB"] {
        let ran = wengert(&["run", file, "--outputs", text(&out), "--max-memory", enough]);
        assert!(ran.status.success(), "{enough}: {}", String::from_utf8_lossy(&ran.stderr));
    }
    for less in ["400", "1k", "1KIB", "100K"] {
        fails(&["run", file, "--outputs", text(&out), "--max-memory", less], 1, &["--max-memory"]);
    }
}

#[test]
fn bad_input_exits_with_1_and_says_why() {
    let case = "dot_matmul_f32";
    let (program, a, b) = (corpus(case, "program.mlir"), corpus(case, "in0.npy"), corpus(case, "in1.npy"));
    let (program, a, b) = (text(&program), text(&a), text(&b));
    fails(&["run", "/no/such/file.mlir"], 1, &["No such file"]);
    fails(&["run", program, "--inputs", a], 1, &["takes 2 inputs", "has 1"]);
    fails(&["run", program, "--inputs", b, a], 1, &["input 0", "tensor<4x6xf32>"]);
    fails(&["run", program, "--inputs", a, "/no/such.npy"], 1, &["No such file"]);
    fails(&["run", program, "--entry", "other", "--inputs", a, b], 1, &["@other", "@main"]);
    fails(&["grad", program, "--inputs", a, b], 1, &["one float scalar result"]);
    fails(&["vjp", program, "--wrt", "7", "--inputs", a, b], 1, &["no argument 7"]);
    fails(&["opt", program, "--pipeline", "polish"], 1, &["no pass `polish`", "simplify"]);
    fails(&["run", program, "--inputs", a, b, "--max-memory", "10"], 1, &["--max-memory"]);

    let dir = folder("bad");
    std::fs::create_dir_all(&dir).expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.join(name);
        std::fs::write(&path, bytes).expect("a file");
        path
    };
    let npy = std::fs::read(a).expect("an input");
    let short = write("short.npy", &npy[..npy.len() - 3]);
    fails(&["run", program, "--inputs", text(&short), b], 1, &["short.npy"]);
    let source = std::fs::read_to_string(program).expect("a program");
    let cut = write("cut.mlir", &source.as_bytes()[..source.len() / 2]);
    fails(&["run", text(&cut)], 1, &["cut.mlir:"]);
    let unknown = write("unknown.mlir", source.replace("dot_general", "frobnicate").as_bytes());
    fails(&["run", text(&unknown)], 1, &["unknown.mlir:3:", "stablehlo.frobnicate", "^"]);
    let binary = write("binary.mlir", &[0xff, 0xfe, 0, 1]);
    fails(&["run", text(&binary)], 1, &["UTF-8"]);
    let deep = format!(
        "func.func @main() -> tensor<f32> {{ %0 = stablehlo.constant dense<{}1.0{}> : tensor<f32> return %0 : tensor<f32> }}",
        "[".repeat(10_000),
        "]".repeat(10_000)
    );
    let deep = write("deep.mlir", deep.as_bytes());
    fails(&["run", text(&deep)], 1, &["deep.mlir:1:"]);
}

#[test]
fn untrusted_programs_stop() {
    let dir = folder("limits");
    std::fs::create_dir_all(&dir).expect("a folder");
    let path = dir.join("endless.mlir");
    let source = "func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.while(%iterArg = %arg0) : tensor<f32>
  cond {
    %1 = stablehlo.compare EQ, %iterArg, %iterArg, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %2 = stablehlo.add %iterArg, %iterArg : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }
  return %0 : tensor<f32>
}
";
    std::fs::write(&path, source).expect("a file");
    let scalar = dir.join("x.npy");
    let mut npy =
        b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (), }".to_vec();
    npy.resize(127, b' ');
    npy.push(b'\n');
    npy.extend(1f32.to_le_bytes());
    std::fs::write(&scalar, npy).expect("a file");
    for backend in ["cpu", "interpreter"] {
        fails(
            &["run", text(&path), "--inputs", text(&scalar), "--max-steps", "10000", "--backend", backend],
            1,
            &["--max-steps"],
        );
    }
}

#[test]
fn programs_check_themselves() {
    let dir = folder("check");
    std::fs::create_dir_all(&dir).expect("a folder");
    let write = |name: &str, expected: &str| {
        let path = dir.join(name);
        let source = format!(
            "func.func @main() {{
  %0 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = stablehlo.add %0, %0 : tensor<2xf32>
  check.expect_eq_const %1, dense<{expected}> : tensor<2xf32>
  return
}}
"
        );
        std::fs::write(&path, source).expect("a file");
        path
    };
    let (right, wrong) = (write("right.mlir", "[2.0, 4.0]"), write("wrong.mlir", "[2.0, 5.0]"));
    for backend in ["cpu", "interpreter", "eager"] {
        let out = wengert(&["check", text(&right), "--backend", backend, "--perturb"]);
        let shown = String::from_utf8_lossy(&out.stdout).into_owned();
        assert_eq!(out.status.code(), Some(0), "{backend}: {shown}");
        assert!(shown.contains("1 passed") && shown.contains("1 changed constants were noticed"), "{shown}");
        // A folder: the file that fails, the element, the values, the line.
        let out = wengert(&["check", text(&dir), "--backend", backend]);
        let shown = String::from_utf8_lossy(&out.stdout).into_owned();
        assert_eq!(out.status.code(), Some(1), "{backend}: {shown}");
        for part in ["wrong.mlir: @main: check.expect_eq", "at [1]", "got 4", "expected 5", "4:3", "1 failed"]
        {
            assert!(shown.contains(part), "{backend}: no `{part}` in {shown}");
        }
    }
    // What is not run is no success.
    std::fs::write(&wrong, "func.func @main(%x: tensor<f32>) { return }").expect("a file");
    let out = wengert(&["check", text(&wrong)]);
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&out.stdout).contains("1 take arguments"));
    // Each reason is counted by itself.
    let quantized = "tensor<2x!quant.uniform<i8:f32, 1.0>>";
    let source = format!(
        "func.func @main() -> {quantized} {{
  %0 = stablehlo.constant dense<1.0> : tensor<2xf32>
  %1 = stablehlo.uniform_quantize %0 : (tensor<2xf32>) -> {quantized}
  return %1 : {quantized}
}}
"
    );
    std::fs::write(dir.join("types.mlir"), source).expect("a file");
    let out = wengert(&["check", text(&dir)]);
    let shown = String::from_utf8_lossy(&out.stdout).into_owned();
    for part in ["3 files, 1 passed, 0 failed", "1 take arguments", "1 have types that are not computed"] {
        assert!(shown.contains(part), "no `{part}` in {shown}");
    }
}

#[test]
fn sizes_come_from_the_inputs() {
    let dir = folder("sizes");
    std::fs::create_dir_all(&dir).expect("a folder");
    let path = dir.join("open.mlir");
    let source = "func.func public @main(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
";
    std::fs::write(&path, source).expect("a file");
    let case = "dot_matmul_f32";
    let (a, b) = (corpus(case, "in0.npy"), corpus(case, "in1.npy"));
    let fixed = corpus(case, "program.mlir");
    for backend in ["cpu", "interpreter"] {
        let mut results = Vec::new();
        for program in [&path, &fixed] {
            let words = ["run", text(program), "--inputs", text(&a), text(&b), "--outputs", text(&dir)];
            let out = wengert(&[&words[..], &["--backend", backend]].concat());
            assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
            results.push(std::fs::read(dir.join("out0.npy")).expect("a result"));
        }
        assert_eq!(results[0], results[1], "{backend}");
    }
    fails(&["run", text(&path), "--inputs", text(&b), text(&b)], 1, &["dot_general"]);
}

/// Without inputs `bench` makes its own: of sizes that the program says, in the memory that it may have.
#[test]
fn bench_refuses_arguments_that_it_cannot_make() {
    let dir = folder("bench");
    std::fs::create_dir_all(&dir).expect("a folder");
    let write = |name: &str, ty: &str| {
        let path = dir.join(name);
        let source = format!(
            "func.func public @main(%x: tensor<{ty}>, %y: tensor<{ty}>) -> tensor<{ty}> {{
  %0 = stablehlo.multiply %x, %y : tensor<{ty}>
  return %0 : tensor<{ty}>
}}
"
        );
        std::fs::write(&path, source).expect("a file");
        path
    };
    let (open, large, small) = (
        write("open.mlir", "?x?xf32"),
        write("large.mlir", "100000000000000xf32"),
        write("small.mlir", "150xf32"),
    );
    let bench = |program: &Path, more: &[&str]| {
        let words = ["bench", text(program), "--no-eager", "--seconds", "0.01"];
        [&words[..], more].concat().iter().map(|&word| word.to_owned()).collect::<Vec<String>>()
    };
    let refused = |program: &Path, more: &[&str], parts: &[&str]| {
        let words = bench(program, more);
        fails(&words.iter().map(String::as_str).collect::<Vec<_>>(), 1, parts);
    };
    for more in [&["--profile"][..], &[]] {
        refused(&open, more, &["argument 0 is tensor<?x?xf32>", "--inputs"]);
        refused(
            &large,
            &[more, &["--max-memory", "1G"]].concat(),
            &["800000000000000 bytes", "--max-memory"],
        );
        refused(&large, more, &["argument 0, tensor<100000000000000xf32>: needs"]);
    }
    // Each of the two has 600 bytes.
    refused(&small, &["--max-memory", "1000"], &["1200 bytes", "--max-memory"]);
    let input = corpus("dot_matmul_f32", "in0.npy");
    for (program, more) in
        [(&small, &["--max-memory", "100k"][..]), (&open, &["--inputs", text(&input), text(&input)][..])]
    {
        let words = bench(program, more);
        let out = wengert(&words.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(out.status.success(), "{words:?}: {}", String::from_utf8_lossy(&out.stderr));
    }
}

/// A `.npz` archive with these members, not compressed, as `numpy.savez` writes it.
fn archive(path: &Path, members: &[(&str, Vec<u8>)]) {
    let file = std::fs::File::create(path).expect("a file");
    let mut archive = zip::ZipWriter::new(file);
    for (name, bytes) in members {
        let options =
            zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        archive.start_file(format!("{name}.npy"), options).expect("a member");
        std::io::Write::write_all(&mut archive, bytes).expect("written");
    }
    archive.finish().expect("complete");
}

#[test]
fn archives_are_inputs() {
    let case = "dot_matmul_f32";
    let program = corpus(case, "program.mlir");
    let [a, b] = ["in0.npy", "in1.npy"].map(|f| std::fs::read(corpus(case, f)).expect("an input"));
    let dir = folder("npz");
    std::fs::create_dir_all(&dir).expect("a folder");
    let (numbered, tens, named) = (dir.join("n.npz"), dir.join("t.npz"), dir.join("m.npz"));
    // Numbered arrays count, whatever their order in the archive or the alphabet.
    archive(&numbered, &[("arr_1", b.clone()), ("arr_0", a.clone())]);
    archive(&tens, &[("arr_10", b.clone()), ("arr_9", a.clone())]);
    archive(&named, &[("b", b.clone()), ("a", a.clone()), ("large", vec![0; 1 << 20])]);
    let want = wengert(&[
        "run",
        text(&program),
        "--inputs",
        text(&corpus(case, "in0.npy")),
        text(&corpus(case, "in1.npy")),
    ]);
    let member = |name: &str| format!("{}:{name}", text(&named));
    for inputs in
        [vec![text(&numbered).to_owned()], vec![text(&tens).to_owned()], vec![member("a"), member("b")]]
    {
        let mut words = vec!["run", text(&program), "--inputs"];
        words.extend(inputs.iter().map(String::as_str));
        let out = wengert(&words);
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        assert_eq!(out.stdout, want.stdout);
    }
    let run = |inputs: &[&str], part: &str| {
        let words: Vec<&str> =
            ["run", text(&program), "--inputs"].into_iter().chain(inputs.iter().copied()).collect();
        fails(&words, 1, &[part]);
    };
    run(&[text(&named)], "takes 2 inputs, --inputs has 3");
    run(&[&member("a"), &member("c")], "m.npz:c");
    run(&[&member("a"), &member("large")], "holds more than");
    run(&[text(&program), "none.npz"], "none.npz");
    std::fs::write(&named, b"PK but no archive").expect("written");
    run(&[text(&named)], "m.npz");
}

/// What cannot be had here is refused, not left out: on every backend.
#[test]
fn side_effects_are_refused() {
    let dir = folder("effect");
    std::fs::create_dir_all(&dir).expect("a folder");
    let (program, x) = (dir.join("p.mlir"), corpus("shape_scalars_f64", "in0.npy"));
    let ty = "tensor<f64>";
    let source = format!(
        "func.func public @main(%x: {ty}) -> {ty} {{
           \"stablehlo.custom_call\"(%x) <{{call_target_name = \"no_such_target\", has_side_effect = true}}> : ({ty}) -> ()
           return %x : {ty}
         }}"
    );
    std::fs::write(&program, source).expect("written");
    for backend in ["cpu", "interpreter", "eager"] {
        fails(&["run", text(&program), "--inputs", text(&x), "--backend", backend], 1, &["@no_such_target"]);
    }
}

/// Elements without a name in NumPy: a byte each, in and out.
#[test]
fn codes_of_small_types_are_bytes() {
    let dir = folder("codes");
    std::fs::create_dir_all(&dir).expect("a folder");
    let (program, x) = (dir.join("p.mlir"), dir.join("x.npy"));
    std::fs::write(
        &program,
        "func.func public @main(%x: tensor<3xi4>) -> (tensor<3xi4>, tensor<3xf8E4M3FN>) {
           %0 = stablehlo.add %x, %x : tensor<3xi4>
           %1 = stablehlo.convert %x : (tensor<3xi4>) -> tensor<3xf8E4M3FN>
           return %0, %1 : tensor<3xi4>, tensor<3xf8E4M3FN>
         }",
    )
    .expect("written");
    let mut header =
        b"\x93NUMPY\x01\x00\x76\x00{'descr': '<V1', 'fortran_order': False, 'shape': (3,), }".to_vec();
    header.resize(127, b' ');
    header.push(b'\n');
    header.extend([0x0f, 1, 3]); // -1, 1, 3, as ml_dtypes writes them
    std::fs::write(&x, header).expect("written");
    for backend in ["cpu", "interpreter"] {
        let out = wengert(&[
            "run",
            text(&program),
            "--inputs",
            text(&x),
            "--outputs",
            text(&dir),
            "--backend",
            backend,
        ]);
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        let last = |name: &str| std::fs::read(dir.join(name)).expect("a result").split_off(128);
        assert_eq!(last("out0.npy"), [0x0e, 2, 6]);
        assert_eq!(last("out1.npy"), [0xb8, 0x38, 0x44]);
    }
}

/// A program is the same as text, as bytecode, and as JAX exports it.
#[test]
fn bytecode_is_opened_and_written() {
    let case = "dot_matmul_f32";
    let (program, a, b) = (corpus(case, "program.mlir"), corpus(case, "in0.npy"), corpus(case, "in1.npy"));
    let dir = folder("bytecode");
    std::fs::create_dir_all(&dir).expect("a folder");
    let bytes = dir.join("program.mlirbc");
    let opt = ["opt", text(&program), "--pipeline", "dce", "--emit-bytecode=1.9.0", "-o", text(&bytes)];
    assert!(wengert(&opt).status.success());
    assert!(std::fs::read(&bytes).expect("written").starts_with(b"ML\xEFR\x0DStableHLO_v1.9.0\0"));
    let printed = |path: &Path| wengert(&["opt", text(path), "--pipeline", "dce"]).stdout;
    assert_eq!(printed(&bytes), printed(&program));
    let results = |path: &Path| {
        let out = wengert(&["run", text(path), "--inputs", text(&a), text(&b)]);
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
        out.stdout
    };
    assert_eq!(results(&bytes), results(&program));

    let exported = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ir/tests/bytecode/exported.bin");
    assert!(String::from_utf8_lossy(&printed(&exported)).contains("stablehlo.convolution"));
    for stage in ["tensor", "kernel"] {
        assert!(wengert(&["emit", text(&exported), "--stage", stage]).status.success(), "{stage}");
    }

    // Without a file, at no version, cut off.
    assert_eq!(wengert(&["opt", text(&program), "--emit-bytecode"]).status.code(), Some(2));
    let wrong = ["opt", text(&program), "--emit-bytecode=0.1.0", "-o", text(&bytes)];
    let out = wengert(&wrong);
    assert!(String::from_utf8_lossy(&out.stderr).contains("not `0.1.0`"), "{out:?}");
    let whole = std::fs::read(&bytes).expect("still there");
    std::fs::write(&bytes, &whole[..whole.len() - 1]).expect("written");
    let out = wengert(&["run", text(&bytes)]);
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&out.stderr).contains("program.mlirbc:byte "), "{out:?}");
}
