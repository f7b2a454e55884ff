//! Loops on batches: they run until all examples are done and leave the finished alone.

use super::masks::{any, chosen, may_be_infinite, only_of, shares_a_tensor};
use super::{Batcher, Placed, TransformError, Want, mask, value, wanted};
use crate::effects::{again, drop_names};
use crate::rewrite::push;
use crate::total::Totality;
use smallvec::smallvec;
use wengert_ir::func::{Func, FuncId, FuncKind, Inst, Value};
use wengert_ir::op::*;
use wengert_ir::rules::{Emit, Term};
use wengert_ir::types::{DType, DYNAMIC, TensorType, Type};

impl Batcher<'_> {
    pub(super) fn scan(
        &mut self,
        f: &Func,
        inst: &Inst,
        scan: &Scan,
        x: &[Placed],
        to: &mut Func,
    ) -> Result<Vec<Placed>, TransformError> {
        let first = (scan.length == DYNAMIC) as usize;
        let (count, rest) = x.split_at(first);
        if count.iter().any(|c| c.1.is_some()) {
            let count = self.agreed(f, inst, x[0], to)?;
            return self.scan_of_counts(inst, scan, &[&[count], rest].concat(), to);
        }
        let (consts, rest) = rest.split_at(scan.consts);
        let (carry, xs) = rest.split_at(scan.carry);
        let ys = inst.results.len() - scan.carry;
        let mut carried = mask(carry);
        let (body, out) = loop {
            let params = [mask(consts), carried.clone(), mask(xs)].concat();
            let wants = wanted(carried.iter().copied().chain(std::iter::repeat_n(false, ys)));
            let (body, out) = self.func(scan.body, &params, &wants)?;
            if out[..scan.carry] == carried[..] {
                break (body, out);
            }
            carried.copy_from_slice(&out[..scan.carry]);
        };
        let mut operands: Vec<Value> = count.iter().map(|c| c.0).collect();
        operands.extend(self.operands(to, consts));
        operands.extend(self.carried(to, carry, &carried));
        operands.extend(self.rows(to, xs));
        let results = push(self.module, to, Scan { body, ..scan.clone() }, &operands, &inst.loc);
        Ok(stacked(results, &out, scan.carry))
    }

    /// A scan of another number of rows for each example, as the reverse pass of a `while` is: rows beyond an example's are
    /// passed over.
    fn scan_of_counts(
        &mut self,
        inst: &Inst,
        scan: &Scan,
        x: &[Placed],
        to: &mut Func,
    ) -> Result<Vec<Placed>, TransformError> {
        let (consts, rest) = x[1..].split_at(scan.consts);
        let (carry, xs) = rest.split_at(scan.carry);
        let ys = inst.results.len() - scan.carry;
        let takes = [self.taken_mapped(to, scan.body, consts), vec![true; scan.carry], mask(xs)].concat();
        let wants = vec![Want::Mapped; scan.carry + ys];
        let (inner, _) = self.func(scan.body, &takes, &wants)?;
        let counts = self.place(to, x[0], 0);
        let (most, start) = {
            let mut body = self.body(to, &inst.loc);
            let e: &mut dyn Emit = &mut body;
            let zero = e.splat(TensorType::scalar(DType::I64), 0.0);
            let max = Reduce { dims: smallvec![0], inputs: 1, reducer: Reducer::Op(BinaryOp::Maximum) };
            let most = e.one(max, &[Term::Known(counts), zero]);
            let one = e.splat(TensorType::scalar(DType::I64), 1.0);
            let start = if scan.reverse { e.sub(most, one) } else { zero };
            (value(most), value(start))
        };
        // The body with the counts as a constant, and the number of the row carried.
        let source = self.module.get(inner);
        let mut new = Func::new("", FuncKind::Region);
        let limit = new.param(to.ty(counts).clone());
        let mut params: Vec<Value> = Vec::new();
        let is_carry = scan.consts..scan.consts + scan.carry;
        let mut number = None;
        for (k, &p) in source.params.iter().enumerate() {
            if k == is_carry.end {
                number = Some(new.param(TensorType::scalar(DType::I64)));
            }
            // What all examples share is given to the loop once.
            let is_shared = consts.get(k).is_some_and(|x| x.1.is_none());
            let ty = if is_shared { to.ty(consts[k].0) } else { source.ty(p) };
            params.push(new.param(ty.clone()));
        }
        let number = number.unwrap_or_else(|| new.param(TensorType::scalar(DType::I64)));
        let size = self.size;
        let active = {
            let e: &mut dyn Emit = &mut self.body(&mut new, &inst.loc);
            let numbers = e.broadcast_scalar(Term::Known(number), &[size]);
            e.compare(Direction::Lt, numbers, Term::Known(limit))
        };
        let safe = self.of_the_active(&mut new, inst, scan.body, value(active), &params, &takes);
        let given = push(self.module, &mut new, Call { callee: inner }, &safe, &inst.loc);
        let mut results: Vec<Value> = Vec::new();
        {
            let mut body = self.body(&mut new, &inst.loc);
            let e: &mut dyn Emit = &mut body;
            for (&old, &new) in params[is_carry].iter().zip(&given) {
                results.push(value(chosen(e, active, Term::Known(new), Term::Known(old))));
            }
            let step = e.splat(TensorType::scalar(DType::I64), if scan.reverse { -1.0 } else { 1.0 });
            results.push(value(e.add(Term::Known(number), step)));
        }
        results.extend_from_slice(&given[scan.carry..]);
        new.results = results;
        let body = self.module.add(new);
        let mut operands = vec![most, counts];
        operands.extend(self.operands(to, consts));
        operands.extend(self.carried(to, carry, &vec![true; scan.carry]));
        operands.push(start);
        operands.extend(self.rows(to, xs));
        let op = Scan { body, consts: scan.consts + 1, carry: scan.carry + 1, ..scan.clone() };
        let mut results = push(self.module, to, op, &operands, &inst.loc);
        results.remove(scan.carry);
        Ok(stacked(results, &vec![true; scan.carry + ys], scan.carry))
    }

    pub(super) fn r#while(
        &mut self,
        f: &Func,
        inst: &Inst,
        w: &While,
        x: &[Placed],
        to: &mut Func,
    ) -> Result<Vec<Placed>, TransformError> {
        let (consts, carry) = x.split_at(w.consts);
        let mut carried = mask(carry);
        loop {
            let params = [mask(consts), carried.clone()].concat();
            let (cond, pred) = self.func(w.cond, &params, &[Want::Any])?;
            if pred[0] {
                let w = &self.agreeing(f, inst, w)?;
                // Of an example that is done nothing may be heard.
                if self.module.effect(&inst.op) == Effect::Ordered {
                    if w.stacks > 0 {
                        return self.heard_apart(f, inst, w, x, to);
                    }
                    return self.looped(f, &Inst { op: w.clone().into(), ..inst.clone() }, x, to);
                }
                return self.while_any(inst, w, consts, carry, to);
            }
            let wants = wanted(carried.iter().copied().chain(std::iter::repeat_n(false, w.stacks)));
            let (body, out) = self.func(w.body, &params, &wants)?;
            if out[..carry.len()] != carried[..] {
                carried.copy_from_slice(&out[..carry.len()]);
                continue;
            }
            let mut operands = self.operands(to, consts);
            operands.extend(self.carried(to, carry, &carried));
            let results = push(self.module, to, While { cond, body, ..w.clone() }, &operands, &inst.loc);
            let mut out = out;
            if w.counted {
                out.insert(carry.len(), false);
            }
            return Ok(stacked(results, &out, carry.len() + w.counted as usize));
        }
    }

    /// A loop that does more than compute and whose trips are stacked, where examples leave it at different times: what it does
    /// it does for one example after the other, and the stacks are those of all examples together, which do nothing again.
    fn heard_apart(
        &mut self,
        f: &Func,
        inst: &Inst,
        w: &While,
        x: &[Placed],
        to: &mut Func,
    ) -> Result<Vec<Placed>, TransformError> {
        let op = Op::from(w.clone());
        let mut silent = again(self.module, &op).map_err(|e| TransformError {
            message: "the examples of a batch leave the loop at different times, it asks the host for values, and it is \
                 differentiated: it would be asked again. Leave the call out of the loop"
                .into(),
            ..e
        })?;
        silent.map_callees(&mut |callee| drop_names(self.module, callee));
        let carried = x.len() - w.consts;
        let mut body = self.module.get(w.body).as_ref().clone();
        body.results.truncate(carried);
        let heard = While { body: self.module.add(body), stacks: 0, counted: false, ..w.clone() };
        let results = inst.results[..carried].into();
        self.looped(f, &Inst { op: heard.into(), results, ..inst.clone() }, x, to)?;
        let Op::While(silent) = &silent else { unreachable!("a loop without what it does is a loop") };
        let (consts, carry) = x.split_at(w.consts);
        self.while_any(inst, silent, consts, carry, to)
    }

    /// A loop whose condition differs from example to example: it runs while it holds for any. Whether it does for each
    /// example, and how often it did if that is asked for, is carried with the rest.
    fn while_any(
        &mut self,
        inst: &Inst,
        w: &While,
        consts: &[Placed],
        carry: &[Placed],
        to: &mut Func,
    ) -> Result<Vec<Placed>, TransformError> {
        let n = carry.len();
        let params = [mask(consts), vec![true; n]].concat();
        let (cond, _) = self.func(w.cond, &params, &[Want::Mapped])?;
        let takes = [self.taken_mapped(to, w.body, consts), vec![true; n]].concat();
        let (body, _) = self.func(w.body, &takes, &vec![Want::Mapped; n + w.stacks])?;
        let size = self.size;
        let flags = TensorType::new(DType::I1, &[size]);
        let counts = TensorType::new(DType::I64, &[size]);
        let source = self.module.get(body);
        let mut operands = self.operands(to, consts);
        let const_types: Vec<Type> = operands.iter().map(|&v| to.ty(v).clone()).collect();
        let parameters = |func: &mut Func| -> Vec<Value> {
            let ty = |(k, &p): (usize, &Value)| {
                if k < w.consts { const_types[k].clone() } else { source.ty(p).clone() }
            };
            let types: Vec<Type> = source.params.iter().enumerate().map(ty).collect();
            let mut params: Vec<Value> = types.into_iter().map(|ty| func.param(ty)).collect();
            params.push(func.param(flags.clone()));
            if w.counted {
                params.push(func.param(counts.clone()));
            }
            params
        };

        let mut new_cond = Func::new("", FuncKind::Region);
        let params = parameters(&mut new_cond);
        let pred = params[w.consts + n];
        new_cond.results = vec![value(any(&mut self.body(&mut new_cond, &inst.loc), Term::Known(pred)))];

        let mut new_body = Func::new("", FuncKind::Region);
        let params = parameters(&mut new_body);
        let (pred, own) = (params[w.consts + n], &params[..w.consts + n]);
        let safe = self.of_the_active(&mut new_body, inst, w.body, pred, own, &takes);
        let given = push(self.module, &mut new_body, Call { callee: body }, &safe, &inst.loc);
        let mut next: Vec<Value> = Vec::new();
        for (&old, &new) in own[w.consts..].iter().zip(&given) {
            let e: &mut dyn Emit = &mut self.body(&mut new_body, &inst.loc);
            next.push(value(chosen(e, Term::Known(pred), Term::Known(new), Term::Known(old))));
        }
        let again: Vec<Value> = own[..w.consts].iter().chain(&next).copied().collect();
        let holds = push(self.module, &mut new_body, Call { callee: cond }, &again, &inst.loc)[0];
        {
            let e: &mut dyn Emit = &mut self.body(&mut new_body, &inst.loc);
            next.push(value(e.binary(BinaryOp::And, Term::Known(pred), Term::Known(holds))));
            if w.counted {
                let trip = e.convert(Term::Known(pred), DType::I64);
                next.push(value(e.add(Term::Known(params[w.consts + n + 1]), trip)));
            }
        }
        next.extend_from_slice(&given[n..]);
        new_body.results = next;

        operands.extend(self.carried(to, carry, &vec![true; n]));
        let first = push(self.module, to, Call { callee: cond }, &operands, &inst.loc)[0];
        operands.push(first);
        if w.counted {
            let zeros: Op = Op::splat(counts, 0.0);
            operands.push(push(self.module, to, zeros, &[], &inst.loc)[0]);
        }
        let (cond, body) = (self.module.add(new_cond), self.module.add(new_body));
        let op = While { cond, body, ..w.clone() };
        let results = push(self.module, to, op, &operands, &inst.loc);
        // Carried values, flags, [counts of each example, trips of the loop,] stacks.
        let mut out: Vec<Placed> = results[..n].iter().map(|&r| (r, Some(0))).collect();
        let mut rest = &results[n + 1..];
        if w.counted {
            out.push((rest[0], Some(0)));
            rest = &rest[2..];
        }
        out.extend(rest.iter().map(|&r| (r, Some(1))));
        Ok(out)
    }

    /// What a body is called with that `takes` some of it mapped, of which examples that are done make nothing: derivatives pass
    /// them over. If the body may not end with what they have, because the program never runs it with that, or has slopes by more
    /// than what is their own, they have what the first one has that is not done.
    fn of_the_active(
        &mut self,
        to: &mut Func,
        inst: &Inst,
        body: FuncId,
        active: Value,
        params: &[Value],
        takes: &[bool],
    ) -> Vec<Value> {
        // Without examples there is none that is not done, and nothing to be given.
        if self.size == 0 {
            return params.to_vec();
        }
        let f = self.module.get(body);
        let mut total = Totality::default();
        let is_total = f.insts.values().all(|inst| total.is_total(self.module, &f, inst));
        let is_masked = may_be_infinite(self.module, body);
        let size = self.size;
        let mut params = params.to_vec();
        if is_masked {
            let e: &mut dyn Emit = &mut self.body(to, &inst.loc);
            for (p, _) in params.iter_mut().zip(takes).filter(|(_, takes)| **takes) {
                // A number that all examples share.
                if e.ty(Term::Known(*p)).rank() == 0 {
                    *p = value(e.broadcast_scalar(Term::Known(*p), &[size]));
                }
            }
        }
        let given: Vec<Placed> =
            params.iter().zip(takes).map(|(&p, &takes)| (p, takes.then_some(0))).collect();
        if !is_total || is_masked && shares_a_tensor(to, &given) {
            return self.as_the_first_of(to, inst, active, &params, takes);
        }
        if is_masked {
            let e: &mut dyn Emit = &mut self.body(to, &inst.loc);
            for (p, _) in params.iter_mut().zip(takes).filter(|(_, takes)| **takes) {
                *p = only_of(e, Term::Known(active), *p);
            }
        }
        params
    }

    /// Values of which some shall be mapped, those in front.
    pub(super) fn carried(&mut self, to: &mut Func, carry: &[Placed], mapped: &[bool]) -> Vec<Value> {
        carry.iter().zip(mapped).map(|(&x, &m)| if m { self.place(to, x, 0) } else { x.0 }).collect()
    }

    /// What is sliced into rows: the examples are the first dimension of a row.
    fn rows(&mut self, to: &mut Func, xs: &[Placed]) -> Vec<Value> {
        xs.iter().map(|&x| if x.1.is_some() { self.place(to, x, 1) } else { x.0 }).collect()
    }
}

/// Results of a loop: what is carried has the examples in front, what is stacked in front of each row.
fn stacked(results: impl IntoIterator<Item = Value>, mapped: &[bool], carry: usize) -> Vec<Placed> {
    let place = |(k, (r, &m)): (usize, (Value, &bool))| (r, m.then_some((k >= carry) as usize));
    results.into_iter().zip(mapped).enumerate().map(place).collect()
}
