//! Derivatives of random programs: forward and reverse mode agree with each other and with finite differences, and stay what
//! they are when optimized and compiled.

use super::agreement::{BOUND_OF_DERIVATIVES, agree_all, wide};
use super::check::{Case, PREPARE, compiled, interpret, piped, vectors};
use super::checkpointed::{self, Given};
use super::{Flavor, Rounding};
use crate::mutate::rounding;
use wengert_ir::array::Array;
use wengert_ir::func::{FuncId, Module};
use wengert_ir::interp::{self, Limits};
use wengert_ir::op::Op;
use wengert_ir::rules::EvalError;
use wengert_ir::testing::{Random, floats, numbers};
use wengert_ir::types::{DType, FloatMode};
use wengert_passes::ad;
use wengert_passes::pipeline::DEFAULT;

/// Whether there are derivatives by numbers of a type, along directions of real numbers.
pub(super) fn is_real(dtype: DType) -> bool {
    dtype.is_float() && dtype.is_differentiable()
}

/// Forward mode, linearization and reverse mode keep the value, agree with each other on smooth programs, and stay what they
/// are when optimized and compiled.
pub(super) fn derivatives(case: &Case<'_>) -> Result<(), String> {
    let p = case.program;
    let mut m = p.module.clone();
    let active: Vec<bool> = p.args.iter().map(|a| is_real(a.dtype())).collect();
    let marked: Vec<bool> = case.want.iter().map(|r| is_real(r.dtype())).collect();
    if !active.contains(&true) || !marked.contains(&true) {
        return Ok(());
    }
    let n = case.want.len();
    let back = match ad::vjp(&mut m, p.func, &active, &marked) {
        Ok(back) => back,
        // Not everything in a wild program has a derivative.
        Err(_) if p.flavor == Flavor::Wild => return Ok(()),
        Err(e) => return Err(format!("vjp: {e}")),
    };
    let mut random = Random(p.seed ^ 0xd1f);
    let mut seeds = |of: &[Array], which: &[bool]| -> Vec<Array> {
        let chosen = of.iter().zip(which).filter(|(_, w)| **w);
        chosen
            .map(|(a, _)| numbers(a.ty(), (0..a.ty().elements()).map(|_| random.uniform(-1.0, 1.0))))
            .collect()
    };
    let (cotangents, tangents) = (seeds(&case.want, &marked), seeds(&p.args, &active));
    let args = [&p.args[..], &cotangents].concat();
    let limits = Limits { max_memory: p.memory, ..Limits::default() };
    let run = |m: &Module, f, args: &[Array]| match interp::run(m, f, args, &limits) {
        Err(EvalError::Memory(_)) => Ok(None),
        out => out.map(Some).map_err(|e| e.to_string()),
    };
    let Some(reverse) = run(&m, back, &args).map_err(|e| format!("vjp: {e}"))? else { return Ok(()) };
    case.compare("value of vjp", Ok(reverse[..n].to_vec()))?;

    let forward = ad::jvp(&mut m, p.func, &active).map_err(|e| format!("jvp: {e}"))?;
    let pushed = run(&m, forward, &[&p.args[..], &tangents].concat()).map_err(|e| format!("jvp: {e}"))?;
    let Some(pushed) = pushed else { return Ok(()) };
    case.compare("value of jvp", Ok(pushed[..n].to_vec()))?;
    if p.flavor == Flavor::Smooth {
        let (left, size) = dot(&cotangents, &pushed[n..]);
        let (right, other) = dot(&reverse[n..], &tangents);
        let single = p.args.iter().chain(&case.want).any(|a| a.dtype() == DType::F32);
        let bound = BOUND_OF_DERIVATIVES[single as usize];
        let near = (left - right).abs() <= bound * (1e-3 + size + other);
        if !near {
            return Err(format!("<c, J t> = {left:e}, but <J^T c, t> = {right:e}"));
        }
        if !single {
            differences(case, &tangents, &pushed[n..])?;
            if p.seed % 16 == 3 {
                second_order(&mut m, back, &args, &active, n, &tangents, &mut seeds)?;
            }
        }
    }

    if p.flavor == Flavor::Smooth && p.seed % 4 == 1 {
        let given = Given { active: &active, marked: &marked, args: &args, reverse: &reverse };
        checkpointed::derivatives(&mut m, p, &given, &[&p.args[..], &tangents].concat(), &pushed)?;
    }

    // The transpose of a contraction of few bits has many.
    if p.flavor == Flavor::Wild
        && m.funcs.values().any(|f| f.insts.values().any(|i| matches!(i.op, Op::DotGeneral(_))))
    {
        return Ok(());
    }
    // Sums that the value forgives their rounding the derivative may not.
    let rounding = match (p.flavor, p.rounding) {
        (Flavor::Wild, Rounding::Bounded | Rounding::Single) => {
            let Some(found) = rounding::of(&m, back, &args) else { return Ok(()) };
            found
        }
        _ => p.rounding,
    };
    for (what, passes) in [("vjp, unoptimized", PREPARE), ("vjp, optimized", DEFAULT)] {
        let f = piped(&mut m, back, passes);
        agree_all(what, interpret(&m, f, &args), &reverse, rounding, BOUND_OF_DERIVATIVES)?;
        agree_all(what, compiled(&m, f, &args, vectors(p.seed)), &reverse, rounding, BOUND_OF_DERIVATIVES)
            .map_err(|e| format!("compiled {e}"))?;
    }
    if p.flavor == Flavor::Smooth {
        m.mode = if p.seed % 8 < 4 { FloatMode::Default } else { FloatMode::Relaxed };
        let f = piped(&mut m, back, DEFAULT);
        let got = compiled(&m, f, &args, vectors(p.seed));
        agree_all(&format!("vjp, {:?}", m.mode), got, &reverse, Rounding::Bounded, BOUND_OF_DERIVATIVES)?;
    }
    Ok(())
}

/// Tangents against finite differences: on both sides, or on one where the other has a kink.
fn differences(case: &Case<'_>, tangents: &[Array], pushed: &[Array]) -> Result<(), String> {
    let p = case.program;
    let moved = |h: f64| -> Result<Vec<f64>, String> {
        let mut next = tangents.iter();
        let args: Vec<Array> = p
            .args
            .iter()
            .map(|a| match is_real(a.dtype()) {
                true => {
                    let t = next.next().expect("a tangent per float");
                    numbers(a.ty(), floats(a).into_iter().zip(floats(t)).map(|(a, t)| a + h * t))
                }
                false => a.clone(),
            })
            .collect();
        let out = interpret(&p.module, p.func, &args)?;
        Ok(out.iter().filter(|r| is_real(r.dtype())).flat_map(wide).collect())
    };
    let at: Vec<f64> = case.want.iter().filter(|r| is_real(r.dtype())).flat_map(wide).collect();
    let pushed: Vec<f64> = pushed.iter().flat_map(wide).collect();
    // An error says whether the slope turns within the step.
    let agree = |step: f64| -> Result<(), (bool, String)> {
        let moved = |h| moved(h).map_err(|e| (false, e));
        let (up, down) = (moved(step)?, moved(-step)?);
        for (k, &want) in pushed.iter().enumerate() {
            let slopes = [(up[k] - down[k]) / (2.0 * step), (up[k] - at[k]) / step, (at[k] - down[k]) / step];
            if !slopes.iter().any(|s| (s - want).abs() <= 1e-3 * (1.0 + want.abs())) {
                let turns = (slopes[1] - slopes[2]).abs() > 1e-3 * (1.0 + slopes[0].abs());
                let detail = format!("element {k}: tangent {want:e}, finite differences {slopes:?}");
                return Err((turns, detail));
            }
        }
        Ok(())
    };
    // Where the slope turns within the step, a difference is not the slope: then a smaller step must show it. Where
    // both sides have one slope, that is what it is.
    let mut outcome = agree(1e-6);
    for step in [1e-8, 1e-10] {
        if matches!(outcome, Err((true, _))) {
            outcome = agree(step);
        }
    }
    outcome.map_err(|(_, detail)| detail)
}

/// Random tangents of the active ones of some arrays.
type Seeds<'a> = dyn FnMut(&[Array], &[bool]) -> Vec<Array> + 'a;

/// Second derivatives, forward over reverse, are symmetric.
fn second_order(
    m: &mut Module,
    back: FuncId,
    args: &[Array],
    active: &[bool],
    results: usize,
    t: &[Array],
    seeds: &mut Seeds<'_>,
) -> Result<(), String> {
    let u = seeds(&args[..active.len()], active);
    let mut which = active.to_vec();
    which.resize(args.len(), false);
    let hessian = ad::jvp(m, back, &which).map_err(|e| format!("jvp of vjp: {e}"))?;
    let first = m.get(back).results.len();
    // Tangents of the results come before those of the gradients.
    let floats_of_results =
        m.get(back).results[..results].iter().filter(|&&r| is_real(m.get(back).tensor(r).dtype)).count();
    let along = |v: &[Array]| -> Result<Vec<Array>, String> {
        let out = interpret(m, hessian, &[args, v].concat()).map_err(|e| format!("jvp of vjp: {e}"))?;
        Ok(out[first + floats_of_results..].to_vec())
    };
    let (ht, hu) = (along(t)?, along(&u)?);
    let ((left, size), (right, other)) = (dot(&u, &ht), dot(t, &hu));
    let near = (left - right).abs() <= 1e-6 * (1e-3 + size + other);
    if !near {
        return Err(format!("<u, H t> = {left:e}, but <t, H u> = {right:e}"));
    }
    Ok(())
}

/// The inner product, and the sum of its terms' sizes.
pub(super) fn dot(a: &[Array], b: &[Array]) -> (f64, f64) {
    let flat = |x: &[Array]| -> Vec<f64> { x.iter().filter(|a| is_real(a.dtype())).flat_map(wide).collect() };
    let terms = flat(a).into_iter().zip(flat(b)).map(|(x, y)| x * y);
    terms.fold((0.0, 0.0), |(sum, size), t| (sum + t, size + t.abs()))
}
