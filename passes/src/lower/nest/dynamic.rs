//! Updates at places known at run time: `dynamic_update_slice` and `scatter`, in place where the operand dies.

use super::Lowerer;
use super::emit::{Binding, Emission, Output, add_term};
use crate::lower::LowerError;
use crate::lower::plan::Role;
use crate::lower::plan::views::row_major;
use crate::lower::space::graph::{self, Graph, Stop};
use crate::lower::space::index::Affine;
use crate::lower::space::nodes::Places;
use crate::lower::space::scalar;
use crate::lower::space::scope::At;
use crate::lower::space::scope::{Scope, Stored};
use smallvec::{SmallVec, smallvec};
use wengert_ir::func::{Def, Inst, InstId, Value};
use wengert_ir::kernel::*;
use wengert_ir::op::{Op, Reducer, Scatter};
use wengert_ir::types::{DTypeClass, Dims};

impl<'m> Lowerer<'m> {
    pub(in crate::lower) fn dynamic_update_slice(
        &mut self,
        s: &mut Scope<'m>,
        id: InstId,
        inst: &'m Inst,
    ) -> Result<(), LowerError> {
        let (x, update, out) = (inst.operands[0], inst.operands[1], inst.results[0]);
        let (shape, sizes) = (s.ty(x).shape.clone(), s.ty(update).shape.clone());
        let starts = self.starts(s, id, &inst.operands[2..], x, &sizes)?;
        self.settle(s, update, x)?;
        let at = self.updated(s, x, &[update], out, shape == sizes)?;
        if !sizes.contains(&0) {
            let strides = row_major(&shape);
            let (graph, (position, node)) = graph::build(self, Graph::new(&sizes, true), |l, g| {
                let here = g.here();
                let mut position = Affine::default();
                for ((index, start), &stride) in g.indices(here).iter().zip(&starts).zip(&strides) {
                    position.add(index, stride);
                    position.add(start, stride);
                }
                Ok((position, l.node(g, s, update, here)?))
            })?;
            self.nest(&graph, &[Output { at: at.clone(), position, node }]);
        }
        s.stored[out] = Some(Stored::Memory(at));
        Ok(())
    }

    /// Computes an inlined operand now if it reads `x`, which is about to change.
    fn settle(&mut self, s: &mut Scope<'m>, v: Value, x: Value) -> Result<(), LowerError> {
        if s.stored[v].is_none() && reads(s, v, x) {
            let at = self.memory_of(s, v)?;
            s.stored[v] = Some(Stored::Memory(at));
        }
        Ok(())
    }

    /// Memory that holds `x` and may be changed into `out`: that of `x` if nobody else needs it, else a copy.
    /// `others` are read while it changes. `whole`: nothing of `x` remains.
    fn updated(
        &mut self,
        s: &mut Scope<'m>,
        x: Value,
        others: &[Value],
        out: Value,
        whole: bool,
    ) -> Result<At, LowerError> {
        if let Some(Stored::Memory(at)) = &s.stored[x] {
            let at = at.clone();
            // `x` may replace all of itself; elsewhere a place would be read after it has changed.
            let apart =
                others.iter().all(|&v| whole && v == x || !self.overlaps(s, v, &at) || s.stored[v].is_none());
            let own = s.dest[out].is_none() && s.owner.get(&at.mem) == Some(&x);
            let wanted_there = s.dest[out].as_ref().is_some_and(|dest| dest.at == at);
            if (own || wanted_there) && s.dies(x) && apart {
                s.dest[out] = None;
                s.owner.insert(at.mem, out);
                self.memory.touch(at.mem);
                return Ok(at);
            }
        }
        let mut read: SmallVec<[(Value, bool); 4]> = smallvec![(x, true)];
        // Inlined operands have been settled: they do not read `x`.
        read.extend(others.iter().filter(|&&v| s.stored[v].is_some()).map(|&v| (v, false)));
        // What is inlined may read the destination at other places, unless it is `x` of the destination itself.
        let inlined_elsewhere = others.iter().chain([&x]).any(|&v| {
            let Some(replaces) = s.dest[out].as_ref().and_then(|d| d.replaces) else { return false };
            s.stored[v].is_none() && (v == x || replaces != x) && reads(s, v, replaces)
        });
        if inlined_elsewhere {
            s.dest[out] = None;
        }
        let at = self.target(s, out, &read);
        if !whole {
            match s.stored[x].clone() {
                Some(stored) => self.copy(&stored, &at),
                None => self.compute_into(s, x, &at)?,
            }
        }
        Ok(at)
    }

    pub(in crate::lower) fn scatter(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        scatter: &Scatter,
    ) -> Result<(), LowerError> {
        let (x, indices, updates, out) =
            (inst.operands[0], inst.operands[1], inst.operands[2], inst.results[0]);
        self.settle(s, indices, x)?;
        self.settle(s, updates, x)?;
        let mut captures = Vec::new();
        for &c in &inst.operands[3..] {
            captures.push(self.argument(s, c)?);
        }
        let shape = s.ty(x).shape.clone();
        let space = s.ty(updates).shape.clone();
        let index_ty = s.ty(indices).clone();
        let at = self.updated(s, x, &[indices, updates], out, false)?;
        s.stored[out] = Some(Stored::Memory(at.clone()));
        if space.contains(&0) || shape.contains(&0) {
            return Ok(());
        }
        // One atom per dimension: whatever would need more is put in memory first.
        let mut graph = Graph::new(&space, false);
        let mut built = self.scatter_nodes(&mut graph, s, scatter, indices, updates);
        if let Err(Stop::Split(..) | Stop::Cut(..)) = built {
            for v in [indices, updates] {
                if s.stored[v].is_none() {
                    let at = self.memory_of(s, v)?;
                    s.stored[v] = Some(Stored::Memory(at));
                }
            }
            graph = Graph::new(&space, false);
            built = self.scatter_nodes(&mut graph, s, scatter, indices, updates);
        }
        let (start_nodes, update_node) = match built {
            Ok(nodes) => nodes,
            Err(Stop::Error(e)) => return Err(*e),
            Err(Stop::Split(..) | Stop::Cut(..)) => {
                return Err(s.refuse(inst, "its operands do not walk by dimension"));
            }
        };
        let dtype = s.ty(x).dtype;
        let op = match scatter.reducer {
            Reducer::Assign | Reducer::Func(_) => None,
            Reducer::Op(op) => Some(scalar::binary_op(op, dtype).map_err(|e| s.refuse(inst, e))?),
        };
        let loops = Loops {
            scatter,
            op,
            at,
            start_nodes,
            update_node,
            is_unsigned: index_ty.dtype.class() == DTypeClass::Unsigned,
        };
        let apart = self.apart(&loops, &shape, &space);
        let points: i64 = apart.iter().map(|&d| space[d] as i64).product();
        let floor = self.b.set_floor();
        self.memory.enter_loop();
        let many = self.device().is_some_and(|device| points as usize * 8 > device.alone);
        if many && !matches!(scatter.reducer, Reducer::Func(_)) {
            self.launch_points(points, |l, point| {
                let extents: SmallVec<[i64; 4]> = apart.iter().map(|&d| space[d] as i64).collect();
                let digits = l.digits(point, &extents);
                let known: Vec<(usize, KValue)> = apart.iter().copied().zip(digits).collect();
                l.scatter_loops(&graph, &loops, (&shape, &space), &known, &mut |_, _, _| {
                    unreachable!("no function")
                })
            })
        } else {
            let mut failed = None;
            self.scatter_loops(&graph, &loops, (&shape, &space), &[], &mut |l, old, new| {
                let Reducer::Func(body) = scatter.reducer else { unreachable!("it has a function") };
                let mut args = captures.clone();
                args.extend([old, new].map(|v| Stored::Registers([v].into())));
                let inner = l.b.set_floor();
                let value = match l.region(body, args, vec![None]) {
                    Ok(given) => l.scalar_from(&given[0]),
                    Err(e) => {
                        failed = Some(e);
                        new
                    }
                };
                l.b.restore_floor(inner);
                value
            });
            if let Some(e) = failed {
                return Err(e);
            }
        }
        self.memory.leave_loop();
        self.b.restore_floor(floor);
        Ok(())
    }

    /// Dimensions of the updates that are dimensions of the operand whole: what is at two of their indices is at two places.
    fn apart(&self, loops: &Loops<'_>, shape: &Dims, space: &Dims) -> Dims {
        let scatter = loops.scatter;
        let batch: Dims = (0..space.len()).filter(|d| !scatter.update_window_dims.contains(d)).collect();
        let place = |d: usize| if d > scatter.index_vector_dim { d - 1 } else { d };
        let window = window(scatter, shape.len());
        let free = window.iter().zip(&scatter.update_window_dims);
        let free = free.filter(|(d, _)| !scatter.scatter_dims_to_operand_dims.contains(d)).map(|(_, &w)| w);
        let mut all: Dims =
            free.chain(scatter.scatter_indices_batching_dims.iter().map(|&i| batch[place(i)])).collect();
        all.sort_unstable();
        all
    }

    /// The loops of a scatter, but for dimensions of the updates at which it is `known` where it is. `call` is the function of
    /// what combines by one.
    fn scatter_loops(
        &mut self,
        graph: &Graph,
        loops: &Loops<'_>,
        (shape, space): (&Dims, &Dims),
        known: &[(usize, KValue)],
        call: &mut dyn FnMut(&mut Self, KValue, KValue) -> KValue,
    ) {
        let Loops { scatter, op, at, start_nodes, update_node, is_unsigned } = loops;
        // The atom of each dimension of the updates.
        let mut atoms: SmallVec<[Option<u32>; 4]> = SmallVec::new();
        let mut next = 0;
        for factors in &graph.factors {
            atoms.push((!factors.is_empty()).then_some(next));
            next += factors.len() as u32;
        }
        let batch: Dims = (0..space.len()).filter(|d| !scatter.update_window_dims.contains(d)).collect();
        let mut e = Emission::new(graph);
        e.import_bindings();
        let given = |d: usize| known.iter().find(|k| k.0 == d).map(|k| k.1);
        for &(d, value) in known {
            if let Some(atom) = atoms[d] {
                e.bind[atom as usize] = Binding::counter(value);
            }
        }
        let mut closing: Vec<(Extent, Extent, LoopKind)> = Vec::new();
        for &d in &batch {
            if let Some(atom) = atoms[d]
                && given(d).is_none()
            {
                let i = self.b.open(&[Scalar::I64])[0];
                e.bind[atom as usize] = Binding::counter(i);
                closing.push((Extent::Const(0), Extent::Const(space[d] as i64), LoopKind::Sequential));
            }
        }
        // Start of the window in each dimension of the input.
        let starts = self.emit(&mut e, start_nodes);
        let mut start_of: SmallVec<[Option<KValue>; 4]> = smallvec![None; shape.len()];
        for (&d, &value) in scatter.scatter_dims_to_operand_dims.iter().zip(&starts) {
            start_of[d] = Some(self.wide_index(value, *is_unsigned));
        }
        let place = |d: usize| if d > scatter.index_vector_dim { d - 1 } else { d };
        for (&d, &i) in scatter.input_batching_dims.iter().zip(&scatter.scatter_indices_batching_dims) {
            let index = match atoms[batch[place(i)]] {
                Some(atom) => {
                    let binding = e.bind[atom as usize].clone();
                    self.sum(binding.offset, &binding.terms)
                }
                None => self.b.int(0),
            };
            start_of[d] = Some(index);
        }
        let window = window(scatter, shape.len());
        let size_of = |d: usize| match window.iter().position(|&w| w == d) {
            Some(k) => space[scatter.update_window_dims[k]],
            None => 1,
        };
        // The whole window is in or out.
        let mut inside: Option<KValue> = None;
        for &d in &scatter.scatter_dims_to_operand_dims {
            let start = start_of[d].expect("it has an index");
            let end = self.b.int((shape[d] - size_of(d)) as i64 + 1);
            let compare = KOp::Compare(wengert_ir::op::Direction::Lt, wengert_ir::op::CompareType::Unsigned);
            let test = self.b.pure(compare, &[start, end], Scalar::I1);
            inside = Some(match inside {
                None => test,
                Some(both) => self.b.binary(KBinary::And, both, test),
            });
        }
        if let Some(test) = inside {
            let trips = self.b.pure(KOp::Cast(KCast::Unsigned), &[test], Scalar::I64);
            self.b.open(&[Scalar::I64]);
            closing.push((Extent::Const(0), Extent::Value(trips), LoopKind::Sequential));
        }
        let strides = row_major(shape);
        let mut position: SmallVec<[(KValue, i64); 4]> = SmallVec::new();
        for (d, &start) in start_of.iter().enumerate() {
            if let Some(mut start) = start {
                // It is inside here. Where others may launch what follows, they may know that no more: it is said again.
                if self.options.target.device.is_some() {
                    let (zero, last) = (self.b.int(0), self.b.int((shape[d] - size_of(d)) as i64));
                    start = self.b.binary(KBinary::Max, start, zero);
                    start = self.b.binary(KBinary::Min, start, last);
                }
                add_term(&mut position, start, strides[d]);
            }
        }
        let count = window.len();
        for (k, (&d, &w)) in window.iter().zip(&scatter.update_window_dims).enumerate() {
            if let Some(value) = given(w) {
                add_term(&mut position, value, strides[d]);
                continue;
            }
            let i = self.b.open(&[Scalar::I64])[0];
            if let Some(atom) = atoms[w] {
                e.bind[atom as usize] = Binding::counter(i);
            }
            add_term(&mut position, i, strides[d]);
            let innermost = k + 1 == count && !matches!(scatter.reducer, Reducer::Func(_));
            let kind = if innermost { LoopKind::Vector } else { LoopKind::Sequential };
            closing.push((Extent::Const(0), Extent::Const(space[w] as i64), kind));
        }
        e.afresh();
        let new = self.emit(&mut e, &[*update_node])[0];
        let mut access = self.element(at, 0);
        position.into_iter().for_each(|(v, c)| add_term(&mut access.terms, v, c));
        let value = match (&scatter.reducer, op) {
            (Reducer::Assign, _) => new,
            (Reducer::Op(_), op) => {
                let old = self.b.load_here(access.clone());
                let ty = self.b.ty(old);
                self.b.push(KOp::Binary(op.expect("its operation")), &[old, new], &[ty])[0]
            }
            (Reducer::Func(_), _) => {
                let old = self.b.load_here(access.clone());
                call(self, old, new)
            }
        };
        self.b.store(access, value);
        for (start, end, kind) in closing.into_iter().rev() {
            self.b.end_for((start, end), kind, &[], &[]);
        }
    }

    /// Nodes of the index vector's components and of the update, over the updates' space.
    fn scatter_nodes(
        &mut self,
        g: &mut Graph,
        s: &mut Scope<'m>,
        scatter: &Scatter,
        indices: Value,
        updates: Value,
    ) -> Result<(SmallVec<[u32; 4]>, u32), Stop> {
        let at = g.here();
        let here = g.indices(at).clone();
        let rank = s.ty(indices).rank();
        let batch: Dims = (0..here.len()).filter(|d| !scatter.update_window_dims.contains(d)).collect();
        let place = |d: usize| if d > scatter.index_vector_dim { d - 1 } else { d };
        let mut nodes = SmallVec::new();
        for k in 0..scatter.scatter_dims_to_operand_dims.len() {
            let index = (0..rank)
                .map(|i| {
                    if i == scatter.index_vector_dim {
                        Affine::constant(k as i64)
                    } else {
                        here[batch[place(i)]].clone()
                    }
                })
                .collect();
            let index = g.intern(index);
            nodes.push(self.node(g, s, indices, index)?);
        }
        Ok((nodes, self.node(g, s, updates, at)?))
    }

    /// An index as `I64`; unsigned ones beyond it stay out of every range.
    fn wide_index(&mut self, value: KValue, unsigned: bool) -> KValue {
        match (self.b.ty(value), unsigned) {
            (Scalar::I64, false) => value,
            (Scalar::I64, true) => {
                let most = self.b.int(i64::MAX);
                self.b.binary(KBinary::MinU, value, most)
            }
            (_, true) => self.b.pure(KOp::Cast(KCast::Unsigned), &[value], Scalar::I64),
            (_, false) => self.b.pure(KOp::Cast(KCast::Signed), &[value], Scalar::I64),
        }
    }

    /// Elementwise operations over sequences whose length is known at run time only.
    pub(in crate::lower) fn dynamic_rows(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
    ) -> Result<(), LowerError> {
        let out = inst.results[0];
        if let Op::Zero(_) = &inst.op {
            s.stored[out] = Some(Stored::Splat(0));
            return Ok(());
        }
        let elementwise = matches!(
            inst.op,
            Op::Unary(_) | Op::Binary(_) | Op::Compare(_) | Op::Select(_) | Op::Fma(_) | Op::Convert(_)
        );
        let count = inst.operands.iter().find_map(|&v| match &s.stored[v] {
            Some(Stored::Rows(_, count)) => Some(*count),
            _ => None,
        });
        let (true, Some(count)) = (elementwise, count) else {
            return Err(s.refuse(inst, "not for a sequence whose length is known at run time only"));
        };
        let elem = s.elem(out);
        let row = s.ty(out).unstacked();
        let len = row.elements();
        let at = self.stack(elem, &row, count);
        for &v in &inst.operands {
            if let Some(Stored::Rows(from, _)) = s.stored[v].clone() {
                self.reserve(&from, count);
            }
        }
        let k = self.b.open(&[Scalar::I64])[0];
        let row_of = |at: &At| {
            let mut row = at.clone();
            row.terms.push((k, len as i64));
            row
        };
        if len > 0 {
            let mut g = Graph::new(&[len], true);
            let here = g.here();
            let position = g.position(here, &[len]);
            let mut operands: SmallVec<[u32; 4]> = SmallVec::new();
            for &v in &inst.operands {
                let elem = s.elem(v);
                operands.push(match &s.stored[v] {
                    Some(Stored::Rows(at, _)) => {
                        g.node(crate::lower::space::graph::NodeOp::Load(row_of(at), position.clone()), elem)
                    }
                    Some(Stored::Splat(bits)) => {
                        g.node(crate::lower::space::graph::NodeOp::Constant(*bits), elem)
                    }
                    _ => return Err(s.refuse(inst, "an operand is not a sequence")),
                });
            }
            let from = s.ty(*inst.operands.last().expect("has operands")).dtype;
            let node = scalar::element(&mut g, &inst.op, &operands, from, s.ty(out).dtype);
            let node = node.map_err(|e| s.refuse(inst, e))?;
            self.nest(&g, &[Output { at: row_of(&at), position, node }]);
        }
        self.b.end_for((Extent::Const(0), Extent::Value(count)), LoopKind::Sequential, &[], &[]);
        s.stored[out] = Some(Stored::Rows(at, count));
        Ok(())
    }
}

/// A scatter, ready for loops.
struct Loops<'s> {
    scatter: &'s Scatter,
    /// What combines two elements, if it is no function.
    op: Option<KBinary>,
    at: At,
    start_nodes: SmallVec<[u32; 4]>,
    update_node: u32,
    is_unsigned: bool,
}

/// Dimensions of the operand that an update has, too.
fn window(scatter: &Scatter, rank: usize) -> Dims {
    let fixed = [&scatter.inserted_window_dims, &scatter.input_batching_dims];
    (0..rank).filter(|d| !fixed.iter().any(|dims| dims.contains(d))).collect()
}

/// Whether computing an inlined value reads `x`.
fn reads(s: &Scope<'_>, v: Value, x: Value) -> bool {
    let mut work = vec![v];
    let mut seen = vec![v];
    while let Some(v) = work.pop() {
        if v == x {
            return true;
        }
        if s.stored[v].is_none()
            && let Def::Inst(id, _) = s.func.values[v].def
            && s.plan.roles[id] == Role::Inlined
        {
            for &w in &s.func.insts[id].operands {
                if !seen.contains(&w) {
                    seen.push(w);
                    work.push(w);
                }
            }
        }
    }
    false
}
