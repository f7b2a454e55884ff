//! Reductions, in the order that the kernel IR's documentation defines.
//!
//! If the innermost dimension is reduced, each block of it is a loop of lanes ([`LoopKind::Lanes`]). If it is
//! kept, blocks run over rows: the lanes are rows of accumulators in memory, and the loop over columns is
//! independent. Either way all reductions and stored values of the kernel are made in one pass.

use super::graph::{Graph, Stop};
use super::group::Group;
use super::index::{Affine, Var, row_major};
use super::loops::{Atoms, Binding, Emission, Output, add_term, arithmetic, collapse, forms};
use super::memory::At;
use super::scalar::{self, Sink};
use super::scope::{Scope, Stored};
use super::{LowerError, Lowerer, cost};
use smallvec::{SmallVec, smallvec};
use wengert_ir::func::{Inst, Value};
use wengert_ir::kernel::*;
use wengert_ir::op::{Op, Reduce, Reducer};
use wengert_ir::types::Dims;

/// Partial results of at most this many blocks stay in registers.
const UNROLLED_BLOCKS: i64 = 4;
/// And only of two if there is more arithmetic than this.
const UNROLLED_ARITHMETIC: u32 = 12;
/// Bytes of accumulators of one tile of columns.
const TILE_BYTES: usize = 16 * 1024;

/// One reduction of a kernel.
pub(super) struct Reduction {
    pub(super) node: u32,
    pub(super) combine: Combine,
    pub(super) elem: Scalar,
    /// Scalar of the entry kernel.
    pub(super) init: KValue,
    /// Where results go, and at which position over the kept atoms; `None` for a result in a register.
    pub(super) out: Option<(At, Affine)>,
}

/// All that a reducing kernel computes.
pub(super) struct Work {
    pub(super) reductions: Vec<Reduction>,
    pub(super) outputs: Vec<Output>,
    pub(super) kept: Atoms,
    pub(super) reduced: Atoms,
    /// Elements per result.
    pub(super) count: i64,
    pub(super) arithmetic: u32,
}

impl Work {
    fn roots(&self) -> SmallVec<[u32; 4]> {
        self.reductions.iter().map(|r| r.node).chain(self.outputs.iter().map(|o| o.node)).collect()
    }
    fn free(&self) -> bool {
        self.reductions.iter().all(|r| scalar::order_free(r.combine, r.elem))
    }
    /// Whether blocks lie in rows, or order does not matter.
    pub(super) fn by_rows(&self) -> bool {
        self.reduced.len() <= 1 || self.free() || self.reduced.last().is_some_and(|r| r.1 % BLOCK as i64 == 0)
    }
    fn types(&self) -> SmallVec<[Scalar; 4]> {
        self.reductions.iter().map(|r| r.elem).collect()
    }
}

/// A kernel of the plan, ready for loops.
pub(super) struct Prepared {
    pub(super) graph: Graph,
    pub(super) reductions: Vec<Reduction>,
    pub(super) outputs: Vec<Output>,
}

/// A buffer inside a kernel: scratch memory in the entry, the machine stack in an outlined kernel.
enum Temporary {
    Scratch(At),
    Local(MemRef),
}

impl<'m> Lowerer<'m> {
    /// Lowers a kernel with reductions.
    pub(super) fn reduce_group(&mut self, s: &mut Scope<'m>, group: &Group) -> Result<(), LowerError> {
        let reduced = group.reduced.clone().expect("the kernel reduces");
        let reads = group.reads.clone();
        let mut place = |l: &mut Self, s: &mut Scope<'m>, v: Value| l.target(s, v, &reads);
        let Prepared { mut graph, reductions, outputs } = self.prepare(s, group, &mut place)?;
        let scalars = if group.space.contains(&0) {
            self.empty_reductions(&reductions)
        } else {
            self.reduce_nest(&mut graph, &reduced, reductions, outputs)
        };
        let reduces = group.members.iter().filter(|&&id| matches!(s.func.insts[id].op, Op::Reduce(_)));
        for (&id, scalar) in reduces.zip(scalars) {
            if let Some(value) = scalar {
                s.stored[s.func.insts[id].results[0]] = Some(Stored::Registers([value].into()));
            }
        }
        Ok(())
    }

    /// The graph of a kernel of the plan with all it stores; `place` gives memory for a value.
    pub(super) fn prepare(
        &mut self,
        s: &mut Scope<'m>,
        group: &Group,
        place: &mut dyn FnMut(&mut Self, &mut Scope<'m>, Value) -> At,
    ) -> Result<Prepared, LowerError> {
        let plan = s.plan.clone();
        let func = s.func;
        let mut reduces: SmallVec<[(&'m Inst, &'m Reduce); 4]> = SmallVec::new();
        let mut stored: SmallVec<[Value; 4]> = SmallVec::new();
        for &id in &group.members {
            let inst = &func.insts[id];
            for &v in inst.operands.iter().chain(&inst.results) {
                scalar::scalar(s.ty(v).dtype).map_err(|e| s.refuse(inst, e))?;
            }
            match &inst.op {
                Op::Reduce(r) => reduces.push((inst, r)),
                _ if !plan.internal[id] => stored.extend(inst.results.iter().copied()),
                _ => {}
            }
        }
        let mut inits: SmallVec<[KValue; 4]> = SmallVec::new();
        let mut combines: SmallVec<[Combine; 4]> = SmallVec::new();
        for (inst, r) in &reduces {
            inits.push(self.scalar_of(s, inst.operands[1])?);
            let Reducer::Op(op) = r.reducer else { unreachable!("others have code of their own") };
            let dtype = s.ty(inst.operands[0]).dtype;
            combines.push(scalar::combine(op, dtype).map_err(|e| s.refuse(inst, e))?);
        }
        let empty = group.space.contains(&0);
        let (graph, (nodes, values)) = if empty {
            (Graph::new(&[], false), (Vec::new(), Vec::new()))
        } else {
            self.graph(&group.space, false, |l, g| {
                let mut nodes = Vec::new();
                for (inst, _) in &reduces {
                    nodes.push(l.member(g, s, inst.operands[0])?.1);
                }
                let values = stored.iter().map(|&v| l.member(g, s, v)).collect::<Result<Vec<_>, Stop>>()?;
                Ok((nodes, values))
            })?
        };
        let mut outputs = Vec::new();
        for (k, &v) in stored.iter().enumerate() {
            let at = place(self, s, v);
            s.stored[v] = Some(Stored::Memory(at.clone()));
            if let Some((position, node)) = values.get(k) {
                outputs.push(Output { at, position: position.clone(), node: *node });
            }
        }
        let none = Dims::new();
        let position = kept_position(&graph, &group.space, group.reduced.as_ref().unwrap_or(&none), empty);
        let mut reductions = Vec::new();
        for (k, (inst, _)) in reduces.iter().enumerate() {
            let v = inst.results[0];
            let out = (s.ty(v).rank() > 0).then(|| {
                let at = place(self, s, v);
                s.stored[v] = Some(Stored::Memory(at.clone()));
                (at, position.clone())
            });
            let node = nodes.get(k).copied().unwrap_or(0);
            reductions.push(Reduction { node, combine: combines[k], elem: s.elem(v), init: inits[k], out });
        }
        Ok(Prepared { graph, reductions, outputs })
    }

    /// Results over no elements: the initial value with the identity.
    fn empty_reductions(&mut self, reductions: &[Reduction]) -> Vec<Option<KValue>> {
        let mut out = Vec::new();
        for r in reductions {
            let identity = self.b.bits(scalar::identity(r.combine, r.elem), r.elem);
            let value = self.b.binary(scalar::combining(r.combine), r.init, identity);
            match &r.out {
                None => out.push(Some(value)),
                Some((at, _)) => {
                    if at.len > 0 {
                        let mut g = Graph::new(&[at.len], true);
                        let here = g.here();
                        let position = g.position(here, &[at.len]);
                        let node = g.node(super::graph::NodeOp::Outer(value), r.elem);
                        self.nest(&g, &[Output { at: at.clone(), position, node }]);
                    }
                    out.push(None);
                }
            }
        }
        out
    }

    /// The nest of reductions over the dimensions `reduced` of the graph's space. Gives the results that are
    /// in registers.
    pub(super) fn reduce_nest(
        &mut self,
        graph: &mut Graph,
        reduced: &Dims,
        reductions: Vec<Reduction>,
        outputs: Vec<Output>,
    ) -> Vec<Option<KValue>> {
        let mut is_reduced: SmallVec<[bool; 8]> = SmallVec::new();
        for (d, factors) in graph.factors.iter().enumerate() {
            is_reduced.extend(factors.iter().map(|_| reduced.contains(&d)));
        }
        if (0..graph.atoms.len()).all(|a| !is_reduced[a] || graph.atoms[a] == 1) {
            return self.single_elements(graph, reductions, outputs);
        }
        let (loops, arithmetic) = {
            let roots = reductions.iter().map(|r| r.node).chain(outputs.iter().map(|o| o.node));
            let positions = (outputs.iter().map(|o| &o.position))
                .chain(reductions.iter().filter_map(|r| r.out.as_ref().map(|o| &o.1)));
            let forms = forms(graph, roots, positions);
            let same = |a: u32, b: u32| is_reduced[a as usize] == is_reduced[b as usize];
            (collapse(graph, &forms, same), arithmetic(graph, &forms) + reductions.len() as u32)
        };
        let (reduced, kept): (Atoms, Atoms) =
            loops.atoms.iter().copied().partition(|&(a, _)| is_reduced[a as usize]);
        let count: i64 = reduced.iter().map(|r| r.1).product();
        let columns = kept.last().copied().filter(|k| Some(k) == loops.atoms.last());
        let work = Work { reductions, outputs, kept, reduced, count, arithmetic };
        if columns.is_none() && !work.by_rows() {
            return self.reduce_stored(graph, &is_reduced, work.reductions, work.outputs);
        }
        let mut e = Emission::new(graph);
        let floor = self.b.set_floor();
        let mut results = vec![None; work.reductions.len()];
        match columns {
            Some(column) => {
                let outer = work.kept.len() - 1;
                let atoms: Atoms = work.kept[..outer].into();
                let each = count as usize * column.1 as usize;
                let es = std::slice::from_mut(&mut e);
                self.over(es, &atoms, each, arithmetic, &mut |l, es| l.columns(&mut es[0], &work, column));
            }
            None => {
                let atoms = work.kept.clone();
                let es = std::slice::from_mut(&mut e);
                self.over(es, &atoms, count as usize, arithmetic, &mut |l, es| {
                    l.row_of_results(&mut es[0], &work, &mut results);
                });
            }
        }
        self.b.restore_floor(floor);
        results
    }

    /// The reductions at one point of the kept atoms; gives those in registers.
    pub(super) fn row_of_results(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        results: &mut [Option<KValue>],
    ) {
        let totals = if work.free() {
            self.free_totals(e, work, &work.reduced)
        } else {
            self.totals(e, work, &work.reduced)
        };
        for (k, (r, total)) in work.reductions.iter().zip(totals).enumerate() {
            let init = self.b.outer(r.init, r.elem);
            let value = self.b.binary(scalar::combining(r.combine), init, total);
            match &r.out {
                None => results[k] = Some(value),
                Some((at, position)) => {
                    let access = self.access(e, at, position);
                    self.b.store(access, value);
                }
            }
        }
    }

    /// Reductions of one element each.
    fn single_elements(
        &mut self,
        graph: &mut Graph,
        reductions: Vec<Reduction>,
        mut outputs: Vec<Output>,
    ) -> Vec<Option<KValue>> {
        let mut results = vec![None; reductions.len()];
        let mut scalars = Vec::new();
        for (k, r) in reductions.into_iter().enumerate() {
            let init = graph.node(super::graph::NodeOp::Outer(r.init), r.elem);
            let node = graph.op(KOp::Binary(scalar::combining(r.combine)), &[init, r.node], r.elem);
            match r.out {
                Some((at, position)) => outputs.push(Output { at, position, node }),
                None => scalars.push((k, node)),
            }
        }
        let floor = self.b.set_floor();
        let mut e = Emission::new(graph);
        for (k, node) in scalars {
            results[k] = Some(self.emit(&mut e, &[node])[0]);
        }
        self.b.restore_floor(floor);
        if !outputs.is_empty() {
            self.nest(graph, &outputs);
        }
        results
    }

    /// Loops over kept atoms around `body`, the outermost cut for threads if there is enough work: `each`
    /// elements of `arithmetic` per trip.
    pub(super) fn over(
        &mut self,
        es: &mut [Emission<'_>],
        atoms: &[(u32, i64)],
        each: usize,
        arithmetic: u32,
        body: &mut dyn FnMut(&mut Self, &mut [Emission<'_>]),
    ) {
        let Some((&(atom, extent), inner)) = atoms.split_first() else {
            es.iter_mut().for_each(Emission::afresh);
            return body(self, es);
        };
        let bind = |es: &mut [Emission<'_>], counter: KValue| {
            es.iter_mut().for_each(|e| e.bind[atom as usize] = Binding::counter(counter));
        };
        let per_trip = each.saturating_mul(inner.iter().map(|a| a.1 as usize).product());
        if self.may_outline()
            && let Some(grain) = cost::grain(per_trip.saturating_mul(extent as usize), arithmetic, 3)
        {
            let grain = grain.div_ceil(per_trip.max(1)) as i64;
            if extent >= 2 * grain {
                let saved: Vec<_> = es.iter().map(|e| e.bind.clone()).collect();
                self.outline(extent, grain, |l, from, to| {
                    es.iter_mut().for_each(Emission::import_bindings);
                    let counter = l.b.open(&[Scalar::I64])[0];
                    bind(es, counter);
                    l.over(es, inner, each, arithmetic, body);
                    let bounds = (Extent::Value(from), Extent::Value(to));
                    l.b.end_for(bounds, LoopKind::Sequential, &[], &[]);
                });
                for (e, saved) in es.iter_mut().zip(saved) {
                    e.bind = saved;
                    e.afresh();
                }
                return;
            }
        }
        let counter = self.b.open(&[Scalar::I64])[0];
        bind(es, counter);
        self.over(es, inner, each, arithmetic, body);
        self.b.end_for((Extent::Const(0), Extent::Const(extent)), LoopKind::Sequential, &[], &[]);
        es.iter_mut().for_each(Emission::afresh);
    }

    /// Binds the reduced atoms to the element number `position` of the reduction.
    fn bind_reduced(&mut self, e: &mut Emission<'_>, reduced: &[(u32, i64)], position: Binding) {
        if let [(atom, _)] = reduced {
            e.bind[*atom as usize] = position;
            return;
        }
        let mut rest = self.sum(position.offset, &position.terms);
        for (k, &(atom, extent)) in reduced.iter().enumerate().rev() {
            let mut index = rest;
            if k > 0 {
                let size = self.b.int(extent);
                index = self.b.binary(KBinary::RemU, rest, size);
                rest = self.b.binary(KBinary::DivU, rest, size);
            }
            e.bind[atom as usize] = Binding::counter(index);
        }
    }

    /// Reductions whose blocks would cut across rows: what they reduce is stored first, in the order in which it
    /// is reduced.
    fn reduce_stored(
        &mut self,
        graph: &Graph,
        is_reduced: &[bool],
        reductions: Vec<Reduction>,
        mut outputs: Vec<Output>,
    ) -> Vec<Option<KValue>> {
        let mut position = Affine::default();
        let mut step = 1;
        for part in [true, false] {
            for a in (0..graph.atoms.len()).rev().filter(|&a| is_reduced[a] == part) {
                position.add_term(Var::Atom(a as u32), step);
                step *= graph.atoms[a];
            }
        }
        let count: i64 = (0..graph.atoms.len()).filter(|&a| is_reduced[a]).map(|a| graph.atoms[a]).product();
        let (count, kept) = (count as usize, (step / count) as usize);
        let mut stored = Graph::new(&[kept, count], false);
        let here = stored.here();
        let (row, element) = (stored.indices(here)[0].clone(), stored.position(here, &[kept, count]));
        let mut next = Vec::new();
        for r in reductions {
            let at = self.scratch(r.elem, &[kept, count]);
            outputs.push(Output { at: at.clone(), position: position.clone(), node: r.node });
            let node = stored.node(super::graph::NodeOp::Load(at, element.clone()), r.elem);
            next.push(Reduction { node, out: r.out.map(|(at, _)| (at, row.clone())), ..r });
        }
        self.nest(graph, &outputs);
        self.memory.tick();
        self.reduce_nest(&mut stored, &smallvec![1], next, Vec::new())
    }

    /// Totals where the order does not matter: row by row.
    fn free_totals(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        reduced: &[(u32, i64)],
    ) -> SmallVec<[KValue; 4]> {
        let [(atom, extent), inner @ ..] = reduced else { unreachable!("something is reduced") };
        if inner.is_empty() {
            return self.totals(e, work, reduced);
        }
        let inits: SmallVec<[KValue; 4]> = work
            .reductions
            .iter()
            .map(|r| self.b.bits(scalar::identity(r.combine, r.elem), r.elem))
            .collect();
        let mut params: SmallVec<[Scalar; 4]> = smallvec![Scalar::I64];
        params.extend(work.types());
        let params = self.b.open(&params);
        e.bind[*atom as usize] = Binding::counter(params[0]);
        let totals = self.free_totals(e, work, inner);
        let next: SmallVec<[KValue; 4]> = (work.reductions.iter().enumerate())
            .map(|(k, r)| self.b.binary(scalar::combining(r.combine), params[1 + k], totals[k]))
            .collect();
        let bounds = (Extent::Const(0), Extent::Const(*extent));
        let out = self.b.end_for(bounds, LoopKind::Sequential, &inits, &next);
        e.afresh();
        out.into_iter().collect()
    }

    /// Totals over the elements of `reduced`, the innermost dimension of all.
    fn totals(&mut self, e: &mut Emission<'_>, work: &Work, reduced: &[(u32, i64)]) -> SmallVec<[KValue; 4]> {
        let block = BLOCK as i64;
        let n: i64 = reduced.iter().map(|r| r.1).product();
        let blocks = n / block + (n % block != 0) as i64;
        if blocks == 1 {
            return self.lanes(e, work, reduced, Binding::default(), n);
        }
        if blocks <= UNROLLED_BLOCKS && (blocks == 2 || work.arithmetic <= UNROLLED_ARITHMETIC) {
            let mut partials: Vec<SmallVec<[KValue; 4]>> = (0..blocks)
                .map(|k| {
                    let base = Binding::constant(k * block);
                    self.lanes(e, work, reduced, base, block.min(n - k * block))
                })
                .collect();
            let mut width = (blocks as usize).next_power_of_two() / 2;
            while width >= 1 {
                for l in 0..partials.len().saturating_sub(width) {
                    for (k, r) in work.reductions.iter().enumerate() {
                        let op = scalar::combining(r.combine);
                        partials[l][k] = self.b.binary(op, partials[l][k], partials[l + width][k]);
                    }
                }
                partials.truncate(width);
                width /= 2;
            }
            return partials.swap_remove(0);
        }
        let buffers: SmallVec<[Temporary; 2]> =
            work.reductions.iter().map(|r| self.temporary(r.elem, blocks as usize)).collect();
        let (full, rest) = (n / block, n % block);
        let grain = self
            .may_outline()
            .then(|| cost::grain(n as usize, work.arithmetic, 2))
            .flatten()
            .map(|g| g.div_ceil(BLOCK) as i64)
            .filter(|&g| full >= 2 * g);
        match grain {
            Some(grain) => {
                let saved = e.bind.clone();
                self.outline(full, grain, |l, from, to| {
                    e.import_bindings();
                    l.block_loop(e, work, reduced, &buffers, (Extent::Value(from), Extent::Value(to)));
                });
                e.bind = saved;
                e.afresh();
            }
            None => self.block_loop(e, work, reduced, &buffers, (Extent::Const(0), Extent::Const(full))),
        }
        if rest > 0 {
            let base = Binding::constant(full * block);
            let totals = self.lanes(e, work, reduced, base, rest);
            for (buffer, total) in buffers.iter().zip(totals) {
                let access = self.at_temporary(buffer, full, &[]);
                self.b.store(access, total);
            }
        }
        let mut out = SmallVec::new();
        for (buffer, r) in buffers.iter().zip(&work.reductions) {
            self.tree(buffer, blocks, 1, r.combine);
            let access = self.at_temporary(buffer, 0, &[]);
            out.push(self.b.load_here(access));
        }
        out
    }

    /// Totals of whole blocks, each stored at its number.
    fn block_loop(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        reduced: &[(u32, i64)],
        buffers: &[Temporary],
        bounds: (Extent, Extent),
    ) {
        let k = self.b.open(&[Scalar::I64])[0];
        let base = Binding::scaled(k, BLOCK as i64);
        let totals = self.lanes(e, work, reduced, base, BLOCK as i64);
        for (buffer, total) in buffers.iter().zip(totals) {
            let access = self.at_temporary(buffer, 0, &[(k, 1)]);
            self.b.store(access, total);
        }
        self.b.end_for(bounds, LoopKind::Sequential, &[], &[]);
        e.afresh();
    }

    /// The loop of lanes over `len` elements from `base` on; gives its totals.
    fn lanes(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        reduced: &[(u32, i64)],
        mut base: Binding,
        len: i64,
    ) -> SmallVec<[KValue; 4]> {
        e.afresh();
        let mut params: SmallVec<[Scalar; 4]> = smallvec![Scalar::I64];
        params.extend(work.types());
        let params = self.b.open(&params);
        match reduced {
            // Whole blocks of one row: the row is found once per block.
            [outer @ .., (atom, extent)] if !outer.is_empty() && extent % BLOCK as i64 == 0 => {
                let block = BLOCK as i64;
                let number: SmallVec<[(KValue, i64); 2]> =
                    base.terms.iter().map(|&(v, c)| (v, c / block)).collect();
                let number = self.sum(base.offset / block, &number);
                let per_row = self.b.int(extent / block);
                let row = self.b.binary(KBinary::DivU, number, per_row);
                let part = self.b.binary(KBinary::RemU, number, per_row);
                self.bind_reduced(e, outer, Binding::counter(row));
                e.bind[*atom as usize] = {
                    let mut b = Binding::scaled(part, block);
                    b.terms.push((params[0], 1));
                    b
                };
            }
            _ => {
                base.terms.push((params[0], 1));
                self.bind_reduced(e, reduced, base);
            }
        }
        let values = self.emit(e, &work.roots());
        let mut next: SmallVec<[KValue; 4]> = SmallVec::new();
        for (k, r) in work.reductions.iter().enumerate() {
            let op = KOp::Binary(scalar::combining(r.combine));
            next.push(self.b.push(op, &[params[1 + k], values[k]], &[r.elem])[0]);
        }
        for (o, &value) in work.outputs.iter().zip(&values[work.reductions.len()..]) {
            let access = self.access(e, &o.at, &o.position);
            self.b.store(access, value);
        }
        let kind = LoopKind::Lanes(work.reductions.iter().map(|r| r.combine).collect());
        let totals = self.b.end_for((Extent::Const(0), Extent::Const(len)), kind, &[], &next);
        e.afresh();
        totals.into_iter().collect()
    }

    /// Reductions whose innermost dimension `column` is kept: tile after tile of columns.
    fn columns(&mut self, e: &mut Emission<'_>, work: &Work, column: (u32, i64)) {
        let free = work.reductions.iter().all(|r| scalar::order_free(r.combine, r.elem));
        let lanes = if free { 1 } else { LANES };
        let bytes: usize = work.reductions.iter().map(|r| r.elem.size()).sum::<usize>().max(1);
        let tile = ((TILE_BYTES / lanes / bytes) as i64).min(column.1);
        let (full, rest) = (column.1 / tile, column.1 % tile);
        let each = (work.count * tile) as usize;
        let grain = (self.may_outline() && full > 1)
            .then(|| cost::grain(each * full as usize, work.arithmetic, 3))
            .flatten()
            .map(|g| g.div_ceil(each) as i64)
            .filter(|&g| full >= 2 * g);
        let base = |k: KValue| Binding::scaled(k, tile);
        if let Some(grain) = grain {
            let saved = e.bind.clone();
            self.outline(full, grain, |l, from, to| {
                e.import_bindings();
                let k = l.b.open(&[Scalar::I64])[0];
                l.column_tile(e, work, lanes as i64, (column.0, base(k)), tile);
                l.b.end_for((Extent::Value(from), Extent::Value(to)), LoopKind::Sequential, &[], &[]);
            });
            e.bind = saved;
            e.afresh();
        } else if full == 1 {
            self.column_tile(e, work, lanes as i64, (column.0, Binding::default()), tile);
        } else {
            let k = self.b.open(&[Scalar::I64])[0];
            self.column_tile(e, work, lanes as i64, (column.0, base(k)), tile);
            self.b.end_for((Extent::Const(0), Extent::Const(full)), LoopKind::Sequential, &[], &[]);
        }
        if rest > 0 {
            let base = Binding::constant(full * tile);
            self.column_tile(e, work, lanes as i64, (column.0, base), rest);
        }
    }

    /// All rows of `width` columns from a base on.
    fn column_tile(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        lanes: i64,
        column: (u32, Binding),
        width: i64,
    ) {
        let block = if lanes == 1 { work.count } else { BLOCK as i64 };
        let blocks = work.count.div_euclid(block) + (work.count % block != 0) as i64;
        let columns = Columns { lanes, atom: column.0, base: column.1, width };
        if blocks == 1 {
            let rows = self.accumulators(work, &columns);
            self.rows(e, work, &columns, &rows, Binding::default(), work.count);
            return self.store_totals(e, work, &columns, &rows);
        }
        let partials: SmallVec<[Temporary; 2]> =
            work.reductions.iter().map(|r| self.temporary(r.elem, (blocks * width) as usize)).collect();
        let (full, rest) = (work.count / block, work.count % block);
        let grain = self
            .may_outline()
            .then(|| cost::grain((work.count * width) as usize, work.arithmetic, 3))
            .flatten()
            .map(|g| g.div_ceil((block * width) as usize) as i64)
            .filter(|&g| full >= 2 * g);
        let one_block = |l: &mut Self, e: &mut Emission<'_>, c: &Columns, bounds: (Extent, Extent)| {
            let rows = l.accumulators(work, c);
            let k = l.b.open(&[Scalar::I64])[0];
            let base = Binding::scaled(k, block);
            l.rows(e, work, c, &rows, base, block);
            for (partial, row) in partials.iter().zip(&rows) {
                l.move_row(row, partial, &[(k, width)], 0, width);
            }
            l.b.end_for(bounds, LoopKind::Sequential, &[], &[]);
        };
        match grain {
            Some(grain) => {
                let saved = e.bind.clone();
                self.outline(full, grain, |l, from, to| {
                    e.import_bindings();
                    let mut inside = columns.clone();
                    for (v, _) in &mut inside.base.terms {
                        *v = l.b.outer(*v, Scalar::I64);
                    }
                    one_block(l, e, &inside, (Extent::Value(from), Extent::Value(to)));
                });
                e.bind = saved;
                e.afresh();
            }
            None => one_block(self, e, &columns, (Extent::Const(0), Extent::Const(full))),
        }
        if rest > 0 {
            let rows = self.accumulators(work, &columns);
            let base = Binding::constant(full * block);
            self.rows(e, work, &columns, &rows, base, rest);
            for (partial, row) in partials.iter().zip(&rows) {
                self.move_row(row, partial, &[], full * width, width);
            }
        }
        for (partial, r) in partials.iter().zip(&work.reductions) {
            self.tree(partial, blocks, width, r.combine);
        }
        self.store_totals(e, work, &columns, &partials);
    }

    fn accumulators(&mut self, work: &Work, columns: &Columns) -> SmallVec<[Temporary; 2]> {
        let len = columns.lanes.min(work.count) * columns.width;
        work.reductions.iter().map(|r| self.temporary(r.elem, len as usize)).collect()
    }

    /// Accumulates `count` rows from `base` on into lanes, and the lanes into the first.
    fn rows(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        columns: &Columns,
        rows: &[Temporary],
        base: Binding,
        count: i64,
    ) {
        let (lanes, width) = (columns.lanes, columns.width);
        let used = lanes.min(count);
        let t = self.b.open(&[Scalar::I64])[0];
        for (row, r) in rows.iter().zip(&work.reductions) {
            let identity = self.b.bits(scalar::identity(r.combine, r.elem), r.elem);
            let access = self.at_temporary(row, 0, &[(t, 1)]);
            self.b.store(access, identity);
        }
        self.b.end_for((Extent::Const(0), Extent::Const(used * width)), LoopKind::Vector, &[], &[]);
        let (full, rest) = (count / lanes, count % lanes);
        if lanes == 1 {
            let i = self.b.open(&[Scalar::I64])[0];
            let mut at = base;
            at.terms.push((i, 1));
            self.row(e, work, columns, rows, at, None);
            self.b.end_for((Extent::Const(0), Extent::Const(count)), LoopKind::Sequential, &[], &[]);
        } else {
            if full > 0 {
                let i = self.b.open(&[Scalar::I64])[0];
                let l = self.b.open(&[Scalar::I64])[0];
                let mut at = base.clone();
                at.terms.push((i, lanes));
                at.terms.push((l, 1));
                self.row(e, work, columns, rows, at, Some(l));
                self.b.end_for((Extent::Const(0), Extent::Const(lanes)), LoopKind::Sequential, &[], &[]);
                self.b.end_for((Extent::Const(0), Extent::Const(full)), LoopKind::Sequential, &[], &[]);
            }
            if rest > 0 {
                let l = self.b.open(&[Scalar::I64])[0];
                let mut at = base;
                at.offset += full * lanes;
                at.terms.push((l, 1));
                self.row(e, work, columns, rows, at, Some(l));
                self.b.end_for((Extent::Const(0), Extent::Const(rest)), LoopKind::Sequential, &[], &[]);
            }
        }
        e.afresh();
        for (row, r) in rows.iter().zip(&work.reductions) {
            self.tree_of(row, used, lanes, width, r.combine);
        }
    }

    /// One row into the accumulators of its lane.
    fn row(
        &mut self,
        e: &mut Emission<'_>,
        work: &Work,
        columns: &Columns,
        rows: &[Temporary],
        at: Binding,
        lane: Option<KValue>,
    ) {
        e.afresh();
        self.bind_reduced(e, &work.reduced, at);
        let j = self.b.open(&[Scalar::I64])[0];
        let mut column = columns.base.clone();
        column.terms.push((j, 1));
        e.bind[columns.atom as usize] = column;
        let values = self.emit(e, &work.roots());
        let mut terms: SmallVec<[(KValue, i64); 4]> = smallvec![(j, 1)];
        if let Some(lane) = lane {
            add_term(&mut terms, lane, columns.width);
        }
        for (k, r) in work.reductions.iter().enumerate() {
            let access = self.at_temporary(&rows[k], 0, &terms);
            let old = self.b.load_here(access.clone());
            let op = KOp::Binary(scalar::combining(r.combine));
            let new = self.b.push(op, &[old, values[k]], &[r.elem])[0];
            self.b.store(access, new);
        }
        for (o, &value) in work.outputs.iter().zip(&values[work.reductions.len()..]) {
            let access = self.access(e, &o.at, &o.position);
            self.b.store(access, value);
        }
        self.b.end_for((Extent::Const(0), Extent::Const(columns.width)), LoopKind::Vector, &[], &[]);
        e.afresh();
    }

    /// Initial values and totals (the first row of each buffer) into the results.
    fn store_totals(&mut self, e: &mut Emission<'_>, work: &Work, columns: &Columns, totals: &[Temporary]) {
        e.afresh();
        let j = self.b.open(&[Scalar::I64])[0];
        let mut column = columns.base.clone();
        column.terms.push((j, 1));
        e.bind[columns.atom as usize] = column;
        for (total, r) in totals.iter().zip(&work.reductions) {
            let access = self.at_temporary(total, 0, &[(j, 1)]);
            let value = self.b.load_here(access);
            let init = self.b.outer(r.init, r.elem);
            let value = self.b.push(KOp::Binary(scalar::combining(r.combine)), &[init, value], &[r.elem])[0];
            let (at, position) = r.out.as_ref().expect("columns are kept");
            let access = self.access(e, at, position);
            self.b.store(access, value);
        }
        self.b.end_for((Extent::Const(0), Extent::Const(columns.width)), LoopKind::Vector, &[], &[]);
        e.afresh();
    }

    /// Copies the first `width` elements of a buffer to a place in another.
    fn move_row(
        &mut self,
        from: &Temporary,
        to: &Temporary,
        terms: &[(KValue, i64)],
        offset: i64,
        width: i64,
    ) {
        let j = self.b.open(&[Scalar::I64])[0];
        let access = self.at_temporary(from, 0, &[(j, 1)]);
        let value = self.b.load_here(access);
        let mut terms: SmallVec<[(KValue, i64); 4]> = terms.into();
        terms.push((j, 1));
        let access = self.at_temporary(to, offset, &terms);
        self.b.store(access, value);
        self.b.end_for((Extent::Const(0), Extent::Const(width)), LoopKind::Vector, &[], &[]);
    }

    /// Combines `rows` rows of `width` elements pairwise into the first, over the next power of two.
    fn tree(&mut self, buffer: &Temporary, rows: i64, width: i64, combine: Combine) {
        self.tree_of(buffer, rows, (rows as u64).next_power_of_two() as i64, width, combine);
    }

    fn tree_of(&mut self, buffer: &Temporary, mut rows: i64, of: i64, width: i64, combine: Combine) {
        let mut half = of / 2;
        while half >= 1 {
            if rows > half {
                let t = self.b.open(&[Scalar::I64])[0];
                let to = self.at_temporary(buffer, 0, &[(t, 1)]);
                let from = self.at_temporary(buffer, half * width, &[(t, 1)]);
                let (a, b) = (self.b.load_here(to.clone()), self.b.load_here(from));
                let ty = self.b.ty(a);
                let sum = self.b.push(KOp::Binary(scalar::combining(combine)), &[a, b], &[ty])[0];
                self.b.store(to, sum);
                let n = (rows - half) * width;
                self.b.end_for((Extent::Const(0), Extent::Const(n)), LoopKind::Vector, &[], &[]);
                rows = half;
            }
            half /= 2;
        }
    }

    fn temporary(&mut self, elem: Scalar, len: usize) -> Temporary {
        if self.b.imports.is_some() {
            Temporary::Local(self.b.local(elem, len))
        } else {
            Temporary::Scratch(self.scratch(elem, &[len]))
        }
    }

    fn at_temporary(&mut self, buffer: &Temporary, offset: i64, terms: &[(KValue, i64)]) -> Access {
        let mut access = match buffer {
            Temporary::Scratch(at) => self.element(at, offset),
            Temporary::Local(mem) => Access { mem: *mem, offset, terms: SmallVec::new() },
        };
        terms.iter().for_each(|&(v, c)| add_term(&mut access.terms, v, c));
        access
    }

    /// A reduction by a function of its own: in row-major order, one element after the other.
    pub(super) fn reduce_func(
        &mut self,
        s: &mut Scope<'m>,
        inst: &'m Inst,
        reduce: &Reduce,
    ) -> Result<(), LowerError> {
        let Reducer::Func(body) = reduce.reducer else {
            return Err(s.refuse(inst, "its sizes are not known"));
        };
        let n = reduce.inputs;
        let space = s.ty(inst.operands[0]).shape.clone();
        let mut state: SmallVec<[KValue; 4]> = SmallVec::new();
        for &init in &inst.operands[n..2 * n] {
            state.push(self.scalar_of(s, init)?);
        }
        let mut captures = Vec::new();
        for &c in &inst.operands[2 * n..] {
            captures.push(self.argument(s, c)?);
        }
        let empty = space.contains(&0);
        let (graph, nodes) = if empty {
            (Graph::new(&[], false), Vec::new())
        } else {
            self.graph(&space, false, |l, g| {
                (inst.operands[..n].iter())
                    .map(|&v| Ok(l.member(g, s, v)?.1))
                    .collect::<Result<Vec<_>, Stop>>()
            })?
        };
        let position = kept_position(&graph, &space, &reduce.dims, empty);
        let mut targets: Vec<Option<At>> = Vec::new();
        for &v in &inst.results {
            let at = (s.ty(v).rank() > 0).then(|| self.target(s, v, &[]));
            s.stored[v] = at.clone().map(Stored::Memory);
            targets.push(at);
        }
        if empty {
            for ((&v, target), &init) in inst.results.iter().zip(&targets).zip(&state) {
                match target {
                    None => s.stored[v] = Some(Stored::Registers([init].into())),
                    Some(at) if at.len > 0 => {
                        let mut g = Graph::new(&[at.len], true);
                        let here = g.here();
                        let position = g.position(here, &[at.len]);
                        let node = g.node(super::graph::NodeOp::Outer(init), s.elem(v));
                        self.nest(&g, &[Output { at: at.clone(), position, node }]);
                    }
                    Some(_) => {}
                }
            }
            return Ok(());
        }
        let (mut kept, mut reduced) = (Vec::new(), Vec::new());
        let mut atom = 0;
        for (d, factors) in graph.factors.iter().enumerate() {
            for &extent in factors {
                if reduce.dims.contains(&d) { &mut reduced } else { &mut kept }.push((atom, extent));
                atom += 1;
            }
        }
        self.memory.enter_loop();
        let floor = self.b.set_floor();
        let mut e = Emission::new(&graph);
        for &(atom, _) in &kept {
            let i = self.b.open(&[Scalar::I64])[0];
            e.bind[atom as usize] = Binding::counter(i);
        }
        let types: SmallVec<[Scalar; 4]> = inst.results.iter().map(|&v| s.elem(v)).collect();
        let mut inits: Vec<SmallVec<[KValue; 4]>> = Vec::new();
        for &(atom, _) in &reduced {
            inits.push(state.clone());
            let mut params: SmallVec<[Scalar; 4]> = smallvec![Scalar::I64];
            params.extend(types.iter().copied());
            let params = self.b.open(&params);
            e.bind[atom as usize] = Binding::counter(params[0]);
            state = params[1..].into();
        }
        let elements = self.emit(&mut e, &nodes);
        let mut args = captures;
        args.extend(state.iter().chain(&elements).map(|&v| Stored::Registers([v].into())));
        let inner = self.b.set_floor();
        let given = self.region(body, args, vec![None; n])?;
        let mut next: SmallVec<[KValue; 4]> = SmallVec::new();
        for stored in &given {
            next.push(self.scalar_from(stored));
        }
        self.b.restore_floor(inner);
        for (&(_, extent), init) in reduced.iter().zip(&inits).rev() {
            let bounds = (Extent::Const(0), Extent::Const(extent));
            next = self.b.end_for(bounds, LoopKind::Sequential, init, &next).into_iter().collect();
        }
        if reduced.is_empty() {
            // All reduced dimensions have size 1: `next` is the function applied once.
        }
        for ((&v, target), &value) in inst.results.iter().zip(&targets).zip(&next) {
            match target {
                None => s.stored[v] = Some(Stored::Registers([value].into())),
                Some(at) => {
                    let access = self.access(&e, at, &position);
                    self.b.store(access, value);
                }
            }
        }
        for &(_, extent) in kept.iter().rev() {
            self.b.end_for((Extent::Const(0), Extent::Const(extent)), LoopKind::Sequential, &[], &[]);
        }
        self.b.restore_floor(floor);
        self.memory.leave_loop();
        Ok(())
    }

    /// The scalar in a rank-0 result of a region.
    pub(super) fn scalar_from(&mut self, stored: &Stored) -> KValue {
        match stored {
            Stored::Registers(regs) => regs[0],
            Stored::Memory(at) | Stored::Rows(at, _) => self.load_element(at, 0),
            Stored::Splat(_) => unreachable!("scalars are in registers"),
        }
    }
}

/// A tile of columns.
#[derive(Clone)]
struct Columns {
    lanes: i64,
    atom: u32,
    base: Binding,
    width: i64,
}

/// The row-major position among the kept dimensions of the space.
fn kept_position(graph: &Graph, space: &[usize], reduced: &Dims, empty: bool) -> Affine {
    let mut out = Affine::default();
    if empty {
        return out;
    }
    let kept: Dims = (0..space.len()).filter(|d| !reduced.contains(d)).collect();
    let shape: Dims = kept.iter().map(|&d| space[d]).collect();
    let strides = row_major(&shape);
    let mut atom = 0;
    for (d, factors) in graph.factors.iter().enumerate() {
        let mut step: i64 = factors.iter().product();
        for &n in factors {
            step /= n;
            if let Some(k) = kept.iter().position(|&x| x == d) {
                out.add_term(Var::Atom(atom), step * strides[k]);
            }
            atom += 1;
        }
    }
    out
}
