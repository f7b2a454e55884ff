//! What we export runs on XLA and gives the same numbers: functions written in Rust with their gradients, and the
//! programs of the corpus. Says so and passes where jax is not installed (`PYTHON` names the interpreter to ask, `python3`
//! by default).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use wengert::stages::Traced;
use wengert::{
    DType, ScanOptions, Tensor, cond, einsum, fori_loop, grad, jit, nn, random, scan, scan_with,
    stop_gradient, switch, while_loop,
};
use wengert_ir::testing::skip;

/// Where the cases go: a folder each, with `program.mlir`, `in0.npy`.. and `out0.npy`...
struct Cases {
    folder: PathBuf,
    names: Vec<String>,
}

impl Cases {
    fn add(&mut self, name: &str, program: &Traced, args: &[Tensor]) {
        let results = program.interpret(args).expect(name);
        let compiled = program.lower().and_then(|l| l.compile()).and_then(|c| c.call(args)).expect(name);
        for text in [
            program.stablehlo().expect(name),
            program.optimize().expect(name).stablehlo().expect(name),
            program.text(false),
        ] {
            let folder = self.folder.join(format!("{name}-{}", self.names.len()));
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(folder.join("program.mlir"), text).expect("a file");
            let write = |kind: &str, tensors: &[Tensor]| {
                for (k, t) in tensors.iter().enumerate() {
                    let bytes = t.to_npy().expect(name);
                    fs::write(folder.join(format!("{kind}{k}.npy")), bytes).expect("a file");
                }
            };
            write("in", args);
            write("out", &results);
            write("compiled", &compiled);
            self.names.push(folder.file_name().expect("named").to_string_lossy().into_owned());
        }
    }
}

fn vector(n: usize) -> Tensor {
    (Tensor::arange(n, DType::F64) * 0.7 + 0.3).sin()
}

/// A function of a vector as a program, with its gradient where it is a number.
macro_rules! case {
    ($cases:expr, $name:literal, $f:expr) => {{
        let f = $f;
        let x = || vector(6);
        $cases.add($name, &jit(f.clone()).trace((x(),)).expect($name), &[x()]);
        let g = grad(move |x: Tensor| f(x).sum());
        $cases.add(concat!($name, "_grad"), &jit(g).trace((x(),)).expect($name), &[x()]);
    }};
}

fn ours(cases: &mut Cases) {
    case!(cases, "elementwise", |x: Tensor| (x.sin() * &x + x.exp()).tanh());
    case!(cases, "erf", |x: Tensor| x.erf() + x.abs().lgamma());
    case!(cases, "stop_gradient", |x: Tensor| stop_gradient(&x.sin()) * x);
    case!(cases, "attention", |x: Tensor| {
        let x = x.reshape(&[3, 1, 2]);
        nn::dot_product_attention(&x, &x, &x, &nn::Attention { causal: true, ..Default::default() }).flatten()
    });
    case!(cases, "einsum", |x: Tensor| einsum("i,ij,j->i", &[&x, &x.outer(&x), &x.cos()]));
    case!(cases, "scan", |x: Tensor| {
        let w = x.sum();
        let (c, ys) = scan(
            |c: Tensor, x: Tensor| {
                let c = (c * &w + x).sin();
                (c.clone(), &c * &c)
            },
            x.get(0),
            x.clone(),
        );
        ys + c
    });
    case!(cases, "scan_reverse", |x: Tensor| {
        let options = ScanOptions { reverse: true, unroll: 2, ..ScanOptions::default() };
        scan_with(|c: Tensor, x: Tensor| (c.cos() + &x, c * x), x.mean(), x, options).1
    });
    case!(cases, "nested_loops", |x: Tensor| {
        fori_loop(
            0,
            3,
            |_, x: Tensor| wengert::map(|r: Tensor| fori_loop(0, 2, |_, r: Tensor| r.sin() * 1.1, r), x),
            x,
        )
    });
    case!(cases, "branches", |x: Tensor| {
        let y = cond(&x.get(0).greater(0.1), |x: Tensor| x.sin(), |x: Tensor| x.exp(), x.clone());
        let branches: [&dyn Fn(Tensor) -> Tensor; 2] = [&|y| -y, &|y| &y * &y];
        switch(&Tensor::from(1i32), &branches, y)
    });
    case!(cases, "random", |x: Tensor| x * random::uniform(&random::key(3), &[6], DType::F64, 0.0, 1.0));
    case!(cases, "dropout", |x: Tensor| nn::dropout(&random::key(3), &x, 0.5));
    let f = |x: Tensor| while_loop(|x: Tensor| x.square().sum().less(50.0), |x| x * 1.5, x);
    cases.add("while", &jit(f).trace((vector(6),)).expect("traces"), &[vector(6)]);
    let second =
        grad(|x: Tensor| grad(|x: Tensor| fori_loop(0, 3, |_, x: Tensor| x.sin() * &x, x).sum())(x).sum());
    cases.add("second_order", &jit(second).trace((vector(6),)).expect("traces"), &[vector(6)]);
}

/// Whether a script that needs jax is content; it says so where there is none.
fn jax_agrees(python: &str, out: std::io::Result<Output>) {
    let out = match out {
        Ok(out) => out,
        Err(e) => return skip("jax", &format!("{python}: {e}")),
    };
    let said = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success(), "{said}");
    if said.starts_with("skipped") {
        skip("jax", &said);
    }
}

#[test]
fn xla_runs_what_we_export() {
    let folder = std::env::temp_dir().join(format!("wengert-export-{}", std::process::id()));
    let mut cases = Cases { folder: folder.clone(), names: Vec::new() };
    ours(&mut cases);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("jaxlib_run.py");
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".into());
    let out = Command::new(&python).arg(&script).arg(&folder).output();
    fs::remove_dir_all(&folder).expect("our own folder");
    jax_agrees(&python, out);
}

#[test]
fn what_has_no_static_size_is_refused() {
    let f = |x: Tensor| while_loop(|x: Tensor| x.less(50.0), |x| &x * &x + 1.0, x);
    let program = jit(grad(f)).trace((Tensor::from(1.5f64),)).expect("traces");
    let error = program.stablehlo().expect_err("dynamic").to_string();
    assert!(error.contains("unknown length"), "{error}");
}
