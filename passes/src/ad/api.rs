//! The transformations as the rest of the compiler calls them: arguments checked, rules of JAX's recognised, calls inlined,
//! counted loops raised.

use super::activity::Activity;
use super::residuals::Place;
use super::{Linearized, TransformError, has_tangent, verify};
use crate::dce::dce_func;
use crate::inline::{inline_calls, inline_where};
use crate::raise::raise;
use crate::refine::{first_open, why_open};
use crate::rewrite::{count, push};
use crate::rules::rules;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::Op;
use wengert_ir::types::Type;

/// Forward mode: parameters, then tangents of the active ones, to results, then tangents of every
/// differentiable result (zeros where there is no dependence).
pub fn jvp(m: &mut Module, func: FuncId, active: &[bool]) -> Result<FuncId, TransformError> {
    let f = prepare(m, func, active)?;
    let f = wanted(m, f);
    let force: Vec<bool> = m.get(f).result_types().iter().map(has_tangent).collect();
    let out = super::jvp::jvp(m, &Activity::default(), f, active, &force)?;
    Ok(name(m, out, func, "jvp", active, &[]))
}

/// Splits a function into what can be known before tangents are, and the linear rest. `force_out` marks
/// the results whose tangents the linear function gives; they must be differentiable.
pub fn linearize(
    m: &mut Module,
    func: FuncId,
    active: &[bool],
    force_out: &[bool],
) -> Result<Linearized, TransformError> {
    // The linear part may be run as well as turned around.
    let f = prepare(m, func, active)?;
    let f = forward_modes(m, f);
    split(m, f, active, force_out)
}

/// A function whose rules for reverse mode that stand beside a forward mode are gone: what they are rules of is there.
pub(super) fn forward_modes(m: &mut Module, func: FuncId) -> FuncId {
    inline_where(m, func, &|op| {
        if let Op::CustomVjp(custom) = op { custom.forward_mode.then_some(custom.body) } else { None }
    })
}

/// A function without what nobody wants, which needs no derivative and may have none in forward mode.
pub(super) fn wanted(m: &mut Module, func: FuncId) -> FuncId {
    let f = m.get(func);
    let live = dce_func(m, &f);
    if live == *f { func } else { m.add(live) }
}

fn split(
    m: &mut Module,
    func: FuncId,
    active: &[bool],
    force_out: &[bool],
) -> Result<Linearized, TransformError> {
    check_results(m, func, force_out)?;
    super::linearize::linearize(m, &Activity::default(), func, active, force_out, Place::Top)
}

/// Turns a function around that is linear in the marked parameters: other parameters, then cotangents of
/// the marked results, to cotangents of the linear parameters.
pub fn transpose(
    m: &mut Module,
    func: FuncId,
    linear_params: &[bool],
    has_cotangent: &[bool],
) -> Result<FuncId, TransformError> {
    let f = prepare(m, func, linear_params)?;
    check_results(m, f, has_cotangent)?;
    match super::transpose::transpose(m, f, linear_params, has_cotangent) {
        // It has zeros of its own beside what is linear, or loops that carry both.
        Err(e) if super::rule::is_linear(m, f, linear_params, has_cotangent) => {
            transpose_at_zero(m, f, linear_params, has_cotangent).map_err(|_| e)
        }
        done => done,
    }
}

/// The same by way of the derivative at zero, which is that everywhere.
fn transpose_at_zero(
    m: &mut Module,
    func: FuncId,
    linear_params: &[bool],
    has_cotangent: &[bool],
) -> Result<FuncId, TransformError> {
    let back = vjp(m, func, linear_params, has_cotangent)?;
    let (f, back) = (m.get(func), m.get(back));
    let mut out = Func::new("", FuncKind::Private);
    let mut args: Vec<Value> = Vec::new();
    for (k, &p) in back.params.iter().enumerate() {
        let ty = back.ty(p).clone();
        args.push(match linear_params.get(k) {
            Some(true) => push(m, &mut out, Op::splat(ty.tensor().clone(), 0.0), &[], &Loc::Unknown)[0],
            Some(false) | None => out.param(ty),
        });
    }
    out.results = out.inline(&back, &args).split_off(f.results.len());
    let out = dce_func(m, &out);
    Ok(m.add(out))
}

/// Checks that every result is linear in the marked parameters together; the error names the first
/// instruction that is not.
pub fn verify_linear(m: &Module, func: FuncId, linear_params: &[bool]) -> Result<(), TransformError> {
    let classes = verify::classify(m, func, linear_params)?;
    match classes.results(&m.get(func)).iter().position(|&c| c == verify::Class::Known) {
        Some(k) => {
            Err(TransformError::new(format!("result {k} does not depend on the inputs and is not zero")))
        }
        None => Ok(()),
    }
}

/// Reverse mode: parameters, then cotangents of the marked results, to results, then cotangents of the
/// parameters marked in `wrt`.
pub fn vjp(
    m: &mut Module,
    func: FuncId,
    wrt: &[bool],
    cotangents: &[bool],
) -> Result<FuncId, TransformError> {
    let f = prepare(m, func, wrt)?;
    let lin = split(m, f, wrt, cotangents)?;
    let linear_params: Vec<bool> = (0..lin.residuals + count(wrt)).map(|k| k >= lin.residuals).collect();
    let all = vec![true; count(cotangents)];
    let back = super::transpose::transpose(m, lin.linear, &linear_params, &all)?;
    let (primal, back) = (m.get(lin.primal), m.get(back));
    let mut out = Func::new("", FuncKind::Private);
    let params: Vec<Value> = primal.params.iter().map(|&p| out.param(primal.ty(p).clone())).collect();
    let given: Vec<Value> =
        back.params[lin.residuals..].iter().map(|&p| out.param(back.ty(p).clone())).collect();
    let mut results = out.inline(&primal, &params);
    let mut args = results.split_off(results.len() - lin.residuals);
    args.extend(given);
    results.extend(out.inline(&back, &args));
    out.results = results;
    let out = dce_func(m, &out);
    let out = m.add(out);
    Ok(name(m, out, func, "vjp", &[], cotangents))
}

/// Parameters to results, then the gradients of result number `result` by the parameters marked in `wrt`.
/// That result must be a float scalar.
pub fn value_and_grad(
    m: &mut Module,
    func: FuncId,
    wrt: &[bool],
    result: usize,
) -> Result<FuncId, TransformError> {
    let f = m.get(func);
    let Some(&r) = f.results.get(result) else {
        return Err(TransformError::new(format!(
            "`{}` has {} results, so no result {result} to differentiate",
            f.name,
            f.results.len()
        )));
    };
    let ty = f.ty(r).clone();
    let scalar = ty.as_tensor().filter(|t| t.rank() == 0 && t.dtype.is_float()).cloned();
    let Some(scalar) = scalar else {
        return Err(TransformError::new(format!(
            "the gradient needs a float scalar, but result {result} of `{}` is {ty}",
            f.name
        )));
    };
    let cotangents: Vec<bool> = (0..f.results.len()).map(|k| k == result).collect();
    let back = vjp(m, func, wrt, &cotangents)?;
    let back = m.get(back);
    let mut out = Func::new("", FuncKind::Private);
    let n = f.params.len();
    let mut args: Vec<Value> = back.params[..n].iter().map(|&p| out.param(back.ty(p).clone())).collect();
    args.push(push(m, &mut out, Op::splat(scalar, 1.0), &[], &Loc::Unknown)[0]);
    out.results = out.inline(&back, &args);
    let out = m.add(out);
    Ok(name(m, out, func, "value_and_grad", &[], &[]))
}

/// Checks the flags of the parameters, inlines calls, and makes scans of counted loops.
pub(super) fn prepare(m: &mut Module, func: FuncId, active: &[bool]) -> Result<FuncId, TransformError> {
    let f = m.get(func);
    if active.len() != f.params.len() {
        return Err(TransformError::new(format!(
            "`{}` has {} parameters, but {} are marked",
            f.name,
            f.params.len(),
            active.len()
        )));
    }
    for (k, &p) in f.params.iter().enumerate() {
        if active[k] && !has_tangent(f.ty(p)) {
            let known_as = f.param_names.get(k).map(|n| format!(" `{n}`")).unwrap_or_default();
            return Err(TransformError::new(format!(
                "parameter {k}{known_as} of `{}` has type {}, which has no derivatives",
                f.name,
                f.ty(p)
            )));
        }
    }
    if let Some((func, inst)) = first_open(m, func) {
        let inst = &func.insts[inst];
        return Err(TransformError::at(&func, inst, why_open(&func, inst)));
    }
    Ok(prepared(m, func))
}

/// The function as it is differentiated.
pub(crate) fn prepared(m: &mut Module, func: FuncId) -> FuncId {
    let func = rules(m, func);
    let inlined = inline_calls(m, func);
    // A counted loop that stays a `while` would save whole buffers per trip.
    if has_while(m, inlined) { raise(m, inlined) } else { inlined }
}

/// Whether there is a `while`, regions included. Calls that could not be inlined are not followed: there may
/// be exponentially many.
fn has_while(m: &Module, func: FuncId) -> bool {
    m.get(func).insts.values().any(|i| match &i.op {
        Op::While(_) => true,
        Op::Call(_) | Op::Composite(_) => false,
        op => op.callees().iter().any(|&c| has_while(m, c)),
    })
}

/// Checks the flags of the results.
fn check_results(m: &Module, func: FuncId, marked: &[bool]) -> Result<(), TransformError> {
    let f = m.get(func);
    if marked.len() != f.results.len() {
        return Err(TransformError::new(format!(
            "`{}` has {} results, but {} are marked",
            f.name,
            f.results.len(),
            marked.len()
        )));
    }
    match (0..marked.len()).find(|&k| marked[k] && !has_tangent(f.ty(f.results[k]))) {
        Some(k) => Err(TransformError::new(format!(
            "result {k} of `{}` has type {}, which has no derivatives",
            f.name,
            f.ty(f.results[k])
        ))),
        None => Ok(()),
    }
}

/// A copy of `func`, named after `from` and visible as it is, with the names of its parameters.
pub(super) fn name(
    m: &mut Module,
    func: FuncId,
    from: FuncId,
    transform: &str,
    tangents: &[bool],
    cotangents: &[bool],
) -> FuncId {
    let (mut out, from) = (Func::clone(&m.get(func)), m.get(from));
    out.name = m.fresh_name(&format!("{}_{transform}", from.name));
    out.kind = if from.kind == FuncKind::Region { FuncKind::Private } else { from.kind };
    let types: Vec<Type> = out.param_types();
    out.param_names.clone_from(&from.param_names);
    if !from.param_names.is_empty() {
        out.param_names.resize(from.params.len(), String::new());
        for (k, _) in tangents.iter().enumerate().filter(|(_, t)| **t) {
            out.param_names.push(format!("d{}", out.param_names[k]));
        }
        for (k, _) in cotangents.iter().enumerate().filter(|(_, t)| **t) {
            out.param_names.push(format!("cotangent{k}"));
        }
        out.param_names.truncate(types.len());
    }
    m.add(out)
}
