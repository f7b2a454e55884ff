//! Reductions by a function of the user's, made loops where they are differentiated.

use super::AdError;
use std::sync::Arc;
use wengert_ir::func::{Func, Inst, Module};
use wengert_ir::op::{Op, Reducer};
use wengert_ir::ops::reduce::as_scan;
use wengert_ir::types::Type;

/// What to differentiate in place of an active instruction: if it is a `reduce` by a function, the
/// function of the same operands that computes it with a `scan`.
pub(super) fn reduction(m: &mut Module, f: &Func, inst: &Inst) -> Result<Option<Arc<Func>>, AdError> {
    let Op::Reduce(reduce) = &inst.op else { return Ok(None) };
    if !matches!(reduce.reducer, Reducer::Func(_)) {
        return Ok(None);
    }
    let types: Vec<Type> = inst.operands.iter().map(|&v| f.ty(v).clone()).collect();
    match as_scan(m, reduce, &types) {
        Some(g) => {
            let g = crate::inline::inline_calls(m, g);
            Ok(Some(m.get(g)))
        }
        None => Err(AdError::at(f, inst, "no derivative: its body does not work on scalars alone")),
    }
}
