//! Taylor mode: derivatives of every order at once, along a curve.
//!
//! A function of `x` becomes one of the truncated series `x(t) = x_0 + x_1 t + .. + x_n t^n`, which gives the series of its
//! results. Inside, coefficients are those of the polynomial, without factorials, so that products are Cauchy products; at the
//! border they are derivatives, as `jax.experimental.jet` has them (Bettencourt, Johnson, Duvenaud, *Taylor-Mode Automatic
//! Differentiation for Higher-Order Derivatives in JAX*, 2019).
//!
//! No operation has a rule of its own for this. What is linear is applied to each coefficient by its `jvp`; products are
//! convolved; a quotient has its recurrence; all else follows from the first derivative ([`series`]), which is how the
//! recurrences of the textbooks are found (Griewank and Walther, *Evaluating Derivatives*, 2008, chapter 13). The work is a
//! polynomial of the order, where nested forward mode doubles with each.

mod control;
mod series;

use super::activity::Activity;
use super::api::{forward_modes, name, prepare, wanted};
use super::emit::Single;
use super::{TransformError, has_tangent};
use crate::dce::dce_func;
use crate::rewrite::{count, like, push};
use series::Series;
use wengert_ir::func::{Func, FuncId, FuncKind, Loc, Module, Value};
use wengert_ir::op::{BinaryOp, Op};
use wengert_ir::types::Type;

/// The largest order: the factorials up to there are exact.
pub const MAX_ORDER: usize = 18;

/// Parameters, then for each active one its derivatives along a curve, the first to that of `order`, to results, then such
/// derivatives of each differentiable result (zeros where there is no dependence).
pub fn jet(m: &mut Module, func: FuncId, active: &[bool], order: usize) -> Result<FuncId, TransformError> {
    if order > MAX_ORDER {
        return Err(TransformError::new(format!("the order of a jet is at most {MAX_ORDER}, not {order}")));
    }
    let f = prepare(m, func, active)?;
    let f = forward_modes(m, f);
    let f = wanted(m, f);
    let force: Vec<bool> = m.get(f).result_types().iter().map(has_tangent).collect();
    let inner = of_func(m, &Activity::default(), f, active, &force, order)?;
    let inner = m.get(inner);
    let mut out = Func::new("", FuncKind::Private);
    let params: Vec<Value> = inner.params.iter().map(|&p| out.param(inner.ty(p).clone())).collect();
    let split = params.len() - order * count(active);
    let mut args = params[..split].to_vec();
    for (k, &p) in params[split..].iter().enumerate() {
        args.push(scaled(m, &mut out, BinaryOp::Divide, p, factorial(k % order + 1)));
    }
    let mut results = out.inline(&inner, &args);
    for (k, r) in results[force.len()..].iter_mut().enumerate() {
        *r = scaled(m, &mut out, BinaryOp::Multiply, *r, factorial(k % order + 1));
    }
    out.results = results;
    let out = m.add(out);
    Ok(name(m, out, func, "jet", &[], &[]))
}

fn factorial(k: usize) -> f64 {
    (1..=k).map(|k| k as f64).product()
}

/// A value multiplied or divided by a number.
fn scaled(m: &Module, func: &mut Func, op: BinaryOp, v: Value, by: f64) -> Value {
    if by == 1.0 {
        return v;
    }
    let by = push(m, func, Op::splat(func.tensor(v).clone(), by), &[], &Loc::Unknown)[0];
    push(m, func, op, &[v, by], &Loc::Unknown)[0]
}

/// Parameters, then the coefficients 1 to `order` of each active one, to results, then the coefficients of each forced one.
fn of_func(
    m: &mut Module,
    activity: &Activity,
    func: FuncId,
    active: &[bool],
    force: &[bool],
    order: usize,
) -> Result<FuncId, TransformError> {
    let f = m.get(func);
    let (out, env) = like(&f);
    let mut s = Series::new(Single { module: m, activity, func: out, loc: Loc::Unknown }, order);
    s.out.func.param_names.clear();
    let mut known = crate::rewrite::env(&f);
    for (&p, &is_active) in f.params.iter().zip(active) {
        let mut all: Vec<Option<Value>> = vec![env[p]];
        if is_active {
            all.extend((0..order).map(|_| Some(s.out.func.param(f.ty(p).clone()))));
        }
        known[p] = Some(s.given(f.ty(p), is_active, all));
    }
    s.walk(&f, &mut known)?;
    let results: Vec<Value> = f.results.iter().map(|&r| known[r].expect("defined")).collect();
    for &r in &results {
        let value = s.value(r)?;
        s.out.func.results.push(value);
    }
    for (&r, _) in results.iter().zip(force).filter(|(_, f)| **f) {
        for k in 1..=order {
            let coefficient = s.full(r, k)?;
            s.out.func.results.push(coefficient);
        }
    }
    let func = s.out.func;
    let func = dce_func(m, &func);
    Ok(m.add(func))
}

/// The type of a value that has coefficients.
fn tensor(ty: &Type) -> wengert_ir::types::TensorType {
    ty.tensor().clone()
}
