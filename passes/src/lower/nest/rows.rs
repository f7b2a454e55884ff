//! Kernels that work row by row, in one loop over the rows: `softmax`, normalizations and the like.
//!
//! What one kernel computes for a row the next reads while it is in the nearest cache. A value that only these
//! kernels read needs memory for one row.

use super::Lowerer;
use super::emit::{Atoms, Emission, Loops, Nest, Output};
use super::forms::{arithmetic, collapse, forms};
use super::reduce::{Prepared, Trips};
use super::reduction::{Part, Reduction, Work};
use super::turned::{self, Tile};
use crate::lower::LowerError;
use crate::lower::space::graph::{Graph, NodeOp};
use crate::lower::space::index::{Affine, Var};
use crate::lower::space::scope::At;
use crate::lower::space::scope::{Dest, Scope};
use smallvec::SmallVec;
use wengert_ir::func::Value;
use wengert_ir::kernel::MOST_LOCAL;
use wengert_ir::types::Dims;

impl<'m> Lowerer<'m> {
    /// Lowers kernels that share a loop over rows.
    pub(in crate::lower) fn rows_unit(&mut self, s: &mut Scope<'m>, number: u32) -> Result<(), LowerError> {
        let plan = s.plan.clone();
        let run = &plan.rows[number as usize];
        let spaces = || run.groups.iter().map(|&g| &plan.groups[g as usize].space);
        let row = |space: &Dims| space[run.rank..].iter().product::<usize>() as i64;
        let rows: usize = plan.groups[run.groups[0] as usize].space[..run.rank].iter().product();
        let longest = spaces().map(row).max().unwrap_or(0);
        let reads = run.groups.iter().flat_map(|&g| plan.groups[g as usize].reads.iter());
        let bytes = reads.map(|r| s.ty(r.0).dtype.size()).max().unwrap_or(1);
        let turned = turned::tile_size(self.options.target, rows as i64, longest, bytes);
        if turned.is_some() && self.row_by_row(s, number, turned)? || self.row_by_row(s, number, None)? {
            return Ok(());
        }
        // Each on its own after all.
        for &g in &run.groups {
            self.group_unit(s, g)?;
            self.memory.tick();
        }
        Ok(())
    }

    /// The same if they can share one; else nothing has been lowered. So many rows are `turned` at a time.
    fn row_by_row(
        &mut self,
        s: &mut Scope<'m>,
        number: u32,
        turned: Option<i64>,
    ) -> Result<bool, LowerError> {
        let plan = s.plan.clone();
        let run = &plan.rows[number as usize];
        let rank = run.rank;
        let rows: usize = plan.groups[run.groups[0] as usize].space[..rank].iter().product();
        // A later kernel may still read what an earlier one would overwrite.
        let reads: Vec<(Value, bool)> = run
            .groups
            .iter()
            .flat_map(|&g| plan.groups[g as usize].reads.iter().map(|r| (r.0, false)))
            .collect();
        let mut local: Vec<At> = Vec::new();
        let mut prepared: Vec<Prepared> = Vec::new();
        let mut made: Vec<(Value, At, Option<Dest>, usize)> = Vec::new();
        for (k, &g) in run.groups.iter().enumerate() {
            let group = &plan.groups[g as usize];
            let mut place = |l: &mut Self, s: &mut Scope<'m>, v: Value| {
                let dest = s.dest[v].clone();
                let at = if s.ty(v).rank() > rank && s.dest[v].is_none() && s.dies(v) {
                    let len = s.ty(v).elements() / rows * turned.unwrap_or(1) as usize;
                    let at = l.scratch(s.elem(v), &[len]);
                    local.push(at.clone());
                    at
                } else {
                    l.target(s, v, &reads)
                };
                made.push((v, at.clone(), dest, k));
                at
            };
            prepared.push(self.prepare(s, group, &mut place)?);
        }
        let outer: u32 =
            plan.groups[run.groups[0] as usize].space[..rank].iter().filter(|&&n| n > 1).count() as u32;
        let whole = |g: &Graph| g.factors[..rank].iter().all(|f| f.len() <= 1);
        if prepared.iter().all(|p| whole(&p.graph)) {
            let alone = prepared.iter_mut().all(|p| one_row(p, &local, outer, turned));
            if alone && self.emit_rows(&run.groups, &plan.groups, prepared, &local, outer, turned) {
                return Ok(true);
            }
        }
        for (v, at, dest, _) in &made {
            s.stored[*v] = None;
            if dest.as_ref().is_none_or(|d| d.at != *at) {
                self.memory.forget(at.mem);
            }
        }
        let values: Vec<Value> = made.iter().map(|m| m.0).collect();
        for (v, _, dest, k) in made {
            // What later kernels of the unit still read dies with the unit only.
            let mut later =
                run.groups[k + 1..].iter().flat_map(|&g| &plan.groups[g as usize].reads).map(|r| r.0);
            let mut is_read = |d: &Dest| later.any(|w| !values.contains(&w) && self.overlaps(s, w, &d.at));
            s.dest[v] = dest.filter(|d| d.replaces.is_none() || !is_read(d));
        }
        Ok(false)
    }

    /// Emits the loop over rows, the first `outer` atoms of each graph. `false` if some kernel does not fit.
    fn emit_rows(
        &mut self,
        numbers: &[u32],
        groups: &[crate::lower::plan::Group],
        prepared: Vec<Prepared>,
        local: &[At],
        outer: u32,
        turned: Option<i64>,
    ) -> bool {
        let row_bytes = |at: &At| at.len * self.memory.elem(at.mem).size() + 64;
        let mut kept_bytes: usize = local.iter().map(row_bytes).sum();
        let mut parts: Vec<Part> = Vec::new();
        let mut graphs: Vec<Graph> = Vec::new();
        // Which outer atoms all kernels walk jointly with their inner neighbour.
        let mut extents: Vec<i64> = Vec::new();
        let mut jointly = vec![true; outer.saturating_sub(1) as usize];
        let (mut each, mut total) = (0usize, 0u32);
        // Of each element of a row, not of a row.
        let mut along = 0u32;
        for (p, &number) in prepared.into_iter().zip(numbers) {
            let Prepared { graph, reductions, outputs } = p;
            let group = &groups[number as usize];
            let mut reduced: SmallVec<[bool; 8]> = SmallVec::new();
            for (d, factors) in graph.factors.iter().enumerate() {
                let is = group.reduced.as_ref().is_some_and(|r| r.contains(&d));
                reduced.extend(factors.iter().map(|_| is));
            }
            let inside = |a: u32| a >= outer;
            let (loops, work, work_along) = {
                let mut forms = all_forms(&graph, &reductions, &outputs);
                for a in 0..outer.saturating_sub(1) {
                    jointly[a as usize] &= forms.walk_jointly(a, (a + 1, graph.atoms[a as usize + 1]));
                }
                let same =
                    |a: u32, b: u32| inside(a) && inside(b) && reduced[a as usize] == reduced[b as usize];
                let (loops, work) = (collapse(&graph, &forms, same), arithmetic(&graph, &forms));
                // What is the same for all of a row is computed once for it.
                let varies = made_of(&graph, |v| matches!(v, Var::Atom(a) if inside(a)));
                forms.live.retain(|&n| varies[n as usize]);
                (loops, work + reductions.len() as u32, arithmetic(&graph, &forms))
            };
            let atoms: Atoms = loops.atoms.iter().copied().filter(|a| inside(a.0)).collect();
            let count: i64 = atoms.iter().map(|a| a.1).product();
            extents = graph.atoms[..outer as usize].to_vec();
            each += count as usize;
            total = total.max(work);
            along = along.max(work_along);
            if reductions.is_empty() {
                parts.push(Part::Each {
                    loops: Loops { atoms, jam: None, tiled: false, strips: None },
                    outputs,
                });
            } else {
                if atoms.is_empty() || atoms.iter().any(|a| !reduced[a.0 as usize]) {
                    return false;
                }
                let kept = Atoms::new();
                let work =
                    Work { reductions, outputs, kept, reduced: atoms, count, arithmetic: work, joint: false };
                if turned.is_none() {
                    kept_bytes = kept_bytes.saturating_add(work.row_bytes());
                }
                if !work.by_rows() {
                    return false;
                }
                parts.push(Part::Reduce(work));
            }
            graphs.push(graph);
        }
        if kept_bytes > MOST_LOCAL {
            return false;
        }
        // Merged atoms stay bound to 0; the innermost of them counts for all.
        let mut rows: Atoms = Atoms::new();
        for a in (0..outer).rev() {
            match rows.last_mut() {
                Some(inner) if jointly[a as usize] => inner.1 *= extents[a as usize],
                _ => rows.push((a, extents[a as usize])),
            }
        }
        rows.reverse();
        if let Some(size) = turned {
            let [(row, count)] = rows[..] else { return false };
            if !turned::pays(&parts, along) {
                return false;
            }
            let tile = Tile { row, count, size };
            return self.emit_turned(&mut graphs, &mut parts, tile, local, (each, total));
        }
        let mut emissions: Vec<Emission<'_>> = graphs.iter().map(Emission::new).collect();
        for (e, part) in emissions.iter_mut().zip(&parts) {
            if let Part::Each { loops, .. } = part {
                e.ranges.fill((0, 1));
                loops.atoms.iter().for_each(|&(a, n)| e.ranges[a as usize] = (0, n));
            }
        }
        if let Some(device) = self.device() {
            let count: i64 = rows.iter().map(|r| r.1).product();
            let work = each.saturating_mul(count as usize).saturating_mul(total.max(1) as usize);
            let row = parts.iter().map(Part::row).max().unwrap_or(0);
            if work > device.alone {
                if !self.fits_block(row, &parts, local) {
                    return false;
                }
                let floor = self.b.set_floor();
                self.launch_rows(&mut emissions, &parts, &rows, local, row);
                self.b.restore_floor(floor);
                local.iter().for_each(|at| self.memory.forget(at.mem));
                return true;
            }
        }
        let floor = self.b.set_floor();
        let mut outlined = false;
        let trips = Trips { each, arithmetic: total, may_cut: true, independent: false };
        self.over(&mut emissions, &rows, trips, &mut |l, es| {
            let was = std::mem::replace(&mut l.in_rows, true);
            outlined = l.b.imports.is_some();
            for at in local {
                let elem = l.memory.elem(at.mem);
                l.b.keep_local(at, elem);
            }
            let floor = l.b.set_floor();
            for (e, part) in es.iter_mut().zip(&parts) {
                e.afresh();
                match part {
                    Part::Reduce(work) => l.row_of_results(e, work, &mut []),
                    Part::Each { loops, outputs } => {
                        l.cell(e, &Nest { loops, outputs, arithmetic: total, strip: None }, 0, false);
                    }
                }
                e.afresh();
            }
            l.b.restore_floor(floor);
            l.in_rows = was;
        });
        self.b.restore_floor(floor);
        if outlined {
            local.iter().for_each(|at| self.memory.forget(at.mem));
        }
        true
    }
}

fn all_forms<'g>(
    graph: &'g Graph,
    reductions: &'g [Reduction],
    outputs: &'g [Output],
) -> super::forms::Forms<'g> {
    let roots = reductions.iter().map(|r| r.node).chain(outputs.iter().map(|o| o.node));
    let positions = (outputs.iter().map(|o| &o.position))
        .chain(reductions.iter().filter_map(|r| r.out.as_ref().map(|o| &o.1)));
    forms(graph, roots, positions)
}

/// Makes the positions of values that have memory for one row only independent of the row, or over the rows of a tile that is
/// `turned`. `false` if some cannot be: what a division makes of the row and the place in it says nothing of the row alone.
fn one_row(p: &mut Prepared, local: &[At], outer: u32, turned: Option<i64>) -> bool {
    let is_row = |v: Var| matches!(v, Var::Atom(a) if a < outer);
    let of_rows = made_of(&p.graph, is_row);
    let atoms = p.graph.atoms.len();
    let within = |position: &mut Affine| {
        position.terms.retain(|(v, _)| !is_row(*v));
        let fits = position.terms.iter().all(|(v, _)| !matches!(v, Var::Node(n) if of_rows[*n as usize]));
        if let Some(size) = turned {
            *position = turned::position(atoms, position, size);
        }
        fits
    };
    let mut fits = true;
    for node in &mut p.graph.nodes {
        if let NodeOp::Load(at, position) = &mut node.op
            && local.contains(at)
        {
            fits &= within(position);
        }
    }
    for o in p.outputs.iter_mut().filter(|o| local.contains(&o.at)) {
        fits &= within(&mut o.position);
    }
    fits
}

/// Which nodes of a graph are made of some variables.
fn made_of(graph: &Graph, is_one: impl Fn(Var) -> bool) -> Vec<bool> {
    let mut made: Vec<bool> = Vec::with_capacity(graph.nodes.len());
    for node in &graph.nodes {
        let affine = |a: &Affine| {
            a.terms.iter().any(|&(v, _)| is_one(v) || matches!(v, Var::Node(n) if made[n as usize]))
        };
        let is = match &node.op {
            NodeOp::Load(_, position) => affine(position),
            NodeOp::Index(index) => affine(index),
            NodeOp::Constant(_) | NodeOp::Outer(_) => false,
            NodeOp::Op(_, operands) => operands.iter().any(|&n| made[n as usize]),
            NodeOp::Guard { index, inside, outside, .. } => {
                affine(index) || made[*inside as usize] || made[*outside as usize]
            }
        };
        made.push(is);
    }
    made
}
