//! Reductions, in the order that the kernel IR's documentation defines.
//!
//! If the innermost dimension is reduced, each block of it is a loop of lanes ([`LoopKind::Lanes`]). If it is
//! kept, blocks run over rows: the lanes are rows of accumulators in memory, and the loop over columns is
//! independent. Either way all reductions and stored values of the kernel are made in one pass.

use super::Lowerer;
use super::columns::{self, Kept};
use super::emit::{Atoms, Binding, Emission, Output};
use super::forms::{arithmetic, collapse, forms};
use super::reduction::{Part, Reduction, Work};
use super::turned::{self, Tile};
use crate::cost::Target;
use crate::lower::LowerError;
use crate::lower::plan::Group;
use crate::lower::plan::classify::is_reduction;
use crate::lower::plan::unrolling::Unrolled;
use crate::lower::plan::views::row_major;
use crate::lower::space::graph::{self, Graph, NodeOp, Stop};
use crate::lower::space::index::{Affine, Var};
use crate::lower::space::scalar;
use crate::lower::space::scope::At;
use crate::lower::space::scope::{Scope, Stored};
use crate::lower::space::sink::Sink;
use smallvec::SmallVec;
use wengert_ir::func::{Inst, Value};
use wengert_ir::kernel::*;
use wengert_ir::op::{Op, Reduce, Reducer};
use wengert_ir::types::Dims;

/// Whether rows of so few elements are summed side by side where they lie. Of 1,500 rows of 5 to 16 numbers, the sums of their hyperbolic
/// tangents were made 5 to 12 times as fast as row by row; sums of what is only read 1.2 to 1.7 times where the rows
/// are of up to 32 bytes, and more slowly where they are longer, as reads of elements so far apart cost more than they save.
fn side_by_side(few: i64, reductions: &[Reduction], arithmetic: u32) -> bool {
    let bytes = |r: &Reduction| few.saturating_mul(r.elem.size() as i64);
    if arithmetic >= COSTLY { few <= ACROSS } else { reductions.iter().all(|r| bytes(r) <= 32) }
}

/// Most elements of a row that is read across where what is computed is expensive.
const ACROSS: i64 = 20;

/// Whether rows of so few elements are turned to be reduced, if they can be: `max` of rows of 10 to 40 numbers is made 2.6 to 1.2 times
/// as fast, sums of hyperbolic tangents of 8 to 20 1.5 times as fast as across; sums of what is only read are not faster.
fn wants_turned(target: &Target, few: i64, reductions: &[Reduction], arithmetic: u32) -> bool {
    let bytes = |r: &Reduction| few.saturating_mul(r.elem.size() as i64);
    let (costly, cheap) = (target.turned.across, target.turned.across_bytes);
    let is_longer =
        if arithmetic >= COSTLY { few > costly } else { reductions.iter().any(|r| bytes(r) > cheap) };
    let free = || reductions.iter().all(|r| scalar::order_free(r.combine, r.elem));
    is_longer && (arithmetic >= DIVIDED || few <= FEW && free())
}

/// Arithmetic per element from which rows are turned: a division of what is read.
const DIVIDED: u32 = 6;

/// Most elements of a row that is turned for a reduction of what is only read.
const FEW: i64 = 40;

/// From so many elements on, a row at a computed place is read whole rather than gathered, with others, element by element.
const HALF: i64 = LANES as i64 / 2;

/// Whether whole rows at computed places are read.
fn gathers_rows(graph: &Graph, live: &[u32], row: u32) -> bool {
    live.iter().any(|&n| {
        let NodeOp::Load(_, index) = &graph.nodes[n as usize].op else { return false };
        let is_computed = index.terms.iter().any(|t| matches!(t.0, Var::Node(_)));
        is_computed && index.coefficient(Var::Atom(row)).abs() == 1
    })
}

/// Arithmetic per element, by [`arithmetic`], from which what is computed counts more than what is read.
const COSTLY: u32 = 8;

/// The innermost trips of loops over kept atoms.
#[derive(Clone, Copy)]
pub(in crate::lower) struct Trips {
    /// Elements of one.
    pub(in crate::lower) each: usize,
    /// For each element.
    pub(in crate::lower) arithmetic: u32,
    /// Whether an outlined kernel has room for what a trip keeps.
    pub(in crate::lower) may_cut: bool,
    /// Whether a block of threads may share the trips, on a device.
    pub(in crate::lower) independent: bool,
}

/// A kernel of the plan, ready for loops.
pub(in crate::lower) struct Prepared {
    pub(in crate::lower) graph: Graph,
    pub(in crate::lower) reductions: Vec<Reduction>,
    pub(in crate::lower) outputs: Vec<Output>,
}

impl<'m> Lowerer<'m> {
    /// Lowers a kernel with reductions.
    pub(in crate::lower) fn reduce_group(
        &mut self,
        s: &mut Scope<'m>,
        group: &Group,
    ) -> Result<(), LowerError> {
        let reduced = group.looped_reduced();
        let reads = group.reads.clone();
        let mut place = |l: &mut Self, s: &mut Scope<'m>, v: Value| l.target(s, v, &reads);
        let Prepared { mut graph, reductions, outputs } = self.prepare(s, group, &mut place)?;
        let scalars = if group.space.contains(&0) {
            self.empty_reductions(&reductions)
        } else {
            self.reduce_nest(&mut graph, &reduced, reductions, outputs)
        };
        let reduces = group.members.iter().filter(|&&id| is_reduction(s.func, &s.func.insts[id]));
        // Of a reduction that is written out there are several, and none is a scalar.
        let copies = group.unrolled.map_or(1, |d| group.space[d]);
        for (&id, scalar) in reduces.zip(scalars.chunks(copies)) {
            if let &[Some(value)] = scalar {
                s.stored[s.func.insts[id].results[0]] = Some(Stored::Registers([value].into()));
            }
        }
        Ok(())
    }

    /// The graph of a kernel of the plan with all it stores; `place` gives memory for a value.
    pub(in crate::lower) fn prepare(
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
            match &inst.op {
                Op::Reduce(r) if is_reduction(func, inst) => reduces.push((inst, r)),
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
        let space = group.looped();
        let copies: SmallVec<[Option<Unrolled>; 4]> = match group.unrolled {
            Some(dim) => {
                let extent = group.space[dim];
                (0..extent).map(|index| Some(Unrolled { dim, extent, index })).collect()
            }
            None => SmallVec::from_slice(&[None]),
        };
        let (graph, (nodes, values)) = if empty {
            (Graph::new(&[], false), (Vec::new(), Vec::new()))
        } else {
            graph::build(self, Graph::new(&space, false), |l, g| {
                let mut members = |l: &mut Self, v: Value| -> Result<Vec<(Affine, u32)>, Stop> {
                    copies.iter().map(|&copy| l.member(g, s, v, copy)).collect()
                };
                let mut nodes = Vec::new();
                for (inst, _) in &reduces {
                    nodes.push(members(l, inst.operands[0])?);
                }
                let values = stored.iter().map(|&v| members(l, v)).collect::<Result<Vec<_>, Stop>>()?;
                Ok((nodes, values))
            })?
        };
        let mut outputs = Vec::new();
        for (k, &v) in stored.iter().enumerate() {
            let at = place(self, s, v);
            s.stored[v] = Some(Stored::Memory(at.clone()));
            for (position, node) in values.get(k).into_iter().flatten() {
                outputs.push(Output { at: at.clone(), position: position.clone(), node: *node });
            }
        }
        let reduced = group.looped_reduced();
        let position = kept_position(&graph, &space, &reduced, empty);
        let kept: usize = (0..space.len()).filter(|d| !reduced.contains(d)).map(|d| space[d]).product();
        let place_of = |copy: Option<Unrolled>| match copy {
            None => position.clone(),
            Some(Unrolled { dim: 0, index, .. }) => position.scaled(1, (index * kept) as i64),
            // The last dimension.
            Some(Unrolled { extent, index, .. }) => position.scaled(extent as i64, index as i64),
        };
        let mut reductions = Vec::new();
        for (k, (inst, _)) in reduces.iter().enumerate() {
            let v = inst.results[0];
            // What a launch gives is in memory.
            let elements = group.space.iter().fold(4usize, |n, &d| n.saturating_mul(d));
            let launched = self.device().is_some_and(|device| elements > device.alone);
            let at = (s.ty(v).rank() > 0 || launched).then(|| place(self, s, v));
            if let Some(at) = &at {
                s.stored[v] = Some(Stored::Memory(at.clone()));
            }
            for (number, &copy) in copies.iter().enumerate() {
                let node = nodes.get(k).map_or(0, |nodes: &Vec<(Affine, u32)>| nodes[number].1);
                let out = at.clone().map(|at| (at, place_of(copy)));
                reductions.push(Reduction {
                    node,
                    combine: combines[k],
                    elem: s.elem(v),
                    init: inits[k],
                    out,
                });
            }
        }
        Ok(Prepared { graph, reductions, outputs })
    }

    /// Results over no elements: the initial value with the identity.
    fn empty_reductions(&mut self, reductions: &[Reduction]) -> Vec<Option<KValue>> {
        let mut out = Vec::new();
        for r in reductions {
            let identity = self.b.bits(r.combine.identity(r.elem), r.elem);
            let value = self.b.binary(r.combine.op(), r.init, identity);
            match &r.out {
                None => out.push(Some(value)),
                Some((at, _)) => {
                    if at.len > 0 {
                        let mut g = Graph::new(&[at.len], true);
                        let here = g.here();
                        let position = g.position(here, &[at.len]);
                        let node = g.node(NodeOp::Outer(value), r.elem);
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
    pub(in crate::lower) fn reduce_nest(
        &mut self,
        graph: &mut Graph,
        reduced: &Dims,
        mut reductions: Vec<Reduction>,
        mut outputs: Vec<Output>,
    ) -> Vec<Option<KValue>> {
        let mut is_reduced: SmallVec<[bool; 8]> = SmallVec::new();
        for (d, factors) in graph.factors.iter().enumerate() {
            is_reduced.extend(factors.iter().map(|_| reduced.contains(&d)));
        }
        if (0..graph.atoms.len()).all(|a| !is_reduced[a] || graph.atoms[a] == 1) {
            return self.single_elements(graph, reductions, outputs);
        }
        let (mut loops, arithmetic, strides, live) = {
            let roots = reductions.iter().map(|r| r.node).chain(outputs.iter().map(|o| o.node));
            let positions = (outputs.iter().map(|o| &o.position))
                .chain(reductions.iter().filter_map(|r| r.out.as_ref().map(|o| &o.1)));
            let forms = forms(graph, roots, positions);
            let same = |a: u32, b: u32| is_reduced[a as usize] == is_reduced[b as usize];
            let loops = collapse(graph, &forms, same);
            let strides = strides(graph, &forms, &loops);
            (loops, arithmetic(graph, &forms) + reductions.len() as u32, strides, forms.live)
        };
        if let Some(device) = self.device() {
            let points = loops.atoms.iter().fold(1usize, |n, a| n.saturating_mul(a.1 as usize));
            if points.saturating_mul(arithmetic as usize) > device.alone {
                let in_order = |k: &usize| strides[*k].in_order as i64 - strides[*k].leaps as i64;
                let last = |reduced: bool| {
                    (0..loops.atoms.len()).rfind(|&k| is_reduced[loops.atoms[k].0 as usize] == reduced)
                };
                let by_rows =
                    last(false).is_none_or(|k| last(true).is_some_and(|r| in_order(&r) >= in_order(&k)));
                let (reduced, kept): (Atoms, Atoms) =
                    loops.atoms.iter().copied().partition(|&(a, _)| is_reduced[a as usize]);
                let count = reduced.iter().map(|r| r.1).product();
                let work = Work { reductions, outputs, kept, reduced, count, arithmetic, joint: false };
                return self.launch_reduction(graph, &work, by_rows);
            }
        }
        // A kept dimension along which memory is read in order is better innermost than a reduced one that leaps, and than a kept one
        // where only the few results are written in order.
        let in_order = |k: usize| strides[k].in_order as i64 - strides[k].leaps as i64;
        if let Some(last) = loops.atoms.len().checked_sub(1)
            && (is_reduced[loops.atoms[last].0 as usize] || outputs.is_empty())
            && strides[last].leaps > 0
            && let Some(column) = (0..last)
                .filter(|&k| !is_reduced[loops.atoms[k].0 as usize] && loops.atoms[k].1 >= LANES as i64)
                .max_by_key(|&k| (in_order(k), k))
            && in_order(column) > in_order(last)
        {
            let column = loops.atoms.remove(column);
            loops.atoms.push(column);
        }
        if let [(row, count), (along, few)] = loops.atoms[..]
            && is_reduced[along as usize]
            && !is_reduced[row as usize]
            && reductions.iter().all(|r| r.out.is_some())
            && wants_turned(self.options.target, few, &reductions, arithmetic)
            && let Some(size) = turned::tile_size(self.options.target, count, few, reductions[0].elem.size())
        {
            let reduced: Atoms = SmallVec::from_slice(&[(along, few)]);
            let work = Work {
                reductions,
                outputs,
                kept: Atoms::new(),
                reduced,
                count: few,
                arithmetic,
                joint: false,
            };
            let results = vec![None; work.reductions.len()];
            let mut part = Part::Reduce(work);
            let graphs = std::slice::from_mut(&mut *graph);
            let tile = Tile { row, count, size };
            if self.emit_turned(
                graphs,
                std::slice::from_mut(&mut part),
                tile,
                &[],
                (few as usize, arithmetic),
            ) {
                return results;
            }
            let Part::Reduce(work) = part else { unreachable!("as above") };
            (reductions, outputs) = (work.reductions, work.outputs);
        }
        // Neither do rows of a few elements fill vectors: many of them are vectors of elements some places apart.
        if let [.., (column, many), (row, few)] = loops.atoms[..]
            && is_reduced[row as usize]
            && !is_reduced[column as usize]
            && many >= 2 * LANES as i64
            && side_by_side(few, &reductions, arithmetic)
            && !(few >= HALF && gathers_rows(graph, &live, row))
        {
            let last = loops.atoms.len() - 1;
            loops.atoms.swap(last - 1, last);
        }
        let (reduced, kept): (Atoms, Atoms) =
            loops.atoms.iter().copied().partition(|&(a, _)| is_reduced[a as usize]);
        let count: i64 = reduced.iter().map(|r| r.1).product();
        // On a device results are independent of each other, if each needs no memory.
        let independent = self.on_device() && count <= BLOCK as i64;
        let columns = kept.last().copied().filter(|k| Some(k) == loops.atoms.last() && !independent);
        let joint = columns.is_some_and(|column| rows_go_on(graph, &reductions, &outputs, &reduced, column));
        let band = columns.and_then(|c| band(self.options.target.narrow, graph, &live, &kept, c));
        // Few columns that nothing makes long fill no vectors.
        let few = columns.is_some_and(|(_, n)| {
            band.is_none() && !joint && self.options.target.few_are_better_stored(arithmetic, n as usize)
        });
        let work = Work { reductions, outputs, kept, reduced, count, arithmetic, joint };
        if few || columns.is_none() && !work.by_rows() && !independent {
            return self.reduce_stored(graph, &is_reduced, work.reductions, work.outputs);
        }
        let mut e = Emission::new(graph);
        let floor = self.b.set_floor();
        let mut results = vec![None; work.reductions.len()];
        match columns {
            Some(column) => {
                let kept: Kept = band.into_iter().chain([column]).collect();
                let atoms: Atoms = work.kept.iter().copied().filter(|k| !kept.contains(k)).collect();
                let each = count * kept.iter().map(|k| k.1).product::<i64>();
                let es = std::slice::from_mut(&mut e);
                let body = &mut |l: &mut Self, es: &mut [Emission<'_>]| l.columns(&mut es[0], &work, &kept);
                let may_cut = columns::fits(self.options.target, &work, &kept);
                let trips = Trips { each: each as usize, arithmetic, may_cut, independent };
                self.over(es, &atoms, trips, body);
            }
            None => {
                let atoms = work.kept.clone();
                let es = std::slice::from_mut(&mut e);
                let may_cut = work.row_bytes() <= MOST_LOCAL;
                let trips = Trips { each: count as usize, arithmetic, may_cut, independent };
                self.over(es, &atoms, trips, &mut |l, es| {
                    l.row_of_results(&mut es[0], &work, &mut results);
                });
            }
        }
        self.b.restore_floor(floor);
        results
    }

    /// The reductions at one point of the kept atoms; gives those in registers.
    pub(in crate::lower) fn row_of_results(
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
            let value = self.b.binary(r.combine.op(), init, total);
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
            let init = graph.node(NodeOp::Outer(r.init), r.elem);
            let node = graph.op(KOp::Binary(r.combine.op()), &[init, r.node], r.elem);
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

    /// Loops over kept atoms around `body`, the outermost cut for threads if there is enough work.
    pub(in crate::lower) fn over(
        &mut self,
        es: &mut [Emission<'_>],
        atoms: &[(u32, i64)],
        trips: Trips,
        body: &mut dyn FnMut(&mut Self, &mut [Emission<'_>]),
    ) {
        let Some((&(atom, extent), inner)) = atoms.split_first() else {
            es.iter_mut().for_each(Emission::afresh);
            return body(self, es);
        };
        let bind = |es: &mut [Emission<'_>], counter: KValue| {
            es.iter_mut().for_each(|e| e.bind[atom as usize] = Binding::counter(counter));
        };
        let per_trip = trips.each.saturating_mul(inner.iter().map(|a| a.1 as usize).product());
        let grain = self.grain(extent, per_trip, trips.arithmetic, 3);
        if let Some(grain) = grain.filter(|_| trips.may_cut) {
            let saved: Vec<_> = es.iter().map(|e| e.bind.clone()).collect();
            self.outline(extent, grain, |l, from, to| {
                es.iter_mut().for_each(Emission::import_bindings);
                let counter = l.b.open(&[Scalar::I64])[0];
                bind(es, counter);
                l.over(es, inner, trips, body);
                let bounds = (Extent::Value(from), Extent::Value(to));
                l.b.end_for(bounds, LoopKind::Sequential, &[], &[]);
            });
            for (e, saved) in es.iter_mut().zip(saved) {
                e.bind = saved;
                e.afresh();
            }
            return;
        }
        let counter = self.b.open(&[Scalar::I64])[0];
        bind(es, counter);
        self.over(es, inner, trips, body);
        let kind = if trips.independent { LoopKind::Vector } else { LoopKind::Sequential };
        self.b.end_for((Extent::Const(0), Extent::Const(extent)), kind, &[], &[]);
        es.iter_mut().for_each(Emission::afresh);
    }

    /// Binds the reduced atoms to the element number `position` of the reduction.
    pub(in crate::lower) fn bind_reduced(
        &mut self,
        e: &mut Emission<'_>,
        reduced: &[(u32, i64)],
        position: Binding,
    ) {
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
}

/// How the loads of a graph move along one loop.
#[derive(Clone, Copy, Default)]
struct Strides {
    /// Those that go to the next element.
    in_order: u32,
    /// Those that go further.
    leaps: u32,
}

/// How the loads of a graph move along each loop.
fn strides(graph: &Graph, forms: &super::forms::Forms<'_>, loops: &super::emit::Loops) -> Vec<Strides> {
    let mut out = vec![Strides::default(); loops.atoms.len()];
    for &n in &forms.live {
        let NodeOp::Load(_, index) = &graph.nodes[n as usize].op else { continue };
        for (stride, &(atom, _)) in out.iter_mut().zip(&loops.atoms) {
            match index.coefficient(Var::Atom(atom)) {
                0 => {}
                -1 | 1 => stride.in_order += 1,
                _ => stride.leaps += 1,
            }
        }
    }
    out
}

/// Of the loops over kept atoms, the one that goes on in memory where a short `column` ends.
fn band(narrow: i64, graph: &Graph, live: &[u32], kept: &Atoms, column: (u32, i64)) -> Option<(u32, i64)> {
    if column.1 > narrow {
        return None;
    }
    let goes_on = |&(atom, _): &(u32, i64)| {
        live.iter().any(|&n| match &graph.nodes[n as usize].op {
            NodeOp::Load(_, index) => {
                index.coefficient(Var::Atom(column.0)) == 1 && index.coefficient(Var::Atom(atom)) == column.1
            }
            NodeOp::Op(..)
            | NodeOp::Index(_)
            | NodeOp::Constant(_)
            | NodeOp::Outer(_)
            | NodeOp::Guard { .. } => false,
        })
    };
    kept.iter().copied().rfind(|k| *k != column && goes_on(k))
}

/// Whether all that is read and stored of a row of columns goes on with the next row.
fn rows_go_on(
    graph: &Graph,
    reductions: &[Reduction],
    outputs: &[Output],
    reduced: &Atoms,
    column: (u32, i64),
) -> bool {
    let [(row, _)] = reduced[..] else { return false };
    let roots = reductions.iter().map(|r| r.node).chain(outputs.iter().map(|o| o.node));
    forms(graph, roots, outputs.iter().map(|o| &o.position)).walk_jointly(row, column)
}

/// The row-major position among the kept dimensions of the space.
pub(in crate::lower) fn kept_position(graph: &Graph, space: &[usize], reduced: &Dims, empty: bool) -> Affine {
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
