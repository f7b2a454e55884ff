//! What matters to the loops of an expression graph: the affine forms of its accesses, which atoms they walk as one, where guards cut
//! the space, and how much arithmetic there is.

use super::emit::{Atoms, Loops};
use crate::cost::{DIVIDE, MATH};
use crate::lower::space::graph::{Graph, NodeOp};
use crate::lower::space::index::{Affine, Var};
use smallvec::SmallVec;
use wengert_ir::kernel::{KBinary, KOp};

/// The affine forms that matter to loops: those of live nodes and of what is stored.
pub(in crate::lower) struct Forms<'g> {
    forms: Vec<&'g Affine>,
    guards: Vec<(&'g Affine, i64, i64)>,
    /// Nodes that roots need.
    pub(in crate::lower) live: Vec<u32>,
}

impl Forms<'_> {
    /// Whether every form walks an atom and another within it, of this extent, as one.
    pub(in crate::lower) fn walk_jointly(&self, outer: u32, (inner, extent): (u32, i64)) -> bool {
        let jointly =
            |f: &&Affine| f.coefficient(Var::Atom(outer)) == f.coefficient(Var::Atom(inner)) * extent;
        self.forms.iter().all(jointly)
    }
}

pub(in crate::lower) fn forms<'g>(
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
pub(in crate::lower) fn collapse(graph: &Graph, forms: &Forms<'_>, same: impl Fn(u32, u32) -> bool) -> Loops {
    let mut atoms = Atoms::new();
    for a in (0..graph.own_atoms() as u32).rev() {
        let extent = graph.atoms[a as usize];
        if extent == 1 {
            continue;
        }
        if let Some(inner) = atoms.last_mut()
            && same(a, inner.0)
            && forms.walk_jointly(a, *inner)
        {
            inner.1 *= extent;
            continue;
        }
        atoms.push((a, extent));
    }
    atoms.reverse();
    Loops { atoms, jam: None, tiled: false, strips: None }
}

/// Cuts the space where a guard changes sides; each cell has a range per loop.
pub(in crate::lower) fn cells(forms: &Forms<'_>, loops: &Loops) -> Vec<SmallVec<[(i64, i64); 4]>> {
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
pub(in crate::lower) fn arithmetic(graph: &Graph, forms: &Forms<'_>) -> u32 {
    forms
        .live
        .iter()
        .map(|&n| match &graph.nodes[n as usize].op {
            NodeOp::Op(KOp::Math(_) | KOp::Math2(_), _) => MATH,
            NodeOp::Op(KOp::Binary(KBinary::Div | KBinary::Rem | KBinary::DivU | KBinary::RemU), _) => DIVIDE,
            NodeOp::Op(..) => 1,
            NodeOp::Load(..) => 1,
            NodeOp::Index(_) | NodeOp::Constant(_) | NodeOp::Outer(_) | NodeOp::Guard { .. } => 0,
        })
        .sum()
}
