//! Functions with derivatives of their own: `wengert.custom_jvp`, `wengert.custom_vjp`.
//!
//! Passes apply the rules; here are the types and the evaluation, which is that of the function.

use crate::array::Array;
use crate::ensure;
use crate::func::{Func, FuncId, Module};
use crate::op::*;
use crate::rules::{
    Emit, EvalError, Evaluate, Jvp, OpDef, Operand, Tangents, Term, Transpose as Cotangents, TypeError,
    Types, inline,
};
use crate::types::Type;
use std::sync::Arc;

fn function<'m>(module: &'m Module, func: FuncId, label: &'static str) -> Result<&'m Arc<Func>, TypeError> {
    module.funcs.get(func).ok_or_else(|| TypeError::new(label, format!("there is no function {func}")))
}

fn same(label: &'static str, what: &str, got: &[Type], expected: &[Type]) -> Result<(), TypeError> {
    if got == expected {
        return Ok(());
    }
    let list = |types: &[Type]| types.iter().map(|t| t.to_string()).collect::<Vec<_>>().join(", ");
    Err(TypeError::new(label, format!("{what}: ({}) where ({}) is needed", list(got), list(expected))))
}

/// The types that have tangents.
fn tangents(types: &[Type]) -> Vec<Type> {
    let has = |t: &&Type| t.as_tensor().is_some_and(|t| t.dtype.is_differentiable());
    types.iter().filter(has).cloned().collect()
}

impl OpDef for CustomJvp {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(self.consts <= operands.len(), "consts", "{} constants of {}", self.consts, operands.len());
        let (body, rule) = (function(module, self.body, "body")?, function(module, self.rule, "rule")?);
        same("body", "operands of the function", operands, &body.param_types())?;
        let results = body.result_types();
        let mut takes = operands.to_vec();
        takes.extend(tangents(&operands[self.consts..]));
        same("rule", "what the rule takes", &rule.param_types(), &takes)?;
        let mut gives = results.clone();
        gives.extend(tangents(&results));
        same("rule", "what the rule gives", &rule.result_types(), &gives)?;
        Ok(results.into())
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        cx.call(self.body, operands)
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        unreachable!("custom_jvp is differentiated by passes")
    }
}

impl OpDef for CustomVjp {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        ensure!(self.consts <= operands.len(), "consts", "{} constants of {}", self.consts, operands.len());
        let body = function(module, self.body, "body")?;
        let (forward, backward) =
            (function(module, self.forward, "forward")?, function(module, self.backward, "backward")?);
        same("body", "operands of the function", operands, &body.param_types())?;
        same("forward", "what the forward function takes", &forward.param_types(), operands)?;
        let (results, given) = (body.result_types(), forward.result_types());
        ensure!(given.len() >= results.len(), "forward", "{} results of {}", given.len(), results.len());
        let (same_results, residuals) = given.split_at(results.len());
        same("forward", "what the forward function gives first", same_results, &results)?;
        let mut takes = operands[..self.consts].to_vec();
        takes.extend_from_slice(residuals);
        takes.extend(tangents(&results));
        same("backward", "what the backward function takes", &backward.param_types(), &takes)?;
        let gives = tangents(&operands[self.consts..]);
        same("backward", "what the backward function gives", &backward.result_types(), &gives)?;
        Ok(results.into())
    }

    fn eval(&self, cx: &mut dyn Evaluate, operands: &[Array]) -> Result<Vec<Array>, EvalError> {
        cx.call(self.body, operands)
    }

    fn differentiable(&self, _: &[bool]) -> Result<(), &'static str> {
        // With a forward mode passes differentiate the function.
        Err("no forward-mode derivative: the function was given a rule for reverse mode alone (custom_vjp)")
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        unreachable!("custom_vjp is differentiated by passes")
    }
}

impl OpDef for CustomLinear {
    fn infer(&self, module: &Module, operands: &[Type]) -> Result<Types, TypeError> {
        let backward = function(module, self.backward, "backward")?;
        let params = backward.param_types();
        ensure!(self.known <= operands.len().min(params.len()), "known", "{} known operands", self.known);
        same("backward", "what is known", &operands[..self.known], &params[..self.known])?;
        same("backward", "tangents", &operands[self.known..], &backward.result_types())?;
        Ok(params[self.known..].into())
    }

    fn eval(&self, _: &mut dyn Evaluate, _: &[Array]) -> Result<Vec<Array>, EvalError> {
        // Raised, so that it has the line.
        let message = "no forward-mode derivative: the function was given a rule for reverse mode alone (custom_vjp): \
             differentiate it in reverse mode, or give it a `custom_jvp`";
        Err(EvalError::raised(message.into()))
    }

    fn differentiable(&self, _: &[bool]) -> Result<(), &'static str> {
        Err(
            "no derivative: a function with a rule for reverse mode alone (custom_vjp) can only be transposed",
        )
    }

    fn jvp(&self, _: &mut dyn Emit, _: Jvp<'_>) -> Tangents {
        unreachable!("a linear function is transposed before it is differentiated")
    }

    fn transpose(&self, e: &mut dyn Emit, x: Cotangents<'_>) -> Tangents {
        let mut args: Vec<Term> = Vec::new();
        for operand in &x.operands[..self.known] {
            let Operand::Known(term) = operand else { unreachable!("is_linear wants it known") };
            args.push(*term);
        }
        for (ct, ty) in x.cotangents.iter().zip(x.results) {
            args.push(ct.unwrap_or_else(|| e.splat(ty.tensor().clone(), 0.0)));
        }
        let func = e.module().get(self.backward);
        let mut out: Tangents = std::iter::repeat_n(None, self.known).collect();
        out.extend(inline(e, &func, &args).into_iter().map(Some));
        out
    }

    fn is_linear(&self, linear: &[bool]) -> bool {
        linear[..self.known].iter().all(|l| !l) && linear[self.known..].iter().all(|&l| l)
    }
}
