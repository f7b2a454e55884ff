//! Cases that were listed before and written after everything else: rare numbers, odd shapes of grids, nests of control flow.

mod common;

use common::{array, canonical, elementwise, one_launch, words};
use wengert_gpu::{Device, Executable};
use wengert_ir::array::Array;
use wengert_ir::kernel::build::{KernelBuilder, at};
use wengert_ir::kernel::{
    Axis, Extent, KBinary, KCast, KOp, KUnary, LoopKind, MemKind, Program, Scalar, interp, verify,
};
use wengert_ir::op::{CompareType, Direction};
use wengert_ir::testing::Random;

fn devices() -> Vec<Device> {
    let mut all = vec![wengert_gpu::testing::device().expect("the device that is named")];
    match wengert_gpu::drivers::open("wgpu:0") {
        Ok(device) => all.push(device),
        Err(why) => wengert_ir::testing::skip("vulkan", &why.to_string()),
    }
    all
}

fn check(what: &str, program: &Program, args: &[Array]) {
    verify::verify(program).unwrap_or_else(|e| panic!("{what}: {e:?}\n{program}"));
    let want: Vec<_> = interp::run(program, args).expect("runs").iter().map(canonical).collect();
    for device in devices() {
        let executable = Executable::load(&device, program).unwrap_or_else(|e| panic!("{what}: {e}"));
        let out = executable.call_bytes(&args.iter().map(Array::bytes).collect::<Vec<_>>());
        let out = out.unwrap_or_else(|e| panic!("{what} on {device:?}: {e}"));
        let found: Vec<_> = out
            .iter()
            .zip(&program.results)
            .map(|(b, ty)| canonical(&Array::from_bytes(ty.clone(), b)))
            .collect();
        assert!(found == want, "{what} on {device:?}:\n{found:x?}\n{want:x?}");
    }
}

#[test]
fn subnormal_and_enormous_remainders() {
    for ty in [Scalar::F32, Scalar::F64] {
        let scale: f64 = if ty == Scalar::F32 { 1e-38 } else { 1e-308 };
        let mut random = Random(17);
        let bits = |x: f64| if ty == Scalar::F32 { u64::from((x as f32).to_bits()) } else { x.to_bits() };
        let x: Vec<u64> = (0..90)
            .map(|k| bits(random.uniform(-1.0, 1.0) * if k % 2 == 0 { scale } else { 1e30 }))
            .collect();
        let y: Vec<u64> =
            (0..90).map(|k| bits(random.uniform(0.1, 1.0) * if k % 3 == 0 { scale } else { 7.0 })).collect();
        let program = elementwise(&[ty, ty], &[ty, ty, ty], 90, |b, x| {
            let rem = b.op(KOp::Binary(KBinary::Rem), x, ty);
            let next = b.op(KOp::Binary(KBinary::NextAfter), x, ty);
            let product = b.op(KOp::Binary(KBinary::Mul), x, ty);
            vec![rem, next, product]
        });
        check(&format!("{ty:?}"), &program, &[array(ty, &x), array(ty, &y)]);
    }
}

#[test]
fn all_axes() {
    let (bx, by, bz) = (3u32, 2u32, 2u32);
    let (gx, gy, gz) = (2i64, 3i64, 2i64);
    let n = (bx * by * bz) as usize * (gx * gy * gz) as usize;
    let (mut b, _) = KernelBuilder::new("axes", &[]);
    let x = b.mem(Scalar::I64, n, MemKind::Param(0));
    let y = b.mem(Scalar::I64, n, MemKind::Param(1));
    let t = [Axis::X, Axis::Y, Axis::Z].map(|a| b.op(KOp::ThreadId(a), &[], Scalar::I64));
    let g = [Axis::X, Axis::Y, Axis::Z].map(|a| b.op(KOp::BlockId(a), &[], Scalar::I64));
    let (bx, by, bz) = (i64::from(bx), i64::from(by), i64::from(bz));
    let each = bx * by * bz;
    let here =
        [(t[0], 1), (t[1], bx), (t[2], bx * by), (g[0], each), (g[1], gx * each), (g[2], gx * gy * each)];
    let v = b.load(at(x, 0, &here));
    let w = b.op(KOp::Binary(KBinary::Sub), &[v, t[1]], Scalar::I64);
    let w = b.op(KOp::Binary(KBinary::Mul), &[w, g[2]], Scalar::I64);
    b.store(at(y, 0, &here), w);
    let block = [bx as u32, by as u32, bz as u32];
    let program = one_launch(b.finish(), &[Scalar::I64], &[Scalar::I64], n, [gx, gy, gz], block);
    let given: Vec<u64> = (0..n as u64).map(|k| k * 977).collect();
    check("axes", &program, &[array(Scalar::I64, &given)]);
}

#[test]
fn more_blocks_than_one_dispatch_takes() {
    let n = 70_000;
    let (mut b, _) = KernelBuilder::new("many", &[]);
    let x = b.mem(Scalar::I8, n, MemKind::Param(0));
    let y = b.mem(Scalar::I8, n, MemKind::Param(1));
    let g = b.op(KOp::BlockId(Axis::X), &[], Scalar::I64);
    let v = b.load(at(x, n as i64 - 1, &[(g, -1)]));
    // Neighbours in a word are written by different blocks.
    b.store(at(y, 0, &[(g, 1)]), v);
    let program = one_launch(b.finish(), &[Scalar::I8], &[Scalar::I8], n, [n as i64, 1, 1], [1, 1, 1]);
    let given: Vec<u64> = (0..n as u64).map(|k| (k * 31) & 0xff).collect();
    check("many blocks", &program, &[array(Scalar::I8, &given)]);
}

#[test]
fn nests_of_control_flow() {
    let (i, f) = (Scalar::I64, Scalar::F64);
    let program = elementwise(&[i, f], &[f, i, Scalar::I1], 50, |b, x| {
        let no = b.bits(Scalar::I1, 0);
        let seven = b.bits(i, 7);
        let x0 = b.op(KOp::Binary(KBinary::And), &[x[0], seven], i);
        let end = Extent::Value(x0);
        let out = b.count(Extent::Const(-3), end, 2, LoopKind::Sequential, &[x[1], x0, no], |b, k, s| {
            let three = b.bits(i, 3);
            let which = b.op(KOp::Binary(KBinary::RemU), &[k, three], i);
            let picked = b.switch(which, 3, &[f, Scalar::I1], |b, arm| match arm {
                0 => {
                    let inner = b.count(
                        Extent::Value(k),
                        Extent::Const(0),
                        1,
                        LoopKind::Sequential,
                        &[s[0]],
                        |b, j, t| {
                            let j = b.op(KOp::Cast(KCast::Signed), &[j], f);
                            vec![b.op(KOp::Binary(KBinary::Add), &[t[0], j], f)]
                        },
                    );
                    let flag =
                        b.op(KOp::Compare(Direction::Lt, CompareType::Float), &[inner[0], s[0]], Scalar::I1);
                    vec![inner[0], flag]
                }
                1 => {
                    let found = b.while_loop(
                        &[s[0], s[2]],
                        |b, t| {
                            let limit = b.float(f, 1e3);
                            let size = b.op(KOp::Unary(KUnary::Abs), &[t[0]], f);
                            b.op(KOp::Compare(Direction::Lt, CompareType::Float), &[size, limit], Scalar::I1)
                        },
                        |b, t| {
                            let two = b.float(f, -2.0);
                            let one = b.float(f, 1.0);
                            let v = b.op(KOp::Binary(KBinary::Mul), &[t[0], two], f);
                            let v = b.op(KOp::Binary(KBinary::Sub), &[v, one], f);
                            vec![v, b.op(KOp::Unary(KUnary::Not), &[t[1]], Scalar::I1)]
                        },
                    );
                    found.to_vec()
                }
                _ => vec![s[0], s[2]],
            });
            let grown = b.op(KOp::Binary(KBinary::Add), &[s[1], k], i);
            let flag = b.op(KOp::Select, &[picked[1], s[2], picked[1]], Scalar::I1);
            vec![picked[0], grown, flag]
        });
        out.to_vec()
    });
    let mut random = Random(23);
    let a: Vec<u64> = (0..50).map(|_| random.bits()).collect();
    let c: Vec<u64> = (0..50).map(|_| (random.uniform(-3.0, 3.0)).to_bits()).collect();
    check("nests", &program, &[array(i, &a), array(f, &c)]);
}

#[test]
fn chains_of_conversions() {
    use Scalar::{F32, F64, I1, I8, I16, I32, I64};
    for chain in
        [&[I64, I8, F32, I16][..], &[F64, I8, I64, F32], &[I16, I32, I8, F64, I1], &[F32, I64, I16, I1, I64]]
    {
        for kind in [KCast::Signed, KCast::Unsigned] {
            let (first, last) = (chain[0], *chain.last().expect("some"));
            let all = words(first);
            let program = elementwise(&[first], &[last], all.len(), |b, x| {
                let mut v = x[0];
                for pair in chain.windows(2) {
                    let kind = if pair[0] == I1 { KCast::Unsigned } else { kind };
                    v = b.op(KOp::Cast(kind), &[v], pair[1]);
                }
                vec![v]
            });
            check(&format!("{chain:?} {kind:?}"), &program, &[array(first, &all)]);
        }
    }
}

#[test]
fn rare_constants() {
    for ty in [Scalar::F32, Scalar::F64] {
        let all = words(ty);
        let program = elementwise(&[ty], &[ty; 3], all.len(), |b, x| {
            let [inf, zero, tiny] = [f64::NEG_INFINITY, -0.0, if ty == Scalar::F32 { 1e-44 } else { 5e-324 }]
                .map(|c| b.float(ty, c));
            let nan = b.float(ty, f64::NAN);
            let least = b.op(KOp::Binary(KBinary::Max), &[x[0], inf], ty);
            let sum = b.op(KOp::Binary(KBinary::Add), &[x[0], zero], ty);
            let sum = b.op(KOp::Binary(KBinary::Sub), &[sum, tiny], ty);
            let is = b.op(KOp::Compare(Direction::Gt, CompareType::Float), &[x[0], nan], Scalar::I1);
            let picked = b.op(KOp::Select, &[is, nan, tiny], ty);
            vec![least, sum, picked]
        });
        check(&format!("{ty:?}"), &program, &[array(ty, &all)]);
    }
}

#[test]
fn nothing_at_all() {
    let program = elementwise(&[Scalar::F32], &[Scalar::F32], 0, |_, x| x.to_vec());
    check("no elements", &program, &[array(Scalar::F32, &[])]);
}

#[test]
fn programs_come_and_go() {
    for device in devices() {
        let program = |k: f64| {
            elementwise(&[Scalar::F32], &[Scalar::F32], 5, move |b, x| {
                let k = b.float(Scalar::F32, k);
                vec![b.op(KOp::Binary(KBinary::Mul), &[x[0], k], Scalar::F32)]
            })
        };
        let x = array(Scalar::F32, &[1.0f32, 2.0, 3.0, 4.0, 5.0].map(|v| u64::from(v.to_bits())));
        let two = Executable::load(&device, &program(2.0)).expect("loads");
        let three = Executable::load(&device, &program(3.0)).expect("loads");
        let memory = device.upload(x.bytes()).expect("room");
        drop(two.call(&[&memory]).expect("runs"));
        drop(two);
        let six = three.call(&[&memory]).expect("runs");
        let nine = three.call(&[&six[0]]).expect("runs");
        let mut out = [0; 20];
        nine[0].read(&mut out).expect("reads");
        assert_eq!(out[16..], 45.0f32.to_le_bytes());
    }
}
