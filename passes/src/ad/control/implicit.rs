//! `linear_solve` and `root`: derivatives of what is defined by an equation, from those of the equation.

use crate::ad::walk::{Differentiator, Linear};
use crate::effects::quiet;
use crate::error::TransformError;
use crate::rewrite::push;
use wengert_ir::func::{FuncId, Value};
use wengert_ir::op::{LinearSolve, Root, Zero};
use wengert_ir::rules::{Emit, Term};

/// `dx = A^-1 (db - dA x)`.
pub(in crate::ad) fn linear_solve(
    s: &mut impl Differentiator,
    op: &LinearSolve,
    operands: &[Value],
    dx: &[Option<Value>],
) -> Result<Linear, TransformError> {
    let parts = s.parts();
    let x = push(parts.module, parts.known, op.clone(), operands, parts.loc);
    let (consts, b) = dx.split_at(op.consts);
    let moved = along(s, op.matvec, &operands[..op.consts], &x, consts)?;
    let mut args: Vec<Term> = operands[..op.consts].iter().map(|&v| Term::Known(v)).collect();
    for ((&db, moved), &x) in b.iter().zip(moved).zip(&x) {
        let e: &mut dyn Emit = s;
        args.push(match (db.map(Term::Linear), moved.map(Term::Linear)) {
            (Some(db), Some(moved)) => e.sub(db, moved),
            (Some(db), None) => db,
            (None, Some(moved)) => e.neg(moved),
            (None, None) => zero(e, x),
        });
    }
    let tangents = s.emit(op.clone().into(), &args);
    let tangents = tangents.into_iter().map(|t| Some(s.tangent(t))).collect();
    Ok((x, tangents))
}

/// `dx = -(df/dx)^-1 df/dp dp`. Where the search starts makes no difference.
pub(in crate::ad) fn root(
    s: &mut impl Differentiator,
    op: &Root,
    operands: &[Value],
    dx: &[Option<Value>],
) -> Result<Linear, TransformError> {
    let parts = s.parts();
    let x = push(parts.module, parts.known, op.clone(), operands, parts.loc);
    let consts = &operands[..op.consts];
    let moved = along(s, op.residual, consts, &x, &dx[..op.consts])?;
    if moved.iter().all(Option::is_none) {
        return Ok((x, moved));
    }
    let mut args: Vec<Term> = consts.iter().chain(&x).map(|&v| Term::Known(v)).collect();
    for (moved, &x) in moved.iter().zip(&x) {
        let e: &mut dyn Emit = s;
        args.push(match moved.map(Term::Linear) {
            Some(moved) => e.neg(moved),
            None => zero(e, x),
        });
    }
    let func = s.parts().module.get(op.tangent);
    let found = wengert_ir::rules::inline(s, &func, &args);
    let tangents = found.into_iter().map(|t| Some(s.tangent(t))).collect();
    Ok((x, tangents))
}

/// A tangent of nothing, like `x`.
fn zero(e: &mut dyn Emit, x: Value) -> Term {
    let ty = e.ty(Term::Known(x));
    e.emit(Zero { ty }.into(), &[])[0]
}

/// The tangents of `f(consts, x)` for those of the constants.
fn along(
    s: &mut impl Differentiator,
    f: FuncId,
    consts: &[Value],
    x: &[Value],
    tangents: &[Option<Value>],
) -> Result<Vec<Option<Value>>, TransformError> {
    if tangents.iter().all(Option::is_none) {
        return Ok(vec![None; x.len()]);
    }
    // The operation runs it as it must: what is seen of that is seen there.
    let f = quiet(s.parts().module, f);
    let args = [consts, x].concat();
    let mut all = tangents.to_vec();
    all.resize(args.len(), None);
    s.forward(f, &args, &all)
}
