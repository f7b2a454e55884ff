//! A sample of the programs that JAX's own tests compile (`jax_suite/README.md`), against XLA's results: native code
//! and the reference interpreter.

use std::path::{Path, PathBuf};
use wengert::Tensor;
use wengert::stages::Traced;
use wengert_ir::array::Array;
use wengert_ir::types::{DType, DTypeClass, TensorType};
use wengert_ir::{npy, ops};

/// The programs, in order.
fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("jax_suite/sample");
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(root).expect("the sample").map(|e| e.expect("an entry").path()).collect();
    found.sort();
    found
}

/// `in0.npy` .. or `out0.npy` .. of a folder, of these types.
fn arrays(folder: &Path, name: &str, types: &[TensorType]) -> Result<Vec<Array>, String> {
    let read = |(k, ty): (usize, &TensorType)| {
        let path = folder.join(format!("{name}{k}.npy"));
        let bytes = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        npy::parse_as(&bytes, ty.dtype).map_err(|e| format!("{}: {e}", path.display()))
    };
    types.iter().enumerate().map(read).collect()
}

/// Relative tolerance of a floating-point result; `jax_suite/check.py` has the reasons.
fn tolerance(dtype: DType) -> f64 {
    match dtype {
        DType::F64 | DType::C128 => 1e-11,
        DType::F32 | DType::C64 => 2e-5,
        DType::F16 => 16.0 / 2048.0,
        _ => 8.0 / 256.0,
    }
}

/// What is wrong with one result, if anything: integers and booleans are equal, floats near.
fn difference(found: &Array, expected: &Array) -> Option<String> {
    if found.ty() != expected.ty() {
        return Some(format!("{} for {}", found.ty(), expected.ty()));
    }
    if !matches!(found.dtype().class(), DTypeClass::Float | DTypeClass::Complex) {
        let shown = |a: &Array| Tensor::from(a.clone()).to_string();
        return (found != expected).then(|| format!("{} for {}", shown(found), shown(expected)));
    }
    let parts = |a: &Array| -> Vec<[f64; 2]> {
        let wide = ops::convert(a, DType::C128).expect("every number widens");
        let number = |b: &[u8]| f64::from_le_bytes(b.try_into().expect("eight bytes"));
        wide.bytes().chunks_exact(16).map(|b| [number(&b[..8]), number(&b[8..])]).collect()
    };
    let (found_parts, expected_parts) = (parts(found), parts(expected));
    let size = |v: &[f64; 2]| Some(v[0].abs() + v[1].abs()).filter(|s| s.is_finite()).unwrap_or(0.0);
    let scale = expected_parts.iter().map(size).fold(0.0, f64::max);
    for (k, (f, e)) in found_parts.iter().zip(&expected_parts).enumerate() {
        let bound = tolerance(found.dtype()) * (size(e) + scale);
        let near = |f: f64, e: f64| f == e || f.is_nan() && e.is_nan() || (f - e).abs() <= bound;
        if !near(f[0], e[0]) || !near(f[1], e[1]) {
            return Some(format!("element {k}: {f:?} for {e:?}"));
        }
    }
    None
}

/// Runs one program both ways.
fn check(folder: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(folder.join("program.mlir")).map_err(|e| e.to_string())?;
    let program = Traced::parse(&text, Some("main")).map_err(|e| e.to_string())?;
    let inputs: Vec<Tensor> =
        arrays(folder, "in", &program.param_types())?.into_iter().map(Tensor::from).collect();
    let expected = arrays(folder, "out", &program.result_types())?;
    let compiled = program.lower().and_then(|l| l.compile()).and_then(|c| c.call(&inputs));
    let interpreted = program.interpret(&inputs);
    for (way, found) in [("compiled", compiled), ("interpreted", interpreted)] {
        let found = found.map_err(|e| format!("{way}: {e}"))?;
        if found.len() != expected.len() {
            return Err(format!("{way}: {} results for {}", found.len(), expected.len()));
        }
        for (k, (f, e)) in found.iter().zip(&expected).enumerate() {
            if let Some(what) = difference(&f.to_array(), e) {
                return Err(format!("{way}: result {k}: {what}"));
            }
        }
    }
    Ok(())
}

#[test]
fn programs_of_jax_tests_give_xla_results() {
    let folders = folders();
    assert!(folders.len() >= 60, "{} programs", folders.len());
    let failures: Vec<String> = folders
        .iter()
        .filter_map(|folder| Some((folder, check(folder).err()?)))
        .map(|(folder, message)| format!("{}: {message}", folder.display()))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
