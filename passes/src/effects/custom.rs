//! What may give values besides its results: the operations that run functions, and how those with derivatives of their own do
//! so.
//!
//! A function with a derivative of its own keeps it. What it gives besides is differentiated as it is computed ([`rule_with`],
//! [`passes_with`]), or it is a state, which has no derivative ([`rule_with_state`], [`passes_with_state`]).

use super::silence;
use crate::ad::{self, has_tangent};
use crate::error::TransformError;
use crate::rewrite::{filter, push, set_params};
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::*;
use wengert_ir::ops_of;
use wengert_ir::types::Type;

/// An operation of which what it runs can give more.
pub(super) enum Runs<'a> {
    Call(&'a Call),
    Checkpoint(&'a Checkpoint),
    Case(&'a Case),
    Scan(&'a Scan),
    While(&'a While),
    CustomJvp(&'a CustomJvp),
    CustomVjp(&'a CustomVjp),
}

/// What an operation runs, or why nothing inside of it can be given: `said` is what was to be.
pub(super) fn runs<'a>(op: &'a Op, said: &str) -> Result<Runs<'a>, String> {
    match op {
        Op::Call(op) => Ok(Runs::Call(op)),
        Op::Checkpoint(op) => Ok(Runs::Checkpoint(op)),
        Op::Case(op) => Ok(Runs::Case(op)),
        Op::Scan(op) => Ok(Runs::Scan(op)),
        Op::While(op) => Ok(Runs::While(op)),
        Op::CustomJvp(op) => Ok(Runs::CustomJvp(op)),
        Op::CustomVjp(op) => Ok(Runs::CustomVjp(op)),
        Op::LinearSolve(_) | Op::Root(_) => Err(format!(
            "{said} in a function that finds or says what a solution is, which is run as often as it takes: give the \
             solution a name, or check it, after it has been found"
        )),
        ops_of!(source)
        | ops_of!(elementwise)
        | ops_of!(movement)
        | ops_of!(update)
        | ops_of!(contraction)
        | ops_of!(reduction)
        | ops_of!(library)
        | ops_of!(mark)
        | ops_of!(opaque)
        | Op::Composite(_) => {
            Err(format!("{said} in a function that an operation runs on single elements: do it outside"))
        }
    }
}

/// `rule`, of a function whose results are `results` in number, that gives those of `more` too: a function of the arguments.
pub(super) fn rule_with(
    m: &mut Module,
    custom: &CustomJvp,
    results: usize,
    more: &Func,
) -> Result<FuncId, TransformError> {
    let rule = m.get(custom.rule);
    let mut out = Func::new(rule.name.clone(), rule.kind);
    let params: Vec<Value> = rule.params.iter().map(|&p| out.param(rule.ty(p).clone())).collect();
    let given = out.inline(&rule, &params);
    let (own, own_tangents) = given.split_at(results);
    let values = quiet(m, more)?;
    let both = ad::jvp(m, values, &differentiable(more, custom.consts))?;
    let both = m.get(both);
    let given = out.inline(&both, &params);
    let (values, tangents) = given.split_at(more.results.len());
    out.results = [own, values, own_tangents, tangents].concat();
    Ok(m.add(out))
}

/// The forward and backward functions of one that gives the results of `more` too: of the arguments.
pub(super) fn passes_with(
    m: &mut Module,
    custom: &CustomVjp,
    results: usize,
    more: &Func,
) -> Result<(FuncId, FuncId), TransformError> {
    let (forward, backward) = (m.get(custom.forward), m.get(custom.backward));
    let types: Vec<Type> = more.result_types();
    let smooth: Vec<bool> = types.iter().map(has_tangent).collect();
    let quiet = quiet(m, more)?;
    // The arguments themselves are kept where the values are differentiated.
    let mut out = Func::new(forward.name.clone(), forward.kind);
    let params: Vec<Value> = forward.params.iter().map(|&p| out.param(forward.ty(p).clone())).collect();
    let given = out.inline(&forward, &params);
    let (own, residuals) = given.split_at(results);
    let values = out.inline(&m.get(quiet), &params);
    let kept = if smooth.contains(&true) { &params[custom.consts..] } else { &[] };
    out.results = [own, &values, residuals, kept].concat();
    let of_kept: Vec<Type> = kept.iter().map(|&v| out.ty(v).clone()).collect();
    let residuals = residuals.len();
    let new_forward = m.add(out);

    let mut out = Func::new(backward.name.clone(), backward.kind);
    let (before, cotangents) = backward.params.split_at(custom.consts + residuals);
    let mut args: Vec<Value> = before.iter().map(|&p| out.param(backward.ty(p).clone())).collect();
    let consts = args[..custom.consts].to_vec();
    let kept: Vec<Value> = of_kept.into_iter().map(|ty| out.param(ty)).collect();
    for &p in cotangents {
        args.push(out.param(backward.ty(p).clone()));
    }
    let of_more: Vec<Value> = filter(&types, &smooth).into_iter().map(|ty| out.param(ty)).collect();
    let mut sums = out.inline(&backward, &args);
    if smooth.contains(&true) {
        let back = ad::vjp(m, quiet, &differentiable(more, custom.consts), &smooth)?;
        let back = m.get(back);
        let given = out.inline(&back, &[consts, kept, of_more].concat());
        for (sum, &part) in sums.iter_mut().zip(&given[types.len()..]) {
            *sum = push(m, &mut out, BinaryOp::Add, &[*sum, part], &Loc::Unknown)[0];
        }
    }
    out.results = sums;
    Ok((new_forward, m.add(out)))
}

/// A rule that gives a state, of these types, after all else as one that gives it after the first `results` of its results, with
/// zeros for its tangents.
pub(super) fn rule_with_state(m: &mut Module, mut rule: Func, results: usize, state: &[Type]) -> FuncId {
    let mut tangents = rule.results.split_off(results);
    let state_values = tangents.split_off(tangents.len() - state.len());
    let smooth = state.iter().filter(|ty| has_tangent(ty));
    let zeros: Vec<Value> = smooth.map(|ty| zero(m, &mut rule, ty)).collect();
    rule.results.extend([state_values, tangents, zeros].into_iter().flatten());
    m.add(rule)
}

/// The same of the forward function, and of the backward function, which is given cotangents of the state and leaves them.
pub(super) fn passes_with_state(
    m: &mut Module,
    mut forward: Func,
    backward: FuncId,
    results: usize,
    state: &[Type],
) -> (FuncId, FuncId) {
    let mut residuals = forward.results.split_off(results);
    let state_values = residuals.split_off(residuals.len() - state.len());
    forward.results.extend(state_values.into_iter().chain(residuals));
    let mut backward = Func::clone(&m.get(backward));
    backward.param_names.clear();
    for ty in state.iter().filter(|ty| has_tangent(ty)) {
        backward.param(ty.clone());
    }
    (m.add(forward), m.add(backward))
}

/// Which parameters after the constants have derivatives.
fn differentiable(f: &Func, consts: usize) -> Vec<bool> {
    f.params.iter().enumerate().map(|(k, &p)| k >= consts && has_tangent(f.ty(p))).collect()
}

/// What is computed again beside a rule does nothing else: that is the rule's to do.
fn quiet(m: &mut Module, more: &Func) -> Result<FuncId, TransformError> {
    let id = m.add(more.clone());
    silence(m, id)
}

/// A function with only those of its results that come after the first `results`.
pub(super) fn only_more(f: &Func, results: usize) -> Func {
    let mut out = f.clone();
    out.kind = FuncKind::Private;
    out.results.drain(..results);
    out
}

/// A function whose further parameters and results are not last: parameters from `all` on stand before parameter `at`, and results from `results` on before
/// result `place`.
pub(super) fn moved(mut func: Func, at: usize, all: usize, place: usize, results: usize) -> Func {
    let mut params = func.params.clone();
    let more = params.split_off(all);
    params.splice(at..at, more);
    set_params(&mut func, params);
    let more = func.results.split_off(results);
    func.results.splice(place..place, more);
    func
}

fn zero(m: &Module, to: &mut Func, ty: &Type) -> Value {
    push(m, to, Op::splat(ty.tensor().clone(), 0.0), &[], &Loc::Unknown)[0]
}
