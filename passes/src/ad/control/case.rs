//! `case`: a case of derivatives.

use super::branches;
use crate::ad::activity::{Activity, or, present};
use crate::ad::emit::{Single, Split};
use crate::ad::residuals::Place;
use crate::ad::walk::Linear;
use crate::error::TransformError;
use crate::rewrite::{push, set_params};
use wengert_ir::func::{Func, FuncId, Value, Values};
use wengert_ir::op::{Case, Zero};
use wengert_ir::types::Type;

/// Where a branch's residual comes from when the tangents arrive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Home {
    /// It is capture number `.0` of the case: nothing to save.
    Capture(usize),
    /// The branch gives it as extra result number `.0`.
    Slot(usize),
}

/// Both branches give the residuals of both: slots shared by type, zeros where a branch has none.
pub(in crate::ad) fn linearize(
    s: &mut Split<'_>,
    case: &Case,
    x: &[Value],
    dx: &[Option<Value>],
) -> Result<Linear, TransformError> {
    let active: Vec<bool> = dx[1..].iter().map(Option::is_some).collect();
    let out = active_results(s.activity, s.module, case, &active);
    let n = out.len();
    let mut halves = Vec::new();
    let free = vec![true; active.len()];
    let region = Place::Region { free: &free };
    for branch in branches(case) {
        halves.push(crate::ad::linearize::linearize(s.module, s.activity, branch, &active, &out, region)?);
    }
    let mut slots: Vec<Type> = Vec::new();
    let mut captures: Vec<usize> = Vec::new();
    let mut places: Vec<Vec<Home>> = Vec::new();
    for lin in &halves {
        let primal = s.module.get(lin.primal);
        let mut used: Vec<usize> = Vec::new();
        let mut of_branch = Vec::new();
        for r in &primal.results[n..] {
            if let Some(k) = primal.params.iter().position(|p| p == r) {
                captures.push(k);
                of_branch.push(Home::Capture(k));
                continue;
            }
            let ty = primal.ty(*r);
            let free = (0..slots.len()).find(|k| slots[*k] == *ty && !used.contains(k));
            let k = free.unwrap_or_else(|| {
                slots.push(ty.clone());
                slots.len() - 1
            });
            used.push(k);
            of_branch.push(Home::Slot(k));
        }
        places.push(of_branch);
    }
    captures.sort_unstable();
    captures.dedup();
    let wanted: Vec<(Home, Type)> = captures
        .iter()
        .map(|&k| (Home::Capture(k), s.primal.ty(x[1 + k]).clone()))
        .chain(slots.iter().enumerate().map(|(k, t)| (Home::Slot(k), t.clone())))
        .collect();
    let (mut primals, mut linears): (Vec<FuncId>, Vec<FuncId>) = (Vec::new(), Vec::new());
    for (lin, places) in halves.iter().zip(&places) {
        let mut primal = Func::clone(&s.module.get(lin.primal));
        let residuals = primal.results.split_off(n);
        for (k, ty) in slots.iter().enumerate() {
            let r = match places.iter().position(|p| *p == Home::Slot(k)) {
                Some(i) => residuals[i],
                None => zeros(s, &mut primal, ty),
            };
            primal.results.push(r);
        }
        primals.push(s.module.add(primal));
        let mut linear = Func::clone(&s.module.get(lin.linear));
        let mut params = Vec::new();
        for (place, ty) in &wanted {
            params.push(match places.iter().position(|p| p == place) {
                Some(i) => linear.params[i],
                None => linear.param(ty.clone()),
            });
        }
        let tangents = lin.residuals..lin.residuals + crate::rewrite::count(&active);
        params.extend_from_slice(&linear.params[tangents]);
        set_params(&mut linear, params);
        linears.push(s.module.add(linear));
    }
    let outs = s.push_primal(Case { branches: primals }, x);
    let mut operands: Values = Values::new();
    operands.push(s.lift(x[0]));
    for &k in &captures {
        operands.push(s.lift(x[1 + k]));
    }
    for &v in &outs[n..] {
        operands.push(s.lift(v));
    }
    operands.extend(present(&dx[1..]));
    let mut ts = s.push_linear(Case { branches: linears }, &operands).into_iter();
    let tangents = out.iter().map(|&o| if o { ts.next() } else { None }).collect();
    Ok((outs[..n].into(), tangents))
}

/// Zeros of any type.
fn zeros(s: &Split<'_>, func: &mut Func, ty: &Type) -> Value {
    push(s.module, func, Zero { ty: ty.tensor().clone() }, &[], &s.loc)[0]
}

/// Results with a tangent in some branch.
fn active_results(
    activity: &Activity,
    m: &wengert_ir::func::Module,
    case: &Case,
    active: &[bool],
) -> Vec<bool> {
    let mut out = Vec::new();
    for branch in branches(case) {
        let found = activity.results(m, branch, active);
        if out.is_empty() { out = found } else { or(&mut out, &found) }
    }
    out
}

/// Forward mode.
pub(in crate::ad) fn jvp(
    s: &mut Single<'_>,
    case: &Case,
    x: &[Value],
    dx: &[Option<Value>],
) -> Result<Linear, TransformError> {
    let active: Vec<bool> = dx[1..].iter().map(Option::is_some).collect();
    let out = active_results(s.activity, s.module, case, &active);
    let mut new = Vec::new();
    for branch in branches(case) {
        new.push(crate::ad::jvp::jvp(s.module, s.activity, branch, &active, &out)?);
    }
    let mut operands: Values = x.into();
    operands.extend(present(&dx[1..]));
    let outs = s.push(Case { branches: new }, &operands);
    let mut ts = outs[out.len()..].iter().copied();
    let tangents = out.iter().map(|&o| if o { ts.next() } else { None }).collect();
    Ok((outs[..out.len()].into(), tangents))
}

/// Cotangents of the operands; `operands` holds the known ones.
pub(in crate::ad) fn transpose(
    s: &mut Single<'_>,
    case: &Case,
    operands: &[Option<Value>],
    cotangents: &[Option<Value>],
) -> Result<Vec<Option<Value>>, TransformError> {
    let linear: Vec<bool> = operands[1..].iter().map(Option::is_none).collect();
    let has: Vec<bool> = cotangents.iter().map(Option::is_some).collect();
    let mut new = Vec::new();
    for branch in branches(case) {
        new.push(crate::ad::transpose::transpose(s.module, branch, &linear, &has)?);
    }
    let mut args: Values = present(operands).into();
    args.extend(present(cotangents));
    let mut outs = s.push(Case { branches: new }, &args).into_iter();
    Ok(operands.iter().map(|o| if o.is_none() { outs.next() } else { None }).collect())
}
