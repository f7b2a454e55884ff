//! Unroll and jam: where some memory lies along the loop around the innermost one, several trips of that loop are taken side by side
//! in each trip of the innermost. What one iteration reads or writes of such memory then lies side by side, and the vectorizer
//! turns blocks of it in registers (interleaved groups; Allen and Kennedy, "Optimizing Compilers for Modern Architectures",
//! chapter 8.4).

use super::Lowerer;
use super::emit::{Binding, Emission, Loops, Nest, Output};
use super::forms::Forms;
use crate::cost::Target;
use crate::lower::space::graph::{Graph, NodeOp};
use crate::lower::space::index::{Affine, Var};
use smallvec::SmallVec;
use wengert_ir::kernel::*;

/// Bytes of a row of a block: of one vector, or half of one.
const ROW: i64 = 64;
/// From this distance on, in elements, blocks cost less than vectors that are taken apart one by one.
const APART: i64 = 8;
/// Most values of an iteration, all trips together.
const VALUES: i64 = 256;
/// Farthest apart that rows of a block are, in bytes: they are reached from one pointer.
const FARTHEST: i64 = 1 << 24;

/// How many trips of the loop over an atom, of this extent, are taken side by side if the innermost loop is `inner`. `None` where
/// memory does not lie that way, or the block would be too large.
pub(in crate::lower) fn jam(
    graph: &Graph,
    forms: &Forms<'_>,
    outputs: &[Output],
    (atom, extent): (u32, i64),
    inner: u32,
) -> Option<i64> {
    let mut bytes = 0;
    let mut takes = |form: &Affine, elem: Scalar| -> bool {
        let step = |a: u32| form.coefficient(Var::Atom(a));
        let size = elem.size() as i64;
        if step(inner).abs() < APART || step(atom) != 1 {
            return step(atom).saturating_abs() <= FARTHEST / size;
        }
        bytes = bytes.max(size);
        size >= 4
    };
    let loads = forms.live.iter().all(|&n| match &graph.nodes[n as usize].op {
        NodeOp::Load(_, index) => takes(index, graph.nodes[n as usize].ty),
        NodeOp::Op(..) | NodeOp::Index(_) | NodeOp::Constant(_) | NodeOp::Outer(_) | NodeOp::Guard { .. } => {
            true
        }
    });
    let stores = outputs.iter().all(|o| takes(&o.position, graph.nodes[o.node as usize].ty));
    if !loads || !stores || bytes == 0 {
        return None;
    }
    let whole = ROW / bytes;
    let fits = |n: &i64| *n <= extent && *n * forms.live.len() as i64 <= VALUES;
    [whole, whole / 2].into_iter().find(fits)
}

impl<'m> Lowerer<'m> {
    /// The two innermost loops, blocks of the outer one's trips side by side, and what these leave over.
    pub(in crate::lower) fn jammed(
        &mut self,
        e: &mut Emission<'_>,
        nest: &Nest<'_>,
        depth: usize,
        size: i64,
        may_cut: bool,
    ) {
        let [a, b] = [depth, depth + 1].map(|k| nest.loops.atoms[k].0 as usize);
        let ((lo, hi), (left, right)) = (e.ranges[a], e.ranges[b]);
        let mut from = lo;
        for size in [size, size / 2].into_iter().filter(|&n| n > 2) {
            let count = (hi - from) / size;
            if count == 0 {
                continue;
            }
            e.ranges[a] = (from, from + count * size);
            e.afresh();
            // A single block is cut across.
            let across = count == 1;
            let (trips, each) = if across { (right - left, size) } else { (count, size * (right - left)) };
            let grain = self.grain(trips, each as usize, nest.arithmetic, nest.outputs.len() + 2);
            let all = |n: i64| (Extent::Const(0), Extent::Const(n));
            if let Some(grain) = grain.filter(|_| may_cut) {
                let saved = e.bind.clone();
                self.outline(trips, grain, |l, from, to| {
                    e.import_bindings();
                    let part = (Extent::Value(from), Extent::Value(to));
                    let bounds = if across { [all(1), part] } else { [part, all(right - left)] };
                    l.blocks_abreast(e, nest, depth, size, bounds);
                });
                e.bind = saved;
            } else {
                self.blocks_abreast(e, nest, depth, size, [all(count), all(right - left)]);
            }
            from += count * size;
        }
        if from < hi {
            e.ranges[a] = (from, hi);
            e.afresh();
            let loops = Loops { jam: None, ..nest.loops.clone() };
            self.cell(e, &Nest { loops: &loops, ..*nest }, depth, may_cut);
        }
        e.ranges[a] = (lo, hi);
        e.afresh();
    }

    /// The blocks, and of each the iterations, whose numbers are in `bounds`.
    fn blocks_abreast(
        &mut self,
        e: &mut Emission<'_>,
        nest: &Nest<'_>,
        depth: usize,
        size: i64,
        [blocks, columns]: [(Extent, Extent); 2],
    ) {
        let [a, b] = [depth, depth + 1].map(|k| nest.loops.atoms[k].0 as usize);
        let (block, column) = (self.b.open(&[Scalar::I64])[0], self.b.open(&[Scalar::I64])[0]);
        let mut terms = SmallVec::from_slice(&[(column, 1)]);
        terms.extend(nest.strip);
        e.bind[b] = Binding { offset: e.ranges[b].0, terms, imported: false };
        let range = e.ranges[a];
        for k in 0..size {
            e.bind[a] = Binding { offset: range.0 + k, ..Binding::scaled(block, size) };
            e.afresh();
            self.cell(e, nest, depth + 2, false);
        }
        self.b.end_for(columns, LoopKind::Vector, &[], &[]);
        self.b.end_for(blocks, LoopKind::Sequential, &[], &[]);
    }
}

/// Brings the loop that some memory lies along next to the innermost one, if that is long, and says how many of its trips are taken
/// side by side.
pub(in crate::lower) fn choose(
    target: &Target,
    graph: &Graph,
    forms: &Forms<'_>,
    outputs: &[Output],
    loops: &mut Loops,
) -> bool {
    let Some((&(inner, width), outer)) = loops.atoms.split_last() else { return false };
    if target.device.is_some() || width < LANES as i64 {
        return false;
    }
    let found = (0..outer.len()).rev().find_map(|k| Some((k, jam(graph, forms, outputs, outer[k], inner)?)));
    let Some((k, size)) = found else { return false };
    let along = loops.atoms.remove(k);
    loops.atoms.insert(loops.atoms.len() - 1, along);
    loops.jam = Some(size);
    true
}
