//! One walk that writes two functions: what can be known before tangents are, and the rest.

use super::activity::{Activity, present, scattered};
use super::control::{self, Loop};
use super::emit::Split;
use super::residuals::Place;
use super::walk::{Differentiator, Linear, Parts, walk};
use super::{Linearized, TransformError, expand, has_tangent};
use crate::cse::cse_func;
use crate::dce::dce_func;
use crate::rewrite::{self, filter, like, mapped, set_params, used_params};
use wengert_ir::func::{Func, FuncId, Inst, Module, Value};
use wengert_ir::op::{CustomLinear, CustomVjp, Op};
use wengert_ir::rules::Term;

/// `force`: results that must have a tangent, be it a zero (loop carries at the fixpoint, the other
/// branch of a case).
pub(super) fn linearize(
    m: &mut Module,
    activity: &Activity,
    func: FuncId,
    active: &[bool],
    force: &[bool],
    place: Place<'_>,
) -> Result<Linearized, TransformError> {
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
    if let Some(e) = s.failed {
        return Err(e);
    }
    let Split { primal, linear, residuals, .. } = s;
    Ok(finish(m, primal, linear, &residuals, params, place))
}

impl Differentiator for Split<'_> {
    fn parts(&mut self) -> Parts<'_> {
        Parts { module: self.module, activity: self.activity, known: &mut self.primal, loc: &mut self.loc }
    }

    fn tangent(&mut self, term: Term) -> Value {
        self.lift_term(term)
    }

    fn forward(
        &mut self,
        func: FuncId,
        args: &[Value],
        tangents: &[Option<Value>],
    ) -> Result<Vec<Option<Value>>, TransformError> {
        let active: Vec<bool> = tangents.iter().map(Option::is_some).collect();
        let out = self.activity.results(self.module, func, &active);
        let free = vec![false; args.len()];
        let place = if self.is_region() { Place::Region { free: &free } } else { Place::Top };
        let lin = linearize(self.module, self.activity, func, &active, &out, place)?;
        let (primal, linear) = (self.module.get(lin.primal), self.module.get(lin.linear));
        let given = self.primal.inline(&primal, args);
        let mut operands: Vec<Value> = given[out.len()..].iter().map(|&v| self.lift(v)).collect();
        operands.extend(present(tangents));
        Ok(scattered(&self.linear.inline(&linear, &operands), &out))
    }

    fn special(
        &mut self,
        f: &Func,
        inst: &Inst,
        x: &[Value],
        dx: &[Option<Value>],
    ) -> Option<Result<Linear, TransformError>> {
        if let Some(l) = Loop::of(&inst.op, x.len(), inst.results.len()) {
            return Some(control::loops::linearize(self, &l, x, dx));
        }
        if let Op::Case(case) = &inst.op {
            return Some(control::case::linearize(self, case, x, dx));
        }
        if let Op::Checkpoint(checkpoint) = &inst.op {
            return Some(control::checkpoint::linearize(self, checkpoint, x, dx));
        }
        let Op::CustomVjp(custom) = &inst.op else { return None };
        let fits =
            expand::check_captures(f, inst, custom.consts, dx, "the backward function of a `custom_vjp`");
        Some(fits.map(|()| by_reverse_rule(self, f, inst, custom, x, dx)))
    }
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
    let tangents = &linear.params[residuals.len()..];
    let (linear, kept) = super::residuals::reduce(&primal, &linear, &pairs, tangents, place, m.examples);
    let residuals = kept.len();
    primal.results.extend(kept);
    let primal = dce_func(m, &primal);
    let linear = cse_func(m, &linear);
    Linearized { primal: m.add(primal), linear: m.add(linear), residuals }
}
