//! Forward mode: one function that computes values and tangents together.

use super::activity::Activity;
use super::control::{self, Loop};
use super::emit::Single;
use super::{AdError, expand};
use crate::dce::dce_func;
use crate::rewrite::{self, Env, copy_inst, like, mapped, push, used_values};
use smallvec::SmallVec;
use wengert_ir::func::{Func, FuncId, Inst, Loc, Module, Value, Values};
use wengert_ir::op::{Op, SvdMode};
use wengert_ir::rules::{Jvp, Term};
use wengert_ir::types::Type;

/// Parameters, tangents of the active ones, to results, tangents of the forced ones.
pub(super) fn jvp(
    m: &mut Module,
    activity: &Activity,
    func: FuncId,
    active: &[bool],
    force: &[bool],
) -> Result<FuncId, AdError> {
    let f = m.get(func);
    let (out, mut env) = like(&f);
    let mut s = Single { module: m, activity, func: out, loc: Loc::Unknown };
    s.func.param_names.clear();
    let mut tangents = rewrite::env(&f);
    for (&p, _) in f.params.iter().zip(active).filter(|(_, a)| **a) {
        tangents[p] = Some(s.func.param(f.ty(p).clone()));
    }
    walk(&mut s, &f, &mut env, &mut tangents)?;
    s.func.results = mapped(&env, &f.results).to_vec();
    for (&r, _) in f.results.iter().zip(force).filter(|(_, f)| **f) {
        let t = match tangents[r] {
            Some(t) => t,
            None => s.zero(f.ty(r)),
        };
        s.func.results.push(t);
    }
    let func = s.func;
    let func = dce_func(m, &func);
    Ok(m.add(func))
}

/// Differentiates the instructions of `f`, whose parameters have their values and tangents already.
fn walk(s: &mut Single<'_>, f: &Func, env: &mut Env, tangents: &mut Env) -> Result<(), AdError> {
    let used = used_values(f);
    for inst in f.insts.values() {
        let dx: Vec<Option<Value>> = inst.operands.iter().map(|&v| tangents[v]).collect();
        let is_active: Vec<bool> = dx.iter().map(Option::is_some).collect();
        let active = s.activity.inst_results(s.module, f, inst, &is_active);
        if !inst.results.iter().zip(active).any(|(&r, a)| a && used[r]) {
            copy_inst(&mut s.func, f, inst, env);
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
        let (module, func, loc) = (&*s.module, &mut s.func, &s.loc);
        let zeros = &mut |ty: &Type| push(module, func, Op::splat(ty.tensor().clone(), 0.0), &[], loc)[0];
        if let Some(mut rule) = expand::Rule::of(module, f, inst, env, &dx, zeros)? {
            let g = rule.func.clone();
            walk(s, &g, &mut rule.env, &mut rule.tangents)?;
            rule.finish(f, inst, env, tangents);
            continue;
        }
        let x = mapped(env, &inst.operands);
        let (results, ts) = jvp_inst(s, f, inst, &x, &dx)?;
        for ((&old, new), t) in inst.results.iter().zip(results).zip(ts) {
            env[old] = Some(new);
            tangents[old] = t;
        }
    }
    Ok(())
}

fn jvp_inst(
    s: &mut Single<'_>,
    f: &Func,
    inst: &Inst,
    x: &[Value],
    dx: &[Option<Value>],
) -> Result<(Values, Vec<Option<Value>>), AdError> {
    if let Some(l) = Loop::of(&inst.op, x.len(), inst.results.len()) {
        return control::loops::jvp(s, &l, x, dx);
    }
    if let Op::Case(case) = &inst.op {
        return control::case::jvp(s, case, x, dx);
    }
    check(f, inst, dx)?;
    let results = s.push(inst.op.clone(), x);
    let operands: Vec<Term> = x.iter().map(|&v| Term::Known(v)).collect();
    let known: Vec<Term> = results.iter().map(|&v| Term::Known(v)).collect();
    let tangents: Vec<Option<Term>> = dx.iter().map(|t| t.map(Term::Linear)).collect();
    let rule = Jvp { operands: &operands, results: &known, tangents: &tangents };
    let ts = inst.op.def().jvp(s, rule);
    assert_eq!(ts.len(), results.len(), "{}: one tangent per result", inst.op.name());
    Ok((results, ts.into_iter().map(|t| t.map(super::emit::value)).collect()))
}

/// Fails if the operation has no derivative rule.
pub(super) fn check(f: &Func, inst: &Inst, dx: &[Option<Value>]) -> Result<(), AdError> {
    if matches!(inst.op, Op::Call(_) | Op::Composite(_)) {
        return Err(AdError::at(f, inst, "calls must be inlined before differentiation"));
    }
    if let Op::Svd(svd) = &inst.op
        && svd.mode == SvdMode::All
        && f.ty(inst.results[2]) != f.ty(inst.results[3])
    {
        return Err(AdError::at(
            f,
            inst,
            "the singular value decomposition with full matrices has no derivative unless the operand is square",
        ));
    }
    let active: SmallVec<[bool; 4]> = dx.iter().map(Option::is_some).collect();
    inst.op.def().differentiable(&active).map_err(|why| AdError::at(f, inst, why))
}
