//! Loop nests of expression graphs.
//!
//! Adjacent atoms that every access walks jointly become one loop. Guards cut the space into cells, each with a
//! nest of its own in which every guard is decided. The innermost loop is independent ([`LoopKind::Vector`]);
//! a nest that is large enough becomes an outlined kernel over the range of one of its loops.

use super::Lowerer;
use super::emit::{Binding, Emission, Loops, Nest, Output};
use super::forms::{Forms, arithmetic, cells, collapse, forms};
use super::jam;
use crate::cost::Target;
use crate::lower::space::graph::{Graph, NodeOp};
use crate::lower::space::index::{Affine, Var};
use smallvec::SmallVec;
use wengert_ir::kernel::*;

impl<'m> Lowerer<'m> {
    /// Emits the loops that compute `outputs`.
    pub(in crate::lower) fn nest(&mut self, graph: &Graph, outputs: &[Output]) {
        // What lies where it is wanted is not written again.
        let is_there = |o: &Output| matches!(&graph.nodes[o.node as usize].op, NodeOp::Load(at, from) if *at == o.at && *from == o.position);
        if outputs.iter().all(is_there) {
            return;
        }
        let forms = forms(graph, outputs.iter().map(|o| o.node), outputs.iter().map(|o| &o.position));
        let mut loops = collapse(graph, &forms, |_, _| true);
        if self.on_device() {
            return self.launch_nest(graph, &forms, &loops, outputs);
        }
        tile(self.options.target, graph, &forms, outputs, &mut loops);
        let mut e = Emission::new(graph);
        e.ranges[..graph.own_atoms()].fill((0, 1));
        for &(a, n) in &loops.atoms {
            e.ranges[a as usize] = (0, n);
        }
        let cells = cells(&forms, &loops);
        let nest = Nest { loops: &loops, outputs, arithmetic: arithmetic(graph, &forms), strip: None };
        let floor = self.b.set_floor();
        for cell in cells {
            for (&(a, _), &range) in loops.atoms.iter().zip(&cell) {
                e.ranges[a as usize] = range;
            }
            e.afresh();
            self.cell(&mut e, &nest, 0, true);
        }
        self.b.restore_floor(floor);
    }

    /// The nest of one cell from loop number `depth` on.
    pub(in crate::lower) fn cell(
        &mut self,
        e: &mut Emission<'_>,
        nest: &Nest<'_>,
        depth: usize,
        may_cut: bool,
    ) {
        let (atoms, outputs) = (&nest.loops.atoms, nest.outputs);
        let Some(&(atom, _)) = atoms.get(depth) else {
            let roots: SmallVec<[u32; 4]> = outputs.iter().map(|o| o.node).collect();
            let values = self.emit(e, &roots);
            for (o, value) in outputs.iter().zip(values) {
                let access = self.access(e, &o.at, &o.position);
                self.b.store(access, value);
            }
            return;
        };
        let (lo, hi) = e.ranges[atom as usize];
        if hi - lo == 1 {
            e.bind[atom as usize] = Binding::constant(lo);
            return self.cell(e, nest, depth + 1, may_cut);
        }
        let extent = |&(a, _): &(u32, i64)| e.ranges[a as usize].1 - e.ranges[a as usize].0;
        if let (Some((from, size)), None) = (nest.loops.strips, nest.strip)
            && depth == from
            && let Some(&(last, _)) = atoms.last()
            && e.ranges[last as usize].1 - e.ranges[last as usize].0 >= size
        {
            return self.strips(e, nest, depth, size, may_cut);
        }
        if let (Some(size), [_, last]) = (nest.loops.jam, &atoms[depth..])
            && extent(last) >= LANES as i64
        {
            return self.jammed(e, nest, depth, size, may_cut);
        }
        if nest.loops.tiled
            && let [_, last] = &atoms[depth..]
            && self.options.target.tile_of(hi - lo, extent(last)).is_some()
        {
            return self.tiles(e, nest, depth, may_cut);
        }
        let inner: i64 = atoms[depth + 1..].iter().map(extent).product();
        if may_cut
            && let Some(grain) = self.grain(hi - lo, inner as usize, nest.arithmetic, outputs.len() + 2)
        {
            let saved = e.bind.clone();
            self.outline(hi - lo, grain, |l, from, to| {
                e.import_bindings();
                l.counted_cell(e, nest, depth, lo, (Extent::Value(from), Extent::Value(to)));
            });
            e.bind = saved;
            e.afresh();
            return;
        }
        self.counted_cell(e, nest, depth, 0, (Extent::Const(lo), Extent::Const(hi)));
    }

    /// The two innermost loops in tiles, and what these leave over.
    fn tiles(&mut self, e: &mut Emission<'_>, nest: &Nest<'_>, depth: usize, may_cut: bool) {
        let [a, b] = [depth, depth + 1].map(|k| nest.loops.atoms[k].0 as usize);
        let (rows, columns) = (e.ranges[a], e.ranges[b]);
        let tile = self.options.target.tile_of(rows.1 - rows.0, columns.1 - columns.0);
        let [tall, wide] = tile.expect("the caller has asked");
        let (down, across) = ((rows.1 - rows.0) / tall, (columns.1 - columns.0) / wide);
        let (row_end, column_end) = (rows.0 + down * tall, columns.0 + across * wide);
        (e.ranges[a], e.ranges[b]) = ((rows.0, row_end), (columns.0, column_end));
        // One row of tiles is cut across.
        let (pieces, each) = match down {
            1 => (across, (tall * wide) as usize),
            _ => (down, (tall * wide * across) as usize),
        };
        let grain = self.grain(pieces, each, nest.arithmetic, nest.outputs.len() + 2).filter(|_| may_cut);
        let all = |n: i64| (Extent::Const(0), Extent::Const(n));
        if let Some(grain) = grain {
            let saved = e.bind.clone();
            self.outline(pieces, grain, |l, from, to| {
                e.import_bindings();
                let part = (Extent::Value(from), Extent::Value(to));
                let bounds = if down == 1 { [all(1), part] } else { [part, all(across)] };
                l.rows_of_tiles(e, nest, depth, [tall, wide], bounds);
            });
            e.bind = saved;
        } else {
            self.rows_of_tiles(e, nest, depth, [tall, wide], [all(down), all(across)]);
        }
        let right = ((rows.0, row_end), (column_end, columns.1));
        let below = ((row_end, rows.1), columns);
        for rest in [below, right] {
            (e.ranges[a], e.ranges[b]) = rest;
            e.afresh();
            if rest.0.0 < rest.0.1 && rest.1.0 < rest.1.1 {
                self.cell(e, nest, depth, may_cut);
            }
        }
        (e.ranges[a], e.ranges[b]) = (rows, columns);
        e.afresh();
    }

    /// The tiles whose numbers, downwards and across, are in `bounds`.
    fn rows_of_tiles(
        &mut self,
        e: &mut Emission<'_>,
        nest: &Nest<'_>,
        depth: usize,
        [tall, wide]: [i64; 2],
        [rows, columns]: [(Extent, Extent); 2],
    ) {
        let [a, b] = [depth, depth + 1].map(|k| nest.loops.atoms[k].0 as usize);
        let [down, right, row, column] = [(); 4].map(|()| self.b.open(&[Scalar::I64])[0]);
        let within = |offset: i64, tile: KValue, size: i64, element: KValue| Binding {
            offset,
            terms: SmallVec::from_slice(&[(tile, size), (element, 1)]),
            imported: false,
        };
        e.bind[a] = within(e.ranges[a].0, down, tall, row);
        e.bind[b] = within(e.ranges[b].0, right, wide, column);
        self.cell(e, nest, depth + 2, false);
        let to = |n: i64| (Extent::Const(0), Extent::Const(n));
        self.b.end_for(to(wide), LoopKind::Vector, &[], &[]);
        self.b.end_for(to(tall), LoopKind::Sequential, &[], &[]);
        self.b.end_for(columns, LoopKind::Sequential, &[], &[]);
        self.b.end_for(rows, LoopKind::Sequential, &[], &[]);
    }

    /// The loops from number `depth` on, strip by strip of the last one, and what these leave over.
    fn strips(&mut self, e: &mut Emission<'_>, nest: &Nest<'_>, depth: usize, size: i64, may_cut: bool) {
        let atoms = &nest.loops.atoms;
        let last = atoms[atoms.len() - 1].0 as usize;
        let (lo, hi) = e.ranges[last];
        let count = (hi - lo) / size;
        let others = atoms[depth..atoms.len() - 1].iter().map(|&(a, _)| e.ranges[a as usize]);
        let each = size * others.map(|(lo, hi)| hi - lo).product::<i64>();
        let grain = self.grain(count, each as usize, nest.arithmetic, nest.outputs.len() + 2);
        if let Some(grain) = grain.filter(|_| may_cut) {
            let saved = e.bind.clone();
            self.outline(count, grain, |l, from, to| {
                e.import_bindings();
                l.counted_strips(e, nest, depth, size, (Extent::Value(from), Extent::Value(to)));
            });
            e.bind = saved;
            e.afresh();
        } else {
            self.counted_strips(e, nest, depth, size, (Extent::Const(0), Extent::Const(count)));
        }
        let rest = lo + count * size;
        if rest < hi {
            e.ranges[last] = (rest, hi);
            e.afresh();
            self.cell(e, nest, depth, may_cut);
        }
        e.ranges[last] = (lo, hi);
        e.afresh();
    }

    fn counted_strips(
        &mut self,
        e: &mut Emission<'_>,
        nest: &Nest<'_>,
        depth: usize,
        size: i64,
        bounds: (Extent, Extent),
    ) {
        let atoms = &nest.loops.atoms;
        let last = atoms[atoms.len() - 1].0 as usize;
        let whole = e.ranges[last];
        let strip = self.b.open(&[Scalar::I64])[0];
        let within = Nest { strip: Some((strip, size)), ..*nest };
        // The first strip, for those who ask how long the loops within one are.
        e.ranges[last] = (whole.0, whole.0 + size);
        self.cell(e, &within, depth, false);
        e.ranges[last] = whole;
        self.b.end_for(bounds, LoopKind::Sequential, &[], &[]);
    }

    fn counted_cell(
        &mut self,
        e: &mut Emission<'_>,
        nest: &Nest<'_>,
        depth: usize,
        offset: i64,
        bounds: (Extent, Extent),
    ) {
        let atoms = &nest.loops.atoms;
        let innermost =
            atoms[depth + 1..].iter().all(|&(a, _)| e.ranges[a as usize].1 - e.ranges[a as usize].0 == 1);
        let counter = self.b.open(&[Scalar::I64])[0];
        let atom = atoms[depth].0 as usize;
        let (binding, bounds) = match nest.strip {
            Some((strip, size)) if depth + 1 == atoms.len() => {
                let terms = SmallVec::from_slice(&[(strip, size), (counter, 1)]);
                let offset = e.ranges[atom].0;
                (Binding { offset, terms, imported: false }, (Extent::Const(0), Extent::Const(size)))
            }
            Some(_) | None => (Binding { offset, ..Binding::counter(counter) }, bounds),
        };
        e.bind[atom] = binding;
        // An inner loop may still be large enough when this one was too short to cut. A strip is cut around itself, or not at all:
        // its number is a value of the kernel that counts the strips.
        self.cell(e, nest, depth + 1, nest.strip.is_none());
        let kind = if innermost { LoopKind::Vector } else { LoopKind::Sequential };
        self.b.end_for(bounds, kind, &[], &[]);
    }
}

/// Where a load leaps along the innermost loop and runs along another, brings that one next to it and has both walked in
/// tiles: then what one iteration fetches around an element is still near when its neighbours are wanted. An innermost loop
/// that is too short to be one changes places with a long one, if accesses along that cost less.
fn tile(target: &Target, graph: &Graph, forms: &Forms<'_>, outputs: &[Output], loops: &mut Loops) {
    let positions = outputs.iter().map(|o| &o.position);
    let atoms = loops.atoms.clone();
    let Some((&(inner, width), outer)) = atoms.split_last() else { return };
    let loads = || {
        forms.live.iter().filter_map(|&n| match &graph.nodes[n as usize].op {
            NodeOp::Load(_, index) => Some(index),
            NodeOp::Op(..)
            | NodeOp::Index(_)
            | NodeOp::Constant(_)
            | NodeOp::Outer(_)
            | NodeOp::Guard { .. } => None,
        })
    };
    if width < LANES as i64 {
        let all: Vec<&Affine> = loads().chain(positions).collect();
        let cost = |atom: u32| -> i64 {
            let access = |form: &&Affine| match form.coefficient(Var::Atom(atom)).abs() {
                0 => 0,
                1 => 1,
                _ => LEAP,
            };
            all.iter().map(access).sum()
        };
        let short = cost(inner) + LOOP / width;
        let long = (0..outer.len())
            .filter(|&k| outer[k].1 >= 2 * LANES as i64)
            .map(|k| (cost(outer[k].0), k))
            .min_by_key(|&(cost, k)| (cost, std::cmp::Reverse(k)));
        if let Some((cost, k)) = long
            && cost < short
        {
            // What neighbours share a line of a cache with must be written before that line has gone.
            let step = |form: &&Affine| form.coefficient(Var::Atom(outer[k].0)).saturating_abs();
            let elements = all.iter().map(step).fold(0, i64::saturating_add).max(1);
            let lanes = LANES as i64;
            let size = (target.near_bytes / 8 / elements / lanes * lanes).max(4 * lanes);
            let strips = (size < outer[k].1).then_some((k, size));
            let along = loops.atoms.remove(k);
            loops.atoms.push(along);
            // Blocks that are all there is between neighbours write whole lines.
            jam::choose(target, graph, forms, outputs, loops);
            let between: i64 = loops.atoms[k..loops.atoms.len() - 1].iter().map(|a| a.1).product();
            if loops.jam.is_none_or(|n| n < between) {
                loops.strips = strips;
            }
        }
        return;
    }
    if jam::choose(target, graph, forms, outputs, loops) {
        return;
    }
    let runs_along = |&(a, height): &(u32, i64)| {
        target.tile_of(height, width).is_some()
            && loads().any(|index| {
                index.coefficient(Var::Atom(inner)).abs() >= target.leap
                    && index.coefficient(Var::Atom(a)).abs() == 1
            })
    };
    if let Some(k) = outer.iter().rposition(runs_along) {
        let along = loops.atoms.remove(k);
        loops.atoms.insert(loops.atoms.len() - 1, along);
        loops.tiled = true;
    }
}

/// What an access that leaps costs, in accesses that run along memory.
const LEAP: i64 = 6;
/// What a loop costs besides its trips, in such accesses.
const LOOP: i64 = 64;
