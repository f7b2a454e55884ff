//! Loops, choices, shared memory and what threads exchange, from PTX text, and from WGSL where there is Vulkan, against the kernel
//! interpreter: all bits. NVIDIA's assembler takes all of it.

mod common;

use common::{array, elementwise, one_launch, words};
use wengert_gpu::testing::{assemble, ptxas};
use wengert_ir::array::Array;
use wengert_ir::kernel::build::{KernelBuilder, at};
use wengert_ir::kernel::{Axis, Extent, KBinary, KCast, KOp, LoopKind, MemKind, Program, Scalar, verify};
use wengert_ir::op::{CompareType, Direction};
use wengert_ir::testing::{Random, skip};

/// Runs a program in every way that there is.
fn check(what: &str, program: &Program, args: &[Array]) {
    common::check(what, program, args);
    match ptxas() {
        Ok(path) => {
            let text = wengert_gpu::ptx::module(program).expect("printed").text;
            let used = assemble(&path, &text, "sm_90").unwrap_or_else(|e| panic!("{what}: {e}\n{text}"));
            assert!(used.iter().all(|u| u.spills == 0), "{what}: {used:?}");
        }
        Err(why) => skip("ptxas", &why),
    }
    on_vulkan(what, program, args);
}

fn on_vulkan(what: &str, program: &Program, args: &[Array]) {
    let device = match wengert_gpu::drivers::open("wgpu:0") {
        Ok(device) => device,
        Err(why) => return skip("vulkan", &why.to_string()),
    };
    let executable =
        wengert_gpu::Executable::load(&device, program).unwrap_or_else(|e| panic!("{what}: {e}"));
    let out = executable.call_bytes(&args.iter().map(Array::bytes).collect::<Vec<_>>());
    let out = out.unwrap_or_else(|e| panic!("{what}: {e}"));
    let want = wengert_ir::kernel::interp::run(program, args).expect("runs");
    for ((bytes, want), ty) in out.iter().zip(&want).zip(&program.results) {
        let found = common::canonical(&Array::from_bytes(want.ty().clone(), bytes));
        let want = common::canonical(want);
        // Elements that nobody writes are undefined, and differ.
        let undefined = common::canonical(&Array::from_bytes(ty.clone(), &vec![0xff; bytes.len()]))[0];
        let same = found.iter().zip(&want).all(|(f, w)| f == w || *w == undefined);
        assert!(same, "{what}:\n{found:x?}\n{want:x?}\n{}", text_of(program));
    }
}

fn text_of(program: &Program) -> String {
    let shaders = wengert_gpu::wgsl::module(program, wengert_gpu::expand::Means::default());
    shaders.map_or_else(|e| e, |s| s[0].text.clone())
}

fn numbers(ty: Scalar, n: usize, seed: u64) -> Vec<u64> {
    let mut random = Random(seed);
    (0..n)
        .map(|_| match ty {
            Scalar::F64 => random.uniform(-3.0, 3.0).to_bits(),
            Scalar::F32 => u64::from((random.uniform(-3.0, 3.0) as f32).to_bits()),
            other => random.bits() & (u64::MAX >> (64 - wengert_ir::kernel::scalar::width(other))),
        })
        .collect()
}

/// What a loop carries may change places on every trip.
#[test]
fn carried_values_change_places() {
    let (f, i) = (Scalar::F32, Scalar::I64);
    let program = elementwise(&[f, f, f], &[f, f, f], 70, |b, x| {
        b.count(Extent::Const(0), Extent::Const(7), 2, LoopKind::Sequential, x, |b, k, s| {
            let k = b.op(KOp::Cast(KCast::Signed), &[k], f);
            let sum = b.op(KOp::Binary(KBinary::Add), &[s[2], k], f);
            vec![s[1], sum, s[0]]
        })
        .to_vec()
    });
    let args: Vec<_> = (0..3).map(|k| array(f, &numbers(f, 70, k))).collect();
    check("counted", &program, &args);
    let program = elementwise(&[i, i], &[i, i], 70, |b, x| {
        // Euclid's algorithm.
        b.while_loop(
            x,
            |b, s| {
                let zero = b.bits(i, 0);
                b.op(KOp::Compare(Direction::Ne, CompareType::Signed), &[s[1], zero], Scalar::I1)
            },
            |b, s| vec![s[1], b.op(KOp::Binary(KBinary::RemU), &[s[0], s[1]], i)],
        )
        .to_vec()
    });
    let args: Vec<_> = (4..6).map(|k| array(i, &numbers(i, 70, k))).collect();
    check("conditional", &program, &args);
}

#[test]
fn choices() {
    for (ty, arms) in
        [(Scalar::I32, 1), (Scalar::I32, 2), (Scalar::I64, 2), (Scalar::I32, 4), (Scalar::I64, 5)]
    {
        let index = words(ty);
        let n = index.len();
        let program = elementwise(&[ty, Scalar::F64], &[Scalar::F64, Scalar::I1, ty], n, |b, x| {
            b.switch(x[0], arms, &[Scalar::F64, Scalar::I1, ty], |b, arm| {
                let k = b.float(Scalar::F64, arm as f64 + 0.5);
                let flag = b.bits(Scalar::I1, arm as u64 & 1);
                let v = b.op(KOp::Binary(KBinary::Mul), &[x[1], k], Scalar::F64);
                let w = b.bits(ty, arm as u64 * 3);
                vec![if arm == 0 { x[1] } else { v }, flag, if arm == 1 { x[0] } else { w }]
            })
            .to_vec()
        });
        let args = [array(ty, &index), array(Scalar::F64, &numbers(Scalar::F64, n, 3))];
        check(&format!("{arms} arms of {ty:?}"), &program, &args);
    }
}

/// A block turns its tile around through shared memory, twice, with a loop of barriers.
#[test]
fn shared_memory_and_barriers() {
    for ty in [Scalar::F64, Scalar::F32, Scalar::I64, Scalar::I16, Scalar::I8, Scalar::I1] {
        const TILE: i64 = 8;
        let n = 4 * (TILE * TILE) as usize;
        let (mut b, _) = KernelBuilder::new("tiles", &[]);
        let x = b.mem(ty, n, MemKind::Param(0));
        let y = b.mem(ty, n, MemKind::Param(1));
        let tile = b.mem(ty, (TILE * TILE) as usize, MemKind::Workgroup);
        let [i, j] = [Axis::X, Axis::Y].map(|a| b.op(KOp::ThreadId(a), &[], Scalar::I64));
        let [p, q] = [Axis::X, Axis::Y].map(|a| b.op(KOp::BlockId(a), &[], Scalar::I64));
        let here = [(p, TILE * TILE), (q, 2 * TILE * TILE), (j, TILE), (i, 1)];
        let v = b.load(at(x, 0, &here));
        let last = b.count(Extent::Const(0), Extent::Const(3), 1, LoopKind::Sequential, &[v], |b, _, s| {
            b.store(at(tile, 0, &[(j, TILE), (i, 1)]), s[0]);
            b.inst(KOp::Barrier, &[], &[]);
            let v = b.load(at(tile, 0, &[(i, TILE), (j, 1)]));
            b.inst(KOp::Barrier, &[], &[]);
            vec![v]
        })[0];
        b.store(at(y, 0, &here), last);
        let program = one_launch(b.finish(), &[ty], &[ty], n, [2, 2, 1], [TILE as u32, TILE as u32, 1]);
        verify::verify(&program).unwrap_or_else(|e| panic!("{e:?}\n{program}"));
        check(&format!("tiles of {ty:?}"), &program, &[array(ty, &numbers(ty, n, 8))]);
    }
}

/// A sum over the threads of a warp, and values of each type sent around.
#[test]
fn threads_exchange_values() {
    for ty in [Scalar::F64, Scalar::F32, Scalar::I64, Scalar::I32, Scalar::I16, Scalar::I8, Scalar::I1] {
        for (threads, masks) in
            [(32u32, vec![16, 8, 4, 2, 1]), (64, vec![31, 1]), (8, vec![4, 3]), (48, vec![8, 5])]
        {
            let n = 2 * threads as usize;
            let (mut b, _) = KernelBuilder::new("exchange", &[]);
            let x = b.mem(ty, n, MemKind::Param(0));
            let y = b.mem(ty, n, MemKind::Param(1));
            let t = b.op(KOp::ThreadId(Axis::X), &[], Scalar::I64);
            let g = b.op(KOp::BlockId(Axis::X), &[], Scalar::I64);
            let here = [(g, i64::from(threads)), (t, 1)];
            let mut v = b.load(at(x, 0, &here));
            for &mask in &masks {
                let other = b.op(KOp::Shuffle(mask), &[v], ty);
                let op = if ty == Scalar::I1 { KBinary::Xor } else { KBinary::Add };
                v = b.op(KOp::Binary(op), &[v, other], ty);
            }
            b.store(at(y, 0, &here), v);
            let program = one_launch(b.finish(), &[ty], &[ty], n, [2, 1, 1], [threads, 1, 1]);
            verify::verify(&program).unwrap_or_else(|e| panic!("{e:?}\n{program}"));
            check(&format!("{masks:?} of {threads} {ty:?}"), &program, &[array(ty, &numbers(ty, n, 5))]);
        }
    }
}

/// A histogram in memory of each thread's own.
#[test]
fn local_memory() {
    for ty in [Scalar::I64, Scalar::I16, Scalar::F32] {
        let n = 40;
        let (mut b, _) = KernelBuilder::new("local", &[]);
        let x = b.mem(Scalar::I32, n, MemKind::Param(0));
        let y = b.mem(ty, n, MemKind::Param(1));
        let own = b.mem(ty, 8, MemKind::Local);
        let t = b.op(KOp::ThreadId(Axis::X), &[], Scalar::I64);
        let [zero, one] = match ty.is_float() {
            true => [0.0, 1.0].map(|v| b.float(ty, v)),
            false => [0, 1].map(|v| b.bits(ty, v)),
        };
        b.count(Extent::Const(0), Extent::Const(8), 1, LoopKind::Sequential, &[], |b, i, _| {
            b.store(at(own, 0, &[(i, 1)]), zero);
            vec![]
        });
        b.count(Extent::Const(0), Extent::Const(n as i64), 1, LoopKind::Sequential, &[], |b, i, _| {
            let v = b.load(at(x, 0, &[(i, 1)]));
            let v = b.op(KOp::Cast(KCast::Unsigned), &[v], Scalar::I64);
            let seven = b.bits(Scalar::I64, 7);
            let slot = b.op(KOp::Binary(KBinary::And), &[v, seven], Scalar::I64);
            let count = b.load(at(own, 0, &[(slot, 1)]));
            let count = b.op(KOp::Binary(KBinary::Add), &[count, one], ty);
            b.store(at(own, 0, &[(slot, 1)]), count);
            vec![]
        });
        let seven = b.bits(Scalar::I64, 7);
        let slot = b.op(KOp::Binary(KBinary::And), &[t, seven], Scalar::I64);
        let found = b.load(at(own, 0, &[(slot, 1)]));
        b.store(at(y, 0, &[(t, 1)]), found);
        // A thread for each element: what nobody writes is undefined.
        let program = one_launch(b.finish(), &[Scalar::I32], &[ty], n, [1, 1, 1], [n as u32, 1, 1]);
        verify::verify(&program).unwrap_or_else(|e| panic!("{e:?}\n{program}"));
        check(&format!("local {ty:?}"), &program, &[array(Scalar::I32, &numbers(Scalar::I32, n, 2))]);
    }
}

/// Blocks do not wait for each other: what one has read another may not write, in whatever order they come.
#[test]
fn a_block_that_writes_what_another_reads_is_a_race() {
    let (n, f) = (2, Scalar::F32);
    for (reads_its_own, barrier) in [(true, false), (false, false), (false, true)] {
        let (mut b, _) = KernelBuilder::new("k", &[]);
        let x = b.mem(f, n, MemKind::Param(0));
        let y = b.mem(f, n, MemKind::Param(1));
        let block = b.op(KOp::BlockId(Axis::X), &[], Scalar::I64);
        let own = [(block, 1)];
        // The last block comes last: nothing is written before it is read.
        let read = if reads_its_own { at(y, 0, &own) } else { at(y, 1, &[]) };
        let (old, new) = (b.load(read), b.load(at(x, 0, &own)));
        if barrier {
            b.inst(KOp::Barrier, &[], &[]);
        }
        let sum = b.op(KOp::Binary(KBinary::Add), &[old, new], f);
        b.store(at(y, 0, &own), sum);
        let program = one_launch(b.finish(), &[f], &[f], n, [n as i64, 1, 1], [1, 1, 1]);
        verify::verify(&program).unwrap_or_else(|e| panic!("{e:?}\n{program}"));
        let found = wengert_ir::kernel::interp::run(&program, &[array(f, &[0, 0])]);
        assert_eq!(found.is_err(), !reads_its_own, "{found:?}\n{program}");
    }
}
