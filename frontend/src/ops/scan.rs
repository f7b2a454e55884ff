//! A step over rows: how it is traced, and the loops that are made of it.

use super::checkpoint::{Policy, saved};
use super::control::{body, framed, rebuild, same_structure, same_types};
use super::shape::concatenate;
use crate::Tensor;
use crate::context::What;
use crate::error::{Error, fail};
use crate::trace::{Recorded, apply_at};
use crate::tree::Tree;
use wengert_ir::op::{Call, Op, Scan};
use wengert_ir::types::TensorType;

/// How many rows every leaf has, or fails.
fn rows<X: Tree>(xs: &X, length: Option<usize>, what: What) -> usize {
    let (mut found, name) = (length, what.name);
    let refuse = |message: String| -> ! { fail(Error::new(format!("{name}: {message}"), Some(what.at))) };
    xs.visit(&mut |t| match (found, t.shape().first()) {
        (_, None) => refuse("a scalar has no rows to run over".to_owned()),
        (None, Some(&n)) => found = Some(n),
        (Some(n), Some(&m)) if n != m => refuse(format!("inputs with {n} and {m} rows")),
        _ => {}
    });
    match found {
        Some(n) => n,
        None => refuse(
            "no inputs to count the steps by; give a length (`ScanOptions`), or use fori_loop".to_owned(),
        ),
    }
}

/// Traces a step and gives what `run` makes of it: what is carried, then all rows.
pub(super) fn scanned<C: Tree, X: Tree, Y: Tree>(
    what: What,
    step: impl FnOnce(C, X) -> (C, Y),
    (init, xs): (C, X),
    (length, reverse, unroll): (Option<usize>, bool, usize),
    run: impl FnOnce(&Steps<'_>, Vec<Tensor>, Vec<Tensor>, usize) -> Vec<Tensor>,
) -> (C, Y) {
    framed(what, || {
        let length = rows(&xs, length, what);
        // Placeholders with the type of a row: only their types are used.
        let row = xs.map(&mut |t| Tensor::zeros_of(&t.ty().unstacked()));
        let (out, types, step) = body(what, &(init.clone(), row), |(c, x)| step(c, x));
        let (mut carry, mut carried) = (Vec::new(), Vec::<TensorType>::new());
        init.visit(&mut |t| {
            carried.push(t.ty());
            carry.push(t.clone());
        });
        let mut inputs = Vec::new();
        xs.visit(&mut |t| inputs.push(t.clone()));
        let n = out.0.leaves();
        same_structure(what, &init, &out.0, "the step must give back what is carried");
        same_types(what, &carried, &types[..n], "the step must give back what is carried");
        let steps = Steps { what, step: &step, carry: n, reverse, unroll };
        rebuild(&out, &run(&steps, carry, inputs, length))
    })
}

/// The traced step of a scan.
pub(super) struct Steps<'a> {
    pub(super) what: What,
    pub(super) step: &'a Recorded,
    pub(super) carry: usize,
    pub(super) reverse: bool,
    pub(super) unroll: usize,
}

/// What makes the steps of so many rows.
pub(super) type Group<'f> = &'f dyn Fn(&Steps<'_>, Vec<Tensor>, &[Tensor], usize) -> Vec<Tensor>;

impl Steps<'_> {
    /// One loop over all rows.
    pub(super) fn all(&self, carry: Vec<Tensor>, xs: &[Tensor], length: usize) -> Vec<Tensor> {
        match self.unroll.clamp(1, length.max(1)) {
            1 => scan_op(self, self.step, &carry, xs, length),
            unroll => self.grouped(carry, xs, length, unroll, &|s, carry, xs, n| s.straight(carry, xs, n)),
        }
    }

    /// One loop over the rows of a segment, of which what goes in is kept.
    pub(super) fn segment(&self, carry: Vec<Tensor>, xs: &[Tensor], length: usize) -> Vec<Tensor> {
        saved(self.what, &Policy::NOTHING, &(carry, xs.to_vec()), |(carry, xs)| self.all(carry, &xs, length))
    }

    /// A loop over groups of rows, then the rows left over. A reversed loop begins with the last rows, so those left over are
    /// the first.
    pub(super) fn grouped(
        &self,
        carry: Vec<Tensor>,
        xs: &[Tensor],
        length: usize,
        size: usize,
        make: Group<'_>,
    ) -> Vec<Tensor> {
        let at = self.what.at;
        let (groups, left) = (length / size, length % size);
        if groups == 1 && left == 0 {
            return make(self, carry, xs, length);
        }
        let (from, first) = if self.reverse { (left, 0) } else { (0, groups * size) };
        let part = |t: &Tensor, from: usize, n: usize| t.get(from..from + n);
        let grouped: Vec<Tensor> = xs
            .iter()
            .map(|t| {
                let shape = [&[groups, size], &t.shape()[1..]].concat();
                part(t, from, groups * size).reshape_to(shape[..].into(), at)
            })
            .collect();
        let group: Vec<Tensor> = grouped.iter().map(|t| Tensor::zeros_of(&t.ty().unstacked())).collect();
        let (_, _, step) = body(self.what, &(carry.clone(), group), |(c, x): (Vec<Tensor>, Vec<Tensor>)| {
            make(self, c, &x, size)
        });
        let mut results = scan_op(self, &step, &carry, &grouped, groups);
        let mut ys: Vec<Tensor> = results
            .split_off(self.carry)
            .iter()
            .map(|y| {
                let shape = [&[groups * size], &y.shape()[2..]].concat();
                y.reshape_to(shape[..].into(), at)
            })
            .collect();
        if left > 0 {
            let rest: Vec<Tensor> = xs.iter().map(|t| part(t, first, left)).collect();
            results = make(self, results, &rest, left);
            let more = results.split_off(self.carry);
            ys = ys
                .into_iter()
                .zip(more)
                .map(|(y, m)| concatenate(&if self.reverse { [m, y] } else { [y, m] }, 0))
                .collect();
        }
        results.extend(ys);
        results
    }

    /// The step once for each row, without a loop.
    fn straight(&self, mut carry: Vec<Tensor>, xs: &[Tensor], length: usize) -> Vec<Tensor> {
        let mut ys: Vec<Vec<Tensor>> = Vec::new();
        for k in 0..length {
            let k = if self.reverse { length - 1 - k } else { k };
            let rows: Vec<Tensor> = xs.iter().map(|t| t.get(k)).collect();
            let operands: Vec<&Tensor> = self.step.captures.iter().chain(&carry).chain(&rows).collect();
            let mut given =
                apply_at(Call { callee: self.step.func }.into(), &operands, self.what.at).to_vec();
            ys.push(given.split_off(self.carry));
            carry = given;
        }
        if self.reverse {
            ys.reverse();
        }
        let each = ys.first().map_or(0, |y| y.len());
        for k in 0..each {
            let rows: Vec<Tensor> = ys.iter().map(|y| y[k].expand_dims(0)).collect();
            carry.push(concatenate(&rows, 0));
        }
        carry
    }
}

fn scan_op(s: &Steps<'_>, step: &Recorded, carry: &[Tensor], xs: &[Tensor], length: usize) -> Vec<Tensor> {
    let consts = step.captures.len();
    let operands: Vec<&Tensor> = step.captures.iter().chain(carry).chain(xs).collect();
    let op = Scan { body: step.func, consts, carry: s.carry, reverse: s.reverse, length };
    apply_at(Op::from(op), &operands, s.what.at).to_vec()
}
