//! Measures compilation and calls of small programs. Run with `cargo run --release -p wengert-cpu --example measure`.

#![allow(clippy::print_stdout, reason = "a command that reports")]

#[path = "../tests/common/mod.rs"]
mod common;

use common::Maker;
use std::time::Instant;
use wengert_cpu::{Executable, Options};
use wengert_ir::array::Array;
use wengert_ir::kernel::build::{KernelBuilder, at};
use wengert_ir::kernel::product::Levels;
use wengert_ir::kernel::{
    Combine, Extent, KBinary, KOp, Library, LoopKind, Matrix, MemKind, Program, Scalar,
};
use wengert_ir::math::MathFn;

/// Least and median time of a call of `f`, in ns.
fn time(mut f: impl FnMut()) -> (f64, f64) {
    let mut inner = 1;
    loop {
        let start = Instant::now();
        (0..inner).for_each(|_| f());
        if start.elapsed().as_micros() > 200 {
            break;
        }
        inner *= 2;
    }
    let mut samples: Vec<f64> = (0..60)
        .map(|_| {
            let start = Instant::now();
            (0..inner).for_each(|_| f());
            start.elapsed().as_nanos() as f64 / inner as f64
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    (samples[0], samples[samples.len() / 2])
}

fn report(name: &str, program: &Program, elements: usize) {
    let (compile, _) = time(|| drop(Executable::compile(program, &Options::default())));
    let executable = Executable::compile(program, &Options::default()).expect("compiles");
    let args: Vec<Array> = program
        .params
        .iter()
        .map(|t| match t.dtype {
            wengert_ir::types::DType::F32 => {
                let values: Vec<f32> = (0..t.elements()).map(|i| (i % 100) as f32 * 0.01).collect();
                Array::new(&t.shape, &values)
            }
            _ => {
                let values: Vec<f64> = (0..t.elements()).map(|i| (i % 100) as f64 * 0.01).collect();
                Array::new(&t.shape, &values)
            }
        })
        .collect();
    let mut results: Vec<Array> = program.results.iter().map(|t| Array::zeros(t.clone())).collect();
    let args: Vec<&[u8]> = args.iter().map(|a| a.bytes()).collect();
    let mut slices: Vec<&mut [u8]> = results.iter_mut().map(|r| r.bytes_mut()).collect();
    let (least, median) = time(|| executable.call(&args, &mut slices).expect("runs"));
    println!(
        "{name:28} compile {:8.1} us, {:6} bytes; call {least:10.1} ns (median {median:10.1}), {:7.3} ns per element",
        compile / 1e3,
        executable.code_size(),
        least / elements as f64
    );
}

fn scalar(ops: usize) -> Program {
    let mut m = Maker::new();
    let (x, y) = (m.param(Scalar::F64, 1), m.result(Scalar::F64, 1));
    let mut v = m.b.load(at(x, 0, &[]));
    let first = v;
    for k in 0..ops {
        let op = if k % 2 == 0 { KBinary::Mul } else { KBinary::Add };
        v = m.b.op(KOp::Binary(op), &[v, first], Scalar::F64);
    }
    m.b.store(at(y, 0, &[]), v);
    m.finish()
}

/// Straight-line code over memory: each operation reads two recent values; every tenth is stored.
fn straight(ops: usize) -> Program {
    let mut m = Maker::new();
    let (x, y) = (m.param(Scalar::F64, 64), m.result(Scalar::F64, ops / 10 + 1));
    let mut values: Vec<_> = (0..64).map(|i| m.b.load(at(x, i, &[]))).collect();
    let mut random = common::Random(1);
    for k in 0..ops {
        let n = values.len();
        let pick = |r: u64| n - 1 - (r % 40.min(n as u64)) as usize;
        let (a, b) = (values[pick(random.next())], values[pick(random.next())]);
        let op = if k % 2 == 0 { KBinary::Mul } else { KBinary::Add };
        let v = m.b.op(KOp::Binary(op), &[a, b], Scalar::F64);
        values.push(v);
        if k % 10 == 0 {
            m.b.store(at(y, (k / 10) as i64, &[]), v);
        }
    }
    m.finish()
}

fn axpy(ty: Scalar, n: usize) -> Program {
    let mut m = Maker::new();
    let (x, y, a, out) = (m.param(ty, n), m.param(ty, n), m.param(ty, 1), m.result(ty, n));
    m.b.count(Extent::Const(0), Extent::Const(n as i64), 1, LoopKind::Vector, &[], |b, i, _| {
        let (v, w, s) = (b.load(at(x, 0, &[(i, 1)])), b.load(at(y, 0, &[(i, 1)])), b.load(at(a, 0, &[])));
        let t = b.op(KOp::Binary(KBinary::Mul), &[w, w], ty);
        let t = b.op(KOp::Fma, &[s, v, t], ty);
        b.store(at(out, 0, &[(i, 1)]), t);
        vec![]
    });
    m.finish()
}

fn sum(ty: Scalar, n: usize) -> Program {
    let mut m = Maker::new();
    let (x, out) = (m.param(ty, n), m.result(ty, 1));
    let total = m.b.lanes(Extent::Const(n as i64), &[Combine::Add], &[ty], |b, i, c| {
        let v = b.load(at(x, 0, &[(i, 1)]));
        vec![b.op(KOp::Fma, &[v, v, c[0]], ty)]
    });
    m.b.store(at(out, 0, &[]), total[0]);
    m.finish()
}

/// `mean(tanh(a*x+b)*exp(-x*x))`-like chain without the mean.
fn chain(n: usize) -> Program {
    let ty = Scalar::F32;
    let mut m = Maker::new();
    let (x, a, out) = (m.param(ty, n), m.param(ty, 2), m.result(ty, n));
    m.b.count(Extent::Const(0), Extent::Const(n as i64), 1, LoopKind::Vector, &[], |b, i, _| {
        let v = b.load(at(x, 0, &[(i, 1)]));
        let (s, t) = (b.load(at(a, 0, &[])), b.load(at(a, 1, &[])));
        let u = b.op(KOp::Fma, &[s, v, t], ty);
        let u = b.op(KOp::Math(MathFn::Tanh), &[u], ty);
        let w = b.op(KOp::Binary(KBinary::Mul), &[v, v], ty);
        let w = b.op(KOp::Unary(wengert_ir::kernel::KUnary::Neg), &[w], ty);
        let w = b.op(KOp::Math(MathFn::Exp), &[w], ty);
        let u = b.op(KOp::Binary(KBinary::Mul), &[u, w], ty);
        b.store(at(out, 0, &[(i, 1)]), u);
        vec![]
    });
    m.finish()
}

fn gemm(elem: Scalar, [m, n, k]: [usize; 3]) -> Program {
    let mut maker = Maker::new();
    let (a, b, c) = (maker.param(elem, m * k), maker.param(elem, k * n), maker.result(elem, m * n));
    let matrix = |mem, columns: usize| Matrix {
        at: at(mem, 0, &[]),
        row_stride: columns as i64,
        col_stride: 1,
        batch_stride: 0,
    };
    let library = Library::Gemm {
        elem,
        sizes: [1, m, n, k],
        rows: Levels::new(),
        depth: Levels::new(),
        a: matrix(a, k),
        b: matrix(b, n),
        c: matrix(c, n),
        adds: false,
    };
    maker.b.inst(KOp::Library(Box::new(library)), &[], &[]);
    maker.finish()
}

/// The axpy loop in a kernel that runs in parallel.
fn parallel(n: usize) -> Program {
    let mut m = Maker::new();
    let ty = Scalar::F32;
    let (mut k, p) = KernelBuilder::new("piece", &[Scalar::I64, Scalar::I64]);
    let (x, y) = (k.mem(ty, n, MemKind::Param(0)), k.mem(ty, n, MemKind::Param(1)));
    k.count(Extent::Value(p[0]), Extent::Value(p[1]), 1, LoopKind::Vector, &[], |b, i, _| {
        let v = b.load(at(x, 0, &[(i, 1)]));
        let t = b.op(KOp::Fma, &[v, v, v], ty);
        b.store(at(y, 0, &[(i, 1)]), t);
        vec![]
    });
    let kernel = m.program.kernels.push(k.finish());
    let (x, y) = (m.param(ty, n), m.result(ty, n));
    let mems = vec![at(x, 0, &[]), at(y, 0, &[])];
    m.b.inst(KOp::Parallel { kernel, mems, extent: Extent::Const(n as i64), grain: 512 }, &[], &[]);
    m.finish()
}

fn products() {
    for threads in [1, 2] {
        wengert_cpu::set_threads(threads);
        for elem in [Scalar::F32, Scalar::F64] {
            for [m, n, k] in [
                [2, 2, 2],
                [4, 4, 4],
                [8, 8, 8],
                [12, 12, 12],
                [16, 16, 16],
                [20, 20, 20],
                [24, 24, 24],
                [32, 32, 32],
                [64, 64, 64],
                [128, 128, 128],
                [256, 256, 256],
                [512, 512, 512],
                [1024, 1024, 1024],
                [1024, 1, 1024],
                [1, 1024, 1024],
                [256, 1, 64],
                [1, 64, 256],
                [128, 512, 784],
                [4, 1000, 4],
                [1000, 4, 4],
                [32, 1, 32],
            ] {
                let program = gemm(elem, [m, n, k]);
                let executable = Executable::compile(&program, &Options::default()).expect("compiles");
                let args: Vec<Array> = program.params.iter().map(|t| Array::zeros(t.clone())).collect();
                let mut results: Vec<Array> =
                    program.results.iter().map(|t| Array::zeros(t.clone())).collect();
                let args: Vec<&[u8]> = args.iter().map(|a| a.bytes()).collect();
                let mut slices: Vec<&mut [u8]> = results.iter_mut().map(|r| r.bytes_mut()).collect();
                let (least, median) = time(|| executable.call(&args, &mut slices).expect("runs"));
                let flops = 2.0 * (m * n * k) as f64;
                println!(
                    "{threads} threads {elem:?} {m:5} x {n:5} x {k:5}: {least:12.1} ns (median {median:12.1}), {:6.1} GFLOP/s",
                    flops / least
                );
            }
        }
    }
}

/// One function of the library over an array.
fn function(f: MathFn, ty: Scalar, n: usize) -> Program {
    let mut m = Maker::new();
    let (x, out) = (m.param(ty, n), m.result(ty, n));
    m.b.count(Extent::Const(0), Extent::Const(n as i64), 1, LoopKind::Vector, &[], |b, i, _| {
        let v = b.load(at(x, 0, &[(i, 1)]));
        let v = b.op(KOp::Math(f), &[v], ty);
        b.store(at(out, 0, &[(i, 1)]), v);
        vec![]
    });
    m.finish()
}

fn main() {
    if std::env::args().any(|a| a == "math") {
        for ty in [Scalar::F32, Scalar::F64] {
            for &f in MathFn::ALL {
                report(&format!("{f:?} {ty:?}"), &function(f, ty, 4096), 4096);
            }
        }
        return;
    }
    if std::env::args().any(|a| a == "gemm") {
        return products();
    }
    for (threads, n) in [(1, 10_000), (2, 10_000), (1, 1_000_000), (2, 1_000_000)] {
        wengert_cpu::set_threads(threads);
        report(&format!("parallel {n} f32, {threads} threads"), &parallel(n), n);
    }
    report("scalar, 3 ops", &scalar(3), 1);
    report("straight line, 100 ops", &straight(100), 100);
    report("straight line, 1,000 ops", &straight(1000), 1000);
    report("straight line, 10,000 ops", &straight(10_000), 10_000);
    report("axpy f32 4,096", &axpy(Scalar::F32, 4096), 4096);
    report("axpy f64 4,096", &axpy(Scalar::F64, 4096), 4096);
    report("axpy f32 1e6", &axpy(Scalar::F32, 1_000_000), 1_000_000);
    report("sum of squares f32 512", &sum(Scalar::F32, 512), 512);
    report("sum of squares f64 512", &sum(Scalar::F64, 512), 512);
    report("tanh*exp chain f32 1e5", &chain(100_000), 100_000);
    if std::env::args().any(|a| a == "asm") {
        println!("{}", wengert_cpu::asm(&axpy(Scalar::F32, 4096), &Options::default()).expect("prints"));
        println!("{}", wengert_cpu::asm(&sum(Scalar::F32, 512), &Options::default()).expect("prints"));
        println!("{}", wengert_cpu::asm(&scalar(3), &Options::default()).expect("prints"));
    }
}
