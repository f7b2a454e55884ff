//! Nests in which some loads run along another loop than the stores, on a device: tiles of these loads go through workgroup memory,
//! so that neighbouring threads read neighbours and write neighbours.
//!
//! A block of 16 x 16 threads takes a tile of the two loops. It reads what is crossed as it lies in memory, waits, and computes
//! the elements as they are stored. Rows of a tile have one element more than they need, so that columns lie in different banks.

use super::Lowerer;
use super::emit::{Binding, Emission, Loops, Output};
use crate::lower::space::graph::{Graph, NodeOp};
use crate::lower::space::index::{Affine, Var};
use crate::lower::space::scope::At;
use smallvec::{SmallVec, smallvec};
use wengert_ir::kernel::*;

/// Threads of a block and elements of a tile along each side.
const SIDE: i64 = 16;
/// Loads that a block takes through its memory at most.
const MOST: usize = 8;

/// Which loops cross, by their place among all, and the loads that run along the first.
pub(in crate::lower) struct Crossing {
    along: usize,
    inner: usize,
    loads: Vec<u32>,
}

/// The loads of a cell that leap along its innermost loop and run along another.
pub(in crate::lower) fn crossing(
    graph: &Graph,
    live: &[u32],
    loops: &Loops,
    cell: &[(i64, i64)],
    leap: i64,
) -> Option<Crossing> {
    let long = |k: usize| cell[k].1 - cell[k].0 >= 2 * SIDE;
    let inner = (0..cell.len()).rfind(|&k| cell[k].1 - cell[k].0 > 1).filter(|&k| long(k))?;
    let crosses = |along: usize| -> Vec<u32> {
        let is = |n: &u32| match &graph.nodes[*n as usize].op {
            NodeOp::Load(_, index) => {
                let step = |k: usize| index.coefficient(Var::Atom(loops.atoms[k].0)).abs();
                let plain = index.terms.iter().all(|t| !matches!(t.0, Var::Node(_)));
                plain && step(inner) >= leap && step(along) == 1
            }
            NodeOp::Op(..)
            | NodeOp::Index(_)
            | NodeOp::Constant(_)
            | NodeOp::Outer(_)
            | NodeOp::Guard { .. } => false,
        };
        let mut loads: Vec<u32> = live.iter().copied().filter(is).collect();
        loads.sort_unstable();
        loads.truncate(MOST);
        loads
    };
    let all = (0..inner).filter(|&k| long(k)).map(|along| Crossing { along, inner, loads: crosses(along) });
    all.filter(|c| !c.loads.is_empty()).max_by_key(|c| c.loads.len())
}

impl<'m> Lowerer<'m> {
    /// The launch of a cell with loads that cross. `false` if it has more tiles than a grid has blocks.
    pub(in crate::lower) fn launch_crossing(
        &mut self,
        e: &mut Emission<'_>,
        loops: &Loops,
        cell: &[(i64, i64)],
        outputs: &[Output],
        crossing: &Crossing,
    ) -> bool {
        let Crossing { along, inner, loads } = crossing;
        let extent = |k: usize| cell[k].1 - cell[k].0;
        let tiles = |k: usize| (extent(k) + SIDE - 1) / SIDE;
        // The grid counts tiles in place of the two loops.
        let counts: SmallVec<[i64; 4]> =
            (0..cell.len()).map(|k| if k == *along || k == *inner { tiles(k) } else { extent(k) }).collect();
        let blocks = counts.iter().fold(1i64, |n, &c| n.saturating_mul(c));
        if blocks > launch::MOST_BLOCKS[0] {
            return false;
        }
        let graph = e.graph;
        let sources: Vec<(At, Affine, Scalar)> = loads
            .iter()
            .map(|&n| match &graph.nodes[n as usize].op {
                NodeOp::Load(at, index) => (at.clone(), index.clone(), graph.nodes[n as usize].ty),
                other => unreachable!("{other:?} is no load"),
            })
            .collect();
        self.launch([blocks, 1, 1], [SIDE as u32, SIDE as u32, 1], |l| {
            e.import_bindings();
            let [x, y] = [Axis::X, Axis::Y].map(|axis| l.b.pure(KOp::ThreadId(axis), &[], Scalar::I64));
            let block = l.b.pure(KOp::BlockId(Axis::X), &[], Scalar::I64);
            let digits = l.digits(block, &counts);
            for (k, &(atom, _)) in loops.atoms.iter().enumerate() {
                e.bind[atom as usize] = Binding { offset: cell[k].0, ..Binding::counter(digits[k]) };
            }
            let size = l.b.int(SIDE);
            let place = |l: &mut Self, k: usize, thread: KValue| {
                let first = l.b.binary(KBinary::Mul, digits[k], size);
                l.b.binary(KBinary::Add, first, thread)
            };
            let bind = |e: &mut Emission<'_>, k: usize, v: KValue| {
                let atom = loops.atoms[k].0 as usize;
                e.bind[atom] = Binding { offset: cell[k].0, ..Binding::counter(v) };
            };
            // As they lie: neighbours along `along`. Threads beyond an edge read what is there.
            for (k, thread) in [(*along, x), (*inner, y)] {
                let at = place(l, k, thread);
                let last = l.b.int(extent(k) - 1);
                let at = if extent(k) % SIDE == 0 { at } else { l.b.binary(KBinary::Min, at, last) };
                bind(e, k, at);
            }
            e.afresh();
            let mut shared: Vec<MemRef> = Vec::new();
            for (at, index, elem) in &sources {
                let mem = l.b.workgroup(*elem, (SIDE * (SIDE + 1)) as usize);
                let access = l.access(e, at, index);
                let value = l.b.load_here(access);
                let terms = smallvec![(y, SIDE + 1), (x, 1)];
                l.b.store(Access { mem, offset: 0, terms }, value);
                shared.push(mem);
            }
            l.b.push(KOp::Barrier, &[], &[]);
            // As they are stored: neighbours along `inner`.
            let mut closing = Vec::new();
            for (k, thread) in [(*along, y), (*inner, x)] {
                let mut at = place(l, k, thread);
                if extent(k) % SIDE != 0 {
                    closing.push((Extent::Value(at), Extent::Const(extent(k))));
                    at = l.b.open(&[Scalar::I64])[0];
                }
                bind(e, k, at);
            }
            e.afresh();
            for (&node, &mem) in loads.iter().zip(&shared) {
                let terms = smallvec![(x, SIDE + 1), (y, 1)];
                let value = l.b.load_here(Access { mem, offset: 0, terms });
                e.known(node, value);
            }
            let roots: SmallVec<[u32; 4]> = outputs.iter().map(|o| o.node).collect();
            let values = l.emit(e, &roots);
            for (o, value) in outputs.iter().zip(values) {
                let access = l.access(e, &o.at, &o.position);
                l.b.store(access, value);
            }
            for bounds in closing.into_iter().rev() {
                l.b.end_steps(bounds, MOST_STEP, LoopKind::Sequential, &[], &[]);
            }
        });
        true
    }
}
