//! Lowering to kernel IR against the reference interpreter: the same results, bit for bit (contractions to
//! rounding), whatever is kept in registers and however loops are cut.

mod contract;
mod corpus;
mod gathers;
mod gpu;
mod gpu_held_out;
mod in_bits;
mod joined;
mod plan;
mod programs;
mod reductions;
mod reshapes;
mod rewrites;
mod shared;
mod table;
mod tiling;
mod updates;
mod windowed;

use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::interp::{self, Limits};
use wengert_ir::kernel::interp::{Options as Run, UNDEFINED};
use wengert_ir::kernel::{Program, interp as machine, verify::verify};
use wengert_ir::testing::Random;
use wengert_ir::types::{DType, TensorType};
use wengert_passes::cost::{Device, InPlace, Target};
use wengert_passes::lower::{LowerError, Options, lower};

/// How closely results must agree.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Agreement {
    /// To the bit, NaN payloads apart.
    Bits,
    /// Relative to the largest element.
    Relative(f64),
}

fn number(a: &Array, k: usize) -> f64 {
    match a.dtype() {
        DType::F64 => a.as_slice::<f64>()[k],
        DType::F32 => a.as_slice::<f32>()[k] as f64,
        _ => {
            let wide = wengert_ir::ops::convert(a, DType::F64).expect("floats widen");
            wide.as_slice::<f64>()[k]
        }
    }
}

/// An array of complex numbers as one of their parts; others as they are.
fn parts(a: &Array) -> Array {
    let dtype = match a.dtype() {
        DType::C64 => DType::F32,
        DType::C128 => DType::F64,
        _ => return a.clone(),
    };
    Array::from_bytes(TensorType::new(dtype, &[2 * a.ty().elements()]), a.bytes())
}

/// Whether two arrays agree; else where they do not.
pub(crate) fn agree(got: &Array, want: &Array, how: Agreement) -> Result<(), String> {
    if got.ty() != want.ty() {
        return Err(format!("{} instead of {}", got.ty(), want.ty()));
    }
    if got == want {
        return Ok(());
    }
    if !got.dtype().is_float() && !got.dtype().is_complex() {
        return Err(format!("{got:?} instead of {want:?}"));
    }
    let (got, want) = (&parts(got), &parts(want));
    let n = want.ty().elements();
    let scale = (0..n).map(|k| number(want, k).abs()).filter(|x| x.is_finite()).fold(0.0, f64::max);
    for k in 0..n {
        let (x, y) = (number(got, k), number(want, k));
        let same = x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan());
        let near = match how {
            Agreement::Bits => false,
            Agreement::Relative(tolerance) => (x - y).abs() <= tolerance * scale.max(1e-30),
        };
        if !same && !near {
            return Err(format!("element {k}: {x:e} instead of {y:e}"));
        }
    }
    Ok(())
}

const OPTIONS: Options =
    Options { parallel: true, registers: None, contract: false, instructions: None, target: &Target::CPU };

/// A device of small blocks, few of them, to which everything is worth a launch.
pub(crate) const EVERY: Target = Target {
    device: Some(Device { threads: 8, blocks: 3, alone: 0, trip: 0, totals: 16, products: false }),
    ..Target::GPU
};

/// A CPU on which all windows are multiplied where they lie.
const IN_PLACE: Target = Target {
    in_place: InPlace { rows: 1, least_columns: 1, sum: 1, columns: 1, near: 1 << 20 },
    ..Target::CPU
};

/// One on which they are where rows or the sum lie together, however many columns there are.
const TOGETHER: Target = Target {
    in_place: InPlace { rows: 1, least_columns: usize::MAX, sum: 1, columns: 1, near: 1 << 20 },
    ..Target::CPU
};

/// The ways of lowering and running that must not matter.
pub(crate) const WAYS: [(Options, Run); 7] = [
    (
        Options { parallel: true, registers: None, contract: false, ..OPTIONS },
        Run { piece: None, backwards: false, unwritten: UNDEFINED },
    ),
    (
        Options { parallel: false, registers: Some(1), target: &IN_PLACE, ..OPTIONS },
        Run { piece: None, backwards: true, unwritten: 0x3e },
    ),
    (
        Options { parallel: false, registers: Some(1), target: &TOGETHER, ..OPTIONS },
        Run { piece: None, backwards: false, unwritten: 0 },
    ),
    (
        Options { parallel: true, registers: Some(1), contract: false, ..OPTIONS },
        Run { piece: Some(700), backwards: true, unwritten: 0x3e },
    ),
    (
        Options { parallel: false, registers: Some(8), contract: false, ..OPTIONS },
        Run { piece: None, backwards: false, unwritten: UNDEFINED },
    ),
    (Options { target: &Target::GPU, ..OPTIONS }, Run { piece: None, backwards: true, unwritten: 0x3e }),
    (
        Options { target: &EVERY, registers: Some(1), ..OPTIONS },
        Run { piece: None, backwards: false, unwritten: UNDEFINED },
    ),
];

/// Lowers, verifies and runs a function in one way.
pub(crate) fn run_lowered(
    m: &Module,
    f: FuncId,
    args: &[Array],
    (options, run): (Options, Run),
) -> Result<Vec<Array>, String> {
    let program: Program = lower(m, f, &options).map_err(|e: LowerError| e.to_string())?;
    verify(&program).map_err(|e| format!("{}\n{program}", e.join("\n")))?;
    machine::run_with(&program, args, run).map_err(|e| {
        let text = program.to_string();
        let text: String = text.chars().take(6000).collect();
        format!("{e}\n{text}")
    })
}

/// Compares all ways with the reference interpreter.
#[track_caller]
pub(crate) fn check_module(what: &str, m: &Module, f: FuncId, args: &[Array], how: Agreement) {
    let want = interp::run(m, f, args, &Limits::default()).unwrap_or_else(|e| panic!("{what}: {e}"));
    for way in WAYS {
        let got = run_lowered(m, f, args, way).unwrap_or_else(|e| panic!("{what}, {way:?}: {e}"));
        for (k, (got, want)) in got.iter().zip(&want).enumerate() {
            if let Err(e) = agree(got, want, how) {
                let program = lower(m, f, &way.0).expect("just lowered").to_string();
                let program: String = program.chars().take(6000).collect();
                panic!("{what}, {way:?}: result {k}: {e}\n{program}");
            }
        }
    }
}

/// The same for the function `main` of a text, with random arguments.
#[track_caller]
pub(crate) fn check(source: &str, how: Agreement) {
    let m = wengert_ir::text::parse(source).unwrap_or_else(|e| panic!("{e}"));
    let f = m.find("main").expect("a function `main`");
    let mut random = Random(17);
    let func = m.get(f);
    let args: Vec<Array> = func.params.iter().map(|&p| random.array(func.tensor(p), -2.0, 3.0)).collect();
    check_module(source, &m, f, &args, how);
}

/// `func.func public @main(params) -> results { body }`.
#[track_caller]
pub(crate) fn check_body(signature: &str, body: &str, how: Agreement) {
    check(&format!("func.func public @main{signature} {{\n{body}\n}}\n"), how);
}
