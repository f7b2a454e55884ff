//! What is differentiated as something else: operations with a function of the user's become what computes the same, and functions with a rule
//! of their own become the rule.

use super::{TransformError, has_tangent};
use crate::rewrite::{self, Env};
use std::sync::Arc;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, Inst, Module, Value};
use wengert_ir::op::{Effect, Op};
use wengert_ir::ops::decomposition::{Through, through};
use wengert_ir::types::Type;

/// What to differentiate in place of an active instruction with a function of the user's: the function of the
/// same operands that computes it with operations and loops that have rules.
pub(super) fn replacement(
    m: &mut Module,
    f: &Func,
    inst: &Inst,
    dx: &[Option<Value>],
) -> Result<Option<Arc<Func>>, TransformError> {
    let types: Vec<Type> = inst.operands.iter().map(|&v| f.ty(v).clone()).collect();
    let active: Vec<bool> = dx.iter().map(Option::is_some).collect();
    let constants: Vec<_> = inst.operands.iter().map(|&v| f.constant(v)).collect();
    match through(m, &inst.op, &types, &constants, &active) {
        Through::Rule => Ok(None),
        Through::Func(g) => {
            let g = crate::inline::inline_calls(m, g);
            Ok(Some(m.get(g)))
        }
        Through::Nothing => Err(TransformError::at(f, inst, "no derivative while sizes are not known")),
    }
}

/// Fails if a captured operand of a function with a rule of its own has a tangent, where only the rule says what tangents do:
/// `what` is that.
pub(super) fn check_captures(
    f: &Func,
    inst: &Inst,
    consts: usize,
    dx: &[Option<Value>],
    what: &str,
) -> Result<(), TransformError> {
    match dx[..consts].iter().position(Option::is_some) {
        None => Ok(()),
        Some(k) => {
            let ty = f.ty(inst.operands[k]);
            let message = format!(
                "it captures a tensor that is differentiated ({ty}), of which {what} says nothing: make it an argument, by which \
                 the rule then says the derivative, or capture `stop_gradient` of it"
            );
            Err(TransformError::at(f, inst, message))
        }
    }
}

/// Fails if something in the rule of a `custom_jvp` sees a tangent, and does more than compute: where the rule is differentiated
/// tangents are zero.
pub(super) fn check_unobserved(m: &Module, rule: &Func, known: usize) -> Result<(), TransformError> {
    let mut depends = EntityVec::<Value, bool>::filled(false, rule.values.len());
    rule.params[known..].iter().for_each(|&p| depends[p] = true);
    for inst in rule.insts.values() {
        if !inst.operands.iter().any(|&v| depends[v]) {
            continue;
        }
        if m.effect(&inst.op) == Effect::Ordered {
            let message = "it sees a tangent in the rule of a `custom_jvp`, where tangents have no values while the rule is \
                 differentiated";
            return Err(TransformError::at(rule, inst, message));
        }
        inst.results.iter().for_each(|&r| depends[r] = true);
    }
    Ok(())
}

/// The rule of a `custom_jvp` and environments of its parameters. The rule is linear in the tangents, so that it is its own
/// derivative with respect to them at zero: where it is differentiated the arguments count as constants and
/// the tangents are zero with the given tangents.
pub(super) struct Rule {
    pub(super) func: Arc<Func>,
    pub(super) env: Env,
    pub(super) tangents: Env,
}

impl Rule {
    /// The rule of an active instruction, if it has one. `zeros` makes known zeros.
    pub(super) fn of(
        m: &Module,
        f: &Func,
        inst: &Inst,
        env: &Env,
        dx: &[Option<Value>],
        zeros: &mut dyn FnMut(&Type) -> Value,
    ) -> Result<Option<Rule>, TransformError> {
        let Op::CustomJvp(custom) = &inst.op else { return Ok(None) };
        let func = m.get(custom.rule);
        check_unobserved(m, &func, inst.operands.len())?;
        let (mut inner, mut tangents) = (rewrite::env(&func), rewrite::env(&func));
        let (operands, given) = func.params.split_at(inst.operands.len());
        for (&p, &v) in operands.iter().zip(&inst.operands) {
            inner[p] = env[v];
        }
        let args = inst.operands.iter().zip(dx).skip(custom.consts);
        let differentiable = args.filter(|(v, _)| has_tangent(f.ty(**v)));
        for (&p, (_, &t)) in given.iter().zip(differentiable) {
            inner[p] = Some(zeros(func.ty(p)));
            tangents[p] = t;
        }
        Ok(Some(Rule { func, env: inner, tangents }))
    }

    /// Results and tangents of the instruction, once the rule has been differentiated.
    pub(super) fn finish(self, f: &Func, inst: &Inst, env: &mut Env, tangents: &mut Env) {
        let (results, given) = self.func.results.split_at(inst.results.len());
        for (&old, &new) in inst.results.iter().zip(results) {
            env[old] = self.env[new];
        }
        let differentiable = inst.results.iter().filter(|r| has_tangent(f.ty(**r)));
        for (&old, &new) in differentiable.zip(given) {
            tangents[old] = self.tangents[new];
        }
    }
}
