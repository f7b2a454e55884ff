//! The corpus, lowered: programs as they are, and with counted loops raised, against the interpreter.

use crate::Agreement::Relative;
use crate::{WAYS, agree, run_lowered};
use std::path::{Path, PathBuf};
use wengert_ir::array::{Array, Literal};
use wengert_ir::func::{Func, FuncId, Module};
use wengert_ir::interp::{self, Limits};
use wengert_ir::npy;
use wengert_ir::types::Type;
use wengert_passes::ad;
use wengert_passes::inline::inline_calls;
use wengert_passes::legalize::legalize;
use wengert_passes::raise::raise;

pub(crate) fn cases() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/corpus");
    let mut out: Vec<PathBuf> = std::fs::read_dir(dir)
        .expect("the corpus")
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.is_dir())
        .collect();
    out.sort();
    out
}

/// The bound for an array among those for two, four and eight bytes a number.
fn bound(want: &Array, bounds: [f64; 3]) -> f64 {
    let bytes = want.dtype().size() / if want.dtype().is_complex() { 2 } else { 1 };
    bounds[bytes.clamp(2, 8).ilog2() as usize - 1]
}

/// Whether two functions are one but for their names, as where there was no loop to raise: once is enough then.
fn same(m: &Module, a: FuncId, b: FuncId) -> bool {
    let (a, b) = (m.get(a), m.get(b));
    Func { name: b.name.clone(), kind: b.kind, ..Func::clone(&a) } == *b
}

fn case(dir: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(dir.join("program.mlir")).map_err(|e| e.to_string())?;
    let mut m = wengert_ir::text::parse(&text).map_err(|e| format!("parse: {e}"))?;
    let main = m.find("main").ok_or("no main")?;
    let types = m.get(main).param_types();
    let mut args: Vec<Array> = Vec::new();
    for (k, ty) in types.iter().enumerate() {
        let bytes = std::fs::read(dir.join(format!("in{k}.npy"))).map_err(|e| e.to_string())?;
        let array = npy::parse(&bytes).map_err(|e| format!("in{k}: {e}"))?;
        args.push(if array.ty() == ty.tensor() {
            array
        } else {
            Array::from_bytes(ty.tensor().clone(), array.bytes())
        });
    }
    let want = interp::run(&m, main, &args, &Limits::default()).map_err(|e| e.to_string())?;
    let raised = raise(&mut m, main);
    // Lowering takes what legalization leaves.
    let inlined = [main, raised].map(|f| inline_calls(&mut m, f));
    let mut functions = inlined.map(|f| legalize(&mut m, f)).to_vec();
    functions.dedup_by(|a, b| same(&m, *a, *b));
    for f in functions {
        for way in WAYS {
            let got = run_lowered(&m, f, &args, way)?;
            for (k, (got, want)) in got.iter().zip(&want).enumerate() {
                let tolerance = bound(want, [2e-2, 1e-5, 1e-11]);
                agree(got, want, Relative(tolerance)).map_err(|e| format!("{way:?}: result {k}: {e}"))?;
            }
        }
    }
    for f in derivatives(&mut m, main, raised, &args)? {
        let (f, args) = f;
        let Ok(want) = interp::run(&m, f, &args, &Limits::default()) else { continue };
        for way in WAYS {
            let got = run_lowered(&m, f, &args, way).map_err(|e| format!("derivative: {e}"))?;
            for (k, (got, want)) in got.iter().zip(&want).enumerate() {
                let tolerance = bound(want, [5e-2, 1e-4, 1e-9]);
                agree(got, want, Relative(tolerance))
                    .map_err(|e| format!("derivative, {way:?}: result {k}: {e}"))?;
            }
        }
    }
    Ok(())
}

/// The vector-Jacobian product of a program as written and with loops raised, with arguments: primal inputs and
/// ones as cotangents.
fn derivatives(
    m: &mut Module,
    main: FuncId,
    raised: FuncId,
    args: &[Array],
) -> Result<Vec<(FuncId, Vec<Array>)>, String> {
    let mut out = Vec::new();
    for f in [main, raised] {
        let func = m.get(f);
        let differentiable = |t: &Type| t.as_tensor().is_some_and(|t| t.dtype.is_float());
        let wrt: Vec<bool> = func.param_types().iter().map(differentiable).collect();
        let marked: Vec<bool> = func.result_types().iter().map(differentiable).collect();
        if !wrt.contains(&true) || !marked.contains(&true) {
            continue;
        }
        let Ok(g) = ad::vjp(m, f, &wrt, &marked) else { continue };
        let g = wengert_passes::dce::dce(m, g);
        let g = inline_calls(m, g);
        let g = legalize(m, g);
        if out.iter().any(|(other, _)| same(m, *other, g)) {
            continue;
        }
        let mut args = args.to_vec();
        for (ty, _) in func.result_types().iter().zip(&marked).filter(|(_, m)| **m) {
            args.push(Literal::splat(ty.tensor().clone(), 1.0).to_array());
        }
        out.push((g, args));
    }
    Ok(out)
}

#[test]
fn every_program() {
    let mut failed = Vec::new();
    for dir in cases() {
        let name = dir.file_name().expect("a name").to_string_lossy().into_owned();
        if let Err(e) = case(&dir) {
            failed.push(format!("{name}: {}", e.chars().take(1500).collect::<String>()));
        }
    }
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}
