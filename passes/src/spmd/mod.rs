//! Programs of several devices as programs of one.
//!
//! A program with shardings computes what it computes without them. What does not is a computation that is written for the part of
//! its operands that each device has ([`Manual`]), with communication between devices in it. It is a function of one
//! example: devices along an axis of the mesh are the examples of a batch along an axis of that name, and so it is
//! [mapped](crate::batch) along each of its axes; what devices exchange is bound to these dimensions
//! ([`communication`]). Operands are cut into parts before and results put together after, which moves nothing but dimensions.

mod communication;
pub mod propagation;

use crate::batch::vmap;
use crate::error::TransformError;
use crate::expansion::{Body, value};
use crate::rewrite::{copy_inst, like, mapped, push};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::func::{Func, FuncId, Inst, Module, Value, Values};
use wengert_ir::op::{Call, Foreign, Op, Slice};
use wengert_ir::rules::{Emit, Term};
use wengert_ir::sharding::{Manual, Mesh, Sharding};
use wengert_ir::types::{Dims, TensorType};

/// Most devices that a mesh may have.
const MOST_DEVICES: usize = 4096;

/// Replaces all computations for several devices that `func` reaches. Outside of them there is one device: its number is 0, and what
/// it does with all others it does alone; other communication stays as it is written.
///
/// # Errors
///
/// Attributes that do not fit the operands or results, meshes of more than [`MOST_DEVICES`] devices, communication along axes that
/// no computation is written for, and groups of devices that differ from place to place.
pub fn globalize(m: &mut Module, func: FuncId) -> Result<(), TransformError> {
    if !m.reaches(func, &is_replaced) {
        return Ok(());
    }
    let mut all = Globalizer { module: m, scopes: Vec::new(), done: FxHashMap::default() };
    let new = all.func(func, None)?;
    m.funcs[func] = m.get(new);
    Ok(())
}

fn is_manual(op: &Op) -> bool {
    matches!(op, Op::Foreign(op) if &*op.name == Manual::NAME)
}

fn is_replaced(op: &Op) -> bool {
    is_manual(op) || matches!(op, Op::Foreign(op) if communication::is_replaced(op))
}

/// Where a function runs: on each device of a mesh.
struct Scope {
    mesh: Mesh,
    /// The axes along which it is written for one device.
    bound: Vec<bool>,
}

struct Globalizer<'m> {
    module: &'m mut Module,
    scopes: Vec<Scope>,
    /// What functions are in a scope, by its number.
    done: FxHashMap<(FuncId, Option<usize>), FuncId>,
}

impl Globalizer<'_> {
    /// A function without what is replaced.
    fn func(&mut self, id: FuncId, scope: Option<usize>) -> Result<FuncId, TransformError> {
        if let Some(&known) = self.done.get(&(id, scope)) {
            return Ok(known);
        }
        let mut new = id;
        if self.module.reaches(id, &is_replaced) {
            let f = self.module.get(id);
            let (mut out, mut env) = like(&f);
            for inst in f.insts.values() {
                let operands = mapped(&env, &inst.operands);
                let results = match &inst.op {
                    Op::Foreign(op) if is_manual(&inst.op) => {
                        self.manual(&f, inst, op, scope, &operands, &mut out)?
                    }
                    Op::Foreign(op) if is_replaced(&inst.op) => match scope {
                        Some(scope) => self.communicate(&f, inst, op, scope, &operands, &mut out)?,
                        None => match communication::alone(self.module, op, &operands, &mut out, &inst.loc) {
                            Some(values) => values,
                            None => {
                                copy_inst(&mut out, &f, inst, &mut env);
                                continue;
                            }
                        },
                    },
                    op if op.callees().is_empty() => {
                        copy_inst(&mut out, &f, inst, &mut env);
                        continue;
                    }
                    op => {
                        let callees = op.callees();
                        let new = callees.iter().map(|&c| self.func(c, scope)).collect::<Result<Vec<_>, _>>()?;
                        let (mut op, mut next) = (op.clone(), new.into_iter());
                        op.map_callees(&mut |_| next.next().expect("one for each"));
                        let types = inst.results.iter().map(|&r| f.ty(r).clone());
                        out.push_typed(op, &operands, types, inst.loc.clone())
                    }
                };
                for (&old, new) in inst.results.iter().zip(results) {
                    env[old] = Some(new);
                }
            }
            out.results = mapped(&env, &f.results).to_vec();
            new = self.module.add(out);
        }
        self.done.insert((id, scope), new);
        Ok(new)
    }

    /// The scope of a computation that stands in another.
    fn scope(&mut self, manual: &Manual, outer: Option<usize>) -> usize {
        let is_bound = |outer: &Scope, name: &str| outer.mesh.axis(name).is_some_and(|axis| outer.bound[axis]);
        let outer = outer.map(|k| &self.scopes[k]);
        let bound = (manual.mesh.axes.iter().enumerate())
            .map(|(k, (name, _))| manual.axes.contains(&k) || outer.is_some_and(|o| is_bound(o, name)))
            .collect();
        self.scopes.push(Scope { mesh: manual.mesh.clone(), bound });
        self.scopes.len() - 1
    }

    /// A computation on all parts at once.
    fn manual(
        &mut self,
        f: &Func,
        inst: &Inst,
        op: &Foreign,
        outer: Option<usize>,
        operands: &[Value],
        out: &mut Func,
    ) -> Result<Values, TransformError> {
        let manual = Manual::parse(&op.attributes).map_err(|e| refusal(f, inst, op, e))?;
        self.check(f, inst, op, &manual)?;
        let (args, captures) = operands.split_at(manual.inputs.len());
        let scope = self.scope(&manual, outer);
        let mut body = self.func(op.regions[0], Some(scope))?;
        // The last axis first: in the end the first one is in front.
        for &axis in manual.axes.iter().rev() {
            let (name, size) = &manual.mesh.axes[axis];
            let has = |sharding: &Sharding| sharding.dims.iter().any(|axes| axes.contains(&axis));
            let parts = manual.inputs.iter().map(|sharding| has(sharding).then_some(0));
            let mapped: Vec<Option<usize>> = captures.iter().map(|_| None).chain(parts).collect();
            body = vmap(self.module, body, &mapped, *size, &vec![Some(0); inst.results.len()], Some(name))?;
        }
        let mut given: Vec<Value> = captures.to_vec();
        for (&arg, sharding) in args.iter().zip(&manual.inputs) {
            let e: &mut dyn Emit = &mut Body { module: self.module, func: out, loc: inst.loc.clone() };
            given.push(value(cut(e, Term::Known(arg), sharding)));
        }
        let parts = push(self.module, out, Call { callee: body }, &given, &inst.loc);
        let mut results = Values::new();
        for (part, sharding) in parts.into_iter().zip(&manual.outputs) {
            let e: &mut dyn Emit = &mut Body { module: self.module, func: out, loc: inst.loc.clone() };
            results.push(value(joined(e, Term::Known(part), sharding, &manual.axes)));
        }
        Ok(results)
    }

    /// Fails unless the parts of operands and results are what the body takes and gives.
    fn check(&self, f: &Func, inst: &Inst, op: &Foreign, manual: &Manual) -> Result<(), TransformError> {
        let fail = |message: String| Err(refusal(f, inst, op, message));
        if manual.mesh.size() > MOST_DEVICES {
            return fail(format!("a mesh of more than {MOST_DEVICES} devices is not supported"));
        }
        let args = inst.operands.len() - op.captures;
        let [region] = op.regions[..] else { return fail("it has one region".to_owned()) };
        let body = self.module.get(region);
        if manual.inputs.len() != args
            || manual.outputs.len() != inst.results.len()
            || body.params.len() != inst.operands.len()
            || body.results.len() != inst.results.len()
        {
            return fail("it has a sharding for each operand and each result".to_owned());
        }
        let pairs = inst.operands[..args].iter().zip(&body.params[op.captures..]).zip(&manual.inputs);
        let results = inst.results.iter().zip(&body.results).zip(&manual.outputs);
        for ((&whole, &part), sharding) in pairs.chain(results) {
            let (whole, part) = (f.ty(whole), body.ty(part));
            let axes = sharding.dims.iter().flatten();
            if let Some(&axis) = axes.into_iter().find(|axis| !manual.axes.contains(axis)) {
                let name = &manual.mesh.axes[axis].0;
                return fail(format!("{whole} is cut along \"{name}\", which is none of its axes"));
            }
            let fits = whole.as_tensor().zip(part.as_tensor()).is_some_and(|(whole, part)| is_cut(whole, part, sharding));
            if !fits {
                return fail(format!("{part} is not the part of {whole} that {sharding} says"));
            }
        }
        Ok(())
    }
}

/// An error about an operation that is kept as it is written.
fn refusal(f: &Func, inst: &Inst, op: &Foreign, message: String) -> TransformError {
    TransformError { op: None, ..TransformError::at(f, inst, format!("{}: {message}", op.name)) }
}

fn is_cut(whole: &TensorType, part: &TensorType, sharding: &Sharding) -> bool {
    let sizes = |d: usize| part.shape[d].checked_mul(sharding.parts(d)) == Some(whole.shape[d]);
    whole.is_static()
        && part.is_static()
        && whole.dtype == part.dtype
        && [part.rank(), sharding.dims.len()] == [whole.rank(); 2]
        && (0..whole.rank()).all(sizes)
}

/// An array in parts: the axes that it is cut along in front, in the order of the mesh, then the dimensions of a part.
fn cut(e: &mut dyn Emit, x: Term, sharding: &Sharding) -> Term {
    let whole = e.ty(x);
    let (mut shape, mut axes, mut rest) = (Dims::new(), SmallVec::<[(usize, usize); 4]>::new(), Dims::new());
    for (d, along) in sharding.dims.iter().enumerate() {
        for &axis in along {
            axes.push((axis, shape.len()));
            shape.push(sharding.mesh.axes[axis].1);
        }
        rest.push(shape.len());
        shape.push(whole.shape[d] / sharding.parts(d));
    }
    axes.sort_unstable();
    let perm: Dims = axes.into_iter().map(|(_, place)| place).chain(rest).collect();
    let x = e.reshape(x, &shape);
    e.transpose(x, &perm)
}

/// The array of which a result has the parts for each of these axes, which are in front. Along those that it is not cut along all
/// parts are the same.
fn joined(e: &mut dyn Emit, x: Term, sharding: &Sharding, axes: &[usize]) -> Term {
    let ty = e.ty(x);
    let is_used = |axis: &usize| sharding.dims.iter().any(|along| along.contains(axis));
    let mut limit = ty.shape.clone();
    for (place, _) in axes.iter().enumerate().filter(|(_, axis)| !is_used(axis)) {
        limit[place] = 1;
    }
    let (start, strides) = (Dims::from_elem(0, ty.rank()), Dims::from_elem(1, ty.rank()));
    let x = if limit == ty.shape { x } else { e.one(Slice { start, limit: limit.clone(), strides }, &[x]) };
    let used: SmallVec<[usize; 4]> = axes.iter().copied().filter(is_used).collect();
    let part = &ty.shape[axes.len()..];
    let shape: Dims = used.iter().map(|&axis| sharding.mesh.axes[axis].1).chain(part.iter().copied()).collect();
    let x = e.reshape(x, &shape);
    let (mut perm, mut whole) = (Dims::new(), Dims::new());
    for (d, along) in sharding.dims.iter().enumerate() {
        perm.extend(along.iter().map(|axis| used.iter().position(|a| a == axis).expect("used")));
        perm.push(used.len() + d);
        whole.push(part[d] * sharding.parts(d));
    }
    let x = e.transpose(x, &perm);
    e.reshape(x, &whole)
}
