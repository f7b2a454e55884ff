//! What may give values besides its results: the operations that run functions, and how those with derivatives of their own do
//! so.
//!
//! A function with a derivative of its own keeps it. What it gives besides is differentiated as it is computed
//! ([`Derivative::AsComputed`]), or has no derivative ([`Derivative::None`]).

use crate::ad::{self, has_tangent};
use crate::error::TransformError;
use crate::rewrite::{filter, push};
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

/// What the derivative is of what a function gives besides its results.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Derivative {
    /// That of the instructions it comes from.
    AsComputed,
    /// None: it says what happened.
    None,
}

/// `rule`, of a function whose results are `results` in number, that gives those of `more` too: a function of the arguments.
pub(super) fn rule_with(
    m: &mut Module,
    custom: &CustomJvp,
    results: usize,
    more: &Func,
    derivative: Derivative,
) -> Result<FuncId, TransformError> {
    let rule = m.get(custom.rule);
    let mut out = Func::new(rule.name.clone(), rule.kind);
    let params: Vec<Value> = rule.params.iter().map(|&p| out.param(rule.ty(p).clone())).collect();
    let given = out.inline(&rule, &params);
    let (own, own_tangents) = given.split_at(results);
    let n = more.params.len();
    let types: Vec<Type> = more.result_types();
    let (values, tangents) = match derivative {
        Derivative::AsComputed => {
            let active: Vec<bool> = more
                .params
                .iter()
                .enumerate()
                .map(|(k, &p)| k >= custom.consts && has_tangent(more.ty(p)))
                .collect();
            let id = m.add(more.clone());
            let both = ad::jvp(m, id, &active)?;
            let both = m.get(both);
            let mut given = out.inline(&both, &params);
            let tangents = given.split_off(types.len());
            (given, tangents)
        }
        Derivative::None => {
            let values = out.inline(more, &params[..n]);
            let smooth = types.iter().filter(|ty| has_tangent(ty));
            let zeros = smooth.map(|ty| zero(m, &mut out, ty)).collect();
            (values, zeros)
        }
    };
    out.results = [own, &values, own_tangents, &tangents].concat();
    Ok(m.add(out))
}

/// The forward and backward functions of one that gives the results of `more` too: of the arguments, as computed by its forward
/// function.
pub(super) fn passes_with(
    m: &mut Module,
    custom: &CustomVjp,
    results: usize,
    more: &Func,
    derivative: Derivative,
) -> Result<(FuncId, FuncId), TransformError> {
    let (forward, backward) = (m.get(custom.forward), m.get(custom.backward));
    let types: Vec<Type> = more.result_types();
    let smooth: Vec<bool> = types.iter().map(has_tangent).collect();
    let differentiates = derivative == Derivative::AsComputed && smooth.contains(&true);
    // The arguments themselves are kept where the values are differentiated.
    let mut out = Func::new(forward.name.clone(), forward.kind);
    let params: Vec<Value> = forward.params.iter().map(|&p| out.param(forward.ty(p).clone())).collect();
    let given = out.inline(&forward, &params);
    let (own, residuals) = given.split_at(results);
    let values = out.inline(more, &params);
    let kept = if differentiates { &params[custom.consts..] } else { &[] };
    out.results = [own, &values, residuals, kept].concat();
    let of_kept: Vec<Type> = kept.iter().map(|&v| out.ty(v).clone()).collect();
    let residuals = residuals.len();
    let new_forward = m.add(out);

    let mut out = Func::new(backward.name.clone(), backward.kind);
    let (before, cotangents) = backward.params.split_at(custom.consts + residuals);
    let mut args: Vec<Value> = before.iter().map(|&p| out.param(backward.ty(p).clone())).collect();
    let consts = args[..custom.consts].to_vec();
    let kept: Vec<Value> = of_kept.iter().map(|ty| out.param(ty.clone())).collect();
    args.extend(cotangents.iter().map(|&p| out.param(backward.ty(p).clone())).collect::<Vec<_>>());
    let of_more: Vec<Value> = filter(&types, &smooth).into_iter().map(|ty| out.param(ty)).collect();
    let mut sums = out.inline(&backward, &args);
    if differentiates {
        let wrt: Vec<bool> = more
            .params
            .iter()
            .enumerate()
            .map(|(k, &p)| k >= custom.consts && has_tangent(more.ty(p)))
            .collect();
        let id = m.add(more.clone());
        let back = ad::vjp(m, id, &wrt, &smooth)?;
        let back = m.get(back);
        let all = [consts, kept, of_more].concat();
        let given = out.inline(&back, &all);
        for (sum, &part) in sums.iter_mut().zip(&given[types.len()..]) {
            *sum = push(m, &mut out, BinaryOp::Add, &[*sum, part], &Loc::Unknown)[0];
        }
    }
    out.results = sums;
    Ok((new_forward, m.add(out)))
}

/// A function with only those of its results that come after the first `results`.
pub(super) fn only_more(f: &Func, results: usize) -> Func {
    let mut out = f.clone();
    out.kind = FuncKind::Private;
    out.results.drain(..results);
    out
}

fn zero(m: &Module, to: &mut Func, ty: &Type) -> Value {
    push(m, to, Op::splat(ty.tensor().clone(), 0.0), &[], &Loc::Unknown)[0]
}
