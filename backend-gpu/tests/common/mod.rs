//! Programs of one launch, and what to compare.

#![allow(dead_code, reason = "each test uses a part")]

use wengert_ir::array::Array;
use wengert_ir::entity::EntityVec;
use wengert_ir::kernel::build::{KernelBuilder, at};
use wengert_ir::kernel::{
    Axis, Extent, KBinary, KOp, KValue, KernelId, LoopKind, MemDef, MemKind, Place, Program, Scalar, interp,
};
use wengert_ir::types::{DType, FloatMode, TensorType};

/// Threads of a block of these programs.
pub(crate) const BLOCK: u32 = 32;

pub(crate) fn dtype(ty: Scalar) -> DType {
    match ty {
        Scalar::F64 => DType::F64,
        Scalar::F32 => DType::F32,
        Scalar::I64 => DType::I64,
        Scalar::I32 => DType::I32,
        Scalar::I16 => DType::I16,
        Scalar::I8 => DType::I8,
        Scalar::I1 => DType::I1,
    }
}

/// A program that computes each of `n` elements of its results from those of its arguments, one thread each.
pub(crate) fn elementwise(
    ins: &[Scalar],
    outs: &[Scalar],
    n: usize,
    f: impl FnOnce(&mut KernelBuilder, &[KValue]) -> Vec<KValue>,
) -> Program {
    let blocks = n.div_ceil(BLOCK as usize) as i64;
    let (mut b, _) = KernelBuilder::new("elementwise", &[]);
    let mems: Vec<_> =
        ins.iter().chain(outs).enumerate().map(|(k, &ty)| b.mem(ty, n, MemKind::Param(k as u32))).collect();
    let thread = b.op(KOp::ThreadId(Axis::X), &[], Scalar::I64);
    let block = b.op(KOp::BlockId(Axis::X), &[], Scalar::I64);
    let size = b.bits(Scalar::I64, u64::from(BLOCK));
    let first = b.op(KOp::Binary(KBinary::Mul), &[block, size], Scalar::I64);
    let first = b.op(KOp::Binary(KBinary::Add), &[first, thread], Scalar::I64);
    let step = blocks.max(1) * i64::from(BLOCK);
    let end = Extent::Const(n as i64);
    b.count(Extent::Value(first), end, step, LoopKind::Sequential, &[], |b, i, _| {
        let x: Vec<KValue> = mems[..ins.len()].iter().map(|&m| b.load(at(m, 0, &[(i, 1)]))).collect();
        let y = f(b, &x);
        for (&m, v) in mems[ins.len()..].iter().zip(y) {
            b.store(at(m, 0, &[(i, 1)]), v);
        }
        vec![]
    });
    one_launch(b.finish(), ins, outs, n, [blocks, 1, 1], [BLOCK, 1, 1])
}

/// A program that launches a kernel on its arguments and then its results, of `n` elements each.
pub(crate) fn one_launch(
    kernel: wengert_ir::kernel::Kernel,
    ins: &[Scalar],
    outs: &[Scalar],
    n: usize,
    grid: [i64; 3],
    block: [u32; 3],
) -> Program {
    let ty = |&s: &Scalar| TensorType::new(dtype(s), &[n]);
    let mut mems = EntityVec::new();
    let (mut e, _) = KernelBuilder::new("main", &[]);
    let mut accesses = Vec::new();
    for (k, &s) in ins.iter().chain(outs).enumerate() {
        let place = match k.checked_sub(ins.len()) {
            None => Place::Param(k as u32),
            Some(r) => Place::Result(r as u32),
        };
        let mem = mems.push(MemDef { elem: s, shape: [n].into_iter().collect(), place });
        let m = e.mem(s, n, MemKind::Program(mem));
        accesses.push(at(m, 0, &[]));
    }
    let mut kernels = EntityVec::new();
    let id: KernelId = kernels.push(kernel);
    let op = KOp::Launch { kernel: id, mems: accesses, grid: grid.map(Extent::Const), block };
    e.inst(op, &[], &[]);
    let entry = kernels.push(e.finish());
    Program {
        name: "test".into(),
        mode: FloatMode::Exact,
        params: ins.iter().map(ty).collect(),
        results: outs.iter().map(ty).collect(),
        mems,
        kernels,
        entry,
        scratch: 0,
    }
}

/// Bits with every NaN the same: sign and payload of one that is computed are nobody's promise.
pub(crate) fn canonical(a: &Array) -> Vec<u64> {
    match a.dtype() {
        DType::F64 => a
            .as_slice::<f64>()
            .iter()
            .map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() })
            .collect(),
        DType::F32 => a
            .as_slice::<f32>()
            .iter()
            .map(|x| u64::from(if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() }))
            .collect(),
        dtype => {
            let size = dtype.size();
            let word = |c: &[u8]| c.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b));
            a.bytes().chunks(size).map(word).collect()
        }
    }
}

/// Runs a program from its PTX text, or on the device that the environment names.
pub(crate) fn run(program: &Program, args: &[Array]) -> Vec<Array> {
    let device = wengert_gpu::testing::device().unwrap_or_else(|e| panic!("{e}"));
    let executable =
        wengert_gpu::Executable::load(&device, program).unwrap_or_else(|e| panic!("{e}\n{program}"));
    let bytes: Vec<&[u8]> = args.iter().map(Array::bytes).collect();
    let out = executable
        .call_bytes(&bytes)
        .unwrap_or_else(|e| panic!("{e}\n{}", wengert_gpu::ptx::module(program).expect("printed").text));
    out.iter().zip(&program.results).map(|(b, ty)| Array::from_bytes(ty.clone(), b)).collect()
}

/// Checks that PTX text and the kernel interpreter agree.
pub(crate) fn check(what: &str, program: &Program, args: &[Array]) {
    let expected = interp::run(program, args).unwrap_or_else(|e| panic!("{what}: {e}\n{program}"));
    let found = run(program, args);
    for (k, (f, e)) in found.iter().zip(&expected).enumerate() {
        let (f, e) = (canonical(f), canonical(e));
        if let Some(at) = (0..e.len()).find(|&i| f[i] != e[i]) {
            let text = wengert_gpu::ptx::module(program).expect("printed").text;
            let inputs: Vec<String> = args
                .iter()
                .map(|a| canonical(a).get(at).map_or(String::new(), |w| format!("{w:#x}")))
                .collect();
            panic!("{what}: result {k} at {at} of {inputs:?} is {:#x}, not {:#x}\n{text}", f[at], e[at]);
        }
    }
}

/// Words of a type that show what is special about it.
pub(crate) fn words(ty: Scalar) -> Vec<u64> {
    let float = |x: f64| match ty {
        Scalar::F32 => u64::from((x as f32).to_bits()),
        _ => x.to_bits(),
    };
    if ty.is_float() {
        let mut all: Vec<u64> = wengert_ir::testing::SPECIAL.iter().map(|&x| float(x)).collect();
        all.extend(
            [
                2.5, -2.5, 3.5, 1e9, -1e9, 3e9, 1e19, -1e19, 127.5, 128.0, -129.0, 255.9, 65535.5, 1e-310,
                7e-46, 0.1,
            ]
            .map(float),
        );
        return all;
    }
    let bits = wengert_ir::kernel::scalar::width(ty);
    let all = u64::MAX >> (64 - bits);
    let mut words =
        vec![0, 1, all, all >> 1, (all >> 1) + 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 100, all - 1];
    words.extend([0x1234_5678_9abc_def0, 0x0020_0000_2000_0001, 0x8000_0000, 0xffff_ffff, 0x1_0000_0000]);
    words.iter_mut().for_each(|w| *w &= all);
    words.sort_unstable();
    words.dedup();
    words
}

/// An array of words.
pub(crate) fn array(ty: Scalar, words: &[u64]) -> Array {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes().into_iter().take(ty.size())).collect();
    Array::from_bytes(TensorType::new(dtype(ty), &[words.len()]), &bytes)
}

/// Every pair of words of two types.
pub(crate) fn pairs(a: Scalar, b: Scalar) -> [Array; 2] {
    let (x, y) = (words(a), words(b));
    let all: Vec<(u64, u64)> = x.iter().flat_map(|&p| y.iter().map(move |&q| (p, q))).collect();
    [
        array(a, &all.iter().map(|p| p.0).collect::<Vec<_>>()),
        array(b, &all.iter().map(|p| p.1).collect::<Vec<_>>()),
    ]
}

pub(crate) const TYPES: [Scalar; 7] =
    [Scalar::F64, Scalar::F32, Scalar::I64, Scalar::I32, Scalar::I16, Scalar::I8, Scalar::I1];
