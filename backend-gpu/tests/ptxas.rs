//! NVIDIA's assembler takes what we print, and spills nothing.

mod common;

use common::{TYPES, elementwise};
use wengert_gpu::testing::{Used, assemble, ptxas};
use wengert_ir::kernel::{KBinary, KCast, KOp, Program, Scalar, verify};
use wengert_ir::math::{MathFn, MathFn2};
use wengert_ir::testing::skip;

/// Registers that an entry of one function may take: with twice as many a multiprocessor holds half its threads.
const MOST_REGISTERS: u32 = 72;

/// One module of the kernels of many programs.
fn together(programs: &[(String, Program)]) -> String {
    let mut text = String::new();
    for (name, program) in programs {
        let one = wengert_gpu::ptx::module(program).expect("printed").text;
        let (header, body) = one.split_once(".visible .entry ").expect("an entry");
        if text.is_empty() {
            text += header;
        }
        let body = body.split_once('(').expect("parameters").1;
        text += &format!("\n.visible .entry {name}({body}");
    }
    text
}

fn check(programs: &[(String, Program)], target: &str) -> Option<Vec<Used>> {
    let assembler = match ptxas() {
        Ok(path) => path,
        Err(why) => {
            skip("ptxas", &why);
            return None;
        }
    };
    let used = assemble(&assembler, &together(programs), target).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(used.len(), programs.len());
    for u in &used {
        assert_eq!(u.spills, 0, "{u:?}");
        assert!(u.registers <= MOST_REGISTERS, "{u:?}");
    }
    Some(used)
}

fn named(program: Program, name: String) -> Option<(String, Program)> {
    verify::verify(&program).is_ok().then_some((name, program))
}

/// Every binary operation, comparison of a kind and conversion on every type, for the oldest and for newer GPUs.
#[test]
fn operations_assemble() {
    let ops = [
        KBinary::Add,
        KBinary::Mul,
        KBinary::Div,
        KBinary::DivU,
        KBinary::Rem,
        KBinary::RemU,
        KBinary::Min,
        KBinary::MaxU,
        KBinary::Xor,
        KBinary::Shl,
        KBinary::Shr,
        KBinary::ShrU,
        KBinary::NextAfter,
    ];
    let mut programs = Vec::new();
    for (ty, op) in TYPES.into_iter().flat_map(|ty| ops.map(|op| (ty, op))) {
        let program = elementwise(&[ty, ty], &[ty], 1000, |b, x| vec![b.op(KOp::Binary(op), x, ty)]);
        programs.extend(named(program, format!("{op:?}_{ty:?}")));
    }
    for (from, to) in TYPES.into_iter().flat_map(|a| TYPES.map(|b| (a, b))) {
        for kind in [KCast::Signed, KCast::Unsigned, KCast::Bits] {
            let program = elementwise(&[from], &[to], 1000, |b, x| vec![b.op(KOp::Cast(kind), x, to)]);
            programs.extend(named(program, format!("{kind:?}_{from:?}_{to:?}")));
        }
    }
    for target in ["sm_75", "sm_90"] {
        check(&programs, target);
    }
}

/// The math library; the table of registers is in `docs/gpu.md`.
#[test]
fn the_math_library_assembles() {
    let mut programs = Vec::new();
    for ty in [Scalar::F32, Scalar::F64] {
        for &f in MathFn::ALL {
            let program = elementwise(&[ty], &[ty], 1000, |b, x| vec![b.op(KOp::Math(f), x, ty)]);
            programs.extend(named(program, format!("{f:?}_{ty:?}")));
        }
        for &f in MathFn2::ALL {
            let program = elementwise(&[ty, ty], &[ty], 1000, |b, x| vec![b.op(KOp::Math2(f), x, ty)]);
            programs.extend(named(program, format!("{f:?}_{ty:?}")));
        }
    }
    if let Some(used) = check(&programs, "sm_90") {
        for u in used {
            eprintln!("{}: {} registers", u.entry, u.registers);
        }
    }
}
