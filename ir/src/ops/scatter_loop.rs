//! `scatter` as a loop over its updates, for derivatives of those whose combination is no sum.

use super::scatter::gather_filled;
use super::sketch::{self, Combine, Sketch};
use crate::func::{Func, Module};
use crate::op::*;
use crate::rules::{Emit, Term};
use crate::types::{DType, TensorType, Type};
use smallvec::smallvec;

impl Scatter {
    /// The function of the same operands that combines one update after the other in a loop, in the order of evaluation.
    pub(crate) fn looped(&self, module: &mut Module, operands: &[Type]) -> Option<Func> {
        let n = self.inputs;
        Sketch::build(module, operands, |s, x| {
            let (inputs, indices, updates, captures) = (&x[..n], x[n], &x[n + 1..2 * n + 1], &x[2 * n + 1..]);
            let (shape, updates_shape) = (s.ty(inputs[0]).shape, s.ty(updates[0]).shape);
            let (size, length) = (shape.iter().product::<usize>(), updates_shape.iter().product());
            if size == 0 || length == 0 {
                return Some(inputs.to_vec());
            }
            let e: &mut dyn Emit = s;
            // Where each update goes, -1 for those that are dropped.
            let dtype = if size < i32::MAX as usize { DType::I32 } else { DType::I64 };
            let ids = e.one(Iota { ty: TensorType::new(dtype, &[size]), dim: 0 }, &[]);
            let one = e.splat_like(ids, 1.0);
            let ids = e.add(ids, one);
            let ids = e.reshape(ids, &shape);
            let places = gather_filled(e, self, ids, indices, &updates_shape);
            let one = e.splat_like(places, 1.0);
            let places = e.sub(places, one);
            let perm = self.order(updates_shape.len());
            let in_order = |e: &mut dyn Emit, x: Term| {
                let is_turned = !perm.iter().copied().eq(0..perm.len());
                let x = if is_turned { e.one(Transpose { perm: perm.clone() }, &[x]) } else { x };
                e.reshape(x, &[length])
            };
            let mut scanned = captures.to_vec();
            scanned.extend(inputs.iter().map(|&x| e.reshape(x, &[size])));
            scanned.push(in_order(e, places));
            scanned.extend(updates.iter().map(|&x| in_order(e, x)));

            let c = captures.len();
            let mut params = sketch::types(e, &scanned[..c + n]);
            params.push(TensorType::scalar(dtype).into());
            params.extend(updates.iter().map(|&x| Type::from(TensorType::scalar(e.ty(x).dtype))));
            let body = Sketch::build(s.module, &params, |s, x| self.trip(s, x, c))?;
            let body = sketch::intern(s.module, body);
            let scan = Scan { body, consts: c, carry: n, reverse: false, length };
            let lines = s.emit(scan.into(), &scanned);
            Some(lines.iter().map(|&x| (s as &mut dyn Emit).reshape(x, &shape)).collect())
        })
    }

    /// One update: of so many captures, the inputs as lines, its place and what it is.
    fn trip(&self, s: &mut Sketch<'_>, x: &[Term], captures: usize) -> Option<Vec<Term>> {
        let (captures, rest) = x.split_at(captures);
        let (carry, rest) = rest.split_at(self.inputs);
        let (place, new) = rest.split_first()?;
        let e: &mut dyn Emit = s;
        let zero = e.splat_like(*place, 0.0);
        let inside = e.compare(Direction::Ge, *place, zero);
        let at = e.binary(BinaryOp::Maximum, *place, zero);
        let mut old = Vec::new();
        for &x in carry {
            let x = e.one(DynamicSlice { sizes: smallvec![1] }, &[x, at]);
            old.push(e.reshape(x, &[]));
        }
        let combined = Combine::new(self.reducer, captures).apply(s, &old, new)?;
        let e: &mut dyn Emit = s;
        let parts = carry.iter().zip(old).zip(combined);
        let update = |((&x, old), new)| {
            let kept = e.select(inside, new, old);
            let kept = e.reshape(kept, &[1]);
            e.one(DynamicUpdateSlice {}, &[x, kept, at])
        };
        Some(parts.map(update).collect())
    }
}
