//! Products whose factor is made piece by piece.
//!
//! A factor that is much larger than what it is made of, as the windows of a convolution are, is not stored whole: some
//! of its rows are made in memory that stays in a near cache, multiplied while they are there, and the next take their
//! place. Batches are cut before rows; where one row is longer than a piece, the sum is cut, and pieces are added up.

use super::classify::{Class, class, has_one_type};
use super::columns::even;
use super::cost;
use super::dot::{Contraction, View};
use super::emit::Output;
use super::graph::Graph;
use super::index::{Affine, Var, row_major};
use super::scope::{Scope, Stored};
use super::strided_views::is_view;
use super::{LowerError, Lowerer};
use wengert_ir::func::{Func, Inst, Value};
use wengert_ir::kernel::*;
use wengert_ir::op::{DotGeneral, Op};
use wengert_ir::types::{Dims, TensorType};

/// How a factor is cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Cut {
    /// Which of the two.
    pub(super) factor: usize,
    /// Dimensions of which each piece has one index, outermost first.
    single: Dims,
    /// The dimension of which it has several, and how many.
    several: (usize, usize),
    /// Whether what is cut is summed over.
    pub(super) adds: bool,
    /// Dimensions that are summed over, outermost first.
    contracted: Dims,
}

/// How a factor of a contraction that is not stored is to be cut, if it is.
pub(super) fn cut(func: &Func, inst: &Inst) -> Option<Cut> {
    let Op::DotGeneral(dot) = &inst.op else { return None };
    if !dot.dtype.is_float() || !has_one_type(func, inst) || class(func, inst) != Class::Opaque {
        return None;
    }
    let size = |k: usize| func.tensor(inst.operands[k]).checked_elements().unwrap_or(0);
    let factor = usize::from(size(1) > size(0));
    let v = inst.operands[factor];
    let bytes = size(factor) * func.tensor(v).dtype.size();
    if bytes < cost::PIECES * cost::PIECE || !is_expansion(func, v) {
        return None;
    }
    cut_of(func, inst, dot, factor)
}

/// Whether what a value is made of is much smaller than it, and quickly made into it.
fn is_expansion(func: &Func, v: Value) -> bool {
    /// Instructions that are looked at.
    const MOST: usize = 24;
    let size = |v: Value| func.tensor(v).checked_elements().unwrap_or(usize::MAX);
    let (mut seen, mut read, mut arithmetic) = (vec![v], 0usize, 0u32);
    let mut next = 0;
    while next < seen.len() {
        let w = seen[next];
        next += 1;
        let made = func.def(w).map(|(_, inst)| inst).filter(|inst| {
            let moved = matches!(class(func, inst), Class::Elementwise | Class::Index);
            let anywhere = matches!(inst.op, Op::Gather(_)) && !is_view(func, inst);
            moved && !anywhere && !cost::is_expensive(&inst.op)
        });
        match made {
            Some(inst) if seen.len() < MOST => {
                arithmetic += cost::arithmetic_of(func, inst);
                for &u in &inst.operands {
                    if !seen.contains(&u) {
                        seen.push(u);
                    }
                }
            }
            Some(_) => return false,
            None => read = read.saturating_add(size(w)),
        }
    }
    arithmetic <= cost::QUICK && read.saturating_mul(2) <= size(v)
}

fn cut_of(func: &Func, inst: &Inst, dot: &DotGeneral, factor: usize) -> Option<Cut> {
    let ty = func.tensor(inst.operands[factor]);
    let (batches, mut contracted) = match factor {
        0 => (&dot.lhs_batching_dims, dot.lhs_contracting_dims.clone()),
        _ => (&dot.rhs_batching_dims, dot.rhs_contracting_dims.clone()),
    };
    contracted.retain(|d| ty.shape[*d] > 1);
    contracted.sort_unstable();
    // The sum walks a piece as one dimension.
    let lies_together =
        contracted.windows(2).all(|w| ty.shape[w[0] + 1..w[1]].iter().all(|&between| between == 1));
    if !lies_together {
        return None;
    }
    let free: Dims = (0..ty.rank()).filter(|d| !batches.contains(d) && !contracted.contains(d)).collect();
    let size = |dims: &Dims| dims.iter().map(|&d| ty.shape[d]).product::<usize>();
    let (rows, depth) = (size(&free), size(&contracted));
    let batch: usize = batches.iter().map(|&d| ty.shape[d]).product();
    let other = func.tensor(inst.operands[1 - factor]).elements() / (batch * depth);
    let most = cost::PIECE / ty.dtype.size();
    // What is read again for each piece: the rows that the other factor has, or the product.
    let least = other.clamp(cost::PIECE_ROWS[0], cost::PIECE_ROWS[1]);
    // Dimensions taken one by one, until several indices of one are a piece of `most` elements.
    let along = |dims: &Dims, mut each: usize, most: usize| {
        each *= size(dims);
        let mut single = Dims::new();
        for &d in dims.iter().filter(|&&d| ty.shape[d] > 1) {
            each /= ty.shape[d];
            if 2 * each <= most {
                let count = even(ty.shape[d] as i64, (most / each) as i64) as usize;
                return (single, Some((d, count)));
            }
            single.push(d);
        }
        (single, None)
    };
    let (mut single, several) = along(batches, rows * depth, most);
    if let Some(several) = several {
        return Some(Cut { factor, single, several, adds: false, contracted });
    }
    let adds = least * depth > 4 * most;
    let (row, again) = if adds { (rows, rows * other) } else { (depth, depth * other) };
    if again > 2 * most || least * row > 4 * most {
        return None;
    }
    let (more, several) = along(if adds { &contracted } else { &free }, row, most.max(least * row));
    single.extend(more);
    Some(Cut { factor, single, several: several?, adds, contracted })
}

impl Cut {
    /// Whether a sum walks a factor with these strides as one dimension, as it lies.
    pub(super) fn walks_together(&self, ty: &TensorType, strides: &[i64]) -> bool {
        self.contracted.windows(2).all(|w| strides[w[0]] == strides[w[1]] * ty.shape[w[1]] as i64)
    }

    /// The shape of a piece of a factor of this shape, with so many indices of the dimension that has several.
    fn shape(&self, whole: &[usize], several: usize) -> Dims {
        let mut shape = Dims::from_slice(whole);
        self.single.iter().for_each(|&d| shape[d] = 1);
        shape[self.several.0] = several;
        shape
    }

    /// How many pieces there are along each dimension that is cut, without a shorter last one.
    fn counts(&self, whole: &[usize]) -> Vec<i64> {
        let (dim, count) = self.several;
        self.single.iter().map(|&d| whole[d] as i64).chain([(whole[dim] / count) as i64]).collect()
    }

    /// What tells the place of a piece: a counter for each dimension that is cut.
    fn places(&self, several: usize) -> Vec<Place> {
        let dims = self.single.iter().map(|&dim| (dim, 1, 1)).chain([(
            self.several.0,
            self.several.1 as i64,
            several,
        )]);
        dims.enumerate().map(|(counter, (dim, step, count))| Place { dim, counter, step, count }).collect()
    }
}

/// Which part of a dimension a piece has: `count` indices from `step` times a counter on.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) dim: usize,
    /// The number of the counter.
    pub(super) counter: usize,
    pub(super) step: i64,
    pub(super) count: usize,
}

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
        let most = if shared { (pieces / cost::SLOT_PIECES).clamp(1, cost::SLOTS) } else { 1 };
        let each = (pieces + most - 1) / most;
        (pieces + each - 1) / each
    }

    /// Memory for the pieces of a factor of this shape.
    pub(super) fn room(&mut self, elem: Scalar, whole: &[usize], cut: &Cut) -> View {
        let shape = cut.shape(whole, cut.several.1);
        let slots = self.slots(whole, cut) as usize;
        let at = self.scratch(elem, &[slots, shape.iter().product()]);
        View::dense(at, &shape)
    }

    /// Multiplies piece by piece; the factor that is cut, `v`, has [room](Self::room) for some.
    pub(super) fn in_pieces(
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
    fn digits(&mut self, position: KValue, shape: &[i64]) -> Vec<KValue> {
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
        let (graph, (position, node)) = self.graph_of(graph, |l, g| {
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
