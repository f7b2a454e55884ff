//! Control flow, calls, memory, limits and the checks of a call.

use crate::common;

use common::{Maker, assert_same, check, inputs};
use wengert_cpu::testing::with_narrow_vectors;
use wengert_cpu::{CallLimits, Executable, Options, RunError};
use wengert_ir::array::Array;
use wengert_ir::kernel::build::{KernelBuilder, at};
use wengert_ir::kernel::product::{Level, Levels};
use wengert_ir::kernel::{Extent, KBinary, KOp, KUnary, Library, LoopKind, Matrix, MemKind, Program, Scalar};
use wengert_ir::math::{MathFn, MathFn2};
use wengert_ir::op::{CompareType, Direction};
use wengert_ir::types::TensorType;

/// Collatz steps of `x[0]`, and the numbers passed through in a stack, copied out.
fn collatz() -> Program {
    let mut m = Maker::new();
    let x = m.param(Scalar::I64, 1);
    let (out, trace) = (m.result(Scalar::I64, 1), m.result(Scalar::I64, 128));
    let rows = m.stack(Scalar::I64, 1);
    let start = m.b.load(at(x, 0, &[]));
    let (zero, one, two, three) = (m.int(0), m.int(1), m.int(2), m.int(3));
    let compare = |d| KOp::Compare(d, CompareType::Signed);
    let last = m.b.while_loop(
        &[start, zero],
        |b, c| b.op(compare(Direction::Gt), &[c[0], one], Scalar::I1),
        |b, c| {
            let next = b.op(KOp::Binary(KBinary::Add), &[c[1], one], Scalar::I64);
            b.inst(KOp::Reserve(rows), &[next], &[]);
            b.store(at(rows, 0, &[(c[1], 1)]), c[0]);
            let odd = b.op(KOp::Binary(KBinary::And), &[c[0], one], Scalar::I64);
            let step = b.switch(odd, 2, &[Scalar::I64], |b, arm| {
                vec![if arm == 0 {
                    b.op(KOp::Binary(KBinary::Div), &[c[0], two], Scalar::I64)
                } else {
                    let t = b.op(KOp::Binary(KBinary::Mul), &[c[0], three], Scalar::I64);
                    b.op(KOp::Binary(KBinary::Add), &[t, one], Scalar::I64)
                }]
            });
            vec![step[0], next]
        },
    );
    m.b.store(at(out, 0, &[]), last[1]);
    m.b.count(Extent::Const(0), Extent::Const(128), 1, LoopKind::Vector, &[], |b, i, _| {
        b.store(at(trace, 0, &[(i, 1)]), zero);
        vec![]
    });
    // As many as there is room for.
    let most = m.int(128);
    let shown = m.b.op(KOp::Binary(KBinary::Min), &[last[1], most], Scalar::I64);
    m.b.inst(KOp::Reserve(rows), &[shown], &[]);
    m.b.count(Extent::Const(0), Extent::Value(shown), 1, LoopKind::Vector, &[], |b, i, _| {
        let v = b.load(at(rows, 0, &[(i, 1)]));
        b.store(at(trace, 0, &[(i, 1)]), v);
        vec![]
    });
    m.finish()
}

#[test]
fn while_switch_stack() {
    let program = collatz();
    for start in [1i64, 2, 7, 27, 97] {
        check(&program, &[Array::new(&[1], &[start])], &format!("collatz of {start}"));
    }
}

/// What a trip reads of a stack before it makes room there lies where the trip before has moved it.
#[test]
fn stacks_that_move_are_read_where_they_are() {
    let mut m = Maker::new();
    let (rows, out) = (m.stack(Scalar::I64, 1), m.result(Scalar::I64, 1));
    let (zero, one) = (m.int(0), m.int(1));
    m.b.inst(KOp::Reserve(rows), &[one], &[]);
    m.b.store(at(rows, 0, &[]), zero);
    let kind = LoopKind::Sequential;
    let last = m.b.count(Extent::Const(0), Extent::Const(1000), 1, kind, &[zero], |b, i, _| {
        let before = b.load(at(rows, 0, &[]));
        let next = b.op(KOp::Binary(KBinary::Add), &[i, one], Scalar::I64);
        b.inst(KOp::Reserve(rows), &[next], &[]);
        b.store(at(rows, 0, &[(i, 1)]), i);
        let sum = b.op(KOp::Binary(KBinary::Add), &[before, next], Scalar::I64);
        b.store(at(rows, 0, &[]), sum);
        vec![sum]
    });
    m.b.store(at(out, 0, &[]), last[0]);
    let program = m.finish();
    check(&program, &inputs(&program, 1), "a sum in a stack");
}

#[test]
fn limits() {
    let options = Options { count_steps: true, ..Options::default() };
    let executable = Executable::compile(&collatz(), &options).expect("compiles");
    let run = |mut limits: CallLimits| {
        let (mut out, mut trace) = ([0u8; 8], vec![0u8; 1024]);
        executable
            .call_limited(&[&27i64.to_le_bytes()], &mut [&mut out, &mut trace], &mut limits)
            .map(|()| out)
    };
    let enough = CallLimits { max_steps: 111, ..CallLimits::default() };
    assert_eq!(run(enough), Ok(111i64.to_le_bytes()));
    assert_eq!(run(CallLimits { max_steps: 110, ..enough }), Err(RunError::Steps));
    assert_eq!(run(CallLimits { max_stack_memory: 100, ..enough }), Err(RunError::Memory));
    assert_eq!(run(CallLimits { max_stack_memory: 1024, ..enough }), Ok(111i64.to_le_bytes()));
}

#[test]
fn calls_are_checked() {
    let executable = Executable::compile(&collatz(), &Options::default()).expect("compiles");
    let mut out = [0u8; 8];
    assert!(matches!(executable.call(&[], &mut []), Err(RunError::Count { what: "arguments", .. })));
    assert!(matches!(
        executable.call(&[&[0; 8]], &mut [&mut out]),
        Err(RunError::Count { what: "results", .. })
    ));
    let mut short = [0u8; 8];
    let mut wrong = [0u8; 1023];
    let result = executable.call(&[&[0; 8]], &mut [&mut short, &mut wrong]);
    assert!(matches!(
        result,
        Err(RunError::Length { what: "result", number: 1, expected: 1024, given: 1023 })
    ));
    assert!(matches!(
        executable.call(&[&[0; 7]], &mut [&mut out, &mut [0; 1024]]),
        Err(RunError::Length { .. })
    ));
}

#[test]
fn unaligned_buffers() {
    let program = collatz();
    let executable = Executable::compile(&program, &Options::default()).expect("compiles");
    let mut memory = vec![0u8; 4096];
    let (left, right) = memory.split_at_mut(64);
    left[3..11].copy_from_slice(&27i64.to_le_bytes());
    let (out, trace) = right.split_at_mut(1000);
    let out = &mut out[5..13];
    executable.call(&[&left[3..11]], &mut [out, &mut trace[1..1025]]).expect("runs");
    assert_eq!(out, 111i64.to_le_bytes());
    assert_eq!(trace[1..9], 27i64.to_le_bytes());
}

/// Switches of many arms, out of range on both sides.
#[test]
fn switches() {
    for ty in [Scalar::I32, Scalar::I64] {
        for arms in [1, 2, 3, 7] {
            let mut m = Maker::new();
            let (x, out) = (m.param(ty, 12), m.result(Scalar::F64, 12));
            m.b.count(Extent::Const(0), Extent::Const(12), 1, LoopKind::Sequential, &[], |b, i, _| {
                let index = b.load(at(x, 0, &[(i, 1)]));
                let got = b.switch(index, arms, &[Scalar::F64], |b, arm| {
                    vec![b.float(Scalar::F64, arm as f64 + 0.5)]
                });
                b.store(at(out, 0, &[(i, 1)]), got[0]);
                vec![]
            });
            let program = m.finish();
            let indices = [0i64, 1, 2, 3, 6, 7, 8, -1, i64::MIN, i64::MAX, 1 << 32, -(1 << 31)];
            let args = match ty {
                Scalar::I64 => Array::new(&[12], &indices),
                _ => Array::new(&[12], &indices.map(|i| i as i32)),
            };
            check(&program, &[args], &format!("{arms} arms by {ty:?}"));
        }
    }
}

/// Matrix-vector product by nested loops with a carried sum, in a kernel that is called for each of two halves.
#[test]
fn kernels_and_nested_loops() {
    let mut m = Maker::new();
    let (mut k, params) = KernelBuilder::new("half", &[Scalar::I64, Scalar::F64]);
    let a = k.mem(Scalar::F64, 40, MemKind::Param(0));
    let x = k.mem(Scalar::F64, 8, MemKind::Param(1));
    let y = k.mem(Scalar::F64, 5, MemKind::Param(2));
    k.count(Extent::Const(0), Extent::Value(params[0]), 1, LoopKind::Sequential, &[], |b, i, _| {
        let zero = b.float(Scalar::F64, 0.0);
        let sum =
            b.count(Extent::Const(1), Extent::Const(8), 3, LoopKind::Sequential, &[zero], |b, j, carried| {
                let v = b.load(at(a, 0, &[(i, 8), (j, 1)]));
                let w = b.load(at(x, 0, &[(j, 1)]));
                vec![b.op(KOp::Fma, &[v, w, carried[0]], Scalar::F64)]
            });
        let scaled = b.op(KOp::Binary(KBinary::Mul), &[sum[0], params[1]], Scalar::F64);
        b.store(at(y, 0, &[(i, 1)]), scaled);
        vec![]
    });
    let id = m.program.kernels.push(k.finish());
    let (a, x, y) = (m.param(Scalar::F64, 80), m.param(Scalar::F64, 8), m.result(Scalar::F64, 10));
    let copy = m.scratch(Scalar::F64, 8);
    m.b.count(Extent::Const(0), Extent::Const(8), 1, LoopKind::Vector, &[], |b, i, _| {
        let v = b.load(at(x, 0, &[(i, 1)]));
        b.store(at(copy, 7, &[(i, -1)]), v);
        vec![]
    });
    let (five, half) = (m.int(5), m.b.float(Scalar::F64, 0.5));
    for (first, row) in [(0, 0), (40, 5)] {
        let mems = vec![at(a, first, &[]), at(copy, 0, &[]), at(y, row, &[])];
        m.b.inst(KOp::Call { kernel: id, mems }, &[five, half], &[]);
    }
    let program = m.finish();
    check(&program, &inputs(&program, 2), "halves");
}

#[test]
fn parallel_kernels() {
    for (extent, grain) in [(0, 1), (1, 64), (1000, 1), (1000, 64), (5000, 512)] {
        let mut m = Maker::new();
        let (mut k, params) =
            KernelBuilder::new("piece", &[Scalar::I64, Scalar::I64, Scalar::F32, Scalar::I1]);
        let x = k.mem(Scalar::F32, extent, MemKind::Param(0));
        let y = k.mem(Scalar::F32, extent, MemKind::Param(1));
        k.count(Extent::Value(params[0]), Extent::Value(params[1]), 1, LoopKind::Vector, &[], |b, i, _| {
            let v = b.load(at(x, 0, &[(i, 1)]));
            let v = b.op(KOp::Binary(KBinary::Mul), &[v, params[2]], Scalar::F32);
            let w = b.op(KOp::Unary(KUnary::Neg), &[v], Scalar::F32);
            let v = b.op(KOp::Select, &[params[3], v, w], Scalar::F32);
            b.store(at(y, 0, &[(i, 1)]), v);
            vec![]
        });
        let kernel = m.program.kernels.push(k.finish());
        let (x, y) = (m.param(Scalar::F32, extent), m.result(Scalar::F32, extent));
        let (scale, sign) = (m.b.float(Scalar::F32, 1.25), m.b.bits(Scalar::I1, 0));
        let mems = vec![at(x, 0, &[]), at(y, 0, &[])];
        let extent = Extent::Const(extent as i64);
        m.b.inst(KOp::Parallel { kernel, mems, extent, grain }, &[scale, sign], &[]);
        let program = m.finish();
        for threads in [1, 2, 8] {
            wengert_cpu::set_threads(threads);
            check(&program, &inputs(&program, 2), &format!("{extent:?} by {grain} on {threads} threads"));
        }
    }
}

#[test]
fn constants_locals_tiles() {
    let mut m = Maker::new();
    let table: Vec<u8> = (0..20).flat_map(|i| (i as f32 * 0.25 - 2.0).to_le_bytes()).collect();
    let x = m.constant(Scalar::F32, &table);
    let local = m.local(Scalar::F32, 20);
    let (y, z) = (m.result(Scalar::F32, 20), m.result(Scalar::F32, 20));
    let len = Extent::Const(20);
    let tile = Library::Tile { f: MathFn::Exp, src: at(x, 0, &[]), dst: at(local, 0, &[]), len };
    m.b.inst(KOp::Library(Box::new(tile)), &[], &[]);
    let tile =
        Library::Tile2 { f: MathFn2::Pow, a: at(local, 0, &[]), b: at(x, 0, &[]), dst: at(y, 0, &[]), len };
    m.b.inst(KOp::Library(Box::new(tile)), &[], &[]);
    m.b.count(Extent::Const(0), len, 1, LoopKind::Vector, &[], |b, i, _| {
        let v = b.load(at(local, 0, &[(i, 1)]));
        b.store(at(z, 19, &[(i, -1)]), v);
        vec![]
    });
    let program = m.finish();
    check(&program, &[], "tiles");
}

/// Products of every shape class and layout, within rounding of the interpreter's.
#[test]
fn products() {
    for elem in [Scalar::F64, Scalar::F32] {
        for [batch, rows, columns, depth] in [
            [1, 1, 1, 1],
            [1, 2, 3, 4],
            [1, 1, 5, 7],
            [1, 5, 1, 7],
            [3, 4, 4, 4],
            [2, 17, 9, 33],
            [1, 64, 64, 64],
            [1, 3, 3, 0],
            [0, 3, 3, 3],
            [1, 0, 3, 3],
            [1, 100, 1, 100],
            [1, 1, 100, 100],
            [2, 65, 70, 31],
            [1, 3, 3, 130],
            [2, 8, 7, 97],
            [1, 4, 6, 96],
            [1, 1, 2, 99],
        ] {
            for layout in 0..16 {
                let mut m = Maker::new();
                let matrix = |m: &mut Maker, r: usize, c: usize, transposed: bool, out: bool| {
                    let len = batch * r * c + 3;
                    let mem = if out { m.result(elem, len) } else { m.param(elem, len) };
                    let (rs, cs) = if transposed { (1, r) } else { (c, 1) };
                    Matrix {
                        at: at(mem, 2, &[]),
                        row_stride: rs as i64,
                        col_stride: cs as i64,
                        batch_stride: (r * c) as i64,
                    }
                };
                let a = matrix(&mut m, rows, depth, layout & 1 != 0, false);
                let b = matrix(&mut m, depth, columns, layout & 2 != 0, false);
                let c = matrix(&mut m, rows, columns, layout & 4 != 0, true);
                let mem = c.at.mem;
                let adds = layout & 8 != 0;
                let held = m.b.float(elem, 0.25);
                let len = Extent::Const((batch * rows * columns + 3) as i64);
                m.b.count(Extent::Const(0), len, 1, LoopKind::Vector, &[], |b, i, _| {
                    b.store(at(mem, 0, &[(i, 1)]), held);
                    vec![]
                });
                let sizes = [batch, rows, columns, depth];
                m.b.inst(
                    KOp::Library(Box::new(Library::Gemm {
                        elem,
                        sizes,
                        rows: Levels::new(),
                        depth: Levels::new(),
                        a,
                        b,
                        c,
                        adds,
                    })),
                    &[],
                    &[],
                );
                let program = m.finish();
                let args = multiples(&program, elem);
                let expected = wengert_ir::kernel::interp::run(&program, &args).expect("interprets");
                let one = || common::run(&program, &Options::default(), &args);
                for found in [one(), with_narrow_vectors(one)] {
                    assert_same(&found, &expected, &args, &format!("{elem:?} {sizes:?} layout {layout}"));
                }
            }
        }
    }
}

/// Windows of images: rows and the sum walk memory along several dimensions, of all sizes of tiles and their remainders.
#[test]
fn products_of_windows() {
    for elem in [Scalar::F64, Scalar::F32] {
        // Images, their height and width, features in and out; windows, their height and width, how far apart they and theirs are.
        for ([n, h, w, i, o], [p, q], [stride, dilation]) in [
            ([1, 5, 9, 3, 16], [3, 2], [1, 1]),
            ([2, 7, 8, 1, 9], [2, 3], [2, 1]),
            ([1, 9, 30, 4, 33], [3, 3], [1, 2]),
            ([3, 6, 6, 17, 40], [2, 2], [1, 1]),
            ([1, 4, 40, 2, 64], [4, 1], [3, 1]),
            ([2, 5, 5, 30, 70], [3, 3], [1, 1]),
            ([1, 3, 3, 1, 1], [3, 3], [1, 1]),
            ([1, 3, 50, 5, 129], [1, 7], [1, 3]),
            // Two pieces for threads.
            ([1, 12, 40, 8, 40], [3, 3], [1, 1]),
        ] {
            for layout in 0..16 {
                let program = windows(elem, [n, h, w, i, o], [p, q], [stride, dilation], layout);
                let args = multiples(&program, elem);
                let expected = wengert_ir::kernel::interp::run(&program, &args).expect("interprets");
                let what = format!(
                    "{elem:?} {n}x{h}x{w}x{i} to {o}, {p}x{q}, {stride}, {dilation}, layout {layout}"
                );
                for threads in [1, 3] {
                    wengert_cpu::set_threads(threads);
                    let found = common::run(&program, &Options::default(), &args);
                    assert_same(&found, &expected, &args, &what);
                }
            }
        }
    }
    wengert_cpu::set_threads(1);
}

/// The product of windows with a kernel whose features lie last, or first; of images whose features do; added to what is there or
/// not; of images that are batches, or rows.
fn windows(
    elem: Scalar,
    [n, h, w, i, o]: [usize; 5],
    [p, q]: [usize; 2],
    [stride, dilation]: [usize; 2],
    layout: usize,
) -> Program {
    let [features_last, kernel_last, adds, batches] = [1, 2, 4, 8].map(|bit| layout & bit != 0);
    let mut m = Maker::new();
    let count = |size: usize, window: usize| (size - (window - 1) * dilation - 1) / stride + 1;
    let (rows, columns) = (count(h, p), count(w, q));
    let (x, k) = (m.param(elem, n * h * w * i), m.param(elem, p * q * i * o));
    let out = m.result(elem, n * rows * columns * o);
    let held = m.b.float(elem, 0.25);
    let all = Extent::Const((n * rows * columns * o) as i64);
    m.b.count(Extent::Const(0), all, 1, LoopKind::Vector, &[], |b, at_, _| {
        b.store(at(out, 0, &[(at_, 1)]), held);
        vec![]
    });
    // Elements from one image, line, place and feature to the next; of a line, place, feature of the kernel; one of its results.
    let [of_line, of_place, of_feature] = if features_last { [w * i, i, 1] } else { [w, 1, h * w] };
    let [k_line, k_place, k_feature, k_result] =
        if kernel_last { [q * i * o, i * o, o, 1] } else { [q * i, i, 1, p * q * i] };
    let level = |extent, strides: [usize; 2]| Level { extent, strides: strides.map(|s| s as i64) };
    let matrix = |mem, row: usize, col: usize| Matrix {
        at: at(mem, 0, &[]),
        row_stride: row as i64,
        col_stride: col as i64,
        batch_stride: 0,
    };
    let [of_image, of_result] = [h * w * i, rows * columns * o];
    let images = if batches { n } else { 1 };
    let mut product = Library::Gemm {
        elem,
        sizes: [images, columns, o, i],
        rows: Levels::from_slice(&[
            level(n / images, [of_image, of_result]),
            level(rows, [stride * of_line, columns * o]),
        ]),
        depth: Levels::from_slice(&[
            level(p, [dilation * of_line, k_line]),
            level(q, [dilation * of_place, k_place]),
        ]),
        a: matrix(x, stride * of_place, of_feature),
        b: matrix(k, k_feature, k_result),
        c: matrix(out, o, 1),
        adds,
    };
    if let (Library::Gemm { a, c, .. }, true) = (&mut product, batches) {
        (a.batch_stride, c.batch_stride) = (of_image as i64, of_result as i64);
    }
    m.b.inst(KOp::Library(Box::new(product)), &[], &[]);
    m.finish()
}

/// A sum over nothing is zero, or what was there, wherever its factors would be.
#[test]
fn products_of_windows_over_nothing() {
    for (rows, sum, adds) in [(2, 0, false), (2, 0, true), (0, 3, false), (3, 1, true)] {
        let mut m = Maker::new();
        let (x, y) = (m.param(Scalar::F32, 8), m.result(Scalar::F32, 108));
        let held = m.b.float(Scalar::F32, 0.25);
        m.b.count(Extent::Const(0), Extent::Const(108), 1, LoopKind::Vector, &[], |b, i, _| {
            b.store(at(y, 0, &[(i, 1)]), held);
            vec![]
        });
        // Of matrices without elements.
        let [far, farther] = [rows * sum, sum].map(|n| if n == 0 { i64::MAX / 4 } else { 0 });
        let matrix = |mem, row_stride, col_stride, batch_stride| Matrix {
            at: at(mem, 0, &[]),
            row_stride,
            col_stride,
            batch_stride,
        };
        let product = Library::Gemm {
            elem: Scalar::F32,
            sizes: [2, 3, 6, 1],
            rows: Levels::from_slice(&[Level { extent: rows, strides: [far, 18] }]),
            depth: Levels::from_slice(&[Level { extent: sum, strides: [far, farther] }]),
            a: matrix(x, far, far, far),
            b: matrix(x, farther, 1, farther),
            c: matrix(y, 6, 1, 54),
            adds,
        };
        m.b.inst(KOp::Library(Box::new(product)), &[], &[]);
        let program = m.finish();
        let args = multiples(&program, Scalar::F32);
        let expected = wengert_ir::kernel::interp::run(&program, &args).expect("interprets");
        let found = common::run(&program, &Options::default(), &args);
        assert_same(&found, &expected, &args, &format!("{rows} rows, {sum} terms, adds: {adds}"));
    }
}

/// Arguments of multiples of 1/4 that are small: every order of summation is exact.
fn multiples(program: &Program, elem: Scalar) -> Vec<Array> {
    let number = |i: usize, seed: usize| ((i * 7919 + seed * 31) % 17) as f64 / 4.0 - 2.0;
    let array = |(k, ty): (usize, &TensorType)| {
        let numbers = (0..ty.elements()).map(|i| number(i, k));
        match elem {
            Scalar::F64 => Array::new(&ty.shape, &numbers.collect::<Vec<f64>>()),
            _ => Array::new(&ty.shape, &numbers.map(|x| x as f32).collect::<Vec<f32>>()),
        }
    };
    program.params.iter().enumerate().map(array).collect()
}

#[test]
fn threads_share_an_executable() {
    let executable = Executable::compile(&collatz(), &Options::default()).expect("compiles");
    std::thread::scope(|s| {
        for _ in 0..4 {
            s.spawn(|| {
                for start in 1..200i64 {
                    let (mut out, mut trace) = ([0u8; 8], vec![0u8; 1024]);
                    executable.call(&[&start.to_le_bytes()], &mut [&mut out, &mut trace]).expect("runs");
                    let (mut n, mut steps) = (start, 0i64);
                    while n > 1 {
                        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                        steps += 1;
                    }
                    assert_eq!(i64::from_le_bytes(out), steps);
                }
            });
        }
    });
}

#[test]
fn listings() {
    let clif = wengert_cpu::clif(&collatz(), &Options::default()).expect("prints");
    assert!(clif.contains("br_table") || clif.contains("brif"), "{clif}");
    assert!(wengert_cpu::asm(&collatz(), &Options::default()).expect("prints").contains("ret"));
}

/// Blocks of thousands of operations: at the top, in a loop that carries values, in a branch, with stores between; in a loop
/// of a branch that carries a constant of the top, before more of them there.
#[test]
fn long_blocks() {
    for ops in [1_000usize, 3_000, 10_000] {
        for place in 0..4 {
            let mut m = Maker::new();
            let (x, y) = (m.param(Scalar::F64, 16), m.result(Scalar::F64, ops / 50 + 2));
            let local = m.local(Scalar::F64, 4);
            let zero = m.b.float(Scalar::F64, 0.0);
            m.b.count(
                Extent::Const(0),
                Extent::Const((ops / 50 + 2) as i64),
                1,
                LoopKind::Vector,
                &[],
                |b, i, _| {
                    b.store(at(y, 0, &[(i, 1)]), zero);
                    vec![]
                },
            );
            let mut random = common::Random(ops as u64);
            let mut long = |b: &mut KernelBuilder, seed: wengert_ir::kernel::KValue| {
                let mut values = vec![seed];
                values.extend((0..16).map(|i| b.load(at(x, i, &[]))));
                for k in 0..ops {
                    let pick = |r: u64| {
                        // Mostly recent values, sometimes very old ones.
                        let n = values.len() as u64;
                        values[if r.is_multiple_of(16) { (r / 16) % n } else { n - 1 - (r / 16) % n.min(12) }
                            as usize]
                    };
                    let (p, q) = (pick(random.next()), pick(random.next()));
                    let v = match k % 5 {
                        0 => b.float(Scalar::F64, k as f64 * 0.001),
                        1 => b.op(KOp::Binary(KBinary::Sub), &[p, q], Scalar::F64),
                        2 => b.op(KOp::Binary(KBinary::Min), &[p, q], Scalar::F64),
                        3 => {
                            let less = KOp::Compare(Direction::Lt, CompareType::Float);
                            let less = b.op(less, &[p, q], Scalar::I1);
                            b.op(KOp::Select, &[less, q, p], Scalar::F64)
                        }
                        _ => {
                            let sum = b.op(KOp::Binary(KBinary::Add), &[p, q], Scalar::F64);
                            b.op(KOp::Unary(KUnary::Abs), &[sum], Scalar::F64)
                        }
                    };
                    values.push(v);
                    if k % 50 == 7 {
                        b.store(at(y, (k / 50) as i64, &[]), v);
                        b.store(at(local, (k % 4) as i64, &[]), v);
                        let back = b.load(at(local, (k % 4) as i64, &[]));
                        values.push(back);
                    }
                }
                *values.last().expect("values")
            };
            let start = m.b.load(at(x, 3, &[]));
            let last = match place {
                0 => long(&mut m.b, start),
                1 => m.b.count(
                    Extent::Const(0),
                    Extent::Const(3),
                    1,
                    LoopKind::Sequential,
                    &[start],
                    |b, _, c| vec![long(b, c[0])],
                )[0],
                2 => {
                    let one = m.int(1);
                    m.b.switch(one, 2, &[Scalar::F64], |b, arm| {
                        vec![if arm == 1 { long(b, start) } else { start }]
                    })[0]
                }
                _ => {
                    let one = m.int(1);
                    let inner = m.b.switch(one, 2, &[Scalar::F64], |b, arm| {
                        if arm == 0 {
                            return vec![start];
                        }
                        let (from, to) = (Extent::Const(0), Extent::Const(3));
                        let kind = LoopKind::Sequential;
                        let carried = b.count(from, to, 1, kind, &[start, zero], |b, _, c| {
                            let sum = b.op(KOp::Binary(KBinary::Add), &[c[0], c[1]], Scalar::F64);
                            vec![long(b, sum), zero]
                        });
                        vec![b.op(KOp::Binary(KBinary::Add), &[carried[0], carried[1]], Scalar::F64)]
                    })[0];
                    long(&mut m.b, inner)
                }
            };
            m.b.store(at(y, (ops / 50 + 1) as i64, &[]), last);
            let program = m.finish();
            let what = format!("{ops} operations in place {place}");
            let args = inputs(&program, 31);
            check(&program, &args, &what);
            let cut = wengert_cpu::segmented(&program);
            // Of the last kind there are twice as many.
            assert_eq!(cut.kernels.len() > 1, ops >= 3_000 || place == 3, "{what}");
            wengert_ir::kernel::verify::verify(&cut).unwrap_or_else(|e| panic!("{what}: {e:?}"));
            let expected = wengert_ir::kernel::interp::run(&program, &args).expect("interprets");
            let found = wengert_ir::kernel::interp::run(&cut, &args).expect("interprets cut");
            assert_same(&found, &expected, &args, &what);
        }
    }
}
