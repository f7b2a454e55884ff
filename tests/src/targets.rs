//! What fuzzing runs: each target takes any bytes, and panics if the library does something with them that it must not.
//!
//! `fuzz/` drives them with coverage; a test drives them for a moment with changed files.

use crate::mutate::{Mutant, judge};
use wengert_ir::array::Array;
use wengert_ir::kernel::{Block, Extent, KOp, Program, interp, text as kernel_text, verify as kernel_verify};
use wengert_ir::testing::Random;
use wengert_ir::{bytecode, npy, text, verify};

/// A target: its name, and what it does with bytes.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: &[Target] = &[
    ("text", stablehlo),
    ("npy", arrays),
    ("kernel", kernels),
    ("program", programs),
    ("bytecode", artifacts),
];

/// StableHLO text is read or refused; what verifies prints as what reads back as the same.
pub fn stablehlo(bytes: &[u8]) {
    let Ok(source) = std::str::from_utf8(bytes) else { return };
    let Ok(module) = text::parse(source) else { return };
    if verify::verify(&module).is_err() {
        return;
    }
    let printed = module.to_string();
    let again =
        text::parse(&printed).unwrap_or_else(|e| panic!("its own text does not read: {e}\n{printed}"));
    assert_eq!(again.to_string(), printed, "its own text prints otherwise");
}

/// A portable artifact, or what `jax.export` serializes, is read or refused; what verifies and can be written is read as the
/// same.
pub fn artifacts(bytes: &[u8]) {
    let Ok(module) = bytecode::read(bytes) else { return };
    if verify::verify(&module).is_err() {
        return;
    }
    let Ok(written) = bytecode::write(&module, None) else { return };
    let again =
        bytecode::read(&written).unwrap_or_else(|e| panic!("its own bytes do not read: {e}\n{module}"));
    assert!(text::same(&again, &module), "its own bytes read otherwise:\n{module}\n{again}");
}

/// A `.npy` file is read or refused; what is read is written and read as the same.
pub fn arrays(bytes: &[u8]) {
    let Ok(array) = npy::parse(bytes) else { return };
    let Ok(written) = npy::write(&array) else { return };
    let again = npy::parse(&written).unwrap_or_else(|e| panic!("its own file does not read: {e}"));
    assert!(again == array, "{} reads as {}", array.ty(), again.ty());
}

/// Bytes of arguments, results and scratch memory of a kernel program that is run.
const MEMORY: usize = 1 << 20;
/// Trips of the loops of a kernel program that is run.
const TRIPS: u64 = 100_000;

/// Kernel text is read or refused; what verifies prints as what reads back as the same, compiles, and computes what the
/// interpreter of kernels does if it is short.
pub fn kernels(bytes: &[u8]) {
    let Ok(source) = std::str::from_utf8(bytes) else { return };
    let Ok(program) = kernel_text::parse(source) else { return };
    if kernel_verify::verify(&program).is_err() {
        return;
    }
    let printed = program.to_string();
    let again = kernel_text::parse(&printed).unwrap_or_else(|e| panic!("its own text does not read: {e}"));
    assert_eq!(again, program, "{printed}");
    if !is_small(&program) {
        return;
    }
    let mut random = Random(bytes.len() as u64);
    let args = crate::random::values::of_types(&program.params, &mut random, bytes.len().is_multiple_of(2));
    let Ok(want) = interp::run(&program, &args) else { return };
    // What depends on memory that nobody has written may be anything.
    let otherwise = |unwritten| interp::Options { unwritten, ..Default::default() };
    if [0, 0x3e].iter().any(|&byte| interp::run_with(&program, &args, otherwise(byte)).as_ref() != Ok(&want))
    {
        return;
    }
    let Ok(code) = wengert_cpu::Executable::compile(&program, &Default::default()) else { return };
    let arguments: Vec<&[u8]> = args.iter().map(Array::bytes).collect();
    let mut results: Vec<Array> = program.results.iter().map(|ty| Array::zeros(ty.clone())).collect();
    // What the program does not write is as the interpreter has it.
    results.iter_mut().for_each(|r| r.bytes_mut().fill(interp::UNDEFINED));
    let mut slices: Vec<&mut [u8]> = results.iter_mut().map(Array::bytes_mut).collect();
    if code.call(&arguments, &mut slices).is_ok() {
        for (got, want) in results.iter().zip(&want) {
            crate::random::agreement::agree(got, want, None).unwrap_or_else(|e| panic!("{e}\n{printed}"));
        }
    }
}

/// Whether a program ends soon, and takes little memory.
fn is_small(program: &Program) -> bool {
    let types = program.params.iter().chain(&program.results);
    let bytes =
        |t: &wengert_ir::types::TensorType| t.checked_elements().map(|n| n.saturating_mul(t.dtype.size()));
    let memory = types.map(bytes).try_fold(program.scratch, |sum, n| Some(sum.saturating_add(n?)));
    let trips = program.kernels.values().map(|k| trips(&k.body)).try_fold(0u64, |sum, n| sum.checked_add(n?));
    memory.is_some_and(|n| n <= MEMORY) && trips.is_some_and(|n| n <= TRIPS)
}

/// Trips of the loops of a block, if that is known and no kernel is called more than once.
fn trips(block: &Block) -> Option<u64> {
    let mut sum = 1u64;
    for inst in &block.insts {
        let times = match &inst.op {
            KOp::For(l) => match (l.start, l.end) {
                (Extent::Const(start), Extent::Const(end)) => {
                    (end.checked_sub(start)?.max(0) as u64) / (l.step.max(1) as u64) + 1
                }
                _ => return None,
            },
            KOp::While(_)
            | KOp::Call { .. }
            | KOp::Parallel { .. }
            | KOp::Launch { .. }
            | KOp::Library(_) => return None,
            _ => 1,
        };
        let inside = inst.op.blocks().map(trips).try_fold(0u64, |sum, n| sum.checked_add(n?))?;
        sum = sum.checked_add(times.checked_mul(inside.max(1))?)?;
    }
    Some(sum)
}

/// A program as text is refused, or computes the same in every way that must not matter.
pub fn programs(bytes: &[u8]) {
    let Ok(source) = std::str::from_utf8(bytes) else { return };
    let seed = bytes.iter().fold(bytes.len() as u64, |h, &b| h.wrapping_mul(0x100_0193) ^ u64::from(b));
    if let judge::Verdict::Fails(fault) = judge::judge(&Mutant { seed, text: source.to_owned() }) {
        panic!("{}: {}", fault.failure.stage, fault.failure.detail);
    }
}
