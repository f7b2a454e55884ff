//! Products whose factor is made piece by piece, as the [plan](crate::lower::plan::cut) cuts it: a piece is made, multiplied
//! while it is near, and the next takes its place.

use super::Lowerer;
use super::dot::{Contraction, View};
use super::emit::Output;
use crate::lower::LowerError;
use crate::lower::plan::cut::{Cut, Place};
use crate::lower::plan::views::row_major;
use crate::lower::space::graph::{self, Graph};
use crate::lower::space::index::{Affine, Var};
use crate::lower::space::scope::{Scope, Stored};
use wengert_ir::func::Value;
use wengert_ir::kernel::*;
use wengert_ir::types::Dims;

/// How to make pieces of one size.
struct Making {
    graph: Graph,
    position: Affine,
    node: u32,
    places: Vec<Place>,
    shape: Dims,
}

impl<'m> Lowerer<'m> {
    /// How many pieces may be in memory at a time: each thread has its own. Sums of pieces are added up in one place.
    fn slots(&self, whole: &[usize], cut: &Cut) -> i64 {
        let pieces: i64 = cut.counts(whole).iter().product();
        let shared = !cut.adds && self.may_outline();
        let most = if shared {
            (pieces / self.options.target.slot_pieces).clamp(1, self.options.target.slots)
        } else {
            1
        };
        let each = (pieces + most - 1) / most;
        (pieces + each - 1) / each
    }

    /// Memory for the pieces of a factor of this shape.
    pub(in crate::lower) fn room(&mut self, elem: Scalar, whole: &[usize], cut: &Cut) -> View {
        let shape = cut.shape(whole, cut.several.1);
        let slots = self.slots(whole, cut) as usize;
        let at = self.scratch(elem, &[slots, shape.iter().product()]);
        View::dense(at, &shape)
    }

    /// Multiplies piece by piece; the factor that is cut, `v`, has [room](Self::room) for some.
    pub(in crate::lower) fn in_pieces(
        &mut self,
        s: &mut Scope<'m>,
        v: Value,
        whole: &Contraction,
        cut: &Cut,
    ) -> Result<(), LowerError> {
        let shape = s.ty(v).shape.clone();
        let counts = cut.counts(&shape);
        let (dim, several) = cut.several;
        let (full, rest) = (counts[counts.len() - 1], shape[dim] % several);
        let slots = self.slots(&shape, cut);
        let making = self.making(s, v, cut, several, &counts, slots)?;
        let last = match rest {
            0 => None,
            _ => {
                let mut counts = counts.clone();
                *counts.last_mut().expect("a dimension is cut") = full + 1;
                Some(self.making(s, v, cut, rest, &counts, 1)?)
            }
        };
        if cut.adds {
            self.copy(&Stored::Splat(0), &whole.out.at);
        }
        self.memory.enter_loop();
        let pieces: i64 = counts.iter().product();
        let each = (pieces + slots - 1) / slots;
        if slots > 1 {
            self.outline(slots, 1, |l, from, to| {
                let slot = l.b.open(&[Scalar::I64])[0];
                let [each, all] = [each, pieces].map(|n| l.b.int(n));
                let first = l.b.binary(KBinary::Mul, slot, each);
                let end = l.b.binary(KBinary::Add, first, each);
                let end = l.b.binary(KBinary::Min, end, all);
                l.run_of_pieces(
                    whole,
                    cut,
                    making,
                    slot,
                    (Extent::Value(first), Extent::Value(end)),
                    &counts,
                );
                l.b.end_for((Extent::Value(from), Extent::Value(to)), LoopKind::Sequential, &[], &[]);
            });
        } else {
            let slot = self.b.int(0);
            let bounds = (Extent::Const(0), Extent::Const(pieces));
            self.run_of_pieces(whole, cut, making, slot, bounds, &counts);
        }
        if let Some(last) = last {
            let outer = &counts[..counts.len() - 1];
            let [slot, number] = [0, full].map(|n| self.b.int(n));
            let p = self.b.open(&[Scalar::I64])[0];
            let mut counters = self.digits(p, outer);
            counters.extend([number, slot]);
            self.piece(whole, cut, last, &counters);
            let bounds = (Extent::Const(0), Extent::Const(outer.iter().product()));
            self.b.end_for(bounds, LoopKind::Sequential, &[], &[]);
        }
        self.memory.leave_loop();
        Ok(())
    }

    /// Whole pieces with these numbers, one after the other in one slot.
    fn run_of_pieces(
        &mut self,
        whole: &Contraction,
        cut: &Cut,
        making: Making,
        slot: KValue,
        bounds: (Extent, Extent),
        counts: &[i64],
    ) {
        let p = self.b.open(&[Scalar::I64])[0];
        let mut counters = self.digits(p, counts);
        counters.push(slot);
        self.piece(whole, cut, making, &counters);
        self.b.end_for(bounds, LoopKind::Sequential, &[], &[]);
    }

    /// The indices of a row-major position in a shape.
    pub(in crate::lower) fn digits(&mut self, position: KValue, shape: &[i64]) -> Vec<KValue> {
        let mut rest = position;
        let mut out = Vec::new();
        for (d, &n) in shape.iter().enumerate().rev() {
            if d == 0 {
                out.push(rest);
                break;
            }
            let n = self.b.int(n);
            out.push(self.b.binary(KBinary::RemU, rest, n));
            rest = self.b.binary(KBinary::DivU, rest, n);
        }
        out.reverse();
        out
    }

    /// The expression of a piece. Its counters are those of the dimensions that are cut, and the slot.
    fn making(
        &mut self,
        s: &mut Scope<'m>,
        v: Value,
        cut: &Cut,
        several: usize,
        counts: &[i64],
        slots: i64,
    ) -> Result<Making, LowerError> {
        let whole = s.ty(v).shape.clone();
        let (shape, places) = (cut.shape(&whole, several), cut.places(several));
        // Every slot has room for a whole piece.
        let each: usize = cut.shape(&whole, cut.several.1).iter().product();
        let counters: Vec<i64> = counts.iter().copied().chain([slots]).collect();
        let graph = Graph::pieces(&whole, &shape, &places, &counters);
        let (graph, (position, node)) = graph::build(self, graph, |l, g| {
            let here = g.here();
            let mut position = Affine::default();
            for (index, stride) in g.indices(here).iter().zip(row_major(&shape)) {
                position.add(index, stride);
            }
            let own = g.own_atoms() as u32;
            position.terms.retain(|t| matches!(t.0, Var::Atom(a) if a < own));
            position.add_term(g.counter(counters.len() - 1), each as i64);
            Ok((position, l.node(g, s, v, here)?))
        })?;
        Ok(Making { graph, position, node, places, shape })
    }

    /// Makes one piece and multiplies it.
    fn piece(&mut self, whole: &Contraction, cut: &Cut, making: Making, counters: &[KValue]) {
        let Making { mut graph, position, node, places, shape } = making;
        let f = cut.factor;
        let mut c = whole.clone();
        c.adds = cut.adds;
        places.iter().for_each(|p| c.narrow(f, p, counters[p.counter]));
        let at = c.factors[f].at.clone();
        let room: usize = cut.shape(&c.shapes[f], cut.several.1).iter().product();
        c.factors[f] = View::dense(at.clone(), &shape);
        c.factors[f].moved(counters[counters.len() - 1], room as i64);
        for (counter, &value) in graph.counters.iter_mut().zip(counters) {
            counter.1 = Some(value);
        }
        self.nest(&graph, &[Output { at, position, node }]);
        self.memory.tick();
        self.multiply(&c);
        self.memory.tick();
    }
}
