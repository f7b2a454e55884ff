//! Forward mode: one function that computes values and tangents together.

use super::TransformError;
use super::activity::{Activity, present, scattered};
use super::control::{self, Loop};
use super::emit::Single;
use super::walk::{Differentiator, Linear, Parts, walk};
use crate::dce::dce_func;
use crate::rewrite::{self, like, mapped};
use wengert_ir::func::{Func, FuncId, Inst, Loc, Module, Value};
use wengert_ir::op::Op;
use wengert_ir::rules::Term;

/// Parameters, tangents of the active ones, to results, tangents of the forced ones.
pub(super) fn jvp(
    m: &mut Module,
    activity: &Activity,
    func: FuncId,
    active: &[bool],
    force: &[bool],
) -> Result<FuncId, TransformError> {
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

impl Differentiator for Single<'_> {
    fn parts(&mut self) -> Parts<'_> {
        Parts { module: self.module, activity: self.activity, known: &mut self.func, loc: &mut self.loc }
    }

    fn tangent(&mut self, term: Term) -> Value {
        super::emit::value(term)
    }

    fn forward(
        &mut self,
        func: FuncId,
        args: &[Value],
        tangents: &[Option<Value>],
    ) -> Result<Vec<Option<Value>>, TransformError> {
        let active: Vec<bool> = tangents.iter().map(Option::is_some).collect();
        let out = self.activity.results(self.module, func, &active);
        let f = jvp(self.module, self.activity, func, &active, &out)?;
        let f = self.module.get(f);
        let given = self.func.inline(&f, &[args, &present(tangents)].concat());
        Ok(scattered(&given[out.len()..], &out))
    }

    fn special(
        &mut self,
        _: &Func,
        inst: &Inst,
        x: &[Value],
        dx: &[Option<Value>],
    ) -> Option<Result<Linear, TransformError>> {
        if let Some(l) = Loop::of(&inst.op, x.len(), inst.results.len()) {
            return Some(control::loops::jvp(self, &l, x, dx));
        }
        if let Op::Checkpoint(checkpoint) = &inst.op {
            return Some(control::checkpoint::jvp(self, checkpoint, x, dx));
        }
        if let Op::CustomVjp(custom) = &inst.op
            && custom.forward_mode
        {
            return Some(by_body(self, custom.body, x, dx));
        }
        let Op::Case(case) = &inst.op else { return None };
        Some(control::case::jvp(self, case, x, dx))
    }
}

/// A function in the place of an operation that it is the meaning of.
fn by_body(
    s: &mut Single<'_>,
    body: FuncId,
    x: &[Value],
    dx: &[Option<Value>],
) -> Result<Linear, TransformError> {
    let active: Vec<bool> = dx.iter().map(Option::is_some).collect();
    let out = s.activity.results(s.module, body, &active);
    let f = jvp(s.module, s.activity, body, &active, &out)?;
    let f = s.module.get(f);
    let given = s.func.inline(&f, &[x, &present(dx)].concat());
    let (values, tangents) = given.split_at(out.len());
    Ok((values.into(), scattered(tangents, &out)))
}
