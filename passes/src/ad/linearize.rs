//! One walk that writes two functions: what can be known before tangents are, and the rest.

use super::activity::Activity;
use super::control::{self, Loop};
use super::emit::Split;
use super::{AdError, Linearized, expand, has_tangent};
use crate::cse::cse_func;
use crate::dce::dce_func;
use crate::rewrite::{
    self, Env, copy_inst, filter, like, mapped, push, set_params, used_params, used_values,
};
use wengert_ir::func::{Func, FuncId, Inst, Module, Value, Values};
use wengert_ir::op::{CustomLinear, CustomVjp, Op};
use wengert_ir::rules::{Jvp, Term};
use wengert_ir::types::Type;

/// Results of an instruction in the primal function and their tangents in the linear one.
pub(super) type Linear = (Values, Vec<Option<Value>>);

/// What is linearized.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// A whole function.
    Top,
    /// A region: residuals must have static types, and the fewer the better. The parameters marked are at
    /// hand outside, so that to use them as residuals costs nothing.
    Region {
        /// One flag per parameter.
        free: &'a [bool],
    },
}

/// `force`: results that must have a tangent, be it a zero (loop carries at the fixpoint, the other
/// branch of a case).
pub(super) fn linearize(
    m: &mut Module,
    activity: &Activity,
    func: FuncId,
    active: &[bool],
    force: &[bool],
    place: Place<'_>,
) -> Result<Linearized, AdError> {
    let f = m.get(func);
    let (primal, mut env) = like(&f);
    let linear = Func::new(format!("{}_linear", f.name), f.kind);
    let mut s = Split::new(m, activity, primal, linear, matches!(place, Place::Region { .. }));
    let mut tangents = rewrite::env(&f);
    let mut params = Vec::new();
    for (&p, _) in f.params.iter().zip(active).filter(|(_, a)| **a) {
        let t = s.linear.param(f.ty(p).clone());
        tangents[p] = Some(t);
        params.push(t);
    }
    walk(&mut s, &f, &mut env, &mut tangents)?;
    s.primal.results = mapped(&env, &f.results).to_vec();
    for (&r, _) in f.results.iter().zip(force).filter(|(_, f)| **f) {
        let t = match tangents[r] {
            Some(t) => t,
            None => s.zero(f.ty(r)),
        };
        s.linear.results.push(t);
    }
    let Split { primal, linear, residuals, .. } = s;
    Ok(finish(m, primal, linear, &residuals, params, place))
}

/// Linearizes the instructions of `f`, whose parameters have their values and tangents already.
fn walk(s: &mut Split<'_>, f: &Func, env: &mut Env, tangents: &mut Env) -> Result<(), AdError> {
    let used = used_values(f);
    for inst in f.insts.values() {
        let dx: Vec<Option<Value>> = inst.operands.iter().map(|&v| tangents[v]).collect();
        let is_active: Vec<bool> = dx.iter().map(Option::is_some).collect();
        let active = s.activity.inst_results(s.module, f, inst, &is_active);
        if !inst.results.iter().zip(active).any(|(&r, a)| a && used[r]) {
            copy_inst(&mut s.primal, f, inst, env);
            continue;
        }
        if let Some(g) = expand::replacement(s.module, f, inst, &dx)? {
            let (mut inner, mut inner_tangents) = (rewrite::env(&g), rewrite::env(&g));
            for ((&p, &v), t) in g.params.iter().zip(&inst.operands).zip(dx) {
                inner[p] = env[v];
                inner_tangents[p] = t;
            }
            walk(s, &g, &mut inner, &mut inner_tangents)?;
            for (&old, &new) in inst.results.iter().zip(&g.results) {
                env[old] = inner[new];
                tangents[old] = inner_tangents[new];
            }
            continue;
        }
        super::rule::check(s.module, f, inst)?;
        s.loc = inst.loc.clone();
        let (module, primal, loc) = (&*s.module, &mut s.primal, &s.loc);
        let zeros = &mut |ty: &Type| push(module, primal, Op::splat(ty.tensor().clone(), 0.0), &[], loc)[0];
        if let Some(mut rule) = expand::Rule::of(module, f, inst, env, &dx, zeros)? {
            let g = rule.func.clone();
            walk(s, &g, &mut rule.env, &mut rule.tangents)?;
            rule.finish(f, inst, env, tangents);
            continue;
        }
        let x = mapped(env, &inst.operands);
        let (results, ts) = linearize_inst(s, f, inst, &x, &dx)?;
        for ((&old, new), t) in inst.results.iter().zip(results).zip(ts) {
            env[old] = Some(new);
            tangents[old] = t;
        }
    }
    Ok(())
}

/// Tangents of one instruction that has some.
fn linearize_inst(
    s: &mut Split<'_>,
    f: &Func,
    inst: &Inst,
    x: &[Value],
    dx: &[Option<Value>],
) -> Result<Linear, AdError> {
    if let Some(l) = Loop::of(&inst.op, x.len(), inst.results.len()) {
        return control::loops::linearize(s, &l, x, dx);
    }
    if let Op::Case(case) = &inst.op {
        return control::case::linearize(s, case, x, dx);
    }
    if let Op::CustomVjp(custom) = &inst.op {
        expand::check_captures(f, inst, custom.consts, dx)?;
        return Ok(by_reverse_rule(s, f, inst, custom, x, dx));
    }
    super::jvp::check(f, inst, dx)?;
    let results = s.push_primal(inst.op.clone(), x);
    let operands: Vec<Term> = x.iter().map(|&v| Term::Known(v)).collect();
    let known: Vec<Term> = results.iter().map(|&v| Term::Known(v)).collect();
    let tangents: Vec<Option<Term>> = dx.iter().map(|t| t.map(Term::Linear)).collect();
    let rule = Jvp { operands: &operands, results: &known, tangents: &tangents };
    let ts = inst.op.def().jvp(s, rule);
    assert_eq!(ts.len(), results.len(), "{}: one tangent per result", inst.op.name());
    let ts = ts.into_iter().map(|t| t.map(|t| s.lift_term(t))).collect();
    Ok((results, ts))
}

/// A function with a reverse rule of its own: its forward half in the primal function, and in the linear one an
/// instruction that is transposed into the backward half.
fn by_reverse_rule(
    s: &mut Split<'_>,
    f: &Func,
    inst: &Inst,
    custom: &CustomVjp,
    x: &[Value],
    dx: &[Option<Value>],
) -> Linear {
    let forward = s.module.get(custom.forward);
    let given = s.primal.inline(&forward, x);
    let (results, residuals) = given.split_at(inst.results.len());
    let known: Vec<Value> = x[..custom.consts].iter().chain(residuals).copied().collect();
    let mut operands: Vec<Value> = known.iter().map(|&v| s.lift(v)).collect();
    for (&v, t) in inst.operands.iter().zip(dx).skip(custom.consts) {
        let ty = f.ty(v);
        if has_tangent(ty) {
            operands.push(t.unwrap_or_else(|| s.zero(ty)));
        }
    }
    let op = CustomLinear { backward: custom.backward, known: known.len() };
    let mut tangents = s.push_linear(op, &operands).into_iter();
    let each = |&r: &Value| if has_tangent(f.ty(r)) { tangents.next() } else { None };
    let tangents = inst.results.iter().map(each).collect();
    (results.iter().copied().collect(), tangents)
}

/// Chooses the residuals among what the linear function reads, and orders parameters and results.
fn finish(
    m: &mut Module,
    mut primal: Func,
    mut linear: Func,
    residuals: &[(Value, Value)],
    tangents: Vec<Value>,
    place: Place<'_>,
) -> Linearized {
    let n = primal.results.len();
    let order: Vec<Value> = residuals.iter().map(|r| r.1).chain(tangents).collect();
    set_params(&mut linear, order);
    let linear = dce_func(m, &linear);
    let linear = cse_func(m, &linear);
    let read = &used_params(&linear)[..residuals.len()];
    primal.results.extend(residuals.iter().zip(read).filter(|(_, r)| **r).map(|(r, _)| r.0));
    let primal = dce_func(m, &primal);
    let mut primal = cse_func(m, &primal);
    let params = filter(&linear.params[..residuals.len()], read);
    let values = primal.results.split_off(n);
    let pairs: Vec<(Value, Value)> = values.into_iter().zip(params).collect();
    let (linear, kept) =
        super::residuals::reduce(&primal, &linear, &pairs, &linear.params[residuals.len()..], place);
    let residuals = kept.len();
    primal.results.extend(kept);
    let primal = dce_func(m, &primal);
    let linear = cse_func(m, &linear);
    Linearized { primal: m.add(primal), linear: m.add(linear), residuals }
}
