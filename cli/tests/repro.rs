//! Programs that once read outside memory, never ended, gave something else than JAX or were slow (`tests/repro`), as the command runs them: in
//! native code and in the interpreter.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wengert_ir::array::Array;
use wengert_ir::npy;
use wengert_ir::types::{DType, TensorType};

/// No command takes this long by far; without it one that never ends would end no test.
const PATIENCE: Duration = Duration::from_secs(120);

fn repro() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/repro")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(repro().join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// What a command wrote: to standard output, or to standard error where it failed.
fn wengert(words: &[String]) -> Result<String, String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wengert"));
    command
        .args(words)
        .current_dir(repro())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    let (mut out, mut err) = (child.stdout.take().expect("piped"), child.stderr.take().expect("piped"));
    let drain = |pipe: &mut dyn std::io::Read| {
        let mut bytes = Vec::new();
        pipe.read_to_end(&mut bytes).expect("a pipe");
        String::from_utf8_lossy(&bytes).into_owned()
    };
    std::thread::scope(|threads| {
        let said = threads.spawn(move || (drain(&mut out), drain(&mut err)));
        let start = Instant::now();
        let status = loop {
            match child.try_wait().expect("a child") {
                Some(status) => break status,
                None if start.elapsed() > PATIENCE => {
                    child.kill().expect("a child");
                    panic!("{words:?} does not end");
                }
                None => std::thread::sleep(Duration::from_millis(2)),
            }
        };
        let (out, err) = said.join().expect("no panic");
        match status.code() {
            Some(0) => Ok(out),
            Some(1) => Err(err),
            code => panic!("{words:?} ends with {code:?}: {out}{err}"),
        }
    })
}

/// The words of what a command prints, without what lays it out: brackets, commas, and blanks.
fn printed(text: &str) -> Vec<&str> {
    text.split([' ', '\n', ',', '[', ']']).filter(|word| !word.is_empty()).collect()
}

/// The parts of a number as it is printed: one, or two with an `i`.
fn number(word: &str) -> Option<[f64; 2]> {
    let Some(complex) = word.strip_suffix('i') else { return Some([word.parse().ok()?, 0.0]) };
    let sign =
        complex.char_indices().skip(1).filter(|&(k, c)| "+-".contains(c) && !complex[..k].ends_with('e'));
    let (at, _) = sign.last()?;
    Some([complex[..at].parse().ok()?, complex[at..].parse().ok()?])
}

/// Equal as texts, or numbers within what f32 rounds off in a few operations.
fn same(a: &str, b: &str) -> bool {
    let close = |a: f64, b: f64| a == b || (a - b).abs() <= 1e-6 + 1e-5 * b.abs();
    a == b
        || a.contains('.')
            && matches!((number(a), number(b)), (Some(x), Some(y)) if close(x[0], y[0]) && close(x[1], y[1]))
}

/// Runs every command of a transcript and compares. Commands that name no backend run on each of three.
fn transcript(name: &str) {
    let text = read(name);
    let mut failures = Vec::new();
    for session in text.split("\n$ ").skip(1) {
        let (command, wanted) = session.split_once('\n').expect("what must come");
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        let runs = words[0] == "run" && !command.contains("--backend");
        let backends: &[&str] = if runs { &["cpu", "interpreter", "eager"] } else { &[""] };
        for backend in backends {
            let mut words = words.clone();
            if !backend.is_empty() {
                words.splice(2..2, ["--backend".to_owned(), (*backend).to_owned()]);
            }
            let said = wengert(&words);
            let right = match (wanted.trim().split_once("! "), &said) {
                (Some(("", part)), Err(error)) => error.contains(part),
                (None, Ok(_)) if wanted.trim() == "~" => true,
                (None, Ok(out)) => {
                    let (out, wanted) = (printed(out), printed(wanted));
                    out.len() == wanted.len() && out.iter().zip(&wanted).all(|(a, b)| same(a, b))
                }
                _ => false,
            };
            if !right {
                failures.push(format!("{} gives\n{said:?}, not\n{wanted}", words.join(" ")));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn hostile_programs_are_right_or_refused() {
    transcript("hostile.txt");
}

#[test]
fn programs_of_jax_are_right() {
    transcript("jax.txt");
}

/// An array of the type, between -1 and 1 if it holds floats, from a stream of its own.
fn random(dtype: DType, shape: &[usize], seed: u64) -> Array {
    let mut state = seed;
    let mut unit = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / (1u64 << 23) as f64 - 1.0
    };
    let n = shape.iter().product();
    let floats = |unit: &mut dyn FnMut() -> f64, n: usize| (0..n).map(|_| unit()).collect::<Vec<f64>>();
    match dtype {
        DType::F64 => Array::new(shape, &floats(&mut unit, n)),
        DType::F32 => Array::new(shape, &floats(&mut unit, n).iter().map(|&x| x as f32).collect::<Vec<_>>()),
        DType::I8 => {
            Array::new(shape, &floats(&mut unit, n).iter().map(|&x| (x > 0.0) as i8).collect::<Vec<_>>())
        }
        DType::C64 => {
            let parts: Vec<f32> = floats(&mut unit, 2 * n).iter().map(|&x| x as f32).collect();
            let mut array = Array::zeros(TensorType::new(dtype, shape));
            for (bytes, x) in array.bytes_mut().chunks_exact_mut(4).zip(parts) {
                bytes.copy_from_slice(&x.to_le_bytes());
            }
            array
        }
        _ => panic!("no random {dtype}"),
    }
}

/// The inputs of a program: the files beside it, or random ones.
fn inputs(name: &str, dir: &Path) -> Vec<String> {
    let module = wengert_ir::text::parse(&read(&format!("perf/{name}.f.mlir"))).expect("a program");
    let main = module.funcs.iter().find(|(_, f)| f.name == "main").expect("a function").1;
    let types = main.params.iter().map(|&p| main.tensor(p).clone());
    let path = |(k, ty): (usize, TensorType)| {
        let given = repro().join(format!("perf/{name}.{k}.npy"));
        if given.exists() {
            return given.to_str().expect("UTF-8").to_owned();
        }
        let made = dir.join(format!("in{k}.npy"));
        let array = random(ty.dtype, &ty.shape, k as u64 + 1);
        std::fs::write(&made, npy::write(&array).expect("a type of files")).expect("a file");
        made.to_str().expect("UTF-8").to_owned()
    };
    types.enumerate().map(path).collect()
}

/// The results of a command, in order.
fn results(words: &[&str], inputs: &[String], dir: &Path) -> Vec<Array> {
    let _ = std::fs::remove_dir_all(dir);
    let mut words: Vec<String> = words.iter().map(|&w| w.to_owned()).collect();
    words.push("--inputs".into());
    words.extend_from_slice(inputs);
    words.extend(["--outputs".into(), dir.to_str().expect("UTF-8").to_owned()]);
    if let Err(error) = wengert(&words) {
        panic!("{words:?}: {error}");
    }
    let entries = std::fs::read_dir(dir).expect("results").map(|e| e.expect("an entry").path());
    let mut paths: Vec<PathBuf> = entries.collect();
    let place = |p: &PathBuf| -> usize {
        let digits: String = p
            .to_str()
            .expect("UTF-8")
            .rsplit('/')
            .next()
            .expect("a name")
            .chars()
            .filter(char::is_ascii_digit)
            .collect();
        digits.parse().expect("a number")
    };
    paths.sort_by_key(place);
    paths.iter().map(|p| npy::parse(&std::fs::read(p).expect("a file")).expect("an array")).collect()
}

/// Numbers of an array as doubles.
fn numbers(array: &Array) -> Vec<f64> {
    match array.dtype() {
        DType::F64 => array.as_slice::<f64>().to_vec(),
        DType::F32 => array.as_slice::<f32>().iter().map(|&x| x as f64).collect(),
        _ => array.integers().expect("integers").iter().map(|&x| x as f64).collect(),
    }
}

/// Equal to what the larger numbers of the second are rounded to in long sums.
#[track_caller]
fn agree(what: &str, a: &Array, b: &Array) {
    assert_eq!(a.ty(), b.ty(), "{what}");
    let (x, y) = (numbers(a), numbers(b));
    let bound = if a.dtype() == DType::F64 { 1e-9 } else { 1e-4 };
    let largest = y.iter().filter(|v| v.is_finite()).fold(1e-30, |m: f64, v| m.max(v.abs()));
    let near = |x: f64, y: f64| x == y || x.is_nan() && y.is_nan() || (x - y).abs() <= bound * largest;
    let far = x.iter().zip(&y).find(|(x, y)| !near(**x, **y));
    assert!(far.is_none(), "{what}: {far:?}, the largest is {largest}");
}

#[test]
fn slow_programs_and_their_gradients_are_right() {
    for line in read("perf.txt").lines().filter(|l| !l.starts_with('#')) {
        let (name, wrt) = line.split_once(' ').unwrap_or((line, ""));
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("repro").join(name);
        std::fs::create_dir_all(&dir).expect("a folder");
        let args = inputs(name, &dir);
        let out = dir.join("out");
        let (f, vg) = (format!("perf/{name}.f.mlir"), format!("perf/{name}.vg.mlir"));
        let compare = |program: &str| {
            let compiled = results(&["run", program], &args, &out);
            let interpreted = results(&["run", program, "--backend", "interpreter"], &args, &out);
            assert_eq!(compiled.len(), interpreted.len());
            for (k, (a, b)) in compiled.iter().zip(&interpreted).enumerate() {
                agree(&format!("{program}, result {k}"), a, b);
            }
            compiled
        };
        let value = compare(&f);
        if !repro().join(&vg).exists() {
            continue;
        }
        if wrt.is_empty() {
            compare(&vg);
            continue;
        }
        let theirs = results(&["run", &vg], &args, &out);
        agree(&format!("{name}, the value"), &value[0], &theirs[0]);
        let ours = results(&["grad", &f, "--wrt", &wrt.replace(' ', ",")], &args, &out);
        assert_eq!(ours.len() + 1, theirs.len(), "{name}");
        for ((a, b), k) in ours.iter().zip(&theirs[1..]).zip(wrt.split(' ')) {
            agree(&format!("{name}, the gradient by argument {k}"), a, b);
        }
    }
}
