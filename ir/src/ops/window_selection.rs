//! Which element of its window a maximum, a minimum or a selection chose, and what follows that choice: tangents and
//! scattered values.
//!
//! In general choices are flat positions in the operand, and what belongs to them is gathered or scattered, one element
//! at a time. Where windows lie side by side ([`Apart`], as in most pooling) every element belongs to one window at most;
//! choices are places in the window then, and comparing its own place with the choice tells an element whether it was
//! chosen: that is elementwise, and fuses.

use super::reduce_window::{Cumulative, cut};
use super::sketch::{self, Sketch};
use crate::array::{Array, Literal};
use crate::func::{FuncId, Module};
use crate::op::*;
use crate::rules::{Emit, Jvp, Term};
use crate::types::{DType, Dims, TensorType, Type};
use smallvec::smallvec;

/// Of larger windows so few elements are chosen that they are better gathered.
const LARGEST: usize = 32;

/// Windows side by side that cover the operand: its dimensions in two, the window and the place in it.
pub(super) struct Apart {
    /// Of the operand.
    shape: Dims,
    /// Of what there is one of per window.
    counts: Dims,
    /// The elements at each place of the windows, in row-major order.
    reads: Vec<Slice>,
    /// The operand's dimensions in two, where windows are longer than 1.
    split: Dims,
    /// Which of those say which window,
    which: Dims,
    /// and which say where in the window.
    place: Dims,
}

impl Apart {
    /// Of the windows of `w` over an operand of `shape`, which has elements.
    pub(super) fn of(w: &ReduceWindow, shape: &[usize]) -> Option<Apart> {
        let plain = |d: usize| {
            let n = w.window_dimensions[d];
            let side_by_side = w.window_strides[d] == n && (w.window_dilations[d] == 1 || n == 1);
            let covers = w.base_dilations[d] == 1 && w.padding_low[d] == 0 && w.padding_high[d] == 0;
            side_by_side && covers && shape[d].is_multiple_of(n)
        };
        let counts = w.shape(shape)?;
        if !(2..=LARGEST).contains(&w.window()) || counts.contains(&0) || !(0..shape.len()).all(plain) {
            return None;
        }
        let empty = Dims::new;
        let mut out = Apart {
            shape: shape.into(),
            reads: w.places().iter().map(|k| w.read(k, &counts)).collect(),
            split: empty(),
            which: empty(),
            place: empty(),
            counts: counts.clone(),
        };
        for (&count, &n) in counts.iter().zip(&w.window_dimensions) {
            out.which.push(out.split.len());
            out.split.push(count);
            if n > 1 {
                out.place.push(out.split.len());
                out.split.push(n);
            }
        }
        Some(out)
    }

    /// What there is one of per window, for each of its elements.
    fn spread(&self, e: &mut dyn Emit, x: Term) -> Term {
        e.broadcast_in_dim(x, &self.split, &self.which)
    }

    /// For each window the element that is chosen, and its place.
    pub(super) fn choose(&self, e: &mut dyn Emit, direction: Direction, x: Term) -> (Term, Term) {
        let places = TensorType::new(DType::I32, &self.counts);
        let mut best = (e.one(self.reads[0].clone(), &[x]), e.splat(places.clone(), 0.0));
        for (k, read) in self.reads.iter().enumerate().skip(1) {
            let next = (e.one(read.clone(), &[x]), e.splat(places.clone(), k as f64));
            let keep = e.compare(direction, best.0, next.0);
            best = (e.select(keep, best.0, next.0), e.select(keep, best.1, next.1));
        }
        best
    }

    /// Whether an element is at the place that its window chose.
    fn chosen(&self, e: &mut dyn Emit, choice: Term) -> Term {
        let sizes: Dims = self.place.iter().map(|&d| self.split[d]).collect();
        let places: Vec<i32> = (0..self.reads.len() as i32).collect();
        let places = e.literal(Literal::from_array(&Array::new(&sizes, &places)));
        let places = e.broadcast_in_dim(places, &self.split, &self.place);
        let choice = self.spread(e, choice);
        e.compare(Direction::Eq, places, choice)
    }

    /// The chosen elements of `x`: in each sum the only one that is not made zero.
    fn pull(&self, e: &mut dyn Emit, x: Term, choice: Term) -> Term {
        let chosen = self.chosen(e, choice);
        let x = e.reshape(x, &self.split);
        let ty = e.ty(x);
        let zeros = e.zero(ty);
        let alone = e.select(chosen, x, zeros);
        e.reduce_sum(alone, &self.place)
    }

    /// An array of `init`, in the chosen elements combined by `op` with those of `x`; replaced by them without one.
    pub(super) fn push(
        &self,
        e: &mut dyn Emit,
        op: Option<BinaryOp>,
        init: Term,
        x: Term,
        choice: Term,
    ) -> Term {
        let chosen = self.chosen(e, choice);
        let x = self.spread(e, x);
        let old = e.broadcast_scalar(init, &self.split);
        let new = op.map_or(x, |op| e.binary(op, old, x));
        let out = e.select(chosen, new, old);
        e.reshape(out, &self.shape)
    }
}

impl ReduceWindow {
    /// The tangent of a maximum or minimum.
    pub(super) fn chooser_jvp(&self, e: &mut dyn Emit, x: Jvp<'_>, direction: Direction) -> Option<Term> {
        let (input, init) = (x.operands[0], x.operands[1]);
        let shape = e.ty(input).shape;
        let ty = e.ty(x.results[0]);
        let from_init = x.tangents[1].map(|t| e.broadcast_scalar(t, &ty.shape));
        if ty.shape.contains(&0) || shape.contains(&0) {
            return from_init;
        }
        let cumulative = self.cumulative(&shape);
        let apart = Apart::of(self, &shape); // a running one has padding
        let (value, index) = match (cumulative, &apart) {
            (Some(cumulative), _) => (x.results[0], self.records(e, x, direction, cumulative)),
            (None, Some(apart)) => apart.choose(e, direction, input),
            (None, None) => self.selected(e, Selector::Compare(direction), input, &[]),
        };
        let wins = self.wins(e, init, value, apart.is_none().then_some(index), direction);
        if x.tangents[0].is_none() && wins.is_none() {
            return None;
        }
        let of_input = match x.tangents[0] {
            None => e.zero(ty.clone()),
            Some(t) => match &apart {
                Some(apart) => apart.pull(e, t, index),
                None => take_flat(e, t, index),
            },
        };
        let Some(wins) = wins else { return Some(of_input) };
        let rest = from_init.unwrap_or_else(|| e.zero(ty));
        Some(e.select(wins, of_input, rest))
    }

    /// Whether an element wins against the initial value, which wins only if it is better than all: the elements come
    /// before it among equals, except that a running reduction looks at it first. `None` if all windows have elements
    /// and the initial value is the worst there is, so that it never wins. An `index` is negative for no element.
    fn wins(
        &self,
        e: &mut dyn Emit,
        init: Term,
        value: Term,
        index: Option<Term>,
        direction: Direction,
    ) -> Option<Term> {
        let largest = matches!(direction, Direction::Ge | Direction::Gt);
        let worst = if largest { f64::NEG_INFINITY } else { f64::INFINITY };
        let never_best = e.constant(init).is_some_and(|c| c.splat_value() == Some(worst));
        let there = index.map(|index| {
            let zero = e.splat_like(index, 0.0);
            e.compare(Direction::Ge, index, zero)
        });
        if never_best && there.is_none() {
            return None;
        }
        let shape = e.ty(value).shape;
        let init = e.broadcast_scalar(init, &shape);
        let worse = e.compare(if largest { Direction::Lt } else { Direction::Gt }, value, init);
        let better = e.unary(UnaryOp::Not, worse);
        Some(match there {
            Some(there) => e.binary(BinaryOp::And, there, better),
            None => better,
        })
    }

    /// Where each running maximum or minimum was attained first: flat positions, or -1.
    fn records(&self, e: &mut dyn Emit, x: Jvp<'_>, direction: Direction, c: Cumulative) -> Term {
        let (input, init, result) = (x.operands[0], x.operands[1], x.results[0]);
        let shape = e.ty(input).shape;
        let n = shape[c.dim];
        let mut edge = shape.clone();
        edge[c.dim] = 1;
        let edge = e.broadcast_scalar(init, &edge);
        // What the element was compared with.
        let previous = if c.reverse {
            let rest = cut(e, result, c.dim, 1, n);
            e.one(Concatenate { dim: c.dim }, &[rest, edge])
        } else {
            let rest = cut(e, result, c.dim, 0, n - 1);
            e.one(Concatenate { dim: c.dim }, &[edge, rest])
        };
        let record = if c.reverse {
            e.compare(direction, input, previous)
        } else {
            let stays = e.compare(direction, previous, input);
            e.unary(UnaryOp::Not, stays)
        };
        let places = flat_places(e, &shape);
        let none = e.splat_like(places, if c.reverse { i32::MAX as f64 } else { -1.0 });
        let places_or_none = e.select(record, places, none);
        let dtype = e.ty(places).dtype;
        let init = e.splat(TensorType::scalar(dtype), if c.reverse { i32::MAX as f64 } else { -1.0 });
        let op = if c.reverse { BinaryOp::Minimum } else { BinaryOp::Maximum };
        let running = ReduceWindow::running(Reducer::Op(op), &shape, c.dim, c.reverse);
        let index = e.one(running, &[places_or_none, init]);
        if !c.reverse {
            return index;
        }
        let minus = e.splat_like(index, -1.0);
        let found = e.compare(Direction::Ne, index, none);
        e.select(found, index, minus)
    }

    /// For each window of `x` the element that `select` keeps, and its flat position: -1 if the window has
    /// none but padding.
    pub(crate) fn selected(
        &self,
        e: &mut dyn Emit,
        select: Selector,
        x: Term,
        captures: &[Term],
    ) -> (Term, Term) {
        let ty = e.ty(x);
        let places = flat_places(e, &ty.shape);
        let dtype = e.ty(places).dtype;
        let captured = sketch::types(e, captures);
        let body = selection(e.module(), select, ty.dtype, dtype, &captured);
        let init = e.splat(TensorType::scalar(ty.dtype), 0.0);
        let none = e.splat(TensorType::scalar(dtype), -1.0);
        let mut operands = vec![x, places, init, none];
        operands.extend_from_slice(captures);
        let out = e.emit(self.with(2, Reducer::Func(body)).into(), &operands);
        (out[0], out[1])
    }
}

/// The flat position of every element.
fn flat_places(e: &mut dyn Emit, shape: &[usize]) -> Term {
    let n: usize = shape.iter().product();
    let dtype = if n < i32::MAX as usize { DType::I32 } else { DType::I64 };
    let line = e.one(Iota { ty: TensorType::new(dtype, &[n]), dim: 0 }, &[]);
    e.reshape(line, shape)
}

/// The elements of `x` at flat positions; which of a negative one does not matter.
pub(crate) fn take_flat(e: &mut dyn Emit, x: Term, index: Term) -> Term {
    let n: usize = e.ty(x).shape.iter().product();
    let line = e.reshape(x, &[n]);
    let rank = e.ty(index).rank();
    let take = Gather {
        offset_dims: Dims::new(),
        collapsed_slice_dims: smallvec![0],
        operand_batching_dims: Dims::new(),
        start_indices_batching_dims: Dims::new(),
        start_index_map: smallvec![0],
        index_vector_dim: rank,
        slice_sizes: smallvec![n.min(1)],
        indices_are_sorted: false,
    };
    e.one(take, &[line, index])
}

/// The reducer of pairs (value, position) that keeps the one that `select` says; a negative position is no
/// element.
fn selection(module: &mut Module, select: Selector, value: DType, place: DType, captures: &[Type]) -> FuncId {
    let (v, p) = (Type::Tensor(TensorType::scalar(value)), Type::Tensor(TensorType::scalar(place)));
    let mut params = captures.to_vec();
    params.extend([v.clone(), p.clone(), v, p]);
    let n = captures.len();
    let func = Sketch::build(module, &params, |s, x| {
        let (a, i, b, j) = (x[n], x[n + 1], x[n + 2], x[n + 3]);
        let keep = match select {
            Selector::Compare(direction) => (s as &mut dyn Emit).compare(direction, a, b),
            Selector::Func(f) => {
                let body = s.module.get(f);
                let args: Vec<_> = x[..n].iter().chain([&a, &b]).map(|&t| sketch::value(t)).collect();
                Term::Known(s.func.inline(&body, &args)[0])
            }
        };
        let e: &mut dyn Emit = s;
        let zero = e.splat_like(i, 0.0);
        let (first, second) = (e.compare(Direction::Ge, i, zero), e.compare(Direction::Ge, j, zero));
        let alone = e.unary(UnaryOp::Not, second);
        let keep = e.binary(BinaryOp::Or, alone, keep);
        let keep = e.binary(BinaryOp::And, first, keep);
        Some(vec![e.select(keep, a, b), e.select(keep, i, j)])
    });
    sketch::intern(module, func.expect("always there"))
}
