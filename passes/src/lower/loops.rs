//! Loop nests of expression graphs.
//!
//! Adjacent atoms that every access walks jointly become one loop. Guards cut the space into cells, each with a
//! nest of its own in which every guard is decided. The innermost loop is independent ([`LoopKind::Vector`]);
//! a nest that is large enough becomes an outlined kernel over the range of one of its loops.

use super::emit::{Atoms, Binding, Emission, Loops, Output};
use super::graph::{Graph, NodeOp};
use super::index::{Affine, Var};
use super::{Lowerer, cost};
use smallvec::SmallVec;
use wengert_ir::kernel::*;

impl<'m> Lowerer<'m> {
    /// Emits the loops that compute `outputs`.
    pub(super) fn nest(&mut self, graph: &Graph, outputs: &[Output]) {
        let forms = forms(graph, outputs.iter().map(|o| o.node), outputs.iter().map(|o| &o.position));
        let mut loops = collapse(graph, &forms, |_, _| true);
        tile(graph, &forms, &mut loops);
        let mut e = Emission::new(graph);
        for (a, _) in graph.atoms.iter().enumerate() {
            e.ranges[a] = (0, 1);
        }
        for &(a, n) in &loops.atoms {
            e.ranges[a as usize] = (0, n);
        }
        let cells = cells(&forms, &loops);
        let arithmetic = arithmetic(graph, &forms);
        let floor = self.b.set_floor();
        for cell in cells {
            for (&(a, _), &range) in loops.atoms.iter().zip(&cell) {
                e.ranges[a as usize] = range;
            }
            e.afresh();
            self.cell(&mut e, &loops, 0, arithmetic, true, outputs);
        }
        self.b.restore_floor(floor);
    }

    /// The nest of one cell from loop number `depth` on.
    pub(super) fn cell(
        &mut self,
        e: &mut Emission<'_>,
        loops: &Loops,
        depth: usize,
        arithmetic: u32,
        may_cut: bool,
        outputs: &[Output],
    ) {
        let Some(&(atom, _)) = loops.atoms.get(depth) else {
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
            return self.cell(e, loops, depth + 1, arithmetic, may_cut, outputs);
        }
        let [tall, wide] = cost::TILE;
        if loops.tiled
            && depth + 2 == loops.atoms.len()
            && let (first, last) = e.ranges[loops.atoms[depth + 1].0 as usize]
            && (hi - lo >= 2 * tall && last - first >= wide)
        {
            return self.tiles(e, loops, depth, arithmetic, may_cut, outputs);
        }
        let extent = |&(a, _): &(u32, i64)| (e.ranges[a as usize].1 - e.ranges[a as usize].0) as usize;
        let inner: usize = loops.atoms[depth + 1..].iter().map(extent).product();
        let total = inner * (hi - lo) as usize;
        if may_cut
            && self.may_outline()
            && let Some(grain) = cost::grain(total, arithmetic, outputs.len() + 2)
        {
            let grain = grain.div_ceil(inner) as i64;
            // Pieces of whole cache lines.
            let grain = if inner == 1 { (grain + 63) / 64 * 64 } else { grain };
            if (hi - lo) >= 2 * grain {
                let saved = e.bind.clone();
                self.outline(hi - lo, grain, |l, from, to| {
                    e.import_bindings();
                    let bounds = (Extent::Value(from), Extent::Value(to));
                    l.counted_cell(e, loops, depth, lo, bounds, arithmetic, outputs);
                });
                e.bind = saved;
                e.afresh();
                return;
            }
        }
        self.counted_cell(e, loops, depth, 0, (Extent::Const(lo), Extent::Const(hi)), arithmetic, outputs);
    }

    /// The two innermost loops in tiles, and what these leave over.
    fn tiles(
        &mut self,
        e: &mut Emission<'_>,
        loops: &Loops,
        depth: usize,
        arithmetic: u32,
        may_cut: bool,
        outputs: &[Output],
    ) {
        let [tall, wide] = cost::TILE;
        let (a, b) = (loops.atoms[depth].0 as usize, loops.atoms[depth + 1].0 as usize);
        let (rows, columns) = (e.ranges[a], e.ranges[b]);
        let (down, across) = ((rows.1 - rows.0) / tall, (columns.1 - columns.0) / wide);
        let (row_end, column_end) = (rows.0 + down * tall, columns.0 + across * wide);
        (e.ranges[a], e.ranges[b]) = ((rows.0, row_end), (columns.0, column_end));
        let each = (tall * wide * across) as usize;
        let grain = (may_cut && self.may_outline())
            .then(|| cost::grain(each * down as usize, arithmetic, outputs.len() + 2))
            .flatten()
            .map(|g| g.div_ceil(each) as i64)
            .filter(|&g| down >= 2 * g);
        match grain {
            Some(grain) => {
                let saved = e.bind.clone();
                self.outline(down, grain, |l, from, to| {
                    e.import_bindings();
                    l.rows_of_tiles(e, loops, depth, (Extent::Value(from), Extent::Value(to)), outputs);
                });
                e.bind = saved;
                e.afresh();
            }
            None => {
                self.rows_of_tiles(e, loops, depth, (Extent::Const(0), Extent::Const(down)), outputs);
            }
        }
        for (rest, from) in [(a, row_end), (b, column_end)] {
            (e.ranges[a], e.ranges[b]) = ((rows.0, if rest == b { row_end } else { rows.1 }), columns);
            e.ranges[rest].0 = from;
            if from < e.ranges[rest].1 {
                e.afresh();
                self.cell(e, loops, depth, arithmetic, may_cut, outputs);
            }
        }
        (e.ranges[a], e.ranges[b]) = (rows, columns);
        e.afresh();
    }

    /// The tiles below each other whose numbers are in `bounds`, each with all those to its right.
    fn rows_of_tiles(
        &mut self,
        e: &mut Emission<'_>,
        loops: &Loops,
        depth: usize,
        bounds: (Extent, Extent),
        outputs: &[Output],
    ) {
        let [tall, wide] = cost::TILE;
        let (a, b) = (loops.atoms[depth].0 as usize, loops.atoms[depth + 1].0 as usize);
        let across = (e.ranges[b].1 - e.ranges[b].0) / wide;
        let counters: SmallVec<[KValue; 4]> = (0..4).map(|_| self.b.open(&[Scalar::I64])[0]).collect();
        let [down, right, row, column] = counters[..] else { unreachable!("four loops were opened") };
        let within = |offset: i64, tile: KValue, size: i64, element: KValue| Binding {
            offset,
            terms: SmallVec::from_slice(&[(tile, size), (element, 1)]),
            imported: false,
        };
        e.bind[a] = within(e.ranges[a].0, down, tall, row);
        e.bind[b] = within(e.ranges[b].0, right, wide, column);
        self.cell(e, loops, depth + 2, 0, false, outputs);
        let to = |n: i64| (Extent::Const(0), Extent::Const(n));
        self.b.end_for(to(wide), LoopKind::Vector, &[], &[]);
        self.b.end_for(to(tall), LoopKind::Sequential, &[], &[]);
        self.b.end_for(to(across), LoopKind::Sequential, &[], &[]);
        self.b.end_for(bounds, LoopKind::Sequential, &[], &[]);
    }

    #[allow(clippy::too_many_arguments, reason = "the state of a nest being emitted")]
    fn counted_cell(
        &mut self,
        e: &mut Emission<'_>,
        loops: &Loops,
        depth: usize,
        offset: i64,
        bounds: (Extent, Extent),
        arithmetic: u32,
        outputs: &[Output],
    ) {
        let atom = loops.atoms[depth].0;
        let innermost = loops.atoms[depth + 1..]
            .iter()
            .all(|&(a, _)| e.ranges[a as usize].1 - e.ranges[a as usize].0 == 1);
        let counter = self.b.open(&[Scalar::I64])[0];
        e.bind[atom as usize] = Binding { offset, ..Binding::counter(counter) };
        // An inner loop may still be large enough when this one was too short to cut.
        self.cell(e, loops, depth + 1, arithmetic, true, outputs);
        let kind = if innermost { LoopKind::Vector } else { LoopKind::Sequential };
        self.b.end_for(bounds, kind, &[], &[]);
    }
}

/// The affine forms that matter to loops: those of live nodes and of what is stored.
pub(super) struct Forms<'g> {
    forms: Vec<&'g Affine>,
    guards: Vec<(&'g Affine, i64, i64)>,
    /// Nodes that roots need.
    pub(super) live: Vec<u32>,
}

impl Forms<'_> {
    /// Whether every form walks an atom and the next, of this extent, as one.
    pub(super) fn walk_jointly(&self, atom: u32, next: i64) -> bool {
        let jointly =
            |f: &&Affine| f.coefficient(Var::Atom(atom)) == f.coefficient(Var::Atom(atom + 1)) * next;
        self.forms.iter().all(jointly)
    }
}

pub(super) fn forms<'g>(
    graph: &'g Graph,
    roots: impl Iterator<Item = u32>,
    positions: impl Iterator<Item = &'g Affine>,
) -> Forms<'g> {
    let mut out = Forms { forms: positions.collect(), guards: Vec::new(), live: Vec::new() };
    let mut marked = vec![false; graph.nodes.len()];
    let mut work: Vec<u32> = roots.collect();
    while let Some(n) = work.pop() {
        if std::mem::replace(&mut marked[n as usize], true) {
            continue;
        }
        out.live.push(n);
        let node = &graph.nodes[n as usize];
        match &node.op {
            NodeOp::Load(_, index) | NodeOp::Index(index) => {
                out.forms.push(index);
                work.extend(index.terms.iter().filter_map(|&(v, _)| match v {
                    Var::Node(m) => Some(m),
                    Var::Atom(_) | Var::Outer(_) => None,
                }));
            }
            NodeOp::Op(_, operands) => work.extend(operands),
            NodeOp::Guard { index, lo, hi, inside, outside } => {
                out.forms.push(index);
                out.guards.push((index, *lo, *hi));
                work.extend([*inside, *outside]);
            }
            NodeOp::Constant(_) | NodeOp::Outer(_) => {}
        }
    }
    out
}

/// Merges adjacent atoms that all forms walk jointly and `same` allows. A merged atom is bound to 0 and its
/// inner neighbour counts for both.
pub(super) fn collapse(graph: &Graph, forms: &Forms<'_>, same: impl Fn(u32, u32) -> bool) -> Loops {
    let mut atoms = Atoms::new();
    for a in (0..graph.atoms.len() as u32).rev() {
        let extent = graph.atoms[a as usize];
        if extent == 1 {
            continue;
        }
        if let Some((b, n)) = atoms.last_mut() {
            let jointly = |f: &&Affine| f.coefficient(Var::Atom(a)) == f.coefficient(Var::Atom(*b)) * *n;
            if same(a, *b) && forms.forms.iter().all(jointly) {
                *n *= extent;
                continue;
            }
        }
        atoms.push((a, extent));
    }
    atoms.reverse();
    Loops { atoms, tiled: false }
}

/// Where a load leaps along the innermost loop and runs along another, brings that one next to it and has both walked in
/// tiles: then what one iteration fetches around an element is still near when its neighbours are wanted.
fn tile(graph: &Graph, forms: &Forms<'_>, loops: &mut Loops) {
    let Some((&(inner, _), outer)) = loops.atoms.split_last() else { return };
    let runs_along = |&(a, _): &(u32, i64)| {
        forms.live.iter().any(|&n| match &graph.nodes[n as usize].op {
            NodeOp::Load(_, index) => {
                index.coefficient(Var::Atom(inner)).abs() >= cost::LEAP
                    && index.coefficient(Var::Atom(a)).abs() == 1
            }
            NodeOp::Op(..)
            | NodeOp::Index(_)
            | NodeOp::Constant(_)
            | NodeOp::Outer(_)
            | NodeOp::Guard { .. } => false,
        })
    };
    if let Some(k) = outer.iter().rposition(runs_along) {
        let along = loops.atoms.remove(k);
        loops.atoms.insert(loops.atoms.len() - 1, along);
        loops.tiled = true;
    }
}

/// Cuts the space where a guard changes sides; each cell has a range per loop.
fn cells(forms: &Forms<'_>, loops: &Loops) -> Vec<SmallVec<[(i64, i64); 4]>> {
    let mut out: Vec<SmallVec<[(i64, i64); 4]>> = vec![SmallVec::new()];
    for &(a, n) in &loops.atoms {
        let mut points: Vec<i64> = vec![0, n];
        for &(index, lo, hi) in &forms.guards {
            let c = index.coefficient(Var::Atom(a));
            if c == 0 {
                continue;
            }
            for bound in [lo, hi] {
                // The first value of the atom on the other side of the bound.
                let distance = bound - index.offset;
                let point = if c > 0 {
                    distance.div_euclid(c) + (distance.rem_euclid(c) != 0) as i64
                } else {
                    (-distance).div_euclid(-c) + 1
                };
                if point > 0 && point < n {
                    points.push(point);
                }
            }
        }
        points.sort_unstable();
        points.dedup();
        out = out
            .iter()
            .flat_map(|cell| {
                points.windows(2).map(move |w| {
                    let mut cell = cell.clone();
                    cell.push((w[0], w[1]));
                    cell
                })
            })
            .collect();
    }
    out
}

/// Arithmetic per point.
pub(super) fn arithmetic(graph: &Graph, forms: &Forms<'_>) -> u32 {
    forms
        .live
        .iter()
        .map(|&n| match &graph.nodes[n as usize].op {
            NodeOp::Op(KOp::Math(_) | KOp::Math2(_), _) => 24,
            NodeOp::Op(KOp::Binary(KBinary::Div | KBinary::Rem | KBinary::DivU | KBinary::RemU), _) => 4,
            NodeOp::Op(..) => 1,
            NodeOp::Load(..) => 1,
            NodeOp::Index(_) | NodeOp::Constant(_) | NodeOp::Outer(_) | NodeOp::Guard { .. } => 0,
        })
        .sum()
}
