//! `checkpoint`: the linear part computes again what it needs of the function, from the operands and from what the checkpoint
//! keeps.
//!
//! Derivatives of a checkpoint are checkpoints, so that those of derivatives keep as little. The linear part is one instruction,
//! which is turned around as a whole: what is computed again is computed where the cotangents arrive, not before all of them.

use crate::ad::activity::{present, scattered};
use crate::ad::emit::{Single, Split};
use crate::ad::linearize::Place;
use crate::ad::residuals::repeat;
use crate::ad::walk::Linear;
use crate::cse::cse_func;
use crate::dce::dce_func;
use crate::effects::again;
use crate::error::TransformError;
use crate::rewrite::{copy_inst, env, filter};
use std::collections::BTreeSet;
use wengert_ir::func::{Func, Inst, Module, Value, Values};
use wengert_ir::op::{Checkpoint, Effect, Keep, Op};
use wengert_ir::ops_of;
use wengert_ir::types::TensorType;

/// Forward mode.
pub(in crate::ad) fn jvp(
    s: &mut Single<'_>,
    checkpoint: &Checkpoint,
    x: &[Value],
    dx: &[Option<Value>],
) -> Result<Linear, TransformError> {
    let active: Vec<bool> = dx.iter().map(Option::is_some).collect();
    let out = s.activity.results(s.module, checkpoint.body, &active);
    let body = crate::ad::jvp::jvp(s.module, s.activity, checkpoint.body, &active, &out)?;
    let mut operands: Values = x.into();
    operands.extend(present(dx));
    let given = s.push(Checkpoint { body, ..checkpoint.clone() }, &operands);
    Ok(results(&given, &out))
}

/// Results, and the tangents after them of those marked.
fn results(given: &[Value], out: &[bool]) -> Linear {
    let (values, tangents) = given.split_at(out.len());
    (values.into(), scattered(tangents, out))
}

/// The function, with what is kept of it, in the primal part; in the linear one the rest again, and then the tangents.
pub(in crate::ad) fn linearize(
    s: &mut Split<'_>,
    checkpoint: &Checkpoint,
    x: &[Value],
    dx: &[Option<Value>],
) -> Result<Linear, TransformError> {
    let active: Vec<bool> = dx.iter().map(Option::is_some).collect();
    let out = s.activity.results(s.module, checkpoint.body, &active);
    let lin =
        crate::ad::linearize::linearize(s.module, s.activity, checkpoint.body, &active, &out, Place::Top)?;
    let mut primal = Func::clone(&s.module.get(lin.primal));
    let residuals = primal.results.split_off(out.len());
    let repeated = Again::new(s.module, &primal, &residuals, checkpoint.keep);

    primal.results.extend(&repeated.kept);
    let forward = dce_func(s.module, &primal);
    let body = s.module.add(forward);
    let given = s.push_primal(Checkpoint { body, ..checkpoint.clone() }, x);
    let (values, kept) = given.split_at(out.len());

    let quiet = repeated.quietly(s.module, &primal)?;
    let linear = repeated.then(&quiet, &residuals, &s.module.get(lin.linear));
    let linear = dce_func(s.module, &linear);
    let linear = cse_func(s.module, &linear);
    let body = s.module.add(linear);
    let mut operands: Values = filter(x, &repeated.params).into_iter().map(|v| s.lift(v)).collect();
    operands.extend(kept.iter().map(|&v| s.lift(v)));
    operands.extend(present(dx));
    let tangents = s.push_linear(Checkpoint { body, keep: checkpoint.keep, again: true }, &operands);
    Ok((values.into(), scattered(&tangents, &out)))
}

/// What is computed again.
struct Again {
    /// Values.
    values: BTreeSet<Value>,
    /// The parameters that they, or residuals, need.
    params: Vec<bool>,
    /// Values that are kept for them.
    kept: Vec<Value>,
}

impl Again {
    /// What residuals need of a function.
    fn new(m: &Module, f: &Func, residuals: &[Value], keep: Keep) -> Again {
        let (mut values, mut kept) = (BTreeSet::new(), BTreeSet::new());
        let mut work: Vec<Value> = residuals.to_vec();
        let everything = if keep == Keep::Everything { residuals } else { &[] };
        while let Some(v) = work.pop() {
            let Some((_, inst)) = f.def(v) else {
                values.insert(v);
                continue;
            };
            let fixed = f.ty(v).as_tensor().is_some_and(TensorType::is_static);
            if fixed && (everything.contains(&v) || is_kept(m, keep, inst)) {
                kept.insert(v);
            } else if values.insert(v) {
                work.extend(&inst.operands);
            }
        }
        let params = f.params.iter().map(|p| values.contains(p)).collect();
        Again { values, params, kept: kept.into_iter().collect() }
    }

    /// The function, which does nothing but compute where it is computed again: loops whose number of trips is not known give
    /// what cannot be kept. Fails if such a loop asks the host for values.
    fn quietly(&self, m: &mut Module, f: &Func) -> Result<Func, TransformError> {
        let mut out = Func::clone(f);
        for inst in out.insts.values_mut() {
            if inst.results.iter().any(|r| self.values.contains(r)) {
                inst.op = again(m, &inst.op)?;
            }
        }
        Ok(out)
    }

    /// Parameters, what is kept and tangents, to tangents.
    fn then(&self, f: &Func, residuals: &[Value], linear: &Func) -> Func {
        let mut out = Func::new(linear.name.clone(), linear.kind);
        let mut known = env(f);
        for &v in filter(&f.params, &self.params).iter().chain(&self.kept) {
            known[v] = Some(out.param(f.ty(v).clone()));
        }
        for inst in f.insts.values() {
            // An instruction may have results that are kept beside those that are not.
            if inst.results.iter().any(|r| self.values.contains(r)) {
                let before: Vec<_> = inst.results.iter().map(|&r| known[r]).collect();
                repeat(&mut out, f, inst, &mut known);
                for (&r, kept) in inst.results.iter().zip(before) {
                    known[r] = kept.or(known[r]);
                }
            }
        }
        let mut map = env(linear);
        let (of_residuals, tangents) = linear.params.split_at(residuals.len());
        for (&p, &r) in of_residuals.iter().zip(residuals) {
            map[p] = known[r];
        }
        for &p in tangents {
            map[p] = Some(out.param(linear.ty(p).clone()));
        }
        for inst in linear.insts.values() {
            copy_inst(&mut out, linear, inst, &mut map);
        }
        out.results = linear.results.iter().map(|&r| map[r].expect("defined")).collect();
        out
    }
}

/// Whether the results of an instruction are kept whatever needs them. What others can see is not done twice.
fn is_kept(m: &Module, keep: Keep, inst: &Inst) -> bool {
    let contracts = matches!(inst.op, ops_of!(contraction));
    let asked = match keep {
        Keep::Nothing | Keep::Everything => false,
        Keep::Contractions => contracts,
        Keep::UnbatchedContractions => {
            contracts && !matches!(&inst.op, Op::DotGeneral(d) if !d.lhs_batching_dims.is_empty())
        }
    };
    asked || m.effect(&inst.op) == Effect::Ordered
}

/// Cotangents of the operands; `operands` holds the known ones.
pub(in crate::ad) fn transpose(
    s: &mut Single<'_>,
    checkpoint: &Checkpoint,
    operands: &[Option<Value>],
    cotangents: &[Option<Value>],
) -> Result<Vec<Option<Value>>, TransformError> {
    let linear: Vec<bool> = operands.iter().map(Option::is_none).collect();
    let has: Vec<bool> = cotangents.iter().map(Option::is_some).collect();
    let body = crate::ad::transpose::transpose(s.module, checkpoint.body, &linear, &has)?;
    let mut args: Values = present(operands).into();
    args.extend(present(cotangents));
    let given = s.push(Checkpoint { body, ..checkpoint.clone() }, &args);
    Ok(scattered(&given, &linear))
}
