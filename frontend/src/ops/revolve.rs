//! Loops that are reversed with a given number of states: binomial checkpointing.
//!
//! The reverse pass goes from the last step to the first. The state before a step is computed from the nearest one that is kept,
//! and on the way there states are kept where places are free, so far apart as Griewank and Walther's *Revolve* (Algorithm 799,
//! 2000) says. Where that is, [`split`], is computed as the loop runs: it needs no table, and the number of steps need not be
//! known before. Forward mode is that of the loop.

use super::control::{condition_and_step, join, while_loop};
use super::custom::with_reverse;
use super::scan::scanned;
use crate::Tensor;
use crate::call::Args;
use crate::context::What;
use crate::error::{Error, fail};
use crate::trace::{Recorded, apply_at, with_module};
use crate::transform::pullback;
use crate::tree::Tree;
use wengert_ir::func::{Func, FuncId, FuncKind};
use wengert_ir::op::{Call, Op, Scan, While};
use wengert_ir::types::DType;
use wengert_passes::effects::silence;
use wengert_passes::error::TransformError;

type Leaves = Vec<Tensor>;

/// The function of a recorded step, to call.
fn callee(step: FuncId) -> FuncId {
    with_module(|m| {
        let mut f = Func::clone(&m.get(step));
        f.kind = FuncKind::Private;
        f.name = m.fresh_name("step");
        m.add(f)
    })
}

/// The same, to call in the reverse pass: it has run, and does nothing but compute when it is run again. Fails where the host gives
/// it values.
fn callee_again(what: What, called: FuncId) -> FuncId {
    let quiet = with_module(|m| silence(m, called));
    quiet.unwrap_or_else(|e| {
        let message = "with `Save::Slots` the reverse pass would call it again, and the host might give something else: keep the \
             states of all steps, or leave the call out of the loop";
        let e = TransformError { message: message.into(), ..e };
        fail(Error::from(e).or_at(what.at).within(what))
    })
}

fn apply(what: What, op: impl Into<Op>, operands: &[&[Tensor]]) -> Leaves {
    let operands: Vec<&Tensor> = operands.iter().flat_map(|list| list.iter()).collect();
    apply_at(op.into(), &operands, what.at).to_vec()
}

/// Carry and rows of a scan, whose reverse pass keeps so many of its states.
pub(super) fn scan_in_slots(
    what: What,
    step: &Recorded,
    (carry, xs): (Leaves, Leaves),
    length: usize,
    reverse: bool,
    slots: usize,
) -> Leaves {
    let (body, carried) = (step.func, carry.len());
    let called = callee_again(what, callee(step.func));
    let one = |consts: &[Tensor], carry: &[Tensor], rows: &[Tensor]| {
        apply(what, Call { callee: called }, &[consts, carry, rows])
    };
    let whole = |(consts, carry, xs): (Leaves, Leaves, Leaves)| {
        let op = Scan { body, consts: consts.len(), carry: carried, reverse, length };
        apply(what, op, &[&consts, &carry, &xs])
    };
    let last = Tensor::from(length as i64 - 1);
    let row_of = |k: &Tensor| if reverse { &last - k } else { k.clone() };
    let back = |(consts, carry, xs): (Leaves, Leaves, Leaves), mut cotangents: Leaves| {
        let ys = cotangents.split_off(carried);
        let next = |k: &Tensor, state: &[Tensor]| {
            let rows = rows(&xs, &row_of(k));
            one(&consts, state, &rows)[..carried].to_vec()
        };
        let machine = Machine { next: &next, slots: slots.clamp(1, length.max(1)) };
        let init = (machine.start(&carry), cotangents, zeros(&consts));
        let step = |(kept, carried_back, sums): (Kept, Leaves, Leaves), (row, ys): (Tensor, Leaves)| {
            let k = row_of(&row);
            let (kept, state) = machine.state(kept, &k);
            let f = |(consts, state, rows): (Leaves, Leaves, Leaves)| one(&consts, &state, &rows);
            let all = [carried_back, ys].concat();
            let (of_consts, of_state, of_rows) =
                cotangents_of(what, &f, (consts.clone(), state, rows(&xs, &row)), all);
            ((kept, of_state, added(&sums, &of_consts)), of_rows)
        };
        // The steps from the last to the first.
        let numbers = Tensor::arange(length, DType::I64);
        let ((_, of_carry, of_consts), of_xs) = scanned(
            what,
            step,
            (init, (numbers, ys)),
            (Some(length), !reverse, 1),
            |each, carry, xs, length| each.all(carry, &xs, length),
        );
        (of_consts, of_carry, of_xs)
    };
    let args = (step.captures.clone(), carry, xs);
    with_reverse(what, args, &whole, &|args| (whole(args.clone()), args), &back, true)
}

/// [`while_loop`], whose reverse pass keeps so many of its states.
pub(super) fn while_in_slots<T: Tree>(
    what: What,
    condition: impl FnOnce(T) -> Tensor,
    step: impl FnOnce(T) -> T,
    init: T,
    slots: usize,
) -> T {
    let (condition, step, out) = condition_and_step(what, &init, condition, step);
    let (ids, consts) = join(&[&condition, &step]);
    let called = callee(ids[1]);
    let asked = callee(ids[0]);
    let whole = |(consts, carry): (Leaves, Leaves)| {
        let op = While { cond: ids[0], body: ids[1], consts: consts.len(), stacks: 0, counted: false };
        apply(what, op, &[&consts, &carry])
    };
    let quiet = callee_again(what, called);
    let run =
        |callee: FuncId, consts: &[Tensor], state: &[Tensor]| apply(what, Call { callee }, &[consts, state]);
    let one = |consts: &[Tensor], state: &[Tensor]| run(quiet, consts, state);
    // The reverse pass must know the number of steps.
    let counted = |(consts, carry): (Leaves, Leaves)| {
        let (steps, last) = while_loop(
            |(_, state): (Tensor, Leaves)| apply(what, Call { callee: asked }, &[&consts, &state]).remove(0),
            |(k, state)| (k + 1i64, run(called, &consts, &state)),
            (Tensor::from(0i64), carry.clone()),
        );
        (last, (consts, carry, steps))
    };
    let back = |(consts, carry, steps): (Leaves, Leaves, Tensor), cotangents: Leaves| {
        let next = |_: &Tensor, state: &[Tensor]| one(&consts, state);
        let machine = Machine { next: &next, slots: slots.max(1) };
        let init = (steps - 1i64, machine.start(&carry), cotangents, zeros(&consts));
        let (_, _, of_carry, of_consts) = while_loop(
            |(k, ..): (Tensor, Kept, Leaves, Leaves)| k.greater_equal(0i64),
            |(k, kept, carried_back, sums)| {
                let (kept, state) = machine.state(kept, &k);
                let f = |(consts, state): (Leaves, Leaves)| one(&consts, &state);
                let (of_consts, of_state) = cotangents_of(what, &f, (consts.clone(), state), carried_back);
                (k - 1i64, kept, of_state, added(&sums, &of_consts))
            },
            init,
        );
        (of_consts, of_carry)
    };
    let mut carry = Vec::new();
    init.visit(&mut |t| carry.push(t.clone()));
    let results = with_reverse(what, (consts, carry), &whole, &counted, &back, true);
    super::control::rebuild(&out, &results)
}

/// States that are kept: the number of the last place that is taken, the steps before which the states are, and these, one row
/// of each leaf for each place.
type Kept = (Tensor, Tensor, Leaves);

struct Machine<'a> {
    /// The state after a step, by its number and the state before.
    next: &'a dyn Fn(&Tensor, &[Tensor]) -> Leaves,
    slots: usize,
}

impl Machine<'_> {
    /// The first state in the first place.
    fn start(&self, carry: &[Tensor]) -> Kept {
        let zero = Tensor::from(0i64);
        let empty = |t: &Tensor| Tensor::zeros_of(&t.ty().stacked(self.slots));
        let slots = carry.iter().map(|t| put(&empty(t), t, &zero)).collect();
        (zero, Tensor::zeros(&[self.slots], DType::I64), slots)
    }

    /// The state before step `k`, none later having been asked for, and what is kept then.
    fn state(&self, (top, at, slots): Kept, k: &Tensor) -> (Kept, Leaves) {
        let passed = row(&at, &top).greater(k).astype(DType::I64);
        let last = self.slots as i64 - 1;
        let (top, at, slots) = while_loop(
            |(top, at, _): Kept| top.less(last).logical_and(row(&at, &top).less(k)),
            |(top, at, slots): Kept| {
                let from = row(&at, &top);
                let to = &from + split(&(k - &from + 1i64), &(self.slots as i64 - &top));
                let state = self.run(rows(&slots, &top), &from, &to);
                let top = top + 1i64;
                let slots = slots.iter().zip(&state).map(|(all, t)| put(all, t, &top)).collect();
                let at = put(&at, &to, &top);
                (top, at, slots)
            },
            (top - passed, at, slots),
        );
        let state = self.run(rows(&slots, &top), &row(&at, &top), k);
        ((top, at, slots), state)
    }

    /// The steps `from..to`.
    fn run(&self, state: Leaves, from: &Tensor, to: &Tensor) -> Leaves {
        while_loop(
            |(k, _): (Tensor, Leaves)| k.less(to),
            |(k, state)| {
                let state = (self.next)(&k, &state);
                (k + 1i64, state)
            },
            (from.clone(), state),
        )
        .1
    }
}

/// After how many of `l >= 2` steps the next state is kept, with `s >= 2` places, of which one has the state before the first of
/// them. With `t` the least for which `b(s, t) = C(s + t, t) >= l`, the steps after it are no more than can be reversed with
/// `s - 1` places making none more than `t` times again, and those before it than with `s` places and `t - 1` times.
pub fn split(l: &Tensor, s: &Tensor) -> Tensor {
    let (t, b) = while_loop(
        |(_, b): (Tensor, Tensor)| b.less(l),
        |(t, b)| {
            let t = t + 1i64;
            let b = (b * (s + &t)).floor_divide(&t);
            (t, b)
        },
        (Tensor::from(1i64), s + 1i64),
    );
    // b(s, t - 1) and b(s - 1, t - 1).
    let before = (b * &t).floor_divide(&(s + &t));
    let after = (&before * s).floor_divide(&(s + &t - 1i64));
    before.minimum(&(l - after))
}

/// Row `k` of a tensor.
fn row(t: &Tensor, k: &Tensor) -> Tensor {
    let zero = Tensor::from(0i64);
    let starts: Vec<&Tensor> = (0..t.rank()).map(|d| if d == 0 { k } else { &zero }).collect();
    let mut sizes = t.shape().to_vec();
    sizes[0] = 1;
    let shape: Vec<isize> = sizes[1..].iter().map(|&n| n as isize).collect();
    t.dynamic_slice(&starts, &sizes).reshape(&shape)
}

fn rows(all: &[Tensor], k: &Tensor) -> Leaves {
    all.iter().map(|t| row(t, k)).collect()
}

/// The tensor with another row `k`.
fn put(all: &Tensor, t: &Tensor, k: &Tensor) -> Tensor {
    let zero = Tensor::from(0i64);
    let starts: Vec<&Tensor> = (0..all.rank()).map(|d| if d == 0 { k } else { &zero }).collect();
    all.dynamic_update_slice(&t.expand_dims(0), &starts)
}

fn zeros(like: &[Tensor]) -> Leaves {
    like.iter().map(|t| Tensor::zeros_of(&t.ty())).collect()
}

fn added(sums: &[Tensor], more: &[Tensor]) -> Leaves {
    let add = |(s, m): (&Tensor, &Tensor)| if s.dtype().is_differentiable() { s + m } else { s.clone() };
    sums.iter().zip(more).map(add).collect()
}

/// Cotangents of arguments.
fn cotangents_of<A: Args>(what: What, f: &dyn Fn(A) -> Leaves, at: A, cotangents: Leaves) -> A {
    pullback(what, f, at).1.call(cotangents)
}
