//! What devices exchange, as operations along the named axes of a mesh.
//!
//! Groups of devices are numbers of devices. Those of a group differ in their places along some axes; along these every device
//! gathers what all have ([`CollectiveKind::AllGather`], which binds to the batch as it lies), and takes from it what its own group has:
//! a table says which rows. Where that is the same for all devices, as with sums over an axis, nothing is taken.

use super::{Globalizer, Scope, refusal};
use crate::error::TransformError;
use crate::expansion::{Body, value};
use crate::rewrite::push;
use smallvec::SmallVec;
use wengert_ir::array::{Array, Literal};
use wengert_ir::func::{Func, Inst, Loc, Module, Value, Values};
use wengert_ir::op::{
    AxisIndex, BinaryOp, Collective, CollectiveKind, Concatenate, Constant, DynamicSlice, Foreign, Op,
    Reduce, Reducer,
};
use wengert_ir::ops::batching::{moved, rows};
use wengert_ir::ops::reduce::is_monoid;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::sharding::{Communication, Exchange, Mesh};
use wengert_ir::text;
use wengert_ir::types::{DType, Dims, TensorType};

/// Whether an operation is replaced where it stands in a computation for each device.
pub(super) fn is_replaced(op: &Foreign) -> bool {
    op.is_number() || matches!(text::communication(op), Ok(Some(_)) | Err(_))
}

/// What an operation is outside of computations for each device, if that is known: communication of each device with itself, or of all
/// where there is one.
pub(super) fn alone(
    module: &Module,
    op: &Foreign,
    operands: &[Value],
    out: &mut Func,
    loc: &Loc,
) -> Option<Values> {
    if op.is_number() {
        let zero = Constant { value: Literal::from_array(&Array::scalar(0u32)) };
        return Some(push(module, out, zero, &[], loc));
    }
    let said = text::communication(op).ok()??;
    let same = operands.iter().map(|&v| out.ty(v)).eq(&op.results);
    let is_alone = said.groups.iter().all(|group| group.len() == 1);
    (is_alone && said.exchange != Exchange::Permute && same).then(|| operands.into())
}

impl Globalizer<'_> {
    /// The place of a device along an axis, where an instruction computes it.
    pub(super) fn place(
        &mut self,
        f: &Func,
        inst: &Inst,
        scope: usize,
        axis: usize,
        out: &mut Func,
    ) -> Result<Values, TransformError> {
        let e: &mut dyn Emit = &mut Body { module: self.module, func: out, loc: inst.loc.clone() };
        let place = place(e, &self.scopes[scope], &[axis]).map_err(|e| TransformError::at(f, inst, e))?;
        Ok(Values::from_slice(&[value(e.convert(place, DType::U32))]))
    }

    /// An operation by which devices communicate, or by which one asks for its number.
    pub(super) fn communicate(
        &mut self,
        f: &Func,
        inst: &Inst,
        op: &Foreign,
        scope: usize,
        operands: &[Value],
        out: &mut Func,
    ) -> Result<Values, TransformError> {
        let at = |message: String| refusal(f, inst, op, message);
        let reducer = reducer(self.module, op);
        let scope = &self.scopes[scope];
        let mut body = Body { module: self.module, func: out, loc: inst.loc.clone() };
        let e: &mut dyn Emit = &mut body;
        let mut results = Values::new();
        if op.is_number() {
            results.push(value(number(e, scope, &op.name).map_err(at)?));
        } else {
            let Some(said) = text::communication(op).map_err(at)? else {
                return Err(at("it is not known".to_owned()));
            };
            if op.captures > 0 {
                return Err(at("its body refers to values outside of it".to_owned()));
            }
            let plan = Plan::new(scope, &said).map_err(at)?;
            for &x in operands {
                results.push(value(plan.exchange(e, Term::Known(x), said.exchange, reducer).map_err(at)?));
            }
        }
        let same = inst.results.len() == results.len()
            && inst.results.iter().zip(&results).all(|(&old, &new)| f.ty(old) == out.ty(new));
        if !same {
            return Err(at("its results are not what its groups of devices make".to_owned()));
        }
        Ok(results)
    }
}

/// What the region of a reduction computes, if it is one of the sums that need no order.
fn reducer(module: &Module, op: &Foreign) -> Option<BinaryOp> {
    let f = module.get(*op.regions.first()?);
    let mut insts = f.insts.values();
    let (inst, None) = (insts.next()?, insts.next()) else { return None };
    let Op::Binary(op) = inst.op else { return None };
    let mut operands = inst.operands.to_vec();
    operands.sort_unstable();
    let mut params = f.params.clone();
    params.sort_unstable();
    (is_monoid(op) && params.len() == 2 && operands == params && inst.results[..] == f.results[..])
        .then_some(op)
}

/// The number of a device.
fn number(e: &mut dyn Emit, scope: &Scope, name: &str) -> Result<Term, String> {
    let ty = TensorType::scalar(DType::U32);
    if name == "stablehlo.replica_id" {
        return Ok(e.splat(ty, 0.0));
    }
    let all: Vec<usize> = (0..scope.mesh.axes.len()).collect();
    let position = place(e, scope, &all)?;
    let mesh = &scope.mesh;
    let number = if mesh.devices.is_empty() {
        position
    } else {
        let devices: Vec<i32> = mesh.devices.iter().map(|&d| d as i32).collect();
        entry(e, &devices, position)
    };
    Ok(e.convert(number, DType::U32))
}

/// The place of a device along axes together, the first the slowest to change: a number of type i32.
fn place(e: &mut dyn Emit, scope: &Scope, axes: &[usize]) -> Result<Term, String> {
    let mut sum: Option<Term> = None;
    let mut stride = 1;
    for &axis in axes.iter().rev() {
        let size = scope.mesh.axes[axis].1;
        if size > 1 {
            let index = e.one(AxisIndex { axis: bound(scope, axis)?.into(), size }, &[]);
            let index = e.scale(index, stride as f64);
            sum = e.add_opt(sum, Some(index));
        }
        stride *= size;
    }
    Ok(sum.unwrap_or_else(|| e.zero(TensorType::scalar(DType::I32))))
}

/// The name of an axis along which the program is written for one device.
fn bound(scope: &Scope, axis: usize) -> Result<&str, String> {
    let name = &scope.mesh.axes[axis].0;
    if scope.bound[axis] {
        return Ok(name);
    }
    Err(format!("the computation that it is in is not written for one device along \"{name}\""))
}

/// The entry of a table at a number that is known at run time.
fn entry(e: &mut dyn Emit, table: &[i32], at: Term) -> Term {
    let table = e.literal(Literal::from_array(&Array::new(&[table.len()], table)));
    let one = e.one(DynamicSlice { sizes: Dims::from_slice(&[1]) }, &[table, at]);
    e.reshape(one, &[])
}

/// A part of a dimension, by its number.
fn part(e: &mut dyn Emit, x: Term, dim: usize, parts: usize, number: Term) -> Term {
    let mut sizes = e.ty(x).shape.clone();
    sizes[dim] /= parts;
    let start = e.scale(number, sizes[dim] as f64);
    let zero = e.zero(TensorType::scalar(DType::I32));
    let mut operands: SmallVec<[Term; 6]> = SmallVec::from_elem(zero, sizes.len() + 1);
    (operands[0], operands[dim + 1]) = (x, start);
    e.one(DynamicSlice { sizes }, &operands)
}

/// Rows along a dimension that is there already: the first dimension becomes part of it.
fn concatenated(e: &mut dyn Emit, x: Term, dim: usize) -> Term {
    let x = moved(e, x, 0, dim);
    let mut shape = e.ty(x).shape.clone();
    let count = shape.remove(dim);
    shape[dim] *= count;
    e.reshape(x, &shape)
}

/// The place of a position along axes together, the first the slowest to change.
fn along(mesh: &Mesh, axes: &[usize], position: usize) -> usize {
    axes.iter().fold(0, |n, &axis| n * mesh.axes[axis].1 + mesh.place(position, axis))
}

/// The axes along which it matters where a device is, in order: those along which devices of a group differ, and those along which
/// groups do, seen by the places of their devices along all these axes. `of` is the group of each position among `lists`.
fn axes_of(mesh: &Mesh, of: &[Option<usize>], lists: &[&[usize]]) -> Vec<usize> {
    let differ = |axis: usize| {
        let differs = |(p, group): (usize, &Option<usize>)| {
            group
                .is_some_and(|group| lists[group].iter().any(|&q| mesh.place(q, axis) != mesh.place(p, axis)))
        };
        of.iter().enumerate().any(differs)
    };
    let mut matters: Vec<bool> = (0..mesh.axes.len()).map(differ).collect();
    loop {
        let axes: Vec<usize> = (0..mesh.axes.len()).filter(|&axis| matters[axis]).collect();
        let seen: Vec<Vec<usize>> =
            lists.iter().map(|group| group.iter().map(|&p| along(mesh, &axes, p)).collect()).collect();
        let differs = |axis: usize| {
            // Beside the first along the axis.
            let first = |p: usize| p - mesh.place(p, axis) * mesh.stride(axis);
            let group = |p: usize| of[p].map(|group| &seen[group]);
            (0..of.len()).any(|p| group(p) != group(first(p)))
        };
        match (0..mesh.axes.len()).find(|&axis| !matters[axis] && mesh.axes[axis].1 > 1 && differs(axis)) {
            Some(axis) => matters[axis] = true,
            None => return axes,
        }
    }
}

/// Who exchanges with whom.
struct Plan<'s> {
    scope: &'s Scope,
    /// The axes along which it matters where a device is; along others all do the same ([`axes_of`]).
    axes: Vec<usize>,
    /// For each place along these axes together the places of its group, in order; none if it is in no group.
    groups: Vec<Option<Vec<usize>>>,
}

impl<'s> Plan<'s> {
    fn new(scope: &'s Scope, said: &Communication) -> Result<Self, String> {
        let mesh = &scope.mesh;
        let all = mesh.size();
        let mut position_of = vec![None; all];
        for position in 0..all {
            if let Some(slot) = position_of.get_mut(mesh.device(position)) {
                *slot = Some(position);
            }
        }
        let position = |&device: &usize| {
            let found = position_of.get(device).copied().flatten();
            found.ok_or_else(|| format!("the mesh has no device {device}"))
        };
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for group in &said.groups {
            groups.push(group.iter().map(position).collect::<Result<_, String>>()?);
        }
        if groups.is_empty() && said.exchange != Exchange::Permute {
            groups.push((0..all).map(|device| position(&device)).collect::<Result<_, String>>()?);
        }
        // The group of each position; a target is sent what its source has: only that is its group.
        let mut lists: Vec<&[usize]> = Vec::new();
        let mut of: Vec<Option<usize>> = vec![None; all];
        for group in &groups {
            let is_pair = said.exchange == Exchange::Permute;
            let (group, members) = if is_pair { group.split_at(1) } else { (&group[..], &group[..]) };
            for &member in members {
                if of[member].replace(lists.len()).is_some() {
                    return Err("a device is in two of its groups".to_owned());
                }
            }
            lists.push(group);
        }
        let axes = axes_of(mesh, &of, &lists);
        let count = mesh.count(&axes);
        let mut along_axes: Vec<Option<Vec<usize>>> = vec![None; count];
        for (position, group) in of.iter().enumerate() {
            let along = |p: &usize| along(mesh, &axes, *p);
            along_axes[along(&position)] = group.map(|group| lists[group].iter().map(along).collect());
        }
        for &axis in &axes {
            bound(scope, axis)?;
        }
        Ok(Self { scope, axes, groups: along_axes })
    }

    fn mesh(&self) -> &Mesh {
        &self.scope.mesh
    }

    /// The one group that all are in, in the order of their places.
    fn is_plain(&self) -> bool {
        let plain = |group: &Option<Vec<usize>>| {
            group.as_ref().is_some_and(|group| group.iter().copied().eq(0..self.groups.len()))
        };
        self.groups.iter().all(plain)
    }

    /// What all have along the axes: a row for each place.
    fn gathered(&self, e: &mut dyn Emit, mut x: Term) -> Term {
        let mut shape = e.ty(x).shape.clone();
        for &axis in self.axes.iter().rev() {
            let (axis, size) = (self.mesh().axes[axis].0.as_str().into(), self.mesh().axes[axis].1);
            let kind = CollectiveKind::AllGather;
            x = e.one(Collective { axis, size, kind, source: Dims::new(), target: Dims::new() }, &[x]);
        }
        shape.insert(0, self.groups.len());
        e.reshape(x, &shape)
    }

    /// What the devices of its group have, a row for each, and the number of its own row. `filling` stands in the rows that a
    /// smaller group lacks.
    fn of_group(&self, e: &mut dyn Emit, x: Term, filling: Option<&Literal>) -> Result<(Term, Term), String> {
        let mut all = self.gathered(e, x);
        let place = place(e, self.scope, &self.axes)?;
        if self.is_plain() {
            return Ok((all, place));
        }
        let length = self.groups.iter().flatten().map(Vec::len).max().unwrap_or(0);
        let mut table: Vec<i32> = Vec::new();
        let mut own: Vec<i32> = Vec::new();
        for (member, group) in self.groups.iter().enumerate() {
            let Some(group) = group else { return Err("a device is in none of its groups".to_owned()) };
            own.push(group.iter().position(|&p| p == member).unwrap_or(0) as i32);
            table.extend(group.iter().map(|&p| p as i32));
            table.resize(own.len() * length, self.groups.len() as i32);
        }
        if self.groups.iter().flatten().any(|group| group.len() != length) {
            let Some(filling) = filling else { return Err("its groups are of different sizes".to_owned()) };
            let mut shape = e.ty(all).shape.clone();
            shape[0] = 1;
            let filling = e.literal(filling.clone());
            let row = e.broadcast_scalar(filling, &shape);
            all = e.one(Concatenate { dim: 0 }, &[all, row]);
        }
        let own = entry(e, &own, place);
        let first = &table[..length];
        let numbers = if table.chunks(length).all(|row| row == first) {
            e.literal(Literal::from_array(&Array::new(&[length], first)))
        } else {
            let table = e.literal(Literal::from_array(&Array::new(&[self.groups.len(), length], &table)));
            let row = part(e, table, 0, self.groups.len(), place);
            e.reshape(row, &[length])
        };
        Ok((rows(e, all, numbers), own))
    }

    /// What a device is given of what all have; `reducer` is what they are put together by.
    fn exchange(
        &self,
        e: &mut dyn Emit,
        x: Term,
        exchange: Exchange,
        reducer: Option<BinaryOp>,
    ) -> Result<Term, String> {
        let ty = e.ty(x);
        let divides = |dim: usize, parts: usize| {
            let fits = dim < ty.rank() && parts > 0 && ty.shape[dim].is_multiple_of(parts);
            fits.then_some(()).ok_or_else(|| format!("dimension {dim} of {ty} is not in {parts} parts"))
        };
        Ok(match exchange {
            Exchange::AllGather { dim } => {
                divides(dim, 1)?;
                let (rows, _) = self.of_group(e, x, None)?;
                concatenated(e, rows, dim)
            }
            Exchange::AllReduce => {
                let identity = reducer.and_then(|op| op.identity(ty.dtype));
                let (rows, _) = self.of_group(e, x, identity.as_ref())?;
                reduced(e, rows, reducer)?
            }
            Exchange::ReduceScatter { dim } => {
                let (rows, own) = self.of_group(e, x, None)?;
                let count = e.ty(rows).shape[0];
                divides(dim, count)?;
                let whole = reduced(e, rows, reducer)?;
                part(e, whole, dim, count, own)
            }
            Exchange::AllToAll { split, concat } => {
                let (rows, own) = self.of_group(e, x, None)?;
                let count = e.ty(rows).shape[0];
                divides(split, count)?;
                divides(concat, 1)?;
                let parts = part(e, rows, split + 1, count, own);
                concatenated(e, parts, concat)
            }
            Exchange::Permute | Exchange::Broadcast => self.sent(e, x)?,
        })
    }

    /// The first of its group; zeros if it is in none.
    fn sent(&self, e: &mut dyn Emit, x: Term) -> Result<Term, String> {
        let ty = e.ty(x);
        let from = |group: &Option<Vec<usize>>| group.as_ref().and_then(|group| group.first().copied());
        let sources: Vec<Option<usize>> = self.groups.iter().map(from).collect();
        if sources.iter().all(Option::is_none) {
            return Ok(e.zero(ty));
        }
        let senders = sources.iter().copied().flatten();
        let is_permutation = {
            let mut seen = vec![false; sources.len()];
            senders.clone().all(|s| !std::mem::replace(&mut seen[s], true))
        };
        if let (&[axis], true) = (&self.axes[..], is_permutation) {
            let (name, size) = (bound(self.scope, axis)?.into(), self.mesh().axes[axis].1);
            let targets = (0..).zip(&sources).filter(|(_, s)| s.is_some()).map(|(t, _)| t).collect();
            let kind = CollectiveKind::Permute;
            return Ok(e.one(
                Collective { axis: name, size, kind, source: senders.collect(), target: targets },
                &[x],
            ));
        }
        let all = self.gathered(e, x);
        let place = place(e, self.scope, &self.axes)?;
        let table: Vec<i32> = sources.iter().map(|s| s.unwrap_or(0) as i32).collect();
        let source = entry(e, &table, place);
        let row = part(e, all, 0, sources.len(), source);
        let row = e.reshape(row, &ty.shape);
        if sources.iter().all(Option::is_some) {
            return Ok(row);
        }
        let table: Vec<i32> = sources.iter().map(|s| s.is_some() as i32).collect();
        let is_sent = entry(e, &table, place);
        let is_sent = e.convert(is_sent, DType::I1);
        let is_sent = e.broadcast_scalar(is_sent, &ty.shape);
        let zeros = e.zero(ty);
        Ok(e.select(is_sent, row, zeros))
    }
}

/// What rows are together.
fn reduced(e: &mut dyn Emit, rows: Term, reducer: Option<BinaryOp>) -> Result<Term, String> {
    let dtype = e.ty(rows).dtype;
    let identity = reducer.and_then(|op| op.identity(dtype)).zip(reducer);
    let Some((identity, op)) = identity else {
        return Err(
            "its body is none of the sums, products, extrema and logical operations of two values".to_owned()
        );
    };
    let init = e.literal(identity);
    let reduce = Reduce { dims: Dims::from_slice(&[0]), inputs: 1, reducer: Reducer::Op(op) };
    Ok(e.one(reduce, &[rows, init]))
}
