//! `checkpoint`: the linear part computes again what it needs of the function, from the operands and from what the checkpoint
//! keeps.
//!
//! Derivatives of a checkpoint are checkpoints, so that those of derivatives keep as little. The linear part is one instruction,
//! which is turned around as a whole: what is computed again is computed where the cotangents arrive, not before all of them.

use crate::ad::activity::{present, scattered};
use crate::ad::emit::{Single, Split};
use crate::ad::residuals::Place;
use crate::ad::residuals::{decides, decides_within, repeat};
use crate::ad::walk::Linear;
use crate::cse::cse_func;
use crate::dce::dce_func;
use crate::effects::again;
use crate::error::TransformError;
use crate::rewrite::{copy_inst, env, filter, like, mapped, push};
use std::collections::BTreeSet;
use wengert_ir::func::{Func, FuncId, FuncKind, Inst, Loc, Module, Value, Values};
use wengert_ir::op::{Checkpoint, Convert, Effect, Keep, Op};
use wengert_ir::ops_of;
use wengert_ir::types::{DType, TensorType, Type};

/// Forward mode.
pub(in crate::ad) fn jvp(
    s: &mut Single<'_>,
    checkpoint: &Checkpoint,
    x: &[Value],
    dx: &[Option<Value>],
) -> Result<Linear, TransformError> {
    if checkpoint.name().is_some() {
        // Its tangents are those of its operands.
        return Ok((s.push(checkpoint.clone(), x), dx.to_vec()));
    }
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
    if checkpoint.name().is_some() {
        return Ok((s.push_primal(checkpoint.clone(), x), dx.to_vec()));
    }
    let active: Vec<bool> = dx.iter().map(Option::is_some).collect();
    let out = s.activity.results(s.module, checkpoint.body, &active);
    let lin =
        crate::ad::linearize::linearize(s.module, s.activity, checkpoint.body, &active, &out, Place::Top)?;
    let mut primal = Func::clone(&s.module.get(lin.primal));
    let residuals = primal.results.split_off(out.len());
    let repeated = Again::new(s.module, &primal, &residuals, &s.module.get(lin.linear), checkpoint);

    for &v in &repeated.kept {
        let kept = match repeated.small(&primal, v) {
            Some(dtype) => push(s.module, &mut primal, Convert { dtype }, &[v], &s.loc)[0],
            None => v,
        };
        primal.results.push(kept);
    }
    let forward = dce_func(s.module, &primal);
    let body = s.module.add(forward);
    let given = s.push_primal(Checkpoint { body, ..checkpoint.clone() }, x);
    let (values, kept) = given.split_at(out.len());

    let quiet = repeated.quietly(s.module, &primal)?;
    let linear = repeated.then(s.module, &quiet, &residuals, &s.module.get(lin.linear));
    let linear = dce_func(s.module, &linear);
    let linear = cse_func(s.module, &linear);
    let body = s.module.add(linear);
    let mut operands: Values = filter(x, &repeated.params).into_iter().map(|v| s.lift(v)).collect();
    operands.extend(kept.iter().map(|&v| s.lift(v)));
    operands.extend(present(dx));
    let tangents = s.push_linear(Checkpoint { body, again: true, ..checkpoint.clone() }, &operands);
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
    /// The type that floats of more bytes are kept in.
    compress: Option<DType>,
    /// What is kept to the bit all the same.
    exact: BTreeSet<Value>,
}

impl Again {
    /// What residuals of a linear part need of a function. What is kept in a smaller type decides nothing: a comparison of what
    /// was rounded may come out differently, and with it the branch that is differentiated. So decisions that are made of such
    /// values are kept themselves. Where they cannot be, or are made in the linear part, what they read is kept to the bit.
    fn new(m: &Module, f: &Func, residuals: &[Value], linear: &Func, checkpoint: &Checkpoint) -> Again {
        let mut this = Again::of(m, f, residuals, checkpoint, &BTreeSet::new());
        let fixed = |v: &Value| f.ty(*v).as_tensor().is_some_and(TensorType::is_static);
        let decided: BTreeSet<Value> =
            this.decisions(m, f).into_iter().flat_map(|i| i.results.iter().copied()).collect();
        if !decided.is_empty() {
            this = Again::of(m, f, residuals, checkpoint, &decided);
        }
        if checkpoint.compress.is_none() {
            return this;
        }
        let made_exact = decided.iter().filter(|v| f.def(**v).is_some_and(|(_, i)| decides(f, i)));
        this.exact.extend(made_exact);
        let of_linear = decided_by(m, linear, residuals.len());
        let mut work: Vec<Value> = of_linear.into_iter().map(|k| residuals[k]).collect();
        for inst in this.decisions(m, f).iter().filter(|i| !i.results.iter().all(fixed)) {
            work.extend(&inst.operands);
        }
        let mut seen = BTreeSet::new();
        while let Some(v) = work.pop() {
            if !seen.insert(v) {
                continue;
            }
            if this.kept.contains(&v) {
                this.exact.insert(v);
            } else if let Some((_, inst)) = f.def(v) {
                work.extend(&inst.operands);
            }
        }
        this
    }

    /// The same, with `decided` among what is kept.
    fn of(
        m: &Module,
        f: &Func,
        residuals: &[Value],
        checkpoint: &Checkpoint,
        decided: &BTreeSet<Value>,
    ) -> Again {
        let keep = checkpoint.keep;
        // What has a name is what was given it: the bits are the same, and operations before read those.
        let is_named = |i: &&Inst| matches!(&i.op, Op::Checkpoint(named) if named.name().is_some_and(|name| checkpoint.keeps(name)));
        let names = f.insts.values().filter(is_named);
        let called: BTreeSet<Value> = names.flat_map(|i| i.operands.iter().copied()).collect();
        let (mut values, mut kept) = (BTreeSet::new(), BTreeSet::new());
        let mut work: Vec<Value> = residuals.to_vec();
        let everything = if keep == Keep::Everything { residuals } else { &[] };
        while let Some(v) = work.pop() {
            let Some((_, inst)) = f.def(v) else {
                values.insert(v);
                continue;
            };
            let fixed = f.ty(v).as_tensor().is_some_and(TensorType::is_static);
            let asked = everything.contains(&v) || called.contains(&v) || is_kept(m, keep, inst);
            if fixed && (asked || decided.contains(&v)) {
                kept.insert(v);
            } else if values.insert(v) {
                work.extend(&inst.operands);
            }
        }
        let params = f.params.iter().map(|p| values.contains(p)).collect();
        let kept = kept.into_iter().collect();
        Again { values, params, kept, compress: checkpoint.compress, exact: BTreeSet::new() }
    }

    /// Instructions that are computed again of what is kept in the smaller type, and make something discrete of it.
    fn decisions<'f>(&self, m: &Module, f: &'f Func) -> Vec<&'f Inst> {
        let mut rough: BTreeSet<Value> =
            self.kept.iter().copied().filter(|&v| self.small(f, v).is_some()).collect();
        let mut found = Vec::new();
        for inst in f.insts.values() {
            let again = inst.results.iter().any(|r| self.values.contains(r));
            if again && inst.operands.iter().any(|v| rough.contains(v)) {
                rough.extend(inst.results.iter().filter(|r| self.values.contains(r)));
                if decides_within(m, f, inst) {
                    found.push(inst);
                }
            }
        }
        found
    }

    /// The smaller type that a value is kept in, if it is one of those.
    fn small(&self, f: &Func, v: Value) -> Option<DType> {
        let ty = f.tensor(v).dtype;
        self.compress.filter(|small| ty.is_float() && small.size() < ty.size() && !self.exact.contains(&v))
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
    fn then(&self, m: &Module, f: &Func, residuals: &[Value], linear: &Func) -> Func {
        let mut out = Func::new(linear.name.clone(), linear.kind);
        let mut known = env(f);
        for v in filter(&f.params, &self.params) {
            known[v] = Some(out.param(f.ty(v).clone()));
        }
        let mut wide = Vec::new();
        for &v in &self.kept {
            let ty = f.tensor(v).clone();
            let small = self.small(f, v);
            let p = out.param(TensorType { dtype: small.unwrap_or(ty.dtype), ..ty.clone() });
            known[v] = Some(p);
            wide.extend(small.map(|_| (v, p, ty.dtype)));
        }
        for (v, p, dtype) in wide {
            known[v] = Some(push(m, &mut out, Convert { dtype }, &[p], &Loc::Unknown)[0]);
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

/// Which of the first `residuals` parameters of a linear part something discrete is made of there.
fn decided_by(m: &Module, linear: &Func, residuals: usize) -> Vec<usize> {
    let mut read: BTreeSet<Value> = BTreeSet::new();
    for inst in linear.insts.values().rev() {
        if inst.results.iter().any(|r| read.contains(r)) || decides_within(m, linear, inst) {
            read.extend(&inst.operands);
        }
    }
    (0..residuals).filter(|&k| read.contains(&linear.params[k])).collect()
}

/// The function with a name on what `wanted` says of its instructions, regions not included, so that a policy may keep it.
pub fn name_results(
    m: &mut Module,
    func: FuncId,
    name: &str,
    wanted: &dyn Fn(&Op, &TensorType) -> bool,
) -> FuncId {
    let func = crate::inline::inline_calls(m, func);
    let f = m.get(func);
    let (mut out, mut env) = like(&f);
    for inst in f.insts.values() {
        copy_inst(&mut out, &f, inst, &mut env);
        for &r in &inst.results {
            let Type::Tensor(ty) = f.ty(r) else { continue };
            if wanted(&inst.op, ty) {
                let mut identity = Func::new("", FuncKind::Region);
                identity.results = vec![identity.param(ty.clone())];
                let named = Checkpoint::named(m.add(identity), name.into());
                let v = env[r].expect("just copied");
                env[r] = Some(push(m, &mut out, named, &[v], &inst.loc)[0]);
            }
        }
    }
    out.results = mapped(&env, &f.results).to_vec();
    m.add(out)
}

/// Whether the results of an instruction are kept whatever needs them. What others can see is not done twice.
fn is_kept(m: &Module, keep: Keep, inst: &Inst) -> bool {
    let contracts = matches!(inst.op, ops_of!(contraction));
    let asked = match keep {
        Keep::Nothing | Keep::Names | Keep::Everything => false,
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
