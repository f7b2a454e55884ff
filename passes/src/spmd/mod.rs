//! Programs of several devices as programs of one.
//!
//! A program with shardings computes what it computes without them. What does not is a computation that is written for the part of
//! its operands that each device has ([`Manual`]), with communication between devices in it. It is a function of one
//! example: devices along an axis of the mesh are the examples of a batch along an axis of that name, and so it is
//! [mapped](crate::batch) along each of its axes; what devices exchange is bound to these dimensions
//! ([`communication`]). Operands are cut into parts before and results put together after, which moves nothing but dimensions.

mod communication;
mod numbers;
pub mod propagation;
pub mod terms;

use self::numbers::Numbers;
use crate::batch::vmap;
use crate::error::TransformError;
use crate::expansion::{Body, value};
use crate::inline::{callees_first, inline_calls};
use crate::rewrite::{copy_inst, like, mapped, push};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use wengert_ir::entity::EntityVec;
use wengert_ir::func::{Func, FuncId, Inst, Module, Value, Values};
use wengert_ir::op::{BinaryOp, Call, Foreign, Op, Pad, Slice};
use wengert_ir::rules::{Emit, Term};
use wengert_ir::sharding::{Manual, Mesh, Sharding};
use wengert_ir::text;
use wengert_ir::types::{DType, Dims, TensorType};

/// Most devices that a mesh may have.
const MOST_DEVICES: usize = 512;

/// Replaces all computations for several devices that `func` reaches. Outside of them there is one device: its number is 0, and what
/// it does with all others it does alone; other communication stays as it is written.
///
/// # Errors
///
/// Attributes that do not fit the operands or results, meshes of more than [`MOST_DEVICES`] devices, communication along axes that
/// no computation is written for, and groups of devices that differ from place to place.
pub fn globalize(m: &mut Module, func: FuncId) -> Result<(), TransformError> {
    if !is_needed(m, func) {
        return Ok(());
    }
    let needs = needing(m, func);
    let mut all = Globalizer { module: m, needs, scopes: Vec::new(), done: FxHashMap::default() };
    let new = all.func(func, None)?;
    m.funcs[func] = m.get(new);
    Ok(())
}

/// Whether there is something that [`globalize`] replaces.
pub fn is_needed(m: &Module, func: FuncId) -> bool {
    m.reaches(func, &is_replaced)
}

fn is_manual(op: &Op) -> bool {
    matches!(op, Op::Foreign(op) if &*op.name == Manual::NAME)
}

fn is_replaced(op: &Op) -> bool {
    is_manual(op) || matches!(op, Op::Foreign(op) if communication::is_replaced(op))
}

/// Which functions have something that is replaced, or refer to some that have.
fn needing(m: &Module, func: FuncId) -> EntityVec<FuncId, bool> {
    let mut needs = EntityVec::filled(false, m.funcs.len());
    for f in callees_first(m, func) {
        let is_needed = |op: &Op| is_replaced(op) || op.callees().iter().any(|&callee| needs[callee]);
        needs[f] = m.funcs[f].insts.values().any(|inst| is_needed(&inst.op));
    }
    needs
}

/// Where a function runs: on each device of a mesh.
#[derive(PartialEq, Eq)]
struct Scope {
    mesh: Mesh,
    /// The axes along which it is written for one device.
    bound: Vec<bool>,
}

struct Globalizer<'m> {
    module: &'m mut Module,
    /// Which functions of the program have something to replace.
    needs: EntityVec<FuncId, bool>,
    scopes: Vec<Scope>,
    /// What functions are in a scope, by its number.
    done: FxHashMap<(FuncId, Option<usize>), FuncId>,
}

impl Globalizer<'_> {
    /// A function without what is replaced, after those that it refers to outside of computations for each device.
    fn func(&mut self, id: FuncId, scope: Option<usize>) -> Result<FuncId, TransformError> {
        let mut work = vec![(id, false)];
        while let Some((f, is_ready)) = work.pop() {
            if self.done.contains_key(&(f, scope)) {
                continue;
            }
            if !self.needs[f] {
                self.done.insert((f, scope), f);
            } else if is_ready {
                let new = self.rebuilt(f, scope)?;
                self.done.insert((f, scope), new);
            } else {
                work.push((f, true));
                let body = self.module.get(f);
                let inner = body.insts.values().filter(|inst| !is_manual(&inst.op));
                work.extend(inner.flat_map(|inst| inst.op.callees()).map(|callee| (callee, false)));
            }
        }
        Ok(self.done[&(id, scope)])
    }

    /// The same of one function; those that it refers to are done.
    fn rebuilt(&mut self, id: FuncId, scope: Option<usize>) -> Result<FuncId, TransformError> {
        let f = self.module.get(id);
        let (mut out, mut env) = like(&f);
        let mut numbers = scope.map(|scope| Numbers::new(&self.scopes[scope].mesh));
        for inst in f.insts.values() {
            let operands = mapped(&env, &inst.operands);
            let along = numbers.as_mut().and_then(|numbers| numbers.axis(inst));
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
                _ if along.is_some() => {
                    let (scope, axis) = (scope.unwrap_or_default(), along.unwrap_or_default());
                    self.place(&f, inst, scope, axis, &mut out)?
                }
                op => {
                    let mut op = op.clone();
                    op.map_callees(&mut |callee| self.done[&(callee, scope)]);
                    let types = inst.results.iter().map(|&r| f.ty(r).clone());
                    out.push_typed(op, &operands, types, inst.loc.clone())
                }
            };
            for (&old, new) in inst.results.iter().zip(results) {
                env[old] = Some(new);
            }
        }
        out.results = mapped(&env, &f.results).to_vec();
        Ok(self.module.add(out))
    }

    /// The scope of a computation that stands in another.
    fn scope(&mut self, manual: &Manual, outer: Option<usize>) -> Result<usize, String> {
        if let Some(outer) = outer {
            let mesh = &self.scopes[outer].mesh;
            let size = |name: &str| mesh.axis(name).map(|axis| mesh.axes[axis].1);
            if let Some((name, _)) =
                manual.mesh.axes.iter().find(|(name, n)| size(name).is_some_and(|size| size != *n))
            {
                return Err(format!("the computation that it is in has an axis \"{name}\" of another size"));
            }
            let bound = |name: &str| mesh.axis(name).is_some_and(|axis| self.scopes[outer].bound[axis]);
            let mut own = manual.axes.iter().map(|&axis| &manual.mesh.axes[axis].0);
            if let Some(name) = own.find(|name| bound(name)) {
                return Err(format!(
                    "the computation that it is in is written for one device along \"{name}\" already"
                ));
            }
        }
        let is_bound =
            |outer: &Scope, name: &str| outer.mesh.axis(name).is_some_and(|axis| outer.bound[axis]);
        let outer = outer.map(|k| &self.scopes[k]);
        let bound = (manual.mesh.axes.iter().enumerate())
            .map(|(k, (name, _))| manual.axes.contains(&k) || outer.is_some_and(|o| is_bound(o, name)))
            .collect();
        let scope = Scope { mesh: manual.mesh.clone(), bound };
        Ok(self.scopes.iter().position(|known| *known == scope).unwrap_or_else(|| {
            self.scopes.push(scope);
            self.scopes.len() - 1
        }))
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
        let manual = text::manual(&op.attributes).map_err(|e| refusal(f, inst, op, e))?;
        self.check(f, inst, op, &manual)?;
        let (args, captures) = operands.split_at(manual.inputs.len());
        let scope = self.scope(&manual, outer).map_err(|e| refusal(f, inst, op, e))?;
        let body = self.func(op.regions[0], Some(scope))?;
        let mut body = inline_calls(self.module, body);
        // The last axis first: in the end the first one is in front.
        for &axis in manual.axes.iter().rev() {
            let (name, size) = &manual.mesh.axes[axis];
            let parts = manual.inputs.iter().map(|sharding| sharding.differs_along(axis).then_some(0));
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
        if !(1..=MOST_DEVICES).contains(&manual.mesh.size()) {
            return fail(format!("meshes have 1 to {MOST_DEVICES} devices: {}", manual.mesh));
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
            let axes = sharding.dims.iter().flatten().chain(&sharding.unreduced);
            if let Some(&axis) = axes.into_iter().find(|axis| !manual.axes.contains(axis)) {
                let name = &manual.mesh.axes[axis].0;
                return fail(format!("{whole} is cut along \"{name}\", which is none of its axes"));
            }
            let fits = whole
                .as_tensor()
                .zip(part.as_tensor())
                .is_some_and(|(whole, part)| is_cut(whole, part, sharding));
            if sharding.terms() > 1 && !part.as_tensor().is_some_and(|ty| can_be_added(ty.dtype)) {
                return fail(format!("{part} is not added up"));
            }
            if !fits {
                return fail(format!("{part} is not the part of {whole} that {sharding} says"));
            }
        }
        Ok(())
    }
}

/// An error about an operation that is kept as it is written.
fn refusal(f: &Func, inst: &Inst, op: &Foreign, message: String) -> TransformError {
    TransformError { op: Some(op.name.to_string()), ..TransformError::at(f, inst, message) }
}

fn is_cut(whole: &TensorType, part: &TensorType, sharding: &Sharding) -> bool {
    let sizes = |d: usize| part.shape[d].checked_mul(sharding.parts(d)) == Some(whole.shape[d]);
    whole.is_static()
        && part.is_static()
        && whole.dtype == part.dtype
        && [part.rank(), sharding.dims.len()] == [whole.rank(); 2]
        && (0..whole.rank()).all(sizes)
}

/// Whether there are sums of elements of a type.
fn can_be_added(dtype: DType) -> bool {
    dtype != DType::I1 && BinaryOp::Add.identity(dtype).is_some()
}

/// An array in parts: the axes along which they differ in front, in the order of the mesh, then the dimensions of a part. Where it is
/// to be a sum, its first term is the array, and the others are zero.
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
    let perm: Dims = axes.iter().map(|(_, place)| *place).chain(rest).collect();
    let x = e.reshape(x, &shape);
    let mut x = e.transpose(x, &perm);
    let mut front: SmallVec<[usize; 4]> = axes.into_iter().map(|(axis, _)| axis).collect();
    for &axis in &sharding.unreduced {
        x = first_term(e, x, sharding.mesh.axes[axis].1);
        front.insert(0, axis);
    }
    let mut perm: Dims = (0..front.len()).collect();
    perm.sort_unstable_by_key(|&place| front[place]);
    perm.extend(front.len()..e.ty(x).rank());
    e.transpose(x, &perm)
}

/// An array as the first of so many terms, which are in front.
fn first_term(e: &mut dyn Emit, x: Term, terms: usize) -> Term {
    let mut ty = e.ty(x);
    ty.shape.insert(0, 1);
    let x = e.reshape(x, &ty.shape);
    let low: SmallVec<[i64; 4]> = SmallVec::from_elem(0, ty.rank());
    let (mut high, interior) = (low.clone(), low.clone());
    high[0] = terms as i64 - 1;
    let zero = e.splat(TensorType::scalar(ty.dtype), 0.0);
    e.one(Pad { low, high, interior }, &[x, zero])
}

/// The array of which a result has the parts for each of these axes, which are in front: the sum of its terms. Along axes that it is
/// not cut along all parts are the same.
fn joined(e: &mut dyn Emit, x: Term, sharding: &Sharding, axes: &[usize]) -> Term {
    let is_summed = |axis: &usize| sharding.unreduced.contains(axis);
    let summed: Dims = (0..axes.len()).filter(|&place| is_summed(&axes[place])).collect();
    let x = e.reduce_sum(x, &summed);
    let axes: &SmallVec<[usize; 4]> = &axes.iter().copied().filter(|axis| !is_summed(axis)).collect();
    let ty = e.ty(x);
    let is_used = |axis: &usize| sharding.differs_along(*axis);
    let mut limit = ty.shape.clone();
    for (place, _) in axes.iter().enumerate().filter(|(_, axis)| !is_used(axis)) {
        limit[place] = 1;
    }
    let (start, strides) = (Dims::from_elem(0, ty.rank()), Dims::from_elem(1, ty.rank()));
    let x = if limit == ty.shape { x } else { e.one(Slice { start, limit: limit.clone(), strides }, &[x]) };
    let used: SmallVec<[usize; 4]> = axes.iter().copied().filter(is_used).collect();
    let part = &ty.shape[axes.len()..];
    let shape: Dims =
        used.iter().map(|&axis| sharding.mesh.axes[axis].1).chain(part.iter().copied()).collect();
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
