//! Patterns of the Jacobians of random programs.

use super::Flavor;
use super::agreement::wide;
use super::check::Case;
use super::derivatives::is_real;
use wengert_ir::array::Array;
use wengert_ir::func::Func;
use wengert_ir::interp::{self, Limits};
use wengert_ir::testing::{Random, numbers};
use wengert_ir::types::DType;
use wengert_passes::ad;

/// A product of the Jacobian with a unit vector has numbers other than zero only where the pattern says that it may.
pub(super) fn sparsity(case: &Case<'_>) -> Result<(), String> {
    /// Unit vectors that are tried.
    const VECTORS: usize = 4;
    let p = case.program;
    let mut m = p.module.clone();
    let active: Vec<bool> = p.args.iter().map(|a| is_real(a.dtype())).collect();
    let marked: Vec<bool> = case.want.iter().map(|r| is_real(r.dtype())).collect();
    let columns: usize = p.args.iter().filter(|a| is_real(a.dtype())).map(|a| a.ty().elements()).sum();
    let rows: usize = case.want.iter().filter(|r| is_real(r.dtype())).map(|r| r.ty().elements()).sum();
    if columns == 0 || rows == 0 || rows.max(columns) > 4096 {
        return Ok(());
    }
    // A type of powers of two has no zero to be found.
    let powers =
        |f: &Func| f.values.values().any(|v| v.ty.as_tensor().is_some_and(|t| t.dtype == DType::F8E8M0FNU));
    if m.funcs.values().any(|f| powers(f)) {
        return Ok(());
    }
    let mut random = Random(p.seed ^ 0x59a2);
    // Arguments that are not differentiated by are known, or are not.
    let known: Vec<Option<Array>> =
        p.args.iter().map(|a| (!is_real(a.dtype()) && random.below(2) == 0).then(|| a.clone())).collect();
    let pattern = match wengert_passes::sparsity::pattern(&mut m, p.func, &active, &marked, &known) {
        Ok(pattern) => pattern,
        Err(_) if p.flavor == Flavor::Wild => return Ok(()),
        Err(e) => return Err(format!("pattern: {e}")),
    };
    if (pattern.rows(), pattern.columns) != (rows, columns) {
        return Err(format!(
            "a pattern of {} x {}, a Jacobian of {rows} x {columns}",
            pattern.rows(),
            pattern.columns
        ));
    }
    let forward = ad::jvp(&mut m, p.func, &active).map_err(|e| format!("jvp: {e}"))?;
    let limits = Limits { max_memory: p.memory, ..Limits::default() };
    for _ in 0..VECTORS {
        let column = random.below(columns);
        let mut first = 0;
        let floats = p.args.iter().filter(|a| is_real(a.dtype()));
        let unit = floats.map(|a| {
            let from = first;
            first += a.ty().elements();
            numbers(a.ty(), (from..first).map(|k| if k == column { 1.0 } else { 0.0 }))
        });
        let args: Vec<Array> = p.args.iter().cloned().chain(unit.collect::<Vec<_>>()).collect();
        let Ok(pushed) = interp::run(&m, forward, &args, &limits) else { return Ok(()) };
        let floats = pushed[case.want.len()..].iter().filter(|a| is_real(a.dtype()));
        // What is not finite comes from infinities times zero.
        for (row, value) in floats.flat_map(wide).enumerate() {
            if value.is_finite() && value != 0.0 && pattern.row(row).binary_search(&(column as u32)).is_err()
            {
                return Err(format!(
                    "the derivative of {row} by {column} is {value:e}, and the pattern says zero"
                ));
            }
        }
    }
    Ok(())
}
