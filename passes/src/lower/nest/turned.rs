//! Rows of a few elements, many at a time: lanes are rows.
//!
//! A row that is shorter than some vectors leaves lanes of the last one idle, and its reductions end with steps from lane to lane that wait for
//! each other; with ten numbers a row, that is most of the time of a `softmax`. So a tile of rows is *turned*: what lies along
//! rows is copied to where the elements of each column lie together, all kernels of the unit run over columns of the tile, and
//! what they store along rows is turned back. Both copies are squares that are transposed in registers.
//!
//! Bits are as row by row: reductions have one order, whatever walks it.

use super::Lowerer;
use super::columns::{self, Columns};
use super::emit::{Binding, Emission, Output};
use super::reduction::Part;
use crate::cost::{MATH, Target};
use crate::lower::space::graph::{Graph, Node, NodeOp};
use crate::lower::space::index::{Affine, Var};
use crate::lower::space::scope::At;
use smallvec::{SmallVec, smallvec};
use wengert_ir::kernel::*;

/// Columns of a square.
const SQUARE: i64 = 16;

/// Rows that are turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::lower) struct Tile {
    /// The atom of the rows.
    pub(in crate::lower) row: u32,
    /// How many there are.
    pub(in crate::lower) count: i64,
    /// How many are turned at a time.
    pub(in crate::lower) size: i64,
}

/// Most elements of a row that is turned for what is cheap.
const CHEAP: i64 = 56;

/// How many of `count` rows of at most `longest` elements of so many bytes are turned at a time; `None` if they are not turned.
pub(in crate::lower) fn tile_size(target: &Target, count: i64, longest: i64, bytes: usize) -> Option<i64> {
    let turned = &target.turned;
    if !target.turns(count as usize, longest as usize) {
        return None;
    }
    let most = (turned.bytes / (longest * bytes as i64)).clamp(turned.least, turned.most.max(turned.least));
    if count <= most {
        return Some(count);
    }
    // Whole squares; of those sizes one that leaves nothing over, if there is one.
    let step = turned.least.min(SQUARE);
    let sizes = || (most / 2..=most).rev().filter(|size| size % step == 0 && *size > 0);
    sizes().find(|size| count % size == 0).or_else(|| sizes().next())
}

/// Whether kernels of so much arithmetic had better be turned: a function or several reductions, or one that has many steps from lane to
/// lane. A row of 32 is divided by the root of the sum of its squares in 8 ns row by row, and in 19 turned; a `softmax` of 10 takes
/// 19 ns row by row, and 7 turned, its gradient 105 and 18.
pub(in crate::lower) fn pays(parts: &[Part], arithmetic: u32) -> bool {
    let reductions = || {
        parts.iter().filter_map(|part| match part {
            Part::Reduce(work) => Some(work),
            Part::Each { .. } => None,
        })
    };
    let longest = parts.iter().map(Part::row).max().unwrap_or(0);
    arithmetic >= MATH
        || longest <= CHEAP && (reductions().count() > 1 || reductions().any(|work| work.free()))
}

/// The atom that counts rows within a tile. It is no atom of the graph, whose expressions do not know of tiles.
fn within(graph: &Graph) -> u32 {
    graph.atoms.len() as u32
}

/// The position in a turned tile of what is at this position of a row, of a graph with so many atoms.
pub(in crate::lower) fn position(atoms: usize, position: &Affine, size: i64) -> Affine {
    let mut turned = position.scaled(size, 0);
    turned.add_term(Var::Atom(atoms as u32), 1);
    turned
}

/// What lies along rows, and where it is turned.
struct Crossed {
    /// The kernel whose atoms the position is over.
    part: usize,
    at: At,
    position: Affine,
    /// The same without the atom along rows, which each kernel has its own of.
    key: Affine,
    /// The atom along rows, and how many elements.
    along: (u32, i64),
    /// Where it is turned, and its position there.
    turned: At,
    whole: Affine,
    is_stored: bool,
}

/// The kernel whose accesses are turned, and what they become.
#[derive(Clone, Copy)]
struct Crossing<'c> {
    part: usize,
    /// How many atoms it has of its own.
    own: usize,
    tile: Tile,
    along: (u32, i64),
    /// The position of all that is turned.
    whole: &'c Affine,
}

/// What is emitted for a tile.
struct All<'a> {
    parts: &'a [Part],
    crossed: &'a [Crossed],
    /// Memory of a tile's own.
    kept: &'a [At],
    tile: Tile,
}

/// Accesses of a kernel.
struct Before {
    nodes: Vec<Node>,
    outputs: Vec<(At, Affine)>,
}

impl Before {
    fn of((graph, part): (&Graph, &mut Part)) -> Self {
        let outputs = outputs(part).iter().map(|o| (o.at.clone(), o.position.clone())).collect();
        Self { nodes: graph.nodes.clone(), outputs }
    }

    fn restore(self, graph: &mut Graph, part: &mut Part) {
        graph.nodes = self.nodes;
        for (o, before) in outputs(part).iter_mut().zip(self.outputs) {
            (o.at, o.position) = before;
        }
    }
}

fn outputs(part: &mut Part) -> &mut Vec<Output> {
    match part {
        Part::Reduce(work) => &mut work.outputs,
        Part::Each { outputs, .. } => outputs,
    }
}

impl<'m> Lowerer<'m> {
    /// Emits kernels that share rows, tile by tile of rows. `local` has one tile of what only they read. `false` if some kernel
    /// does not fit; then everything is as it was.
    pub(in crate::lower) fn emit_turned(
        &mut self,
        graphs: &mut [Graph],
        parts: &mut [Part],
        tile: Tile,
        local: &[At],
        (each, arithmetic): (usize, u32),
    ) -> bool {
        let Some(crossed) = self.crossed(graphs, parts, tile, local) else { return false };
        let mut kept: Vec<At> = local.to_vec();
        kept.extend(crossed.iter().map(|c| c.turned.clone()));
        let mut es: Vec<Emission<'_>> = graphs.iter().map(Emission::new).collect();
        for (e, part) in es.iter_mut().zip(parts.iter()) {
            // The atom within a tile.
            e.bind.push(Binding::default());
            if let Part::Each { loops, .. } = part {
                e.ranges.fill((0, 1));
                loops.atoms.iter().for_each(|&(a, n)| e.ranges[a as usize] = (0, n));
            }
        }
        let all = All { parts, crossed: &crossed, kept: &kept, tile };
        let floor = self.b.set_floor();
        let (full, rest) = (tile.count / tile.size, tile.count % tile.size);
        let grain = self.grain(full, each.saturating_mul(tile.size as usize), arithmetic, 3);
        // Too little for threads it is a kernel of one piece: what a tile keeps is then on the stack, and no memory of the program.
        let grain = grain.or_else(|| (full > 1 && rest == 0 && self.may_outline()).then_some(full));
        if let Some(grain) = grain {
            let saved: Vec<_> = es.iter().map(|e| e.bind.clone()).collect();
            self.outline(full, grain, |l, from, to| {
                es.iter_mut().for_each(Emission::import_bindings);
                l.tiles_of_rows(&mut es, &all, (Extent::Value(from), Extent::Value(to)));
            });
            for (e, saved) in es.iter_mut().zip(saved) {
                e.bind = saved;
                e.afresh();
            }
            if rest == 0 {
                kept.iter().for_each(|at| self.memory.forget(at.mem));
            }
        } else if full == 1 {
            self.tile_of_rows(&mut es, &all, &Binding::default(), tile.size);
        } else {
            self.tiles_of_rows(&mut es, &all, (Extent::Const(0), Extent::Const(full)));
        }
        if rest > 0 {
            self.tile_of_rows(&mut es, &all, &Binding::constant(full * tile.size), rest);
        }
        self.b.restore_floor(floor);
        true
    }

    /// The tiles whose numbers are in `bounds`.
    fn tiles_of_rows(&mut self, es: &mut [Emission<'_>], all: &All<'_>, bounds: (Extent, Extent)) {
        let number = self.b.open(&[Scalar::I64])[0];
        self.tile_of_rows(es, all, &Binding::scaled(number, all.tile.size), all.tile.size);
        self.b.end_for(bounds, LoopKind::Sequential, &[], &[]);
    }

    /// All kernels for `count` rows from one on.
    fn tile_of_rows(&mut self, es: &mut [Emission<'_>], all: &All<'_>, base: &Binding, count: i64) {
        let tile = all.tile;
        let was = std::mem::replace(&mut self.in_rows, true);
        for at in all.kept {
            let elem = self.memory.elem(at.mem);
            self.b.keep_local(at, elem);
        }
        let floor = self.b.set_floor();
        for c in all.crossed.iter().filter(|c| !c.is_stored) {
            self.turn(&mut es[c.part], c, tile, base, count);
        }
        for (e, part) in es.iter_mut().zip(all.parts) {
            e.afresh();
            match part {
                Part::Reduce(work) => {
                    let dims = smallvec![(tile.row, base.clone(), count)];
                    let lanes = columns::lanes(work);
                    let within = Some(within(e.graph));
                    self.column_tile(e, work, &Columns { lanes, dims, joint: false, within });
                }
                Part::Each { loops, outputs } => {
                    self.each_column(e, &loops.atoms, outputs, tile, base, count);
                }
            }
            e.afresh();
        }
        for c in all.crossed.iter().filter(|c| c.is_stored) {
            self.turn(&mut es[c.part], c, tile, base, count);
        }
        self.b.restore_floor(floor);
        self.in_rows = was;
    }

    /// Has kernels read and store turned what lies along rows. `None` if there is nothing, or it does not fit; then nothing has changed.
    fn crossed(
        &mut self,
        graphs: &mut [Graph],
        parts: &mut [Part],
        tile: Tile,
        local: &[At],
    ) -> Option<Vec<Crossed>> {
        let before: Vec<Before> = graphs.iter().zip(parts.iter_mut()).map(Before::of).collect();
        let mut crossed: Vec<Crossed> = Vec::new();
        let is_whole = self.cross_all(graphs, parts, tile, local, &mut crossed);
        let bytes = |at: &At| at.len * self.memory.elem(at.mem).size() + 64;
        let reductions = parts.iter().map(|part| match part {
            Part::Reduce(work) => work.bytes_of(2 * columns::lanes(work) * tile.size, 3),
            Part::Each { .. } => 0,
        });
        let kept = local.iter().chain(crossed.iter().map(|c| &c.turned)).map(bytes);
        let fits = kept.chain(reductions).fold(0, usize::saturating_add) <= MOST_LOCAL;
        if is_whole && !crossed.is_empty() && fits {
            return Some(crossed);
        }
        crossed.iter().for_each(|c| self.memory.forget(c.turned.mem));
        let changed = before.into_iter().zip(graphs).zip(parts);
        changed.for_each(|((before, graph), part)| before.restore(graph, part));
        None
    }

    /// Has kernels read and store turned what lies along rows. `false` if one reads what another has stored otherwise, or has no
    /// single loop along rows.
    fn cross_all(
        &mut self,
        graphs: &mut [Graph],
        parts: &mut [Part],
        tile: Tile,
        local: &[At],
        found: &mut Vec<Crossed>,
    ) -> bool {
        // Memories that kernels so far have stored to.
        let mut stored: Vec<Mem> = Vec::new();
        for (number, (graph, part)) in graphs.iter_mut().zip(parts).enumerate() {
            let Some(along) = along(part, graph) else { return false };
            let whole = position(graph.atoms.len(), &Affine::var(Var::Atom(along.0)), tile.size);
            let crossing = Crossing { part: number, own: graph.own_atoms(), tile, along, whole: &whole };
            for node in &mut graph.nodes {
                let NodeOp::Load(at, position) = &mut node.op else { continue };
                if local.contains(at) {
                    continue;
                }
                let mem = at.mem;
                if let Some(is_stored) = self.cross(found, crossing, (&mut *at, position), node.ty, false) {
                    // What is turned before all else is not what has been stored since.
                    if !is_stored && stored.contains(&mem) {
                        return false;
                    }
                } else if found.iter().any(|c| c.is_stored && c.at.mem == mem) {
                    return false;
                }
            }
            if let Part::Reduce(work) = part {
                stored.extend(work.reductions.iter().filter_map(|r| Some(r.out.as_ref()?.0.mem)));
            }
            for o in outputs(part).iter_mut().filter(|o| !local.contains(&o.at)) {
                stored.push(o.at.mem);
                let elem = graph.nodes[o.node as usize].ty;
                self.cross(found, crossing, (&mut o.at, &mut o.position), elem, true);
            }
        }
        true
    }

    /// Turns one access, if it lies along rows: whether it is to what is stored.
    fn cross(
        &mut self,
        found: &mut Vec<Crossed>,
        crossing: Crossing<'_>,
        (at, position): (&mut At, &mut Affine),
        elem: Scalar,
        is_stored: bool,
    ) -> Option<bool> {
        let Crossing { part, own, tile, along, whole } = crossing;
        let key = key(position, own, tile.row, along)?;
        let is_known = |c: &&Crossed| c.at == *at && c.key == key && c.along.1 == along.1;
        let known = found.iter().rev().find(is_known).filter(|_| !is_stored);
        let (turned, is_stored) = match known {
            Some(known) => (known.turned.clone(), known.is_stored),
            None => {
                let turned = self.scratch(elem, &[(along.1 * tile.size) as usize]);
                found.push(Crossed {
                    part,
                    at: at.clone(),
                    position: position.clone(),
                    key,
                    along,
                    turned: turned.clone(),
                    whole: whole.clone(),
                    is_stored,
                });
                (turned, is_stored)
            }
        };
        (*at, *position) = (turned, whole.clone());
        Some(is_stored)
    }

    /// Copies what lies along rows to where it is turned, or back, square after square. The last one ends where rows end, and may copy
    /// some columns again; one of half the columns will do for a few.
    fn turn(&mut self, e: &mut Emission<'_>, c: &Crossed, tile: Tile, base: &Binding, count: i64) {
        let n = c.along.1;
        let (full, rest) = (n / SQUARE, n % SQUARE);
        if full > 1 {
            let s = self.b.open(&[Scalar::I64])[0];
            self.turn_square(e, c, tile, base, count, (Binding::scaled(s, SQUARE), SQUARE));
            self.b.end_for((Extent::Const(0), Extent::Const(full)), LoopKind::Sequential, &[], &[]);
        } else if full == 1 {
            self.turn_square(e, c, tile, base, count, (Binding::default(), SQUARE));
        }
        let mut left = rest;
        while left > 0 {
            let square = if left <= SQUARE / 2 || full == 0 { SQUARE / 2 } else { SQUARE }.min(n);
            let first = (n - left).min(n - square);
            self.turn_square(e, c, tile, base, count, (Binding::constant(first), square));
            left = n - first - square;
        }
    }

    /// Copies so many columns from one on.
    fn turn_square(
        &mut self,
        e: &mut Emission<'_>,
        c: &Crossed,
        tile: Tile,
        base: &Binding,
        count: i64,
        (first, columns): (Binding, i64),
    ) {
        let j = self.b.open(&[Scalar::I64])[0];
        bind_row(e, tile, base, j);
        let atom = c.along.0 as usize;
        let column = |k: i64| Binding { offset: first.offset + k, ..first.clone() };
        let (lying, turned) = ((&c.at, &c.position), (&c.turned, &c.whole));
        let (from, to) = if c.is_stored { (turned, lying) } else { (lying, turned) };
        let mut values: SmallVec<[KValue; SQUARE as usize]> = SmallVec::new();
        for k in 0..columns {
            e.bind[atom] = column(k);
            let from = self.access(e, from.0, from.1);
            values.push(self.b.load_here(from));
        }
        for (k, value) in (0..).zip(values) {
            e.bind[atom] = column(k);
            let to = self.access(e, to.0, to.1);
            self.b.store(to, value);
        }
        self.b.end_for((Extent::Const(0), Extent::Const(count)), LoopKind::Vector, &[], &[]);
    }

    /// What is computed of each element of a tile.
    fn each_column(
        &mut self,
        e: &mut Emission<'_>,
        atoms: &[(u32, i64)],
        outputs: &[Output],
        tile: Tile,
        base: &Binding,
        count: i64,
    ) {
        for &(atom, _) in atoms {
            let k = self.b.open(&[Scalar::I64])[0];
            e.bind[atom as usize] = Binding::counter(k);
        }
        let j = self.b.open(&[Scalar::I64])[0];
        bind_row(e, tile, base, j);
        e.afresh();
        let roots: SmallVec<[u32; 4]> = outputs.iter().map(|o| o.node).collect();
        let values = self.emit(e, &roots);
        for (o, value) in outputs.iter().zip(values) {
            let access = self.access(e, &o.at, &o.position);
            self.b.store(access, value);
        }
        self.b.end_for((Extent::Const(0), Extent::Const(count)), LoopKind::Vector, &[], &[]);
        for &(_, n) in atoms {
            self.b.end_for((Extent::Const(0), Extent::Const(n)), LoopKind::Sequential, &[], &[]);
        }
    }
}

/// Binds the row to number `j` of a tile.
fn bind_row(e: &mut Emission<'_>, tile: Tile, base: &Binding, j: KValue) {
    let mut row = base.clone();
    row.terms.push((j, 1));
    e.bind[tile.row as usize] = row;
    let within = within(e.graph) as usize;
    e.bind[within] = Binding::counter(j);
}

/// The atom along the rows of a kernel, and how many elements; an atom that nothing is over if it has one for each row. `None` if
/// there are several atoms.
fn along(part: &Part, graph: &Graph) -> Option<(u32, i64)> {
    let atoms = match part {
        Part::Reduce(work) => &work.reduced,
        Part::Each { loops, .. } => &loops.atoms,
    };
    match atoms[..] {
        [] => Some((within(graph), 1)),
        [along] => Some(along),
        [..] => None,
    }
}

/// The position without the atom along rows, if it goes along that and leaps from row to row.
fn key(position: &Affine, own: usize, row: u32, (atom, n): (u32, i64)) -> Option<Affine> {
    let goes = |v: u32| position.coefficient(Var::Atom(v));
    if n < 2 || goes(atom) != 1 || goes(row).abs() < 2 {
        return None;
    }
    let mut key = position.clone();
    // The graph's other atoms were merged with these two, and are bound to 0.
    let is_merged = |a: u32| a != row && (a as usize) < own;
    key.terms.retain(|(v, _)| !matches!(v, Var::Atom(a) if is_merged(*a)));
    let is_plain = |v: &Var| match v {
        Var::Atom(a) => *a == row,
        Var::Outer(_) => true,
        Var::Node(_) => false,
    };
    key.terms.iter().all(|(v, _)| is_plain(v)).then_some(key)
}
