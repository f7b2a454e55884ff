//! Forward mode: one function that computes values and tangents together.

use super::control::{self, Loop};
use super::emit::Single;
use super::{AdError, activity};
use crate::dce::dce_func;
use crate::rewrite::{copy_inst, like, mapped};
use smallvec::SmallVec;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, Loc, Module, Value, Values};
use wengert_ir::op::Op;
use wengert_ir::rules::{Jvp, Term};

/// Parameters, tangents of the active ones, to results, tangents of the forced ones.
pub(super) fn jvp(m: &mut Module, func: FuncId, active: &[bool], force: &[bool]) -> Result<FuncId, AdError> {
    let f = m.get(func);
    let (out, mut env) = like(&f);
    let mut s = Single { module: m, func: out, loc: Loc::Unknown };
    s.func.param_names.clear();
    let mut tangents = EntityVec::<Value, Option<Value>>::filled(None, f.values.len());
    for (&p, _) in f.params.iter().zip(active).filter(|(_, a)| **a) {
        tangents[p] = Some(s.func.param(f.ty(p).clone()));
    }
    for inst in f.insts.values() {
        let dx: Vec<Option<Value>> = inst.operands.iter().map(|&v| tangents[v]).collect();
        let is_active: Vec<bool> = dx.iter().map(Option::is_some).collect();
        if !activity::inst_results(s.module, &f, inst, &is_active).contains(&true) {
            copy_inst(&mut s.func, &f, inst, &mut env);
            continue;
        }
        let x = mapped(&env, &inst.operands);
        s.loc = inst.loc.clone();
        let (results, ts) = jvp_inst(&mut s, &f, inst, &x, &dx)?;
        for ((&old, new), t) in inst.results.iter().zip(results).zip(ts) {
            env[old] = Some(new);
            tangents[old] = t;
        }
    }
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
    if matches!(inst.op, Op::Call(_)) {
        return Err(AdError::at(f, inst, "calls must be inlined before differentiation"));
    }
    let active: SmallVec<[bool; 4]> = dx.iter().map(Option::is_some).collect();
    inst.op.def().differentiable(&active).map_err(|why| AdError::at(f, inst, why))
}
