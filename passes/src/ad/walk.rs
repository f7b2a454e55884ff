//! The walk over the instructions of a function that forward mode and linearization have in common.
//!
//! What no tangent reaches is copied; operations with functions of the user's become what is differentiated in their place; a
//! rule of the user's is differentiated itself; all else goes by the rule beside the operation. A [`Differentiator`] says where values
//! and tangents are written: into one function, or into two.

use super::activity::Activity;
use super::{TransformError, control, expand, has_tangent};
use crate::effects::{drop_names, silence};
use crate::rewrite::{self, Env, copy_inst, mapped, push, used_values};
use smallvec::SmallVec;
use wengert_ir::func::{Func, FuncId, Inst, Loc, Module, Value, Values};
use wengert_ir::op::{CustomJvp, Op, SvdMode};
use wengert_ir::rules::{Emit, Jvp, Term};
use wengert_ir::types::Type;

/// Results of an instruction and their tangents.
pub(super) type Linear = (Values, Vec<Option<Value>>);

/// What is at hand wherever derivatives are written.
pub(super) struct Parts<'a> {
    pub(super) module: &'a mut Module,
    pub(super) activity: &'a Activity,
    /// The function that gets what does not depend on tangents.
    pub(super) known: &'a mut Func,
    /// The line that instructions get.
    pub(super) loc: &'a mut Loc,
}

/// Where values and tangents are written.
pub(super) trait Differentiator: Emit + Sized {
    fn parts(&mut self) -> Parts<'_>;

    /// What a rule gave, as a tangent.
    fn tangent(&mut self, term: Term) -> Value;

    /// The tangents of a function's results for those of its arguments.
    fn forward(
        &mut self,
        func: FuncId,
        args: &[Value],
        tangents: &[Option<Value>],
    ) -> Result<Vec<Option<Value>>, TransformError>;

    /// Differentiates an active instruction that has no rule beside it: control flow, for one. `None` if it has one.
    fn special(
        &mut self,
        f: &Func,
        inst: &Inst,
        x: &[Value],
        dx: &[Option<Value>],
    ) -> Option<Result<Linear, TransformError>>;
}

/// Differentiates the instructions of `f`, whose parameters have their values and tangents already.
pub(super) fn walk(
    s: &mut impl Differentiator,
    f: &Func,
    env: &mut Env,
    tangents: &mut Env,
) -> Result<(), TransformError> {
    let used = used_values(f);
    for inst in f.insts.values() {
        let dx: Vec<Option<Value>> = inst.operands.iter().map(|&v| tangents[v]).collect();
        let is_active: Vec<bool> = dx.iter().map(Option::is_some).collect();
        let parts = s.parts();
        let active = parts.activity.inst_results(parts.module, f, inst, &is_active);
        if !inst.results.iter().zip(active).any(|(&r, a)| a && used[r]) {
            copy_inst(parts.known, f, inst, env);
            continue;
        }
        if let Some(g) = expand::replacement(parts.module, f, inst, &dx)? {
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
        super::rule::check(parts.module, f, inst)?;
        *parts.loc = inst.loc.clone();
        let (module, known, loc) = (&*parts.module, parts.known, &*parts.loc);
        let zeros = &mut |ty: &Type| push(module, known, Op::splat(ty.tensor().clone(), 0.0), &[], loc)[0];
        if let Some(mut rule) = expand::Rule::of(module, f, inst, env, &dx, zeros)? {
            let g = rule.func.clone();
            walk(s, &g, &mut rule.env, &mut rule.tangents)?;
            rule.finish(f, inst, env, tangents);
            if let Op::CustomJvp(custom) = &inst.op {
                by_captures(s, f, inst, custom, &mapped(env, &inst.operands), &dx, tangents)?;
            }
            continue;
        }
        let x = mapped(env, &inst.operands);
        let (results, ts) = match (&inst.op, s.special(f, inst, &x, &dx)) {
            (_, Some(done)) => done?,
            (Op::LinearSolve(op), None) => control::implicit::linear_solve(s, op, &x, &dx)?,
            (Op::Root(op), None) => control::implicit::root(s, op, &x, &dx)?,
            (_, None) => by_rule(s, f, inst, &x, &dx)?,
        };
        for ((&old, new), t) in inst.results.iter().zip(results).zip(ts) {
            env[old] = Some(new);
            tangents[old] = t;
        }
    }
    Ok(())
}

/// Adds what a function with a rule changes by what it captures, of which the rule says nothing: the derivative of the function
/// itself.
fn by_captures(
    s: &mut impl Differentiator,
    f: &Func,
    inst: &Inst,
    custom: &CustomJvp,
    x: &[Value],
    dx: &[Option<Value>],
    tangents: &mut Env,
) -> Result<(), TransformError> {
    let mut captured = dx.to_vec();
    captured[custom.consts..].fill(None);
    if captured.iter().all(Option::is_none) {
        return Ok(());
    }
    // The rule does what the function does: here it only computes, and names nothing.
    let module = &mut *s.parts().module;
    let body = silence(module, custom.body).map_err(|e| {
        let message = "a tensor that the function of a `custom_jvp` captures is differentiated, for which this would be called \
             again: pass the tensor as an argument, so that the rule says its derivative";
        TransformError { message: message.into(), ..e }
    })?;
    let body = drop_names(module, body);
    let moved = s.forward(body, x, &captured)?;
    for (&r, moved) in inst.results.iter().zip(moved) {
        let Some(moved) = moved.filter(|_| has_tangent(f.ty(r))) else { continue };
        tangents[r] = Some(match tangents[r] {
            None => moved,
            Some(by_rule) => {
                let e: &mut dyn Emit = s;
                let sum = e.add(Term::Linear(by_rule), Term::Linear(moved));
                s.tangent(sum)
            }
        });
    }
    Ok(())
}

/// Tangents of an instruction by the rule beside its operation.
fn by_rule(
    s: &mut impl Differentiator,
    f: &Func,
    inst: &Inst,
    x: &[Value],
    dx: &[Option<Value>],
) -> Result<Linear, TransformError> {
    check(f, inst, dx)?;
    let parts = s.parts();
    let results = push(parts.module, parts.known, inst.op.clone(), x, parts.loc);
    let operands: Vec<Term> = x.iter().map(|&v| Term::Known(v)).collect();
    let known: Vec<Term> = results.iter().map(|&v| Term::Known(v)).collect();
    let tangents: Vec<Option<Term>> = dx.iter().map(|t| t.map(Term::Linear)).collect();
    let rule = Jvp { operands: &operands, results: &known, tangents: &tangents };
    let ts = inst.op.def().jvp(s, rule);
    assert_eq!(ts.len(), results.len(), "{}: one tangent per result", inst.op.name());
    let ts = ts.into_iter().map(|t| t.map(|t| s.tangent(t))).collect();
    Ok((results, ts))
}

/// Fails if the operation has no derivative rule.
pub(super) fn check(f: &Func, inst: &Inst, dx: &[Option<Value>]) -> Result<(), TransformError> {
    if matches!(inst.op, Op::Call(_) | Op::Composite(_)) {
        return Err(TransformError::at(f, inst, "calls must be inlined before differentiation"));
    }
    if let Op::Svd(svd) = &inst.op
        && svd.mode == SvdMode::All
        && f.ty(inst.results[2]) != f.ty(inst.results[3])
    {
        return Err(TransformError::at(
            f,
            inst,
            "the singular value decomposition with full matrices has no derivative unless the operand is square",
        ));
    }
    let active: SmallVec<[bool; 4]> = dx.iter().map(Option::is_some).collect();
    inst.op.def().differentiable(&active).map_err(|why| TransformError::at(f, inst, why))
}
